//! Whole copies of the store: made while it is in use, tried out, and put in its place.
//!
//! A file of the store that this process has open must never be opened and closed beside SQLite: on Unix the close takes
//! back every lock that the process holds on the file, and another process may then throw the write-ahead log away.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use rusqlite::backup::{Backup, Progress, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, named_params};
use tempfile::TempDir;

use super::connection::{BUSY, open_alone, open_to_look, open_writer, private_file};
use super::journal::{Actor, Via};
use super::{
    Db, Error, FILE, LOG, clock_now, counters, journal, migrate, schema, tokens, webhooks, whole_pages,
};
use crate::files;

/// How often a copy tells how far it is.
const TELL: Duration = Duration::from_millis(100);
/// Pages that are copied between two tellings of a copy of pages, 1 MiB.
const SLICE: i32 = 256;
/// How long somebody who writes may hold a copy up.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause before a lock is asked for again.
const PAUSE: Duration = Duration::from_millis(20);

/// What a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The version of its schema.
    pub schema: u32,
    /// How many customers.
    pub customers: u64,
    /// How many lawsuits.
    pub lawsuits: u64,
    /// The number of its newest change.
    pub change: u64,
}

/// Copies the store in `folder` to the new file `to`, as it is at one moment, while others read and write it. The copy
/// is one file without companions, and holds nothing that was deleted before; it is not synced. `tell` receives how many bytes
/// were copied and how many there are; an error that it returns ends the copying.
///
/// # Errors
/// Why the store cannot be read, or the copy be written, or what `tell` returns; what there is of the copy is left.
pub fn copy<E: From<Error>>(
    folder: &Path,
    to: &Path,
    tell: impl Fn(u64, u64) -> Result<(), E>,
) -> Result<Contents, E> {
    let store = open_source(folder)?;
    let all = store.query_row(
        "SELECT page_size * page_count FROM pragma_page_size, pragma_page_count",
        [],
        |row| row.get(0),
    );
    let all = all.map_err(Error::from)?;
    private_file(to)?;
    // Row by row: SQLite's backup would copy free pages and gaps, and with them what was deleted.
    let (path, interrupt) = (to.as_os_str().as_encoded_bytes(), store.get_interrupt_handle());
    let mut told = Ok(());
    let copied = std::thread::scope(|scope| {
        let (done, is_done) = bounded::<()>(0);
        let copying = scope.spawn(move || {
            let _done = done;
            store.execute("VACUUM INTO CAST(?1 AS TEXT)", [path]).map(|_| ())
        });
        while is_done.recv_timeout(TELL) == Err(RecvTimeoutError::Timeout) {
            if told.is_ok() {
                told = tell(std::fs::metadata(to).map_or(0, |copy| copy.len()).min(all), all);
            }
            // Again each time: before the statement runs it does nothing.
            if told.is_err() {
                interrupt.interrupt();
            }
        }
        copying.join()
    });
    told?;
    copied.map_err(|_| Error::Defect("a copy panicked".to_owned()))?.map_err(Error::from)?;
    Ok(contents(&open_to_look(to)?)?)
}

/// Copies the store in `folder` to the new file `to` as [`copy`] does, but page by page: several times faster, and with what
/// was deleted. For copies that are private to this process.
///
/// # Errors
/// Those of [`copy`].
pub(super) fn copy_pages<E: From<Error>>(
    folder: &Path,
    to: &Path,
    tell: impl Fn(u64, u64) -> Result<(), E>,
) -> Result<(), E> {
    let store = open_source(folder)?;
    private_file(to)?;
    let mut copy = open_alone(to)?;
    copy.pragma_update(None, "synchronous", "OFF").map_err(Error::from)?;
    let page: u64 = store.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(Error::from)?;
    // In one snapshot, which its first read begins: without it, every write would make the copy begin anew.
    Db::new(&store).snapshot(|db| {
        db.conn().query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(Error::from)?;
        let backup = Backup::new(db.conn(), &mut copy).map_err(Error::from)?;
        while step(&backup, SLICE)? != StepResult::Done {
            let Progress { remaining, pagecount } = backup.progress();
            let bytes = |pages: i32| u64::try_from(pages).unwrap_or_default().saturating_mul(page);
            tell(bytes(pagecount - remaining), bytes(pagecount))?;
        }
        Ok(())
    })
}

/// Opens the store in `folder` to copy it.
fn open_source(folder: &Path) -> Result<Connection, Error> {
    let store = open_to_look(&folder.join(FILE))?;
    migrate::is_ours(&store)?;
    whole_pages(folder, &store)?;
    Ok(store)
}

