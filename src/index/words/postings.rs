//! Which records have a word: the id itself, a short list, or a bitmap, by how many there are.

mod pool;

use std::collections::HashSet;

use roaring::RoaringBitmap;

use self::pool::Pool;
use crate::index::union::{self, Union};

/// How many ids a list has room for. A bitmap of more than the last is smaller than the list, up to some millions of
/// records.
const SIZES: [usize; 17] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
const LIST: u32 = 1 << 31;
const SLOT_BITS: u32 = 26;
const BITMAP: u32 = 31;
/// From so many words on, a hash table finds them sooner than a look through all words for each.
const MANY_WORDS: usize = 64;

/// The records of each word, by the word's number.
#[derive(Default)]
pub struct Postings {
    /// 0: no record. Upper bit clear: the only record's id. Upper bit set: five bits for the list's pool (31 for a
    /// bitmap) and 26 for its place there.
    of: Vec<u32>,
    pools: [Pool; SIZES.len()],
    bitmaps: Vec<RoaringBitmap>,
    /// Places in `bitmaps` that are free again.
    vacant: Vec<u32>,
}

/// The records of one word.
pub enum Ids<'a> {
    /// These few, ascending.
    List(&'a [u32]),
    /// At least some hundreds, once.
    Bitmap(&'a RoaringBitmap),
}

enum Place {
    Nowhere,
    One(u32),
    Pool(usize, u32),
    Bitmap(usize),
}

impl Postings {
    /// The records of a word.
    pub fn ids(&self, word: u32) -> Ids<'_> {
        match self.of.get(word as usize).map_or(Place::Nowhere, |held| place(*held)) {
            Place::Nowhere => Ids::List(&[]),
            Place::One(_) => {
                let at = word as usize;
                Ids::List(self.of.get(at..at + 1).unwrap_or_default())
            }
            Place::Pool(pool, slot) => Ids::List(self.pools.get(pool).map_or(&[], |pool| pool.ids(slot))),
            Place::Bitmap(at) => self.bitmaps.get(at).map_or(Ids::List(&[]), Ids::Bitmap),
        }
    }

    /// Adds a record to a word; false when it was there. The word's number is at most one past the last known one.
    pub fn add(&mut self, word: u32, id: u32) -> bool {
        let word = word as usize;
        if self.of.len() <= word {
            self.of.resize(word + 1, 0);
        }
        let held = self.of.get(word).map_or(Place::Nowhere, |held| place(*held));
        let moved = match held {
            Place::Nowhere => vec![id],
            Place::One(only) if only == id => return false,
            Place::One(only) => vec![only.min(id), only.max(id)],
            Place::Pool(at, slot) => {
                let Some(pool) = self.pools.get_mut(at) else { return false };
                match pool.insert(slot, id) {
                    pool::Inserted::Yes => return true,
                    pool::Inserted::WasThere => return false,
                    pool::Inserted::NoRoom => {
                        let mut ids = pool.take(slot);
                        ids.insert(ids.partition_point(|held| *held < id), id);
                        ids
                    }
                }
            }
            Place::Bitmap(at) => return self.bitmaps.get_mut(at).is_some_and(|ids| ids.insert(id)),
        };
        let moved = self.keep_list(&moved);
        self.of.get_mut(word).into_iter().for_each(|held| *held = moved);
        true
    }

    /// Adds many records to many words. The pairs are sorted by word first, so that each posting is touched once: twice as
    /// fast as one by one, and nothing is moved from list to list on the way.
    pub fn add_all(&mut self, pairs: &[(u32, u32)]) {
        let words = pairs.iter().map(|(word, _)| *word as usize + 1).max().unwrap_or(0);
        let mut ends = vec![0; words];
        for (word, _) in pairs {
            ends.get_mut(*word as usize).into_iter().for_each(|count| *count += 1);
        }
        let mut start = 0;
        for end in &mut ends {
            (start, *end) = (start + *end, start);
        }
        let mut sorted = vec![0; pairs.len()];
        for (word, id) in pairs {
            if let Some(end) = ends.get_mut(*word as usize) {
                sorted.get_mut(*end).into_iter().for_each(|place| *place = *id);
                *end += 1;
            }
        }
        let mut start = 0;
        for (word, end) in (0..).zip(ends) {
            self.extend(word, sorted.get_mut(start..end).unwrap_or_default());
            start = end;
        }
    }

    /// Takes a record from a word; true when it was the last one, and the word is no longer anybody's.
    pub fn remove(&mut self, word: u32, id: u32) -> bool {
        let Some(held) = self.of.get_mut(word as usize) else { return false };
        let emptied = match place(*held) {
            Place::Nowhere => false,
            Place::One(only) => only == id,
            Place::Pool(at, slot) => self.pools.get_mut(at).is_some_and(|pool| pool.remove(slot, id)),
            Place::Bitmap(at) => match self.bitmaps.get_mut(at) {
                Some(ids) => {
                    ids.remove(id);
                    let emptied = ids.is_empty();
                    if emptied {
                        self.vacant.push(at as u32);
                    }
                    emptied
                }
                None => false,
            },
        };
        if emptied {
            *held = 0;
        }
        emptied
    }

    /// Whether no record has the word.
    pub fn is_empty(&self, word: u32) -> bool {
        self.of.get(word as usize).is_none_or(|held| *held == 0)
    }

    /// Keeps the words of these numbers, ascending, and numbers them anew from 0; the others have no records.
    pub fn keep(&mut self, words: &[u32]) {
        self.of = words.iter().filter_map(|word| self.of.get(*word as usize)).copied().collect();
    }

    /// Whether a record has a word.
    pub fn contains(&self, word: u32, id: u32) -> bool {
        match self.ids(word) {
            Ids::List(ids) => ids.binary_search(&id).is_ok(),
            Ids::Bitmap(ids) => ids.contains(id),
        }
    }

    /// Adds a word's records to a union.
    pub fn unite<'a>(&'a self, word: u32, union: &mut Union<'a>) {
        match self.ids(word) {
            Ids::List(ids) => union.add_all(ids),
            Ids::Bitmap(ids) => union.add_bitmap(ids),
        }
    }

    /// The numbers of a record's words, ascending, found by a scan of everything: `at_most` of them, after which the scan
    /// ends.
    pub fn words_of(&self, id: u32, at_most: usize) -> Vec<u32> {
        let mut handles: Vec<u32> = Vec::new();
        for (ids, at) in self.bitmaps.iter().zip(0..) {
            if ids.contains(id) {
                handles.push(handle(BITMAP, at));
            }
        }
        for (pool, at) in self.pools.iter().zip(0..) {
            if handles.len() < at_most {
                pool.slots_with(id, |slot| handles.push(handle(at, slot)));
            }
        }
        if handles.len() < at_most && id < LIST {
            handles.push(id);
        }
        let mut words = Vec::new();
        if handles.len() <= MANY_WORDS {
            for handle in handles {
                pool::positions(&self.of, handle, |word| words.push(word as u32));
            }
            words.sort_unstable();
        } else {
            let handles: HashSet<u32> = handles.into_iter().collect();
            words.extend(
                self.of.iter().zip(0..).filter(|(held, _)| handles.contains(held)).map(|(_, word)| word),
            );
        }
        words
    }

    fn extend(&mut self, word: u32, ids: &mut [u32]) {
        ids.sort_unstable();
        let place = self.of.get(word as usize).map_or(Place::Nowhere, |held| place(*held));
        match (place, &*ids) {
            (_, []) => {}
            (Place::Nowhere | Place::One(_), [id]) => {
                self.add(word, *id);
            }
            (Place::Bitmap(at), ids) => {
                if let Some(held) = self.bitmaps.get_mut(at) {
                    held.extend(ids);
                }
            }
            (place, ids) => {
                let mut all = match place {
                    Place::One(id) => vec![id],
                    Place::Pool(at, slot) => {
                        self.pools.get_mut(at).map_or_else(Vec::new, |pool| pool.take(slot))
                    }
                    _ => Vec::new(),
                };
                all.extend_from_slice(ids);
                all.sort_unstable();
                all.dedup();
                let held = self.keep_list(&all);
                if self.of.len() <= word as usize {
                    self.of.resize(word as usize + 1, 0);
                }
                self.of.get_mut(word as usize).into_iter().for_each(|place| *place = held);
            }
        }
    }

    /// Finds a place for ascending ids that have none, and gives what stands for it.
    fn keep_list(&mut self, ids: &[u32]) -> u32 {
        match ids {
            [] => return 0,
            [id] if *id < LIST => return *id,
            _ => {}
        }
        let at = SIZES.partition_point(|size| *size < ids.len());
        match (self.pools.get_mut(at), SIZES.get(at)) {
            (Some(pool), Some(size)) => handle(at as u32, pool.put(*size, ids)),
            _ => {
                let at = self.vacant.pop().unwrap_or_else(|| {
                    self.bitmaps.push(RoaringBitmap::new());
                    self.bitmaps.len() as u32 - 1
                });
                self.bitmaps.get_mut(at as usize).into_iter().for_each(|place| place.extend(ids));
                handle(BITMAP, at)
            }
        }
    }

    /// Gives back what room a bulk of additions left over.
    pub fn shrink(&mut self) {
        self.of.shrink_to_fit();
        self.pools.iter_mut().for_each(Pool::shrink);
        for ids in &mut self.bitmaps {
            // A copy has no room to spare, which roaring offers no other way to.
            ids.optimize();
            *ids = ids.clone();
        }
        self.bitmaps.shrink_to_fit();
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        let bitmaps = self.bitmaps.iter().map(|ids| union::heap_bytes(ids) + size_of::<RoaringBitmap>());
        let pools = self.pools.iter().map(Pool::heap_bytes);
        (self.of.capacity() + self.vacant.capacity()) * 4 + pools.sum::<usize>() + bitmaps.sum::<usize>()
    }
}

fn place(held: u32) -> Place {
    let slot = held & ((1 << SLOT_BITS) - 1);
    match (held >> SLOT_BITS) & 31 {
        _ if held == 0 => Place::Nowhere,
        _ if held < LIST => Place::One(held),
        BITMAP => Place::Bitmap(slot as usize),
        pool => Place::Pool(pool as usize, slot),
    }
}

fn handle(pool: u32, slot: u32) -> u32 {
    LIST | pool << SLOT_BITS | slot
}
