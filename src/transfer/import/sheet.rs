//! Rows of files, one after the other, whatever the kind of file.

mod bomb;
mod csv;
mod lines;
mod workbook;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::domain::Lang;
use crate::transfer::error::TransferError;

/// The most columns that a row may have: those of a workbook's sheet (ECMA-376).
pub(super) const MOST_COLUMNS: usize = 16_384;

/// A cell as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadCell {
    /// Its text: of a number its digits with a decimal point, of a day `YYYY-MM-DD`.
    pub(super) text: String,
    /// Whether the file has it as a number.
    pub(super) is_number: bool,
    /// Whether it is an error of a formula.
    pub(super) is_error: bool,
}

impl ReadCell {
    /// Text.
    pub(super) fn text(text: impl Into<String>) -> ReadCell {
        ReadCell { text: text.into(), ..ReadCell::default() }
    }
}

/// A row.
#[derive(Debug, Default)]
pub(super) struct SheetRow {
    /// Its line in the file, or its row in the sheet, counted from 1.
    pub(super) line: u64,
    /// Its cells.
    pub(super) cells: Vec<ReadCell>,
    /// Why it is no row to import, where the file itself tells.
    pub(super) refused: Option<String>,
}

impl SheetRow {
    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.trim().is_empty())
    }
}

/// The rows of one table.
pub(super) trait RowReader {
    /// The next one; none behind the last.
    ///
    /// # Errors
    /// Why the file cannot be read further.
    fn next(&mut self) -> Result<Option<SheetRow>, TransferError>;
}

/// A table of a file: what the file calls it, and its rows.
pub(super) struct Sheet<'a> {
    pub(super) name: String,
    /// How many rows there are, about: nobody relies on it but who waits for them. 0 where the file does not say.
    pub(super) rows: u64,
    reader: Box<dyn RowReader + 'a>,
}

impl Sheet<'_> {
    /// The next row that has anything; none behind the last.
    ///
    /// # Errors
    /// Why the file cannot be read further.
    pub(super) fn next(&mut self) -> Result<Option<SheetRow>, TransferError> {
        loop {
            match self.reader.next()? {
                Some(row) if row.cells.len() > MOST_COLUMNS => {
                    return Err(TransferError::TooManyColumns(row.line));
                }
                Some(row) if row.is_blank() => {}
                row => return Ok(row),
            }
        }
    }
}

/// Opens a file and has `see` read each of its tables.
///
/// # Errors
/// Why it cannot be read, or what `see` answers.
pub(super) fn each_sheet(
    path: &Path,
    lang: Lang,
    see: &mut dyn FnMut(&mut Sheet<'_>) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(TransferError::file(path))?;
    file.take(8).read_to_end(&mut start).map_err(TransferError::file(path))?;
    if start.is_empty() {
        return Err(TransferError::Refused(
            lang.pick("o arquivo está vazio.", "the file is empty.").to_owned(),
        ));
    }
    // A zip file, and the older container of XLS.
    match start.starts_with(b"PK\x03\x04") || start.starts_with(b"\xd0\xcf\x11\xe0") {
        true => workbook::each_sheet(path, lang, see),
        false if lines::is_meant(path, &start) => lines::each_sheet(path, lang, see),
        false => {
            let rows = csv::lines(path).map_err(TransferError::file(path))?;
            see(&mut Sheet { name: String::new(), rows, reader: Box::new(csv::CsvRows::open(path, lang)?) })
        }
    }
}
