//! The office's data: one SQLite file, many readers, one writer; the contents of documents are files beside it.
//!
//! Two doors: `read` and `submit_read` on a few threads that keep a read-only connection, `write` and `submit` on the
//! one writer thread. The file of every noun holds its rows and its SQL. What is missing on purpose: any way for another
//! floor to run SQL of its own.

pub mod changes;
mod columns;
mod committed;
mod connection;
mod contents;
pub mod copy;
pub mod counters;
pub mod customers;
pub mod documents;
mod error;
pub mod external_ids;
pub mod idempotency;
mod ids;
pub mod imports;
pub mod journal;
pub mod lawsuits;
mod migrate;
pub mod moments;
pub mod movements;
pub mod moves;
mod opened;
mod others;
pub mod publications;
mod readers;
pub mod records;
mod schema;
pub mod scratch;
pub mod series;
pub mod settings;
mod sound;
pub mod tasks;
pub mod tokens;
pub mod transactions;
pub mod trash;
mod wal;
pub mod webhooks;
pub mod whole;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::Receiver;
use tokio::sync::watch;

use parking_lot::RwLock;

pub use committed::{Changes, CommitListener, Committed};
pub use connection::{Db, Tx};
pub use contents::{ContentCheck, ContentState, ContentStore, ContentWriter, NewContent};
pub use error::Error;
pub use readers::Lane;
pub use schema::Difference;

use counters::Counts;
use readers::Readers;
use sound::{sound_pages, whole_pages};
use writer::Writer;

use crate::clock::Clock;
use crate::files;

/// The file that holds everything.
pub const FILE: &str = "pleito.db";
/// What was written last, until it is moved into the file itself.
const LOG: &str = "pleito.db-wal";

/// The open store of a data folder.
pub struct Store {
    path: PathBuf,
    contents: ContentStore,
    readers: Readers,
    writer: Writer,
    /// What was found under it while it is served.
    damage: RwLock<Option<String>>,
    /// The second in which it was looked for others' writes.
    looked: AtomicU64,
}

