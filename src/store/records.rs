//! Reads and writes the records of every noun, with SQL derived from their tables.

pub(super) mod columns;
pub mod external_ids;
pub mod full_records;
pub(super) mod ids;
pub mod timestamps;

pub mod deadline_counts;
pub mod deletion;
mod find_by_identifier;
mod has_records;
pub(in crate::store) mod hidden;
mod list_uses;
pub mod merges;
mod read_rows;
mod references;
mod sort;
pub(super) mod sql;
mod with_links;

use std::ops::RangeInclusive;

use rusqlite::Statement;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::{Db, Error, Tx, gone};
use crate::domain::id::Id;
use crate::domain::text::fold;
use crate::records::{Kind, Record, Source, Table, Value};

use sql::sql;

pub use find_by_identifier::{Holder, holders};
pub(in crate::store) use has_records::has_records;
pub use hidden::{hidden, is_hidden};
pub use list_uses::{is_used, uses};
pub use read_rows::{
    Row, search_all, search_each, show_deleted, show_each, show_list, view_deleted, view_each,
};
pub use references::{Dangling, dangling, ensure_whole};
pub use sort::{SortKey, can_be_sorted, in_order, sort_keys};
pub use with_links::{View, stored};

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Text(text) => ToSqlOutput::from(&**text),
            Value::Integer(number) => ToSqlOutput::from(*number),
            Value::Null | Value::Ids(_) => ToSqlOutput::Borrowed(ValueRef::Null),
        })
    }
}

pub(super) fn value<'r>(row: &'r rusqlite::Row<'_>, at: usize) -> Result<Value<'r>, Error> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        other => Value::Text(other.as_str().map_err(rusqlite::Error::from)?.into()),
    })
}

/// Stores a new record.
///
/// Returns `Refused` if it refers to a missing or deleted record, or if no id is left.
pub fn insert<R: Record>(tx: Tx<'_>, record: &R, now: i64) -> Result<Id<R>, Error> {
    let id = insert_values(tx, R::TABLE, &record.values(), now)?;
    Id::new(id.into()).ok_or_else(|| gone("a record"))
}

