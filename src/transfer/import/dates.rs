//! Reads the days and months of cells as people and programs write them: `5/4/41 10h30`, `12 de maio de 1975`, `nov/26`, and
//! the day numbers of spreadsheets.

pub(super) mod date_order;

use super::choices::DateOrder;
use super::sheet::ReadCell;
use super::values::time_of_number;
use crate::domain::time::names::{month_named, weekday_named};
use crate::domain::{Day, DayOf, TimeOfDay, is_digits, whole};
use crate::sheets::SPREADSHEET_EPOCH;
use crate::transfer::prelude::*;

/// What tells how the dates of a sheet are written.
#[derive(Clone, Copy)]
pub(super) struct DateReader {
    pub(super) order: DateOrder,
    /// `true` if day numbers count from 1904, as in workbooks of old Macs.
    pub(super) from_1904: bool,
    pub(super) today: Day,
}

impl DateReader {
    /// Returns the day of a cell as `YYYY-MM-DD`, with the time behind it, or for a [`Type::YearMonth`] its month as `YYYY-MM`.
    /// A date that does not exist has that form too, and no order of its parts makes it another one. `of` completes a year
    /// of two digits. Returns `None` for texts in no known notation.
    pub(super) fn read(&self, ty: Type, of: DayOf, cell: &ReadCell) -> Option<String> {
        let text = whole(cell.text.trim());
        let month = if ty == Type::YearMonth { self.month(text) } else { None };
        let read = month.or_else(|| self.of_number(text, cell.is_number, of)).or_else(|| self.day(text, of));
        let read = read.filter(|_| !cell.is_error)?;
        let is_day_alone = ty == Type::DayTime && !read.contains(' ');
        Some(if is_day_alone { read + " 00:00:00" } else { read })
    }

    /// Reads a day number of a spreadsheet. That of a numeric cell may have a fraction, the time. A number below that of
    /// 1 January 1950, or 1910 in a column of births, is no day (office 59).
    fn of_number(&self, text: &str, is_number: bool, of: DayOf) -> Option<String> {
        let (days, fraction) = text.split_once('.').filter(|_| is_number).unwrap_or((text, ""));
        if !is_digits(days) || days.len() > MAX_NUMBER_LENGTH {
            return None;
        }
        let number = days.parse::<i32>().ok()?;
        let number = if self.from_1904 && is_number { number + FROM_1904 } else { number };
        let day = Day::from_number(number + SPREADSHEET_EPOCH)?;
        let first = if of == DayOf::Birth { FIRST_YEAR_OF_BIRTH } else { FIRST_YEAR };
        let day = Some(day).filter(|day| day.year() >= first)?.iso();
        Some(match fraction {
            "" => day,
            fraction => [&day, " ", &time_of_number(&["0.", fraction].concat())?].concat(),
        })
    }

    fn day(&self, text: &str, of: DayOf) -> Option<String> {
        let WrittenDay { day, month, year, rest } = WrittenDay::parse(without_weekday(text), self.order)?;
        let year = self.year(&year, |year| {
            Day::parse_relative(&format!("{day}/{month}/{year}"), self.today, of).map(Day::year)
        });
        let date = format!("{year}-{month:0>2}-{day:0>2}");
        Some(match rest {
            "" => date,
            time => [date, TimeOfDay::completed(time).unwrap_or_else(|| time.to_owned())].join(" "),
        })
    }

    fn month(&self, text: &str) -> Option<String> {
        let (month, year) = written_month(text)?;
        let nearest = |year: &str| {
            let day = Day::parse_relative(&["1/1/", year].concat(), self.today, DayOf::Plan);
            day.map(Day::year)
        };
        Some(format!("{}-{month:0>2}", self.year(year, nearest)))
    }

    /// Completes a year of two digits. `complete` returns `None` if the date does not exist in any year.
    fn year(&self, year: &str, complete: impl Fn(&str) -> Option<i16>) -> String {
        match year.len() {
            2 => complete(year).map_or_else(|| [FIRST_DIGITS, year].concat(), |year| year.to_string()),
            _ => year.to_owned(),
        }
    }
}

/// Day numbers have up to six digits, those up to the year 4637.
const MAX_NUMBER_LENGTH: usize = 6;
/// 1 January 1904 is day 0 counted from 1904, and day 1,462 counted from 1900.
const FROM_1904: i32 = 1_462;
/// The first years of day numbers. Lower numbers are ages, amounts or years.
const FIRST_YEAR: i16 = 1950;
const FIRST_YEAR_OF_BIRTH: i16 = 1910;
/// The first digits of the year of a date that does not exist.
const FIRST_DIGITS: &str = "20";

/// The parts of a date as digits, and the text behind it.
struct WrittenDay<'t> {
    day: String,
    month: String,
    /// Two digits or four.
    year: String,
    rest: &'t str,
}

