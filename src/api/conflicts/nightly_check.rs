//! The nightly check: searches all open cases for conflicts and stores new ones (events 23.5). `decisions` are what people made
//! of them.
//!
//! A conflict consists of a client of the office and a lawsuit in which the client is on the other side.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::compare::PartyQuery;
use super::search::{Bounds, ConflictSearch, build_index};
use crate::app::App;
use crate::domain::{MatchedBy, Score, TaxId};
use crate::index::{NameMatching, SearchCost};
use crate::records::{Lawsuit, Record};
use crate::store::conflicts::conflict_findings::{self, ConflictFinding, ConflictRun};
use crate::store::conflicts::{self, SideCustomer, SidedCase};
use crate::store::journal::{Actor, Via};
use crate::store::nouns::lawsuits;
use crate::store::{self, Db, Store, records};

/// Number of lawsuits that are read with one connection and written in one transaction.
const LAWSUITS_PER_WRITE: usize = 256;
/// At night, names match only if their words are the same or sound the same. There would be too many pairs of similar
/// names.
pub(super) const BOUNDS: Bounds = Bounds { matching: NameMatching::SameSound, is_open: false };
/// Number of conflicts that are written in one transaction, apart from those of one lawsuit. Other writes come in between.
const CONFLICTS_PER_WRITE: usize = 500;
/// A run ends once it has stored this many new conflicts. The next one goes on.
pub const MAX_NEW_CONFLICTS: usize = 5_000;
/// Maximum number of clients that are stored for one opposing party by name only. A more common name is no evidence.
const MAX_CLIENTS_BY_NAME: usize = 20;

/// Checks every lawsuit. Reads with its own connection, so that no thread of the store is occupied, and writes in
/// short transactions. An interrupted run, and the one after [`MAX_NEW_CONFLICTS`] new conflicts, reports nothing twice.
/// Returns the number of new conflicts.
pub fn run(app: &App) -> Result<usize, store::Error> {
    let day = app.today().number();
    let highest = Store::read_once(app.store().folder(), |db| records::highest_id(db, Lawsuit::TABLE))?;
    let mut new = 0;
    let mut is_cut = false;
    for chunk in chunks(highest) {
        is_cut = !check_lawsuits(app, chunk, &mut new)?;
        if is_cut {
            tracing::warn!(
                kept = new,
                "more conflicts of interest than one check keeps; the next one goes on"
            );
            break;
        }
    }
    app.store().write(move |tx| conflict_findings::end_run(tx, ConflictRun { day, is_cut }))?;
    Ok(new)
}

/// Returns `true` if the last run stopped at [`MAX_NEW_CONFLICTS`].
pub fn is_unfinished(db: Db<'_>) -> Result<bool, store::Error> {
    Ok(conflict_findings::last_run(db)?.is_some_and(|run| run.is_cut))
}

/// Returns `true` if there was no run on this day yet. A last run on a later day does not count, because the clock
/// may have been set back.
pub fn is_due(app: &App) -> Result<bool, store::Error> {
    let last = Store::read_once(app.store().folder(), conflict_findings::last_run)?;
    Ok(last.is_none_or(|last| last.day != app.today().number()))
}

fn chunks(highest: u32) -> impl Iterator<Item = RangeInclusive<u32>> {
    let size = u32::try_from(LAWSUITS_PER_WRITE).unwrap_or(u32::MAX);
    (1..=highest)
        .step_by(LAWSUITS_PER_WRITE)
        .map(move |first| first..=first.saturating_add(size - 1).min(highest))
}

/// Finds the conflicts of these lawsuits, replaces the stored ones if they differ, and adds the number of new ones to
/// `new`. Returns `false` if it stopped because enough are kept. Fails with `Closed` if the program stops.
fn check_lawsuits(app: &App, lawsuits: RangeInclusive<u32>, new: &mut usize) -> Result<bool, store::Error> {
    if *app.closing().borrow() {
        return Err(store::Error::Closed);
    }
    let differing = Store::read_once(app.store().folder(), |db| {
        build_index(app.index(), db)?;
        db.snapshot(|db| {
            let mut search = ConflictSearch::new(app.index(), db, SearchCost::Built(db), BOUNDS);
            let mut differing = Vec::new();
            for lawsuit in lawsuits {
                let found = findings(&mut search, db, lawsuit)?;
                if conflict_findings::differ(db, lawsuit, &found)? {
                    differing.push((lawsuit, found));
                }
            }
            Ok::<_, store::Error>(differing)
        })
    })?;
    let now = app.now();
    for group in write_groups(differing) {
        if *new >= MAX_NEW_CONFLICTS {
            return Ok(false);
        }
        *new += app.store().write(move |tx| {
            let tx = tx.by(Actor { via: Via::Command, who: None, request_id: None, at: now });
            group.iter().try_fold(0, |new, (lawsuit, found)| {
                Ok::<_, store::Error>(new + conflict_findings::replace(tx, *lawsuit, found, now)?)
            })
        })?;
    }
    Ok(true)
}

