//! Rows of files of any kind, read in a child process: whatever a file does to its reader, the office works on.
//!
//! `process` starts this executable as the child and receives what it sends (`message`). `child` is what runs there: it
//! bounds its own memory and time (`bounds`) before it reads the first byte, and opens the file by its kind (`kinds`).

mod bomb;
mod bounds;
mod child;
mod csv;
mod extent;
mod kinds;
mod lines;
mod message;
mod process;
mod table;
mod workbook;

use std::collections::VecDeque;
use std::path::Path;

pub use child::{READ_SHEETS, read_sheets};
pub(super) use message::{ReadCell, SheetRow};

use crate::domain::Lang;
use crate::transfer::error::TransferError;
use message::ReaderMessage;
use process::ReaderProcess;

/// A table of a file: its name there, and its rows.
pub(super) struct Sheet<'p, 'w> {
    pub(super) name: String,
    /// Approximate number of rows, for progress. 0 if the file does not say.
    pub(super) rows: u64,
    /// `true` if its day numbers count from 1904.
    pub(super) from_1904: bool,
    /// Rows that were looked at and put back.
    ahead: VecDeque<SheetRow>,
    process: &'p mut ReaderProcess<'w>,
    /// The message behind the last row, once it has been received.
    behind: Option<ReaderMessage>,
}

impl Sheet<'_, '_> {
    /// Returns the next row that is not blank, or `None` behind the last.
    ///
    /// # Errors
    /// Why the file cannot be read further.
    pub(super) fn next(&mut self) -> Result<Option<SheetRow>, TransferError> {
        if let Some(row) = self.ahead.pop_front() {
            return Ok(Some(row));
        }
        if self.behind.is_some() {
            return Ok(None);
        }
        match self.process.next()? {
            ReaderMessage::Row(row) => Ok(Some(row)),
            other => {
                self.behind = Some(other);
                Ok(None)
            }
        }
    }

    /// Puts rows back, to be read before those that follow.
    pub(super) fn put_back(&mut self, rows: impl IntoIterator<Item = SheetRow>) {
        self.ahead.extend(rows);
    }

    /// Skips the rows that are left, and returns the message behind them.
    fn skip_rest(mut self) -> Result<ReaderMessage, TransferError> {
        self.ahead.clear();
        loop {
            match self.behind.take() {
                Some(message) => return Ok(message),
                None => _ = self.next()?,
            }
        }
    }
}

/// Passes each table of a file to `see`. `program` is this executable. `waiting` runs several times a second while the child
/// process takes its time; its error ends the reading.
///
/// # Errors
/// Why the file cannot be read, or the error of `see` or `waiting`.
pub(super) fn each_sheet(
    program: &Path,
    path: &Path,
    lang: Lang,
    waiting: &dyn Fn() -> Result<(), TransferError>,
    see: &mut dyn FnMut(&mut Sheet<'_, '_>) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut process = ReaderProcess::start(program, path, lang, waiting)?;
    let mut message = process.next()?;
    loop {
        message = match message {
            ReaderMessage::Sheet { name, rows, from_1904 } => {
                let ahead = VecDeque::new();
                let mut sheet = Sheet { name, rows, from_1904, ahead, process: &mut process, behind: None };
                see(&mut sheet)?;
                sheet.skip_rest()?
            }
            ReaderMessage::End => return Ok(()),
            ReaderMessage::Row(_) | ReaderMessage::Refused(_) => {
                return Err(TransferError::Defect("an unexpected message of the reader".to_owned()));
            }
        }
    }
}
