//! A job for the writer, together with its reply.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rusqlite::Connection;

use crate::store::journal::change_log::ChangeLog;
use crate::store::requests::counters::{self, Counts};
use crate::store::{Db, Error, Tx};

/// A queued job. It runs inside its savepoint and returns the reply to call once its outcome is known.
pub(super) type Job = Box<dyn FnOnce(Result<Tx<'_>, Error>) -> JobResult + Send>;

/// Result of a job before the commit.
pub(super) struct JobResult {
    /// `true` if the changes are to be committed.
    pub(super) keep: bool,
    /// Sends the reply. The argument is the error if the commit failed, which overrides the job's own result.
    pub(super) answer: Box<dyn FnOnce(Option<Error>)>,
}

/// Combines a job with its reply, which erases their types.
pub(super) fn prepared<T, E>(
    work: impl FnOnce(Tx<'_>) -> Result<T, E> + Send + 'static,
    reply: impl FnOnce(Result<T, E>) + Send + 'static,
) -> Job
where
    T: 'static,
    E: From<Error> + 'static,
{
    Box::new(move |tx| {
        let done = tx.map_err(E::from).and_then(|tx| {
            catch_unwind(AssertUnwindSafe(|| work(tx)))
                .unwrap_or_else(|_| Err(E::from(Error::Defect("a write panicked".to_owned()))))
        });
        let keep = done.is_ok();
        JobResult {
            keep,
            answer: Box::new(move |lost| reply(lost.map_or(done, |cause| Err(E::from(cause))))),
        }
    })
}

/// Writes the journal entries of a successful job. If that fails, the job is rolled back too.
pub(super) fn journaled(ran: JobResult, conn: &Connection, log: &ChangeLog) -> JobResult {
    let is_open = !conn.is_autocommit();
    let written = if ran.keep && is_open { log.write(Db::new(conn)) } else { Ok(()) };
    log.forget();
    match written {
        Ok(()) => ran,
        Err(cause) => JobResult { keep: false, answer: Box::new(|_| (ran.answer)(Some(cause))) },
    }
}

/// Returns a job that stores the changed counts, or `None` if no count has changed.
pub(super) fn counting(counts: &Arc<dyn Counts>) -> Option<Job> {
    let counts = counts.clone();
    let unsaved = counts.unsaved();
    if unsaved.is_empty() {
        return None;
    }
    Some(prepared(
        move |tx| counters::store(tx, &unsaved).map(|()| unsaved),
        move |stored| match stored {
            Ok(saved) => counts.saved(&saved),
            // The counts stay in memory, and the next commit tries again.
            Err::<_, Error>(cause) => tracing::warn!(%cause, "request counts could not be stored"),
        },
    ))
}
