//! Words that are written together: `ZulmiraQuixada`, `CPF52998224725`, `Beltrão's`, and those that an invisible
//! character divides.

use std::ops::Range;

use crate::domain::fold;
use crate::mcp::quoted::is_visible;

/// Returns a text without its invisible characters, and the places in it where they stood.
pub fn visible(text: &str) -> (String, Vec<usize>) {
    let mut visible = String::with_capacity(text.len());
    let mut breaks = Vec::new();
    for c in text.chars() {
        match is_visible(c) {
            true => visible.push(c),
            false => breaks.push(visible.len()),
        }
    }
    (visible, breaks)
}

/// Returns the words, each divided before a capital letter within it, between letters and digits, at an apostrophe, and
/// at `breaks`.
pub fn split_words(
    text: &str,
    words: &[(Range<usize>, String)],
    breaks: &[usize],
) -> Vec<(Range<usize>, String)> {
    let mut split = Vec::with_capacity(words.len());
    for (place, _) in words {
        let mut begin = place.start;
        let mut previous = None;
        for (at, c) in text.get(place.clone()).unwrap_or_default().char_indices() {
            let at = place.start + at;
            let is_border = previous.is_some_and(|previous: char| {
                previous.is_lowercase() && c.is_uppercase()
                    || previous.is_numeric() != c.is_numeric()
                    || !previous.is_alphanumeric()
            });
            if at > begin && (is_border || breaks.binary_search(&at).is_ok()) {
                push(&mut split, text, begin..at);
                begin = at;
            }
            previous = Some(c);
        }
        push(&mut split, text, begin..place.end);
    }
    split
}

fn push(words: &mut Vec<(Range<usize>, String)>, text: &str, place: Range<usize>) {
    let folded = text.get(place.clone()).map(fold).unwrap_or_default();
    if !folded.is_empty() {
        words.push((place, folded));
    }
}
