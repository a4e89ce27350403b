//! Reads rows of workbooks: XLSX, XLS and ODS.

pub(super) mod bomb;
pub(super) mod extent;

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read};

use calamine::XlsxFormulaMetadata;
use calamine::{Data, DataRef, ExcelDateTime, Ods, Range, Reader, SheetVisible, Xls, Xlsx, XlsxCellReader};
use jiff::ToSpan as _;
use jiff::civil::DateTime;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::process::message::{ReadCell, SheetRow};
use super::table::{MAX_COLUMNS, RowReader, SeeTable, again, unreadable};
use crate::api::console_pages::cut;
use crate::domain::Day;
use crate::sheets::{SPREADSHEET_EPOCH, unguard};
use crate::transfer::prelude::*;
use bomb::refuse_bomb;
use extent::{Extent, damaged, unread};

type OpenFile = BufReader<File>;

pub(super) fn each_table(file: &File, lang: Lang, see: SeeTable<'_>) -> Result<()> {
    let mut start = [0; 2];
    let open = || again(file).map(BufReader::new).map_err(unreadable(lang));
    open()?.read_exact(&mut start).map_err(unreadable(lang))?;
    let parts = refuse_bomb(file, start == *b"PK", lang)?;
    let mut extent = Extent::new(lang);
    let flags = WorkbookFlags::of(file);
    match Xlsx::new(open()?) {
        // Read cell by cell: as a whole, a sheet with two cells in opposite corners would take billions of cells.
        Ok(mut book) => {
            let names = book.sheet_names();
            // Each sheet is a separate part. A part that several sheets point to would be read several times.
            if names.len() > parts {
                return Err(unread(
                    lang,
                    lang.pick(
                        "várias abas apontam para a mesma parte do arquivo",
                        "several sheets point to the same part of the file",
                    ),
                ));
            }
            for name in names {
                let is_hidden = is_hidden(&book, &name);
                let Ok(cells) = book.worksheet_cells_reader(&name) else { continue };
                // The declared last row, counted from 0, is the number of rows below the headings.
                let rows = cells.dimensions().end.0.into();
                let mut reader =
                    XlsxRows { cells, next: None, is_over: false, flags, is_hidden, extent: &mut extent };
                see(name, rows, &mut reader)?;
            }
        }
        Err(cause) => match (Ods::new(open()?), Xls::new(open()?)) {
            (Ok(book), _) => each_range(book, true, &mut extent, see)?,
            // An XLS has a result of each formula.
            (_, Ok(book)) => each_range(book, false, &mut extent, see)?,
            _ => return Err(damaged(lang)(cause)),
        },
    }
    Ok(())
}

/// Returns `true` if spreadsheets do not show a sheet.
fn is_hidden<B: Reader<OpenFile>>(book: &B, name: &str) -> bool {
    book.sheets_metadata().iter().any(|sheet| sheet.name == name && sheet.visible != SheetVisible::Visible)
}

/// What the main part of an XLSX declares (ECMA-376).
#[derive(Clone, Copy, Default)]
struct WorkbookFlags {
    /// `true` if days count from 1904. Needed for numbers without a date format; the parser of workbooks converts
    /// cells with a date format itself.
    from_1904: bool,
    /// `true` if the formulas have to be calculated when the file is opened. Programs that calculate nothing write
    /// 0 as the result of each.
    is_uncalculated: bool,
}

impl WorkbookFlags {
    fn of(file: &File) -> WorkbookFlags {
        const PART: &str = "xl/workbook.xml";
        /// Only this many bytes of the part are read.
        const MAX_BYTES: u64 = 256 * 1024;
        let mut flags = WorkbookFlags::default();
        let archive = again(file).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
        let Some(mut archive) = archive else { return flags };
        let Ok(part) = archive.by_name(PART) else { return flags };
        let mut reader = quick_xml::Reader::from_reader(BufReader::new(part.take(MAX_BYTES)));
        let mut buffer = Vec::new();
        while let Ok(event) = reader.read_event_into(&mut buffer) {
            match event {
                Event::Start(element) | Event::Empty(element) => {
                    let is_set = |name| {
                        let own = element.try_get_attribute(name).ok().flatten();
                        own.is_some_and(|own| matches!(own.value.as_ref(), "1" | "true"))
                    };
                    match element.local_name().as_ref() {
                        "workbookPr" => flags.from_1904 = is_set("date1904"),
                        "calcPr" => flags.is_uncalculated = is_set("fullCalcOnLoad"),
                        _ => {}
                    }
                }
                Event::Eof => break,
                _ => {}
            }
            buffer.clear();
        }
        flags
    }
}

