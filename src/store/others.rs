//! Has another program written into the file? SQLite counts for every connection what all others commit, and in this process
//! only the writer's connection commits.

use rusqlite::Connection;

use super::Error;

/// The others' commits that are known of.
pub(super) struct Others(i64);

impl Others {
    /// All that there were up to now, as the writer's connection sees it.
    pub(super) fn of(conn: &Connection) -> Result<Others, Error> {
        Ok(Others(data_version(conn)?))
    }

    /// Whether there were more since this was asked the last time.
    pub(super) fn have_written(&mut self, conn: &Connection) -> Result<bool, Error> {
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
    use crate::store::connection::{open_to_look, open_writer};

    #[test]
    fn others_are_those_who_commit_over_another_connection_and_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number BLOB)").unwrap();
        let other = Connection::open(&path).unwrap();
        let count = |conn: &Connection| -> u32 {
            conn.query_row("SELECT count(*) FROM numbers", [], |row| row.get(0)).unwrap()
        };
        let mut others = Others::of(&conn).unwrap();
        let mut have_written = || others.have_written(&conn).unwrap();
        for checkpoint in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
            count(&other);
            assert!(!have_written(), "its own commit");
            conn.query_row(&format!("PRAGMA wal_checkpoint({checkpoint})"), [], |_| Ok(())).unwrap();
            assert!(!have_written(), "its own {checkpoint}");
            conn.execute_batch("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (1); ROLLBACK").unwrap();
            let reader = open_to_look(&path).unwrap();
            count(&reader);
            drop(reader);
            assert!(!have_written(), "a reader that comes and goes");
            other.execute("INSERT INTO numbers VALUES (2)", []).unwrap();
            assert!(have_written(), "another one's commit");
        }
    }
}
