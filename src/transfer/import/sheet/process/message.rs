//! The messages from the child process to its parent, each a line of JSON.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::domain::is_digits;

/// Longest message in bytes: a row of 8 MiB in which JSON escapes every byte as six.
pub(in crate::transfer::import::sheet) const MAX_MESSAGE_BYTES: usize = 48 * 1024 * 1024;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::transfer::import::sheet) enum ReaderMessage {
    /// Begins a table: its name in the file, its approximate number of rows, `true` if days count from 1904, `true` if
    /// people do not see the sheet, and `true` if the name is that of the resource of the rows.
    Sheet {
        name: String,
        rows: u64,
        from_1904: bool,
        is_hidden: bool,
        is_resource: bool,
    },
    Row(SheetRow),
    /// The reason why the file cannot be read, in the user's language. Always the last message.
    Refused(String),
    /// The file was read completely. If neither `Refused` nor `End` is the last message, the child has crashed.
    End(LettersRead),
}

/// What was found out about the letters of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transfer::import) struct LettersRead {
    /// Number of cells whose letters were restored, and a word of one before and after.
    pub(in crate::transfer::import) restored: u64,
    pub(in crate::transfer::import) example: Option<(String, String)>,
    /// The first texts that look broken and could not be restored: the line and the word.
    pub(in crate::transfer::import) broken: Vec<(u64, String)>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::transfer::import) struct SheetRow {
    /// Line in the file or row in the sheet, from 1.
    pub(in crate::transfer::import) line: u64,
    pub(in crate::transfer::import) cells: Vec<ReadCell>,
    /// The reason why the row cannot be imported, if the file itself shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::transfer::import) refused: Option<String>,
}

impl SheetRow {
    pub(in crate::transfer::import::sheet) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.trim().is_empty())
    }
}

/// A cell of a file. Messages omit what is empty or `false`, since a file has millions of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::transfer::import) struct ReadCell {
    /// The text. Numbers have a decimal point, and days have the form `YYYY-MM-DD`.
    #[serde(rename = "t", skip_serializing_if = "String::is_empty")]
    pub(in crate::transfer::import) text: String,
    /// `true` if the file stores the cell as a number, or if the text looks like a number that lost digits.
    #[serde(rename = "n", skip_serializing_if = "Not::not")]
    pub(in crate::transfer::import) is_number: bool,
    /// `true` for an error such as `#N/A`, and for a formula without a stored result, whose text begins with `=`.
    #[serde(rename = "e", skip_serializing_if = "Not::not")]
    pub(in crate::transfer::import) is_error: bool,
}

impl ReadCell {
    pub(in crate::transfer::import) fn text(text: impl Into<String>) -> ReadCell {
        ReadCell { text: text.into(), ..ReadCell::default() }
    }

    /// Creates a cell from an untyped text, such as one of a CSV.
    pub(in crate::transfer::import) fn untyped(text: impl Into<String>) -> ReadCell {
        let text = text.into();
        ReadCell { is_number: is_scientific(&text), ..ReadCell::text(text) }
    }
}

/// Returns `true` if a text is a long number as spreadsheets display it: `1,23E+13`. Requires a capital E, a
/// sign and two or three digits, so that a text such as `1e-5` does not count.
fn is_scientific(text: &str) -> bool {
    let Some((number, power)) = text.split_once('E') else { return false };
    let Some(power) = power.strip_prefix(['+', '-']) else { return false };
    is_digits(power) && (2..=3).contains(&power.len()) && number.splitn(2, [',', '.']).all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_survives_serialization() {
        let text = ReadCell::text("Ana \"Bia\"\n");
        let number = ReadCell { is_number: true, ..ReadCell::text("1.5") };
        let error = ReadCell { is_error: true, ..ReadCell::text("#N/D") };
        let cells = vec![text, number, error, ReadCell::default()];
        let row = SheetRow { line: 7, cells: cells.clone(), refused: None };
        let sent = serde_json::to_string(&ReaderMessage::Row(row)).unwrap();
        let expected = r##"[{"t":"Ana \"Bia\"\n"},{"t":"1.5","n":true},{"t":"#N/D","e":true},{}]"##;
        assert_eq!(sent, format!(r#"{{"row":{{"line":7,"cells":{expected}}}}}"#));
        match serde_json::from_str(&sent) {
            Ok(ReaderMessage::Row(row)) => assert_eq!((row.line, row.cells), (7, cells)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_in_scientific_notation_are_distinguished_from_texts() {
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
