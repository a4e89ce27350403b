//! The move from another server of the contract (product 6): how far it is, what came, and what is here otherwise.
//!
//! Whoever moves writes all of it in the transactions of the records that it is about, so that a move that was interrupted
//! goes on where it was.

mod missing;

use rusqlite::{OptionalExtension, Row, named_params};

pub use super::ids::{next_id, reserve};
use super::records::value;
use super::{Db, Error, Tx};
use crate::domain::ExternalId;
use crate::records::{List, Table, Value};

pub use missing::{failed, forget_failed, forget_noted, is_listed_now, is_noted, link_came, links_that_came};

/// A move that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMove {
    /// The base address of the other server.
    pub source: String,
    /// When it was begun, in seconds since 1970.
    pub begun_at: i64,
    /// When everything had come.
    pub finished_at: Option<i64>,
    /// How far it is, as whoever moves writes it.
    pub state: String,
}

/// The move that was begun in this store, if there is one.
///
/// # Errors
/// Why the store cannot be read.
pub fn current(db: Db<'_>) -> Result<Option<StoredMove>, Error> {
    let mut statement = db.conn().prepare("SELECT source, begun_at, finished_at, state FROM moves")?;
    let stored = |row: &Row<'_>| {
        Ok(StoredMove {
            source: row.get(0)?,
            begun_at: row.get(1)?,
            finished_at: row.get(2)?,
            state: row.get(3)?,
        })
    };
    Ok(statement.query_row([], stored).optional()?)
}

/// Stores how far the move is.
///
/// # Errors
/// Why the store cannot be written.
pub fn store(tx: Tx<'_>, stored: &StoredMove) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT OR REPLACE INTO moves (one, source, begun_at, finished_at, state) VALUES (1, ?1, ?2, ?3, ?4)",
    )?;
    statement.execute((&stored.source, stored.begun_at, stored.finished_at, &stored.state))?;
    Ok(())
}

/// Empties the lists that a new store starts with.
///
/// # Errors
/// Why the store cannot be written.
pub fn empty_lists(tx: Tx<'_>) -> Result<(), Error> {
    // Of this transaction alone: the lists point to each other.
    tx.conn().pragma_update(None, "defer_foreign_keys", true)?;
    for list in List::ALL {
        tx.conn().execute(&["DELETE FROM ", list.table().name].concat(), [])?;
    }
    Ok(())
}

/// Notes that what has that key there has that id here, and was seen in that round.
///
/// # Errors
/// Why the store cannot be written.
pub fn came(tx: Tx<'_>, table: &Table, key: &str, id: u32, round: u32) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO moved (resource, key, id, round) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET round = ?4 WHERE round <> ?4",
    )?;
    statement.execute((table.name, key, id, round))?;
    Ok(())
}

/// The id here of what has that key there, where it came.
///
/// # Errors
/// Why the store cannot be read.
pub fn here(db: Db<'_>, table: &Table, key: &str) -> Result<Option<u32>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT id FROM moved WHERE resource = ?1 AND key = ?2")?;
    Ok(statement.query_row((table.name, key), |row| row.get(0)).optional()?)
}

/// The round in which the record of that id there was last seen, if it came.
///
/// # Errors
/// Why the store cannot be read.
pub fn last_seen(db: Db<'_>, table: &Table, id: u32) -> Result<Option<u32>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT round FROM moved WHERE resource = ?1 AND key = ?2")?;
    Ok(statement.query_row((table.name, id.to_string()), |row| row.get(0)).optional()?)
}

