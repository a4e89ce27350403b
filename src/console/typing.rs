//! How a value of some type is filled in: chosen of a few, or typed.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::calendar::written;
use super::choices::{Choices, state_options};
use super::view::{ENTRY_TYPES, FLAGS, FLOWS, GENDERS, ORIGINS};
use super::visit::Visit;
use crate::domain::{Bilingual, Day, TimeOfDay};
use crate::records::{DayRule, Field, Type};

/// What stands in the fields of a form, by what requests call them.
pub(super) type Values = BTreeMap<&'static str, String>;

/// What there is to choose of; none where a value is typed.
pub(super) fn options(field: &Field, value: &str, choices: &Choices, visit: &Visit) -> Option<Markup> {
    let words = |words: &[(&str, Bilingual)]| {
        html! { @for (word, name) in words { option value=(word) selected[*word == value] { (visit.lang.pick(name.0, name.1)) } } }
    };
    Some(match field.ty {
        Type::Gender => words(&GENDERS),
        Type::Flow => words(&FLOWS),
        Type::EntryType => words(&ENTRY_TYPES),
        Type::Flag => words(&FLAGS),
        Type::MovementOrigin => words(&ORIGINS),
        Type::State => state_options(value),
        Type::Reference(list) => choices.entry_options(list, value, visit),
        _ => return None,
    })
}

/// How a browser has a value of some type typed.
pub(super) struct Typing {
    pub kind: &'static str,
    pub mode: Option<&'static str>,
    pub mask: Option<&'static str>,
    pub hint: Option<&'static str>,
}

pub(super) fn typing(ty: Type, visit: &Visit) -> Typing {
    let day = (visit.say("day", "iso-day"), visit.say("DD/MM/AAAA", "YYYY-MM-DD"));
    let (kind, mode, mask, hint) = match ty {
        Type::Email => ("email", None, None, None),
        Type::WebAddress => ("url", None, None, Some("https://")),
        Type::Phone => ("tel", None, Some("phone"), None),
        Type::TaxId => ("text", None, Some("tax-id"), None),
        Type::ProcessNumber => ("text", Some("numeric"), Some("process"), None),
        Type::PostalCode => ("text", Some("numeric"), Some("cep"), None),
        Type::Day | Type::SlashedDay => ("text", Some("numeric"), Some(day.0), Some(day.1)),
        Type::YearMonth => ("text", Some("numeric"), None, Some(visit.say("MM/AAAA", "MM/YYYY"))),
        Type::Time => ("text", Some("numeric"), Some("time"), Some("HH:MM")),
        Type::Money => ("text", Some("decimal"), Some("money"), Some(visit.say("0,00", "0.00"))),
        Type::Record(_) | Type::Id | Type::Whole(..) => ("text", Some("numeric"), None, None),
        _ => ("text", None, None, None),
    };
    Typing { kind, mode, mask, hint }
}

/// Returns a day that is typed as people say it, such as `amanhã`, in the form of the language; any other text as it is.
pub(super) fn day_typed(text: &str, field: &Field, visit: &Visit) -> String {
    let is_past = !matches!(field.days, DayRule::OfRecord);
    match Day::parse(text.trim()).ok().or_else(|| Day::said(text, visit.today, is_past)) {
        Some(day) => written(day, visit.lang),
        None => text.to_owned(),
    }
}

/// A time of day with its colon and its minutes: `14h30`, `14h`, `1430`, `9`.
pub(super) fn time_typed(text: &str) -> String {
    let bare = text.trim().to_lowercase().replace('h', ":");
    let digits = if (3..=4).contains(&bare.len()) { bare.split_at_checked(bare.len() - 2) } else { None };
    let (hour, minutes) = bare.split_once(':').or(digits).unwrap_or((&bare, ""));
    let minutes = if minutes.is_empty() { "00" } else { minutes };
    let time = format!("{hour:0>2}:{minutes}");
    if !hour.is_empty() && hour.len() <= 2 && TimeOfDay::parse(&time).is_ok() {
        time
    } else {
        text.to_owned()
    }
}
