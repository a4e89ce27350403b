//! The table `reserved_ids`: the highest number of a resource that must not be given out again, though no row may have it.

use rusqlite::{Connection, OptionalExtension};

use crate::store::Error;

/// Reserves all numbers of the resource up to `id`.
pub(in crate::store) fn reserve(conn: &Connection, resource: &str, id: u64) -> Result<(), Error> {
    let sql =
        "INSERT INTO reserved_ids (resource, id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET id = max(id, ?2)";
    conn.prepare_cached(sql)?.execute((resource, id))?;
    Ok(())
}

/// Returns the highest reserved number of the resource.
pub(in crate::store) fn highest(conn: &Connection, resource: &str) -> Result<Option<u64>, Error> {
    let sql = "SELECT id FROM reserved_ids WHERE resource = ?1";
    Ok(conn.query_row(sql, [resource], |row| row.get(0)).optional()?)
}

pub(in crate::store) fn forget(conn: &Connection, resource: &str) -> Result<(), Error> {
    conn.execute("DELETE FROM reserved_ids WHERE resource = ?1", [resource])?;
    Ok(())
}
