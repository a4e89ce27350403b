//! Free text: lines, names and notes (contract 4.3).

pub mod email;
pub mod hex;
pub mod sentences;
pub mod shell;
pub mod web_address;

pub(super) mod fold;
pub(super) mod ignorable;
pub(super) mod placeholder;

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::Reason;
pub use fold::{fold, folded_words};
use ignorable::is_default_ignorable;
use placeholder::refuse_placeholder;

/// A short text of at most 200 characters (contract 4.3).
pub type Short = Line<200>;
/// The folder of a lawsuit, at most 100 characters (contract 5.3).
pub type Folder = Line<100>;
/// The protocol number of a lawsuit, at most 200 characters.
pub type ProtocolNumber = Line<200>;

/// One line of text: 1 to `MAX` characters (Unicode scalars) in Unicode NFC, without control characters and
/// default-ignorable characters. It is trimmed, and each run of white space is collapsed to one space.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line<const MAX: usize>(String);

text_value!(Line<const MAX: usize>);

impl<const MAX: usize> Line<MAX> {
    /// Parses a line. Breaks and tabs are white space. Refuses blank text, other control characters, and more than
    /// `MAX` characters.
    pub fn parse(text: &str) -> Result<Line<MAX>, Reason> {
        if is_plain(text) {
            return at_most(MAX, text.to_owned()).map(Line);
        }
        if blank(text) {
            return Err(Reason::Blank);
        }
        if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return Err(Reason::ControlCharacters);
        }
        let line = composed(&seen(text)).split_whitespace().collect::<Vec<_>>().join(" ");
        at_most(MAX, line).map(Line)
    }
}

/// A name: one line of 1 to 200 characters with at least one letter or digit (contract 4.3). Its folded form
/// is therefore never empty, and search can find it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

text_value!(Name);

impl Name {
    /// Parses a name. Refuses text that is not a valid [`Line`], text without letters or digits, and placeholders.
    pub fn parse(text: &str) -> Result<Name, Reason> {
        let Line(name) = Line::<200>::parse(text)?;
        if fold(&name).is_empty() {
            return Err(Reason::NoLetterOrDigit);
        }
        refuse_placeholder(&name)?;
        Ok(Name(name))
    }
}

/// The name of a key: one line of 1 to 60 characters with at least one letter or digit (access 25).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName(String);

text_value!(KeyName);

impl KeyName {
    /// Parses a name. Refuses text that is not a valid [`Line`] and text without letters or digits.
    pub fn parse(text: &str) -> Result<KeyName, Reason> {
        let Line(name) = Line::<60>::parse(text)?;
        if fold(&name).is_empty() { Err(Reason::NoLetterOrDigit) } else { Ok(KeyName(name)) }
    }
}

/// Notes of at most 20,000 characters (contract 4.3).
pub type Notes = Text<20_000>;

/// Text of several lines: 1 to `MAX` characters (Unicode scalars) in Unicode NFC, otherwise kept as typed.
/// Line breaks and tabs are its only control characters (contract 4.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text<const MAX: usize>(String);

text_value!(Text<const MAX: usize>);

impl<const MAX: usize> Text<MAX> {
    /// Parses a text. A vertical tab, a form feed and U+0085 become line breaks. Refuses blank text, control characters
    /// except `\n`, `\r` and `\t`, and more than `MAX` characters.
    pub fn parse(text: &str) -> Result<Text<MAX>, Reason> {
        if blank(text) {
            return Err(Reason::Blank);
        }
        let mut text = composed(text);
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
                return Err(Reason::ControlCharacters);
            }
            text = Cow::Owned(text.replace(['\u{B}', '\u{C}', '\u{85}'], "\n"));
        }
        at_most(MAX, text.into_owned()).map(Text)
    }
}

/// The text of a movement: notes with at least one letter or digit (resources 14.5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wording(String);

text_value!(Wording);

impl Wording {
    /// Parses the text. Refuses text that is not a valid [`Notes`] and text without letters or digits.
    pub fn parse(text: &str) -> Result<Wording, Reason> {
        let Text(text) = Notes::parse(text)?;
        if fold(&text).is_empty() { Err(Reason::NoLetterOrDigit) } else { Ok(Wording(text)) }
    }
}

/// Returns `true` if the text is empty or consists of white space and default-ignorable characters only.
pub fn blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_default_ignorable(c))
}

/// Returns `true` for nearly all typed lines: Latin letters, digits and signs, with single spaces between words. These
/// are a [`Line`] as they are. No character below U+0300 changes in NFC; U+00A0 is white space, U+00AD is ignorable.
fn is_plain(text: &str) -> bool {
    let mut is_after_space = true;
    let all = text.chars().all(|c| {
        let is_second_space = c == ' ' && is_after_space;
        is_after_space = c == ' ';
        !is_second_space && matches!(c, ' '..='~' | '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{2FF}')
    });
    all && !is_after_space
}

/// Removes default-ignorable characters. Nearly all typed text has none and is borrowed. Directional
/// characters among them could make a name look like another one.
pub(super) fn seen(text: &str) -> Cow<'_, str> {
    match text.contains(is_default_ignorable) {
        true => Cow::Owned(text.replace(is_default_ignorable, "")),
        false => Cow::Borrowed(text),
    }
}

/// Normalizes the text to NFC. Nearly all typed text is in NFC already and is borrowed.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfc().collect()),
    }
}

fn at_most(max: usize, text: String) -> Result<String, Reason> {
    if text.chars().count() > max {
        return Err(Reason::TooLong { most: max });
    }
    Ok(text)
}

