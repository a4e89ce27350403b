//! The reference lists as filters see them: which ids a name, a part of one, or an id means.

use std::collections::BTreeMap;

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

#[derive(Default)]
pub(super) struct Reference {
    lists: [Vec<Entry>; List::ALL.len()],
}

impl Reference {
    pub(super) fn read(db: Db<'_>) -> Result<Reference, store::Error> {
        let mut lists: [Vec<Entry>; List::ALL.len()] = Default::default();
        for (into, list) in lists.iter_mut().zip(List::ALL) {
            *into = settings::all(db, list)?;
        }
        Ok(Reference { lists })
    }

    /// The entries of a list by name; those of the same name together.
    pub(super) fn by_name(&self, list: List) -> Vec<Vec<u32>> {
        let mut named = BTreeMap::<String, Vec<u32>>::new();
        for entry in self.entries(list) {
            named.entry(fold(entry.name.as_str())).or_default().push(entry.id);
        }
        named.into_values().collect()
    }

    fn entries(&self, list: List) -> impl Iterator<Item = &Entry> {
        self.lists.iter().zip(List::ALL).filter(move |(_, of)| *of == list).flat_map(|(entries, _)| entries)
    }

    /// The entries meant: digits are an id first, then a name; a whole name means its own entry only, of a part every
    /// word has to be found (contract 5.2).
    pub(super) fn meant(&self, list: List, named: &Named) -> Vec<u32> {
        first_known([self.with_id(list, named), self.named(list, named), self.partly_named(list, named)])
    }

    /// The entry with that id.
    pub(super) fn with_id(&self, list: List, named: &Named) -> Vec<u32> {
        // Digits only: parsing alone would take `+1` too.
        let digits = named.0.bytes().all(|byte| byte.is_ascii_digit());
        let id = named.0.parse::<u32>().ok().filter(|_| digits);
        self.entries(list).filter(|entry| Some(entry.id) == id).map(|entry| entry.id).collect()
    }

    /// The entry with that whole name.
    pub(super) fn named(&self, list: List, named: &Named) -> Vec<u32> {
        let key = fold(&named.0);
        self.entries(list).filter(|entry| entry.name_key == key).map(|entry| entry.id).collect()
    }

    /// The entries in whose names every word is found.
    pub(super) fn partly_named(&self, list: List, named: &Named) -> Vec<u32> {
        let key = fold(&named.0);
        let fits =
            |entry: &&Entry| !key.is_empty() && key.split(' ').all(|word| entry.name_key.contains(word));
        self.entries(list).filter(fits).map(|entry| entry.id).collect()
    }

    /// The entries of whose names a word begins so.
    pub(super) fn beginning(&self, list: List, start: &str) -> Vec<u32> {
        let begins = |entry: &&Entry| entry.name_key.split(' ').any(|word| word.starts_with(start));
        self.entries(list).filter(begins).map(|entry| entry.id).collect()
    }

    /// The entries of `list` that belong to one of these.
    pub(super) fn belonging(&self, list: List, parents: &[u32]) -> Vec<u32> {
        let belongs = |entry: &&Entry| entry.parent.is_some_and(|parent| parents.contains(&parent));
        self.entries(list).filter(belongs).map(|entry| entry.id).collect()
    }
}

/// The first that knows any.
pub(super) fn first_known<const N: usize>(tries: [Vec<u32>; N]) -> Vec<u32> {
    tries.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
}
