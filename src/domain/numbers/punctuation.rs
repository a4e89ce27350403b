//! Numbers as people write them: parsing removes separators, and formatting puts them back.

use crate::domain::text::ignorable::is_default_ignorable;

/// Returns `true` for characters that only separate the digits of a number: dots, slashes, hyphens and dashes
/// of any form, white space, and invisible characters (contract 4.3).
pub(in crate::domain) fn is_separator(c: char) -> bool {
    match c {
        '.' | '-' | '/' => true,
        '\u{2010}'..='\u{2015}' | '\u{2212}' => true,
        _ => is_default_ignorable(c) || c.is_whitespace(),
    }
}

/// Removes separators and converts ASCII letters to upper case. The caller must refuse any other invalid character.
pub(in crate::domain) fn bare(text: &str) -> String {
    text.chars().filter(|c| !is_separator(*c)).map(|c| c.to_ascii_uppercase()).collect()
}

/// Returns only the ASCII letters, in upper case, and digits. The result may be empty. It is the search key
/// of tax ids and process numbers, for stored values and search terms alike (contract 4.2 and 5.2).
pub fn compact(term: &str) -> String {
    term.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect()
}

/// Returns `true` if the text consists of one or more digits 0 to 9.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a whole number of digits only: no sign, no space, no exponent. Returns `None` for numbers above `u64::MAX`.
pub(in crate::domain) fn whole_number(text: &str) -> Option<u64> {
    if is_digits(text) { text.parse().ok() } else { None }
}

/// Returns the digits of a whole number that a program wrote as a fraction: `52998224725.0`. Returns any other text
/// unchanged (contract 1).
pub fn whole(text: &str) -> &str {
    text.trim().strip_suffix(".0").filter(|digits| is_digits(digits)).unwrap_or(text)
}

/// Replaces each `#` in the mask with the next character.
pub(in crate::domain) fn fill(mask: &str, characters: &str) -> String {
    let mut next = characters.chars();
    mask.chars().filter_map(|c| if c == '#' { next.next() } else { Some(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_removed_and_inserted() {
        assert_eq!(bare(" 12.abc\u{2011}345/01\u{A0}de-35\u{202C}"), "12ABC34501DE35");
        assert_eq!(bare("1\t2\n3é\0"), "123é\0");
        assert_eq!(compact("nº 12.abc-345/é\t9"), "N12ABC3459");
        assert_eq!(compact("·—"), "");
        assert_eq!(fill("##.#/-#", "1234"), "12.3/-4");
    }

    #[test]
    fn whole_numbers_may_have_been_written_as_fractions() {
        for (text, number) in [("52998224725.0", "52998224725"), (" 0.0\n", "0"), ("88800.000", "88800.000")]
        {
            assert_eq!(whole(text), number);
        }
        for text in ["1.5", "1.00", ".0", "-1.0", "1.2.0", "1,0", "1.0x", "17", ""] {
            assert_eq!(whole(text), text);
        }
    }

    #[test]
    fn whole_numbers_consist_of_digits_only() {
        for (text, number) in [("0", 0), ("007", 7), ("18446744073709551615", u64::MAX)] {
            assert_eq!(whole_number(text), Some(number));
        }
        for text in ["", " 1", "1 ", "+1", "-1", "1.0", "1e3", "٣", "18446744073709551616"] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
    }
}
