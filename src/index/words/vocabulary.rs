//! The distinct words of a segment, sorted and front coded (Manning, Raghavan and Schütze, "Introduction to Information
//! Retrieval", 5.2.2).

/// So many words make a block, which begins with a whole word. Larger blocks take less memory and more time.
const BLOCK: u32 = 4;
/// No word has a byte below this.
const FIRST_LETTER: u8 = 32;

/// Words by their numbers, which are their places in the order of their bytes, counted from 0.
#[derive(Default)]
pub struct Vocabulary {
    /// For each word, how many bytes it shares with the one before it in its block, in one byte below [`FIRST_LETTER`], and
    /// then the others.
    text: Vec<u8>,
    /// Where each block begins in the text.
    blocks: Vec<u32>,
    len: u32,
    last: Vec<u8>,
}

impl Vocabulary {
    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Adds a word that is greater than all there are.
    pub fn push(&mut self, word: &[u8]) {
        let mut shared = 0;
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(self.text.len() as u32);
        } else {
            let same = self.last.iter().zip(word).take(usize::from(FIRST_LETTER) - 1);
            shared = same.take_while(|(one, other)| one == other).count();
        }
        self.text.push(shared as u8);
        self.text.extend_from_slice(word.get(shared..).unwrap_or_default());
        self.last.clear();
        self.last.extend_from_slice(word);
        self.len += 1;
    }

    /// The block of a word.
    pub fn block_of(number: u32) -> u32 {
        number / BLOCK
    }

    /// All words, in their order.
    pub fn walk(&self) -> Walk<'_> {
        let mut walk = Walk { words: self, rest: &[], word: Vec::new(), number: 0, ended: false };
        walk.seek(0);
        walk
    }

    /// The number of the first word that is not less than these bytes; how many words there are, where all are.
    pub fn first_from(&self, bytes: &[u8]) -> u32 {
        let is_less = |start: &u32| {
            let first = self.text.get(*start as usize + 1..).unwrap_or_default();
            split_word(first).0 < bytes
        };
        let block = self.blocks.partition_point(is_less).saturating_sub(1);
        let mut walk = self.walk();
        walk.seek(block as u32);
        while walk.word().is_some_and(|word| word < bytes) {
            walk.advance();
        }
        walk.number
    }

    /// Gives back what room the additions left over.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.last = Vec::new();
    }
}

/// A walk through words.
pub struct Walk<'a> {
    words: &'a Vocabulary,
    rest: &'a [u8],
    word: Vec<u8>,
    number: u32,
    ended: bool,
}

impl Walk<'_> {
    /// Where the walk stands, until it has passed the last word.
    pub fn word(&self) -> Option<&[u8]> {
        (!self.ended).then_some(&self.word)
    }

    /// Likewise, until it has passed the last word of that block.
    pub fn word_of_block(&self, block: u32) -> Option<&[u8]> {
        self.word().filter(|_| Vocabulary::block_of(self.number) == block)
    }

    /// The number of that word.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Goes to the first word of a block.
    pub fn seek(&mut self, block: u32) {
        let start =
            self.words.blocks.get(block as usize).and_then(|start| self.words.text.get(*start as usize..));
        self.rest = start.unwrap_or_default();
        self.number = block * BLOCK;
        self.ended = false;
        self.read();
    }

    /// Goes on to the next word.
    pub fn advance(&mut self) {
        self.number += u32::from(!self.ended);
        self.read();
    }

    fn read(&mut self) {
        let Some((shared, rest)) = self.rest.split_first() else {
            self.ended = true;
            return;
        };
        let (own, rest) = split_word(rest);
        self.word.truncate(usize::from(*shared));
        self.word.extend_from_slice(own);
        self.rest = rest;
    }
}

/// The bytes up to where the next word's begin, and those from there on.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| *byte < FIRST_LETTER).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}
