//! Lists of kept checks, and of conflicts that the nightly run found.

use super::words::{case_word, check_page, outcome_word, sign_word};
use crate::console::prelude::*;
use crate::domain::MatchedBy;
use crate::store::conflict_checks::KeptCheckEntry;
use crate::store::conflict_findings::StandingFinding;

/// Renders a list of kept checks.
pub(in crate::console) fn checks(checks: &[KeptCheckEntry], visit: &Visit) -> Markup {
    html! {
        ul.people { @for check in checks {
            li {
                a.name href=(check_page(check.id)) {
                    @if check.terms.is_empty() { (visit.pick("Consulta", "Check")) " " (check.id) } @else { (shortened(&check.terms)) }
                }
                (outcome_word(check.outcome, visit))
                span.quiet { (numbered(&check.id.to_string(), visit.lang)) " · " (moment(check.at, visit.zone(), visit.lang)) " · " (check.who) }
            }
        } }
    }
}

/// Shortens the names of a check with many.
fn shortened(terms: &str) -> String {
    const MOST: usize = 80;
    match terms.char_indices().nth(MOST) {
        Some((end, _)) => [terms.get(..end).unwrap_or_default(), "…"].concat(),
        None => terms.to_owned(),
    }
}

/// Renders the conflicts that the nightly run found.
pub(in crate::console) fn findings(found: &[StandingFinding], visit: &Visit) -> Markup {
    html! {
        ul.people { @for one in found {
            li {
                span.name {
                    a href={ (BASE) "/customers/" (one.customer.get()) } { (one.name) }
                    " × "
                    a href={ (BASE) "/lawsuits/" (one.lawsuit.get()) } { (case_word(one.process_number.as_deref(), one.lawsuit.get(), visit)) }
                }
                span.stage.late[one.by != MatchedBy::Name].due[one.by == MatchedBy::Name] { (sign_word(one.by, visit)) }
                @match &one.passed {
                    None => a.button href={ (BASE) "/conflicts/pass?customer=" (one.customer.get()) "&lawsuit=" (one.lawsuit.get()) } { (visit.pick("Examinado…", "Mark as reviewed…")) },
                    Some(passed) => span.quiet {
                        (visit.pick("liberado por ", "let pass by ")) (passed.by) ", " (moment(passed.at, visit.zone(), visit.lang)) ": " (passed.why)
                    },
                }
            }
        } }
    }
}
