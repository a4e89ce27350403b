//! Numbers in a text: in digits, in words, or in both (deadlines 31.10).

use crate::domain::is_digits;
use crate::domain::text::fold;

/// A word of a text, folded, with its place.
pub struct TextWord {
    pub folded: String,
    pub begin: usize,
    pub end: usize,
}

pub fn words(text: &str) -> Vec<TextWord> {
    let mut words = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((begin, first)) = rest.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = begin + first.len_utf8();
        // `15dias` has two words.
        let is_same = |c: char| if first.is_ascii_digit() { c.is_ascii_digit() } else { c.is_alphanumeric() };
        while let Some((at, next)) = rest.next_if(|(_, next)| is_same(*next)) {
            end = at + next.len_utf8();
        }
        let folded = text.get(begin..end).map(fold).unwrap_or_default();
        words.push(TextWord { folded, begin, end });
    }
    words
}

/// Number of words in parentheses that a number can have: `cento e vinte e cinco`.
const MAX_WORDS_IN_PARENTHESES: usize = 5;

/// A number before a unit.
pub struct Number {
    /// `None` if it cannot be read surely.
    pub value: Option<u32>,
    /// The place of its first word.
    pub at: usize,
}

/// Folded numbers in words.
const IN_WORDS: &[(&str, u32)] = &[
    ("um", 1),
    ("uma", 1),
    ("dois", 2),
    ("duas", 2),
    ("tres", 3),
    ("quatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("sete", 7),
    ("oito", 8),
    ("nove", 9),
    ("dez", 10),
    ("onze", 11),
    ("doze", 12),
    ("treze", 13),
    ("catorze", 14),
    ("quatorze", 14),
    ("quinze", 15),
    ("dezesseis", 16),
    ("dezessete", 17),
    ("dezoito", 18),
    ("dezenove", 19),
    ("vinte", 20),
    ("trinta", 30),
    ("quarenta", 40),
    ("cinquenta", 50),
    ("sessenta", 60),
    ("setenta", 70),
    ("oitenta", 80),
    ("noventa", 90),
    ("cem", 100),
    ("cento", 100),
    ("duzentos", 200),
    ("trezentos", 300),
];

/// Returns the number that a text ends with, in digits or in words.
pub fn number_in(text: &str) -> Option<u32> {
    Number::of(text, &words(text))?.value
}

/// Words between two numbers of which only one is meant, or their sum.
const BETWEEN: &[&str] = &["a", "e", "ou", "ate"];

impl Number {
    /// Reads the number that ends directly before `end`: in digits, in words, or in both, of which one is in parentheses.
    pub fn before(text: &str, before: &[TextWord], end: usize) -> Option<Number> {
        let last = before.last()?;
        let is_in_parentheses = text.get(last.end..end)?.trim_start().starts_with(')');
        if !is_in_parentheses {
            return Number::of(text, before);
        }
        let opens = |at: &usize| {
            let begin = at.checked_sub(1).and_then(|at| before.get(at)).map_or(0, |word| word.end);
            before.get(*at).and_then(|word| text.get(begin..word.begin)).is_some_and(|gap| gap.contains('('))
        };
        let at = (before.len().saturating_sub(MAX_WORDS_IN_PARENTHESES)..before.len()).rev().find(opens)?;
        let (outside, inside) = before.split_at_checked(at)?;
        let inside = Number::of(text, inside);
        let Some(outside) = Number::of(text, outside) else {
            return inside.map(|number| Number { at: at + number.at, ..number });
        };
        let is_other = inside.is_some_and(|inside| inside.value != outside.value);
        Some(Number { value: outside.value.filter(|_| !is_other), ..outside })
    }

    /// Reads the number of the last word. Returns `None` if that is no number.
    fn of(text: &str, words: &[TextWord]) -> Option<Number> {
        let at = words.len().checked_sub(1)?;
        let last = words.get(at)?;
        let value = value(&last.folded)?;
        let previous = at.checked_sub(1).and_then(|at| words.get(at));
        let gap = previous.and_then(|previous| text.get(previous.end..last.begin)).unwrap_or_default();
        // A part of `1.500`, `10/15` or `10-15`.
        let is_part = previous.is_some_and(|word| is_digits(&word.folded)) && gap.trim().chars().count() == 1;
        let Some(first) = joined_to(words, at) else {
            return Some(Number { value: Some(value).filter(|_| !is_part), at });
        };
        let begin = at.saturating_sub(2);
        let is_sum = previous.is_some_and(|word| word.folded == "e")
            && matches!((first, value), (20..100, 1..10) | (100, 1..100))
            && joined_to(words, begin).is_none()
            && !words.iter().skip(begin).any(|word| is_digits(&word.folded));
        Some(Number { value: is_sum.then_some(first + value), at: begin })
    }
}

/// Returns the number that is joined to the one at a place, such as the first of `quarenta e cinco` and of `10 a 15`.
fn joined_to(words: &[TextWord], at: usize) -> Option<u32> {
    let joint = words.get(at.checked_sub(1)?)?;
    let first = words.get(at.checked_sub(2)?)?;
    if BETWEEN.contains(&&*joint.folded) { value(&first.folded) } else { None }
}

/// Returns the number that a folded word is. One that is too large for a deadline is `u32::MAX`.
fn value(word: &str) -> Option<u32> {
    if is_digits(word) {
        return Some(word.parse().unwrap_or(u32::MAX));
    }
    IN_WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}
