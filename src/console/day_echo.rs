//! Beside a day field: the day that the typed text means, such as `ter` or `+15`.

use crate::console::agenda::calendar::{in_full, near_short};
use crate::console::prelude::*;
use crate::console::records::form::input_types::day_meant;
use crate::console::requests::response::part;
use crate::domain::DayOf;
use crate::records::DayRule;

/// The last segments of the part's address: what the day is of.
const SEGMENTS: [(&str, DayOf); 3] = [("next", DayOf::Plan), ("past", DayOf::Past), ("birth", DayOf::Birth)];

/// Renders the day that the value of a field means. A script renders it again while the field is typed.
pub(super) fn render(name: &str, value: &str, days: DayRule, visit: &Visit) -> Markup {
    let of = days.day_of();
    let segment = SEGMENTS.iter().find(|(_, own)| *own == of).map(|(segment, _)| *segment);
    html! { output.echo data-found={ (BASE) "/day/" (segment.unwrap_or_default()) } data-by=(name) { (words(value, of, visit)) } }
}

/// Renders the part for the script: the day that the first query parameter means.
pub(super) fn show(segment: &str, visit: &Visit) -> Result<Answer> {
    let typed = visit.query.first().map_or("", |(_, value)| value);
    let (_, of) = SEGMENTS.iter().find(|(own, _)| *own == segment).ok_or_else(Problem::no_route)?;
    Ok(part(words(typed, *of, visit)))
}

fn words(typed: &str, of: DayOf, visit: &Visit) -> Markup {
    let Some(day) = day_meant(typed, of, visit) else { return html! {} };
    html! {
        span aria-hidden="true" { (near_short(day, visit.today, visit.lang)) }
        span.hidden { (in_full(day, visit.lang)) " " (day.year()) }
    }
}
