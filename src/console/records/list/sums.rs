//! The sums of a list: income, expense and balance, each paid, not due yet and overdue.

use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::Sum;

/// Renders the sums of the groups in [`crate::api::console_pages::Sums`]; empty if the list has no groups.
pub(in crate::console) fn render(sums: &[Sum], visit: &Visit) -> Markup {
    let Some((income, expense)) = sums.split_at_checked(3).filter(|_| sums.len() == 6) else {
        return html! {};
    };
    let whole = |sums: &[Sum]| {
        let sums = sums.iter().map(|sum| i128::try_from(sum.centavos()).unwrap_or(i128::MAX));
        sums.collect::<Vec<_>>()
    };
    let income = whole(income);
    let expense = whole(expense);
    let balance = income.iter().zip(&expense).map(|(income, expense)| income - expense).collect();
    let rows = [
        (visit.pick("Receitas", "Income"), income),
        (visit.pick("Despesas", "Expense"), expense),
        (visit.pick("Saldo", "Balance"), balance),
    ];
    html! {
        table.sums {
            caption.hidden { (visit.pick("Somas dos lançamentos listados", "Sums of the transactions listed")) }
            thead { tr {
                td {}
                th.number scope="col" { (visit.pick("Pagos", "Paid")) }
                th.number scope="col" { (visit.pick("A vencer", "Not due yet")) }
                th.number scope="col" { (visit.pick("Vencidos", "Overdue")) }
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
