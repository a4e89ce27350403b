//! The warning in the form of a customer or lawsuit, before anything is stored: beside the field as it is typed and,
//! without a script, when the form is sent. A form that changes a record warns of the people that it adds. A form with a
//! certain conflict or the same name is stored with a decision only.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::decision::{Decision, DecisionForm};
use super::texts::{case_words, match_word};
use crate::api::conflicts::compare::PartyQuery;
use crate::api::conflicts::search::{Bounds, Conflict, ConflictSearch, build_index, people_of};
use crate::console::prelude::*;
use crate::domain::{ConflictOutcome, MatchedBy, OpposingParties, Score, Side, TaxId};
use crate::index::{Index, SearchCost};
use crate::records::{Customer, Lawsuit, LawsuitId};
use crate::store::conflicts::conflict_findings::ConflictPair;
use crate::store::{conflicts, records};

/// Form field with the keys of the people that the visitor has seen in a warning.
const SEEN: &str = "conflicts";
/// Form fields that conflicts are found by.
const FOUND_BY: &str = "name identification customers_origins_id customers_id opposing_parties";
/// People that a warning lists, those with the strongest signs first; as many as a check lists conflicts.
const MAX_WARNED_PEOPLE: usize = 200;
/// Cases that a warning names of each person.
const MAX_NAMED_CASES: usize = 3;

/// The fields of a form from which people and their sides follow.
#[derive(Default)]
struct Typed {
    name: String,
    identification: String,
    origin: Option<u32>,
    customers: Vec<u32>,
    parties: String,
}

/// A person on the other side, with the cases in which the person is.
struct Warned {
    name: String,
    side: Side,
    by: MatchedBy,
    score: Score,
    /// Identifies the person and the cases. If a case is added, the person is shown again.
    key: u64,
    /// All cases, the newest first. Empty for a customer without lawsuits.
    cases: Vec<u32>,
    /// The first cases, with their words.
    named: Vec<(u32, String)>,
}

#[derive(Default)]
pub(in crate::console) struct ConflictWarning {
    /// The record that the form changes.
    pub record: Option<u32>,
    found: Vec<Warned>,
    /// The pairs that a person has to let pass before the form is stored.
    pairs: Vec<ConflictPair>,
    decision: DecisionForm,
    /// Number of people who are not listed.
    more: usize,
    /// Keys of the people that the form showed already.
    seen: BTreeSet<u64>,
}

/// Returns `true` for the field that the warning stands beside.
pub(in crate::console) fn is_beside(table: &Table, field: &Field) -> bool {
    match table.kind {
        Kind::Customer => field.column == "identification",
        Kind::Lawsuit => field.column == "opposing_parties",
        _ => false,
    }
}

/// Renders the warning for what is typed in a form, as a part of its page. `record` is the id in the path of a form
/// that changes a record.
pub(in crate::console) async fn part(kind: &str, record: &[&str], visit: &Visit) -> Result<Answer> {
    let table = if kind == "customers" { Customer::TABLE } else { Lawsuit::TABLE };
    let record = match record {
        [] => None,
        [id] => Some(id.parse().map_err(|_| Problem::no_route())?),
        _ => return Err(Problem::no_route()),
    };
    let warning = read(table, record, Typed::of(&visit.query), visit).await?;
    Ok(crate::console::requests::response::html_answer(StatusCode::OK, warning.render(visit).into_string()))
}

