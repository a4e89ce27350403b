//! Queries specific to tasks (resources 12 and 13).

pub mod assigned_tasks;
pub mod hand_over;

use std::collections::BTreeSet;

use rusqlite::named_params;

use super::lawsuits::{self, LinkedCustomer};
use crate::domain::Day;
use crate::records::{CustomerId, LawsuitId, PublicationId, Record as _, Task, TaskId, UserId};
use crate::store::records::columns::Cells;
use crate::store::records::hidden::and_is_seen_sql;
use crate::store::{Db, Error, Tx};

/// Returns the tasks, of one user or of all, that began before a day and last until then, or longer.
pub fn lasting_until(db: Db<'_>, user: Option<u32>, day: Day) -> Result<Vec<u32>, Error> {
    let lasting = "SELECT t.id FROM tasks t WHERE t.end_date > t.start_date AND t.end_date >= ?1
        AND t.start_date < ?1 AND t.deleted_at IS NULL";
    let of_user = match user {
        Some(_) => " AND t.id IN (SELECT g.task_id FROM task_guests g WHERE g.user_id = ?2)",
        None => " AND ?2 IS NULL",
    };
    db.column(&[lasting, of_user, &and_is_seen(db)].concat(), (day.iso(), user))
}

/// Returns those of these tasks of which a day, from the first to the last one or the deadline, may be between two days.
pub fn around(db: Db<'_>, ids: &[u32], (first, last): (Day, Day)) -> Result<Vec<u32>, Error> {
    let (Some(lowest), Some(highest)) = (ids.iter().min(), ids.iter().max()) else { return Ok(Vec::new()) };
    let sql =
        "SELECT id FROM tasks WHERE id BETWEEN ?1 AND ?2 AND min(start_date, ifnull(date_deadline, start_date)) <= ?4
         AND max(start_date, ifnull(end_date, start_date), ifnull(date_deadline, start_date)) >= ?3";
    let around = db.column::<u32>(sql, (lowest, highest, first.iso(), last.iso()))?;
    let around = BTreeSet::from_iter(around);
    Ok(ids.iter().copied().filter(|id| around.contains(id)).collect())
}

/// Returns the publication that making a task marked as treated, if nobody has done the task and no other task responds to it.
pub fn treated_by_making(db: Db<'_>, task: TaskId) -> Result<Option<PublicationId>, Error> {
    db.first_value(
        "SELECT p.id FROM tasks t JOIN publications p ON p.id = t.publication_id
         WHERE t.id = ?1 AND p.treated_at = t.created_at AND p.deleted_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM task_completions c WHERE c.task_id = t.id)
             AND NOT EXISTS (SELECT 1 FROM tasks o
                 WHERE o.publication_id = p.id AND o.id <> t.id AND o.deleted_at IS NULL)",
        [task],
    )
}

/// Returns when a task was made, in seconds since 1970.
pub fn created_at(db: Db<'_>, task: TaskId) -> Result<i64, Error> {
    db.value("SELECT created_at FROM tasks WHERE id = ?1", [task])
}

/// SQL expression for the guests of the task `t` and their completion times, as `user:time` pairs separated by
/// spaces. The time is empty for a guest who has not done the task.
pub(in crate::store) const GUESTS: &str =
    "(SELECT group_concat(g.user_id || ':' || coalesce(c.completed_at, ''), ' ') FROM task_guests g
    LEFT JOIN task_completions c ON c.task_id = g.task_id AND c.user_id = g.user_id WHERE g.task_id = t.id)";

/// Parses the text of `GUESTS` into users and completion times in seconds since 1970.
pub fn guests_of(text: &str) -> impl Iterator<Item = (u32, Option<i64>)> {
    let guests = text.split(' ').filter_map(|guest| guest.split_once(':'));
    guests.filter_map(|(user, moment)| Some((user.parse().ok()?, moment.parse().ok())))
}

#[derive(Clone, Debug)]
pub struct LinkedGuest {
    pub user: UserId,
    pub name: String,
    /// Time when the guest completed the task, in seconds since 1970.
    pub completed_at: Option<i64>,
}

