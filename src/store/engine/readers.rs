//! The readers: a few threads that each keep one read-only connection, taken from the pool once.
//!
//! They form two lanes, so that reads of long pages do not delay reads of single records.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::OpenFlags;

use super::connection::prepare;
use super::file_identity::OpenedFile;
use crate::store::access::endings::Endings;
use crate::store::{Db, Error};

type Pool = r2d2::Pool<SqliteConnectionManager>;
pub(in crate::store) type ReadJob = Box<dyn FnOnce(Result<Db<'_>, Error>) + Send>;

/// Group of threads that runs a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Single records and small lists, a few tenths of a millisecond each.
    Point,
    /// Pages of up to a thousand records.
    Long,
}

const POINT_THREADS: u32 = 4;
const LONG_THREADS: u32 = 2;

pub(in crate::store) struct Readers {
    point: Option<Sender<ReadJob>>,
    long: Option<Sender<ReadJob>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(in crate::store) fn start(path: &Path, endings: &Arc<Endings>) -> Result<Readers, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let manager =
            SqliteConnectionManager::file(path).with_flags(flags).with_init(|conn| prepare(conn, 4));
        let pool = r2d2::Pool::builder()
            .max_size(POINT_THREADS + LONG_THREADS)
            .min_idle(Some(0))
            .connection_timeout(Duration::from_secs(5))
            .test_on_check_out(false)
            .idle_timeout(None)
            .max_lifetime(None)
            .build_unchecked(manager);
        let file = Arc::new(OpenedFile::at(path)?);
        let (point, point_work) = unbounded();
        let (long, long_work) = unbounded();
        let mut threads = Vec::new();
        for (count, name, work) in
            [(POINT_THREADS, "pleito-reader", point_work), (LONG_THREADS, "pleito-lister", long_work)]
        {
            for _ in 0..count {
                let pool = pool.clone();
                let file = file.clone();
                let work = work.clone();
                let endings = endings.clone();
                let thread = std::thread::Builder::new().name(name.to_owned());
                threads.push(thread.spawn(move || run(&pool, &file, &endings, &work))?);
            }
        }
        Ok(Readers { point: Some(point), long: Some(long), threads })
    }

    pub(in crate::store) fn submit(&self, lane: Lane, work: ReadJob) {
        let queue = match lane {
            Lane::Point => &self.point,
            Lane::Long => &self.long,
        };
        if let Some(refused) = queue.as_ref().and_then(|queue| queue.send(work).err()) {
            (refused.into_inner())(Err(Error::Closed));
        }
    }
}

impl Drop for Readers {
    /// Waits until every queued read has been answered.
    fn drop(&mut self) {
        self.point = None;
        self.long = None;
        for thread in self.threads.drain(..) {
            join(thread);
        }
    }
}

fn run(pool: &Pool, file: &OpenedFile, endings: &Endings, queue: &Receiver<ReadJob>) {
    let mut reused = None;
    while let Ok(work) = queue.recv() {
        if reused.is_none() {
            // Never read a file that has replaced the store: the write-ahead log would belong to the other
            // file.
            reused = match file.ensure_in_place().and_then(|()| Ok(pool.get()?)) {
                Ok(connection) => Some(connection),
                Err(cause) => {
                    work(Err(cause));
                    continue;
                }
            };
        }
        if let Some(connection) = &reused {
            // If a read panics, its caller gets no answer and the thread continues with the next one.
            let _ = catch_unwind(AssertUnwindSafe(|| work(Ok(Db::new(connection).with(endings)))));
        }
    }
}

/// Waits for a thread to end, unless it is the current one: the last owner of the store may be one of its own
/// threads.
pub(in crate::store) fn join(thread: JoinHandle<()>) {
    if thread.thread().id() != std::thread::current().id() {
        let _ = thread.join();
    }
}