fn insert_values(tx: Tx<'_>, table: &'static Table, values: &[Value<'_>], now: i64) -> Result<u32, Error> {
    let sql = sql(table)?;
    references::ensure_live(*tx, table, values, None)?;
    let written = write(&mut *tx.conn().prepare_cached(&sql.insert)?, table, values, now, None);
    written.map_err(|cause| if_no_id_is_left(*tx, table, cause))?;
    let id = u32::try_from(tx.conn().last_insert_rowid()).map_err(|_| gone("a record"))?;
    link(tx, table, id, values)?;
    Ok(id)
}

/// Replaces the error of a failed insert with `Refused` if the table has no id left.
fn if_no_id_is_left(db: Db<'_>, table: &Table, cause: Error) -> Error {
    match (ids::next_id(db, table), &cause) {
        (Err(refused @ Error::Refused(_)), Error::Defect(_)) => refused,
        _ => cause,
    }
}

/// Overwrites a record and its links.
///
/// Returns `Refused` if a new reference points to a missing or deleted record.
pub fn update<R: Record>(tx: Tx<'_>, id: Id<R>, record: &R, now: i64) -> Result<(), Error> {
    update_values(tx, R::TABLE, id.get(), &record.values(), now)
}

fn update_values(
    tx: Tx<'_>,
    table: &'static Table,
    id: u32,
    values: &[Value<'_>],
    now: i64,
) -> Result<(), Error> {
    let sql = sql(table)?;
    references::ensure_live(*tx, table, values, Some(id))?;
    write(&mut *tx.conn().prepare_cached(&sql.update)?, table, values, now, Some(id))?;
    for links in &sql.links {
        tx.run(&links.clear, [id])?;
    }
    link(tx, table, id, values)
}

/// Binds the values of a record, then the folded forms that have their own columns, the time and the id.
fn write(
    statement: &mut Statement<'_>,
    table: &Table,
    values: &[Value<'_>],
    now: i64,
    id: Option<u32>,
) -> Result<(), Error> {
    let mut at = 0;
    let mut bind = |statement: &mut Statement<'_>, value: &dyn ToSql| {
        at += 1;
        statement.raw_bind_parameter(at, value)
    };
    let columns = || table.stored().zip(values).filter(|(field, _)| field.source == Source::Column);
    for (_, value) in columns() {
        bind(statement, value)?;
    }
    for (_, value) in columns().filter(|(field, _)| field.key.is_some()) {
        bind(statement, &value.text().map(fold))?;
    }
    if sql(table)?.has_moments {
        bind(statement, &now)?;
    }
    if let Some(id) = id {
        bind(statement, &id)?;
    }
    statement.raw_execute()?;
    Ok(())
}

/// Inserts the links of a record.
pub(super) fn link(tx: Tx<'_>, table: &Table, id: u32, values: &[Value<'_>]) -> Result<(), Error> {
    let linked = values.iter().filter_map(|value| if let Value::Ids(ids) = value { Some(ids) } else { None });
    for (links, ids) in sql(table)?.links.iter().zip(linked) {
        let mut statement = tx.conn().prepare_cached(&links.insert)?;
        for (position, other) in (0u32..).zip(ids) {
            statement.execute([id, position, *other])?;
        }
    }
    Ok(())
}

/// Replaces the links of the member `column` of a record.
pub fn replace_links(tx: Tx<'_>, table: &Table, column: &str, id: u32, others: &[u32]) -> Result<(), Error> {
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else { return Ok(()) };
    tx.run(&links.clear, [id])?;
    add_links(tx, table, column, id, others)
}

/// Appends links of the member `column` to a record, leaving out those that it already has.
pub fn add_links(tx: Tx<'_>, table: &Table, column: &str, id: u32, others: &[u32]) -> Result<(), Error> {
    let own = links(*tx, table, column, id)?;
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else { return Ok(()) };
    let mut statement = tx.conn().prepare_cached(&links.insert)?;
    let next: u32 = tx.value(&links.next, [id])?;
    let new = others.iter().filter(|other| !own.contains(other));
    for (position, other) in (next..).zip(new) {
        statement.execute([id, position, *other])?;
    }
    Ok(())
}

/// Returns a live record with its links. The caller opens a snapshot, so that both have the same state.
pub fn by_id<R: Record>(db: Db<'_>, id: Id<R>) -> Result<Option<R>, Error> {
    built(db, &sql(R::TABLE)?.read, id)
}

/// Like [`by_id`], deleted records included.
pub fn by_id_even_deleted<R: Record>(db: Db<'_>, id: Id<R>) -> Result<Option<R>, Error> {
    built(db, &sql(R::TABLE)?.read_any, id)
}

fn built<R: Record>(db: Db<'_>, select: &str, id: Id<R>) -> Result<Option<R>, Error> {
    let mut record = None;
    read(db, R::TABLE, select, id.get(), &mut |values| record = Some(R::build(values)))?;
    let incomplete = || Error::Defect("a row does not hold what it should".to_owned());
    record.map(|record| record.ok_or_else(incomplete)).transpose()
}

/// Returns the stored values of a live record, as [`Record::values`] does. The caller opens a snapshot.
pub fn values_by_id(db: Db<'_>, table: &Table, id: u32) -> Result<Option<Vec<Value<'static>>>, Error> {
    row_values(db, table, &sql(table)?.read, id)
}

fn row_values(
    db: Db<'_>,
    table: &Table,
    select: &str,
    id: u32,
) -> Result<Option<Vec<Value<'static>>>, Error> {
    let mut owned = None;
    let own = |values: Vec<Value<'_>>| values.into_iter().map(Value::into_owned).collect();
    read(db, table, select, id, &mut |values| owned = Some(own(values)))?;
    Ok(owned)
}

/// Calls `see` with the stored values of a record, its links included, if it exists.
fn read(
    db: Db<'_>,
    table: &Table,
    select: &str,
    id: u32,
    see: &mut dyn FnMut(Vec<Value<'_>>),
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(select)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    if is_hidden(db, table, id)? {
        return Ok(());
    }
    let mut values = Vec::with_capacity(table.fields.len());
    let mut at = 0;
    for field in table.stored() {
        values.push(match field.source {
            Source::Links(..) => Value::Ids(links(db, table, field.column, id)?),
            _ => {
                at += 1;
                value(row, at - 1)?
            }
        });
    }
    see(values);
    Ok(())
}

/// Returns the records that the member `column` of a record links to, in their stored order.
pub fn links(db: Db<'_>, table: &Table, column: &str, id: u32) -> Result<Vec<u32>, Error> {
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else {
        return Ok(Vec::new());
    };
    db.column(&links.read, [id])
}

/// Calls `see` with each record of the range, and the id and folded name of each record that its member
/// `column` links to, ordered by record. Without a range, covers all records in no order.
pub fn linked_names(
    db: Db<'_>,
    table: &Table,
    column: &str,
    ids: Option<RangeInclusive<u32>>,
    mut see: impl FnMut(u32, u32, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else { return Ok(()) };
    let names = if ids.is_some() { &links.names } else { &links.all_names };
    let mut statement = db.conn().prepare_cached(names)?;
    let range = ids.iter().flat_map(|ids| [*ids.start(), *ids.end()]);
    let mut rows = statement.query(rusqlite::params_from_iter(range))?;
    while let Some(row) = rows.next()? {
        see(row.get(0)?, row.get(1)?, row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?)?;
    }
    Ok(())
}

/// Returns the records whose member `column` links or refers to `other`, in ascending order, deleted ones
/// included.
pub fn linked_to(db: Db<'_>, table: &Table, column: &str, other: u32) -> Result<Vec<u32>, Error> {
    let sql = sql(table)?;
    let of_links = sql.links.iter().find(|links| links.column == column).map(|links| &links.of_one);
    let of_column = || sql.referring.iter().find(|own| own.column == column).map(|own| &own.of_one);
    let Some(of_one) = of_links.or_else(of_column) else { return Ok(Vec::new()) };
    db.column(of_one, [other])
}

/// Returns the id of the newest record that is not deleted.
pub fn newest(db: Db<'_>, table: &Table) -> Result<Option<u32>, Error> {
    let sql = ["SELECT id FROM ", table.name, " WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 1"].concat();
    db.first_value(&sql, [])
}

/// Returns the records whose member `column` refers to `other`, ordered by their day and then by id, newest
/// first.
pub fn newest_of(db: Db<'_>, table: &Table, column: &str, other: u32) -> Result<Vec<u32>, Error> {
    let referring = sql(table)?.referring.iter().find(|own| own.column == column);
    let Some(newest) = referring.and_then(|own| own.newest_of_one.as_ref()) else { return Ok(Vec::new()) };
    db.column(newest, [other])
}

/// Returns the records that refer to records of `kind` in the range, in no order and possibly repeated.
pub fn referring_to(
    db: Db<'_>,
    table: &Table,
    kind: Kind,
    others: RangeInclusive<u32>,
) -> Result<Vec<u32>, Error> {
    let mut referring = Vec::new();
    for own in sql(table)?.referring.iter().filter(|own| own.to == Some(kind)) {
        referring.extend(db.column::<u32>(&own.of_range, [others.start(), others.end()])?);
    }
    Ok(referring)
}

/// Returns the records that show names of records of `kind` in the range, in no order and possibly repeated.
pub fn naming(db: Db<'_>, table: &Table, kind: Kind, others: RangeInclusive<u32>) -> Result<Vec<u32>, Error> {
    let mut naming = Vec::new();
    for links in sql(table)?.links.iter().filter(|links| links.to == kind) {
        naming.extend(db.column::<u32>(&links.of_range, [others.start(), others.end()])?);
    }
    Ok(naming)
}

/// Returns by kind the records that those in the range link to, and those that they refer to if the referenced
/// record shows its referrers. The ids are in no order and may repeat.
pub fn linked_by(
    db: Db<'_>,
    table: &Table,
    ids: RangeInclusive<u32>,
) -> Result<Vec<(Kind, Vec<u32>)>, Error> {
    let sql = sql(table)?;
    let linking = sql.links.iter().map(|links| (links.to, &links.read_range));
    let referring = sql.referring.iter().filter_map(|own| Some((own.to?, own.read_range.as_ref()?)));
    let mut linked = Vec::new();
    for (to, read_range) in linking.chain(referring) {
        linked.push((to, db.column(read_range, [ids.start(), ids.end()])?));
    }
    Ok(linked)
}

/// Returns the 50 most frequent values of a column among the 2,000 newest records, most frequent first.
pub fn frequent(db: Db<'_>, table: &Table, column: &str) -> Result<Vec<String>, Error> {
    let Some(field) = table.field(column).filter(|field| field.source == Source::Column) else {
        return Err(gone("a column"));
    };
    let newest = ["SELECT ", field.column, " AS value FROM ", table.name, " ORDER BY id DESC LIMIT 2000"];
    let select = [
        "SELECT value FROM (",
        &newest.concat(),
        ") WHERE value IS NOT NULL GROUP BY value ORDER BY count(*) DESC, value LIMIT 50",
    ];
    db.column(&select.concat(), [])
}

/// Returns the highest id in use, deleted records included, or 0 if the table is empty.
pub fn highest_id(db: Db<'_>, table: &Table) -> Result<u32, Error> {
    let select = ["SELECT coalesce(max(id), 0) FROM ", table.name].concat();
    db.value(&select, [])
}

/// Returns those of the ids that belong to no record, to a deleted one, or to one that the caller may not see.
pub fn missing(db: Db<'_>, table: &Table, ids: &[u32]) -> Result<Vec<u32>, Error> {
    let read = &sql(table)?.read;
    let mut statement = db.conn().prepare_cached(read)?;
    let mut missing = Vec::new();
    for id in ids {
        if !statement.exists([id])? || is_hidden(db, table, *id)? {
            missing.push(*id);
        }
    }
    Ok(missing)
}
