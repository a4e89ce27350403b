//! Connections: how every one is set up, and the two views of one that the rest of the program gets to see.
//!
//! `Db` reads, `Tx` also writes; only this floor can take the SQLite connection out of either, so SQL stays here.

use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::journal::Actor;
use super::journal::log::ChangeLog;
use super::{Error, migrate};
use crate::domain::court_of;
use crate::domain::text::fold;
use crate::files;

/// How long a statement waits for another process's lock before it gives up.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// A connection that reads.
#[derive(Clone, Copy)]
pub struct Db<'c> {
    conn: &'c Connection,
}

impl<'c> Db<'c> {
    pub(super) fn new(conn: &'c Connection) -> Db<'c> {
        Db { conn }
    }

    pub(super) fn conn(&self) -> &'c Connection {
        self.conn
    }

    /// Runs `work` over one unchanging state of the store, however many statements it takes.
    pub fn snapshot<T, E: From<Error>>(&self, work: impl FnOnce(Db<'_>) -> Result<T, E>) -> Result<T, E> {
        let _open = Snapshot::open(self.conn)?;
        work(*self)
    }
}

/// A read transaction for as long as it lives. Its statements are cached: rusqlite's own transactions parse theirs anew
/// each time, which costs as much as a read by id.
struct Snapshot<'c>(&'c Connection);

impl<'c> Snapshot<'c> {
    fn open(conn: &'c Connection) -> Result<Snapshot<'c>, Error> {
        conn.prepare_cached("BEGIN")?.execute([])?;
        Ok(Snapshot(conn))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Nothing was written, so ending it either way is the same; where it cannot end, the next BEGIN says why.
        let _ = self.0.prepare_cached("ROLLBACK").and_then(|mut end| end.execute([]));
    }
}

/// A connection inside the writer's transaction: reads, and writes.
#[derive(Clone, Copy)]
pub struct Tx<'c> {
    db: Db<'c>,
    log: &'c ChangeLog,
}

impl<'c> Tx<'c> {
    /// What the work writes is noted in `log`.
    pub(super) fn new(conn: &'c Connection, log: &'c ChangeLog) -> Tx<'c> {
        Tx { db: Db::new(conn), log }
    }

    /// Says who writes, for the journal: where nobody does, it is a command, now.
    pub fn by(self, actor: Actor) -> Tx<'c> {
        self.log.note_actor(actor);
        self
    }

    /// Writes into the journal what the work has done so far, as `actor`, once that is much. Work of very many rows calls it
    /// between any two of them, so that what is noted does not grow with them. Not inside of a savepoint.
    ///
    /// # Errors
    /// Why the store cannot be written.
    pub fn tell_so_far(self, actor: &Actor) -> Result<(), Error> {
        self.log.write_so_far(*self, actor)
    }

    /// Forgets what is noted of the work so far. Work that ends with [`super::whole::end`], which tells of every record anyway,
    /// calls it instead of [`Tx::tell_so_far`].
    pub fn forget_so_far(self) {
        self.log.forget_after(0);
    }

    /// Writes into the journal, as `actor`, that everything was replaced, and every record as created; with numbers above
    /// all that any store has given out.
    pub(super) fn tell_replaced(self, actor: &Actor) -> Result<(), Error> {
        self.log.write_replaced(*self, actor)
    }

    /// Says why, for the journal.
    pub(super) fn because(self, reason: &str) {
        self.log.note_reason(reason);
    }

    /// Does `work`, of which nothing is left where it fails: what else the transaction holds stays.
    ///
    /// # Errors
    /// What `work` answers; why the store cannot be written.
    pub fn savepoint<T, E: From<Error>>(self, work: impl FnOnce(Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let run = |sql| -> Result<(), Error> {
            self.conn().prepare_cached(sql)?.execute([])?;
            Ok(())
        };
        run("SAVEPOINT part")?;
        let before = self.log.noted();
        let done = work(self);
        if done.is_err() {
            // Where the transaction is gone as a whole, the next statement says so.
            let _ = run("ROLLBACK TO part");
            self.log.forget_after(before);
        }
        let released = run("RELEASE part");
        let answer = done?;
        released?;
        Ok(answer)
    }

    /// Says that another token comes into force, or none: whoever checks tokens has to hear of it.
    pub(super) fn note_token(self) {
        self.log.note_token();
    }

    /// Says that there may be more to be sent to webhooks: whoever sends it has to hear of that.
    pub(super) fn note_webhooks(self) {
        self.log.note_webhooks();
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = Db<'c>;

    fn deref(&self) -> &Db<'c> {
        &self.db
    }
}

/// Opens the file for writing, and makes it where it is missing.
///
/// # Errors
/// `Foreign`, `Newer` and `Damaged` leave the file as it is.
pub(super) fn open_writer(path: &Path) -> Result<Connection, Error> {
    private_file(path)?;
    let conn = open_alone(path)?;
    // WAL mode is a mark in the file itself, and so far the file may be another program's.
    migrate::is_for_us(&conn)?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    // An answered write is on disk, also after a loss of power (product 8).
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    Ok(conn)
}

/// Opens a file that is there to write it, whatever it is; with what the steps of the schema use.
pub(super) fn open_alone(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    prepare(&conn, 16)?;
    add_functions(&conn)?;
    Ok(conn)
}

/// An empty database in memory, to take the steps of the schema in.
pub(super) fn in_memory() -> Result<Connection, Error> {
    let conn = Connection::open_in_memory()?;
    add_functions(&conn)?;
    Ok(conn)
}

/// What the steps of the schema use.
fn add_functions(conn: &Connection) -> Result<(), rusqlite::Error> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("fold", 1, flags, |call| call.get::<String>(0).map(|text| fold(&text)))
}

/// Opens a file that is there, to read all of it once: the cache holds little more than the way to the rows.
pub(super) fn open_to_look(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    prepare(&conn, 1)?;
    Ok(conn)
}

/// Returns `true` if SQLite cannot make the files beside the store that it needs to read a write-ahead log, as on a disk that can
/// only be read.
pub(super) fn lacks_companions(path: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = Connection::open_with_flags(path, flags)
        .and_then(|conn| conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())));
    let code = read.err().and_then(|cause| cause.sqlite_error_code());
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// What every connection needs, `cache` in MiB.
pub(super) fn prepare(conn: &Connection, cache: i64) -> Result<(), rusqlite::Error> {
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(128);
    conn.pragma_update(None, "cache_size", -1024 * cache)?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    // With the bundled STAT4, cached statements would be prepared again at every call once the store was analysed.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("court_of", 1, flags, |call| {
        Ok(call.get_raw(0).as_str_or_null()?.and_then(court_of))
    })
}

/// Makes the file readable for its owner only, before SQLite makes it (its companions take over its mode). One that is
/// there is not touched: to open and close it here would take back the locks of a connection that this process has.
pub(super) fn private_file(path: &Path) -> Result<(), Error> {
    match files::create_private(path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::AlreadyExists => Err(cause.into()),
        _ => Ok(()),
    }
}
