//! The customers' birthdays in a month, by day.

use crate::api::customers::number;
use crate::console::layout::days;
use crate::console::prelude::*;
use crate::console::records::list::find::{Listed, page_of};
use crate::console::records::list::pager;
use crate::domain::time::names::MONTHS;
use crate::index::Index;
use crate::records::Customer;

const BIRTHDAYS_PER_PAGE: u32 = 200;

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let this_month = visit.today.month();
    let month = visit
        .parameter("month")
        .parse::<u8>()
        .ok()
        .filter(|month| (1..=12).contains(month))
        .unwrap_or(this_month);
    let listed = born_in(month, visit).await?;
    let customers = listed.records;
    let total = listed.total;
    let title = visit.pick("Aniversários", "Birthdays");
    let year = visit.today.year();
    let of_month = Day::from_ymd(year, month, 1).map(|first| days::month(first, visit.lang));
    let main = html! {
        header.title { h1 { (title) } p.printed { (of_month.unwrap_or_default()) } }
        nav.months aria-label=(visit.pick("Mês", "Month")) {
            @for (at, (pt, en)) in (1u8..).zip(MONTHS) {
                a href={ (BASE) "/birthdays?month=" (at) } aria-current=[(at == month).then_some("true")] { (visit.pick(pt, en)) }
            }
        }
        @if customers.is_empty() {
            p.empty { (visit.pick("Ninguém faz aniversário neste mês.", "No one has a birthday this month.")) }
        } @else {
            p.total { (count(total, visit.lang)) " " (if total == 1 { visit.pick("pessoa", "person") } else { visit.pick("pessoas", "people") }) }
            table.list data-rows {
                thead { tr {
                    th scope="col" { (visit.pick("Dia", "Day")) } th scope="col" { (visit.pick("Nome", "Name")) }
                    th.number scope="col" { (visit.pick("Idade que completa", "Turns")) } th scope="col" { (visit.pick("Telefone", "Phone")) } th scope="col" { "E-mail" }
                } }
                tbody { @for customer in &customers {
                    @let born = customer.value("birthdate").day();
                    tr {
                        td.whole { @if let Some(born) = born { (format!("{:02}", born.day())) } }
                        td.name { a href={ (BASE) "/customers/" (customer.id) } { (customer.text("name")) } }
                        td.number data-label=(visit.pick("Completa", "Turns")) { @if let Some(born) = born { (year - born.year()) } }
                        td.whole { (number(customer)) }
                        td.wide { (customer.text("email")) }
                    }
                } }
            }
            (pager::render(total, u64::from(BIRTHDAYS_PER_PAGE), visit))
        }
    };
    Ok(page(visit, NavItem::Birthdays, title, &main))
}

async fn born_in(month: u8, visit: &Visit) -> Result<Listed> {
    let page = page_of(BIRTHDAYS_PER_PAGE, visit)?;
    let list = move |index: &Index, db: Db<'_>| {
        let found = index.birthdays(db, month, page)?;
        let records = db.snapshot(|db| View::read(db, Customer::TABLE, &found.ids))?;
        Ok(Listed { records, total: found.total, ..Listed::default() })
    };
    visit.list(list).await
}
