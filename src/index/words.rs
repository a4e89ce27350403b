//! One searchable text field of all records: which records have, for every word of a term, a word that it is a part of, or the
//! beginning, or the whole.
//!
//! An inverted index that only ever grows: a record that changes gets its new words and keeps the old ones, and what is found
//! of such a record is looked at again, in its text. When many have changed, the index leaves out what is of no use any more.

mod postings;
mod vocabulary;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use parking_lot::RwLock;
use roaring::RoaringBitmap;

use self::postings::Postings;
pub use self::vocabulary::Match;
use self::vocabulary::Vocabulary;
use super::union::Union;

/// So many records may have changed, and one in so many of all, before the index is made anew of what is still of use.
const CHANGED: usize = 1024;
const CHANGED_OF: usize = 16;
/// A part of so many words, as one letter is, is remembered with its records: to unite them takes some milliseconds.
const MANY_WORDS: u32 = 1024;
/// So many parts are remembered, at a million records in up to 128 KiB each.
const REMEMBERED: usize = 256;

/// The words of a field and the records that hold them. Texts come folded: words of letters and digits, separated by single
/// spaces.
#[derive(Default)]
pub struct WordIndex {
    vocabulary: Vocabulary,
    postings: Postings,
    /// The numbers of the words by their hashes; none where words are not expected to come twice.
    numbers: Option<HashTable<u32>>,
    /// With a key of its own, so that nobody can choose words that collide.
    hasher: DefaultHashBuilder,
    records: RoaringBitmap,
    /// The texts of the records that changed, which have more words here than there.
    changed: BTreeMap<u32, String>,
    changed_ids: RoaringBitmap,
    remembered: RwLock<BTreeMap<String, RoaringBitmap>>,
}

impl WordIndex {
    /// Of words that records share, such as names.
    pub fn of_words() -> WordIndex {
        WordIndex { numbers: Some(HashTable::new()), ..WordIndex::default() }
    }

    /// Of words that hardly any two records share, such as telephone numbers: one that comes twice stands there twice, and
    /// none has to be looked up.
    pub fn of_numbers() -> WordIndex {
        WordIndex::default()
    }

    /// Gives the record this text in place of what it had; an empty one clears it.
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

    /// Gives the record these words beside those that it has.
    pub fn add(&mut self, id: u32, text: &str) {
        let mut words = text.split_ascii_whitespace().peekable();
        if words.peek().is_some() {
            self.records.insert(id);
        }
        for word in words {
            match self.number(word) {
                Some(number) => self.postings.add(number, id),
                None => _ = self.push(word, id),
            }
            let remembered = self.remembered.get_mut().iter_mut();
            remembered.filter(|(part, _)| word.contains(&**part)).for_each(|(_, ids)| _ = ids.insert(id));
        }
    }

    /// The records in which every word of the term matches some word, in any order. A term without a word finds
    /// nothing: that it filters nothing is the caller's business.
    pub fn find(&self, term: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        let mut parts: Vec<&str> = term.split_ascii_whitespace().collect();
        // The longer, the fewer as a rule; where nothing is left, the others need no look.
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
        let has = |text: &str, part| text.split_ascii_whitespace().any(|word| by.is_match(part, word));
        let is_found = |text: &String| parts.iter().all(|part| has(text, part));
        for id in found.as_ref() & &self.changed_ids {
            if !self.changed.get(&id).is_some_and(is_found) {
                found.to_mut().remove(id);
            }
        }
        found
    }

    /// The records that have, or had, a word that the part matches.
    fn matching(&self, part: &str, by: Match) -> Cow<'_, RoaringBitmap> {
        if by == Match::Infix
            && let Some(ids) = self.remembered.read().get(part)
        {
            return Cow::Owned(ids.clone());
        }
        let (mut union, mut words) = (Union::default(), 0);
        self.vocabulary.find(part, by, |number| {
            self.postings.unite(number, &mut union);
            words += 1;
        });
        let ids = union.into_bitmap();
        if by == Match::Infix && words >= MANY_WORDS && self.remembered.read().len() < REMEMBERED {
            self.remembered.write().insert(part.to_owned(), ids.clone().into_owned());
        }
        ids
    }

    /// The word most like this one, which no record has: one letter more, less, changed or swapped, of a word of eight letters
    /// or more two. Of several the one that most records have. None for numbers, which nobody should take for others, and for
    /// words of less than four letters, which are like too many.
    ///
    /// All words are compared, which takes some 50 ms for those of a million names: nobody waits for it but who has found
    /// nothing.
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

    fn number(&self, word: &str) -> Option<u32> {
        let is_it = |number: &u32| self.vocabulary.word(*number) == word.as_bytes();
        self.numbers.as_ref()?.find(self.hasher.hash_one(word.as_bytes()), is_it).copied()
    }

    /// Adds a word that is not there yet, with its first record, and gives its number.
    fn push(&mut self, word: &str, id: u32) -> u32 {
        let WordIndex { vocabulary, numbers, hasher, .. } = self;
        let number = vocabulary.push(word);
        self.postings.push(id);
        if let Some(numbers) = numbers {
            let hash = |number: &u32| hasher.hash_one(vocabulary.word(*number));
            numbers.insert_unique(hash(&number), number, hash);
        }
        number
    }

    /// Leaves out the words that records do not have any more.
    fn compact(&mut self) {
        let empty = if self.numbers.is_some() { WordIndex::of_words() } else { WordIndex::of_numbers() };
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

    /// Gives back what room the additions left over.
    pub fn shrink(&mut self) {
        self.vocabulary.shrink();
        self.postings.shrink();
        self.records.optimize();
    }
}

#[cfg(test)]
mod tests;
