//! Times of day.

use crate::domain::Reason;
use crate::domain::numbers::punctuation::is_digits;

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

    /// Completes a time as people type it to `HH:MM`: `14h30`, `às 14h`, `14.30`, `1430`, `9`, `2:30 PM`. Returns `None`
    /// for other texts.
    pub fn completed(text: &str) -> Option<String> {
        let lower = text.trim().to_lowercase();
        if let Some((time, later)) =
            HALVES.iter().find_map(|(end, later)| Some((lower.strip_suffix(end)?, later)))
        {
            return of_twelve_hours(time.trim_end(), *later);
        }
        let typed = ["às ", "as "].iter().find_map(|at| lower.strip_prefix(at)).unwrap_or(&lower).trim();
        let (hour, rest) = leading_digits(typed);
        let unit = UNITS.iter().find_map(|unit| rest.trim_start().strip_prefix(unit));
        let (minutes, end) = leading_digits(unit.unwrap_or(rest).trim_start());
        let (hour, minutes) = match hour.len() {
            1 | 2 if minutes.is_empty() => (hour, "00"),
            1 | 2 if unit.is_some() => (hour, minutes),
            3 | 4 if minutes.is_empty() => hour.split_at_checked(hour.len() - 2)?,
            _ => return None,
        };
        let time = format!("{hour:0>2}:{minutes}");
        (ENDS.contains(&end.trim()) && TimeOfDay::parse(&time).is_ok()).then_some(time)
    }

    /// Returns `true` for 00:00:00.
    pub fn is_midnight(&self) -> bool {
        self.0 == "00:00:00"
    }
}

/// Signs and words between hours and minutes, longer ones first.
const UNITS: [&str; 7] = ["horas", "hora", "hrs", "hs", "h", ":", "."];
/// Words behind the minutes.
const ENDS: [&str; 7] = ["", "min", "m", "h", "hs", "hrs", "horas"];

/// Endings of times of twelve hours, with the hours that they add.
const HALVES: [(&str, u8); 4] = [("am", 0), ("a.m.", 0), ("pm", 12), ("p.m.", 12)];

/// Completes `2`, `2:30` or `2:30:00` of the half of a day that begins at the hour `later`.
fn of_twelve_hours(time: &str, later: u8) -> Option<String> {
    let (hour, rest) = leading_digits(time);
    let hour = hour.parse::<u8>().ok().filter(|hour| (1..=12).contains(hour))? % 12 + later;
    let minutes = if rest.is_empty() { ":00" } else { rest };
    let time = TimeOfDay::parse(&format!("{hour:02}{minutes}")).ok()?;
    time.as_str().get(.."HH:MM".len()).map(str::to_owned)
}

fn leading_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_completed_as_people_type_them() {
        for (typed, time) in [
            ("14h", "14:00"),
            ("14h30", "14:30"),
            (" 8h30 ", "08:30"),
            ("8H", "08:00"),
            ("às 14h", "14:00"),
            ("14 horas", "14:00"),
            ("14h30min", "14:30"),
            ("14:30h", "14:30"),
            ("9hs", "09:00"),
            ("14.30", "14:30"),
            ("1430", "14:30"),
            ("930h", "09:30"),
            ("9", "09:00"),
            ("14:30", "14:30"),
            ("2:30 PM", "14:30"),
            ("12:00:00 AM", "00:00"),
            ("12 p.m.", "12:00"),
        ] {
            assert_eq!(TimeOfDay::completed(typed).as_deref(), Some(time), "{typed}");
        }
        for text in [
            "",
            "h",
            "25h",
            "14h60",
            "14 30",
            "14 pm",
            "0:30 am",
            "pm",
            "14:30:05",
            "14h3",
            "manhã",
            "14h sala 2",
            "14305",
        ] {
            assert_eq!(TimeOfDay::completed(text), None, "{text}");
        }
    }

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
