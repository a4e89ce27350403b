//! The open work of a person: counted, handed over to another person, and given back (office 56).

use super::assigned_tasks;
use crate::records::{Kind, Nouns, Record, Task, TaskId, UserId};
use crate::store::nouns::tasks;
use crate::store::records::replace_links;
use crate::store::{Db, Error, Tx};

/// The tasks and lawsuits that a person still has to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenWork {
    pub tasks: u64,
    pub lawsuits: u64,
}

impl OpenWork {
    pub fn is_empty(self) -> bool {
        self.total() == 0
    }

    pub fn total(self) -> u64 {
        self.tasks + self.lawsuits
    }

    /// Counts the open work of a user, of the kinds that the caller may see.
    pub fn of(db: Db<'_>, user: u32) -> Result<OpenWork, Error> {
        let sql = "SELECT count(*) FROM lawsuits WHERE user_id = ?1 AND deleted_at IS NULL AND status_closure IS NULL";
        let lawsuits = || db.value(sql, [user]);
        Ok(OpenWork {
            tasks: if db.nouns().has(Kind::Task) { tasks::open_of(db, user)?.len() as u64 } else { 0 },
            lawsuits: if db.nouns().has(Kind::Lawsuit) { lawsuits()? } else { 0 },
        })
    }
}

/// Gives a task of user `from` to user `to`, for whom it is new. If that one already has it, it is to do again.
pub fn task(tx: Tx<'_>, id: u32, from: u32, to: u32, now: i64) -> Result<(), Error> {
    tasks::touch(tx, TaskId::from_stored(id), now)?;
    let sql = "UPDATE OR IGNORE task_guests SET user_id = ?3 WHERE task_id = ?1 AND user_id = ?2";
    tx.run(sql, [id, from, to])?;
    let sql = "DELETE FROM task_guests WHERE task_id = ?1 AND user_id = ?2";
    tx.run(sql, [id, from])?;
    tasks::reopen(tx, TaskId::from_stored(id), UserId::from_stored(to))?;
    assigned_tasks::note(tx, TaskId::from_stored(id), UserId::from_stored(to))
}

/// Gives a task that user `to` has got these guests again. `done_at` is when `to` had completed the task, in seconds since
/// 1970.
pub fn task_back(
    tx: Tx<'_>,
    id: u32,
    guests: &[u32],
    (to, done_at): (u32, Option<i64>),
    now: i64,
) -> Result<(), Error> {
    if let Some(at) = done_at {
        tasks::complete(tx, TaskId::from_stored(id), UserId::from_stored(to), at)?;
    }
    tasks::touch(tx, TaskId::from_stored(id), now)?;
    replace_links(tx, Task::TABLE, "guests", id, guests)
}

/// Returns `true` if a user has completed a task.
pub fn is_done(db: Db<'_>, task: u32, user: u32) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM task_completions WHERE task_id = ?1 AND user_id = ?2";
    db.has_row(sql, [task, user])
}

/// Gives a user whom a hand-over does not change an entry in the journal.
pub fn note_user(tx: Tx<'_>, user: u32) -> Result<(), Error> {
    tx.run("UPDATE users SET active = active WHERE id = ?1", [user])
}

/// Gives the open work of user `from`, of what a caller with these nouns may see, to user `to`. `now` is in seconds since
/// 1970. Returns how much it was.
pub fn all(tx: Tx<'_>, nouns: Nouns, from: u32, to: u32, now: i64) -> Result<OpenWork, Error> {
    let seen = tx.seen_by(nouns);
    let open = OpenWork::of(seen, from)?;
    // In the journal, the entry of the one who gets the work follows that of the one who leaves, as in a merge.
    note_user(tx, to)?;
    if nouns.has(Kind::Task) {
        tasks::open_of(seen, from)?.into_iter().try_for_each(|id| task(tx, id, from, to, now))?;
    }
    if nouns.has(Kind::Lawsuit) {
        lawsuits(tx, from, to, now)?;
    }
    Ok(open)
}

fn lawsuits(tx: Tx<'_>, from: u32, to: u32, now: i64) -> Result<(), Error> {
    let sql = "UPDATE lawsuits SET user_id = ?2, updated_at = ?3
         WHERE user_id = ?1 AND deleted_at IS NULL AND status_closure IS NULL";
    tx.run(sql, (from, to, now))
}

/// Gives a lawsuit of user `from` to user `to`.
pub fn lawsuit(tx: Tx<'_>, id: u32, from: u32, to: u32, now: i64) -> Result<(), Error> {
    let sql = "UPDATE lawsuits SET user_id = ?3, updated_at = ?4 WHERE id = ?1 AND user_id = ?2";
    tx.run(sql, (id, from, to, now))
}
