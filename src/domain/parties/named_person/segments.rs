//! Splits a text about a person into the places of its words, names and signs.

use std::ops::Range;

/// Splits a text at brackets, commas, line breaks, dashes beside white space, and at the places of its numbers.
pub(super) fn segments(text: &str, numbers: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
    let mut ends = Vec::new();
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let is_spaced = [last, next].iter().any(|c| c.is_whitespace() || "()[]".contains(*c));
        let is_beside = |number: &Range<usize>| at + c.len_utf8() == number.start || at == number.end;
        let is_sign = "()[]{},;:|=·•–—\n\r\t".contains(c)
            || "-/".contains(c) && (is_spaced || numbers.iter().any(is_beside));
        if is_sign || is_in(numbers, at) {
            ends.push(at..at + c.len_utf8());
        }
        last = c;
    }
    ends.push(text.len()..text.len());
    let starts = std::iter::once(0).chain(ends.clone().into_iter().map(|own| own.end));
    let segments = starts.zip(ends).map(|(start, end)| start..end.start);
    segments
        .filter(|own| own.start < own.end)
        .filter(|own| has_words(text.get(own.clone()).unwrap_or_default()))
}

/// Returns `true` if a place is within one of the others.
pub(super) fn is_in(places: &[Range<usize>], at: usize) -> bool {
    places.iter().any(|own| own.contains(&at))
}

/// Returns the parts of a text between places, which are in their order.
pub(super) fn outside<'t>(text: &'t str, places: &[Range<usize>]) -> impl Iterator<Item = &'t str> {
    let starts = std::iter::once(0).chain(places.iter().map(|own| own.end)).collect::<Vec<_>>();
    let ends = places.iter().map(|own| own.start).chain([text.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).filter_map(|(start, end)| text.get(start..end))
}

pub(super) fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Returns `true` for signs between a name and what stands beside it.
pub(super) fn is_between(c: char) -> bool {
    !c.is_alphanumeric() && c != ')' && c != ']'
}

/// Returns the longest runs of characters for which `is_one` returns `true`.
pub(super) fn ranges(text: &str, is_one: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| is_one(*c)) {
        match runs.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + c.len_utf8(),
            None => runs.push(at..at + c.len_utf8()),
        }
    }
    runs.into_iter()
}

/// Returns a place without the signs around its digits.
pub(super) fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let own = text.get(at.clone()).unwrap_or_default();
    let is_digit = |c: char| c.is_ascii_digit();
    match (own.find(is_digit), own.rfind(is_digit)) {
        (Some(first), Some(last)) => at.start + first..at.start + last + 1,
        _ => at.start..at.start,
    }
}

/// Endings of words for people: `autor`, `autora`.
const ENDINGS: [&str; 8] = ["", "o", "a", "s", "os", "as", "es", "esa"];

pub(super) fn is_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|own| word.strip_prefix(own).is_some_and(|ending| ENDINGS.contains(&ending)))
}
