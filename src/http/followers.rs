//! Who waits for what is not there yet (events 20.2 and 20.3): holds memory and a connection, and no thread.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use parking_lot::Mutex;
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::answer::Answer;
use super::content::Body;
use super::following::{Following, How, Piece, ReadPiece};
use super::problem::Problem;
use super::request::Request;
use crate::app::App;
use crate::log;
use crate::store::Lane;

/// How many pages may wait at a time, and how many of one address. What is beyond that is answered at once.
const WAITING: usize = 64;
const WAITING_OF_ONE: usize = 32;
/// How many streams there may be at a time.
const STREAMS: usize = 16;
/// How often a stream in which nothing happens says that it is there.
const COMMENT: Duration = Duration::from_secs(15);
/// How long a stream waits for somebody who takes nothing of it.
const UNREAD: Duration = Duration::from_secs(30);
/// How long is waited after a commit of which nothing was meant: a busy office is not read once a commit by each who waits.
const PAUSE: Duration = Duration::from_millis(50);
/// How streams begin: after how many milliseconds a client comes back.
const RETRY: &[u8] = b"retry: 3000\n\n";

/// Who waits.
#[derive(Default)]
pub(super) struct Followers(Mutex<Places>);

#[derive(Default)]
struct Places {
    waiting: HashMap<IpAddr, usize>,
    streams: usize,
}

/// A place among those who wait, until this is dropped.
struct Place {
    followers: Arc<Followers>,
    /// Of a page; a stream has none.
    peer: Option<IpAddr>,
}

impl Followers {
    /// A place for a page of that address; none where all are taken.
    fn wait(self: &Arc<Followers>, peer: IpAddr) -> Option<Place> {
        let mut places = self.0.lock();
        let all: usize = places.waiting.values().sum();
        let own = places.waiting.get(&peer).copied().unwrap_or_default();
        if all >= WAITING || own >= WAITING_OF_ONE {
            return None;
        }
        places.waiting.insert(peer, own + 1);
        Some(Place { followers: self.clone(), peer: Some(peer) })
    }

    /// A place for a stream; none where all are taken.
    fn place(self: &Arc<Followers>) -> Option<Place> {
        let mut places = self.0.lock();
        let is_free = places.streams < STREAMS;
        places.streams += usize::from(is_free);
        is_free.then(|| Place { followers: self.clone(), peer: None })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.followers.0.lock();
        match self.peer {
            Some(peer) => {
                if let Some(own) = places.waiting.get_mut(&peer) {
                    *own -= 1;
                    if *own == 0 {
                        places.waiting.remove(&peer);
                    }
                }
            }
            None => places.streams -= 1,
        }
    }
}

impl Followers {
    /// The answer with what it waits for, where that is what it has.
    ///
    /// # Errors
    /// 503 where all streams are taken; 401 where the token ended meanwhile; why it cannot be read.
    pub(super) async fn open(
        self: &Arc<Followers>,
        app: &Arc<App>,
        answer: Answer,
        request: &Request,
    ) -> Result<Answer, Problem> {
        let Body::Following(following) = answer.body else { return Ok(answer) };
        match following.how {
            // HEAD waits for nothing.
            How::Page { .. } if request.method == Method::HEAD => {
                self.page(app, &following, Duration::ZERO, request).await
            }
            How::Page { wait } => self.page(app, &following, wait, request).await,
            How::Stream => self.stream(app, *following, request),
        }
    }

    async fn page(
        self: &Arc<Followers>,
        app: &App,
        following: &Following,
        wait: Duration,
        request: &Request,
    ) -> Result<Answer, Problem> {
        let (mut until, mut is_over) = (pin!(sleep(wait)), wait.is_zero());
        let (mut newest, mut closing) = (app.store().newest_change(), app.closing());
        let (mut since, mut place) = (following.since, None);
        loop {
            // What is committed from here on wakes.
            newest.borrow_and_update();
            let piece = read(app, &following.read, since).await?;
            since = piece.next;
            let is_final = !piece.is_empty || is_over || *closing.borrow();
            if !is_final && place.is_none() {
                place = self.wait(request.addresses.peer);
            } else if !is_final {
                sleep(PAUSE).await;
            }
            if is_final || place.is_none() {
                return Ok(Answer::json(StatusCode::OK, piece.body));
            }
            tokio::select! {
                _ = newest.changed() => {}
                _ = closing.wait_for(|closing| *closing) => {}
                () = &mut until => is_over = true,
            }
            // Who may not come in any more learns nothing of what came meanwhile.
            if let Err(refusal) = app.auth().recognise(&request.headers)? {
                return Err(Problem::unauthenticated(refusal.as_str()));
            }
        }
    }

