//! Calendar months with their year.

use super::date::Day;
use crate::domain::Reason;

/// A month in the years 1 to 9999, such as the month that a transaction counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct YearMonth {
    first: Day,
}

impl YearMonth {
    /// Parses `MM/YYYY`, `YYYY-MM`, or a day, of which the month counts (resources 16.2).
    pub fn parse(text: &str) -> Result<YearMonth, Reason> {
        let text = text.trim();
        let first = match (text.split_once('/'), text.split_once('-')) {
            (Some((month, year)), _) if !year.contains('/') => [year, "-", month, "-01"].concat(),
            (None, Some((_, month))) if !month.contains('-') => [text, "-01"].concat(),
            _ => text.to_owned(),
        };
        Day::parse(&first).map(YearMonth::of).map_err(|_| Reason::NotYearMonth)
    }

    /// Returns the month that contains the day.
    pub fn of(day: Day) -> YearMonth {
        YearMonth { first: Day::from_ymd(day.year(), day.month(), 1).unwrap_or(day) }
    }

    /// Returns the first day of the month.
    pub fn first_day(self) -> Day {
        self.first
    }

    /// Returns the last day of the month.
    pub fn last_day(self) -> Day {
        let year = self.first.year();
        let month = self.first.month();
        let last = (28..=31).rev().find_map(|day| Day::from_ymd(year, month, day));
        last.unwrap_or(self.first)
    }

    /// Returns this day of the month, or the last day if the month is too short.
    pub fn day(self, day: u8) -> Day {
        Day::from_ymd(self.first.year(), self.first.month(), day).unwrap_or_else(|| self.last_day())
    }

    /// Returns the next month, or the month itself at the end of the calendar.
    pub fn next(self) -> YearMonth {
        self.later(1)
    }

    /// Returns the month that is `months` later, or earlier if negative. Returns the month itself if the
    /// result is outside the years 1 to 9999.
    pub fn later(self, months: i32) -> YearMonth {
        let number = i32::from(self.first.year()) * 12 + i32::from(self.first.month()) - 1 + months;
        let year = i16::try_from(number.div_euclid(12));
        let month = u8::try_from(number.rem_euclid(12) + 1);
        let first = year.ok().zip(month.ok()).and_then(|(year, month)| Day::from_ymd(year, month, 1));
        YearMonth { first: first.unwrap_or(self.first) }
    }

    /// Returns the number of months since `other`; negative if `other` is later.
    pub fn months_since(self, other: YearMonth) -> i32 {
        let number = |month: YearMonth| i32::from(month.first.year()) * 12 + i32::from(month.first.month());
        number(self) - number(other)
    }

    /// Formats the month as `YYYY-MM`.
    pub fn iso(self) -> String {
        format!("{:04}-{:02}", self.first.year(), self.first.month())
    }

    /// Formats the month as `MM/YYYY`.
    pub fn br(self) -> String {
        format!("{:02}/{:04}", self.first.month(), self.first.year())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_in_every_notation() {
        for text in ["02/2024", "2024-02", "2024-02-29", "01/02/2024", " 02/2024 ", "2024-02-10T10:00:00"] {
            let month = YearMonth::parse(text).unwrap();
            assert_eq!((month.iso().as_str(), month.br().as_str()), ("2024-02", "02/2024"), "{text:?}");
            assert_eq!(
                (month.first_day().iso().as_str(), month.last_day().iso().as_str()),
                ("2024-02-01", "2024-02-29")
            );
        }
        for (text, last) in [
            ("01/0001", "0001-01-31"),
            ("9999-12", "9999-12-31"),
            ("02/2026", "2026-02-28"),
            ("04/2026", "2026-04-30"),
        ] {
            assert_eq!(YearMonth::parse(text).unwrap().last_day().iso(), last);
        }
    }

    #[test]
    fn month_arithmetic_carries_into_years() {
        let month = |text| YearMonth::parse(text).unwrap();
        for (one, months, other) in [
            ("11/2026", 2, "01/2027"),
            ("01/2027", -1, "12/2026"),
            ("03/2026", 0, "03/2026"),
            ("02/2024", 120, "02/2034"),
        ] {
            assert_eq!(month(one).later(months), month(other), "{one} {months}");
            assert_eq!(month(other).months_since(month(one)), months, "{one} {months}");
        }
        assert_eq!(
            (month("12/9999").next(), month("01/0001").later(-1)),
            (month("12/9999"), month("01/0001"))
        );
        assert_eq!(
            ["02/2026", "02/2028", "01/2026"].map(|text| month(text).day(31).iso()),
            ["2026-02-28", "2028-02-29", "2026-01-31"]
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "13/2026",
            "00/2026",
            "2026-13",
            "2026-00",
            "2026",
            "1/2026",
            "2026-1",
            "02/26",
            "00/0000",
            "01/0000",
            "30/02/2026",
            "2026/02",
            "02-2026",
            "02/2026/",
            "x",
        ] {
            assert_eq!(YearMonth::parse(text), Err(Reason::NotYearMonth), "{text:?}");
        }
    }
}
