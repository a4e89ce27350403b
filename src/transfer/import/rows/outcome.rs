//! What became of rows, and how it is reported.

use crate::api::pages::cut;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::import::{FileReport, RowOutcome, ShownRow};

/// So many rows of each sort are told; all that are refused stand in the file of `--refused`.
pub(super) const TOLD: u64 = 200;
/// So much of a row is told: cells, and characters.
const CELLS: usize = 4;
const CHARACTERS: usize = 120;
/// Why a cell is refused.
pub(super) struct WrongCell {
    pub(super) heading: String,
    pub(super) member: &'static str,
    pub(super) why: String,
}

/// What became of a row, with the record's id.
pub(super) enum Became {
    Created(u32),
    Matched(u32),
    Updated(u32),
    /// With that record in words.
    InTrash(u32, String),
    Refused(RowRefusal),
}

impl Became {
    pub(super) fn record(&self) -> Option<u32> {
        match self {
            Became::Created(id) | Became::Matched(id) | Became::Updated(id) | Became::InTrash(id, _) => {
                Some(*id)
            }
            Became::Refused(_) => None,
        }
    }
}

/// Why a row is refused.
#[derive(Default)]
pub(super) struct RowRefusal {
    /// What is wrong with it.
    pub(super) own: Vec<String>,
    /// What is missing in all rows, and told once for all of them.
    pub(super) missing: Vec<String>,
}

impl From<String> for RowRefusal {
    fn from(why: String) -> RowRefusal {
        RowRefusal { own: vec![why], missing: Vec::new() }
    }
}

/// Notes what became of a row. `said` is what its id is here, or which other row is the same record.
pub(super) fn count(report: &mut FileReport, row: &SheetRow, became: Became, said: String) {
    let id = became.record();
    let (count, outcome) = match became {
        Became::Created(_) => (&mut report.created, RowOutcome::Created),
        Became::Matched(_) => (&mut report.matched, RowOutcome::Matched),
        Became::Updated(_) => (&mut report.updated, RowOutcome::Updated),
        Became::InTrash(..) => (&mut report.in_trash, RowOutcome::InTrash),
        Became::Refused(_) => (&mut report.refused, RowOutcome::Refused),
    };
    *count += 1;
    let is_shown = *count <= TOLD;
    let why = match became {
        Became::Refused(why) => why.own.join("; "),
        Became::InTrash(_, record) => record,
        Became::Created(_) | Became::Matched(_) | Became::Updated(_) => said,
    };
    match outcome {
        RowOutcome::Refused if why.is_empty() => report.incomplete += 1,
        RowOutcome::Refused if (report.refusals.len() as u64) < TOLD => {
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
