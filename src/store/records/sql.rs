//! The statements of each noun, put together from its table once.

use std::sync::LazyLock;

use crate::records::{Field, Kind, List, Source, TABLES, Table, Type};
use crate::store::{Error, gone};

/// The statements of a noun. They are put together from constants once.
pub(super) struct Sql {
    pub(super) insert: String,
    pub(super) update: String,
    /// The columns of a record that are stored, of one.
    pub(super) read: String,
    /// A record as answers show it: its id, and an expression for each row of its table.
    pub(super) show: String,
    /// Likewise, with what lists look at only, of the records whose ids are in a range.
    pub(super) search: String,
    /// Of each table that links it to others.
    pub(super) links: Vec<Links>,
}

pub(super) struct Links {
    /// The member that is linked.
    pub(super) column: &'static str,
    /// What it is linked to.
    pub(super) to: Option<Kind>,
    pub(super) read: String,
    pub(super) insert: String,
    pub(super) clear: String,
    /// The records that are linked to one.
    pub(super) of_one: String,
    /// The records that are linked to those whose ids are in a range.
    pub(super) of_range: String,
    /// The folded names of what the records in a range are linked to.
    pub(super) names: String,
}

static SQL: LazyLock<Vec<(&'static Table, Sql)>> =
    LazyLock::new(|| TABLES.iter().map(|table| (*table, Sql::of(table))).collect());

pub(super) fn sql(table: &Table) -> Result<&'static Sql, Error> {
    let known = SQL.iter().find(|(known, _)| known.kind == table.kind);
    known.map(|(_, sql)| sql).ok_or_else(|| gone("a table"))
}

fn columns(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    table.fields.iter().filter(|field| field.source == Source::Column)
}

impl Sql {
    fn of(table: &'static Table) -> Sql {
        let name = table.name;
        let stored: Vec<&str> = columns(table).map(|field| field.column).collect();
        let keys: Vec<&str> = columns(table).filter_map(|field| field.key).collect();
        let written: Vec<&str> = [&stored[..], &keys[..]].concat();
        let number = |at: usize| ["?", &at.to_string()].concat();
        let now = number(written.len() + 1);
        let values: Vec<String> = (1..=written.len()).map(number).collect();
        let set = written.iter().zip(&values).map(|(column, value)| [column, " = ", value].concat());
        let linked = table.fields.iter().filter_map(|field| match field.source {
            Source::Links(links, own, other) => Some(Links::of(field, links, own, other)),
            _ => None,
        });
        Sql {
            insert: [
                &["INSERT INTO ", name, " (", &written.join(", "), ", created_at, updated_at)"].concat(),
                &[" VALUES (", &values.join(", "), ", ", &now, ", ", &now, ")"].concat()[..],
            ]
            .concat(),
            update: [
                &["UPDATE ", name, " SET ", &set.collect::<Vec<_>>().join(", "), ", updated_at = ", &now]
                    .concat(),
                &[" WHERE id = ", &number(written.len() + 2)].concat()[..],
            ]
            .concat(),
            read: ["SELECT ", &stored.join(", "), " FROM ", name, " WHERE id = ?1"].concat(),
            show: show(table),
            search: search(table),
            links: linked.collect(),
        }
    }
}

impl Links {
    fn of(field: &'static Field, table: &str, own: &str, other: &str) -> Links {
        let columns = [own, ", position, ", other].concat();
        let to = if let Type::Links(kind) = field.ty { Some(kind) } else { None };
        let named = to.map_or("", |kind| kind.table().name);
        Links {
            column: field.column,
            to,
            of_one: ["SELECT ", own, " FROM ", table, " WHERE ", other, " = ?1 ORDER BY ", own].concat(),
            of_range: ["SELECT ", own, " FROM ", table, " WHERE ", other, " BETWEEN ?1 AND ?2"].concat(),
            names: [
                &["SELECT l.", own, ", n.name_key FROM ", table, " l JOIN ", named, " n ON n.id = l.", other]
                    .concat(),
                &[" WHERE l.", own, " BETWEEN ?1 AND ?2 ORDER BY l.", own, ", l.position"].concat()[..],
            ]
            .concat(),
            read: ["SELECT ", other, " FROM ", table, " WHERE ", own, " = ?1 ORDER BY position"].concat(),
            insert: ["INSERT INTO ", table, " (", &columns, ") VALUES (?1, ?2, ?3)"].concat(),
            clear: ["DELETE FROM ", table, " WHERE ", own, " = ?1"].concat(),
        }
    }
}

/// The statement that reads a record as answers show it.
fn show(table: &Table) -> String {
    // The entry that a column refers to is joined under the column's name, and what it belongs to under that with a `p`.
    let entry = |column: &str| ["e_", column].concat();
    let parent = |column: &str| ["p_", column].concat();
    let shown = table.fields.iter().map(|field| match field.source {
        Source::Column => ["t.", field.column].concat(),
        Source::NameOf(column) => [&entry(column), ".name"].concat(),
        Source::ParentOf(column) => [&parent(column), ".id"].concat(),
        Source::ParentNameOf(column) => [&parent(column), ".name"].concat(),
        Source::Created => "t.created_at".to_owned(),
        Source::Updated => "t.updated_at".to_owned(),
        Source::Links(..) | Source::NamesOf(_) | Source::Own => "NULL".to_owned(),
    });
    let joins = table.fields.iter().filter_map(|field| {
        let list = field.list()?;
        let (column, own) = (field.column, entry(field.column));
        let mut join = [" JOIN ", list.table(), " ", &own, " ON ", &own, ".id = t.", column].concat();
        if let (Some(above), Some(up)) = (list.parent(), list.parent_column()) {
            let wider = parent(column);
            join.push_str(
                &[" JOIN ", above.table(), " ", &wider, " ON ", &wider, ".id = ", &own, ".", up].concat(),
            );
        }
        Some(join)
    });
    let (shown, joins) = (shown.collect::<Vec<_>>().join(", "), joins.collect::<String>());
    ["SELECT t.id, ", &shown, " FROM ", table.name, " t", &joins, " WHERE t.id = ?1"].concat()
}

/// The statement that reads what lists look at: the folded form where it is stored.
fn search(table: &Table) -> String {
    let looked_at = table.fields.iter().map(|field| match (field.find, field.source) {
        (None, _) => "NULL",
        (_, Source::Column) => field.key.unwrap_or(field.column),
        (_, Source::Created) => "created_at",
        (_, Source::Updated) => "updated_at",
        _ => "NULL",
    });
    let columns = looked_at.collect::<Vec<_>>().join(", ");
    ["SELECT id, ", &columns, " FROM ", table.name, " WHERE id BETWEEN ?1 AND ?2 ORDER BY id"].concat()
}

/// The list that a name's entry is of: what `show` joins.
impl Field {
    fn list(&self) -> Option<List> {
        match (self.source, self.ty) {
            (Source::Column, Type::Reference(list)) => Some(list),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Lawsuit, Record};

    #[test]
    fn a_record_is_shown_by_one_statement() {
        let sql = sql(Lawsuit::TABLE).unwrap();
        assert!(sql.show.contains(
            "JOIN types e_type_id ON e_type_id.id = t.type_id JOIN groups p_type_id ON p_type_id.id = e_type_id.group_id"
        ), "{}", sql.show);
        assert!(sql.insert.ends_with("created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)"), "{}", sql.insert);
        assert_eq!(sql.links.len(), 1);
    }
}
