//! The type of a similarity, a number from 0 to 1, and the lowest one that a search returns (events 23.1).

use std::fmt;

use crate::domain::Reason;

/// A similarity in hundredths, formatted as `0.00` to `1.00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u8);

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

/// The lowest score that a search for similar names returns: 0.5 to 1, by default 0.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(Score);

impl Threshold {
    /// Parses a decimal number with a point or a comma and at most two decimals.
    pub fn parse(text: &str) -> Result<Threshold, Reason> {
        let (whole, decimals) = text.trim().split_once(['.', ',']).unwrap_or((text.trim(), "0"));
        let is_number = |text: &str, most| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let hundredths = format!("{whole}{decimals:0<2}").parse().ok();
        hundredths
            .filter(|number| is_number(whole, 1) && is_number(decimals, 2) && (50..=100).contains(number))
            .map(|number| Threshold(Score(number)))
            .ok_or(Reason::NotThreshold)
    }

    /// Returns the threshold as a score.
    pub fn score(self) -> Score {
        self.0
    }
}

impl Default for Threshold {
    fn default() -> Threshold {
        Threshold(Score(80))
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

    #[test]
    fn a_threshold_is_between_one_half_and_one() {
        for (text, hundredths) in [
            ("0.5", 50),
            ("0.50", 50),
            (" 0,51 ", 51),
            ("0.8", 80),
            ("0.99", 99),
            ("1", 100),
            ("1.0", 100),
            ("1,00", 100),
        ] {
            assert_eq!(Threshold::parse(text), Ok(Threshold(Score(hundredths))), "{text}");
        }
        for text in [
            "", ".", "0", "0.49", "0.4", "1.01", "1.1", "2", "50", "0.805", "0.", ".8", "-0.8", "+0.8",
            "0.8x", "00.8", "8e-1", "NaN", "０.8", "0.8.0",
        ] {
            assert_eq!(Threshold::parse(text), Err(Reason::NotThreshold), "{text}");
        }
    }
}
