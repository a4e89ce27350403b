//! The story of a record as people read it: each change with the members that it changed, before and after.

use super::members::{ColumnValues, around, members, stored};
use super::table_of;
use crate::http::Problem;
use crate::records::{Field, Table, Value};
use crate::store::Db;
use crate::store::journal::{self, JournalEntry, Op};

/// A change, and what it changed.
pub struct PastChange {
    /// The journal's entry.
    pub entry: JournalEntry,
    /// What the record is of; none of the store itself.
    pub table: Option<&'static Table>,
    /// The members, where it is known what they were.
    pub members: Vec<PastValue>,
}

/// A member that was changed.
pub struct PastValue {
    /// Which.
    pub field: &'static Field,
    /// What it was.
    pub before: Value<'static>,
    /// What it became.
    pub after: Value<'static>,
}

/// The newest changes of a record, newest first and `limit` at the most. The caller opens a snapshot.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_record(db: Db<'_>, table: &'static Table, id: u32, limit: u32) -> Result<Vec<PastChange>, Problem> {
    let entries = journal::newest_of(db, table.name, id, limit)?;
    entries.into_iter().map(|entry| of_entry(db, entry)).collect()
}

/// What the member in that column of a record was before the change of that number; none where that is not known.
///
/// # Errors
/// Why the store cannot be read.
pub fn before(
    db: Db<'_>,
    table: &'static Table,
    id: u32,
    seq: u64,
    column: &str,
) -> Result<Option<PastValue>, Problem> {
    let later = journal::changed_after(db, table.name, id, seq.saturating_sub(1))?;
    let Some(entry) = later.into_iter().next().filter(|entry| entry.seq == seq) else { return Ok(None) };
    Ok(of_entry(db, entry)?.members.into_iter().find(|member| member.field.column == column))
}

/// What an entry of the journal tells. The caller opens a snapshot.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_entry(db: Db<'_>, entry: JournalEntry) -> Result<PastChange, Problem> {
    let table = table_of(&entry.kind);
    let mut all = Vec::new();
    if let Some(table) = table.filter(|_| entry.op == Op::Updated && entry.before.is_some()) {
        let [before, after] = around(db, table, &entry)?;
        let value = |field, values: &ColumnValues| stored(field, values);
        let fields = members(table, &entry.changed).into_iter().flat_map(|member| member.columns);
        all.extend(fields.map(|field| PastValue {
            field,
            before: value(field, &before),
            after: value(field, &after),
        }));
    }
    Ok(PastChange { entry, table, members: all })
}
