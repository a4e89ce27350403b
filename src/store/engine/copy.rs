//! Complete copies of the store: making them while it is in use, checking them, and restoring the store from one.
//!
//! A file of the store that this process has open must never be opened and closed outside SQLite. On Unix, closing it
//! releases every lock that the process holds on the file, and another process may then delete the write-ahead log.

mod carried_over;

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use rusqlite::backup::{Backup, Progress, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tempfile::TempDir;

use super::connection::{BUSY_TIMEOUT, WRITER_CACHE, open_alone, open_to_check, open_writer, private_file};
use super::migrate::schema;
use super::{migrate, wal};
use crate::files;
use crate::store::{COMPANIONS, Db, Error, FILE, JOURNAL, WAL_FILE, journal, whole_pages};
use carried_over::{KeptParts, carry_over};

/// Page cache of a copy, in MiB. Its pages are read in their order, and the allocator would keep a large cache.
const COPY_CACHE: i64 = 1;
/// Interval between two progress reports of a copy.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Number of pages that a copy by pages copies between two progress reports: 1 MiB.
const PAGES_PER_REPORT: i32 = 256;
/// Time that a copy waits for a lock before it fails.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause between two attempts to get a lock.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Summary of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Schema version of the copy.
    pub schema: u32,
    /// Number of customers that are not in the trash.
    pub customers: u64,
    /// Number of lawsuits that are not in the trash.
    pub lawsuits: u64,
    /// Number of the newest change in the journal.
    pub change: u64,
}

/// Copies a consistent state of the store in `folder` to the new file `to`. The store stays readable and writable
/// meanwhile. The copy is a single file without deleted data, and is not synced.
///
/// `on_progress` receives the number of copied bytes and of all bytes. If it returns an error, the copying stops with that
/// error. A partial copy is not removed.
pub fn copy<E: From<Error>>(
    folder: &Path,
    to: &Path,
    on_progress: impl Fn(u64, u64) -> Result<(), E>,
) -> Result<Contents, E> {
    let store = open_source(folder)?;
    let all = store.query_row(
        "SELECT page_size * page_count FROM pragma_page_size, pragma_page_count",
        [],
        |row| row.get(0),
    );
    let all = all.map_err(Error::from)?;
    private_file(to)?;
    // VACUUM copies row by row. The backup API of SQLite would copy deleted data in free pages and gaps too.
    let path = to.as_os_str().as_encoded_bytes();
    let interrupt = store.get_interrupt_handle();
    let mut outcome = Ok(());
    let copied = std::thread::scope(|scope| {
        let (done, is_done) = bounded::<()>(0);
        let copying = scope.spawn(move || {
            let _done = done;
            store.execute("VACUUM INTO CAST(?1 AS TEXT)", [path]).map(|_| ())
        });
        while is_done.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if outcome.is_ok() {
                outcome = on_progress(std::fs::metadata(to).map_or(0, |copy| copy.len()).min(all), all);
            }
            // Repeated, because an interrupt before the statement runs has no effect.
            if outcome.is_err() {
                interrupt.interrupt();
            }
        }
        copying.join()
    });
    outcome?;
    copied.map_err(|_| Error::Defect("a copy panicked".to_owned()))?.map_err(Error::from)?;
    Ok(contents(&open_to_check(to)?)?)
}

/// Like [`copy`], but copies page by page. This is several times faster and includes deleted data, so it is only for
/// copies that this process keeps to itself.
pub(in crate::store) fn copy_pages<E: From<Error>>(
    folder: &Path,
    to: &Path,
    on_progress: impl Fn(u64, u64) -> Result<(), E>,
) -> Result<(), E> {
    let store = open_source(folder)?;
    private_file(to)?;
    let mut copy = open_alone(to, COPY_CACHE)?;
    copy.pragma_update(None, "synchronous", "OFF").map_err(Error::from)?;
    let page: u64 = store.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(Error::from)?;
    // A snapshot, which begins with its first read. Without it, every write to the store would restart the copy.
    Db::new(&store).snapshot(|db| {
        db.conn().query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(Error::from)?;
        let backup = Backup::new(db.conn(), &mut copy).map_err(Error::from)?;
        while step(&backup, PAGES_PER_REPORT)? != StepResult::Done {
            let Progress { remaining, pagecount } = backup.progress();
            let bytes = |pages: i32| u64::try_from(pages).unwrap_or_default().saturating_mul(page);
            on_progress(bytes(pagecount - remaining), bytes(pagecount))?;
        }
        Ok(())
    })
}

/// Copies the database `from`, with what is in its log or journal, to the new file `to`.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), Error> {
    let database = open_to_check(from)?;
    private_file(to)?;
    let mut copy = open_alone(to, COPY_CACHE)?;
    let backup = Backup::new(&database, &mut copy)?;
    while step(&backup, -1)? != StepResult::Done {}
    Ok(())
}

/// Opens the store in `folder` for copying.
fn open_source(folder: &Path) -> Result<Connection, Error> {
    let store = open_to_check(&folder.join(FILE))?;
    migrate::ensure_ours(&store)?;
    whole_pages(folder, &store)?;
    Ok(store)
}

