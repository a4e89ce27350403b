//! The changes of the open transaction: noted row by row as SQLite writes, and stored as one journal entry per
//! record when a job ends.
//!
//! Temporary triggers on the writer's connection call the noting functions. They see every statement, including
//! those of the schema's own triggers, and other programs that open the file are unaffected.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

use super::compare_written::{ChangedColumns, Written};
use super::row_functions::{Note, add_functions};
use super::{Actor, CONFLICTS, JournalAct, Op, Via, fill, latest, merge_entries};
use crate::records::Table;
use crate::store::access::assistant_reads;
use crate::store::engine::writer::current_work::CurrentWork;
use crate::store::journal::affected_records::{Change, MAX_PUBLISHED_CHANGES, RowKind};
use crate::store::records::sql;
use crate::store::{Db, Error, clock_now, gone};

/// A large job writes its entries whenever it has noted this many rows, which is less than a megabyte.
pub(super) const ROWS_PER_WRITE: usize = 1_000;

/// Collects the changes of the open transaction.
pub(in crate::store) struct ChangeLog {
    notes: Arc<Mutex<Vec<Note>>>,
    actor: RefCell<Option<Actor>>,
    reason: RefCell<Option<String>>,
    /// Lawsuits of the current job with a new conflict of interest.
    conflicts: RefCell<BTreeSet<u32>>,
    /// Set if the transaction changes the API token or keys.
    writes_token: Cell<bool>,
    /// Set if the transaction changes pending webhook deliveries.
    writes_webhooks: Cell<bool>,
    /// Changes to publish after the commit; emptied when there are too many.
    changes: RefCell<Vec<Change>>,
    /// Set if there are too many changes to publish them one by one.
    is_much: Cell<bool>,
    /// Number of the newest entry before the current job, set once the job has written its first piece.
    begun: Cell<Option<u64>>,
    /// Number of the transaction's newest entry, or 0.
    seq: Cell<u64>,
    /// For those who wait for the writer.
    current_work: Arc<CurrentWork>,
}

/// Summary of a committed transaction.
pub(in crate::store) struct CommitSummary {
    /// Number of its newest entry, or 0.
    pub seq: u64,
    /// The changed rows, or `None` if there are too many to publish one by one.
    pub changes: Option<Vec<Change>>,
    /// Set if the API token or keys were changed.
    pub token: bool,
    /// Set if pending webhook deliveries changed.
    pub webhooks: bool,
}

impl ChangeLog {
    /// Installs the noting functions and triggers on a connection, for the tables that exist.
    pub(in crate::store) fn start(conn: &Connection) -> Result<ChangeLog, Error> {
        let notes = Arc::default();
        add_functions(conn, &notes)?;
        let mut there =
            conn.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1")?;
        let mut triggers = "BEGIN;\n".to_owned();
        for (table, sql) in sql::all() {
            if there.exists([table.name])? {
                triggers.push_str(&sql.journal.triggers);
            }
        }
        conn.execute_batch(&(triggers + "COMMIT"))?;
        Ok(ChangeLog {
            notes,
            actor: RefCell::default(),
            reason: RefCell::default(),
            conflicts: RefCell::default(),
            writes_token: Cell::default(),
            writes_webhooks: Cell::default(),
            changes: RefCell::default(),
            is_much: Cell::default(),
            begun: Cell::default(),
            seq: Cell::default(),
            current_work: Arc::default(),
        })
    }

    /// Returns what those who wait for the writer are told.
    pub(in crate::store) fn current_work(&self) -> Arc<CurrentWork> {
        self.current_work.clone()
    }

    /// Sets the author of the current job.
    pub(in crate::store) fn note_actor(&self, actor: Actor) {
        self.current_work.set_reason(actor.via.waiting_for());
        self.actor.replace(Some(actor));
    }

    /// Sets the reason for the current job.
    pub(in crate::store) fn note_reason(&self, reason: &str) {
        self.reason.replace(Some(reason.to_owned()));
    }

    /// Notes a new conflict of interest in a lawsuit.
    pub(in crate::store) fn note_conflict(&self, lawsuit: u32) {
        self.conflicts.borrow_mut().insert(lawsuit);
    }

    /// Marks the transaction as one that changes the API token or keys.
    pub(in crate::store) fn note_token(&self) {
        self.writes_token.set(true);
    }

    /// Returns the number of rows noted since the last entries were written.
    pub(in crate::store) fn noted(&self) -> usize {
        self.notes.lock().len()
    }

    /// Drops the notes after the first `noted` ones, because a savepoint was rolled back.
    pub(in crate::store) fn forget_after(&self, noted: usize) {
        self.notes.lock().truncate(noted);
    }

    /// Marks the transaction as one that changes pending webhook deliveries.
    pub(in crate::store) fn note_webhooks(&self) {
        self.writes_webhooks.set(true);
    }

    /// Drops the notes, author and reason of the current job.
    pub(in crate::store) fn forget(&self) {
        self.notes.lock().clear();
        self.actor.take();
        self.reason.take();
        self.conflicts.take();
        self.begun.take();
    }

    /// Resets everything that was noted about the open transaction.
    pub(in crate::store) fn roll_back(&self) {
        self.forget();
        self.changes.take();
        self.is_much.take();
        self.seq.take();
        self.writes_token.take();
        self.writes_webhooks.take();
    }

