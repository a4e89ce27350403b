//! Ids, a type for each kind of record so that none is taken for another.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use super::written::whole_number;
use super::{Lang, Reason};

/// The highest id that a record from elsewhere may bring along: 2^31 - 1. The upper half of all ids is the office's own, so
/// nothing that comes in can use them up.
pub const HIGHEST_FOREIGN: u32 = i32::MAX.cast_unsigned();

/// The id of a `K`: 1 to 4,294,967,295, because the search index keeps ids in 32 bits.
pub struct Id<K>(NonZeroU32, PhantomData<fn() -> K>);

/// The word for a thing, in Portuguese and in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(pub &'static str, pub &'static str);

impl Word {
    /// As it begins a sentence, as in `Customer not found`.
    pub fn title(self, lang: Lang) -> String {
        let mut chars = lang.pick(self.0, self.1).chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
    }
}

/// What an id can be of.
pub trait Noun: 'static {
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

    /// The number, 1 or more.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

// By hand, because a derived one would ask the same of whatever the id is of.
impl<K> Clone for Id<K> {
    fn clone(&self) -> Id<K> {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Id<K>) -> bool {
        self.0 == other.0
    }
}

impl<K> Eq for Id<K> {}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type CustomerId = Id<u8>;

    #[test]
    fn has_its_bounds() {
        for (text, number) in [("1", 1), ("0017", 17), ("4294967295", u32::MAX)] {
            let id = CustomerId::parse(text).unwrap();
            assert_eq!((id.get(), id.to_string()), (number, number.to_string()));
            assert_eq!(CustomerId::new(u64::from(number)), Some(id));
        }
        for text in ["", "0", "4294967296", "18446744073709551616", "-1", "+1", "1.0", " 1", "1,2", "x"] {
            assert!(CustomerId::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(CustomerId::new(0), None);
        assert_eq!(CustomerId::new(4_294_967_296), None);
    }
}
