//! Beside a day field: the day that the typed text means, such as `ter` or `+15`.

use crate::console::agenda::calendar::{in_full, near_short};
use crate::console::prelude::*;
use crate::console::records::form::input_types::{day_meant, is_past};
use crate::console::requests::response::part;
use crate::records::DayRule;

/// The last segment of the part's address: whether a day of the week, or a day without a year, is the last or the next one.
pub(super) const PAST: &str = "past";
pub(super) const NEXT: &str = "next";

/// Renders the day that the value of a field means. A script renders it again while the field is typed.
pub(super) fn render(name: &str, value: &str, days: DayRule, visit: &Visit) -> Markup {
    let direction = if is_past(days) { PAST } else { NEXT };
    html! { output.echo data-found={ (BASE) "/day/" (direction) } data-by=(name) { (words(value, is_past(days), visit)) } }
}

/// Renders the part for the script: the day that the first query parameter means.
pub(super) fn show(is_past: bool, visit: &Visit) -> Answer {
    let typed = visit.query.first().map_or("", |(_, value)| value);
    part(words(typed, is_past, visit))
}

fn words(typed: &str, is_past: bool, visit: &Visit) -> Markup {
    let Some(day) = day_meant(typed, is_past, visit) else { return html! {} };
    html! {
        span aria-hidden="true" { (near_short(day, visit.today, visit.lang)) }
        span.hidden { (in_full(day, visit.lang)) " " (day.year()) }
    }
}
