//! A whole list on its way out, piece by piece as the client takes it: between two pieces it holds no thread and no snapshot
//! of the store, and of the records that match only their ids are in memory, four bytes each.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::vec::IntoIter;

use bytes::Bytes;
use futures_util::{Stream, stream};
use http::HeaderMap;
use tokio::sync::oneshot;

use super::problem::Problem;
use crate::app::App;
use crate::log;
use crate::store::{Db, Lane};

/// How many records are read at once, all of one state: that many of them are in memory.
const AT_ONCE: usize = 250;

/// Writes the records with those ids; what is not there any more is left out.
pub(super) type WritePiece = Arc<dyn Fn(Db<'_>, &[u32]) -> Result<Vec<u8>, Problem> + Send + Sync>;

/// A whole list.
pub struct Pieces {
    pub(super) app: Arc<App>,
    /// The request's id, for the log.
    pub(super) id: String,
    /// The request's headers, by whose token it is let in.
    pub(super) headers: HeaderMap,
    /// What stands before the records.
    pub(super) opening: Bytes,
    /// The records that are left.
    pub(super) ids: IntoIter<u32>,
    pub(super) write: WritePiece,
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces").field("id", &self.id).field("left", &self.ids.len()).finish_non_exhaustive()
    }
}

impl Pieces {
    /// The bytes, made as they are taken. A list that cannot be gone on with is cut off, so that the client notices.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + Sync {
        stream::unfold(Some(self), |left| async move {
            let mut pieces = left?;
            match pieces.next().await {
                Ok(piece) => Some((Ok(piece?), Some(pieces))),
                Err(problem) => {
                    let cause = problem.cause().unwrap_or_default();
                    log::cause(&pieces.id, problem.code(), cause, problem.is_ours(), true);
                    Some((Err(io::Error::other(problem.code())), None))
                }
            }
        })
    }

    /// The next bytes; none behind the last.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        if !self.opening.is_empty() {
            return Ok(Some(std::mem::take(&mut self.opening)));
        }
        loop {
            let ids = self.ids.by_ref().take(AT_ONCE).collect::<Vec<_>>();
            if ids.is_empty() {
                return Ok(None);
            }
            // Who may not come in any more learns nothing further.
            if let Err(refusal) = self.app.auth().recognise(&self.headers)? {
                return Err(Problem::unauthenticated(refusal.as_str()));
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
