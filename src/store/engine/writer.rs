//! The single writer: a thread that commits all queued jobs together and replies to each after the commit.
//!
//! Up to `MAX_JOBS_PER_COMMIT` queued jobs share one transaction and one fsync. Each runs in its own savepoint, so a failing job
//! leaves nothing behind and does not affect the others. Jobs that write very many rows are submitted with
//! `submit_alone`, and each gets its own transaction without a savepoint.

pub(in crate::store) mod current_work;
mod last_commit;
mod message;
mod whole_file;
mod work;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rusqlite::Connection;
use tokio::sync::watch;

use super::committed::{CommitListener, CommitListeners};
use super::epoch::Epoch;
use super::external_writes::FileVersion;
use super::file_identity::OpenedFile;
use super::readers::join;
use super::wal::{Wal, WalState};
use crate::domain::Bilingual;
use crate::store::access::revocations::Revocations;
use crate::store::journal::change_log::ChangeLog;
use crate::store::requests::counters::Counts;
use crate::store::{Db, Error, Tx};
use current_work::CurrentWork;
use last_commit::{LastCommit, note};
use message::{AfterBatch, WriterMessage};
use work::{Job, JobResult, counting, journaled, prepared};

/// Maximum number of jobs per commit; limits how long the first one waits.
const MAX_JOBS_PER_COMMIT: usize = 512;

/// Error for jobs that had already run in a transaction when a later job made SQLite roll it back.
const ROLLED_BACK: &str = "another write of the same commit failed";

/// Handle of the writer thread and its queue.
pub(in crate::store) struct Writer {
    queue: Sender<WriterMessage>,
    /// Result of the last commit. Receivers are notified when it changes between success and failure.
    last: LastCommit,
    version: Arc<AtomicU64>,
    newest: watch::Sender<u64>,
    current_work: Arc<CurrentWork>,
    wal_state: Arc<WalState>,
    /// Refuses every job: only [`Writer::mirror`] changes the store.
    is_standby: bool,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread with a connection that is set up and migrated, and whose epoch is settled.
    pub(in crate::store) fn start(
        conn: Connection,
        epoch: Option<Epoch>,
        revocations: Arc<Revocations>,
        is_standby: bool,
    ) -> Result<Writer, Error> {
        let (queue, messages) = unbounded();
        let last = LastCommit::new(Ok(()));
        let newest = watch::Sender::new(0);
        let listeners = CommitListeners::new(newest.clone());
        let version = listeners.version();
        let file = OpenedFile::at(Path::new(conn.path().unwrap_or_default()))?;
        let log = ChangeLog::start(&conn)?;
        let current_work = log.current_work();
        let wal = Wal::of(&conn);
        let wal_state = wal.state();
        let others = FileVersion::of(&conn)?;
        wal_state.set_litestream(others.has_litestream());
        let mut thread = Thread {
            wal,
            others,
            epoch,
            conn,
            file,
            messages,
            listeners,
            counts: None,
            last: last.clone(),
            log,
            revocations,
        };
        let thread =
            std::thread::Builder::new().name("pleito-writer".to_owned()).spawn(move || thread.run())?;
        Ok(Writer { queue, last, version, newest, current_work, wal_state, is_standby, thread: Some(thread) })
    }

    /// Queues a job and returns at once. `reply` runs on the writer thread after the commit is on disk, or once the job
    /// has failed and left nothing behind. If the writer has stopped, `reply` runs on the current thread.
    pub(in crate::store) fn submit<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
        reply: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: 'static,
        E: From<Error> + 'static,
    {
        self.send_job(prepared(work, reply), WriterMessage::Work);
    }

    /// Like [`Writer::submit`], in a transaction of its own and without a savepoint. In a savepoint, a statement may walk
    /// over all pages changed before, so a job with very many rows would take several times as long.
    pub(in crate::store) fn submit_alone<T, E>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
        reply: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: 'static,
        E: From<Error> + 'static,
    {
        self.send_job(prepared(work, reply), WriterMessage::Alone);
    }

