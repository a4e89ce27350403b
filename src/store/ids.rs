//! The ids that new records get: behind those that there are, and behind those that are reserved.

use super::{Db, Error, Tx};
use crate::domain::{Invalid, Reason};
use crate::records::Table;

/// Has the office give no id up to that one to a record of its own.
///
/// # Errors
/// Why the store cannot be written.
pub fn reserve(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO reserved_ids (resource, id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET id = max(id, ?2)",
    )?;
    statement.execute((table.name, id))?;
    Ok(())
}

/// The id that the next record of that table gets.
///
/// # Errors
/// `Refused` if none is left; why the store cannot be read.
pub fn next_id(db: Db<'_>, table: &Table) -> Result<u32, Error> {
    let sql = [
        "SELECT 1 + max(coalesce((SELECT max(id) FROM ",
        table.name,
        "), 0), coalesce((SELECT id FROM reserved_ids WHERE resource = ?1), 0))",
    ];
    let next: u64 = db.conn().prepare_cached(&sql.concat())?.query_row([table.name], |row| row.get(0))?;
    u32::try_from(next).map_err(|_| Error::Refused(Invalid::one("id", Reason::NoIdLeft { most: u32::MAX })))
}
