//! Records as rows of spreadsheets: their columns, their cells, and their CSV form.

mod cells;
mod columns;
mod guard;

use std::io::Write;

pub use cells::{Cell, cell, in_csv};
pub use columns::{EntryNames, exported, headings, read_exported};
pub use guard::{guard_formula, guard_typed, unguard};

/// The byte order mark, by which Excel recognizes a CSV file as UTF-8. It comes before the headings.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns a writer of CSV files that open correctly in a Brazilian Excel, after a [`BYTE_ORDER_MARK`], and
/// in LibreOffice, which also splits at commas unless a cell is quoted. Rows may have more cells than there
/// are headings.
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
