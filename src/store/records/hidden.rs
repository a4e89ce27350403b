//! Records that a caller does not see as a whole, because they belong to a record of a noun that the caller may not see
//! (office 55).

use crate::records::Table;
use crate::store::{Db, Error};

/// Returns `true` if the caller may not see this record, live or deleted.
pub fn is_hidden(db: Db<'_>, table: &Table, id: u32) -> Result<bool, Error> {
    let Some(column) = db.nouns().hiding(table) else { return Ok(false) };
    let select = ["SELECT 1 FROM ", table.name, " WHERE id = ?1 AND ", column, " IS NOT NULL"].concat();
    Ok(db.conn().prepare_cached(&select)?.exists([id])?)
}

/// Returns all records of a table that the caller may not see, in ascending order.
pub fn hidden(db: Db<'_>, table: &Table) -> Result<Vec<u32>, Error> {
    let Some(column) = db.nouns().hiding(table) else { return Ok(Vec::new()) };
    let select = ["SELECT id FROM ", table.name, " WHERE ", column, " IS NOT NULL ORDER BY id"].concat();
    let mut statement = db.conn().prepare_cached(&select)?;
    let ids = statement.query_map([], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
