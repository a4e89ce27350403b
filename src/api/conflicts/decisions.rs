//! Decisions about conflicts: a person lets one pass, and the decision holds while the names and numbers that it rests on stay
//! as they are (events 23.5).

use super::nightly_check::{BOUNDS, finding, people_against};
use crate::domain::Side;
use crate::store::conflicts;
use crate::store::conflicts::conflict_findings::{self, ConflictFinding, Passed};
use crate::store::{self, Db, Tx};

/// Sets the basis of the decisions about a customer that have none yet: what they rest on now. One whose sign is stronger
/// now, after a merge, gets none, so that the next nightly check reports the conflict.
pub fn set_basis_of_decisions(tx: Tx<'_>, customer: u32) -> Result<(), store::Error> {
    for (lawsuit, by) in conflict_findings::without_basis(*tx, customer)? {
        if let Some(finding) = current_finding(*tx, lawsuit, customer)?.filter(|finding| finding.by >= by) {
            conflict_findings::set_basis(tx, lawsuit, &finding)?;
        }
    }
    Ok(())
}

/// Lets a conflict pass, with the names and numbers that it rests on now. Returns `false` if it does not stand any more.
pub fn let_pass(tx: Tx<'_>, customer: u32, lawsuit: u32, passed: &Passed) -> Result<bool, store::Error> {
    if let Some(finding) = current_finding(*tx, lawsuit, customer)? {
        conflict_findings::set_basis(tx, lawsuit, &finding)?;
    }
    conflict_findings::let_pass(tx, customer, lawsuit, passed)
}

/// Returns the conflict of a client and a lawsuit as it is now, which may both be closed.
pub fn current_finding(db: Db<'_>, case: u32, client: u32) -> Result<Option<ConflictFinding>, store::Error> {
    let Some(case) = conflicts::case(db, case)? else { return Ok(None) };
    let Some(client) = conflicts::customer(db, client)?.filter(|client| client.side == Side::Customer) else {
        return Ok(None);
    };
    let number = client.identification.as_ref();
    let people = people_against(db, &case)?;
    let found = people.iter().filter_map(|person| {
        let (by, score) =
            person.compare(Some(client.id.get()), &client.name, number, BOUNDS.matching.lowest())?;
        Some(finding(person, &client, by, score))
    });
    Ok(found.min_by(|one, other| one.rank().cmp(&other.rank())))
}
