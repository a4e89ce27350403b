//! Byte ranges of a request (RFC 9110, 14).

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum Wanted {
    Whole,
    /// A range of at least one byte.
    Part(Range<u64>),
    /// A range outside the content.
    Nothing,
}

/// Parses a `Range` header for a content of `length` bytes. An invalid header or several ranges select the
/// whole content, as RFC 9110 (14.2) allows. Several ranges would need a multipart response, and no client of
/// documents uses them.
pub(in crate::http) fn wanted(range: Option<&str>, length: u64) -> Wanted {
    let spec = range
        .and_then(|range| range.trim().split_once('='))
        .and_then(|(unit, spec)| unit.trim().eq_ignore_ascii_case("bytes").then_some(spec.trim()));
    let Some((first, last)) = spec.and_then(|spec| spec.split_once('-')) else { return Wanted::Whole };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that is too large is beyond any end.
        is_number.then(|| text.parse::<u64>().unwrap_or(u64::MAX))
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
        None => Wanted::Whole,
        Some(range) if range.start >= length => Wanted::Nothing,
        Some(range) => Wanted::Part(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_according_to_rfc_9110() {
        for (range, wanted_of_ten) in [
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=0-9", Wanted::Part(0..10)),
            ("bytes=9-9", Wanted::Part(9..10)),
            ("bytes=9-10", Wanted::Part(9..10)),
            ("bytes=2-", Wanted::Part(2..10)),
            ("Bytes = 2 - 3", Wanted::Part(2..4)),
            ("bytes=-1", Wanted::Part(9..10)),
            ("bytes=-10", Wanted::Part(0..10)),
            ("bytes=-11", Wanted::Part(0..10)),
            ("bytes=0-99999999999999999999999", Wanted::Part(0..10)),
            ("bytes=10-", Wanted::Nothing),
            ("bytes=10-12", Wanted::Nothing),
            ("bytes=99999999999999999999999-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=5-4", Wanted::Whole),
            ("bytes=0-1,3-4", Wanted::Whole),
            ("bytes=", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("items=0-1", Wanted::Whole),
            ("0-1", Wanted::Whole),
        ] {
            assert_eq!(wanted(Some(range), 10), wanted_of_ten, "{range}");
        }
        assert_eq!(wanted(None, 10), Wanted::Whole);
    }
}
