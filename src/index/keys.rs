//! Short compact keys (CPF and CNPJ, process numbers, reversed telephone numbers): the records of a whole key and of
//! the beginning of one.

mod packed;
mod shelf;

use roaring::RoaringBitmap;

use self::packed::Packed;
use self::shelf::Shelf;
use super::buckets::Buckets;
use super::union::Union;

/// The keys of all records: sorted, packed two digits to a byte, on shelves by their length. The first shelf is for CPF
/// and telephone numbers (12 digits at most), the second for CNPJ and process numbers (20 digits), the third for the rest.
///
/// What a record held is not kept beside it: a change finds it by a scan over all ids (0.1 ms at a million), which saves a
/// third of the memory. A new record needs no scan.
#[derive(Default)]
pub struct Keys {
    short: Shelf<6>,
    middle: Shelf<10>,
    long: Shelf<{ packed::LONGEST }>,
    /// How many keys each record has.
    counts: Buckets,
    loading: Option<Loading>,
}

/// The keys of many records, not sorted yet.
#[derive(Default)]
struct Loading {
    short: Vec<([u8; 6], u32)>,
    middle: Vec<([u8; 10], u32)>,
    long: Vec<([u8; packed::LONGEST], u32)>,
}

impl Loading {
    fn add(&mut self, key: &Packed, id: u32) {
        if let Some(key) = key.fit() {
            self.short.push((key, id));
        } else if let Some(key) = key.fit() {
            self.middle.push((key, id));
        } else if let Some(key) = key.fit() {
            self.long.push((key, id));
        }
    }
}

impl Keys {
    /// No record has a key; those of many come at once, each record at most once, and then [`Keys::settle`].
    pub fn loading() -> Keys {
        Keys { loading: Some(Loading::default()), ..Keys::default() }
    }

    /// Sorts what was loaded. Before that nothing is found.
    pub fn settle(&mut self) {
        if let Some(Loading { short, middle, long }) = self.loading.take() {
            (self.short, self.middle, self.long) =
                (Shelf::build(short), Shelf::build(middle), Shelf::build(long));
        }
    }

    /// Gives the record these keys in place of what it had. A key is 1 to 50 upper-case letters and digits; any other is
    /// left out, as nobody can ask for it.
    pub fn set(&mut self, id: u32, keys: &[&str]) {
        let mut new: Vec<Packed> = keys.iter().filter_map(|key| Packed::new(key)).collect();
        new.sort_unstable();
        new.dedup();
        let count = u32::try_from(new.len()).ok().filter(|count| *count > 0);
        if let Some(loading) = &mut self.loading {
            new.iter().for_each(|key| loading.add(key, id));
            return self.counts.set(id, count);
        }
        let old = self.counts.key_of(id);
        if old == count && new.iter().all(|key| self.holds(key, id)) {
            return;
        }
        if old.is_some() {
            self.short.remove_all_of(id);
            self.middle.remove_all_of(id);
            self.long.remove_all_of(id);
        }
        for key in &new {
            if let Some(key) = key.fit() {
                self.short.insert(key, id);
            } else if let Some(key) = key.fit() {
                self.middle.insert(key, id);
            } else if let Some(key) = key.fit() {
                self.long.insert(key, id);
            }
        }
        self.counts.set(id, count);
    }

    /// The records that have exactly this key.
    pub fn exact(&self, key: &str) -> RoaringBitmap {
        let mut union = Union::new();
        if let Some(key) = Packed::new(key) {
            if let Some(key) = key.fit() {
                self.short.between(&key, &key, &mut union);
            } else if let Some(key) = key.fit() {
                self.middle.between(&key, &key, &mut union);
            } else if let Some(key) = key.fit() {
                self.long.between(&key, &key, &mut union);
            }
        }
        union.into_bitmap().into_owned()
    }

    /// The records that have a key which begins with `prefix`, the whole key included. An empty prefix finds nothing.
    pub fn starting_with(&self, prefix: &str) -> RoaringBitmap {
        let mut union = Union::new();
        if let Some(prefix) = Packed::new(prefix) {
            if let Some((first, last)) = prefix.range() {
                self.short.between(&first, &last, &mut union);
            }
            if let Some((first, last)) = prefix.range() {
                self.middle.between(&first, &last, &mut union);
            }
            if let Some((first, last)) = prefix.range() {
                self.long.between(&first, &last, &mut union);
            }
        }
        union.into_bitmap().into_owned()
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        let shelves = self.short.heap_bytes() + self.middle.heap_bytes() + self.long.heap_bytes();
        shelves + self.counts.heap_bytes()
    }

    fn holds(&self, key: &Packed, id: u32) -> bool {
        if let Some(key) = key.fit() {
            self.short.holds(&key, id)
        } else if let Some(key) = key.fit() {
            self.middle.holds(&key, id)
        } else {
            key.fit().is_some_and(|key| self.long.holds(&key, id))
        }
    }
}

#[cfg(test)]
mod tests;
