//! The history of a record for the console: each change with the values before and after.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::members::{ColumnValues, around, before, current, hidden_around, members, stored, value_of};
pub use super::members::{Link, PastValue};
use super::table_of;
use crate::http::Problem;
use crate::records::{Field, Table, Value};
use crate::store::Db;
use crate::store::journal::{self, JournalAct, JournalEntry, Op};

/// A journal entry with the values that it changed.
pub struct PastChange {
    pub entry: JournalEntry,
    /// `None` for an entry of the whole store.
    pub table: Option<&'static Table>,
    /// The changed members of an update; empty if the old values were erased.
    pub members: Vec<PastValue>,
    /// The guests of an updated task before and after the change.
    pub guests: [Completions; 2],
}

/// Returns at most `limit` changes of a record, newest first, of what the caller may see. The caller opens a snapshot.
pub fn of_record(db: Db<'_>, table: &'static Table, id: u32, limit: u32) -> Result<Vec<PastChange>, Problem> {
    let mut changes = Vec::new();
    for entry in journal::newest_of(db, table.name, id, limit)? {
        let is_erased = entry.before.is_none();
        let change = of_entry(db, entry)?;
        // An update whose members are all hidden from the caller is hidden as well.
        if change.entry.op != Op::Updated || is_erased || !change.members.is_empty() || db.nouns().is_all() {
            changes.push(change);
        }
    }
    Ok(changes)
}

/// The guests of a task, each with the time of completion in seconds since 1970.
pub type Completions = BTreeMap<u32, Option<i64>>;

fn completions(values: &ColumnValues) -> Completions {
    let guests = values.get("guests").and_then(Json::as_array).into_iter().flatten();
    guests.filter_map(Link::read).map(|guest| (guest.id, guest.done_at)).collect()
}

/// Returns the values that change `seq` gave to a record, with those before it, of what the caller may see. Empty if that
/// change is unknown.
pub fn of_change(db: Db<'_>, table: &'static Table, id: u32, seq: u64) -> Result<Vec<PastValue>, Problem> {
    let later = journal::changed_after(db, table.name, id, seq.saturating_sub(1))?;
    match later.into_iter().next().filter(|entry| entry.seq == seq) {
        Some(entry) => Ok(of_entry(db, entry)?.members),
        None => Ok(Vec::new()),
    }
}

/// All changes of a record, whoever may see them.
pub struct RecordChanges {
    now: ColumnValues,
    /// The entries, each with the values before it, oldest first.
    entries: Vec<(JournalEntry, ColumnValues)>,
}

impl RecordChanges {
    /// Reads the changes of a record. `None` if it was erased. The caller opens a snapshot.
    pub fn read(db: Db<'_>, table: &'static Table, id: u32) -> Result<Option<RecordChanges>, Problem> {
        let Some(now) = current(db, table, id)? else { return Ok(None) };
        let entries = journal::changed_after(db, table.name, id, 0)?.into_iter();
        let entries = entries.map(|entry| {
            let before = before(&entry);
            (entry, before)
        });
        Ok(Some(RecordChanges { now, entries: entries.collect() }))
    }

    /// Returns the changes of one member, oldest first.
    pub fn of(&self, field: &'static Field) -> Vec<MemberChange> {
        let mut after = self.now.get(field.column).cloned().unwrap_or_default();
        let mut changes = Vec::new();
        for (entry, before) in self.entries.iter().rev() {
            let Some(before) = before.get(field.column).filter(|before| **before != after) else { continue };
            changes.push(MemberChange { seq: entry.seq, act: entry.act(), before: before.clone(), after });
            after = before.clone();
        }
        changes.reverse();
        changes
    }
}

pub struct MemberChange {
    /// The number of the journal entry.
    pub seq: u64,
    pub act: Option<JournalAct>,
    /// Null if the journal has forgotten it.
    before: Json,
    after: Json,
}

impl MemberChange {
    /// Returns the values before and after the change.
    pub fn values(&self) -> [Value<'static>; 2] {
        [&self.before, &self.after].map(value_of)
    }

    /// Returns the records that the member referred to before and after the change.
    pub fn links(&self) -> [Vec<Link>; 2] {
        [&self.before, &self.after].map(|json| match json {
            Json::Array(all) => all.iter().filter_map(Link::read).collect(),
            one => Link::read(one).into_iter().collect(),
        })
    }
}

/// Reads the values that a journal entry changed, of those that the caller may see. The caller opens a snapshot.
pub fn of_entry(db: Db<'_>, entry: JournalEntry) -> Result<PastChange, Problem> {
    let table = table_of(&entry.kind);
    let mut all = Vec::new();
    let mut guests = <[Completions; 2]>::default();
    if let Some(table) = table.filter(|_| entry.op == Op::Updated && entry.before.is_some())
        && hidden_around(db, table, &entry)? == [false; 2]
    {
        let [before, after] = around(db, table, &entry)?;
        let value = |field, values: &ColumnValues| stored(field, values);
        let fields = members(table, &entry.changed).into_iter().flat_map(|member| member.columns);
        let seen = fields.filter(|field| db.nouns().reveal(table, field));
        all.extend(seen.map(|field| PastValue {
            field,
            before: value(field, &before),
            after: value(field, &after),
        }));
        guests = [completions(&before), completions(&after)];
    }
    Ok(PastChange { entry, table, members: all, guests })
}
