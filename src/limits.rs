//! Who may ask how often (contract 8), and how long those wait who guess tokens.
//!
//! Everything is decided in memory; the daily counts are begun from the store, which takes what is new along with its next
//! commit (`store::counters`), so that a restart continues them.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;

use crate::store::counters::{Counter, Counts};

/// The window of the limit for reads.
const WINDOW: Duration = Duration::from_secs(60);
/// The window in which bad tokens of one address are counted, and how many of them do not wait.
const PATIENCE: (Duration, usize) = (Duration::from_secs(60), 9);
/// The longest that a bad token waits.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How many addresses are remembered; more are forgotten oldest first, so that memory has a bound.
const ADDRESSES: usize = 4096;

/// What a caller has left of a limit: the `x-ratelimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// How many requests there may be.
    pub limit: u32,
    /// How many are left.
    pub remaining: u32,
    /// When there is room again: for reads the oldest one of the window leaves it, for writes the day ends.
    pub reset: Duration,
}

impl Quota {
    /// The time until there is room again in whole seconds, rounded up.
    pub fn whole_seconds(&self) -> u32 {
        u32::try_from(self.reset.as_millis().div_ceil(1000)).unwrap_or(u32::MAX)
    }
}

/// The day that the limits by day count in.
#[derive(Clone, Copy, Debug)]
pub struct QuotaDay {
    /// The office's day, as days since 1970.
    pub day: i32,
    /// How long the day still lasts.
    pub left_of_day: Duration,
}

/// The writes of a route.
#[derive(Default)]
struct Writes {
    /// The last day on which it was asked, and how often.
    counted: (i32, u32),
    /// What of this is stored.
    saved: Option<(i32, u32)>,
}

/// The counts.
pub struct Limits {
    reads: Mutex<VecDeque<Duration>>,
    writes: Mutex<HashMap<String, Writes>>,
    strangers: Mutex<HashMap<IpAddr, VecDeque<Duration>>>,
}

impl Limits {
    /// Goes on from the counts in the store.
    pub fn new(counters: Vec<Counter>) -> Limits {
        let writes = counters.into_iter().map(|Counter { route, day, count }| {
            (route, Writes { counted: (day, count), saved: Some((day, count)) })
        });
        Limits { reads: Mutex::default(), writes: Mutex::new(writes.collect()), strangers: Mutex::default() }
    }

    /// Counts a read against a sliding window of 60 s; `now` is a time that no clock change moves. `limit` 0: none. One
    /// that is refused does not count, so that the office comes in again as soon as there is room.
    ///
    /// # Errors
    /// How the caller stands where there is no room.
    pub fn read(&self, limit: u32, now: Duration) -> Result<Option<Quota>, Quota> {
        self.reads_at(limit, now, true)
    }

    /// How the caller stands with reads, without counting one.
    pub fn reads(&self, limit: u32, now: Duration) -> Option<Quota> {
        self.reads_at(limit, now, false).unwrap_or_else(Some)
    }

    fn reads_at(&self, limit: u32, now: Duration, count: bool) -> Result<Option<Quota>, Quota> {
        if limit == 0 {
            return Ok(None);
        }
        let mut asked = self.reads.lock();
        while asked.front().is_some_and(|at| *at + WINDOW <= now) {
            asked.pop_front();
        }
        let room = usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(asked.len());
        if count && room > 0 {
            asked.push_back(now);
        }
        let remaining = u32::try_from(room).unwrap_or(u32::MAX).saturating_sub(u32::from(count && room > 0));
        let reset = asked.front().map_or(Duration::ZERO, |oldest| (*oldest + WINDOW).saturating_sub(now));
        let quota = Quota { limit, remaining, reset };
        if room > 0 || !count { Ok(Some(quota)) } else { Err(quota) }
    }

    /// Counts a write of `route` against the office's day. `limit` 0: none, but it is counted all the same. A day
    /// before the last one counted, which a clock that was moved back shows, takes the count along.
    ///
    /// # Errors
    /// How the caller stands where there is no room.
    pub fn write(&self, route: &str, limit: u32, now: QuotaDay) -> Result<Option<Quota>, Quota> {
        let mut writes = self.writes.lock();
        let (day, count) = &mut writes.entry(route.to_owned()).or_default().counted;
        if now.day > *day {
            *count = 0;
        }
        *day = now.day;
        let full = limit > 0 && *count >= limit;
        if !full {
            *count = count.saturating_add(1);
        }
        let quota = Quota { limit, remaining: limit.saturating_sub(*count), reset: now.left_of_day };
        match (limit, full) {
            (0, _) => Ok(None),
            (_, false) => Ok(Some(quota)),
            (_, true) => Err(quota),
        }
    }

    /// How many writes of each route were counted on `day`, by the route's key.
    pub fn writes(&self, day: i32) -> Vec<(String, u32)> {
        let writes = self.writes.lock();
        let today = writes.iter().map(|(route, writes)| (route, writes.counted));
        let today = today.filter(|(_, (counted, count))| *counted == day && *count > 0);
        today.map(|(route, (_, count))| (route.clone(), count)).collect()
    }

    /// How long the answer to a bad token waits: the tenth one of an address within a minute a second, each further one
    /// twice as long, 30 s at the most.
    pub fn bad_token(&self, address: IpAddr, now: Duration) -> Duration {
        let mut strangers = self.strangers.lock();
        if strangers.len() >= ADDRESSES && !strangers.contains_key(&address) {
            forget_oldest(&mut strangers);
        }
        let (window, free) = PATIENCE;
        let failures = strangers.entry(address).or_default();
        while failures.front().is_some_and(|at| *at + window <= now) {
            failures.pop_front();
        }
        // Past the longest wait more of them make no difference, so no more are remembered.
        if failures.len() > free + 8 {
            failures.pop_front();
        }
        failures.push_back(now);
        match u32::try_from(failures.len().saturating_sub(free)).unwrap_or(u32::MAX) {
            0 => Duration::ZERO,
            beyond => Duration::from_secs(1 << (beyond - 1).min(5)).min(LONGEST_WAIT),
        }
    }
}

