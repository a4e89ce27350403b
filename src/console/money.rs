//! Pages about money beside the list of transactions: payments and their receipts, the payments of a month, and who
//! owes since when (office 54).

mod cash;
mod months;
mod overdue;
pub(super) mod payment;
pub(super) mod receipt;

use crate::console::paths::is_id;
use crate::console::plan;
use crate::console::prelude::*;

/// Returns the page of a path below the list of transactions, and what it requires. Returns `None` for other paths.
pub(super) fn find_page<'v>(posted: bool, path: &[&'v str], visit: &'v Visit) -> Option<GuardedPage<'v>> {
    let (read, write) = (Access::Read(Kind::Transaction), Access::Write(Kind::Transaction));
    Some(match (posted, path) {
        (false, ["parts"]) => guarded(write, async { Ok(plan::parts(visit)) }),
        (false, ["cash"]) => guarded(read, cash::show(visit)),
        (false, ["cash", "export"]) => guarded(read, cash::export(visit)),
        (false, ["overdue"]) => guarded(read, overdue::show(visit)),
        (false, [id, "receipt"]) if is_id(id) => guarded(read, receipt::show(id, visit)),
        (true, [id, "payment"]) if is_id(id) => guarded(write, payment::receive(id, visit)),
        _ => return None,
    })
}

/// Renders the links between the list and the other pages. `now` is the path of the current page.
pub(super) fn pages(now: &str, visit: &Visit) -> Markup {
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
