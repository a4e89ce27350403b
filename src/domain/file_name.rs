//! The name of a document: a file's name with its ending, and nothing that leads anywhere (resources 17.3).

use super::Reason;
use super::text::{breaks_a_line, composed, seen};

/// The most characters (Unicode scalars) that a name may have.
const MOST: usize = 255;

/// The endings of programs (resources 17.3).
const PROGRAMS: &[&str] = &[
    "exe", "com", "scr", "bat", "cmd", "ps1", "vbs", "js", "jse", "wsf", "hta", "msi", "lnk", "jar", "reg",
    "dll", "cpl", "pif",
];

/// The name of a file: 1 to 255 characters in Unicode NFC, without a path, characters that nobody sees, control
/// characters, white space around it, or trailing dots.
///
/// It names nothing on this machine's disk, so a name that a system keeps for itself, such as `CON`, is one like others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileName(String);

text_value!(FileName);

impl FileName {
    /// Reads a name, and drops what does not belong to one. Refused: a text of which nothing is left, and more than 255
    /// characters.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<FileName, Reason> {
        let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: String = seen(name).chars().filter(|c| !breaks_a_line(*c)).collect();
        let name = composed(name.trim_start().trim_end_matches(|c: char| c == '.' || c.is_whitespace()))
            .into_owned();
        match name.chars().count() {
            0 => Err(Reason::NoFileName),
            1..=MOST => Ok(FileName(name)),
            _ => Err(Reason::TooLong { most: MOST }),
        }
    }

    /// The ending by which systems take the file for a program, if it has such a one.
    pub fn program(&self) -> Option<&'static str> {
        let (_, ending) = self.0.rsplit_once('.')?;
        PROGRAMS.iter().find(|program| ending.trim().eq_ignore_ascii_case(program)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_its_path_and_what_systems_stumble_over() {
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
    fn a_name_has_its_bounds() {
        assert!(FileName::parse("x").is_ok());
        assert!(FileName::parse(&"é".repeat(255)).is_ok());
        assert_eq!(FileName::parse(&"é".repeat(256)), Err(Reason::TooLong { most: 255 }));
        // What is dropped does not count.
        assert!(FileName::parse(&["a/".repeat(300), "b".repeat(255), ".".repeat(9)].concat()).is_ok());
    }

    #[test]
    fn programs_are_known_by_their_endings() {
        for (text, program) in [
            ("setup.exe", Some("exe")),
            ("setup.EXE. .", Some("exe")),
            ("nota.pdf.js", Some("js")),
            (".bat", Some("bat")),
            ("nota.exe.pdf", None),
            ("exe", None),
            ("nota.json", None),
        ] {
            assert_eq!(FileName::parse(text).unwrap().program(), program, "{text}");
        }
    }
}
