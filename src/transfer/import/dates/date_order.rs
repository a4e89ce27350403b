//! The order of day and month in a column: one value that can only be month first (`12/25/1980`) shows that the others
//! may be so too (`01/02/1980`).

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::transfer::import::column_mapping::{MappedColumn, Mapping};
use crate::transfer::import::dates::{is_dated, numeric_parts};
use crate::transfer::import::sheet::SheetRow;

/// Maximum number of columns that the user is shown.
const MAX_COLUMNS: usize = 20;

/// Returns `true` if a date can only have its month first.
fn is_month_first(text: &str) -> bool {
    let parts = numeric_parts(text).map(|([one, two, _], _)| [one, two].map(|part| part.parse::<u16>().ok()));
    matches!(parts, Some([Some(1..=12), Some(13..=31)]))
}

/// The columns with dates that can only be month first, while the user has not chosen an order.
#[derive(Default)]
pub(in crate::transfer::import) struct MonthFirst {
    /// The file, the heading, and the line and text of the first such date.
    columns: Vec<(String, String, u64, String)>,
}

impl MonthFirst {
    pub(in crate::transfer::import) fn is_found(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Looks for such dates in the `dated` columns of a row.
    pub(in crate::transfer::import) fn see(&mut self, file: &str, dated: &[&MappedColumn], row: &SheetRow) {
        for mapped in dated {
            let Some(cell) = row.cells.get(mapped.at).filter(|cell| is_month_first(&cell.text)) else {
                continue;
            };
            let is_known =
                self.columns.iter().any(|(own, heading, ..)| own == file && *heading == mapped.heading);
            if !is_known && self.columns.len() < MAX_COLUMNS {
                let text = cell.text.trim().to_owned();
                self.columns.push((file.to_owned(), mapped.heading.clone(), row.line, text));
            }
        }
    }

    /// Returns a sentence for each column, which asks for the order.
    pub(in crate::transfer::import) fn questions(&self, lang: Lang) -> impl Iterator<Item = String> {
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
pub(in crate::transfer::import) fn dated_columns(mapping: &Mapping) -> Vec<&MappedColumn> {
    let is_meant = |mapped: &&MappedColumn| mapped.meaning.field().is_some_and(|field| is_dated(field.ty));
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
    }
}
