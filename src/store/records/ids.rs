//! Ids for new records: higher than every existing and every reserved id of the table.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::sql;
use crate::domain::{Invalid, Reason};
use crate::records::Table;
use crate::store::conflicts::conflict_checks;
use crate::store::engine::reserved_ids;
use crate::store::{Db, Error, Tx, webhooks};

/// Ids that a writer may have given out after the newest state that is known of a noun.
const RECORD_GAP: u64 = 100_000;
/// As [`RECORD_GAP`], for a reference list.
const LIST_GAP: u64 = 1_000;
/// Name of the printed conflict checks among [`GivenIds`].
const CHECKS: &str = "conflict_checks";

/// The highest id that was given out, by table.
pub type GivenIds = BTreeMap<String, u64>;

/// Returns the highest id that this store has given out, of each table whose ids clients or people know.
pub(in crate::store) fn given(db: Db<'_>) -> Result<GivenIds, Error> {
    let mut given = GivenIds::new();
    for (table, _) in sql::all() {
        given.insert(table.name.to_owned(), last_id(db, table)?);
    }
    given.insert(webhooks::RESOURCE.to_owned(), webhooks::last_id(db)?.into());
    given.insert(CHECKS.to_owned(), u64::try_from(conflict_checks::last_id(db)?).unwrap_or_default());
    Ok(given)
}

/// Leaves a gap above the highest ids, for those that may have been given out since. A gap that does not fit is left out.
pub(in crate::store) fn with_gap(mut given: GivenIds) -> GivenIds {
    for (resource, id) in &mut given {
        let after = *id + if is_list(resource) { LIST_GAP } else { RECORD_GAP };
        *id = if after < u32::MAX.into() { after } else { *id };
    }
    given
}

/// Returns `true` if ids of this name are those of a reference list.
pub(in crate::store) fn is_list(resource: &str) -> bool {
    sql::all().iter().any(|(table, _)| table.name == resource && !table.can_be_deleted())
}

/// Reserves all of these ids, so that new records get higher ones.
pub(in crate::store) fn reserve_all(conn: &Connection, given: &GivenIds) -> Result<(), Error> {
    for (resource, id) in given {
        match resource.as_str() {
            CHECKS => conflict_checks::reserve_ids(conn, i64::try_from(*id).unwrap_or_default())?,
            resource => reserved_ids::reserve(conn, resource, *id)?,
        }
    }
    Ok(())
}

/// Reserves all ids up to `id`, so that new records get higher ids.
pub fn reserve(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    reserved_ids::reserve(tx.conn(), table.name, id.into())
}

/// Returns the id for the next new record of a table, or `Refused` if no id is left.
pub fn next_id(db: Db<'_>, table: &Table) -> Result<u32, Error> {
    let next = last_id(db, table)? + 1;
    u32::try_from(next).map_err(|_| Error::Refused(Invalid::one("id", Reason::NoIdLeft { most: u32::MAX })))
}

/// Returns the highest existing or reserved id of a table, or 0.
fn last_id(db: Db<'_>, table: &Table) -> Result<u64, Error> {
    let sql = [
        "SELECT max(coalesce((SELECT max(id) FROM ",
        table.name,
        "), 0), coalesce((SELECT id FROM reserved_ids WHERE resource = ?1), 0))",
    ];
    db.value(&sql.concat(), [table.name])
}
