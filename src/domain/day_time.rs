//! Days with a time, in the office's time zone.

use jiff::tz::TimeZone;

use super::{Moment, Reason};

/// A day and a time in the office's time zone: `YYYY-MM-DD HH:MM:SS`. A text with an offset from UTC is kept
/// as written until [`DayTime::local`] converts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayTime(String);

text_value!(DayTime);

impl DayTime {
    /// Parses `YYYY-MM-DD HH:MM:SS` or an ISO date-time (resources 10).
    pub fn parse(text: &str) -> Result<DayTime, Reason> {
        Moment::parse(text)?;
        Ok(DayTime(text.trim_matches(' ').to_owned()))
    }

    /// Converts the text to the office's time zone, `zone`.
    pub fn local(&self, zone: &TimeZone) -> DayTime {
        DayTime(Moment::parse(&self.0).map_or_else(|_| self.0.clone(), |moment| moment.shown(zone)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_converted_to_the_offices_time_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        for (text, shown) in [
            ("2026-12-10 14:30", "2026-12-10 14:30:00"),
            (" 2026-12-10T14:30:05 ", "2026-12-10 14:30:05"),
            ("2026-12-10T01:30:00Z", "2026-12-09 22:30:00"),
            ("2026-12-10T14:30:00.5-03:00", "2026-12-10 14:30:00"),
            ("2026-12-10 14:30:00+01:00", "2026-12-10 10:30:00"),
        ] {
            let local = DayTime::parse(text).unwrap().local(&zone);
            assert_eq!(local.as_str(), shown);
            assert_eq!(local.local(&zone), local);
        }
        assert_eq!(DayTime::parse("2026-12-10"), Err(Reason::NotMoment));
    }
}
