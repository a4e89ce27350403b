//! Ids for new records: higher than every existing and every reserved id of the table.

use crate::domain::{Invalid, Reason};
use crate::records::Table;
use crate::store::{Db, Error, Tx};

/// Reserves all ids up to `id`, so that new records get higher ids.
pub fn reserve(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO reserved_ids (resource, id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET id = max(id, ?2)",
    )?;
    statement.execute((table.name, id))?;
    Ok(())
}

/// Returns the id for the next new record of a table, or `Refused` if no id is left.
pub fn next_id(db: Db<'_>, table: &Table) -> Result<u32, Error> {
    let sql = [
        "SELECT 1 + max(coalesce((SELECT max(id) FROM ",
        table.name,
        "), 0), coalesce((SELECT id FROM reserved_ids WHERE resource = ?1), 0))",
    ];
    let next: u64 = db.conn().prepare_cached(&sql.concat())?.query_row([table.name], |row| row.get(0))?;
    u32::try_from(next).map_err(|_| Error::Refused(Invalid::one("id", Reason::NoIdLeft { most: u32::MAX })))
}
