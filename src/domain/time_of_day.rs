//! Times of day.

use super::Reason;
use super::punctuation::is_digits;

/// A time of day with seconds: `HH:MM:SS`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay(String);

text_value!(TimeOfDay);

impl TimeOfDay {
    /// Parses `HH:MM` or `HH:MM:SS` (resources 10), with or without spaces around it.
    pub fn parse(text: &str) -> Result<TimeOfDay, Reason> {
        let parts: Vec<&str> = text.trim().split(':').collect();
        let (hour, minute, second) = match *parts.as_slice() {
            [hour, minute] => (hour, minute, "00"),
            [hour, minute, second] => (hour, minute, second),
            _ => return Err(Reason::NotTimeOfDay),
        };
        let within = |part: &str, most: u8| {
            part.len() == 2 && is_digits(part) && part.parse::<u8>().is_ok_and(|number| number <= most)
        };
        match within(hour, 23) && within(minute, 59) && within(second, 59) {
            true => Ok(TimeOfDay(format!("{hour}:{minute}:{second}"))),
            false => Err(Reason::NotTimeOfDay),
        }
    }

    /// Returns `true` for 00:00:00.
    pub fn is_midnight(&self) -> bool {
        self.0 == "00:00:00"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_optional() {
        for (text, time) in [
            ("14:30", "14:30:00"),
            ("14:30:05", "14:30:05"),
            (" 00:00\n", "00:00:00"),
            ("23:59:59", "23:59:59"),
        ] {
            assert_eq!(TimeOfDay::parse(text).unwrap().as_str(), time);
        }
        for text in [
            "",
            "14",
            "1430",
            "9:30",
            "24:00",
            "14:60",
            "14:30:60",
            "14:30:0",
            "14:30:05.5",
            "14:30Z",
            "-1:30",
            "+9:30",
            "2 PM",
            "14:30:05:00",
            "१४:३०",
            "14h30",
        ] {
            assert_eq!(TimeOfDay::parse(text), Err(Reason::NotTimeOfDay), "{text:?}");
        }
        assert!(TimeOfDay::parse("00:00").unwrap().is_midnight());
        assert!(!TimeOfDay::parse("00:00:01").unwrap().is_midnight());
    }
}
