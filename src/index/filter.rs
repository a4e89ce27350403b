//! The filter of a list.

use super::values::reference::Named;
use super::words::terms::SearchText;
use crate::domain::{Day, ExternalId, TaskStatus};
use crate::records::Value;

/// First and last day of a range; `None` leaves that side open.
pub type DayRange = (Option<Day>, Option<Day>);

/// Conditions on columns, all of which must hold (contract 3). A filter without conditions matches all live
/// records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    conditions: Vec<(&'static str, Condition)>,
    text: Option<SearchText>,
    of_deleted: bool,
}

/// A condition on one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Its text contains all of these folded words.
    Words(String),
    /// Its letters and digits equal these or begin with them.
    Start(String),
    /// Its digits equal these or contain them as a sequence.
    Digits(String),
    /// The list entry with this name or id.
    Entry(Named),
    /// A day in this range, inclusive.
    Days(Option<Day>, Option<Day>),
    /// The value is absent if `true`, present if `false`.
    IsAbsent(bool),
    /// A day in this month (1 to 12) of any year.
    Month(u8),
    /// Links to the record with this id, or refers to it.
    Linked(u32),
    /// Equals this enum value.
    Value(Value<'static>),
    /// Refers to the record with this id, or its record in the first column links to that one by the second.
    LinkedOrThrough([&'static str; 2], u32),
    /// The newest day is before this day. A record without one must have been created before it.
    IdleSince(Day),
    /// A guest of the task matches.
    Guest(Guest),
    Id(u32),
    ExternalId(ExternalId),
    /// Links to the record whose given column has exactly these letters and digits.
    LinkedBy(&'static str, String),
}

/// A condition on the guests of a task. Without `user` and `name`, the status is that of all guests together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    pub user: Option<u32>,
    /// The user's name or a part of it.
    pub name: Option<Named>,
    pub status: TaskStatus,
    /// A completion day in this range, inclusive.
    pub completed: (Option<Day>, Option<Day>),
}

impl Guest {
    /// Matches any guest with this status, whenever completed.
    pub fn of(status: TaskStatus) -> Guest {
        Guest { user: None, name: None, status, completed: (None, None) }
    }
}

impl Filter {
    pub fn add(&mut self, column: &'static str, condition: Condition) {
        self.conditions.push((column, condition));
    }

    /// Like [`add`](Self::add), for chaining.
    pub fn with(mut self, column: &'static str, condition: Condition) -> Filter {
        self.add(column, condition);
        self
    }

    /// Adds a search text, which also matches through the records' owners.
    pub fn with_text(self, text: SearchText) -> Filter {
        Filter { text: Some(text), ..self }
    }

    /// Returns the columns that the filter has conditions on.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.conditions.iter().map(|(column, _)| *column)
    }

    pub(super) fn text(&self) -> Option<&SearchText> {
        self.text.as_ref()
    }

    /// Splits the range of days on that column from the other conditions.
    pub(super) fn split_days(mut self, column: &str) -> ((Option<Day>, Option<Day>), Filter) {
        let is_of_days = |(own, condition): &mut (_, Condition)| {
            *own == column && matches!(condition, Condition::Days(..))
        };
        let days = self.conditions.extract_if(.., is_of_days).next();
        let Some((_, Condition::Days(first, last))) = days else { return ((None, None), self) };
        ((first, last), self)
    }

    pub(super) fn conditions(&self) -> impl Iterator<Item = &(&'static str, Condition)> {
        self.conditions.iter()
    }

    /// Restricts the filter to deleted records if `true`, to live ones if `false`.
    pub fn of_deleted(self, of_deleted: bool) -> Filter {
        Filter { of_deleted, ..self }
    }

    /// Returns `true` if only tasks that somebody still has to do match.
    pub fn is_of_open_tasks(&self) -> bool {
        let is_open = |condition: &Condition| {
            matches!(condition, Condition::Guest(Guest { status: TaskStatus::Pending, .. }))
        };
        !self.of_deleted && self.conditions.iter().any(|(_, condition)| is_open(condition))
    }

    pub fn is_of_deleted(&self) -> bool {
        self.of_deleted
    }
}
