//! Customers: the list, the record with its lawsuits, birthdays, and the search for a lawsuit's form.

use std::sync::Arc;

use maud::{Markup, html};

use super::lawsuits;
use super::numbers::count;
use super::page::{Place, page, part};
use super::records::{Handlers, Linked, Records};
use super::search::{Listed, Listing, customer_meanings, find, page_of};
use super::view::View;
use super::visit::Visit;
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::http::{Answer, Problem};
use crate::index::Index;
use crate::records::{Customer, Record, Value};
use crate::store::{self, Db};

/// How many are offered while somebody types.
const OFFERED: u32 = 8;
/// How many birthdays a page has.
const BORN: u32 = 200;

pub(super) static LISTING: Listing = Listing {
    place: Place::Customers,
    title: ("Clientes", "Customers"),
    nouns: [("cliente", "customer"), ("clientes", "customers")],
    placeholder: ("Nome, CPF/CNPJ, telefone ou e-mail", "Name, CPF/CNPJ, phone or e-mail"),
    new: ("Novo cliente", "New customer"),
    nothing_yet: ("Ainda não há clientes.", "There are no customers yet."),
    meanings: customer_meanings,
};

pub(super) static RECORDS: Records = Records {
    listing: &LISTING,
    editing: ("Editar cliente", "Edit customer"),
    handlers: Handlers::of::<Customer>(),
    heading: |customer, _| customer.text("name").to_owned(),
    tools: |customer, visit| {
        html! { a.button href={ (BASE) "/lawsuits/new?customers_id=" (customer.id) } { (visit.say("Novo processo", "New lawsuit")) } }
    },
    own: |db, customer| {
        let lawsuits = store::customers::lawsuits(db, customer.id)?;
        customer.set("lawsuits", Value::Ids(lawsuits.iter().map(|lawsuit| lawsuit.id.get()).collect()));
        Ok(())
    },
    rows,
    linked: Linked { column: "lawsuits", of: &lawsuits::RECORDS, filter: Some("customer_id") },
};

fn rows(customers: &[View], visit: &Visit) -> Markup {
    html! {
        thead { tr {
            th scope="col" { (visit.say("Nome", "Name")) } th scope="col" { "CPF/CNPJ" } th scope="col" { (visit.say("Telefone", "Phone")) }
            th scope="col" { (visit.say("Cidade", "City")) } th scope="col" { (visit.say("Origem", "Origin")) } th.number scope="col" { (visit.say("Processos", "Lawsuits")) }
        } }
        tbody { @for customer in customers {
            @let lawsuits = customer.value("lawsuits").ids().len();
            tr {
                td.name { a href={ (BASE) "/customers/" (customer.id) } { (customer.text("name")) } }
                td.whole { (customer.text("identification")) }
                td.whole { (number(customer)) }
                td { (place(customer)) }
                td.wide { (customer.text("origin")) }
                td.number.wide { @if lawsuits > 0 { (lawsuits) } }
            }
        } }
    }
}

/// Where a customer is called.
fn number(customer: &View) -> &str {
    let [cellphone, phone] = ["cellphone", "phone"].map(|column| customer.text(column));
    if cellphone.is_empty() { phone } else { cellphone }
}

fn place(customer: &View) -> String {
    let both = [customer.text("city"), customer.text("state")];
    both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("/")
}

/// The customers that a text may mean, as options for a script.
pub(super) async fn pick(console: &Arc<Console>, visit: &Visit) -> Answer {
    let customers = find(console, &RECORDS, &[], OFFERED, visit).await.unwrap_or_default().records;
    part(html! {
        @for customer in &customers {
            li role="option" data-id=(customer.id) data-name=(customer.text("name")) {
                (customer.text("name")) " " span.quiet { (customer.text("identification")) " " (place(customer)) }
            }
        }
        @if customers.is_empty() { li.quiet role="option" aria-disabled="true" { (visit.say("Ninguém encontrado", "Nobody found")) } }
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
    let listed = match born_in(console, month, visit).await {
        Ok(listed) => listed,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let (customers, total, page_size) = (listed.records, listed.total, u64::from(BORN));
    let title = visit.say("Aniversários", "Birthdays");
    let year = console.api.app().today().year();
    let main = html! {
        header.title { h1 { (title) } }
        nav.months aria-label=(visit.say("Mês", "Month")) {
            @for (at, (pt, en)) in (1u8..).zip(MONTHS) {
                a href={ (BASE) "/birthdays?month=" (at) } aria-current=[(at == month).then_some("true")] { (visit.say(pt, en)) }
            }
        }
        @if customers.is_empty() {
            p.empty { (visit.say("Ninguém faz aniversário neste mês.", "Nobody has a birthday in this month.")) }
        } @else {
            p.total { (count(total, visit.lang)) " " (if total == 1 { visit.say("pessoa", "person") } else { visit.say("pessoas", "people") }) }
            table.list data-rows {
                thead { tr {
                    th scope="col" { (visit.say("Dia", "Day")) } th scope="col" { (visit.say("Nome", "Name")) }
                    th.number scope="col" { (visit.say("Idade que completa", "Turns")) } th scope="col" { (visit.say("Telefone", "Phone")) } th scope="col" { "E-mail" }
                } }
                tbody { @for customer in &customers {
                    @let born = customer.value("birthdate").day();
                    tr {
                        td.whole { @if let Some(born) = born { (format!("{:02}", born.day())) } }
                        td.name { a href={ (BASE) "/customers/" (customer.id) } { (customer.text("name")) } }
                        td.number { @if let Some(born) = born { (year - born.year()) } }
                        td.whole { (number(customer)) }
                        td.wide { (customer.text("email")) }
                    }
                } }
            }
            nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                @if offset > 0 { a.button rel="prev" href=(visit.url_with("offset", &offset.saturating_sub(page_size).to_string())) { (visit.say("← Anteriores", "← Previous")) } }
                @if offset + page_size < total { a.button rel="next" href=(visit.url_with("offset", &(offset + page_size).to_string())) { (visit.say("Próximos →", "Next →")) } }
            }
        }
    };
    page(visit, Place::Birthdays, title, &main)
}

async fn born_in(console: &Console, month: u8, visit: &Visit) -> Result<Listed, Problem> {
    let page = page_of(BORN, visit)?;
    let list = move |index: &Index, db: Db<'_>| {
        let found = index.birthdays(db, month, page)?;
        let records = db.snapshot(|db| View::read(db, Customer::TABLE, &found.ids))?;
        Ok(Listed { records, total: found.total })
    };
    console.api.list_inside(&visit.id, list).await
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
