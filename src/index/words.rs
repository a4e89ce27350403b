//! One searchable text field of all records: which records have, for every word of a term, a word that it is a part of.

mod ends;
mod grams;
mod postings;
mod sieve;
mod slots;
mod vocabulary;

use std::borrow::Cow;
use std::cmp::Reverse;

use roaring::RoaringBitmap;

use self::grams::Grams;
use self::postings::Postings;
use self::vocabulary::Vocabulary;
use super::buckets::Buckets;
use super::union::Union;

/// A record with more words than this is counted as having so many; a change of it ends no scan early.
const MANY: usize = 255;
/// A piece of two or three letters keeps its bitmap when finding its records is reckoned to take more nanoseconds than
/// this. A million names give it half their postings' memory again, and two letters a 99th percentile of 0.7 ms.
const PATIENCE: u64 = 80_000;
/// Below this many occurrences of words no piece is costly.
const FEW_OCCURRENCES: usize = 20_000;
/// So many occurrences are taken in together: 8 MB of pairs.
const BATCH: usize = 1 << 20;
/// Fewer dead words than this are not worth a sweep.
const FEW_DEAD: usize = 1_000;

/// The words of a field and the records that hold them.
///
/// Texts come folded: lower-case letters and digits separated by single spaces. What a record held is not kept beside it:
/// when its text changes, its words are found by a scan of all postings (a fraction of a millisecond at a million), which
/// halves the memory. A new record and one whose words are still the same need no scan.
#[derive(Default)]
pub struct Words {
    words: Vocabulary,
    postings: Postings,
    grams: Grams,
    /// How many distinct words each record has.
    counts: Buckets,
    /// Occurrences of words in records, now and when the costly pieces were chosen.
    occurrences: usize,
    weighed: usize,
    /// Words of the vocabulary that no record has any more.
    dead: usize,
    /// Words and records that are still to be taken in, while many come at once.
    loading: Option<Vec<(u32, u32)>>,
}

impl Words {
    /// No record has a text; those of many come at once, each record at most once and best by ascending ids, and then
    /// [`Words::settle`].
    pub fn loading() -> Words {
        Words { loading: Some(Vec::new()), ..Words::default() }
    }

    /// Makes what was loaded ready to be searched. Before that nothing is found.
    pub fn settle(&mut self) {
        if let Some(pairs) = self.loading.take() {
            self.postings.add_all(&pairs);
            self.words.shrink();
            self.postings.shrink();
            self.weigh();
        }
    }

    /// Takes in the text of a record that is new.
    fn load(&mut self, id: u32, text: &str) {
        let words = text.as_bytes().split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let mut held = words.map(|word| self.words.insert(word)).collect::<Vec<_>>();
        held.sort_unstable();
        held.dedup();
        self.occurrences += held.len();
        self.counts.set(id, counted(held.len()));
        if let Some(pairs) = &mut self.loading {
            pairs.extend(held.into_iter().map(|word| (word, id)));
            if pairs.len() >= BATCH {
                self.postings.add_all(pairs);
                pairs.clear();
            }
        }
    }

    /// Gives the record this text in place of what it had; an empty one clears it.
    pub fn set(&mut self, id: u32, folded: &str) {
        if self.loading.is_some() {
            return self.load(id, folded);
        }
        let mut new: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        new.sort_unstable();
        new.dedup();
        let held = self.counts.key_of(id);
        if held == counted(new.len()) && new.len() < MANY && new.iter().all(|word| self.holds(word, id)) {
            return;
        }
        let old = match held {
            None => Vec::new(),
            Some(count) if count as usize >= MANY => self.postings.words_of(id, usize::MAX),
            Some(count) => self.postings.words_of(id, count as usize),
        };
        self.grams.change(id, old.iter().map(|number| self.words.word(*number)), new.iter().copied());
        for number in old {
            if new.binary_search(&self.words.word(number)).is_err() {
                self.dead += usize::from(self.postings.remove(number, id));
                self.occurrences -= 1;
            }
        }
        for word in &new {
            let known = self.words.len();
            let number = self.words.insert(word.as_bytes());
            if number < known && self.postings.is_empty(number) {
                self.dead -= 1;
            }
            self.occurrences += usize::from(self.postings.add(number, id));
        }
        self.counts.set(id, counted(new.len()));
        self.keep_in_shape();
    }

    /// The records in which every word of the term is a part of some word, in any order. A term without a word finds
    /// nothing: that it filters nothing is the caller's business.
    pub fn find(&self, term: &str) -> Cow<'_, RoaringBitmap> {
        let mut parts: Vec<&str> = term.split(' ').filter(|part| !part.is_empty()).collect();
        // The longer, the fewer as a rule; behind those only what is left of them counts.
        parts.sort_unstable_by_key(|part| (Reverse(part.len()), *part));
        parts.dedup();
        let mut parts = parts.into_iter();
        let mut found = parts.next().map_or_else(Cow::default, |part| self.holding(part).into_bitmap());
        for part in parts {
            if found.is_empty() {
                break;
            }
            found = Cow::Owned(self.holding(part).common(&found));
        }
        found
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        let words = self.words.heap_bytes() + self.postings.heap_bytes();
        words + self.grams.heap_bytes() + self.counts.heap_bytes()
    }

    fn holding(&self, part: &str) -> Union<'_> {
        let mut union = Union::new();
        match self.grams.find(part) {
            Some(kept) => kept.into_iter().for_each(|ids| union.add_bitmap(ids)),
            None => self.words.holding(part, |number| self.postings.unite(number, &mut union)),
        }
        union
    }

    fn holds(&self, word: &str, id: u32) -> bool {
        self.words.number(word.as_bytes()).is_some_and(|number| self.postings.contains(number, id))
    }

    /// Growth may make further pieces costly, and words may die: both are looked after when they have doubled
    /// or are the half of all, so that each `set` pays a constant share.
    fn keep_in_shape(&mut self) {
        if self.dead > FEW_DEAD && self.dead * 2 > self.words.len() as usize {
            self.sweep();
        }
        if self.occurrences > FEW_OCCURRENCES && self.occurrences > 2 * self.weighed {
            self.weigh();
        }
    }

    /// Large vocabularies and fields get more patience: a search in them takes its time anyway, and the bitmaps of their
    /// pieces would take more memory than their words.
    fn weigh(&mut self) {
        let patience = PATIENCE + 4 * u64::from(self.words.len());
        self.keep_costlier_than(patience.max(self.counts.all().len() / 3));
    }

    fn keep_costlier_than(&mut self, nanoseconds: u64) {
        self.grams = Grams::build(&self.words, &self.postings, nanoseconds);
        self.weighed = self.occurrences;
    }

    /// Leaves the dead words out of the vocabulary, which numbers the others anew.
    fn sweep(&mut self) {
        let words = std::mem::take(&mut self.words);
        let mut kept = Vec::new();
        for (word, number) in words.iter().zip(0..) {
            if !self.postings.is_empty(number) {
                self.words.insert(word.as_bytes());
                kept.push(number);
            }
        }
        self.words.shrink();
        self.postings.keep(&kept);
        self.dead = 0;
    }
}

fn counted(words: usize) -> Option<u32> {
    (words > 0).then_some(words.min(MANY) as u32)
}

#[cfg(test)]
mod tests;
