//! What a task keeps of the count that its deadline follows from (deadlines 31.8).

use crate::api::changes::members::PastValue;
use crate::api::record::{present, store_changed};
use crate::domain::{Short, Text};
use crate::http::Problem;
use crate::records::{Task, TaskId};
use crate::store::Tx;

/// Stores how the deadline of a task was counted: the parameters of `GET /deadlines`, and the count as lines of text.
pub fn keep_count(tx: Tx<'_>, id: TaskId, query: &str, memory: &str, now: i64) -> Result<(), Problem> {
    let standing: Task = present(*tx, id)?;
    let mut task = standing.clone();
    task.deadline_query = Short::parse(query).ok();
    task.deadline_memory = Text::parse(memory).ok();
    Ok(store_changed(tx, id, &task, &standing, now)?)
}

/// Returns the query and the memory that a task had before a change, if the change took them away.
pub(super) fn count_before(past: &[PastValue]) -> Option<(String, String)> {
    let before = |column: &str| {
        let value = past.iter().find(|value| value.field.column == column)?;
        value.before.text().map(str::to_owned)
    };
    Some((before("deadline_query")?, before("deadline_memory")?))
}

/// Removes the count of a deadline that is another day now.
pub(super) fn forget_count(task: &mut Task, standing: &Task) {
    if task.date_deadline != standing.date_deadline {
        task.deadline_query = None;
        task.deadline_memory = None;
    }
}
