//! What the open transaction has written: noted row by row as SQLite does it, and told by one entry a record once a piece of
//! work is done.
//!
//! Triggers of the writer's connection alone call the functions that note: so no statement of anybody's is missed, be it a
//! trigger of the schema, and other programs that open the file need to know nothing of it.

use std::cell::{Cell, RefCell};
use std::mem;
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;

use super::notes::{Note, add_functions};
use super::written::Written;
use super::{Actor, Op, Via, again, fill, latest};
use crate::records::Table;
use crate::store::changes::{Change, MANY, RowKind};
use crate::store::records::sql;
use crate::store::{Db, Error, clock_now, gone};

/// With so many rows noted, work of very many tells of them before it goes on: less than a megabyte.
pub(super) const PIECE: usize = 1_000;

/// What the open transaction has written, and what is to be told of it.
pub(in crate::store) struct ChangeLog {
    notes: Arc<Mutex<Vec<Note>>>,
    /// Who does the piece of work in hand, and why.
    actor: RefCell<Option<Actor>>,
    reason: RefCell<Option<String>>,
    /// Whether the open transaction writes the token.
    writes_token: Cell<bool>,
    /// Whether it writes what is still to be sent to webhooks.
    writes_webhooks: Cell<bool>,
    /// What is to be told once it is committed; nothing where that is too much.
    told: RefCell<Vec<Change>>,
    /// Whether it is too much to be told one by one.
    is_much: Cell<bool>,
    /// The number of the newest entry before the piece of work in hand, once that has told of some of what it wrote.
    begun: Cell<Option<u64>>,
    /// The number of its newest entry; 0 where it has none.
    seq: Cell<u64>,
}

/// What a transaction has written.
pub(in crate::store) struct Wrote {
    /// The number of its newest entry; 0 where it has none.
    pub seq: u64,
    /// The rows; none where they are too many to be told one by one.
    pub changes: Option<Vec<Change>>,
    /// Whether it wrote the token.
    pub token: bool,
    /// Whether it wrote what is still to be sent to webhooks.
    pub webhooks: bool,
}

impl ChangeLog {
    /// Has that connection note what it writes into the tables that there are.
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
            writes_token: Cell::default(),
            writes_webhooks: Cell::default(),
            told: RefCell::default(),
            is_much: Cell::default(),
            begun: Cell::default(),
            seq: Cell::default(),
        })
    }

    /// Says who does the piece of work in hand.
    pub(in crate::store) fn note_actor(&self, actor: Actor) {
        self.actor.replace(Some(actor));
    }

    /// Says why it is done.
    pub(in crate::store) fn note_reason(&self, reason: &str) {
        self.reason.replace(Some(reason.to_owned()));
    }

    /// Says that it writes the token.
    pub(in crate::store) fn note_token(&self) {
        self.writes_token.set(true);
    }

    /// How many rows are noted of the piece of work in hand.
    pub(in crate::store) fn noted(&self) -> usize {
        self.notes.lock().len()
    }

    /// Forgets the rows that were noted after so many: they are as they were before.
    pub(in crate::store) fn forget_after(&self, noted: usize) {
        self.notes.lock().truncate(noted);
    }

    /// Says that it writes what is still to be sent to webhooks.
    pub(in crate::store) fn note_webhooks(&self) {
        self.writes_webhooks.set(true);
    }

    /// Forgets the piece of work in hand, nothing of which is left.
    pub(in crate::store) fn forget(&self) {
        self.notes.lock().clear();
        self.actor.take();
        self.reason.take();
        self.begun.take();
    }

    /// Forgets all of the open transaction.
    pub(in crate::store) fn roll_back(&self) {
        self.forget();
        self.told.take();
        self.is_much.take();
        self.seq.take();
        self.writes_token.take();
        self.writes_webhooks.take();
    }

    /// What the transaction that was committed has changed.
    pub(in crate::store) fn committed(&self) -> Wrote {
        Wrote {
            seq: self.seq.take(),
            changes: Some(self.told.take()).filter(|_| !self.is_much.take()),
            token: self.writes_token.take(),
            webhooks: self.writes_webhooks.take(),
        }
    }

    /// Writes the entries of the piece of work in hand, which is done.
    pub(in crate::store) fn write(&self, db: Db<'_>) -> Result<(), Error> {
        let actor = self.actor.take().unwrap_or_else(|| Actor {
            via: Via::default(),
            who: None,
            request_id: None,
            at: clock_now(),
        });
        self.write_noted(db, &actor)?;
        if self.begun.get().is_some() {
            // The newest one may have been of a record that a later piece has taken back.
            self.seq.set(latest(db)?);
        }
        Ok(())
    }

    /// Writes the entries of what is noted of it so far, where that is much, as those of `actor`. Each record has one entry
    /// all the same, whatever the rest of the work does to it.
    pub(in crate::store) fn write_so_far(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        if self.noted() < PIECE {
            return Ok(());
        }
        if self.begun.get().is_none() {
            self.begun.set(Some(latest(db)?));
        }
        self.write_noted(db, actor)
    }

    /// Writes that everything was replaced, in the place of what is noted.
    pub(in crate::store) fn write_replaced(&self, db: Db<'_>, actor: &Actor) -> Result<(), Error> {
        self.forget_after(0);
        let given = latest(db)?.max(fill::above_all_before(actor.at));
        fill::replace(db.conn(), given, actor)?;
        self.is_much.set(true);
        self.seq.set(latest(db)?);
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
        let mut told = self.told.borrow_mut();
        for written in Written::of(notes) {
            let (table, sql) = sql::all().get(written.table).ok_or_else(|| gone("a table"))?;
            told.push((RowKind::from(table.kind), written.id));
            let outcome = written.outcome(db, sql, &mut told)?;
            if told.len() > MANY {
                self.is_much.set(true);
                told.clear();
            }
            let Some((op, difference)) = outcome else { continue };
            // No record is made under a number that another one has had.
            let earlier = match self.begun.get() {
                Some(begun) if !written.is_new() => again::earlier(db, table, written.id, begun)?,
                _ => None,
            };
            if let Some(earlier) = earlier {
                again::write(db, table, &earlier, op, &difference)?;
            } else {
                let (columns, before) = (difference.columns(), difference.values());
                let (op, via) = (op.code(), actor.via.code());
                insert.execute((
                    actor.at,
                    op,
                    table.name,
                    written.id,
                    via,
                    &actor.who,
                    &actor.request_id,
                    &*reason,
                    columns,
                    before,
                ))?;
                self.seq.set(u64::try_from(db.conn().last_insert_rowid()).unwrap_or_default());
            }
            if op == Op::Purged {
                forget_values(db, table, written.id)?;
            }
        }
        Ok(())
    }
}

/// Forgets what a record was that is gone for good, and what people and programs said when they wrote it. An import is taken back
/// by the ids of its requests, which therefore stay.
fn forget_values(db: Db<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let sql = "UPDATE changes SET before = NULL, reason = NULL, request_id = iif(via = ?3, request_id, NULL)
               WHERE id = ?1 AND kind = ?2";
    db.conn().prepare_cached(sql)?.execute((id, table.name, Via::Import.code()))?;
    Ok(())
}
