//! Counts the cells of an ODS once it is unpacked. The file stores repeated cells and rows only once.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::sheet_cells;
use crate::transfer::import::sheet::table::MAX_COLUMNS;

/// Returns the number of cells of the largest table. Stops counting once `most` is exceeded. Invalid XML counts
/// only up to the error, which the parser of the workbook reports later.
pub(super) fn cells(content: impl BufRead, most: u64) -> u64 {
    let mut reader = Reader::from_reader(content);
    reader.config_mut().check_end_names = false;
    let mut table = Table::default();
    let mut largest = 0;
    let mut piece = Vec::new();
    loop {
        match reader.read_event_into(&mut piece) {
            Ok(Event::Start(tag)) => table.tag(&tag, false),
            Ok(Event::Empty(tag)) => table.tag(&tag, true),
            Ok(Event::End(tag)) if tag.name().as_ref() == "table:table" => table = Table::default(),
            Ok(Event::Eof) | Err(_) => return largest,
            Ok(_) => {}
        }
        largest = largest.max(table.cells());
        if largest > most {
            return largest;
        }
        piece.clear();
    }
}

#[derive(Default)]
struct Table {
    /// Cells of all rows, without counting repeated rows.
    read: u64,
    /// Number of rows up to the last one with cells, repetitions included. `width` is that of the widest row.
    rows: u64,
    width: u64,
    /// Repetitions of the current row. `blank_rows` counts the blank rows before it, and `is_blank` is `true`
    /// while the row has no cell.
    repeats: u64,
    blank_rows: u64,
    is_blank: bool,
    /// Number of cells of the current row. `blank_cells` counts the empty cells after them.
    row: u64,
    blank_cells: u64,
}

impl Table {
    fn tag(&mut self, tag: &BytesStart<'_>, is_closed: bool) {
        let repeats = |name: &str| {
            let text = tag.try_get_attribute(name).ok().flatten().map(|own| own.value.into_owned());
            text.and_then(|text| text.trim().parse().ok()).unwrap_or(1)
        };
        match tag.name().as_ref() {
            "table:table-row" => {
                // Blank rows count only if a row with cells follows.
                if self.is_blank {
                    self.blank_rows = self.blank_rows.saturating_add(self.repeats);
                }
                self.repeats = repeats("table:number-rows-repeated");
                (self.is_blank, self.row, self.blank_cells) = (true, 0, 0);
            }
            "table:table-cell" | "table:covered-table-cell" => {
                let own = repeats("table:number-columns-repeated").min(MAX_COLUMNS as u64);
                let has = |name: &str| tag.try_get_attribute(name).is_ok_and(|own| own.is_some());
                if is_closed && !has("office:value-type") && !has("table:formula") {
                    self.blank_cells = own;
                    return;
                }
                let before = self.row;
                self.row = (self.row + self.blank_cells + own).min(MAX_COLUMNS as u64);
                self.blank_cells = 0;
                self.read = self.read.saturating_add(self.row - before);
                self.width = self.width.max(self.row);
                if std::mem::take(&mut self.is_blank) {
                    let rows = self.blank_rows.saturating_add(self.repeats);
                    (self.rows, self.blank_rows) = (self.rows.saturating_add(rows), 0);
                }
            }
            _ => {}
        }
    }

    fn cells(&self) -> u64 {
        self.read.max(sheet_cells(self.rows, self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(rows: &str) -> u64 {
        cells(format!("<table:table>{rows}</table:table>").as_bytes(), 1_000_000)
    }

    #[test]
    fn repeated_cells_and_rows_count_except_empty_ones_at_the_end() {
        let full = r#"<table:table-cell office:value-type="float" office:value="1"/>"#;
        let row = |repeats: u64, cells: &str| {
            format!(r#"<table:table-row table:number-rows-repeated="{repeats}">{cells}</table:table-row>"#)
        };
        let wide =
            r#"<table:table-cell table:number-columns-repeated="500"><text:p>x</text:p></table:table-cell>"#;
        let blank = r#"<table:table-cell table:number-columns-repeated="16384"/>"#;
        assert_eq!(counted(""), 0);
        assert_eq!(counted(&row(1, full)), 1);
        assert_eq!(counted(&row(7, full)), 7);
        assert_eq!(counted(&row(1, wide).repeat(3)), 1500);
        assert_eq!(
            counted(&[row(2, full), row(1_000_000, blank)].concat()),
            2,
            "trailing empty rows do not count"
        );
        assert_eq!(counted(&[row(1, full), row(98, blank), row(1, full)].concat()), 100);
        assert_eq!(counted(&row(1, &[blank, full].concat())), 16_384);
        assert_eq!(counted(&[row(1, wide), row(1_000, full)].concat()), 500 * 1001);
        assert!(counted(&row(1_048_576, &[blank, full].concat())) > 1_000_000);
        assert_eq!(cells(&b"<table:table><no"[..], 9), 0);
    }
}
