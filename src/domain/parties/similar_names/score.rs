//! The type of a similarity, a number from 0 to 1 (events 23.1).

use std::fmt;

/// A similarity in hundredths, formatted as `0.00` to `1.00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub(super) u8);

impl Score {
    /// Nothing in common.
    pub const NONE: Score = Score(0);
    /// Highest score of two persons with different tax ids.
    pub const HALF: Score = Score(50);
    /// Lowest score of names whose words sound the same.
    pub const SAME_SOUND: Score = Score(95);
    /// Score of one person, or of equal words.
    pub const SAME: Score = Score(100);

    /// Creates a score; more than 100 hundredths is [`Score::SAME`].
    pub fn from_hundredths(hundredths: usize) -> Score {
        u8::try_from(hundredths).ok().map_or(Score::SAME, |hundredths| Score(hundredths.min(Score::SAME.0)))
    }

    /// Returns the number from 0 to 100.
    pub fn hundredths(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_two_decimals() {
        for (hundredths, text) in [(0, "0.00"), (7, "0.07"), (80, "0.80"), (100, "1.00"), (101, "1.00")] {
            assert_eq!(Score::from_hundredths(hundredths).to_string(), text);
        }
        assert_eq!(Score::from_hundredths(usize::MAX), Score::SAME);
    }
}
