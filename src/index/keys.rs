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
}

impl Keys {
    /// No record has a key.
    pub fn new() -> Keys {
        Keys::default()
    }

    /// Takes in the keys of many records at once; a record may come more than once, with one key each time.
    pub fn build<'k>(keys: impl IntoIterator<Item = (u32, &'k str)>) -> Keys {
        let (mut short, mut middle, mut long) = (Vec::new(), Vec::new(), Vec::new());
        for (id, key) in keys {
            let Some(key) = Packed::new(key) else { continue };
            if let Some(key) = key.fit() {
                short.push((key, id));
            } else if let Some(key) = key.fit() {
                middle.push((key, id));
            } else if let Some(key) = key.fit() {
                long.push((key, id));
            }
        }
        let mut built = Keys {
            short: Shelf::build(short),
            middle: Shelf::build(middle),
            long: Shelf::build(long),
            counts: Buckets::new(),
        };
        let mut holders: Vec<u32> =
            built.short.ids().chain(built.middle.ids()).chain(built.long.ids()).copied().collect();
        holders.sort_unstable();
        for held in holders.chunk_by(|one, next| one == next) {
            if let Some(id) = held.first() {
                built.counts.set(*id, u32::try_from(held.len()).ok());
            }
        }
        built
    }

    /// Gives the record these keys in place of what it had. A key is 1 to 50 upper-case letters and digits; any other is
    /// left out, as nobody can ask for it.
    pub fn set(&mut self, id: u32, keys: &[&str]) {
        let mut new: Vec<Packed> = keys.iter().filter_map(|key| Packed::new(key)).collect();
        new.sort_unstable();
        new.dedup();
        let count = u32::try_from(new.len()).ok().filter(|count| *count > 0);
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
