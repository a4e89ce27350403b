//! The reference lists as filters see them: which ids a name, a part of one, or an id means.

use crate::domain::text::fold;
use crate::store::settings::{self, Entry, List};
use crate::store::{self, Db};

/// What a person typed for an entry of a reference list: its id, its name or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named(String);

impl Named {
    /// As typed.
    pub fn new(typed: &str) -> Named {
        Named(typed.trim().to_owned())
    }
}

pub(super) struct Reference {
    lists: [Vec<Entry>; 6],
}

impl Reference {
    pub(super) fn read(db: Db<'_>) -> Result<Reference, store::Error> {
        let mut lists: [Vec<Entry>; 6] = Default::default();
        for (into, list) in lists.iter_mut().zip(List::ALL) {
            *into = settings::all(db, list)?;
        }
        Ok(Reference { lists })
    }

    fn entries(&self, list: List) -> impl Iterator<Item = &Entry> {
        self.lists.iter().zip(List::ALL).filter(move |(_, of)| *of == list).flat_map(|(entries, _)| entries)
    }

    /// The entries meant: digits are an id first, then a name; of a name every word has to be found (contract 5.2).
    pub(super) fn meant(&self, list: List, named: &Named) -> Vec<u32> {
        if let Ok(id) = named.0.parse::<u32>()
            && self.entries(list).any(|entry| entry.id == id)
        {
            return vec![id];
        }
        let key = fold(&named.0);
        let fits = |entry: &&Entry| !key.is_empty() && key.split(' ').all(|word| entry.name_key.contains(word));
        self.entries(list).filter(fits).map(|entry| entry.id).collect()
    }

    /// The entries of `list` that belong to one of those of its parent list.
    pub(super) fn of_parents(&self, list: List, parents: &[u32]) -> Vec<u32> {
        let belongs = |entry: &&Entry| entry.parent.is_some_and(|parent| parents.contains(&parent));
        self.entries(list).filter(belongs).map(|entry| entry.id).collect()
    }
}
