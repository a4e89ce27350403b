//! Keeps the write-ahead log short. SQLite checkpoints it automatically, but cannot reset it while reads
//! overlap. A single endless reader would make it grow until the disk is full.
//!
//! Litestream beside the store (always 42) always reads, so the log is never truncated there and its file stays long.
//! Only the frames that are not in the database yet show if the log is held up.

pub(in crate::store) mod database_mark;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY_TIMEOUT;
use crate::files;
use crate::store::Error;

/// Above this length in bytes, the log is checkpointed and truncated even if readers have to wait briefly. If that many
/// bytes cannot be copied into the database, the log counts as held up.
const MAX_LOG_BYTES: u64 = 64 * 1024 * 1024;
/// Time that the writer waits for readers to release the log.
const READER_TIMEOUT: Duration = Duration::from_millis(250);

/// The state of the log, for those who report it.
#[derive(Debug, Default)]
pub struct WalState {
    held: AtomicU64,
    keeps_erased: AtomicBool,
    has_litestream: AtomicBool,
}

impl WalState {
    /// Returns the bytes of the log that some reader keeps from being copied into the database. `None` if they are few.
    pub fn held_up(&self) -> Option<u64> {
        Some(self.held.load(Ordering::Relaxed)).filter(|held| *held > 0)
    }

    /// Returns `true` if the log still contains erased data.
    pub fn keeps_erased(&self) -> bool {
        self.keeps_erased.load(Ordering::Relaxed)
    }

    /// Returns `true` if Litestream replicates the store, or has done so.
    pub fn has_litestream(&self) -> bool {
        self.has_litestream.load(Ordering::Relaxed)
    }

    pub(super) fn set_litestream(&self, has_litestream: bool) {
        self.has_litestream.store(has_litestream, Ordering::Relaxed);
    }
}

pub(in crate::store) struct Wal {
    path: PathBuf,
    long: u64,
    /// Length at which the next truncation is attempted.
    next: u64,
    /// Bytes that have to stay free on the disk besides those that the log needs to be copied.
    reserve: u64,
    state: Arc<WalState>,
}

impl Wal {
    /// A log that is not empty may contain what was erased before the start.
    pub(in crate::store) fn of(conn: &Connection) -> Wal {
        let path = PathBuf::from(format!("{}-wal", conn.path().unwrap_or_default()));
        let wal = Wal {
            path,
            long: MAX_LOG_BYTES,
            next: MAX_LOG_BYTES,
            reserve: MAX_LOG_BYTES,
            state: Arc::default(),
        };
        wal.state.keeps_erased.store(wal.length() > 0, Ordering::Relaxed);
        wal
    }

    pub(in crate::store) fn state(&self) -> Arc<WalState> {
        self.state.clone()
    }

