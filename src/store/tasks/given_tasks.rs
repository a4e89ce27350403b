//! Tasks that others gave to a person since the person last looked (office 55).

use super::are_all_seen;
use crate::records::{TaskId, UserId};
use crate::store::{Db, Error, Tx};

/// Notes that a task was given to this person. Does nothing for a person who never looked.
pub fn note(tx: Tx<'_>, task: TaskId, user: UserId) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT OR IGNORE INTO given_tasks (user_id, task_id) SELECT user_id, ?2 FROM task_readers WHERE user_id = ?1",
    )?;
    statement.execute((user, task))?;
    Ok(())
}

/// SQL for the tasks noted for person `?1` that are still to be done by the person. `?2` is `true` if the caller sees all.
macro_rules! given {
    () => {
        " FROM given_tasks n JOIN tasks t ON t.id = n.task_id AND t.deleted_at IS NULL
          JOIN task_guests g ON g.task_id = n.task_id AND g.user_id = n.user_id
          WHERE n.user_id = ?1 AND (?2 OR t.customer_id IS NULL) AND NOT EXISTS
              (SELECT 1 FROM task_completions c WHERE c.task_id = n.task_id AND c.user_id = n.user_id)"
    };
}

/// Returns the newest tasks that were given to the person, at most `limit`.
pub fn newest(db: Db<'_>, user: u32, limit: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(concat!(
        "SELECT n.task_id",
        given!(),
        " ORDER BY n.task_id DESC LIMIT ?3"
    ))?;
    let ids = statement.query_map((user, are_all_seen(db), limit), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

pub fn count(db: Db<'_>, user: u32) -> Result<u64, Error> {
    let mut statement = db.conn().prepare_cached(concat!("SELECT count(*)", given!()))?;
    Ok(statement.query_row((user, are_all_seen(db)), |row| row.get(0))?)
}

/// Returns the tasks that are noted for the person. `None` for a person who never looked.
pub fn noted(db: Db<'_>, user: u32) -> Result<Option<Vec<u32>>, Error> {
    if !db.conn().prepare_cached("SELECT 1 FROM task_readers WHERE user_id = ?1")?.exists([user])? {
        return Ok(None);
    }
    let mut statement = db.conn().prepare_cached("SELECT task_id FROM given_tasks WHERE user_id = ?1")?;
    let ids = statement.query_map([user], |row| row.get(0))?;
    Ok(Some(ids.collect::<Result<_, _>>()?))
}

/// Notes that the person looked at these tasks.
pub fn look(tx: Tx<'_>, user: u32, tasks: &[u32]) -> Result<(), Error> {
    tx.conn().prepare_cached("INSERT OR IGNORE INTO task_readers (user_id) VALUES (?1)")?.execute([user])?;
    let mut statement =
        tx.conn().prepare_cached("DELETE FROM given_tasks WHERE user_id = ?1 AND task_id = ?2")?;
    for task in tasks {
        statement.execute([user, *task])?;
    }
    Ok(())
}
