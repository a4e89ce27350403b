//! Lists of kept checks, and of conflicts that the nightly check found.

use std::collections::BTreeSet;

use super::texts::{case_words, check_page, match_word, outcome_word};
use crate::api::conflicts::decisions;
use crate::console::prelude::*;
use crate::domain::MatchedBy;
use crate::store::conflicts::conflict_checks::KeptCheckEntry;
use crate::store::conflicts::conflict_findings::StandingFinding;

/// Renders a list of kept checks.
pub(in crate::console) fn checks(checks: &[KeptCheckEntry], visit: &Visit) -> Markup {
    html! {
        @if !checks.is_empty() { ul.people { @for check in checks {
            li {
                a.name href=(check_page(check.id)) {
                    @if check.terms.is_empty() { (visit.pick("Consulta", "Check")) " " (check.id) } @else { (shortened(&check.terms)) }
                }
                (outcome_word(check.outcome, visit))
                span.quiet { (numbered(&check.id.to_string(), visit.lang)) " · " (moment(check.at, visit.zone(), visit.lang)) " · " (check.who) }
            }
        } } }
    }
}

/// Shortens the names of a check with many.
fn shortened(terms: &str) -> String {
    const MAX_CHARS: usize = 80;
    match terms.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => [terms.get(..end).unwrap_or_default(), "…"].concat(),
        None => terms.to_owned(),
    }
}

/// A conflict that the nightly check found, with the words for its case.
pub(in crate::console) struct NamedFinding {
    pub finding: StandingFinding,
    case: String,
    /// `true` if it rests on other names or numbers now, so that a decision about it does not hold any more.
    is_changed: bool,
}

impl NamedFinding {
    /// Compares the conflicts with the names and numbers of now. Those to look at come first.
    pub fn all(db: Db<'_>, found: Vec<StandingFinding>) -> StoreResult<Vec<NamedFinding>> {
        let ids = found.iter().map(|one| one.lawsuit.get()).collect::<BTreeSet<_>>();
        let words = case_words(db, &ids.into_iter().collect::<Vec<_>>())?;
        let named = found.into_iter().map(|mut finding| {
            let case = words.get(&finding.lawsuit.get()).cloned().unwrap_or_default();
            let now = decisions::current_finding(db, finding.lawsuit.get(), finding.customer.get())?;
            let changed = now.filter(|now| now.basis != finding.basis);
            let is_changed = changed.is_some();
            if let Some(now) = changed {
                finding.by = now.by;
                finding.score = now.score;
            }
            Ok(NamedFinding { finding, case, is_changed })
        });
        let mut named = named.collect::<StoreResult<Vec<_>>>()?;
        named.sort_by_key(|one| !one.is_undecided());
        Ok(named)
    }

    /// Returns `true` if no decision about it holds.
    fn is_undecided(&self) -> bool {
        self.finding.passed.is_none() || self.is_changed
    }

    /// Renders the client, the case and the sign, and the decision of a person.
    pub(super) fn render(&self, visit: &Visit) -> Markup {
        let one = &self.finding;
        let is_name = one.by == MatchedBy::Name;
        html! {
            span.name {
                a href={ (BASE) "/customers/" (one.customer.get()) } { (one.name) }
                " " (visit.pick("em", "in")) " "
                a href={ (BASE) "/lawsuits/" (one.lawsuit.get()) } { (self.case) }
            }
            span.stage.late[!is_name].due[is_name] { (match_word(one.by, one.score, visit)) }
            @if let Some(passed) = &one.passed {
                span.quiet {
                    @if self.is_changed { (visit.pick("um nome ou número mudou, não vale mais: ", "a name or number has changed, no longer valid: ")) }
                    (visit.pick("liberado por ", "let pass by ")) (passed.by) ", " (moment(passed.at, visit.zone(), visit.lang)) ": " (passed.why)
                }
            }
        }
    }
}

/// Renders the conflicts that the nightly check found.
pub(in crate::console) fn findings(found: &[NamedFinding], visit: &Visit) -> Markup {
    html! {
        @if !found.is_empty() { ul.people { @for one in found {
            @let StandingFinding { customer, lawsuit, .. } = &one.finding;
            li {
                (one.render(visit))
                @if one.is_undecided() {
                    a.button href={ (BASE) "/conflicts/pass?customer=" (customer.get()) "&lawsuit=" (lawsuit.get()) } { (visit.pick("Liberar…", "Let pass…")) }
                }
            }
        } } }
    }
}
