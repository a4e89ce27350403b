//! A piece of work for the writer, with whoever waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::store::{Error, Tx};

/// A piece of work: runs inside its savepoint and hands back what to do once its fate is known.
pub(super) type Job = Box<dyn FnOnce(Result<Tx<'_>, Error>) -> Ran + Send>;

/// What became of a piece of work, before the commit.
pub(super) struct Ran {
    /// Whether what it wrote shall stay.
    pub(super) keep: bool,
    /// Tells the one who asked; with an error where the commit failed, whatever the work itself came to.
    pub(super) answer: Box<dyn FnOnce(Option<Error>)>,
}

/// Job with its reply, so that the thread need not know their types.
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
        Ran { keep, answer: Box::new(move |lost| reply(lost.map_or(done, |cause| Err(E::from(cause))))) }
    })
}