type Found = (u32, Vec<ConflictFinding>);

/// Divides lawsuits into groups of at most [`CONFLICTS_PER_WRITE`] conflicts, or of one lawsuit.
fn write_groups(all: Vec<Found>) -> Vec<Vec<Found>> {
    let mut groups = Vec::<Vec<Found>>::new();
    let mut size = 0;
    for found in all {
        size += found.1.len();
        match groups.last_mut().filter(|_| size <= CONFLICTS_PER_WRITE) {
            Some(group) => group.push(found),
            None => {
                size = found.1.len();
                groups.push(vec![found]);
            }
        }
    }
    groups
}

/// Returns the conflicts of a lawsuit: the clients on its other side, if the lawsuit or one of theirs is open.
fn findings(
    search: &mut ConflictSearch<'_>,
    db: Db<'_>,
    case: u32,
) -> Result<Vec<ConflictFinding>, store::Error> {
    let Some(case) = conflicts::case(db, case)? else { return Ok(Vec::new()) };
    let own_customers = lawsuits::customers(db, case.id.get())?;
    let people = people_against(db, &case)?;
    let mut found = Vec::new();
    for person in &people {
        let mut of_person = Vec::new();
        for (client, by, score) in search.customers_like(person)? {
            // Relatives with similar names are often on both sides of a lawsuit. The user who entered it saw both
            // names.
            let is_own =
                by == MatchedBy::Name && own_customers.iter().any(|customer| customer.id == client.id);
            if !is_own && is_conflict(db, &case, &client, by)? {
                of_person.push(finding(person, &client, by, score));
            }
        }
        of_person.sort_by(|one, other| one.rank().cmp(&other.rank()));
        let mut by_name = 0;
        of_person.retain(|finding| {
            by_name += usize::from(finding.by == MatchedBy::Name);
            finding.by != MatchedBy::Name || by_name <= MAX_CLIENTS_BY_NAME
        });
        found.extend(of_person);
    }
    found.sort_by(|one, other| one.rank().cmp(&other.rank()));
    let mut seen = BTreeSet::new();
    found.retain(|finding| seen.insert(finding.customer));
    Ok(found)
}

/// Returns the people on the other side of a lawsuit.
pub(super) fn people_against(db: Db<'_>, case: &SidedCase) -> Result<Vec<PartyQuery>, store::Error> {
    let mut people: Vec<PartyQuery> = case.parties.iter().map(PartyQuery::party).collect();
    let own = lawsuits::customers(db, case.id.get())?;
    for customer in own.iter().filter(|customer| customer.is_opposing) {
        people.extend(PartyQuery::by_id(db, customer.id.get())?);
    }
    Ok(people)
}

pub(super) fn finding(
    person: &PartyQuery,
    client: &SideCustomer,
    by: MatchedBy,
    score: Score,
) -> ConflictFinding {
    ConflictFinding { customer: client.id.get(), by, score, basis: basis(person, client) }
}

/// Returns `true` if the lawsuit is open or the client has an open one. A party that is also entered as a customer,
/// but has no lawsuits, was never represented and is no client.
fn is_conflict(
    db: Db<'_>,
    case: &SidedCase,
    client: &SideCustomer,
    by: MatchedBy,
) -> Result<bool, store::Error> {
    let id = client.id.get();
    if by == MatchedBy::Customer && conflicts::cases_of(db, id)?.is_empty() {
        return Ok(false);
    }
    Ok(case.status_closure.is_none() || conflicts::has_open_case(db, id)?)
}

/// Returns the names and numbers that a conflict is based on, one per line.
fn basis(person: &PartyQuery, client: &SideCustomer) -> String {
    let number = |number: &Option<TaxId>| number.as_ref().map_or("", TaxId::as_str).to_owned();
    [
        client.name.clone(),
        number(&client.identification),
        person.name.clone().unwrap_or_default(),
        number(&person.identification),
        person.customer.map(|id| id.to_string()).unwrap_or_default(),
    ]
    .join("\n")
}
