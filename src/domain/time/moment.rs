//! Points in time, as requests name them.

use std::borrow::Cow;

use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};

use crate::domain::{Reason, TimeOfDay};

/// The offset that is furthest from UTC, in seconds: 14 hours, that of the Line Islands.
const FURTHEST: i32 = 14 * 60 * 60;

/// A point in time as it was written: with an offset from UTC, or without one in the office's time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    shown: DateTime,
    offset: Option<Offset>,
}

impl Moment {
    /// Parses `YYYY-MM-DD HH:MM` or `DD/MM/YYYY HH:MM`, with or without seconds, or an ISO date-time (resources 10).
    pub fn parse(text: &str) -> Result<Moment, Reason> {
        let read = |text: &str| {
            let pieces = Pieces::parse(text).ok()?;
            // In a named time zone, a local time may exist twice or not at all, so it needs an offset as well.
            let offset = match pieces.offset() {
                Some(PiecesOffset::Numeric(numeric)) if numeric.offset().seconds().abs() > FURTHEST => {
                    return None;
                }
                Some(PiecesOffset::Numeric(numeric)) => Some(numeric.offset()),
                Some(_) => Some(Offset::UTC),
                None if pieces.time_zone_annotation().is_some() => return None,
                None => None,
            };
            Some(Moment { shown: DateTime::from_parts(pieces.date(), pieces.time()?), offset })
        };
        let text = text.trim();
        let read = from_slashed(text).map_or_else(|| read(text), |iso| read(&iso));
        read.filter(|moment| moment.shown.year() >= 1).ok_or(Reason::NotMoment)
    }

    /// Formats the moment as [`Moment::shown`] does. Returns `None` if it was written with an offset, so that only the
    /// office's time zone tells its day.
    pub(in crate::domain) fn shown_as_written(self) -> Option<String> {
        if self.offset.is_none() { Some(written(self.shown)) } else { None }
    }

    /// Returns `true` for midnight in UTC. Programs write a day without a time so.
    fn is_midnight_in_utc(self) -> bool {
        self.offset == Some(Offset::UTC) && self.shown.time() == Time::midnight()
    }

    /// Formats the moment as `YYYY-MM-DD HH:MM:SS` in the office's time zone, `zone`.
    pub fn shown(self, zone: &TimeZone) -> String {
        let shown = match self.offset {
            Some(offset) => {
                offset.to_timestamp(self.shown).map_or(self.shown, |moment| zone.to_datetime(moment))
            }
            None => self.shown,
        };
        written(shown)
    }

    /// Returns seconds since 1970; `zone` is the office's time zone. A local time that occurs twice (when
    /// clocks are set back) means the first occurrence. A local time that is skipped (when clocks are set
    /// forward) is moved later by the length of the gap.
    pub fn seconds(self, zone: &TimeZone) -> i64 {
        let found = match self.offset {
            Some(offset) => offset.to_timestamp(self.shown),
            None => zone.to_timestamp(self.shown),
        };
        // Timestamps end a day before the calendar does.
        found.unwrap_or(jiff::Timestamp::MAX).as_second()
    }
}

/// Converts a day with a time to the office's time zone, `zone`: `YYYY-MM-DD HH:MM:SS`. Returns any other text
/// unchanged.
pub fn local<'t>(text: &'t str, zone: &TimeZone) -> Cow<'t, str> {
    Moment::parse(text).map_or(Cow::Borrowed(text), |moment| Cow::Owned(moment.shown(zone)))
}

/// Like [`local`], for a text that names a day. Midnight in UTC stays the day that it names (contract 1).
pub fn local_day<'t>(text: &'t str, zone: &TimeZone) -> Cow<'t, str> {
    match Moment::parse(text) {
        Ok(moment) if moment.is_midnight_in_utc() => Cow::Owned(moment.shown.date().to_string()),
        Ok(moment) => Cow::Owned(moment.shown(zone)),
        Err(_) => Cow::Borrowed(text),
    }
}

/// Returns the time in the result of [`local`] or [`local_day`]. `None` for a day alone.
pub fn time_in(local: &str) -> Option<TimeOfDay> {
    local.split_once(' ').and_then(|(_, time)| TimeOfDay::parse(time).ok())
}

