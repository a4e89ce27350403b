//! Rate limits (contract 8), and delays for clients that guess tokens. For those that guess passwords:
//! `console::requests::sign_in::guess_delay`.
//!
//! All counts are in memory. The daily counts are loaded from the store at the start, and each commit stores
//! those that have changed (`store::requests::counters`), so that they survive a restart.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;

use crate::store::requests::counters::{Counter, Counts};

/// The sliding window of the limit for reads.
const WINDOW: Duration = Duration::from_secs(60);
/// The window in which bad tokens of one address are counted.
const GUESS_WINDOW: Duration = Duration::from_secs(60);
/// Maximum number of bad tokens in the window without a delay.
const MAX_FREE_GUESSES: usize = 9;
/// Maximum delay of a bad token.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Maximum number of addresses in memory. Beyond that, the oldest are dropped.
const MAX_ADDRESSES: usize = 4096;

/// Separates a route from the name of the key whose writes are counted.
pub const OF_KEY: &str = " key:";

/// The state of a limit, for the `x-ratelimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Maximum number of requests.
    pub limit: u32,
    pub remaining: u32,
    /// Time until another request is possible: for reads until the oldest one leaves the window, for writes
    /// until the end of the day.
    pub reset: Duration,
}

impl Quota {
    /// Returns `reset` in whole seconds, rounded up.
    pub fn whole_seconds(&self) -> u32 {
        u32::try_from(self.reset.as_millis().div_ceil(1000)).unwrap_or(u32::MAX)
    }
}

/// The current day, for the daily limits.
#[derive(Clone, Copy, Debug)]
pub struct QuotaDay {
    /// The day in the office's time zone, as days since 1970.
    pub day: i32,
    /// Time until the end of the day.
    pub left_of_day: Duration,
}

/// The count of a route's writes.
#[derive(Default)]
struct Writes {
    /// The day of the last write, and the count of that day.
    counted: (i32, u32),
    /// The value of `counted` that the store has.
    saved: Option<(i32, u32)>,
}

/// The times of the reads within the last [`WINDOW`].
type Reads = VecDeque<Duration>;

/// The counts of all limits. Where a `key` is passed, it is the name of a key that has limits of its own
/// (`limits.per_key`). All other callers share the account's.
pub struct Limits {
    reads: Mutex<Reads>,
    key_reads: Mutex<HashMap<String, Reads>>,
    writes: Mutex<HashMap<String, Writes>>,
    bad_tokens: Mutex<HashMap<IpAddr, VecDeque<Duration>>>,
}

impl Limits {
    /// Continues from the counts in the store.
    pub fn new(counters: Vec<Counter>) -> Limits {
        let writes = counters.into_iter().map(|Counter { route, day, count }| {
            (route, Writes { counted: (day, count), saved: Some((day, count)) })
        });
        Limits {
            reads: Mutex::default(),
            key_reads: Mutex::default(),
            writes: Mutex::new(writes.collect()),
            bad_tokens: Mutex::default(),
        }
    }

    /// Counts a read in a sliding window of 60 s. `now` is a monotonic time; a `limit` of 0 means no limit. Fails with
    /// the quota if it is used up. Refused reads do not count, so that requests succeed again as soon as there is room.
    pub fn count_read(&self, key: Option<&str>, limit: u32, now: Duration) -> Result<Option<Quota>, Quota> {
        self.reads_of(key, limit, now, true)
    }

    /// Returns the quota for reads without counting one.
    pub fn read_quota(&self, key: Option<&str>, limit: u32, now: Duration) -> Option<Quota> {
        self.reads_of(key, limit, now, false).unwrap_or_else(Some)
    }

    fn reads_of(
        &self,
        key: Option<&str>,
        limit: u32,
        now: Duration,
        count: bool,
    ) -> Result<Option<Quota>, Quota> {
        if limit == 0 {
            return Ok(None);
        }
        match key {
            None => reads_at(&mut self.reads.lock(), limit, now, count),
            Some(key) => {
                let mut all = self.key_reads.lock();
                // Keys that were ended leave nothing behind.
                all.retain(|_, reads| reads.back().is_some_and(|newest| *newest + WINDOW > now));
                reads_at(all.entry(key.to_owned()).or_default(), limit, now, count)
            }
        }
    }

