//! What the records of a list come to: income and expense, paid, not due yet and overdue, and what is left of them.

use maud::{Markup, html};

use super::view::money;
use super::visit::Visit;
use crate::domain::Sum;

/// The sums of the groups that [`crate::api::pages::Sums`] names; nothing where there are none.
pub(super) fn draw(sums: &[Sum], visit: &Visit) -> Markup {
    let Some((income, expense)) = sums.split_at_checked(3).filter(|_| sums.len() == 6) else {
        return html! {};
    };
    let whole = |sums: &[Sum]| {
        let sums = sums.iter().map(|sum| i128::try_from(sum.centavos()).unwrap_or(i128::MAX));
        sums.collect::<Vec<_>>()
    };
    let (income, expense) = (whole(income), whole(expense));
    let balance = income.iter().zip(&expense).map(|(income, expense)| income - expense).collect();
    let rows = [
        (visit.say("Receitas", "Income"), income),
        (visit.say("Despesas", "Expense"), expense),
        (visit.say("Saldo", "Balance"), balance),
    ];
    html! {
        table.sums {
            caption.hidden { (visit.say("Somas dos lançamentos listados", "Sums of the transactions listed")) }
            thead { tr {
                td {}
                th.number scope="col" { (visit.say("Pagos", "Paid")) }
                th.number scope="col" { (visit.say("A vencer", "Not due yet")) }
                th.number scope="col" { (visit.say("Vencidos", "Overdue")) }
                th.number scope="col" { "Total" }
            } }
            tbody { @for (name, sums) in rows {
                tr {
                    th scope="row" { (name) }
                    @for sum in sums.iter().copied().chain([sums.iter().sum()]) {
                        td.number.bad[sum < 0] { (money(sum, visit.lang)) }
                    }
                }
            } }
        }
    }
}
