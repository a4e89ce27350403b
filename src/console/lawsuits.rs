//! Lawsuits: the list and the record with its customers.

use maud::{Markup, html};

use super::choices::List;
use super::page::Place;
use super::records::{Handlers, Linked, Records};
use super::search::{Filter, FilterKind, Listing};
use super::view::{View, day};
use super::visit::Visit;
use super::{BASE, customers};
use crate::config::keys::Words;
use crate::records::{Lawsuit, Record, Value};
use crate::store;

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
    table: |records, visit| {
        let views = records.iter().map(|record| View::of_json(Lawsuit::TABLE, record)).collect::<Vec<_>>();
        rows(&views, visit)
    },
};

pub(super) static RECORDS: Records = Records {
    listing: &LISTING,
    editing: ("Editar processo", "Edit lawsuit"),
    handlers: Handlers::of::<Lawsuit>(),
    heading: |lawsuit, lang| match lawsuit.text("process_number") {
        "" => format!(
            "{} {}",
            lang.pick("Processo sem número ·", "Lawsuit without a number ·"),
            lawsuit.text("name")
        ),
        number => number.to_owned(),
    },
    tools: |_, _| html! {},
    own: |db, lawsuit| {
        let customers = store::lawsuits::customers(db, lawsuit.id)?;
        let names = customers.iter().map(|customer| customer.name.as_str()).collect::<Vec<_>>();
        lawsuit.set("name", Value::Text(names.join(" · ").into()));
        lawsuit.set("customers", Value::Ids(customers.iter().map(|customer| customer.id.get()).collect()));
        Ok(())
    },
    rows,
    linked: Linked { column: "customers", of: &customers::RECORDS, filter: None },
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

fn rows(lawsuits: &[View], visit: &Visit) -> Markup {
    html! {
        thead { tr {
            th scope="col" { (visit.say("Processo", "Lawsuit")) } th scope="col" { (visit.say("Clientes", "Customers")) } th scope="col" { (visit.say("Tipo", "Type")) }
            th scope="col" { (visit.say("Fase", "Stage")) } th scope="col" { (visit.say("Responsável", "Responsible")) } th scope="col" { (visit.say("Data", "Date")) }
        } }
        tbody { @for lawsuit in lawsuits {
            @let (number, folder) = (lawsuit.text("process_number"), lawsuit.text("folder"));
            tr {
                td.name.whole { a href={ (BASE) "/lawsuits/" (lawsuit.id) } {
                    @if number.is_empty() { (visit.say("sem número", "no number")) @if !folder.is_empty() { " · " (folder) } }
                    @else { (number) }
                } }
                td { (lawsuit.text("name")) }
                td { (lawsuit.text("kind")) }
                td { (lawsuit.text("stage")) }
                td.wide { (lawsuit.text("responsible")) }
                td.whole.wide { (day(lawsuit.text("process_date"), visit.lang)) }
            }
        } }
    }
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
