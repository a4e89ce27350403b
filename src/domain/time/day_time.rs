//! Days with a time, in the office's time zone.

use crate::domain::{Moment, Reason};

/// A day and a time in the office's time zone: `YYYY-MM-DD HH:MM:SS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayTime(String);

text_value!(DayTime);

impl DayTime {
    /// Parses `YYYY-MM-DD HH:MM:SS` or an ISO date-time (resources 10). Refuses times with an offset, which
    /// [`local`](super::moment::local) converts to the office's time first.
    pub fn parse(text: &str) -> Result<DayTime, Reason> {
        Moment::parse(text)?.shown_as_written().map(DayTime).ok_or(Reason::NotMoment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_seconds_and_no_offset() {
        for (text, shown) in [
            ("2026-12-10 14:30", "2026-12-10 14:30:00"),
            (" 2026-12-10T14:30:05 ", "2026-12-10 14:30:05"),
            ("10/12/2026 14:30", "2026-12-10 14:30:00"),
            ("2026-12-10T14:30:00.5", "2026-12-10 14:30:00"),
        ] {
            assert_eq!(DayTime::parse(text).unwrap().as_str(), shown);
        }
        for text in ["2026-12-10", "2026-12-10T01:30:00Z", "2026-12-10 14:30:00+01:00"] {
            assert_eq!(DayTime::parse(text), Err(Reason::NotMoment), "{text}");
        }
    }
}
