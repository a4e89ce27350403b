//! Waiting, with a deadline, for results of another thread or process.

use std::time::{Duration, Instant};

/// A deadline long enough for a very slow machine.
pub const MAX_WAIT: Duration = Duration::from_secs(60);

/// Time between two polls. The thread is parked, so that the work it waits for has the processor.
const POLL_PAUSE: Duration = Duration::from_millis(1);

/// Calls `poll` until it returns a value. Panics after the deadline.
pub fn wait_until<T>(deadline: Duration, what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < deadline {
        if let Some(found) = poll() {
            return found;
        }
        std::thread::park_timeout(POLL_PAUSE);
    }
    panic!("timed out after {deadline:?} waiting until {what}");
}
