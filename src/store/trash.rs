//! Deleted records: hidden, and brought back as they were (resources 18).

use rusqlite::OptionalExtension;

use super::records::sql::trash_sql;
use super::{Db, Error, Tx};
use crate::records::{TABLES, Table};

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
    reason.into_iter().for_each(|reason| tx.because(reason));
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
