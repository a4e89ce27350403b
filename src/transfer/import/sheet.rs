//! Reads rows of files of any kind in a child process, so that a malicious or damaged file cannot take the server down.
//!
//! `process` starts this executable as the child and receives its messages (`process::message`). `process::child` runs there: it
//! limits its own memory, processor time and life (`process::bounds`) before it reads the first byte, opens the file by its kind
//! (`kinds`), and restores letters of a wrong encoding (`encoding::letters`).

mod csv;
mod encoding;
mod html;
mod kinds;
mod lines;
mod other_kinds;
mod process;
mod table;
mod vcard;
mod workbook;

use std::collections::VecDeque;
use std::path::Path;

use super::LetterEncoding;
use crate::transfer::prelude::*;

pub use process::child::{READ_SHEETS, read_sheets};
pub(super) use process::message::{LettersRead, ReadCell, SheetRow};

use process::ReaderProcess;
use process::message::ReaderMessage;

pub(super) struct Sheet<'p, 'w> {
    pub(super) name: String,
    /// Approximate number of rows, for progress. 0 if unknown.
    pub(super) rows: u64,
    pub(super) from_1904: bool,
    pub(super) is_hidden: bool,
    /// `true` if the name is that of the resource of the rows.
    pub(super) is_resource: bool,
    /// Rows that were read ahead and put back.
    ahead: VecDeque<SheetRow>,
    process: &'p mut ReaderProcess<'w>,
    /// The message after the last row, once it has been received.
    behind: Option<ReaderMessage>,
}

impl Sheet<'_, '_> {
    /// Returns the next row that is not blank, or `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<SheetRow>> {
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

    /// Puts rows back, so that [`Sheet::next`] returns them first.
    pub(super) fn put_back(&mut self, rows: impl IntoIterator<Item = SheetRow>) {
        self.ahead.extend(rows);
    }

    /// Skips the remaining rows and returns the message after them.
    fn skip_rest(mut self) -> Result<ReaderMessage> {
        self.ahead.clear();
        loop {
            match self.behind.take() {
                Some(message) => return Ok(message),
                None => _ = self.next()?,
            }
        }
    }
}

/// Passes each table of a file to `see`, and returns what was found out about its letters. `program` is this
/// executable. `waiting` runs several times a second while the child process is slow; an error from `waiting` or `see`
/// ends the reading.
pub(super) fn each_sheet(
    program: &Path,
    path: &Path,
    letters: Option<LetterEncoding>,
    lang: Lang,
    waiting: &dyn Fn() -> Result<()>,
    see: &mut dyn FnMut(&mut Sheet<'_, '_>) -> Result<()>,
) -> Result<LettersRead> {
    let mut process = ReaderProcess::start(program, path, letters, lang, waiting)?;
    let mut message = process.next()?;
    loop {
        message = match message {
            ReaderMessage::Sheet { name, rows, from_1904, is_hidden, is_resource } => {
                let ahead = VecDeque::new();
                let behind = None;
                let process = &mut process;
                let mut sheet =
                    Sheet { name, rows, from_1904, is_hidden, is_resource, ahead, process, behind };
                see(&mut sheet)?;
                sheet.skip_rest()?
            }
            ReaderMessage::End(letters) => return Ok(letters),
            ReaderMessage::Row(_) | ReaderMessage::Refused(_) => {
                return Err(TransferError::Defect("an unexpected message of the reader".to_owned()));
            }
        }
    }
}
