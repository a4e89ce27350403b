//! The words of names by their sound, with their letters, by which similar names are found (events 23.1).

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::domain::parties::similar_names::{LetterCounts, sound};

/// Words by number, in the order in which they are added. All words of one sound are a chain.
#[derive(Default)]
pub struct Sounds {
    letters: Vec<LetterCounts>,
    /// The first word of each sound.
    first: HashTable<u32>,
    /// The next word of the same sound. The last one refers to itself.
    next: Vec<u32>,
    hasher: DefaultHashBuilder,
}

impl Sounds {
    /// Adds the next word. `word` returns a word by its number.
    pub fn push<'w>(&mut self, number: u32, word: impl Fn(u32) -> &'w str) {
        let own = sound(word(number));
        self.letters.push(LetterCounts::of(word(number)));
        self.next.push(number);
        match self.first_of(&own, &word) {
            Some(first) => {
                let after = self.next.get(first as usize).copied().filter(|after| *after != first);
                self.next.get_mut(first as usize).into_iter().for_each(|next| *next = number);
                self.next
                    .get_mut(number as usize)
                    .into_iter()
                    .for_each(|next| *next = after.unwrap_or(number));
            }
            None => {
                let hash = |number: &u32| self.hasher.hash_one(sound(word(*number)));
                self.first.insert_unique(self.hasher.hash_one(&own), number, hash);
            }
        }
    }

    /// Iterates over the words that sound like this one.
    pub fn like<'w>(&self, other: &str, word: impl Fn(u32) -> &'w str) -> impl Iterator<Item = u32> {
        std::iter::successors(self.first_of(&sound(other), word), |number| {
            self.next.get(*number as usize).copied().filter(|next| next != number)
        })
    }

    /// Iterates over the letter counts of all words.
    pub fn letters(&self) -> impl Iterator<Item = LetterCounts> {
        self.letters.iter().copied()
    }

    fn first_of<'w>(&self, own: &str, word: impl Fn(u32) -> &'w str) -> Option<u32> {
        let is_of = |number: &u32| sound(word(*number)) == own;
        self.first.find(self.hasher.hash_one(own), is_of).copied()
    }

    pub fn shrink(&mut self) {
        self.letters.shrink_to_fit();
        self.next.shrink_to_fit();
    }
}
