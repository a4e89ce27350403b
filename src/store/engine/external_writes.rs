//! Detects writes by other programs. SQLite's `data_version` counts, per connection, the commits of all other
//! connections. In this process only the writer's connection commits.

use rusqlite::Connection;

use crate::store::Error;

/// Commits by other connections that are already known.
pub(in crate::store) struct Others(i64);

impl Others {
    /// Starts from the current count of the writer's connection.
    pub(in crate::store) fn of(conn: &Connection) -> Result<Others, Error> {
        Ok(Others(data_version(conn)?))
    }

    /// Returns `true` if another connection has committed since the last call.
    pub(in crate::store) fn detected(&mut self, conn: &Connection) -> Result<bool, Error> {
        let now = data_version(conn)?;
        Ok(std::mem::replace(&mut self.0, now) != now)
    }
}

fn data_version(conn: &Connection) -> Result<i64, Error> {
    Ok(conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::connection::{open_to_look, open_writer};

    #[test]
    fn only_commits_of_other_connections_are_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number BLOB)").unwrap();
        let other = Connection::open(&path).unwrap();
        let count = |conn: &Connection| -> u32 {
            conn.query_row("SELECT count(*) FROM numbers", [], |row| row.get(0)).unwrap()
        };
        let mut others = Others::of(&conn).unwrap();
        let mut detected = || others.detected(&conn).unwrap();
        for checkpoint in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
            count(&other);
            assert!(!detected(), "its own commit");
            conn.query_row(&format!("PRAGMA wal_checkpoint({checkpoint})"), [], |_| Ok(())).unwrap();
            assert!(!detected(), "its own {checkpoint}");
            conn.execute_batch("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (1); ROLLBACK").unwrap();
            let reader = open_to_look(&path).unwrap();
            count(&reader);
            drop(reader);
            assert!(!detected(), "another connection that only reads");
            other.execute("INSERT INTO numbers VALUES (2)", []).unwrap();
            assert!(detected(), "a commit of another connection");
        }
    }
}