/// Rewrites the whole file of a store that nobody writes meanwhile: nothing is left in it of what was deleted. Deleting leaves
/// texts on free pages and in the gaps of others, and `secure_delete` would not reach all of them: pages that were split
/// keep the bytes of rows that went to the next one.
///
/// # Errors
/// Why it cannot be rewritten; it is as it was then.
pub(super) fn rewrite(path: &Path) -> Result<(), Error> {
    let store = open_alone(path)?;
    // The rewritten file may be larger than the memory.
    store.pragma_update(None, "temp_store", "FILE")?;
    Ok(store.execute_batch("VACUUM")?)
}

/// Copies a store that may be in use into a new folder in `scratch`, which goes when it is dropped.
pub(super) fn copy_aside(folder: &Path, scratch: &Path) -> Result<TempDir, Error> {
    let copy = files::private_temp_dir(scratch, ".pleito-store-")?;
    copy_pages(folder, &copy.path().join(FILE), |_, _| Ok::<_, Error>(()))?;
    Ok(copy)
}

/// Copies the files of a store that nobody has open into a new folder in `scratch`, which goes when it is dropped.
pub(super) fn copy_files(folder: &Path, scratch: &Path) -> Result<TempDir, Error> {
    let copy = files::private_temp_dir(scratch, ".pleito-store-")?;
    for name in [FILE, LOG] {
        match File::open(folder.join(name)) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            opened => files::copy(&mut opened?, &copy.path().join(name))?,
        }
    }
    Ok(copy)
}

/// Opens the file of a copy as this program opens its store, and looks through all of it. A copy of an older schema is
/// brought up to date.
///
/// # Errors
/// `Foreign`, `Newer`, `Schema` or `Damaged`; or why it cannot be read.
pub fn try_out(copy: &Path) -> Result<Contents, Error> {
    let mut conn = open_alone(copy)?;
    migrate::is_ours(&conn)?;
    // A store's own file may be tried out as well.
    conn.pragma_update(None, "journal_mode", "DELETE")?;
    sound(&conn)?;
    // Before a step is taken, which would set off a trigger of somebody else's.
    schema::compare(&conn)?;
    if migrate::is_behind(&conn)?.is_some() {
        migrate::migrate(&mut conn)?;
        sound(&conn)?;
    }
    match contents(&conn)? {
        Contents { change, .. } if change >= MOST_CHANGES => {
            Err(Error::Damaged(format!("its changes are numbered up to {change}")))
        }
        held => Ok(held),
    }
}

/// Brings a copy of an older store up to date, so that a step that fails leaves the store itself alone. A copy of the
/// store as it was stays beside it.
///
/// # Errors
/// `NotUpgraded`; or what has nothing to do with the steps, such as a full disk.
pub(super) fn trial_migration(folder: &Path, found: u32) -> Result<(), Error> {
    let before = folder.join("pleito-before-schema").with_extension(found.to_string());
    let trial = folder.join("pleito-upgrade.tmp");
    let done = forget(&before)
        .and_then(|()| copy(folder, &before, |_, _| Ok::<_, Error>(())))
        .and_then(|_| Ok(std::fs::copy(&before, &trial)?))
        .and_then(|_| try_out(&trial));
    let _ = forget(&trial);
    match done {
        Ok(_) => Ok(()),
        Err(cause @ (Error::Defect(_) | Error::Damaged(_) | Error::Schema(_))) => {
            Err(Error::NotUpgraded { found, cause: cause.to_string() })
        }
        Err(cause) => Err(cause),
    }
}

/// Removes a file that may be there.
pub(super) fn forget(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(cause.into()),
        _ => Ok(()),
    }
}

/// Whether every page, index and reference of a file is as it has to be.
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

/// How many records of a table are not in the trash. A store of an earlier version has none.
pub(super) fn live(conn: &Connection, table: &str) -> Result<u64, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE name = 'deleted_at')";
    let has_trash = conn.query_row(sql, [table], |row| row.get::<_, bool>(0))?;
    let which = if has_trash { " WHERE deleted_at IS NULL" } else { "" };
    Ok(conn.query_row(&["SELECT count(*) FROM ", table, which].concat(), [], |row| row.get(0))?)
}

fn contents(conn: &Connection) -> Result<Contents, Error> {
    Ok(Contents {
        schema: migrate::version(conn)?,
        customers: live(conn, "customers")?,
        lawsuits: live(conn, "lawsuits")?,
        change: journal::latest(Db::new(conn))?,
    })
}

