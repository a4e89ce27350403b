//! Savepoints that are undone for a result as well as for an error.

use super::prelude::*;

/// Why the writes of a savepoint were undone.
enum UndoCause<T> {
    Unwanted(T),
    Failed(TransferError),
}

impl<T> From<store::Error> for UndoCause<T> {
    fn from(cause: store::Error) -> UndoCause<T> {
        UndoCause::Failed(cause.into())
    }
}

/// Runs `work` in a savepoint and returns its result. Undoes its writes if it fails, or if `is_kept` refuses the result.
pub(super) fn keep_if<T>(
    tx: Tx<'_>,
    is_kept: impl FnOnce(&T) -> bool,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let done = tx.savepoint(|_| match work() {
        Ok(done) if is_kept(&done) => Ok(done),
        Ok(done) => Err(UndoCause::Unwanted(done)),
        Err(cause) => Err(UndoCause::Failed(cause)),
    });
    match done {
        Ok(done) | Err(UndoCause::Unwanted(done)) => Ok(done),
        Err(UndoCause::Failed(cause)) => Err(cause),
    }
}
