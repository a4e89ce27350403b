//! Where the words of a text end, a bit for each of its bytes: leads from a place to the word's number and back.

/// So many groups of 64 bits share one count of what came before them.
const BLOCK: usize = 4;
/// Every so many words the place of one is kept.
const STRIDE: usize = 16;

/// The ends of words, numbered from 0. A word costs an eighth of its length and half a byte.
#[derive(Default)]
pub struct Ends {
    bits: Vec<u64>,
    /// How many ends there are before each block.
    before: Vec<u32>,
    /// Where word 0, 16, 32 … begin.
    starts: Vec<usize>,
    /// How many ends there are, and where the next word begins.
    count: u32,
    len: usize,
}

impl Ends {
    /// How many words there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Adds a word of so many bytes, its separator included.
    pub fn push(&mut self, len: usize) {
        if (self.count as usize).is_multiple_of(STRIDE) {
            self.starts.push(self.len);
        }
        self.len += len;
        let groups = self.len.div_ceil(64);
        while self.bits.len() < groups {
            if self.bits.len().is_multiple_of(BLOCK) {
                self.before.push(self.count);
            }
            self.bits.push(0);
        }
        if let Some(group) = self.bits.last_mut() {
            *group |= 1 << ((self.len - 1) % 64);
        }
        self.count += 1;
    }

    /// The number of the word that the byte at `place` belongs to.
    pub fn word_at(&self, place: usize) -> u32 {
        let group = place / 64;
        let block = group / BLOCK;
        let passed = self.bits.get(block * BLOCK..group).unwrap_or_default();
        let passed: u32 = passed.iter().map(|group| group.count_ones()).sum();
        let within = self.group(group) & ((1 << (place % 64)) - 1);
        self.before.get(block).copied().unwrap_or(0) + passed + within.count_ones()
    }

    /// The first end at `place` or after it.
    pub fn end_from(&self, place: usize) -> usize {
        let mut group = place / 64;
        let mut ends = self.group(group) & (u64::MAX << (place % 64));
        while ends == 0 && group < self.bits.len() {
            group += 1;
            ends = self.group(group);
        }
        group * 64 + ends.trailing_zeros() as usize
    }

    /// Where the word of a number that was given begins.
    pub fn start_of(&self, number: u32) -> usize {
        let Some(start) = self.starts.get(number as usize / STRIDE) else { return self.len };
        let mut skip = number as usize % STRIDE;
        if skip == 0 {
            return *start;
        }
        let mut group = start / 64;
        let mut ends = self.group(group) & (u64::MAX << (start % 64));
        while skip > ends.count_ones() as usize && group < self.bits.len() {
            skip -= ends.count_ones() as usize;
            group += 1;
            ends = self.group(group);
        }
        for _ in 1..skip {
            ends &= ends.wrapping_sub(1);
        }
        group * 64 + ends.trailing_zeros() as usize + 1
    }

    /// Gives back what room a bulk of additions left over.
    pub fn shrink(&mut self) {
        self.bits.shrink_to_fit();
        self.before.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// How many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        self.bits.capacity() * 8 + self.before.capacity() * 4 + self.starts.capacity() * size_of::<usize>()
    }

    fn group(&self, at: usize) -> u64 {
        self.bits.get(at).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn places_and_numbers_agree(lens in prop::collection::vec(prop_oneof![8 => 2usize..12, 1 => 60usize..600], 1..80)) {
            let mut ends = Ends::default();
            lens.iter().for_each(|len| ends.push(*len));
            let mut start = 0;
            for (number, len) in (0..).zip(&lens) {
                prop_assert_eq!(ends.start_of(number), start);
                for place in start..start + len {
                    prop_assert_eq!(ends.word_at(place), number);
                    prop_assert_eq!(ends.end_from(place), start + len - 1);
                }
                start += len;
            }
        }
    }
}
