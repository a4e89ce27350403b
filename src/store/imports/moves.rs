//! State of a move from another server that implements the contract (product 6): its progress, the records that
//! arrived, and the differences from the source.
//!
//! The state is written in the transactions of the records that it describes, so an interrupted move resumes
//! where it stopped.

mod missing;

use rusqlite::{OptionalExtension, Row, named_params};

use crate::domain::{ExternalId, Lang};
use crate::records::{List, Table, Value};
pub use crate::store::records::ids::{next_id, reserve};
use crate::store::records::{external_ids, value};
use crate::store::{Db, Error, Tx};

pub use missing::{
    activate_if_noted, failed, forget_failed, forget_noted, is_noted, link_came, links_that_came,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMove {
    /// Base URL of the other server.
    pub source: String,
    /// Seconds since 1970.
    pub begun_at: i64,
    /// Time when all records had arrived, in seconds since 1970.
    pub finished_at: Option<i64>,
    /// Progress, in the format of the moving code.
    pub state: String,
}

/// Returns the move of this store, if one was started.
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

pub fn store(tx: Tx<'_>, stored: &StoredMove) -> Result<(), Error> {
    let sql =
        "INSERT OR REPLACE INTO moves (one, source, begun_at, finished_at, state) VALUES (1, ?1, ?2, ?3, ?4)";
    tx.run(sql, (&stored.source, stored.begun_at, stored.finished_at, &stored.state))
}

/// Empties the lists that a new store starts with.
pub fn empty_lists(tx: Tx<'_>) -> Result<(), Error> {
    // Applies to this transaction only. Lists refer to each other.
    tx.conn().pragma_update(None, "defer_foreign_keys", true)?;
    for list in List::ALL {
        tx.conn().execute(&["DELETE FROM ", list.table().name].concat(), [])?;
    }
    Ok(())
}

/// Records that the item with this key at the source has this id here, and was seen in this round.
pub fn note_moved(tx: Tx<'_>, table: &Table, key: &str, id: u32, round: u32) -> Result<(), Error> {
    tx.run(
        "INSERT INTO moved (resource, key, id, round) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET round = ?4 WHERE round <> ?4",
        (table.name, key, id, round),
    )
}

/// Returns the id here of the item with this key at the source, if it arrived.
pub fn here(db: Db<'_>, table: &Table, key: &str) -> Result<Option<u32>, Error> {
    db.first_value("SELECT id FROM moved WHERE resource = ?1 AND key = ?2", (table.name, key))
}

/// Returns the round in which the record with this id at the source was last seen, if it arrived.
pub fn last_seen(db: Db<'_>, table: &Table, id: u32) -> Result<Option<u32>, Error> {
    db.first_value("SELECT round FROM moved WHERE resource = ?1 AND key = ?2", (table.name, id.to_string()))
}

/// Returns how many records of a table arrived, and how many of them were seen in this round.
pub fn count(db: Db<'_>, table: &Table, round: u32) -> Result<(u64, u64), Error> {
    let sql = "SELECT count(*), coalesce(sum(round = ?2), 0) FROM moved WHERE resource = ?1";
    let mut statement = db.conn().prepare_cached(sql)?;
    Ok(statement.query_row((table.name, round), |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Returns how many records of a table arrived and still exist here, deleted ones included.
pub fn count_here(db: Db<'_>, table: &Table) -> Result<u64, Error> {
    let sql = ["SELECT count(*) FROM moved m JOIN ", table.name, " t ON t.id = m.id WHERE m.resource = ?1"];
    db.value(&sql.concat(), [table.name])
}

/// Returns the ids below `before` of the records of a table that arrived, highest first, at most `limit`.
pub fn below(db: Db<'_>, table: &Table, before: u32, limit: u32) -> Result<Vec<u32>, Error> {
    db.column(
        "SELECT id FROM moved WHERE resource = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
        (table.name, before, limit),
    )
}

/// Returns how many records of a table arrived with ids below `before`.
pub fn count_below(db: Db<'_>, table: &Table, before: u32) -> Result<u64, Error> {
    db.value("SELECT count(*) FROM moved WHERE resource = ?1 AND id < ?2", (table.name, before))
}

/// Sets a reference of a record if it is empty.
pub fn fill(tx: Tx<'_>, table: &Table, column: &'static str, id: u32, other: u32) -> Result<(), Error> {
    let sql =
        ["UPDATE ", table.name, " SET ", column, " = ?2 WHERE id = ?1 AND ", column, " IS NULL"].concat();
    tx.run(&sql, [id, other])
}

/// Returns `true` if the lawsuit has a movement with this day and text, deleted ones included.
pub fn has_movement(db: Db<'_>, lawsuit: u32, day: &str, text: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM movements WHERE lawsuit_id = ?1 AND date = ?2 AND title = ?3";
    db.has_row(sql, (lawsuit, day, text))
}

/// A task as described in the history of its lawsuit at the source.
#[derive(Clone, Copy, Debug)]
pub struct WrittenTask<'t> {
    pub lawsuit: u32,
    /// Id of the task type.
    pub kind: u32,
    /// Day of the task, if the history contains one.
    pub day: Option<&'t str>,
    pub time: Option<&'t str>,
    /// Creation time, in seconds since 1970.
    pub created_at: i64,
    /// Number of equal tasks before this one.
    pub number: u32,
}

/// Finds the task that matches the description. Returns `None` if its author is not `author`.
pub fn task_of(db: Db<'_>, task: &WrittenTask<'_>, author: u32) -> Result<Option<u32>, Error> {
    let sql = "SELECT id, author_id FROM tasks WHERE lawsuit_id = ?1 AND type_id = ?2
         AND (?3 IS NULL OR start_date = ?3 AND start_time IS ?4) AND created_at = ?5 ORDER BY id DESC LIMIT 1 OFFSET ?6";
    let WrittenTask { lawsuit, kind, day, time, created_at, number } = *task;
    let found = db.first(sql, (lawsuit, kind, day, time, created_at, number), |row| {
        Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?))
    })?;
    Ok(found.filter(|(_, own)| *own == author).map(|(id, _)| id))
}

pub fn set_author(tx: Tx<'_>, task: u32, author: u32) -> Result<(), Error> {
    tx.run("UPDATE tasks SET author_id = ?2 WHERE id = ?1", [task, author])
}

/// Returns `true` if a record has this id, deleted ones included.
pub fn exists(db: Db<'_>, table: &Table, id: u32) -> Result<bool, Error> {
    let sql = ["SELECT 1 FROM ", table.name, " WHERE id = ?1"].concat();
    db.has_row(&sql, [id])
}

/// Returns the value of a column of a record, deleted ones included, or `Null` if the record does not exist.
pub fn value_of(db: Db<'_>, table: &Table, column: &'static str, id: u32) -> Result<Value<'static>, Error> {
    let sql = ["SELECT ", column, " FROM ", table.name, " WHERE id = ?1"].concat();
    let mut statement = db.conn().prepare_cached(&sql)?;
    let mut rows = statement.query([id])?;
    Ok(match rows.next()? {
        Some(row) => value(row, 0)?.into_owned(),
        None => Value::Null,
    })
}

