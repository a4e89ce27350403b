//! Telephone numbers, and search terms for their digits.

use super::Reason;
use super::placeholder::refuse_placeholder;
use super::punctuation::{fill, is_digits, is_separator};

/// The 67 area codes of Brazil, one line per first digit (Anatel, Plano Geral de Códigos Nacionais). No area
/// code contains a 0, and [`PhoneTerm`] relies on that.
const AREA_CODES: [&str; 67] = [
    "11", "12", "13", "14", "15", "16", "17", "18", "19", //
    "21", "22", "24", "27", "28", //
    "31", "32", "33", "34", "35", "37", "38", //
    "41", "42", "43", "44", "45", "46", "47", "48", "49", //
    "51", "53", "54", "55", //
    "61", "62", "63", "64", "65", "66", "67", "68", "69", //
    "71", "73", "74", "75", "77", "79", //
    "81", "82", "83", "84", "85", "86", "87", "88", "89", //
    "91", "92", "93", "94", "95", "96", "97", "98", "99", //
];

const COUNTRY_CODE: &str = "55";

/// A telephone number (contract 4.1, 4.3). Brazilian numbers include the area code: `(48) 98888-0000` or
/// `(48) 3333-0000`. Foreign numbers are in E.164: `+14155550123`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Phone(String);

text_value!(Phone);

impl Phone {
    /// Parses a number with any punctuation.
    ///
    /// Brazilian numbers have an area code and 8 or 9 digits, after an optional `+55` or `55` and an optional
    /// trunk prefix `0`. A text of 10 or 11 digits that starts with 55 has the area code 55 (Santa Maria); a
    /// longer one has the country code. Numbers of nine digits start with 9 (mobile, everywhere since 2016).
    /// Numbers of eight digits start with 2 to 5 (landlines) or 6 to 8, as in older records of mobile and
    /// trunked radio. Eight digits that start with 9 are refused, because they can only be a mobile number
    /// with a digit missing.
    ///
    /// Foreign numbers have a `+` and 8 to 15 digits, of which the first is not 0 (ITU-T E.164).
    pub fn parse(text: &str) -> Result<Phone, Reason> {
        refuse_placeholder(text)?;
        let Dialled { plus, digits } = Dialled::read(text).ok_or(Reason::NotPhone)?;
        if plus && !digits.starts_with(COUNTRY_CODE) {
            return foreign(&digits);
        }
        national(without_trunk(without_country(plus, &digits)))
    }

    /// Returns `true` for Brazilian mobile numbers.
    pub fn is_mobile(&self) -> bool {
        self.0.starts_with('(') && self.digits().len() == 11
    }

    /// Returns the digits that are dialled from abroad, starting with the country code.
    pub fn international(&self) -> String {
        let digits = self.digits();
        if self.0.starts_with('+') { digits } else { [COUNTRY_CODE, &digits].concat() }
    }

    /// Returns all digits: with the area code for a Brazilian number, with the country code for a foreign one.
    pub fn digits(&self) -> String {
        self.0.chars().filter(char::is_ascii_digit).collect()
    }
}

fn foreign(digits: &str) -> Result<Phone, Reason> {
    if !(8..=15).contains(&digits.len()) || digits.starts_with('0') {
        return Err(Reason::NotPhone);
    }
    Ok(Phone(format!("+{digits}")))
}

fn national(digits: &str) -> Result<Phone, Reason> {
    let (Some((area, number)), 10 | 11) = (digits.split_at_checked(2), digits.len()) else {
        return Err(Reason::NotPhone);
    };
    if !AREA_CODES.contains(&area) {
        return Err(Reason::UnknownAreaCode);
    }
    match (number.len(), number.as_bytes().first()) {
        (9, Some(b'9')) => Ok(Phone(fill("(##) #####-####", digits))),
        (9, _) => Err(Reason::NoMobilePrefix),
        (_, Some(b'2'..=b'8')) => Ok(Phone(fill("(##) ####-####", digits))),
        (_, Some(b'9')) => Err(Reason::MobileTooShort),
        _ => Err(Reason::NoSubscriberNumber),
    }
}

