//! Deletion state of records, and the reasons for unknown ids.

use super::is_hidden;
use super::sql::{sql, trash_sql};
use crate::domain::Reason;
use crate::records::Table;
use crate::store::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Seconds since 1970.
    pub at: i64,
    /// The record that this one was merged into.
    pub merged_into: Option<u32>,
}

/// Returns the deletion of a record, or `None` if the record is live or never existed, or if the caller may not see it.
pub fn find(db: Db<'_>, table: &Table, id: u32) -> Result<Option<Deletion>, Error> {
    if !table.can_be_deleted() || is_hidden(db, table, id)? {
        return Ok(None);
    }
    let deletion = |row: &rusqlite::Row<'_>| Ok(Deletion { at: row.get(0)?, merged_into: row.get(1)? });
    db.first(&trash_sql(table)?.find, [id], deletion)
}

/// Follows merges from a deleted record to the one that is left. Returns its id, and `true` if it is deleted too. Returns
/// `None` if it was erased, or never existed.
pub fn remaining(db: Db<'_>, table: &Table, mut id: u32) -> Result<Option<(u32, bool)>, Error> {
    let mut read = db.conn().prepare_cached(&sql(table)?.read)?;
    loop {
        match find(db, table, id)? {
            Some(Deletion { merged_into: Some(into), .. }) => id = into,
            Some(_) => return Ok(Some((id, true))),
            None => return Ok(read.exists([id])?.then_some((id, false))),
        }
    }
}

/// Returns the reason why no live record has this id: deleted, merged into another one, or never existed.
pub fn why_missing(db: Db<'_>, table: &Table, id: u32) -> Result<Reason, Error> {
    let noun = table.noun;
    Ok(match find(db, table, id)? {
        None => Reason::UnknownRecord { noun, id },
        Some(Deletion { merged_into: None, .. }) => Reason::DeletedRecord { noun, id },
        Some(Deletion { merged_into: Some(into), .. }) => Reason::MergedRecord { noun, id, into },
    })
}
