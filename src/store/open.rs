//! The store of a data folder, as the other layers use it: open, read, write, follow the commits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;

use super::access::revocations::Revocations;
use super::engine::committed::CommitListener;
use super::engine::connection::{self, Db, Tx};
use super::engine::epoch::{self, Epoch};
use super::engine::error::Error;
use super::engine::readers::{Lane, Readers};
use super::engine::wal::WalState;
use super::engine::writer::Writer;
use super::engine::{FILE, WAL_FILE, copy, migrate, scratch, wal};
use super::nouns::documents::contents::ContentStore;
use super::records::has_records;
use super::requests::counters::Counts;
use super::trash;
use crate::domain::Bilingual;

/// The open store of a data folder.
pub struct Store {
    pub(in crate::store) path: PathBuf,
    pub(in crate::store) contents: ContentStore,
    readers: Readers,
    pub(in crate::store) writer: Writer,
    pub(in crate::store) revocations: Arc<Revocations>,
    /// Description of the damage found while the store was being served.
    pub(in crate::store) damage: RwLock<Option<String>>,
    /// Second of the last check for writes by other programs.
    looked: AtomicU64,
}

impl Store {
    /// Opens the store in `folder`. Creates it if the file is missing, and migrates an older one.
    ///
    /// Returns `Foreign`, `Newer` or `Damaged`, and leaves the file unchanged, if it is not a store that this
    /// program can open.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        Store::open_as(folder, false)
    }

    /// Opens the store of a standby, which must be there. Only [`Store::mirror`] changes it: every write is refused with
    /// `Standby`.
    pub fn open_standby(folder: &Path) -> Result<Store, Error> {
        Store::open_as(folder, true)
    }

    fn open_as(folder: &Path, is_standby: bool) -> Result<Store, Error> {
        let path = folder.join(FILE);
        wal::database_mark::check(folder)?;
        connection::ensure_not_empty(&path)?;
        if !path.try_exists().unwrap_or(true) {
            create(&path)?;
        }
        // Open one plain connection first: a pool would report its own time-out instead of the cause.
        let mut conn = connection::open_writer(&path)?;
        let behind = migrate::version_to_migrate(&conn)?;
        if let Some(found) = behind {
            copy::trial_migration(folder, found)?;
        }
        migrate::migrate(&mut conn)?;
        if behind.is_some() || trash::is_interrupted(folder) {
            let emptied = |()| Ok(conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?);
            let rewritten = copy::rewrite(&path).and_then(emptied).and_then(|()| trash::end_erasing(folder));
            if let Err(cause) = rewritten {
                tracing::warn!(%cause, "the file could not be rewritten and keeps erased data until the next start");
            }
        }
        // A standby begins no epoch: its content has that of the office.
        let epoch = if is_standby { None } else { Epoch::settle(&conn)? };
        wal::database_mark::renew(&conn);
        scratch::sweep(folder);
        let contents = ContentStore::of(folder);
        contents.sweep(Db::new(&conn));
        let revocations = Arc::new(Revocations::read(folder)?);
        let writer = Writer::start(conn, epoch, revocations.clone(), is_standby)?;
        let settled = contents.clone();
        writer.follow(Box::new(move |db, _| settled.settle(db)));
        let store = Store {
            writer,
            contents,
            readers: Readers::start(&path, &revocations)?,
            revocations,
            damage: RwLock::default(),
            looked: AtomicU64::default(),
            path,
        };
        store.take_over_revocations();
        Ok(store)
    }

    /// Returns `true` if the store is missing, but its log is there, which has the last changes.
    pub fn left_log(folder: &Path) -> bool {
        let has_log = std::fs::metadata(folder.join(WAL_FILE)).is_ok_and(|log| log.len() > 0);
        has_log && !folder.join(FILE).exists()
    }

    /// Returns `true` if a data folder has or had a store.
    pub fn was_in(folder: &Path) -> bool {
        epoch::is_noted(folder)
    }

    /// Returns `true` if the store in `folder` has a record of any noun, in the trash too, and `false` if there is no store.
    /// Only reads, also a store of an earlier schema, which lacks tables.
    pub fn holds_records(folder: &Path) -> Result<bool, Error> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(false);
        }
        let conn = connection::open_to_check(&path)?;
        migrate::ensure_ours(&conn)?;
        has_records(&conn)
    }

    /// Reads the store in `folder` over a temporary connection. For work over whole tables, which would fill a
    /// reader's cache with pages that no later request needs.
    ///
    /// Returns `Foreign` or `Newer` if the file is not a store that this program can read.
    pub fn read_once<T, E: From<Error>>(
        folder: &Path,
        work: impl FnOnce(Db<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let conn = connection::open_to_check(&folder.join(FILE))?;
        migrate::ensure_ours(&conn)?;
        let revocations = Revocations::read(folder)?;
        work(Db::new(&conn).with(&revocations))
    }

    /// Like [`Store::read_once`], but also reads an older store and one on a read-only disk. In these cases it reads
    /// a migrated copy in the folder `scratch`, which is removed afterwards. This process must not have the store open.
    pub fn read_any<T, E: From<Error>>(
        folder: &Path,
        scratch: &Path,
        work: impl FnOnce(Db<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let is_behind = |path: &Path| {
            Ok::<_, Error>(migrate::version_to_migrate(&connection::open_to_check(path)?)?.is_some())
        };
        let path = folder.join(FILE);
        wal::database_mark::check(folder)?;
        let copy = match connection::lacks_companions(&path) {
            true => copy::copy_files(folder, scratch)?,
            false if is_behind(&path)? => copy::copy_aside(folder, scratch)?,
            false => return Store::read_once(folder, work),
        };
        let copied = copy.path().join(FILE);
        if is_behind(&copied)? {
            migrate::migrate(&mut connection::open_writer(&copied)?)?;
        }
        Store::read_once(copy.path(), work)
    }

    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Returns the path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn contents(&self) -> &ContentStore {
        &self.contents
    }

    /// Queues a read on one of the lane's threads and returns at once.
    pub fn submit_read(&self, lane: Lane, work: impl FnOnce(Result<Db<'_>, Error>) + Send + 'static) {
        self.readers.submit(lane, Box::new(work));
    }

    /// Reads and waits for the result. Must not be called on a thread of the store, which would wait for its
    /// own queue.
    pub fn read<T, E>(&self, work: impl FnOnce(Db<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let read = awaited(|reply| {
            self.submit_read(Lane::Point, move |db| reply(db.map_err(E::from).and_then(work)));
        });
        read.unwrap_or_else(|| Err(E::from(Error::Defect("a read panicked".to_owned()))))
    }

    /// Queues a write and returns at once. `reply` runs on the writer thread after the commit is on disk, or
    /// once the write has failed and left nothing behind.
    pub fn submit<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
        reply: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: 'static,
        E: From<Error> + 'static,
    {
        self.writer.submit(work, reply);
    }

    /// Like [`Store::submit`], in a transaction of its own. For jobs that write very many rows.
    pub fn submit_alone<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
        reply: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: 'static,
        E: From<Error> + 'static,
    {
        self.writer.submit_alone(work, reply);
    }

    /// Writes and waits until the commit is on disk. Nothing is written if it returns an error.
    pub fn write<T, E>(&self, work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        awaited(|reply| self.submit(work, reply)).unwrap_or_else(|| Err(E::from(Error::Closed)))
    }

    /// Like [`Store::write`], in a transaction of its own. For jobs that write very many rows.
    pub fn write_alone<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        awaited(|reply| self.submit_alone(work, reply)).unwrap_or_else(|| Err(E::from(Error::Closed)))
    }

    /// Registers a listener that runs after each commit, before the writers get their replies. It also runs
    /// once immediately, with a commit without changes, to report the current position. Must not be called on a
    /// thread of the store.
    pub fn after_commit(&self, listener: CommitListener) {
        self.writer.follow(listener);
    }

    /// Returns a number that changes with every commit that changed a record or a list, after all listeners
    /// have run. Data read after this call is current as long as the number stays equal. It is not stored and
    /// restarts with the process.
    pub fn version(&self) -> u64 {
        self.writer.version()
    }

    /// Returns a receiver for the number of the newest journal entry, updated after all listeners have run. It
    /// is also notified if the API token was replaced or new webhook messages are pending.
    pub fn newest_change(&self) -> watch::Receiver<u64> {
        self.writer.newest()
    }

    /// Returns the number of writes that wait for the writer.
    pub fn queued_writes(&self) -> u64 {
        self.writer.queued() as u64
    }

    /// Returns the lengths of the database file and of its write-ahead log, in bytes.
    pub fn lengths(&self) -> [u64; 2] {
        [FILE, WAL_FILE].map(|name| std::fs::metadata(self.folder().join(name)).map_or(0, |file| file.len()))
    }

    /// Returns the number of the writer's work and what those behind it wait for, or `None` if the writer is idle.
    pub fn waiting_for(&self) -> Option<(u64, Bilingual)> {
        self.writer.waiting_for()
    }

    /// Checks for writes by other programs, at most once a second, without waiting. `time` is monotonic.
    /// Returns a receiver to wait for the check, or `None` if this second was checked already.
    pub fn check_external_writes(&self, time: Duration) -> Option<Receiver<()>> {
        let second = time.as_secs() + 1;
        (self.looked.swap(second, Ordering::Relaxed) != second).then(|| self.writer.check_external_writes())
    }

    /// Returns the state of the write-ahead log.
    pub fn wal_state(&self) -> &WalState {
        self.writer.wal_state()
    }

    /// Work that is due once a minute: looks for writes by other programs, empties what is owed of the log, and notes the
    /// numbers given out. Waits for the writer.
    pub fn maintain(&self) -> Result<(), Error> {
        self.writer.maintain()
    }

    /// Replaces the content of the store with the tested file `from`; see [`copy::put_in_place`]. If it fails,
    /// the store is unchanged.
    pub fn put_in_place(&self, from: &Path, with_token: bool) -> Result<(), Error> {
        self.put_in_place_after(from, with_token, || Ok(()))
    }

    /// Like [`Store::put_in_place`], after `before`. Nothing is written from then on until the content is replaced. If `before`
    /// fails, the store is unchanged.
    pub fn put_in_place_after<T, E>(
        &self,
        from: &Path,
        with_token: bool,
        before: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let done = self.writer.replace(from.to_owned(), with_token, before)?;
        *self.damage.write() = None;
        Ok(done)
    }

    /// Makes the store of a standby what the tested file `from` is; see [`copy::put_in_place_unchanged`].
    pub fn mirror(&self, from: &Path) -> Result<(), Error> {
        self.writer.mirror(from.to_owned())?;
        *self.damage.write() = None;
        Ok(())
    }

    /// Stores the unsaved numbers of `counts` with every commit from now on.
    pub fn save_counts(&self, counts: Arc<dyn Counts>) {
        self.writer.save_counts(counts);
    }

    /// Fails with `Moved` if the file was deleted, moved or replaced since it was opened. Then nothing can be written.
    pub fn ensure_in_place(&self) -> Result<(), Error> {
        self.readers.file().ensure_in_place()
    }

    /// Returns the error of the last write, or `Ok` if it succeeded or nothing has been written yet.
    pub fn last_write(&self) -> Result<(), Error> {
        self.health().borrow().clone()
    }

    /// Returns a receiver for the result of the last write. It is notified when writes begin to fail or to
    /// succeed again.
    pub fn health(&self) -> watch::Receiver<Result<(), Error>> {
        self.writer.last()
    }
}

/// Callback for the outcome of a read or write.
type ReplyTo<T> = Box<dyn FnOnce(T) + Send>;

/// Submits a job with a callback and waits for its outcome. Returns `None` if the callback was dropped.
fn awaited<T: Send + 'static>(submit: impl FnOnce(ReplyTo<T>)) -> Option<T> {
    let outcome = Arc::new(Mutex::new(None));
    // A channel of outcomes would be compiled for each of their types.
    let (done, is_done) = bounded::<()>(1);
    let slot = outcome.clone();
    submit(Box::new(move |reply| {
        *slot.lock() = Some(reply);
        drop(done);
    }));
    let _ = is_done.recv();
    outcome.lock().take()
}

/// Creates a new store under a temporary name and renames it when complete. An empty file of the final name is
/// therefore a store that was emptied.
fn create(path: &Path) -> Result<(), Error> {
    let new = path.with_extension("db.new");
    copy::forget(&new)?;
    connection::private_file(&new)?;
    let mut conn = connection::open_alone(&new, connection::WRITER_CACHE)?;
    // No sync per write: `publish` syncs the whole file.
    conn.pragma_update(None, "synchronous", "OFF")?;
    migrate::migrate(&mut conn)?;
    copy::publish(conn, &new, path)
}

/// Writes a value back unchanged, to test that the store can be written.
pub fn try_write(tx: Tx<'_>) -> Result<(), Error> {
    Ok(tx.conn().pragma_update(None, "user_version", migrate::version(tx.conn())?)?)
}
