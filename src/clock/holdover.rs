//! Timekeeping while the clock may be wrong. Continuing from the last good time is called holdover.
//!
//! The clock counts as wrong if it shows a time before the program was built, or more than five years after the
//! newer of the build and the newest record. It never counts as wrong while it advances steadily, for however
//! long.
//!
//! A time before the newest record is not wrong by itself. A record written while the clock was ahead keeps its
//! future date after the clock has been corrected, and the correction must be accepted.

use std::time::Duration;

use super::Clock;
use crate::domain::Day;
use crate::domain::lang::Lang;

/// Maximum seconds that a plausible clock can be ahead of all known times. An office that stays unused, and a
/// program that stays unchanged, for that long is rarer than a wrong clock.
const MAX_AHEAD_SECONDS: i64 = 5 * 365 * Day::SECONDS;
/// Maximum seconds between two times that count as equal. Allows for drift, manual settings and a wrong time
/// zone.
pub(super) const SLACK: i64 = Day::SECONDS;

/// The error of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockFault {
    /// The clock shows a time before the program was built.
    Behind,
    /// The clock shows a time years after all known times.
    Ahead,
}

/// A time, and the clock's error if the clock shows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Best known time, in seconds since 1970.
    pub now: i64,
    /// Error of the clock if `now` differs from it.
    pub fault: Option<ClockFault>,
}

/// The last good time, kept between two readings of the clock.
#[derive(Debug, Default)]
pub struct Holdover(Option<ClockReading>);

#[derive(Clone, Copy, Debug)]
struct ClockReading {
    now: i64,
    /// Reading of the monotonic clock at that time.
    monotonic: Duration,
}

impl Holdover {
    /// Returns the best known time. Calls `records` only if the clock alone does not decide; it returns the
    /// times of the newest records, in seconds since 1970 and in any order.
    pub fn time(&mut self, clock: &Clock, records: impl FnOnce() -> Vec<i64>) -> Time {
        let shown = clock.now().as_second();
        let built = clock.built();
        let monotonic = clock.monotonic();
        let expected = self.0.map(|seen| {
            let gone = monotonic.saturating_sub(seen.monotonic).as_secs();
            seen.now.saturating_add_unsigned(gone)
        });
        let goes_on = expected.is_some_and(|expected| expected.abs_diff(shown) <= SLACK.unsigned_abs());
        let can_be = |newest: i64| (built - SLACK..=newest + MAX_AHEAD_SECONDS).contains(&shown);
        let (now, fault) = match goes_on || can_be(built) {
            true => (shown, None),
            false => match newest(built, records()) {
                newest if can_be(newest) => (shown, None),
                newest if shown > newest => (expected.unwrap_or(newest), Some(ClockFault::Ahead)),
                newest => (expected.unwrap_or(newest), Some(ClockFault::Behind)),
            },
        };
        // While the clock is wrong, keep the last good time.
        if fault.is_none() || self.0.is_none() {
            self.0 = Some(ClockReading { now, monotonic });
        }
        Time { now, fault }
    }
}

/// Returns the newest plausible time of `built` and the records. Stops at a gap of more than `MAX_AHEAD_SECONDS`: a record
/// after it was written while the clock was ahead.
fn newest(built: i64, mut records: Vec<i64>) -> i64 {
    records.sort_unstable();
    records.into_iter().fold(built, |newest, at| {
        if (newest..=newest + MAX_AHEAD_SECONDS).contains(&at) { at } else { newest }
    })
}

impl ClockFault {
    /// Describes the error and its remedy.
    pub fn message(self, lang: Lang) -> &'static str {
        match self {
            ClockFault::Behind => lang.pick(
                "O relógio desta máquina está atrasado: mostra uma data anterior à deste programa. Acerte a data e a hora.",
                "This machine's clock is behind: it shows a date before this program was made. Set date and time.",
            ),
            ClockFault::Ahead => lang.pick(
                "O relógio desta máquina está adiantado: mostra uma data mais de cinco anos depois de tudo o que há aqui. \
                 Acerte a data e a hora; se estiverem certas, instale a versão atual do Pleito.",
                "This machine's clock is ahead: it shows a date more than five years after everything here. Set date and \
                 time; if they are right, install the current version of Pleito.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn at(day: &str) -> Timestamp {
        format!("{day}T12:00:00Z").parse().unwrap()
    }

    /// Returns the day and the error of the clock. With a manual clock, the build date is 2026-01-01.
    fn look(holdover: &mut Holdover, clock: &Clock, records: &[&str]) -> (String, Option<ClockFault>) {
        let time = holdover.time(clock, || records.iter().map(|day| at(day).as_second()).collect());
        (Timestamp::from_second(time.now).unwrap().strftime("%F").to_string(), time.fault)
    }

    #[test]
    fn a_clock_is_trusted_from_the_build_date_to_five_years_after_the_newest_record() {
        for (shown, records, is, fault) in [
            ("1970-01-01", &[][..], "2026-01-01", Some(ClockFault::Behind)),
            ("1970-01-01", &["2027-03-01", "2026-05-01"], "2027-03-01", Some(ClockFault::Behind)),
            ("2025-12-30", &[], "2026-01-01", Some(ClockFault::Behind)),
            ("2025-12-31", &[], "2025-12-31", None),
            ("2026-01-01", &["2040-01-01"], "2026-01-01", None),
            ("2030-12-30", &[], "2030-12-30", None),
            ("2031-01-02", &[], "2026-01-01", Some(ClockFault::Ahead)),
            ("2031-01-02", &["2026-06-01"], "2031-01-02", None),
            // No gap between two records exceeds the limit.
            ("2040-06-01", &["2035-07-01", "2026-06-01", "2031-01-01"], "2040-06-01", None),
            // A record written while the clock was ahead does not confirm the clock.
            ("2040-06-01", &["2040-05-31", "2026-06-01"], "2026-06-01", Some(ClockFault::Ahead)),
        ] {
            let found = look(&mut Holdover::default(), &Clock::set_to(at(shown)), records);
            assert_eq!(found, (is.to_owned(), fault), "{shown} {records:?}");
        }
    }

    #[test]
    fn while_the_clock_is_wrong_time_continues_from_the_last_trusted_reading() {
        let clock = Clock::set_to(at("2026-06-17"));
        let mut holdover = Holdover::default();
        let mut seen = |clock: &Clock| look(&mut holdover, clock, &[]);
        assert_eq!(seen(&clock), ("2026-06-17".to_owned(), None));
        for (jump, fault) in [("2040-01-01", ClockFault::Ahead), ("1970-01-01", ClockFault::Behind)] {
            clock.set(at(jump));
            assert_eq!(seen(&clock).1, Some(fault));
            clock.advance(Duration::from_secs(86_400));
            assert_eq!(seen(&clock).1, Some(fault));
        }
        assert_eq!(seen(&clock).0, "2026-06-19");
        clock.set(at("2026-06-20"));
        assert_eq!(seen(&clock), ("2026-06-20".to_owned(), None));
        // Holds for any run time, even without new records.
        for _ in 0..20 {
            clock.advance(Duration::from_secs(365 * 86_400));
            assert_eq!(seen(&clock).1, None);
        }
    }

    #[test]
    fn clock_errors_are_described_in_both_languages() {
        for fault in [ClockFault::Behind, ClockFault::Ahead] {
            assert_ne!(fault.message(Lang::Pt), fault.message(Lang::En));
        }
    }
}
