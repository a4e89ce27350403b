//! Reference checks: a live record refers only to live records.
//!
//! Requests are checked on a reader before they are queued for the writer. A referenced record can be deleted
//! or merged in between, so every write checks again inside its transaction.

use super::deletion::why_missing;
use super::sql::sql;
use super::{missing, row_values};
use crate::domain::Invalid;
use crate::records::{Field, Kind, OnDelete, Record, Source, TABLES, Table, Type, Value};
use crate::store::{Db, Error};

/// Returns the kind of records that a field refers to. List entries cannot be deleted, so foreign keys cover
/// them.
fn records_of(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(Kind::List(_)) => None,
        Type::Record(to) | Type::Links(to) => Some(to),
        _ => None,
    }
}

/// Checks that a record refers only to live records. Returns `Refused` with every member that does not.
pub fn ensure_whole<R: Record>(db: Db<'_>, record: &R) -> Result<(), Error> {
    ensure_live(db, R::TABLE, &record.values(), None)
}

/// Like [`ensure_whole`], for values about to be stored. The stored record `own` may keep its existing
/// references.
pub(super) fn ensure_live(
    db: Db<'_>,
    table: &Table,
    values: &[Value<'_>],
    own: Option<u32>,
) -> Result<(), Error> {
    let mut wrong = Invalid::new();
    for (at, (field, value)) in table.stored().zip(values).enumerate() {
        let Some(to) = records_of(field) else { continue };
        let mut missing = missing(db, to.table(), &value.ids())?;
        if let (false, Some(own)) = (missing.is_empty(), own) {
            let stored = row_values(db, table, &sql(table)?.read_any, own)?;
            let present_ids = stored.as_ref().and_then(|stored| Some(stored.get(at)?.ids()));
            missing.retain(|id| !present_ids.as_ref().is_some_and(|present_ids| present_ids.contains(id)));
        }
        for id in missing {
            wrong.add(field.member, why_missing(db, to.table(), id)?);
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::Refused(wrong)) }
}

#[derive(Clone, Copy, Debug)]
pub struct Dangling {
    pub table: &'static Table,
    pub id: u32,
    pub to: &'static Table,
    pub deleted: u32,
}

/// Returns the number of references from live to deleted records, and the first `limit` of each member. Members
/// that may keep such references do not count.
pub fn dangling(db: Db<'_>, limit: u32) -> Result<(u64, Vec<Dangling>), Error> {
    let mut count = 0;
    let mut first = Vec::new();
    for table in TABLES.iter().copied() {
        for field in table.stored().filter(|field| field.on_delete != OnDelete::NoAction) {
            let Some(to) = records_of(field).map(Kind::table) else { continue };
            let (links, pointing) = match field.source {
                Source::Links(links, own, other) => {
                    ([links, " l JOIN ", table.name, " t ON t.id = l.", own].concat(), ["l.", other].concat())
                }
                _ => ([table.name, " t"].concat(), ["t.", field.column].concat()),
            };
            let found = [
                &[" FROM ", &links, " JOIN ", to.name, " o ON o.id = ", &pointing].concat()[..],
                " WHERE t.deleted_at IS NULL AND o.deleted_at IS NOT NULL",
            ]
            .concat();
            count +=
                db.conn().query_row(&["SELECT count(*)", &found].concat(), [], |row| row.get::<_, u64>(0))?;
            let ids = ["SELECT t.id, o.id", &found, " ORDER BY t.id LIMIT ?1"].concat();
            let mut statement = db.conn().prepare(&ids)?;
            let rows = statement.query_map([limit], |row| {
                let id = row.get(0)?;
                let deleted = row.get(1)?;
                Ok(Dangling { table, id, to, deleted })
            })?;
            for row in rows {
                first.push(row?);
            }
        }
    }
    Ok((count, first))
}
