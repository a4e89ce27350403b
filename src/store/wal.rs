//! The write-ahead log is kept short: SQLite moves it into the file as it goes, but under unbroken reads it never gets to
//! begin anew, and one reader that never ends would make it grow until the disk is full.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::Error;
use super::connection::BUSY;

/// Past this length, in bytes, the log is moved and emptied even if readers have to wait for it a little.
const LONG: u64 = 64 * 1024 * 1024;
/// Past this length nothing more is written while somebody keeps it from being emptied.
const LONGEST: u64 = 1024 * 1024 * 1024;
/// How long the writer waits for readers to let go of the log.
const PATIENCE: Duration = Duration::from_millis(250);

/// The log beside the store's file.
pub(super) struct Wal {
    path: PathBuf,
    long: u64,
    longest: u64,
    /// The length at which it is emptied next.
    next: u64,
    /// Whether it still has to be emptied because it holds what was erased.
    is_owed: bool,
}

impl Wal {
    pub(super) fn of(conn: &Connection) -> Wal {
        let path = conn.path().unwrap_or_default();
        Wal { path: format!("{path}-wal").into(), long: LONG, longest: LONGEST, next: LONG, is_owed: false }
    }

    /// Looks at the log before a transaction, and empties it where it is long.
    ///
    /// # Errors
    /// `Unavailable` where it has become too long and a reader stands in the way.
    pub(super) fn tend(&mut self, conn: &Connection) -> Result<(), Error> {
        if self.is_owed {
            // At every commit, so without waiting.
            self.is_owed = !is_emptied(conn, Duration::ZERO)?;
        }
        let length = std::fs::metadata(&self.path).map_or(0, |log| log.len());
        if length < self.next {
            return Ok(());
        }
        if is_emptied(conn, PATIENCE)? {
            self.next = self.long;
            return Ok(());
        }
        tracing::warn!(length, "a long read by some program keeps the write-ahead log from being emptied");
        // Not at every commit, since each try makes writers wait.
        self.next = length.saturating_add(self.long).min(self.longest);
        match length >= self.longest {
            true => Err(Error::Unavailable(
                "a program that keeps reading an old state holds the log up".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Moves all of the log into the file and empties it, since it holds what was erased. If a long read stands in the way,
    /// the next writes try again.
    pub(super) fn empty(&mut self, conn: &Connection) {
        self.is_owed = !is_emptied(conn, BUSY).unwrap_or(false);
        if self.is_owed {
            tracing::warn!("a long read keeps what was erased in the write-ahead log until it ends");
        }
    }
}

/// Moves all of the log into the file and empties it; whether readers let that happen within `patience`.
fn is_emptied(conn: &Connection, patience: Duration) -> Result<bool, Error> {
    conn.busy_timeout(patience)?;
    let is_busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    conn.busy_timeout(BUSY)?;
    Ok(is_busy.is_ok_and(|is_busy| !is_busy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::connection::open_writer;

    #[test]
    fn the_log_is_emptied_when_it_is_long_and_bounded_when_it_cannot_be() {
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
        // A reader that stays where it is.
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
