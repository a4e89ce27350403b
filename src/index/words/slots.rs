//! The hash table of a vocabulary: it holds the numbers of words, whose letters are elsewhere.

use std::hash::{BuildHasher, RandomState};

/// Word numbers by the hash of the word, with linear probing. Five bytes a slot.
#[derive(Default)]
pub struct Slots {
    hasher: RandomState,
    /// The number plus one; 0 is an empty slot.
    numbers: Vec<u32>,
    /// One byte of the word's hash, so that another word's slot is passed over without a look at its letters.
    tags: Vec<u8>,
    taken: usize,
}

impl Slots {
    /// The hash of a word; keyed anew for each table, so that nobody can choose words that collide.
    pub fn hash(&self, word: &[u8]) -> u64 {
        self.hasher.hash_one(word)
    }

    /// Whether one more number needs `grow` first.
    pub fn is_full(&self) -> bool {
        self.taken * 8 >= self.numbers.len() * 7
    }

    /// The number with this hash that `is` recognises.
    pub fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash);
        loop {
            let number = self.numbers.get(at)?.checked_sub(1)?;
            if self.tags.get(at) == Some(&(hash as u8)) && is(number) {
                return Some(number);
            }
            at = self.after(at);
        }
    }

    /// Adds a number that is not there; the table is not full.
    pub fn put(&mut self, hash: u64, number: u32) {
        let mut at = self.home(hash);
        while self.numbers.get(at).is_some_and(|taken| *taken != 0) {
            at = self.after(at);
        }
        if let (Some(slot), Some(tag)) = (self.numbers.get_mut(at), self.tags.get_mut(at)) {
            *slot = number + 1;
            *tag = hash as u8;
            self.taken += 1;
        }
    }

    /// Makes room and takes in all `words` anew, numbered from 0. By half and not to the double, as a million words would
    /// leave most of two million slots empty.
    pub fn grow<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) {
        self.refill((self.numbers.len() * 3 / 2).max(16), words);
    }

    /// Takes in all `words` of a vocabulary of so many, with room for some more.
    pub fn fill<'w>(&mut self, count: u32, words: impl Iterator<Item = &'w [u8]>) {
        self.refill(count as usize * 5 / 4 + 16, words);
    }

    fn refill<'w>(&mut self, room: usize, words: impl Iterator<Item = &'w [u8]>) {
        self.taken = 0;
        self.numbers = vec![0; room];
        self.tags = vec![0; room];
        for (word, number) in words.zip(0..) {
            self.put(self.hash(word), number);
        }
    }

    /// How many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.numbers.capacity() * 4 + self.tags.capacity()
    }

    /// The upper bits choose the slot and the lowest byte is the tag, so that neighbours differ in their tags.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.numbers.len() as u128) >> 64) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 < self.numbers.len() { at + 1 } else { 0 }
    }
}
