//! Why nothing of an import stays.

use crate::store;
use crate::transfer::error::TransferError;

/// Why the transaction of an import is taken back.
pub(super) enum Stopped<T> {
    Failed(TransferError),
    /// It was only to be tried.
    Tried(T),
}

impl<T> From<store::Error> for Stopped<T> {
    fn from(cause: store::Error) -> Stopped<T> {
        Stopped::Failed(cause.into())
    }
}

impl<T> From<TransferError> for Stopped<T> {
    fn from(error: TransferError) -> Stopped<T> {
        Stopped::Failed(error)
    }
}

impl<T> Stopped<T> {
    /// What a transaction ends with: it stays where it is to be applied.
    pub(super) fn unless(apply: bool, done: T) -> Result<T, Stopped<T>> {
        if apply { Ok(done) } else { Err(Stopped::Tried(done)) }
    }

    /// What was done, or would have been.
    ///
    /// # Errors
    /// Why it could not.
    pub(super) fn outcome(ended: Result<T, Stopped<T>>) -> Result<T, TransferError> {
        match ended {
            Ok(done) | Err(Stopped::Tried(done)) => Ok(done),
            Err(Stopped::Failed(error)) => Err(error),
        }
    }
}
