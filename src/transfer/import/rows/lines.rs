//! Which row of the files each record of an import is, so that two rows of one record are shown.

use std::collections::HashMap;

/// The first line of each record, by the number of its table and its id: some 24 bytes a row.
#[derive(Default)]
pub(super) struct RecordLines(HashMap<(usize, u32), u64>);

impl RecordLines {
    /// Notes that a row is a record. Returns the line of the first row that is the same one.
    pub(super) fn insert(&mut self, id: u32, line: u64, table: usize) -> Option<u64> {
        let first = *self.0.entry((table, id)).or_insert(line);
        (first != line).then_some(first)
    }

    /// `true` if a row is that record already.
    pub(super) fn has(&self, id: u32, table: usize) -> bool {
        self.0.contains_key(&(table, id))
    }
}