/// How many records of that table came, and how many of them were seen in that round.
///
/// # Errors
/// Why the store cannot be read.
pub fn count(db: Db<'_>, table: &Table, round: u32) -> Result<(u64, u64), Error> {
    let sql = "SELECT count(*), coalesce(sum(round = ?2), 0) FROM moved WHERE resource = ?1";
    let mut statement = db.conn().prepare_cached(sql)?;
    Ok(statement.query_row((table.name, round), |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// How many records of that table that came are here, deleted ones included.
///
/// # Errors
/// Why the store cannot be read.
pub fn count_here(db: Db<'_>, table: &Table) -> Result<u64, Error> {
    let sql = ["SELECT count(*) FROM moved m JOIN ", table.name, " t ON t.id = m.id WHERE m.resource = ?1"];
    Ok(db.conn().prepare_cached(&sql.concat())?.query_row([table.name], |row| row.get(0))?)
}

/// The ids of the records of that table that came, below `before`, the highest first and `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn below(db: Db<'_>, table: &Table, before: u32, limit: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db
        .conn()
        .prepare_cached("SELECT id FROM moved WHERE resource = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3")?;
    let ids = statement.query_map((table.name, before, limit), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// How many of them there are.
///
/// # Errors
/// Why the store cannot be read.
pub fn count_below(db: Db<'_>, table: &Table, before: u32) -> Result<u64, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT count(*) FROM moved WHERE resource = ?1 AND id < ?2")?;
    Ok(statement.query_row((table.name, before), |row| row.get(0))?)
}

/// Has a record refer to another one, where it refers to none.
///
/// # Errors
/// Why the store cannot be written.
pub fn fill(tx: Tx<'_>, table: &Table, column: &'static str, id: u32, other: u32) -> Result<(), Error> {
    let sql =
        ["UPDATE ", table.name, " SET ", column, " = ?2 WHERE id = ?1 AND ", column, " IS NULL"].concat();
    tx.conn().prepare_cached(&sql)?.execute([id, other])?;
    Ok(())
}

/// Whether a lawsuit has a movement of that day and text, deleted ones included.
///
/// # Errors
/// Why the store cannot be read.
pub fn has_movement(db: Db<'_>, lawsuit: u32, day: &str, text: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM movements WHERE lawsuit_id = ?1 AND date = ?2 AND title = ?3";
    Ok(db.conn().prepare_cached(sql)?.exists((lawsuit, day, text))?)
}

/// A task, as the history of its lawsuit tells of it.
#[derive(Clone, Copy, Debug)]
pub struct WrittenTask<'t> {
    /// Its lawsuit.
    pub lawsuit: u32,
    /// Its type.
    pub kind: u32,
    /// The day on which it is to be done, if the history tells one.
    pub day: Option<&'t str>,
    /// The time of day.
    pub time: Option<&'t str>,
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// How many equal ones came before it.
    pub number: u32,
}

/// The task that this is, where it has that author.
///
/// # Errors
/// Why the store cannot be read.
pub fn task_of(db: Db<'_>, task: &WrittenTask<'_>, author: u32) -> Result<Option<u32>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, author_id FROM tasks WHERE lawsuit_id = ?1 AND type_id = ?2
         AND (?3 IS NULL OR start_date = ?3 AND start_time IS ?4) AND created_at = ?5 ORDER BY id DESC LIMIT 1 OFFSET ?6",
    )?;
    let WrittenTask { lawsuit, kind, day, time, created_at, number } = *task;
    let found = statement
        .query_row((lawsuit, kind, day, time, created_at, number), |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?))
        })
        .optional()?;
    Ok(found.filter(|(_, own)| *own == author).map(|(id, _)| id))
}

/// Sets who wrote a task.
///
/// # Errors
/// Why the store cannot be written.
pub fn set_author(tx: Tx<'_>, task: u32, author: u32) -> Result<(), Error> {
    tx.conn().prepare_cached("UPDATE tasks SET author_id = ?2 WHERE id = ?1")?.execute([task, author])?;
    Ok(())
}

/// Whether a record has that id, deleted ones included.
///
/// # Errors
/// Why the store cannot be read.
pub fn exists(db: Db<'_>, table: &Table, id: u32) -> Result<bool, Error> {
    let sql = ["SELECT 1 FROM ", table.name, " WHERE id = ?1"].concat();
    Ok(db.conn().prepare_cached(&sql)?.exists([id])?)
}

/// What a record has in a column, deleted ones included; nothing where it is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn value_of(db: Db<'_>, table: &Table, column: &'static str, id: u32) -> Result<Value<'static>, Error> {
    let sql = ["SELECT ", column, " FROM ", table.name, " WHERE id = ?1"].concat();
    let mut statement = db.conn().prepare_cached(&sql)?;
    let mut rows = statement.query([id])?;
    Ok(match rows.next()? {
        Some(row) => value(row, 0)?.into_owned(),
        None => Value::Null,
    })
}

