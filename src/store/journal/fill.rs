//! Builds the journal for records that have none: in a store older than the journal, for the initial lists of a
//! new store, and after a restore or a full import replaced everything.

use rusqlite::Connection;

use super::{Actor, Op, STORE};
use crate::store::records::sql;
use crate::store::{Error, clock_now};

/// Fills an empty journal from the timestamps of the records: one entry for the creation of each record, and
/// one each for its last change and its deletion if it has them. Does nothing if the journal has entries.
pub(in crate::store) fn begin(conn: &Connection) -> Result<(), Error> {
    if conn.query_row("SELECT EXISTS (SELECT 1 FROM changes)", [], |row| row.get(0))? {
        return Ok(());
    }
    let mut first = None;
    for (table, _) in sql::all().iter().filter(|(_, sql)| sql.has_moments) {
        let select = ["SELECT min(created_at) FROM ", table.name].concat();
        let own: Option<i64> = conn.query_row(&select, [], |row| row.get(0))?;
        first = first.into_iter().chain(own).min();
    }
    // Lists have no timestamps, so they get the one of the oldest record.
    let first = first.unwrap_or_else(clock_now);
    fill(conn, &Actor::import(first), true)
}

/// Records that everything was replaced, with numbers above `after`: an entry about the store, one creation per
/// record, and a deletion for each record in the trash.
pub(in crate::store) fn replace(conn: &Connection, after: u64, by: &Actor) -> Result<(), Error> {
    conn.execute(
        "INSERT INTO changes (seq, at, op, kind, id, via, who, request_id) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
        (after + 1, by.at, Op::Replaced.code(), STORE, by.via.code(), &by.who, &by.request_id),
    )?;
    fill(conn, by, false)
}

/// Returns a number above every one given out by any store before `now` (seconds since 1970). Holds as long as
/// a store adds fewer than 2^20 entries a second. The result stays below 2^53 until the year 2242.
pub(in crate::store) fn above_all_before(now: i64) -> u64 {
    u64::try_from(now).unwrap_or_default() << 20
}

/// Adds entries for every record. Their time is `by.at`, or the record's own timestamps if `by_own_moments` is
/// set and the record has them.
fn fill(conn: &Connection, by: &Actor, by_own_moments: bool) -> Result<(), Error> {
    let mut parts = Vec::new();
    // Lists come first, so that a reader of the feed meets no record before the entries that it refers to.
    let (nouns, lists): (Vec<_>, Vec<_>) = sql::all().iter().partition(|(table, _)| table.can_be_deleted());
    for (place, (table, sql)) in lists.into_iter().chain(nouns).enumerate() {
        let (number, place) = (|op: Op| op.code().to_string(), place.to_string());
        let mut part = |op: Op, moment: &str, reason: &str, which: &str| {
            let moment = if by_own_moments { moment } else { "?1" };
            let head =
                ["SELECT ", moment, " AS at, ", &number(op), " AS op, '", table.name, "' AS kind, "].concat();
            let rest = [&*place, " AS place, id, ", reason, " AS reason FROM ", table.name, which].concat();
            parts.push(head + &rest);
        };
        part(Op::Created, if sql.has_moments { "created_at" } else { "?1" }, "NULL", "");
        if sql.has_moments && by_own_moments {
            // Even if the clock was wrong, a change must not precede the creation.
            let moment = "max(created_at, updated_at)";
            part(Op::Updated, moment, "NULL", " WHERE updated_at <> created_at");
        }
        if table.can_be_deleted() {
            let moment = "max(created_at, updated_at, deleted_at)";
            part(Op::Deleted, moment, "deleted_reason", " WHERE deleted_at IS NOT NULL");
        }
    }
    let order = if by_own_moments { "at, op, place, id" } else { "place, id, op" };
    let all = parts.join(" UNION ALL ");
    let insert = "INSERT INTO changes (at, op, kind, id, via, who, request_id, reason)
        SELECT at, op, kind, id, ?2, ?3, ?4, reason FROM (";
    let by = (by.at, by.via.code(), &by.who, &by.request_id);
    conn.execute(&[insert, &all, ") ORDER BY ", order].concat(), by)?;
    Ok(())
}
