//! The inverted index of one searchable text field. It finds the records whose text matches every word of a search
//! term. A word of the term is called a part; depending on [`Match`], a word of the text matches if it contains the
//! part, begins with it or equals it.
//!
//! `terms` parses a term and says where in a word each part must match, `vocabulary` has the words, `postings` their records,
//! `sounds` and `doubled` the slips that are forgiven.
//!
//! Postings are only ever added: a changed record gets postings for its new words and keeps the old ones. A
//! match of a changed record is therefore verified against its current text. After many changes the index is
//! compacted, which drops stale postings.

pub(super) mod terms;

mod doubled;
mod postings;
mod sounds;
mod vocabulary;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use parking_lot::RwLock;
use roaring::RoaringBitmap;

use self::doubled::Doubled;
use self::postings::Postings;
use self::sounds::Sounds;
pub use self::vocabulary::Match;
use self::vocabulary::{SIGNED, Vocabulary};
use super::sets::union::Union;
use crate::domain::parties::similar_names::LetterCounts;
use crate::domain::single_consonants;

/// The index is compacted when more than `CHANGED + records / CHANGED_OF` records have changed.
const CHANGED: usize = 1024;
const CHANGED_OF: usize = 16;
/// The result of a part is cached if it matches at least this many words, because uniting their postings takes some
/// milliseconds. That of one or two letters always is, because the search for them reads most words.
const MANY_WORDS: u32 = 1024;
/// Maximum number of cached results, which are kept until the index is compacted. With a million records, each takes
/// up to 128 KiB.
const MAX_SLOW_WORDS: usize = 256;

/// The words of a field and the records that hold them. Callers pass texts and terms that are already folded
/// (`domain::fold`) or reduced to letters and digits (`domain::compact`).
#[derive(Default)]
pub struct WordIndex {
    vocabulary: Vocabulary,
    postings: Postings,
    /// Word numbers by hash. `None` if words are not expected to repeat.
    numbers: Option<HashTable<u32>>,
    /// `None` if similar words are not looked for.
    sounds: Option<Box<Sounds>>,
    /// Stays empty for numbers.
    doubled: Doubled,
    /// Randomly keyed, so that a client cannot choose words that collide.
    hasher: DefaultHashBuilder,
    records: RoaringBitmap,
    /// Current texts of the changed records, whose postings may include words that they no longer have.
    changed: BTreeMap<u32, String>,
    changed_ids: RoaringBitmap,
    remembered: RwLock<BTreeMap<(Match, String), RoaringBitmap>>,
}

impl WordIndex {
    /// Creates an index for words that many records share, such as those of names.
    pub fn of_words() -> WordIndex {
        WordIndex { numbers: Some(HashTable::new()), ..WordIndex::default() }
    }

    /// Creates an index for words of names, among which similar ones are looked for.
    pub fn of_names() -> WordIndex {
        WordIndex { sounds: Some(Box::default()), ..WordIndex::of_words() }
    }

    /// Creates an index for words that few records share, such as telephone numbers. A repeated word is stored again
    /// each time, which saves the hash table and a look-up for every word.
    pub fn of_numbers() -> WordIndex {
        WordIndex::default()
    }

    /// Replaces the record's text. With an empty text, [`find`](Self::find) does not return the record any more.
    pub fn set(&mut self, id: u32, text: &str) {
        if self.records.contains(id) {
            self.changed_ids.insert(id);
            self.changed.insert(id, text.to_owned());
            if self.changed.len() > CHANGED + self.records.len() as usize / CHANGED_OF {
                return self.compact();
            }
        }
        self.add(id, text);
    }