impl ConflictWarning {
    /// Looks for conflicts of a form that was sent with these changed fields. Empty for records of other kinds.
    pub async fn of_form(
        table: &'static Table,
        record: Option<u32>,
        changed: &[(&'static str, String)],
        visit: &Visit,
    ) -> Result<ConflictWarning> {
        let counts = |(name, _): &(&str, String)| FOUND_BY.split(' ').any(|by| by == *name);
        if !matches!(table.kind, Kind::Customer | Kind::Lawsuit) || !changed.iter().any(counts) {
            return Ok(ConflictWarning::default());
        }
        let seen = typed(&visit.form, SEEN).split(',').filter_map(|key| key.parse().ok()).collect();
        Ok(ConflictWarning { seen, ..read(table, record, Typed::of(&visit.form), visit).await? })
    }

    /// Returns `true` if the form asks for a reason.
    pub fn asks_why(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Returns `true` if the form asks before it is stored.
    pub fn needs_answer(&self) -> bool {
        !self.found.iter().all(|warned| self.seen.contains(&warned.key)) || !self.pairs.is_empty()
    }

    /// Returns the decision with which the form is stored, or `None` if it has to be asked for, or if the form has not
    /// shown all of these people.
    pub fn decide(&mut self, visit: &Visit) -> Option<Decision> {
        let is_seen = self.found.iter().all(|warned| self.seen.contains(&warned.key));
        if self.pairs.is_empty() {
            return is_seen.then(Decision::default);
        }
        self.decision.read(&self.pairs, visit).filter(|_| is_seen)
    }

    /// Renders the place of the warning in a form, which the script fills while the form is typed.
    pub fn render_beside(&self, table: &Table, visit: &Visit) -> Markup {
        let record = self.record.map(|id| format!("/{id}")).unwrap_or_default();
        html! {
            div.field.wide.conflict-warning data-found={ (BASE) "/conflicts/warning/" (table.path) (record) } data-by=(FOUND_BY) { (self.render(visit)) }
            @if !self.pairs.is_empty() { (self.decision.render(visit)) }
        }
    }

    /// Renders the people, and a hidden field by which the form tells that it showed them.
    fn render(&self, visit: &Visit) -> Markup {
        let seen = self.found.iter().map(|warned| warned.key).chain(self.seen.iter().copied());
        let seen = seen.collect::<BTreeSet<u64>>();
        let seen = seen.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        html! {
            @if !self.found.is_empty() {
                div.alert.alike role="status" {
                    p { strong { (match self.found.first().map(|warned| warned.by.outcome()) {
                        Some(ConflictOutcome::Certain) => visit.pick("Conflito de interesses:", "Conflict of interest:"),
                        _ => visit.pick("Possível conflito de interesses:", "Possible conflict of interest:"),
                    }) } }
                    ul { @for warned in &self.found { li { (warned.render(visit)) } } }
                    @if self.more > 0 { p.quiet { (visit.pick("E mais ", "And ")) (count(self.more as u64, visit.lang)) (visit.pick(".", " more.")) } }
                    p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) }
                }
            }
            @if !seen.is_empty() { input type="hidden" name=(SEEN) value=(seen); }
        }
    }
}

impl Warned {
    /// Groups conflicts by person, in the order of their strongest signs.
    fn all(found: Vec<Conflict>) -> Vec<Warned> {
        let mut all: Vec<(Conflict, Vec<u32>)> = Vec::new();
        for conflict in found {
            let is_same = |one: &Conflict| {
                one.side == conflict.side
                    && one.customer == conflict.customer
                    && (one.customer.is_some()
                        || (&one.name, &one.identification) == (&conflict.name, &conflict.identification))
            };
            match all.iter_mut().find(|(one, _)| is_same(one)) {
                Some((_, cases)) => cases.extend(conflict.lawsuit),
                None => {
                    let cases = conflict.lawsuit.into_iter().collect();
                    all.push((conflict, cases));
                }
            }
        }
        let warned = all.into_iter().map(|(person, mut cases)| {
            cases.sort_unstable_by(|one, other| other.cmp(one));
            cases.dedup();
            let mut key = DefaultHasher::new();
            let number = person.identification.as_ref().map(TaxId::as_str);
            (person.side, person.customer, &person.name, number, &cases).hash(&mut key);
            let Conflict { name, side, by, score, .. } = person;
            Warned { name, side, by, score, key: key.finish(), cases, named: Vec::new() }
        });
        warned.collect()
    }

