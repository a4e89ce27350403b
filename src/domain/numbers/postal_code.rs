//! Postal codes.

use super::punctuation::{bare, fill, is_digits};
use crate::domain::Reason;

/// A Brazilian postal code (CEP): `88800-000`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PostalCode(String);

text_value!(PostalCode);

impl PostalCode {
    /// Parses 8 digits with or without punctuation (contract 4.3).
    pub fn parse(text: &str) -> Result<PostalCode, Reason> {
        let digits = bare(text);
        if digits.len() != 8 || !is_digits(&digits) {
            return Err(Reason::NotPostalCode);
        }
        Ok(PostalCode(fill("#####-###", &digits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_eight_digits() {
        for text in ["88800000", "88800-000", "88.800-000", " 88800 000 ", "88800-000\n"] {
            assert_eq!(PostalCode::parse(text).unwrap().as_str(), "88800-000");
        }
        for text in ["", "8880000", "888000000", "8880000a", "８8800000"] {
            assert!(PostalCode::parse(text).is_err(), "{text:?}");
        }
    }
}
