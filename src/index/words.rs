//! One searchable text field of all records: which records have, for every word of a term, a word that it is a part of, or the
//! beginning, or the whole.
//!
//! An inverted index in segments, as search engines keep it: a segment is built once, and what changes goes into new ones,
//! which are merged from time to time (a log-structured merge tree; O'Neil and others, 1996).

mod batch;
mod grams;
mod postings;
mod segment;
mod vocabulary;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use self::batch::Batch;
pub use self::segment::Match;
use self::segment::Segment;

/// So many changed records are looked through one by one, in some microseconds, before they become a segment.
const RECENT: usize = 512;
/// So many segments of about the same size become one, so that no record is merged more often than a few times.
const FANOUT: u64 = 8;
/// So many words of records are taken in at a time while many come at once: more would leave the heap with larger holes.
const BATCH: usize = 1 << 14;

/// The words of a field and the records that hold them. Texts come folded: words of letters and digits, separated by single
/// spaces.
#[derive(Default)]
pub struct WordIndex {
    segments: Vec<Segment>,
    /// What changed last, and is in no segment.
    recent: BTreeMap<u32, String>,
    /// Of searches for infixes; none where there are none.
    patience: Option<u64>,
    loading: Option<Batch>,
}

impl WordIndex {
    /// No record has a text; many come at once, and then [`WordIndex::settle`]. Before that nothing is found. An infix
    /// of one or two letters is to be found within about so many nanoseconds; none where infixes are not asked for.
    pub fn loading(patience: Option<u64>) -> WordIndex {
        WordIndex { patience, loading: Some(Batch::default()), ..WordIndex::default() }
    }

    /// How many words the segments have.
    pub fn loaded(&self) -> u64 {
        self.segments.iter().map(Segment::words).sum()
    }

    /// Makes quick and small what was loaded.
    pub fn settle(&mut self) {
        if let Some(batch) = self.loading.take() {
            self.segments.push(batch.into_segment());
            self.merge_from(0);
            self.finish();
        }
    }

    /// Gives the record this text in place of what it had; an empty one clears it. While many are loaded, it is added to
    /// what the record has.
    pub fn set(&mut self, id: u32, text: &str) {
        if let Some(batch) = &mut self.loading {
            batch.add(id, text);
            if batch.len() >= BATCH {
                let batch = std::mem::take(batch);
                self.take_in(batch);
            }
            return;
        }
        self.segments.iter_mut().for_each(|segment| segment.bury(id));
        self.recent.remove(&id);
        if !text.is_empty() {
            self.recent.insert(id, text.to_owned());
        }
        if self.recent.len() >= RECENT {
            self.flush();
        }
    }

    /// The records in which every word of the term matches some word, in any order. A term without a word finds
    /// nothing: that it filters nothing is the caller's business.
    pub fn find(&self, term: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let mut parts: Vec<&str> = term.split(' ').filter(|part| !part.is_empty()).collect();
        // The longer, the fewer as a rule; where nothing is left, the others need no look.
        parts.sort_unstable_by_key(|part| (Reverse(part.len()), *part));
        parts.dedup();
        let mut found = Cow::default();
        if parts.is_empty() {
            return found;
        }
        for segment in &self.segments {
            let more = segment.find(&parts, by);
            if found.is_empty() {
                found = more;
            } else if !more.is_empty() {
                *found.to_mut() |= &*more;
            }
        }
        let is_match = |part: &&str, word: &str| match by {
            Match::Infix => word.contains(part),
            Match::Prefix => word.starts_with(part),
            Match::Whole => word == *part,
        };
        for (id, text) in &self.recent {
            if parts.iter().all(|part| text.split(' ').any(|word| is_match(part, word))) {
                found.to_mut().insert(*id);
            }
        }
        found
    }

    /// Makes a segment of what changed last.
    fn flush(&mut self) {
        let mut batch = Batch::default();
        std::mem::take(&mut self.recent).into_iter().for_each(|(id, text)| batch.add(id, &text));
        self.take_in(batch);
        self.finish();
    }

    /// Makes a segment of a batch, and one segment of many; it stands last and is still to be finished.
    fn take_in(&mut self, batch: Batch) {
        self.segments.push(batch.into_segment());
        let (mut first, mut behind) = (self.segments.len() - 1, 0);
        for (at, segment) in self.segments.iter().enumerate().rev() {
            if segment.is_worn() || (behind > 0 && behind >= (FANOUT - 1) * segment.len()) {
                first = at;
            }
            behind += segment.len();
        }
        if first + 1 < self.segments.len() {
            self.merge_from(first);
        }
    }

    fn merge_from(&mut self, first: usize) {
        let merged = Segment::merge(&self.segments.split_off(first));
        self.segments.push(merged);
    }

    /// Makes the last segment ready. It gets its share of the patience.
    fn finish(&mut self) {
        let records: u64 = self.segments.iter().map(Segment::len).sum();
        if let Some(last) = self.segments.last_mut() {
            let share = |patience: u64| patience.saturating_mul(last.len()) / records.max(1);
            last.finish(self.patience.map(share));
        }
    }
}

#[cfg(test)]
mod tests;
