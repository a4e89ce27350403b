//! Which part of a list is asked for, and in which order.

use super::written::whole_number;
use super::{Invalid, Reason};

/// The largest offset: the largest whole number that every JSON client reads exactly, 2⁵³ - 1.
const MAX_OFFSET: u64 = 9_007_199_254_740_991;

/// A page of a list: always both, always within bounds (contract 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Page {
    limit: u32,
    offset: u64,
    order: Order,
}

/// In which order a list comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// In the list's own.
    #[default]
    Ascending,
    /// The other way round.
    Descending,
}

impl Order {
    /// Reads the parameter `order`: `asc` or `desc`.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(text: &str) -> Result<Order, Reason> {
        match text {
            "asc" => Ok(Order::Ascending),
            "desc" => Ok(Order::Descending),
            _ => Err(Reason::NotOrder),
        }
    }
}

impl Page {
    /// Reads the parameters `limit` (1 to `largest`; `largest` when absent) and `offset` (0 to 2⁵³ - 1; 0 when
    /// absent), in digits alone. What is outside is reported for each field, never cut. `largest` is the route's
    /// own, which a setting may change (contract 8).
    pub fn parse(limit: Option<&str>, offset: Option<&str>, largest: u32) -> Result<Page, Invalid> {
        let mut invalid = Invalid::new();
        let limit = limit.map_or(Ok(u64::from(largest)), |text| within(text, 1, u64::from(largest)));
        let offset = offset.map_or(Ok(0), |text| within(text, 0, MAX_OFFSET));
        let limit = invalid.check("limit", limit).and_then(|limit| u32::try_from(limit).ok());
        let offset = invalid.check("offset", offset);
        match (limit, offset) {
            (Some(limit), Some(offset)) => Ok(Page { limit, offset, order: Order::Ascending }),
            _ => Err(invalid),
        }
    }

    /// All of the list.
    pub fn all() -> Page {
        Page { limit: u32::MAX, offset: 0, order: Order::Ascending }
    }

    /// The same part of the list in that order.
    pub fn in_order(self, order: Order) -> Page {
        Page { order, ..self }
    }

    /// In which order the list comes.
    pub fn order(self) -> Order {
        self.order
    }

    /// How many records at most, 1 or more.
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// How many records before them are left out.
    pub fn offset(self) -> u64 {
        self.offset
    }
}

fn within(text: &str, least: u64, most: u64) -> Result<u64, Reason> {
    whole_number(text)
        .filter(|number| (least..=most).contains(number))
        .ok_or(Reason::OutOfRange { least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_its_bounds() {
        for (limit, offset, page) in [
            (None, None, (1000, 0)),
            (Some("1"), Some("0"), (1, 0)),
            (Some("1000"), Some("1001"), (1000, 1001)),
            (Some("007"), Some("9007199254740991"), (7, 9_007_199_254_740_991)),
        ] {
            let parsed = Page::parse(limit, offset, 1000).unwrap();
            assert_eq!((parsed.limit(), parsed.offset()), page);
        }
        assert_eq!(Page::parse(None, None, 100).unwrap().limit(), 100);
    }

    #[test]
    fn an_order_is_one_of_two_words() {
        assert_eq!(Order::parse("asc"), Ok(Order::Ascending));
        assert_eq!(Order::parse("desc"), Ok(Order::Descending));
        for text in ["", "DESC", "descending", "-id", "1", "desc "] {
            assert_eq!(Order::parse(text), Err(Reason::NotOrder), "{text:?}");
        }
    }

    #[test]
    fn reports_both_fields() {
        for text in ["0", "1001", "-1", "+1", "1.0", "1e2", " 1", "", "dez", "18446744073709551616"] {
            assert!(Page::parse(Some(text), None, 1000).is_err(), "{text:?}");
        }
        for text in ["-1", "9007199254740992", "99999999999999999999", "", "x"] {
            assert!(Page::parse(None, Some(text), 1000).is_err(), "{text:?}");
        }
        let invalid = Page::parse(Some("101"), Some("-1"), 100).unwrap_err();
        let all: Vec<_> = invalid.iter().map(|(field, reason)| (field, *reason)).collect();
        assert_eq!(
            all,
            [
                ("limit", Reason::OutOfRange { least: 1, most: 100 }),
                ("offset", Reason::OutOfRange { least: 0, most: 9_007_199_254_740_991 }),
            ]
        );
    }
}
