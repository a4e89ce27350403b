//! Pages about money beside the list of transactions: payments and their receipts, the payments of a month, and who
//! owes since when (office 54).

pub(super) mod plan;

mod cash;
pub(super) mod links;
pub(super) mod months;
mod overdue;
pub(super) mod payment;
pub(super) mod receipt;

use crate::console::prelude::*;
use crate::console::requests::paths::is_id;

/// Returns the page of a path below the list of transactions, and what it requires. Returns `None` for other paths.
pub(super) fn find_page<'v>(posted: bool, path: &[&'v str], visit: &'v Visit) -> Option<GuardedPage<'v>> {
    let read = Access::Read(Kind::Transaction);
    let write = Access::Write(Kind::Transaction);
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
