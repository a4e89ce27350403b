//! The clock. It is passed as an argument everywhere, so that tests can set the time.

#![allow(clippy::disallowed_methods, reason = "this is the clock")]

mod holdover;

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use parking_lot::Mutex;

pub use holdover::{ClockFault, Holdover, Time};

use crate::domain::time::date::Day;

/// Date of the first source (2026-01-01), in seconds since 1970. No version of the program is older.
const FIRST: i64 = 1_767_225_600;

/// Build date of the program, in seconds since 1970. For a release it is the date of the commit, so that builds
/// are reproducible (installer/release). Without `SOURCE_DATE_EPOCH` it is `FIRST`.
const BUILT: i64 = match option_env!("SOURCE_DATE_EPOCH") {
    None => FIRST,
    Some(text) => match i64::from_str_radix(text, 10) {
        Ok(seconds) if seconds > FIRST => seconds,
        _ => FIRST,
    },
};

/// Does work on another thread. Returns its result, or `None` if it takes longer than `limit`: a call about a folder or to a
/// process that hangs may never end.
pub fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(limit).ok()
}

/// Returns `true` if a folder answers within `limit`: one on a machine that is off may hold up every call for ever. A missing
/// folder answers.
pub fn folder_answers(folder: &Path, limit: Duration) -> bool {
    let folder = folder.to_owned();
    let look = move || fs::read_dir(folder).map(|mut entries| entries.next().is_some());
    within(limit, look).is_some()
}

/// The system clock, or a manual one for tests. Copies of a manual clock share their time.
#[derive(Clone)]
pub struct Clock(Kind);

#[derive(Clone)]
enum Kind {
    /// The system clock, with the instant at which this value was created.
    System(Instant),
    Set(Arc<Mutex<ManualTime>>),
}

/// State of a manual clock.
struct ManualTime {
    now: Timestamp,
    since_made: Duration,
}

impl Clock {
    pub fn system() -> Clock {
        Clock(Kind::System(Instant::now()))
    }

    /// Returns a manual clock that stands at `now` until [`Clock::advance`] or [`Clock::set`] moves it.
    pub fn set_to(now: Timestamp) -> Clock {
        Clock(Kind::Set(Arc::new(Mutex::new(ManualTime { now, since_made: Duration::ZERO }))))
    }

    /// Returns the wall-clock time, which can jump in either direction when the machine's time is set.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Kind::System(_) => Timestamp::now(),
            Kind::Set(time) => time.lock().now,
        }
    }

    /// Returns the time elapsed since the clock was created. It never goes back, even if the wall-clock time is
    /// changed.
    pub fn monotonic(&self) -> Duration {
        match &self.0 {
            Kind::System(made) => made.elapsed(),
            Kind::Set(time) => time.lock().since_made,
        }
    }

    /// Returns the build date in seconds since 1970. With a manual clock it is always `FIRST`, for any build.
    fn built(&self) -> i64 {
        match self.0 {
            Kind::System(_) => BUILT,
            Kind::Set(_) => FIRST,
        }
    }

    /// Returns `true` if the clock shows a time more than a day before the program was built.
    pub fn is_before_build(&self) -> bool {
        self.now().as_second() < self.built() - holdover::SLACK
    }

    /// Returns the calendar day in this zone.
    pub fn today(&self, zone: &TimeZone) -> Day {
        Day::on_calendar(zone.to_datetime(self.now()).date())
    }

    /// Advances a manual clock. Does nothing on the system clock.
    pub fn advance(&self, by: Duration) {
        if let Kind::Set(time) = &self.0 {
            let mut time = time.lock();
            time.now = time.now.checked_add(by).unwrap_or(Timestamp::MAX);
            time.since_made = time.since_made.saturating_add(by);
        }
    }

    /// Waits. A manual clock is advanced instead.
    pub fn sleep(&self, by: Duration) {
        match &self.0 {
            Kind::System(_) => std::thread::sleep(by),
            Kind::Set(_) => self.advance(by),
        }
    }

    /// Sets the wall-clock time of a manual clock without advancing its monotonic time, as if the machine's
    /// clock were set.
    pub fn set(&self, now: Timestamp) {
        if let Kind::Set(time) = &self.0 {
            time.lock().now = now;
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_manual_clock_share_their_time_and_jumps_do_not_advance_monotonic_time() {
        let noon: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let clock = Clock::set_to(noon);
        let copy = clock.clone();
        assert_eq!((copy.now(), copy.monotonic()), (noon, Duration::ZERO));

        clock.advance(Duration::from_secs(90));
        assert_eq!(copy.now(), "2026-03-01T12:01:30Z".parse().unwrap());
        assert_eq!(copy.monotonic(), Duration::from_secs(90));

        clock.set("2001-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(copy.now(), "2001-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(copy.monotonic(), Duration::from_secs(90));

        clock.advance(Duration::MAX);
        assert_eq!(copy.now(), Timestamp::MAX);
    }

    #[test]
    fn today_is_the_day_in_the_offices_time_zone() {
        let clock = Clock::set_to("2026-03-01T02:59:59Z".parse().unwrap());
        let zone = TimeZone::get("America/Sao_Paulo").unwrap();
        assert_eq!(clock.today(&zone).iso(), "2026-02-28");
        clock.advance(Duration::from_secs(1));
        assert_eq!(clock.today(&zone).iso(), "2026-03-01");
        clock.set(Timestamp::MIN);
        assert_eq!(clock.today(&zone).iso(), "0001-01-01");
    }

    #[test]
    fn the_system_clock_cannot_be_set() {
        let clock = Clock::system();
        let before = clock.now();
        clock.set(Timestamp::MIN);
        assert!(clock.now() >= before);
        let first = clock.monotonic();
        assert!(clock.monotonic() >= first);
    }
}
