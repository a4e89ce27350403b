//! Waiting for what comes about on another thread or in another process: with an end.

use std::time::{Duration, Instant};

/// For as long as a very slow machine may take.
pub const LONG: Duration = Duration::from_secs(60);

/// What `look` finds, as soon as it finds something. Panics where that takes longer than the deadline.
pub fn wait_until<T>(deadline: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < deadline {
        if let Some(found) = look() {
            return found;
        }
        std::thread::yield_now();
    }
    panic!("it takes longer than {deadline:?} until {what}");
}
