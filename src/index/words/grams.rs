//! Bitmaps of letters and of costly pairs of letters, for terms so short that they stand in too many words.

use std::collections::{BTreeMap, HashMap};

use roaring::RoaringBitmap;

use crate::index::union::{self, Union};

use super::postings::{Ids, Postings};
use super::vocabulary::Vocabulary;

/// One letter or digit, or two that follow each other.
pub type Gram = (char, Option<char>);

/// A pair whose union would touch more than about so many ids keeps its bitmap: at a nanosecond each, a fifth of a
/// millisecond.
const COSTLY: u64 = 200_000;
/// What finding one word and its records costs, in the same nanoseconds.
const WORD: u64 = 30;
/// A container of 65,536 ids costs no more than this, however many are set.
const CONTAINER: u64 = 2_000;

/// The records of every letter, and of the pairs that were found costly.
#[derive(Default)]
pub struct Grams {
    of: BTreeMap<Gram, RoaringBitmap>,
}

impl Grams {
    /// Chooses the pairs anew and fills in everything from the words and their records.
    pub fn build(words: &Vocabulary, postings: &Postings) -> Grams {
        let mut costs: HashMap<Gram, u64> = HashMap::new();
        for (word, number) in words.iter().zip(0..) {
            let cost = WORD
                + match postings.ids(number) {
                    Ids::List([]) => continue,
                    Ids::List(ids) => ids.len() as u64,
                    Ids::Bitmap(ids) => ids.len().min(containers(ids) * CONTAINER),
                };
            for gram in grams_of(word) {
                *costs.entry(gram).or_default() += cost;
            }
        }
        let mut unions: HashMap<Gram, Union> = costs
            .into_iter()
            .filter(|((_, second), cost)| second.is_none() || *cost > COSTLY)
            .map(|(gram, _)| (gram, Union::new()))
            .collect();
        for (word, number) in words.iter().zip(0..) {
            for gram in grams_of(word) {
                if let Some(union) = unions.get_mut(&gram) {
                    postings.unite(number, union);
                }
            }
        }
        let of = unions.into_iter().map(|(gram, union)| {
            let mut ids = union.into_bitmap().into_owned();
            ids.optimize();
            (gram, ids)
        });
        Grams { of: of.collect() }
    }

    /// The records of a term of one or two letters, where they are kept; a letter nobody has is kept as empty.
    pub fn find(&self, term: &str) -> Option<Option<&RoaringBitmap>> {
        let mut letters = term.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(letter), None, None) => Some(self.of.get(&(letter, None))),
            (Some(letter), second, None) => self.of.get(&(letter, second)).map(Some),
            _ => None,
        }
    }

    /// A record's words are no longer `old` but `new`.
    pub fn change<'w>(
        &mut self,
        id: u32,
        old: impl Iterator<Item = &'w str>,
        new: impl Iterator<Item = &'w str>,
    ) {
        let (old, new) = (all_grams(old), all_grams(new));
        for gram in old.iter().filter(|gram| new.binary_search(gram).is_err()) {
            if let Some(ids) = self.of.get_mut(gram) {
                ids.remove(id);
            }
        }
        for gram in new.into_iter().filter(|gram| old.binary_search(gram).is_err()) {
            if gram.1.is_none() {
                self.of.entry(gram).or_default().insert(id);
            } else if let Some(ids) = self.of.get_mut(&gram) {
                ids.insert(id);
            }
        }
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.of.values().map(|ids| union::heap_bytes(ids) + size_of::<(Gram, RoaringBitmap)>()).sum()
    }
}

fn containers(ids: &RoaringBitmap) -> u64 {
    let span = ids.max().unwrap_or(0) >> 16;
    u64::from(span) + 1
}

/// The letters and pairs of a word; one that comes twice is given twice.
fn grams_of(word: &str) -> impl Iterator<Item = Gram> {
    let pairs = word.chars().zip(word.chars().skip(1)).map(|(first, second)| (first, Some(second)));
    word.chars().map(|letter| (letter, None)).chain(pairs)
}

fn all_grams<'w>(words: impl Iterator<Item = &'w str>) -> Vec<Gram> {
    let mut grams: Vec<Gram> = words.flat_map(grams_of).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}
