//! Which records have a word: the id itself, a short list, or a bitmap, by how many there are.

mod pool;

use std::collections::HashSet;

use roaring::RoaringBitmap;

use self::pool::Pool;
use crate::index::union::{self, Union};

/// Lists of 2, 4, 8 … 512 ids. A bitmap of more than that is smaller than the list, up to some millions of records.
const POOLS: usize = 9;
const LIST: u32 = 1 << 31;
const SLOT_BITS: u32 = 27;
const BITMAP: u32 = 15;

/// The records of each word, by the word's number.
#[derive(Default)]
pub struct Postings {
    /// 0: no record. Upper bit clear: the only record's id. Upper bit set: four bits for the list's pool (15 for a
    /// bitmap) and 27 for its place there.
    of: Vec<u32>,
    pools: [Pool; POOLS],
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
        let Some(held) = self.of.get_mut(word) else { return false };
        match place(*held) {
            Place::Nowhere if id < LIST => *held = id,
            Place::Nowhere => *held = put(&mut self.pools, 0, &[id]),
            Place::One(only) if only == id => return false,
            Place::One(only) => *held = put(&mut self.pools, 0, &[only.min(id), only.max(id)]),
            Place::Pool(at, slot) => {
                let Some(pool) = self.pools.get_mut(at) else { return false };
                match pool.insert(slot, id) {
                    pool::Inserted::Yes => {}
                    pool::Inserted::WasThere => return false,
                    pool::Inserted::NoRoom => {
                        let mut ids = pool.take(slot);
                        ids.insert(ids.partition_point(|held| *held < id), id);
                        *held = if at + 1 < POOLS {
                            put(&mut self.pools, at + 1, &ids)
                        } else {
                            self.bitmaps.push(ids.into_iter().collect());
                            handle(BITMAP, self.bitmaps.len() as u32 - 1)
                        };
                        if let Place::Bitmap(last) = place(*held)
                            && let Some(free) = self.vacant.pop()
                        {
                            self.bitmaps.swap(free as usize, last);
                            self.bitmaps.pop();
                            *held = handle(BITMAP, free);
                        }
                    }
                }
            }
            Place::Bitmap(at) => return self.bitmaps.get_mut(at).is_some_and(|ids| ids.insert(id)),
        }
        true
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
        if handles.len() <= 8 {
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
    match (held >> SLOT_BITS) & 15 {
        _ if held == 0 => Place::Nowhere,
        _ if held < LIST => Place::One(held),
        BITMAP => Place::Bitmap(slot as usize),
        pool => Place::Pool(pool as usize, slot),
    }
}

fn handle(pool: u32, slot: u32) -> u32 {
    LIST | pool << SLOT_BITS | slot
}

fn put(pools: &mut [Pool; POOLS], at: usize, ids: &[u32]) -> u32 {
    pools.get_mut(at).map_or(0, |pool| handle(at as u32, pool.put(2 << at, ids)))
}