    pub fn add(&mut self, id: u32, text: &str) {
        let mut words = text.split_ascii_whitespace().peekable();
        if words.peek().is_some() {
            self.records.insert(id);
        }
        let mut known = Vec::new();
        for word in words {
            match self.number(word) {
                Some(number) => known.push(number),
                None => _ = self.push(word, id),
            }
            let remembered = self.remembered.get_mut().iter_mut();
            let matching = remembered.filter(|((by, part), _)| by.is_match(part, word));
            matching.for_each(|(_, ids)| _ = ids.insert(id));
        }
        // All at once: the lists are far apart in memory, and a processor waits for several of them together.
        known.into_iter().for_each(|number| self.postings.add(number, id));
    }

    /// Returns the records in which every word of the term matches some word, in any order. A term without
    /// words finds nothing; callers for whom it means "no filter" check that first.
    pub fn find(&self, term: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let mut parts: Vec<&str> = term.split_ascii_whitespace().collect();
        // Longer parts first: they usually match fewer records, and an empty result ends the loop.
        parts.sort_unstable_by_key(|part| (Reverse(part.len()), *part));
        parts.dedup();
        let Some((first, others)) = parts.split_first() else { return Cow::default() };
        let mut found = self.matching(first, by);
        for part in others {
            if found.is_empty() {
                break;
            }
            found = Cow::Owned(found.as_ref() & self.matching(part, by).as_ref());
        }
        self.verify(&mut found, |text| parts.iter().all(|part| by.is_in(part, text)));
        found
    }

    /// Like [`find`](Self::find), for one word, but does not tell doubled consonants from single ones.
    pub fn find_single(&self, word: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let single = single_consonants(word);
        let found = self.find(&single, by);
        let mut union = Union::default();
        self.doubled.find(&single, by, |number| self.postings.unite(number, &mut union));
        let mut of_doubled = union.into_bitmap();
        if of_doubled.is_empty() {
            return found;
        }
        self.verify(&mut of_doubled, |text| by.is_in(&single, &single_consonants(text)));
        Cow::Owned(found.as_ref() | of_doubled.as_ref())
    }

    /// Removes the changed records whose current text is not found.
    fn verify(&self, found: &mut Cow<'_, RoaringBitmap>, is_found: impl Fn(&str) -> bool) {
        for id in found.as_ref() & &self.changed_ids {
            if !self.changed.get(&id).is_some_and(|text| is_found(text)) {
                found.to_mut().remove(id);
            }
        }
    }

    /// Returns the records that have a word that `part` matches, and changed records that used to have one.
    fn matching(&self, part: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        if by == Match::Whole && self.numbers.is_some() {
            return self.records_of(self.number(part));
        }
        let key = (by, part.to_owned());
        if let Some(ids) = self.remembered.read().get(&key) {
            return Cow::Owned(ids.clone());
        }
        let mut union = Union::default();
        let mut words = 0;
        self.vocabulary.find(part, by, |number| {
            self.postings.unite(number, &mut union);
            words += 1;
        });
        let ids = union.into_bitmap();
        let is_slow = words >= MANY_WORDS || part.len() < SIGNED;
        if is_slow && self.remembered.read().len() < MAX_SLOW_WORDS {
            self.remembered.write().insert(key, ids.clone().into_owned());
        }
        ids
    }

    /// Suggests a correction for a word that no record contains. Allows an edit distance of 1, or 2 for words of eight
    /// letters or more. If several words fit, the closest one wins; among equally close ones, the one that occurs in
    /// most records. Words with digits and words shorter than four letters get no suggestion.
    ///
    /// Compares `word` with every word of the index, which takes some 50 ms for the words of a million names. It is
    /// therefore called only for searches that found nothing.
    pub fn nearest(&self, word: &str) -> Option<&str> {
        let most = match word.chars().count() {
            0..=3 => return None,
            4..=7 => 1,
            _ => 2,
        };
        let is_word = |word: &str| !word.bytes().any(|byte| byte.is_ascii_digit());
        let like = (0..).zip(self.vocabulary.words()).filter_map(|(number, other)| {
            let other = std::str::from_utf8(other).ok()?;
            let may_be = other.len().abs_diff(word.len()) <= most && is_word(other);
            let distance = may_be.then(|| strsim::osa_distance(word, other))?;
            (distance <= most).then(|| (distance, Reverse(self.postings.len(number)), other))
        });
        like.min().map(|(.., other)| other).filter(|_| is_word(word))
    }

