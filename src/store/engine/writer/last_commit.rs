//! The result of the last commit.

use tokio::sync::watch;

use crate::store::Error;

/// Publishes the result of the last commit.
pub(super) type LastCommit = watch::Sender<Result<(), Error>>;

/// Stores the result of a commit. Notifies receivers only when writes begin to fail or to succeed again.
pub(super) fn note(last: &LastCommit, lost: Option<Error>) {
    last.send_if_modified(|before| {
        let turned = before.is_ok() != lost.is_none();
        *before = lost.map_or(Ok(()), Err);
        turned
    });
}
