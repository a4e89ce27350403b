//! What the child process that reads a file sends to its parent: a line of JSON each.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest message in bytes: a row of 8 MiB in which JSON escapes every byte with six.
pub(super) const LONGEST: usize = 48 * 1024 * 1024;

/// A message of the child process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ReaderMessage {
    /// A table begins: its name in the file, about how many rows it has, and whether its day numbers count from 1904.
    Sheet { name: String, rows: u64, from_1904: bool },
    /// A row of that table.
    Row(SheetRow),
    /// Why the file cannot be read further, in the reader's language. The last message.
    Refused(String),
    /// The file was read whole. The last message; without it the child process was cut off.
    End,
}

/// A row.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in crate::transfer::import) struct SheetRow {
    /// Line in the file, or row in the sheet, counted from 1.
    pub(in crate::transfer::import) line: u64,
    pub(in crate::transfer::import) cells: Vec<ReadCell>,
    /// Why the row cannot be imported, if the file itself shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::transfer::import) refused: Option<String>,
}

impl SheetRow {
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.trim().is_empty())
    }
}

/// A cell as a file has it. Most are nothing but a text, so that is all of them in a message; others are an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::transfer::import) struct ReadCell {
    /// A number has a decimal point, a day is `YYYY-MM-DD`.
    pub(in crate::transfer::import) text: String,
    /// `true` if the file stores it as a number, or shows one that lost digits.
    pub(in crate::transfer::import) is_number: bool,
    /// `true` if it is the error of a formula.
    pub(in crate::transfer::import) is_error: bool,
}

impl Serialize for ReadCell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            ReadCell { text, is_number: false, is_error: false } => text.serialize(to),
            ReadCell { text, is_number, is_error } => (text, is_number, is_error).serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for ReadCell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ReadCell, D::Error> {
        struct CellVisitor;

        impl<'de> Visitor<'de> for CellVisitor {
            type Value = ReadCell;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a text, or an array that begins with one")
            }

            fn visit_str<E>(self, text: &str) -> Result<ReadCell, E> {
                Ok(ReadCell::text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<ReadCell, A::Error> {
                let (text, is_number, is_error) = Deserialize::deserialize(SeqAccessDeserializer::new(from))?;
                Ok(ReadCell { text, is_number, is_error })
            }
        }

        from.deserialize_any(CellVisitor)
    }
}

impl ReadCell {
    pub(in crate::transfer::import) fn text(text: impl Into<String>) -> ReadCell {
        ReadCell { text: text.into(), ..ReadCell::default() }
    }

    /// A cell of a file or a field whose cells have no type.
    pub(in crate::transfer::import) fn untyped(text: impl Into<String>) -> ReadCell {
        let text = text.into();
        ReadCell { is_number: is_scientific(&text), ..ReadCell::text(text) }
    }
}

/// Returns `true` for a number as spreadsheets show long ones: `1,23E+13`. Behind a capital letter stand a sign and two digits at
/// least, so that a text such as `1e-5` is none.
fn is_scientific(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((number, power)) = text.split_once('E') else { return false };
    let Some(power) = power.strip_prefix(['+', '-']) else { return false };
    is_digits(power) && (2..=3).contains(&power.len()) && number.splitn(2, [',', '.']).all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_same_on_the_other_side() {
        let text = ReadCell::text("Ana \"Bia\"\n");
        let number = ReadCell { is_number: true, ..ReadCell::text("1.5") };
        let error = ReadCell { is_error: true, ..ReadCell::text("#N/D") };
        let cells = vec![text, number, error, ReadCell::default()];
        let row = SheetRow { line: 7, cells: cells.clone(), refused: None };
        let sent = serde_json::to_string(&ReaderMessage::Row(row)).unwrap();
        let expected = r##"["Ana \"Bia\"\n",["1.5",true,false],["#N/D",false,true],""]"##;
        assert_eq!(sent, format!(r#"{{"row":{{"line":7,"cells":{expected}}}}}"#));
        match serde_json::from_str(&sent) {
            Ok(ReaderMessage::Row(row)) => assert_eq!((row.line, row.cells), (7, cells)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_that_lost_digits_is_told_from_a_text() {
        for (text, is_number) in [
            ("1,23E+13", true),
            ("1.2E-05", true),
            ("1E+10", true),
            ("1E5", false),
            ("1e-5", false),
            ("1E-5", false),
            ("1e+10", false),
            ("E+10", false),
            ("1,2,3E+10", false),
        ] {
            assert_eq!(ReadCell::untyped(text).is_number, is_number, "{text}");
        }
    }
}
