//! The statements that find records by a member that identifies them.

use crate::records::{Field, Matching, Table, Type};

/// Returns the queries for the records with a value, by the column of each member that identifies records.
pub(super) fn holders(table: &Table) -> Vec<(&'static str, String)> {
    let keys = table.stored().filter(|field| field.matching != Matching::Never);
    keys.map(|field| (field.column, select(table, field))).collect()
}

fn select(table: &Table, field: &Field) -> String {
    if field.ty == Type::ExternalIds {
        return [
            "SELECT r.id, r.deleted_at IS NOT NULL FROM external_ids e JOIN ",
            table.name,
            " r ON r.id = e.id WHERE e.resource = '",
            table.name,
            "' AND e.external_id = ?1",
        ]
        .concat();
    }
    let is_value = match field.ty {
        // Must be the collation of the index.
        Type::Email => " = ?1 COLLATE NOCASE",
        Type::Phone | Type::ProcessNumber => " IN (?1, ?3, ?4)",
        _ => " = ?1",
    };
    let within = field.within.map(|within| [within, " = ?3 AND "].concat()).unwrap_or_default();
    [
        "SELECT id, deleted_at IS NOT NULL FROM ",
        table.name,
        " WHERE ",
        &within,
        field.key.unwrap_or(field.column),
        is_value,
        " ORDER BY deleted_at IS NOT NULL, id LIMIT ?2",
    ]
    .concat()
}
