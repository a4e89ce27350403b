//! The readers: a few threads that each keep one read-only connection, checked out of the pool once.
//!
//! Two lanes, so that somebody who walks through long pages does not keep anybody from reading one record.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::OpenFlags;

use super::connection::prepare;
use super::opened::OpenedFile;
use super::writer::join;
use super::{Db, Error};

type Pool = r2d2::Pool<SqliteConnectionManager>;
type Work = Box<dyn FnOnce(Result<Db<'_>, Error>) + Send>;

/// Which threads do a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// One record, a small list: tenths of a millisecond.
    Point,
    /// Pages of up to a thousand records.
    Long,
}

const POINT_THREADS: u32 = 4;
const LONG_THREADS: u32 = 2;

pub(super) struct Readers {
    point: Option<Sender<Work>>,
    long: Option<Sender<Work>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(path: &Path) -> Result<Readers, Error> {
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
                let (pool, file, work) = (pool.clone(), file.clone(), work.clone());
                let thread = std::thread::Builder::new().name(name.to_owned());
                threads.push(thread.spawn(move || run(&pool, &file, &work))?);
            }
        }
        Ok(Readers { point: Some(point), long: Some(long), threads })
    }

    /// Queues `work` and returns at once.
    pub(super) fn submit(&self, lane: Lane, work: impl FnOnce(Result<Db<'_>, Error>) + Send + 'static) {
        let queue = match lane {
            Lane::Point => &self.point,
            Lane::Long => &self.long,
        };
        let work: Work = Box::new(work);
        if let Some(refused) = queue.as_ref().and_then(|queue| queue.send(work).err()) {
            (refused.into_inner())(Err(Error::Closed));
        }
    }
}

impl Drop for Readers {
    /// Waits until everything that was queued is answered.
    fn drop(&mut self) {
        self.point = None;
        self.long = None;
        for thread in self.threads.drain(..) {
            join(thread);
        }
    }
}

fn run(pool: &Pool, file: &OpenedFile, queue: &Receiver<Work>) {
    let mut kept = None;
    while let Ok(work) = queue.recv() {
        if kept.is_none() {
            // Of a file that took the store's place nothing is read: the log of what was written is not its own.
            kept = match file.ensure_in_place().and_then(|()| Ok(pool.get()?)) {
                Ok(connection) => Some(connection),
                Err(cause) => {
                    work(Err(cause));
                    continue;
                }
            };
        }
        if let Some(connection) = &kept {
            // Whoever asked sees its answer missing; the thread goes on with the next.
            let _ = catch_unwind(AssertUnwindSafe(|| work(Ok(Db::new(connection)))));
        }
    }
}
