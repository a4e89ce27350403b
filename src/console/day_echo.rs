//! Beside a day field: the day that the typed text means, such as `ter`, `+15` or `15 dias úteis`.

use crate::console::layout::days::{in_full_with_year, near_short};
use crate::console::prelude::*;
use crate::console::records::form::deadline::{
    COUNTED_BY, CountedDeadline, CountedFields, DEADLINE, ProposedDeadline,
};
use crate::console::records::form::input_types::day_meant;
use crate::console::requests::response::part;
use crate::domain::DayOf;
use crate::records::DayRule;

/// The last segments of the part's address: what the day is of.
const SEGMENTS: [(&str, DayOf); 3] = [("next", DayOf::Plan), ("past", DayOf::Past), ("birth", DayOf::Birth)];

/// The last segment for a deadline, which may be a number of days.
const COUNT: &str = "count";

/// Renders the day that the value of a field means. A script renders it again while the field is typed.
pub(super) fn render(name: &str, value: &str, days: DayRule, visit: &Visit) -> Markup {
    let of = days.day_of();
    let segment = SEGMENTS.iter().find(|(_, own)| *own == of).map(|(segment, _)| *segment);
    html! { output.echo data-found={ (BASE) "/day/" (segment.unwrap_or_default()) } data-by=(name) { (meant(value, of, visit)) } }
}

/// Like [`render`], for the field of a deadline.
pub(super) fn render_deadline(
    value: &str,
    counted: Option<&CountedDeadline>,
    proposed: &ProposedDeadline,
    visit: &Visit,
) -> Markup {
    html! {
        output.count data-found={ (BASE) "/day/" (COUNT) } data-by=(COUNTED_BY) {
            @match counted {
                Some(counted) => { (short(counted.day(), visit)) (counted.render(visit)) }
                None if value.is_empty() => (proposed.render(visit)),
                None => (meant(value, DayOf::Plan, visit)),
            }
        }
    }
}

/// Renders the part for the script: the day that the first query parameter means, or the one that a deadline leads to.
pub(super) async fn show(segment: &str, visit: &Visit) -> Result<Answer> {
    if segment == COUNT {
        let fields = CountedFields::of(|name| visit.parameter(name), visit);
        return Ok(part(match fields.count(visit).await? {
            Some(Ok(counted)) => html! { (short(counted.day(), visit)) (counted.render(visit)) },
            Some(Err(reason)) => html! { span.wrong { (first_upper(&reason)) } },
            None => meant(visit.parameter(DEADLINE), DayOf::Plan, visit),
        }));
    }
    let typed = visit.query.first().map_or("", |(_, value)| value);
    let (_, of) = SEGMENTS.iter().find(|(own, _)| *own == segment).ok_or_else(Problem::no_route)?;
    Ok(part(meant(typed, *of, visit)))
}

fn meant(typed: &str, of: DayOf, visit: &Visit) -> Markup {
    html! { @if let Some(day) = day_meant(typed, of, visit) { (short(day, visit)) } }
}

/// Renders a day in short and, for screen readers, in full.
fn short(day: Day, visit: &Visit) -> Markup {
    html! {
        span.short aria-hidden="true" { (near_short(day, visit.today, visit.lang)) }
        span.hidden { (in_full_with_year(day, visit.lang)) }
    }
}
