//! Who has a birthday in a month, by day.

use std::sync::Arc;

use maud::html;

use super::calendar::MONTHS;
use super::enter;
use super::find::{Listed, page_of};
use super::numbers::count;
use super::page::{Place, page};
use super::pager;
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use crate::api::customers::number;
use crate::api::pages::View;
use crate::http::{Answer, Problem};
use crate::index::Index;
use crate::records::{Customer, Record};
use crate::store::Db;

/// How many birthdays a page has.
const BORN: u32 = 200;

/// The page of a month.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let this_month = console.api.app().today().month();
    let month = visit
        .asked("month")
        .parse::<u8>()
        .ok()
        .filter(|month| (1..=12).contains(month))
        .unwrap_or(this_month);
    let listed = match born_in(console, month, visit).await {
        Ok(listed) => listed,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let (customers, total) = (listed.records, listed.total);
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
            (pager::draw(total, u64::from(BORN), visit))
        }
    };
    page(visit, Place::Birthdays, title, &main)
}

async fn born_in(console: &Console, month: u8, visit: &Visit) -> Result<Listed, Problem> {
    let page = page_of(BORN, visit)?;
    let list = move |index: &Index, db: Db<'_>| {
        let found = index.birthdays(db, month, page)?;
        let records = db.snapshot(|db| View::read(db, Customer::TABLE, &found.ids))?;
        Ok(Listed { records, total: found.total, ..Listed::default() })
    };
    console.api.list_inside(&visit.id, list).await
}