/// Decodes UTF-8, or else Windows-1252, which Excel and many programs on Brazilian Windows write. Text with accents in
/// Windows-1252 is practically never valid UTF-8.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_trimmed_folded_and_composed() {
        for (text, line) in [
            ("a", "a"),
            ("  Rua  das\u{A0} \u{3000}Flores ", "Rua das Flores"),
            ("Joa\u{303}o", "João"),
            ("\u{212B}", "\u{C5}"),
            ("--", "--"),
            ("\u{FEFF}Ma\u{AD}ria\u{200F} \u{200B} Jo\u{202A}a\u{34F}\u{303}o\u{202C}\u{AD}", "Maria João"),
        ] {
            assert_eq!(Short::parse(text).unwrap().as_str(), line);
        }
    }

    #[test]
    fn the_length_of_a_line_is_limited() {
        assert_eq!(Line::<3>::parse(" çãé ").unwrap().to_string(), "çãé");
        assert_eq!(Line::<3>::parse("c\u{327}a\u{303}e\u{301}").unwrap().as_str(), "çãé");
        assert_eq!(Line::<3>::parse("abcd"), Err(Reason::TooLong { most: 3 }));
        assert!(Folder::parse(&"x".repeat(100)).is_ok());
        assert!(Folder::parse(&"x".repeat(101)).is_err());
        assert!(Short::parse(&"é".repeat(200)).is_ok());
        assert!(Short::parse(&"é".repeat(201)).is_err());
    }

    #[test]
    fn blank_texts_have_a_reason_of_their_own() {
        for text in ["", " ", "\t\r\n", "\u{A0}\u{3000}", "\u{200B}\u{FEFF}", " \u{AD}\u{3164}"] {
            assert!(blank(text));
            assert_eq!(Short::parse(text), Err(Reason::Blank));
            assert_eq!(Name::parse(text), Err(Reason::Blank));
            assert_eq!(Notes::parse(text), Err(Reason::Blank));
        }
        assert!(!blank(" ."));
    }

    #[test]
    fn breaks_and_tabs_are_white_space_of_a_line() {
        for c in "\t\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}".chars() {
            for (text, line) in [
                (format!("a{c}b"), "a b"),
                (format!("a{c}"), "a"),
                (format!("{c}a"), "a"),
                (format!("a {c}\r\n b"), "a b"),
            ] {
                assert_eq!(Short::parse(&text).unwrap().as_str(), line, "{text:?}");
            }
        }
        for c in "\0\u{1b}\u{7f}\u{9f}".chars() {
            for text in [format!("a{c}b"), format!("a{c}"), format!("{c}a")] {
                assert_eq!(Short::parse(&text), Err(Reason::ControlCharacters), "{text:?}");
            }
        }
    }

    #[test]
    fn a_name_has_a_letter_or_digit() {
        for text in ["Ana", "3", " é ", "山", "D'Ávila & Cia. Ltda.", "ª"] {
            assert!(Name::parse(text).is_ok(), "{text:?}");
        }
        for text in ["-", "...", "' ’", "\u{301}", "·"] {
            assert_eq!(Name::parse(text), Err(Reason::NoLetterOrDigit));
        }
        assert!(Name::parse(&"n".repeat(200)).is_ok());
        assert!(Name::parse(&"n".repeat(201)).is_err());
    }

    #[test]
    fn notes_are_kept_as_typed() {
        let typed = "  um\r\n\tdois  três \n";
        assert_eq!(Notes::parse(typed).unwrap().as_str(), typed);
        assert_eq!(Notes::parse("e\u{301}").unwrap().as_str(), "é");
        assert_eq!(Notes::parse("um\u{b}dois\u{c}três\u{85}\n").unwrap().as_str(), "um\ndois\ntrês\n\n");
        for c in "\0\u{1b}\u{7f}".chars() {
            assert!(Notes::parse(&format!("a{c}")).is_err(), "{c:?}");
        }
        assert!(Notes::parse(&"é".repeat(20_000)).is_ok());
        assert_eq!(Notes::parse(&"é".repeat(20_001)), Err(Reason::TooLong { most: 20_000 }));
    }

    #[test]
    fn the_text_of_a_movement_has_a_letter_or_digit() {
        for text in ["Sentença", "1", "Conclusos\npara despacho", &"é".repeat(20_000)] {
            assert_eq!(Wording::parse(text).unwrap().as_str(), text);
        }
        assert_eq!(Wording::parse(" "), Err(Reason::Blank));
        assert_eq!(Wording::parse("—\n."), Err(Reason::NoLetterOrDigit));
        assert_eq!(Wording::parse(&"é".repeat(20_001)), Err(Reason::TooLong { most: 20_000 }));
    }

    /// Parses a line without the fast path for plain text.
    fn parse_slowly(text: &str) -> String {
        let words = composed(&seen(text)).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        words.join(" ")
    }

    #[test]
    fn plain_lines_are_kept_unchanged() {
        for c in '\0'..'\u{400}' {
            for text in [format!("{c}"), format!("a{c}"), format!("{c}a"), format!("a{c}{c}b")] {
                if is_plain(&text) {
                    assert_eq!(parse_slowly(&text), text);
                    assert!(!blank(&text) && !text.contains(char::is_control), "{text:?}");
                }
            }
        }
        for text in ["Conceição D'Ávila & Cia.", "ª", "Łódź", "Rua 7, 3º"] {
            assert!(is_plain(text), "{text:?}");
        }
        for text in ["", " ", " a", "a ", "a  b", "a\tb", "a\u{A0}b", "a\u{AD}b", "a\u{85}", "a\u{301}", "山"]
        {
            assert!(!is_plain(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_line_parses_to_itself(text in any::<String>()) {
            if let Ok(line) = Short::parse(&text) {
                prop_assert_eq!(Short::parse(line.as_str()).unwrap(), line.clone());
                prop_assert_eq!(Short::from_stored(line.to_string()), line);
            }
        }
    }
}
