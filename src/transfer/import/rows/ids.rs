//! What the ids of the files stand for here: exports have the id of each record, and other sheets link by it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::records::Kind;

/// The ids of the records in the files of an import.
#[derive(Default)]
pub(super) struct FileIds {
    kinds: BTreeMap<Kind, KindIds>,
    /// How records were known before this import changed them, by which other rows may still call them.
    former: HashMap<(Kind, u32), Vec<String>>,
}

/// The ids of one kind of records.
#[derive(Default)]
struct KindIds {
    /// The number of the file that they stand in.
    file: usize,
    /// `true` if several files have such ids: those of one office are not those of another one.
    is_ambiguous: bool,
    /// The record here, or `None` if the row was refused.
    records: HashMap<u32, Option<u32>>,
    /// The records here that a row with an id already is.
    taken: HashSet<u32>,
}

impl FileIds {
    /// Begins a table of the file with that number.
    pub(super) fn begin(&mut self, kind: Kind, file: usize) {
        let is_new = !self.kinds.contains_key(&kind);
        let own = self.kinds.entry(kind).or_insert_with(|| KindIds { file, ..KindIds::default() });
        if !is_new && own.file != file {
            *own = KindIds { file, is_ambiguous: true, ..KindIds::default() };
        }
    }

    /// Notes an id of the file. Returns `false` if it came before.
    pub(super) fn note(&mut self, kind: Kind, id: u32) -> bool {
        self.kinds.get_mut(&kind).is_none_or(|own| own.records.insert(id, None).is_none())
    }

    /// Notes which record here the row with that id is.
    pub(super) fn is_record(&mut self, kind: Kind, id: u32, record: u32) {
        if let Some(own) = self.kinds.get_mut(&kind) {
            own.records.insert(id, Some(record));
            own.taken.insert(record);
        }
    }

    /// Returns the record here that an id in the file with that number stands for.
    pub(super) fn record(&self, kind: Kind, id: u32, file: usize) -> Option<u32> {
        let own = self.kinds.get(&kind)?;
        if own.is_ambiguous && own.file != file {
            return None;
        }
        own.records.get(&id).copied().flatten()
    }

    /// Returns `true` if a row with an id already is that record.
    pub(super) fn is_taken(&self, kind: Kind, record: u32) -> bool {
        self.kinds.get(&kind).is_some_and(|own| own.taken.contains(&record))
    }

    /// Notes how a record was known before it was changed.
    pub(super) fn was_called(&mut self, kind: Kind, record: u32, names: impl IntoIterator<Item = String>) {
        self.former.entry((kind, record)).or_default().extend(names);
    }

    /// Returns how a record was known before it was changed.
    pub(super) fn former(&self, kind: Kind, record: u32) -> &[String] {
        self.former.get(&(kind, record)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_two_files_are_not_mixed() {
        let (kind, mut ids) = (Kind::Customer, FileIds::default());
        ids.begin(kind, 0);
        assert!(ids.note(kind, 5) && !ids.note(kind, 5));
        ids.is_record(kind, 5, 12);
        assert_eq!(ids.record(kind, 5, 1), Some(12), "another file of the same export links to it");
        assert!(ids.is_taken(kind, 12) && !ids.is_taken(kind, 5));
        ids.begin(kind, 0);
        assert_eq!(ids.record(kind, 5, 0), Some(12), "a second sheet goes on");
        ids.begin(kind, 1);
        assert!(!ids.is_taken(kind, 12));
        assert!(ids.note(kind, 5));
        ids.is_record(kind, 5, 13);
        assert_eq!(ids.record(kind, 5, 1), Some(13));
        assert_eq!(ids.record(kind, 5, 2), None, "either of the two may be meant");
    }
}
