//! The direction in which money flows.

use crate::domain::text::fold;
use crate::domain::{Bilingual, Reason};

/// The direction of money, into the office or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Into the office: `CRÉDITO`.
    Credit,
    /// Out of the office: `DÉBITO`.
    Debit,
}

impl Flow {
    /// Both words with their names for users.
    pub const NAMES: [(&str, Bilingual); 2] =
        [("CRÉDITO", ("Crédito", "Income")), ("DÉBITO", ("Débito", "Expense"))];

    /// Parses `CRÉDITO` or `DÉBITO`, ignoring case and accents, or `income` or `expense`.
    pub fn parse(text: &str) -> Result<Flow, Reason> {
        match fold(text).as_str() {
            "credito" | "income" => Ok(Flow::Credit),
            "debito" | "expense" => Ok(Flow::Debit),
            _ => Err(Reason::NotFlow),
        }
    }

    /// Returns the word as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Flow::Credit => "CRÉDITO",
            Flow::Debit => "DÉBITO",
        }
    }

    /// Converts a stored word. Any other text counts as `Debit`.
    pub fn from_stored(text: String) -> Flow {
        Flow::parse(&text).unwrap_or(Flow::Debit)
    }
}

/// The direction of a transaction: a [`Flow`] that is written `income` or `expense`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryType(pub Flow);

impl EntryType {
    /// Both words, as they are stored and shown.
    pub const WORDS: [&str; 2] = ["income", "expense"];

    /// Both words with their names for users.
    pub const NAMES: [(&str, Bilingual); 2] =
        [("income", ("Receita", "Income")), ("expense", ("Despesa", "Expense"))];

    /// Parses the words that [`Flow::parse`] accepts.
    pub fn parse(text: &str) -> Result<EntryType, Reason> {
        Flow::parse(text).map(EntryType).map_err(|_| Reason::NotEntryType)
    }

    /// Returns the word as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        let [income, expense] = EntryType::WORDS;
        match self.0 {
            Flow::Credit => income,
            Flow::Debit => expense,
        }
    }

    /// Converts a stored word. Any other text counts as an expense.
    pub fn from_stored(text: String) -> EntryType {
        EntryType(Flow::from_stored(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_in_both_languages_and_written_in_portuguese() {
        for (text, word) in [
            ("CRÉDITO", "CRÉDITO"),
            (" credito ", "CRÉDITO"),
            ("Income", "CRÉDITO"),
            ("débito", "DÉBITO"),
            ("expense", "DÉBITO"),
        ] {
            let flow = Flow::parse(text).unwrap();
            assert_eq!((flow.as_str(), Flow::from_stored(word.to_owned())), (word, flow));
        }
        for word in EntryType::WORDS {
            assert_eq!(EntryType::parse(word).unwrap().as_str(), word);
        }
        assert_eq!(EntryType::parse("receita"), Err(Reason::NotEntryType));
        for text in ["", "credit", "créditos", "C"] {
            assert_eq!(Flow::parse(text), Err(Reason::NotFlow), "{text:?}");
        }
    }
}
