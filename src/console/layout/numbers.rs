//! Formats numbers, times and sizes for both languages.

use jiff::tz::TimeZone;

use crate::domain::Lang;
use crate::domain::lang::localize;
pub(in crate::console) use crate::domain::lang::{count, minute as moment};
use crate::records::Table;

/// Returns the words before a count that was cut: `mais de 1.000`; empty for an exact count.
pub(in crate::console) fn more_than(is_cut: bool, lang: Lang) -> &'static str {
    if is_cut { lang.pick("mais de ", "more than ") } else { "" }
}

/// Formats a number of records: `1.234 clientes`.
pub(in crate::console) fn counted(number: u64, table: &Table, lang: Lang) -> String {
    let noun = if number == 1 { table.noun } else { table.many };
    format!("{} {}", count(number, lang), lang.pick(noun.0, noun.1))
}

/// Formats numbers of records by table: `1 processo, 2 tarefas`.
pub(in crate::console) fn listed(counts: &[(&Table, u64)], lang: Lang) -> String {
    counts.iter().map(|(table, number)| counted(*number, table, lang)).collect::<Vec<_>>().join(", ")
}

/// Formats the contents of an office or a backup: `1.234 clientes · 1 processo`.
pub(in crate::console) fn holdings(held: &[(&Table, u64)], lang: Lang) -> String {
    held.iter().map(|(table, number)| counted(*number, table, lang)).collect::<Vec<_>>().join(" · ")
}

/// Formats how long ago a time was, for the last hours: `há 5 min`. Returns the time stamp for earlier ones.
pub(in crate::console) fn ago(seconds: i64, now: i64, zone: &TimeZone, lang: Lang) -> String {
    match now - seconds {
        0..60 => lang.pick("agora", "just now").to_owned(),
        past @ 60..3600 => {
            let minutes = past / 60;
            localize!(lang, "há {minutes} min", "{minutes} min ago")
        }
        past @ 3600..43_200 => {
            let hours = past / 3600;
            localize!(lang, "há {hours} h", "{hours} h ago")
        }
        _ => moment(seconds, zone, lang),
    }
}

/// Formats the time of day in the given time zone: `14:30:05`.
pub(in crate::console) fn clock(seconds: i64, zone: &TimeZone) -> String {
    let moment = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    zone.to_datetime(moment).strftime("%H:%M:%S").to_string()
}

/// Formats a record's id.
pub(in crate::console) fn numbered(id: &str, lang: Lang) -> String {
    format!("{} {id}", lang.pick("nº", "no."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Customer, Lawsuit, Record};

    #[test]
    fn numbers_and_times_are_formatted_for_the_language() {
        for (number, pt, en) in [
            (0, "0", "0"),
            (999, "999", "999"),
            (1000, "1.000", "1,000"),
            (1_234_567, "1.234.567", "1,234,567"),
        ] {
            assert_eq!((count(number, Lang::Pt), count(number, Lang::En)), (pt.to_owned(), en.to_owned()));
        }
        assert_eq!(
            holdings(&[(Customer::TABLE, 1), (Lawsuit::TABLE, 1234)], Lang::Pt),
            "1 cliente · 1.234 processos"
        );
        assert_eq!(
            holdings(&[(Customer::TABLE, 0), (Lawsuit::TABLE, 1)], Lang::En),
            "0 customers · 1 lawsuit"
        );
        let zone = TimeZone::get("America/Sao_Paulo").unwrap();
        assert_eq!(moment(0, &zone, Lang::Pt), "31/12/1969 21:00");
        assert_eq!(clock(61, &zone), "21:01:01");
        let at = |now| ago(0, now, &zone, Lang::Pt);
        assert_eq!([at(59), at(300), at(7300)], ["agora", "há 5 min", "há 2 h"]);
        assert_eq!((at(43_200), at(-1)), ("31/12/1969 21:00".to_owned(), "31/12/1969 21:00".to_owned()));
    }
}
