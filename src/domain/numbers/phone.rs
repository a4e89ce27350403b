//! Telephone numbers, and search terms for their digits.

use std::borrow::Cow;

use super::punctuation::{compact, fill, is_digits, is_separator};
use crate::domain::Reason;
use crate::domain::text::placeholder::refuse_placeholder;

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

/// Services with numbers of their own in all of Brazil, without the leading 0: `0800 123 4567` (toll-free). They are
/// no area codes.
const SERVICES: [&str; 5] = ["300", "303", "500", "800", "900"];
/// Beginnings of the numbers of eight digits that companies have in all of Brazil: `4004-1234`.
const NATIONWIDE: [&str; 2] = ["300", "400"];

/// A telephone number (contract 4.1, 4.3). Brazilian numbers include the area code: `(48) 98888-0000` or
/// `(48) 3333-0000`. Numbers of companies have none: `0800 123 4567`, `4004-1234`. Foreign numbers are in E.164:
/// `+14155550123`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Phone(String);

text_value!(Phone);

impl Phone {
    /// Parses a number with any punctuation, also in the address of a messenger or a link ([`without_address`]).
    ///
    /// Brazilian numbers have an area code and 8 or 9 digits, after an optional `+55` or `55`, an optional trunk
    /// prefix `0` and an optional code of a carrier behind it. A text of 10 or 11 digits that starts with 55 has the
    /// area code 55 (Santa Maria); a longer one has the country code. Numbers of nine digits start with 9 (mobile,
    /// everywhere since 2016). Numbers of eight digits start with 2 to 5 (landlines) or 6 to 9 (mobile numbers without
    /// their ninth digit).
    ///
    /// Foreign numbers have a `+` and 8 to 15 digits, of which the first is not 0 (ITU-T E.164).
    pub fn parse(text: &str) -> Result<Phone, Reason> {
        refuse_placeholder(text)?;
        let Dialled { plus, digits } = Dialled::read(text).ok_or(Reason::NotPhone)?;
        if plus && !digits.starts_with(COUNTRY_CODE) {
            return foreign(&digits);
        }
        let local = without_country(plus, &digits);
        company(local).map_or_else(|| national(without_trunk(local)), Ok)
    }

    /// Returns the text by which numbers are compared: that of the number with its ninth digit.
    pub fn key(&self) -> Cow<'_, str> {
        phone_key(&self.0)
    }

    /// Returns the other notation of a mobile number, with or without its ninth digit, in which a customer may have it.
    pub fn other_notation(&self) -> Option<String> {
        match phone_key(&self.0) {
            Cow::Owned(key) => Some(key),
            Cow::Borrowed(key) => match key.split_at_checked(NUMBER)? {
                (area, number) if key.starts_with('(') && key.len() == WITH_NINTH => {
                    let old = number.strip_prefix('9').filter(|old| old.starts_with(MOBILE))?;
                    Some([area, old].concat())
                }
                _ => None,
            },
        }
    }

    /// Returns `true` for Brazilian mobile numbers.
    pub fn is_mobile(&self) -> bool {
        self.0.starts_with('(') && self.key().len() == WITH_NINTH
    }

    /// Returns the digits that are dialled from abroad, starting with the country code.
    pub fn international(&self) -> String {
        let digits = compact(&self.key());
        if self.0.starts_with('+') { digits } else { [COUNTRY_CODE, &digits].concat() }
    }

    /// Returns all digits: with the area code for a Brazilian number, with the country code for a foreign one.
    pub fn digits(&self) -> String {
        compact(&self.0)
    }
}

/// Position of the number behind the area code, as in `(48) 98888-0000`.
const NUMBER: usize = 5;
/// Lengths of numbers with an area code, of eight and of nine digits.
const WITHOUT_NINTH: usize = 14;
const WITH_NINTH: usize = 15;
/// First digits of mobile numbers before the 9 was put before them, between 2012 and 2016.
const MOBILE: [char; 4] = ['6', '7', '8', '9'];

/// Returns the text by which a stored number is compared (contract 4.3): a mobile number of eight digits with the 9 that
/// all got before them, any other number as it is.
pub fn phone_key(stored: &str) -> Cow<'_, str> {
    match stored.split_at_checked(NUMBER) {
        Some((area, number))
            if area.starts_with('(') && stored.len() == WITHOUT_NINTH && number.starts_with(MOBILE) =>
        {
            Cow::Owned([area, "9", number].concat())
        }
        _ => Cow::Borrowed(stored),
    }
}

/// Returns the digits in which a [`PhoneTerm`] is searched: those of a stored number and, behind a space, those of its
/// key if it is another one.
pub fn searched_digits(stored: &str) -> String {
    match phone_key(stored) {
        Cow::Borrowed(own) => compact(own),
        Cow::Owned(key) => [compact(stored), compact(&key)].join(" "),
    }
}

/// Beginnings of addresses that are a telephone number.
const SCHEMES: [&str; 5] =
    ["whatsapp:", "tel:", "https://wa.me/", "wa.me/", "https://api.whatsapp.com/send?phone="];
