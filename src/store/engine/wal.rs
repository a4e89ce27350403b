//! Keeps the write-ahead log short. SQLite checkpoints it automatically, but cannot reset it while reads
//! overlap. A single endless reader would make it grow until the disk is full.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY;
use crate::store::Error;

/// Above this length in bytes, the log is checkpointed and truncated even if readers have to wait briefly.
const LONG: u64 = 64 * 1024 * 1024;
/// Above this length in bytes, writes are refused while a reader prevents the truncation.
const LONGEST: u64 = 1024 * 1024 * 1024;
/// Time that the writer waits for readers to release the log.
const TIMEOUT: Duration = Duration::from_millis(250);

pub(in crate::store) struct Wal {
    path: PathBuf,
    long: u64,
    longest: u64,
    /// Length at which the next truncation is attempted.
    next: u64,
    /// Set if the log still contains erased data and has to be truncated.
    is_owed: bool,
}

impl Wal {
    pub(in crate::store) fn of(conn: &Connection) -> Wal {
        let path = conn.path().unwrap_or_default();
        Wal { path: format!("{path}-wal").into(), long: LONG, longest: LONGEST, next: LONG, is_owed: false }
    }

    /// Truncates the log before a transaction if it is long. Returns `Unavailable` if it is too long and a
    /// reader prevents that.
    pub(in crate::store) fn tend(&mut self, conn: &Connection) -> Result<(), Error> {
        if self.is_owed {
            // Runs at every commit, so it must not wait.
            self.is_owed = !is_emptied(conn, Duration::ZERO)?;
        }
        let length = std::fs::metadata(&self.path).map_or(0, |log| log.len());
        if length < self.next {
            return Ok(());
        }
        if is_emptied(conn, TIMEOUT)? {
            self.next = self.long;
            return Ok(());
        }
        tracing::warn!(length, "a long read by some program prevents the truncation of the write-ahead log");
        // Not at every commit, since each attempt makes writers wait.
        self.next = length.saturating_add(self.long).min(self.longest);
        match length >= self.longest {
            true => Err(Error::Unavailable(
                "a program that keeps reading an old state holds the log up".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Checkpoints and truncates the log, because it contains erased data. If a long read prevents that, later
    /// writes try again.
    pub(in crate::store) fn empty(&mut self, conn: &Connection) {
        self.is_owed = !is_emptied(conn, BUSY).unwrap_or(false);
        if self.is_owed {
            tracing::warn!("erased data stays in the write-ahead log until a long read ends");
        }
    }
}

/// Checkpoints and truncates the log. Returns `true` if readers allowed it within `patience`.
fn is_emptied(conn: &Connection, patience: Duration) -> Result<bool, Error> {
    conn.busy_timeout(patience)?;
    let is_busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    conn.busy_timeout(BUSY)?;
    Ok(is_busy.is_ok_and(|is_busy| !is_busy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::connection::open_writer;

    #[test]
    fn the_log_is_truncated_when_long_and_writes_fail_if_it_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pleito.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number BLOB); INSERT INTO numbers VALUES (1)").unwrap();
        let mut wal = Wal { long: 1 << 20, longest: 3 << 20, next: 1 << 20, ..Wal::of(&conn) };
        let length = || std::fs::metadata(folder.path().join("pleito.db-wal")).unwrap().len();
        let write = |wal: &mut Wal| {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
            wal.tend(&conn)
        };
        for _ in 0..100 {
            write(&mut wal).unwrap();
            assert!(length() < 2 << 20);
        }
        // A reader that keeps its snapshot.
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM numbers").unwrap();
        reader.query_row("SELECT count(*) FROM numbers", [], |row| row.get::<_, u32>(0)).unwrap();
        let held = (0..100).take_while(|_| write(&mut wal).is_ok()).count();
        assert!((20..60).contains(&held), "{held}");
        assert!(length() < 4 << 20);
        drop(reader);
        wal.tend(&conn).unwrap();
        assert_eq!(length(), 0);
    }
}