impl Counts for Limits {
    fn unsaved(&self) -> Vec<Counter> {
        let writes = self.writes.lock();
        let unsaved = writes.iter().filter(|(_, writes)| writes.saved != Some(writes.counted));
        unsaved
            .map(|(route, writes)| {
                let (day, count) = writes.counted;
                Counter { route: route.clone(), day, count }
            })
            .collect()
    }

    fn saved(&self, counters: &[Counter]) {
        let mut writes = self.writes.lock();
        for Counter { route, day, count } in counters {
            if let Some(writes) = writes.get_mut(route) {
                writes.saved = Some((*day, *count));
            }
        }
    }
}

fn forget_oldest(strangers: &mut HashMap<IpAddr, VecDeque<Duration>>) {
    let oldest =
        strangers.iter().min_by_key(|(_, failures)| failures.back().copied()).map(|(address, _)| *address);
    if let Some(oldest) = oldest {
        strangers.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(day: i32) -> QuotaDay {
        QuotaDay { day, left_of_day: Duration::from_secs(3600) }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_thirty_first_read_of_a_minute_waits_until_the_first_one_is_a_minute_old() {
        let limits = Limits::new(Vec::new());
        for asked in 0..30 {
            let quota = limits.read(30, seconds(asked)).unwrap().unwrap();
            assert_eq!(u64::from(quota.remaining), 29 - asked);
        }
        let refused = limits.read(30, seconds(45)).unwrap_err();
        assert_eq!((refused.remaining, refused.reset), (0, Duration::from_secs(15)));
        assert!(limits.read(30, seconds(59)).is_err());
        assert!(limits.read(30, seconds(60)).is_ok(), "the first one has left the window");
        assert!(limits.read(30, seconds(60)).is_err(), "the window slides, it does not begin anew");
        assert!(limits.read(30, seconds(61)).is_ok());
    }

    #[test]
    fn looking_at_the_standing_counts_nothing() {
        let limits = Limits::new(Vec::new());
        for _ in 0..100 {
            assert_eq!(limits.reads(30, seconds(0)).unwrap().remaining, 30);
        }
        assert_eq!(limits.reads(0, seconds(0)), None);
    }

    #[test]
    fn writes_are_counted_by_route_and_day_and_a_clock_moved_back_resets_nothing() {
        let limits = Limits::new(vec![Counter { route: "POST /a".to_owned(), day: 5, count: 1 }]);
        assert_eq!(limits.write("POST /a", 3, on(5)).unwrap().unwrap().remaining, 1);
        assert_eq!(limits.write("POST /a", 3, on(4)).unwrap().unwrap().remaining, 0, "the day before");
        assert!(limits.write("POST /a", 3, on(4)).is_err());
        assert!(limits.write("POST /b", 3, on(4)).is_ok(), "each route by itself");
        assert_eq!(limits.write("POST /a", 3, on(5)).unwrap().unwrap().remaining, 2, "the next day");
    }

    #[test]
    fn what_is_not_stored_yet_is_known_until_it_is() {
        let counter = |day, count| Counter { route: "POST /a".to_owned(), day, count };
        let limits = Limits::new(vec![counter(5, 1)]);
        assert_eq!(limits.unsaved(), []);
        limits.write("POST /a", 2, on(5)).unwrap();
        assert_eq!(limits.unsaved(), [counter(5, 2)]);
        assert_eq!(limits.unsaved(), [counter(5, 2)], "storing it may have failed");
        // One that is refused changes nothing, but where it takes the count along to another day.
        limits.write("POST /a", 2, on(5)).unwrap_err();
        limits.saved(&[counter(5, 2)]);
        assert_eq!(limits.unsaved(), []);
        limits.write("POST /a", 2, on(4)).unwrap_err();
        assert_eq!(limits.unsaved(), [counter(4, 2)]);
        // Another one came while that was stored.
        limits.write("POST /a", 0, on(4)).unwrap();
        limits.saved(&[counter(4, 2)]);
        assert_eq!(limits.unsaved(), [counter(4, 3)]);
    }

    #[test]
    fn no_limit_is_counted_all_the_same() {
        let limits = Limits::new(Vec::new());
        for _ in 0..200 {
            assert_eq!(limits.write("POST /a", 0, on(5)), Ok(None));
        }
        assert!(limits.write("POST /a", 100, on(5)).is_err());
    }

    #[test]
    fn the_tenth_bad_token_of_an_address_waits_and_each_further_one_longer() {
        let limits = Limits::new(Vec::new());
        let address = IpAddr::from([127, 0, 0, 1]);
        let waits = (0..20).map(|_| limits.bad_token(address, Duration::ZERO).as_secs()).collect::<Vec<_>>();
        assert_eq!(waits[..16], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(waits[19], 30);
        assert_eq!(limits.bad_token(IpAddr::from([127, 0, 0, 2]), Duration::ZERO), Duration::ZERO);
        assert_eq!(limits.bad_token(address, Duration::from_secs(60)), Duration::ZERO, "a minute later");
    }

    #[test]
    fn addresses_are_remembered_within_a_bound() {
        let limits = Limits::new(Vec::new());
        for number in 0..10_000u32 {
            limits.bad_token(IpAddr::from(number.to_be_bytes()), Duration::from_millis(u64::from(number)));
        }
        assert_eq!(limits.strangers.lock().len(), ADDRESSES);
    }
}
