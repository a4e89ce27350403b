//! What is waited for: pieces of what there is after a number, as somebody reads them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::problem::Problem;
use crate::store::Db;

/// What there is after a number.
pub struct Piece {
    /// A page as a whole, or its events.
    pub body: Bytes,
    /// Whether it has nothing.
    pub is_empty: bool,
    /// The number that was looked up to.
    pub next: u64,
    /// Whether there is more at once.
    pub more: bool,
}

/// Reads what there is after a number.
pub type ReadPiece = Arc<dyn Fn(Db<'_>, u64) -> Result<Piece, Problem> + Send + Sync>;

#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Page { wait: Duration },
    Stream,
}

/// What is waited for after a number, not looked for yet.
pub struct Following {
    pub(super) since: u64,
    pub(super) how: How,
    pub(super) read: ReadPiece,
}

impl fmt::Debug for Following {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Following")
            .field("since", &self.since)
            .field("how", &self.how)
            .finish_non_exhaustive()
    }
}
