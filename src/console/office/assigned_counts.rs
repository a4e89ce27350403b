//! A cache of the number of tasks that are new for a person, which every page shows.

use std::collections::HashMap;

use parking_lot::Mutex;

/// The numbers by person, each with the version of the store in which it was counted.
#[derive(Default)]
pub(in crate::console) struct AssignedCounts(Mutex<HashMap<u32, (u64, u64)>>);

impl AssignedCounts {
    pub fn find(&self, person: u32, version: u64) -> Option<u64> {
        self.0.lock().get(&person).filter(|(counted_in, _)| *counted_in == version).map(|(_, count)| *count)
    }

    pub fn keep(&self, person: u32, version: u64, count: u64) {
        self.0.lock().insert(person, (version, count));
    }
}
