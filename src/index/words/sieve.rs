//! A quick no for most words: which of them can hold a part, told by the pairs of letters in both.

const COLUMNS: usize = 64;
/// The search is left to a scan when more than one word in so many passes, as looking at each costs more.
const SELECTIVE: usize = 128;

/// For every word 64 bits, one for each class of pairs of bytes, kept by column: a part's columns laid over each other
/// leave the words that have all its pairs, and few others.
#[derive(Default)]
pub struct Sieve {
    /// All of the same length; empty or 64.
    columns: Vec<Vec<u64>>,
    words: usize,
}

impl Sieve {
    /// Adds the next word.
    pub fn push(&mut self, word: &[u8]) {
        let (group, bit) = (self.words / 64, self.words % 64);
        self.columns.resize_with(COLUMNS, Vec::new);
        if bit == 0 {
            self.columns.iter_mut().for_each(|column| column.push(0));
        }
        for class in word.windows(2).map(class) {
            let group = self.columns.get_mut(class).and_then(|column| column.get_mut(group));
            group.into_iter().for_each(|group| *group |= 1 << bit);
        }
        self.words += 1;
    }

    /// The numbers of the words that may hold the part, ascending; `None` when they are too many to be of use.
    pub fn candidates(&self, part: &[u8]) -> Option<impl Iterator<Item = u32>> {
        let mut classes: Vec<usize> = part.windows(2).map(class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut columns = classes.iter().filter_map(|class| self.columns.get(*class));
        let mut passed = columns.next()?.clone();
        for column in columns {
            for (group, other) in passed.iter_mut().zip(column) {
                *group &= other;
            }
        }
        let count: usize = passed.iter().map(|group| group.count_ones() as usize).sum();
        if count * SELECTIVE > self.words {
            return None;
        }
        Some(passed.into_iter().zip((0..).step_by(64)).filter(|(group, _)| *group != 0).flat_map(
            |(mut group, first)| {
                std::iter::from_fn(move || {
                    let bit = group.trailing_zeros();
                    (group != 0).then(|| {
                        group &= group - 1;
                        first + bit
                    })
                })
            },
        ))
    }

    /// Gives back what room a bulk of additions left over.
    pub fn shrink(&mut self) {
        self.columns.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// How many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.columns.iter().map(|column| column.capacity() * 8 + size_of::<Vec<u64>>()).sum()
    }
}

/// Multiplicative hashing (Knuth); the upper bits are the best mixed.
fn class(pair: &[u8]) -> usize {
    let pair = pair.iter().fold(0u32, |pair, byte| pair << 8 | u32::from(*byte));
    (pair.wrapping_mul(0x9E37_79B1) >> 26) as usize
}
