//! Whether a store has records.

use rusqlite::Connection;

use crate::records::TABLES;
use crate::store::Error;

/// Returns `true` if a database has a record of any noun, in the trash too. One of an earlier schema lacks tables.
pub(in crate::store) fn has_records(conn: &Connection) -> Result<bool, Error> {
    for table in TABLES {
        let first = ["SELECT 1 FROM ", table.name, " LIMIT 1"].concat();
        if conn.table_exists(None::<&str>, table.name)? && conn.prepare(&first)?.exists([])? {
            return Ok(true);
        }
    }
    Ok(false)
}
