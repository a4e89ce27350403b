//! Who owes overdue income, since when and how much, with the phone beside it (office 54).

use crate::api::customers::number;
use crate::console::layout::days::written;
use crate::console::layout::view::money;
use crate::console::money::links::links;
use crate::console::prelude::*;
use crate::domain::lang::localize;
use crate::records::Customer;
use crate::store::nouns::transactions::cash::{Overdue, OverdueList, overdue};

/// Customers on the page, those who owe most.
const MAX_CUSTOMERS: usize = 500;

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let customers = Access::Read(Kind::Customer);
    if !visit.may(customers) {
        return Err(Problem::not_allowed(customers));
    }
    let today = visit.today;
    let read = move |db: Db<'_>| {
        let owed = overdue(db, today, MAX_CUSTOMERS)?;
        let ids = owed.first.iter().filter_map(|one| one.customer).collect::<Vec<_>>();
        Ok((View::read(db, Customer::TABLE, &ids)?, owed))
    };
    let (customers, OverdueList { first, debtors, by_age }) = visit.read(read).await?;
    let title = visit.pick("Quem deve", "Who owes");
    let main = html! {
        (links("/overdue", visit))
        header.title {
            h1 { (title) }
            div.tools { (print_button(visit)) }
        }
        @if first.is_empty() {
            p.empty { (visit.pick("Ninguém deve nada vencido.", "No one owes anything overdue.")) }
        } @else {
            p.total { (counted(debtors as u64, Customer::TABLE, visit.lang)) }
            table.list.ages {
                thead { tr {
                    th scope="col" { (visit.pick("Cliente", "Customer")) }
                    th scope="col" { (visit.pick("Telefone", "Phone")) }
                    th scope="col" { (visit.pick("Deve desde", "Owes since")) }
                    @for head in ages(visit) { th.number scope="col" { (head) } }
                    th.number scope="col" { "Total" }
                } }
                tbody {
                    @for one in &first { (row(one, &customers, visit)) }
                    tr.total {
                        th.name scope="row" colspan="3" { "Total" }
                        (amounts(by_age, visit))
                    }
                }
            }
            @if debtors > MAX_CUSTOMERS { p.quiet { (localize!(
                visit.lang,
                "Aparecem os {MAX_CUSTOMERS} que mais devem; o total é de todos.",
                "The list has the {MAX_CUSTOMERS} who owe most; the total is of all."
            )) } }
        }
    };
    Ok(page(visit, NavItem::Records(Kind::Transaction), title, &main))
}

fn ages(visit: &Visit) -> [&'static str; 4] {
    [
        visit.pick("1 a 30 dias", "1 to 30 days"),
        visit.pick("31 a 60 dias", "31 to 60 days"),
        visit.pick("61 a 90 dias", "61 to 90 days"),
        visit.pick("Mais de 90 dias", "More than 90 days"),
    ]
}

fn row(one: &Overdue, customers: &[View], visit: &Visit) -> Markup {
    let customer = one.customer.and_then(|id| customers.iter().find(|customer| customer.id == id));
    let id = one.customer.map_or_else(String::new, |id| id.to_string());
    html! {
        tr {
            td.name { @match customer {
                Some(customer) => a href={ (BASE) "/customers/" (id) } { (customer.text("name")) },
                None => span.quiet { (visit.pick("Sem cliente", "Without a customer")) },
            } }
            td.whole data-label=(visit.pick("Telefone", "Phone")) { @if let Some(customer) = customer { (number(customer)) } }
            td.whole data-label=(visit.pick("Deve desde", "Owes since")) {
                @let since = written(one.since, visit.lang);
                @if one.customer.is_some() {
                    a href={ (BASE) "/transactions?tab=overdue&entry_type=income&customers_id=" (id) } { (since) }
                } @else { (since) }
            }
            (amounts(one.by_age, visit))
        }
    }
}

fn amounts(by_age: [i64; 4], visit: &Visit) -> Markup {
    let shown = |sum: i64| if sum == 0 { String::new() } else { money(sum.into(), visit.lang) };
    html! {
        @for (label, sum) in ages(visit).iter().zip(by_age) { td.number data-label=(label) { (shown(sum)) } }
        td.number data-label="Total" { strong { (money(by_age.iter().sum::<i64>().into(), visit.lang)) } }
    }
}
