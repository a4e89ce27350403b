//! Conflicts of interest on the page of a customer or a lawsuit: found ones, kept checks, and the link to ask.

use super::lists::{NamedFinding, checks, findings};
use crate::console::prelude::*;
use crate::store::conflicts::conflict_checks::{self, KeptCheckEntry};
use crate::store::conflicts::conflict_findings;

/// The first conflicts and checks of a record, and the number of all.
pub(in crate::console) struct ConflictsBeside {
    kind: Kind,
    pub(super) found: Vec<NamedFinding>,
    pub(super) found_total: usize,
    pub(super) checks: Vec<KeptCheckEntry>,
    pub(super) checks_total: usize,
}

impl ConflictsBeside {
    /// Conflicts and checks shown on the page of a record.
    pub const MAX_PANEL_ENTRIES: usize = 5;

    /// Reads the conflicts and checks of a record, at most `most` of each. Returns `None` for records of other kinds, and
    /// if lawsuits are hidden from the caller.
    pub fn read(db: Db<'_>, kind: Kind, id: u32, most: usize) -> StoreResult<Option<ConflictsBeside>> {
        if !db.nouns().has(Kind::Lawsuit) {
            return Ok(None);
        }
        let (mut found, mut checks) = match kind {
            Kind::Customer => (
                conflict_findings::of_customer(db, id, u32::MAX)?,
                conflict_checks::of_customer(db, id, u32::MAX)?,
            ),
            Kind::Lawsuit => (
                conflict_findings::of_lawsuit(db, id, u32::MAX)?,
                conflict_checks::of_lawsuit(db, id, u32::MAX)?,
            ),
            _ => return Ok(None),
        };
        let found_total = found.len();
        let checks_total = checks.len();
        // Of those without a decision, which come first, no more are compared than are shown.
        let undecided = found.iter().filter(|one| one.passed.is_none()).count();
        found.drain(most.min(undecided)..undecided);
        let mut found = NamedFinding::all(db, found)?;
        found.truncate(most);
        checks.truncate(most);
        Ok(Some(ConflictsBeside { kind, found, found_total, checks, checks_total }))
    }

    /// Renders the first ones, with a link to the page that lists all.
    pub fn render(&self, id: &str, visit: &Visit) -> Markup {
        let name = if self.kind == Kind::Customer { "customer_id" } else { "lawsuit_id" };
        let all = format!("{BASE}/conflicts?{name}={id}");
        let see_all = |shown: usize, total: usize, anchor: &str| {
            html! {
                @if total > shown {
                    p { a href={ (all) "#" (anchor) } { (visit.pick("Ver tudo", "See all")) " (" (count(total as u64, visit.lang)) ")" } }
                }
            }
        };
        html! {
            section.below {
                header {
                    h2 { (visit.pick("Conflito de interesses", "Conflicts of interest")) }
                    a.button href=(all) { (visit.pick("Verificar…", "Check…")) }
                }
                (findings(&self.found, visit))
                (see_all(self.found.len(), self.found_total, "found"))
                (checks(&self.checks, visit))
                (see_all(self.checks.len(), self.checks_total, "checks"))
                @if self.found.is_empty() && self.checks.is_empty() { p.quiet { (visit.pick("Ainda não verificado.", "Not checked yet.")) } }
            }
        }
    }
}
