//! Sets the authors of tasks. The live service has them only in the history of a lawsuit, whose items have no
//! id there (resources 13).

use std::collections::HashMap;

use jiff::tz::TimeZone;

use crate::domain::Moment;
use crate::records::Task;
use crate::store::imports::moves::{self, WrittenTask};
use crate::transfer::cloud_import::entries::{Entries, EntryName};
use crate::transfer::prelude::*;

/// Sets the author of the task that a history item describes, if the author is unknown so far. Ignores items
/// that match no task here, because tasks come with their own list. Equal items are matched to equal tasks in
/// order; `before` counts them.
pub(in crate::transfer::cloud_import) fn set_author(
    tx: Tx<'_>,
    item: &JsonObject,
    entries: &mut Entries<'_>,
    before: &mut HashMap<String, u32>,
    zone: &TimeZone,
) -> StoreResult<()> {
    let text =
        |name: &str| item.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
    let (Some(author), Some(kind)) = (text("author"), text("task")) else { return Ok(()) };
    let (Some(lawsuit), Some(made)) = (
        item.get("lawsuits_id").and_then(crate::transfer::cloud_import::source_ids::number),
        text("created_at").and_then(|at| Moment::parse(at).ok()),
    ) else {
        return Ok(());
    };
    let Some(field) = Task::TABLE.field("author_id") else { return Ok(()) };
    let named = |name: &str| EntryName {
        id: None,
        name: Some(name.to_owned()),
        incoming: item,
        field,
        table: Task::TABLE,
    };
    let Some(kind) = entries.find(*tx, List::Tasks, &named(kind))? else { return Ok(()) };
    // A completed task may have no start.
    let start = text("start");
    let (day, time) = start.and_then(|start| start.split_once([' ', 'T'])).unzip();
    let day = day.or(start);
    let time = time.unwrap_or_default();
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
