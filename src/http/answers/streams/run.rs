//! Runs long polls and event streams (events 20.2 and 20.3). A waiting request uses memory and a connection,
//! but no thread.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

use super::reader::{Feed, FeedMode, FeedPage, ReadFeedPage};
use super::waiting_limit::WaitingPlaces;
use crate::app::App;
use crate::auth::ENDED;
use crate::domain::TokenHash;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::files::content::Body;
use crate::http::requests::request::Request;
use crate::log;
use crate::store::Lane;

/// A page is complete if it is full, after `QUIET` without a commit, or `MAX_GATHERING` after the first change. This merges
/// many small commits into one response, and bounds the frequency of polls.
const QUIET: Duration = Duration::from_millis(250);
const MAX_GATHERING: Duration = Duration::from_secs(1);
/// Interval of the comments that keep an idle stream alive.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Time after which a stream ends if its client reads nothing.
const UNREAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause after a commit without relevant changes, so that waiting clients do not read every commit of a busy office.
const COMMIT_PAUSE: Duration = Duration::from_millis(50);
/// First bytes of a stream: the client's reconnection delay, in milliseconds.
const RETRY: &[u8] = b"retry: 3000\n\n";

/// Starts the wait of a response, if it has one. Fails with 503 if all streams are taken, and with 401 if the
/// token is no longer in force.
pub(in crate::http) async fn open(
    places: &Arc<WaitingPlaces>,
    app: &Arc<App>,
    answer: Answer,
    request: &Request,
) -> Result<Answer, Problem> {
    let Body::Feed(feed) = answer.body else { return Ok(answer) };
    match feed.mode {
        FeedMode::Page { wait } if request.waiting_place.is_some() => page(app, &feed, wait, request).await,
        FeedMode::Page { .. } => page(app, &feed, Duration::ZERO, request).await,
        FeedMode::Stream => stream(places, app, *feed, request),
    }
}

