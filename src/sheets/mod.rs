//! Records as rows of spreadsheets: which columns they have, what stands in each cell, and how that is written as CSV.

mod cells;
mod columns;
mod guard;

use std::io::Write;

pub use cells::{Cell, cell, in_csv};
pub use columns::{EntryNames, exported, headings, read_exported};
pub use guard::{guard_formula, guard_typed, unguard};

/// By which Excel knows a CSV as UTF-8; it stands before the headings.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns a writer of a CSV that opens right in a Brazilian Excel, behind its [`BYTE_ORDER_MARK`], and in LibreOffice, which
/// splits at commas too unless a cell is quoted. Rows may have more cells than there are headings.
pub fn csv_writer<W: Write>(to: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .delimiter(b';')
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .flexible(true)
        .from_writer(to)
}

/// Writes a row, its cells as [`in_csv`] has them.
///
/// # Errors
/// Why it cannot be written.
pub fn write_cells<W: Write>(csv: &mut csv::Writer<W>, cells: &[Cell]) -> csv::Result<()> {
    for cell in cells {
        csv.write_field(in_csv(cell).as_bytes())?;
    }
    csv.write_record(None::<&[u8]>)
}
