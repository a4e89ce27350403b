//! Names and arithmetic of days, weeks and months.

use crate::console::prelude::*;

pub(in crate::console) const MONTHS: [Bilingual; 12] = [
    ("Janeiro", "January"),
    ("Fevereiro", "February"),
    ("Março", "March"),
    ("Abril", "April"),
    ("Maio", "May"),
    ("Junho", "June"),
    ("Julho", "July"),
    ("Agosto", "August"),
    ("Setembro", "September"),
    ("Outubro", "October"),
    ("Novembro", "November"),
    ("Dezembro", "December"),
];

/// Names of the weekdays. The week begins on Sunday as on Brazilian calendars, where Monday's name means "second".
pub(in crate::console) const WEEKDAYS: [Bilingual; 7] = [
    ("domingo", "Sunday"),
    ("segunda-feira", "Monday"),
    ("terça-feira", "Tuesday"),
    ("quarta-feira", "Wednesday"),
    ("quinta-feira", "Thursday"),
    ("sexta-feira", "Friday"),
    ("sábado", "Saturday"),
];

/// Adds days. Returns `day` itself if the result is out of range.
pub(in crate::console) fn days_later(day: Day, days: i32) -> Day {
    Day::from_number(day.number().saturating_add(days)).unwrap_or(day)
}

/// Returns the Sunday on or before the day.
pub(in crate::console) fn week_of(day: Day) -> Day {
    days_later(day, -i32::try_from(day.weekday()).unwrap_or_default())
}

/// Returns the first day of the month that is `months` later.
pub(in crate::console) fn month_later(day: Day, months: i32) -> Day {
    let month = i32::from(day.year()) * 12 + i32::from(day.month()) - 1 + months;
    let (year, month) = (i16::try_from(month.div_euclid(12)), u8::try_from(month.rem_euclid(12) + 1));
    let first = year.ok().zip(month.ok()).and_then(|(year, month)| Day::from_ymd(year, month, 1));
    first.unwrap_or(day)
}

/// Formats a month with its year: `Novembro de 2026`.
pub(in crate::console) fn month(day: Day, lang: Lang) -> String {
    format!("{}{}{}", month_name(day, lang), lang.pick(" de ", " "), day.year())
}

pub(in crate::console) fn month_name(day: Day, lang: Lang) -> &'static str {
    MONTHS.get(usize::from(day.month()) - 1).map_or("", |name| lang.pick(name.0, name.1))
}

pub(in crate::console) fn weekday_name(day: Day, lang: Lang) -> &'static str {
    WEEKDAYS.get(day.weekday()).map_or("", |name| lang.pick(name.0, name.1))
}

/// Formats a day in full, without its year: `domingo, 22 de novembro`.
pub(in crate::console) fn in_full(day: Day, lang: Lang) -> String {
    let name = month_name(day, lang);
    match lang {
        Lang::Pt => format!("{}, {} de {}", weekday_name(day, lang), day.day(), name.to_lowercase()),
        Lang::En => format!("{}, {} {name}", weekday_name(day, lang), day.day()),
    }
}

/// Formats a day for the language: `22/11/2026` in Portuguese, ISO 8601 in English.
pub(in crate::console) fn written(day: Day, lang: Lang) -> String {
    if lang == Lang::Pt { day.br() } else { day.iso() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn weeks_begin_on_sunday_and_months_carry_into_years() {
        assert_eq!(week_of(day("2026-11-22")), day("2026-11-22"));
        assert_eq!(week_of(day("2026-11-28")), day("2026-11-22"));
        assert_eq!(week_of(day("2026-11-21")), day("2026-11-15"));
        for (from, months, to) in [
            ("2026-11-22", 0, "2026-11-01"),
            ("2026-12-31", 1, "2027-01-01"),
            ("2026-01-15", -1, "2025-12-01"),
            ("2026-03-31", -13, "2025-02-01"),
        ] {
            assert_eq!(month_later(day(from), months), day(to), "{from} {months}");
        }
    }

    #[test]
    fn days_and_months_are_written_in_full() {
        assert_eq!(in_full(day("2026-11-22"), Lang::Pt), "domingo, 22 de novembro");
        assert_eq!(in_full(day("2026-11-23"), Lang::En), "Monday, 23 November");
        assert_eq!(month(day("2026-03-01"), Lang::Pt), "Março de 2026");
        assert_eq!(month(day("2026-03-01"), Lang::En), "March 2026");
    }
}
