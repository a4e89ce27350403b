//! Who has double deadlines.

use crate::domain::text::fold;
use crate::domain::{Bilingual, DeadlineReason, Reason};

/// A party whose deadlines are doubled (deadlines 31.2), from the one whom the laws double least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DoubledParty {
    /// `fazenda`: the Union, states, cities, their agencies and foundations (CPC 183).
    Fazenda,
    /// `mp`: the public prosecution (CPC 180).
    Mp,
    /// `defensoria`: the public defenders, and legal aid of law schools and by agreement (CPC 186).
    Defensoria,
}

impl DoubledParty {
    /// The words, as they are stored and shown.
    pub const WORDS: [&str; 3] = ["fazenda", "mp", "defensoria"];

    /// The words with their names for people.
    pub const NAMES: [(&str, Bilingual); 3] = [
        ("fazenda", ("Fazenda Pública", "Public treasury")),
        ("mp", ("Ministério Público", "Public prosecution")),
        ("defensoria", ("Defensoria Pública", "Public defenders")),
    ];

    /// Parses one of [`DoubledParty::WORDS`] or a name of it, ignoring case and accents.
    pub fn parse(text: &str) -> Result<DoubledParty, Reason> {
        match fold(text).as_str() {
            "fazenda" | "fazenda publica" | "public treasury" => Ok(DoubledParty::Fazenda),
            "mp" | "ministerio publico" | "public prosecution" => Ok(DoubledParty::Mp),
            "defensoria" | "defensoria publica" | "public defenders" => Ok(DoubledParty::Defensoria),
            _ => Err(DeadlineReason::NotDoubledParty.into()),
        }
    }

    /// Returns the word as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        let [fazenda, mp, defensoria] = DoubledParty::WORDS;
        match self {
            DoubledParty::Fazenda => fazenda,
            DoubledParty::Mp => mp,
            DoubledParty::Defensoria => defensoria,
        }
    }

    /// Converts a stored word. Any other text counts as `Fazenda`.
    pub fn from_stored(text: String) -> DoubledParty {
        DoubledParty::parse(&text).unwrap_or(DoubledParty::Fazenda)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_party_is_read_in_both_languages_and_stored_as_one_word() {
        for word in DoubledParty::WORDS {
            assert_eq!(DoubledParty::parse(&word.to_uppercase()).unwrap().as_str(), word);
            assert_eq!(DoubledParty::from_stored(word.to_owned()).as_str(), word);
        }
        for (word, (pt, en)) in DoubledParty::NAMES {
            for name in [pt, en] {
                assert_eq!(DoubledParty::parse(name).map(DoubledParty::as_str), Ok(word), "{name}");
            }
        }
        for text in ["", "sim", "autor", "municipio"] {
            assert_eq!(DoubledParty::parse(text), Err(DeadlineReason::NotDoubledParty.into()), "{text:?}");
        }
    }
}
