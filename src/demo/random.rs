//! Repeatable random numbers: the same seed gives the same office on every machine and in every version.
//!
//! Each row draws from its own stream, so that a change to one kind of row does not alter the others. Only
//! integers are used, because floating-point functions may differ between systems in the last digit.

/// A stream of pseudo-random numbers (SplitMix64).
pub(super) struct Rng(u64);

impl Rng {
    /// Creates the stream of one row of one kind.
    pub(super) fn of(seed: u64, kind: u64, row: u32) -> Rng {
        Rng(mixed(seed ^ mixed(kind << 32 | u64::from(row))))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns a number from 0 to `bound` - 1, uniformly distributed. Returns 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Returns a number from `least` to `most`, uniformly distributed.
    pub(super) fn within(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Returns `true` with a probability of `share` percent.
    pub(super) fn percent(&mut self, share: u32) -> bool {
        self.below(100) < share
    }

    /// Calls `make` with a probability of `share` percent.
    pub(super) fn often<T>(&mut self, share: u32, make: impl FnOnce(&mut Rng) -> Option<T>) -> Option<T> {
        if self.percent(share) { make(self) } else { None }
    }

    /// Returns one of the items, uniformly distributed, or `None` if there are no items.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let at = self.below(items.len() as u32);
        items.get(at as usize).copied()
    }

    pub(super) fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        self.pick(texts).unwrap_or_default()
    }
}

/// Items drawn with the frequencies of words in a language: the nth about 1/n as often as the first (Zipf).
pub(super) struct Ranked<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T: Copy> Ranked<T> {
    /// `flat` reduces the lead of the first items: the weight of the nth is 1 / (n + flat).
    pub(super) fn new(items: impl IntoIterator<Item = T>, flat: u32) -> Ranked<T> {
        let items: Vec<T> = items.into_iter().collect();
        let weights = (1 + flat..).take(items.len()).map(|rank| 10_000_000 / rank);
        let ends = weights.scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Ranked { ends: ends.collect(), items }
    }

    /// Draws an item, or returns `None` if there are no items.
    pub(super) fn draw(&self, chance: &mut Rng) -> Option<T> {
        let drawn = chance.below(self.ends.last().copied().unwrap_or_default());
        self.items.get(self.ends.partition_point(|end| *end <= drawn)).copied()
    }
}

/// Maps each number below 100,000,000 to another one below that, so that numbers made from them are unique
/// without a record of those used. The factor has no common divisor with the bound and is near its golden
/// section, so that consecutive rows get distant numbers.
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
    fn a_seed_always_gives_the_same_numbers() {
        let mut chance = Rng::of(1, 2, 3);
        let drawn: Vec<u32> = (0..5).map(|_| chance.below(1000)).collect();
        assert_eq!(drawn, [842, 706, 933, 446, 916]);
        assert_eq!((chance.below(0), chance.within(7, 7)), (0, 7));
    }

    #[test]
    fn ranks_follow_the_zipf_distribution() {
        let ranks = Ranked::new(0..100, 0);
        let mut chance = Rng::of(1, 1, 1);
        let mut drawn = [0u32; 100];
        (0..100_000).for_each(|_| drawn[ranks.draw(&mut chance).unwrap()] += 1);
        assert!(drawn.iter().all(|times| *times > 0));
        assert!((drawn[0] / drawn[9]).abs_diff(10) <= 1, "{drawn:?}");
        assert_eq!(Ranked::new([7], 0).draw(&mut chance), Some(7));
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