/// Returns the guests of a task in their stored order.
pub fn guests(db: Db<'_>, task: u32) -> Result<Vec<LinkedGuest>, Error> {
    let sql = "SELECT g.user_id, u.name, c.completed_at
         FROM task_guests g
             JOIN users u ON u.id = g.user_id
             LEFT JOIN task_completions c ON c.task_id = g.task_id AND c.user_id = g.user_id
         WHERE g.task_id = ?1 ORDER BY g.position";
    db.all(sql, [task], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedGuest { user: cells.next()?, name: cells.next()?, completed_at: cells.next()? })
    })
}

/// Returns the latest completion time, or `None` if any guest has not done the task.
pub fn completed_at(guests: &[LinkedGuest]) -> Option<i64> {
    let all: Option<Vec<i64>> = guests.iter().map(|guest| guest.completed_at).collect();
    all?.into_iter().max()
}

/// Flags of a task, its customer, and the numbers of its lawsuit.
#[derive(Clone, Debug)]
pub struct TaskContext {
    pub important: bool,
    pub urgent: bool,
    pub customer: Option<CustomerId>,
    pub lawsuit: Option<LawsuitId>,
    pub process_number: Option<String>,
    pub protocol_number: Option<String>,
}

impl TaskContext {
    /// Returns the customers of the lawsuit or, without one, that of the task.
    pub fn customers(&self, db: Db<'_>) -> Result<Vec<LinkedCustomer>, Error> {
        match (self.lawsuit, self.customer) {
            (Some(lawsuit), _) => lawsuits::customers(db, lawsuit.get()),
            (None, Some(customer)) => lawsuits::customer(db, customer.get()),
            (None, None) => Ok(Vec::new()),
        }
    }
}

/// Returns what stands beside a task, or `None` if the task does not exist.
pub fn beside(db: Db<'_>, task: u32) -> Result<Option<TaskContext>, Error> {
    let sql = "SELECT t.important, t.urgent, t.customer_id, s.id, s.process_number, s.protocol_number
         FROM tasks t LEFT JOIN lawsuits s ON s.id = t.lawsuit_id WHERE t.id = ?1";
    db.first(sql, [task], |row| {
        let mut cells = Cells::of(row);
        Ok(TaskContext {
            important: cells.next()?,
            urgent: cells.next()?,
            customer: cells.next()?,
            lawsuit: cells.next()?,
            process_number: cells.next()?,
            protocol_number: cells.next()?,
        })
    })
}