    fn render(&self, visit: &Visit) -> Markup {
        let more = self.cases.len() - self.named.len();
        html! {
            (self.name) " "
            @match self.side {
                Side::Opposing => (visit.pick("é parte contrária", "is an opposing party")),
                Side::Customer => (visit.pick("é cliente", "is a customer")),
            }
            @for (at, (id, word)) in self.named.iter().enumerate() {
                @if at == 0 { " " (visit.pick("em", "in")) " " } @else { ", " }
                // Opens in another tab, so that the filled-in form is kept.
                a href={ (BASE) "/lawsuits/" (id) } target="_blank" { (word) }
            }
            @if more > 0 { " " (visit.pick("e mais ", "and ")) (count(more as u64, visit.lang)) (visit.pick("", " more")) }
            " " span.quiet { "(" (match_word(self.by, self.score, visit)) ")" }
        }
    }
}

/// Returns the values of a field, joined with commas.
fn typed(pairs: &[(String, String)], name: &str) -> String {
    let all = pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.trim());
    all.collect::<Vec<_>>().join(",")
}

impl Typed {
    fn of(pairs: &[(String, String)]) -> Typed {
        let value = |name| typed(pairs, name);
        Typed {
            name: value("name"),
            identification: value("identification"),
            origin: value("customers_origins_id").parse().ok(),
            customers: value("customers_id").split([',', ' ']).filter_map(|id| id.parse().ok()).collect(),
            parties: value("opposing_parties"),
        }
    }

    /// Returns the people of the form. What is not valid yet is left out.
    fn people(&self, table: &Table, db: Db<'_>, search: &mut ConflictSearch<'_>) -> Result<Vec<PartyQuery>> {
        if table.kind == Kind::Customer {
            let side = self.origin.map(|origin| search.side_of(origin)).transpose()?.unwrap_or_default();
            let name = Some(self.name.trim().to_owned()).filter(|name| name.chars().count() > 1);
            let number = TaxId::parse(&self.identification).ok();
            let is_empty = name.is_none() && number.is_none();
            return Ok(if is_empty { Vec::new() } else { vec![PartyQuery::new(side, name, number)] });
        }
        let mut people = Vec::new();
        for customer in &self.customers {
            people.extend(PartyQuery::by_id(db, *customer)?);
        }
        let lines = self.parties.split(['\n', ';']).filter_map(|line| OpposingParties::parse(line).ok());
        for parties in lines {
            people.extend(parties.iter().map(PartyQuery::party));
        }
        Ok(people)
    }
}

/// Returns the people of the record as it is stored.
fn standing(table: &Table, db: Db<'_>, record: u32) -> Result<Vec<PartyQuery>> {
    if table.kind == Kind::Customer {
        return Ok(PartyQuery::by_id(db, record)?.into_iter().collect());
    }
    let lawsuit = records::by_id::<Lawsuit>(db, LawsuitId::from_stored(record))?;
    Ok(lawsuit.map(|lawsuit| people_of(db, &lawsuit)).transpose()?.unwrap_or_default())
}

/// Returns `true` if two people are the same customer, or have the same name and number.
fn is_same(one: &PartyQuery, other: &PartyQuery) -> bool {
    let is_customer = one.customer.is_some() && one.customer == other.customer;
    is_customer || (&one.name, &one.identification) == (&other.name, &other.identification)
}

/// Returns `true` if the conflict is only with what the form replaces: with the customer itself, or with a party of the
/// lawsuit that the form no longer has. Relatives with similar names are often on both sides of a lawsuit.
/// `cases` are those of the customer.
fn is_own(conflict: &Conflict, table: &Table, record: u32, cases: &[u32], people: &[PartyQuery]) -> bool {
    if table.kind == Kind::Customer {
        let is_of_customer = conflict.lawsuit.is_none_or(|lawsuit| cases.contains(&lawsuit));
        return conflict.customer == Some(record) && is_of_customer;
    }
    let is_kept = people.iter().any(|person| {
        person.side == conflict.side
            && (person.customer.is_some() && person.customer == conflict.customer
                || person.name.as_ref() == Some(&conflict.name))
    });
    conflict.lawsuit == Some(record) && (conflict.by == MatchedBy::Name || !is_kept)
}

