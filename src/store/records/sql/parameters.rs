//! The parameters of the statements that write records.

use crate::records::{Source, Table};

/// Returns the parameter with this number, counted from 1.
pub(super) fn parameter(at: usize) -> String {
    ["?", &at.to_string()].concat()
}

/// Returns the SQL expressions for the values of columns, bound in the order of the columns. A court that the process
/// number names is not stored, so that it follows the number (day 37).
pub(in crate::store) fn parameters(table: &Table, columns: &[&str]) -> Vec<String> {
    let bound = |column: &str| columns.iter().position(|other| *other == column).map(|at| parameter(at + 1));
    let expression = |column: &&str| {
        let own = bound(column).unwrap_or_default();
        match table.field(column).and_then(|field| field.fallback_source) {
            Some(Source::CourtOf(number)) => {
                ["nullif(", &own, " COLLATE NOCASE, court_of(", &bound(number).unwrap_or_default(), "))"]
                    .concat()
            }
            _ => own,
        }
    };
    columns.iter().map(expression).collect()
}