/// Puts what is in the file `from`, which was tried out, in the place of everything in the store of `folder`, at once. A
/// process that has it open does so by [`super::Store::put_in_place`], and goes on with the new content. The daily counts
/// stay as they are, and so does the token in force unless `with_token` wants the copy's. Changes `from`.
///
/// A store that is damaged is overwritten, whatever is left of it; then the copy's token is in force.
///
/// # Errors
/// Why it could not be done; the store is as it was then.
pub fn put_in_place(folder: &Path, from: &Path, with_token: bool) -> Result<(), Error> {
    let path = folder.join(FILE);
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let (mut store, was_sound) = match open_writer(&path) {
        Ok(store) => (store, true),
        Err(Error::Damaged(_)) => (open_over_damage(&path)?, false),
        Err(cause) => return Err(cause),
    };
    let has_store = was_sound && migrate::is_ours(&store).is_ok();
    let replacing = Backup::new(&source, &mut store)?;
    // From the first step on nobody else can write the store, so what is read of it now is its last state.
    step(&replacing, 1)?;
    let before = if has_store { Before::read(&path)? } else { Before::default() };
    carry_over(&source, before, with_token)?;
    while step(&replacing, -1)? != StepResult::Done {}
    drop(replacing);
    // The log holds the whole store now. Somebody who still reads the old state may keep it for a while.
    let _ = store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    Ok(())
}

/// Opens a file that SQLite would not take for a database. What is there counts as nothing; a log beside it, which
/// processes that have it open share, goes on.
fn open_over_damage(path: &Path) -> Result<Connection, Error> {
    let store = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    store.busy_timeout(BUSY)?;
    // Any look at it makes SQLite find the log; that the look fails is known.
    let _ = store.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    store.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    store.pragma_update(None, "synchronous", "FULL")?;
    Ok(store)
}

/// What stays of a store whose content is replaced, each part as far as it can be read.
#[derive(Default)]
struct Before {
    counters: Option<Vec<counters::Counter>>,
    token: Option<Option<tokens::StoredToken>>,
    seq: Option<u64>,
    webhook: Option<u32>,
}

impl Before {
    fn read(path: &Path) -> Result<Before, Error> {
        fn known<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
            match read {
                Ok(read) => Ok(Some(read)),
                Err(Error::Damaged(_) | Error::Defect(_)) => Ok(None),
                Err(cause) => Err(cause),
            }
        }
        let store = open_to_look(path)?;
        Ok(Before {
            counters: known(counters::all(Db::new(&store)))?,
            token: known(tokens::current(Db::new(&store)))?,
            seq: known(journal::latest(Db::new(&store)))?,
            webhook: known(webhooks::last_id(Db::new(&store)))?,
        })
    }
}

/// Writes into the copy what stays when it takes the store's place, and tells whoever follows the
/// changes that everything is different.
fn carry_over(copy: &Connection, before: Before, with_token: bool) -> Result<(), Error> {
    copy.execute_batch("BEGIN")?;
    if let Some(counters) = before.counters {
        copy.execute("DELETE FROM counters", [])?;
        for counter in counters {
            copy.execute(
                "INSERT INTO counters (route, day, count) VALUES (:route, :day, :count)",
                named_params! { ":route": counter.route, ":day": counter.day, ":count": counter.count },
            )?;
        }
    }
    if let (Some(token), false) = (before.token, with_token) {
        tokens::take_over(copy, token.as_ref())?;
    }
    webhooks::forget_where(copy)?;
    if let Some(last) = before.webhook {
        webhooks::reserve_ids(copy, last)?;
    }
    // The next start makes one.
    copy.execute("DELETE FROM signing_key", [])?;
    // No number is given out twice. Where it cannot be known which ones were, they go on far above.
    let by = Actor { via: Via::Restore, who: None, request_id: None, at: clock_now() };
    let given = before.seq.unwrap_or_else(|| journal::fill::above_all_before(by.at));
    journal::fill::replace(copy, given.max(journal::latest(Db::new(copy))?), &by)?;
    copy.execute_batch("COMMIT")?;
    Ok(())
}

/// Numbers of changes stay far below 2^53, up to which JSON has every one (contract 20.1): no later change runs out of them.
const MOST_CHANGES: u64 = 1 << 52;

/// Copies so many pages, -1 for all, and waits a while for who holds a lock.
fn step(backup: &Backup<'_, '_>, pages: i32) -> Result<StepResult, Error> {
    let tries = PATIENCE.as_millis() / PAUSE.as_millis();
    for _ in 0..tries {
        match backup.step(pages)? {
            StepResult::Busy | StepResult::Locked => std::thread::sleep(PAUSE),
            done_or_more => return Ok(done_or_more),
        }
    }
    Err(Error::Unavailable("the store stays locked by another program".to_owned()))
}
