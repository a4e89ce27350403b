//! Calendar days.

pub mod relative;

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::domain::numbers::punctuation::is_digits;
use crate::domain::{Moment, Reason};

/// A day that exists in the Gregorian calendar, in the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(Date);

const EPOCH: Date = jiff::civil::date(1970, 1, 1);

impl Day {
    /// Length of a day.
    pub const SECONDS: i64 = 24 * 60 * 60;

    /// Parses `DD/MM/YYYY` or `YYYY-MM-DD`, alone or with a time, or an ISO date-time. Refuses days that do not exist,
    /// such as 31/02, invalid times, and times with an offset: [`local_day`](super::moment::local_day) converts these
    /// to the office's time first.
    pub fn parse(text: &str) -> Result<Day, Reason> {
        let text = text.trim();
        slashed(text).or_else(|| iso(text)).or_else(|| timed(text)).ok_or(Reason::NotDay)
    }

    /// Returns the day with this year (1 to 9999), month (1 to 12) and day of the month, or `None` if it does
    /// not exist.
    pub fn from_ymd(year: i16, month: u8, day: u8) -> Option<Day> {
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok().and_then(Day::from_date)
    }

    fn from_date(date: Date) -> Option<Day> {
        (date.year() >= 1).then_some(Day(date))
    }

    /// Converts a date from a clock. A date before the year 1 becomes 0001-01-01.
    pub fn on_calendar(date: Date) -> Day {
        Day(date.max(jiff::civil::date(1, 1, 1)))
    }

    /// Returns the year, 1 to 9999.
    pub fn year(self) -> i16 {
        self.0.year()
    }

    /// Returns the month, 1 to 12.
    pub fn month(self) -> u8 {
        self.0.month().unsigned_abs()
    }

    /// Returns the day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.0.day().unsigned_abs()
    }

    /// Formats the day as `YYYY-MM-DD`.
    pub fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }

    /// Formats the day as `DD/MM/YYYY`.
    pub fn br(self) -> String {
        format!("{:02}/{:02}/{:04}", self.day(), self.month(), self.year())
    }

    /// Returns the number of days since 1970-01-01, negative for earlier days.
    pub fn number(self) -> i32 {
        (self.0.duration_since(EPOCH).as_hours() / 24) as i32
    }

    /// Checks a date of birth: from 1850-01-01 to `today`, inclusive (contract 4.3).
    pub fn as_birthdate(self, today: Day) -> Result<Day, Reason> {
        match self.year() < 1850 || self > today {
            true => Err(Reason::NotBirthdate),
            false => Ok(self),
        }
    }

    /// Checks the day of an event that happened or is planned: from 1900-01-01 to one year after `today`,
    /// inclusive (resources 14.5).
    pub fn as_event(self, today: Day) -> Result<Day, Reason> {
        let last = today.0.checked_add(jiff::Span::new().years(1)).unwrap_or(Date::MAX);
        match self.year() < 1900 || self.0 > last {
            true => Err(Reason::NotDayOfEvent),
            false => Ok(self),
        }
    }

    /// Checks a day for which no narrower rule exists: from 1900-01-01 to 2199-12-31, inclusive (contract 1).
    pub fn as_recorded(self) -> Result<Day, Reason> {
        if (1900..=2199).contains(&self.year()) { Ok(self) } else { Err(Reason::NotDayOfRecord) }
    }

    /// Returns the day `months` later, or the last day of that month if the month is too short. Returns
    /// `None` after the year 9999.
    pub fn months_later(self, months: u32) -> Option<Day> {
        self.0.checked_add(jiff::Span::new().try_months(months).ok()?).ok().and_then(Day::from_date)
    }

    /// Returns the start of the day in the time zone, in seconds since 1970.
    pub fn begins(self, zone: &TimeZone) -> i64 {
        // Timestamps end a day before the calendar does.
        self.0.to_zoned(zone.clone()).map_or(i64::MAX, |begin| begin.timestamp().as_second())
    }

    /// Returns the day with this [`Day::number`], or `None` outside the years 1 to 9999.
    pub fn from_number(number: i32) -> Option<Day> {
        let since = SignedDuration::from_hours(i64::from(number) * 24);
        EPOCH.checked_add(since).ok().and_then(Day::from_date)
    }
}

fn slashed(text: &str) -> Option<Day> {
    let (day, rest) = text.split_once('/')?;
    let (month, year) = rest.split_once('/')?;
    written(year, month, day)
}

fn iso(text: &str) -> Option<Day> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    written(year, month, day)
}

/// Parses the day of a local time.
fn timed(text: &str) -> Option<Day> {
    let shown = Moment::parse(text).ok()?.shown_as_written()?;
    iso(shown.get(.."YYYY-MM-DD".len())?)
}