impl Store {
    /// Opens the store in `folder`, makes it where there is none, and brings an older one up to date.
    ///
    /// # Errors
    /// `Foreign`, `Newer` or `Damaged` where the file is no store that this program can serve; it is untouched then.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        let path = folder.join(FILE);
        match std::fs::metadata(&path) {
            Ok(file) if file.len() == 0 => return Err(Error::Damaged("the file is empty".to_owned())),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => create(&path)?,
            _ => {}
        }
        // One plain connection first: a pool would hide why a file cannot be opened behind its own time-out.
        let mut conn = connection::open_writer(&path)?;
        let behind = migrate::is_behind(&conn)?;
        if let Some(found) = behind {
            copy::trial_migration(folder, found)?;
        }
        migrate::migrate(&mut conn)?;
        if behind.is_some() || trash::is_interrupted(folder) {
            let emptied = |()| Ok(conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?);
            let rewritten = copy::rewrite(&path).and_then(emptied).and_then(|()| trash::end_erasing(folder));
            if let Err(cause) = rewritten {
                tracing::warn!(%cause, "bytes of what was erased are left in the file until the next start");
            }
        }
        scratch::sweep(folder);
        let contents = ContentStore::of(folder);
        contents.sweep(Db::new(&conn));
        let writer = Writer::start(conn)?;
        let settled = contents.clone();
        writer.follow(Box::new(move |db, _| settled.settle(db)));
        Ok(Store {
            writer,
            contents,
            readers: Readers::start(&path)?,
            damage: RwLock::default(),
            looked: AtomicU64::default(),
            path,
        })
    }

    /// Whether the store in `folder` has a customer or a lawsuit; none where there is no store. Changes nothing.
    ///
    /// # Errors
    /// What the file is instead of a store, or why it cannot be read.
    pub fn holds_records(folder: &Path) -> Result<bool, Error> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(false);
        }
        let conn = connection::open_to_look(&path)?;
        migrate::is_ours(&conn)?;
        let sql = "SELECT EXISTS (SELECT 1 FROM customers) OR EXISTS (SELECT 1 FROM lawsuits)";
        Ok(conn.query_row(sql, [], |row| row.get(0))?)
    }

    /// Looks through the store in `folder` without changing it: its structure, and what is in it.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn check(folder: &Path) -> Result<Checked, Error> {
        let conn = connection::open_to_look(&folder.join(FILE))?;
        migrate::is_ours(&conn)?;
        sound_pages(&conn)?;
        schema::compare(&conn)?;
        Ok(Checked {
            customers: copy::live(&conn, "customers")?,
            lawsuits: copy::live(&conn, "lawsuits")?,
            token: tokens::current(Db::new(&conn))?,
        })
    }

    /// Reads the store in `folder` over a connection that is closed afterwards: for work over whole tables, which would leave
    /// a reader's memory full of what nobody asks for next.
    ///
    /// # Errors
    /// What `work` answers, or why the file cannot be opened: `Foreign` or `Newer` if it is no store that this program reads.
    pub fn look<T, E: From<Error>>(folder: &Path, work: impl FnOnce(Db<'_>) -> Result<T, E>) -> Result<T, E> {
        let conn = connection::open_to_look(&folder.join(FILE))?;
        migrate::is_ours(&conn)?;
        work(Db::new(&conn))
    }

    /// Like [`Store::look`], also for a store that cannot be read where it is: an older one, and one on a disk that can only be
    /// read. Then a copy is made in the folder `scratch`, brought up to date, read and removed.
    ///
    /// # Errors
    /// Those of [`Store::look`], or why there is no copy.
    pub fn look_anywhere<T, E: From<Error>>(
        folder: &Path,
        scratch: &Path,
        work: impl FnOnce(Db<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let is_behind =
            |path: &Path| Ok::<_, Error>(migrate::is_behind(&connection::open_to_look(path)?)?.is_some());
        let path = folder.join(FILE);
        let copy = match connection::lacks_companions(&path) {
            true => copy::copy_files(folder, scratch)?,
            false if is_behind(&path)? => copy::copy_aside(folder, scratch)?,
            false => return Store::look(folder, work),
        };
        let copied = copy.path().join(FILE);
        if is_behind(&copied)? {
            migrate::migrate(&mut connection::open_writer(&copied)?)?;
        }
        Store::look(copy.path(), work)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The contents of documents.
    pub fn contents(&self) -> &ContentStore {
        &self.contents
    }

    /// Queues a read on one of the lane's threads and returns at once.
    pub fn submit_read(&self, lane: Lane, work: impl FnOnce(Result<Db<'_>, Error>) + Send + 'static) {
        self.readers.submit(lane, work);
    }

    /// Reads, and waits for the result. Not for a thread of the store itself: it would wait for its own queue.
    ///
    /// # Errors
    /// What `work` answers, or why there is no connection.
    pub fn read<T, E>(&self, work: impl FnOnce(Db<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.submit_read(Lane::Point, move |db| {
            let _ = reply.send(db.map_err(E::from).and_then(work));
        });
        answer.recv().unwrap_or_else(|_| Err(E::from(Error::Defect("a read panicked".to_owned()))))
    }

    /// Queues a write and returns at once. `reply` runs on the writer thread once what was written is on disk, or once
    /// it is sure that nothing of it is.
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

    /// The same for work of very many rows: it has a transaction of its own.
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

    /// Writes, and waits until it is on disk.
    ///
    /// # Errors
    /// What `work` answers, or why nothing could be written; in either case nothing was.
    pub fn write<T, E>(&self, work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        awaited(|reply| self.submit(work, reply))
    }

    /// The same for work of very many rows: it has a transaction of its own.
    ///
    /// # Errors
    /// Likewise.
    pub fn write_alone<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        awaited(|reply| self.submit_alone(work, reply))
    }

    /// Has `listener` hear of every commit from now on, before those who wrote are answered; at once of one that changed
    /// nothing, so that it knows where the store stands. Not for a thread of the store itself.
    pub fn after_commit(&self, listener: CommitListener) {
        self.writer.follow(listener);
    }

    /// A number that moves with every commit that changed a record or a list, once everybody has heard of it. What was read
    /// after asking is right for as long as it is the same. In memory only, and of this run of the program.
    pub fn version(&self) -> u64 {
        self.writer.version()
    }

    /// The number of the newest entry of the journal, to wait for: it is sent once everybody has heard of the commit, and also
    /// where the token may be another one or webhooks have more to be sent.
    pub fn newest_change(&self) -> watch::Receiver<u64> {
        self.writer.newest()
    }

    /// Sees to it that what another program writes into the file is noticed within a second. `time` is one that no clock
    /// change moves. Waits for nothing; who cannot go on with what is kept in memory waits for the receiver, if there is one.
    pub fn look_for_others(&self, time: Duration) -> Option<Receiver<()>> {
        let second = time.as_secs() + 1;
        (self.looked.swap(second, Ordering::Relaxed) != second).then(|| self.writer.look())
    }

    /// Puts what is in the file `from`, which was tried out, in the place of everything; see [`copy::put_in_place`].
    ///
    /// # Errors
    /// Why it could not be done; the store is as it was then.
    pub fn put_in_place(&self, from: &Path, with_token: bool) -> Result<(), Error> {
        self.writer.replace(from.to_owned(), with_token)?;
        *self.damage.write() = None;
        Ok(())
    }

    /// Has what is new in `counts` stored with every commit of this process from now on.
    pub fn count(&self, counts: Arc<dyn Counts>) {
        self.writer.count(counts);
    }

    /// How the last write of this process went; well where there was none.
    ///
    /// # Errors
    /// Why the last one could not be stored.
    pub fn last_write(&self) -> Result<(), Error> {
        self.health().borrow().clone()
    }

    /// The same to wait for: it changes when writes begin to fail, and when they succeed again.
    pub fn health(&self) -> watch::Receiver<Result<(), Error>> {
        self.writer.last()
    }
}

/// Where the outcome of a write goes.
type ReplyTo<T, E> = Box<dyn FnOnce(Result<T, E>) + Send>;

/// Hands work over by `submit` with where its reply goes, and waits for it.
fn awaited<T, E>(submit: impl FnOnce(ReplyTo<T, E>)) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, answer) = std::sync::mpsc::sync_channel(1);
    submit(Box::new(move |done| _ = reply.send(done)));
    answer.recv().unwrap_or_else(|_| Err(E::from(Error::Closed)))
}

/// Makes a new store, which gets its name once it is whole: an empty file of that name is a store that was emptied.
fn create(path: &Path) -> Result<(), Error> {
    let new = path.with_extension("db.new");
    copy::forget(&new)?;
    connection::private_file(&new)?;
    let mut conn = connection::open_alone(&new)?;
    // It is put on the disk as a whole.
    conn.pragma_update(None, "synchronous", "OFF")?;
    migrate::migrate(&mut conn)?;
    drop(conn);
    std::fs::OpenOptions::new().write(true).open(&new)?.sync_all()?;
    Ok(files::rename(&new, path)?)
}

/// What a look through the store found.
pub struct Checked {
    /// How many customers there are.
    pub customers: u64,
    /// How many lawsuits there are.
    pub lawsuits: u64,
    /// The token in force.
    pub token: Option<tokens::StoredToken>,
}

/// Writes something that changes nothing, to see whether anything can be written.
///
/// # Errors
/// Why it cannot.
pub fn try_write(tx: Tx<'_>) -> Result<(), Error> {
    Ok(tx.conn().pragma_update(None, "user_version", migrate::version(tx.conn())?)?)
}

/// Now, in seconds since 1970, for what nobody says the moment of.
fn clock_now() -> i64 {
    Clock::system().now().as_second()
}

/// Why a row cannot be found although its id was just written: a defect.
fn gone(what: &str) -> Error {
    Error::Defect(format!("{what} vanished inside its own transaction"))
}