    fn send_job(&self, work: Job, message: fn(Job) -> WriterMessage) {
        if self.is_standby {
            return (work(Err(Error::Standby)).answer)(None);
        }
        if let Err(refused) = self.queue.send(message(work))
            && let WriterMessage::Work(work) | WriterMessage::Alone(work) = refused.into_inner()
        {
            (work(Err(Error::Closed)).answer)(None);
        }
    }

    pub(in crate::store) fn last(&self) -> watch::Receiver<Result<(), Error>> {
        self.last.subscribe()
    }

    /// Registers a listener that runs after each commit, before the replies, and once immediately with a commit
    /// without changes.
    pub(in crate::store) fn follow(&self, listener: CommitListener) {
        // A stopped writer commits nothing more, so the missing reply does not matter.
        self.wait(|reply| WriterMessage::Follow(listener, reply));
    }

    /// Returns a number that increases after the listeners have run for a commit that may have changed a record or a
    /// list.
    pub(in crate::store) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Returns a receiver for the number of the newest journal entry, updated after all listeners have run. It is also
    /// notified if the API token was replaced or new webhook messages are pending.
    pub(in crate::store) fn newest(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// Returns the number of queued jobs.
    pub(in crate::store) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// See [`CurrentWork::waiting_for`].
    pub(in crate::store) fn waiting_for(&self) -> Option<(u64, Bilingual)> {
        self.current_work.waiting_for()
    }

    /// Notifies the receivers of [`Writer::newest`], because a right has ended.
    pub(in crate::store) fn wake(&self) {
        self.newest.send_modify(|_| {});
    }

    pub(in crate::store) fn wal_state(&self) -> &WalState {
        &self.wal_state
    }

    /// Queues a check for writes by other programs. The receiver yields after the check, when all listeners
    /// have run.
    pub(in crate::store) fn check_external_writes(&self) -> Receiver<()> {
        let (reply, answer) = bounded(1);
        let _ = self.queue.send(WriterMessage::Look(reply));
        answer
    }

    fn between<T, E>(&self, work: impl FnOnce(&mut Thread) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let guarded = move |thread: &mut Thread| {
            let done = catch_unwind(AssertUnwindSafe(|| work(thread)));
            done.unwrap_or_else(|_| Err(Error::Defect("work on the store panicked".to_owned()).into()))
        };
        let message = |reply: Sender<_>| {
            WriterMessage::Between(Box::new(move |thread| _ = reply.send(guarded(thread))))
        };
        self.wait(message).unwrap_or_else(|| Err(Error::Closed.into()))
    }

    /// Sends a message and waits for its reply. Returns `None` if the writer has stopped.
    fn wait<T>(&self, message: impl FnOnce(Sender<T>) -> WriterMessage) -> Option<T> {
        let (reply, answer) = bounded(1);
        let _ = self.queue.send(message(reply));
        answer.recv().ok()
    }

    /// Registers the request counts. From now on, each batch also stores those that have changed.
    pub(in crate::store) fn save_counts(&self, counts: Arc<dyn Counts>) {
        if self.is_standby {
            return;
        }
        let _ = self.queue.send(WriterMessage::Count(counts));
    }
}

impl Drop for Writer {
    /// Waits until all queued jobs are written.
    fn drop(&mut self) {
        let _ = self.queue.send(WriterMessage::Stop);
        self.thread.take().map_or((), join)
    }
}

struct Thread {
    conn: Connection,
    wal: Wal,
    file: OpenedFile,
    messages: Receiver<WriterMessage>,
    listeners: CommitListeners,
    others: FileVersion,
    epoch: Option<Epoch>,
    counts: Option<Arc<dyn Counts>>,
    last: LastCommit,
    log: ChangeLog,
    revocations: Arc<Revocations>,
}

impl Thread {
    fn run(&mut self) {
        while let Ok(message) = self.messages.recv() {
            let current_work = self.log.current_work();
            current_work.begin();
            let mut batch = Vec::new();
            let mut then = self.take(message, &mut batch);
            while then.is_none() && batch.len() < MAX_JOBS_PER_COMMIT {
                match self.messages.try_recv() {
                    Ok(message) => then = self.take(message, &mut batch),
                    Err(_) => break,
                }
            }
            self.write(batch);
            match then {
                Some(AfterBatch::Alone(work)) => self.write_alone(work),
                Some(AfterBatch::Between(work)) => work(self),
                Some(AfterBatch::Stop) => {
                    self.note_given(true);
                    break;
                }
                None => {}
            }
            current_work.end();
        }
    }

