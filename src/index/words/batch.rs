//! Words on their way into a segment (single-pass in-memory indexing; Manning, Raghavan and Schütze, "Introduction to
//! Information Retrieval", 4.3).

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use roaring::RoaringBitmap;

use super::segment::Segment;

/// The words of some records.
#[derive(Default)]
pub struct Batch {
    /// The distinct words one behind the other, numbered as they come, and where each ends.
    text: Vec<u8>,
    ends: Vec<u32>,
    /// The numbers by the hashes of their words.
    numbers: HashTable<u32>,
    /// With a key of its own, so that nobody can choose words that collide.
    hasher: DefaultHashBuilder,
    /// Numbers of words, and the records that have them.
    pairs: Vec<(u32, u32)>,
}

impl Batch {
    /// How many words of records there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Takes in words of a record.
    pub fn add(&mut self, id: u32, text: &str) {
        // Nothing below a space becomes part of a word, not even of one that another program wrote: a vocabulary relies on it.
        for word in text.as_bytes().split(|byte| *byte <= b' ').filter(|word| !word.is_empty()) {
            let number = self.number(word);
            self.pairs.push((number, id));
        }
    }

    fn number(&mut self, word: &[u8]) -> u32 {
        let Batch { text, ends, numbers, hasher, .. } = self;
        let hash = hasher.hash_one(word);
        if let Some(number) = numbers.find(hash, |number| slice(text, ends, *number) == word) {
            return *number;
        }
        let number = ends.len() as u32;
        text.extend_from_slice(word);
        ends.push(text.len() as u32);
        numbers.insert_unique(hash, number, |number| hasher.hash_one(slice(text, ends, *number)));
        number
    }

    /// A segment of them, which is still to be finished.
    pub fn into_segment(self) -> Segment {
        let Batch { text, ends, pairs, .. } = self;
        let one_each = pairs.chunk_by(|(_, one), (_, other)| one == other);
        let records = one_each.filter_map(|words| words.first()).map(|(_, id)| *id);
        let mut segment = Segment::of(records.collect());
        // By their first eight bytes, as far as these differ: they need no look into the text.
        let mut words: Vec<(u64, &[u8], u32)> = (0..ends.len() as u32)
            .map(|number| {
                let word = slice(&text, &ends, number);
                let first = word.iter().chain(std::iter::repeat(&0)).take(8);
                (first.fold(0, |first, byte| first << 8 | u64::from(*byte)), word, number)
            })
            .collect();
        words.sort_unstable();
        // A counting sort puts the records of each word side by side.
        let mut places = vec![0; ends.len()];
        for (word, _) in &pairs {
            places.get_mut(*word as usize).into_iter().for_each(|count| *count += 1);
        }
        let mut start = 0;
        for place in &mut places {
            (start, *place) = (start + *place, start);
        }
        let mut ids = vec![0; pairs.len()];
        for (word, id) in pairs {
            if let Some(place) = places.get_mut(word as usize) {
                ids.get_mut(*place).into_iter().for_each(|place| *place = id);
                *place += 1;
            }
        }
        let mut few = Vec::new();
        for (_, word, number) in words {
            // Each place is now where the next word's records begin.
            let start = number.checked_sub(1).and_then(|before| places.get(before as usize));
            let end = places.get(number as usize).copied().unwrap_or(0);
            few.clear();
            few.extend_from_slice(ids.get(start.copied().unwrap_or(0)..end).unwrap_or_default());
            few.sort_unstable();
            few.dedup();
            segment.push(word, &few, RoaringBitmap::new());
        }
        segment
    }
}

/// The word of a number.
fn slice<'a>(text: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let start = number.checked_sub(1).and_then(|before| ends.get(before as usize)).copied().unwrap_or(0);
    let end = ends.get(number as usize).copied().unwrap_or(0);
    text.get(start as usize..end as usize).unwrap_or_default()
}
