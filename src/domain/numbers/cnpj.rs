//! The tax number of a company. Since July 2026 it may contain letters (contract 4.3).

use super::check_digit::{all_equal, completed, has_check_digits};
use super::punctuation::{bare, compact, fill};
use crate::domain::Reason;

/// A punctuated CNPJ with valid check digits and upper-case letters: `12.ABC.345/01DE-35`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cnpj(String);

text_value!(Cnpj);

impl Cnpj {
    /// Parses twelve letters or digits and two check digits, with or without punctuation, with letters in
    /// either case. Refuses wrong check digits and one digit repeated fourteen times.
    pub fn parse(text: &str) -> Result<Cnpj, Reason> {
        let characters = bare(text);
        let right = has_shape(characters.as_bytes())
            && !all_equal(characters.as_bytes())
            && has_check_digits(characters.as_bytes(), 9);
        if !right {
            return Err(Reason::NotCnpj);
        }
        Ok(Cnpj(fill("##.###.###/####-##", &characters)))
    }

    /// Appends the check digits to twelve digits or upper-case letters. Returns `None` for any other text,
    /// and if the result would be one digit repeated fourteen times.
    pub fn beginning_with(twelve: &str) -> Option<Cnpj> {
        let right = twelve.len() == 12 && twelve.bytes().all(in_body);
        let number = if right { completed(twelve, 9) } else { None };
        number.map(|number| Cnpj(fill("##.###.###/####-##", &number)))
    }

    /// Returns the fourteen characters without punctuation.
    pub fn compact(&self) -> String {
        compact(&self.0)
    }
}

fn has_shape(characters: &[u8]) -> bool {
    let Some((body, check)) = characters.split_last_chunk::<2>() else { return false };
    body.len() == 12 && body.iter().copied().all(in_body) && check.iter().all(u8::is_ascii_digit)
}

fn in_body(character: u8) -> bool {
    character.is_ascii_digit() || character.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::super::check_digit::right::{digit_errors, with_check_digits};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_any_punctuation_and_case() {
        for text in ["12.ABC.345/01DE-35", "12abc34501de35", " 12.Abc.345 / 01dE - 35"] {
            let cnpj = Cnpj::parse(text).unwrap();
            assert_eq!((cnpj.as_str(), cnpj.compact().as_str()), ("12.ABC.345/01DE-35", "12ABC34501DE35"));
        }
        assert_eq!(Cnpj::parse("11222333000181").unwrap().to_string(), "11.222.333/0001-81");
    }

    #[test]
    fn refuses_invalid_numbers() {
        let repeated = (0..10).map(|digit| digit.to_string().repeat(14));
        let wrong = [
            "",
            "1122233300018",
            "112223330001811",
            "11222333000180",
            "12ABC34501DE3S",
            "12ABÇ34501DE35",
            "12ABC34501DE53",
            "12_ABC.345/01DE-35",
            "12ABC34501DE35\0",
        ];
        for text in repeated.chain(wrong.map(String::from)) {
            assert!(Cnpj::parse(&text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn check_digits_are_not_appended_to_invalid_bodies() {
        for body in ["", "12345678000", "1234567800011", "12abc3450001", "000000000000"] {
            assert_eq!(Cnpj::beginning_with(body), None, "{body}");
        }
    }

    proptest! {
        #[test]
        fn valid_numbers_parse_and_numbers_with_a_typing_error_do_not(body in "[0-9A-Z]{12}|[0-9]{12}") {
            let number = with_check_digits(&body, 9);
            prop_assume!(!all_equal(number.as_bytes()));
            let cnpj = Cnpj::parse(&number).unwrap();
            prop_assert_eq!(&Cnpj::parse(cnpj.as_str()).unwrap(), &cnpj);
            prop_assert_eq!(&Cnpj::parse(&number.to_lowercase()).unwrap(), &cnpj);
            prop_assert_eq!(cnpj.compact(), number.as_str());
            prop_assert_eq!(&Cnpj::beginning_with(&body).unwrap(), &cnpj);

            // As with the CPF, two remainders give the check digit 0, so the rule misses errors if the first
            // one is 0.
            let is_unambiguous = !number[12..].starts_with('0');
            for wrong in digit_errors(&number) {
                prop_assert!(!is_unambiguous || Cnpj::parse(&wrong).is_err(), "{} for {}", wrong, number);
            }
        }
    }
}
