//! The input of a value by its type: a choice or a text field.

use std::collections::BTreeMap;

use crate::console::layout::choices::{Choices, state_options};
use crate::console::layout::days::written;
use crate::console::layout::view::{FLAGS, FLOWS};
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::ids;
use crate::domain::{DayOf, Moment, TimeOfDay};
use crate::records::DayRule;

/// Texts of a form's fields by member name.
pub(in crate::console) type Values = BTreeMap<&'static str, String>;

/// Returns a field of the form as typed. Links consist of several fields with one name. `days` are those that the form
/// accepts in the field.
pub(in crate::console) fn typed(field: &Field, days: DayRule, visit: &Visit) -> String {
    match field.ty {
        Type::Links(kind) => {
            let all = visit.form.iter().filter(|(name, _)| name == field.member);
            let mut all = all.flat_map(|(_, text)| ids(text)).collect::<Vec<_>>();
            if let Kind::List(_) = kind {
                // Check boxes are sent in the order of the list. Those that were ticked before stay in their own order.
                let before = visit.field(&format!("was-{}", field.member));
                all.sort_by_key(|id| ids(before).position(|other| other == *id).unwrap_or(usize::MAX));
            }
            all.join(",")
        }
        Type::Day | Type::SlashedDay => day_typed(visit.field(field.member), days, visit),
        Type::Time => time_typed(visit.field(field.member)),
        Type::DayTime => day_time_typed(visit.field(field.member), days, visit.today),
        _ => plain(visit.field(field.member)),
    }
}

/// Converts line breaks: browsers send CRLF, and the store keeps LF.
pub(in crate::console) fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Returns the options of a field, or `None` if its value is typed.
pub(in crate::console) fn options(
    field: &Field,
    value: &str,
    choices: &Choices,
    visit: &Visit,
) -> Option<Markup> {
    let words = |words: &[(&str, Bilingual)]| {
        html! { @for (word, name) in words { option value=(word) selected[*word == value] { (visit.lang.pick(name.0, name.1)) } } }
    };
    Some(match field.ty {
        Type::Flow => words(&FLOWS),
        Type::Flag => words(&FLAGS),
        Type::State => state_options(value),
        Type::Reference(list) => choices.entry_options(list, value, visit),
        ty if ty.names().is_empty() => return None,
        ty => words(ty.names()),
    })
}

/// Attributes of the text field for a type.
pub(in crate::console) struct Typing {
    pub kind: &'static str,
    pub mode: Option<&'static str>,
    pub mask: Option<&'static str>,
    pub hint: Option<&'static str>,
}

pub(in crate::console) fn typing(ty: Type, visit: &Visit) -> Typing {
    let day = (visit.pick("day", "iso-day"), visit.pick("DD/MM/AAAA", "YYYY-MM-DD"));
    let (kind, mode, mask, hint) = match ty {
        Type::Email => ("email", None, None, None),
        Type::WebAddress => ("url", None, None, Some("https://")),
        Type::Phone => ("tel", None, Some("phone"), None),
        Type::TaxId => ("text", None, Some("tax-id"), None),
        Type::ProcessNumber => ("text", Some("numeric"), Some("process"), None),
        Type::PostalCode => ("text", Some("numeric"), Some("cep"), None),
        Type::Day | Type::SlashedDay => ("text", Some("numeric"), Some(day.0), Some(day.1)),
        Type::DayTime => ("text", None, None, Some(visit.pick("DD/MM/AAAA HH:MM", "YYYY-MM-DD HH:MM"))),
        Type::YearMonth => ("text", Some("numeric"), None, Some(visit.pick("MM/AAAA", "MM/YYYY"))),
        Type::Time => ("text", Some("numeric"), Some("time"), Some("HH:MM")),
        Type::Money => ("text", Some("decimal"), Some("money"), Some(visit.pick("0,00", "0.00"))),
        Type::Record(_) | Type::Id | Type::Whole(..) => ("text", Some("numeric"), None, None),
        _ => ("text", None, None, None),
    };
    Typing { kind, mode, mask, hint }
}

/// Returns the day that a text means, in full or in words such as `amanhã`. A time may follow.
pub(in crate::console) fn day_meant(text: &str, of: DayOf, visit: &Visit) -> Option<Day> {
    day_and_time(text, of, visit.today).map(|(day, _)| day)
}

