//! Finds the headings of a table, in its first row or below a title.

use crate::api::record::rows::RowHandlers;
use crate::transfer::error::TransferError;
use crate::transfer::import::column_mapping::{ColumnChoices, known_headings};
use crate::transfer::import::sheet::{Sheet, SheetRow};

/// Number of rows searched for headings.
const MAX_ROWS_SEARCHED: usize = 20;
/// A row with this many known headings is taken for the headings.
const MIN_KNOWN_HEADINGS: usize = 2;

/// Reads a table up to its headings. These are the row in `line` of the file if `line` is given; if not, the
/// first row with [`MIN_KNOWN_HEADINGS`] known headings, or else the first row. Returns `None` if there is no such row.
pub(in crate::transfer::import) fn read_headings(
    sheet: &mut Sheet<'_, '_>,
    line: Option<u64>,
    named: Option<RowHandlers>,
    chosen: &ColumnChoices,
) -> Result<Option<SheetRow>, TransferError> {
    if let Some(line) = line {
        while let Some(row) = sheet.next()? {
            if row.line >= line {
                return Ok((row.line == line).then_some(row));
            }
        }
        return Ok(None);
    }
    let mut seen = Vec::new();
    while seen.len() < MAX_ROWS_SEARCHED
        && let Some(row) = sheet.next()?
    {
        if known_headings(&row, named, chosen) >= MIN_KNOWN_HEADINGS {
            return Ok(Some(row));
        }
        seen.push(row);
    }
    let mut seen = seen.into_iter();
    let first = seen.next();
    sheet.put_back(seen);
    Ok(first)
}

/// Returns `true` if a row is the headings once more, as at the top of each printed page.
pub(in crate::transfer::import) fn repeats(heading: &SheetRow, row: &SheetRow) -> bool {
    fn texts(row: &SheetRow) -> impl Iterator<Item = (usize, &str)> {
        let cells = row.cells.iter().enumerate().map(|(at, cell)| (at, cell.text.trim()));
        cells.filter(|(_, text)| !text.is_empty())
    }
    texts(heading).nth(1).is_some() && texts(heading).eq(texts(row))
}