/// Rewrites the whole file of a store, so that it contains no deleted data. No other connection may write meanwhile. On
/// error, the file is unchanged.
///
/// Deleting leaves texts on free pages and in the gaps of other pages. `secure_delete` would not erase all of them:
/// pages that were split keep the bytes of rows that moved to the next page.
pub(in crate::store) fn rewrite(path: &Path) -> Result<(), Error> {
    wal::database_mark::forget(files::folder_of(path))?;
    let store = open_alone(path, WRITER_CACHE)?;
    // The temporary copy may be larger than the memory.
    store.pragma_update(None, "temp_store", "FILE")?;
    Ok(store.execute_batch("VACUUM")?)
}

/// Copies a store that may be in use into a new folder in `scratch`. Dropping the result removes the folder.
pub(in crate::store) fn copy_aside(folder: &Path, scratch: &Path) -> Result<TempDir, Error> {
    let copy = files::private_temp_dir(scratch, ".pleito-store-")?;
    copy_pages(folder, &copy.path().join(FILE), |_, _| Ok::<_, Error>(()))?;
    Ok(copy)
}

/// Copies the files of a store that is not open anywhere into a new folder in `scratch`. Dropping the result removes
/// the folder.
pub(in crate::store) fn copy_files(folder: &Path, scratch: &Path) -> Result<TempDir, Error> {
    let copy = files::private_temp_dir(scratch, ".pleito-store-")?;
    for name in [FILE, WAL_FILE, JOURNAL] {
        match File::open(folder.join(name)) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            opened => files::copy(&mut opened?, &copy.path().join(name))?,
        }
    }
    Ok(copy)
}

/// Checks the whole file of a copy, and migrates it if its schema is older. Returns `Foreign`, `Newer`, `Schema` or
/// `Damaged` if the copy cannot be used as a store.
pub fn verify_copy(copy: &Path) -> Result<Contents, Error> {
    let mut conn = open_alone(copy, COPY_CACHE)?;
    migrate::ensure_ours(&conn)?;
    // The copied file may be in WAL mode, as the file of a store is.
    conn.pragma_update(None, "journal_mode", "DELETE")?;
    sound(&conn)?;
    // Before the migration, because it would run triggers that another program has added.
    schema::compare(&conn)?;
    if migrate::version_to_migrate(&conn)?.is_some() {
        migrate::migrate(&mut conn)?;
        sound(&conn)?;
    }
    match contents(&conn)? {
        Contents { change, .. } if change >= MAX_CHANGES => {
            Err(Error::Damaged(format!("its changes are numbered up to {change}")))
        }
        held => Ok(held),
    }
}

/// Tries the migration on a copy of an older store, so that a failure leaves the store itself unchanged. Keeps another,
/// unmigrated copy beside the store.
///
/// Returns `NotUpgraded` if the migration fails, and other errors for other causes, such as a full disk.
pub(in crate::store) fn trial_migration(folder: &Path, found: u32) -> Result<(), Error> {
    let before = folder.join("pleito-before-schema").with_extension(found.to_string());
    let trial = folder.join("pleito-upgrade.tmp");
    let done = forget(&before)
        .and_then(|()| forget(&trial))
        .and_then(|()| copy(folder, &before, |_, _| Ok::<_, Error>(())))
        .and_then(|_| Ok(std::fs::copy(&before, &trial)?))
        .and_then(|_| verify_copy(&trial));
    let _ = forget(&trial);
    match done {
        Ok(_) => Ok(()),
        Err(cause @ (Error::Defect(_) | Error::Damaged(_) | Error::Schema(_))) => {
            Err(Error::NotUpgraded { found, cause: cause.to_string() })
        }
        Err(cause) => Err(cause),
    }
}

/// Removes a database that is not in use, if it exists, and the files beside it.
pub(in crate::store) fn forget(path: &Path) -> Result<(), Error> {
    forget_companions(path)?;
    Ok(files::remove_if_there(path)?)
}

/// Removes the files beside a database that is not in use. SQLite would roll a journal that a killed process left back into the
/// next database of that name, and take a log for the new one's.
fn forget_companions(path: &Path) -> Result<(), Error> {
    for companion in COMPANIONS {
        files::remove_if_there(&files::beside(path, companion))?;
    }
    Ok(())
}

/// Gives the complete database `new` the name of the store, which is missing or cannot be opened. A crash leaves the whole new
/// file or what was there, and no journal beside it, because the database is in WAL mode before.
pub(in crate::store) fn publish(conn: Connection, new: &Path, path: &Path) -> Result<(), Error> {
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.close().map_err(|(_, cause)| cause)?;
    files::sync(&std::fs::OpenOptions::new().write(true).open(new)?)?;
    // Not before all else that may fail: the log may have the last changes of the store that stays then.
    wal::database_mark::forget(files::folder_of(path))?;
    forget_companions(path)?;
    Ok(files::rename(new, path)?)
}