/// Hosts of the addresses that WhatsApp gives its users.
const HOSTS: [&str; 2] = ["s.whatsapp.net", "c.us"];

/// Returns the number in an address such as `whatsapp:+5548988880000` or `5548988880000@s.whatsapp.net`, and any other
/// text as it is.
pub fn without_address(text: &str) -> &str {
    let trimmed = text.trim_matches(' ');
    let behind = |scheme: &&'static str| {
        let (own, rest) = trimmed.split_at_checked(scheme.len())?;
        own.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    if let Some(number) = SCHEMES.iter().find_map(behind) {
        // Links of WhatsApp may go on with a message.
        return number.split(['?', '&']).next().unwrap_or(number);
    }
    match trimmed.split_once('@') {
        // A colon is followed by the number of the user's device.
        Some((user, host)) if HOSTS.contains(&host) => {
            user.split_once(':').map_or(user, |(number, _)| number)
        }
        _ => text,
    }
}

fn foreign(digits: &str) -> Result<Phone, Reason> {
    if !(8..=15).contains(&digits.len()) || digits.starts_with('0') {
        return Err(Reason::NotPhone);
    }
    Ok(Phone(format!("+{digits}")))
}

/// Parses the number of a company, which has no area code. Spreadsheets drop the 0 of `0800`, and so does E.164.
fn company(local: &str) -> Option<Phone> {
    let number = local.strip_prefix('0').unwrap_or(local);
    let begins = |with: &[&str]| with.iter().any(|beginning| number.starts_with(beginning));
    let mask = match number.len() {
        10 if begins(&SERVICES) => "0### ### ####",
        9 if begins(&SERVICES) && local.len() == 10 => "0### ### ###",
        8 if begins(&NATIONWIDE) && local.len() == 8 => "####-####",
        _ => return None,
    };
    Some(Phone(fill(mask, number)))
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
        (_, Some(b'2'..=b'9')) => Ok(Phone(fill("(##) ####-####", digits))),
        _ => Err(Reason::NoSubscriberNumber),
    }
}

/// A search term for telephone numbers: at least 4 digits that a number contains in a row (contract 4.2).
///
/// Removing a prefix only ever finds more numbers, and no prefix is removed that could be part of a number.
/// `+55` is always removed. `55` is removed from terms of 12 digits or more, in which it cannot be area code
/// 55. A leading `0` is removed if 8 or more digits follow, because no number with an area code has a 0 nine or more
/// places from its end: a mobile number has its 9 there, and no area code contains a 0. In shorter terms, the
/// `0` may be a digit of the number itself, as in `0001`.
///
/// Ten digits that are a mobile number without its ninth digit may also be the last ones of a foreign number. So they are
/// searched as they are, and [`PhoneTerm::key`] beside them.
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
            _ => Err(Reason::TooFewDigits),
        }
    }

    /// Returns the digits to search for in [`searched_digits`].
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the digits of the key if the term is a whole mobile number without its ninth digit.
    pub fn key(&self) -> Option<String> {
        let phone = Phone::parse(&self.0).ok().filter(|_| self.0.len() == 10)?;
        match phone.key() {
            Cow::Owned(key) => Some(compact(&key)),
            Cow::Borrowed(_) => None,
        }
    }
}

/// A text without punctuation: digits with or without a leading plus.
struct Dialled {
    plus: bool,
    digits: String,
}

impl Dialled {
    fn read(text: &str) -> Option<Dialled> {
        let is_sign = |c: &char| is_separator(*c) || matches!(c, '(' | ')');
        let bare: String = without_address(text).chars().filter(|c| !is_sign(c)).collect();
        // `0xx48` stands for the trunk prefix and any carrier's code.
        let bare = bare.strip_prefix("0xx").or_else(|| bare.strip_prefix("0XX")).unwrap_or(&bare);
        let (plus, digits) = match bare.strip_prefix('+') {
            Some(digits) => (true, digits),
            None => (false, bare),
        };
        is_digits(digits).then(|| Dialled { plus, digits: digits.to_owned() })
    }
}

/// Removes the country code of Brazil. Without a plus, 55 is the country code only before 10 digits or more:
/// a number, possibly after a trunk prefix 0.
fn without_country(plus: bool, digits: &str) -> &str {
    if plus || digits.len() >= 12 { digits.strip_prefix(COUNTRY_CODE).unwrap_or(digits) } else { digits }
}

