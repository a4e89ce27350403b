//! Reads records for API answers, pages and lists, row by row.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rusqlite::Statement;

use super::sql::{list_sql, search, sql, trash_sql};
use super::{is_hidden, value};
use crate::records::{List, Table, Value};
use crate::store::{Db, Error};

/// The row of a record, as selected for answers.
pub struct Row<'r>(&'r rusqlite::Row<'r>);

impl<'r> Row<'r> {
    pub fn id(&self) -> Result<u32, Error> {
        Ok(self.0.get(0)?)
    }

    /// Returns the value of the member at position `at` (from 0) of its table.
    pub fn value(&self, at: usize) -> Result<Value<'r>, Error> {
        value(self.0, at + 1)
    }

    /// Returns the time of deletion in seconds since 1970, or `None` for a live record. The column follows the
    /// members of `table`.
    pub fn deleted_at(&self, table: &Table) -> Result<Option<i64>, Error> {
        if table.can_be_deleted() { Ok(self.0.get(table.fields.len() + 1)?) } else { Ok(None) }
    }
}

impl<'r> Row<'r> {
    /// Returns the deletion reason and the record that this one was merged into. Only for rows from [`show_deleted`].
    pub fn why_deleted(&self, table: &Table) -> Result<(Option<&'r str>, Option<u32>), Error> {
        let behind = table.fields.len() + 2;
        let reason = self.0.get_ref(behind)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        Ok((reason, self.0.get(behind + 1)?))
    }
}

/// Calls `see` with each live record of `ids` that the caller may see, in that order. The caller opens a snapshot, so
/// that all of them have the same state.
///
/// Runs one statement per id. A single statement with all ids would have to sort them and then map the rows
/// back, which takes longer.
pub fn show_each(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by((db, table), &sql(table)?.show, ids, &mut see)
}

/// Like [`show_each`], with every field of the table, as pages need them.
pub fn view_each(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by((db, table), &sql(table)?.view, ids, &mut see)
}

/// Like [`view_each`], for deleted records only.
pub fn view_deleted(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by((db, table), &trash_sql(table)?.view, ids, &mut see)
}

/// Like [`show_each`], for deleted records only.
pub fn show_deleted(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by((db, table), &trash_sql(table)?.show, ids, &mut see)
}

fn show_by(
    (db, table): (Db<'_>, &Table),
    show: &str,
    ids: &[u32],
    see: &mut dyn FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(show)?;
    for id in ids {
        let mut rows = statement.query([id])?;
        if let Some(row) = rows.next()?
            && !is_hidden(db, table, *id)?
        {
            see(Row(row))?;
        }
    }
    Ok(())
}

/// Calls `see` with each entry of a list, in list order.
pub fn show_list(
    db: Db<'_>,
    list: List,
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(&list_sql(list)?.all)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        see(Row(row))?;
    }
    Ok(())
}

/// Calls `see` with the searchable values of each record in the range, ordered by id.
pub fn search_each(
    db: Db<'_>,
    table: &Table,
    ids: RangeInclusive<u32>,
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    search_by(&mut *db.conn().prepare_cached(&sql(table)?.search)?, ids, see)
}

/// Like [`search_each`], for all records, with the values of the fields at these positions only.
pub fn search_all(
    db: Db<'_>,
    table: &Table,
    positions: &BTreeSet<usize>,
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare(&search(table, |at| positions.contains(&at)))?;
    search_by(&mut statement, 0..=u32::MAX, see)
}

fn search_by(
    statement: &mut Statement<'_>,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        see(Row(row))?;
    }
    Ok(())
}
