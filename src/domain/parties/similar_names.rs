//! How similar two names are (events 23.1). A score does not depend on the order of the words, case, accents, particles,
//! titles and legal forms, nor on blanks and dots between initials (`J. B.`, `JB`) or before and after figures (`3 M`, `3M`).
//!
//! Words are compared by the normalized distance of optimal string alignment (`strsim`), names by the Dice coefficient
//! over the best pairs of their words. `tests/golden/similar_names.txt` has the pairs by which the measure was chosen.

pub mod score;
pub mod similarity;
pub mod threshold;
pub mod words;

use strsim::osa_distance;

use self::words::{ABBREVIATIONS, SplitName};
use crate::domain::text::fold;
use crate::domain::{Score, TaxId, single_consonants};

/// Letters that sound like another one in Brazilian names: `Luiz` and `Luis`, `Wagner` and `Vagner`.
const SOUNDS: [(char, char); 4] = [('k', 'c'), ('w', 'v'), ('y', 'i'), ('z', 's')];
/// Words have at most one slip for every so many letters of the longer one.
const LETTERS_OF_SLIP: usize = 4;
/// Lowest score, in hundredths, of words that one slip sets apart.
const ONE_SLIP: usize = 85;
/// Score, in hundredths, of different words that sound the same, such as `Luis` and `Luiz`.
const SAME_SOUND: usize = 95;
/// Score, in hundredths, of an initial and a word that begins with it.
pub const INITIAL: usize = 75;

/// The words of a name that count for its similarity to others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameWords {
    words: Vec<NameWord>,
    /// The words with runs of initials joined, if there are such runs.
    joined: Option<Vec<NameWord>>,
}

/// A folded word, and the features by which most dissimilar words are told apart without comparing them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameWord {
    text: String,
    letters: LetterCounts,
    /// Number of characters.
    length: usize,
}

impl NameWords {
    /// Splits a name, folded or not, into words. Expands abbreviations, and drops particles, titles and legal forms,
    /// unless nothing else is left.
    pub fn parse(name: &str) -> NameWords {
        let folded = fold(name);
        let split = SplitName::of(&folded);
        let joined = split.joined().map(|words| sorted(words.iter().map(|word| word.as_ref())));
        NameWords { words: sorted(split.words().iter().copied()), joined }
    }

    /// Iterates over the one or two ways to read the name, each as words in alphabetical order: as it is, and with runs of
    /// initials joined.
    pub fn readings(&self) -> impl Iterator<Item = &[NameWord]> {
        std::iter::once(&*self.words).chain(self.joined.as_deref())
    }

    fn joined(&self) -> &[NameWord] {
        self.joined.as_ref().unwrap_or(&self.words)
    }
}

fn sorted<'w>(words: impl Iterator<Item = &'w str>) -> Vec<NameWord> {
    let mut words: Vec<_> = words.map(NameWord::parse).collect();
    words.sort_unstable();
    words
}

impl NameWord {
    /// Wraps a folded word, or the word that it abbreviates.
    pub fn parse(word: &str) -> NameWord {
        let text = expand(word).to_owned();
        NameWord { letters: LetterCounts::of(&text), length: text.chars().count(), text }
    }

    /// Returns the word, folded and without abbreviation.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `false` if the letters of another word show that only slips cannot set it apart. The other word may be
    /// longer by its slips.
    pub fn may_be_like(&self, letters: LetterCounts) -> bool {
        self.letters.distance(letters) <= 2 * (self.length / (LETTERS_OF_SLIP - 1))
    }

    /// Returns the initial if the word is one.
    pub fn initial(&self) -> Option<char> {
        let mut letters = self.text.chars();
        letters.next().filter(|_| letters.next().is_none())
    }

    /// Returns the score of two words; [`Score::NONE`] if they differ by more than slips.
    pub fn similarity(&self, other: &NameWord) -> Score {
        Score::from_hundredths(self.hundredths(other))
    }

