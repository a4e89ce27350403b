//! Which words of a vocabulary hold a letter or a pair of letters (k-gram indexes; Manning, Raghavan and Schütze, "Introduction
//! to Information Retrieval", 3.2.2), and the records of those letters and pairs that stand in many words.

use roaring::{MultiOps, RoaringBitmap};

use super::postings::Postings;
use super::vocabulary::Vocabulary;
use crate::index::union::Union;

/// The 26 letters and 10 digits that folded Portuguese has; the bytes of all other letters share one more class.
const CLASSES: usize = 37;
const OTHER: usize = CLASSES - 1;
/// What it costs to look through a block, in nanoseconds or so.
const BLOCK: u64 = 100;
/// So much dearer each word of the vocabulary lets a search be: in a large one it takes its time anyway, and the unions would
/// take more memory than the words.
const PATIENCE_PER_WORD: u64 = 2;

/// The grams of a vocabulary: single letters, then pairs by their first and their second.
#[derive(Default)]
pub struct Grams(Vec<Gram>);

#[derive(Clone)]
struct Gram {
    /// The blocks that have a word which holds it.
    blocks: RoaringBitmap,
    /// The records of those words, where they are kept.
    records: Option<Box<RoaringBitmap>>,
    /// While grams are built: the last word that holds it, and what it costs to unite the records of all such words.
    last: u32,
    cost: u64,
}

/// What is known of the records that have a part of a word.
pub enum Matches<'a> {
    /// They are these.
    Records(&'a RoaringBitmap),
    /// Their words stand in these blocks.
    Blocks(RoaringBitmap),
}

impl Grams {
    /// Those of these words. A gram keeps the union of its words' records when to make it is reckoned to take more
    /// nanoseconds than `patience`, and some more for a large vocabulary.
    pub fn build(words: &Vocabulary, postings: &Postings, patience: u64) -> Grams {
        let none = Gram { blocks: RoaringBitmap::new(), records: None, last: u32::MAX, cost: 0 };
        let mut grams = vec![none; CLASSES + CLASSES * CLASSES];
        let mut walk = words.walk();
        while let Some(word) = walk.word() {
            let cost = postings.cost(walk.number());
            for gram in grams_of(word) {
                grams.get_mut(gram).into_iter().for_each(|gram| gram.add(walk.number(), cost));
            }
            walk.advance();
        }
        let patience = patience.saturating_add(PATIENCE_PER_WORD * u64::from(words.len()));
        let union = |gram: &Gram| (gram.cost > patience).then(Union::default);
        let mut unions: Vec<_> = grams.iter().map(union).collect();
        if unions.iter().any(Option::is_some) {
            let mut walk = words.walk();
            while let Some(word) = walk.word() {
                for gram in grams_of(word) {
                    if let Some(Some(union)) = unions.get_mut(gram) {
                        postings.unite(walk.number(), union);
                    }
                }
                walk.advance();
            }
        }
        for (gram, union) in grams.iter_mut().zip(unions) {
            gram.records = union.map(|union| {
                let mut records = union.into_bitmap().into_owned();
                records.optimize();
                Box::new(records)
            });
        }
        Grams(grams)
    }

    /// What is known of the records in whose words the part is found.
    pub fn find(&self, part: &[u8]) -> Matches<'_> {
        let wanted = grams_of(part).filter(|gram| part.len() == 1 || *gram >= CLASSES);
        let grams: Vec<&Gram> = wanted.filter_map(|gram| self.0.get(gram)).collect();
        match grams.as_slice() {
            [Gram { records: Some(records), .. }] if part.is_ascii() => Matches::Records(records),
            grams => Matches::Blocks(grams.iter().map(|gram| &gram.blocks).intersection()),
        }
    }
}

impl Gram {
    fn add(&mut self, word: u32, cost: u64) {
        if self.last == word {
            return;
        }
        let block = Vocabulary::block_of(word);
        if self.last == u32::MAX || Vocabulary::block_of(self.last) != block {
            self.blocks.insert(block);
            self.cost += BLOCK;
        }
        self.last = word;
        self.cost += cost;
    }
}

/// The letters of a word and its pairs of letters, by their places among the grams.
fn grams_of(word: &[u8]) -> impl Iterator<Item = usize> {
    let mut before = None;
    word.iter().flat_map(move |letter| {
        let class = class(*letter);
        let pair = before.replace(class).map(|before| CLASSES + before * CLASSES + class);
        [Some(class), pair].into_iter().flatten()
    })
}

fn class(letter: u8) -> usize {
    match letter {
        b'0'..=b'9' => usize::from(letter - b'0'),
        b'a'..=b'z' => usize::from(letter - b'a') + 10,
        _ => OTHER,
    }
}
