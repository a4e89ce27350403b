//! The activity of a connection, and the time at which it has to end (the time-outs of product 5).
//!
//! hyper has a single time-out for request heads and idle connections. Here they differ, and both apply to HTTP/2 too.
//!
//! A connection is kept while an authorized request (with a valid token or console session) is in progress on
//! it: these time-outs do not apply, and no other connection takes its place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::http::{Addresses, Connection};

/// Time-out of a TLS handshake and of a request's head. The first head is timed from the connection on, later
/// ones from their first byte.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// Time-out of an idle connection, of a client that reads nothing of a response, and of an unauthorized request.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// The activity of one connection.
pub(super) struct Activity {
    state: Mutex<State>,
    /// The last activity, as a sequence number that all connections share instead of a clock.
    last_active: AtomicU64,
    order: Arc<AtomicU64>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    requests: u32,
    /// Number of authorized requests in progress, for which the connection is kept.
    kept: u32,
    trust: Trust,
    /// `true` while the head of a request is awaited: the first one, or a further one from its first byte on.
    head: bool,
    /// `true` if the connection is about to be closed, so that it is kept for no further request.
    is_ending: bool,
}

impl State {
    fn awaits_head(&self) -> bool {
        self.head && self.requests == 0
    }

    fn mark_unauthorized(&mut self) {
        if self.trust == Trust::Newcomer {
            self.trust = Trust::Stranger;
        }
    }
}

/// The trust in a connection's client. The least trusted connections make room first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// The client has sent requests, but no authorized one.
    Stranger,
    /// The client has had no response yet.
    #[default]
    Newcomer,
    /// The client has sent an authorized request.
    Known,
}

/// The reason why a connection is closed without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A time-out has passed.
    Overdue,
    /// Another connection needs its place.
    Displaced,
}

/// A request in progress, until this value is dropped.
pub(super) struct Exchange {
    pub addresses: Addresses,
    activity: Arc<Activity>,
    is_kept: AtomicBool,
}

impl Activity {
    /// Starts the activity of a new connection. All connections share `order`.
    pub fn new(order: Arc<AtomicU64>) -> Activity {
        let state = Mutex::new(State { head: true, ..State::default() });
        let activity = Activity { state, last_active: AtomicU64::new(0), order, changed: Notify::new() };
        activity.progress();
        activity
    }

    /// Records that bytes were received or sent.
    pub fn progress(&self) {
        self.last_active.store(self.order.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Records that the client has read some of a response. Restarts the idle time-out if nothing else is in
    /// progress.
    pub fn answer_progress(&self) {
        self.progress();
        let state = self.state.lock();
        if state.requests == 0 && !state.head {
            self.changed.notify_one();
        }
    }

    /// Records received bytes. If no request is in progress, they belong to the head of a further one.
    pub fn head_progress(&self) {
        self.progress();
        let mut state = self.state.lock();
        if state.requests == 0 && !state.head {
            state.head = true;
            self.changed.notify_one();
        }
    }

    /// Records that the head of a request is complete.
    pub fn begin(self: &Arc<Activity>, addresses: Addresses) -> Exchange {
        let mut state = self.state.lock();
        state.requests += 1;
        state.head = false;
        drop(state);
        self.progress();
        Exchange { addresses, activity: self.clone(), is_kept: AtomicBool::new(false) }
    }

    /// Returns `true` if the connection awaits a head and no request is in progress.
    pub fn awaits_head(&self) -> bool {
        self.state.lock().awaits_head()
    }

    pub fn trust(&self) -> Trust {
        self.state.lock().trust
    }

    /// Returns the sequence number of the last activity.
    pub fn last_active(&self) -> u64 {
        self.last_active.load(Ordering::Relaxed)
    }

    /// Returns `true` if another connection may take this one's place.
    pub fn is_displaceable(&self) -> bool {
        let state = self.state.lock();
        state.kept == 0 && !state.is_ending
    }

    /// Ends the connection to make room for another. Returns `false` if it is kept or is ending already.
    pub fn displace(&self) -> bool {
        let is_displaced = self.finish();
        if is_displaced {
            self.changed.notify_one();
        }
        is_displaced
    }

    /// Marks the connection as ending. Returns `false` if it is kept or was marked before.
    fn finish(&self) -> bool {
        let mut state = self.state.lock();
        let is_finished = state.kept == 0 && !state.is_ending;
        state.is_ending |= is_finished;
        is_finished
    }

    /// Waits until the connection has to end, and returns the reason.
    pub async fn end(&self) -> End {
        loop {
            let changed = self.changed.notified();
            let before = self.last_active();
            let awaited_head = match &*self.state.lock() {
                State { is_ending: true, .. } => return End::Displaced,
                // An authorized request may take any time. Bodies have their own time-out.
                State { kept: 1.., .. } => None,
                state => Some(state.awaits_head()),
            };
            let is_late = match awaited_head {
                None => {
                    changed.await;
                    continue;
                }
                // The time-out of a head runs from its start. The idle time-out starts anew with any progress.
                Some(true) => timeout(HEAD, changed).await.is_err() && self.awaits_head(),
                Some(false) => timeout(IDLE, changed).await.is_err() && self.last_active() == before,
            };
            if is_late && self.finish() {
                return End::Overdue;
            }
        }
    }
}

impl Connection for Exchange {
    fn keep(&self) -> bool {
        let mut state = self.activity.state.lock();
        if !state.is_ending && !self.is_kept.swap(true, Ordering::Relaxed) {
            state.kept += 1;
            state.trust = Trust::Known;
        }
        !state.is_ending
    }

    fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Relaxed)
    }

    fn release(&self) {
        self.activity.state.lock().mark_unauthorized();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.activity.progress();
        let mut state = self.activity.state.lock();
        let was_kept = *self.is_kept.get_mut();
        state.mark_unauthorized();
        state.requests -= 1;
        state.kept -= u32::from(was_kept);
        // The time-outs apply again.
        if state.requests == 0 || was_kept && state.kept == 0 {
            self.activity.changed.notify_one();
        }
    }
}
