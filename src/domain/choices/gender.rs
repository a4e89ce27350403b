//! The gender of a customer.

use std::fmt;

use crate::domain::{Bilingual, Reason};

/// A gender, written `M`, `F` or `O` (contract 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gender {
    /// `M`.
    Male,
    /// `F`.
    Female,
    /// `O`.
    Other,
}

impl Gender {
    /// The letters with their names for users.
    pub const NAMES: [(&str, Bilingual); 3] =
        [("F", ("Feminino", "Female")), ("M", ("Masculino", "Male")), ("O", ("Outro", "Other"))];

    /// Parses the letter in either case.
    pub fn parse(text: &str) -> Result<Gender, Reason> {
        match text.trim() {
            "M" | "m" => Ok(Gender::Male),
            "F" | "f" => Ok(Gender::Female),
            "O" | "o" => Ok(Gender::Other),
            _ => Err(Reason::NotGender),
        }
    }

    /// Returns the letter as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Gender::Male => "M",
            Gender::Female => "F",
            Gender::Other => "O",
        }
    }

    /// Converts a stored letter. Any other text counts as `Other`.
    pub fn from_stored(text: String) -> Gender {
        Gender::parse(&text).unwrap_or(Gender::Other)
    }
}

impl fmt::Display for Gender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_three_letters() {
        for (text, gender) in [("M", Gender::Male), ("f", Gender::Female), (" o\n", Gender::Other)] {
            assert_eq!(Gender::parse(text), Ok(gender));
            assert_eq!(Gender::from_stored(gender.to_string()), gender);
        }
        for text in ["", "X", "MF", "masculino", "M\nF"] {
            assert!(Gender::parse(text).is_err(), "{text:?}");
        }
    }
}
