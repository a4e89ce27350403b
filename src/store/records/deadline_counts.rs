//! The counts that open tasks and untreated publications keep of their deadlines (deadlines 31.8).

use super::columns::Cells;
use super::hidden::and_is_seen_sql;
use crate::domain::Day;
use crate::records::{Kind, Publication, Record as _, Task};
use crate::store::{Db, Error};

/// A deadline that a person confirmed, with its count.
#[derive(Clone, Debug)]
pub struct KeptCount {
    pub kind: Kind,
    pub id: u32,
    pub deadline: Day,
    /// The parameters of `GET /deadlines`.
    pub query: String,
}

/// Condition for tasks `t` that a guest still has to do.
const IS_OPEN: &str = "EXISTS (SELECT 1 FROM task_guests g WHERE g.task_id = t.id AND NOT EXISTS
    (SELECT 1 FROM task_completions c WHERE c.task_id = t.id AND c.user_id = g.user_id))";

/// Returns the first counts of open tasks and of untreated publications, by deadline, of those that the caller may see.
pub fn open(db: Db<'_>, limit: usize) -> Result<Vec<KeptCount>, Error> {
    let nouns = db.nouns();
    let mut counts = Vec::new();
    for (table, is_open) in [(Task::TABLE, IS_OPEN), (Publication::TABLE, "t.treated_at IS NULL")] {
        let is_seen = table.field("deadline_query").is_some_and(|count| nouns.reveal(table, count));
        if !nouns.has(table.kind) || !is_seen {
            continue;
        }
        let select = [
            "SELECT t.id, t.date_deadline, t.deadline_query FROM ",
            table.name,
            " t WHERE t.deadline_query IS NOT NULL AND t.deleted_at IS NULL AND ",
            is_open,
            &and_is_seen_sql(nouns, table),
            " ORDER BY t.date_deadline, t.id LIMIT ?1",
        ]
        .concat();
        let mut statement = db.conn().prepare_cached(&select)?;
        let kept = statement.query_map([limit], |row| {
            let mut cells = Cells::of(row);
            let id = cells.next()?;
            let Ok(deadline) = Day::parse(&cells.next::<String>()?) else { return Ok(None) };
            Ok(Some(KeptCount { kind: table.kind, id, deadline, query: cells.next()? }))
        })?;
        for count in kept.filter_map(Result::transpose) {
            counts.push(count?);
        }
    }
    counts.sort_by_key(|count| count.deadline);
    counts.truncate(limit);
    Ok(counts)
}
