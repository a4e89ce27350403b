//! Records that a caller does not see as a whole, because they belong only to records of nouns that the caller may not see
//! (office 55).

use crate::records::{Field, Kind, Nouns, Table};
use crate::store::{Db, Error};

/// Returns the SQL condition for the records of a table, named `t`, that a caller who sees these nouns may not see. `None`
/// if there is no such record.
pub(in crate::store) fn is_hidden_sql(nouns: Nouns, table: &Table) -> Option<String> {
    hidden_sql(nouns, table, "t")
}

/// Returns the condition for an alias of the table.
fn hidden_sql(nouns: Nouns, table: &Table, alias: &str) -> Option<String> {
    if !nouns.hide_records(table) {
        return None;
    }
    let filled = |field: &Field| [alias, ".", field.column, " IS NOT NULL"].concat();
    let any = table.owners().map(filled).collect::<Vec<_>>().join(" OR ");
    let revealed = table.owners().filter(|field| nouns.reveal(table, field));
    let seen = revealed.map(|field| {
        // An owner may be hidden in turn.
        let owner = [alias, "_", field.column].concat();
        let table = field.record().map(Kind::table);
        match table.and_then(|table| Some((table, hidden_sql(nouns, table, &owner)?))) {
            Some((table, hidden)) => {
                let rows = ["(SELECT 1 FROM ", table.name, " ", &owner, " WHERE ", &owner, ".id = "].concat();
                let is_hidden = [&rows, alias, ".", field.column, " AND ", &hidden, ")"].concat();
                [&filled(field), " AND NOT EXISTS ", &is_hidden].concat()
            }
            None => filled(field),
        }
    });
    let seen = seen.collect::<Vec<_>>().join(" OR ");
    let not_seen = if seen.is_empty() { String::new() } else { [" AND NOT (", &seen, ")"].concat() };
    Some(["(", &any, ")", &not_seen].concat())
}

/// Returns the condition for all other records, to be added to others, or nothing if there is no hidden record.
pub(in crate::store) fn and_is_seen_sql(nouns: Nouns, table: &Table) -> String {
    is_hidden_sql(nouns, table).map_or_else(String::new, |hidden| [" AND NOT (", &hidden, ")"].concat())
}

/// Returns `true` if the caller may not see this record, live or deleted.
pub fn is_hidden(db: Db<'_>, table: &Table, id: u32) -> Result<bool, Error> {
    let Some(condition) = is_hidden_sql(db.nouns(), table) else { return Ok(false) };
    let select = ["SELECT 1 FROM ", table.name, " t WHERE t.id = ?1 AND ", &condition].concat();
    db.has_row(&select, [id])
}

/// Returns all records of a table that the caller may not see, in ascending order.
pub fn hidden(db: Db<'_>, table: &Table) -> Result<Vec<u32>, Error> {
    let Some(condition) = is_hidden_sql(db.nouns(), table) else { return Ok(Vec::new()) };
    let select = ["SELECT t.id FROM ", table.name, " t WHERE ", &condition, " ORDER BY t.id"].concat();
    db.column(&select, [])
}
