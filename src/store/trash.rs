//! Deleted records: hidden, and brought back as they were (resources 18).

use rusqlite::OptionalExtension;

use super::contents::ContentStore;
use super::records::sql::trash_sql;
use super::{Db, Error, Tx, documents};
use crate::records::{Kind, TABLES, Table};

/// That a record was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The record that has taken its place.
    pub merged_into: Option<u32>,
}

/// When a record was deleted; none where it is there, or never was.
///
/// # Errors
/// Why the store cannot be read.
pub fn find(db: Db<'_>, table: &Table, id: u32) -> Result<Option<Deletion>, Error> {
    if !table.can_be_deleted() {
        return Ok(None);
    }
    let mut statement = db.conn().prepare_cached(&trash_sql(table)?.find)?;
    let deletion = |row: &rusqlite::Row<'_>| Ok(Deletion { at: row.get(0)?, merged_into: row.get(1)? });
    Ok(statement.query_row([id], deletion).optional()?)
}

/// A record in the trash.
#[derive(Clone, Debug)]
pub struct Deleted {
    /// Its id.
    pub id: u32,
    /// What became of it.
    pub deletion: Deletion,
    /// Why, as who deleted it said.
    pub reason: Option<String>,
}

/// A page of the deleted records, the last that was deleted first. Those that went with another one come back with it, and
/// are not among them.
///
/// # Errors
/// Why the store cannot be read.
pub fn newest(db: Db<'_>, table: &Table, limit: u32, offset: u64) -> Result<Vec<Deleted>, Error> {
    let mut statement = db.conn().prepare_cached(&trash_sql(table)?.newest)?;
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    let deleted = statement.query_map((limit, offset), |row| {
        let deletion = Deletion { at: row.get(1)?, merged_into: row.get(3)? };
        Ok(Deleted { id: row.get(0)?, deletion, reason: row.get(2)? })
    })?;
    Ok(deleted.collect::<Result<_, _>>()?)
}

/// How many those are.
///
/// # Errors
/// Why the store cannot be read.
pub fn count(db: Db<'_>, table: &Table) -> Result<u64, Error> {
    Ok(db.conn().prepare_cached(&trash_sql(table)?.count)?.query_row([], |row| row.get(0))?)
}

/// How many deleted records there are of each table, those that went with others included; a table without any is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn holdings(db: Db<'_>) -> Result<Vec<(&'static Table, u64)>, Error> {
    let mut all = Vec::new();
    for table in TABLES {
        let count =
            db.conn().prepare_cached(&trash_sql(table)?.count_all)?.query_row([], |row| row.get(0))?;
        all.push((*table, count));
    }
    all.retain(|(_, count)| *count > 0);
    Ok(all)
}

/// Erases deleted records, and the contents that no document has any more. What a record that stays points to stays as well, and
/// of each table the one with the highest id, which would be given once more. Answers how many are gone.
///
/// # Errors
/// Why the store cannot be written.
pub fn empty(tx: Tx<'_>, contents: &ContentStore) -> Result<u64, Error> {
    let mut gone = 0;
    // What points to others goes first, and then they.
    loop {
        let before = gone;
        for table in TABLES {
            let sql = trash_sql(table)?;
            let mut erasable = tx.conn().prepare_cached(&sql.erasable)?;
            let ids = erasable.query_map([], |row| row.get::<_, u32>(0))?.collect::<Result<Vec<_>, _>>()?;
            for id in ids {
                if table.kind == Kind::Document
                    && let Some(hash) = documents::content_of(*tx, id)?
                {
                    contents.release(tx, &hash)?;
                }
                for erase in &sql.erase {
                    tx.conn().prepare_cached(erase)?.execute([id])?;
                }
                gone += 1;
            }
        }
        if gone == before {
            return Ok(gone);
        }
    }
}

/// The records that would go with one: how many of each table; a table of which none would is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn going(db: Db<'_>, table: &Table, id: u32) -> Result<Vec<(&'static Table, u64)>, Error> {
    let mut all = Vec::new();
    for own in TABLES {
        for (_, count) in trash_sql(own)?.going_counts.iter().filter(|(kind, _)| *kind == table.kind) {
            let count = db.conn().prepare_cached(count)?.query_row([id], |row| row.get(0))?;
            all.push((*own, count));
        }
    }
    all.retain(|(_, count)| *count > 0);
    Ok(all)
}

/// The records that keep one from being deleted, ten at the most of each table; a table that has none is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn holding(db: Db<'_>, table: &Table, id: u32) -> Result<Vec<(&'static Table, Vec<u32>)>, Error> {
    let mut all = Vec::new();
    for own in TABLES {
        let mut found = Vec::new();
        for (_, holding) in trash_sql(own)?.holding.iter().filter(|(kind, _)| *kind == table.kind) {
            let mut statement = db.conn().prepare_cached(holding)?;
            let ids = statement.query_map([id], |row| row.get::<_, u32>(0))?;
            found.extend(ids.collect::<Result<Vec<_>, _>>()?);
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(10);
        if !found.is_empty() {
            all.push((*own, found));
        }
    }
    Ok(all)
}

/// Deletes a record, and those that go with it. `now` is in seconds since 1970.
///
/// # Errors
/// Why the store cannot be written.
pub fn delete(tx: Tx<'_>, table: &Table, id: u32, reason: Option<&str>, now: i64) -> Result<(), Error> {
    tx.conn().prepare_cached(&trash_sql(table)?.delete)?.execute((id, now, reason))?;
    for own in TABLES {
        for (_, [go, _]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.conn().prepare_cached(go)?.execute((id, now))?;
        }
    }
    Ok(())
}

/// Brings a record back, and those that went with it; does nothing where it was not deleted.
///
/// # Errors
/// Why the store cannot be written.
pub fn restore(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    tx.conn().prepare_cached(&trash_sql(table)?.restore)?.execute([id])?;
    for own in TABLES {
        for (_, [_, come_back]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.conn().prepare_cached(come_back)?.execute([id])?;
        }
    }
    Ok(())
}

/// Has everything that points to `from` point to `into`, deleted records included, and deletes `from`. The caller has made
/// sure that both are there. `now` is in seconds since 1970.
///
/// # Errors
/// Why the store cannot be written.
pub fn merge(tx: Tx<'_>, table: &Table, from: u32, into: u32, now: i64) -> Result<(), Error> {
    for own in TABLES {
        for (_, repoint) in trash_sql(own)?.pointing.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.conn().prepare_cached(&repoint.touch)?.execute((from, now))?;
            tx.conn().prepare_cached(&repoint.point)?.execute((into, from))?;
            if let Some(clear) = &repoint.clear {
                tx.conn().prepare_cached(clear)?.execute([from])?;
            }
        }
    }
    delete(tx, table, from, None, now)?;
    tx.conn().prepare_cached(&trash_sql(table)?.merged)?.execute((from, into))?;
    Ok(())
}
