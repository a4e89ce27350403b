//! A journal for records that have none: of a store from before there was one, of a new store's lists, and of a backup or a
//! whole import that takes everything's place.

use rusqlite::Connection;

use super::{Actor, Op, STORE};
use crate::store::records::sql;
use crate::store::{Error, clock_now};

/// Gives a store without any entry one for every record, by the records' own moments: that it was made, and where it was,
/// that it was changed and deleted. Does nothing where there is one.
///
/// # Errors
/// Why the store cannot be written.
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
    // Lists, which keep no moments, are as old as the oldest record.
    let first = first.unwrap_or_else(clock_now);
    fill(conn, &Actor::import(first), true)
}

/// Journals that everything was replaced, with numbers above `after`: the store itself, then every record as created, and
/// those in the trash as deleted again.
///
/// # Errors
/// Why the store cannot be written.
pub(in crate::store) fn replace(conn: &Connection, after: u64, by: &Actor) -> Result<(), Error> {
    conn.execute(
        "INSERT INTO changes (seq, at, op, kind, id, via, who, request_id) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
        (after + 1, by.at, Op::Replaced.code(), STORE, by.via.code(), &by.who, &by.request_id),
    )?;
    fill(conn, by, false)
}

/// Returns a number above every one that any store has given out before `now`, in seconds since 1970. Numbers grow by less
/// than a million a second, and stay below 2^53 until the year 2242.
pub(in crate::store) fn above_all_before(now: i64) -> u64 {
    u64::try_from(now).unwrap_or_default() << 20
}

/// Adds entries for every record as those of `by`, whose moment is of those records that have none of their own, or of all.
fn fill(conn: &Connection, by: &Actor, by_own_moments: bool) -> Result<(), Error> {
    let mut parts = Vec::new();
    // The lists first, so that nobody meets a record before what it points to.
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
            // A clock that was wrong does not have it changed before it was made.
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
