//! References to the entries of lists.

use super::hidden::and_is_seen_sql;
use crate::records::{Field, Kind, List, Source, TABLES, Table, Type};
use crate::store::{Db, Error};

/// Returns `true` if any record refers to this list entry.
pub fn is_used(db: Db<'_>, list: List, id: u32) -> Result<bool, Error> {
    let refers = |field: &&Field| field.source == Source::Column && field.ty == Type::Reference(list);
    for table in TABLES {
        for field in table.fields.iter().filter(refers) {
            let select = ["SELECT 1 FROM ", table.name, " WHERE ", field.column, " = ?1 LIMIT 1"].concat();
            if db.has_row(&select, [id])? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Counts the references to a list entry by table, from records that the caller may see, except from those in the trash.
/// Scans every table with such a column.
pub fn uses(db: Db<'_>, list: List, id: u32) -> Result<Vec<(&'static Table, u64)>, Error> {
    let mut uses = Vec::new();
    for table in db.nouns().tables().chain(List::ALL.map(List::table)) {
        let live = if table.can_be_deleted() { " AND t.deleted_at IS NULL" } else { "" };
        let seen = and_is_seen_sql(db.nouns(), table);
        let mut of_table = 0;
        for field in table.stored() {
            let (column, from) = match (field.source, field.ty) {
                (Source::Column, Type::Reference(to)) if to == list => {
                    (["t.", field.column].concat(), String::new())
                }
                (Source::Links(links, own, other), Type::Links(Kind::List(to))) if to == list => {
                    (["l.", other].concat(), [" JOIN ", links, " l ON l.", own, " = t.id"].concat())
                }
                _ => continue,
            };
            let select =
                ["SELECT count(*) FROM ", table.name, " t", &from, " WHERE ", &column, " = ?1", live, &seen];
            of_table +=
                db.conn().prepare_cached(&select.concat())?.query_row([id], |row| row.get::<_, u64>(0))?;
        }
        uses.extend((of_table > 0).then_some((table, of_table)));
    }
    Ok(uses)
}
