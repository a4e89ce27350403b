//! One optional small key for each record (an origin, a type, a month of birth) and the records of each key.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::union::Union;

/// The records that have one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfEntry {
    pub total: u64,
    /// The one with the lowest id.
    pub first: Option<u32>,
}

/// The records by their key. Suitable for a few hundred distinct keys: a change searches every bucket for the
/// record's old key.
#[derive(Default)]
pub struct Buckets {
    by_key: BTreeMap<u32, RoaringBitmap>,
    /// The records that have a key, so that a new record needs no search through the buckets.
    all: RoaringBitmap,
}

impl Buckets {
    /// Replaces the record's key. `None` removes it.
    pub fn set(&mut self, id: u32, key: Option<u32>) {
        let old = self.key_of(id);
        if old == key {
            return;
        }
        if let Some(old) = old
            && let Some(ids) = self.by_key.get_mut(&old)
        {
            ids.remove(id);
            if ids.is_empty() {
                self.by_key.remove(&old);
            }
        }
        match key {
            Some(key) => {
                self.by_key.entry(key).or_default().insert(id);
                self.all.insert(id);
            }
            None => {
                self.all.remove(id);
            }
        }
    }

    pub fn key_of(&self, id: u32) -> Option<u32> {
        if !self.all.contains(id) {
            return None;
        }
        self.by_key.iter().find(|(_, ids)| ids.contains(id)).map(|(key, _)| *key)
    }

    /// Returns each key with those of these records that have it.
    pub fn each_of<'b>(&'b self, ids: &'b RoaringBitmap) -> impl Iterator<Item = (u32, RoaringBitmap)> + 'b {
        self.by_key.iter().map(move |(key, own)| (*key, own & ids))
    }

    pub fn any_of(&self, keys: impl IntoIterator<Item = u32>) -> Cow<'_, RoaringBitmap> {
        let mut union = Union::default();
        keys.into_iter().filter_map(|key| self.by_key.get(&key)).for_each(|ids| union.add_bitmap(ids));
        union.into_bitmap()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((1u32..40, prop::option::of(0u32..6)), 0..120),
            query in prop::collection::vec(0u32..7, 0..4),
        ) {
            let mut buckets = Buckets::default();
            let mut naive = BTreeMap::new();
            for (id, key) in sets {
                buckets.set(id, key);
                naive.insert(id, key);
            }
            let with = |wanted: &dyn Fn(u32) -> bool| -> RoaringBitmap {
                naive.iter().filter(|(_, key)| key.is_some_and(wanted)).map(|(id, _)| *id).collect()
            };
            for key in 0..7 {
                let expected = with(&|held| held == key);
                prop_assert_eq!(buckets.by_key.contains_key(&key), !expected.is_empty());
                prop_assert_eq!(buckets.any_of([key]).into_owned(), expected);
            }
            prop_assert_eq!(buckets.any_of(query.clone()).into_owned(), with(&|held| query.contains(&held)));
            let among = RoaringBitmap::from_iter(10..30);
            for (key, ids) in buckets.each_of(&among) {
                prop_assert_eq!(ids, with(&|held| held == key) & &among);
            }
            prop_assert_eq!(&buckets.all, &with(&|_| true));
            for (id, key) in &naive {
                prop_assert_eq!(buckets.key_of(*id), *key);
            }
        }
    }
}
