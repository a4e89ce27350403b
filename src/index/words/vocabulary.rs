//! The words of a field by their numbers, and which of them match a part: blocks of words, of which signatures tell which may
//! hold it (signature files; Faloutsos and Christodoulakis, 1984; bit-sliced as in BitFunnel; Goodwin and others, 2017).

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

/// What stands before each word and behind the last one: a white space, which no word has.
const BREAK: u8 = b'\n';
/// So many words make a block. The start of each fourth one is known.
const WORDS: u32 = 16;
const STRIDE: u32 = 4;
/// So many blocks share a table of signatures: as many as a number has bits.
const BLOCKS: usize = u64::BITS as usize;
/// How many signatures there are: hashes of three bytes in a row.
const SIGNATURES: usize = 1 << SIGNATURE_BITS;
const SIGNATURE_BITS: u32 = 10;

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

impl Match {
    /// Whether a term's word matches a record's.
    pub fn is_match(self, part: &str, word: &str) -> bool {
        match self {
            Match::Infix => word.contains(part),
            Match::Prefix => word.starts_with(part),
            Match::Whole => word == part,
        }
    }
}

/// Words by their numbers, which count from 0 as they come.
#[derive(Default)]
pub struct Vocabulary {
    /// Each word behind a break, and a last break.
    text: Vec<u8>,
    /// Where the break before each fourth word stands.
    starts: Vec<u32>,
    /// For each of some blocks and each signature: a bit for each block that has a word with it.
    signatures: Vec<u64>,
    len: u32,
}

impl Vocabulary {
    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Adds a word, and gives its number.
    pub fn push(&mut self, word: &str) -> u32 {
        if self.text.is_empty() {
            self.text.push(BREAK);
        }
        let before = self.text.len() - 1;
        if self.len.is_multiple_of(STRIDE) {
            self.starts.push(before as u32);
        }
        let block = (self.len / WORDS) as usize;
        let table = block / BLOCKS * SIGNATURES;
        if self.signatures.len() == table {
            self.signatures.resize(table + SIGNATURES, 0);
        }
        self.text.extend_from_slice(word.as_bytes());
        self.text.push(BREAK);
        for signature in signatures(self.text.get(before..).unwrap_or_default()) {
            if let Some(bits) = self.signatures.get_mut(table + signature) {
                *bits |= 1 << (block % BLOCKS);
            }
        }
        self.len += 1;
        self.len - 1
    }

    /// The word of a number.
    pub fn word(&self, number: u32) -> &[u8] {
        let words = self.text.get(self.start(number)..).unwrap_or_default();
        words.split(|byte| *byte == BREAK).nth((number % STRIDE) as usize + 1).unwrap_or_default()
    }

    /// All words, in the order of their numbers.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.text.get(1..).unwrap_or_default().split(|byte| *byte == BREAK).filter(|word| !word.is_empty())
    }

    /// Where the break before the first of the four words stands that this one is among; the end of the text where there
    /// are no such words.
    fn start(&self, number: u32) -> usize {
        self.starts.get((number / STRIDE) as usize).map_or(self.text.len(), |start| *start as usize)
    }

    /// Shows `see` the numbers of the words that a part matches, ascending.
    pub fn find(&self, part: &str, by: Match, mut see: impl FnMut(u32)) {
        let (before, behind): (&[u8], &[u8]) = match by {
            Match::Infix => (&[], &[]),
            Match::Prefix => (&[BREAK], &[]),
            Match::Whole => (&[BREAK], &[BREAK]),
        };
        let wanted = [before, part.as_bytes(), behind].concat();
        let (finder, signatures) = (Finder::new(&wanted), signatures(&wanted).collect::<Vec<_>>());
        for (of, table) in self.signatures.chunks_exact(SIGNATURES).enumerate() {
            let bits = signatures.iter().filter_map(|signature| table.get(*signature));
            let mut bits = bits.fold(u64::MAX, |all, bits| all & bits);
            while bits != 0 {
                let block = of * BLOCKS + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.find_in(block, &finder, &mut see);
            }
        }
    }

    fn find_in(&self, block: usize, finder: &Finder<'_>, see: &mut impl FnMut(u32)) {
        let mut number = block as u32 * WORDS;
        let (start, next) = (self.start(number), self.start(number + WORDS));
        let mut words = self.text.get(start..self.text.len().min(next + 1)).unwrap_or_default();
        while let Some(at) = finder.find(words) {
            // The break before the first of the words is not between them.
            let between = words.get(1..=at).unwrap_or_default();
            number += memchr_iter(BREAK, between).count() as u32;
            see(number);
            // On from the break behind the word.
            let Some(end) = words.get(at + 1..).and_then(|rest| memchr(BREAK, rest)) else { return };
            words = words.get(at + 1 + end..).unwrap_or_default();
            number += 1;
        }
    }

    /// Gives back what room the additions left over.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.signatures.shrink_to_fit();
    }
}

/// The signatures of a text: none of one of a letter or two.
fn signatures(text: &[u8]) -> impl Iterator<Item = usize> {
    text.windows(3).map(|three| {
        let three = three.iter().fold(0_u32, |three, byte| three << 8 | u32::from(*byte));
        (three.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SIGNATURE_BITS)) as usize
    })
}
