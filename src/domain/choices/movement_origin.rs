//! Origins of movements.

use crate::domain::{Bilingual, Reason};

/// The origin of a movement: a court or the office itself (resources 14.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovementOrigin {
    /// A court: `TRIBUNAL`.
    Court,
    /// The office: `MANUAL`.
    Office,
}

impl MovementOrigin {
    /// Both words with their names for users.
    pub const NAMES: [(&str, Bilingual); 2] =
        [("TRIBUNAL", ("Tribunal", "Court")), ("MANUAL", ("Escritório", "Office"))];

    /// Parses either word in any case, after trimming it.
    pub fn parse(text: &str) -> Result<MovementOrigin, Reason> {
        match text.trim().to_ascii_uppercase().as_str() {
            "TRIBUNAL" => Ok(MovementOrigin::Court),
            "MANUAL" => Ok(MovementOrigin::Office),
            _ => Err(Reason::NotMovementOrigin),
        }
    }

    /// Returns the word as it is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            MovementOrigin::Court => "TRIBUNAL",
            MovementOrigin::Office => "MANUAL",
        }
    }

    /// Converts a stored word. Any other text counts as `Office`.
    pub fn from_stored(text: String) -> MovementOrigin {
        MovementOrigin::parse(&text).unwrap_or(MovementOrigin::Office)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_of_two_words() {
        for (text, word) in [("TRIBUNAL", "TRIBUNAL"), (" manual ", "MANUAL"), ("Tribunal", "TRIBUNAL")] {
            let origin = MovementOrigin::parse(text).unwrap();
            assert_eq!((origin.as_str(), MovementOrigin::from_stored(word.to_owned())), (word, origin));
        }
        for text in ["", "court", "TJSP", "manuall"] {
            assert_eq!(MovementOrigin::parse(text), Err(Reason::NotMovementOrigin), "{text:?}");
        }
    }
}