    fn stream(
        self: &Arc<Followers>,
        app: &Arc<App>,
        following: Following,
        request: &Request,
    ) -> Result<Answer, Problem> {
        let place = self.place().ok_or_else(Problem::too_many_streams)?;
        let (events, taken) = mpsc::channel(1);
        if request.method != Method::HEAD {
            let (app, headers, id) = (app.clone(), request.headers.clone(), request.id.clone());
            tokio::spawn(async move {
                let mut closing = app.closing();
                let sent = tokio::select! {
                    sent = send_all(&app, &following, &headers, &events) => sent,
                    _ = closing.wait_for(|closing| *closing) => Ok(()),
                    () = events.closed() => Ok(()),
                };
                if let Err(problem) = sent {
                    log::cause(
                        &id,
                        problem.code(),
                        problem.cause().unwrap_or_default(),
                        problem.is_ours(),
                        true,
                    );
                }
                drop(place);
            });
        }
        let answer = Answer { body: Body::Events(taken), ..Answer::empty(StatusCode::OK) };
        Ok(answer.with(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")))
    }
}

/// Sends what there is and what comes, until the token ends or nobody takes it.
///
/// # Errors
/// Why it cannot be read.
async fn send_all(
    app: &App,
    following: &Following,
    headers: &header::HeaderMap,
    events: &Sender<Bytes>,
) -> Result<(), Problem> {
    let mut newest = app.store().newest_change();
    let mut since = following.since;
    if !send(events, Bytes::from_static(RETRY)).await {
        return Ok(());
    }
    loop {
        newest.borrow_and_update();
        if app.auth().recognise(headers)?.is_err() {
            return Ok(());
        }
        let piece = read(app, &following.read, since).await?;
        since = piece.next;
        match piece.is_empty {
            true => sleep(PAUSE).await,
            false if !send(events, piece.body).await => return Ok(()),
            false => {}
        }
        if !piece.more && timeout(COMMENT, newest.changed()).await.is_err() {
            // Somebody is there, and so is this server.
            if !send(events, Bytes::from_static(b":\n\n")).await {
                return Ok(());
            }
        }
    }
}

/// Whether somebody took it in time.
async fn send(events: &Sender<Bytes>, piece: Bytes) -> bool {
    timeout(UNREAD, events.send(piece)).await.is_ok_and(|sent| sent.is_ok())
}

/// Reads on a thread of the store's, all of it of one state.
async fn read(app: &App, read: &ReadPiece, since: u64) -> Result<Piece, Problem> {
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

    #[test]
    fn places_are_as_many_as_there_are_and_come_back() {
        let followers = Arc::new(Followers::default());
        let addresses = [1, 2, 3].map(|last| IpAddr::from([127, 0, 0, last]));
        let take = |address, count| (0..count).filter_map(|_| followers.wait(address)).collect::<Vec<_>>();
        let first = take(addresses[0], WAITING_OF_ONE + 1);
        assert_eq!(first.len(), WAITING_OF_ONE);
        let second = take(addresses[1], WAITING_OF_ONE - 1);
        let third = take(addresses[2], 2);
        assert_eq!((second.len(), third.len()), (WAITING_OF_ONE - 1, 1), "64 of all addresses");
        drop(first);
        assert_eq!(take(addresses[2], 9).len(), 9);
        drop((second, third));
        assert!(followers.0.lock().waiting.is_empty());
        let streams: Vec<_> = (0..STREAMS + 1).filter_map(|_| followers.place()).collect();
        assert_eq!(streams.len(), STREAMS);
        drop(streams);
        assert_eq!(followers.0.lock().streams, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_for_half_a_minute_is_left() {
        let (events, mut taken) = mpsc::channel(1);
        assert!(send(&events, Bytes::from_static(b"1")).await);
        let began = Instant::now();
        assert!(!send(&events, Bytes::from_static(b"2")).await);
        assert_eq!(began.elapsed(), UNREAD);
        assert_eq!(taken.recv().await.as_deref(), Some(&b"1"[..]));
        assert!(send(&events, Bytes::from_static(b"3")).await);
        drop(taken);
        assert!(!send(&events, Bytes::from_static(b"4")).await, "nobody is there");
    }
}
