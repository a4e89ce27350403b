//! Words that passwords are made of, also with digits and signs in the place of letters.

use std::cmp::Reverse;

use crate::domain::text::fold;

/// Letters of a word that counts.
const LETTERS: usize = 3;
/// Common words: clubs, cities, saints, the trade.
const COMMON: &str = include_str!("words.txt");

/// Returns the common words, folded.
pub(super) fn common<'w>() -> impl Iterator<Item = &'w str> {
    COMMON.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

/// The parts of a password: some of the given words, and the rest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// Number of different words.
    pub words: usize,
    /// Number of letters outside these words.
    pub rest: usize,
}

impl Parts {
    /// Looks for the words, which are folded, in a password. Blanks and other separators do not count.
    pub fn of<'w>(password: &str, words: impl Iterator<Item = &'w str>) -> Parts {
        let mut left: Vec<Option<char>> = password.chars().flat_map(plain).map(Some).collect();
        let mut words: Vec<Vec<char>> = words.map(|word| word.chars().collect()).collect();
        words.retain(|word| word.len() >= LETTERS);
        // A word may contain a shorter one, as Juliana contains Ana.
        words.sort_by_key(|word| Reverse(word.len()));
        words.dedup();
        let found = words.into_iter().filter(|word| take_out(word, &mut left)).count();
        let rest = left.into_iter().flatten().filter(|char| char.is_alphabetic()).count();
        Parts { words: found, rest }
    }
}

/// Takes a word out wherever it is. Returns `true` if it was found.
fn take_out(word: &[char], left: &mut [Option<char>]) -> bool {
    let mut is_found = false;
    for start in 0..left.len() {
        let Some(part) = left.get_mut(start..start + word.len()) else { break };
        // A word of digits alone would be found in every number.
        let is_word = part.iter().zip(word).all(|(own, letter)| own.is_some_and(|own| is_for(own, *letter)))
            && part.iter().flatten().any(|own| own.is_alphabetic());
        if is_word {
            part.fill(None);
            is_found = true;
        }
    }
    is_found
}

/// Returns the character without case and accents, or a sign that stands for a letter. Other signs give nothing.
fn plain(char: char) -> Vec<char> {
    match char {
        '@' | '$' | '!' | '|' => vec![char],
        _ => fold(&char.to_string()).chars().filter(|char| *char != ' ').collect(),
    }
}

/// Returns `true` if people write this character for the letter.
fn is_for(own: char, letter: char) -> bool {
    own == letter
        || match letter {
            'a' => matches!(own, '@' | '4'),
            'b' => own == '8',
            'e' => own == '3',
            'g' => matches!(own, '6' | '9'),
            'i' => matches!(own, '1' | '!' | '|'),
            'l' => matches!(own, '1' | '|'),
            'o' => own == '0',
            's' => matches!(own, '$' | '5'),
            't' => own == '7',
            'z' => own == '2',
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_spelling() {
        let of = |password: &str| {
            let parts = Parts::of(password, ["flamengo", "ana", "juliana", "santos"].into_iter());
            (parts.words, parts.rest)
        };
        for password in ["Flamengo2024!", "FL4M3NG0", "fla-men.go 81", "flámeñgo", "f1@m3n60", "2024flamengo"] {
            assert_eq!(of(password), (1, 0), "{password}");
        }
        assert_eq!(of("flamengoflamengo"), (1, 0));
        assert_eq!(of("Juliana & Ana 1$antos"), (3, 0));
        assert_eq!(of("girafa lâmpada trovão"), (0, 19));
        assert_eq!(of("5@7 6024 44"), (0, 0), "no letters, no word");
    }

    #[test]
    fn the_list_is_folded_sorted_into_topics_and_has_no_word_twice() {
        let all: Vec<_> = common().collect();
        assert!(all.len() > 800, "{}", all.len());
        let mut seen = std::collections::HashSet::new();
        for word in all {
            assert!(word.len() > LETTERS && fold(word) == word && seen.insert(word), "{word}");
        }
    }
}
