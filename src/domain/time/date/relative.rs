//! Informal notations of days: `27/11`, `amanhã`, `ter`, `+15`.

use super::Day;
use crate::domain::numbers::punctuation::is_digits;
use crate::domain::text::fold;
use crate::domain::time::names::weekday_named;

/// Folded words for days near today, each with its distance from today in days.
const NEAR: &[(&str, i32)] = &[
    ("hoje", 0),
    ("today", 0),
    ("amanha", 1),
    ("tomorrow", 1),
    ("depois de amanha", 2),
    ("ontem", -1),
    ("yesterday", -1),
];

/// Folded units of time from today, each with its number of days; `None` for a month.
const UNITS: &[(&str, Option<i32>)] = &[
    ("dia", Some(1)),
    ("dias", Some(1)),
    ("day", Some(1)),
    ("days", Some(1)),
    ("semana", Some(7)),
    ("semanas", Some(7)),
    ("week", Some(7)),
    ("weeks", Some(7)),
    ("mes", None),
    ("meses", None),
    ("month", None),
    ("months", None),
];

/// What a day is of, which completes one that is typed without its year, its century or its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayOf {
    /// Something that is mostly still to come: `ter` is the next Tuesday.
    Plan,
    /// Something that was: `ter` is the last Tuesday.
    Past,
    /// A birth. `5/6/30` is a day of 1930, also shortly before 2030.
    Birth,
}

impl Day {
    /// Parses an informal day relative to `today`: a word such as `amanhã`, a day of the week or its first
    /// letters, a number of days from today (`+15`, up to 9999), a span of time from today (`em 2 semanas`), a day
    /// without a year (`27/11`), or a date without leading zeros (`1/3/26`).
    ///
    /// For [`DayOf::Plan`], a day of the week or a day without a year is the next one from `today` on, otherwise the last
    /// one up to `today`. A day of the week never means `today`. A day without a year must exist in the current year or
    /// the one next to it, so `29/02` may give `None`. A year of two digits is the nearest such year; for
    /// [`DayOf::Birth`], it is the last one in which the day is not in the future. Returns `None` for any other text and
    /// for days that do not exist.
    pub fn parse_relative(text: &str, today: Day, of: DayOf) -> Option<Day> {
        let is_past = of != DayOf::Plan;
        let text = text.trim();
        let word = fold(text);
        let near = NEAR.iter().find(|(near, _)| *near == word);
        if let Some((_, later)) = near {
            return Day::from_number(today.number() + later);
        }
        if let Some(weekday) = weekday_named(&word) {
            return today.nearest_weekday(weekday, is_past);
        }
        if let Some(days) = text.strip_prefix('+').and_then(days_number) {
            return Day::from_number(today.number() + days);
        }
        if let Some(span) = word.strip_prefix("em ").or_else(|| word.strip_prefix("in ")) {
            return today.later(span);
        }
        let parts = text.split('/').map(number).collect::<Option<Vec<_>>>()?;
        match *parts.as_slice() {
            [day, month] => today.nearest_day(u8::try_from(month).ok()?, u8::try_from(day).ok()?, is_past),
            [day, month, year] => {
                let day = u8::try_from(day).ok()?;
                let month = u8::try_from(month).ok()?;
                match year {
                    ..100 => today.of_short_year(year, month, day, of),
                    _ => Day::from_ymd(year, month, day),
                }
            }
            _ => None,
        }
    }

    /// Returns the day of the week; 0 is Sunday.
    pub fn weekday(self) -> usize {
        usize::from(self.0.weekday().to_sunday_zero_offset().unsigned_abs())
    }

    /// Returns the day that is a folded span of time later, such as `2 semanas`.
    fn later(self, span: &str) -> Option<Day> {
        let (number, unit) = span.split_once(' ')?;
        let number = days_number(number)?;
        match UNITS.iter().find(|(own, _)| *own == unit)?.1 {
            Some(days) => Day::from_number(self.number() + number * days),
            None => self.months_later(u32::try_from(number).ok()?),
        }
    }

    fn nearest_weekday(self, weekday: usize, is_past: bool) -> Option<Day> {
        let (from, to) = if is_past { (weekday, self.weekday()) } else { (self.weekday(), weekday) };
        // 1 to 7 days.
        let apart = i32::try_from((to + 6 - from) % 7 + 1).ok()?;
        Day::from_number(self.number() + if is_past { -apart } else { apart })
    }

    /// Completes a year of two digits.
    fn of_short_year(self, year: i16, month: u8, day: u8, of: DayOf) -> Option<Day> {
        let century = self.year() / 100 * 100;
        let years = [century - 100, century, century + 100].map(|century| century + year).into_iter();
        if of == DayOf::Birth {
            let mut days = years.rev().filter_map(|year| Day::from_ymd(year, month, day));
            return days.find(|day| *day <= self);
        }
        Day::from_ymd(years.min_by_key(|year| year.abs_diff(self.year()))?, month, day)
    }

    fn nearest_day(self, month: u8, day: u8, is_past: bool) -> Option<Day> {
        let other = if is_past { self.year() - 1 } else { self.year() + 1 };
        let fits = |meant: &Day| if is_past { *meant <= self } else { *meant >= self };
        [self.year(), other].into_iter().filter_map(|year| Day::from_ymd(year, month, day)).find(fits)
    }
}

