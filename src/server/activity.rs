//! What happens on a connection: what it is kept for, and when it has to end (the time-outs of product 5).
//!
//! hyper has one time-out for heads and for being idle; here they differ, and both count for HTTP/2 as well.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::http::{Addresses, Connection};

/// How long a TLS handshake may take, and each request's head from its first byte on; the first one from the connection
/// on.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may be idle, how long nobody may take any of an answer, and how long a stranger's request may
/// take.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// What is going on.
pub(super) struct Activity {
    state: Mutex<State>,
    /// When something happened last, in the order of what happens on all connections: nobody has to look at a clock.
    last_active: AtomicU64,
    order: Arc<AtomicU64>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// How many requests are being answered.
    requests: u32,
    /// How many of them it is kept for, because their sender may come in.
    kept: u32,
    trust: Trust,
    /// Whether the head of a request is awaited: the first one, and a further one from its first byte on.
    head: bool,
    /// Whether it is about to be closed: it is kept for no further request.
    is_ending: bool,
}

impl State {
    fn awaits_head(&self) -> bool {
        self.head && self.requests == 0
    }

    fn asked_in_vain(&mut self) {
        if self.trust == Trust::Newcomer {
            self.trust = Trust::Stranger;
        }
    }
}

/// How far the client of a connection is trusted; the least trusted make room first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// It has asked, and never with a token.
    Stranger,
    /// It has had no answer yet.
    #[default]
    Newcomer,
    /// The connection was kept for a request of it.
    Known,
}

/// Why a connection is closed without a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// What was expected has not come in time.
    Overdue,
    /// Another one needs its place.
    Displaced,
}

/// A request that is being answered, until this is dropped.
pub(super) struct Exchange {
    pub addresses: Addresses,
    activity: Arc<Activity>,
    is_kept: AtomicBool,
}

impl Activity {
    /// That of a new connection among those that share the order.
    pub fn new(order: Arc<AtomicU64>) -> Activity {
        let state = Mutex::new(State { head: true, ..State::default() });
        let activity = Activity { state, last_active: AtomicU64::new(0), order, changed: Notify::new() };
        activity.progress();
        activity
    }

    /// Something has come or gone.
    pub fn progress(&self) {
        self.last_active.store(self.order.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Some of an answer was taken. Who does nothing else is idle from here on.
    pub fn answer_progress(&self) {
        self.progress();
        let state = self.state.lock();
        if state.requests == 0 && !state.head {
            self.changed.notify_one();
        }
    }

    /// A byte came that belongs to no request under way: the first one of a further request, or one that follows it.
    pub fn head_progress(&self) {
        self.progress();
        let mut state = self.state.lock();
        if state.requests == 0 && !state.head {
            state.head = true;
            self.changed.notify_one();
        }
    }

    /// A request's head is there.
    pub fn begin(self: &Arc<Activity>, addresses: Addresses) -> Exchange {
        let mut state = self.state.lock();
        state.requests += 1;
        state.head = false;
        drop(state);
        self.progress();
        Exchange { addresses, activity: self.clone(), is_kept: AtomicBool::new(false) }
    }

    /// Whether a head has begun, or none has come yet, and nothing is answered.
    pub fn awaits_head(&self) -> bool {
        self.state.lock().awaits_head()
    }

    /// How far its client is trusted.
    pub fn trust(&self) -> Trust {
        self.state.lock().trust
    }

    /// When something happened last, in the order that all connections share.
    pub fn last_active(&self) -> u64 {
        self.last_active.load(Ordering::Relaxed)
    }

    /// Whether another connection may have its place.
    pub fn is_displaceable(&self) -> bool {
        let state = self.state.lock();
        state.kept == 0 && !state.is_ending
    }

    /// Ends the connection for another one's sake; false where it must be kept, or is at its end already.
    pub fn displace(&self) -> bool {
        let is_displaced = self.finish();
        if is_displaced {
            self.changed.notify_one();
        }
        is_displaced
    }

    /// From here on it is kept for no request, unless it is already.
    fn finish(&self) -> bool {
        let mut state = self.state.lock();
        let is_finished = state.kept == 0 && !state.is_ending;
        state.is_ending |= is_finished;
        is_finished
    }

    /// Waits until the connection has to end.
    pub async fn end(&self) -> End {
        loop {
            let changed = self.changed.notified();
            let before = self.last_active();
            let awaited_head = match &*self.state.lock() {
                State { is_ending: true, .. } => return End::Displaced,
                // Who may come in is answered however long it takes: bodies have a time of their own.
                State { kept: 1.., .. } => None,
                state => Some(state.awaits_head()),
            };
            let is_late = match awaited_head {
                None => {
                    changed.await;
                    continue;
                }
                // A head has its time however much of it has come by then; of the rest, any progress is a new beginning.
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
        self.activity.state.lock().asked_in_vain();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.activity.progress();
        let mut state = self.activity.state.lock();
        let was_kept = *self.is_kept.get_mut();
        state.asked_in_vain();
        state.requests -= 1;
        state.kept -= u32::from(was_kept);
        // From here on time may run out again.
        if state.requests == 0 || was_kept && state.kept == 0 {
            self.activity.changed.notify_one();
        }
    }
}
