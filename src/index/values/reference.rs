//! The reference lists as filters use them: resolves a name, a part of a name, or an id to entry ids.

use std::collections::BTreeMap;

use crate::domain::single_consonants;
use crate::domain::text::fold;
use crate::store::lists::{self, List};
use crate::store::{self, Db, conflicts};

/// A reference to a list entry as typed: its id, its name or a part of the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named(String);

impl Named {
    pub fn new(typed: &str) -> Named {
        Named(typed.trim().to_owned())
    }
}

/// What filters need to know of a list entry.
struct Entry {
    id: u32,
    /// The folded name.
    name_key: String,
    /// The group of a type, or the step of a stage.
    parent: Option<u32>,
}

#[derive(Default)]
pub(in crate::index) struct Reference {
    lists: [Vec<Entry>; List::ALL.len()],
    /// The origins whose customers are on the opposing side.
    opposing_origins: Vec<u32>,
}

impl Reference {
    pub(in crate::index) fn read(db: Db<'_>) -> Result<Reference, store::Error> {
        let mut lists: [Vec<Entry>; List::ALL.len()] = Default::default();
        for (into, list) in lists.iter_mut().zip(List::ALL) {
            let entries = lists::all(db, list)?.into_iter();
            *into = entries
                .map(|lists::Entry { id, name_key, parent, .. }| Entry { id, name_key, parent })
                .collect();
        }
        Ok(Reference { lists, opposing_origins: conflicts::opposing_origins(db)? })
    }

    pub(in crate::index) fn opposing_origins(&self) -> &[u32] {
        &self.opposing_origins
    }

    /// Returns the ids of a list's entries sorted by name, entries with equal names grouped.
    pub(in crate::index) fn by_name(&self, list: List) -> Vec<Vec<u32>> {
        let mut named = BTreeMap::<&str, Vec<u32>>::new();
        for entry in self.entries(list) {
            named.entry(&entry.name_key).or_default().push(entry.id);
        }
        named.into_values().collect()
    }

    fn entries(&self, list: List) -> impl Iterator<Item = &Entry> {
        self.lists.iter().zip(List::ALL).filter(move |(_, of)| *of == list).flat_map(|(entries, _)| entries)
    }

    /// Returns the entries meant. Digits are tried as an id first, then as a name. A whole name means only
    /// its own entry; of a partial name every word must match (contract 5.2).
    pub(in crate::index) fn meant(&self, list: List, named: &Named) -> Vec<u32> {
        first_known([self.with_id(list, named), self.named(list, named), self.partly_named(list, named)])
    }

    pub(in crate::index) fn with_id(&self, list: List, named: &Named) -> Vec<u32> {
        // Digits only: `parse` would accept `+1` too.
        let digits = named.0.bytes().all(|byte| byte.is_ascii_digit());
        let id = named.0.parse::<u32>().ok().filter(|_| digits);
        self.entries(list).filter(|entry| Some(entry.id) == id).map(|entry| entry.id).collect()
    }

    /// Returns the entries with that whole name.
    pub(in crate::index) fn named(&self, list: List, named: &Named) -> Vec<u32> {
        let key = fold(&named.0);
        self.entries(list).filter(|entry| entry.name_key == key).map(|entry| entry.id).collect()
    }

    /// Returns the entries whose names contain every word.
    pub(in crate::index) fn partly_named(&self, list: List, named: &Named) -> Vec<u32> {
        let key = fold(&named.0);
        let fits =
            |entry: &&Entry| !key.is_empty() && key.split(' ').all(|word| entry.name_key.contains(word));
        self.entries(list).filter(fits).map(|entry| entry.id).collect()
    }

    /// Returns the entries with a name in which a word begins with `start`. Doubled consonants count as one.
    pub(in crate::index) fn beginning(&self, list: List, start: &str) -> Vec<u32> {
        let start = single_consonants(start);
        let begins = |entry: &&Entry| {
            entry.name_key.split(' ').any(|word| single_consonants(word).starts_with(&*start))
        };
        self.entries(list).filter(begins).map(|entry| entry.id).collect()
    }

    /// Returns the entries of `list` that belong to one of these parents.
    pub(in crate::index) fn belonging(&self, list: List, parents: &[u32]) -> Vec<u32> {
        let belongs = |entry: &&Entry| entry.parent.is_some_and(|parent| parents.contains(&parent));
        self.entries(list).filter(belongs).map(|entry| entry.id).collect()
    }
}

/// Returns the first result that is not empty.
pub(in crate::index) fn first_known<const N: usize>(tries: [Vec<u32>; N]) -> Vec<u32> {
    tries.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
}
