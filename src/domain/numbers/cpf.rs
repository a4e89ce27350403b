//! The tax number of a person.

use super::check_digit::{all_equal, completed, has_check_digits};
use super::punctuation::{bare, compact, fill, is_digits};
use crate::domain::Reason;

/// A punctuated CPF with valid check digits: `529.982.247-25`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cpf(String);

text_value!(Cpf);

impl Cpf {
    /// Parses eleven digits, with or without punctuation. Refuses wrong check digits and one digit repeated
    /// eleven times.
    pub fn parse(text: &str) -> Result<Cpf, Reason> {
        let digits = bare(text);
        let right = digits.len() == 11
            && is_digits(&digits)
            && !all_equal(digits.as_bytes())
            && has_check_digits(digits.as_bytes(), 11);
        if !right {
            return Err(Reason::NotCpf);
        }
        Ok(Cpf(fill("###.###.###-##", &digits)))
    }

    /// Appends the check digits to nine digits. Returns `None` for any other text, and if the result would be
    /// one digit repeated eleven times.
    pub fn beginning_with(nine: &str) -> Option<Cpf> {
        let number = if nine.len() == 9 && is_digits(nine) { completed(nine, 11) } else { None };
        number.map(|number| Cpf(fill("###.###.###-##", &number)))
    }

    /// Returns the eleven digits without punctuation.
    pub fn compact(&self) -> String {
        compact(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_digit::right::{digit_errors, with_check_digits};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_any_punctuation() {
        for text in ["529.982.247-25", "52998224725", " 529 982 247 25 ", "529982247-25", "529.982.247/25"] {
            let cpf = Cpf::parse(text).unwrap();
            assert_eq!((cpf.as_str(), cpf.compact().as_str()), ("529.982.247-25", "52998224725"));
        }
    }

    #[test]
    fn refuses_invalid_numbers() {
        let repeated = (0..10).map(|digit| digit.to_string().repeat(11));
        let wrong = [
            "",
            "-",
            "5299822472",
            "529982247250",
            "52998224724",
            "5299822472A",
            "529.982.247-25\0",
            "５29.982.247-25",
        ];
        for text in repeated.chain(wrong.map(String::from)) {
            assert!(Cpf::parse(&text).is_err(), "{text:?}");
        }
    }

    /// Two remainders give the check digit 0, so the rule cannot tell these two numbers apart. This is a
    /// limit of the CPF. The property test below therefore leaves out numbers with such a check digit.
    #[test]
    fn the_check_digit_rule_misses_some_errors() {
        assert!(Cpf::parse("100.000.001-08").is_ok());
        assert!(Cpf::parse("200.000.001-08").is_ok());
    }

    #[test]
    fn check_digits_are_not_appended_to_invalid_bodies() {
        for body in ["", "12345678", "1234567890", "12345678x", "111111111"] {
            assert_eq!(Cpf::beginning_with(body), None, "{body}");
        }
    }

    proptest! {
        #[test]
        fn valid_numbers_parse_and_numbers_with_a_typing_error_do_not(body in "[0-9]{9}") {
            let number = with_check_digits(&body, 11);
            prop_assume!(!all_equal(number.as_bytes()));
            let cpf = Cpf::parse(&number).unwrap();
            prop_assert_eq!(&Cpf::parse(cpf.as_str()).unwrap(), &cpf);
            prop_assert_eq!(cpf.compact(), number.as_str());
            prop_assert_eq!(&Cpf::beginning_with(&body).unwrap(), &cpf);

            let is_unambiguous = !number[9..].starts_with('0');
            for wrong in digit_errors(&number) {
                prop_assert!(!is_unambiguous || Cpf::parse(&wrong).is_err(), "{} for {}", wrong, number);
            }
        }
    }
}
