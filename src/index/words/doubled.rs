//! The words of an index with doubled consonants, by which a search finds `Hoffmann` for `hofman` (office 57).

use super::vocabulary::{Match, SIGNED, Vocabulary};
use crate::domain::single_consonants;

/// The words with doubled consonants, written with single ones, and their numbers in the index.
#[derive(Default)]
pub struct Doubled {
    words: Vocabulary,
    numbers: Vec<u32>,
}

impl Doubled {
    /// Adds a word if it has doubled consonants.
    pub fn push(&mut self, number: u32, word: &str) {
        let single = single_consonants(word);
        if single.len() < word.len() {
            self.words.push(&single);
            self.numbers.push(number);
        }
    }

    /// Calls `see` with the numbers of the words that a part with single consonants matches. Skips parts so short that
    /// they match the words as they are too.
    pub fn find(&self, single: &str, by: Match, mut see: impl FnMut(u32)) {
        if single.len() >= if by == Match::Infix { SIGNED } else { SIGNED - 1 } {
            self.words.find(single, by, |at| {
                self.numbers.get(at as usize).into_iter().for_each(|number| see(*number))
            });
        }
    }

    pub fn shrink(&mut self) {
        self.words.shrink();
        self.numbers.shrink_to_fit();
    }
}