/// Returns the pairs of the conflicts that are certain, or by the same name, once each. `cases` are those of the
/// customer that the form changes.
fn pairs(conflicts: &[(Option<u32>, Conflict)], table: &Table, cases: &[u32]) -> Vec<ConflictPair> {
    let is_grave = |conflict: &Conflict| {
        conflict.by.outcome() == ConflictOutcome::Certain || conflict.score == Score::SAME
    };
    let mut pairs = Vec::<ConflictPair>::new();
    for (party, conflict) in conflicts.iter().filter(|(_, conflict)| is_grave(conflict)) {
        let by = conflict.by;
        let score = conflict.score;
        let pair = |customer, lawsuit| ConflictPair { customer, lawsuit, by, score };
        // The record of the form has no id yet if it is new.
        let of_conflict = match (conflict.side, table.kind) {
            (Side::Customer, Kind::Customer) => {
                cases.iter().map(|case| pair(conflict.customer, Some(*case))).collect()
            }
            (Side::Customer, _) => vec![pair(conflict.customer, None)],
            (Side::Opposing, _) if conflict.lawsuit.is_none() => Vec::new(),
            (Side::Opposing, Kind::Customer) => vec![pair(None, conflict.lawsuit)],
            (Side::Opposing, _) => vec![pair(*party, conflict.lawsuit)],
        };
        for pair in of_conflict {
            let is_same =
                |other: &ConflictPair| (other.customer, other.lawsuit) == (pair.customer, pair.lawsuit);
            if !pairs.iter().any(is_same) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

async fn read(
    table: &'static Table,
    record: Option<u32>,
    typed: Typed,
    visit: &Visit,
) -> Result<ConflictWarning> {
    let read = move |index: &Index, db: Db<'_>| {
        build_index(index, db)?;
        db.snapshot(|db| {
            let mut search = ConflictSearch::new(index, db, SearchCost::Built(db), Bounds::default());
            let people = typed.people(table, db, &mut search)?;
            let standing = record.map(|id| standing(table, db, id)).transpose()?.unwrap_or_default();
            let is_standing = |person: &PartyQuery| {
                standing.iter().any(|one| one.side == person.side && is_same(one, person))
            };
            let mut conflicts = Vec::new();
            for person in people.iter().filter(|person| !is_standing(person)) {
                search.look_for(person)?;
                conflicts.extend(search.found().into_iter().map(|conflict| (person.customer, conflict)));
            }
            conflicts.sort_by_key(|(_, conflict)| conflict.rank());
            let cases = match record.filter(|_| table.kind == Kind::Customer) {
                Some(id) => conflicts::cases_of(db, id)?,
                None => Vec::new(),
            };
            if let Some(id) = record {
                conflicts.retain(|(_, conflict)| !is_own(conflict, table, id, &cases, &people));
            }
            let pairs = pairs(&conflicts, table, &cases);
            let mut found = Warned::all(conflicts.into_iter().map(|(_, conflict)| conflict).collect());
            let more = found.len().saturating_sub(MAX_WARNED_PEOPLE);
            found.truncate(MAX_WARNED_PEOPLE);
            let first =
                |warned: &Warned| warned.cases.iter().copied().take(MAX_NAMED_CASES).collect::<Vec<_>>();
            let named = found.iter().flat_map(first).collect::<BTreeSet<_>>();
            let words = case_words(db, &named.into_iter().collect::<Vec<_>>())?;
            for warned in &mut found {
                let named = first(warned).into_iter();
                warned.named = named.map(|id| (id, words.get(&id).cloned().unwrap_or_default())).collect();
            }
            Ok(ConflictWarning { found, pairs, more, ..ConflictWarning::default() })
        })
    };
    visit.list(read).await
}
