//! The language of texts for users (product, first page).

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A language of the interface. Systems in any language other than Portuguese get English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// Brazilian Portuguese.
    Pt,
    /// English.
    #[default]
    En,
}

/// A text for users in Portuguese and in English, in this order.
pub type Bilingual = (&'static str, &'static str);

impl Lang {
    /// Returns the language of a tag or locale such as `pt-BR`, `pt_BR.UTF-8` or `en`.
    pub fn from_tag(tag: &str) -> Lang {
        match tag.get(..2) {
            Some(start) if start.eq_ignore_ascii_case("pt") => Lang::Pt,
            _ => Lang::En,
        }
    }

    /// Returns the text in this language.
    pub fn pick<T>(self, pt: T, en: T) -> T {
        match self {
            Lang::Pt => pt,
            Lang::En => en,
        }
    }
}

/// The noun for a thing, in Portuguese and in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(pub &'static str, pub &'static str);

impl Word {
    /// Returns the noun with an upper-case first letter, as in `Customer not found`.
    pub fn title(self, lang: Lang) -> String {
        first_upper(lang.pick(self.0, self.1))
    }
}

/// Returns the text with an upper-case first letter. A file's name at its beginning keeps its letters.
pub fn first_upper(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ':', ',']);
    if word.contains('.') {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Formats two texts as `format!` does and returns the text in the given language.
macro_rules! localize {
    ($lang:expr, $pt:literal, $en:literal $(,)?) => {
        $lang.pick(format!($pt), format!($en))
    };
}

pub(crate) use localize;

/// Returns the format of a day and its minute for the people of a language: `21/11/2026 14:30`.
pub fn minute_format(lang: Lang) -> &'static str {
    lang.pick("%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M")
}

/// Formats a moment, in seconds since 1970, to the minute in a time zone: `21/11/2026 14:30`.
pub fn minute(seconds: i64, zone: &TimeZone, lang: Lang) -> String {
    let moment = Timestamp::from_second(seconds).unwrap_or_default();
    zone.to_datetime(moment).strftime(minute_format(lang)).to_string()
}

/// Formats a count with a thousands separator: `1.234` or `1,234`.
pub fn count(number: u64, lang: Lang) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push_str(lang.pick(".", ","));
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_tag_selects_portuguese_or_english() {
        for tag in ["pt", "pt-BR", "pt_PT.UTF-8", "PT-br"] {
            assert_eq!(Lang::from_tag(tag).pick("Sair", "Quit"), "Sair");
        }
        for tag in ["", "p", "en", "en-US", "es", "C", "é"] {
            assert_eq!(Lang::from_tag(tag).pick("Sair", "Quit"), "Quit");
        }
    }
}
