//! Whether other processes write so much that lists no longer wait for it.
//!
//! A list sees what another process wrote before it, as a rule: whoever asks takes it over first. An import of a million
//! rows would have every list wait behind the next thousand of them. So lists wait for a second of it in all, and from
//! then on, until it has been quiet for a second, they are answered from what the follower has taken over so far, some
//! tenths of a second ago. What this process itself answered is always in them.

use std::time::Duration;

use crossbeam_channel::Sender;
use parking_lot::Mutex;

use crate::clock::Clock;

/// How long lists wait in all, and after how much quiet they begin to wait again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Looks after one part of the index.
pub(super) struct Rush {
    clock: Clock,
    /// Wakes the follower.
    wake: Sender<()>,
    seen: Mutex<Option<Seen>>,
}

/// Since when and until when the part was seen far behind, in time of the clock, which is read under the lock: no later
/// look has an earlier time.
#[derive(Clone, Copy)]
struct Seen {
    /// None: from the outset too long.
    since: Option<Duration>,
    last: Duration,
}

impl Rush {
    pub(super) fn new(clock: Clock, wake: Sender<()>) -> Rush {
        Rush { clock, wake, seen: Mutex::new(None) }
    }

    /// The part is behind, `far` or by a slice at most.
    pub(super) fn see(&self, far: bool) {
        if far {
            let mut seen = self.seen.lock();
            let now = self.clock.monotonic();
            let since = seen.filter(|seen| now - seen.last <= PATIENCE).map_or(Some(now), |seen| seen.since);
            *seen = Some(Seen { since, last: now });
        }
    }

    /// The same, and whether a list is to be answered all the same.
    pub(super) fn lets_pass(&self, far: bool) -> bool {
        self.see(far);
        let on = self.is_on();
        if on {
            // It is full where the follower is to be woken already.
            let _ = self.wake.try_send(());
        }
        on
    }

    /// What comes next is too much to wait for, whatever was seen before.
    pub(super) fn begin(&self) {
        let mut seen = self.seen.lock();
        *seen = Some(Seen { since: None, last: self.clock.monotonic() });
    }

    /// Whether lists do not wait now.
    pub(super) fn is_on(&self) -> bool {
        let seen = self.seen.lock();
        let now = self.clock.monotonic();
        seen.is_some_and(|seen| {
            now - seen.last <= PATIENCE && seen.since.is_none_or(|since| now - since > PATIENCE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A look that had read its time before another one, and came to the lock after it, took the later from the earlier.
    #[test]
    fn many_look_at_once() {
        let rush = Rush::new(Clock::system(), crossbeam_channel::bounded(1).0);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..50_000).for_each(|_| _ = rush.lets_pass(true)));
            }
        });
    }

    #[test]
    fn lists_wait_for_a_second_in_all_and_again_after_a_second_of_quiet() {
        let clock = Clock::set_to(jiff::Timestamp::UNIX_EPOCH);
        let (wake, woken) = crossbeam_channel::bounded(1);
        let rush = Rush::new(clock.clone(), wake);
        let pass = |milliseconds| clock.advance(Duration::from_millis(milliseconds));
        assert!(!rush.lets_pass(false) && !rush.lets_pass(true));
        pass(600);
        assert!(!rush.lets_pass(true), "not yet a second");
        pass(600);
        assert!(woken.is_empty() && rush.lets_pass(true) && rush.lets_pass(false));
        assert!(!woken.is_empty(), "the follower has to know");
        pass(1_000);
        assert!(rush.lets_pass(false), "not yet quiet");
        pass(1);
        assert!(!rush.lets_pass(false) && !rush.lets_pass(true), "a new second");
        rush.begin();
        assert!(rush.lets_pass(false));
    }
}
