//! Byte ranges of a request (RFC 9110, 14).

use std::ops::Range;

use crate::domain::is_digits;

/// The part of a content that a request selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum SelectedRange {
    Whole,
    /// A range of at least one byte.
    Part(Range<u64>),
    /// A range outside the content.
    Unsatisfiable,
}

/// Parses a `Range` header for a content of `length` bytes. An invalid header or several ranges select the
/// whole content, as RFC 9110 (14.2) allows. Several ranges would need a multipart response, and no client of
/// documents uses them.
pub(in crate::http) fn parse_range(range: Option<&str>, length: u64) -> SelectedRange {
    let spec = range
        .and_then(|range| range.trim().split_once('='))
        .and_then(|(unit, spec)| unit.trim().eq_ignore_ascii_case("bytes").then_some(spec.trim()));
    let Some((first, last)) = spec.and_then(|spec| spec.split_once('-')) else { return SelectedRange::Whole };
    let number = |text: &str| {
        // A number that is too large is beyond any end.
        is_digits(text).then(|| text.parse::<u64>().unwrap_or(u64::MAX))
    };
    let range = match (first.trim(), last.trim()) {
        ("", last) => number(last).map(|last| length.saturating_sub(last)..length),
        (first, "") => number(first).map(|first| first..length),
        (first, last) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Some(first..last.saturating_add(1).min(length)),
            _ => None,
        },
    };
    match range {
        None => SelectedRange::Whole,
        Some(range) if range.start >= length => SelectedRange::Unsatisfiable,
        Some(range) => SelectedRange::Part(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_according_to_rfc_9110() {
        for (range, wanted_of_ten) in [
            ("bytes=0-0", SelectedRange::Part(0..1)),
            ("bytes=0-9", SelectedRange::Part(0..10)),
            ("bytes=9-9", SelectedRange::Part(9..10)),
            ("bytes=9-10", SelectedRange::Part(9..10)),
            ("bytes=2-", SelectedRange::Part(2..10)),
            ("Bytes = 2 - 3", SelectedRange::Part(2..4)),
            ("bytes=-1", SelectedRange::Part(9..10)),
            ("bytes=-10", SelectedRange::Part(0..10)),
            ("bytes=-11", SelectedRange::Part(0..10)),
            ("bytes=0-99999999999999999999999", SelectedRange::Part(0..10)),
            ("bytes=10-", SelectedRange::Unsatisfiable),
            ("bytes=10-12", SelectedRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", SelectedRange::Unsatisfiable),
            ("bytes=-0", SelectedRange::Unsatisfiable),
            ("bytes=5-4", SelectedRange::Whole),
            ("bytes=0-1,3-4", SelectedRange::Whole),
            ("bytes=", SelectedRange::Whole),
            ("bytes=-", SelectedRange::Whole),
            ("bytes=+1-2", SelectedRange::Whole),
            ("bytes=a-b", SelectedRange::Whole),
            ("items=0-1", SelectedRange::Whole),
            ("0-1", SelectedRange::Whole),
        ] {
            assert_eq!(parse_range(Some(range), 10), wanted_of_ten, "{range}");
        }
        assert_eq!(parse_range(None, 10), SelectedRange::Whole);
    }
}
