//! Paging and order of lists, as a request gives them. `index::page` cuts a page.
//! The largest page belongs to the route: `largest_page` in `http::requests::route`.

use super::id::Id;
use super::numbers::punctuation::whole_number;
use super::{Invalid, Reason};

/// Largest offset: 2⁵³ - 1, the largest whole number that every JSON client reads exactly.
const MAX_OFFSET: u64 = 9_007_199_254_740_991;

/// The requested part of a list, always within bounds (contract 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Page {
    limit: u32,
    offset: u64,
    /// Cursor: the page starts after this id instead of at an offset.
    after: Option<u32>,
    order: Order,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The list's own order.
    #[default]
    Ascending,
    /// The reverse of the list's own order.
    Descending,
}

impl Order {
    /// Parses the parameter `order`: `asc` or `desc`.
    pub fn parse(text: &str) -> Result<Order, Reason> {
        match text {
            "asc" => Ok(Order::Ascending),
            "desc" => Ok(Order::Descending),
            _ => Err(Reason::NotOrder),
        }
    }
}

impl Page {
    /// Parses the parameters `limit` (1 to `largest`, by default `largest`) and `offset` (0 to 2⁵³ - 1, by
    /// default 0), which consist of digits only. Values out of bounds are reported for each field, never
    /// clamped. `largest` belongs to the route, and a setting may change it (contract 8).
    pub fn parse(limit: Option<&str>, offset: Option<&str>, largest: u32) -> Result<Page, Invalid> {
        let mut invalid = Invalid::new();
        let limit = limit.map_or(Ok(u64::from(largest)), |text| within(text, 1, u64::from(largest)));
        let offset = offset.map_or(Ok(0), |text| within(text, 0, MAX_OFFSET));
        let limit = invalid.check("limit", limit).and_then(|limit| u32::try_from(limit).ok());
        let offset = invalid.check("offset", offset);
        match (limit, offset) {
            (Some(limit), Some(offset)) => Ok(Page { limit, offset, after: None, order: Order::Ascending }),
            _ => Err(invalid),
        }
    }

    /// Parses the parameters of a list in id order, which also accepts the cursor `after`. The cursor is an
    /// id, even if no record has that id any more. It excludes `offset`.
    pub fn parse_by_id(
        limit: Option<&str>,
        offset: Option<&str>,
        after: Option<&str>,
        largest: u32,
    ) -> Result<Page, Invalid> {
        let page = Page::parse(limit, offset, largest);
        let Some(after) = after else { return page };
        let (page, mut invalid) =
            page.map_or_else(|wrong| (None, wrong), |page| (Some(page), Invalid::new()));
        let after = invalid.check("after", Id::<()>::parse(after).map(Id::get));
        if offset.is_some() {
            invalid.add("after", Reason::NotBesideOffset);
        }
        match page {
            Some(page) if invalid.is_empty() => Ok(Page { after, ..page }),
            _ => Err(invalid),
        }
    }

    /// Returns the first page with this limit.
    pub fn first(limit: u32) -> Page {
        Page { limit, ..Page::all() }
    }

    /// Returns a page with the whole list.
    pub fn all() -> Page {
        Page { limit: u32::MAX, offset: 0, after: None, order: Order::Ascending }
    }

    /// Removes the limit and the offset. A page with a cursor still starts after it.
    pub fn without_bounds(self) -> Page {
        Page { after: self.after, order: self.order, ..Page::all() }
    }

    /// Returns the page with its list in this order.
    pub fn in_order(self, order: Order) -> Page {
        Page { order, ..self }
    }

    /// Returns the order of the list.
    pub fn order(self) -> Order {
        self.order
    }

    /// Returns the maximum number of records, 1 or more.
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// Returns the number of records to skip.
    pub fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the cursor, an id, if the page has one.
    pub fn after(self) -> Option<u32> {
        self.after
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
    fn limit_and_offset_are_read() {
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
    fn a_page_may_begin_after_an_id() {
        let parse = |offset, after| Page::parse_by_id(None, offset, after, 1000);
        assert_eq!(parse(None, Some("7")).unwrap().after(), Some(7));
        assert_eq!((parse(Some("5"), None).unwrap().offset(), parse(None, None).unwrap().after()), (5, None));
        assert_eq!(parse(None, Some("7")).unwrap().without_bounds(), Page { after: Some(7), ..Page::all() });
        assert_eq!(parse(Some("5"), None).unwrap().without_bounds(), Page::all());
        let reasons = |offset, after| {
            let invalid = parse(offset, after).unwrap_err();
            invalid.iter().map(|(field, reason)| (field.to_owned(), *reason)).collect::<Vec<_>>()
        };
        for text in ["0", "-1", "x", "4294967296", "1.0", " 1"] {
            assert_eq!(reasons(None, Some(text)), [("after".to_owned(), Reason::NotId)], "{text}");
        }
        assert_eq!(reasons(Some("0"), Some("7")), [("after".to_owned(), Reason::NotBesideOffset)]);
        assert_eq!(reasons(Some("x"), Some("x")).len(), 3);
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
    fn limit_and_offset_outside_their_range_are_both_reported() {
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
