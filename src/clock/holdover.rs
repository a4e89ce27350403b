//! The time to go by while the clock may be wrong. A timekeeper that has lost its reference goes on from the last good
//! time: that is called holdover.
//!
//! The clock is odd while it shows a time before the program was built, or more than five years after the newer of that and
//! the newest record. It is never odd while it goes on as it did, however long that is.
//!
//! A time before the newest record is not odd by itself: a record written while the clock was ahead is dated after now
//! until that time comes, and whoever has set the clock right should be believed.

use std::time::Duration;

use super::Clock;
use crate::domain::lang::Lang;

const DAY: i64 = 24 * 60 * 60;
/// How far after everything that is known a clock may stand: an office that is not used for so long, with a program that is
/// not renewed for so long, is rarer than a clock that was set wrongly.
const FAR: i64 = 5 * 365 * DAY;
/// How far two times may lie apart and be the same: clocks drift, are set by hand, and stand in another zone's time.
const SLACK: i64 = DAY;

/// What is wrong with the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// It shows a time before the program was built.
    Behind,
    /// It shows a time years after everything that is known.
    Ahead,
}

/// A time, and whether it is the clock's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// The best that is known, in seconds since 1970.
    pub now: i64,
    /// What is wrong with the clock where `now` is not what it shows.
    pub odd: Option<Odd>,
}

/// What is remembered of the time, from one look at the clock to the next.
#[derive(Debug, Default)]
pub struct Holdover(Option<Seen>);

#[derive(Clone, Copy, Debug)]
struct Seen {
    now: i64,
    /// The clock's time that never goes back, at that moment.
    monotonic: Duration,
}

impl Holdover {
    /// What time it is. `records` is asked where the clock alone does not tell: when the newest of them were written, in
    /// seconds since 1970 and in any order.
    pub fn time(&mut self, clock: &Clock, records: impl FnOnce() -> Vec<i64>) -> Time {
        let (shown, built, monotonic) = (clock.now().as_second(), clock.built(), clock.monotonic());
        let expected = self.0.map(|seen| {
            let gone = monotonic.saturating_sub(seen.monotonic).as_secs();
            seen.now.saturating_add_unsigned(gone)
        });
        let goes_on = expected.is_some_and(|expected| expected.abs_diff(shown) <= SLACK.unsigned_abs());
        let can_be = |newest: i64| (built - SLACK..=newest + FAR).contains(&shown);
        let (now, odd) = match goes_on || can_be(built) {
            true => (shown, None),
            false => match newest(built, records()) {
                newest if can_be(newest) => (shown, None),
                newest if shown > newest => (expected.unwrap_or(newest), Some(Odd::Ahead)),
                newest => (expected.unwrap_or(newest), Some(Odd::Behind)),
            },
        };
        // While the clock is wrong, what is remembered is the last time that was right.
        if odd.is_none() || self.0.is_none() {
            self.0 = Some(Seen { now, monotonic });
        }
        Time { now, odd }
    }
}

/// The newest of `built` and those of the records that lie no further apart than a clock may stand ahead: a record written
/// while it stood further ahead says nothing.
fn newest(built: i64, mut records: Vec<i64>) -> i64 {
    records.sort_unstable();
    records
        .into_iter()
        .fold(built, |newest, at| if (newest..=newest + FAR).contains(&at) { at } else { newest })
}

impl Odd {
    /// What is wrong, and what to do about it.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Odd::Behind => lang.pick(
                "O relógio desta máquina está atrasado: mostra uma data anterior à deste programa. Acerte a data e a hora.",
                "This machine's clock is behind: it shows a date before this program was made. Set date and time.",
            ),
            Odd::Ahead => lang.pick(
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

    /// The day that it is then, and what is wrong with the clock. A set clock's program is of 2026-01-01.
    fn look(holdover: &mut Holdover, clock: &Clock, records: &[&str]) -> (String, Option<Odd>) {
        let time = holdover.time(clock, || records.iter().map(|day| at(day).as_second()).collect());
        (Timestamp::from_second(time.now).unwrap().strftime("%F").to_string(), time.odd)
    }

    #[test]
    fn a_clock_is_believed_from_the_programs_date_to_five_years_behind_the_newest_record() {
        for (shown, records, is, odd) in [
            ("1970-01-01", &[][..], "2026-01-01", Some(Odd::Behind)),
            ("1970-01-01", &["2027-03-01", "2026-05-01"], "2027-03-01", Some(Odd::Behind)),
            ("2025-12-30", &[], "2026-01-01", Some(Odd::Behind)),
            ("2025-12-31", &[], "2025-12-31", None),
            ("2026-01-01", &["2040-01-01"], "2026-01-01", None),
            ("2030-12-30", &[], "2030-12-30", None),
            ("2031-01-02", &[], "2026-01-01", Some(Odd::Ahead)),
            ("2031-01-02", &["2026-06-01"], "2031-01-02", None),
            // From one to the next it is no further than an office may be quiet.
            ("2040-06-01", &["2035-07-01", "2026-06-01", "2031-01-01"], "2040-06-01", None),
            // What was written while the clock was ahead does not speak for it.
            ("2040-06-01", &["2040-05-31", "2026-06-01"], "2026-06-01", Some(Odd::Ahead)),
        ] {
            let found = look(&mut Holdover::default(), &Clock::set_to(at(shown)), records);
            assert_eq!(found, (is.to_owned(), odd), "{shown} {records:?}");
        }
    }

    #[test]
    fn while_it_is_wrong_time_goes_on_from_where_it_was_right() {
        let (clock, mut holdover) = (Clock::set_to(at("2026-06-17")), Holdover::default());
        let mut seen = |clock: &Clock| look(&mut holdover, clock, &[]);
        assert_eq!(seen(&clock), ("2026-06-17".to_owned(), None));
        for (jump, odd) in [("2040-01-01", Odd::Ahead), ("1970-01-01", Odd::Behind)] {
            clock.set(at(jump));
            assert_eq!(seen(&clock).1, Some(odd));
            clock.advance(Duration::from_secs(86_400));
            assert_eq!(seen(&clock).1, Some(odd));
        }
        assert_eq!(seen(&clock).0, "2026-06-19");
        clock.set(at("2026-06-20"));
        assert_eq!(seen(&clock), ("2026-06-20".to_owned(), None));
        // However long it runs, and nobody writes anything.
        for _ in 0..20 {
            clock.advance(Duration::from_secs(365 * 86_400));
            assert_eq!(seen(&clock).1, None);
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_both_languages() {
        for odd in [Odd::Behind, Odd::Ahead] {
            assert_ne!(odd.say(Lang::Pt), odd.say(Lang::En));
        }
    }
}
