//! Which way money goes.

use super::{Reason, fold};

/// Into the office or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// `CRÉDITO`.
    Credit,
    /// `DÉBITO`.
    Debit,
}

impl Flow {
    /// Reads either word however it is written, or `income`, `expense`.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<Flow, Reason> {
        match fold(text).as_str() {
            "credito" | "income" => Ok(Flow::Credit),
            "debito" | "expense" => Ok(Flow::Debit),
            _ => Err(Reason::NotFlow),
        }
    }

    /// The word, as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Flow::Credit => "CRÉDITO",
            Flow::Debit => "DÉBITO",
        }
    }

    /// Takes back a text that the store wrote from such a value. Only for that: nothing is checked.
    pub fn from_stored(text: String) -> Flow {
        Flow::parse(&text).unwrap_or(Flow::Debit)
    }
}

/// The same of one transaction, by other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryType(pub Flow);

impl EntryType {
    /// The words, as they are stored and shown.
    pub const WORDS: [&str; 2] = ["income", "expense"];

    /// Reads what [`Flow`] reads.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<EntryType, Reason> {
        Flow::parse(text).map(EntryType).map_err(|_| Reason::NotEntryType)
    }

    /// The word, as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        let [income, expense] = EntryType::WORDS;
        match self.0 {
            Flow::Credit => income,
            Flow::Debit => expense,
        }
    }

    /// Takes back a text that the store wrote from such a value. Only for that: nothing is checked.
    pub fn from_stored(text: String) -> EntryType {
        EntryType(Flow::from_stored(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_in_both_languages_and_shown_in_one() {
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
