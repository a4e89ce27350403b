//! The page of a kept check, which prints as a certificate.

use super::texts::{match_word, outcome_word, side_word};
use crate::console::prelude::*;
use crate::domain::{ConflictOutcome, Score};
use crate::store::conflicts::conflict_checks::{self, KeptCheck, KeptHit};

/// Renders a kept check. Fails with 404 if there is none with this number.
pub(in crate::console) async fn show(id: &str, visit: &Visit) -> Result<Answer> {
    let number: u32 = id.parse().map_err(|_| Problem::no_route())?;
    let check = visit.read(move |db| Ok(conflict_checks::by_id(db, number)?)).await?;
    let check = check.ok_or_else(Problem::no_route)?;
    let title = visit.pick("Consulta de conflito de interesses", "Check for conflicts of interest");
    let main = html! {
        header.title {
            h1 { (title) } span.quiet { (numbered(id, visit.lang)) }
            div.tools {
                (print_button(visit))
                a.button href={ (BASE) "/conflicts" } { (visit.pick("Nova consulta", "New check")) }
            }
        }
        div.sheet.certificate {
            section { (facts(&check, visit)) }
            section { h2 { (visit.pick("Quem foi pesquisado", "Names checked")) } (terms(&check, visit)) }
            section { h2 { (visit.pick("Resultado", "Result")) } (result(&check, visit)) }
        }
    };
    Ok(page(visit, NavItem::Conflicts, title, &main))
}

fn facts(check: &KeptCheck, visit: &Visit) -> Markup {
    let searched = count(check.searched, visit.lang);
    html! {
        dl.facts {
            @if !check.office.is_empty() { dt { (visit.pick("Escritório", "Office")) } dd { (check.office) } }
            dt { (visit.pick("Data e hora", "Date and time")) } dd { (moment(check.at, visit.zone(), visit.lang)) }
            dt { (visit.pick("Consultado por", "Asked by")) } dd { (check.who) }
            dt { (visit.pick("Pesquisado em", "Searched in")) }
            dd { (searched) " " (if check.is_open { visit.pick("clientes e processos em andamento", "customers and open cases") } else { visit.pick("clientes e processos", "customers and cases") }) }
            dt { (visit.pick("Última alteração considerada", "Last change considered")) } dd { (check.seq) }
            dt { (visit.pick("Semelhança mínima dos nomes", "Lowest similarity of names")) } dd { (check.threshold.hundredths()) " %" }
            @for (kind, id) in [(Kind::Customer, check.customer), (Kind::Lawsuit, check.lawsuit)] {
                @if let (Some(id), Some(pages)) = (id, pages_of(kind)) {
                    dt { (first_upper(visit.lang.pick(pages.table.noun.0, pages.table.noun.1))) }
                    dd { a href={ (BASE) "/" (pages.table.path) "/" (id) } { (record_number(id, visit)) } }
                }
            }
        }
    }
}

/// Formats the number that Pleito gave a record, so that no one takes it for a process number.
fn record_number(id: u32, visit: &Visit) -> String {
    format!("{} {}", visit.pick("cadastro", "record"), numbered(&id.to_string(), visit.lang))
}

fn terms(check: &KeptCheck, visit: &Visit) -> Markup {
    html! {
        table.list {
            thead { tr {
                th scope="col" { (visit.pick("Nome", "Name")) } th scope="col" { "CPF/CNPJ" } th scope="col" { (visit.pick("Como", "As")) }
            } }
            tbody { @for term in &check.terms {
                tr {
                    td.name { (erased(term.name.as_deref(), term.identification.is_some(), visit)) }
                    td.whole { @if let Some(number) = &term.identification { (number.as_str()) } }
                    td { (side_word(term.side, visit)) }
                }
            } }
        }
    }
}

/// Renders a name. If the record was erased, says so.
fn erased(name: Option<&str>, has_number: bool, visit: &Visit) -> Markup {
    match name {
        Some(name) => html! { (name) },
        None if has_number => html! { span.quiet { "—" } },
        None => html! { span.quiet { (visit.pick("dados excluídos", "data erased")) } },
    }
}

fn result(check: &KeptCheck, visit: &Visit) -> Markup {
    let sentence = match check.outcome {
        ConflictOutcome::Certain => visit.pick(
            "Há quem esteja do outro lado pelo mesmo cadastro, CPF ou CNPJ.",
            "Someone is on the other side by the same record, CPF or CNPJ.",
        ),
        ConflictOutcome::Possible => visit.pick(
            "Há nomes iguais ou parecidos do outro lado. Confira se é a mesma pessoa.",
            "The same or similar names are on the other side. See whether it is the same person.",
        ),
        ConflictOutcome::None => visit.pick(
            "Ninguém com estes dados está do outro lado.",
            "No one with these data is on the other side.",
        ),
    };
    html! {
        p { (outcome_word(check.outcome, visit)) }
        p { (sentence) }
        @if !check.hits.is_empty() {
            table.list {
                thead { tr {
                    th scope="col" { (visit.pick("Encontrado", "Found")) } th scope="col" { "CPF/CNPJ" }
                    th scope="col" { (visit.pick("Lado", "Side")) } th scope="col" { (visit.pick("Processo", "Case")) }
                    th scope="col" { (visit.pick("Sinal", "Sign")) }
                } }
                tbody { @for hit in &check.hits { (row(hit, visit)) } }
            }
            @let shown = check.hits.len() as u64;
            @if check.total > shown {
                p.quiet { (visit.pick("E mais ", "And ")) (count(check.total - shown, visit.lang)) (visit.pick(", que não são listados.", " more, which are not listed.")) }
            }
        }
    }
}

fn row(hit: &KeptHit, visit: &Visit) -> Markup {
    let case = hit.case.as_deref().unwrap_or_default();
    html! {
        tr {
            td.name { @match hit.customer {
                Some(id) if hit.name.is_some() => a href={ (BASE) "/customers/" (id) } { (erased(hit.name.as_deref(), false, visit)) },
                _ => (erased(hit.name.as_deref(), false, visit)),
            } }
            td.whole { @if let Some(number) = &hit.identification { (number) } }
            td data-label=(visit.pick("Lado", "Side")) { (side_word(hit.side, visit)) }
            td.case {
                (case)
                @if let Some(id) = hit.lawsuit {
                    @if !case.is_empty() { " · " }
                    a href={ (BASE) "/lawsuits/" (id) } { (record_number(id, visit)) }
                }
            }
            td data-label=(visit.pick("Sinal", "Sign")) { (match_word(hit.by, hit.score, visit)) @if hit.score < Score::SAME { " (" (hit.score.hundredths()) " %)" } }
        }
    }
}
