//! SQLite connections: their settings, and the two views of a connection for the rest of the program.
//!
//! `Db` reads, and `Tx` also writes. Only `store` can access the SQLite connection in either, so all SQL stays in
//! `store`.

use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::migrate;
use crate::domain::court_of;
use crate::domain::text::fold;
use crate::files;
use crate::records::Nouns;
use crate::store::Error;
use crate::store::access::revocations::{EndedRights, Revocation, Revocations};
use crate::store::journal::change_log::ChangeLog;
use crate::store::journal::{Actor, JournalAct};

/// Time that a statement waits for the lock of another process before it fails.
pub(in crate::store) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Page cache of a connection that writes, in MiB.
pub(in crate::store) const WRITER_CACHE: i64 = 16;

/// A connection for reading.
#[derive(Clone, Copy)]
pub struct Db<'c> {
    conn: &'c Connection,
    nouns: Nouns,
    revocations: Option<&'c Revocations>,
    /// The revocations that were pending when the read transaction began.
    earlier: &'c [Revocation],
}

impl<'c> Db<'c> {
    pub(in crate::store) fn new(conn: &'c Connection) -> Db<'c> {
        Db { conn, nouns: Nouns::ALL, revocations: None, earlier: &[] }
    }

    /// Returns the connection with the rights that have ended, although the store still has them.
    pub(in crate::store) fn with(self, revocations: &'c Revocations) -> Db<'c> {
        Db { revocations: Some(revocations), ..self }
    }

    /// Returns the rights that have ended, although the store still has them. Empty in the writer's transactions, which
    /// see the store as it is.
    pub(in crate::store) fn ended(&self) -> EndedRights {
        self.revocations.map(|revocations| revocations.since(self.earlier)).unwrap_or_default()
    }

    /// Returns the connection as a caller uses it who may see only these nouns. Lists, searches, counts and
    /// [`View`](crate::store::records::View) leave out the records of others, and what members show of them.
    pub fn seen_by(self, nouns: Nouns) -> Db<'c> {
        Db { nouns, ..self }
    }

    /// Returns the nouns that the caller may see.
    pub fn nouns(&self) -> Nouns {
        self.nouns
    }

    pub(in crate::store) fn conn(&self) -> &'c Connection {
        self.conn
    }

    /// Runs `work` in a read transaction, so that all of its statements see the same state of the store.
    pub fn snapshot<T, E: From<Error>>(&self, work: impl FnOnce(Db<'_>) -> Result<T, E>) -> Result<T, E> {
        // Before the transaction begins, so that each ending is among these or in the store that it sees.
        let earlier = self.revocations.map(Revocations::pending).unwrap_or_default();
        let _open = Snapshot::open(self.conn)?;
        work(Db { earlier: &earlier, ..*self })
    }
}

/// A read transaction that ends when this is dropped. `BEGIN` and `ROLLBACK` are cached statements: rusqlite's own
/// transactions parse them each time, which costs as much as a read by id.
struct Snapshot<'c>(&'c Connection);

impl<'c> Snapshot<'c> {
    fn open(conn: &'c Connection) -> Result<Snapshot<'c>, Error> {
        conn.prepare_cached("BEGIN")?.execute([])?;
        Ok(Snapshot(conn))
    }
}

impl Drop for Snapshot<'_> {
    // Not compiled again for each closure.
    #[inline(never)]
    fn drop(&mut self) {
        // Nothing was written, so there is nothing to commit. If this fails, the next BEGIN reports the error.
        let _ = self.0.prepare_cached("ROLLBACK").and_then(|mut end| end.execute([]));
    }
}

/// A connection inside the writer's transaction, for reading and writing.
#[derive(Clone, Copy)]
pub struct Tx<'c> {
    db: Db<'c>,
    log: &'c ChangeLog,
}

