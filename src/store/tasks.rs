//! Tasks: what is asked of them alone (resources 12 and 13).

use rusqlite::{OptionalExtension, named_params};

use super::columns::Cells;
use super::{Db, Error, Tx};
use crate::records::{LawsuitId, Task, TaskId, UserId};

/// The guests of a task and when each has done it, as one text of `user:moment` with a space between; the moment is empty
/// where they have not. Of the row of `tasks` that a statement reads.
pub(super) const GUESTS: &str =
    "(SELECT group_concat(g.user_id || ':' || coalesce(c.completed_at, ''), ' ') FROM task_guests g
    LEFT JOIN task_completions c ON c.task_id = g.task_id AND c.user_id = g.user_id WHERE g.task_id = t.id)";

/// Reads `GUESTS`: each user, and the moment in seconds since 1970.
pub fn guests_of(text: &str) -> impl Iterator<Item = (u32, Option<i64>)> {
    let guests = text.split(' ').filter_map(|guest| guest.split_once(':'));
    guests.filter_map(|(user, moment)| Some((user.parse().ok()?, moment.parse().ok())))
}

/// A guest of a task.
#[derive(Clone, Debug)]
pub struct LinkedGuest {
    /// Who it is.
    pub user: UserId,
    /// That user's name.
    pub name: String,
    /// When they have done it, in seconds since 1970.
    pub completed_at: Option<i64>,
}

/// The guests of a task, in the order given.
///
/// # Errors
/// Why the store cannot be read.
pub fn guests(db: Db<'_>, task: u32) -> Result<Vec<LinkedGuest>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT g.user_id, u.name, c.completed_at
         FROM task_guests g
             JOIN users u ON u.id = g.user_id
             LEFT JOIN task_completions c ON c.task_id = g.task_id AND c.user_id = g.user_id
         WHERE g.task_id = ?1 ORDER BY g.position",
    )?;
    let guests = statement.query_map([task], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedGuest { user: cells.next()?, name: cells.next()?, completed_at: cells.next()? })
    })?;
    Ok(guests.collect::<Result<_, _>>()?)
}

/// When the last of these guests has done it; none where somebody has not.
pub fn completed_at(guests: &[LinkedGuest]) -> Option<i64> {
    let all: Option<Vec<i64>> = guests.iter().map(|guest| guest.completed_at).collect();
    all?.into_iter().max()
}

/// What a task shows beside its own row: how it is marked, and its lawsuit.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Whether it is important.
    pub important: bool,
    /// Whether it is urgent.
    pub urgent: bool,
    /// Its lawsuit.
    pub lawsuit: LawsuitId,
    /// The lawsuit's number at the court.
    pub process_number: Option<String>,
    /// The lawsuit's protocol number.
    pub protocol_number: Option<String>,
}

/// What a task shows beside its own row; none where there is no such task.
///
/// # Errors
/// Why the store cannot be read.
pub fn beside(db: Db<'_>, task: u32) -> Result<Option<Beside>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT t.important, t.urgent, s.id, s.process_number, s.protocol_number
         FROM tasks t JOIN lawsuits s ON s.id = t.lawsuit_id WHERE t.id = ?1",
    )?;
    let found = statement.query_row([task], |row| {
        let mut cells = Cells::of(row);
        Ok(Beside {
            important: cells.next()?,
            urgent: cells.next()?,
            lawsuit: cells.next()?,
            process_number: cells.next()?,
            protocol_number: cells.next()?,
        })
    });
    Ok(found.optional()?)
}

