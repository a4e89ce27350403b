//! Records as answers, pages and lists look at them: row by row, each shown to who asks.

use std::ops::RangeInclusive;

use super::sql::{list_sql, sql, trash_sql};
use super::value;
use crate::records::{List, Table, Value};
use crate::store::{Db, Error};

/// A record as answers show it, in its row.
pub struct Row<'r>(&'r rusqlite::Row<'r>);

impl<'r> Row<'r> {
    /// Its id.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn id(&self) -> Result<u32, Error> {
        Ok(self.0.get(0)?)
    }

    /// The value of the member that is at that place in its table, counted from 0.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn value(&self, at: usize) -> Result<Value<'r>, Error> {
        value(self.0, at + 1)
    }

    /// When it was deleted, in seconds since 1970, where it was: that stands behind the members of `table`.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn deleted_at(&self, table: &Table) -> Result<Option<i64>, Error> {
        if table.can_be_deleted() { Ok(self.0.get(table.fields.len() + 1)?) } else { Ok(None) }
    }
}

impl<'r> Row<'r> {
    /// Why it was deleted, and the record that has taken its place, as [`show_deleted`] has them.
    ///
    /// # Errors
    /// Where the row is damaged, or another one.
    pub fn why_deleted(&self, table: &Table) -> Result<(Option<&'r str>, Option<u32>), Error> {
        let behind = table.fields.len() + 2;
        let reason = self.0.get_ref(behind)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        Ok((reason, self.0.get(behind + 1)?))
    }
}

/// Shows `see` the records with those ids, in that order; an id that is not there, or was deleted, is left out. The caller
/// opens a snapshot, in which all of them are of the same state.
///
/// A statement that is run again for each id: one that gets all ids at once has to sort them first and to find out
/// afterwards which row belongs where, which takes longer.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn show_each(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by(db, &sql(table)?.show, ids, see)
}

/// The same with all rows of their table, as pages have them.
///
/// # Errors
/// Likewise.
pub fn view_each(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by(db, &sql(table)?.view, ids, see)
}

/// The same of deleted records alone.
///
/// # Errors
/// Likewise.
pub fn view_deleted(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by(db, &trash_sql(table)?.view, ids, see)
}

/// What answers show of deleted records alone.
///
/// # Errors
/// Likewise.
pub fn show_deleted(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    show_by(db, &trash_sql(table)?.show, ids, see)
}

fn show_by(
    db: Db<'_>,
    show: &str,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(show)?;
    for id in ids {
        let mut rows = statement.query([id])?;
        if let Some(row) = rows.next()? {
            see(Row(row))?;
        }
    }
    Ok(())
}

/// Shows `see` the entries of a list, in their order.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
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

/// Shows `see` what lists look at, of the records whose ids are in the range, by id.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn search_each(
    db: Db<'_>,
    table: &Table,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(&sql(table)?.search)?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        see(Row(row))?;
    }
    Ok(())
}