impl<'c> Tx<'c> {
    /// Creates the view. `log` collects the changes for the journal.
    pub(in crate::store) fn new(conn: &'c Connection, log: &'c ChangeLog) -> Tx<'c> {
        Tx { db: Db::new(conn), log }
    }

    /// Sets the author of the changes in the journal. The default is a command at the current time.
    pub fn by(self, actor: Actor) -> Tx<'c> {
        self.log.note_actor(actor);
        self
    }

    /// Writes the changes noted so far into the journal, with `actor` as their author, if they are many. A job that
    /// writes very many rows calls this after each row to bound the memory for its notes. Must not be called inside a
    /// savepoint.
    pub fn journal_so_far(self, actor: &Actor) -> Result<(), Error> {
        self.log.write_so_far(*self, actor)
    }

    /// Drops the changes noted so far. A job that ends with [`crate::store::records::full_records::end`], which writes
    /// an entry for every record anyway, calls this instead of [`Tx::journal_so_far`].
    pub fn forget_so_far(self) {
        self.log.forget_after(0);
    }

    /// Writes into the journal, with `actor` as the author, that everything was replaced, and one creation per record.
    /// The entries get numbers above those that any store has given out.
    pub(in crate::store) fn journal_replaced(self, actor: &Actor) -> Result<(), Error> {
        self.log.write_replaced(*self, actor)
    }

    /// Sets the reason for the changes in the journal.
    pub(in crate::store) fn set_reason(self, reason: &str) {
        self.log.note_reason(reason);
    }

    /// Names the act that the current job is part of in its journal entries.
    pub fn note_act(self, act: JournalAct) {
        self.set_reason(act.as_str());
    }

    /// Returns the number of changes that the journal has noted since the transaction began.
    pub fn noted(self) -> usize {
        self.log.noted()
    }

    /// Runs `work` in a savepoint. If `work` fails, its changes are undone and earlier changes of the transaction stay.
    pub fn savepoint<T, E: From<Error>>(self, work: impl FnOnce(Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let run = |sql| -> Result<(), Error> {
            self.conn().prepare_cached(sql)?.execute([])?;
            Ok(())
        };
        run("SAVEPOINT part")?;
        let before = self.noted();
        let done = work(self);
        if done.is_err() {
            // If SQLite has rolled back the whole transaction, the next statement fails as well.
            let _ = run("ROLLBACK TO part");
            self.log.forget_after(before);
        }
        let released = run("RELEASE part");
        let answer = done?;
        released?;
        Ok(answer)
    }

    /// Notes a new conflict of interest in a lawsuit for the journal.
    pub(in crate::store) fn note_conflict(self, lawsuit: u32) {
        self.log.note_conflict(lawsuit);
    }

    /// Marks the transaction as one that changes the API token or keys, so that the commit signals it.
    pub(in crate::store) fn note_token(self) {
        self.log.note_token();
    }

    /// Marks the transaction as one with new webhook messages, so that the commit signals them.
    pub(in crate::store) fn note_webhooks(self) {
        self.log.note_webhooks();
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = Db<'c>;

    fn deref(&self) -> &Db<'c> {
        &self.db
    }
}

/// Opens the file for writing and creates it if it is missing. The errors `Foreign`, `Newer` and `Damaged` leave the
/// file unchanged.
pub(in crate::store) fn open_writer(path: &Path) -> Result<Connection, Error> {
    private_file(path)?;
    let conn = open_alone(path, WRITER_CACHE)?;
    // Check first: setting WAL mode changes the file itself, which may belong to another program.
    migrate::ensure_openable(&conn)?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    // A confirmed write survives a loss of power (product 8).
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    Ok(conn)
}

/// Opens an existing file for writing, without a check of its kind, with a page cache of `cache` MiB. Adds the SQL functions
/// that migrations use.
pub(in crate::store) fn open_alone(path: &Path, cache: i64) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    prepare(&conn, cache)?;
    add_functions(&conn)?;
    Ok(conn)
}

/// Opens an empty in-memory database for migrations.
pub(in crate::store) fn in_memory() -> Result<Connection, Error> {
    let conn = Connection::open_in_memory()?;
    add_functions(&conn)?;
    Ok(conn)
}

/// Adds the SQL functions that migrations use.
fn add_functions(conn: &Connection) -> Result<(), rusqlite::Error> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("fold", 1, flags, |call| call.get::<String>(0).map(|text| fold(&text)))
}

