//! Conversion of ids from and to SQL values, and sequential access to the columns of a row.

use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::domain::id::Id;

impl<K> ToSql for Id<K> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.get()))
    }
}

impl<K> FromSql for Id<K> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = u64::column_result(value)?;
        Id::new(number).ok_or(FromSqlError::InvalidType)
    }
}

/// Reads the columns of a row in the order of its SELECT. Access by name would cost a string comparison per column.
pub(in crate::store) struct Cells<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Cells<'r> {
    pub(in crate::store) fn of(row: &'r Row<'r>) -> Cells<'r> {
        Cells { row, next: 0 }
    }

    pub(in crate::store) fn next<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }
}
