//! Deleted records: hidden, brought back as they were, and erased once a person wants that (resources 18).

use std::io::ErrorKind;
use std::path::Path;

use super::journal::Actor;
pub use super::records::deletion::{Deletion, find, why_missing};
use super::records::sql::trash_sql;
use super::{ContentStore, Db, Error, Store, Tx, documents, ids};
use crate::domain::Invalid;
use crate::files::{create_private, sync_folder};
use crate::records::{Kind, OnDelete, TABLES, Table};

/// How many records are erased in one transaction at the most: others write in between.
const BATCH: usize = 250;
/// The file that stands in the data folder from before records are erased until the database has been rewritten.
const ERASING: &str = "pleito.erasing";

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

/// So many records of each table that has any.
pub type RecordCounts = Vec<(&'static Table, u64)>;

/// How many records of each table were deleted up to that moment, those that went with others included, and when the last of
/// them was.
///
/// # Errors
/// Why the store cannot be read.
pub fn holdings(db: Db<'_>, until: i64) -> Result<(RecordCounts, Option<i64>), Error> {
    let (mut counts, mut last) = (Vec::new(), None);
    for table in TABLES {
        let mut statement = db.conn().prepare_cached(&trash_sql(table)?.count_all)?;
        let (count, newest) = statement.query_row([until], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if count > 0 {
            counts.push((*table, count));
        }
        last = last.max(newest);
    }
    Ok((counts, last))
}

/// The records that would go with one, and of these only those that a person has to confirm if `confirmed_only`: how many of each
/// table; a table of which none would is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn going(db: Db<'_>, table: &Table, id: u32, confirmed_only: bool) -> Result<RecordCounts, Error> {
    let mut all = Vec::new();
    for own in TABLES {
        for (kind, on_delete, count) in &trash_sql(own)?.going_counts {
            if *kind == table.kind && (*on_delete == OnDelete::Confirm || !confirmed_only) {
                let count = db.conn().prepare_cached(count)?.query_row([id], |row| row.get(0))?;
                all.push((*own, count));
            }
        }
    }
    all.retain(|(_, count)| *count > 0);
    Ok(all)
}

/// The records that keep one from being deleted, ten at the most of each table; a table that has none is not there. If
/// `is_confirmed`, those that go with it once a person confirms that do not count.
///
/// # Errors
/// Why the store cannot be read.
pub fn holding(
    db: Db<'_>,
    table: &Table,
    id: u32,
    is_confirmed: bool,
) -> Result<Vec<(&'static Table, Vec<u32>)>, Error> {
    let mut all = Vec::new();
    for own in TABLES {
        let mut found = Vec::new();
        for (kind, on_delete, holding) in &trash_sql(own)?.holding {
            if *kind != table.kind || is_confirmed && *on_delete == OnDelete::Confirm {
                continue;
            }
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
/// `Refused` if one that went with it points to another record that was deleted since; why the store cannot be written.
pub fn restore(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    tx.conn().prepare_cached(&trash_sql(table)?.restore)?.execute([id])?;
    for own in TABLES {
        for (_, [_, come_back]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.conn().prepare_cached(come_back)?.execute([id])?;
        }
    }
    let mut wrong = Invalid::new();
    for own in TABLES {
        for (_, field, to, stranded) in
            trash_sql(own)?.stranded.iter().filter(|(kind, ..)| *kind == table.kind)
        {
            let mut statement = tx.conn().prepare_cached(stranded)?;
            let deleted = statement.query_map([id], |row| row.get(0))?.collect::<Result<Vec<u32>, _>>()?;
            for deleted in deleted {
                wrong.add(field.member, why_missing(*tx, to.table(), deleted)?);
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::Refused(wrong)) }
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

impl Store {
    /// Erases the records that were deleted up to that moment, and contents that no document has then. A record that another
    /// one points to stays until that one goes. Nothing of what was erased is left in the store's files: at the end the
    /// database is rewritten as a whole, for which writers wait; before that they write between the batches. Without `by`, a
    /// command or the program itself does it.
    ///
    /// # Errors
    /// Why the store cannot be written. What was erased before is erased; if its bytes are left, the next call or the next start
    /// removes them.
    pub fn erase_deleted(&self, until: i64, by: Option<&Actor>) -> Result<RecordCounts, Error> {
        let mut erased: RecordCounts = TABLES.iter().map(|table| (*table, 0)).collect();
        loop {
            let (contents, by, folder) = (self.contents().clone(), by.cloned(), self.folder().to_owned());
            let batch = self.write(move |tx| {
                let tx = by.map_or(tx, |by| tx.by(by));
                let erased = erase_some(tx, &contents, until)?;
                if !erased.is_empty() {
                    begin_erasing(&folder)?;
                }
                Ok::<_, Error>(erased)
            })?;
            if batch.is_empty() {
                break;
            }
            for (table, count) in batch {
                erased
                    .iter_mut()
                    .filter(|(own, _)| own.kind == table.kind)
                    .for_each(|(_, sum)| *sum += count);
            }
        }
        if is_interrupted(self.folder()) {
            self.writer.rewrite()?;
            end_erasing(self.folder())?;
        }
        erased.retain(|(_, count)| *count > 0);
        Ok(erased)
    }

    /// Erases the files of contents that no document has, and that no crash explains; how many, and how many bytes they had.
    ///
    /// # Errors
    /// Why they cannot be looked for or erased.
    pub fn erase_unowned_contents(&self) -> Result<(u64, u64), Error> {
        let unowned = Store::look(self.folder(), |db| self.contents().unowned(db))?;
        let (count, bytes) = (unowned.len() as u64, unowned.iter().map(|(_, bytes)| bytes).sum());
        let contents = self.contents().clone();
        // On the writer thread, and only if no document has got one meanwhile.
        self.write(move |tx| contents.release(tx, unowned.into_iter().map(|(hash, _)| hash)))?;
        Ok((count, bytes))
    }
}

/// Notes in the data folder that records are erased, before they are.
fn begin_erasing(folder: &Path) -> Result<(), Error> {
    match create_private(&folder.join(ERASING)) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => Err(cause.into()),
        _ => Ok(sync_folder(folder)?),
    }
}

/// `true` if records were erased and the database was not rewritten since.
pub(super) fn is_interrupted(folder: &Path) -> bool {
    folder.join(ERASING).exists()
}

/// Notes that the database was rewritten.
pub(super) fn end_erasing(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_file(folder.join(ERASING)) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => Err(cause.into()),
        _ => Ok(()),
    }
}

/// Erases some records; none where none are left that can go.
fn erase_some(tx: Tx<'_>, contents: &ContentStore, until: i64) -> Result<RecordCounts, Error> {
    let (mut erased, mut released, mut left) = (RecordCounts::new(), Vec::new(), BATCH);
    for table in TABLES {
        let sql = trash_sql(table)?;
        let mut statement = tx.conn().prepare_cached(&sql.erasable)?;
        let ids = statement.query_map((until, left), |row| row.get(0))?.collect::<Result<Vec<u32>, _>>()?;
        for id in &ids {
            if table.kind == Kind::Document {
                released.extend(documents::content_of(*tx, *id)?);
            }
            for erase in &sql.erase {
                tx.conn().prepare_cached(erase)?.execute([id])?;
            }
        }
        left -= ids.len();
        if let Some(highest) = ids.iter().max() {
            // No other record gets the id of one that was erased.
            ids::reserve(tx, table, *highest)?;
            erased.push((*table, ids.len() as u64));
        }
    }
    contents.release(tx, released)?;
    Ok(erased)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether anything points to a record is looked up, not searched for: a store of a million would take for ever.
    #[test]
    fn no_table_is_read_from_its_first_to_its_last_row() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let plan = |sql: &str, parameters: &[u32]| {
            Store::look(folder.path(), |db| {
                let mut statement = db.conn().prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let parameters = rusqlite::params_from_iter(parameters);
                let steps = statement.query_map(parameters, |row| row.get::<_, String>(3))?;
                Ok::<_, Error>(steps.collect::<Result<Vec<_>, _>>()?)
            })
        };
        for table in TABLES {
            let sql = trash_sql(table).unwrap();
            let mut steps = plan(&sql.erasable, &[1, 1]).unwrap();
            steps.extend(sql.erase.iter().flat_map(|erase| plan(erase, &[1]).unwrap()));
            // There are twenty webhooks at most.
            assert!(
                steps.iter().all(|step| {
                    !step.starts_with("SCAN") || step.contains("USING INDEX") || step == "SCAN w"
                }),
                "{}: {steps:?}",
                table.name
            );
        }
    }
}
