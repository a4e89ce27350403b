//! Customers: the list, the record with its lawsuits, birthdays, and the search for a lawsuit's form.

use std::sync::Arc;

use jiff::civil::Date;
use maud::{Markup, html};
use serde_json::Value;

use super::choices::{Choices, List};
use super::fields::{CUSTOMER, day};
use super::lawsuits;
use super::numbers::count;
use super::page::{Place, page, part};
use super::records::Records;
use super::said::{number, text};
use super::search::{Filter, FilterKind, Listing, ask, customer_meanings, table};
use super::visit::Visit;
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::http::{Answer, Inside};

/// How many are offered while somebody types.
const OFFERED: &str = "8";

const fn filter(name: &'static str, label: Words, kind: FilterKind) -> Filter {
    Filter { name, label, kind }
}

pub(super) static LISTING: Listing = Listing {
    path: "customers",
    place: Place::Customers,
    title: ("Clientes", "Customers"),
    nouns: [("cliente", "customer"), ("clientes", "customers")],
    placeholder: ("Nome, CPF/CNPJ, telefone ou e-mail", "Name, CPF/CNPJ, phone or e-mail"),
    new: ("Novo cliente", "New customer"),
    nothing_yet: ("Ainda não há clientes.", "There are no customers yet."),
    filters: &[
        filter("name", ("Nome", "Name"), FilterKind::Text),
        filter("identification", ("CPF ou CNPJ", "CPF or CNPJ"), FilterKind::Text),
        filter("phone", ("Telefone", "Phone"), FilterKind::Text),
        filter("email", ("E-mail", "E-mail"), FilterKind::Text),
        filter("document", ("RG ou outro documento", "Identity card or other document"), FilterKind::Text),
        filter("occupation", ("Profissão", "Occupation"), FilterKind::Text),
        filter("city", ("Cidade", "City"), FilterKind::Text),
        filter("state", ("Estado", "State"), FilterKind::Entry(List::States)),
        filter("origin", ("Origem", "Origin"), FilterKind::Entry(List::Origins)),
        filter("birthdays", ("Aniversário neste mês", "Birthday this month"), FilterKind::Yes),
        filter("created_start", ("Cadastrado de", "Added from"), FilterKind::Day),
        filter("created_end", ("até", "to"), FilterKind::Day),
    ],
    meanings: customer_meanings,
    table: rows,
};

pub(super) static RECORDS: Records = Records {
    listing: &LISTING,
    groups: &CUSTOMER,
    made: "customer_id",
    editing: ("Editar cliente", "Edit customer"),
    heading: |record, _| text(record, "name").to_owned(),
    tools: |record, visit| {
        html! { a.button href={ (BASE) "/lawsuits/new?customers_id=" (number(record, "id")) } { (visit.say("Novo processo", "New lawsuit")) } }
    },
    link: |name, record| {
        let value = text(record, name);
        let dial = || value.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect::<String>();
        match name {
            "email" => Some(html! { a href={ "mailto:" (value) } { (value) } }),
            "phone" | "cellphone" => Some(html! { a href={ "tel:" (dial()) } { (value) } }),
            _ => None,
        }
    },
};

fn rows(records: &[Value], visit: &Visit) -> Markup {
    html! {
        thead { tr {
            th scope="col" { (visit.say("Nome", "Name")) } th scope="col" { "CPF/CNPJ" } th scope="col" { (visit.say("Telefone", "Phone")) }
            th scope="col" { (visit.say("Cidade", "City")) } th scope="col" { (visit.say("Origem", "Origin")) } th.number scope="col" { (visit.say("Processos", "Lawsuits")) }
        } }
        tbody { @for record in records {
            @let lawsuits = record.get("lawsuits").and_then(Value::as_array).map_or(0, Vec::len);
            tr {
                td.name { a href={ (BASE) "/customers/" (number(record, "id")) } { (text(record, "name")) } }
                td.whole { (text(record, "identification")) }
                td.whole { @if text(record, "cellphone").is_empty() { (text(record, "phone")) } @else { (text(record, "cellphone")) } }
                td { (place(record)) }
                td.wide { (text(record, "origin")) }
                td.number.wide { @if lawsuits > 0 { (lawsuits) } }
            }
        } }
    }
}

fn place(record: &Value) -> String {
    let both = [text(record, "city"), text(record, "state")];
    both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("/")
}

