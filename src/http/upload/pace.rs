//! The minimum pace of a body. It may take any time while it makes progress (resources 17.3).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use http_body_util::BodyExt;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::http::body::Incoming;
use crate::http::problem::Problem;

/// Maximum time without a byte.
const SILENCE: Duration = Duration::from_secs(30);
/// Time after which the minimum pace applies.
const GRACE: Duration = Duration::from_secs(30);
/// Minimum average pace after that, in bytes per second.
const LEAST: f64 = 64.0 * 1024.0;

/// Maximum number of bytes that a parser may have buffered.
const AHEAD: u64 = 256 * 1024;

/// The reason for which a body ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyEnd {
    Broken,
    TooSlow,
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
            BodyEnd::TooSlow => Problem::request_timeout(),
            BodyEnd::TooLong => Problem::members_too_large(),
        }
    }
}

/// Returns the pieces of a body while it arrives fast enough and stays within its bounds. The caller adds the
/// bytes of the file to `taken`. All other bytes may be at most `around`.
///
/// Only time spent on waiting for the client counts, measured with `now`: a slow disk is not the client's fault.
pub(super) fn paced<'b>(
    incoming: &'b mut Incoming,
    around: u64,
    taken: &'b AtomicU64,
    now: &'b (dyn Fn() -> Duration + Send + Sync),
) -> impl Stream<Item = Result<Bytes, BodyEnd>> + Send + 'b {
    stream::unfold(Some((incoming, Duration::ZERO, 0)), move |left| async move {
        let (incoming, mut waited, mut seen) = left?;
        // A parser buffers everything that is available before it parses, so it gets the body slowly.
        if seen - taken.load(Ordering::Relaxed) > AHEAD {
            yield_now().await;
        }
        let began = now();
        let piece = timeout(SILENCE, incoming.frame()).await;
        waited += now().saturating_sub(began);
        let piece = match piece {
            Err(_) => Err(BodyEnd::TooSlow),
            Ok(None) => return None,
            Ok(Some(Err(_))) => Err(BodyEnd::Broken),
            Ok(Some(Ok(frame))) => {
                let piece = frame.into_data().unwrap_or_default();
                seen += piece.len() as u64;
                let unseen = seen - piece.len() as u64 - taken.load(Ordering::Relaxed);
                match () {
                    () if unseen > around => Err(BodyEnd::TooLong),
                    () if waited > GRACE && (seen as f64) < LEAST * waited.as_secs_f64() => {
                        Err(BodyEnd::TooSlow)
                    }
                    () => Ok(piece),
                }
            }
        };
        let left = piece.is_ok().then_some((incoming, waited, seen));
        Some((piece, left))
    })
}
