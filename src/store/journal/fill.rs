//! Builds the journal for records that have none: for the initial lists of a new store, and after a restore or a full
//! import replaced everything.

use rusqlite::Connection;

use super::{Actor, Op, STORE};
use crate::store::records::sql;
use crate::store::{Error, clock_now};

/// Writes one creation for each entry of a new store's initial lists.
pub(in crate::store) fn begin(conn: &Connection) -> Result<(), Error> {
    fill(conn, &Actor::import(clock_now()))
}

/// Records that everything was replaced, with numbers above `after`: an entry about the store, one creation per
/// record, and a deletion for each record in the trash.
pub(in crate::store) fn replace(conn: &Connection, after: u64, by: &Actor) -> Result<(), Error> {
    conn.execute(
        "INSERT INTO changes (seq, at, op, kind, id, via, who, request_id) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
        (after + 1, by.at, Op::Replaced.code(), STORE, by.via.code(), &by.who, &by.request_id),
    )?;
    fill(conn, by)
}

/// Returns a number above every one given out by any store before `now` (seconds since 1970). Holds as long as
/// a store adds fewer than 2^20 entries a second. The result stays below 2^53 until the year 2242.
pub(in crate::store) fn above_all_before(now: i64) -> u64 {
    u64::try_from(now).unwrap_or_default() << 20
}

/// Adds entries for every record.
fn fill(conn: &Connection, by: &Actor) -> Result<(), Error> {
    let mut parts = Vec::new();
    // Lists come first, so that a reader of the feed meets no record before the entries that it refers to.
    let (nouns, lists): (Vec<_>, Vec<_>) = sql::all().iter().partition(|(table, _)| table.can_be_deleted());
    for (place, (table, _)) in lists.into_iter().chain(nouns).enumerate() {
        let place = place.to_string();
        let mut part = |op: Op, reason: &str, which: &str| {
            let head = ["SELECT ", &op.code().to_string(), " AS op, '", table.name, "' AS kind, "].concat();
            let rest = [&*place, " AS place, id, ", reason, " AS reason FROM ", table.name, which].concat();
            parts.push(head + &rest);
        };
        part(Op::Created, "NULL", "");
        if table.can_be_deleted() {
            part(Op::Deleted, "deleted_reason", " WHERE deleted_at IS NOT NULL");
        }
    }
    let all = parts.join(" UNION ALL ");
    let insert = "INSERT INTO changes (at, op, kind, id, via, who, request_id, reason)
        SELECT ?1, op, kind, id, ?2, ?3, ?4, reason FROM (";
    let by = (by.at, by.via.code(), &by.who, &by.request_id);
    conn.execute(&[insert, &all, ") ORDER BY place, id, op"].concat(), by)?;
    Ok(())
}
