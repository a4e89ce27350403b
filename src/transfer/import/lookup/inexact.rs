//! Matches inexact names to list entries: `Dr. André Lima` to `André Lima`, `Pet. inicial` to `Petição
//! inicial`, `Audiencias` to `Audiência`.

use crate::domain::parties::similar_names::words::is_title;
use crate::domain::text::fold;

/// Words beside titles that are ignored, folded.
const IGNORED_WORDS: [&str; 15] =
    ["adv", "advogado", "advogada", "de", "da", "do", "das", "dos", "e", "em", "na", "no", "a", "o", "of"];
/// Minimum length of a word, in bytes, that may differ by one letter.
const MIN_MISSPELLED_BYTES: usize = 6;
/// An abbreviated name needs at least one word of this length, in bytes.
const MIN_WORD_BYTES: usize = 3;

pub(super) struct EntryWords(Vec<String>);

impl EntryWords {
    pub(super) fn of(name: &str) -> EntryWords {
        let folded = fold(name);
        let is_ignored = |word: &str| word.is_empty() || is_title(word) || IGNORED_WORDS.contains(&word);
        let words = folded.split(' ').filter(|word| !is_ignored(word));
        EntryWords(words.map(str::to_owned).collect())
    }

    /// Returns `true` if the names differ only in titles, small words and plurals.
    fn is_same(&self, other: &EntryWords) -> bool {
        let same = |(one, two): (&String, &String)| singular(one) == singular(two);
        !self.0.is_empty() && self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }

    /// Returns `true` if each word is a word of the other name or its beginning, in the same order: `Pet. inicial`.
    fn abbreviates(&self, whole: &EntryWords) -> bool {
        let mut rest = whole.0.iter();
        let is_begun = |own: &String| rest.any(|other| is_beginning(own, other));
        self.0.iter().any(|word| word.len() >= MIN_WORD_BYTES) && self.0.iter().all(is_begun)
    }

    /// Returns `true` if exactly one word differs, it is long, and it differs by one letter.
    fn is_misspelled(&self, other: &EntryWords) -> bool {
        if self.0.len() != other.0.len() {
            return false;
        }
        let mut differing = self.0.iter().zip(&other.0).filter(|(one, two)| one != two);
        match (differing.next(), differing.next()) {
            (Some((one, two)), None) => {
                one.len().min(two.len()) >= MIN_MISSPELLED_BYTES && !has_digit(one) && is_one_apart(one, two)
            }
            _ => false,
        }
    }

    /// Returns `true` if this is probably a longer name of the same person: first and last names are equal, and
    /// the short name's other words occur in between.
    fn is_longer(&self, short: &EntryWords) -> bool {
        let ends = self.0.first() == short.0.first() && self.0.last() == short.0.last();
        short.0.len() >= 2 && self.0.len() > short.0.len() && ends && short.abbreviates(self)
    }
}

/// Returns the entry that a name probably means, or `None` if two entries are equally likely. With `of_people`,
/// a different letter means a different person.
pub(super) fn near<'a>(
    name: &str,
    entries: impl Iterator<Item = (u32, &'a EntryWords)> + Clone,
    of_people: bool,
) -> Option<u32> {
    let words = EntryWords::of(name);
    let only = |means: &dyn Fn(&EntryWords) -> bool| {
        let mut found = entries.clone().filter(|(_, entry)| means(entry)).map(|(id, _)| id);
        let first = found.next();
        (first, found.next().is_some())
    };
    let ways: [&dyn Fn(&EntryWords) -> bool; 3] = [
        &|entry| words.is_same(entry),
        &|entry| words.abbreviates(entry) || of_people && words.is_longer(entry),
        &|entry| !of_people && words.is_misspelled(entry),
    ];
    for means in ways {
        match only(means) {
            (Some(id), false) => return Some(id),
            (Some(_), true) => return None,
            (None, _) => {}
        }
    }
    None
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

fn singular(word: &str) -> &str {
    if word.len() > MIN_WORD_BYTES { word.strip_suffix('s').unwrap_or(word) } else { word }
}

fn is_beginning(own: &str, whole: &str) -> bool {
    if has_digit(own) { own == whole } else { whole.starts_with(own) || singular(own) == singular(whole) }
}

/// Returns `true` if one inserted, deleted, replaced or swapped letter turns one word into the other.
fn is_one_apart(one: &str, two: &str) -> bool {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let before = one.iter().zip(&two).take_while(|(own, other)| own == other).count();
    let behind = one.iter().rev().zip(two.iter().rev()).take_while(|(own, other)| own == other).count();
    let left = |word: &[char]| word.len().saturating_sub(before.saturating_add(behind));
    let middle = |word: &[char]| {
        let end = word.len().saturating_sub(behind);
        word.get(before..end.max(before)).unwrap_or_default().to_vec()
    };
    let is_swapped =
        || matches!((&middle(&one)[..], &middle(&two)[..]), ([a, b], [c, d]) if a == d && b == c);
    one.len().abs_diff(two.len()) <= 1 && (left(&one).max(left(&two)) <= 1 || is_swapped())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, entries: &[&str], of_people: bool) -> Option<String> {
        let words: Vec<_> = (0..).zip(entries).map(|(id, entry)| (id, EntryWords::of(entry))).collect();
        let id = near(name, words.iter().map(|(id, words)| (*id, words)), of_people)?;
        entries.get(usize::try_from(id).unwrap()).map(|name| (*name).to_owned())
    }

    #[test]
    fn people_are_matched_without_titles_and_by_part_of_their_names() {
        let team = ["Dr. André Lima", "Carla Souza", "Bruna Reis", "Bruno Reis"];
        for (name, meant) in [
            ("André Lima", Some("Dr. André Lima")),
            ("ANDRE LIMA", Some("Dr. André Lima")),
            ("dr andre", Some("Dr. André Lima")),
            ("A. Lima", Some("Dr. André Lima")),
            ("Dra. Carla de Souza", Some("Carla Souza")),
            ("Carla Maria Souza", Some("Carla Souza")),
            ("Reis", None),
            ("Carlo Souza", None),
            ("Dr.", None),
            ("-", None),
        ] {
            assert_eq!(found(name, &team, true).as_deref(), meant, "{name}");
        }
    }

    #[test]
    fn stages_are_matched_despite_other_spellings() {
        let stages = ["Petição inicial", "Audiência", "Recurso", "Sentença", "Feira 1"];
        for (name, meant) in [
            ("Pet. inicial", Some("Petição inicial")),
            ("peticao inical", Some("Petição inicial")),
            ("Audiencias", Some("Audiência")),
            ("Sentensa", Some("Sentença")),
            ("Feira 2", None),
            ("Feira", Some("Feira 1")),
            ("Recurso especial", None),
        ] {
            assert_eq!(found(name, &stages, false).as_deref(), meant, "{name}");
        }
        assert_eq!(found("Recurso", &["Recurso ordinário", "Recurso especial"], false), None);
    }
}
