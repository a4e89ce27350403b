//! Lawsuits: the list and the record with its customers.

use std::sync::Arc;

use maud::{Markup, html};
use serde_json::Value;

use super::choices::{Choices, List};
use super::fields::{LAWSUIT, day};
use super::page::Place;
use super::records::Records;
use super::said::{number, text};
use super::search::{Filter, FilterKind, Listing};
use super::visit::Visit;
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::http::{Answer, Inside};

const fn filter(name: &'static str, label: Words, kind: FilterKind) -> Filter {
    Filter { name, label, kind }
}

pub(super) static LISTING: Listing = Listing {
    path: "lawsuits",
    place: Place::Lawsuits,
    title: ("Processos", "Lawsuits"),
    nouns: [("processo", "lawsuit"), ("processos", "lawsuits")],
    placeholder: ("Número, nome do cliente ou pasta", "Number, customer's name or folder"),
    new: ("Novo processo", "New lawsuit"),
    nothing_yet: ("Ainda não há processos.", "There are no lawsuits yet."),
    filters: &[
        filter("name", ("Cliente ou pasta", "Customer or folder"), FilterKind::Text),
        filter("process_number", ("Número do processo", "Process number"), FilterKind::Text),
        filter("protocol_number", ("Protocolo", "Protocol"), FilterKind::Text),
        filter("folder", ("Pasta", "Folder"), FilterKind::Text),
        filter("notes", ("Anotações", "Notes"), FilterKind::Text),
        filter("identification", ("CPF/CNPJ do cliente", "Customer's CPF/CNPJ"), FilterKind::Text),
        filter("customer_id", ("Nº do cliente", "Customer no."), FilterKind::Text),
        filter("group", ("Grupo", "Group"), FilterKind::Entry(List::Groups)),
        filter("type", ("Tipo", "Type"), FilterKind::Entry(List::Types)),
        filter("step", ("Etapa", "Step"), FilterKind::Entry(List::Steps)),
        filter("stage", ("Fase", "Stage"), FilterKind::Entry(List::Stages)),
        filter("responsible", ("Responsável", "Responsible"), FilterKind::Entry(List::Users)),
        filter("process_date_start", ("Data de", "Dated from"), FilterKind::Day),
        filter("process_date_end", ("até", "to"), FilterKind::Day),
        filter("created_start", ("Cadastrado de", "Added from"), FilterKind::Day),
        filter("created_end", ("até", "to"), FilterKind::Day),
        filter("status_closure_start", ("Encerrado de", "Closed from"), FilterKind::Day),
        filter("status_closure_end", ("até", "to"), FilterKind::Day),
    ],
    meanings,
    table: rows,
};

pub(super) static RECORDS: Records = Records {
    listing: &LISTING,
    groups: &LAWSUIT,
    made: "lawsuit_id",
    editing: ("Editar processo", "Edit lawsuit"),
    heading: |record, visit| match text(record, "process_number") {
        "" => format!(
            "{} {}",
            visit.say("Processo sem número ·", "Lawsuit without a number ·"),
            text(record, "name")
        ),
        number => number.to_owned(),
    },
    tools: |_, _| html! {},
    link: |name, record| {
        let of = |wider: &str, own: &str| {
            Some(html! { (text(record, own)) " " span.quiet { "· " (text(record, wider)) } })
        };
        match name {
            "type_lawsuits_id" => of("group", "type"),
            "stages_id" => of("step", "stage"),
            "users_id" => Some(html! { (text(record, "responsible")) }),
            _ => None,
        }
    },
};

/// A number is that of a lawsuit first; anything may stand in a folder's name.
fn meanings(text: &str) -> Vec<(&'static str, String)> {
    let is_number = text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c));
    match is_number {
        true => ["process_number", "protocol_number", "identification", "name"]
            .map(|name| (name, text.to_owned()))
            .into(),
        false => vec![("name", text.to_owned()), ("protocol_number", text.to_owned())],
    }
}

pub(super) fn rows(records: &[Value], visit: &Visit) -> Markup {
    html! {
        thead { tr {
            th scope="col" { (visit.say("Processo", "Lawsuit")) } th scope="col" { (visit.say("Clientes", "Customers")) } th scope="col" { (visit.say("Tipo", "Type")) }
            th scope="col" { (visit.say("Fase", "Stage")) } th scope="col" { (visit.say("Responsável", "Responsible")) } th scope="col" { (visit.say("Data", "Date")) }
        } }
        tbody { @for record in records {
            tr {
                td.name.whole { a href={ (BASE) "/lawsuits/" (number(record, "id")) } {
                    @if text(record, "process_number").is_empty() { (visit.say("sem número", "no number")) @if !text(record, "folder").is_empty() { " · " (text(record, "folder")) } }
                    @else { (text(record, "process_number")) }
                } }
                td { (text(record, "name")) }
                td { (text(record, "type")) }
                td { (text(record, "stage")) }
                td.wide { (text(record, "responsible")) }
                td.whole.wide { (day(text(record, "process_date"), visit.lang)) }
            }
        } }
    }
}

/// A lawsuit and its customers.
pub(super) async fn show(console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
    let said = match console.ask(Inside::get(format!("/lawsuits/{id}")), visit).await {
        Ok(said) => said,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let customers = said.body.get("customers").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let more = html! {
        section.below {
            h2 { (visit.say("Clientes", "Customers")) }
            table.list data-rows {
                thead { tr { th scope="col" { (visit.say("Nome", "Name")) } th scope="col" { "CPF/CNPJ" } th scope="col" { (visit.say("Origem", "Origin")) } } }
                tbody { @for customer in customers { tr {
                    td.name { a href={ (BASE) "/customers/" (number(customer, "customer_id")) } { (text(customer, "name")) } }
                    td.whole { (text(customer, "identification")) }
                    td { (text(customer, "origin")) }
                } } }
            }
        }
    };
    RECORDS.show(&said, id, &more, &choices, visit)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_number_is_looked_for_as_one_first() {
        let first = |text: &str| super::meanings(text).first().map(|(name, _)| *name);
        assert_eq!(first("0000002-65.2005"), Some("process_number"));
        assert_eq!(first("7"), Some("process_number"));
        assert_eq!(first("A-12"), Some("name"));
        assert_eq!(first("silva"), Some("name"));
    }
}
