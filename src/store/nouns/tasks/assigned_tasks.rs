//! Tasks that others assigned to a person since the person last looked (office 55), in the table `given_tasks`.

use super::and_is_seen;
use crate::records::{TaskId, UserId};
use crate::store::{Db, Error, Tx};

/// Notes that a task was assigned to this person. Does nothing for a person who never looked.
pub fn note(tx: Tx<'_>, task: TaskId, user: UserId) -> Result<(), Error> {
    let sql = "INSERT OR IGNORE INTO given_tasks (user_id, task_id) SELECT user_id, ?2 FROM task_readers WHERE user_id = ?1";
    tx.run(sql, (user, task))
}

/// SQL for the tasks noted for person `?1` that are still to be done by the person.
const ASSIGNED: &str = " FROM given_tasks n JOIN tasks t ON t.id = n.task_id AND t.deleted_at IS NULL
     JOIN task_guests g ON g.task_id = n.task_id AND g.user_id = n.user_id
     WHERE n.user_id = ?1 AND NOT EXISTS
         (SELECT 1 FROM task_completions c WHERE c.task_id = n.task_id AND c.user_id = n.user_id)";

/// Returns the tasks that were assigned to the person, of those that the caller may see, the newest first.
pub fn assigned(db: Db<'_>, user: u32) -> Result<Vec<u32>, Error> {
    let select = ["SELECT n.task_id", ASSIGNED, &and_is_seen(db), " ORDER BY n.task_id DESC"].concat();
    db.column(&select, [user])
}

/// Counts the tasks that [`assigned`] returns.
pub fn count(db: Db<'_>, user: u32) -> Result<u64, Error> {
    let select = ["SELECT count(*)", ASSIGNED, &and_is_seen(db)].concat();
    db.value(&select, [user])
}

/// Returns the tasks that are noted for the person. `None` for a person who never looked.
pub fn noted(db: Db<'_>, user: u32) -> Result<Option<Vec<u32>>, Error> {
    if !db.has_row("SELECT 1 FROM task_readers WHERE user_id = ?1", [user])? {
        return Ok(None);
    }
    Ok(Some(db.column("SELECT task_id FROM given_tasks WHERE user_id = ?1", [user])?))
}

/// Notes that the person has seen these tasks.
pub fn mark_seen(tx: Tx<'_>, user: u32, tasks: &[u32]) -> Result<(), Error> {
    tx.run("INSERT OR IGNORE INTO task_readers (user_id) VALUES (?1)", [user])?;
    let mut statement =
        tx.conn().prepare_cached("DELETE FROM given_tasks WHERE user_id = ?1 AND task_id = ?2")?;
    for task in tasks {
        statement.execute([user, *task])?;
    }
    Ok(())
}
