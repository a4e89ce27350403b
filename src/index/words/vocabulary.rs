//! The distinct words of a field: each has a number, and all of them stand in one text that is searched for parts.

use memchr::memmem::Finder;

use super::ends::Ends;
use super::sieve::Sieve;
use super::slots::Slots;

/// Words and their numbers, counted from 0 in the order of their arrival. Beside its letters a word costs about seventeen bytes.
#[derive(Default)]
pub struct Vocabulary {
    /// Every word followed by a space.
    text: Vec<u8>,
    ends: Ends,
    slots: Slots,
    sieve: Sieve,
}

impl Vocabulary {
    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.ends.count()
    }

    /// The number of a word that is there.
    pub fn number(&self, word: &[u8]) -> Option<u32> {
        self.slots.find(self.slots.hash(word), |number| self.is(number, word))
    }

    /// The number of a word, which is added when it is new.
    pub fn insert(&mut self, word: &[u8]) -> u32 {
        let hash = self.slots.hash(word);
        if let Some(number) = self.slots.find(hash, |number| self.is(number, word)) {
            return number;
        }
        let number = self.len();
        self.text.extend_from_slice(word);
        self.text.push(b' ');
        self.ends.push(word.len() + 1);
        self.sieve.push(word);
        if self.slots.is_full() {
            self.slots.grow(split(&self.text));
        } else {
            self.slots.put(hash, number);
        }
        number
    }

    /// The words in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        split(&self.text).map(|word| str::from_utf8(word).unwrap_or_default())
    }

    /// The word of a number; empty for a number that was never given.
    pub fn word(&self, number: u32) -> &str {
        str::from_utf8(self.bytes(number)).unwrap_or_default()
    }

    /// Calls `each` with the numbers of the words that hold `part`, ascending. `part` has no space in it.
    pub fn holding(&self, part: &str, mut each: impl FnMut(u32)) {
        let finder = Finder::new(part);
        if let Some(candidates) = self.sieve.candidates(part.as_bytes()) {
            candidates.filter(|number| finder.find(self.bytes(*number)).is_some()).for_each(each);
            return;
        }
        let mut from = 0;
        while let Some(found) = self.text.get(from..).and_then(|rest| finder.find(rest)) {
            each(self.ends.word_at(from + found));
            from = self.ends.end_from(from + found);
        }
    }

    /// Gives back what room a bulk of insertions left over.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink();
        self.sieve.shrink();
        self.slots.fill(self.ends.count(), split(&self.text));
    }

    /// How many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.ends.heap_bytes() + self.slots.heap_bytes() + self.sieve.heap_bytes()
    }

    fn bytes(&self, number: u32) -> &[u8] {
        let start = self.ends.start_of(number);
        self.text.get(start..self.ends.end_from(start)).unwrap_or_default()
    }

    fn is(&self, number: u32, word: &[u8]) -> bool {
        let start = self.ends.start_of(number);
        let held = self.text.get(start..start + word.len() + 1);
        held.is_some_and(|held| held.starts_with(word) && held.ends_with(b" "))
    }
}

fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b' ').filter_map(|word| word.strip_suffix(b" "))
}
