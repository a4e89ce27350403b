//! Who wrote a task: the live service tells it in the history of a lawsuit only, whose items have no id there (resources 13).

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json};

use super::entries::{Entries, EntryName};
use crate::domain::Moment;
use crate::records::{List, Record as _, Task};
use crate::store::moves::{self, WrittenTask};
use crate::store::{self, Tx};

/// Sets the author of the task that an item of a history is, where nobody has said who that is. Items that no task here is
/// change nothing: every task comes with its own list. Of equal ones the first item is the first task; `before` counts them.
pub(super) fn set_author(
    tx: Tx<'_>,
    item: &Map<String, Json>,
    entries: &mut Entries<'_>,
    before: &mut HashMap<String, u32>,
    zone: &TimeZone,
) -> Result<(), store::Error> {
    let text =
        |name: &str| item.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
    let (Some(author), Some(kind)) = (text("author"), text("task")) else { return Ok(()) };
    let (Some(lawsuit), Some(made)) = (
        item.get("lawsuits_id").and_then(super::ids::number),
        text("created_at").and_then(|at| Moment::parse(at).ok()),
    ) else {
        return Ok(());
    };
    let Some(field) = Task::TABLE.field("author_id") else { return Ok(()) };
    let named = |name: &str| EntryName {
        id: None,
        name: Some(name.to_owned()),
        said: item,
        field,
        table: Task::TABLE,
    };
    let Some(kind) = entries.find(*tx, List::Tasks, &named(kind))? else { return Ok(()) };
    // A completed task may have none.
    let start = text("start");
    let (day, time) = start.and_then(|start| start.split_once([' ', 'T'])).unzip();
    let (day, time) = (day.or(start), time.unwrap_or_default());
    let is_midnight = time.chars().all(|digit| matches!(digit, '0' | ':'));
    let number = before.entry(format!("{lawsuit} {kind} {start:?} {made:?}")).or_default();
    let task = WrittenTask {
        lawsuit,
        kind,
        day,
        time: if is_midnight { None } else { Some(time) },
        created_at: made.seconds(zone),
        number: *number,
    };
    *number += 1;
    let nobody = entries.unknown(*tx, List::Users, &named(author))?;
    if let Some(id) = moves::task_of(*tx, &task, nobody)? {
        let author = entries.find_or_make(*tx, List::Users, &named(author))?;
        moves::set_author(tx, id, author)?;
    }
    Ok(())
}
