//! Records as rows of spreadsheets: their columns, their cells, and their CSV form. The XLSX workbook is written by
//! `transfer::export::xlsx`.

mod cells;
mod columns;
mod formula_guard;

use std::io::{self, Write};

pub use cells::{Cell, cell, in_csv};
pub use columns::{EntryNames, exported, headings, read_exported};
pub use formula_guard::{guard_formula, guard_typed, unguard};

/// The byte order mark, by which Windows programs recognize a text as UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Day 0 of spreadsheets, 30 December 1899, in days since 1970. LibreOffice counts from it. Excel does so from March 1900 on
/// and has no days before 1900.
pub const SPREADSHEET_EPOCH: i32 = -25_569;

/// Begins a CSV file that opens correctly in a Brazilian Excel, which needs the [`BYTE_ORDER_MARK`].
pub fn begin_csv<W: Write>(mut to: W) -> io::Result<csv::Writer<W>> {
    to.write_all(BYTE_ORDER_MARK)?;
    Ok(csv_writer(to))
}

/// Returns a writer of further rows of a CSV file. LibreOffice also splits at commas unless a cell is quoted. Rows may
/// have more cells than there are headings.
pub fn csv_writer<W: Write>(to: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .delimiter(b';')
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .flexible(true)
        .from_writer(to)
}

/// Writes a row of cells, formatted by [`in_csv`].
pub fn write_cells<W: Write>(csv: &mut csv::Writer<W>, cells: &[Cell]) -> csv::Result<()> {
    for cell in cells {
        csv.write_field(in_csv(cell).as_bytes())?;
    }
    csv.write_record(None::<&[u8]>)
}
