//! The history of a record for the console: each change with the values before and after.

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use super::members::PastValue;
use super::members::{ColumnValues, around, before, current, hidden_around, members, stored};
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
    let guest = |pair: &Json| Some((u32::try_from(pair.get(0)?.as_u64()?).ok()?, pair.get(1)?.as_i64()));
    let guests = values.get("guests").and_then(Json::as_array);
    guests.into_iter().flatten().filter_map(guest).collect()
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

/// Returns each value that a journal entry changed, with the value that the record has now, whoever may see them. `None` if
/// the record was erased. The caller opens a snapshot.
pub fn since(
    db: Db<'_>,
    table: &'static Table,
    entry: &JournalEntry,
) -> Result<Option<Vec<(PastValue, Value<'static>)>>, Problem> {
    let Some(now) = current(db, table, entry.id)? else { return Ok(None) };
    let [before, after] = around(db, table, entry)?;
    let fields = members(table, &entry.changed).into_iter().flat_map(|member| member.columns);
    let past = |field| PastValue { field, before: stored(field, &before), after: stored(field, &after) };
    Ok(Some(fields.map(|field| (past(field), stored(field, &now))).collect()))
}

/// A change of a record, with all values before and after it.
pub struct RecordChange {
    /// The number of the journal entry.
    pub seq: u64,
    pub act: Option<JournalAct>,
    /// `true` if the journal has forgotten the values, which then count as empty.
    pub is_erased: bool,
    before: ColumnValues,
    after: ColumnValues,
}

impl RecordChange {
    /// Returns the values of a member before and after the change. `None` if they are the same.
    pub fn of(&self, field: &Field) -> Option<[Value<'static>; 2]> {
        let [before, after] = [&self.before, &self.after];
        let is_changed = before.get(field.column) != after.get(field.column);
        is_changed.then(|| [before, after].map(|values| stored(field, values)))
    }
}

/// Returns the changes of a record, whoever may see them, oldest first. The caller opens a snapshot.
pub fn changes_of(db: Db<'_>, table: &'static Table, id: u32) -> Result<Vec<RecordChange>, Problem> {
    let mut after = current(db, table, id)?.unwrap_or_default();
    let mut changes = Vec::new();
    for entry in journal::changed_after(db, table.name, id, 0)?.iter().rev() {
        let mut earlier = after.clone();
        earlier.extend(before(entry));
        let is_erased = entry.before.is_none();
        changes.push(RecordChange {
            seq: entry.seq,
            act: entry.act(),
            is_erased,
            before: earlier.clone(),
            after,
        });
        after = earlier;
    }
    changes.reverse();
    Ok(changes)
}

/// A change of a column of ids.
pub struct IdsChange {
    /// The number of the journal entry.
    pub seq: u64,
    pub act: Option<JournalAct>,
    pub before: Vec<u32>,
    pub after: Vec<u32>,
}

impl IdsChange {
    /// Returns the ids that the change took out.
    pub fn gone(&self) -> impl Iterator<Item = u32> {
        self.before.iter().copied().filter(|id| !self.after.contains(id))
    }
}

/// Returns the changes of a column of ids, whoever may see them, oldest first. An erased value counts as empty. The caller
/// opens a snapshot.
pub fn changes_of_ids(
    db: Db<'_>,
    table: &'static Table,
    id: u32,
    field: &Field,
) -> Result<Vec<IdsChange>, Problem> {
    let changes = changes_of(db, table, id)?;
    let ids = |change: &RecordChange| {
        let [before, after] = change.of(field)?.map(|value| value.ids());
        Some(IdsChange { seq: change.seq, act: change.act, before, after })
    };
    Ok(changes.iter().filter_map(ids).collect())
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
