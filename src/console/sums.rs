//! What the records of a list come to: income and expense, paid and not, and what is left of them.

use maud::{Markup, html};

use super::view::money;
use super::visit::Visit;
use crate::domain::Sum;

/// The sums of the groups that [`crate::api::pages::Sums`] names; nothing where there are none.
pub(super) fn draw(sums: &[Sum], visit: &Visit) -> Markup {
    let [paid_in, unpaid_in, paid_out, unpaid_out] = *sums else { return html! {} };
    let whole = |sum: Sum| i128::try_from(sum.centavos()).unwrap_or(i128::MAX);
    let income = [paid_in, unpaid_in].map(whole);
    let expense = [paid_out, unpaid_out].map(whole);
    let balance = [income[0] - expense[0], income[1] - expense[1]];
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
                th.number scope="col" { (visit.say("Em aberto", "Unpaid")) }
                th.number scope="col" { "Total" }
            } }
            tbody { @for (name, [paid, unpaid]) in rows {
                tr {
                    th scope="row" { (name) }
                    @for sum in [paid, unpaid, paid + unpaid] {
                        td.number.bad[sum < 0] { (money(sum, visit.lang)) }
                    }
                }
            } }
        }
    }
}