fn stream(
    places: &Arc<WaitingPlaces>,
    app: &Arc<App>,
    feed: Feed,
    request: &Request,
) -> Result<Answer, Problem> {
    let place = places.take_stream_place().ok_or_else(Problem::too_many_streams)?;
    let (events, taken) = mpsc::channel(1);
    if request.method != Method::HEAD {
        let app = app.clone();
        let secret = request.secret;
        let id = request.id.clone();
        tokio::spawn(async move {
            let mut closing = app.closing();
            let sent = tokio::select! {
                sent = send_all(&app, &feed, secret, &events) => sent,
                _ = closing.wait_for(|closing| *closing) => Ok(()),
                () = events.closed() => Ok(()),
            };
            if let Err(problem) = sent {
                log::cause(&id, problem.code(), problem.cause().unwrap_or_default(), problem.is_ours(), true);
            }
            drop(place);
        });
    }
    let answer = Answer { body: Body::Events(taken), ..Answer::empty(StatusCode::OK) };
    Ok(answer.with(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")))
}

/// Returns a page with the data after a number. Waits for data and then for a pause between commits, at most
/// for `wait`.
async fn page(app: &App, feed: &Feed, wait: Duration, request: &Request) -> Result<Answer, Problem> {
    let mut newest = app.store().newest_change();
    let mut closing = app.closing();
    let mut since = feed.since;
    let mut is_complete = wait.is_zero();
    let mut over = pin!(sleep(wait));
    loop {
        // Commits from here on end the wait below.
        newest.borrow_and_update();
        let piece = read(app, &feed.read, since).await?;
        is_complete |= piece.is_full && !piece.is_empty;
        if is_complete || *closing.borrow() || over.is_elapsed() {
            return Ok(Answer::json(StatusCode::OK, piece.body));
        }
        match piece.is_empty {
            // All changes of the piece are hidden from the caller.
            true if piece.more => since = piece.next,
            true => {
                since = piece.next;
                sleep(COMMIT_PAUSE).await;
                tokio::select! {
                    _ = newest.changed() => {}
                    _ = closing.wait_for(|closing| *closing) => {}
                    () = &mut over => {}
                }
            }
            false => {
                tokio::select! {
                    () = quiet(&mut newest) => {}
                    () = &mut over => {}
                    _ = closing.wait_for(|closing| *closing) => {}
                }
                is_complete = true;
            }
        }
        // Without a valid token, the client gets no data that arrived meanwhile.
        if !request.secret.is_some_and(|secret| app.auth().is_in_force(&secret)) {
            return Err(Problem::unauthenticated(ENDED));
        }
    }
}

/// Waits until no commit has occurred for `QUIET`, at most for `MAX_GATHERING`.
async fn quiet(newest: &mut watch::Receiver<u64>) {
    let until_quiet =
        async { while timeout(QUIET, newest.changed()).await.is_ok_and(|changed| changed.is_ok()) {} };
    let _ = timeout(MAX_GATHERING, until_quiet).await;
}

/// Sends existing and new events until the token ends or the client stops reading.
async fn send_all(
    app: &App,
    feed: &Feed,
    secret: Option<TokenHash>,
    events: &Sender<Bytes>,
) -> Result<(), Problem> {
    let mut newest = app.store().newest_change();
    let mut since = feed.since;
    if !send(events, Bytes::from_static(RETRY)).await {
        return Ok(());
    }
    loop {
        newest.borrow_and_update();
        if !secret.is_some_and(|secret| app.auth().is_in_force(&secret)) {
            return Ok(());
        }
        let piece = read(app, &feed.read, since).await?;
        since = piece.next;
        match piece.is_empty {
            true => sleep(COMMIT_PAUSE).await,
            false if !send(events, piece.body).await => return Ok(()),
            false => {}
        }
        if !piece.more && timeout(KEEP_ALIVE_INTERVAL, newest.changed()).await.is_err() {
            // Keeps the connection alive.
            if !send(events, Bytes::from_static(b":\n\n")).await {
                return Ok(());
            }
        }
    }
}

/// Returns `true` if the client accepted the piece in time.
async fn send(events: &Sender<Bytes>, piece: Bytes) -> bool {
    timeout(UNREAD_TIMEOUT, events.send(piece)).await.is_ok_and(|sent| sent.is_ok())
}

/// Reads a piece on a store thread, from one snapshot.
async fn read(app: &App, read: &ReadFeedPage, since: u64) -> Result<FeedPage, Problem> {
    let (reply, done) = oneshot::channel();
    let read = read.clone();
    app.store().submit_read(Lane::Long, move |db| {
        let _ = reply.send(db.map_err(Problem::from).and_then(|db| db.snapshot(|db| read(db, since))));
    });
    done.await.unwrap_or_else(|_| Err(Problem::internal("a read panicked")))
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_page_is_complete_after_a_quarter_of_a_second_of_quiet_or_a_second() {
        let (commits, mut newest) = watch::channel(0);
        let began = Instant::now();
        quiet(&mut newest).await;
        assert_eq!(began.elapsed(), QUIET);
        let each = Duration::from_millis(200);
        let busy = tokio::spawn(async move {
            for seq in 1.. {
                sleep(each).await;
                if commits.send(seq).is_err() {
                    return;
                }
            }
        });
        let began = Instant::now();
        quiet(&mut newest).await;
        assert_eq!(began.elapsed(), MAX_GATHERING);
        drop(newest);
        busy.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_for_half_a_minute_is_disconnected() {
        let (events, mut taken) = mpsc::channel(1);
        assert!(send(&events, Bytes::from_static(b"1")).await);
        let began = Instant::now();
        assert!(!send(&events, Bytes::from_static(b"2")).await);
        assert_eq!(began.elapsed(), UNREAD_TIMEOUT);
        assert_eq!(taken.recv().await.as_deref(), Some(&b"1"[..]));
        assert!(send(&events, Bytes::from_static(b"3")).await);
        drop(taken);
        assert!(!send(&events, Bytes::from_static(b"4")).await, "the receiver is closed");
    }
}