/// A customer and the lawsuits that they are in.
pub(super) async fn show(console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
    let said = match console.ask(Inside::get(format!("/customers/{id}")), visit).await {
        Ok(said) => said,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let mut own = Inside::get("/lawsuits");
    own.query = vec![("customer_id".to_owned(), id.to_owned()), ("limit".to_owned(), "100".to_owned())];
    let own = console.ask(own, visit).await.unwrap_or_default();
    let (lawsuits, total) = own.list();
    let more = html! {
        section.below {
            h2 { (visit.say("Processos", "Lawsuits")) @if total > 0 { " (" (count(total, visit.lang)) ")" } }
            @if lawsuits.is_empty() { p.quiet { (visit.say("Nenhum processo.", "No lawsuits.")) } }
            @else { (table(lawsuits, lawsuits::rows, visit)) }
            @if total > 100 { p { a href={ (BASE) "/lawsuits?customer_id=" (id) } { (visit.say("Ver todos", "See all")) } } }
        }
    };
    RECORDS.show(&said, id, &more, &choices, visit)
}

/// The customers that a text may mean, as options for a script.
pub(super) async fn pick(console: &Arc<Console>, visit: &Visit) -> Answer {
    let rest = [("limit".to_owned(), OFFERED.to_owned())];
    let said = ask(console, "customers", customer_meanings(visit.asked("q")), &rest, visit)
        .await
        .unwrap_or_default();
    let (records, _) = said.list();
    part(html! {
        @for record in records {
            li role="option" data-id=(number(record, "id")) data-name=(text(record, "name")) {
                (text(record, "name")) " " span.quiet { (text(record, "identification")) " " (place(record)) }
            }
        }
        @if records.is_empty() { li.quiet role="option" aria-disabled="true" { (visit.say("Ninguém encontrado", "Nobody found")) } }
    })
}

/// Who has a birthday in a month, by day.
pub(super) async fn birthdays(console: &Arc<Console>, visit: &Visit) -> Answer {
    let this_month = console.api.app().today().month();
    let month = visit
        .asked("month")
        .parse::<u8>()
        .ok()
        .filter(|month| (1..=12).contains(month))
        .unwrap_or(this_month);
    let offset = visit.asked("offset").parse::<u64>().unwrap_or_default();
    let mut inside = Inside::get("/customers/birthdays");
    inside.query =
        [("month", month.to_string()), ("limit", "200".to_owned()), ("offset", offset.to_string())]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
    let said = match console.ask(inside, visit).await {
        Ok(said) => said,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let (records, total) = said.list();
    let title = visit.say("Aniversários", "Birthdays");
    let year = console
        .api
        .app()
        .today()
        .iso()
        .get(..4)
        .and_then(|year| year.parse::<i16>().ok())
        .unwrap_or_default();
    let main = html! {
        header.title { h1 { (title) } }
        nav.months aria-label=(visit.say("Mês", "Month")) {
            @for (at, (pt, en)) in (1u8..).zip(MONTHS) {
                a href={ (BASE) "/birthdays?month=" (at) } aria-current=[(at == month).then_some("true")] { (visit.say(pt, en)) }
            }
        }
        @if records.is_empty() {
            p.empty { (visit.say("Ninguém faz aniversário neste mês.", "Nobody has a birthday in this month.")) }
        } @else {
            p.total { (count(total, visit.lang)) " " (if total == 1 { visit.say("pessoa", "person") } else { visit.say("pessoas", "people") }) }
            table.list data-rows {
                thead { tr {
                    th scope="col" { (visit.say("Dia", "Day")) } th scope="col" { (visit.say("Nome", "Name")) }
                    th.number scope="col" { (visit.say("Faz", "Turns")) } th scope="col" { (visit.say("Telefone", "Phone")) } th scope="col" { "E-mail" }
                } }
                tbody { @for record in records {
                    @let born = day(text(record, "birthdate"), crate::domain::Lang::En);
                    tr {
                        td.whole { (born.get(8..).unwrap_or_default()) }
                        td.name { a href={ (BASE) "/customers/" (number(record, "id")) } { (text(record, "name")) } }
                        td.number { (turns(&born, year)) }
                        td.whole { @if text(record, "cellphone").is_empty() { (text(record, "phone")) } @else { (text(record, "cellphone")) } }
                        td.wide { (text(record, "email")) }
                    }
                } }
            }
            nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                @if offset > 0 { a.button rel="prev" href=(visit.url_with("offset", &offset.saturating_sub(200).to_string())) { (visit.say("← Anteriores", "← Previous")) } }
                @if offset + 200 < total { a.button rel="next" href=(visit.url_with("offset", &(offset + 200).to_string())) { (visit.say("Próximos →", "Next →")) } }
            }
        }
    };
    page(visit, Place::Birthdays, title, &main)
}

/// How old somebody becomes in a year.
fn turns(born: &str, year: i16) -> String {
    born.parse::<Date>().map(|born| (year - born.year()).to_string()).unwrap_or_default()
}

const MONTHS: [Words; 12] = [
    ("Janeiro", "January"),
    ("Fevereiro", "February"),
    ("Março", "March"),
    ("Abril", "April"),
    ("Maio", "May"),
    ("Junho", "June"),
    ("Julho", "July"),
    ("Agosto", "August"),
    ("Setembro", "September"),
    ("Outubro", "October"),
    ("Novembro", "November"),
    ("Dezembro", "December"),
];
