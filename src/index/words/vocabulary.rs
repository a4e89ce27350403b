//! The numbered words of a field, and the search for words that match a part. Words are grouped in blocks,
//! and signatures select the blocks that may match (signature files; Faloutsos and Christodoulakis, 1984;
//! bit-sliced as in BitFunnel; Goodwin and others, 2017).

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

/// Separates words, and also precedes the first and follows the last one. No word contains white space.
const BREAK: u8 = b'\n';
/// Number of words in a block. The position of every fourth word is stored.
const WORDS: u32 = 16;
const STRIDE: u32 = 4;
/// Number of words that share a table of signatures: a block for each bit of a `u64`. Words after the last full table have
/// no signatures: a table takes as much memory for one word as for all, and all are read in a microsecond.
const SIGNED_WORDS: u32 = WORDS * u64::BITS;
/// Number of consecutive bytes whose hash is a signature.
pub const SIGNED: usize = 3;
const SIGNATURES: usize = 1 << SIGNATURE_BITS;
const SIGNATURE_BITS: u32 = 10;

/// The way in which a word of a term must match a word of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// The record's word contains the term's word.
    Infix,
    /// The record's word begins with the term's word.
    Prefix,
    /// Both words are equal.
    Whole,
}

impl Match {
    /// Returns `true` if `part`, a term's word, matches a record's `word`.
    pub fn is_match(self, part: &str, word: &str) -> bool {
        match self {
            Match::Infix => word.contains(part),
            Match::Prefix => word.starts_with(part),
            Match::Whole => word == part,
        }
    }

    /// Returns `true` if `part` matches a word of a record's text.
    pub fn is_in(self, part: &str, text: &str) -> bool {
        text.split_ascii_whitespace().any(|word| self.is_match(part, word))
    }
}

/// Words numbered from 0 in the order in which they are added.
#[derive(Default)]
pub struct Vocabulary {
    /// The words, each preceded by a break, and a final break.
    text: Vec<u8>,
    /// The position of the break before every fourth word.
    starts: Vec<u32>,
    /// For each table and signature, a bit for each block that has a word with that signature.
    signatures: Vec<u64>,
    len: u32,
}

impl Vocabulary {
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn push(&mut self, word: &str) -> u32 {
        if self.text.is_empty() {
            self.text.push(BREAK);
        }
        if self.len.is_multiple_of(STRIDE) {
            self.starts.push(self.text.len() as u32 - 1);
        }
        self.text.extend_from_slice(word.as_bytes());
        self.text.push(BREAK);
        self.len += 1;
        if self.len.is_multiple_of(SIGNED_WORDS) {
            self.sign(self.len - SIGNED_WORDS);
        }
        self.len - 1
    }

    /// Adds the table of signatures of the words from this number on.
    fn sign(&mut self, first: u32) {
        let mut table = vec![0; SIGNATURES];
        for block in (first..self.len).step_by(WORDS as usize) {
            let bit = 1 << ((block - first) / WORDS);
            for signature in signatures(self.between(block, block + WORDS)) {
                if let Some(bits) = table.get_mut(signature) {
                    *bits |= bit;
                }
            }
        }
        self.signatures.append(&mut table);
    }

    /// Returns the words from `number` up to `end`, which are multiples of [`STRIDE`] or the end of the words, with the
    /// breaks before, between and behind them.
    fn between(&self, number: u32, end: u32) -> &[u8] {
        let end = if end < self.len { self.start(end) + 1 } else { self.text.len() };
        self.text.get(self.start(number)..end).unwrap_or_default()
    }

    pub fn word(&self, number: u32) -> &[u8] {
        let mut words = self.text.get(self.start(number) + 1..).unwrap_or_default();
        for _ in 0..number % STRIDE {
            let end = memchr(BREAK, words).map_or(words.len(), |end| end + 1);
            words = words.get(end..).unwrap_or_default();
        }
        words.get(..memchr(BREAK, words).unwrap_or(words.len())).unwrap_or_default()
    }

    pub fn text(&self, number: u32) -> &str {
        std::str::from_utf8(self.word(number)).unwrap_or_default()
    }

    /// Returns all words in the order of their numbers.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.text.get(1..).unwrap_or_default().split(|byte| *byte == BREAK).filter(|word| !word.is_empty())
    }

    /// Returns the position of the break before the group of four that has this word, or the end of the text
    /// if the number is too high.
    fn start(&self, number: u32) -> usize {
        self.starts.get((number / STRIDE) as usize).map_or(self.text.len(), |start| *start as usize)
    }

    /// Calls `see` with the numbers of the words that a part matches, ascending.
    pub fn find(&self, part: &str, by: Match, mut see: impl FnMut(u32)) {
        let (before, behind): (&[u8], &[u8]) = match by {
            Match::Infix => (&[], &[]),
            Match::Prefix => (&[BREAK], &[]),
            Match::Whole => (&[BREAK], &[BREAK]),
        };
        let wanted = [before, part.as_bytes(), behind].concat();
        let finder = Finder::new(&wanted);
        let signatures = signatures(&wanted).collect::<Vec<_>>();
        for (of, table) in self.signatures.chunks_exact(SIGNATURES).enumerate() {
            let bits = signatures.iter().filter_map(|signature| table.get(*signature));
            let mut bits = bits.fold(u64::MAX, |all, bits| all & bits);
            while bits != 0 {
                let first = of as u32 * SIGNED_WORDS + bits.trailing_zeros() * WORDS;
                bits &= bits - 1;
                self.find_between(first, first + WORDS, &finder, &mut see);
            }
        }
        self.find_between(self.len / SIGNED_WORDS * SIGNED_WORDS, self.len, &finder, &mut see);
    }

    /// Calls `see` with the matching numbers from `number`, a multiple of [`STRIDE`], up to `end`, which is one or the end of
    /// the words.
    fn find_between(&self, mut number: u32, end: u32, finder: &Finder<'_>, see: &mut impl FnMut(u32)) {
        let mut words = self.between(number, end);
        while let Some(at) = finder.find(words) {
            // The break before the first word separates nothing.
            let between = words.get(1..=at).unwrap_or_default();
            number += memchr_iter(BREAK, between).count() as u32;
            see(number);
            // Continues at the break after the matching word.
            let Some(end) = words.get(at + 1..).and_then(|rest| memchr(BREAK, rest)) else { return };
            words = words.get(at + 1 + end..).unwrap_or_default();
            number += 1;
        }
    }

    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.signatures.shrink_to_fit();
    }
}

/// Returns the signatures of words or of a part of one. A text of fewer than [`SIGNED`] bytes has no signatures.
fn signatures(text: &[u8]) -> impl Iterator<Item = usize> {
    // No part is in two words.
    text.windows(SIGNED).filter(|three| three.get(1) != Some(&BREAK)).map(|three| {
        if three.iter().all(u8::is_ascii_digit) {
            // The three-digit number itself: numbers have so few different signatures that none should be shared.
            return three.iter().fold(0, |three, digit| three * 10 + usize::from(digit - b'0'));
        }
        let three = three.iter().fold(0_u32, |three, byte| three << 8 | u32::from(*byte));
        (three.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SIGNATURE_BITS)) as usize
    })
}
