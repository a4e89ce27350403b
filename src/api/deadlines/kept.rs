//! What a task or a publication keeps of the count that its deadline follows from (deadlines 31.8).

use crate::api::changes::members::PastValue;
use crate::api::record::{present, store_changed};
use crate::domain::id::Id;
use crate::domain::{Day, Short, Text};
use crate::http::Problem;
use crate::records::{Publication, Record, Task};
use crate::store::Tx;

/// A record with a deadline whose count is kept.
pub trait KeepsCount: Record + Clone {
    fn deadline(&self) -> Option<Day>;

    /// Sets the parameters and the lines of the count.
    fn set_count(&mut self, query: Option<Short>, memory: Option<Text<20_000>>);

    /// Removes the count of a deadline that is another day now.
    fn forget_count(&mut self, standing: &Self) {
        if self.deadline() != standing.deadline() {
            self.set_count(None, None);
        }
    }
}

macro_rules! keeps_count {
    ($($record:ty),+) => {$(
        impl KeepsCount for $record {
            fn deadline(&self) -> Option<Day> {
                self.date_deadline
            }

            fn set_count(&mut self, query: Option<Short>, memory: Option<Text<20_000>>) {
                self.deadline_query = query;
                self.deadline_memory = memory;
            }
        }
    )+};
}

keeps_count!(Task, Publication);

/// Stores how the deadline of a record was counted: the parameters of `GET /deadlines`, and the count as lines of text.
pub fn keep_count<R: KeepsCount>(
    tx: Tx<'_>,
    id: Id<R>,
    query: &str,
    memory: &str,
    now: i64,
) -> Result<(), Problem> {
    let standing: R = present(*tx, id)?;
    let mut record = standing.clone();
    record.set_count(Short::parse(query).ok(), Text::parse(memory).ok());
    Ok(store_changed(tx, id, &record, &standing, now)?)
}

/// Returns the query and the memory that a record had before a change, if the change took them away.
pub fn count_before(past: &[PastValue]) -> Option<(String, String)> {
    let before = |column: &str| {
        let value = past.iter().find(|value| value.field.column == column)?;
        value.before.text().map(str::to_owned)
    };
    Some((before("deadline_query")?, before("deadline_memory")?))
}
