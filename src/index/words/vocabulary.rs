//! The distinct words of a field: each has a number, and all of them stand in one text that is searched for parts.

use std::hash::{BuildHasher, RandomState};

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

/// Words and their numbers, counted from 0 in the order of their arrival.
///
/// Beside its letters and one separator a word costs about seven bytes: only every sixteenth word's place is kept, and
/// the hash table's slots are a number and one byte of the hash.
#[derive(Default)]
pub struct Vocabulary {
    /// Every word followed by a space.
    text: Vec<u8>,
    /// Where word 0, 16, 32 … begin.
    starts: Vec<usize>,
    len: u32,
    slots: Slots,
}

const STRIDE: usize = 16;

impl Vocabulary {
    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// The number of a word that is there.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.slots.find(self.slots.hash(word.as_bytes()), |number| self.is(number, word))
    }

    /// The number of a word, which is added when it is new.
    pub fn insert(&mut self, word: &str) -> u32 {
        let hash = self.slots.hash(word.as_bytes());
        if let Some(number) = self.slots.find(hash, |number| self.is(number, word)) {
            return number;
        }
        let number = self.len;
        if (number as usize).is_multiple_of(STRIDE) {
            self.starts.push(self.text.len());
        }
        self.text.extend_from_slice(word.as_bytes());
        self.text.push(b' ');
        self.len += 1;
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
        let rest = self.text_at(number);
        let end = memchr(b' ', rest).unwrap_or(0);
        str::from_utf8(rest.get(..end).unwrap_or_default()).unwrap_or_default()
    }

    /// Calls `each` with the numbers of the words that hold `part`, ascending. `part` has no space in it.
    pub fn holding(&self, part: &str, mut each: impl FnMut(u32)) {
        let finder = Finder::new(part);
        let mut from = 0;
        let mut block = 0;
        while let Some(found) = finder.find(self.text.get(from..).unwrap_or_default()) {
            let found = from + found;
            block += self.starts.get(block..).unwrap_or_default().partition_point(|start| *start <= found);
            block = block.saturating_sub(1);
            let start = self.starts.get(block).copied().unwrap_or(0);
            let before = memchr_iter(b' ', self.text.get(start..found).unwrap_or_default()).count();
            each((block * STRIDE + before) as u32);
            let rest = self.text.get(found..).unwrap_or_default();
            from = found + memchr(b' ', rest).map_or(rest.len(), |end| end + 1);
        }
    }

    /// Gives back what room a bulk of insertions left over.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// About how many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.starts.capacity() * size_of::<usize>() + self.slots.heap_bytes()
    }

    fn is(&self, number: u32, word: &str) -> bool {
        let rest = self.text_at(number);
        rest.get(word.len()) == Some(&b' ') && rest.starts_with(word.as_bytes())
    }

    fn text_at(&self, number: u32) -> &[u8] {
        let (block, mut skip) = (number as usize / STRIDE, number as usize % STRIDE);
        let start = self.starts.get(block).copied().unwrap_or(self.text.len());
        let mut rest = self.text.get(start..).unwrap_or_default();
        while skip > 0 {
            rest = memchr(b' ', rest).and_then(|end| rest.get(end + 1..)).unwrap_or_default();
            skip -= 1;
        }
        rest
    }
}

fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr(b' ', rest)?;
        let word = rest.get(..end)?;
        rest = rest.get(end + 1..)?;
        Some(word)
    })
}

/// A hash table of word numbers with linear probing. The words themselves are the vocabulary's.
#[derive(Default)]
struct Slots {
    hasher: RandomState,
    /// The number plus one; 0 is an empty slot.
    numbers: Vec<u32>,
    /// One byte of the word's hash, so that another word's slot is passed over without a look at its letters.
    tags: Vec<u8>,
    taken: usize,
}

impl Slots {
    fn hash(&self, word: &[u8]) -> u64 {
        self.hasher.hash_one(word)
    }

    fn is_full(&self) -> bool {
        self.taken * 8 >= self.numbers.len() * 7
    }

    fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash);
        loop {
            let number = self.numbers.get(at)?.checked_sub(1)?;
            if self.tags.get(at) == Some(&(hash as u8)) && is(number) {
                return Some(number);
            }
            at = self.after(at);
        }
    }

    fn put(&mut self, hash: u64, number: u32) {
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

    /// By half and not to the double, as a million words would leave most of two million slots empty.
    fn grow<'w>(&mut self, words: impl Iterator<Item = &'w [u8]>) {
        let room = (self.numbers.len() * 3 / 2).max(16);
        self.taken = 0;
        self.numbers = vec![0; room];
        self.tags = vec![0; room];
        for (word, number) in words.zip(0..) {
            self.put(self.hash(word), number);
        }
    }

    /// The upper bits choose the slot and the lowest byte is the tag, so that neighbours differ in their tags.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.numbers.len() as u128) >> 64) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 < self.numbers.len() { at + 1 } else { 0 }
    }

    fn heap_bytes(&self) -> usize {
        self.numbers.capacity() * 4 + self.tags.capacity()
    }
}
