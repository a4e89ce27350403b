//! Links between the list of transactions and the other pages about money.

use crate::console::prelude::*;

/// Renders the links. `now` is the path of the current page.
pub(in crate::console) fn links(now: &str, visit: &Visit) -> Markup {
    let all = [
        ("", "Lançamentos", "Transactions"),
        ("/cash", "Caixa do mês", "Payments of the month"),
        ("/overdue", "Quem deve", "Who owes"),
    ];
    let may_see = |path: &str| path != "/overdue" || visit.may(Access::Read(Kind::Customer));
    html! {
        nav.months aria-label=(visit.pick("Financeiro", "Money")) {
            @for (path, pt, en) in all.into_iter().filter(|(path, ..)| may_see(path)) {
                a href={ (BASE) "/transactions" (path) } aria-current=[(path == now).then_some("page")] { (visit.pick(pt, en)) }
            }
        }
    }
}
