//! Exports the filtered records of one list page, or another table, as a spreadsheet.

use std::fs::File;
use std::path::Path;

use jiff::tz::TimeZone;

use super::xlsx::Workbook;
use crate::domain::lang::first_upper;
use crate::records::Nouns;
use crate::sheets::{Cell, EntryNames, headings, read_exported};
use crate::store::Store;
use crate::transfer::csv_writer::CsvWriter;
use crate::transfer::prelude::*;

/// Records read from the store per batch.
const RECORDS_PER_READ: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spreadsheet {
    Csv,
    Xlsx,
}

impl Spreadsheet {
    pub fn of_ending(ending: &str) -> Option<Spreadsheet> {
        [Spreadsheet::Csv, Spreadsheet::Xlsx].into_iter().find(|one| one.ending() == ending)
    }

    pub const fn ending(self) -> &'static str {
        match self {
            Spreadsheet::Csv => "csv",
            Spreadsheet::Xlsx => "xlsx",
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Spreadsheet::Csv => "text/csv; charset=utf-8; header=present",
            Spreadsheet::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

pub struct ListExport<'a> {
    pub data: &'a Path,
    pub table: &'static Table,
    /// The ids of the records, in the order of the rows.
    pub ids: &'a [u32],
    /// Which records these are, in one line.
    pub about: &'a str,
    /// The nouns that the reader may see. Members that show others are empty.
    pub nouns: Nouns,
    pub zone: &'a TimeZone,
    pub lang: Lang,
}

impl ListExport<'_> {
    /// Writes the records to `file`, all read from one snapshot. Skips records that no longer exist. Opens its
    /// own connection, so that it blocks no thread of the store.
    pub fn write(&self, format: Spreadsheet, file: File) -> Result<()> {
        Store::read_once(self.data, |db| {
            db.seen_by(self.nouns).snapshot(|db| self.write_all(db, format, file))
        })
    }

    fn write_all(&self, db: Db<'_>, format: Spreadsheet, file: File) -> Result<()> {
        let name = self.lang.pick(self.table.many.0, self.table.many.1);
        let headings = headings(self.table, self.lang);
        write_table((format, self.lang), (name, self.about, &headings), file, |add| self.each(db, add))
    }

    fn each(&self, db: Db<'_>, see: &mut dyn FnMut(&[Cell]) -> Result<()>) -> Result<()> {
        let names = EntryNames::read(db, self.zone, self.lang)?;
        for ids in self.ids.chunks(RECORDS_PER_READ) {
            for view in read_exported(db, self.table, ids)? {
                see(&names.cells(db, &view)?)?;
            }
        }
        Ok(())
    }
}

/// Writes a table to `file`, with the name of its sheet, which records it has, and its headings. `each` calls its argument
/// with every row. A CSV has only the headings and the rows.
pub fn write_table(
    (format, lang): (Spreadsheet, Lang),
    (name, about, headings): (&str, &str, &[String]),
    file: File,
    each: impl FnOnce(&mut dyn FnMut(&[Cell]) -> Result<()>) -> Result<()>,
) -> Result<()> {
    match format {
        Spreadsheet::Csv => {
            let mut csv = CsvWriter::begin(name.as_ref(), file, headings)?;
            each(&mut |cells| csv.add(cells))?;
            csv.flush()
        }
        Spreadsheet::Xlsx => {
            let mut book = Workbook::new(lang);
            book.describe(&first_upper(name), about);
            book.begin_sheet(name, headings)?;
            each(&mut |cells| book.add(cells))?;
            book.write_to(&file)
        }
    }
}
