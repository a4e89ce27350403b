//! The merge of two records into one, and its undo: references move, and the other record goes to the trash.

use super::replace_links;
use super::sql::trash_sql;
use crate::records::{TABLES, Table};
use crate::store::journal::JournalAct;
use crate::store::{Db, Error, Tx, trash};

/// Moves all references from `from` to `into`, those of deleted records included, and deletes `from`. The
/// caller has checked that both exist. `now` is in seconds since 1970.
pub fn merge(tx: Tx<'_>, table: &Table, from: u32, into: u32, now: i64) -> Result<(), Error> {
    for own in TABLES {
        for (_, repoint) in trash_sql(own)?.pointing.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.run(&repoint.touch, (from, now))?;
            tx.run(&repoint.point, (into, from))?;
            if let Some(clear) = &repoint.clear {
                tx.run(clear, [from])?;
            }
        }
    }
    trash::delete(tx, table, from, None, now)?;
    tx.note_act(JournalAct::Merge);
    tx.run(&trash_sql(table)?.merged, (from, into))
}

/// Returns the records that were merged into this one, ascending.
pub fn merged_into(db: Db<'_>, table: &Table, id: u32) -> Result<Vec<u32>, Error> {
    db.column(&trash_sql(table)?.merged_into, [id])
}

/// A reference that a merge moved: the record, and its member.
#[derive(Clone, Debug)]
pub struct MovedReference {
    pub table: &'static Table,
    pub id: u32,
    pub column: &'static str,
    /// What the member refers to without the merge.
    pub links: Vec<u32>,
}

/// Gives a reference that a merge moved `into` another record back to `from`. `now` is in seconds since 1970.
pub fn point_back(tx: Tx<'_>, moved: &MovedReference, from: u32, into: u32, now: i64) -> Result<(), Error> {
    let MovedReference { table, id, column, ref links } = *moved;
    let sql = trash_sql(table)?;
    tx.run(&sql.touch, (id, now))?;
    let repoint = sql.pointing.iter().map(|(_, repoint)| repoint).find(|repoint| repoint.column == column);
    match repoint.and_then(|repoint| repoint.back.as_ref()) {
        Some(back) => tx.run(back, [from, into, id]),
        None => replace_links(tx, table, column, id, links),
    }
}

/// Lets the records that were deleted along with `from`, and refer to `to` now, come back with `to`.
pub fn pass_on(tx: Tx<'_>, table: &Table, from: u32, to: u32) -> Result<(), Error> {
    for own in TABLES {
        for (_, [.., pass_on]) in trash_sql(own)?.going.iter().filter(|(kind, _)| *kind == table.kind) {
            tx.run(pass_on, [to, from])?;
        }
    }
    Ok(())
}
