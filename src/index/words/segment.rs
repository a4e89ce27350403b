//! A segment: an inverted index of some records' words, in which only records can die (Lucene's word for it).

use std::borrow::Cow;

use memchr::memmem::Finder;
use roaring::RoaringBitmap;

use super::grams::{Grams, Matches};
use super::postings::{Ids, Postings};
use super::vocabulary::Vocabulary;
use crate::index::union::Union;

/// How a word of a record matches one of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The term's word stands anywhere in it.
    Infix,
    /// It begins with the term's word.
    Prefix,
    /// It is the term's word.
    Whole,
}

/// Words, the records that have them, and what finds words by their parts.
#[derive(Default)]
pub struct Segment {
    words: Vocabulary,
    postings: Postings,
    grams: Grams,
    records: RoaringBitmap,
    /// Those of the records that have changed since, or are gone.
    dead: RoaringBitmap,
}

impl Segment {
    /// A segment of these records, whose words are still to be added.
    pub fn of(records: RoaringBitmap) -> Segment {
        Segment { records, ..Segment::default() }
    }

    /// Adds the next word: its records, ascending, and more in a bitmap.
    pub fn push(&mut self, word: &[u8], few: &[u32], many: RoaringBitmap) {
        self.words.push(word);
        self.postings.push(few, many);
    }

    /// Makes it ready to be searched; for infixes with some patience (see [`Grams::build`]).
    pub fn finish(&mut self, patience: Option<u64>) {
        self.words.shrink();
        self.postings.shrink();
        self.records.optimize();
        if let Some(patience) = patience {
            self.grams = Grams::build(&self.words, &self.postings, patience);
        }
    }

    /// One segment of all that is alive, which is still to be finished.
    pub fn merge(segments: &[Segment]) -> Segment {
        let mut records = RoaringBitmap::new();
        segments.iter().for_each(|segment| records |= &segment.records - &segment.dead);
        let mut merged = Segment::of(records);
        let mut walks: Vec<_> = segments.iter().map(|segment| (segment, segment.words.walk())).collect();
        let (mut word, mut few) = (Vec::new(), Vec::new());
        while let Some(least) = walks.iter().filter_map(|(_, walk)| walk.word()).min() {
            word.clear();
            word.extend_from_slice(least);
            few.clear();
            let mut many = RoaringBitmap::new();
            for (segment, walk) in walks.iter_mut().filter(|(_, walk)| walk.word() == Some(&word)) {
                match segment.postings.ids(walk.number()) {
                    Ids::List(ids) => few.extend(ids.iter().filter(|id| !segment.dead.contains(**id))),
                    Ids::Bitmap(ids) if many.is_empty() => many = ids - &segment.dead,
                    Ids::Bitmap(ids) => many |= ids - &segment.dead,
                }
                walk.advance();
            }
            few.sort_unstable();
            few.dedup();
            if !few.is_empty() || !many.is_empty() {
                merged.push(&word, &few, many);
            }
        }
        merged
    }

    /// How many records it was made of.
    pub fn len(&self) -> u64 {
        self.records.len()
    }

    /// How many words they have.
    pub fn words(&self) -> u64 {
        u64::from(self.words.len())
    }

    /// Whether more than half of them are dead.
    pub fn is_worn(&self) -> bool {
        self.dead.len() * 2 > self.len()
    }

    /// A record has changed, or is gone.
    pub fn bury(&mut self, id: u32) {
        if self.records.contains(id) {
            self.dead.insert(id);
        }
    }

    /// The records that have, for each of the parts, a word that matches it.
    pub fn find(&self, parts: &[&str], by: Match) -> Cow<'_, RoaringBitmap> {
        let mut parts = parts.iter().map(|part| part.as_bytes());
        let mut found = parts.next().map_or_else(Cow::default, |part| self.matching(part, by));
        for part in parts {
            if found.is_empty() {
                break;
            }
            found = Cow::Owned(found.as_ref() & self.matching(part, by).as_ref());
        }
        if !self.dead.is_empty() {
            *found.to_mut() -= &self.dead;
        }
        found
    }

    fn matching(&self, part: &[u8], by: Match) -> Cow<'_, RoaringBitmap> {
        let mut union = Union::default();
        match by {
            Match::Infix => match self.grams.find(part) {
                Matches::Records(records) => return Cow::Borrowed(records),
                Matches::Blocks(blocks) => {
                    let (finder, mut walk) = (Finder::new(part), self.words.walk());
                    for block in blocks {
                        walk.seek(block);
                        while let Some(word) = walk.word_of_block(block) {
                            if finder.find(word).is_some() {
                                self.postings.unite(walk.number(), &mut union);
                            }
                            walk.advance();
                        }
                    }
                }
            },
            Match::Prefix | Match::Whole => {
                // No word has either byte.
                let after: u8 = if by == Match::Prefix { 0xFF } else { 0 };
                let end = self.words.first_from(&[part, &[after]].concat());
                let matching = self.words.first_from(part)..end;
                matching.for_each(|number| self.postings.unite(number, &mut union));
            }
        }
        union.into_bitmap()
    }
}