    /// Handles a message: adds a job to the batch, or returns an action that must wait until the batch is written.
    fn take(&mut self, message: WriterMessage, batch: &mut Vec<Job>) -> Option<AfterBatch> {
        match message {
            WriterMessage::Work(work) => batch.push(work),
            WriterMessage::Follow(listener, reply) => {
                self.listeners.add(Db::new(&self.conn).with(&self.revocations), listener);
                let _ = reply.send(());
            }
            WriterMessage::Count(counts) => self.counts = Some(counts),
            WriterMessage::Look(reply) => {
                // An error of the check also fails the next write, which reports it.
                let _ = self.check_external_writes();
                let _ = reply.send(());
            }
            WriterMessage::Between(work) => return Some(AfterBatch::Between(work)),
            WriterMessage::Alone(work) => return Some(AfterBatch::Alone(work)),
            WriterMessage::Stop => return Some(AfterBatch::Stop),
        }
        None
    }

    /// Runs one job in its own transaction, which is rolled back if the job fails.
    fn write_alone(&mut self, work: Job) {
        let begun = self.begin();
        let ran = work(begun.clone().map(|()| Tx::new(&self.conn, &self.log)));
        let ran = journaled(ran, &self.conn, &self.log);
        let rolled_back = begun.is_ok() && self.conn.is_autocommit();
        let lost = if ran.keep { self.commit().err() } else { None };
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        self.log.roll_back();
        let own = rolled_back.then(|| Error::Unavailable(ROLLED_BACK.to_owned()));
        note(&self.last, begun.err().or(lost.clone()).or(own));
        (ran.answer)(lost);
    }

    /// Writes the batch in one transaction. If SQLite rolls it back itself (for example, because the disk is
    /// full), the remaining jobs run in a new one.
    fn write(&mut self, batch: Vec<Job>) {
        let mut counting = self.counts.as_ref().and_then(counting);
        let mut waiting = batch.into_iter().peekable();
        while counting.is_some() || waiting.peek().is_some() {
            if let Err(cause) = self.begin() {
                note(&self.last, Some(cause.clone()));
                counting.into_iter().chain(waiting).for_each(|work| (work(Err(cause.clone())).answer)(None));
                return;
            }
            // Needs no savepoint: some of the counts are as right as all of them.
            let counted = counting.take().map(|work| work(Ok(Tx::new(&self.conn, &self.log))).answer);
            let mut ran = Vec::from_iter(counted);
            let mut own = None;
            let mut rolled_back = self.conn.is_autocommit();
            while !rolled_back {
                let Some(work) = waiting.next() else { break };
                let one = self.savepoint(work);
                rolled_back = self.conn.is_autocommit();
                // A job that made SQLite roll back gets its own error; all jobs before it get `ROLLED_BACK`.
                match one.keep || !rolled_back {
                    true => ran.push(one.answer),
                    false => own = Some(one.answer),
                }
            }
            let lost = if rolled_back {
                self.log.roll_back();
                Some(Error::Unavailable(ROLLED_BACK.to_owned()))
            } else {
                self.commit().err()
            };
            note(&self.last, lost.clone());
            own.into_iter().for_each(|answer| answer(None));
            ran.into_iter().for_each(|answer| answer(lost.clone()));
        }
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.wal.tend(&self.conn)?;
        self.run_cached("BEGIN IMMEDIATE")?;
        // The lock is held from here on, so no other connection can commit.
        self.check_external_writes().inspect_err(|_| _ = self.conn.execute_batch("ROLLBACK"))
    }

