//! What the child process that reads a file sends to its parent: a line of JSON each.

use serde::{Deserialize, Serialize};

/// Longest message in bytes: a row of 8 MiB in which JSON escapes every byte with six.
pub(super) const LONGEST: usize = 48 * 1024 * 1024;

/// A message of the child process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ReaderMessage {
    /// A table begins: its name in the file, and about how many rows it has.
    Sheet { name: String, rows: u64 },
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

/// A cell as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transfer::import) struct ReadCell {
    /// A number has a decimal point, a day is `YYYY-MM-DD`.
    #[serde(rename = "t")]
    pub(in crate::transfer::import) text: String,
    /// `true` if the file stores it as a number, or shows one that lost digits.
    #[serde(rename = "n", default, skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::transfer::import) is_number: bool,
    /// `true` if it is the error of a formula.
    #[serde(rename = "e", default, skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::transfer::import) is_error: bool,
}

impl ReadCell {
    pub(in crate::transfer::import) fn text(text: impl Into<String>) -> ReadCell {
        ReadCell { text: text.into(), ..ReadCell::default() }
    }

    /// A cell of a file or a field whose cells have no type.
    pub(in crate::transfer::import) fn untyped(text: &str) -> ReadCell {
        ReadCell { is_number: is_scientific(text), ..ReadCell::text(text) }
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
