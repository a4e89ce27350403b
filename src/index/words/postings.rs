//! The posting list of each word: the records that have it.

use roaring::RoaringBitmap;

use crate::index::union::Union;

/// A longer list is smaller as a bitmap, up to some millions of records.
const FEW: usize = 512;
/// Set where a word's entry is the place of its list, and not the id of its only record.
const LIST: u32 = 1 << 31;

/// The posting lists by the number of the word. Most words of a large office belong to one record (numbers, addresses of
/// e-mail), so a lone record stands in the word's entry itself.
#[derive(Default)]
pub struct Postings {
    entries: Vec<u32>,
    lists: Vec<Ids>,
}

/// The records of one word.
enum Ids {
    /// In any order, and one may come twice.
    Few(Vec<u32>),
    Many(RoaringBitmap),
}

impl Postings {
    /// Adds the records of the next word, of which there are some.
    pub fn push(&mut self, ids: &[u32]) {
        match ids {
            [only] if *only < LIST => self.entries.push(*only),
            ids => {
                self.entries.push(LIST | self.lists.len() as u32);
                self.lists.push(match ids.len() <= FEW {
                    true => Ids::Few(ids.to_vec()),
                    false => Ids::Many(ids.iter().copied().collect()),
                });
            }
        }
    }

    /// Adds a record to those of a word.
    pub fn add(&mut self, word: u32, id: u32) {
        let Some(entry) = self.entries.get_mut(word as usize) else { return };
        if *entry < LIST {
            if *entry != id {
                let both = vec![*entry, id];
                *entry = LIST | self.lists.len() as u32;
                self.lists.push(Ids::Few(both));
            }
            return;
        }
        let Some(ids) = self.lists.get_mut((*entry & !LIST) as usize) else { return };
        match ids {
            Ids::Few(few) if few.last() == Some(&id) => {}
            Ids::Few(few) if few.len() < FEW => few.push(id),
            Ids::Few(few) => *ids = Ids::Many(few.iter().copied().chain([id]).collect()),
            // To be behind all others is the rule, and quicker.
            Ids::Many(many) => _ = many.try_push(id).is_ok() || many.insert(id),
        }
    }

    /// Adds a word's records to a union.
    pub fn unite<'a>(&'a self, word: u32, union: &mut Union<'a>) {
        let Some(entry) = self.entries.get(word as usize) else { return };
        match self.lists.get((*entry & !LIST) as usize).filter(|_| *entry >= LIST) {
            None => union.add_all(std::slice::from_ref(entry)),
            Some(Ids::Few(few)) => union.add_all(few),
            Some(Ids::Many(many)) => union.add_bitmap(many),
        }
    }

    /// A word's records but for these.
    pub fn without(&self, word: u32, others: &RoaringBitmap) -> Vec<u32> {
        let mut union = Union::default();
        self.unite(word, &mut union);
        (union.into_bitmap().as_ref() - others).iter().collect()
    }

    /// Gives back what room the additions left over.
    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        for ids in &mut self.lists {
            match ids {
                Ids::Few(few) => few.shrink_to_fit(),
                Ids::Many(many) => {
                    many.optimize();
                    // A copy has no room to spare, which roaring offers no other way to.
                    *many = many.clone();
                }
            }
        }
    }
}
