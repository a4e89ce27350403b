//! Search as contract 3 words it, written apart from the program and without a thought of speed, to hold it against.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text without case, accents and punctuation; an apostrophe joins, any other sign parts.
pub fn fold(text: &str) -> String {
    let joined: String = text.chars().filter(|c| !"'’‘`´".contains(*c)).collect();
    let plain: String = joined.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let words = plain.to_lowercase();
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether every word of the term is somewhere in the field, in any order; a term without a word is nowhere.
pub fn matches(field: &str, term: &str) -> bool {
    let (field, term) = (fold(field), fold(term));
    !term.is_empty() && term.split(' ').all(|word| field.contains(word))
}

/// The digits alone.
pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// A body with both its check digits: each is 11 less the remainder by 11 of the characters (ASCII less 48) times their
/// weights, which go from 2 at the right to `heaviest` and begin again; 0 for a remainder below 2 (contract 4.3).
pub fn with_check_digits(body: &str, heaviest: usize) -> String {
    let mut number = body.to_owned();
    for _ in 0..2 {
        let weighed = number.bytes().rev().zip((2..=heaviest).cycle());
        let rest = weighed.map(|(c, weight)| usize::from(c - b'0') * weight).sum::<usize>() % 11;
        number.push(char::from(b'0' + if rest < 2 { 0 } else { 11 - rest as u8 }));
    }
    number
}