/// Returns the day that a text means, and the time that follows it, which is `None` for midnight.
fn day_and_time(text: &str, of: DayOf, today: Day) -> Option<(Day, Option<String>)> {
    let (day, time) = split_time(text);
    let day = Day::parse(day).ok().or_else(|| Day::parse_relative(day, today, of))?;
    Some((day, time))
}

/// Formats the day that a text means for the language, and the time that follows it. Returns other texts unchanged.
pub(in crate::console) fn day_typed(text: &str, days: DayRule, visit: &Visit) -> String {
    match day_and_time(text, days.day_of(), visit.today) {
        Some((day, Some(time))) => format!("{} {time}", written(day, visit.lang)),
        Some((day, None)) => written(day, visit.lang),
        None => text.to_owned(),
    }
}

/// Splits a text such as `amanhã às 14h30` into the day and the time, which is `None` for midnight.
fn split_time(text: &str) -> (&str, Option<String>) {
    let text = text.trim();
    let parts = text.rsplit_once([' ', 'T']).filter(|(_, time)| time.contains([':', 'h']));
    let completed = |time| TimeOfDay::completed(time).or_else(|| Some(TimeOfDay::parse(time).ok()?.into()));
    let Some((day, time)) = parts.and_then(|(day, time)| Some((day, completed(time)?))) else {
        return (text, None);
    };
    let day = day.trim_end().trim_end_matches(" às").trim_end_matches(" as");
    (day, Some(time).filter(|time| !time.starts_with("00:00")))
}

/// Converts a day with a time as people write it to `YYYY-MM-DD HH:MM`, at midnight if there is no time. Returns other
/// texts unchanged.
fn day_time_typed(text: &str, days: DayRule, today: Day) -> String {
    match day_and_time(text, days.day_of(), today) {
        Some((day, time)) if Moment::parse(text).is_err() => {
            format!("{} {}", day.iso(), time.as_deref().unwrap_or("00:00"))
        }
        _ => text.to_owned(),
    }
}

/// Completes a time of day: `14h30`, `14h`, `1430`, `9`. Returns other texts unchanged.
pub(in crate::console) fn time_typed(text: &str) -> String {
    TimeOfDay::completed(text).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_split_from_the_day_before_it() {
        for (text, day, time) in [
            ("18/06/2026 14:30", "18/06/2026", Some("14:30")),
            ("amanhã às 14h30", "amanhã", Some("14:30")),
            (" sexta 9h ", "sexta", Some("09:00")),
            ("2026-06-18T14:30", "2026-06-18", Some("14:30")),
            ("2026-06-18 14:30:05", "2026-06-18", Some("14:30:05")),
            ("2026-06-18 00:00:00", "2026-06-18", None),
            ("2026-06-18T14:30:00-03:00", "2026-06-18T14:30:00-03:00", None),
            ("18/06/2026 25:00", "18/06/2026 25:00", None),
            ("ter 9", "ter 9", None),
            ("amanhã", "amanhã", None),
        ] {
            assert_eq!(split_time(text), (day, time.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn days_with_times_are_accepted_in_common_notations() {
        let today = Day::parse("2026-11-20").unwrap();
        for (typed, sent) in [
            ("20/11/2026 14:30", "20/11/2026 14:30"),
            (" 20/11/2026  9h ", "2026-11-20 09:00"),
            ("20/11/2026", "2026-11-20 00:00"),
            ("2026-11-20 14:30", "2026-11-20 14:30"),
            ("2026-11-20 14:30:05", "2026-11-20 14:30:05"),
            ("2026-11-20T14:30:00-03:00", "2026-11-20T14:30:00-03:00"),
            ("amanhã às 14h30", "2026-11-21 14:30"),
            ("20/11/2026 às 9h", "2026-11-20 09:00"),
            ("31/02/2026 14:30", "31/02/2026 14:30"),
            ("20/11/2026 25:00", "20/11/2026 25:00"),
            ("", ""),
        ] {
            assert_eq!(day_time_typed(typed, DayRule::OfRecord, today), sent, "{typed}");
        }
    }
}