/// Parses a year of four digits and a month and a day of two digits each.
fn written(year: &str, month: &str, day: &str) -> Option<Day> {
    let shape = year.len() == 4 && month.len() == 2 && day.len() == 2;
    if !shape || ![year, month, day].into_iter().all(is_digits) {
        return None;
    }
    Day::from_ymd(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(year: i16, month: u8, day: u8) -> Day {
        Day::from_ymd(year, month, day).unwrap()
    }

    #[test]
    fn reads_every_notation() {
        for text in [
            "29/02/2024",
            "2024-02-29",
            " 2024-02-29 ",
            "2024-02-29t23:59",
            "2024-02-29 10:00:00",
            "2024-02-29T23:59:59.999999",
            "29/02/2024 10:00",
            "29/02/2024\n",
            "\u{A0}29/02/2024\t",
        ] {
            assert_eq!(Day::parse(text), Ok(day(2024, 2, 29)), "{text:?}");
        }
        assert_eq!(Day::parse("01/01/0001"), Ok(day(1, 1, 1)));
        assert_eq!(Day::parse("9999-12-31T23:59:59"), Ok(day(9999, 12, 31)));
    }

    #[test]
    fn refuses_other_texts() {
        for text in [
            "",
            "31/02/2024",
            "29/02/2023",
            "29/02/1900",
            "00/01/2024",
            "01/00/2024",
            "01/13/2024",
            "2024-04-31",
            "0000-01-01",
            "0000-00-00",
            "01/01/0000",
            "1/2/2024",
            "01/02/24",
            "01/02/02024",
            "02/2024",
            "01/02/2024/",
            "01-02-2024",
            "2024/02/01",
            "20240201",
            "2024-2-1",
            "+2024-02-1",
            "2024-02-29T",
            "2024-02-29T25:00:00Z",
            "2024-02-29T10:60",
            "2024-02-29T10:00:00X",
            "2024-02-29T10:00:00Z",
            "2024-02-29T23:59:59.999999-03:00",
            "2024-02-29T00:00:00.000+0000",
            "2024-02-29T10:00:00+99:00",
            "2024-02-29x",
            "2024-02-29Z",
            "2024-02-29[America/Sao_Paulo]",
            "29/02/2024 25:00",
            "२9/02/2024",
            "2024-02-2é",
            "amanhã",
        ] {
            assert!(Day::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(Day::from_ymd(0, 1, 1), None);
        assert_eq!(Day::from_ymd(10_000, 1, 1), None);
    }

    #[test]
    fn writes_both_notations() {
        assert_eq!((day(5, 1, 2).iso().as_str(), day(5, 1, 2).br().as_str()), ("0005-01-02", "02/01/0005"));
    }

    #[test]
    fn day_numbers_are_limited() {
        for (number, text) in [(0, "1970-01-01"), (-1, "1969-12-31"), (19_782, "2024-02-29")] {
            assert_eq!(Day::from_number(number).unwrap().iso(), text);
        }
        let first = day(1, 1, 1).number();
        let last = day(9999, 12, 31).number();
        assert_eq!((first, last), (-719_162, 2_932_896));
        for outside in [first - 1, last + 1, i32::MIN, i32::MAX] {
            assert_eq!(Day::from_number(outside), None);
        }
    }

    #[test]
    fn dates_of_birth_are_limited() {
        let today = day(2026, 11, 21);
        for (text, right) in
            [("31/12/1849", false), ("01/01/1850", true), ("2026-11-21", true), ("22/11/2026", false)]
        {
            assert_eq!(Day::parse(text).unwrap().as_birthdate(today).is_ok(), right, "{text}");
        }
    }

    #[test]
    fn days_of_records_are_limited() {
        for (text, right) in
            [("31/12/1899", false), ("01/01/1900", true), ("2199-12-31", true), ("01/01/2200", false)]
        {
            assert_eq!(Day::parse(text).unwrap().as_recorded().is_ok(), right, "{text}");
        }
    }

    #[test]
    fn days_of_events_are_limited() {
        let today = day(2026, 11, 21);
        for (text, right) in
            [("31/12/1899", false), ("01/01/1900", true), ("2027-11-21", true), ("22/11/2027", false)]
        {
            assert_eq!(Day::parse(text).unwrap().as_event(today).is_ok(), right, "{text}");
        }
        assert!(day(9999, 12, 31).as_event(day(9999, 1, 1)).is_ok());
    }

    proptest! {
        #[test]
        fn every_notation_of_a_day_is_read_back(number in -719_162..=2_932_896) {
            let day = Day::from_number(number).unwrap();
            prop_assert_eq!(day.number(), number);
            prop_assert_eq!(Day::parse(&day.iso()), Ok(day));
            prop_assert_eq!(Day::parse(&day.br()), Ok(day));
            prop_assert_eq!(Day::from_ymd(day.year(), day.month(), day.day()), Some(day));
        }

        #[test]
        fn only_valid_days_are_accepted(text in "[0-9TZ:./ +é-]{0,24}") {
            if let Ok(day) = Day::parse(&text) {
                prop_assert_eq!(Day::from_ymd(day.year(), day.month(), day.day()), Some(day));
            }
        }
    }
}
