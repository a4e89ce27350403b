//! The posting list of each word: the records that have it.

use roaring::RoaringBitmap;

use crate::index::union::Union;

/// A longer list is smaller as a bitmap, up to some millions of records.
const FEW: usize = 512;
/// What an id and a bitmap's container of 65,536 ids cost in a union, in nanoseconds or so.
const ID: u64 = 2;
const CONTAINER: u64 = 500;
/// Set where a word's entry is the place of its list, and not the id of its only record.
const LIST: u32 = 1 << 31;
/// Set where that is the place of a bitmap.
const BITMAP: u32 = LIST | 1 << 30;

/// The posting lists by the number of the word. Most words of a large office belong to one record (numbers, addresses of
/// e-mail), so a lone record stands in the word's entry itself.
#[derive(Default)]
pub struct Postings {
    entries: Vec<u32>,
    /// Short lists one behind the other, each with its length before it.
    lists: Vec<u32>,
    bitmaps: Vec<RoaringBitmap>,
}

/// The records of one word.
pub enum Ids<'a> {
    /// These few, ascending.
    List(&'a [u32]),
    /// Some hundreds at least.
    Bitmap(&'a RoaringBitmap),
}

impl Postings {
    /// The records of a word.
    pub fn ids(&self, word: u32) -> Ids<'_> {
        let word = word as usize;
        match self.entries.get(word) {
            None => Ids::List(&[]),
            Some(only) if *only < LIST => Ids::List(self.entries.get(word..=word).unwrap_or_default()),
            Some(place) if *place < BITMAP => {
                let list = self.lists.get((place - LIST) as usize..).unwrap_or_default();
                let ids = list.split_first().and_then(|(len, ids)| ids.get(..*len as usize));
                Ids::List(ids.unwrap_or_default())
            }
            Some(place) => self.bitmaps.get((place - BITMAP) as usize).map_or(Ids::List(&[]), Ids::Bitmap),
        }
    }

    /// Adds the records of the next word: ascending, and more in a bitmap.
    pub fn push(&mut self, few: &[u32], mut many: RoaringBitmap) {
        match few {
            [only] if *only < LIST && many.is_empty() => self.entries.push(*only),
            few if few.len() <= FEW && many.is_empty() => {
                self.entries.push(LIST + self.lists.len() as u32);
                self.lists.push(few.len() as u32);
                self.lists.extend_from_slice(few);
            }
            few => {
                many.extend(few);
                self.entries.push(BITMAP + self.bitmaps.len() as u32);
                self.bitmaps.push(many);
            }
        }
    }

    /// About how many nanoseconds it takes to unite the word's records with others.
    pub fn cost(&self, word: u32) -> u64 {
        match self.ids(word) {
            Ids::List(ids) => ids.len() as u64 * ID,
            Ids::Bitmap(ids) => {
                let containers = ids.max().map_or(0, |last| u64::from(last >> 16) + 1);
                (ids.len() * ID).min(containers * CONTAINER)
            }
        }
    }

    /// Adds a word's records to a union.
    pub fn unite<'a>(&'a self, word: u32, union: &mut Union<'a>) {
        match self.ids(word) {
            Ids::List(ids) => union.add_all(ids),
            Ids::Bitmap(ids) => union.add_bitmap(ids),
        }
    }

    /// Gives back what room the additions left over.
    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.bitmaps.iter_mut().for_each(|ids| _ = ids.optimize());
        // Copies have no room to spare, which roaring offers no other way to.
        self.bitmaps = self.bitmaps.clone();
    }
}
