//! Points in time, as requests name them.

use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};

use super::Reason;

/// A point in time as it was written: with an offset from UTC, or without one in the office's time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    shown: DateTime,
    offset: Option<Offset>,
}

impl Moment {
    /// Parses `YYYY-MM-DD HH:MM`, with or without seconds, or an ISO date-time (resources 10).
    pub fn parse(text: &str) -> Result<Moment, Reason> {
        let read = |text| {
            let pieces = Pieces::parse(text).ok()?;
            // In a named time zone, a local time may exist twice or not at all, so it needs an offset as well.
            let offset = match pieces.offset() {
                Some(PiecesOffset::Numeric(numeric)) => Some(numeric.offset()),
                Some(_) => Some(Offset::UTC),
                None if pieces.time_zone_annotation().is_some() => return None,
                None => None,
            };
            Some(Moment { shown: DateTime::from_parts(pieces.date(), pieces.time()?), offset })
        };
        let text = text.trim_matches(' ');
        read(text).filter(|moment| moment.shown.year() >= 1).ok_or(Reason::NotMoment)
    }

    /// Formats the moment as `YYYY-MM-DD HH:MM:SS` in the office's time zone, `zone`.
    pub fn shown(self, zone: &TimeZone) -> String {
        let shown = match self.offset {
            Some(offset) => {
                offset.to_timestamp(self.shown).map_or(self.shown, |moment| zone.to_datetime(moment))
            }
            None => self.shown,
        };
        shown.strftime("%Y-%m-%d %H:%M:%S").to_string()
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
        ] {
            assert_eq!(Moment::parse(text).map(|moment| moment.seconds(&zone())), Ok(noon), "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "2026-12-10",
            "10/12/2026 12:00",
            "2026-13-10 12:00",
            "2026-02-30 12:00",
            "2026-12-10 25:00",
            "2026-12-10 12:60",
            "2026-12-10 12:00 PM",
            "2026-12-10T12:00:00[America/Sao_Paulo]",
            "12:00",
            "1795269000",
            "agora",
        ] {
            assert_eq!(Moment::parse(text), Err(Reason::NotMoment), "{text:?}");
        }
        assert!(Moment::parse("9999-12-31 23:59:59").unwrap().seconds(&zone()) > 0);
    }
}
