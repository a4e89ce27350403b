//! Names and arithmetic of days, weeks and months.

use crate::console::prelude::*;
use crate::domain::time::names::{MONTHS, WEEKDAYS};

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
    let year = i16::try_from(month.div_euclid(12));
    let month = u8::try_from(month.rem_euclid(12) + 1);
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

/// Formats the name of a month in three letters: `nov`, `Nov`.
pub(in crate::console) fn month_short(day: Day, lang: Lang) -> String {
    let name = beginning(month_name(day, lang));
    if lang == Lang::Pt { name.to_lowercase() } else { name }
}

pub(in crate::console) fn weekday_name(day: Day, lang: Lang) -> &'static str {
    WEEKDAYS.get(day.weekday()).map_or("", |name| lang.pick(name.0, name.1))
}

/// Formats a day as letters have it: `17 de junho de 2026`.
pub(in crate::console) fn day_in_words(day: Day, lang: Lang) -> String {
    format!("{}{}{}", without_year(day, lang), lang.pick(" de ", " "), day.year())
}

/// Formats a day in full, without its year: `domingo, 22 de novembro`.
pub(in crate::console) fn in_full(day: Day, lang: Lang) -> String {
    format!("{}, {}", weekday_name(day, lang), without_year(day, lang))
}

/// Like [`in_full`], with the year: `domingo, 22 de novembro de 2026`.
pub(in crate::console) fn in_full_with_year(day: Day, lang: Lang) -> String {
    format!("{}, {}", weekday_name(day, lang), day_in_words(day, lang))
}

/// In Portuguese, the first day of a month is an ordinal.
fn without_year(day: Day, lang: Lang) -> String {
    let name = month_name(day, lang);
    match (lang, day.day()) {
        (Lang::Pt, 1) => format!("1º de {}", name.to_lowercase()),
        (Lang::Pt, number) => format!("{number} de {}", name.to_lowercase()),
        (Lang::En, number) => format!("{number} {name}"),
    }
}

/// Formats a day with its day of the week, and says if it is today or tomorrow: `hoje, sexta 27/11`, `segunda 04/01/2027`.
/// The year is left out if it is that of today.
pub(in crate::console) fn near(day: Day, today: Day, lang: Lang) -> String {
    let word = near_word(day, today, lang).map(|word| format!("{word}, ")).unwrap_or_default();
    let weekday = weekday_name(day, lang).split('-').next().unwrap_or_default();
    format!("{word}{weekday} {}", within_year(day, today, lang, month_name(day, lang)))
}

/// Formats a day like [`near`], as short as possible: `hoje 27/11`, `seg 04/01/2027`.
pub(in crate::console) fn near_short(day: Day, today: Day, lang: Lang) -> String {
    let word = near_word(day, today, lang).map_or_else(|| beginning(weekday_name(day, lang)), str::to_owned);
    format!("{word} {}", within_year(day, today, lang, &beginning(month_name(day, lang))))
}

fn near_word(day: Day, today: Day, lang: Lang) -> Option<&'static str> {
    match day.number() - today.number() {
        0 => Some(lang.pick("hoje", "today")),
        1 => Some(lang.pick("amanhã", "tomorrow")),
        _ => None,
    }
}

/// Returns the first three letters, which tell days and months apart.
pub(in crate::console) fn beginning(name: &str) -> String {
    name.chars().take(3).collect()
}

fn within_year(day: Day, today: Day, lang: Lang, month: &str) -> String {
    let is_same = day.year() == today.year();
    match lang {
        Lang::Pt if is_same => format!("{:02}/{:02}", day.day(), day.month()),
        Lang::Pt => day.br(),
        Lang::En if is_same => format!("{} {month}", day.day()),
        Lang::En => format!("{} {month} {}", day.day(), day.year()),
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
        for (iso, pt, en) in [
            ("2027-01-21", "quinta-feira, 21 de janeiro de 2027", "Thursday, 21 January 2027"),
            ("2027-01-01", "sexta-feira, 1º de janeiro de 2027", "Friday, 1 January 2027"),
        ] {
            assert_eq!([Lang::Pt, Lang::En].map(|lang| in_full_with_year(day(iso), lang)), [pt, en]);
        }
        let today = day("2026-11-27");
        for (iso, pt, en) in [
            ("2026-11-27", "hoje, sexta 27/11", "today, Friday 27 November"),
            ("2026-11-28", "amanhã, sábado 28/11", "tomorrow, Saturday 28 November"),
            ("2027-01-04", "segunda 04/01/2027", "Monday 4 January 2027"),
        ] {
            assert_eq!((&*near(day(iso), today, Lang::Pt), &*near(day(iso), today, Lang::En)), (pt, en));
        }
        assert_eq!(near_short(today, today, Lang::Pt), "hoje 27/11");
        assert_eq!(near_short(day("2027-01-04"), today, Lang::Pt), "seg 04/01/2027");
        assert_eq!(near_short(day("2026-12-01"), today, Lang::En), "Tue 1 Dec");
        assert_eq!(month(day("2026-03-01"), Lang::Pt), "Março de 2026");
        assert_eq!(month(day("2026-03-01"), Lang::En), "March 2026");
    }
}
