//! Which records a list shows.

use super::reference::Named;
use super::terms::SearchText;
use crate::domain::{Day, ExternalId, TaskStatus};
use crate::records::Value;

/// Conditions on members of a record, each with the member's column: all of them hold (contract 3). Nothing asked shows all
/// that were not deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    conditions: Vec<(&'static str, Condition)>,
    text: Option<SearchText>,
    of_deleted: bool,
}

/// What a member has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of these words, folded, are found in it.
    Words(String),
    /// Its letters and digits are these, or begin with them.
    Start(String),
    /// These digits stand together in it, or are all of it.
    Digits(String),
    /// It is an entry of this name, or of this id.
    Entry(Named),
    /// It is no earlier than the first day and no later than the second.
    Days(Option<Day>, Option<Day>),
    /// There is none, or there is one.
    IsAbsent(bool),
    /// It is a day of this month, 1 to 12, of whatever year.
    Month(u8),
    /// It links to the record with this id, or is that record's id.
    Linked(u32),
    /// It is this one of a few values.
    Value(Value<'static>),
    /// What it is links, by its member of this column, to the record with this id.
    LinkedThrough(&'static str, u32),
    /// It is before this day; if it is nothing, the record was made before.
    IdleSince(Day),
    /// It has such a guest.
    Guest(Guest),
    /// It is the record with this id.
    Id(u32),
    /// It has this one among its names in other systems.
    ExternalId(ExternalId),
    /// It links to the record whose member of this column has just these letters and digits.
    LinkedBy(&'static str, String),
}

/// What is asked of a guest of a task. Where nobody is named, the status is asked of all guests together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// Who it is.
    pub user: Option<u32>,
    /// What their name is, or a part of it.
    pub name: Option<Named>,
    /// Whether they have done it.
    pub status: TaskStatus,
    /// They have done it no earlier than the first day and no later than the second.
    pub completed: (Option<Day>, Option<Day>),
}

impl Guest {
    /// Whoever it is, and whenever they have done it.
    pub fn of(status: TaskStatus) -> Guest {
        Guest { user: None, name: None, status, completed: (None, None) }
    }
}

impl Filter {
    /// Also asks that the member of that column be so.
    pub fn add(&mut self, column: &'static str, condition: Condition) {
        self.conditions.push((column, condition));
    }

    /// The same, for who writes filters down.
    pub fn with(mut self, column: &'static str, condition: Condition) -> Filter {
        self.add(column, condition);
        self
    }

    /// Also asks that the text find it, by what it belongs to as well.
    pub fn with_text(self, text: SearchText) -> Filter {
        Filter { text: Some(text), ..self }
    }

    pub(super) fn text(&self) -> Option<&SearchText> {
        self.text.as_ref()
    }

    /// The days that are asked of that column, and what else is asked.
    pub(super) fn split_days(mut self, column: &str) -> ((Option<Day>, Option<Day>), Filter) {
        let is_of_days =
            |(own, asked): &mut (_, Condition)| *own == column && matches!(asked, Condition::Days(..));
        let days = self.conditions.extract_if(.., is_of_days).next();
        let Some((_, Condition::Days(first, last))) = days else { return ((None, None), self) };
        ((first, last), self)
    }

    pub(super) fn conditions(&self) -> impl Iterator<Item = &(&'static str, Condition)> {
        self.conditions.iter()
    }

    /// Asks for deleted records alone, or for the others.
    pub fn of_deleted(self, of_deleted: bool) -> Filter {
        Filter { of_deleted, ..self }
    }

    /// Whether deleted records are asked for.
    pub fn is_of_deleted(&self) -> bool {
        self.of_deleted
    }
}
