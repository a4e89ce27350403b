//! The trash: deleted records are hidden, can be restored, and are erased on request (resources 18). `holding` returns
//! the records that prevent a deletion.

use std::io::ErrorKind;
use std::path::Path;

use super::journal::Actor;
use super::nouns::documents;
pub use super::records::deletion::{Deletion, find, remaining, why_missing};
use super::records::hidden::and_is_seen_sql;
use super::records::ids;
use super::records::sql::trash_sql;
use super::records::{linked_to, missing};
use super::{ContentStore, Db, Error, Store, Tx};
use crate::domain::Invalid;
use crate::files::{create_private, remove_if_there, sync_folder};
use crate::records::{Kind, OnDelete, TABLES, Table, Type};

/// Maximum number of records erased per transaction, so that other writes run in between.
const ERASED_PER_TRANSACTION: usize = 250;
/// Marker file in the data folder, present from before records are erased until the database has been rewritten.
const ERASING: &str = "pleito.erasing";

#[derive(Clone, Debug)]
pub struct Deleted {
    pub id: u32,
    pub deletion: Deletion,
    /// Reason given by the user who deleted the record.
    pub reason: Option<String>,
}

/// Returns a page of the deleted records, last deleted first. Leaves out records that were deleted along with
/// another one and are restored with it.
pub fn newest(db: Db<'_>, table: &Table, limit: u32, offset: u64) -> Result<Vec<Deleted>, Error> {
    let select = [
        "SELECT t.id, t.deleted_at, t.deleted_reason, t.merged_into",
        &deleted_alone(db, table),
        " ORDER BY t.deleted_at DESC, t.id DESC LIMIT ?1 OFFSET ?2",
    ];
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    db.all(&select.concat(), (limit, offset), |row| {
        let deletion = Deletion { at: row.get(1)?, merged_into: row.get(3)? };
        Ok(Deleted { id: row.get(0)?, deletion, reason: row.get(2)? })
    })
}

/// Counts the records that [`newest`] lists.
pub fn count(db: Db<'_>, table: &Table) -> Result<u64, Error> {
    let select = ["SELECT count(*)", &deleted_alone(db, table)].concat();
    db.value(&select, [])
}

/// Returns the SQL, from FROM on, of the records that were deleted on their own and that the caller may see.
fn deleted_alone(db: Db<'_>, table: &Table) -> String {
    let seen = and_is_seen_sql(db.nouns(), table);
    [" FROM ", table.name, " t WHERE t.deleted_at IS NOT NULL AND t.deleted_with IS NULL", &seen].concat()
}

