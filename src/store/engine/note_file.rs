//! A database with one text: the smallest file that Litestream carries to another machine (always 43).

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::connection::{BUSY_TIMEOUT, private_file};
use crate::store::Error;

/// Sets the text of a file, and creates the file if it is missing.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    private_file(path)?;
    let conn = Connection::open(path)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.execute_batch(
        "CREATE TABLE IF NOT EXISTS note (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL) STRICT",
    )?;
    conn.execute("INSERT OR REPLACE INTO note (one, text) VALUES (1, ?1)", [text])?;
    Ok(())
}

/// Reads the text of a file.
pub fn read(path: &Path) -> Result<String, Error> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    Ok(conn.query_row("SELECT text FROM note", [], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.db");
        assert!(read(&path).is_err());
        write(&path, "{\"a\": 1}").unwrap();
        assert_eq!(read(&path).unwrap(), "{\"a\": 1}");
        write(&path, "").unwrap();
        assert_eq!(read(&path).unwrap(), "");
    }
}
