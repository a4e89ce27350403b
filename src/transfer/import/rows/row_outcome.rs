//! The outcome of a row, and its entry in the report.

use crate::api::console_pages::cut;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::import::{FileReport, RowOutcome, ShownRow};

/// Maximum number of rows of each outcome in the report. The file of `--refused` has all refused rows.
pub(super) const MAX_EXAMPLES: u64 = 200;
/// Number of cells of a row that the report shows, cut to [`CHARACTERS`] characters in all.
const CELLS: usize = 4;
const CHARACTERS: usize = 120;
pub(super) struct WrongCell {
    pub(super) heading: String,
    pub(super) member: &'static str,
    pub(super) why: String,
}

pub(super) enum ImportedRow {
    Created(u32),
    Matched(u32),
    Updated(u32),
    /// The id, and a text that names the record.
    InTrash(u32, String),
    /// No record, and why not.
    Skipped(&'static str),
    Refused(RowRefusal),
}

impl ImportedRow {
    pub(super) fn record(&self) -> Option<u32> {
        match self {
            ImportedRow::Created(id)
            | ImportedRow::Matched(id)
            | ImportedRow::Updated(id)
            | ImportedRow::InTrash(id, _) => Some(*id),
            ImportedRow::Skipped(_) | ImportedRow::Refused(_) => None,
        }
    }
}

#[derive(Default)]
pub(super) struct RowRefusal {
    pub(super) own: Vec<String>,
    /// Members that are missing in all rows, which the report mentions only once.
    pub(super) missing: Vec<String>,
}

impl From<String> for RowRefusal {
    fn from(why: String) -> RowRefusal {
        RowRefusal { own: vec![why], missing: Vec::new() }
    }
}

/// Adds the outcome of a row to the report. `note` is a text on the row's id or on the earlier row of the record.
pub(super) fn count(report: &mut FileReport, row: &SheetRow, became: ImportedRow, note: String) {
    let id = became.record();
    let (count, outcome) = match became {
        ImportedRow::Created(_) => (&mut report.created, RowOutcome::Created),
        ImportedRow::Matched(_) => (&mut report.matched, RowOutcome::Matched),
        ImportedRow::Updated(_) => (&mut report.updated, RowOutcome::Updated),
        ImportedRow::InTrash(..) => (&mut report.in_trash, RowOutcome::InTrash),
        ImportedRow::Skipped(_) => (&mut report.skipped, RowOutcome::Skipped),
        ImportedRow::Refused(_) => (&mut report.refused, RowOutcome::Refused),
    };
    *count += 1;
    let is_shown = *count <= MAX_EXAMPLES;
    let why = match became {
        ImportedRow::Refused(why) => why.own.join("; "),
        ImportedRow::InTrash(_, record) => record,
        ImportedRow::Skipped(why) => why.to_owned(),
        ImportedRow::Created(_) | ImportedRow::Matched(_) | ImportedRow::Updated(_) => note,
    };
    match outcome {
        RowOutcome::Refused if why.is_empty() => report.incomplete += 1,
        RowOutcome::Refused if (report.refusals.len() as u64) < MAX_EXAMPLES => {
            report.refusals.push((row.line, why.clone()));
        }
        _ => {}
    }
    if !is_shown {
        return;
    }
    let cells = row.cells.iter().map(|cell| cell.text.trim()).filter(|text| !text.is_empty());
    let text = cut(&cells.take(CELLS).collect::<Vec<_>>().join(" · "), CHARACTERS);
    report.rows.push(ShownRow { line: row.line, outcome, text, why, id });
}
