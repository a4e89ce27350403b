//! The workbook of an export: a sheet a table, written row by row, so that memory holds no sheet.

use std::borrow::Cow;
use std::io::{Seek, Write};
use std::path::Path;

use rust_xlsxwriter::{ExcelDateTime, Format, Worksheet, XlsxError};

use crate::domain::Lang;
use crate::records::Table;
use crate::sheets::{Cell, guard_typed};
use crate::transfer::error::TransferError;

/// The most rows that a sheet has (ECMA-376); what is more goes on in another one.
const MOST_ROWS: u32 = 1_048_576;
/// The longest text of a cell, in UTF-16 units.
pub(in crate::transfer) const LONGEST: usize = 32_767;
/// The end of a text that was too long.
pub(in crate::transfer) const SHORTENED: char = '…';

/// A workbook that is being written.
pub(in crate::transfer) struct Workbook {
    inner: rust_xlsxwriter::Workbook,
    lang: Lang,
    formats: Formats,
    /// The name and the headings of the table that is being written, and how many sheets it has.
    name: String,
    headings: Vec<String>,
    sheets: u32,
    row: u32,
}

struct Formats {
    heading: Format,
    day: Format,
    moment: Format,
    amount: Format,
}

impl Workbook {
    pub(in crate::transfer) fn new(lang: Lang) -> Workbook {
        let number = |format| Format::new().set_num_format(format);
        Workbook {
            inner: rust_xlsxwriter::Workbook::new(),
            lang,
            formats: Formats {
                heading: Format::new().set_bold(),
                day: number("dd/mm/yyyy"),
                moment: number("dd/mm/yyyy hh:mm:ss"),
                amount: number("#,##0.00"),
            },
            name: String::new(),
            headings: Vec::new(),
            sheets: 0,
            row: 0,
        }
    }

    /// Begins the sheet of a table.
    pub(in crate::transfer) fn begin(
        &mut self,
        table: &Table,
        headings: &[String],
    ) -> Result<(), TransferError> {
        self.begin_sheet(self.lang.pick(table.many.0, table.many.1), headings)
    }

    /// Begins a sheet of that name.
    pub(in crate::transfer) fn begin_sheet(
        &mut self,
        name: &str,
        headings: &[String],
    ) -> Result<(), TransferError> {
        let mut letters = name.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        self.name = [&first, letters.as_str()].concat();
        self.headings = headings.to_vec();
        self.sheets = 0;
        self.sheet().map_err(failed)
    }

    fn sheet(&mut self) -> Result<(), XlsxError> {
        self.sheets += 1;
        let sheet = self.inner.add_worksheet_with_constant_memory()?;
        sheet.set_name(match self.sheets {
            1 => self.name.clone(),
            number => format!("{} {number}", self.name),
        })?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, heading) in (0u16..).zip(&self.headings) {
            sheet.set_column_width(column, 20)?;
            sheet.write_with_format(0, column, heading, &self.formats.heading)?;
        }
        self.row = 1;
        Ok(())
    }

    /// Adds a row.
    pub(in crate::transfer) fn add(&mut self, cells: &[Cell]) -> Result<(), TransferError> {
        if self.row == MOST_ROWS {
            self.sheet().map_err(failed)?;
        }
        let (row, formats) = (self.row, &self.formats);
        let last = self.inner.worksheets_mut().last_mut();
        let sheet = last.ok_or_else(|| TransferError::Defect("a workbook has no sheet".to_owned()))?;
        for (column, cell) in (0u16..).zip(cells) {
            write(sheet, row, column, cell, formats).map_err(failed)?;
        }
        self.row += 1;
        Ok(())
    }

    /// Writes it to that file.
    pub(in crate::transfer) fn write_to(
        mut self,
        file: impl Write + Seek + Send,
    ) -> Result<(), TransferError> {
        self.inner.save_to_writer(file).map_err(failed)
    }

    /// Writes it to its file.
    pub(super) fn save(mut self, path: &Path) -> Result<(), TransferError> {
        self.inner.save(path).map_err(failed)
    }
}

fn write(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: &Cell,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => _ = sheet.write_string(row, column, shortened(guard_typed(text)))?,
        Cell::Whole(number) => _ = sheet.write_number(row, column, *number as f64)?,
        Cell::Amount(amount) => {
            let reais = amount.centavos() as f64 / 100.0;
            sheet.write_number_with_format(row, column, reais, &formats.amount)?;
        }
        Cell::Day(day) => {
            let day = ExcelDateTime::parse_from_str(&day.iso())?;
            sheet.write_datetime_with_format(row, column, &day, &formats.day)?;
        }
        Cell::DayTime(moment) => {
            let moment = ExcelDateTime::parse_from_str(&moment.strftime("%Y-%m-%dT%H:%M:%S").to_string())?;
            sheet.write_datetime_with_format(row, column, &moment, &formats.moment)?;
        }
    }
    Ok(())
}

/// A text that a cell has room for; the whole one stands in the CSV and in the JSON Lines.
fn shortened(text: Cow<'_, str>) -> Cow<'_, str> {
    // A text has no more UTF-16 units than bytes.
    if text.len() <= LONGEST || text.encode_utf16().count() <= LONGEST {
        return text;
    }
    let mut room = LONGEST - 1;
    let fits = |letter: &char| {
        let left = room.checked_sub(letter.len_utf16());
        room = left.unwrap_or(0);
        left.is_some()
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push(SHORTENED);
    short.into()
}

fn failed(cause: XlsxError) -> TransferError {
    match cause {
        XlsxError::IoError(cause) => TransferError::File("pleito.xlsx".into(), cause),
        cause => TransferError::Defect(cause.to_string()),
    }
}
