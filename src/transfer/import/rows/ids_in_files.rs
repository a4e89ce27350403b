//! The records that rows stand for: by the ids in the files, which exports have and other sheets link by, and by line.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::records::Kind;

#[derive(Default)]
pub(super) struct FileIds {
    kinds: BTreeMap<Kind, KindIds>,
    /// Names and numbers of records before this import changed them, which other rows may still use.
    former: HashMap<(Kind, u32), Vec<String>>,
}

#[derive(Default)]
struct KindIds {
    file: usize,
    /// `true` if several files have ids of this kind, which may come from different offices.
    is_ambiguous: bool,
    /// The record here by the id in the file, or `None` if the row was refused.
    records: HashMap<u32, Option<u32>>,
    /// The records here that a row with an id already stands for.
    taken: HashSet<u32>,
}

impl FileIds {
    pub(super) fn begin(&mut self, kind: Kind, file: usize) {
        let is_new = !self.kinds.contains_key(&kind);
        let own = self.kinds.entry(kind).or_insert_with(|| KindIds { file, ..KindIds::default() });
        if !is_new && own.file != file {
            *own = KindIds { file, is_ambiguous: true, ..KindIds::default() };
        }
    }

    /// Notes an id of the file. Returns `false` if the id occurred before.
    pub(super) fn note(&mut self, kind: Kind, id: u32) -> bool {
        self.kinds.get_mut(&kind).is_none_or(|own| own.records.insert(id, None).is_none())
    }

    /// Notes the record here that the row with this id stands for.
    pub(super) fn note_record(&mut self, kind: Kind, id: u32, record: u32) {
        if let Some(own) = self.kinds.get_mut(&kind) {
            own.records.insert(id, Some(record));
            own.taken.insert(record);
        }
    }

    /// Returns the record here that an id in the file with index `file` stands for.
    pub(super) fn record(&self, kind: Kind, id: u32, file: usize) -> Option<u32> {
        let own = self.kinds.get(&kind)?;
        if own.is_ambiguous && own.file != file {
            return None;
        }
        own.records.get(&id).copied().flatten()
    }

    pub(super) fn is_taken(&self, kind: Kind, record: u32) -> bool {
        self.kinds.get(&kind).is_some_and(|own| own.taken.contains(&record))
    }

    pub(super) fn note_former_names(
        &mut self,
        kind: Kind,
        record: u32,
        names: impl IntoIterator<Item = String>,
    ) {
        self.former.entry((kind, record)).or_default().extend(names);
    }

    pub(super) fn former(&self, kind: Kind, record: u32) -> &[String] {
        self.former.get(&(kind, record)).map(Vec::as_slice).unwrap_or_default()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_two_files_are_not_mixed() {
        let kind = Kind::Customer;
        let mut ids = FileIds::default();
        ids.begin(kind, 0);
        assert!(ids.note(kind, 5) && !ids.note(kind, 5));
        ids.note_record(kind, 5, 12);
        assert_eq!(ids.record(kind, 5, 1), Some(12), "another file of the same export links to it");
        assert!(ids.is_taken(kind, 12) && !ids.is_taken(kind, 5));
        ids.begin(kind, 0);
        assert_eq!(ids.record(kind, 5, 0), Some(12), "a second sheet of the same file keeps the ids");
        ids.begin(kind, 1);
        assert!(!ids.is_taken(kind, 12));
        assert!(ids.note(kind, 5));
        ids.note_record(kind, 5, 13);
        assert_eq!(ids.record(kind, 5, 1), Some(13));
        assert_eq!(ids.record(kind, 5, 2), None, "the id is ambiguous between the two files");
    }
}
