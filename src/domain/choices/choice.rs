//! Enumerations whose values have a word for files and requests, and a label for people.

use crate::domain::Bilingual;

/// An enumeration with a table of its values.
pub trait Choice: Copy + PartialEq + 'static {
    /// The word, the value and the label of each.
    const CHOICES: &[(&'static str, Self, Bilingual)];

    /// Returns the value with this word.
    fn named(word: &str) -> Option<Self> {
        Self::CHOICES.iter().find(|(own, ..)| *own == word).map(|(_, value, _)| *value)
    }

    /// Returns the word of the value.
    fn word(self) -> &'static str {
        Self::CHOICES.iter().find(|(_, own, _)| *own == self).map_or("", |(word, ..)| *word)
    }
}
