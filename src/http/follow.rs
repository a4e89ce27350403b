//! Answers that wait for what is not there yet: a page that may come later, and a stream of events that goes on (events 20.2
//! and 20.3). Who waits holds memory and a connection, and no thread.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use parking_lot::Mutex;
use schemars::{JsonSchema, SchemaGenerator};
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::answer::Answer;
use super::api::Api;
use super::call::Call;
use super::content::Body;
use super::describe::RoutePart;
use super::input::Take;
use super::problem::Problem;
use super::reply::{Reply, Work};
use super::request::Request;
use crate::store::{Db, Lane};

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

/// An answer with a document `T` of what there is after a number, as soon as there is anything; or with all of it as events.
pub struct Follow<T> {
    since: u64,
    how: How,
    read: ReadPiece,
    of: PhantomData<fn() -> T>,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Page { wait: Duration },
    Stream,
}

/// The same, not opened yet.
pub struct Following {
    since: u64,
    how: How,
    read: ReadPiece,
}

impl std::fmt::Debug for Following {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Following")
            .field("since", &self.since)
            .field("how", &self.how)
            .finish_non_exhaustive()
    }
}

impl<T> Follow<T> {
    /// A page, which may wait that long.
    pub fn page(since: u64, wait: Duration, read: ReadPiece) -> Follow<T> {
        Follow { since, how: How::Page { wait }, read, of: PhantomData }
    }

    /// A stream; what `read` answers are events.
    pub fn stream(since: u64, read: ReadPiece) -> Follow<T> {
        Follow { since, how: How::Stream, read, of: PhantomData }
    }
}

impl<T: JsonSchema> Reply for Follow<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        let Follow { since, how, read, .. } = self;
        let body = Body::Following(Box::new(Following { since, how, read }));
        Ok(Work::Done(Answer { body, ..Answer::empty(StatusCode::OK) }))
    }

    fn parts() -> Vec<RoutePart> {
        let about = "What there is after the number.";
        vec![RoutePart::Answer { about, schema: SchemaGenerator::subschema_for::<T> }, RoutePart::Events]
    }
}

/// Whether a stream of events is asked for, and after which it goes on.
pub struct AsEvents {
    /// Whether it is.
    pub is_wanted: bool,
    /// The number of the last event that came.
    pub last: Option<u64>,
}

impl Take for AsEvents {
    fn take(call: &Call<'_>) -> Result<AsEvents, Problem> {
        let accept = call.request.header(header::ACCEPT).unwrap_or_default();
        let last = call.request.header("last-event-id").and_then(|id| id.trim().parse().ok());
        let is_wanted = accept.split(',').any(|one| {
            let media_type = one.split(';').next().unwrap_or_default().trim();
            media_type.eq_ignore_ascii_case("text/event-stream")
        });
        Ok(AsEvents { is_wanted, last })
    }

    fn parts() -> Vec<RoutePart> {
        Vec::new()
    }
}

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

    /// A place for a stream, likewise.
    fn stream(self: &Arc<Followers>) -> Option<Place> {
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

/// The answer with what it waits for, where that is what it has.
///
/// # Errors
/// 503 where all streams are taken; 401 where the token ended meanwhile; why it cannot be read.
pub(super) async fn open(api: &Arc<Api>, answer: Answer, request: &Request) -> Result<Answer, Problem> {
    let Body::Following(following) = answer.body else { return Ok(answer) };
    match following.how {
        // HEAD waits for nothing.
        How::Page { .. } if request.method == Method::HEAD => {
            page(api, &following, Duration::ZERO, request).await
        }
        How::Page { wait } => page(api, &following, wait, request).await,
        How::Stream => stream(api, *following, request),
    }
}

async fn page(
    api: &Arc<Api>,
    following: &Following,
    wait: Duration,
    request: &Request,
) -> Result<Answer, Problem> {
    let until = Instant::now() + wait;
    let (mut newest, mut closing) = (api.app().store().newest_change(), api.app().closing());
    let (mut since, mut place) = (following.since, None);
    loop {
        // What is committed from here on wakes.
        newest.borrow_and_update();
        let piece = read(api, &following.read, since, &request.id).await?;
        since = piece.next;
        let is_final = !piece.is_empty || Instant::now() >= until || *closing.borrow();
        if !is_final && place.is_none() {
            place = api.followers().wait(request.addresses.peer);
        } else if !is_final {
            sleep(PAUSE).await;
        }
        if is_final || place.is_none() {
            return Ok(Answer::json(StatusCode::OK, piece.body));
        }
        tokio::select! {
            _ = newest.changed() => {}
            _ = closing.wait_for(|closing| *closing) => {}
            () = sleep_until(until) => {}
        }
        api.check_token(request)?;
    }
}

fn stream(api: &Arc<Api>, following: Following, request: &Request) -> Result<Answer, Problem> {
    let place = api.followers().stream().ok_or_else(Problem::too_many_streams)?;
    let (events, taken) = mpsc::channel(1);
    let (api, headers) = (api.clone(), request.headers.clone());
    if request.method != Method::HEAD {
        let id = request.id.clone();
        tokio::spawn(async move {
            let mut closing = api.app().closing();
            tokio::select! {
                () = send_all(&api, &following, &id, &headers, &events) => {}
                _ = closing.wait_for(|closing| *closing) => {}
                () = events.closed() => {}
            }
            drop(place);
        });
    }
    let answer = Answer { body: Body::Events(taken), ..Answer::empty(StatusCode::OK) };
    Ok(answer.with(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")))
}

/// Sends what there is and what comes, until the token ends or nobody takes it.
async fn send_all(
    api: &Arc<Api>,
    following: &Following,
    id: &str,
    headers: &header::HeaderMap,
    events: &Sender<Bytes>,
) {
    let mut newest = api.app().store().newest_change();
    let mut since = following.since;
    if !send(events, Bytes::from_static(RETRY)).await {
        return;
    }
    loop {
        newest.borrow_and_update();
        if !api.app().auth().check(headers).is_ok_and(|checked| checked.is_ok()) {
            return;
        }
        let Ok(piece) = read(api, &following.read, since, id).await else { return };
        since = piece.next;
        match piece.is_empty {
            true => sleep(PAUSE).await,
            false if !send(events, piece.body).await => return,
            false => {}
        }
        if !piece.more && timeout(COMMENT, newest.changed()).await.is_err() {
            // Somebody is there, and so is this server.
            if !send(events, Bytes::from_static(b":\n\n")).await {
                return;
            }
        }
    }
}

/// Whether somebody took it in time.
async fn send(events: &Sender<Bytes>, piece: Bytes) -> bool {
    timeout(UNREAD, events.send(piece)).await.is_ok_and(|sent| sent.is_ok())
}

async fn read(api: &Arc<Api>, read: &ReadPiece, since: u64, id: &str) -> Result<Piece, Problem> {
    let read = read.clone();
    api.on_reader(Lane::Long, id, move |db| db.snapshot(|db| read(db, since))).await
}

#[cfg(test)]
mod tests {
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
        let streams: Vec<_> = (0..STREAMS + 1).filter_map(|_| followers.stream()).collect();
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
