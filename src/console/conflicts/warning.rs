//! The warning in the form of a new customer or lawsuit, before anything is stored: beside the field as it is typed and,
//! without a script, when the form is sent.

use super::words::{case_word, sign_word};
use crate::api::conflicts::search::{Bounds, ConflictSearch, SoughtParty, build_index};
use crate::console::prelude::*;
use crate::domain::{MatchedBy, OpposingParties, Side, TaxId};
use crate::index::{Index, Waits};
use crate::records::{Customer, Lawsuit};

/// Form field with the ids of the lawsuits that the visitor has seen in a warning. 0 stands for a customer without any.
const SEEN: &str = "conflicts";
/// Form fields that conflicts are found by.
pub(in crate::console) const FOUND_BY: &str =
    "name identification customers_origins_id customers_id opposing_parties";
/// Conflicts that a warning lists.
const SHOWN: usize = 5;

/// The fields of a form from which people and their sides follow.
#[derive(Default)]
struct Typed {
    name: String,
    identification: String,
    origin: Option<u32>,
    customers: Vec<u32>,
    parties: String,
}

/// A conflict as the warning shows it.
struct Warned {
    name: String,
    /// Id and process number. `None` for a customer without lawsuits.
    case: Option<(u32, Option<String>)>,
    side: Side,
    by: MatchedBy,
}

#[derive(Default)]
pub(in crate::console) struct ConflictWarning {
    found: Vec<Warned>,
    seen: Vec<u32>,
}

/// Returns `true` for the field that the warning stands beside.
pub(in crate::console) fn is_beside(table: &Table, field: &Field) -> bool {
    match table.kind {
        Kind::Customer => field.column == "identification",
        Kind::Lawsuit => field.column == "opposing_parties",
        _ => false,
    }
}

/// Renders the warning for what is typed in a form, as a part of its page.
pub(in crate::console) async fn part(kind: &str, visit: &Visit) -> Result<Answer> {
    let table = if kind == "customers" { Customer::TABLE } else { Lawsuit::TABLE };
    let warning = read(table, Typed::of(&visit.query), visit).await?;
    Ok(crate::console::response::html_answer(StatusCode::OK, warning.draw(visit).into_string()))
}

impl ConflictWarning {
    /// Looks for conflicts of a form that was sent. Empty for records of other kinds.
    pub async fn of_form(table: &'static Table, visit: &Visit) -> Result<ConflictWarning> {
        if !matches!(table.kind, Kind::Customer | Kind::Lawsuit) {
            return Ok(ConflictWarning::default());
        }
        let seen = typed(&visit.form, SEEN).split(',').filter_map(|id| id.parse().ok()).collect();
        Ok(ConflictWarning { seen, ..read(table, Typed::of(&visit.form), visit).await? })
    }

    /// Returns `true` if the form already showed all of these conflicts.
    pub fn is_seen(&self) -> bool {
        self.found.iter().all(|warned| self.seen.contains(&id(warned)))
    }

    /// Renders the conflicts, and a hidden field by which the form tells that it showed them.
    pub fn draw(&self, visit: &Visit) -> Markup {
        let seen: std::collections::BTreeSet<u32> =
            self.seen.iter().copied().chain(self.found.iter().map(id)).collect();
        let seen = seen.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        html! {
            @if !self.found.is_empty() {
                div.alert.alike role="status" {
                    p { strong { (visit.pick("Possível conflito de interesses:", "Possible conflict of interest:")) } }
                    ul { @for warned in self.found.iter().take(SHOWN) { li {
                        (warned.name) " "
                        @match warned.side {
                            Side::Opposing => (visit.pick("é parte contrária", "is an opposing party")),
                            Side::Customer => (visit.pick("é cliente", "is a client")),
                        }
                        @if let Some((id, number)) = &warned.case {
                            " " (visit.pick("em", "in")) " "
                            // Opens in another tab, so that the filled-in form is kept.
                            a href={ (BASE) "/lawsuits/" (id) } target="_blank" { (case_word(number.as_deref(), *id, visit)) }
                        }
                        " " span.quiet { "(" (sign_word(warned.by, visit)) ")" }
                    } } }
                    @if self.found.len() > SHOWN { p.quiet { (visit.pick("E mais ", "And ")) (count((self.found.len() - SHOWN) as u64, visit.lang)) (visit.pick(".", " more.")) } }
                    p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) }
                }
            }
            @if !seen.is_empty() { input type="hidden" name=(SEEN) value=(seen); }
        }
    }
}

fn id(warned: &Warned) -> u32 {
    warned.case.as_ref().map_or(0, |(id, _)| *id)
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
    fn people(&self, table: &Table, db: Db<'_>, search: &mut ConflictSearch<'_>) -> Result<Vec<SoughtParty>> {
        if table.kind == Kind::Customer {
            let side = self.origin.map(|origin| search.side_of(origin)).transpose()?.unwrap_or_default();
            let name = Some(self.name.trim().to_owned()).filter(|name| name.chars().count() > 2);
            let number = TaxId::parse(&self.identification).ok();
            let is_empty = name.is_none() && number.is_none();
            return Ok(if is_empty { Vec::new() } else { vec![SoughtParty::new(side, name, number)] });
        }
        let mut people = Vec::new();
        for customer in &self.customers {
            people.extend(SoughtParty::by_id(db, *customer)?);
        }
        let lines = self.parties.split(['\n', ';']).filter_map(|line| OpposingParties::parse(line).ok());
        for parties in lines {
            people.extend(parties.iter().map(SoughtParty::party));
        }
        Ok(people)
    }
}

async fn read(table: &'static Table, typed: Typed, visit: &Visit) -> Result<ConflictWarning> {
    let read = move |index: &Index, db: Db<'_>| {
        build_index(index, db)?;
        db.snapshot(|db| {
            let mut search = ConflictSearch::new(index, db, Waits::Built(db), Bounds::default());
            for person in typed.people(table, db, &mut search)? {
                search.look_for(&person)?;
            }
            let found = search.found();
            let warned = found.into_iter().map(|conflict| {
                let case = search.case_of(&conflict).map(|case| (case.id.get(), case.process_number.clone()));
                Warned { name: conflict.name, case, side: conflict.side, by: conflict.by }
            });
            Ok(ConflictWarning { found: warned.collect(), seen: Vec::new() })
        })
    };
    visit.list(read).await
}