    /// Iterates over the numbers of the words, which [`records_of`](Self::records_of) takes, and the letter counts of an
    /// index of names. Includes words that no record has any more.
    pub fn letters(&self) -> impl Iterator<Item = (u32, LetterCounts)> {
        (0..).zip(self.sounds.iter().flat_map(|sounds| sounds.letters()))
    }

    /// Returns the records that have a word of the same sound, and changed records that used to have one.
    pub fn sounding_like(&self, word: &str) -> Cow<'_, RoaringBitmap> {
        let like = self.sounds.iter().flat_map(|sounds| sounds.like(word, |number| self.word(number)));
        self.records_of(like)
    }

    pub fn word(&self, number: u32) -> &str {
        self.vocabulary.text(number)
    }

    /// Returns the records that have one of these words, and changed records that used to have one.
    pub fn records_of(&self, numbers: impl IntoIterator<Item = u32>) -> Cow<'_, RoaringBitmap> {
        let mut union = Union::default();
        numbers.into_iter().for_each(|number| self.postings.unite(number, &mut union));
        union.into_bitmap()
    }

    /// Returns `true` if the record has words, or had some since the index was last compacted.
    pub fn knows(&self, id: u32) -> bool {
        self.records.contains(id)
    }

    /// Returns the records that have words.
    pub fn records(&self) -> RoaringBitmap {
        let emptied = self.changed.iter().filter(|(_, text)| text.trim_ascii().is_empty()).map(|(id, _)| *id);
        &self.records - emptied.collect::<RoaringBitmap>()
    }

    /// Returns the number of a word.
    pub fn number(&self, word: &str) -> Option<u32> {
        let is_it = |number: &u32| self.vocabulary.word(*number) == word.as_bytes();
        self.numbers.as_ref()?.find(self.hasher.hash_one(word.as_bytes()), is_it).copied()
    }

    /// Adds a new word with its first record, and returns the word's number.
    fn push(&mut self, word: &str, id: u32) -> u32 {
        let WordIndex { vocabulary, numbers, sounds, doubled, hasher, .. } = self;
        let number = vocabulary.push(word);
        self.postings.push(id);
        if let Some(sounds) = sounds {
            sounds.push(number, |number| vocabulary.text(number));
        }
        if let Some(numbers) = numbers {
            doubled.push(number, word);
            let hash = |number: &u32| hasher.hash_one(vocabulary.word(*number));
            numbers.insert_unique(hash(&number), number, hash);
        }
        number
    }

    /// Rebuilds the index from the current texts. Drops stale postings, words that no record has any more, and cached
    /// results.
    fn compact(&mut self) {
        let empty = match (&self.sounds, &self.numbers) {
            (Some(_), _) => WordIndex::of_names(),
            (None, Some(_)) => WordIndex::of_words(),
            (None, None) => WordIndex::of_numbers(),
        };
        let old = std::mem::replace(self, empty);
        self.records = &old.records - &old.changed_ids;
        for number in 0..old.vocabulary.len() {
            let mut union = Union::default();
            old.postings.unite(number, &mut union);
            let ids = union.into_bitmap().as_ref() - &old.changed_ids;
            if let (Some(first), Ok(word)) = (ids.min(), std::str::from_utf8(old.vocabulary.word(number))) {
                let number = self.push(word, first);
                ids.iter().skip(1).for_each(|id| self.postings.add(number, id));
            }
        }
        old.changed.iter().for_each(|(id, text)| self.add(*id, text));
        self.shrink();
    }

    pub fn shrink(&mut self) {
        self.vocabulary.shrink();
        self.postings.shrink();
        self.sounds.iter_mut().for_each(|sounds| sounds.shrink());
        self.doubled.shrink();
        self.records.optimize();
    }
}

#[cfg(test)]
mod tests;
