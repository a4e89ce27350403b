//! Bitmaps of single letters and of costly pieces of two and three, for terms that stand in too many words.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use roaring::RoaringBitmap;

use crate::index::union::{self, Union};

use super::postings::{Ids, Postings};
use super::vocabulary::Vocabulary;

/// What finding a word in the vocabulary, fetching an id from a list and adding a whole bitmap's container cost.
const WORD: u64 = 40;
const ID: u64 = 2;
const CONTAINER: u64 = 1_000;
/// So many words are enough to tell what a piece costs.
const SAMPLE: usize = 100_000;

/// One to three letters or digits that follow each other, 21 bits each.
type Gram = u64;
type GramMap<V> = HashMap<Gram, V, BuildHasherDefault<GramHasher>>;

/// The records of every letter, and of the pieces that were found costly.
#[derive(Default)]
pub struct Grams {
    of: GramMap<RoaringBitmap>,
}

impl Grams {
    /// Keeps the pieces whose union is reckoned to take more than so many nanoseconds, and fills in everything from the
    /// words and their records.
    pub fn build(words: &Vocabulary, postings: &Postings, costly: u64) -> Grams {
        let step = words.len() as usize / SAMPLE + 1;
        let mut costs: GramMap<u64> = HashMap::default();
        for (word, number) in words.iter().zip(0..).step_by(step) {
            let cost = WORD
                + match postings.ids(number) {
                    Ids::List([]) => continue,
                    Ids::List(ids) => ids.len() as u64 * ID,
                    Ids::Bitmap(ids) => (ids.len() * ID).min(union::containers(ids) * CONTAINER),
                };
            for gram in grams_of(word) {
                *costs.entry(gram).or_default() += cost * step as u64;
            }
        }
        let costly = costs.into_iter().filter(|(_, cost)| *cost > costly).map(|(gram, _)| gram);
        let mut unions: GramMap<Union> = costly.map(|gram| (gram, Union::new())).collect();
        let (mut letters, mut found) = (Vec::new(), Vec::new());
        for (word, number) in words.iter().zip(0..) {
            letters.clear();
            letters.extend(word.chars().map(u64::from));
            widest(&letters, |gram| unions.contains_key(&gram), &mut found);
            for gram in found.drain(..) {
                postings.unite(number, unions.entry(gram).or_default());
            }
        }
        let mut unions: Vec<(Gram, Union)> = unions.into_iter().collect();
        unions.sort_unstable_by_key(|(gram, _)| std::cmp::Reverse(*gram));
        let mut of: GramMap<RoaringBitmap> = HashMap::default();
        for (gram, mut union) in unions {
            of.iter().filter(|(wider, _)| holds(**wider, gram)).for_each(|(_, ids)| union.add_bitmap(ids));
            let mut ids = union.into_bitmap().into_owned();
            ids.optimize();
            of.insert(gram, ids);
        }
        Grams { of }
    }

    /// The records of a short term, where they are kept: `Some(None)` for a letter that nobody has.
    pub fn find(&self, term: &str) -> Option<Option<&RoaringBitmap>> {
        let gram = match term.chars().take(4).count() {
            1..=3 => grams_of(term).max()?,
            _ => return None,
        };
        let kept = self.of.get(&gram);
        if kept.is_some() || is_letter(gram) { Some(kept) } else { None }
    }

    /// A record's words are no longer `old` but `new`.
    pub fn change<'w>(
        &mut self,
        id: u32,
        old: impl Iterator<Item = &'w str>,
        new: impl Iterator<Item = &'w str>,
    ) {
        let (old, new) = (self.kept_grams(old), self.kept_grams(new));
        for gram in old.iter().filter(|gram| new.binary_search(gram).is_err()) {
            if let Some(ids) = self.of.get_mut(gram) {
                ids.remove(id);
            }
        }
        for gram in new.into_iter().filter(|gram| old.binary_search(gram).is_err()) {
            if let Some(ids) = self.of.get_mut(&gram) {
                ids.insert(id);
            } else if is_letter(gram) {
                self.of.entry(gram).or_default().insert(id);
            }
        }
    }

    /// The pieces of words that have a bitmap, and all their letters, in order.
    fn kept_grams<'w>(&self, words: impl Iterator<Item = &'w str>) -> Vec<Gram> {
        let mut grams = Vec::with_capacity(64);
        let is_kept = |gram: &Gram| is_letter(*gram) || self.of.contains_key(gram);
        grams.extend(words.flat_map(grams_of).filter(is_kept));
        grams.sort_unstable();
        grams.dedup();
        grams
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.of.values().map(|ids| union::heap_bytes(ids) + size_of::<(Gram, RoaringBitmap)>()).sum()
    }
}

/// The pieces of a word, the longest last; one that comes twice is given twice.
fn grams_of(word: &str) -> impl Iterator<Item = Gram> {
    let (mut one, mut two) = (0, 0);
    word.chars().flat_map(move |letter| {
        let letter = u64::from(letter);
        let pair = if one == 0 { 0 } else { one << 21 | letter };
        let three = if two == 0 { 0 } else { two << 21 | letter };
        (one, two) = (letter, pair);
        [letter, pair, three].into_iter().filter(|gram| *gram != 0)
    })
}

/// The kept pieces of a word that no wider kept piece covers where they stand: the wider one's bitmap has the word's
/// records already. What a piece costs, the narrower ones within it cost too, so they are kept with it.
fn widest(letters: &[u64], is_kept: impl Fn(Gram) -> bool, found: &mut Vec<Gram>) {
    // A bit for each place where a kept piece begins; beyond the 64th letter nothing counts as covered, which only costs
    // time.
    let mut covered = 0u64;
    for width in [3, 2, 1] {
        let within = covered | covered << 1;
        covered = within;
        for (at, piece) in (0..).zip(letters.windows(width)) {
            let place = 1u64.checked_shl(at).unwrap_or(0);
            if within & place == 0 {
                let gram = piece.iter().fold(0, |gram, letter| gram << 21 | letter);
                if is_kept(gram) {
                    covered |= place;
                    found.push(gram);
                } else if width == 1 {
                    found.push(gram);
                }
            }
        }
    }
}

/// Whether the letters of `gram` stand together in `wider`.
fn holds(wider: Gram, gram: Gram) -> bool {
    let mask = if is_letter(gram) { (1 << 21) - 1 } else { (1 << 42) - 1 };
    wider > gram && [0, 21, 42].iter().any(|shift| wider >> shift & mask == gram)
}

fn is_letter(gram: Gram) -> bool {
    gram < 1 << 21
}

/// One multiplication, as a letter's number has no need of more; nobody can choose the pieces that are kept so that they
/// collide, there being some hundreds of them.
#[derive(Default)]
struct GramHasher(u64);

impl Hasher for GramHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, gram: u64) {
        let mixed = u128::from(self.0 ^ gram) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (mixed >> 64) as u64 ^ mixed as u64;
    }
}
