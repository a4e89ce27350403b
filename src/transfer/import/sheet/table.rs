//! What the readers of all kinds of files have in common: tables of rows.

use std::fs::File;
use std::io::{self, Seek};

use super::message::SheetRow;
use crate::config::cause;
use crate::domain::Lang;
use crate::transfer::error::TransferError;

/// The most columns that a row may have: those of a workbook's sheet (ECMA-376).
pub(super) const MOST_COLUMNS: usize = 16_384;

/// The rows of one table.
pub(super) trait RowReader {
    /// Returns the next row, or `None` behind the last.
    ///
    /// # Errors
    /// Why the file cannot be read further.
    fn next(&mut self) -> Result<Option<SheetRow>, TransferError>;

    /// `true` if day numbers count from 1904, as workbooks of old Macs do.
    fn counts_from_1904(&self) -> bool {
        false
    }
}

/// Takes a table: its name in the file (empty if it has none), about how many rows it has, and the rows.
pub(super) type SeeTable<'s> =
    &'s mut dyn FnMut(String, u64, &mut dyn RowReader) -> Result<(), TransferError>;

/// Returns the file once more, to be read from its beginning. All copies share one position.
pub(super) fn again(file: &File) -> io::Result<File> {
    let mut again = file.try_clone()?;
    again.rewind()?;
    Ok(again)
}

/// A refusal for an error of the system. The parent process adds the file's name.
pub(super) fn unreadable(lang: Lang) -> impl Fn(io::Error) -> TransferError {
    move |error| TransferError::Refused(format!("{}.", cause::say(&error, lang)))
}