/// Finds the first pending task of the same type, lawsuit, start, guests and publication. A task with external ids, which no
/// other task has, is the same as none.
///
/// # Errors
/// Why the store cannot be read.
pub fn same_pending(db: Db<'_>, task: &Task) -> Result<Option<TaskId>, Error> {
    if !task.external_ids.is_empty() {
        return Ok(None);
    }
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM tasks WHERE lawsuit_id = :lawsuit AND type_id = :type AND start_date = :day
             AND coalesce(start_time, '00:00:00') = coalesce(:time, '00:00:00')
             AND publication_id IS :publication AND deleted_at IS NULL ORDER BY id",
    )?;
    let alike = statement.query_map(
        named_params! {
            ":lawsuit": task.lawsuit_id,
            ":type": task.type_id,
            ":day": task.start_date.iso(),
            ":time": task.start_time.as_ref().map(|time| time.as_str()),
            ":publication": task.publication_id,
        },
        |row| row.get::<_, TaskId>(0),
    )?;
    for id in alike {
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

/// Has a guest have done it at that moment, unless they have already. Whether anything changed.
///
/// # Errors
/// Why the store cannot be written.
pub fn complete(tx: Tx<'_>, task: TaskId, user: UserId, at: i64) -> Result<bool, Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO task_completions (task_id, user_id, completed_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )?;
    Ok(statement.execute((task, user, at))? > 0)
}

/// Has a guest not have done it. Whether anything changed.
///
/// # Errors
/// Why the store cannot be written.
pub fn reopen(tx: Tx<'_>, task: TaskId, user: UserId) -> Result<bool, Error> {
    let mut statement =
        tx.conn().prepare_cached("DELETE FROM task_completions WHERE task_id = ?1 AND user_id = ?2")?;
    Ok(statement.execute((task, user))? > 0)
}

/// Forgets when those have done it who are no guests of the task any more.
///
/// # Errors
/// Why the store cannot be written.
pub fn forget_former_guests(tx: Tx<'_>, task: TaskId) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "DELETE FROM task_completions WHERE task_id = ?1
             AND user_id NOT IN (SELECT user_id FROM task_guests WHERE task_id = ?1)",
    )?;
    statement.execute([task])?;
    Ok(())
}

/// Marks a task as changed.
///
/// # Errors
/// Why the store cannot be written.
pub fn touch(tx: Tx<'_>, task: TaskId, now: i64) -> Result<(), Error> {
    tx.conn().prepare_cached("UPDATE tasks SET updated_at = ?1 WHERE id = ?2")?.execute((now, task))?;
    Ok(())
}

/// How many tasks still wait for that user.
///
/// # Errors
/// Why the store cannot be read.
pub fn open_of(db: Db<'_>, user: u32) -> Result<u64, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT count(*) FROM task_guests g JOIN tasks t ON t.id = g.task_id
         WHERE g.user_id = ?1 AND t.deleted_at IS NULL AND NOT EXISTS
             (SELECT 1 FROM task_completions c WHERE c.task_id = g.task_id AND c.user_id = g.user_id)",
    )?;
    Ok(statement.query_row([user], |row| row.get(0))?)
}

/// What a user earned.
#[derive(Clone, Debug)]
pub struct Reward {
    /// Who.
    pub user: UserId,
    /// That user's name.
    pub name: String,
    /// The points.
    pub reward: u64,
    /// How many tasks.
    pub tasks: u64,
}

/// What each user earned who has done a task from the first moment up to the second: most points first, then by id. Moments
/// are seconds since 1970.
///
/// # Errors
/// Why the store cannot be read.
pub fn rewards(db: Db<'_>, from: i64, before: i64) -> Result<Vec<Reward>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT u.id, u.name, sum(t.reward) AS points, count(*)
         FROM task_completions c JOIN tasks t ON t.id = c.task_id JOIN users u ON u.id = c.user_id
         WHERE c.completed_at >= ?1 AND c.completed_at < ?2 AND t.deleted_at IS NULL
         GROUP BY u.id ORDER BY points DESC, u.id",
    )?;
    let earned = statement.query_map((from, before), |row| {
        let mut cells = Cells::of(row);
        Ok(Reward { user: cells.next()?, name: cells.next()?, reward: cells.next()?, tasks: cells.next()? })
    })?;
    Ok(earned.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_are_read_from_their_text() {
        assert_eq!(guests_of("").count(), 0);
        assert_eq!(
            guests_of("2: 3:1795269000 4:-5").collect::<Vec<_>>(),
            [(2, None), (3, Some(1_795_269_000)), (4, Some(-5)),]
        );
    }
}
