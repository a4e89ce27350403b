//! Names of months and weekdays.

use std::sync::LazyLock;

use crate::domain::Bilingual;
use crate::domain::text::fold;

/// Names of the months, capitalised.
pub const MONTHS: [Bilingual; 12] = [
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
pub const WEEKDAYS: [Bilingual; 7] = [
    ("domingo", "Sunday"),
    ("segunda-feira", "Monday"),
    ("terça-feira", "Tuesday"),
    ("quarta-feira", "Wednesday"),
    ("quinta-feira", "Thursday"),
    ("sexta-feira", "Friday"),
    ("sábado", "Saturday"),
];

/// The names in both languages. Folded once, because imports and exports look every word up.
static FOLDED_MONTHS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| folded(&MONTHS));
static FOLDED_WEEKDAYS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| folded(&WEEKDAYS));

/// Minimum number of letters that abbreviate a name.
const MIN_LETTERS: usize = 3;

/// Returns the number of the month, 1 to 12, with this folded name in either language, or with this beginning of it.
pub fn month_named(name: &str) -> Option<usize> {
    Some(position(&FOLDED_MONTHS, name)? + 1)
}

/// Returns the weekday with this folded name in either language, or with this beginning of it; 0 is Sunday.
pub fn weekday_named(name: &str) -> Option<usize> {
    position(&FOLDED_WEEKDAYS, name)
}

fn folded(names: &[Bilingual]) -> Vec<[String; 2]> {
    names.iter().map(|(pt, en)| [fold(pt), fold(en)]).collect()
}

fn position(names: &[[String; 2]], name: &str) -> Option<usize> {
    // Most texts are dates in digits.
    if name.len() < MIN_LETTERS || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    names.iter().position(|both| both.iter().any(|own| own.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_beginnings_in_both_languages() {
        for (name, month) in
            [("mar", 3), ("marco", 3), ("march", 3), ("dez", 12), ("dec", 12), ("mai", 5), ("may", 5)]
        {
            assert_eq!(month_named(name), Some(month), "{name}");
        }
        for (name, weekday) in [("dom", 0), ("terca feira", 2), ("tue", 2), ("sab", 6), ("saturday", 6)] {
            assert_eq!(weekday_named(name), Some(weekday), "{name}");
        }
        for name in ["", "ma", "março", "marcos", "123"] {
            assert_eq!((month_named(name), weekday_named(name)), (None, None), "{name}");
        }
    }
}
