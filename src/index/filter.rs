//! Which records a list shows.

use super::reference::Named;
use crate::domain::Day;

/// Conditions on members of a record, each with the member's column: all of them hold (contract 3). Nothing asked shows all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter(Vec<(&'static str, Condition)>);

/// What a member has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of these words, folded, are found in it.
    Words(String),
    /// Its letters and digits are these, or begin with them.
    Start(String),
    /// Its digits end with these.
    Ending(String),
    /// It is an entry of this name, or of this id.
    Entry(Named),
    /// It is no earlier than the first day and no later than the second.
    Days(Option<Day>, Option<Day>),
    /// It is a day of this month, 1 to 12, of whatever year.
    Month(u8),
    /// It links to the record with this id.
    Linked(u32),
    /// It links to the record whose member of this column has just these letters and digits.
    LinkedBy(&'static str, String),
}

impl Filter {
    /// Also asks that the member of that column be so.
    pub fn add(&mut self, column: &'static str, condition: Condition) {
        self.0.push((column, condition));
    }

    /// The same, for who writes filters down.
    pub fn with(mut self, column: &'static str, condition: Condition) -> Filter {
        self.add(column, condition);
        self
    }

    pub(super) fn conditions(&self) -> impl Iterator<Item = &(&'static str, Condition)> {
        self.0.iter()
    }
}
