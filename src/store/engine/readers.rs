//! The readers: a few threads that each keep one read-only connection, taken from the pool once. They start when they are needed.
//!
//! They form two lanes, so that reads of long pages do not delay reads of single records.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::OpenFlags;

use super::connection::prepare;
use super::file_identity::OpenedFile;
use crate::store::access::revocations::Revocations;
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

const MAX_POINT_THREADS: u32 = 4;
const MAX_LONG_THREADS: u32 = 2;

pub(in crate::store) struct Readers {
    file: Arc<OpenedFile>,
    point: ReaderLane,
    long: ReaderLane,
}

impl Readers {
    pub(in crate::store) fn start(path: &Path, revocations: &Arc<Revocations>) -> Result<Readers, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let manager =
            SqliteConnectionManager::file(path).with_flags(flags).with_init(|conn| prepare(conn, 4));
        let pool = r2d2::Pool::builder()
            .max_size(MAX_POINT_THREADS + MAX_LONG_THREADS)
            .min_idle(Some(0))
            .connection_timeout(Duration::from_secs(5))
            .test_on_check_out(false)
            .idle_timeout(None)
            .max_lifetime(None)
            .build_unchecked(manager);
        let file = Arc::new(OpenedFile::at(path)?);
        let connections = Connections { pool, file: file.clone(), revocations: revocations.clone() };
        let point = ReaderLane::start("pleito-reader", MAX_POINT_THREADS, connections.clone())?;
        let long = ReaderLane::start("pleito-lister", MAX_LONG_THREADS, connections)?;
        Ok(Readers { file, point, long })
    }

    pub(in crate::store) fn file(&self) -> &OpenedFile {
        &self.file
    }

    pub(in crate::store) fn submit(&self, lane: Lane, work: ReadJob) {
        match lane {
            Lane::Point => self.point.submit(work),
            Lane::Long => self.long.submit(work),
        }
    }
}

/// Where the threads take their connections.
#[derive(Clone)]
struct Connections {
    pool: Pool,
    file: Arc<OpenedFile>,
    revocations: Arc<Revocations>,
}

/// The threads of a lane. There are as many as have ever been needed at once: a connection takes half a megabyte.
struct ReaderLane {
    name: &'static str,
    max_threads: u32,
    connections: Connections,
    queue: Option<Sender<ReadJob>>,
    work: Receiver<ReadJob>,
    /// Number of reads that wait or run.
    pending: Arc<AtomicU32>,
    started: AtomicU32,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl ReaderLane {
    /// Starts the lane with one thread.
    fn start(name: &'static str, max_threads: u32, connections: Connections) -> Result<ReaderLane, Error> {
        let (queue, work) = unbounded();
        let lane = ReaderLane {
            name,
            max_threads,
            connections,
            queue: Some(queue),
            work,
            pending: Arc::default(),
            started: AtomicU32::new(0),
            threads: Mutex::default(),
        };
        lane.start_thread()?;
        Ok(lane)
    }

    fn submit(&self, work: ReadJob) {
        let pending = self.pending.fetch_add(1, Ordering::Relaxed) + 1;
        let started = self.started.load(Ordering::Relaxed);
        if pending > started
            && started < self.max_threads
            && let Err(cause) = self.start_thread()
        {
            tracing::warn!(%cause, "a further thread for reads could not be started");
        }
        if let Some(refused) = self.queue.as_ref().and_then(|queue| queue.send(work).err()) {
            (refused.into_inner())(Err(Error::Closed));
        }
    }

    /// Starts a further thread, unless another call has started the last one meanwhile.
    fn start_thread(&self) -> io::Result<()> {
        let mut threads = self.threads.lock();
        let started = self.started.load(Ordering::Relaxed);
        if started == self.max_threads {
            return Ok(());
        }
        let connections = self.connections.clone();
        let work = self.work.clone();
        let pending = self.pending.clone();
        let thread = std::thread::Builder::new().name(self.name.to_owned());
        threads.push(thread.spawn(move || run(&connections, &work, &pending))?);
        self.started.store(started + 1, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for ReaderLane {
    /// Waits until every queued read has been answered.
    fn drop(&mut self) {
        self.queue = None;
        for thread in self.threads.get_mut().drain(..) {
            join(thread);
        }
    }
}

fn run(connections: &Connections, queue: &Receiver<ReadJob>, pending: &AtomicU32) {
    let Connections { pool, file, revocations } = connections;
    // Never read a file that has replaced the store: the write-ahead log would belong to the other file.
    let open = || file.ensure_in_place().and_then(|()| Ok(pool.get()?));
    let mut reused = None;
    while let Ok(work) = queue.recv() {
        match reused.take().map_or_else(open, Ok) {
            Ok(connection) => {
                // If a read panics, its caller gets no answer and the thread continues with the next one.
                let _ = catch_unwind(AssertUnwindSafe(|| work(Ok(Db::new(&connection).with(revocations)))));
                reused = Some(connection);
            }
            Err(cause) => work(Err(cause)),
        }
        pending.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Waits for a thread to end, unless it is the current one: the last owner of the store may be one of its own
/// threads.
pub(in crate::store) fn join(thread: JoinHandle<()>) {
    if thread.thread().id() != std::thread::current().id() {
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::store::{FILE, Store};

    #[test]
    fn threads_start_when_all_others_are_in_use_up_to_the_maximum() {
        let folder = tempfile::tempdir().unwrap();
        let _store = Store::open(folder.path()).unwrap();
        let revocations = Arc::new(Revocations::read(folder.path()).unwrap());
        let readers = Readers::start(&folder.path().join(FILE), &revocations).unwrap();
        let started = || readers.point.started.load(Ordering::Relaxed);
        let (answers, answered) = unbounded();
        let read = |wait: Option<Arc<Barrier>>| {
            let answers = answers.clone();
            readers.submit(
                Lane::Point,
                Box::new(move |db| {
                    wait.map(|barrier| barrier.wait());
                    answers.send(db.is_ok()).unwrap();
                }),
            );
        };
        // The count of a read goes down after its answer.
        let wait_until_idle = || {
            while readers.point.pending.load(Ordering::Relaxed) > 0 {
                std::thread::yield_now();
            }
        };
        for _ in 0..20 {
            read(None);
            assert!(answered.recv().unwrap());
            wait_until_idle();
        }
        assert_eq!(started(), 1);
        for count in 2..=MAX_POINT_THREADS {
            let together = Arc::new(Barrier::new(usize::try_from(count).unwrap()));
            (0..count).for_each(|_| read(Some(together.clone())));
            (0..count).for_each(|_| assert!(answered.recv().unwrap()));
            wait_until_idle();
            assert_eq!(started(), count);
        }
        (0..20).for_each(|_| read(None));
        (0..20).for_each(|_| assert!(answered.recv().unwrap()));
        assert_eq!(started(), MAX_POINT_THREADS);
        assert_eq!(readers.long.started.load(Ordering::Relaxed), 1);
    }
}
