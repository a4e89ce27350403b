//! How fast a body has to come: as long as it likes while it moves (resources 17.3).

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

/// How long not a byte may come.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a body may be slow.
const GRACE: Duration = Duration::from_secs(30);
/// How many bytes a second have to come on average after that.
const LEAST: f64 = 64.0 * 1024.0;

/// How many bytes a parser may hold that it has not looked at.
const AHEAD: u64 = 256 * 1024;

/// Why no more of a body comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyEnd {
    /// The connection broke.
    Broken,
    /// It came too slowly.
    TooSlow,
    /// There is too much around its file.
    TooLong,
}

impl fmt::Display for BodyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no more of the body comes")
    }
}

impl std::error::Error for BodyEnd {}

impl BodyEnd {
    /// What its sender is told.
    pub(super) fn problem(self) -> Problem {
        match self {
            BodyEnd::Broken => Problem::broken_body(),
            BodyEnd::TooSlow => Problem::request_timeout(),
            BodyEnd::TooLong => Problem::members_too_large(),
        }
    }
}

/// The pieces of a body, for as long as they come fast enough, and no more of them than belongs together: whoever takes
/// them notes in `taken` how many bytes of the file he has seen, and everything else may have `around` bytes.
///
/// Only the time that is spent waiting for the sender counts, which `now` measures: whoever is served by a slow disk is not
/// to blame.
pub(super) fn paced<'b>(
    incoming: &'b mut Incoming,
    around: u64,
    taken: &'b AtomicU64,
    now: &'b (dyn Fn() -> Duration + Send + Sync),
) -> impl Stream<Item = Result<Bytes, BodyEnd>> + Send + 'b {
    stream::unfold(Some((incoming, Duration::ZERO, 0)), move |left| async move {
        let (incoming, mut waited, mut seen) = left?;
        // A parser takes in whatever is there before it looks at it: it gets little at a time.
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
