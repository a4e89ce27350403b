//! Bounds the body of an upload: the bytes around the file, and the time without a byte (resources 17.3).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use http_body_util::BodyExt;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::http::answers::problem::Problem;
use crate::http::requests::body::Incoming;

/// Maximum time without a byte.
const SILENCE: Duration = Duration::from_secs(30);

/// Maximum number of bytes that a parser may have buffered.
const MAX_BYTES_AHEAD: u64 = 256 * 1024;

/// The reason for which a body ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyEnd {
    Broken,
    Silent,
    /// The members around the file are too long.
    TooLong,
}

impl fmt::Display for BodyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body ended early")
    }
}

impl std::error::Error for BodyEnd {}

impl BodyEnd {
    pub(super) fn problem(self) -> Problem {
        match self {
            BodyEnd::Broken => Problem::broken_body(),
            BodyEnd::Silent => Problem::request_timeout(),
            BodyEnd::TooLong => Problem::members_too_large(),
        }
    }
}

/// Returns the pieces of a body while it stays within its bounds. The caller adds the bytes of the file to `taken`. All
/// other bytes may be at most `around`.
pub(super) fn bounded<'b>(
    incoming: &'b mut Incoming,
    around: u64,
    taken: &'b AtomicU64,
) -> impl Stream<Item = Result<Bytes, BodyEnd>> + Send + 'b {
    stream::unfold(Some((incoming, 0)), move |left| async move {
        let (incoming, seen) = left?;
        // A parser buffers everything that is available before it parses, so it gets the body slowly.
        if seen - taken.load(Ordering::Relaxed) > MAX_BYTES_AHEAD {
            yield_now().await;
        }
        let piece = match timeout(SILENCE, incoming.frame()).await {
            Err(_) => Err(BodyEnd::Silent),
            Ok(None) => return None,
            Ok(Some(Err(_))) => Err(BodyEnd::Broken),
            Ok(Some(Ok(_))) if seen - taken.load(Ordering::Relaxed) > around => Err(BodyEnd::TooLong),
            Ok(Some(Ok(frame))) => Ok(frame.into_data().unwrap_or_default()),
        };
        let left = piece.as_ref().ok().map(|piece| (incoming, seen + piece.len() as u64));
        Some((piece, left))
    })
}
