//! The index of one name of each record. It also finds names that are similar to a given one (events 23.1).
//!
//! From the words alone follows an upper bound for the score of every record. Names are read in the order of their
//! bounds, until no other record can have a better score (threshold algorithm; Fagin, Lotem and Naor, 2003).

pub(super) mod known;
mod like;
pub(super) mod parties;
pub(super) mod side_candidates;
pub(super) mod similar_customers;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use roaring::{MultiOps, RoaringBitmap};

use super::words::{Match, WordIndex};
use crate::domain::parties::similar_names::similarity::score;
use crate::domain::parties::similar_names::words::{SplitName, with_spellings};
use crate::domain::parties::similar_names::{NameWord, NameWords};
use crate::domain::{Score, Threshold, single_consonants};
use like::{WordMatches, reach, sums_of_best};

/// Names of this many words and more are counted together.
const MAX_COUNTED_WORDS: usize = 8;
/// Maximum number of names read for one search. It is only reached if very many names have the same bound and their
/// scores are lower.
const MAX_READ: usize = 2000;

/// The names of records. Any numbers can be the ids: the index does not read the store.
pub struct NameIndex {
    words: WordIndex,
    /// The first word of each name, without titles.
    first: WordIndex,
    /// Records by the number of their name's words that count for similarity, from 1 to [`MAX_COUNTED_WORDS`]. Those with runs of
    /// initials have two.
    by_count: [RoaringBitmap; MAX_COUNTED_WORDS],
    /// Records by the first letters of those words.
    by_initial: BTreeMap<char, RoaringBitmap>,
    /// Records with words that do not count: titles, particles, legal forms.
    with_dropped: RoaringBitmap,
    /// Records with a word more than once, such as `João Silva da Silva`.
    repeating: RoaringBitmap,
}

/// Records whose names may be similar to a given name.
pub struct Candidates {
    threshold: Score,
    /// Ids in ascending order by the upper bound of their score.
    by_bound: BTreeMap<Reverse<Score>, Vec<u32>>,
}

impl Default for NameIndex {
    fn default() -> NameIndex {
        NameIndex {
            words: WordIndex::of_names(),
            first: WordIndex::of_words(),
            by_count: Default::default(),
            by_initial: BTreeMap::new(),
            with_dropped: RoaringBitmap::new(),
            repeating: RoaringBitmap::new(),
        }
    }
}

impl NameIndex {
    /// Replaces the name of a record by this folded one. An empty name removes it.
    pub fn set(&mut self, id: u32, folded: &str) {
        if self.words.knows(id) {
            self.by_count.iter_mut().for_each(|ids| _ = ids.remove(id));
            self.by_initial.values_mut().for_each(|ids| _ = ids.remove(id));
            self.with_dropped.remove(id);
            self.repeating.remove(id);
        }
        let split = SplitName::of(folded);
        if split.dropped(folded).next().is_some() {
            self.with_dropped.insert(id);
        }
        let readings = split.into_readings();
        for words in &readings {
            let records = place_of(words.len()).and_then(|at| self.by_count.get_mut(at));
            records.into_iter().for_each(|ids| _ = ids.insert(id));
            for initial in words.iter().filter_map(|word| word.chars().next()) {
                self.by_initial.entry(initial).or_default().insert(id);
            }
            if is_repeating(words) {
                self.repeating.insert(id);
            }
        }
        let first = readings.iter().filter_map(|words| words.first()).map(|word| &**word).collect::<Vec<_>>();
        self.first.set(id, &first.join(" "));
        self.words.set(id, &with_spellings(folded));
    }

    /// Returns the index of all words, including particles and other spellings.
    pub fn words(&self) -> &WordIndex {
        &self.words
    }

    /// Returns the records with exactly this name, apart from the order of its words, doubled consonants, particles, titles
    /// and legal forms. Takes folded text. A name of `MAX_COUNTED_WORDS` words or more may have further words.
    pub fn same(&self, folded: &str) -> RoaringBitmap {
        let readings = SplitName::of(folded).into_readings();
        readings.iter().map(|words| self.with_exactly(words)).collect::<Vec<_>>().union()
    }

