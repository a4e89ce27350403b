//! What a task or a publication keeps of the count that its deadline follows from (deadlines 31.8).

use crate::api::changes::members::PastValue;
use crate::domain::{Short, Text};
use crate::http::{Draft, Problem};
use crate::records::{Publication, Record, Task};

/// The columns of a count: the parameters of `GET /deadlines`, and its lines.
const QUERY: &str = "deadline_query";
const MEMORY: &str = "deadline_memory";

/// A record with a deadline whose count is kept.
pub trait KeepsCount: Record {
    /// Applies a draft. Removes the count of a deadline that is another day then, unless the draft has the count of that day.
    fn change_counted(&self, draft: Draft<Self>) -> Result<Self, Problem>;
}

macro_rules! keeps_count {
    ($($record:ty),+) => {$(
        impl KeepsCount for $record {
            fn change_counted(&self, draft: Draft<Self>) -> Result<Self, Problem> {
                let is_counted = draft.names(MEMORY);
                let mut changed = draft.change(self)?;
                if !is_counted && changed.date_deadline != self.date_deadline {
                    changed.deadline_query = None;
                    changed.deadline_memory = None;
                }
                Ok(changed)
            }
        }
    )+};
}

keeps_count!(Task, Publication);

/// Returns the fields of a form that keep how its deadline was counted: the parameters of `GET /deadlines`, and the
/// count as lines of text. A text that is too long is left out.
pub fn count_fields(query: String, memory: String) -> [(&'static str, String); 2] {
    let query = if Short::parse(&query).is_ok() { query } else { String::new() };
    let memory = if Text::<20_000>::parse(&memory).is_ok() { memory } else { String::new() };
    [(QUERY, query), (MEMORY, memory)]
}

/// Returns the fields with the count that a record had before a change, if the change replaced it.
pub fn count_before(past: &[PastValue]) -> impl Iterator<Item = (&'static str, String)> {
    let of_count = past.iter().filter(|value| [QUERY, MEMORY].contains(&value.field.column));
    of_count.map(|value| (value.field.member, value.before.text().unwrap_or_default().to_owned()))
}
