//! Ids, a type for each kind of record so that none is taken for another.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use super::Reason;
use super::written::whole_number;

/// The id of a record of one kind: 1 to 4,294,967,295, because the search index keeps ids in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id<K>(NonZeroU32, PhantomData<K>);

/// The word for a thing, in Portuguese and in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(pub &'static str, pub &'static str);

impl Word {
    /// As it begins a sentence of the API's, as in `Customer not found`.
    pub fn title(self) -> String {
        let mut chars = self.1.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
    }
}

/// What an id can be of.
pub trait Noun: Copy + fmt::Debug + Send + Sync + 'static {
    /// The word for it.
    const WORD: Word;
}

impl<K> Id<K> {
    /// The id with that number, 1 to 4,294,967,295.
    pub fn new(number: u64) -> Option<Id<K>> {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map(|number| Id(number, PhantomData))
    }

    /// Takes back a number that the store wrote from an id. Only for that: there is none that is 0.
    pub fn from_stored(number: u32) -> Id<K> {
        Id(NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN), PhantomData)
    }

    /// Reads an id in digits alone (contract 1).
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<Id<K>, Reason> {
        whole_number(text).and_then(Id::new).ok_or(Reason::NotId)
    }
}

impl<K: Copy> Id<K> {
    /// The number, 1 or more.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The kinds of things that have ids, each a type so that no id is taken for another's.
pub mod of {
    use super::{Noun, Word};

    macro_rules! nouns {
        ($($(#[doc = $about:literal])+ $kind:ident, $pt:literal, $en:literal;)+) => {$(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum $kind {}

            impl Noun for $kind {
                const WORD: Word = Word($pt, $en);
            }
        )+};
    }

    nouns! {
        /// A customer.
        Customer, "cliente", "customer";
        /// A lawsuit.
        Lawsuit, "processo", "lawsuit";
        /// An entry of any of the reference lists.
        Entry, "item", "entry";
        /// A user.
        User, "pessoa", "user";
        /// An origin of customers.
        Origin, "origem", "origin";
        /// A group of lawsuit types.
        Group, "grupo", "group";
        /// A lawsuit type.
        Type, "tipo", "type";
        /// A step, which stages belong to.
        Step, "etapa", "step";
        /// A stage of lawsuits.
        Stage, "fase", "stage";
    }
}

/// The id of a customer.
pub type CustomerId = Id<of::Customer>;
/// The id of a lawsuit.
pub type LawsuitId = Id<of::Lawsuit>;
/// The id of an entry of any of the reference lists.
pub type EntryId = Id<of::Entry>;
/// The id of a user.
pub type UserId = Id<of::User>;
/// The id of an origin of customers.
pub type OriginId = Id<of::Origin>;
/// The id of a group of lawsuit types.
pub type GroupId = Id<of::Group>;
/// The id of a lawsuit type.
pub type TypeId = Id<of::Type>;
/// The id of a step.
pub type StepId = Id<of::Step>;
/// The id of a stage.
pub type StageId = Id<of::Stage>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_its_bounds() {
        for (text, number) in [("1", 1), ("0017", 17), ("4294967295", u32::MAX)] {
            let id = CustomerId::parse(text).unwrap();
            assert_eq!((id.get(), id.to_string()), (number, number.to_string()));
            assert_eq!(CustomerId::new(u64::from(number)), Some(id));
        }
        for text in ["", "0", "4294967296", "18446744073709551616", "-1", "+1", "1.0", " 1", "1,2", "x"] {
            assert!(StageId::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(UserId::new(0), None);
        assert_eq!(UserId::new(4_294_967_296), None);
    }
}
