//! Conflicts of interest: the page to ask, what the nightly check found, and the kept checks (events 23.4 and 23.5).

mod certificate;
pub(super) mod decision;
mod let_pass;
mod lists;
mod record_panels;
mod texts;
pub(super) mod warning;

use crate::api::conflicts::compare::PartyQuery;
use crate::api::conflicts::search::{Conflict, outcome};
use crate::api::conflicts::{ConflictCheck, ConflictsParameters, nightly_check};
use crate::console::acting_field;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence, wrong};
use crate::console::prelude::*;
use crate::console::records::list::pager;
use crate::console::requests::acting;
use crate::domain::id::Id;
use crate::domain::lang::localize;
use crate::domain::{Reason, Side};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::records::{Customer, Lawsuit};
use crate::store::conflicts::SidedCase;
use crate::store::conflicts::conflict_checks::{
    self, KeptCheck, KeptCheckEntry, KeptHit, KeptTerm, MAX_HITS,
};
use crate::store::conflicts::conflict_findings;

pub(super) use certificate::show as show_check;
pub(super) use let_pass::{ask as ask_to_pass, pass};
use lists::checks;
pub(super) use lists::{NamedFinding, findings};
pub(super) use record_panels::ConflictsBeside;
use texts::{check_page, side_word};

/// Kept checks on a page.
const CHECKS: u64 = 25;
/// Conflicts found at night that the page lists.
const FOUND: u64 = 50;

/// The lists below the form: those of the record that the form asks about, or the newest of all.
struct Standing {
    found: Vec<NamedFinding>,
    found_total: u64,
    checks: Vec<KeptCheckEntry>,
    checks_total: u64,
    /// The record that the form asks about, with its name.
    about: Option<(&'static Table, u32, String)>,
    /// `true` if the last nightly check stopped before it had checked every lawsuit.
    is_unfinished: bool,
}

/// Renders the form, the conflicts found at night, and the kept checks.
pub(super) async fn show(visit: &Visit) -> Result<Answer> {
    render(&visit.query, &FieldErrors::new(), StatusCode::OK, visit).await
}

async fn render(
    typed: &[(String, String)],
    wrong: &FieldErrors,
    status: StatusCode,
    visit: &Visit,
) -> Result<Answer> {
    let value = |name: &str| {
        typed
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map_or(String::new(), |(_, value)| value.trim().to_owned())
    };
    let offset = pager::offset(visit);
    let ids = [value("customer_id"), value("lawsuit_id")];
    let standing = visit
        .read(move |db| {
            let [customer, lawsuit] = ids.map(|id| id.parse::<u32>().ok());
            let about = match (customer, lawsuit) {
                (Some(id), _) => named(db, Customer::TABLE, id)?,
                (None, Some(id)) => named(db, Lawsuit::TABLE, id)?,
                (None, None) => None,
            };
            let of_record = match &about {
                Some((table, id, _)) => ConflictsBeside::read(db, table.kind, *id, usize::MAX)?,
                None => None,
            };
            Ok(match of_record {
                Some(ConflictsBeside { found, found_total, checks, checks_total, .. }) => Standing {
                    found_total: found_total as u64,
                    checks_total: checks_total as u64,
                    found,
                    checks,
                    about,
                    is_unfinished: false,
                },
                None => Standing {
                    found: NamedFinding::all(db, conflict_findings::undecided(db, FOUND, 0)?)?,
                    found_total: conflict_findings::count_undecided(db)?,
                    checks: conflict_checks::newest(db, CHECKS, offset)?,
                    checks_total: conflict_checks::count(db)?,
                    about,
                    is_unfinished: nightly_check::is_unfinished(db)?,
                },
            })
        })
        .await?;
    let is_of_record = standing.about.is_some();
    let title = visit.pick("Conflito de interesses", "Conflicts of interest");
    let main = html! {
        header.title { h1 { (title) } }
        (form(&value, &standing, wrong, visit))
        section.panel #found {
            h2 { (visit.pick("Encontrados na verificação automática", "Found by the automatic check")) @if standing.found_total > 0 { " (" (count(standing.found_total, visit.lang)) ")" } }
            @if standing.found.is_empty() && is_of_record {
                p.quiet { (visit.pick("Nada encontrado.", "Nothing found.")) }
            } @else if standing.found.is_empty() {
                p.quiet { (visit.pick(
                    "Nada a examinar. Toda noite os processos em andamento são verificados de novo, e depois de cada importação.",
                    "No new conflicts. The open cases are checked again every night and after each import.",
                )) }
            } @else { (findings(&standing.found, visit)) }
            @if standing.is_unfinished {
                @let most = count(nightly_check::MAX_NEW_CONFLICTS as u64, visit.lang);
                p.quiet { (localize!(
                    visit.lang,
                    "A última verificação parou em {most} conflitos novos; a próxima continua.",
                    "The last check stopped at {most} new conflicts. The next one goes on."
                )) }
            }
        }
        section.panel #checks {
            h2 { (visit.pick("Consultas guardadas", "Kept checks")) }
            @if standing.checks.is_empty() { p.quiet { (visit.pick("Ainda não há consultas.", "There are no checks yet.")) } }
            @else { (checks(&standing.checks, visit)) }
            @if !is_of_record { (pager::render(standing.checks_total, CHECKS, visit)) }
        }
    };
    Ok(Answer { status, ..page(visit, NavItem::Conflicts, title, &main) })
}

/// Returns a record with its heading, unless it is deleted.
fn named(db: Db<'_>, table: &'static Table, id: u32) -> Result<Option<(&'static Table, u32, String)>> {
    let view = View::read(db, table, &[id])?.pop();
    let heading = |view: View| Some((pages_of(table.kind)?.presentation.heading)(&view, Lang::Pt));
    Ok(view.and_then(heading).map(|heading| (table, id, heading)))
}