    /// Counts a write of `route` on the office's day. A `limit` of 0 means no limit, but the write is counted. Fails
    /// with the quota if it is used up. If the clock was set back to an earlier day, the count continues on that day.
    pub fn count_write(
        &self,
        key: Option<&str>,
        route: &str,
        limit: u32,
        now: QuotaDay,
    ) -> Result<Option<Quota>, Quota> {
        let mut writes = self.writes.lock();
        let route = match key {
            Some(key) => [route, OF_KEY, key].concat(),
            None => route.to_owned(),
        };
        let (day, count) = &mut writes.entry(route).or_default().counted;
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

    /// Returns the number of writes on `day`, by the route's key, which [`OF_KEY`] and a key's name may follow.
    pub fn writes_on(&self, day: i32) -> Vec<(String, u32)> {
        let writes = self.writes.lock();
        let today = writes.iter().map(|(route, writes)| (route, writes.counted));
        let today = today.filter(|(_, (counted, count))| *counted == day && *count > 0);
        today.map(|(route, (_, count))| (route.clone(), count)).collect()
    }

    /// Counts a bad token and returns the delay of its response. The tenth one of an address within a minute
    /// waits a second, and each further one twice as long, up to 30 s.
    pub fn bad_token(&self, address: IpAddr, now: Duration) -> Duration {
        let mut bad_tokens = self.bad_tokens.lock();
        if bad_tokens.len() >= MAX_ADDRESSES && !bad_tokens.contains_key(&address) {
            forget_oldest(&mut bad_tokens);
        }
        let failures = bad_tokens.entry(address).or_default();
        while failures.front().is_some_and(|at| *at + GUESS_WINDOW <= now) {
            failures.pop_front();
        }
        // More failures than this do not change the delay, so they are not stored.
        if failures.len() > MAX_FREE_GUESSES + 8 {
            failures.pop_front();
        }
        failures.push_back(now);
        match u32::try_from(failures.len().saturating_sub(MAX_FREE_GUESSES)).unwrap_or(u32::MAX) {
            0 => Duration::ZERO,
            beyond => Duration::from_secs(1 << (beyond - 1).min(5)).min(MAX_WAIT),
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

/// Counts a read, if `count` is set, and returns the quota. Fails with the quota if it is used up.
fn reads_at(reads: &mut Reads, limit: u32, now: Duration, count: bool) -> Result<Option<Quota>, Quota> {
    while reads.front().is_some_and(|at| *at + WINDOW <= now) {
        reads.pop_front();
    }
    let room = usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(reads.len());
    if count && room > 0 {
        reads.push_back(now);
    }
    let remaining = u32::try_from(room).unwrap_or(u32::MAX).saturating_sub(u32::from(count && room > 0));
    let reset = reads.front().map_or(Duration::ZERO, |oldest| (*oldest + WINDOW).saturating_sub(now));
    let quota = Quota { limit, remaining, reset };
    if room > 0 || !count { Ok(Some(quota)) } else { Err(quota) }
}

fn forget_oldest(bad_tokens: &mut HashMap<IpAddr, VecDeque<Duration>>) {
    let oldest =
        bad_tokens.iter().min_by_key(|(_, failures)| failures.back().copied()).map(|(address, _)| *address);
    if let Some(oldest) = oldest {
        bad_tokens.remove(&oldest);
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
    fn the_31st_read_of_a_minute_is_refused_until_the_first_is_a_minute_old() {
        let limits = Limits::new(Vec::new());
        for second in 0..30 {
            let quota = limits.count_read(None, 30, seconds(second)).unwrap().unwrap();
            assert_eq!(u64::from(quota.remaining), 29 - second);
        }
        let refused = limits.count_read(None, 30, seconds(45)).unwrap_err();
        assert_eq!((refused.remaining, refused.reset), (0, Duration::from_secs(15)));
        assert!(limits.count_read(None, 30, seconds(59)).is_err());
        assert!(limits.count_read(None, 30, seconds(60)).is_ok(), "the first one has left the window");
        assert!(limits.count_read(None, 30, seconds(60)).is_err(), "the window slides and is not reset");
        assert!(limits.count_read(None, 30, seconds(61)).is_ok());
    }

    #[test]
    fn a_key_with_its_own_limits_does_not_use_up_others() {
        let limits = Limits::new(Vec::new());
        for key in [None, Some("n8n"), Some("planilha")] {
            assert!(limits.count_read(key, 1, seconds(0)).is_ok());
            assert!(limits.count_read(key, 1, seconds(1)).is_err(), "{key:?}");
            assert!(limits.count_write(key, "POST /a", 1, on(5)).is_ok());
            assert!(limits.count_write(key, "POST /a", 1, on(5)).is_err(), "{key:?}");
        }
        let mut writes = limits.writes_on(5);
        writes.sort();
        let routes = writes.iter().map(|(route, _)| route.as_str()).collect::<Vec<_>>();
        assert_eq!(routes, ["POST /a", "POST /a key:n8n", "POST /a key:planilha"]);
    }

    #[test]
    fn reading_the_remaining_quota_is_not_counted() {
        let limits = Limits::new(Vec::new());
        for _ in 0..100 {
            assert_eq!(limits.read_quota(None, 30, seconds(0)).unwrap().remaining, 30);
        }
        assert_eq!(limits.read_quota(None, 0, seconds(0)), None);
    }

    #[test]
    fn writes_are_counted_by_route_and_day_even_if_the_clock_is_set_back() {
        let limits = Limits::new(vec![Counter { route: "POST /a".to_owned(), day: 5, count: 1 }]);
        assert_eq!(limits.count_write(None, "POST /a", 3, on(5)).unwrap().unwrap().remaining, 1);
        assert_eq!(
            limits.count_write(None, "POST /a", 3, on(4)).unwrap().unwrap().remaining,
            0,
            "the day before"
        );
        assert!(limits.count_write(None, "POST /a", 3, on(4)).is_err());
        assert!(limits.count_write(None, "POST /b", 3, on(4)).is_ok(), "each route is counted separately");
        assert_eq!(
            limits.count_write(None, "POST /a", 3, on(5)).unwrap().unwrap().remaining,
            2,
            "the next day"
        );
    }

    #[test]
    fn unsaved_counters_are_reported_until_they_are_saved() {
        let counter = |day, count| Counter { route: "POST /a".to_owned(), day, count };
        let limits = Limits::new(vec![counter(5, 1)]);
        assert_eq!(limits.unsaved(), []);
        limits.count_write(None, "POST /a", 2, on(5)).unwrap();
        assert_eq!(limits.unsaved(), [counter(5, 2)]);
        assert_eq!(limits.unsaved(), [counter(5, 2)], "storing it may have failed");
        // A refused write changes nothing, unless it moves the count to another day.
        limits.count_write(None, "POST /a", 2, on(5)).unwrap_err();
        limits.saved(&[counter(5, 2)]);
        assert_eq!(limits.unsaved(), []);
        limits.count_write(None, "POST /a", 2, on(4)).unwrap_err();
        assert_eq!(limits.unsaved(), [counter(4, 2)]);
        // Another write was counted while the last count was being stored.
        limits.count_write(None, "POST /a", 0, on(4)).unwrap();
        limits.saved(&[counter(4, 2)]);
        assert_eq!(limits.unsaved(), [counter(4, 3)]);
    }

    #[test]
    fn writes_without_a_limit_are_still_counted() {
        let limits = Limits::new(Vec::new());
        for _ in 0..200 {
            assert_eq!(limits.count_write(None, "POST /a", 0, on(5)), Ok(None));
        }
        assert!(limits.count_write(None, "POST /a", 100, on(5)).is_err());
    }

    #[test]
    fn bad_tokens_of_an_address_are_delayed_from_the_tenth_on() {
        let limits = Limits::new(Vec::new());
        let address = IpAddr::from([127, 0, 0, 1]);
        let waits = (0..20).map(|_| limits.bad_token(address, Duration::ZERO).as_secs()).collect::<Vec<_>>();
        assert_eq!(waits[..16], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(waits[19], 30);
        assert_eq!(limits.bad_token(IpAddr::from([127, 0, 0, 2]), Duration::ZERO), Duration::ZERO);
        assert_eq!(limits.bad_token(address, Duration::from_secs(60)), Duration::ZERO, "a minute later");
    }

    #[test]
    fn the_number_of_remembered_addresses_is_limited() {
        let limits = Limits::new(Vec::new());
        for number in 0..10_000u32 {
            limits.bad_token(IpAddr::from(number.to_be_bytes()), Duration::from_millis(u64::from(number)));
        }
        assert_eq!(limits.bad_tokens.lock().len(), MAX_ADDRESSES);
    }
}