/// Finds the first pending task with the type, lawsuit, customer, start, deadline, guests, publication, text and place of
/// this one. A task with external ids matches no other task.
pub fn same_pending(db: Db<'_>, task: &Task) -> Result<Option<TaskId>, Error> {
    if !task.external_ids.is_empty() {
        return Ok(None);
    }
    macro_rules! same {
        ($of:literal) => {
            concat!(
                "SELECT id FROM tasks WHERE ",
                $of,
                " AND type_id = :type AND start_date = :day
                 AND coalesce(start_time, '00:00:00') = coalesce(:time, '00:00:00')
                 AND customer_id IS :customer AND publication_id IS :publication AND date_deadline IS :deadline
                 AND notes IS :notes AND local IS :local AND deleted_at IS NULL ORDER BY id"
            )
        };
    }
    // Each is looked up by its own index.
    let mut statement = db.conn().prepare_cached(match task.lawsuit_id {
        Some(_) => same!("lawsuit_id = :lawsuit"),
        None => same!("lawsuit_id IS NULL AND :lawsuit IS NULL"),
    })?;
    let matches = statement.query_map(
        named_params! {
            ":lawsuit": task.lawsuit_id,
            ":customer": task.customer_id,
            ":type": task.type_id,
            ":day": task.start_date.iso(),
            ":time": task.start_time.as_ref().map(|time| time.as_str()),
            ":publication": task.publication_id,
            ":deadline": task.date_deadline.map(|day| day.iso()),
            ":notes": task.notes.as_ref().map(|notes| notes.as_str()),
            ":local": task.local.as_ref().map(|local| local.as_str()),
        },
        |row| row.get::<_, TaskId>(0),
    )?;
    for id in matches {
        let id = id?;
        let guests = guests(db, id.get())?;
        let is_same =
            guests.len() == task.guests.len() && guests.iter().all(|guest| task.guests.contains(&guest.user));
        if is_same && completed_at(&guests).is_none() {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Marks a guest's part of a task as done. Returns `true` if it was not done before.
pub fn complete(tx: Tx<'_>, task: TaskId, user: UserId, at: i64) -> Result<bool, Error> {
    let sql = "INSERT INTO task_completions (task_id, user_id, completed_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    Ok(tx.changed(sql, (task, user, at))? > 0)
}

/// Reopens a guest's part of a task. Returns `true` if it was done before.
pub fn reopen(tx: Tx<'_>, task: TaskId, user: UserId) -> Result<bool, Error> {
    Ok(tx.changed("DELETE FROM task_completions WHERE task_id = ?1 AND user_id = ?2", (task, user))? > 0)
}

/// Removes the completions of users who are no longer guests of the task.
pub fn forget_former_guests(tx: Tx<'_>, task: TaskId) -> Result<(), Error> {
    tx.run(
        "DELETE FROM task_completions WHERE task_id = ?1
             AND user_id NOT IN (SELECT user_id FROM task_guests WHERE task_id = ?1)",
        [task],
    )
}

/// Marks a task as changed.
pub fn touch(tx: Tx<'_>, task: TaskId, now: i64) -> Result<(), Error> {
    tx.run("UPDATE tasks SET updated_at = ?1 WHERE id = ?2", (now, task))
}

/// Returns the SQL that leaves out of the tasks `t` those that the caller may not see (office 55).
pub(in crate::store) fn and_is_seen(db: Db<'_>) -> String {
    and_is_seen_sql(db.nouns(), Task::TABLE)
}

/// Returns the tasks that this user still has to do, of those that the caller may see.
pub fn open_of(db: Db<'_>, user: u32) -> Result<Vec<u32>, Error> {
    let open = "SELECT g.task_id FROM task_guests g JOIN tasks t ON t.id = g.task_id
         WHERE g.user_id = ?1 AND t.deleted_at IS NULL AND NOT EXISTS
             (SELECT 1 FROM task_completions c WHERE c.task_id = g.task_id AND c.user_id = g.user_id)";
    db.column(&[open, &and_is_seen(db)].concat(), [user])
}

/// Points that a user earned.
#[derive(Clone, Debug)]
pub struct Reward {
    pub user: UserId,
    pub name: String,
    pub reward: u64,
    pub tasks: u64,
}

/// Returns the points of each user who completed a task from `from` (inclusive) to `before` (exclusive), both in seconds
/// since 1970, for the tasks that the caller may see. Ordered by points, highest first, then by id.
pub fn rewards(db: Db<'_>, from: i64, before: i64) -> Result<Vec<Reward>, Error> {
    let completed = "SELECT u.id, u.name, sum(t.reward) AS points, count(*)
         FROM task_completions c JOIN tasks t ON t.id = c.task_id JOIN users u ON u.id = c.user_id
         WHERE c.completed_at >= ?1 AND c.completed_at < ?2 AND t.deleted_at IS NULL";
    let by_user = " GROUP BY u.id ORDER BY points DESC, u.id";
    db.all(&[completed, &and_is_seen(db), by_user].concat(), (from, before), |row| {
        let mut cells = Cells::of(row);
        Ok(Reward { user: cells.next()?, name: cells.next()?, reward: cells.next()?, tasks: cells.next()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_are_parsed_from_their_stored_text() {
        assert_eq!(guests_of("").count(), 0);
        assert_eq!(
            guests_of("2: 3:1795269000 4:-5").collect::<Vec<_>>(),
            [(2, None), (3, Some(1_795_269_000)), (4, Some(-5)),]
        );
    }
}