fn form(value: &dyn Fn(&str) -> String, standing: &Standing, wrong: &FieldErrors, visit: &Visit) -> Markup {
    let about = standing.about.as_ref();
    let field = |name: &str, label: &str, hint: &str, is_first: bool| {
        let id = format!("f-{name}");
        html! {
            div.field.wide {
                label for=(id) { (label) }
                input id=(id) name=(name) value=(value(name)) autocomplete="off" spellcheck="false" data-focus[is_first]
                    aria-invalid=[invalid(name, wrong)] aria-describedby=[described(name, wrong)];
                p.quiet.hint { (hint) }
                (reasons_as_sentence(name, wrong))
            }
        }
    };
    html! {
        form.record method="post" action={ (BASE) "/conflicts" } autocomplete="off" novalidate {
            (csrf_field(visit))
            fieldset {
                legend { (visit.pick("Quem", "Who")) }
                @if let Some((table, id, heading)) = about {
                    @let name = if table.kind == Kind::Customer { "customer_id" } else { "lawsuit_id" };
                    input type="hidden" name=(name) value=(id);
                    p {
                        (first_upper(visit.lang.pick(table.noun.0, table.noun.1))) ": "
                        a href={ (BASE) "/" (table.path) "/" (id) } { (heading) }
                    }
                    @if table.kind == Kind::Lawsuit { p.quiet { (visit.pick("Todas as partes deste processo contra todas as dos outros.", "Compares all parties of this case with the parties of all others.")) } }
                    p { a href={ (BASE) "/conflicts" } { (visit.pick("Perguntar por outra pessoa", "Check another person")) } }
                } @else {
                    div.fields {
                        (field("name", visit.pick("Nome", "Name"), visit.pick("Pessoa ou empresa. Várias, com ponto e vírgula.", "A person or company. Several with semicolons."), wrong.is_empty()))
                        (field("identification", "CPF/CNPJ", visit.pick("Encontra também as filiais de uma empresa.", "Also finds the branches of a company."), false))
                    }
                }
                div.fields {
                    @if about.is_none_or(|(table, ..)| table.kind != Kind::Lawsuit) { div.field {
                        label for="f-as" { (visit.pick("Entraria como", "Role")) }
                        select #f-as name="as" {
                            @for side in [Side::Customer, Side::Opposing] {
                                option value=(side.as_str()) selected[value("as") == side.as_str()] { (side_word(side, visit)) }
                            }
                        }
                    } }
                    (acting_field::render(visit.pick("Consultado por", "Asked by"), wrong, visit))
                    div.field { label.tick { input type="checkbox" name="open" value="true" checked[value("open") == "true"]; span { (visit.pick("Só processos em andamento", "Open cases only")) } } }
                }
            }
            div.actions { button.main type="submit" { (visit.pick("Verificar e guardar", "Check and keep")) } }
        }
    }
}

/// Checks, keeps the check, and leads to its page.
pub(super) async fn check(visit: &Visit) -> Result<Answer> {
    let typed: Vec<(String, String)> =
        visit.form.iter().filter(|(_, value)| !value.trim().is_empty()).cloned().collect();
    let mut reader = QueryReader::new(&typed, visit.app());
    let parameters = ConflictsParameters::read(&mut reader);
    let mut invalid = reader.into_wrong();
    if visit.acting.is_none() {
        invalid.add(acting::USER, Reason::Required);
    }
    if !invalid.is_empty() {
        let problem = Problem::from(invalid);
        return render(&typed, &wrong(problem.wrong(), visit), problem.status(), visit).await;
    }
    let office = visit.office.clone();
    let (user, who) = visit.acting.clone().map(|acting| (acting.id, acting.name)).unzip();
    let app = visit.app().clone();
    let viewer = visit.viewer();
    let make = move |db: Db<'_>| {
        let check = ConflictCheck::make(&app, db, &viewer, &parameters)?;
        Ok(KeptCheck {
            at: app.now(),
            user,
            who: who.unwrap_or_default(),
            office,
            seq: check.seq,
            searched: check.searched,
            customer: parameters.customer.map(Id::get),
            lawsuit: parameters.lawsuit.map(Id::get),
            threshold: parameters.threshold.score(),
            is_open: parameters.is_open,
            outcome: outcome(&check.found),
            total: check.found.len() as u64,
            terms: check.parties.iter().map(term).collect(),
            hits: check.found.iter().take(MAX_HITS).map(|found| hit(found, check.case_of(found))).collect(),
        })
    };
    match visit.read(make).await {
        Ok(checked) => {
            let id = visit.write(move |tx| conflict_checks::keep(tx, &checked)).await?;
            Ok(redirect(&check_page(id)))
        }
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            render(&typed, &wrong(problem.wrong(), visit), problem.status(), visit).await
        }
        Err(problem) => Err(problem),
    }
}

fn term(party: &PartyQuery) -> KeptTerm {
    KeptTerm {
        side: party.side,
        name: party.name.clone(),
        identification: party.identification.clone(),
        customer: party.customer,
    }
}

fn hit(found: &Conflict, case: Option<&SidedCase>) -> KeptHit {
    let texts = case.map(|case| {
        let number = case.process_number.as_deref().unwrap_or_default();
        let texts = [number, &case.stage, &case.responsible].into_iter().filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" · ")
    });
    KeptHit {
        lawsuit: found.lawsuit,
        customer: found.customer,
        case: texts,
        side: found.side,
        name: Some(found.name.clone()),
        identification: found.identification.as_ref().map(|number| number.as_str().to_owned()),
        by: found.by,
        score: found.score,
    }
}
