//! Statements that run once in their function. The connection keeps them prepared.

use rusqlite::types::FromSql;
use rusqlite::{OptionalExtension, Params, Row};

use super::connection::{Db, Tx};
use crate::store::Error;

impl Db<'_> {
    /// Reads all rows.
    pub(in crate::store) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let mut statement = self.conn().prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Reads the first column of all rows.
    pub(in crate::store) fn column<T: FromSql>(
        &self,
        sql: &str,
        params: impl Params,
    ) -> Result<Vec<T>, Error> {
        self.all(sql, params, |row| row.get(0))
    }

    /// Reads the first row, if there is one.
    pub(in crate::store) fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        Ok(self.conn().prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    /// Reads the first column of the first row, if there is one.
    pub(in crate::store) fn first_value<T: FromSql>(
        &self,
        sql: &str,
        params: impl Params,
    ) -> Result<Option<T>, Error> {
        self.first(sql, params, |row| row.get(0))
    }

    /// Reads the only value of a query that always has one row.
    pub(in crate::store) fn value<T: FromSql>(&self, sql: &str, params: impl Params) -> Result<T, Error> {
        Ok(self.conn().prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
    }

    /// Returns `true` if there is a row.
    pub(in crate::store) fn has_row(&self, sql: &str, params: impl Params) -> Result<bool, Error> {
        Ok(self.conn().prepare_cached(sql)?.exists(params)?)
    }
}

impl Tx<'_> {
    /// Runs a statement that writes.
    pub(in crate::store) fn run(&self, sql: &str, params: impl Params) -> Result<(), Error> {
        self.changed(sql, params).map(drop)
    }

    /// Runs a statement that writes, and returns the number of rows that it wrote.
    pub(in crate::store) fn changed(&self, sql: &str, params: impl Params) -> Result<usize, Error> {
        Ok(self.conn().prepare_cached(sql)?.execute(params)?)
    }
}
