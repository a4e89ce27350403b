//! Renders the parts of a report, and names the tables in it.

use crate::console::prelude::*;
use crate::store::records::full_records::tables;
use crate::transfer::{Fact, ReportPart};

/// Facts that are shown at once; the others are in a collapsed section.
const MAX_OPEN_FACTS: usize = 20;
/// Maximum number of facts in a part. The file with the report has all.
const MAX_FACTS: usize = 1000;

/// Renders a part in an element of this class, unless there is nothing to tell.
pub(super) fn part(class: &str, part: &ReportPart, visit: &Visit) -> Markup {
    html! {
        @if !part.is_empty() {
            section class=(class) { h2 { (first_upper(&part.heading(visit.lang))) } (body(part, visit)) }
        }
    }
}

/// Renders a part of which only the title is open.
pub(super) fn folded(part: &ReportPart, visit: &Visit) -> Markup {
    html! {
        @if !part.is_empty() {
            details.panel { summary { (first_upper(&part.heading(visit.lang))) } (body(part, visit)) }
        }
    }
}

fn body(part: &ReportPart, visit: &Visit) -> Markup {
    let (first, others) = part.facts.split_at(part.facts.len().min(MAX_OPEN_FACTS));
    let more = part.more(MAX_FACTS);
    let advice = visit.pick(part.advice.0, part.advice.1);
    html! {
        @if !advice.is_empty() { p.quiet { (first_upper(advice)) "." } }
        (list(first, visit))
        (collapsed(visit.pick("Os outros", "The others"), others, visit))
        (collapsed(visit.pick("Cada valor", "Each value"), &part.each, visit))
        @if more > 0 { p.quiet { (visit.pick("E mais ", "And ")) (count(more, visit.lang)) (visit.pick(".", " more.")) } }
    }
}

fn collapsed(title: &str, facts: &[Fact], visit: &Visit) -> Markup {
    html! {
        @if !facts.is_empty() {
            details {
                summary { (title) " (" (count(facts.len() as u64, visit.lang)) ")" }
                (list(facts, visit))
            }
        }
    }
}

fn list(facts: &[Fact], visit: &Visit) -> Markup {
    html! { ul.plain { @for fact in facts.iter().take(MAX_FACTS) { li {
        @match fact.record.filter(|(path, _)| PAGES.iter().any(|pages| pages.path() == *path)) {
            Some((path, id)) => a href={ (BASE) "/" (path) "/" (id) } { (fact.subject) },
            None => (fact.subject),
        }
        (fact.rest)
        @if !fact.detail.is_empty() { details { summary { (visit.pick("O que se sabe dele", "Details")) } code { (fact.detail) } } }
    } } } }
}

pub(super) fn named(name: &str) -> Option<&'static Table> {
    tables().find(|table| table.name == name)
}

pub(super) fn many(name: &str, lang: Lang) -> String {
    named(name).map(|table| table.title(lang)).unwrap_or_default()
}
