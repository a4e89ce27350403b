//! A record's row, as the statements that show records have it.

use rusqlite::types::{FromSql, ValueRef};

use crate::records::{Table, Value};
use crate::store::Error;

pub(super) fn value<'r>(row: &'r rusqlite::Row<'_>, at: usize) -> Result<Value<'r>, Error> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        other => Value::Text(other.as_str().map_err(rusqlite::Error::from)?.into()),
    })
}

/// A record as answers show it, in its row.
pub struct Row<'r>(pub(in crate::store) &'r rusqlite::Row<'r>);

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

    /// When it was deleted, in seconds since 1970, where it was.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn deleted_at(&self, table: &Table) -> Result<Option<i64>, Error> {
        self.behind(table, 1)
    }

    /// Why it was deleted, where somebody has said so.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn deleted_reason(&self, table: &Table) -> Result<Option<String>, Error> {
        self.behind(table, 2)
    }

    /// What stands behind the members of a record that can be deleted.
    fn behind<T: FromSql>(&self, table: &Table, number: usize) -> Result<Option<T>, Error> {
        if table.can_be_deleted() { Ok(self.0.get(table.fields.len() + number)?) } else { Ok(None) }
    }
}
