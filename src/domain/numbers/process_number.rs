//! The number of a lawsuit: the unified number of the courts, or any number of an older or administrative case.

use super::punctuation::{bare, fill, is_digits};
use crate::domain::{Day, Line, Reason, court_of};

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

    /// Returns the unified number of which this is the rest after its leading zeros, which spreadsheets drop. It must be
    /// that of a court and of a year from 1900 to the next one. Returns any other number unchanged.
    pub fn completed(self, today: Day) -> ProcessNumber {
        let last_year = today.year() + 1;
        let whole = with_zeros(&bare(&self.0)).and_then(|digits| ProcessNumber::parse(&digits).ok());
        let is_valid = |number: &ProcessNumber| {
            let year = number.0.get(YEAR).and_then(|year| year.parse::<i16>().ok());
            year.is_some_and(|year| (1900..=last_year).contains(&year)) && court_of(&number.0).is_some()
        };
        whole.filter(is_valid).unwrap_or(self)
    }

    /// Returns the notations without leading zeros in which records of earlier versions may have the number: with and
    /// without punctuation.
    pub fn without_zeros(&self) -> Option<[String; 2]> {
        let rest = self.0.trim_start_matches('0');
        let has_zeros = self.cnj().is_some() && rest.len() < self.0.len();
        has_zeros.then(|| [rest.to_owned(), compact(rest)])
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

/// A part of a process number to search for, reduced to letters and digits. Has at least 4 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessNumberTerm(pub String);

impl ProcessNumberTerm {
    /// Refuses fewer than 4 digits.
    pub fn parse(text: &str) -> Result<ProcessNumberTerm, Reason> {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        if digits >= 4 { Ok(ProcessNumberTerm(compact(text))) } else { Err(Reason::TooFewDigits) }
    }
}

/// Returns 14 to 19 digits with as many zeros before them as make them 20. A number that lost its leading zeros has at
/// least 14 digits, because its serial is not 0.
pub fn with_zeros(digits: &str) -> Option<String> {
    let is_rest = (14..20).contains(&digits.len()) && is_digits(digits);
    is_rest.then(|| format!("{digits:0>20}"))
}

fn twenty_digits(text: &str) -> Option<[u8; 20]> {
    let digits: Option<Vec<u8>> =
        bare(text).bytes().map(|c| c.is_ascii_digit().then(|| c.saturating_sub(b'0'))).collect();
    digits?.try_into().ok()
}

/// Position of the year in a punctuated number.
const YEAR: std::ops::Range<usize> = 11..15;
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
        for (text, stored, key) in [
            (" 2005.81.00.000002-5", "2005.81.00.000002-5", "20058100000002".to_owned() + "5"),
            ("PA  nº 12/2024-b", "PA nº 12/2024-b", "PAN122024B".to_owned()),
            ("0000002-65.2005.4.05.810", "0000002-65.2005.4.05.810", "0000002652005405810".to_owned()),
            ("0000002-65.2005.4.05.81000", "0000002-65.2005.4.05.81000", "000000265200540581000".to_owned()),
            ("0000002-65.2005.4.05.810O", "0000002-65.2005.4.05.810O", "0000002652005405810O".to_owned()),
        ] {
            let number = ProcessNumber::parse(text).unwrap();
            assert_eq!((number.as_str(), number.compact(), number.cnj()), (stored, key, None));
        }
    }

    #[test]
    fn a_number_gets_its_leading_zeros_back_if_it_is_that_of_a_court() {
        let today = Day::parse("2026-11-26").unwrap();
        let completed = |text: &str| ProcessNumber::parse(text).unwrap().completed(today).to_string();
        let number =
            |serial, year, court| ProcessNumber::numbered(serial, year, court, 100).unwrap().to_string();
        let rest = |number: &str| number.trim_start_matches('0').to_owned();
        for text in [
            "1234-03.2026.8.26.0100",
            "12340320268260100",
            "001234-03.2026.8.26.0100",
            "1234 03 2026 8 26 0100",
            "1234-03.2026.8.26.0100 ",
            "0001234-03.2026.8.26.0100",
        ] {
            assert_eq!(completed(text), "0001234-03.2026.8.26.0100", "{text}");
        }
        for (year, court) in [(1900, 826), (2026, 401), (2027, 512)] {
            for serial in [1, 12, 999_999] {
                let whole = number(serial, year, court);
                assert_eq!(completed(&rest(&whole)), whole);
                assert_eq!(completed(&compact(&rest(&whole))), whole);
            }
        }
        for (year, court) in [(1899, 826), (2028, 826), (2026, 828), (2026, 0), (2026, 408)] {
            let rest = rest(&number(1234, year, court));
            assert_eq!(completed(&rest), rest, "{year} {court}");
        }
        for other in [
            "1234-04.2026.8.26.0100",
            "2005.81.00.000002-5",
            "583.00.2005.123456-7",
            "PA 12340320268260100",
            "3-2026.8.26.0100",
            "123456789012345",
        ] {
            assert_eq!(completed(other), other);
        }
        let notations = ProcessNumber::parse("0001234-03.2026.8.26.0100").unwrap().without_zeros();
        assert_eq!(notations, Some(["1234-03.2026.8.26.0100".to_owned(), "12340320268260100".to_owned()]));
        assert_eq!(ProcessNumber::parse(&number(1_234_567, 2026, 826)).unwrap().without_zeros(), None);
        assert_eq!(ProcessNumber::parse("007/2024").unwrap().without_zeros(), None);
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
