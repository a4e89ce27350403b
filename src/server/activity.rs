//! The activity of a connection, and the time-outs that follow from it (product 5).
//!
//! hyper has a single time-out for request heads and idle connections. Here they differ, and both apply to HTTP/2 too.
//! Neither applies while a request is handled, because each wait of a handler has a limit of its own.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Time-out of a TLS handshake and of a request's head. The first head is timed from the connection on, later
/// ones from their first byte.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time-out of an idle connection, and of a client that reads nothing of a response.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// The activity of one connection.
pub(super) struct Activity {
    state: Mutex<State>,
    /// Notified when a time-out begins anew.
    changed: Notify,
}

struct State {
    /// Number of requests that are handled at the moment.
    requests: u32,
    /// `true` while the head of a request is awaited: the first one, or a further one from its first byte on.
    head: bool,
}

impl State {
    fn is_idle(&self) -> bool {
        self.requests == 0 && !self.head
    }

    fn awaits_head(&self) -> bool {
        self.requests == 0 && self.head
    }

    /// Returns the time-out that applies, if one does.
    fn time_limit(&self) -> Option<Duration> {
        match self.requests {
            0 => Some(if self.head { HEAD_TIMEOUT } else { IDLE_TIMEOUT }),
            _ => None,
        }
    }
}

/// A request that is handled, until this value is dropped.
pub(super) struct Exchange(Arc<Activity>);

impl Activity {
    /// Starts the activity of a new connection, which awaits its first head.
    pub fn new() -> Arc<Activity> {
        let state = Mutex::new(State { requests: 0, head: true });
        Arc::new(Activity { state, changed: Notify::new() })
    }

    /// Records that the client has read some of a response.
    pub fn answer_progress(&self) {
        if self.state.lock().is_idle() {
            self.changed.notify_one();
        }
    }

    /// Records received bytes. If no request is handled, they belong to the head of a further one.
    pub fn head_progress(&self) {
        let mut state = self.state.lock();
        if state.is_idle() {
            state.head = true;
            self.changed.notify_one();
        }
    }

    /// Records that the head of a request is complete.
    pub fn begin(self: &Arc<Activity>) -> Exchange {
        let mut state = self.state.lock();
        state.requests += 1;
        state.head = false;
        drop(state);
        Exchange(self.clone())
    }

    /// Returns `true` if the connection awaits a head and no request is handled.
    pub fn awaits_head(&self) -> bool {
        self.state.lock().awaits_head()
    }

    /// Waits until a time-out has passed.
    pub async fn overdue(&self) {
        loop {
            let changed = self.changed.notified();
            let limit = self.time_limit();
            match limit {
                None => changed.await,
                Some(time) => {
                    // A request may have begun just now.
                    if timeout(time, changed).await.is_err() && self.time_limit() == limit {
                        return;
                    }
                }
            }
        }
    }

    fn time_limit(&self) -> Option<Duration> {
        self.state.lock().time_limit()
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.requests -= 1;
        if state.requests == 0 {
            self.0.changed.notify_one();
        }
    }
}