/// The first two records that have that text in a column, deleted ones included.
///
/// # Errors
/// Why the store cannot be read.
pub fn having(db: Db<'_>, table: &Table, column: &'static str, text: &str) -> Result<Vec<u32>, Error> {
    let sql = ["SELECT id FROM ", table.name, " WHERE ", column, " = ?1 ORDER BY id LIMIT 2"].concat();
    let mut statement = db.conn().prepare_cached(&sql)?;
    let ids = statement.query_map([text], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The other record of that table that has a name in another system.
///
/// # Errors
/// Why the store cannot be read.
pub fn other_holder(db: Db<'_>, table: &Table, name: &ExternalId, own: u32) -> Result<Option<u32>, Error> {
    Ok(super::external_ids::holder(db, table, name)?.filter(|id| *id != own))
}

/// What is here otherwise than there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveNoteKind {
    /// A value that no rule here takes: it is in the record's notes.
    Value,
    /// A record that stayed there.
    Record,
    /// An entry of a list that only records name there: it was made, inactive.
    Entry,
}

impl MoveNoteKind {
    const ALL: [MoveNoteKind; 3] = [MoveNoteKind::Value, MoveNoteKind::Record, MoveNoteKind::Entry];
}

/// One thing that is here otherwise than there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNote {
    /// What.
    pub kind: MoveNoteKind,
    /// The table.
    pub resource: String,
    /// The id there; 0 where it has none.
    pub id: u32,
    /// What answers call the member.
    pub member: String,
    /// What the other server says.
    pub said: String,
    /// Why it is not so here.
    pub why: String,
}

/// Adds one. A record that stays has one, and so has a path that fails, however often it was asked for.
///
/// # Errors
/// Why the store cannot be written.
pub fn note(tx: Tx<'_>, note: &MoveNote) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO move_notes (kind, resource, id, member, said, why)
         SELECT :kind, :resource, :id, :member, :said, :why
         WHERE :kind <> 2 OR NOT EXISTS (
            SELECT 1 FROM move_notes WHERE kind = 2 AND resource = :resource AND id = :id
            AND (id <> 0 OR member = :member AND said = :said))",
    )?;
    let kind = note.kind as u8 + 1;
    statement.execute(named_params! {
        ":kind": kind, ":resource": note.resource, ":id": note.id, ":member": note.member,
        ":said": note.said, ":why": note.why,
    })?;
    Ok(())
}

/// Forgets that the record of that id stayed there; without an id, all of the table that will be met again.
///
/// # Errors
/// Why the store cannot be written.
pub fn forget_stayed(tx: Tx<'_>, table: &Table, id: Option<u32>) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "DELETE FROM move_notes WHERE kind = 2 AND resource = ?1
         AND CASE WHEN ?2 IS NULL THEN member NOT GLOB '/*' ELSE id = ?2 END",
    )?;
    statement.execute((table.name, id))?;
    Ok(())
}

/// How many there are of each kind, resource, member and reason.
pub type MoveNoteCounts = Vec<(MoveNoteKind, String, String, String, u64)>;

/// Counts what is here otherwise.
///
/// # Errors
/// Why the store cannot be read.
pub fn note_counts(db: Db<'_>) -> Result<MoveNoteCounts, Error> {
    let mut statement = db.conn().prepare(
        "SELECT kind, resource, member, why, count(*) FROM move_notes
         GROUP BY kind, resource, member, why ORDER BY kind, resource, member, why",
    )?;
    let counts = statement
        .query_map([], |row| Ok((kind(row, 0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    Ok(counts.collect::<Result<_, _>>()?)
}

/// Returns all notes in the order in which they came.
///
/// # Errors
/// Why the store cannot be read.
pub fn notes(db: Db<'_>) -> Result<Vec<MoveNote>, Error> {
    let mut statement =
        db.conn().prepare("SELECT kind, resource, id, member, said, why FROM move_notes ORDER BY seq")?;
    let notes = statement.query_map([], stored_note)?;
    Ok(notes.collect::<Result<_, _>>()?)
}

fn stored_note(row: &Row<'_>) -> rusqlite::Result<MoveNote> {
    Ok(MoveNote {
        kind: kind(row, 0)?,
        resource: row.get(1)?,
        id: row.get(2)?,
        member: row.get(3)?,
        said: row.get(4)?,
        why: row.get(5)?,
    })
}

fn kind(row: &Row<'_>, at: usize) -> rusqlite::Result<MoveNoteKind> {
    let code: u8 = row.get(at)?;
    let kind = MoveNoteKind::ALL.get(usize::from(code).wrapping_sub(1));
    kind.copied().ok_or(rusqlite::Error::IntegralValueOutOfRange(at, code.into()))
}
