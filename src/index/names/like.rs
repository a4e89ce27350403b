//! The records that have words like those of a given name, and upper bounds for the scores of their names.

use std::borrow::Cow;
use std::cmp::Reverse;

use roaring::RoaringBitmap;

use crate::domain::Score;
use crate::domain::parties::similar_names::INITIAL;
use crate::domain::parties::similar_names::similarity::score;

/// The records that have a word like one word of the given name.
pub(super) struct WordMatches<'i> {
    /// Number of times that the name has the word.
    pub(super) times: usize,
    /// Records that have several such words, if the name has the word several times.
    pub(super) several: RoaringBitmap,
    /// Records by the score of their word, ascending. A record may be in several groups.
    pub(super) groups: Vec<(usize, Cow<'i, RoaringBitmap>)>,
    /// Records with a word that begins with the letter, if the word is an initial.
    pub(super) of_initial: Option<&'i RoaringBitmap>,
}

impl WordMatches<'_> {
    pub(super) fn records(&self) -> impl Iterator<Item = &RoaringBitmap> {
        self.groups.iter().map(|(_, ids)| ids.as_ref()).chain(self.of_initial)
    }

    /// Returns the groups with their scores in hundredths, ascending.
    pub(super) fn scored(&self) -> impl Iterator<Item = (usize, &RoaringBitmap)> {
        let of_initial = self.of_initial.map(|ids| (INITIAL, ids));
        of_initial.into_iter().chain(self.groups.iter().map(|(hundredths, ids)| (*hundredths, ids.as_ref())))
    }

    /// Returns the highest score of a word, in hundredths.
    fn most(&self) -> usize {
        self.scored().map(|(hundredths, _)| hundredths).max().unwrap_or_default()
    }

    pub(super) fn len(&self) -> u64 {
        self.records().map(|ids| ids.len()).sum()
    }
}

/// Returns the highest sums of the scores of one word, of two, and so on, in hundredths.
pub(super) fn sums_of_best<'l, 'i: 'l>(like: impl IntoIterator<Item = &'l WordMatches<'i>>) -> Vec<usize> {
    let mut best: Vec<_> =
        like.into_iter().flat_map(|word| std::iter::repeat_n(word.most(), word.times)).collect();
    best.sort_unstable_by_key(|hundredths| Reverse(*hundredths));
    let mut sum = 0;
    best.iter_mut().for_each(|best| {
        sum += *best;
        *best = sum;
    });
    best
}

/// Returns the best score of a name that has no other words of the given name, which has `count` words, than these.
pub(super) fn reach<'l, 'i: 'l>(like: impl Iterator<Item = &'l WordMatches<'i>>, count: usize) -> Score {
    let sums = (1..).zip(sums_of_best(like));
    sums.map(|(words, sum)| score(sum, count + words)).max().unwrap_or(Score::NONE)
}
