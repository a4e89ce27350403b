//! Typed ids. Each kind of record has an id type of its own, so that ids cannot be mixed up.

pub mod external_id;

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use super::Reason;
use super::lang::Word;
use super::numbers::punctuation::whole_number;

/// Highest id that an imported record may keep: 2^31 - 1. The upper half of all ids is reserved for records
/// that this office creates, so imports cannot use up the ids.
pub const MAX_FOREIGN: u32 = i32::MAX.cast_unsigned();

/// The id of a `K`: 1 to 4,294,967,295. The limit comes from the search index, which stores ids in 32 bits.
pub struct Id<K>(NonZeroU32, PhantomData<fn() -> K>);

/// A kind of thing that ids can identify.
pub trait Noun: 'static {
    /// The noun for one such thing.
    const WORD: Word;
}

impl<K> Id<K> {
    /// Converts a number from 1 to 4,294,967,295. Returns `None` for any other number.
    pub fn new(number: u64) -> Option<Id<K>> {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map(|number| Id(number, PhantomData))
    }

    /// Wraps a number that the store wrote. Stored ids are never 0.
    pub fn from_stored(number: u32) -> Id<K> {
        Id(NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN), PhantomData)
    }

    /// Parses an id that consists of digits only (contract 1).
    pub fn parse(text: &str) -> Result<Id<K>, Reason> {
        whole_number(text).and_then(Id::new).ok_or(Reason::NotId)
    }

    /// Returns the number, 1 or more.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

// Implemented by hand, because derives would require the traits of `K` as well.
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
    fn ids_are_limited_to_their_range() {
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
