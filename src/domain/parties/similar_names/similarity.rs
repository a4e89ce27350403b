//! The similarity of two names, word by word.

use super::{NameWord, NameWords};
use crate::domain::Score;

/// Compares two names. Returns [`Score::SAME`] for the same words in any order, and [`Score::NONE`] for names without a
/// word in common, where a word with one slip counts as common.
///
/// A word with one slip costs at most 0.15, an initial or a missing word of a name of three words at most 0.2. Of the ways
/// to read initials, the best one counts.
pub fn similarity(one: &NameWords, other: &NameWords) -> Score {
    let score = similarity_of_words(&one.words, &other.words);
    if one.joined.is_none() && other.joined.is_none() {
        return score;
    }
    score.max(similarity_of_words(one.joined(), other.joined()))
}

fn similarity_of_words(one: &[NameWord], other: &[NameWord]) -> Score {
    // In a fixed order, so that ties between pairs of words are resolved alike.
    let (one, other) = if one <= other { (one, other) } else { (other, one) };
    let count = one.len() + other.len();
    let mut left = Vec::new();
    let mut right = other.iter().collect::<Vec<_>>();
    let mut hundredths = 0;
    let mut is_common = false;
    for word in one {
        match right.iter().position(|other| other.text == word.text) {
            Some(at) => {
                right.remove(at);
                (hundredths, is_common) = (hundredths + 100, true);
            }
            None => left.push(word),
        }
    }
    let pairs = left.iter().enumerate().flat_map(|(at, word)| {
        let others = right.iter().enumerate();
        others.map(move |(other_at, other)| (word.hundredths(other), at, other_at))
    });
    let mut pairs: Vec<_> = pairs.filter(|(hundredths, ..)| *hundredths > 0).collect();
    pairs.sort_unstable_by_key(|(hundredths, at, other)| (std::cmp::Reverse(*hundredths), *at, *other));
    let mut left: Vec<_> = left.into_iter().map(Some).collect();
    let mut right: Vec<_> = right.into_iter().map(Some).collect();
    for (more, at, other_at) in pairs {
        let (Some(word), Some(other)) = (left.get_mut(at), right.get_mut(other_at)) else { continue };
        if let (Some(one), Some(two)) = (*word, *other) {
            hundredths += more;
            is_common |= one.is_common(two);
            (*word, *other) = (None, None);
        }
    }
    if is_common { score(hundredths, count) } else { Score::NONE }
}

/// Returns the Dice coefficient of two names that have `count` words together, and pairs of words whose scores add up to
/// `hundredths`.
pub fn score(hundredths: usize, count: usize) -> Score {
    Score::from_hundredths(2 * hundredths / count.max(1))
}
