//! What time it is: an argument everywhere, so that tests set it.

mod holdover;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use parking_lot::Mutex;

pub use holdover::{Holdover, Odd, Time};

use crate::domain::date::Day;

/// When the source began: what no version of the program is older than (2026-01-01), in seconds since 1970.
const FIRST: i64 = 1_767_225_600;

/// What the program was dated when it was built, in seconds since 1970. For a release that is its commit's date, so that
/// the same source gives the same bytes (installer/release); without a date it is the source's first day.
const BUILT: i64 = match option_env!("SOURCE_DATE_EPOCH") {
    None => FIRST,
    Some(text) => match i64::from_str_radix(text, 10) {
        Ok(seconds) if seconds > FIRST => seconds,
        _ => FIRST,
    },
};

/// A clock: the system's, or one that a test has set. Copies of a set clock show the same time.
#[derive(Clone)]
pub struct Clock(Kind);

#[derive(Clone)]
enum Kind {
    /// The system's; the instant is when it was made.
    System(Instant),
    Set(Arc<Mutex<ManualTime>>),
}

/// What a set clock shows.
struct ManualTime {
    now: Timestamp,
    since_made: Duration,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Clock {
        Clock(Kind::System(Instant::now()))
    }

    /// A clock that stands still at `now` until [`Clock::advance`] or [`Clock::set`] moves it.
    pub fn set_to(now: Timestamp) -> Clock {
        Clock(Kind::Set(Arc::new(Mutex::new(ManualTime { now, since_made: Duration::ZERO }))))
    }

    /// The time of day: what the machine's owner has set, so it may jump either way.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Kind::System(_) => Timestamp::now(),
            Kind::Set(time) => time.lock().now,
        }
    }

    /// Time gone by since the clock was made. It never goes back, whatever is done to the time of day.
    pub fn monotonic(&self) -> Duration {
        match &self.0 {
            Kind::System(made) => made.elapsed(),
            Kind::Set(time) => time.lock().since_made,
        }
    }

    /// The date of the program itself, in seconds since 1970; under a set clock the earliest one that it can have, whatever
    /// this build is dated.
    fn built(&self) -> i64 {
        match self.0 {
            Kind::System(_) => BUILT,
            Kind::Set(_) => FIRST,
        }
    }

    /// The calendar day in that zone.
    pub fn today(&self, zone: &TimeZone) -> Day {
        Day::on_calendar(zone.to_datetime(self.now()).date())
    }

    /// Lets time go by on a set clock. The system's takes no orders.
    pub fn advance(&self, by: Duration) {
        if let Kind::Set(time) = &self.0 {
            let mut time = time.lock();
            time.now = time.now.checked_add(by).unwrap_or(Timestamp::MAX);
            time.since_made = time.since_made.saturating_add(by);
        }
    }

    /// Waits for so long. A set clock is set forward instead.
    pub fn sleep(&self, by: Duration) {
        match &self.0 {
            Kind::System(_) => std::thread::sleep(by),
            Kind::Set(_) => self.advance(by),
        }
    }

    /// Makes a set clock jump, as when somebody sets the machine's: the time of day changes and no time goes by.
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
    fn copies_of_a_set_clock_move_together_and_a_jump_lets_no_time_go_by() {
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
    fn today_is_the_offices_day_and_not_that_of_greenwich() {
        let clock = Clock::set_to("2026-03-01T02:59:59Z".parse().unwrap());
        let zone = TimeZone::get("America/Sao_Paulo").unwrap();
        assert_eq!(clock.today(&zone).iso(), "2026-02-28");
        clock.advance(Duration::from_secs(1));
        assert_eq!(clock.today(&zone).iso(), "2026-03-01");
        clock.set(Timestamp::MIN);
        assert_eq!(clock.today(&zone).iso(), "0001-01-01");
    }

    #[test]
    fn the_systems_clock_takes_no_orders() {
        let clock = Clock::system();
        let before = clock.now();
        clock.set(Timestamp::MIN);
        assert!(clock.now() >= before);
        let first = clock.monotonic();
        assert!(clock.monotonic() >= first);
    }
}
