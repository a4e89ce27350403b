//! The posting list of each word: the ids of the records that have it.

use roaring::RoaringBitmap;

use crate::index::sets::union::Union;

/// Up to this many new records of a word are buffered in a list and then added to the bitmap together,
/// because each single insertion searches the bitmap. With up to some millions of records, a shorter list is
/// also smaller than a bitmap.
const MAX_LISTED_IDS: usize = 512;
/// Set if a word's entry is the position of its list, and not the id of its only record.
const LIST: u32 = 1 << 31;

/// The posting lists by word number. Most words of a large office belong to one record (numbers, e-mail
/// addresses), so a single record is stored in the word's entry itself.
#[derive(Default)]
pub struct Postings {
    entries: Vec<u32>,
    lists: Vec<List>,
}

#[derive(Default)]
struct List {
    /// Unsorted, and may contain duplicates.
    few: Vec<u32>,
    many: RoaringBitmap,
}

impl Postings {
    /// Adds the next word with its first record.
    pub fn push(&mut self, id: u32) {
        if id < LIST {
            return self.entries.push(id);
        }
        self.entries.push(LIST | self.lists.len() as u32);
        self.lists.push(List { few: vec![id], ..List::default() });
    }

    /// Adds a record to those of a word.
    pub fn add(&mut self, word: u32, id: u32) {
        let Some(entry) = self.entries.get_mut(word as usize) else { return };
        if *entry >= LIST {
            self.lists.get_mut((*entry & !LIST) as usize).into_iter().for_each(|list| list.add(id));
        } else if *entry != id {
            let both = vec![*entry, id];
            *entry = LIST | self.lists.len() as u32;
            self.lists.push(List { few: both, ..List::default() });
        }
    }

    pub fn unite<'a>(&'a self, word: u32, union: &mut Union<'a>) {
        let Some(entry) = self.entries.get(word as usize) else { return };
        match self.lists.get((*entry & !LIST) as usize).filter(|_| *entry >= LIST) {
            Some(list) => {
                union.add_all(&list.few);
                if !list.many.is_empty() {
                    union.add_bitmap(&list.many);
                }
            }
            None => union.add_all(std::slice::from_ref(entry)),
        }
    }

    /// Returns the approximate number of a word's records: a duplicate may be counted.
    pub fn len(&self, word: u32) -> u64 {
        let entry = self.entries.get(word as usize).filter(|entry| **entry >= LIST);
        let list = entry.and_then(|entry| self.lists.get((*entry & !LIST) as usize));
        list.map_or(1, |list| list.few.len() as u64 + list.many.len())
    }

    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.lists.iter_mut().for_each(List::shrink);
    }
}

impl List {
    fn add(&mut self, id: u32) {
        if self.few.last() != Some(&id) {
            self.few.push(id);
            if self.few.len() >= MAX_LISTED_IDS {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        self.few.sort_unstable();
        self.few.dedup();
        if let Ok(more) = RoaringBitmap::from_sorted_iter(self.few.drain(..)) {
            self.many |= more;
        }
    }

    fn shrink(&mut self) {
        if !self.many.is_empty() {
            self.flush();
            self.many.optimize();
            // A clone has no spare capacity; roaring offers no other way to release it.
            self.many = self.many.clone();
        }
        self.few.shrink_to_fit();
    }
}