    /// If another program has written to the file, publishes that everything may have changed.
    fn check_external_writes(&mut self) -> Result<(), Error> {
        let is_detected = self.others.detected(&self.conn, self.listeners.seq())?;
        self.wal.state().set_litestream(self.others.has_litestream());
        if is_detected {
            tracing::warn!(
                "another program has written to the store; everything that is cached from it is reloaded"
            );
            self.listeners.publish_all(Db::new(&self.conn).with(&self.revocations));
        }
        Ok(())
    }

    fn savepoint(&self, work: Job) -> JobResult {
        if let Err(cause) = self.run_cached("SAVEPOINT work") {
            return work(Err(Error::from(cause)));
        }
        let ran = journaled(work(Ok(Tx::new(&self.conn, &self.log))), &self.conn, &self.log);
        // These fail only if the whole transaction is gone, which the caller checks.
        if !ran.keep {
            let _ = self.run_cached("ROLLBACK TO work");
        }
        let _ = self.run_cached("RELEASE work");
        ran
    }

    /// Runs a statement that every write needs, without parsing it each time.
    fn run_cached(&self, sql: &'static str) -> rusqlite::Result<()> {
        self.conn.prepare_cached(sql)?.execute([]).map(|_| ())
    }

    /// Commits and runs the listeners. Rolls back if the store's file was deleted, moved or replaced, because the data
    /// would go into the orphaned file.
    fn commit(&mut self) -> Result<(), Error> {
        let committed = self.file.ensure_in_place().and_then(|()| Ok(self.run_cached("COMMIT")?));
        if committed.is_err() && !self.conn.is_autocommit() {
            // An open transaction would prevent every later one.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        if committed.is_err() {
            self.log.roll_back();
        }
        committed?;
        let wrote = self.log.committed();
        self.listeners.publish(Db::new(&self.conn).with(&self.revocations), &wrote);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use parking_lot::Mutex;

    use super::*;
    use crate::store::Store;
    use crate::store::engine::connection::open_writer;
    use crate::store::requests::counters::{self, Counter};

    fn add(number: u32) -> impl FnOnce(Tx<'_>) -> Result<u32, Error> {
        move |tx| {
            tx.conn().execute("INSERT INTO numbers VALUES (?1)", [number])?;
            if number == 0 { Err(Error::Closed) } else { Ok(number) }
        }
    }

    fn started(conn: Connection, folder: &tempfile::TempDir) -> Writer {
        Writer::start(conn, None, Arc::new(Revocations::read(folder.path()).unwrap()), false).unwrap()
    }

    /// Blocks the writer until a message is sent, so that all jobs queued meanwhile share one commit.
    fn held(writer: &Writer) -> Sender<()> {
        let ((open, held), (began, holds)) = (channel::<()>(), channel());
        let hold = move |_: Tx<'_>| {
            began.send(()).unwrap();
            held.recv().map_err(|_| Error::Closed)
        };
        writer.submit(hold, |_: Result<(), Error>| {});
        holds.recv().unwrap();
        open
    }

