//! Searches for people and companies on the other side of the office's cases (events 23.3).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::compare::PartyQuery;
use crate::app::App;
use crate::domain::{ConflictOutcome, MatchedBy, Score, Side, TaxId};
use crate::index::{Index, NameMatching, PersonQuery, SearchCost};
use crate::records::{Customer, Kind, Lawsuit, Record};
use crate::store::conflicts::{self, SideCustomer, SidedCase};
use crate::store::{self, Db};

/// A person on the other side.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// `None` for a customer without lawsuits.
    pub lawsuit: Option<u32>,
    /// The customer's id, if the person is a customer.
    pub customer: Option<u32>,
    /// The side on which the person was found.
    pub side: Side,
    pub name: String,
    pub identification: Option<TaxId>,
    pub by: MatchedBy,
    pub score: Score,
}

impl Conflict {
    /// Orders conflicts by the strength of the match, then by score, then by lawsuit, newest first.
    pub fn rank(&self) -> (MatchedBy, Reverse<(Score, bool, Option<u32>)>) {
        (self.by, Reverse((self.score, self.lawsuit.is_some(), self.lawsuit)))
    }
}

/// The bounds of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    pub matching: NameMatching,
    /// `true` to leave out closed lawsuits.
    pub is_open: bool,
}

/// A search in one state of the store. Caches the lawsuits that it reads.
pub struct ConflictSearch<'s> {
    index: &'s Index,
    db: Db<'s>,
    cost: SearchCost<'s>,
    bounds: Bounds,
    cases: BTreeMap<u32, Option<SidedCase>>,
    found: Vec<Conflict>,
    /// The monotonic time at which the search stops.
    deadline: Option<(&'s App, Duration)>,
    is_stopped: bool,
}

impl<'s> ConflictSearch<'s> {
    /// Starts a search in the records that the caller of `db` may see. The caller must at least see customers.
    pub fn new(index: &'s Index, db: Db<'s>, cost: SearchCost<'s>, bounds: Bounds) -> ConflictSearch<'s> {
        let cases = BTreeMap::new();
        let found = Vec::new();
        ConflictSearch { index, db, cost, bounds, cases, found, deadline: None, is_stopped: false }
    }

    /// Stops the search at a monotonic time. It then keeps what it has found.
    pub fn stop_at(&mut self, app: &'s App, deadline: Duration) {
        self.deadline = Some((app, deadline));
    }

    /// Returns `true` if the search was stopped, so that it may lack conflicts.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    fn is_late(&mut self) -> bool {
        let is_late = || self.deadline.is_some_and(|(app, deadline)| app.monotonic() >= deadline);
        self.is_stopped = self.is_stopped || is_late();
        self.is_stopped
    }

    /// Searches for a person on the other side.
    pub fn look_for(&mut self, party: &PartyQuery) -> Result<(), store::Error> {
        if self.is_late() {
            return Ok(());
        }
        let is_opposing = party.side == Side::Customer;
        if is_opposing && self.db.nouns().has(Kind::Lawsuit) {
            for lawsuit in self.index.lawsuits_against(self.person(party), self.cost)? {
                if self.is_late() {
                    return Ok(());
                }
                self.search_parties(lawsuit, party)?;
            }
        }
        for (customer, by, score) in self.customers_like(party)? {
            self.add_customer(customer, by, score)?;
        }
        Ok(())
    }

    /// Returns the customers on the other side who may be this person.
    pub fn customers_like(
        &mut self,
        party: &PartyQuery,
    ) -> Result<Vec<(SideCustomer, MatchedBy, Score)>, store::Error> {
        let other = Side::opposing_if(party.side == Side::Customer);
        let mut ids = self.index.customers_like(self.person(party), other, self.cost)?;
        ids.extend(party.customer);
        let mut like = Vec::new();
        for id in ids {
            if self.is_late() {
                break;
            }
            let Some(customer) = conflicts::customer(self.db, id)? else { continue };
            if customer.side == party.side {
                continue;
            }
            let number = customer.identification.as_ref();
            let lowest = self.bounds.matching.lowest();
            if let Some((by, score)) = party.compare(Some(id), &customer.name, number, lowest) {
                like.push((customer, by, score));
            }
        }
        Ok(like)
    }

