//! The log of imports, with access to their journal entries, and remembered column headings (product 6).

pub mod moves;

use rusqlite::{Row, named_params};

use super::journal::{self, JournalEntry, JournalFilter};
use super::{Db, Error, Tx};
use crate::records::Table;

/// Number of journal entries that are read at once.
const ENTRIES_PER_READ: u32 = 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredImport {
    pub id: u32,
    /// Time of the import in seconds since 1970.
    pub at: i64,
    /// File names.
    pub files: Vec<String>,
    /// `true` if a full export was imported.
    pub is_whole: bool,
    /// Number of records that the import created.
    pub created: u64,
    /// Number of records that the import changed.
    pub updated: u64,
    /// Time at which the import was undone, in seconds since 1970.
    pub undone_at: Option<i64>,
    /// Number of the newest journal entry before the import.
    since: u64,
}

/// Returns the request id in the journal entries of an import.
pub fn request_id(id: u32) -> String {
    ["import-", &id.to_string()].concat()
}

/// Returns the import whose journal entries have this request id.
pub fn id_of_request(request_id: &str) -> Option<u32> {
    request_id.strip_prefix("import-")?.parse().ok()
}

/// Adds an import at the beginning of its transaction, and returns its id. `files` are file names.
pub fn begin(tx: Tx<'_>, at: i64, files: &[String], is_whole: bool) -> Result<u32, Error> {
    let sql = "INSERT INTO imports (id, at, files, is_whole, created, updated, since)
         VALUES ((SELECT coalesce(max(id), 0) + 1 FROM imports WHERE id < 4294967295), :at, :files, :is_whole, 0, 0, :since) RETURNING id";
    let given = named_params! {
        ":at": at, ":files": files.join("\n"), ":is_whole": is_whole, ":since": journal::latest(*tx)?,
    };
    tx.value(sql, given)
}

/// Stores the counts of an import at the end of its transaction. Removes an import that has changed nothing.
pub fn end(tx: Tx<'_>, id: u32, created: u64, updated: u64) -> Result<(), Error> {
    if created + updated == 0 {
        tx.run("DELETE FROM imports WHERE id = ?1", [id])?;
        return Ok(());
    }
    tx.run("UPDATE imports SET created = ?2, updated = ?3 WHERE id = ?1", (id, created, updated))
}

/// Marks an import as undone.
pub fn note_undone(tx: Tx<'_>, id: u32, at: i64) -> Result<(), Error> {
    tx.run("UPDATE imports SET undone_at = ?2 WHERE id = ?1", (id, at))
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

/// Returns the last `limit` imports, newest first.
pub fn newest(db: Db<'_>, limit: u32) -> Result<Vec<StoredImport>, Error> {
    db.all(
        "SELECT id, at, files, is_whole, created, updated, since, undone_at FROM imports
         ORDER BY id DESC LIMIT ?1",
        [limit],
        import,
    )
}

pub fn by_id(db: Db<'_>, id: u32) -> Result<Option<StoredImport>, Error> {
    db.first(
        "SELECT id, at, files, is_whole, created, updated, since, undone_at FROM imports WHERE id = ?1",
        [id],
        import,
    )
}

/// Calls `see` with the journal entries of an import, oldest first. Returns the number of its last entry.
pub fn each_entry<E: From<Error>>(
    db: Db<'_>,
    import: &StoredImport,
    mut see: impl FnMut(&JournalEntry) -> Result<(), E>,
) -> Result<u64, E> {
    let own = request_id(import.id);
    let mut last = import.since;
    loop {
        // The entries of an import are consecutive.
        let page = journal::page(db, last, &JournalFilter::default(), ENTRIES_PER_READ)?;
        let is_last = page.is_empty();
        for entry in page {
            if entry.request_id.as_deref() != Some(&own) {
                return Ok(last);
            }
            see(&entry)?;
            last = entry.seq;
        }
        if is_last {
            return Ok(last);
        }
    }
}

/// Calls `see` with the journal entries of an import, newest first. `last` is the number of its last entry, as returned
/// by [`each_entry`]. `see` may write to the store.
pub fn each_entry_back<E: From<Error>>(
    db: Db<'_>,
    import: &StoredImport,
    last: u64,
    mut see: impl FnMut(&JournalEntry) -> Result<(), E>,
) -> Result<(), E> {
    let mut before = last + 1;
    loop {
        let page = journal::page_back(db, import.since, before, ENTRIES_PER_READ)?;
        for entry in &page {
            see(entry)?;
        }
        match page.last() {
            Some(first) => before = first.seq,
            None => return Ok(()),
        }
    }
}

/// Returns the column headings that users have mapped for files of a table: folded headings, each with its member. The
/// member is empty if the column is left out.
pub fn headings(db: Db<'_>, table: &Table) -> Result<Vec<(String, String)>, Error> {
    db.all("SELECT heading, member FROM import_headings WHERE resource = ?1", [table.name], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Stores the member for a folded column heading.
pub fn remember_heading(tx: Tx<'_>, table: &Table, heading: &str, member: &str) -> Result<(), Error> {
    tx.run(
        "INSERT INTO import_headings (resource, heading, member) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET member = excluded.member",
        (table.name, heading, member),
    )
}
