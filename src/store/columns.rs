//! How the values of the domain stand in columns, both ways. What is read was written from such a value.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Row, Statement};

use super::Error;
use crate::domain::email::Email;
use crate::domain::id::Id;
use crate::domain::phone::Phone;
use crate::domain::tax_id::TaxId;
use crate::domain::text::Name;

macro_rules! texts {
    ($($type:ty),+ $(,)?) => {$(
        impl ToSql for $type {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.as_str()))
            }
        }

        impl FromSql for $type {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                String::column_result(value).map(<$type>::from_stored)
            }
        }
    )+};
}

texts!(Email, Name, Phone, TaxId);

impl<K: Copy> ToSql for Id<K> {
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

/// Binds values by the names of their parameters. They are looked up where they do not stand in the statement's own order.
pub(super) fn bind(statement: &mut Statement<'_>, values: &[(&str, &dyn ToSql)]) -> Result<(), Error> {
    for ((name, value), next) in values.iter().zip(1..) {
        let at = match statement.parameter_name(next) == Some(*name) {
            true => Some(next),
            false => statement.parameter_index(name)?,
        };
        let at = at.ok_or_else(|| Error::Defect(format!("no parameter {name}")))?;
        statement.raw_bind_parameter(at, value)?;
    }
    Ok(())
}

/// The columns of a row in the order that its SELECT lists them: reading by name would cost a comparison a column.
pub(super) struct Cells<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Cells<'r> {
    pub(super) fn of(row: &'r Row<'r>) -> Cells<'r> {
        Cells { row, next: 0 }
    }

    pub(super) fn next<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }
}
