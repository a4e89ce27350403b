//! A reference implementation of search as defined in contract 3. It shares no code with the program and ignores
//! speed. Tests compare the program's results with it.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds case and accents and drops punctuation. An apostrophe joins two parts into a word. Any other sign separates
/// them.
pub fn fold(text: &str) -> String {
    let joined: String = text.chars().filter(|c| !"'’‘`´".contains(*c)).collect();
    let plain: String = joined.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let words = plain.to_lowercase();
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns `true` if every word of the term occurs somewhere in the field, in any order. A term without a word
/// matches nothing.
pub fn matches(field: &str, term: &str) -> bool {
    let (field, term) = (fold(field), fold(term));
    !term.is_empty() && term.split(' ').all(|word| field.contains(word))
}

pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Appends both check digits to a body. Each digit is 11 less the remainder by 11 of the sum of the characters
/// (ASCII less 48) times their weights, and 0 for a remainder below 2. Weights run from 2 at the right to
/// `heaviest` and start again (contract 4.3).
pub fn with_check_digits(body: &str, heaviest: usize) -> String {
    let mut number = body.to_owned();
    for _ in 0..2 {
        let weighed = number.bytes().rev().zip((2..=heaviest).cycle());
        let rest = weighed.map(|(c, weight)| usize::from(c - b'0') * weight).sum::<usize>() % 11;
        number.push(char::from(b'0' + if rest < 2 { 0 } else { 11 - rest as u8 }));
    }
    number
}