/// Returns the cell of a formula that has no stored result, so that it is refused like an error.
fn without_result(formula: &str, extent: &mut Extent) -> Result<ReadCell> {
    /// Number of characters of the formula that the user is shown.
    const MAX_FORMULA_CHARACTERS: usize = 40;
    extent.add_text(formula)?;
    let formula = formula.trim_start_matches("of:").trim_start_matches('=');
    Ok(ReadCell {
        text: format!("={}", cut(formula, MAX_FORMULA_CHARACTERS)),
        is_number: false,
        is_error: true,
    })
}

/// Passes each sheet to `see`, for a workbook whose sheets are held in memory.
/// `may_lack_results` is `true` if a formula of such a file may have no stored result.
fn each_range<B: Reader<OpenFile>>(
    mut book: B,
    may_lack_results: bool,
    extent: &mut Extent,
    see: SeeTable<'_>,
) -> Result<()>
where
    B::Error: Display,
{
    for name in book.sheet_names() {
        let range = book.worksheet_range(&name).map_err(damaged(extent.lang))?;
        let rows = range.height().saturating_sub(1) as u64;
        let is_hidden = is_hidden(&book, &name);
        let formulas = if may_lack_results { book.worksheet_formula(&name).ok() } else { None };
        let formulas = formulas.unwrap_or_default();
        let area = area(&range, &formulas);
        see(name, rows, &mut RangeRows { range, formulas, area, is_hidden, extent })?;
    }
    Ok(())
}

/// A cell with its row and column, both from 0.
struct PlacedCell {
    row: u32,
    column: u32,
    cell: ReadCell,
}

struct XlsxRows<'a, 'e> {
    cells: XlsxCellReader<'a, OpenFile>,
    next: Option<PlacedCell>,
    /// `true` once the last cell was read. Reading on would report the file as truncated.
    is_over: bool,
    flags: WorkbookFlags,
    is_hidden: bool,
    extent: &'e mut Extent,
}

impl RowReader for XlsxRows<'_, '_> {
    fn next(&mut self) -> Result<Option<SheetRow>> {
        let Some(first) = self.next.take().map_or_else(|| self.cell(), |cell| Ok(Some(cell)))? else {
            return Ok(None);
        };
        let row = first.row;
        let mut cells = Vec::new();
        put(&mut cells, first);
        while let Some(cell) = self.cell()? {
            if cell.row != row {
                self.next = Some(cell);
                break;
            }
            put(&mut cells, cell);
        }
        self.extent.add_row(SheetRow { line: u64::from(row) + 1, cells, refused: None })
    }

    fn counts_from_1904(&self) -> bool {
        self.flags.from_1904
    }

    fn is_hidden(&self) -> bool {
        self.is_hidden
    }
}

impl XlsxRows<'_, '_> {
    fn cell(&mut self) -> Result<Option<PlacedCell>> {
        if self.is_over {
            return Ok(None);
        }
        let next = self.cells.next_cell_with_formula_metadata();
        let Some(cell) = next.map_err(damaged(self.extent.lang))? else {
            self.is_over = true;
            return Ok(None);
        };
        let (row, column) = cell.pos;
        let is_zero = || matches!(&cell.value, DataRef::Float(value) if *value == 0.0);
        let lacks_result = matches!(cell.value, DataRef::Empty) || self.flags.is_uncalculated && is_zero();
        let formula = match cell.formula.filter(|_| lacks_result) {
            Some(XlsxFormulaMetadata::Normal { formula } | XlsxFormulaMetadata::Shared { formula, .. }) => {
                Some(formula)
            }
            Some(_) => Some(String::new()),
            None => None,
        };
        let cell = match (formula, cell.value) {
            (Some(formula), _) => without_result(&formula, self.extent)?,
            (None, DataRef::SharedString(text)) => {
                self.extent.add_text(text)?;
                ReadCell::text(unguard(text))
            }
            (None, other) => read(&Data::from(other), self.extent)?,
        };
        Ok(Some(PlacedCell { row, column, cell }))
    }
}

fn put(cells: &mut Vec<ReadCell>, PlacedCell { column, cell, .. }: PlacedCell) {
    let column = usize::try_from(column).unwrap_or(usize::MAX).min(MAX_COLUMNS);
    if cells.len() <= column {
        cells.resize(column + 1, ReadCell::default());
    }
    if let Some(own) = cells.get_mut(column) {
        *own = cell;
    }
}

struct RangeRows<'e> {
    range: Range<Data>,
    formulas: Range<String>,
    /// First and last row and column, from 0. `None` if the sheet is empty.
    area: Option<[[u32; 2]; 2]>,
    is_hidden: bool,
    extent: &'e mut Extent,
}

