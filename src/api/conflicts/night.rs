//! Checks open cases for conflicts every night and stores new ones (events 23.5).
//!
//! A conflict consists of a client of the office and a lawsuit in which the client is on the other side. It changes
//! only if one of the two records or an origin changes. Therefore, a run checks only the lawsuits that the journal's
//! changes since the last run may affect. The first run, and the first one with new rules, checks every lawsuit.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::search::{Bounds, ConflictSearch, SoughtParty, build_index};
use crate::app::App;
use crate::domain::{MatchedBy, Score, Side, TaxId};
use crate::index::{NamesAlike, Waits};
use crate::records::{Customer, Lawsuit, List, Record};
use crate::store::conflict_findings::{self, ConflictFinding, ConflictRun};
use crate::store::conflicts::{self, SideCustomer, SidedCase};
use crate::store::journal::{self, Actor, JournalFilter, STORE, Via};
use crate::store::{self, Db, Store, lawsuits, records};

/// The version of the rules. If it differs from that of the last run, a run checks every lawsuit.
const RULES: u32 = 3;
/// In place of the version, after a run that did not check every lawsuit.
const UNFINISHED: u32 = 0;
/// Number of lawsuits that are read with one connection and written in one transaction.
const CHUNK: usize = 256;
/// Number of journal entries that are read at once.
const ENTRIES: u32 = 1_000;
/// If changes affect more lawsuits than this, a run checks every lawsuit.
const MANY: usize = 50_000;
/// At night, names match only if their words are the same or sound the same. There would be too many pairs of similar
/// names.
const BOUNDS: Bounds = Bounds { alike: NamesAlike::SameSound, is_open: false };
/// Number of conflicts that are written in one transaction, apart from those of one lawsuit. Other writes come in between.
const SLICE: usize = 500;
/// A run ends once it has stored this many new conflicts. The next one goes on.
pub const MOST: usize = 5_000;
/// Maximum number of clients that are stored for one opposing party by name only. A more common name is no evidence.
const BY_NAME: usize = 20;

/// The lawsuits that a run checks.
enum Work {
    All,
    These(BTreeSet<u32>),
}

/// Checks the open cases. Reads with its own connection, so that no thread of the store is occupied, and writes in
/// short transactions. An interrupted run, and the one after [`MOST`] new conflicts, starts over and reports nothing
/// twice. Returns the number of new conflicts.
pub fn run(app: &App) -> Result<usize, store::Error> {
    let (day, folder) = (app.today().number(), app.store().folder());
    let (last, seq) = Store::read_once(folder, |db| {
        Ok::<_, store::Error>((conflict_findings::last_run(db)?, journal::latest(db)?))
    })?;
    let work = match last {
        Some(last) if last.rules == RULES && last.seq <= seq => {
            Store::read_once(folder, |db| concerned(app, db, last.seq))?
        }
        _ => Work::All,
    };
    let mut kept = Kept::default();
    match work {
        Work::These(lawsuits) => {
            let lawsuits: Vec<u32> = lawsuits.into_iter().collect();
            for chunk in lawsuits.chunks(CHUNK) {
                ask(app, chunk.iter().copied(), &mut kept)?;
            }
        }
        Work::All => {
            let highest = Store::read_once(folder, |db| records::highest_id(db, Lawsuit::TABLE))?;
            for chunk in chunks(highest) {
                ask(app, chunk, &mut kept)?;
            }
        }
    }
    // Changes that were written during the run have higher numbers, so that the next run covers them.
    let run = match kept.is_cut {
        true => ConflictRun { seq: 0, day, rules: UNFINISHED },
        false => ConflictRun { seq, day, rules: RULES },
    };
    app.store().write(move |tx| conflict_findings::end_run(tx, run))?;
    if kept.is_cut {
        tracing::warn!(
            kept = kept.new,
            "more conflicts of interest than one check keeps; the next one goes on"
        );
    }
    Ok(kept.new)
}