/// Opens an existing file read-only, to read it once. The page cache is small (1 MiB): no row is read twice.
///
/// If a crash left a rollback journal, which a read-only connection may not roll back, rolls it back first.
pub(in crate::store) fn open_to_check(path: &Path) -> Result<Connection, Error> {
    ensure_not_empty(path)?;
    let look = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        prepare(&conn, 1)?;
        read_schema(&conn)?;
        Ok(conn)
    };
    match look() {
        Err(cause) if extended_code(&cause) == Some(ffi::SQLITE_READONLY_ROLLBACK) => {
            read_schema(&open_alone(path, 1)?)?;
            Ok(look()?)
        }
        looked => Ok(looked?),
    }
}

/// Returns `Damaged` for a file without content, beside which SQLite would remove the log, with the last changes.
pub(in crate::store) fn ensure_not_empty(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(file) if file.len() == 0 => Err(Error::Damaged("the file is empty".to_owned())),
        _ => Ok(()),
    }
}

/// Reads from the file, which makes SQLite recover what a crash left.
fn read_schema(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

fn extended_code(cause: &rusqlite::Error) -> Option<i32> {
    cause.sqlite_error().map(|cause| cause.extended_code)
}

/// Returns `true` if SQLite cannot create the files that it needs beside the store to read a write-ahead log, as on a
/// read-only disk.
pub(in crate::store) fn lacks_companions(path: &Path) -> bool {
    if ensure_not_empty(path).is_err() {
        return false;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = Connection::open_with_flags(path, flags).and_then(|conn| read_schema(&conn));
    let code = read.err().and_then(|cause| cause.sqlite_error_code());
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Applies the settings that all connections share. `cache` is the size of the page cache in MiB.
pub(in crate::store) fn prepare(conn: &Connection, cache: i64) -> Result<(), rusqlite::Error> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_prepared_statement_cache_capacity(128);
    conn.pragma_update(None, "cache_size", -1024 * cache)?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    // Without QPSG, the bundled STAT4 would make SQLite prepare cached statements again at every call after ANALYZE.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("court_of", 1, flags, |call| {
        Ok(call.get_raw(0).as_str_or_null()?.and_then(court_of))
    })
}

/// Creates the file readable only by its owner, before SQLite does. SQLite gives the files beside the store the same
/// mode. An existing file is not opened: on Unix, closing it would release the locks that this process holds on it.
pub(in crate::store) fn private_file(path: &Path) -> Result<(), Error> {
    match files::create_private(path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::AlreadyExists => Err(cause.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{FILE, JOURNAL, Store};

    /// A crash while a store was not in WAL mode yet, as when a copy is opened for the first time.
    #[test]
    fn a_store_with_a_rollback_journal_is_rolled_back_whoever_looks_first() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let conn = Connection::open(folder.path().join(FILE)).unwrap();
        conn.pragma_update(None, "journal_mode", "DELETE").unwrap();
        conn.pragma_update(None, "cache_size", 1).unwrap();
        conn.execute_batch(
            "BEGIN; UPDATE origins SET name = 'lost', name_key = 'lost' || id || hex(zeroblob(9000))",
        )
        .unwrap();
        let left = || {
            let left = tempfile::tempdir().unwrap();
            for name in [FILE, JOURNAL] {
                std::fs::copy(folder.path().join(name), left.path().join(name)).unwrap();
            }
            left
        };
        let names = |db: Db<'_>| -> Result<u32, Error> {
            Ok(db
                .conn()
                .query_row("SELECT count(*) FROM origins WHERE name <> 'lost'", [], |row| row.get(0))?)
        };
        let scratch = tempfile::tempdir().unwrap();
        assert!(Store::check_before_serving(left().path()).unwrap());
        assert!(Store::check(left().path()).is_ok());
        assert!(Store::read_once(left().path(), names).unwrap() > 0);
        assert!(Store::read_any(left().path(), scratch.path(), names).unwrap() > 0);
        assert!(Store::open(left().path()).unwrap().read(names).unwrap() > 0);
        let copy = scratch.path().join("copy.db");
        super::super::copy::copy(left().path(), &copy, |_, _| Ok::<_, Error>(())).unwrap();
    }
}