    #[test]
    fn failed_jobs_do_not_affect_others_and_replies_follow_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number INTEGER UNIQUE)").unwrap();
        let writer = started(conn, &folder);
        let commits = Arc::new(Mutex::new(0));
        let counted = commits.clone();
        writer.follow(Box::new(move |_, _| *counted.lock() += 1));
        let open = held(&writer);
        let (reply, answers) = channel();
        // One job fails after a write, one violates the constraint because of another job's row, and one
        // panics.
        for number in [1, 0, 2, 2, 9, 3] {
            let reply = reply.clone();
            let looking = Connection::open(&path).unwrap();
            let work = move |tx: Tx<'_>| if number == 9 { panic!("made up") } else { add(number)(tx) };
            writer.submit(work, move |done: Result<u32, Error>| {
                let there = "SELECT EXISTS (SELECT 1 FROM numbers WHERE number = ?1)";
                let there: bool = looking.query_row(there, [number], |row| row.get(0)).unwrap();
                reply.send((number, done.is_ok(), there)).unwrap();
            });
        }
        drop(reply);
        open.send(()).unwrap();
        let answers: Vec<_> = answers.iter().collect();
        // When a reply arrives, another connection sees the rows of successful jobs and none of failed ones.
        // The row of
        // the failed 2 is there because another job has written it.
        let expected = [
            (1, true, true),
            (0, false, false),
            (2, true, true),
            (2, false, true),
            (9, false, false),
            (3, true, true),
        ];
        assert_eq!(answers, expected);
        drop(writer);
        assert_eq!(
            *commits.lock(),
            3,
            "the first call, the blocking job, and one commit for all queued jobs"
        );
    }

    /// SQLite itself rolls back a transaction if the disk fills up during a write.
    #[test]
    fn jobs_queued_after_a_rolled_back_batch_get_a_reply() {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("numbers.db")).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number INTEGER UNIQUE)").unwrap();
        let writer = started(conn, &folder);
        let open = held(&writer);
        let (reply, answers) = channel();
        for number in 1..=4 {
            let reply = reply.clone();
            let work = move |tx: Tx<'_>| match number {
                2 => Ok(tx.conn().execute_batch("ROLLBACK").and(Err(rusqlite::Error::InvalidQuery))?),
                _ => add(number)(tx).map(|_| ()),
            };
            writer.submit(work, move |done: Result<(), Error>| reply.send((number, done.is_ok())).unwrap());
        }
        drop(reply);
        open.send(()).unwrap();
        let mut answers = answers.iter().collect::<Vec<_>>();
        answers.sort_unstable();
        assert_eq!(answers, [(1, false), (2, false), (3, true), (4, true)]);
    }

    /// Unsaved counts, and the saved ones.
    #[derive(Default)]
    struct Counted(Mutex<(Vec<Counter>, Vec<Counter>)>);

    impl Counts for Counted {
        fn unsaved(&self) -> Vec<Counter> {
            self.0.lock().0.clone()
        }

        fn saved(&self, counters: &[Counter]) {
            let mut counted = self.0.lock();
            counted.0.clear();
            counted.1.extend_from_slice(counters);
        }
    }

    #[test]
    fn counters_are_stored_with_each_write_even_if_it_fails() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let counted = Arc::new(Counted::default());
        store.save_counts(counted.clone());
        let counter = |count| Counter { route: "POST /a".to_owned(), day: 5, count };
        for (count, fails) in [(1, false), (2, true), (3, false)] {
            counted.0.lock().0 = vec![counter(count)];
            let work = move |_: Tx<'_>| if fails { Err(Error::Closed) } else { Ok(()) };
            assert_eq!(store.write(work).is_err(), fails);
            assert_eq!(counted.0.lock().1.last(), Some(&counter(count)));
            assert_eq!(store.read(counters::all).unwrap(), [counter(count)]);
        }
        // Without changes nothing is stored; the last change is stored when the store is closed.
        store.write::<_, Error>(|_| Ok(())).unwrap();
        assert_eq!(counted.0.lock().1.len(), 3);
        counted.0.lock().0 = vec![counter(4)];
        drop(store);
        assert_eq!(Store::open(folder.path()).unwrap().read(counters::all).unwrap(), [counter(4)]);
    }

    #[test]
    fn a_job_with_its_own_transaction_keeps_its_order_and_leaves_nothing_if_it_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE numbers (number INTEGER UNIQUE)").unwrap();
        let writer = started(conn, &folder);
        let (reply, answers) = channel();
        for (number, alone) in
            [(1, false), (0, true), (2, true), (0, false), (3, false), (2, true), (4, false)]
        {
            let reply = reply.clone();
            let answer = move |done: Result<u32, Error>| reply.send((number, done.ok())).unwrap();
            if alone { writer.submit_alone(add(number), answer) } else { writer.submit(add(number), answer) }
        }
        drop(writer);
        drop(reply);
        let answers: Vec<_> = answers.iter().collect();
        let expected = [(1, true), (0, false), (2, true), (0, false), (3, true), (2, false), (4, true)];
        assert_eq!(
            answers.iter().map(|(number, done)| (*number, done.is_some())).collect::<Vec<_>>(),
            expected
        );
        let conn = Connection::open(path).unwrap();
        let mut statement = conn.prepare("SELECT number FROM numbers").unwrap();
        let stored: Vec<u32> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(stored, [1, 2, 3, 4]);
    }
}