impl<'t> WrittenDay<'t> {
    fn parse(text: &'t str, order: DateOrder) -> Option<WrittenDay<'t>> {
        let (day, month, year, rest) = match numeric_parts(text) {
            Some(([year, month, day], rest)) if year.len() == 4 => (day, month.to_owned(), year, rest),
            Some(([day, month, year], rest)) if order == DateOrder::Dmy => {
                (day, month.to_owned(), year, rest)
            }
            Some(([month, day, year], rest)) => (day, month.to_owned(), year, rest),
            None => {
                let ([one, two, year], rest) = tokens(text)?;
                let (day, name) = if is_digits(one) { (one, two) } else { (two, one) };
                (day, month_named(&fold(name))?.to_string(), year, rest)
            }
        };
        let is_date = is_digits(day) && day.len() <= 2 && is_year(year);
        let rest = time_behind(rest).filter(|_| is_date)?;
        Some(WrittenDay { day: day.to_owned(), month, year: year.to_owned(), rest })
    }
}

/// Returns the date of `sexta-feira, 6 de março de 2026`, the long form of spreadsheets. Other texts stay as they are.
fn without_weekday(text: &str) -> &str {
    let named = |name: &str| fold(name).get(..3).and_then(weekday_named).is_some();
    text.split_once(',').filter(|(name, _)| named(name)).map_or(text, |(_, date)| date.trim_start())
}

/// Splits a date such as `5/4/1941`, `05.04.1941`, `5-4-41` or `2026-11-05` off the text behind it.
pub(super) fn numeric_parts(text: &str) -> Option<([&str; 3], &str)> {
    let (one, rest) = leading(text.trim(), |c| c.is_ascii_digit());
    let separator = rest.chars().next().filter(|c| ['/', '.', '-'].contains(c))?;
    let (two, rest) = leading(rest.strip_prefix(separator)?, |c| c.is_ascii_digit());
    let (three, rest) = leading(rest.strip_prefix(separator)?, |c| c.is_ascii_digit());
    let is_short = |part: &str| matches!(part.len(), 1 | 2);
    let is_date = is_short(two) && (is_short(one) && is_year(three) || one.len() == 4 && is_short(three));
    is_date.then_some(([one, two, three], rest))
}

/// Returns the text behind a date without what separates a time from it: `T`, `,`, `-`. Returns `None` if nothing separates them.
fn time_behind(rest: &str) -> Option<&str> {
    let time = rest.trim_start_matches(|c: char| c.is_whitespace() || [',', '-', '–'].contains(&c));
    let time = time.strip_prefix(['T', 't']).unwrap_or(time);
    (time.is_empty() || time.len() < rest.len()).then_some(time.trim())
}

/// Splits the first words and numbers, apart from `de`, off a text: `12 de maio de 1975`, `Nov 5, 2026 10:30`.
fn tokens<const N: usize>(text: &str) -> Option<([&str; N], &str)> {
    let mut rest = text;
    let mut found = [""; N];
    for token in &mut found {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "/-–.,ºª°".contains(c));
            let is_digit = rest.starts_with(|c: char| c.is_ascii_digit());
            let is_one = |c: char| c.is_alphanumeric() && c.is_ascii_digit() == is_digit && !"ºª".contains(c);
            (*token, rest) = leading(rest, is_one);
            match *token {
                "" => return None,
                "de" | "of" => {}
                _ => break,
            }
        }
    }
    Some((found, rest))
}

/// Splits a month into its number and its year: `11/26`, `2026-11`, `nov/26`, `novembro de 2026`, `112026`.
fn written_month(text: &str) -> Option<(String, &str)> {
    if is_digits(text) {
        let (month, year) = text.split_at_checked(2).filter(|_| text.len() == MAX_NUMBER_LENGTH)?;
        let is_month_first = month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month));
        let (month, year) = if is_month_first { (month, year) } else { (text.get(4..)?, text.get(..4)?) };
        return Some((month.to_owned(), year));
    }
    let ([one, two], rest) = tokens(text)?;
    if !rest.trim_matches(['.', ' ']).is_empty() {
        return None;
    }
    let (month, year) = if one.len() == 4 && is_digits(one) { (two, one) } else { (one, two) };
    let number = if is_digits(month) { month.to_owned() } else { month_named(&fold(month))?.to_string() };
    (number.len() <= 2 && is_year(year)).then_some((number, year))
}

fn is_year(text: &str) -> bool {
    is_digits(text) && matches!(text.len(), 2 | 4)
}

fn leading(text: &str, is_one: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_one(c)).unwrap_or(text.len()))
}

pub(super) fn is_dated(ty: Type) -> bool {
    matches!(ty, Type::Day | Type::SlashedDay | Type::DayTime | Type::YearMonth)
}

