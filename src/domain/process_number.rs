//! The number of a lawsuit: the unified number of the courts, or any number of an older or administrative case.

use super::punctuation::{bare, fill};
use super::{Line, Reason};

/// Returns the search key for a whole process number or its beginning, with or without punctuation.
pub use super::punctuation::compact;

/// A process number (contract 5.3). A number of 20 digits has valid check digits and is punctuated
/// `NNNNNNN-DD.AAAA.J.TR.OOOO` (CNJ Resolution 65/2008). Any other number is one line of at most 50
/// characters, kept as typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessNumber(String);

text_value!(ProcessNumber);

impl ProcessNumber {
    /// Parses a number of either kind. Refuses 20 digits with wrong check digits and other texts that are not
    /// a valid [`Line`].
    pub fn parse(text: &str) -> Result<ProcessNumber, Reason> {
        match twenty_digits(text) {
            Some(digits) if check_digits(&digits) == modulo_97(&digits) => {
                Ok(ProcessNumber(fill("#######-##.####.#.##.####", &bare(text))))
            }
            Some(_) => Err(Reason::WrongCheckDigits),
            None => Line::<50>::parse(text).map(|line| ProcessNumber(line.to_string())),
        }
    }

    /// Builds a unified number from its parts: serial (up to 7 digits), year (4), justice segment and court
    /// together (3), and unit of origin (4). Returns `None` if a part has too many digits.
    pub fn numbered(serial: u32, year: u16, court: u16, origin: u16) -> Option<ProcessNumber> {
        let digits = twenty_digits(&format!("{serial:07}00{year:04}{court:03}{origin:04}"))?;
        let check = modulo_97(&digits);
        let number = format!("{serial:07}{check:02}{year:04}{court:03}{origin:04}");
        Some(ProcessNumber(fill("#######-##.####.#.##.####", &number)))
    }

    /// Returns the 20 digits of a unified number, as values from 0 to 9 rather than ASCII.
    pub fn cnj(&self) -> Option<[u8; 20]> {
        twenty_digits(&self.0)
    }

    /// Returns the search key: the ASCII letters, in upper case, and digits. It is empty if the number has neither.
    pub fn compact(&self) -> String {
        compact(&self.0)
    }
}

fn twenty_digits(text: &str) -> Option<[u8; 20]> {
    let digits: Option<Vec<u8>> =
        bare(text).bytes().map(|c| c.is_ascii_digit().then(|| c.saturating_sub(b'0'))).collect();
    digits?.try_into().ok()
}

/// Position of the check digits, after the seven digits of the serial.
const CHECK: std::ops::Range<usize> = 7..9;

fn check_digits(digits: &[u8; 20]) -> u32 {
    digits.get(CHECK).into_iter().flatten().fold(0, |number, digit| number * 10 + u32::from(*digit))
}

/// Computes the check digits: 98 minus the remainder, modulo 97, of the other digits followed by two zeros
/// (ISO 7064 MOD 97-10; CNJ Resolution 65/2008, annex VIII).
fn modulo_97(digits: &[u8; 20]) -> u32 {
    let others = digits.iter().enumerate().filter(|(i, _)| !CHECK.contains(i)).map(|(_, digit)| *digit);
    98 - others.chain([0, 0]).fold(0, |rest, digit| (rest * 10 + u32::from(digit)) % 97)
}

#[cfg(test)]
mod tests {
    use super::super::check_digit::right::digit_errors;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_any_punctuation() {
        for text in [
            "0000002-65.2005.4.05.8100",
            "00000026520054058100",
            " 0000002 65 2005 4 05 8100 ",
            "0000002/65.2005.4.05.8100",
            "0000002\u{2011}65.2005.4.05.8100",
        ] {
            let number = ProcessNumber::parse(text).unwrap();
            assert_eq!(number.as_str(), "0000002-65.2005.4.05.8100");
            assert_eq!(number.compact(), "00000026520054058100");
            assert_eq!(number.cnj(), Some([0, 0, 0, 0, 0, 0, 2, 6, 5, 2, 0, 0, 5, 4, 0, 5, 8, 1, 0, 0]));
        }
    }

    #[test]
    fn is_composed_of_its_parts() {
        let made = ProcessNumber::numbered(2, 2005, 405, 8100);
        assert_eq!(made, ProcessNumber::parse("0000002-65.2005.4.05.8100").ok());
        let largest = ProcessNumber::numbered(9_999_999, 9999, 999, 9999).unwrap();
        assert_eq!(ProcessNumber::parse(largest.as_str()).unwrap(), largest);
        assert_eq!(ProcessNumber::numbered(10_000_000, 2005, 405, 8100), None);
        assert_eq!(ProcessNumber::numbered(2, 2005, 1000, 8100), None);
    }

    #[test]
    fn keeps_older_numbers_as_typed() {
        for (text, kept, key) in [
            (" 2005.81.00.000002-5", "2005.81.00.000002-5", "20058100000002".to_owned() + "5"),
            ("PA  nº 12/2024-b", "PA nº 12/2024-b", "PAN122024B".to_owned()),
            ("0000002-65.2005.4.05.810", "0000002-65.2005.4.05.810", "0000002652005405810".to_owned()),
            ("0000002-65.2005.4.05.81000", "0000002-65.2005.4.05.81000", "000000265200540581000".to_owned()),
            ("0000002-65.2005.4.05.810O", "0000002-65.2005.4.05.810O", "0000002652005405810O".to_owned()),
        ] {
            let number = ProcessNumber::parse(text).unwrap();
            assert_eq!((number.as_str(), number.compact(), number.cnj()), (kept, key, None));
        }
    }

    #[test]
    fn refuses_invalid_numbers() {
        for (text, reason) in [
            ("0000002-66.2005.4.05.8100", Reason::WrongCheckDigits),
            ("00000000000000000000", Reason::WrongCheckDigits),
            (" ", Reason::Blank),
            (&"9".repeat(51), Reason::TooLong { most: 50 }),
        ] {
            assert_eq!(ProcessNumber::parse(text), Err(reason));
        }
        assert!(ProcessNumber::parse(&"9".repeat(50)).is_ok());
    }

    /// Applies the formula of the resolution to the whole number at once, unlike `modulo_97`, which works
    /// digit by digit.
    fn right(serial: u64, court: u64) -> String {
        let check = 98 - (u128::from(serial) * 10_u128.pow(11) + u128::from(court)) * 100 % 97;
        format!("{serial:07}{check:02}{court:011}")
    }

    proptest! {
        #[test]
        fn valid_numbers_parse_and_numbers_with_a_typing_error_do_not(serial in 0..10_000_000_u64, court in 0..100_000_000_000_u64) {
            let compact = right(serial, court);
            let number = ProcessNumber::parse(&compact).unwrap();
            prop_assert_eq!(number.as_str().len(), 25);
            prop_assert_eq!(&ProcessNumber::parse(number.as_str()).unwrap(), &number);
            prop_assert_eq!(number.compact(), compact.as_str());
            for wrong in digit_errors(number.as_str()) {
                prop_assert!(ProcessNumber::parse(&wrong).is_err(), "{} for {}", wrong, number);
            }
        }
    }
}