    fn length(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |log| log.len())
    }

    /// Truncates the log before a transaction if it is long. Returns `Full` if a reader prevents that and the disk has
    /// too little room for what the log holds.
    pub(in crate::store) fn tend(&mut self, conn: &Connection) -> Result<(), Error> {
        let length = self.length();
        if length < self.next {
            return Ok(());
        }
        if self.is_emptied(conn, READER_TIMEOUT)? {
            self.next = self.long;
            return Ok(());
        }
        let held = self.measure(conn)?;
        let room = fs4::available_space(files::folder_of(&self.path))?;
        if room < held.saturating_add(self.reserve) {
            return Err(Error::Full("a program that keeps reading an old state holds the log up".to_owned()));
        }
        // Not at every commit, since each attempt makes writers wait.
        self.next = length.saturating_add(self.long);
        Ok(())
    }

    /// Looks after the log between writes, once a minute: erases what is still in it, and notices if a reader holds it up
    /// or has let it go.
    pub(in crate::store) fn maintain(&mut self, conn: &Connection) -> Result<(), Error> {
        if self.state.keeps_erased() {
            // Other writes must not wait.
            self.is_emptied(conn, Duration::ZERO)?;
        }
        self.measure(conn).map(|_| ())
    }

    /// Copies what readers allow, and publishes how many bytes of the log are left. Returns their number.
    fn measure(&self, conn: &Connection) -> Result<u64, Error> {
        let mut held = 0;
        if self.length() >= self.long {
            let left =
                |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(1)?).saturating_sub(row.get::<_, i64>(2)?));
            let frames = conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], left)?;
            let page: u64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            held = u64::try_from(frames).unwrap_or_default().saturating_mul(page);
        }
        let published = if held >= self.long { held } else { 0 };
        let before = self.state.held.swap(published, Ordering::Relaxed);
        if published > before {
            let by_litestream = self.state.has_litestream();
            tracing::warn!(
                bytes = published,
                by_litestream,
                "a program that reads an old state holds the log up"
            );
        }
        Ok(held)
    }

    /// Checkpoints and truncates the log, because it contains erased data. If a long read prevents that, it is tried
    /// again once a minute. Litestream always reads, so there is nothing to wait for.
    pub(in crate::store) fn empty(&mut self, conn: &Connection) {
        self.state.keeps_erased.store(true, Ordering::Relaxed);
        let timeout = if self.state.has_litestream() { READER_TIMEOUT } else { BUSY_TIMEOUT };
        if !self.is_emptied(conn, timeout).unwrap_or(false) {
            tracing::warn!(
                "erased data stays in the write-ahead log until the program that reads it lets it go"
            );
        }
    }

    /// Checkpoints and truncates the log. Returns `true` if readers allowed it within `timeout`.
    fn is_emptied(&self, conn: &Connection, timeout: Duration) -> Result<bool, Error> {
        conn.busy_timeout(timeout)?;
        let is_busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        conn.busy_timeout(BUSY_TIMEOUT)?;
        let is_emptied = is_busy.is_ok_and(|is_busy| !is_busy);
        if is_emptied {
            self.state.held.store(0, Ordering::Relaxed);
            self.state.keeps_erased.store(false, Ordering::Relaxed);
        }
        Ok(is_emptied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::connection::open_writer;

    #[test]
    fn a_log_that_is_held_up_is_reported_and_refuses_writes_only_if_the_disk_is_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pleito.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number BLOB); INSERT INTO numbers VALUES (1)").unwrap();
        let mut wal = Wal { long: 1 << 20, next: 1 << 20, reserve: 0, ..Wal::of(&conn) };
        let length = || std::fs::metadata(folder.path().join("pleito.db-wal")).unwrap().len();
        let write = |wal: &mut Wal| {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
            wal.tend(&conn)
        };
        for _ in 0..100 {
            write(&mut wal).unwrap();
            assert!(length() < 2 << 20);
        }
        assert_eq!(wal.state.held_up(), None);
        // A reader that keeps its snapshot.
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM numbers").unwrap();
        reader.query_row("SELECT count(*) FROM numbers", [], |row| row.get::<_, u32>(0)).unwrap();
        for _ in 0..50 {
            write(&mut wal).unwrap();
        }
        assert!(length() > 4 << 20, "the length alone refuses nothing");
        assert!(wal.state.held_up().is_some_and(|held| held > 3 << 20), "{:?}", wal.state);
        wal.reserve = u64::MAX;
        wal.next = 0;
        assert!(matches!(wal.tend(&conn), Err(Error::Full(_))));
        drop(reader);
        wal.maintain(&conn).unwrap();
        assert_eq!(wal.state.held_up(), None);
        wal.tend(&conn).unwrap();
        assert_eq!(length(), 0);
    }

    /// As Litestream does, which lets the log go only to take it again after its own checkpoint.
    #[test]
    fn a_reader_of_the_newest_state_holds_nothing_up_and_erased_data_goes_when_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pleito.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number BLOB)").unwrap();
        let mut wal = Wal { long: 1 << 20, next: 1 << 20, ..Wal::of(&conn) };
        for _ in 0..20 {
            conn.execute("INSERT INTO numbers VALUES (zeroblob(100000))", []).unwrap();
        }
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN").unwrap();
        reader.query_row("SELECT count(*) FROM numbers", [], |row| row.get::<_, u32>(0)).unwrap();
        wal.state.set_litestream(true);
        wal.empty(&conn);
        assert!(wal.length() > 0 && wal.state.keeps_erased());
        wal.maintain(&conn).unwrap();
        assert!(wal.state.held_up().is_none() && wal.state.keeps_erased(), "{:?}", wal.state);
        drop(reader);
        wal.maintain(&conn).unwrap();
        assert!(wal.length() == 0 && !wal.state.keeps_erased());
    }
}