/// What a run has stored so far.
#[derive(Default)]
struct Kept {
    new: usize,
    /// `true` if it stopped at [`MOST`].
    is_cut: bool,
}

/// Returns `true` if the last run stopped at [`MOST`].
pub fn is_unfinished(db: Db<'_>) -> Result<bool, store::Error> {
    Ok(conflict_findings::last_run(db)?.is_some_and(|run| run.rules == UNFINISHED))
}

/// Returns `true` if there was no run on this day yet. A last run on a later day does not count, because the clock
/// may have been set back.
pub fn is_due(app: &App) -> Result<bool, store::Error> {
    let last = Store::read_once(app.store().folder(), conflict_findings::last_run)?;
    Ok(last.is_none_or(|last| last.day != app.today().number()))
}

fn chunks(highest: u32) -> impl Iterator<Item = RangeInclusive<u32>> {
    let size = u32::try_from(CHUNK).unwrap_or(u32::MAX);
    (1..=highest).step_by(CHUNK).map(move |first| first..=first.saturating_add(size - 1).min(highest))
}

/// Returns the lawsuits whose conflicts may have changed after journal entry `since`.
fn concerned(app: &App, db: Db<'_>, mut since: u64) -> Result<Work, store::Error> {
    let origins = List::Origins.table().name;
    let kinds = [Customer::TABLE.name, Lawsuit::TABLE.name, origins];
    let filter = JournalFilter { kinds: Some(kinds.into()), ..JournalFilter::default() };
    let (mut cases, mut customers) = (BTreeSet::new(), BTreeSet::new());
    loop {
        let entries = journal::page(db, since, &filter, ENTRIES)?;
        for entry in &entries {
            match entry.kind.as_str() {
                kind if kind == origins || kind == STORE => return Ok(Work::All),
                kind if kind == Customer::TABLE.name => _ = customers.insert(entry.id),
                _ => _ = cases.insert(entry.id),
            }
        }
        if cases.len() + customers.len() > MANY {
            return Ok(Work::All);
        }
        match entries.last() {
            Some(last) if entries.len() == ENTRIES as usize => since = last.seq,
            _ => break,
        }
    }
    // Whether a client's other conflicts count depends on whether the client's lawsuits are open.
    for case in &cases {
        customers.extend(lawsuits::customers(db, *case)?.into_iter().map(|customer| customer.id.get()));
    }
    let mut search = ConflictSearch::new(app.index(), db, Waits::Built(db), BOUNDS);
    for id in customers {
        cases.extend(conflict_findings::lawsuits_of(db, id)?);
        // Finds the lawsuits against the customer, also if the customer is deleted.
        let sought = match conflicts::customer(db, id)? {
            Some(customer) => SoughtParty::customer(customer, Some(Side::Customer)),
            None => SoughtParty::deleted(id),
        };
        search.look_for(&sought)?;
        cases.extend(search.found().into_iter().filter_map(|conflict| conflict.lawsuit));
        if cases.len() > MANY {
            return Ok(Work::All);
        }
    }
    Ok(Work::These(cases))
}

/// Finds the conflicts of these lawsuits and replaces the stored ones if they differ. Does nothing once enough is kept.
/// Fails with `Closed` if the program stops.
fn ask(app: &App, cases: impl Iterator<Item = u32>, kept: &mut Kept) -> Result<(), store::Error> {
    if kept.is_cut {
        return Ok(());
    }
    if *app.closing().borrow() {
        return Err(store::Error::Closed);
    }
    let differing = Store::read_once(app.store().folder(), |db| {
        build_index(app.index(), db)?;
        db.snapshot(|db| {
            let mut search = ConflictSearch::new(app.index(), db, Waits::Built(db), BOUNDS);
            let mut differing = Vec::new();
            for case in cases {
                let found = findings(&mut search, db, case)?;
                if conflict_findings::differ(db, case, &found)? {
                    differing.push((case, found));
                }
            }
            Ok::<_, store::Error>(differing)
        })
    })?;
    let now = app.now();
    for slice in slices(differing) {
        if kept.new >= MOST {
            kept.is_cut = true;
            break;
        }
        kept.new += app.store().write(move |tx| {
            let tx = tx.by(Actor { via: Via::Command, who: None, request_id: None, at: now });
            slice.iter().try_fold(0, |new, (case, found)| {
                Ok::<_, store::Error>(new + conflict_findings::replace(tx, *case, found, now)?)
            })
        })?;
    }
    Ok(())
}

