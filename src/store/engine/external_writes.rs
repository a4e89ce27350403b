//! Detects writes by other programs. SQLite's `data_version` counts, per connection, the commits of all other
//! connections. In this process only the writer's connection commits.
//!
//! Litestream, which may replicate the store (always 42), commits to its own tables at each checkpoint. A change that
//! these tables explain is no write to the store.

use std::mem;

use rusqlite::Connection;

use crate::store::{Db, Error, journal};

/// Tables that Litestream adds to a database that it replicates (litestream.io).
pub(in crate::store) const LITESTREAM: [&str; 2] = ["_litestream_lock", "_litestream_seq"];

/// One statement, so that all values belong to one state of the file.
const WITH_LITESTREAM: &str = "SELECT data_version, schema_version,
    (SELECT group_concat(id || ' ' || seq) FROM _litestream_seq) || '; '
        || coalesce((SELECT group_concat(id) FROM _litestream_lock), '')
    FROM pragma_data_version, pragma_schema_version";
const WITHOUT_LITESTREAM: &str =
    "SELECT data_version, schema_version, NULL FROM pragma_data_version, pragma_schema_version";

/// The state of the file at the last commit by another connection that is already known.
pub(in crate::store) struct FileVersion {
    data_version: i64,
    schema_version: i64,
    /// The rows of Litestream's tables, or `None` if there are none.
    litestream: Option<String>,
}

impl FileVersion {
    /// Starts from the current state, as the writer's connection sees it.
    pub(in crate::store) fn of(conn: &Connection) -> Result<FileVersion, Error> {
        match FileVersion::read(conn, WITH_LITESTREAM) {
            // A cached statement fails only when it runs if the tables are gone, as after a restore.
            Err(cause) if cause.to_string().contains("no such table") => {
                Ok(FileVersion::read(conn, WITHOUT_LITESTREAM)?)
            }
            version => Ok(version?),
        }
    }

    fn read(conn: &Connection, sql: &str) -> Result<FileVersion, rusqlite::Error> {
        conn.prepare_cached(sql)?.query_row([], |row| {
            Ok(FileVersion {
                data_version: row.get(0)?,
                schema_version: row.get(1)?,
                litestream: row.get(2)?,
            })
        })
    }

    /// Returns `true` if another connection has written to the store since the last call. `seq` is the number of the
    /// newest journal entry that the writer knows.
    pub(in crate::store) fn detected(&mut self, conn: &Connection, seq: u64) -> Result<bool, Error> {
        if data_version(conn)? == self.data_version {
            return Ok(false);
        }
        let now = FileVersion::of(conn)?;
        let before = mem::replace(self, now);
        let is_explained = self.litestream.is_some()
            && self.litestream != before.litestream
            && self.schema_version == before.schema_version
            && journal::latest(Db::new(conn))? == seq;
        Ok(!is_explained)
    }

    /// Returns `true` if Litestream replicates the store, or has done so.
    pub(in crate::store) fn has_litestream(&self) -> bool {
        self.litestream.is_some()
    }
}

fn data_version(conn: &Connection) -> Result<i64, Error> {
    Ok(conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::connection::{open_to_check, open_writer};
    use crate::store::{FILE, Store};

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
        let mut others = FileVersion::of(&conn).unwrap();
        let mut detected = || others.detected(&conn, 0).unwrap();
        for checkpoint in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
            count(&other);
            assert!(!detected(), "its own commit");
            conn.query_row(&format!("PRAGMA wal_checkpoint({checkpoint})"), [], |_| Ok(())).unwrap();
            assert!(!detected(), "its own {checkpoint}");
            conn.execute_batch("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (1); ROLLBACK").unwrap();
            let reader = open_to_check(&path).unwrap();
            count(&reader);
            drop(reader);
            assert!(!detected(), "another connection that only reads");
            other.execute("INSERT INTO numbers VALUES (2)", []).unwrap();
            assert!(detected(), "a commit of another connection");
        }
    }

    #[test]
    fn the_rows_of_litestream_explain_a_commit_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let conn = open_writer(&folder.path().join(FILE)).unwrap();
        let other = Connection::open(folder.path().join(FILE)).unwrap();
        let seq = journal::latest(Db::new(&conn)).unwrap();
        let mut others = FileVersion::of(&conn).unwrap();
        let mut detected = |sql: &str| {
            other.execute_batch(sql).unwrap();
            others.detected(&conn, seq).unwrap()
        };
        let begins = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
            CREATE TABLE _litestream_lock (id INTEGER); INSERT INTO _litestream_seq VALUES (1, 1)";
        assert!(detected(begins), "the schema is another one");
        let checkpoint = "UPDATE _litestream_seq SET seq = seq + 1";
        for _ in 0..3 {
            assert!(!detected(checkpoint), "a checkpoint of Litestream");
        }
        assert!(detected("UPDATE origins SET name = 'By hand' WHERE id = 1"), "a row changed by hand");
        let entry = "; INSERT INTO changes (at, op, kind, id, via) VALUES (1, 2, 'origins', 1, 1)";
        assert!(detected(&[checkpoint, entry].concat()), "another program with a journal");
        assert!(detected("CREATE TABLE visits (x)"), "a table made by hand");
        assert!(detected("DROP TABLE _litestream_seq; DROP TABLE _litestream_lock"), "a restore from before");
        assert!(!others.has_litestream());
    }
}
