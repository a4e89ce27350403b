//! The order of day and month in a column: one value that can only be month first (`12/25/1980`) shows that the others
//! may be so too (`01/02/1980`).

use super::column_mapping::{Mapped, Mapping};
use super::sheet::{ReadCell, SheetRow};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::records::Type;

/// Maximum number of columns that the user is shown.
const SHOWN: usize = 20;

/// Splits a date such as `5/4/1941`, `05.04.1941` or `5-4-41` into its three numbers. The year has two digits or four.
pub(super) fn date_parts(text: &str) -> Option<[&str; 3]> {
    let is_number = |part: &str, lengths: &[usize]| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    ['/', '.', '-'].into_iter().find_map(|separator| {
        let mut parts = text.splitn(3, separator);
        let parts = [parts.next()?, parts.next()?, parts.next()?];
        let [one, two, year] = parts;
        (is_number(one, &[1, 2]) && is_number(two, &[1, 2]) && is_number(year, &[2, 4])).then_some(parts)
    })
}

/// Splits the date off a text that may also have a time.
fn date_of(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_at(text.find([' ', 'T']).unwrap_or(text.len()))
}

pub(super) fn is_dated(ty: Type) -> bool {
    matches!(ty, Type::Day | Type::SlashedDay | Type::DayTime)
}

/// Returns `true` if a text stands for no day: `00/00/0000`, `0/0/00`, `0000-00-00 00:00:00` or an empty mask.
pub(super) fn is_no_date(text: &str) -> bool {
    let is_separator = |c: &char| ['/', '-', '.', ':'].contains(c);
    text.chars().all(|c| is_separator(&c) || ['0', '_', ' '].contains(&c))
        && text.chars().filter(is_separator).count() >= 2
}

/// Returns `true` if a date can only have its month first.
fn is_month_first(text: &str) -> bool {
    let numbers =
        date_parts(date_of(text).0).map(|[one, two, _]| [one, two].map(|part| part.parse::<u8>().ok()));
    matches!(numbers, Some([Some(1..=12), Some(13..=31)]))
}

/// Writes a date that has its month first with its day first. Returns `None` for any other text.
pub(super) fn day_first(cell: &ReadCell) -> Option<ReadCell> {
    let (date, time) = date_of(&cell.text);
    let [month, day, year] = date_parts(date)?;
    Some(ReadCell { text: format!("{day}/{month}/{year}{time}"), ..cell.clone() })
}

/// The columns with dates that can only be month first, while the user has not chosen an order.
#[derive(Default)]
pub(super) struct MonthFirst {
    /// The file, the heading, and the line and text of the first such date.
    columns: Vec<(String, String, u64, String)>,
}

impl MonthFirst {
    pub(super) fn is_found(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Looks for such dates in the `dated` columns of a row.
    pub(super) fn see(&mut self, file: &str, dated: &[&Mapped], row: &SheetRow) {
        for mapped in dated {
            let Some(cell) = row.cells.get(mapped.at).filter(|cell| is_month_first(&cell.text)) else {
                continue;
            };
            let is_known =
                self.columns.iter().any(|(own, heading, ..)| own == file && *heading == mapped.heading);
            if !is_known && self.columns.len() < SHOWN {
                let text = cell.text.trim().to_owned();
                self.columns.push((file.to_owned(), mapped.heading.clone(), row.line, text));
            }
        }
    }

    /// Returns a sentence for each column, which asks for the order.
    pub(super) fn questions(&self, lang: Lang) -> impl Iterator<Item = String> {
        self.columns.iter().map(move |(file, heading, line, text)| {
            localize!(
                lang,
                "{file}: {heading}: {text} (linha {line}) só pode ser mês/dia/ano, e as outras datas da coluna também podem ser. Escolha a “Ordem das datas”: mês/dia/ano, ou dia/mês/ano, com que as datas que não servem são recusadas (na linha de comando, --dates mdy ou --dates dmy).",
                "{file}: {heading}: {text} (line {line}) can only be month/day/year, and the other dates of the column may be so too. Choose the “Order of dates”: month/day/year, or day/month/year, with which dates that do not fit are refused (on the command line, --dates mdy or --dates dmy)."
            )
        })
    }
}

/// Returns the columns of a file that have dates.
pub(super) fn dated_columns(mapping: &Mapping) -> Vec<&Mapped> {
    let is_meant = |mapped: &&Mapped| mapped.meaning.field().is_some_and(|field| is_dated(field.ty));
    mapping.columns.iter().filter(is_meant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_can_only_be_month_first_are_found() {
        for (text, is) in [
            ("12/25/1980", true),
            ("1.13.80", true),
            ("12-31-2026 09:05", true),
            ("25/12/1980", false),
            ("12/12/1980", false),
            ("13/13/1980", false),
            ("12/32/1980", false),
            ("0/25/1980", false),
            ("1980-12-25", false),
            ("12/25", false),
            ("12/25/198", false),
        ] {
            assert_eq!(is_month_first(text), is, "{text}");
        }
        for (text, day) in [("1/2/1980", "2/1/1980"), ("12/25/2026 09:05", "25/12/2026 09:05")] {
            assert_eq!(day_first(&ReadCell::text(text)).unwrap().text, day);
        }
        assert_eq!(day_first(&ReadCell::text("1980-12-25")), None);
    }

    #[test]
    fn zeros_and_empty_masks_are_no_dates() {
        for text in [
            "00/00/0000",
            "0/0/00",
            "0000-00-00 00:00:00",
            "__/__/____",
            "  /  /    ",
            "00.00.0000",
            "00:00:00",
        ] {
            assert!(is_no_date(text), "{text}");
        }
        for text in ["01/01/0001", "0", "", "-", "00/00/2026"] {
            assert!(!is_no_date(text), "{text}");
        }
    }
}
