//! Lawsuits: the list and the record with its customers.

use maud::{Markup, html};

use super::page::Place;
use super::records::{Handlers, Linked, Records};
use super::search::Listing;
use super::view::{View, day};
use super::visit::Visit;
use super::{BASE, customers};
use crate::records::{Lawsuit, Value};
use crate::store;

pub(super) static LISTING: Listing = Listing {
    place: Place::Lawsuits,
    title: ("Processos", "Lawsuits"),
    nouns: [("processo", "lawsuit"), ("processos", "lawsuits")],
    placeholder: ("Número, nome do cliente ou pasta", "Number, customer's name or folder"),
    new: ("Novo processo", "New lawsuit"),
    nothing_yet: ("Ainda não há processos.", "There are no lawsuits yet."),
    meanings,
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
fn meanings(text: &str) -> Vec<&'static str> {
    let is_number = text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c));
    match is_number {
        true => vec!["process_number", "protocol_number", "identification", "name"],
        false => vec!["name", "protocol_number"],
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
        let first = |text: &str| super::meanings(text).first().copied();
        assert_eq!(first("0000002-65.2005"), Some("process_number"));
        assert_eq!(first("7"), Some("process_number"));
        assert_eq!(first("A-12"), Some("name"));
        assert_eq!(first("silva"), Some("name"));
    }
}
