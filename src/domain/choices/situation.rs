//! Whether the office still works for a customer.

use crate::domain::text::fold;
use crate::domain::{Bilingual, Reason};

/// The situation of a customer (office 56).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Situation {
    /// `active`.
    #[default]
    Active,
    /// `inactive`: the office does nothing for the customer any more.
    Inactive,
    /// `deceased`.
    Deceased,
}

impl Situation {
    /// The words, as they are stored and shown.
    pub const WORDS: [&str; 3] = ["active", "inactive", "deceased"];

    /// The words with their names for people.
    pub const NAMES: [(&str, Bilingual); 3] = [
        ("active", ("Ativo", "Active")),
        ("inactive", ("Inativo", "Inactive")),
        ("deceased", ("Falecido", "Deceased")),
    ];

    /// Parses one of [`Situation::WORDS`], or the word of a Brazilian spreadsheet, ignoring case and accents.
    pub fn parse(text: &str) -> Result<Situation, Reason> {
        match fold(text).as_str() {
            "active" | "ativo" | "ativa" | "ativo a" => Ok(Situation::Active),
            "inactive" | "inativo" | "inativa" | "inativo a" | "arquivado" | "arquivada" => {
                Ok(Situation::Inactive)
            }
            "deceased" | "falecido" | "falecida" | "falecido a" | "obito" => Ok(Situation::Deceased),
            _ => Err(Reason::NotSituation),
        }
    }

    /// Returns the word as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        let [active, inactive, deceased] = Situation::WORDS;
        match self {
            Situation::Active => active,
            Situation::Inactive => inactive,
            Situation::Deceased => deceased,
        }
    }

    /// Converts a stored word. Any other text counts as `Active`.
    pub fn from_stored(text: String) -> Situation {
        Situation::parse(&text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_situation_is_read_in_both_languages_and_stored_as_one_word() {
        for word in Situation::WORDS {
            assert_eq!(Situation::parse(word).unwrap().as_str(), word);
            assert_eq!(Situation::from_stored(word.to_owned()).as_str(), word);
        }
        for (text, situation) in [
            (" ATIVA ", Situation::Active),
            ("Inativo", Situation::Inactive),
            ("Falecido(a)", Situation::Deceased),
            ("ÓBITO", Situation::Deceased),
        ] {
            assert_eq!(Situation::parse(text), Ok(situation), "{text}");
        }
        for text in ["", "sim", "vivo", "em andamento"] {
            assert_eq!(Situation::parse(text), Err(Reason::NotSituation), "{text:?}");
        }
    }
}