    fn hundredths(&self, other: &NameWord) -> usize {
        if self.text == other.text {
            return 100;
        }
        if let Some(initial) = self.initial().or(other.initial()) {
            return if self.text.starts_with(initial) && other.text.starts_with(initial) {
                INITIAL
            } else {
                0
            };
        }
        let longest = self.length.max(other.length);
        let slips = self.slips(other);
        match slips {
            None => 0,
            Some(0) => SAME_SOUND,
            Some(slips) => {
                let normalized = 100 * (longest - slips) / longest;
                if slips == 1 { normalized.max(ONE_SLIP) } else { normalized }
            }
        }
    }

    /// Returns `true` if the words are the same, sound the same, or one slip sets them apart.
    fn is_common(&self, other: &NameWord) -> bool {
        self.text == other.text || self.slips(other).is_some_and(|slips| slips <= 1)
    }

    /// Returns the edit distance of how the words sound, or `None` if it is too much for their length. Doubled consonants
    /// count as one if fewer slips are left so.
    fn slips(&self, other: &NameWord) -> Option<usize> {
        let most = self.length.max(other.length) / LETTERS_OF_SLIP;
        if self.letters.distance(other.letters) > 2 * most {
            return None;
        }
        let one = spoken(&self.text);
        let other = spoken(&other.text);
        let distance = Some(osa_distance(&one, &other)).filter(|distance| *distance <= most);
        let single = single_consonants(&one);
        let other_single = single_consonants(&other);
        if single.len() == one.len() && other_single.len() == other.len() {
            return distance;
        }
        let most = single.chars().count().max(other_single.chars().count()) / LETTERS_OF_SLIP;
        let of_single = Some(osa_distance(&single, &other_single)).filter(|distance| *distance <= most);
        distance.into_iter().chain(of_single).min()
    }
}

/// Returns the score of two persons or companies by the score of their names and their tax ids. The same tax id is
/// [`Score::SAME`]; different ones are at most [`Score::HALF`], unless they are of one company's head office and branches.
pub fn person_score(names: Score, one: Option<&TaxId>, other: Option<&TaxId>) -> Score {
    match (one, other) {
        (Some(one), Some(other)) if one == other => Score::SAME,
        (Some(one), Some(other)) if !one.is_same_company(other) => names.min(Score::HALF),
        _ => names,
    }
}

/// Returns how the words of a folded name that count sound, in alphabetical order, with runs of initials joined. Names of
/// the same sounds have a score of at least 0.95.
pub fn sounds_of(folded: &str) -> Vec<String> {
    let split = SplitName::of(folded);
    let mut sounds: Vec<String> = match split.joined() {
        Some(words) => words.iter().map(|word| sound(word)).collect(),
        None => split.words().iter().map(|word| sound(word)).collect(),
    };
    sounds.sort_unstable();
    sounds
}

/// Replaces an abbreviation by its word. Initials are compared as they are.
fn expand(word: &str) -> &str {
    ABBREVIATIONS.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long)
}

/// Returns how a word sounds, or the word that it abbreviates. Doubled consonants sound like single ones.
pub fn sound(word: &str) -> String {
    single_consonants(&spoken(word)).into_owned()
}

/// Returns how the letters of a word sound, or those of the word that it abbreviates. Each has one replacement, so a slip
/// in the name is at most one in its sound.
fn spoken(word: &str) -> String {
    expand(word).chars().map(sound_of).collect()
}

fn sound_of(letter: char) -> char {
    SOUNDS.iter().find(|(other, _)| *other == letter).map_or(letter, |(_, sound)| *sound)
}

/// The number of times that each letter's sound occurs in a word: none, one, two or more. Doubled consonants count once.
/// A slip changes at most two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LetterCounts(u64);

impl LetterCounts {
    /// Counts the letters of a folded word, or of the word that it abbreviates.
    pub fn of(word: &str) -> LetterCounts {
        let mut counts = 0;
        for letter in sound(word).chars() {
            // Letters of other alphabets share bits, which keeps the bound.
            let once = 1_u64 << (u32::from(letter) % 32 * 2);
            counts |= if counts & once == 0 { once } else { once << 1 };
        }
        LetterCounts(counts)
    }

    /// Returns `true` if the word is one letter.
    pub fn is_initial(self) -> bool {
        self.0.count_ones() == 1
    }

    /// Returns a lower bound for twice the edit distance.
    fn distance(self, other: LetterCounts) -> usize {
        (self.0 ^ other.0).count_ones() as usize
    }
}

#[cfg(test)]
mod tests;
