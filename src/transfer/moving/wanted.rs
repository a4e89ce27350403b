//! The records whose own are asked for in a later round of a move.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The records whose own are asked for, by the path below which these are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WantedOwners(BTreeMap<String, BTreeSet<u32>>);

impl WantedOwners {
    pub(super) fn add(&mut self, path: &str, id: u32) {
        self.0.entry(path.to_owned()).or_default().insert(id);
    }

    /// The ids below `before`, the highest first.
    pub(super) fn below(&self, path: &str, before: u32) -> Vec<u32> {
        self.0.get(path).map(|ids| ids.range(..before).rev().copied().collect()).unwrap_or_default()
    }
}
