//! Imports: what was read and when, where the journal tells of it, and what people said that columns are (product 6).

use rusqlite::{OptionalExtension, Row, named_params};

use super::journal::{self, JournalEntry};
use super::{Db, Error, Tx};
use crate::records::Table;

/// An import that was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredImport {
    /// Its number.
    pub id: u32,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Whether it was a whole export.
    pub is_whole: bool,
    /// How many records it made.
    pub created: u64,
    /// How many it changed.
    pub updated: u64,
    /// When it was taken back, if it was, in seconds since 1970.
    pub undone_at: Option<i64>,
    /// The number of the newest change before it.
    since: u64,
}

/// An import that is being stored.
#[derive(Clone, Debug)]
pub struct NewImport {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Whether it is a whole export.
    pub is_whole: bool,
    /// How many records it made.
    pub created: u64,
    /// How many it changed.
    pub updated: u64,
}

/// What the journal has as the request of an import's entries.
pub fn request_id(id: u32) -> String {
    ["import-", &id.to_string()].concat()
}

/// Notes an import in its own transaction, whose entries the journal has not got yet; its number.
///
/// # Errors
/// Why the store cannot be written.
pub fn note(tx: Tx<'_>, import: &NewImport) -> Result<u32, Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO imports (at, files, is_whole, created, updated, since)
         VALUES (:at, :files, :is_whole, :created, :updated, :since) RETURNING id",
    )?;
    let given = named_params! {
        ":at": import.at, ":files": import.files.join("\n"), ":is_whole": import.is_whole,
        ":created": import.created, ":updated": import.updated, ":since": journal::latest(*tx)?,
    };
    Ok(statement.query_row(given, |row| row.get(0))?)
}

/// Notes that an import was taken back.
///
/// # Errors
/// Why the store cannot be written.
pub fn note_undone(tx: Tx<'_>, id: u32, at: i64) -> Result<(), Error> {
    tx.conn().prepare_cached("UPDATE imports SET undone_at = ?2 WHERE id = ?1")?.execute((id, at))?;
    Ok(())
}

fn import(row: &Row<'_>) -> rusqlite::Result<StoredImport> {
    let files: String = row.get(2)?;
    Ok(StoredImport {
        id: row.get(0)?,
        at: row.get(1)?,
        files: files.lines().map(str::to_owned).collect(),
        is_whole: row.get(3)?,
        created: row.get(4)?,
        updated: row.get(5)?,
        since: row.get(6)?,
        undone_at: row.get(7)?,
    })
}

/// The last imports, newest first and `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn newest(db: Db<'_>, limit: u32) -> Result<Vec<StoredImport>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, at, files, is_whole, created, updated, since, undone_at FROM imports
         ORDER BY id DESC LIMIT ?1",
    )?;
    let all = statement.query_map([limit], import)?;
    Ok(all.collect::<Result<_, _>>()?)
}

/// The import of that number.
///
/// # Errors
/// Why the store cannot be read.
pub fn by_id(db: Db<'_>, id: u32) -> Result<Option<StoredImport>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id, at, files, is_whole, created, updated, since, undone_at FROM imports WHERE id = ?1",
    )?;
    Ok(statement.query_row([id], import).optional()?)
}

/// What the journal tells of an import, in its order.
///
/// # Errors
/// Why the store cannot be read.
pub fn entries(db: Db<'_>, import: &StoredImport) -> Result<Vec<JournalEntry>, Error> {
    journal::of_request(db, import.since, &request_id(import.id))
}

/// What people said that columns of such a table's files are: folded headings, each with what requests call the member;
/// nothing where the column is left out.
///
/// # Errors
/// Why the store cannot be read.
pub fn headings(db: Db<'_>, table: &Table) -> Result<Vec<(String, String)>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT heading, member FROM import_headings WHERE resource = ?1")?;
    let all = statement.query_map([table.name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(all.collect::<Result<_, _>>()?)
}

/// Remembers what a column of that folded heading is.
///
/// # Errors
/// Why the store cannot be written.
pub fn remember_heading(tx: Tx<'_>, table: &Table, heading: &str, member: &str) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO import_headings (resource, heading, member) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET member = excluded.member",
    )?;
    statement.execute((table.name, heading, member))?;
    Ok(())
}
