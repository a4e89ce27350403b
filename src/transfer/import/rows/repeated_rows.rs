//! Rows of one import that name the same record with different values: with `--update`, the last filled value of each
//! member counts. The rows are imported once and, if some contradict each other, once more with these values. So no
//! record gets a value that a later row replaces, and the same files change nothing the next time.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::RowFields;
use crate::store::Tx;
use crate::transfer::import::RowsReport;
use crate::transfer::prelude::*;
use crate::transfer::savepoint::keep_if;

#[derive(Default)]
pub(super) struct LastValues {
    /// The values of the second and further rows of a record, by the index of its table and its id.
    values: HashMap<(usize, u32), BTreeMap<&'static str, String>>,
    /// The refused rows, by the index of their file and their line. They do not get the values of others.
    refused: HashSet<(usize, u64)>,
    has_contradiction: bool,
    is_complete: bool,
}

impl LastValues {
    /// Imports all rows with `run`. If it returns `None`, undoes that and runs it again with the last values. Only an
    /// update, which replaces values, can return it.
    pub(super) fn settle(
        tx: Tx<'_>,
        is_update: bool,
        run: impl Fn(&mut LastValues) -> Result<Option<RowsReport>>,
    ) -> Result<RowsReport> {
        let mut last = LastValues::default();
        // A savepoint of very many rows has its price.
        let first = match is_update {
            true => keep_if(tx, Option::is_some, || run(&mut last))?,
            false => run(&mut last)?,
        };
        if let Some(report) = first {
            return Ok(report);
        }
        last.is_complete = true;
        let defect = || TransferError::Defect("an import was begun a third time".to_owned());
        run(&mut last)?.ok_or_else(defect)
    }

    /// Notes a later row of a record and whether it has changed the record.
    pub(super) fn note(&mut self, table: usize, id: u32, fields: RowFields, is_changed: bool) {
        if !self.is_complete {
            self.values.entry((table, id)).or_default().extend(fields);
            self.has_contradiction |= is_changed;
        }
    }

    /// Notes a row of a record that was refused for its own values.
    pub(super) fn note_refused(&mut self, file: usize, line: u64) {
        self.refused.insert((file, line));
    }

    /// Replaces the values of a row by those of the record's last rows, once these are known.
    pub(super) fn replace(&self, table: usize, id: u32, row: (usize, u64), fields: &mut RowFields) {
        let is_replaced = self.is_complete && !self.refused.contains(&row);
        let Some(last) = self.values.get(&(table, id)).filter(|_| is_replaced) else { return };
        for (member, text) in fields {
            if let Some(last) = last.get(member) {
                text.clone_from(last);
            }
        }
    }

    /// `true` if the rows have to be imported once more.
    pub(super) fn has_contradiction(&self) -> bool {
        self.has_contradiction && !self.is_complete
    }
}
