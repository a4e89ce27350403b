//! Whole numbers with bounds.

use super::Reason;
use super::numbers::punctuation::whole_number;

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// Wraps a number. Returns `None` if it is out of bounds.
    pub fn new(number: u64) -> Option<Whole<MIN, MAX>> {
        u32::try_from(number).ok().filter(|number| (MIN..=MAX).contains(number)).map(Whole)
    }

    /// Returns the lowest number.
    pub const fn lowest() -> Whole<MIN, MAX> {
        Whole(MIN)
    }

    /// Parses a number that consists of digits, with or without white space around it.
    pub fn parse(text: &str) -> Result<Whole<MIN, MAX>, Reason> {
        let number = whole_number(text.trim()).and_then(Whole::new);
        number.ok_or(Reason::NotWhole { least: MIN, most: MAX })
    }

    /// Returns the number as `u32`.
    pub fn get(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_limited_to_their_range() {
        type Points = Whole<5, 1_000_000>;
        for (text, number) in [("5", 5), (" 0017 ", 17), ("1000000", 1_000_000)] {
            assert_eq!(Points::parse(text).map(Points::get), Ok(number));
        }
        for text in ["", "4", "1000001", "18446744073709551616", "-7", "+7", "7.0", "1.000", "x"] {
            assert_eq!(Points::parse(text), Err(Reason::NotWhole { least: 5, most: 1_000_000 }), "{text:?}");
        }
        assert_eq!(Points::lowest().get(), 5);
        assert_eq!(Whole::<0, 3>::new(0).map(Whole::get), Some(0));
    }
}
