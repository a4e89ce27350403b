//! The warning of a write: `possible_conflicts`, up to ten lawsuits (events 23.3).

use std::sync::Arc;

use serde_json::Value;

use super::compare::PartyQuery;
use super::search::{Bounds, ConflictSearch, people_of};
use crate::app::App;
use crate::http::Call;
use crate::http::json::possible_conflicts::{self, PossibleConflicts, SearchTime};
use crate::index::SearchCost;
use crate::records::{Customer, CustomerId, Kind, Lawsuit, Nouns};
use crate::store::journal::Via;
use crate::store::{self, Db};

/// Searches for conflicts while a record is written. Uses the index as it is before the commit, so that no write
/// waits, and compares with the records as they are stored. The nightly check finds conflicts between records that are
/// written at the same time, and what a request has no time for.
pub struct ConflictWarner {
    app: Arc<App>,
    /// The nouns that the caller may see.
    nouns: Nouns,
    is_wanted: bool,
    time: Arc<SearchTime>,
}

impl ConflictWarner {
    /// Creates a warner, which finds conflicts only for requests to the API and for assistants. It finds none for the
    /// console, which asks before it stores, for imports, and for a caller who does not see lawsuits.
    pub fn new(call: &Call<'_>) -> ConflictWarner {
        let nouns = call.caller().rights.nouns;
        let is_wanted = matches!(call.via(), Via::Api | Via::Mcp) && nouns.has(Kind::Lawsuit);
        ConflictWarner { app: call.app().clone(), nouns, is_wanted, time: call.search_time().clone() }
    }

    /// Returns the lawsuits in which a customer is on the other side. `before` is the customer as it was, with its id.
    /// Empty if the name, the number and the origin stay the same.
    pub fn of_customer(
        &self,
        db: Db<'_>,
        customer: &Customer,
        before: Option<(CustomerId, &Customer)>,
    ) -> Result<PossibleConflicts, store::Error> {
        let people = |customer: &Customer| {
            (customer.name.clone(), customer.identification.clone(), customer.origin_id)
        };
        if !self.is_wanted || before.is_some_and(|(_, before)| people(before) == people(customer)) {
            return Ok(PossibleConflicts::default());
        }
        self.search(db, |search| {
            let person = match before {
                Some((id, _)) => PartyQuery::by_id(db, id.get())?,
                // No lawsuit has a new customer yet, so its id finds nothing.
                None => {
                    let side = search.side_of(customer.origin_id.get())?;
                    let name = customer.name.as_str();
                    Some(PartyQuery::new(side, Some(name.to_owned()), customer.identification.clone()))
                }
            };
            person.map_or(Ok(()), |person| search.look_for(&person))
        })
    }

    /// Returns the lawsuits in which a party of this one is on the other side. Empty if the parties stay the same.
    /// Only a new lawsuit is not stored yet.
    pub fn of_lawsuit(
        &self,
        db: Db<'_>,
        lawsuit: &Lawsuit,
        before: Option<&Lawsuit>,
    ) -> Result<PossibleConflicts, store::Error> {
        let people = |lawsuit: &Lawsuit| (lawsuit.customers.clone(), lawsuit.opposing_parties.clone());
        if !self.is_wanted || before.is_some_and(|before| people(before) == people(lawsuit)) {
            return Ok(PossibleConflicts::default());
        }
        self.search(db, |search| {
            people_of(db, lawsuit)?.iter().try_for_each(|person| search.look_for(person))
        })
    }

    /// Runs a search within what is left of the request's time.
    fn search<'s>(
        &'s self,
        db: Db<'s>,
        work: impl FnOnce(&mut ConflictSearch<'s>) -> Result<(), store::Error>,
    ) -> Result<PossibleConflicts, store::Error> {
        let left = self.time.left();
        if left.is_zero() {
            return Ok(PossibleConflicts { lawsuits: Vec::new(), is_cut: true });
        }
        let index = self.app.index();
        let began = self.app.monotonic();
        let db = db.seen_by(self.nouns);
        let mut search = ConflictSearch::new(index, db, SearchCost::IfReady, Bounds::default());
        search.stop_at(&self.app, began + left);
        work(&mut search)?;
        self.time.spend(self.app.monotonic().saturating_sub(began));
        let is_cut = search.is_stopped();
        Ok(PossibleConflicts { lawsuits: lawsuits(&mut search), is_cut })
    }
}

/// Returns the lawsuits of the conflicts that a search found.
fn lawsuits(search: &mut ConflictSearch<'_>) -> Vec<u32> {
    let mut lawsuits = Vec::new();
    for lawsuit in search.found().into_iter().filter_map(|conflict| conflict.lawsuit) {
        if !lawsuits.contains(&lawsuit) {
            lawsuits.push(lawsuit);
        }
    }
    lawsuits.truncate(possible_conflicts::MAX_LAWSUITS);
    lawsuits
}

/// Returns the schema of `possible_conflicts`.
pub fn schema() -> Value {
    possible_conflicts::schema((
        "Processos em que esta pessoa, ou uma das partes, pode estar do outro lado; ausente se não há. Avisa e nunca \
         recusa: veja `GET /conflicts`.",
        "Lawsuits in which this person, or one of the parties, may be on the other side. Absent if there are \
         none. This is a warning and never refuses the request: see `GET /conflicts`.",
    ))
}
