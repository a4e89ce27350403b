//! Types and functions shared by the readers of all kinds of files.

use std::fs::File;
use std::io::{self, Seek};

use super::process::message::SheetRow;
use crate::config::io_error_texts;
use crate::transfer::prelude::*;

/// Maximum number of columns of a row, that of a workbook's sheet (ECMA-376).
pub(super) const MAX_COLUMNS: usize = 16_384;

pub(super) trait RowReader {
    fn next(&mut self) -> Result<Option<SheetRow>>;

    /// Returns `true` if day numbers count from 1904, as in workbooks of old Macs.
    fn counts_from_1904(&self) -> bool {
        false
    }

    /// Returns `true` if the bytes of the texts are in code page 850. They are read as Windows-1252 all the same.
    fn is_cp850(&self) -> bool {
        false
    }

    /// Returns `true` if spreadsheets do not show the sheet.
    fn is_hidden(&self) -> bool {
        false
    }

    /// Returns `true` if the name of the table is the resource of its rows.
    fn is_resource(&self) -> bool {
        false
    }
}

/// Receives a table: its name in the file (empty if it has no name), its approximate number of rows, and the rows.
pub(super) type SeeTable<'s> = &'s mut dyn FnMut(String, u64, &mut dyn RowReader) -> Result<()>;

/// Returns another handle of the file, set to its beginning. All handles share one position.
pub(super) fn again(file: &File) -> io::Result<File> {
    let mut again = file.try_clone()?;
    again.rewind()?;
    Ok(again)
}

/// Returns a closure for `map_err` that turns an I/O error into a refusal. The parent process adds the file's name.
pub(super) fn unreadable(lang: Lang) -> impl Fn(io::Error) -> TransferError {
    move |error| TransferError::Refused(format!("{}.", io_error_texts::message(&error, lang)))
}
