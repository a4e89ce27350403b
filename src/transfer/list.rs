//! The records of one list, as somebody has filtered it, as a spreadsheet of its own.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use jiff::tz::TimeZone;

use super::error::TransferError;
use super::export::sheets::Workbook;
use crate::domain::Lang;
use crate::records::Table;
use crate::sheets::{BYTE_ORDER_MARK, Cell, EntryNames, csv_writer, headings, read_exported, write_cells};
use crate::store::{Db, Store};

/// So many records are read at once.
const AT_ONCE: usize = 500;

/// A kind of spreadsheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spreadsheet {
    /// Text, which everything reads.
    Csv,
    /// A workbook of one sheet.
    Xlsx,
}

impl Spreadsheet {
    /// The one of that ending.
    pub fn of_ending(ending: &str) -> Option<Spreadsheet> {
        [Spreadsheet::Csv, Spreadsheet::Xlsx].into_iter().find(|one| one.ending() == ending)
    }

    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Spreadsheet::Csv => "csv",
            Spreadsheet::Xlsx => "xlsx",
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Spreadsheet::Csv => "text/csv; charset=utf-8; header=present",
            Spreadsheet::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// What of a list is exported, and how.
pub struct ListExport<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// What the records are.
    pub table: &'static Table,
    /// Which, in their order.
    pub ids: &'a [u32],
    /// Where the office's clock hangs.
    pub zone: &'a TimeZone,
    /// The language of headings.
    pub lang: Lang,
}

impl ListExport<'_> {
    /// Writes it into a file, of one state of the store, over a connection of its own: no thread of the store's is held up.
    /// What is not there any more is left out.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write(&self, format: Spreadsheet, file: File) -> Result<(), TransferError> {
        Store::look(self.data, |db| db.snapshot(|db| self.write_rows(db, format, file)))
    }

    fn write_rows(&self, db: Db<'_>, format: Spreadsheet, file: File) -> Result<(), TransferError> {
        let failed = |cause| TransferError::File(self.table.path.into(), cause);
        let (headings, mut file) = (headings(self.table, self.lang), BufWriter::new(file));
        match format {
            Spreadsheet::Csv => {
                file.write_all(BYTE_ORDER_MARK.as_bytes()).map_err(failed)?;
                let mut csv = csv_writer(file);
                csv.write_record(&headings).map_err(|cause| failed(cause.into()))?;
                self.each(db, |cells| write_cells(&mut csv, cells).map_err(|cause| failed(cause.into())))?;
                csv.flush().map_err(failed)
            }
            Spreadsheet::Xlsx => {
                let mut book = Workbook::new(self.lang);
                book.begin(self.table, &headings)?;
                self.each(db, |cells| book.add(cells))?;
                book.write_to(file)
            }
        }
    }

    fn each(
        &self,
        db: Db<'_>,
        mut see: impl FnMut(&[Cell]) -> Result<(), TransferError>,
    ) -> Result<(), TransferError> {
        let names = EntryNames::read(db, self.zone, self.lang)?;
        for ids in self.ids.chunks(AT_ONCE) {
            for view in read_exported(db, self.table, ids)? {
                see(&names.cells(db, &view)?)?;
            }
        }
        Ok(())
    }
}
