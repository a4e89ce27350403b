//! Sends a whole list in pieces, as fast as the client reads. Between two pieces, it holds no thread and no
//! snapshot of the store. Of the matching records, only the ids are in memory, four bytes each.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::vec::IntoIter;

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::oneshot;

use super::problem::Problem;
use crate::app::App;
use crate::auth::ENDED;
use crate::domain::TokenHash;
use crate::log;
use crate::store::{Db, Lane};

/// Number of records read at a time, from one snapshot. It bounds the memory.
const RECORDS_PER_READ: usize = 250;

/// Writes the records with these ids. Skips those that no longer exist.
pub(in crate::http) type WriteRecords = Arc<dyn Fn(Db<'_>, &[u32]) -> Result<Vec<u8>, Problem> + Send + Sync>;

/// A whole list that is being sent.
pub struct ListStream {
    pub(in crate::http) app: Arc<App>,
    /// The request's id, for the log.
    pub(in crate::http) id: String,
    /// The hash of the request's token or key, which must be in force for each piece.
    pub(in crate::http) secret: Option<TokenHash>,
    /// The bytes before the records.
    pub(in crate::http) opening: Bytes,
    /// The ids of the remaining records.
    pub(in crate::http) ids: IntoIter<u32>,
    pub(in crate::http) write: WriteRecords,
    /// The bytes after the records.
    pub(in crate::http) closing: Bytes,
}

impl fmt::Debug for ListStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListStream")
            .field("id", &self.id)
            .field("left", &self.ids.len())
            .finish_non_exhaustive()
    }
}

impl ListStream {
    /// Returns the list as a stream. If the list cannot be continued, the stream ends with an error so that
    /// the client notices.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + Sync {
        stream::unfold(Some(self), |left| async move {
            let mut list = left?;
            match list.next().await {
                Ok(piece) => Some((Ok(piece?), Some(list))),
                Err(problem) => {
                    let cause = problem.cause().unwrap_or_default();
                    log::cause(&list.id, problem.code(), cause, problem.is_ours(), true);
                    Some((Err(io::Error::other(problem.code())), None))
                }
            }
        })
    }

    /// Returns the next bytes, or `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        if !self.opening.is_empty() {
            return Ok(Some(std::mem::take(&mut self.opening)));
        }
        loop {
            let ids = self.ids.by_ref().take(RECORDS_PER_READ).collect::<Vec<_>>();
            if ids.is_empty() {
                let closing = std::mem::take(&mut self.closing);
                return Ok(Some(closing).filter(|closing| !closing.is_empty()));
            }
            // Without a valid token, the client gets no more data.
            if !self.secret.is_some_and(|secret| self.app.auth().is_in_force(&secret)) {
                return Err(Problem::unauthenticated(ENDED));
            }
            if *self.app.closing().borrow() {
                return Err(Problem::stopping());
            }
            let (reply, written) = oneshot::channel();
            let write = self.write.clone();
            self.app.store().submit_read(Lane::Long, move |db| {
                let written = db.map_err(Problem::from).and_then(|db| db.snapshot(|db| write(db, &ids)));
                let _ = reply.send(written);
            });
            let written = written.await.unwrap_or_else(|_| Err(Problem::internal("a read panicked")))?;
            if !written.is_empty() {
                return Ok(Some(written.into()));
            }
        }
    }
}