    fn person<'p>(&self, party: &'p PartyQuery) -> PersonQuery<'p> {
        PersonQuery {
            name: party.words.as_ref(),
            identification: party.identification.as_ref(),
            customer: party.customer,
            matching: self.bounds.matching,
        }
    }

    /// Searches for a person among the opposing parties of a lawsuit.
    fn search_parties(&mut self, lawsuit: u32, person: &PartyQuery) -> Result<(), store::Error> {
        let lowest = self.bounds.matching.lowest();
        let Some(case) = self.case(lawsuit)? else { return Ok(()) };
        let mut found = Vec::new();
        for party in case.parties.iter() {
            let name = party.name.as_ref().map_or("", |name| name.as_str());
            let number = party.identification.as_ref();
            let Some((by, score)) = person.compare(party.customer, name, number, lowest) else { continue };
            found.push(Conflict {
                lawsuit: Some(lawsuit),
                customer: party.customer,
                side: Side::Opposing,
                name: name.to_owned(),
                identification: party.identification.clone(),
                by,
                score,
            });
        }
        self.found.extend(found);
        Ok(())
    }

    /// Adds a conflict for each lawsuit of a customer.
    fn add_customer(
        &mut self,
        customer: SideCustomer,
        by: MatchedBy,
        score: Score,
    ) -> Result<(), store::Error> {
        let id = customer.id.get();
        let conflict = Conflict {
            lawsuit: None,
            customer: Some(id),
            side: customer.side,
            name: customer.name,
            identification: customer.identification,
            by,
            score,
        };
        let is_seen = self.db.nouns().has(Kind::Lawsuit);
        let lawsuits = if is_seen { conflicts::cases_of(self.db, id)? } else { Vec::new() };
        if lawsuits.is_empty() {
            // A party that is also entered as a customer, but has no lawsuits, was never represented and is no client.
            if by != MatchedBy::Customer {
                self.found.push(conflict);
            }
            return Ok(());
        }
        for lawsuit in lawsuits {
            if self.case(lawsuit)?.is_some() {
                self.found.push(Conflict { lawsuit: Some(lawsuit), ..conflict.clone() });
            }
        }
        Ok(())
    }

    /// Returns a lawsuit if it is within the bounds.
    fn case(&mut self, lawsuit: u32) -> Result<Option<&SidedCase>, store::Error> {
        if let std::collections::btree_map::Entry::Vacant(unread) = self.cases.entry(lawsuit) {
            let case = conflicts::case(self.db, lawsuit)?;
            unread.insert(case.filter(|case| !self.bounds.is_open || case.status_closure.is_none()));
        }
        Ok(self.cases.get(&lawsuit).and_then(Option::as_ref))
    }

    /// Returns the side of customers with this origin.
    pub fn side_of(&self, origin: u32) -> Result<Side, store::Error> {
        self.index.side_of(origin, self.cost)
    }

    /// Returns the conflicts in the order of their [`Conflict::rank`], with each person of a lawsuit once.
    pub fn found(&mut self) -> Vec<Conflict> {
        let mut found = std::mem::take(&mut self.found);
        // Stable, so that a party's current name goes before the one that the lawsuit has.
        found.sort_by_key(Conflict::rank);
        let mut seen = BTreeSet::new();
        found.retain(|conflict| {
            let person = match conflict.customer {
                Some(customer) => (Some(customer), String::new(), None),
                None => (None, conflict.name.clone(), conflict.identification.clone()),
            };
            seen.insert((conflict.lawsuit, conflict.side, person))
        });
        found
    }

    pub fn case_of(&self, conflict: &Conflict) -> Option<&SidedCase> {
        self.cases.get(&conflict.lawsuit?).and_then(Option::as_ref)
    }
}

/// Builds the parts of the index that a check reads. Call this before the check opens its snapshot, because a build
/// would keep the snapshot open.
pub fn build_index(index: &Index, db: Db<'_>) -> Result<(), store::Error> {
    index.total(db, Customer::TABLE)?;
    index.total(db, Lawsuit::TABLE)?;
    Ok(())
}

/// Returns the outcome of a check. `found` is in the order of [`ConflictSearch::found`].
pub fn outcome(found: &[Conflict]) -> ConflictOutcome {
    found.first().map_or(ConflictOutcome::None, |conflict| conflict.by.outcome())
}

/// Returns the people of a lawsuit with their sides: its customers, and its opposing parties.
pub fn people_of(db: Db<'_>, lawsuit: &Lawsuit) -> Result<Vec<PartyQuery>, store::Error> {
    let mut people = Vec::new();
    for customer in &lawsuit.customers {
        people.extend(PartyQuery::by_id(db, customer.get())?);
    }
    let parties = conflicts::current_parties(db, &lawsuit.opposing_parties)?;
    people.extend(parties.iter().map(PartyQuery::party));
    Ok(people)
}
