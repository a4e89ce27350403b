//! Whether a record is in the trash, and why nothing has an id.

use rusqlite::OptionalExtension;

use super::sql::trash_sql;
use crate::domain::Reason;
use crate::records::Table;
use crate::store::{Db, Error};

/// That a record was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The record that has taken its place.
    pub merged_into: Option<u32>,
}

/// When a record was deleted; none where it is there, or never was.
///
/// # Errors
/// Why the store cannot be read.
pub fn find(db: Db<'_>, table: &Table, id: u32) -> Result<Option<Deletion>, Error> {
    if !table.can_be_deleted() {
        return Ok(None);
    }
    let mut statement = db.conn().prepare_cached(&trash_sql(table)?.find)?;
    let deletion = |row: &rusqlite::Row<'_>| Ok(Deletion { at: row.get(0)?, merged_into: row.get(1)? });
    Ok(statement.query_row([id], deletion).optional()?)
}

/// Why no record has that id: it was deleted, merged into another one, or never was.
///
/// # Errors
/// Why the store cannot be read.
pub fn why_missing(db: Db<'_>, table: &Table, id: u32) -> Result<Reason, Error> {
    let noun = table.noun;
    Ok(match find(db, table, id)? {
        None => Reason::UnknownRecord { noun, id },
        Some(Deletion { merged_into: None, .. }) => Reason::DeletedRecord { noun, id },
        Some(Deletion { merged_into: Some(into), .. }) => Reason::MergedRecord { noun, id, into },
    })
}
