//! Rows of workbooks: XLSX, XLS and ODS.

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Data, DataRef, ExcelDateTime, Ods, Range, Reader, Xls, Xlsx, XlsxCellReader, open_workbook};

use super::bomb::refuse_bomb;
use super::{MOST_COLUMNS, ReadCell, RowReader, Sheet, SheetRow};
use crate::domain::Lang;
use crate::transfer::error::TransferError;

type OpenFile = BufReader<File>;

pub(super) fn each_sheet(
    path: &Path,
    lang: Lang,
    see: &mut dyn FnMut(&mut Sheet<'_>) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    refuse_bomb(path, lang)?;
    match open_workbook::<Xlsx<OpenFile>, _>(path) {
        // Cell by cell: a sheet with two cells in opposite corners would have room for billions between them.
        Ok(mut book) => {
            for name in book.sheet_names() {
                let Ok(cells) = book.worksheet_cells_reader(&name) else { continue };
                // What the sheet says of itself: the row of its last cell, counted from 0, is how many stand below the headings.
                let rows = cells.dimensions().end.0.into();
                let reader = Box::new(XlsxRows { cells, next: None, is_over: false, lang });
                see(&mut Sheet { name, rows, reader })?;
            }
        }
        Err(cause) => {
            match (open_workbook::<Ods<OpenFile>, _>(path), open_workbook::<Xls<OpenFile>, _>(path)) {
                (Ok(book), _) => each_range(book, lang, see)?,
                (_, Ok(book)) => each_range(book, lang, see)?,
                _ => return Err(unread(lang, &cause.to_string())),
            }
        }
    }
    Ok(())
}

/// Has `see` read each sheet of a workbook whose sheets are read as a whole.
fn each_range<B: Reader<OpenFile>>(
    mut book: B,
    lang: Lang,
    see: &mut dyn FnMut(&mut Sheet<'_>) -> Result<(), TransferError>,
) -> Result<(), TransferError>
where
    B::Error: Display,
{
    for name in book.sheet_names() {
        let range = book.worksheet_range(&name).map_err(|cause| unread(lang, &cause.to_string()))?;
        let rows = range.height().saturating_sub(1) as u64;
        see(&mut Sheet { name, rows, reader: Box::new(RangeRows { range, next: 0 }) })?;
    }
    Ok(())
}

fn unread(lang: Lang, cause: &str) -> TransferError {
    let text = lang.pick("a planilha não pode ser lida", "the workbook cannot be read");
    TransferError::Refused(format!("{text}: {cause}."))
}

/// A cell, its row and its column, counted from 0.
struct PlacedCell {
    row: u32,
    column: u32,
    cell: ReadCell,
}

/// The rows of a sheet of an XLSX.
struct XlsxRows<'a> {
    cells: XlsxCellReader<'a, OpenFile>,
    /// The first cell of the next row.
    next: Option<PlacedCell>,
    /// Whether the last cell was read: behind it the reader finds the file cut off.
    is_over: bool,
    lang: Lang,
}

impl RowReader for XlsxRows<'_> {
    fn next(&mut self) -> Result<Option<SheetRow>, TransferError> {
        let Some(first) = self.next.take().map_or_else(|| self.cell(), |cell| Ok(Some(cell)))? else {
            return Ok(None);
        };
        let (row, mut cells) = (first.row, Vec::new());
        put(&mut cells, first);
        while let Some(cell) = self.cell()? {
            if cell.row != row {
                self.next = Some(cell);
                break;
            }
            put(&mut cells, cell);
        }
        Ok(Some(SheetRow { line: u64::from(row) + 1, cells, refused: None }))
    }
}

impl XlsxRows<'_> {
    fn cell(&mut self) -> Result<Option<PlacedCell>, TransferError> {
        if self.is_over {
            return Ok(None);
        }
        let cell = self.cells.next_cell().map_err(|cause| unread(self.lang, &cause.to_string()))?;
        self.is_over = cell.is_none();
        Ok(cell.map(|cell| {
            let value = match cell.get_value() {
                DataRef::SharedString(text) => ReadCell::text(text.trim()),
                other => read(&Data::from(other.clone())),
            };
            let (row, column) = cell.get_position();
            PlacedCell { row, column, cell: value }
        }))
    }
}

/// Puts a cell where it belongs in its row.
fn put(cells: &mut Vec<ReadCell>, PlacedCell { column, cell, .. }: PlacedCell) {
    let column = usize::try_from(column).unwrap_or(usize::MAX).min(MOST_COLUMNS);
    if cells.len() <= column {
        cells.resize(column + 1, ReadCell::default());
    }
    if let Some(own) = cells.get_mut(column) {
        *own = cell;
    }
}

/// The rows of a sheet of any other workbook.
struct RangeRows {
    range: Range<Data>,
    next: usize,
}

impl RowReader for RangeRows {
    fn next(&mut self) -> Result<Option<SheetRow>, TransferError> {
        if self.next >= self.range.height() {
            return Ok(None);
        }
        let (first, own) = (self.range.start().map_or(0, |(row, _)| row), self.next);
        self.next += 1;
        let cell = |column| self.range.get((own, column)).map(read).unwrap_or_default();
        let cells = (0..self.range.width()).map(cell).collect();
        Ok(Some(SheetRow { line: u64::from(first) + own as u64 + 1, cells, refused: None }))
    }
}

/// A cell's value: of a formula what it came to when the file was written. Days are days, also of workbooks that count from
/// 1904: the file says so.
fn read(data: &Data) -> ReadCell {
    let number = |text| ReadCell { text, is_number: true, is_error: false };
    match data {
        Data::Empty => ReadCell::default(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => ReadCell::text(text.trim()),
        Data::Int(whole) => number(whole.to_string()),
        Data::Float(value) => number(value.to_string()),
        Data::Bool(flag) => ReadCell::text(flag.to_string()),
        Data::DateTime(moment) if moment.is_datetime() => ReadCell::text(day_time(*moment)),
        Data::DateTime(moment) => number(moment.as_f64().to_string()),
        Data::Error(error) => ReadCell { text: error.to_string(), is_number: false, is_error: true },
    }
}

/// A day, with a time where there is one; a time of day alone is what lies before the first day.
fn day_time(moment: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let (date, time) =
        (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"));
    match moment.as_f64() {
        value if value < 1.0 => time,
        value if value.fract() == 0.0 => date,
        _ => format!("{date} {time}"),
    }
}
