//! The name of a document: a file name with its extension and without a path (resources 17.3).

use unicode_normalization::UnicodeNormalization;

use crate::domain::Reason;
use crate::domain::text::{composed, seen};

/// Maximum length of a name in characters (Unicode scalars).
const MAX_CHARS: usize = 255;

/// A file name: 1 to 255 characters in Unicode NFC, without a path, invisible characters, control characters,
/// surrounding white space, or trailing dots.
///
/// Documents are not stored on disk under this name, so reserved names such as `CON` are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileName(String);

text_value!(FileName);

impl FileName {
    /// Parses a name and drops everything that does not belong in a file name. Fails with `NoFileName` if
    /// nothing is left, and with `TooLong` above 255 characters.
    pub fn parse(text: &str) -> Result<FileName, Reason> {
        let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_kept = |c: char| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
        let name: String = seen(name).chars().filter(|c| is_kept(*c)).collect();
        let name = composed(name.trim_start().trim_end_matches(|c: char| c == '.' || c.is_whitespace()))
            .into_owned();
        match name.chars().count() {
            0 => Err(Reason::NoFileName),
            1..=MAX_CHARS => Ok(FileName(name)),
            _ => Err(Reason::TooLong { most: MAX_CHARS }),
        }
    }

    /// Returns the extension if a desktop would run the file. Normalizes the name first, as file systems and
    /// other programs may: full-width characters become ASCII; trailing dots, spaces and colons are dropped;
    /// `::$DATA`, the NTFS name of a file's own content, is dropped too.
    pub fn program(&self) -> Option<&'static str> {
        let name: String =
            self.0.nfkc().map(|c| if c == '。' { '.' } else { c.to_ascii_lowercase() }).collect();
        let trimmed = |name: &str| {
            name.trim_end_matches(|c: char| matches!(c, '.' | ':') || c.is_whitespace()).to_owned()
        };
        let name = trimmed(&name);
        let name = trimmed(name.strip_suffix("::$data").unwrap_or(&name));
        let (_, extension) = name.rsplit_once('.')?;
        super::programs::PROGRAMS.iter().find(|program| **program == extension.trim_start()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_loses_its_path_and_unsafe_characters() {
        for (text, name) in [
            ("procuração.pdf", "procuração.pdf"),
            ("procurac\u{327}a\u{303}o.pdf", "procuração.pdf"),
            ("../../x", "x"),
            (r"C:\Users\Ana\petição inicial.docx", "petição inicial.docx"),
            (r"..\../x.pdf. . ", "x.pdf"),
            ("CON", "CON"),
            ("a\r\n\0b\u{1b}.txt", "ab.txt"),
            ("fdp.\u{202E}exe", "fdp.exe"),
            (" .env", ".env"),
        ] {
            assert_eq!(FileName::parse(text).unwrap().as_str(), name, "{text:?}");
        }
        for text in ["", " ", ".", "..", "../", "a/", "\u{202E}", "\r\n", ". . ."] {
            assert_eq!(FileName::parse(text), Err(Reason::NoFileName), "{text:?}");
        }
    }

    #[test]
    fn the_length_of_a_file_name_is_limited() {
        assert!(FileName::parse("x").is_ok());
        assert!(FileName::parse(&"é".repeat(255)).is_ok());
        assert_eq!(FileName::parse(&"é".repeat(256)), Err(Reason::TooLong { most: 255 }));
        // Dropped characters do not count towards the limit.
        assert!(FileName::parse(&["a/".repeat(300), "b".repeat(255), ".".repeat(9)].concat()).is_ok());
    }

    #[test]
    fn programs_are_detected_by_their_extension() {
        for (text, program) in [
            ("setup.exe", Some("exe")),
            ("setup.EXE. .", Some("exe")),
            ("nota.pdf.js", Some("js")),
            (".bat", Some("bat")),
            ("nota.exe.pdf", None),
            ("exe", None),
            ("nota.json", None),
            ("a.com.br", None),
            ("exemplo.com: resposta.pdf", None),
            ("a.AppImage", Some("appimage")),
            ("a.desktop", Some("desktop")),
            ("a.command", Some("command")),
            ("a.settingContent-ms", Some("settingcontent-ms")),
            ("a.url", Some("url")),
            ("a.txt:b.exe", Some("exe")),
            ("a.exe:", Some("exe")),
            ("a.exe::$DATA", Some("exe")),
            ("a.exe：：$data", Some("exe")),
            ("a．exe", Some("exe")),
            ("a.ｅｘｅ", Some("exe")),
            ("a。exe", Some("exe")),
            ("a.exe．", Some("exe")),
            ("a.e\u{200B}xe\u{A0}", Some("exe")),
            ("a\u{202E}fdp.exe", Some("exe")),
        ] {
            assert_eq!(FileName::parse(text).unwrap().program(), program, "{text}");
        }
    }
}