/// Number of records by table; tables without any are left out.
pub type RecordCounts = Vec<(&'static Table, u64)>;

/// Counts records by table, in the order in which the tables come first.
pub fn by_table(records: impl Iterator<Item = &'static Table>) -> RecordCounts {
    let mut counts = RecordCounts::new();
    for table in records {
        match counts.iter_mut().find(|(other, _)| other.kind == table.kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((table, 1)),
        }
    }
    counts
}

/// Counts the records of each table deleted up to `until`, those deleted along with others included. Also
/// returns the time of the last of these deletions.
pub fn holdings(db: Db<'_>, until: i64) -> Result<(RecordCounts, Option<i64>), Error> {
    let mut counts = Vec::new();
    let mut last = None;
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

/// Counts the records that would be deleted along with this one, of those that the caller may see. If `confirmed_only`,
/// counts only those that require confirmation.
pub fn going(db: Db<'_>, table: &Table, id: u32, confirmed_only: bool) -> Result<RecordCounts, Error> {
    let mut all = Vec::new();
    for own in db.nouns().tables() {
        for (kind, on_delete, count) in &trash_sql(own)?.going_counts {
            if *kind == table.kind && (*on_delete == OnDelete::Confirm || !confirmed_only) {
                let count = db.value(count, [id])?;
                all.push((own, count));
            }
        }
    }
    all.retain(|(_, count)| *count > 0);
    Ok(all)
}

/// Returns the records that prevent the deletion of this one, at most ten per table. If `is_confirmed`, leaves
/// out those that only require confirmation, except those that the caller may not see and cannot have confirmed.
pub fn holding(
    db: Db<'_>,
    table: &Table,
    id: u32,
    is_confirmed: bool,
) -> Result<Vec<(&'static Table, Vec<u32>)>, Error> {
    let mut all = Vec::new();
    for own in TABLES {
        let mut found = Vec::new();
        let is_confirmed = is_confirmed && db.nouns().has(own.kind);
        for (kind, on_delete, holding) in &trash_sql(own)?.holding {
            if *kind != table.kind || is_confirmed && *on_delete == OnDelete::Confirm {
                continue;
            }
            found.extend(db.column::<u32>(holding, [id])?);
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

/// Counts the records that refer to this one, by table, those that the caller may not see included. Deleted records do
/// not count.
pub fn pointing(db: Db<'_>, table: &Table, id: u32) -> Result<RecordCounts, Error> {
    let mut all = RecordCounts::new();
    for own in TABLES {
        let fields = own
            .stored()
            .filter(|field| matches!(field.ty, Type::Record(kind) | Type::Links(kind) if kind == table.kind));
        for field in fields {
            let ids = linked_to(db, own, field.column, id)?;
            let there = ids.len() - missing(db, own, &ids)?.len();
            if there > 0 {
                all.push((*own, there as u64));
            }
        }
    }
    Ok(all)
}

/// Deletes a record and those that its deletion includes. `now` is in seconds since 1970.
pub fn delete(tx: Tx<'_>, table: &Table, id: u32, reason: Option<&str>, now: i64) -> Result<(), Error> {
    reason.into_iter().for_each(|reason| tx.set_reason(reason));
    tx.run(&trash_sql(table)?.delete, (id, now, reason))?;
    for own in TABLES {
        for (_, [go, ..]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.run(go, (id, now))?;
        }
    }
    Ok(())
}

/// Restores a record and those that were deleted along with it. Does nothing if the record is live.
///
/// Returns `Refused` if a restored record refers to another record that is still deleted.
pub fn restore(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    restore_unchecked(tx, table, id)?;
    let mut wrong = Invalid::new();
    for own in TABLES {
        for (_, field, to, stranded) in
            trash_sql(own)?.stranded.iter().filter(|(kind, ..)| *kind == table.kind)
        {
            let deleted = tx.column::<u32>(stranded, [id])?;
            for deleted in deleted {
                wrong.add(field.member, why_missing(*tx, to.table(), deleted)?);
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::Refused(wrong)) }
}

/// Like [`restore`], but does not check references: the caller replaces those to deleted records, and then calls [`restore`].
pub fn restore_unchecked(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    tx.run(&trash_sql(table)?.restore, [id])?;
    for own in TABLES {
        for (_, [_, come_back, _]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.run(come_back, [id])?;
        }
    }
    Ok(())
}

impl Store {
    /// Erases the records deleted up to `until`, and contents that no document uses any more. A record that another one
    /// refers to stays until that one is erased. Without `by`, the journal names a command as the author.
    ///
    /// At the end the whole database is rewritten, so that no bytes of the erased records are left in the
    /// store's files. Writers wait during the rewrite, but not between the batches before it. If the call fails,
    /// records erased so far stay erased, and the next call or the next start rewrites the database.
    pub fn erase_deleted(&self, until: i64, by: Option<&Actor>) -> Result<RecordCounts, Error> {
        let mut erased: RecordCounts = TABLES.iter().map(|table| (*table, 0)).collect();
        loop {
            let contents = self.contents().clone();
            let by = by.cloned();
            let folder = self.folder().to_owned();
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

    /// Erases content files that belong to no document and that no crash explains. Returns their number and
    /// total bytes.
    pub fn erase_unowned_contents(&self) -> Result<(u64, u64), Error> {
        let unowned = Store::read_once(self.folder(), |db| self.contents().unowned(db))?;
        let count = unowned.len() as u64;
        let bytes = unowned.iter().map(|(_, bytes)| bytes).sum();
        let contents = self.contents().clone();
        // Runs on the writer thread, and skips contents that a document has claimed meanwhile.
        self.write(move |tx| contents.release(tx, unowned.into_iter().map(|(hash, _)| hash)))?;
        Ok((count, bytes))
    }
}

/// Creates the marker file before records are erased.
fn begin_erasing(folder: &Path) -> Result<(), Error> {
    match create_private(&folder.join(ERASING)) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => Err(cause.into()),
        _ => Ok(sync_folder(folder)?),
    }
}

/// Returns `true` if records were erased and the database has not been rewritten since.
pub(super) fn is_interrupted(folder: &Path) -> bool {
    folder.join(ERASING).exists()
}

/// Removes the marker file after the rewrite.
pub(super) fn end_erasing(folder: &Path) -> Result<(), Error> {
    Ok(remove_if_there(&folder.join(ERASING))?)
}

/// Erases one batch. Returns an empty list if nothing is left to erase.
fn erase_some(tx: Tx<'_>, contents: &ContentStore, until: i64) -> Result<RecordCounts, Error> {
    let mut erased = RecordCounts::new();
    let mut released = Vec::new();
    let mut left = ERASED_PER_TRANSACTION;
    for table in TABLES {
        let sql = trash_sql(table)?;
        let ids = tx.column::<u32>(&sql.erasable, (until, left))?;
        for id in &ids {
            if table.kind == Kind::Document {
                released.extend(documents::content_of(*tx, *id)?);
            }
            for erase in &sql.erase {
                tx.run(erase, [id])?;
            }
        }
        left -= ids.len();
        if let Some(highest) = ids.iter().max() {
            // The id of an erased record is never reused.
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

    /// References must be looked up through an index: a scan would take too long in a store with a million records.
    #[test]
    fn references_are_found_without_scanning_a_table() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let plan = |sql: &str, parameters: &[u32]| {
            Store::read_once(folder.path(), |db| {
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
            // A scan of the webhooks (alias `w`) is allowed: there are at most twenty.
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
