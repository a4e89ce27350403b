//! Chance that can be repeated: the same seed gives the same office on every machine and in every version.
//!
//! Each row draws from a stream of its own, so what one row is made of does not move when another kind of row changes.
//! Only whole numbers are used, because the floating-point functions of two systems may differ in the last digit.

/// A stream of numbers (SplitMix64).
pub(super) struct Chance(u64);

impl Chance {
    /// The stream of one row of one kind.
    pub(super) fn of(seed: u64, kind: u64, row: u32) -> Chance {
        Chance(mixed(seed ^ mixed(kind << 32 | u64::from(row))))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// 0 to `bound` - 1, each equally likely; 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// `least` to `most`, each equally likely.
    pub(super) fn within(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// True that many times out of a hundred.
    pub(super) fn percent(&mut self, share: u32) -> bool {
        self.below(100) < share
    }

    /// What `make` makes, that many times out of a hundred.
    pub(super) fn often<T>(&mut self, share: u32, make: impl FnOnce(&mut Chance) -> Option<T>) -> Option<T> {
        if self.percent(share) { make(self) } else { None }
    }

    /// One of the items, each equally likely; nothing of an empty list.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let at = self.below(items.len() as u32);
        items.get(at as usize).copied()
    }

    /// One of the texts, each equally likely.
    pub(super) fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        self.pick(texts).unwrap_or_default()
    }
}

/// Ranks that are drawn as often as words of a language are: the first the most, the n-th about an n-th as often (Zipf).
pub(super) struct Zipf(Vec<u32>);

impl Zipf {
    /// Of that many ranks. `flat` takes the edge off the first ones: the share of rank n goes by 1 / (n + flat).
    pub(super) fn new(ranks: usize, flat: u32) -> Zipf {
        let weights = (1 + flat..).take(ranks).map(|rank| 10_000_000 / rank);
        let ends = weights.scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Zipf(ends.collect())
    }

    /// A rank, 0 being the most frequent.
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        let drawn = chance.below(self.0.last().copied().unwrap_or_default());
        self.0.partition_point(|end| *end <= drawn)
    }
}

/// Another number below 100,000,000 for each one below that, so that numbers made of it are unique without a memory of
/// those given out. The factor, which shares no divisor with the bound, is near its golden section, so that neighbours
/// lie far apart.
pub(super) fn scattered(seed: u64, row: u32) -> u64 {
    const BOUND: u64 = 100_000_000;
    (u64::from(row) * 61_803_399 + mixed(seed) % BOUND) % BOUND
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_for_ever() {
        let mut chance = Chance::of(1, 2, 3);
        let drawn: Vec<u32> = (0..5).map(|_| chance.below(1000)).collect();
        assert_eq!(drawn, [842, 706, 933, 446, 916]);
        assert_eq!((chance.below(0), chance.within(7, 7)), (0, 7));
    }

    #[test]
    fn ranks_fall_off_as_zipf_says() {
        let (ranks, mut chance) = (Zipf::new(100, 0), Chance::of(1, 1, 1));
        let mut drawn = [0u32; 100];
        (0..100_000).for_each(|_| drawn[ranks.draw(&mut chance)] += 1);
        assert!(drawn.iter().all(|times| *times > 0));
        assert!((drawn[0] / drawn[9]).abs_diff(10) <= 1, "{drawn:?}");
        assert_eq!(Zipf::new(1, 0).draw(&mut chance), 0);
    }

    #[test]
    fn scattered_numbers_are_unique() {
        let mut numbers: Vec<u64> = (0..100_000).map(|row| scattered(7, row)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 100_000);
        assert!(numbers.iter().all(|number| *number < 100_000_000));
    }
}
