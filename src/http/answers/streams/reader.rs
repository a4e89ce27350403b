//! A wait for new data, and the pieces in which the data is read.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::http::answers::problem::Problem;
use crate::store::Db;

/// The data after a number.
pub struct FeedPage {
    /// A complete page, or events.
    pub body: Bytes,
    pub is_empty: bool,
    /// `true` if the piece has no room for more.
    pub is_full: bool,
    /// The number up to which the piece was read.
    pub next: u64,
    /// `true` if more data is available at once.
    pub more: bool,
}

pub type ReadFeedPage = Arc<dyn Fn(Db<'_>, u64) -> Result<FeedPage, Problem> + Send + Sync>;

#[derive(Clone, Copy, Debug)]
pub(in crate::http) enum FeedMode {
    Page { wait: Duration },
    Stream,
}

/// A wait for the data after a number, not started yet.
pub struct Feed {
    pub(in crate::http) since: u64,
    pub(in crate::http) mode: FeedMode,
    pub(in crate::http) read: ReadFeedPage,
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").field("since", &self.since).field("mode", &self.mode).finish_non_exhaustive()
    }
}