/// Removes the trunk prefix 0. If more digits follow than a number has, a carrier's code of two digits is removed too:
/// `0 15 48 98888-0000`.
fn without_trunk(digits: &str) -> &str {
    match digits.strip_prefix('0') {
        Some(number) if matches!(number.len(), 12 | 13) && !number.starts_with('0') => {
            number.get(2..).unwrap_or(number)
        }
        Some(number) => number,
        None => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobile_numbers_are_detected_and_written_in_international_form() {
        for (text, is_mobile, international) in [
            ("(48) 98888-0000", true, "5548988880000"),
            ("(48) 3333-0000", false, "554833330000"),
            ("(48) 7777-0000", true, "5548977770000"),
            ("(48) 9888-0000", true, "5548998880000"),
            ("0800 123 4567", false, "5508001234567"),
            ("4004-1234", false, "5540041234"),
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
            ("(48) 9888-0001", "(48) 9888-0001", "4898880001"),
            ("553188771234", "(31) 8877-1234", "3188771234"),
            // The trunk prefix with a carrier's code.
            ("0 15 48 98888-0000", "(48) 98888-0000", "48988880000"),
            ("+55 0 15 48 3333-0000", "(48) 3333-0000", "4833330000"),
            ("(0xx48) 3333-0000", "(48) 3333-0000", "4833330000"),
            ("0XX 48 98888-0000", "(48) 98888-0000", "48988880000"),
            // Addresses of messengers and links.
            ("whatsapp:+5548988880000", "(48) 98888-0000", "48988880000"),
            (" WhatsApp:+554888880000", "(48) 8888-0000", "4888880000"),
            ("5548988880000@s.whatsapp.net", "(48) 98888-0000", "48988880000"),
            ("554888880000:12@s.whatsapp.net", "(48) 8888-0000", "4888880000"),
            ("554888880000@c.us", "(48) 8888-0000", "4888880000"),
            ("tel:+55-48-98888-0000", "(48) 98888-0000", "48988880000"),
            ("https://wa.me/5548988880000", "(48) 98888-0000", "48988880000"),
            ("wa.me/5548988880000?text=Oi%202", "(48) 98888-0000", "48988880000"),
            ("https://api.whatsapp.com/send?phone=5548988880000&text=1", "(48) 98888-0000", "48988880000"),
            // Numbers of companies.
            ("0800 123 4567", "0800 123 4567", "08001234567"),
            ("0800-1234567", "0800 123 4567", "08001234567"),
            ("08001234567", "0800 123 4567", "08001234567"),
            ("8001234567", "0800 123 4567", "08001234567"),
            ("+55 800 123 4567", "0800 123 4567", "08001234567"),
            ("0800 61 1995", "0800 611 995", "0800611995"),
            ("0300 123 4567", "0300 123 4567", "03001234567"),
            ("4004-1234", "4004-1234", "40041234"),
            ("4004 1234", "4004-1234", "40041234"),
            ("3003 1234", "3003-1234", "30031234"),
            ("+55 4004 1234", "4004-1234", "40041234"),
            ("(11) 4004-1234", "(11) 4004-1234", "1140041234"),
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
            "(48) 1333-0000",
            "(48) 0333-0000",
            "0800 12 345",
            "0800 123 45678",
            "800 123 456",
            "90012-3456",
            "0 4004-1234",
            "4104-1234",
            "0048988880000",
            "0 05 48 98888-0000",
            "0 15 48 988888-0000",
            "120363000000000000@g.us",
            "5548988880000@exemplo.com.br",
            "whatsapp:Ana",
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
    fn notations_of_a_mobile_number_have_one_key() {
        for (text, key, other) in [
            ("(31) 8877-1234", "(31) 98877-1234", Some("(31) 98877-1234")),
            ("(31) 98877-1234", "(31) 98877-1234", Some("(31) 8877-1234")),
            ("(31) 9877-1234", "(31) 99877-1234", Some("(31) 99877-1234")),
            ("(31) 6877-1234", "(31) 96877-1234", Some("(31) 96877-1234")),
            ("(31) 95877-1234", "(31) 95877-1234", None),
            ("(31) 5877-1234", "(31) 5877-1234", None),
            ("(31) 3877-1234", "(31) 3877-1234", None),
            ("+14155557890", "+14155557890", None),
            ("+1415655578901", "+1415655578901", None),
            ("0800 987 6543", "0800 987 6543", None),
            ("4004-9876", "4004-9876", None),
        ] {
            let phone = Phone::parse(text).unwrap();
            assert_eq!((&*phone.key(), phone.other_notation().as_deref()), (key, other), "{text}");
        }
        assert_eq!(searched_digits("(31) 8877-1234"), "3188771234 31988771234");
        assert_eq!(searched_digits("(31) 98877-1234"), "31988771234");
        for (term, key) in [
            ("553188771234", Some("31988771234")),
            ("(31) 8877-1234", Some("31988771234")),
            ("(31) 98877-1234", None),
            ("(31) 3877-1234", None),
            ("8877-1234", None),
            ("08001234567", None),
        ] {
            assert_eq!(PhoneTerm::parse(term).unwrap().key().as_deref(), key, "{term}");
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
            ("0 15 48 98888-0000", "48988880000"),
            ("whatsapp:+5548988880000", "48988880000"),
            ("554888880000@s.whatsapp.net", "4888880000"),
            ("0800 123 4567", "8001234567"),
            ("4004-1234", "40041234"),
        ] {
            assert_eq!(PhoneTerm::parse(text).unwrap().as_str(), suffix, "{text:?}");
        }
        for text in ["", "000", "+55 000", "+", "abcd", "1234x"] {
            assert!(PhoneTerm::parse(text).is_err(), "{text:?}");
        }
    }

    fn any_number() -> impl Strategy<Value = String> {
        (0..AREA_CODES.len(), "9[0-9]{8}|[2-9][0-9]{7}")
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
