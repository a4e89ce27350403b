//! The lowest similarity of two names that a search returns (events 23.1).

use super::score::Score;
use crate::domain::Reason;

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
