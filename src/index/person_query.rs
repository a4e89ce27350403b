//! A person or company to look for, and how much the search may cost (events 23.3).

use crate::domain::{NameWords, Score, TaxId, Threshold};
use crate::store::Db;

/// A person or company to look for: by name, by number, or as a customer.
#[derive(Clone, Copy, Debug)]
pub struct PersonQuery<'s> {
    pub name: Option<&'s NameWords>,
    pub identification: Option<&'s TaxId>,
    /// The customer's id, if the person is a customer.
    pub customer: Option<u32>,
    pub matching: NameMatching,
}

/// The names that count as alike.
#[derive(Clone, Copy, Debug)]
pub enum NameMatching {
    /// Names with at least this score.
    Similar(Threshold),
    /// Names whose words are the same or sound the same. They are found without comparing all words of the index.
    SameSound,
}

/// Tells how much a search may cost.
#[derive(Clone, Copy)]
pub enum SearchCost<'d> {
    /// Builds a part of the index that is not built yet, and looks for similar names.
    Built(Db<'d>),
    /// Finds nothing if the index is not built yet, and looks for the words of the name only: a write must not wait.
    IfReady,
}

impl NameMatching {
    /// Returns the lowest score of two names that are alike.
    pub fn lowest(self) -> Score {
        match self {
            NameMatching::Similar(threshold) => threshold.score(),
            NameMatching::SameSound => Score::SAME_SOUND,
        }
    }
}

impl Default for NameMatching {
    fn default() -> NameMatching {
        NameMatching::Similar(Threshold::default())
    }
}