/// Checks all pages, indexes and foreign keys of a file. Returns `Damaged` if one is wrong.
fn sound(conn: &Connection) -> Result<(), Error> {
    let structure: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if structure != "ok" {
        return Err(Error::Damaged(structure));
    }
    let dangling: Option<String> =
        conn.query_row("PRAGMA foreign_key_check", [], |row| row.get(0)).optional()?;
    match dangling {
        Some(table) => Err(Error::Damaged(format!("a row of {table} points to one that is not there"))),
        None => Ok(()),
    }
}

/// Counts the records of a table that are not in the trash.
pub(in crate::store) fn live(conn: &Connection, table: &str) -> Result<u64, Error> {
    let sql = ["SELECT count(*) FROM ", table, " WHERE deleted_at IS NULL"].concat();
    Ok(conn.query_row(&sql, [], |row| row.get(0))?)
}

fn contents(conn: &Connection) -> Result<Contents, Error> {
    Ok(Contents {
        schema: migrate::version(conn)?,
        customers: live(conn, "customers")?,
        lawsuits: live(conn, "lawsuits")?,
        change: journal::latest(Db::new(conn))?,
    })
}

/// Replaces the content of the store in `folder` with that of the file `from`, atomically. [`verify_copy`] must have
/// accepted `from`, which is modified. A process that has the store open uses [`crate::store::Store::put_in_place`] instead.
///
/// The request counts of the store are kept. The API token is kept too, unless `with_token` is set to take that of the
/// copy. The keys of the store and the access of its people are always kept, so that no ended key becomes valid again, and
/// whoever lost access stays out. If the store is damaged and they cannot be read, those of the copy are valid. On error,
/// the store is unchanged.
pub fn put_in_place(folder: &Path, from: &Path, with_token: bool) -> Result<(), Error> {
    exchange(folder, from, |source, store| carry_over(source, KeptParts::read(folder, store)?, with_token))
}

/// Puts the file `from` in the place of a store that cannot be opened, and of the files beside it. No process may have it open.
/// Otherwise like [`put_in_place`] over a damaged store. Of that, what can be read is kept, if it `is_readable`: the log beside
/// it may be another file's.
pub fn put_over(folder: &Path, from: &Path, with_token: bool, is_readable: bool) -> Result<(), Error> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let path = folder.join(FILE);
    let kept = if is_readable { KeptParts::read(folder, Some(&path)).ok() } else { None };
    let kept = kept.map_or_else(|| KeptParts::read(folder, None), Ok)?;
    carry_over(&source, kept, with_token)?;
    publish(source, from, &path)
}

/// Like [`put_in_place`], but the store becomes what `from` is: a standby keeps nothing of its own.
pub fn put_in_place_unchanged(folder: &Path, from: &Path) -> Result<(), Error> {
    exchange(folder, from, |_, _| Ok(()))
}

/// Replaces the content of the store in `folder` with that of the file `from`. `prepare` gets a connection to `from`, and
/// the path of the present store if it can be read, whose writes are locked.
fn exchange(
    folder: &Path,
    from: &Path,
    prepare: impl FnOnce(&Connection, Option<&Path>) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = folder.join(FILE);
    wal::database_mark::forget(folder)?;
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    if !path.exists() {
        prepare(&source, None)?;
        return publish(source, from, &path);
    }
    let (mut store, was_sound) = match open_writer(&path) {
        Ok(store) => (store, true),
        Err(Error::Damaged(_)) => (open_over_damage(&path)?, false),
        Err(cause) => return Err(cause),
    };
    let has_store = was_sound && migrate::ensure_ours(&store).is_ok();
    let replacing = Backup::new(&source, &mut store)?;
    // The first step locks the store against writes, so the values read now are its last ones.
    step(&replacing, 1)?;
    prepare(&source, has_store.then_some(&*path))?;
    while step(&replacing, -1)? != StepResult::Done {}
    drop(replacing);
    // The write-ahead log contains the whole store now. A reader of the old state may prevent this checkpoint.
    let _ = store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    Ok(())
}

/// Opens a file that SQLite does not accept as a database, as an empty one. A write-ahead log beside the file, which
/// other processes may have open, stays in use.
fn open_over_damage(path: &Path) -> Result<Connection, Error> {
    let store = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    store.busy_timeout(BUSY_TIMEOUT)?;
    // Any query makes SQLite open the log. The query itself is expected to fail.
    let _ = store.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    store.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    store.pragma_update(None, "synchronous", "FULL")?;
    Ok(store)
}

/// Copies with change numbers from this one on are refused. JSON represents integers exactly only up to 2^53
/// (events 20.1), and this limit leaves enough numbers for all later changes.
const MAX_CHANGES: u64 = 1 << 52;

/// Copies up to `pages` pages, or all if it is -1. Waits up to [`LOCK_TIMEOUT`] for a lock held by another connection.
fn step(backup: &Backup<'_, '_>, pages: i32) -> Result<StepResult, Error> {
    let tries = LOCK_TIMEOUT.as_millis() / LOCK_PAUSE.as_millis();
    for _ in 0..tries {
        match backup.step(pages)? {
            StepResult::Busy | StepResult::Locked => std::thread::sleep(LOCK_PAUSE),
            done_or_more => return Ok(done_or_more),
        }
    }
    Err(Error::Unavailable("the store stays locked by another program".to_owned()))
}
