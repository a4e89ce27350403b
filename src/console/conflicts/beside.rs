//! Conflicts of interest on the page of a customer or a lawsuit: found ones, kept checks, and the link to ask.

use super::lists::{checks, findings};
use crate::console::prelude::*;
use crate::store::conflict_checks::{self, KeptCheckEntry};
use crate::store::conflict_findings::{self, StandingFinding};

/// Checks and conflicts shown on the page.
const SHOWN: u32 = 5;

pub(in crate::console) struct ConflictsBeside {
    kind: Kind,
    found: Vec<StandingFinding>,
    checks: Vec<KeptCheckEntry>,
}

impl ConflictsBeside {
    /// Reads the conflicts and checks of a record. Returns `None` for records of other kinds, and if lawsuits are hidden
    /// from the caller.
    pub fn read(db: Db<'_>, record: &View) -> StoreResult<Option<ConflictsBeside>> {
        let kind = record.table.kind;
        if !db.nouns().has(Kind::Lawsuit) {
            return Ok(None);
        }
        let (found, checks) = match kind {
            Kind::Customer => (
                conflict_findings::of_customer(db, record.id, SHOWN)?,
                conflict_checks::of_customer(db, record.id, SHOWN)?,
            ),
            Kind::Lawsuit => (
                conflict_findings::of_lawsuit(db, record.id, SHOWN)?,
                conflict_checks::of_lawsuit(db, record.id, SHOWN)?,
            ),
            _ => return Ok(None),
        };
        Ok(Some(ConflictsBeside { kind, found, checks }))
    }

    pub fn draw(&self, id: &str, visit: &Visit) -> Markup {
        let name = if self.kind == Kind::Customer { "customer_id" } else { "lawsuit_id" };
        html! {
            section.below {
                header {
                    h2 { (visit.pick("Conflito de interesses", "Conflicts of interest")) }
                    a.button href={ (BASE) "/conflicts?" (name) "=" (id) } { (visit.pick("Verificar…", "Check…")) }
                }
                @if !self.found.is_empty() { (findings(&self.found, visit)) }
                @if !self.checks.is_empty() { (checks(&self.checks, visit)) }
                @else if self.found.is_empty() { p.quiet { (visit.pick("Ainda não verificado.", "Not checked yet.")) } }
            }
        }
    }
}
