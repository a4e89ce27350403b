//! Writes the workbook of an export, one sheet a table. Writes row by row, so that no sheet is held in memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};

use crate::domain::Day;
use crate::domain::lang::first_upper;
use crate::files::{self, create_private};
use crate::sheets::{Cell, guard_typed};
use crate::transfer::prelude::*;

/// Maximum number of rows of a sheet (ECMA-376). Further rows go to another sheet.
const MAX_ROWS: u32 = 1_048_576;
/// Longest text of a cell, in UTF-16 code units.
pub(in crate::transfer) const MAX_CELL_CHARACTERS: usize = 32_767;
/// Most characters of the header, half of what it may have, as each may be written twice.
const HEADER: usize = 120;
/// Last character of a text that was cut.
pub(in crate::transfer) const SHORTENED: char = '…';

pub(in crate::transfer) struct Workbook {
    inner: rust_xlsxwriter::Workbook,
    lang: Lang,
    formats: Formats,
    /// Printed at the top of each page; empty for none.
    header: String,
    /// Name of the current table. The next fields hold its headings and its number of sheets so far.
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
            header: String::new(),
            name: String::new(),
            headings: Vec::new(),
            sheets: 0,
            row: 0,
        }
    }

    /// Sets the title of the workbook and, in one line, which records it has. Both are printed at the top of each page.
    pub(in crate::transfer) fn describe(&mut self, title: &str, about: &str) {
        self.inner.set_properties(&DocProperties::new().set_title(title).set_comment(about));
        // A header has at most 255 characters, in which an ampersand begins a command.
        let lines = [title, about].join("\n").chars().take(HEADER).collect::<String>();
        self.header = ["&L", &lines.replace('&', "&&")].concat();
    }

    pub(in crate::transfer) fn begin(&mut self, table: &Table, headings: &[String]) -> Result<()> {
        self.begin_sheet(self.lang.pick(table.many.0, table.many.1), headings)
    }

    pub(in crate::transfer) fn begin_sheet(&mut self, name: &str, headings: &[String]) -> Result<()> {
        self.name = first_upper(name);
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
        if !self.header.is_empty() {
            sheet.set_header(&self.header);
        }
        for (column, heading) in (0u16..).zip(&self.headings) {
            sheet.set_column_width(column, 20)?;
            sheet.write_with_format(0, column, heading, &self.formats.heading)?;
        }
        self.row = 1;
        Ok(())
    }

    /// Adds a row. Begins another sheet if the current one is full.
    pub(in crate::transfer) fn add(&mut self, cells: &[Cell]) -> Result<()> {
        if self.row == MAX_ROWS {
            self.sheet().map_err(failed)?;
        }
        let row = self.row;
        let formats = &self.formats;
        let last = self.inner.worksheets_mut().last_mut();
        let sheet = last.ok_or_else(|| TransferError::Defect("a workbook has no sheet".to_owned()))?;
        for (column, cell) in (0u16..).zip(cells) {
            write(sheet, row, column, cell, formats).map_err(failed)?;
        }
        self.row += 1;
        Ok(())
    }

    pub(in crate::transfer) fn write_to(mut self, file: &File) -> Result<()> {
        let mut file = BufWriter::new(file);
        self.inner.save_to_writer(&mut file).map_err(failed)?;
        file.flush().map_err(|cause| failed(cause.into()))
    }

    pub(super) fn save(self, path: &Path) -> Result<()> {
        let file = create_private(path).map_err(TransferError::file(path))?;
        self.write_to(&file)?;
        files::sync(&file).map_err(TransferError::file(path))
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
            sheet.write_datetime_with_format(row, column, on(*day)?, &formats.day)?;
        }
        Cell::DayTime(moment) => {
            let time = moment.time();
            let hour = time.hour();
            let minute = time.minute();
            let second = time.second();
            let moment = on(Day::on_calendar(moment.date()))?.and_hms(
                hour.unsigned_abs().into(),
                minute.unsigned_abs(),
                second,
            )?;
            sheet.write_datetime_with_format(row, column, moment, &formats.moment)?;
        }
    }
    Ok(())
}

fn on(day: Day) -> Result<ExcelDateTime, XlsxError> {
    ExcelDateTime::from_ymd(day.year().unsigned_abs(), day.month(), day.day())
}

/// Cuts a text to the [`MAX_CELL_CHARACTERS`] that a cell can hold. The CSV and the JSON Lines have the full text.
fn shortened(text: Cow<'_, str>) -> Cow<'_, str> {
    // A text has no more UTF-16 units than bytes.
    if text.len() <= MAX_CELL_CHARACTERS || text.encode_utf16().count() <= MAX_CELL_CHARACTERS {
        return text;
    }
    let mut room = MAX_CELL_CHARACTERS - 1;
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