fn written(shown: DateTime) -> String {
    shown.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// Rewrites `DD/MM/YYYY HH:MM` with the day in ISO form.
fn from_slashed(text: &str) -> Option<String> {
    let (date, time) = text.split_once([' ', 'T'])?;
    let (day, rest) = date.split_once('/')?;
    let (month, year) = rest.split_once('/')?;
    (!year.contains('/')).then(|| format!("{year}-{month}-{day} {}", time.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone() -> TimeZone {
        TimeZone::fixed(Offset::constant(-3))
    }

    #[test]
    fn a_moment_without_an_offset_is_in_the_offices_time_zone() {
        let noon = "2026-12-10T15:00:00Z".parse::<jiff::Timestamp>().unwrap().as_second();
        for text in [
            "2026-12-10 12:00",
            "2026-12-10 12:00:00",
            " 2026-12-10T12:00 ",
            "2026-12-10T12:00:00.999",
            "2026-12-10T15:00:00Z",
            "2026-12-10T15:00:00+00:00",
            "2026-12-10 16:00:00+01:00",
            "2026-12-10T12:00:00-03:00[America/Sao_Paulo]",
            "10/12/2026 12:00",
            "10/12/2026  12:00:00",
            "10/12/2026 15:00:00Z",
            "\t2026-12-10 12:00\r\n",
        ] {
            assert_eq!(Moment::parse(text).map(|moment| moment.seconds(&zone())), Ok(noon), "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "2026-12-10",
            "10/12/2026",
            "31/02/2026 12:00",
            "1/2/2026 12:00",
            "10/12/26 12:00",
            "10/12/2026/1 12:00",
            "2026-13-10 12:00",
            "2026-02-30 12:00",
            "2026-12-10 25:00",
            "2026-12-10 12:60",
            "2026-12-10 12:00 PM",
            "2026-12-10T12:00:00[America/Sao_Paulo]",
            "2026-12-10T12:00:00+14:01",
            "2026-12-10T12:00:00-25:00",
            "12:00",
            "1795269000",
            "agora",
        ] {
            assert_eq!(Moment::parse(text), Err(Reason::NotMoment), "{text:?}");
        }
        assert!(Moment::parse("9999-12-31 23:59:59").unwrap().seconds(&zone()) > 0);
    }

    #[test]
    fn a_time_with_an_offset_is_on_the_day_of_the_office() {
        for (text, day, moment) in [
            ("2026-12-11T02:59:00.000Z", "2026-12-10 23:59:00", "2026-12-10 23:59:00"),
            ("2026-12-11T02:59:59.999+00:00", "2026-12-10 23:59:59", "2026-12-10 23:59:59"),
            ("2026-12-11T03:00:00Z", "2026-12-11 00:00:00", "2026-12-11 00:00:00"),
            ("2026-12-10T23:59:00-0300", "2026-12-10 23:59:00", "2026-12-10 23:59:00"),
            ("2026-12-11 02:59:00+00", "2026-12-10 23:59:00", "2026-12-10 23:59:00"),
            ("2026-12-11T14:00:00+14:00", "2026-12-10 21:00:00", "2026-12-10 21:00:00"),
            ("2026-12-11T00:00:00+01:00", "2026-12-10 20:00:00", "2026-12-10 20:00:00"),
            ("2026-12-11T00:00:00.000Z", "2026-12-11", "2026-12-10 21:00:00"),
            ("2026-12-11T00:00:00+00:00", "2026-12-11", "2026-12-10 21:00:00"),
            ("2026-12-11T00:00:01Z", "2026-12-10 21:00:01", "2026-12-10 21:00:01"),
            ("2026-12-11T14:30", "2026-12-11 14:30:00", "2026-12-11 14:30:00"),
            ("11/12/2026 14:30", "2026-12-11 14:30:00", "2026-12-11 14:30:00"),
            ("2026-12-11", "2026-12-11", "2026-12-11"),
            ("11/12/2026", "11/12/2026", "11/12/2026"),
            ("amanhã", "amanhã", "amanhã"),
        ] {
            assert_eq!((&*local_day(text, &zone()), &*local(text, &zone())), (day, moment), "{text}");
        }
    }
}
