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

/// Letters and digits alone, in upper case.
pub fn compact(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase()
}