/// Parses a number of up to four digits.
fn days_number(text: &str) -> Option<i32> {
    let is_written = (1..=4).contains(&text.len()) && is_digits(text);
    text.parse().ok().filter(|_| is_written)
}

/// Parses a number of one, two or four digits.
fn number(text: &str) -> Option<i16> {
    let is_written = matches!(text.len(), 1 | 2 | 4) && is_digits(text);
    text.parse().ok().filter(|_| is_written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::names::WEEKDAYS;
    use proptest::prelude::*;

    /// A Tuesday.
    const TODAY: &str = "2026-11-24";

    #[test]
    fn relative_days_are_read_in_many_notations() {
        let today = Day::parse(TODAY).unwrap();
        for (text, plan, past) in [
            ("hoje", TODAY, TODAY),
            ("Amanhã", "2026-11-25", "2026-11-25"),
            ("amanha", "2026-11-25", "2026-11-25"),
            ("depois de amanhã", "2026-11-26", "2026-11-26"),
            ("ontem", "2026-11-23", "2026-11-23"),
            ("ter", "2026-12-01", "2026-11-17"),
            ("terça-feira", "2026-12-01", "2026-11-17"),
            ("qua", "2026-11-25", "2026-11-18"),
            ("Segunda", "2026-11-30", "2026-11-23"),
            ("sáb", "2026-11-28", "2026-11-21"),
            ("thu", "2026-11-26", "2026-11-19"),
            ("+15", "2026-12-09", "2026-12-09"),
            (" +0 ", TODAY, TODAY),
            ("em 2 semanas", "2026-12-08", "2026-12-08"),
            ("Em 1 semana", "2026-12-01", "2026-12-01"),
            ("em 10 dias", "2026-12-04", "2026-12-04"),
            ("em 3 meses", "2027-02-24", "2027-02-24"),
            ("em 1 mês", "2026-12-24", "2026-12-24"),
            ("in 2 weeks", "2026-12-08", "2026-12-08"),
            ("27/11", "2026-11-27", "2025-11-27"),
            ("24/11", TODAY, TODAY),
            ("1/3", "2027-03-01", "2026-03-01"),
            ("01/03/26", "2026-03-01", "2026-03-01"),
            ("5/6/80", "1980-06-05", "1980-06-05"),
            ("5/6/1980", "1980-06-05", "1980-06-05"),
        ] {
            let parsed = |of| Day::parse_relative(text, today, of).map(Day::iso);
            assert_eq!(
                (parsed(DayOf::Plan).as_deref(), parsed(DayOf::Past).as_deref()),
                (Some(plan), Some(past)),
                "{text}"
            );
        }
    }

    /// Regression: `30/11/26`, typed on 24/11/2026 as the day of a payment, was a day of 1926.
    #[test]
    fn a_year_of_two_digits_is_the_nearest_one_and_of_a_birth_the_last_one() {
        let today = Day::parse(TODAY).unwrap();
        for (text, past, birth) in [
            ("30/11/26", "2026-11-30", "1926-11-30"),
            ("24/11/26", "2026-11-24", "2026-11-24"),
            ("1/12/26", "2026-12-01", "1926-12-01"),
            ("5/6/30", "2030-06-05", "1930-06-05"),
            ("1/1/76", "1976-01-01", "1976-01-01"),
            ("1/1/75", "2075-01-01", "1975-01-01"),
            ("1/1/99", "1999-01-01", "1999-01-01"),
        ] {
            let parsed = |of| Day::parse_relative(text, today, of).map(Day::iso);
            for of in [DayOf::Plan, DayOf::Past] {
                assert_eq!(parsed(of).as_deref(), Some(past), "{text}");
            }
            assert_eq!(parsed(DayOf::Birth).as_deref(), Some(birth), "{text}");
        }
        let late = Day::parse("2099-12-01").unwrap();
        assert_eq!(
            Day::parse_relative("1/2/05", late, DayOf::Past).map(Day::iso).as_deref(),
            Some("2105-02-01")
        );
    }

    #[test]
    fn other_texts_are_refused() {
        let today = Day::parse(TODAY).unwrap();
        for text in [
            "",
            "te",
            "terr",
            "31/02",
            "29/02",
            "32/1",
            "0/1",
            "1",
            "1/2/3/4",
            "1/2/026",
            "-1/2",
            "+1/2",
            "27/",
            "²/3",
            "+",
            "+-1",
            "+1x",
            "+12345",
            "15",
            "em",
            "em 2",
            "em duas semanas",
            "em 2 anos",
            "em 12345 dias",
            "em 15 dias úteis",
        ] {
            assert_eq!(Day::parse_relative(text, today, DayOf::Plan), None, "{text:?}");
        }
        let leap = Day::parse("2027-06-01").unwrap();
        assert_eq!(
            Day::parse_relative("29/02", leap, DayOf::Plan).map(Day::iso).as_deref(),
            Some("2028-02-29")
        );
    }

    proptest! {
        #[test]
        fn a_weekday_is_the_next_or_previous_one_within_a_week(number in -700_000..2_900_000, weekday in 0..7_usize) {
            let today = Day::from_number(number).unwrap();
            for (of, days) in [(DayOf::Plan, 1..=7), (DayOf::Past, -7..=-1), (DayOf::Birth, -7..=-1)] {
                let meant = Day::parse_relative(WEEKDAYS[weekday].0, today, of).unwrap();
                prop_assert!(days.contains(&(meant.number() - number)));
                prop_assert_eq!(meant.weekday(), weekday);
            }
        }
    }
}