/// Returns the first two records with this text in a column, deleted ones included.
pub fn having(db: Db<'_>, table: &Table, column: &'static str, text: &str) -> Result<Vec<u32>, Error> {
    let sql = ["SELECT id FROM ", table.name, " WHERE ", column, " = ?1 ORDER BY id LIMIT 2"].concat();
    db.column(&sql, [text])
}

/// Finds another record of the table with this external id.
pub fn other_holder(db: Db<'_>, table: &Table, name: &ExternalId, own: u32) -> Result<Option<u32>, Error> {
    Ok(external_ids::holder(db, table, name)?.filter(|id| *id != own))
}

/// The kinds of differences from the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveNoteKind {
    /// A value that violates a rule here. It was added to the notes of the record.
    Value,
    /// A record that was not moved, or a request that failed.
    Record,
    /// An entry that records name but no list of the source contains. It was created as inactive.
    Entry,
}

impl MoveNoteKind {
    const ALL: [MoveNoteKind; 3] = [MoveNoteKind::Value, MoveNoteKind::Record, MoveNoteKind::Entry];
}

/// A difference from the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNote {
    pub kind: MoveNoteKind,
    /// Name of the table.
    pub resource: String,
    /// Id at the source; 0 if it has none.
    pub id: u32,
    /// Name of the member in the API, or the path of a failed request.
    pub member: String,
    /// Value at the source.
    pub said: String,
    pub why: MoveReason,
}

