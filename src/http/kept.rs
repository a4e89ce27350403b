//! Records as JSON, kept for as long as nobody writes: who asks for one again waits for no store thread, and a page that
//! holds it need not read it.
//!
//! Nothing has to be told what became wrong. Everything here was read in one state of the store (or in a later one, which
//! then is the state that nobody asks for here), and goes as a whole once the store is in another, whoever wrote.

use std::collections::HashMap;
use std::mem;

use bytes::Bytes;
use parking_lot::Mutex;

use crate::store::State;

/// How many bytes of records each of the two halves may hold: some thousands of them.
const HALF: usize = 4 * 1024 * 1024;
/// About what a record takes beside its JSON: its place in the map, and what the allocator adds.
const BESIDE: usize = 128;

/// What a record is, and its id.
pub(super) type Key = (&'static str, u32);

#[derive(Default)]
pub(super) struct Kept(Mutex<Records>);

#[derive(Default)]
struct Records {
    state: Option<State>,
    /// Those that were asked for last.
    young: HashMap<Key, Bytes>,
    /// Those that were young when that half was full: what nobody asks for again goes with the next time.
    old: HashMap<Key, Bytes>,
    /// Of the young ones.
    bytes: usize,
}

impl Kept {
    /// The records of that kind with those ids, as they are in that state; none for one that is not kept.
    pub(super) fn find(&self, state: State, kind: &'static str, ids: &[u32]) -> Vec<Option<Bytes>> {
        let mut records = self.0.lock();
        records.turn_to(state);
        ids.iter().map(|id| records.find((kind, *id))).collect()
    }

    /// Keeps records of that kind. `state` was asked for before they were read.
    pub(super) fn keep(&self, state: State, kind: &'static str, read: &[(u32, Bytes)]) {
        let mut records = self.0.lock();
        if records.state == Some(state) {
            for (id, json) in read {
                records.add((kind, *id), json.clone());
            }
        }
    }
}

impl Records {
    fn turn_to(&mut self, state: State) {
        if self.state != Some(state) {
            *self = Records { state: Some(state), ..Records::default() };
        }
    }

    fn find(&mut self, key: Key) -> Option<Bytes> {
        if let Some(json) = self.young.get(&key) {
            return Some(json.clone());
        }
        let json = self.old.remove(&key)?;
        self.add(key, json.clone());
        Some(json)
    }

    fn add(&mut self, key: Key, json: Bytes) {
        let size = json.len() + BESIDE;
        if self.bytes + size > HALF {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(key, json).is_none() {
            self.bytes += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{self, Store};

    fn json(size: usize) -> Bytes {
        Bytes::from(vec![b' '; size])
    }

    /// The length of the record that is kept under that id.
    fn found(kept: &Kept, state: State, id: u32) -> Option<usize> {
        kept.find(state, "Customer", &[id])[0].as_ref().map(Bytes::len)
    }

    #[test]
    fn a_record_is_found_until_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let (store, kept) = (Store::open(folder.path()).unwrap(), Kept::default());
        let first = store.state().unwrap();
        assert_eq!(found(&kept, first, 7), None);
        kept.keep(first, "Customer", &[(7, json(1))]);
        assert_eq!(found(&kept, store.state().unwrap(), 7), Some(1));
        assert!(kept.find(first, "Lawsuit", &[7])[0].is_none(), "of another kind");

        let other = Store::open(folder.path()).unwrap();
        let mut before = first;
        for writer in [&store, &other] {
            writer.write(store::try_write).unwrap();
            let now = store.state().unwrap();
            assert_ne!(now, before);
            assert_eq!(found(&kept, now, 7), None);
            // Read before the write, and late with it.
            kept.keep(before, "Customer", &[(7, json(2))]);
            assert_eq!(found(&kept, now, 7), None);
            kept.keep(now, "Customer", &[(7, json(3))]);
            assert_eq!(found(&kept, now, 7), Some(3));
            before = now;
        }
        assert_ne!(other.state().unwrap(), store.state().unwrap(), "each counts for itself");
    }

    #[test]
    fn what_is_asked_for_stays_and_memory_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let (store, kept) = (Store::open(folder.path()).unwrap(), Kept::default());
        let state = store.state().unwrap();
        assert_eq!(found(&kept, state, 0), None);
        kept.keep(state, "Customer", &[(0, json(1))]);
        for id in 1..100 {
            // Twice the same counts once.
            kept.keep(state, "Customer", &[(id, json(HALF / 10)), (id, json(HALF / 10))]);
            assert_eq!(found(&kept, state, 0), Some(1), "{id}");
            let records = kept.0.lock();
            let held = records.young.values().chain(records.old.values()).map(Bytes::len).sum::<usize>();
            assert!(held <= 2 * HALF && records.bytes <= HALF, "{held}");
        }
        assert!(found(&kept, state, 99).is_some() && found(&kept, state, 1).is_none());
    }
}