    /// Like [`same`](Self::same), with the particles, titles and legal forms of the name, and without others if it has none.
    pub fn exactly(&self, folded: &str) -> RoaringBitmap {
        let split = SplitName::of(folded);
        let mut dropped = split.dropped(folded).peekable();
        let same = self.same(folded);
        match dropped.peek() {
            None => same - &self.with_dropped,
            Some(_) => {
                dropped.fold(same, |same, word| same & self.words.find_single(word, Match::Whole).as_ref())
            }
        }
    }

    fn with_exactly(&self, words: &[Cow<'_, str>]) -> RoaringBitmap {
        let Some(of_count) = place_of(words.len()).and_then(|at| self.by_count.get(at)) else {
            return RoaringBitmap::new();
        };
        let same = words.iter().fold(of_count.clone(), |same, word| match same.is_empty() {
            true => same,
            false => same & self.words.find_single(word, Match::Whole).as_ref(),
        });
        if is_repeating(words) { same & &self.repeating } else { same }
    }

    /// Returns the records whose name begins with the first of these words, and has words that begin with the others.
    pub fn beginning<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> RoaringBitmap {
        let Some(first) = words.next() else { return RoaringBitmap::new() };
        let found = self.first.find_single(first, Match::Prefix).into_owned();
        words.fold(found, |found, word| match found.is_empty() {
            true => found,
            false => found & self.words.find_single(word, Match::Prefix).as_ref(),
        })
    }

    /// Returns the records that have all words of a name or, of three words and more, all but one. Unlike
    /// [`candidates`](Self::candidates), it does not look for similar words, so its cost does not grow with the index.
    pub fn with_words(&self, name: &NameWords) -> RoaringBitmap {
        name.readings().map(|words| self.with_words_of(words)).collect::<Vec<_>>().union()
    }

    fn with_words_of(&self, words: &[NameWord]) -> RoaringBitmap {
        let mut having = words.iter().map(|word| self.words.find(word.as_str(), Match::Whole));
        let Some(mut all) = having.next().map(Cow::into_owned) else { return RoaringBitmap::new() };
        let mut but_one: Option<RoaringBitmap> = None;
        for having in having {
            let others = but_one.map(|some| some & having.as_ref());
            but_one = Some(&all | others.unwrap_or_else(|| having.clone().into_owned()));
            all &= having.as_ref();
        }
        but_one.filter(|_| words.len() > 2).unwrap_or(all)
    }

    /// Returns the records whose names may have the same words as this one, or words that sound the same: as many words,
    /// and all of them. Looks them up without reading the other words of the index.
    pub fn with_sounds(&self, name: &NameWords) -> RoaringBitmap {
        name.readings().map(|words| self.with_sounds_of(words)).collect::<Vec<_>>().union()
    }

    fn with_sounds_of(&self, words: &[NameWord]) -> RoaringBitmap {
        let of_count = place_of(words.len()).and_then(|at| self.by_count.get(at));
        let mut having: Vec<_> = words.iter().map(|word| self.words.sounding_like(word.as_str())).collect();
        having.sort_by_cached_key(|ids| ids.len());
        let mut all = having.into_iter();
        let Some(first) = all.next() else { return RoaringBitmap::new() };
        let all = all.fold(first, |all, ids| Cow::Owned(all.as_ref() & ids.as_ref()));
        of_count.map(|of_count| all.as_ref() & of_count).unwrap_or_default()
    }

    pub fn shrink(&mut self) {
        self.words.shrink();
        self.first.shrink();
        self.by_count.iter_mut().for_each(|ids| _ = ids.optimize());
        self.by_initial.values_mut().for_each(|ids| _ = ids.optimize());
        self.with_dropped.optimize();
        self.repeating.optimize();
    }

    /// Returns those of the records `among` whose names may have at least the threshold's score. The score of the records
    /// `different`, which have another tax id, is [`Score::HALF`] at most.
    pub fn candidates(
        &self,
        name: &NameWords,
        threshold: Threshold,
        among: &RoaringBitmap,
        different: &RoaringBitmap,
    ) -> Candidates {
        let threshold = threshold.score();
        let mut by_bound = BTreeMap::<_, Vec<u32>>::new();
        for words in name.readings() {
            for (bound, ids) in self.bounds(words, threshold, among, different) {
                by_bound.entry(bound).or_default().extend(ids);
            }
        }
        by_bound.values_mut().for_each(|ids| ids.sort_unstable());
        Candidates { threshold, by_bound }
    }

    /// Returns the records whose names may have at least the threshold's score, by the upper bound of their score.
    fn bounds(
        &self,
        words: &[NameWord],
        threshold: Score,
        among: &RoaringBitmap,
        different: &RoaringBitmap,
    ) -> BTreeMap<Reverse<Score>, Vec<u32>> {
        let count = words.len();
        let mut like = self.like(words);
        // The rarest first. A record without any of the first words cannot reach the threshold by the others.
        like.sort_by_cached_key(WordMatches::len);
        let mut union = RoaringBitmap::new();
        for (at, word) in like.iter().enumerate() {
            if reach(like.iter().skip(at), count) < threshold {
                break;
            }
            union |= word.records().union();
        }
        for (at, word) in like.iter().enumerate() {
            let others = like.iter().enumerate().filter(|(other, _)| *other != at);
            if reach(others.map(|(_, other)| other), count) < threshold {
                union &= word.records().union();
            }
        }
        if like.iter().any(|word| word.of_initial.is_some()) {
            // Records that only have initials in common with the name are not similar.
            let groups = like.iter().flat_map(|word| &word.groups);
            union &= groups.fold(RoaringBitmap::new(), |union, (_, ids)| union | ids.as_ref());
        }
        union &= among;
        self.bounded(&union, &like, count, different, threshold)
    }

    /// Groups the records by the upper bound of their score.
    fn bounded(
        &self,
        records: &RoaringBitmap,
        like: &[WordMatches<'_>],
        count: usize,
        different: &RoaringBitmap,
        threshold: Score,
    ) -> BTreeMap<Reverse<Score>, Vec<u32>> {
        let ids: Vec<u32> = records.iter().collect();
        let mut sums = vec![0_usize; ids.len()];
        let mut best = vec![0_usize; ids.len()];
        for word in like {
            best.fill(0);
            for (hundredths, group) in word.scored() {
                each_position(&ids, &(group & records), |at| {
                    best.get_mut(at).into_iter().for_each(|best| *best = hundredths);
                });
            }
            sums.iter_mut().zip(&best).for_each(|(sum, best)| *sum += best);
            each_position(&ids, &(&word.several & records), |at| {
                let more = best.get(at).map_or(0, |best| best * (word.times - 1));
                sums.get_mut(at).into_iter().for_each(|sum| *sum += more);
            });
        }
        let mut bounds = vec![Score::NONE; ids.len()];
        let sums_of_best = sums_of_best(like);
        let most = sums_of_best.last().copied().unwrap_or_default();
        for (words, of_count) in (1..).zip(&self.by_count) {
            // No more words count than the record has. Names of the last count may be longer.
            let most =
                sums_of_best.get(words - 1).filter(|_| words < MAX_COUNTED_WORDS).copied().unwrap_or(most);
            each_position(&ids, &(of_count & records), |at| {
                let sum = sums.get(at).copied().unwrap_or_default();
                // A name with initials has two numbers of words.
                let bound = score(sum.min(most), count + words);
                bounds.get_mut(at).into_iter().for_each(|most| *most = bound.max(*most));
            });
        }
        each_position(&ids, &(different & records), |at| {
            bounds.get_mut(at).into_iter().for_each(|bound| *bound = Score::HALF.min(*bound));
        });
        let mut by_bound: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (id, bound) in ids.into_iter().zip(bounds).filter(|(_, bound)| *bound >= threshold) {
            by_bound.entry(Reverse(bound)).or_default().push(id);
        }
        by_bound
    }

    fn like(&self, words: &[NameWord]) -> Vec<WordMatches<'_>> {
        let distinct: Vec<_> = words.chunk_by(|one, next| one == next).collect();
        let mut numbers = vec![BTreeMap::<Score, Vec<u32>>::new(); distinct.len()];
        for (number, letters) in self.words.letters() {
            for (word, numbers) in distinct.iter().zip(&mut numbers) {
                let may_be = |word: &&NameWord| letters.is_initial() || word.may_be_like(letters);
                let Some(word) = word.first().filter(may_be) else { continue };
                let score = word.similarity(&NameWord::parse(self.words.word(number)));
                if score > Score::NONE {
                    numbers.entry(score).or_default().push(number);
                }
            }
        }
        let like = distinct.iter().zip(numbers).map(|(words, numbers)| {
            let initial = words.first().and_then(|word| word.initial());
            let of_initial = initial.and_then(|initial| self.by_initial.get(&initial));
            let mut several = RoaringBitmap::new();
            if words.len() > 1 {
                let mut one = RoaringBitmap::new();
                for number in numbers.values().flatten() {
                    let ids = self.words.records_of([*number]);
                    several |= &one & ids.as_ref();
                    one |= ids.as_ref();
                }
                several |= &one & &self.repeating;
                several |= of_initial.unwrap_or(&RoaringBitmap::new());
            }
            let group =
                |(score, numbers): (Score, _)| (score.hundredths().into(), self.words.records_of(numbers));
            WordMatches {
                times: words.len(),
                several,
                groups: numbers.into_iter().map(group).collect(),
                of_initial,
            }
        });
        like.collect()
    }
}

impl Candidates {
    /// Iterates over the records, those that may have the best scores first.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.by_bound.values().flatten().copied()
    }

