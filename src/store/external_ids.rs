//! Names of records in other systems, each belonging to one record of its table (resources 10).
//!
//! A record has its own in a column, as a JSON array. Triggers of its table keep `external_ids`, by which a record is found
//! and in which no name of a table can stand twice.

use rusqlite::OptionalExtension;

use super::{Db, Error, Tx};
use crate::domain::ExternalId;
use crate::records::Table;

/// The record of that table which has that name, if there is one; a deleted one keeps its names.
///
/// # Errors
/// Why the store cannot be read.
pub fn holder(db: Db<'_>, table: &Table, id: &ExternalId) -> Result<Option<u32>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT id FROM external_ids WHERE resource = ?1 AND external_id = ?2")?;
    Ok(statement.query_row([table.name, id.as_str()], |row| row.get(0)).optional()?)
}

/// Notes a name of a record whose table has no member for such. Another record loses it.
///
/// # Errors
/// Why the store cannot be written.
pub fn note(tx: Tx<'_>, table: &Table, id: u32, name: &ExternalId) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT OR REPLACE INTO external_ids (resource, external_id, id) VALUES (?1, ?2, ?3)",
    )?;
    statement.execute((table.name, name.as_str(), id))?;
    Ok(())
}
