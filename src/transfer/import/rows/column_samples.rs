//! Collects the first values of each column, so that the user can recognize the columns.

use crate::api::console_pages::cut;
use crate::transfer::import::ColumnReport;
use crate::transfer::import::column_mapping::{IgnoredReason, Mapping};
use crate::transfer::import::sheet::SheetRow;

/// Maximum number of different values per column. [`CHARACTERS`] is the maximum length of each.
const SAMPLES: usize = 3;
const CHARACTERS: usize = 40;
/// Number of rows after which only the first value of a column without any is collected.
const ROWS: usize = 200;

pub(super) struct ColumnSamples {
    samples: Vec<Vec<String>>,
    rows: usize,
}

impl ColumnSamples {
    pub(super) fn of(mapping: &Mapping) -> ColumnSamples {
        ColumnSamples { samples: vec![Vec::new(); mapping.headings.len()], rows: 0 }
    }

    pub(super) fn see(&mut self, row: &SheetRow) {
        self.rows += 1;
        let most = if self.rows > ROWS { 1 } else { SAMPLES };
        for (own, cell) in self.samples.iter_mut().zip(&row.cells) {
            let text = cell.text.trim();
            if own.len() < most && !text.is_empty() {
                let text = cut(text, CHARACTERS);
                if !own.contains(&text) {
                    own.push(text);
                }
            }
        }
    }

    /// Returns the headings of the columns that the import does not use, or the letters of those without a heading.
    /// Omits columns without a heading and without values.
    pub(super) fn ignored(&self, mapping: &Mapping) -> Vec<String> {
        let is_filled = |at: usize| self.samples.get(at).is_some_and(|samples| !samples.is_empty());
        let left = mapping.left.iter().filter(|own| !own.is_kept);
        let left = left.filter(|own| {
            matches!(
                own.why,
                IgnoredReason::Unknown
                    | IgnoredReason::Chosen
                    | IgnoredReason::Derived
                    | IgnoredReason::Secret
            )
        });
        left.filter(|own| mapping.is_named(own.at) || is_filled(own.at))
            .map(|own| own.heading.clone())
            .collect()
    }

    /// Returns the columns in file order. Omits columns without a heading and without values. `notes` is the
    /// member that keeps values no other member accepts.
    pub(super) fn report(self, mapping: &Mapping, notes: &str) -> Vec<ColumnReport> {
        let column = |(at, samples): (usize, Vec<String>)| {
            if let Some(own) = mapping.columns.iter().find(|own| own.at == at) {
                let heading = own.heading.clone();
                let member = own.meaning.member().to_owned();
                let is_chosen = own.is_chosen();
                let said_by = None;
                let is_secret = false;
                return Some(ColumnReport { heading, member, said_by, is_chosen, is_secret, samples });
            }
            let left = mapping.left.iter().find(|own| own.at == at)?;
            let samples = if left.why == IgnoredReason::Secret { Vec::new() } else { samples };
            let said_by = match &left.why {
                IgnoredReason::Filled(other) => Some(other.clone()),
                _ => None,
            };
            let member = if left.is_kept { notes } else { "" }.to_owned();
            let heading = left.heading.clone();
            let is_chosen = left.why == IgnoredReason::Chosen;
            (mapping.is_named(at) || !samples.is_empty()).then_some(ColumnReport {
                heading,
                member,
                said_by,
                is_chosen,
                is_secret: left.why == IgnoredReason::Secret,
                samples,
            })
        };
        self.samples.into_iter().enumerate().filter_map(column).collect()
    }
}