    /// Returns the records with the best scores, by score and then id: at most `limit`. `score` reads a record and scores
    /// it; `None` leaves it out.
    pub fn best<E>(
        &self,
        limit: usize,
        mut score: impl FnMut(u32) -> Result<Option<Score>, E>,
    ) -> Result<Vec<(u32, Score)>, E> {
        let mut best: Vec<(u32, Score)> = Vec::new();
        let each = self.by_bound.iter().flat_map(|(bound, ids)| ids.iter().map(|id| (bound.0, *id)));
        for (bound, id) in each.take(MAX_READ) {
            let rank = |(id, score): (u32, Score)| (Reverse(score), id);
            if best.len() >= limit && best.last().is_some_and(|last| rank(*last) < rank((id, bound))) {
                break;
            }
            let Some(score) = score(id)?.filter(|score| *score >= self.threshold) else { continue };
            if best.iter().any(|(other, _)| *other == id) {
                continue;
            }
            let at = best.partition_point(|other| rank(*other) < rank((id, score)));
            best.insert(at, (id, score));
            best.truncate(limit);
        }
        Ok(best)
    }
}

/// Returns `true` if a word occurs more than once, with single or doubled consonants.
fn is_repeating(words: &[Cow<'_, str>]) -> bool {
    let is_again = |(at, word): (usize, &Cow<'_, str>)| {
        let same_initial = words.iter().take(at).filter(|other| other.bytes().next() == word.bytes().next());
        same_initial.map(|other| single_consonants(other)).any(|other| other == single_consonants(word))
    };
    words.iter().enumerate().any(is_again)
}

/// Returns the position in `by_count` of names of so many words. `None` if a name has none.
fn place_of(words: usize) -> Option<usize> {
    words.min(MAX_COUNTED_WORDS).checked_sub(1)
}

/// Calls `see` with the position in `ids` of each of `some`, which are among them. Both are ascending.
fn each_position(ids: &[u32], some: &RoaringBitmap, mut see: impl FnMut(usize)) {
    let mut at = 0;
    for id in some {
        at += ids.iter().skip(at).take_while(|other| **other < id).count();
        see(at);
    }
}

#[cfg(test)]
mod tests;