/// Returns the rows and columns of two ranges of a sheet together.
fn area(range: &Range<Data>, formulas: &Range<String>) -> Option<[[u32; 2]; 2]> {
    let corners = [(range.start(), range.end()), (formulas.start(), formulas.end())];
    let corners = corners.into_iter().filter_map(|(start, end)| start.zip(end));
    let areas = corners.map(|((top, left), (bottom, right))| [[top, bottom], [left, right]]);
    areas.reduce(|[rows, columns], [other_rows, other_columns]| {
        let joined = |[first, last]: [u32; 2], [other, end]: [u32; 2]| [first.min(other), last.max(end)];
        [joined(rows, other_rows), joined(columns, other_columns)]
    })
}

impl RowReader for RangeRows<'_> {
    fn next(&mut self) -> Result<Option<SheetRow>> {
        let Some([[row, last], [left, right]]) = self.area else { return Ok(None) };
        self.area = (row < last).then_some([[row + 1, last], [left, right]]);
        let mut cells = Vec::new();
        for at in (left..=right).map(|column| (row, column)) {
            let data = self.range.get_value(at).unwrap_or(&Data::Empty);
            let formula = || self.formulas.get_value(at).filter(|formula| !formula.is_empty());
            cells.push(match (data, formula()) {
                (Data::Empty, Some(formula)) => without_result(formula, self.extent)?,
                _ => read(data, self.extent)?,
            });
        }
        self.extent.add_row(SheetRow { line: u64::from(row) + 1, cells, refused: None })
    }

    fn is_hidden(&self) -> bool {
        self.is_hidden
    }
}

/// Converts a cell, a formula to its stored result. Dates are correct even if the workbook counts from 1904.
fn read(data: &Data, extent: &mut Extent) -> Result<ReadCell> {
    let number = |text| ReadCell { text, is_number: true, is_error: false };
    Ok(match data {
        Data::Empty => ReadCell::default(),
        Data::String(text) => {
            extent.add_text(text)?;
            // LibreOffice keeps the guard of a CSV as part of the text.
            ReadCell::text(unguard(text))
        }
        Data::DateTimeIso(text) => {
            extent.add_text(text)?;
            ReadCell::text(text)
        }
        Data::DurationIso(text) => {
            extent.add_text(text)?;
            ReadCell::text(time_of_duration(text).unwrap_or_else(|| text.clone()))
        }
        Data::Int(whole) => number(whole.to_string()),
        Data::Float(value) => number(value.to_string()),
        Data::Bool(flag) => ReadCell::text(flag.to_string()),
        Data::DateTime(moment) if moment.is_datetime() => ReadCell::text(day_time(*moment)),
        Data::DateTime(moment) => number(moment.as_f64().to_string()),
        Data::Error(error) => ReadCell { text: error.to_string(), is_number: false, is_error: true },
    })
}

/// Formats a moment as a day, or as a day and a time. A value before the first day is a time only.
fn day_time(moment: ExcelDateTime) -> String {
    let value = moment.as_f64();
    if value < 0.0 {
        let day = Day::from_number(SPREADSHEET_EPOCH.saturating_add(value.floor() as i32));
        return day.map_or_else(|| value.to_string(), Day::iso);
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    // Rounds, because fractions of a day are slightly off whole seconds.
    let rounded = format!("{date}T{time}").parse::<DateTime>().ok().filter(|_| milli >= 500);
    let rounded = rounded.and_then(|moment| moment.checked_add(1.second()).ok());
    let (date, time) =
        rounded.map_or((date, time), |moment| (moment.date().to_string(), moment.time().to_string()));
    match value {
        value if value < 1.0 => time,
        _ if time == "00:00:00" => date,
        _ => format!("{date} {time}"),
    }
}

/// Parses a time of day that an ODS stores as a duration: `PT14H30M00S`.
fn time_of_duration(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?.split(['.', ',']).next()?;
    let [hours, minutes, seconds] = [hours, minutes, seconds].map(|part| part.parse::<u32>().ok());
    Some(format!("{:02}:{:02}:{:02}", hours?, minutes?, seconds?))
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType;

    use super::*;

    #[test]
    fn days_and_times_are_read_to_the_second() {
        let read = |value| day_time(ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false));
        for (value, text) in [
            (-18_123.0, "1850-05-18"),
            (61.0, "1900-03-01"),
            (46_347.0, "2026-11-21"),
            // About a third of a second before 14:30.
            (46_347.604_162_8, "2026-11-21 14:30:00"),
            (0.604_166_6, "14:30:00"),
            (46_346.999_999_999, "2026-11-21"),
        ] {
            assert_eq!(read(value), text, "{value}");
        }
        assert_eq!(time_of_duration("PT14H30M05S").unwrap(), "14:30:05");
        assert_eq!(time_of_duration("PT09H05M00.000000000S").unwrap(), "09:05:00");
        assert_eq!(time_of_duration("P1D"), None);
    }
}