/// A lawsuit with its conflicts.
type Found = (u32, Vec<ConflictFinding>);

/// Divides lawsuits into groups of at most [`SLICE`] conflicts, or of one lawsuit.
fn slices(all: Vec<Found>) -> Vec<Vec<Found>> {
    let (mut slices, mut size) = (Vec::<Vec<Found>>::new(), 0);
    for found in all {
        size += found.1.len();
        match slices.last_mut().filter(|_| size <= SLICE) {
            Some(slice) => slice.push(found),
            None => {
                size = found.1.len();
                slices.push(vec![found]);
            }
        }
    }
    slices
}

/// Returns the conflicts of a lawsuit: the clients on its other side, if the lawsuit or one of theirs is open.
fn findings(
    search: &mut ConflictSearch<'_>,
    db: Db<'_>,
    case: u32,
) -> Result<Vec<ConflictFinding>, store::Error> {
    let Some(case) = conflicts::case(db, case)? else { return Ok(Vec::new()) };
    let own = lawsuits::customers(db, case.id.get())?;
    let mut people: Vec<SoughtParty> = case.parties.iter().map(SoughtParty::party).collect();
    for customer in own.iter().filter(|customer| customer.is_opposing) {
        people.extend(SoughtParty::by_id(db, customer.id.get())?);
    }
    let mut found: Vec<(MatchedBy, Reverse<Score>, u32, ConflictFinding)> = Vec::new();
    for person in &people {
        let mut like = Vec::new();
        for (client, by, score) in search.customers_like(person)? {
            // Relatives with similar names are often on both sides of a lawsuit. The user who entered it saw both
            // names.
            let is_own = by == MatchedBy::Name && own.iter().any(|customer| customer.id == client.id);
            if !is_own && counts(db, &case, &client, by)? {
                let basis = basis(person, &client);
                let id = client.id.get();
                like.push((by, Reverse(score), id, ConflictFinding { customer: id, by, score, basis }));
            }
        }
        like.sort_by_key(|(by, score, id, _)| (*by, *score, *id));
        let mut by_name = 0;
        like.retain(|(by, ..)| {
            by_name += usize::from(*by == MatchedBy::Name);
            *by != MatchedBy::Name || by_name <= BY_NAME
        });
        found.extend(like);
    }
    found.sort_by(|one, other| {
        (one.0, one.1, one.2, &one.3.basis).cmp(&(other.0, other.1, other.2, &other.3.basis))
    });
    let mut seen = BTreeSet::new();
    found.retain(|(_, _, client, _)| seen.insert(*client));
    Ok(found.into_iter().map(|(.., finding)| finding).collect())
}

/// Returns `true` if the lawsuit is open or the client has an open one. A party that is also entered as a customer,
/// but has no lawsuits, was never represented and is no client.
fn counts(db: Db<'_>, case: &SidedCase, client: &SideCustomer, by: MatchedBy) -> Result<bool, store::Error> {
    let id = client.id.get();
    if by == MatchedBy::Customer && conflicts::cases_of(db, id)?.is_empty() {
        return Ok(false);
    }
    Ok(case.status_closure.is_none() || conflicts::has_open_case(db, id)?)
}

/// Returns the names and numbers that a conflict is based on, one per line.
fn basis(person: &SoughtParty, client: &SideCustomer) -> String {
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