    /// Returns the changes of the committed transaction and resets them.
    pub(in crate::store) fn committed(&self) -> CommitSummary {
        CommitSummary {
            seq: self.seq.take(),
            changes: Some(self.changes.take()).filter(|_| !self.is_much.take()),
            token: self.writes_token.take(),
            webhooks: self.writes_webhooks.take(),
        }
    }

    /// Writes the journal entries of the finished job.
    pub(in crate::store) fn write(&self, db: Db<'_>) -> Result<(), Error> {
        let actor = self.actor.take().unwrap_or_else(|| Actor {
            via: Via::default(),
            who: None,
            request_id: None,
            at: clock_now(),
        });
        self.write_noted(db, &actor)?;
        self.write_conflicts(db, &actor)?;
        if self.begun.get().is_some() {
            // The last entry inserted may have been deleted again by a later piece.
            self.seq.set(latest(db)?);
        }
        Ok(())
    }

    /// Writes the entries of the current job so far, if at least [`ROWS_PER_WRITE`] rows are noted. Later pieces merge
    /// into these entries, so each record still has one.
    pub(in crate::store) fn write_so_far(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        if self.noted() < ROWS_PER_WRITE {
            return Ok(());
        }
        if self.begun.get().is_none() {
            self.begun.set(Some(latest(db)?));
        }
        self.write_noted(db, actor)
    }

    /// Discards the notes and records that the whole store was replaced.
    pub(in crate::store) fn write_replaced(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        self.forget_after(0);
        let given = latest(db)?.max(fill::above_all_before(actor.at));
        fill::replace(db.conn(), given, actor)?;
        self.is_much.set(true);
        self.seq.set(latest(db)?);
        Ok(())
    }

    /// Writes one entry for each lawsuit with a new conflict of interest.
    fn write_conflicts(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        for lawsuit in self.conflicts.take() {
            let sql = "INSERT INTO changes (at, op, kind, id, via, who) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let op = Op::Created.code();
            let via = actor.via.code();
            db.conn().prepare_cached(sql)?.execute((actor.at, op, CONFLICTS, lawsuit, via, &actor.who))?;
            self.seq.set(u64::try_from(db.conn().last_insert_rowid()).unwrap_or_default());
        }
        Ok(())
    }

    fn write_noted(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        let notes = mem::take(&mut *self.notes.lock());
        if notes.is_empty() {
            return Ok(());
        }
        let reason = self.reason.borrow();
        let mut insert = db.conn().prepare_cached(
            "INSERT INTO changes (at, op, kind, id, via, who, request_id, reason, changed, before)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        let mut changes = self.changes.borrow_mut();
        for written in Written::of(notes) {
            let (table, sql) = sql::all().get(written.table).ok_or_else(|| gone("a table"))?;
            changes.push((RowKind::from(table.kind), written.id));
            let outcome = written.outcome(db, sql, &mut changes)?;
            if changes.len() > MAX_PUBLISHED_CHANGES {
                self.is_much.set(true);
                changes.clear();
            }
            let Some((op, difference)) = outcome else { continue };
            // Ids are never reused, so a new record has no earlier entry.
            let earlier = match self.begun.get() {
                Some(begun) if !written.is_new() => merge_entries::earlier(db, table, written.id, begun)?,
                _ => None,
            };
            match earlier {
                Some(earlier) => merge_entries::write(db, table, &earlier, op, &difference)?,
                None => {
                    for (op, difference) in entries(op, difference, actor.via) {
                        let columns = difference.columns();
                        let before = difference.values();
                        insert.execute((
                            actor.at,
                            op.code(),
                            table.name,
                            written.id,
                            actor.via.code(),
                            &actor.who,
                            &actor.request_id,
                            &*reason,
                            columns,
                            before,
                        ))?;
                        self.seq.set(u64::try_from(db.conn().last_insert_rowid()).unwrap_or_default());
                    }
                }
            }
            if op == Op::Purged {
                forget_record(db, table, written.id)?;
                assistant_reads::forget_record(db, table, written.id)?;
            }
        }
        Ok(())
    }
}

/// Returns the entries of one record. Values that change together with a restoration get an entry of their own, so that
/// the feed and the history show them. An import has one entry for each record, by which it is undone.
fn entries(op: Op, difference: ChangedColumns, via: Via) -> Vec<(Op, ChangedColumns)> {
    match op {
        Op::Restored if via != Via::Import && !difference.columns.is_empty() => {
            vec![(op, ChangedColumns::default()), (Op::Updated, difference)]
        }
        _ => vec![(op, difference)],
    }
}

/// Erases the old values, reasons and request ids in the entries of a purged record. Imports keep their request
/// ids, which are needed to undo them. Undone merges keep the name of the act, by which others are undone.
fn forget_record(db: Db<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let sql = "UPDATE changes SET before = NULL, reason = iif(reason = ?4, reason, NULL),
                   request_id = iif(via = ?3, request_id, NULL)
               WHERE id = ?1 AND kind = ?2";
    let undone = JournalAct::MergeUndone.as_str();
    db.conn().prepare_cached(sql)?.execute((id, table.name, Via::Import.code(), undone))?;
    Ok(())
}
