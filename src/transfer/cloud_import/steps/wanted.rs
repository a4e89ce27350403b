//! The owners to be queried in a later round of a move.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Ids of the owners whose records are requested, by the path that lists these records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transfer::cloud_import) struct WantedOwners(BTreeMap<String, BTreeSet<u32>>);

impl WantedOwners {
    pub(in crate::transfer::cloud_import) fn add(&mut self, path: &str, id: u32) {
        self.0.entry(path.to_owned()).or_default().insert(id);
    }

    /// Returns the ids less than `before`, the highest first.
    pub(in crate::transfer::cloud_import) fn below(&self, path: &str, before: u32) -> Vec<u32> {
        self.0.get(path).map(|ids| ids.range(..before).rev().copied().collect()).unwrap_or_default()
    }
}