/// A search term for telephone numbers: at least 4 digits that a number contains in a row (contract 4.2).
///
/// Removing a prefix only ever finds more numbers, and no prefix is removed that could be part of a number.
/// `+55` is always removed. `55` is removed from terms of 12 digits or more, in which it cannot be area code
/// 55. A leading `0` is removed if 8 or more digits follow, because no Brazilian number has a 0 nine or more
/// places from its end: a mobile number has its 9 there, and no area code contains a 0. In shorter terms, the
/// `0` may be a digit of the number itself, as in `0001`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhoneTerm(String);

impl PhoneTerm {
    /// Parses digits with any punctuation and an optional `+`. Refuses any other text and fewer than 4 digits.
    pub fn parse(text: &str) -> Result<PhoneTerm, Reason> {
        let suffix = Dialled::read(text).map(|Dialled { plus, digits }| {
            let local = without_country(plus, &digits);
            if local.len() > 8 { without_trunk(local).to_owned() } else { local.to_owned() }
        });
        match suffix {
            Some(suffix) if suffix.len() >= 4 => Ok(PhoneTerm(suffix)),
            _ => Err(Reason::NotPhoneTerm),
        }
    }

    /// Returns the digits to search for in [`Phone::digits`].
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text without punctuation: digits with or without a leading plus.
struct Dialled {
    plus: bool,
    digits: String,
}

impl Dialled {
    fn read(text: &str) -> Option<Dialled> {
        let bare: String = text.chars().filter(|c| !is_separator(*c) && !matches!(c, '(' | ')')).collect();
        let (plus, digits) = match bare.strip_prefix('+') {
            Some(digits) => (true, digits),
            None => (false, bare.as_str()),
        };
        is_digits(digits).then(|| Dialled { plus, digits: digits.to_owned() })
    }
}

/// Removes the country code of Brazil. Without a plus, 55 is the country code only before 10 digits or more:
/// a number, possibly after a trunk prefix 0.
fn without_country(plus: bool, digits: &str) -> &str {
    if plus || digits.len() >= 12 { digits.strip_prefix(COUNTRY_CODE).unwrap_or(digits) } else { digits }
}

fn without_trunk(digits: &str) -> &str {
    digits.strip_prefix('0').unwrap_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobile_numbers_are_detected_and_written_in_international_form() {
        for (text, is_mobile, international) in [
            ("(48) 98888-0000", true, "5548988880000"),
            ("(48) 3333-0000", false, "554833330000"),
            ("(48) 7777-0000", false, "554877770000"),
            ("+14155550123", false, "14155550123"),
        ] {
            let phone = Phone::parse(text).unwrap();
            assert_eq!(
                (phone.is_mobile(), phone.international().as_str()),
                (is_mobile, international),
                "{text}"
            );
        }
    }
    use proptest::prelude::*;

    #[test]
    fn reads_brazilian_numbers() {
        for (text, phone, digits) in [
            ("48988880000", "(48) 98888-0000", "48988880000"),
            ("(48) 98888-0000", "(48) 98888-0000", "48988880000"),
            ("048 98888.0000", "(48) 98888-0000", "48988880000"),
            ("+55 48 98888 0000", "(48) 98888-0000", "48988880000"),
            ("(+55) (048) 98888-0000", "(48) 98888-0000", "48988880000"),
            ("5548988880000", "(48) 98888-0000", "48988880000"),
            ("55048988880000", "(48) 98888-0000", "48988880000"),
            ("\u{202A}+55\u{A0}48 98888\u{2011}0000\u{202C}", "(48) 98888-0000", "48988880000"),
            ("4833330000", "(48) 3333-0000", "4833330000"),
            ("48 3333-0000\n", "(48) 3333-0000", "4833330000"),
            ("04833330000", "(48) 3333-0000", "4833330000"),
            ("554833330000", "(48) 3333-0000", "4833330000"),
            ("+554833330000", "(48) 3333-0000", "4833330000"),
            ("(11) 2000-0000", "(11) 2000-0000", "1120000000"),
            ("(11) 7888-0000", "(11) 7888-0000", "1178880000"),
            // Area code 55 looks like the country code.
            ("55988880000", "(55) 98888-0000", "55988880000"),
            ("5533330000", "(55) 3333-0000", "5533330000"),
            ("05533330000", "(55) 3333-0000", "5533330000"),
            ("555533330000", "(55) 3333-0000", "5533330000"),
            ("5555988880000", "(55) 98888-0000", "55988880000"),
            ("+5555988880000", "(55) 98888-0000", "55988880000"),
        ] {
            let read = Phone::parse(text).unwrap_or_else(|reason| panic!("{text:?} {reason:?}"));
            assert_eq!((read.as_str(), read.digits().as_str()), (phone, digits), "{text:?}");
        }
    }

    #[test]
    fn reads_foreign_numbers() {
        for (text, phone) in [
            ("+1 (415) 555-0123", "+14155550123"),
            ("+351 912 345 678", "+351912345678"),
            ("+1234567", ""),
            ("+12345678", "+12345678"),
            ("+123456789012345", "+123456789012345"),
            ("+1234567890123456", ""),
            ("+0123456789", ""),
            ("14155550123456", ""),
            ("00 1 415 555 0123", ""),
        ] {
            assert_eq!(
                Phone::parse(text).map_or(String::new(), |phone| phone.to_string()),
                phone,
                "{text:?}"
            );
        }
        assert_eq!(Phone::parse("+1 415 555 0123").unwrap().digits(), "14155550123");
    }

    #[test]
    fn refuses_invalid_numbers() {
        for text in [
            "",
            "+",
            "98888-0000",
            "3333-0000",
            "489888800000",
            "(20) 98888-0000",
            "(10) 3333-0000",
            "(48) 88888-0000",
            "(48) 9888-0000",
            "(48) 1333-0000",
            "(48) 0333-0000",
            "0800 777 0000",
            "0048988880000",
            "+55 98888-0000",
            "+55 20 98888-0000",
            "48 98888-0000 ramal 2",
            "48+988880000",
            "++5548988880000",
            "４8988880000",
        ] {
            assert!(Phone::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn area_codes_are_sorted_and_without_zero() {
        assert!(AREA_CODES.is_sorted_by(|a, b| a < b));
        assert!(AREA_CODES.iter().all(|code| is_digits(code) && code.len() == 2 && !code.contains('0')));
    }

    #[test]
    fn search_terms_lose_punctuation_and_dialling_prefixes() {
        for (text, suffix) in [
            ("0000", "0000"),
            ("0001", "0001"),
            ("8-0000", "80000"),
            ("98888-0000", "988880000"),
            ("(48) 98888-0000", "48988880000"),
            ("048 98888-0000", "48988880000"),
            ("+55 (48) 98888-0000", "48988880000"),
            ("+55 048 98888-0000", "48988880000"),
            ("5548988880000", "48988880000"),
            // In a query, an unescaped plus arrives as a space.
            (" 554833330000", "4833330000"),
            ("04833330000", "4833330000"),
            ("0 98888-0000", "988880000"),
            ("0 3333-0000", "33330000"),
            ("0888-0000", "08880000"),
            ("55988880000", "55988880000"),
            ("5533330000", "5533330000"),
            ("55 98888-0000", "55988880000"),
            ("+55 98888-0000", "988880000"),
            ("5500", "5500"),
            ("+1 415 555-0123", "14155550123"),
        ] {
            assert_eq!(PhoneTerm::parse(text).unwrap().as_str(), suffix, "{text:?}");
        }
        for text in ["", "000", "+55 000", "+", "abcd", "1234x"] {
            assert!(PhoneTerm::parse(text).is_err(), "{text:?}");
        }
    }

    fn any_number() -> impl Strategy<Value = String> {
        (0..AREA_CODES.len(), "9[0-9]{8}|[2-8][0-9]{7}")
            .prop_map(|(i, number)| AREA_CODES[i].to_owned() + &number)
    }

    proptest! {
        #[test]
        fn all_notations_of_a_number_are_equal(digits in any_number()) {
            let phone = Phone::parse(&digits).unwrap();
            prop_assert_eq!(phone.digits(), digits.as_str());
            for text in [phone.to_string(), format!("0{digits}"), format!("55{digits}"), format!("+55{digits}")] {
                prop_assert_eq!(&Phone::parse(&text).unwrap(), &phone);
                let term = PhoneTerm::parse(&text).unwrap();
                prop_assert_eq!(term.as_str(), digits.as_str());
            }
        }

        #[test]
        fn the_last_digits_of_a_number_find_it(digits in any_number(), from in 0..8_usize) {
            let end = &digits[from.min(digits.len() - 4)..];
            for text in [end.to_owned(), format!("+55{end}"), format!(" {end} ")] {
                let term = PhoneTerm::parse(&text).unwrap();
                prop_assert!(digits.ends_with(term.as_str()), "{:?} gives {:?}", text, term);
            }
        }
    }
}
