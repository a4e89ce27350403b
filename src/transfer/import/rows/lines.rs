//! Keeps the row of each record of an import, so that a second row of the same record can be reported.

use std::collections::HashMap;

/// The first line of each record, by the index of its table and its id. Takes some 24 bytes a row.
#[derive(Default)]
pub(super) struct RecordLines(HashMap<(usize, u32), u64>);

impl RecordLines {
    /// Notes the row of a record. Returns the line of the record's first row if that is another one.
    pub(super) fn insert(&mut self, id: u32, line: u64, table: usize) -> Option<u64> {
        let first = *self.0.entry((table, id)).or_insert(line);
        (first != line).then_some(first)
    }

    pub(super) fn has(&self, id: u32, table: usize) -> bool {
        self.0.contains_key(&(table, id))
    }
}
