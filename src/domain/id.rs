//! Ids, a type for each kind of record so that none is taken for another.

use std::fmt;
use std::num::NonZeroU32;

use super::Reason;
use super::written::whole_number;

/// Makes the type of one kind's ids.
macro_rules! id {
    ($name:ident, $of:literal) => {
        #[doc = concat!("The id of ", $of, ": 1 to 4,294,967,295, because the search index keeps ids in 32 bits.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id with that number, 1 to 4,294,967,295.
            pub fn new(number: u64) -> Option<$name> {
                u32::try_from(number).ok().and_then(NonZeroU32::new).map($name)
            }

            /// Reads an id in digits alone (contract 1).
            pub fn parse(text: &str) -> Result<$name, Reason> {
                whole_number(text)
                    .and_then($name::new)
                    .ok_or(Reason::NotId)
            }

            /// The number, 1 or more.
            pub fn get(self) -> u32 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(CustomerId, "a customer");
id!(LawsuitId, "a lawsuit");
id!(UserId, "a user");
id!(OriginId, "an origin of customers");
id!(GroupId, "a group of lawsuit types");
id!(TypeId, "a lawsuit type");
id!(StepId, "a step, which stages belong to");
id!(StageId, "a stage of lawsuits");

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