/// Returns `true` if a text stands for no day: `00/00/0000`, `0/0/00`, `0000-00-00 00:00:00` or an empty mask.
pub(super) fn is_no_date(text: &str) -> bool {
    let is_separator = |c: &char| ['/', '-', '.', ':'].contains(c);
    text.chars().all(|c| is_separator(&c) || ['0', '_', ' '].contains(&c))
        && (text.contains('/') || text.chars().filter(is_separator).count() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(order: DateOrder) -> DateReader {
        DateReader { order, from_1904: false, today: Day::parse("2026-11-26").unwrap() }
    }

    fn of(ty: Type, of: DayOf, order: DateOrder, text: &str) -> Option<String> {
        let read = reader(order).read(ty, of, &ReadCell::text(text));
        // A second reading changes nothing, in whatever order.
        for order in [DateOrder::Dmy, DateOrder::Mdy] {
            let again =
                read.as_ref().and_then(|read| reader(order).read(ty, of, &ReadCell::text(read.clone())));
            assert_eq!(again, read, "{text}");
        }
        read
    }

    #[test]
    fn a_column_has_one_order_also_with_times_and_short_years() {
        for (text, dmy, mdy) in [
            ("11/05/2026", "2026-05-11", "2026-11-05"),
            ("11/05/2026 00:00", "2026-05-11 00:00", "2026-11-05 00:00"),
            ("11/05/2026 00:00:00", "2026-05-11 00:00:00", "2026-11-05 00:00:00"),
            ("05/11/26 10:30", "2026-11-05 10:30", "2026-05-11 10:30"),
            ("5.11.26", "2026-11-05", "2026-05-11"),
            ("5-11-26T9h", "2026-11-05 09:00", "2026-05-11 09:00"),
            ("5/11/2026 às 14h30", "2026-11-05 14:30", "2026-05-11 14:30"),
            ("11/5/2026, 2:30 PM", "2026-05-11 14:30", "2026-11-05 14:30"),
            ("11/5/2026 12:00:00 AM", "2026-05-11 00:00", "2026-11-05 00:00"),
            ("05/11/26 - 10:30", "2026-11-05 10:30", "2026-05-11 10:30"),
            ("2026-11-05", "2026-11-05", "2026-11-05"),
            ("2026/11/5 9:05", "2026-11-05 09:05", "2026-11-05 09:05"),
            ("2026-11-05T10:30:00Z", "2026-11-05 10:30:00Z", "2026-11-05 10:30:00Z"),
            // Dates that do not exist are dates of no order.
            ("25/12/1980", "1980-12-25", "1980-25-12"),
            ("31/02/26", "2026-02-31", "2026-31-02"),
            ("12/25/80 10:00", "2080-25-12 10:00", "1980-12-25 10:00"),
        ] {
            for (order, iso) in [(DateOrder::Dmy, dmy), (DateOrder::Mdy, mdy)] {
                assert_eq!(of(Type::Day, DayOf::Past, order, text).as_deref(), Some(iso), "{text}");
            }
        }
    }

    #[test]
    fn months_may_be_names() {
        for (text, day) in [
            ("12-mai-1975", Some("1975-05-12")),
            ("1/Fev/2001", Some("2001-02-01")),
            ("3 de março de 1980", Some("1980-03-03")),
            ("1º de maio de 2026", Some("2026-05-01")),
            ("12 set. 1975", Some("1975-09-12")),
            ("12-Oct-1975", Some("1975-10-12")),
            ("Nov 5, 2026", Some("2026-11-05")),
            ("sexta-feira, 6 de março de 2026", Some("2026-03-06")),
            ("Seg., 16 fev 2026", Some("2026-02-16")),
            ("Monday, 16 Feb 2026", Some("2026-02-16")),
            ("amanhã, 16/02/2026", None),
            ("5 nov 26 14h", Some("2026-11-05 14:00")),
            ("31 de dezembro de 1999", Some("1999-12-31")),
            ("12-mai-75", Some("1975-05-12")),
            ("12-ma-1975", None),
            ("12-mai", None),
            ("mai-1975", None),
            ("amanhã", None),
            ("1.234.567", None),
            ("12/25/198", None),
            ("5/4/1941x", None),
        ] {
            assert_eq!(of(Type::Day, DayOf::Birth, DateOrder::Mdy, text).as_deref(), day, "{text}");
        }
    }

    #[test]
    fn months_alone_are_read_with_years_of_two_and_four_digits() {
        for text in [
            "nov/26",
            "11/26",
            "nov/2026",
            "novembro de 2026",
            "Nov-26",
            "NOV 2026",
            "nov. 26",
            "november, 2026",
            "11-2026",
            "11.26",
            "2026/11",
            "2026-11",
            "112026",
            "202611",
        ] {
            for order in [DateOrder::Dmy, DateOrder::Mdy] {
                let read = of(Type::YearMonth, DayOf::Plan, order, text);
                assert_eq!(read.as_deref(), Some("2026-11"), "{text}");
            }
        }
        for (text, dmy, mdy) in [
            ("11/05/2026", "2026-05-11", "2026-11-05"),
            ("05/11/26 10:30", "2026-11-05 10:30", "2026-05-11 10:30"),
            ("46347", "2026-11-21", "2026-11-21"),
            ("1/99", "1999-01", "1999-01"),
            ("26/11", "2011-26", "2011-26"),
        ] {
            for (order, iso) in [(DateOrder::Dmy, dmy), (DateOrder::Mdy, mdy)] {
                assert_eq!(of(Type::YearMonth, DayOf::Plan, order, text).as_deref(), Some(iso), "{text}");
            }
        }
        for text in ["novembro", "2026", "nov/2", "11/026", "xyz/26", "11/26/x", ""] {
            assert_eq!(of(Type::YearMonth, DayOf::Plan, DateOrder::Dmy, text), None, "{text}");
        }
    }

    #[test]
    fn a_year_of_birth_of_two_digits_is_not_in_the_future() {
        for (text, birth, past) in [
            ("5/4/41", "1941-04-05", "2041-04-05"),
            ("26/11/26", "2026-11-26", "2026-11-26"),
            ("27/11/26", "1926-11-27", "2026-11-27"),
            ("01.02.00", "2000-02-01", "2000-02-01"),
            ("29/02/04", "2004-02-29", "2004-02-29"),
            ("20/12/99", "1999-12-20", "1999-12-20"),
        ] {
            for (kind, day) in [(DayOf::Birth, birth), (DayOf::Past, past), (DayOf::Plan, past)] {
                assert_eq!(of(Type::SlashedDay, kind, DateOrder::Dmy, text).as_deref(), Some(day), "{text}");
            }
        }
    }

    #[test]
    fn day_numbers_are_days() {
        let number = |text: &str| ReadCell { text: text.to_owned(), is_number: true, is_error: false };
        let read = |from_1904, cell: &ReadCell| {
            let reader = DateReader { from_1904, ..reader(DateOrder::Dmy) };
            reader.read(Type::Day, DayOf::Birth, cell)
        };
        for (text, day) in [
            ("46347", Some("2026-11-21")),
            ("46347.0", Some("2026-11-21")),
            ("3653", None),
            ("3654", Some("1910-01-01")),
            ("1970", None),
            ("70", None),
            ("0", None),
        ] {
            assert_eq!(read(false, &number(text)).as_deref(), day, "{text}");
            assert_eq!(read(false, &ReadCell::text(text)).as_deref(), day, "{text}");
        }
        for (text, day) in [("18263", None), ("18264", Some("1950-01-01")), ("1", None)] {
            for column in [DayOf::Past, DayOf::Plan] {
                let read = reader(DateOrder::Dmy).read(Type::Day, column, &number(text));
                assert_eq!(read.as_deref(), day, "{text}");
            }
        }
        assert_eq!(read(false, &number("46347.4375")).as_deref(), Some("2026-11-21 10:30:00"));
        assert_eq!(read(false, &ReadCell::text("46347.4375")), None);
        assert_eq!(read(true, &number("44885")).as_deref(), Some("2026-11-21"));
        assert_eq!(read(true, &number("2192")).as_deref(), Some("1910-01-01"));
        assert_eq!(read(true, &number("2191")), None);
        assert_eq!(read(true, &ReadCell::text("44885")).as_deref(), Some("2022-11-20"), "the cell is a text");
        assert_eq!(read(false, &ReadCell { is_error: true, ..ReadCell::text("46347") }), None);
    }

    #[test]
    fn a_moment_without_a_time_is_midnight() {
        for (text, moment) in [
            ("20/11/2026 09:05:00", "2026-11-20 09:05:00"),
            ("2026-11-20 09:05", "2026-11-20 09:05"),
            ("2026-11-20T09:05:00Z", "2026-11-20 09:05:00Z"),
            ("20/11/26", "2026-11-20 00:00:00"),
            ("5/4/2026 9:05", "2026-04-05 09:05"),
        ] {
            assert_eq!(of(Type::DayTime, DayOf::Past, DateOrder::Dmy, text).as_deref(), Some(moment));
        }
    }

    #[test]
    fn zeros_and_empty_masks_are_no_dates() {
        for text in [
            "00/00/0000",
            "0/0/00",
            "0000-00-00 00:00:00",
            "__/__/____",
            "  /  /    ",
            "00.00.0000",
            "00:00:00",
            "00/0000",
            "__/____",
        ] {
            assert!(is_no_date(text), "{text}");
        }
        for text in ["01/01/0001", "0", "", "-", "00/00/2026", "0.00"] {
            assert!(!is_no_date(text), "{text}");
        }
    }
}