/// The reason for a difference, in both languages: the store keeps it for readers who are not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReason {
    pt: String,
    en: String,
}

impl MoveReason {
    /// Separates the languages in the store.
    const SEPARATOR: char = '\u{1f}';

    /// Takes the reason in each language from `text`.
    pub fn new<T: Into<String>>(text: impl Fn(Lang) -> T) -> MoveReason {
        MoveReason { pt: text(Lang::Pt).into(), en: text(Lang::En).into() }
    }

    pub fn text(&self, lang: Lang) -> &str {
        lang.pick(&self.pt, &self.en)
    }

    fn stored(&self) -> String {
        format!("{}{}{}", self.pt, MoveReason::SEPARATOR, self.en)
    }

    fn from_stored(stored: &str) -> MoveReason {
        let (pt, en) = stored.split_once(MoveReason::SEPARATOR).unwrap_or((stored, stored));
        MoveReason { pt: pt.to_owned(), en: en.to_owned() }
    }
}

impl MoveNote {
    pub fn new(
        kind: MoveNoteKind,
        table: &Table,
        id: u32,
        member: &str,
        said: String,
        why: MoveReason,
    ) -> MoveNote {
        let resource = table.name.to_owned();
        let member = member.to_owned();
        MoveNote { kind, resource, id, member, said, why }
    }
}

/// Adds a note. A record that was not moved gets only one, and so does a path that fails repeatedly.
pub fn note(tx: Tx<'_>, note: &MoveNote) -> Result<(), Error> {
    let sql = "INSERT INTO move_notes (kind, resource, id, member, said, why)
         SELECT :kind, :resource, :id, :member, :said, :why
         WHERE :kind <> 2 OR NOT EXISTS (
            SELECT 1 FROM move_notes WHERE kind = 2 AND resource = :resource AND id = :id
            AND (id <> 0 OR member = :member AND said = :said))";
    let kind = note.kind as u8 + 1;
    let given = named_params! {
        ":kind": kind, ":resource": note.resource, ":id": note.id, ":member": note.member,
        ":said": note.said, ":why": note.why.stored(),
    };
    tx.run(sql, given)
}

/// Removes the note of a record that was not moved. Without an id, removes all such notes of the table except
/// those of failed paths, because the next round meets these records again.
pub fn forget_stayed(tx: Tx<'_>, table: &Table, id: Option<u32>) -> Result<(), Error> {
    tx.run(
        "DELETE FROM move_notes WHERE kind = 2 AND resource = ?1
         AND CASE WHEN ?2 IS NULL THEN member NOT GLOB '/*' ELSE id = ?2 END",
        (table.name, id),
    )
}

/// Number of notes by kind, resource, member and reason.
pub type MoveNoteCounts = Vec<(MoveNoteKind, String, String, MoveReason, u64)>;

pub fn note_counts(db: Db<'_>) -> Result<MoveNoteCounts, Error> {
    let mut statement = db.conn().prepare(
        "SELECT kind, resource, member, why, count(*) FROM move_notes
         GROUP BY kind, resource, member, why ORDER BY kind, resource, member, why",
    )?;
    let counts = statement
        .query_map([], |row| Ok((kind(row, 0)?, row.get(1)?, row.get(2)?, reason(row, 3)?, row.get(4)?)))?;
    Ok(counts.collect::<Result<_, _>>()?)
}

/// Returns all notes in the order in which they were added.
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
        why: reason(row, 5)?,
    })
}

fn reason(row: &Row<'_>, at: usize) -> rusqlite::Result<MoveReason> {
    Ok(MoveReason::from_stored(row.get_ref(at)?.as_str()?))
}

fn kind(row: &Row<'_>, at: usize) -> rusqlite::Result<MoveNoteKind> {
    let code: u8 = row.get(at)?;
    let kind = MoveNoteKind::ALL.get(usize::from(code).wrapping_sub(1));
    kind.copied().ok_or(rusqlite::Error::IntegralValueOutOfRange(at, code.into()))
}
