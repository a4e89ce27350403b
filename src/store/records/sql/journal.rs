//! SQL for the journal: triggers on the writer's connection, and statements that read the current values of a
//! record.

use crate::records::{Field, Find, Kind, Source, Table, Type};

/// Journal statements of one table.
pub(in crate::store) struct JournalSql {
    /// Columns whose values are compared.
    pub(in crate::store) columns: Vec<&'static str>,
    /// Selects the current values of `columns`, followed by the deletion time.
    pub(in crate::store) now: String,
    pub(in crate::store) parts: Vec<PartSql>,
    /// Creates the temporary triggers that note every written row.
    pub(in crate::store) triggers: String,
}

/// A dependent table whose rows belong to records of another table: links, or data about each link.
pub(in crate::store) struct PartSql {
    pub(in crate::store) name: &'static str,
    /// The member stored in this table.
    pub(in crate::store) field: &'static Field,
    /// Kind of the linked records, or `None` for a table with data about links.
    pub(in crate::store) to: Option<Kind>,
    /// Selects the keys and values of one record's rows.
    pub(in crate::store) now: String,
    own: &'static str,
    key: &'static str,
    value: &'static str,
}

impl JournalSql {
    /// Builds the statements of a table. `number` is its index in `sql::all()`.
    pub(super) fn of(table: &'static Table, number: usize) -> JournalSql {
        let name = table.name;
        let noted = |field: &&Field| matches!(field.source, Source::Column | Source::Place);
        let column = |field: &Field| if field.source == Source::Place { "place" } else { field.column };
        let columns: Vec<_> = table.fields.iter().filter(noted).map(column).collect();
        let deleted = if table.can_be_deleted() { "deleted_at" } else { "NULL" };
        let parts: Vec<_> = table.fields.iter().flat_map(PartSql::of).collect();
        let mut triggers = String::new();
        let mut add = |on: &str, event: &str, call: &str| {
            let named = ["noted_", on, "_", event].concat();
            let when = [" AFTER ", event, " ON main."].concat();
            let body = [on, " BEGIN SELECT ", call, "; END;\n"].concat();
            triggers.push_str(&["CREATE TEMP TRIGGER ", &named, &when, &body].concat());
        };
        let old: String = columns.iter().map(|column| [", old.", column].concat()).collect();
        let was_deleted = if table.can_be_deleted() { "old.deleted_at" } else { "NULL" };
        add(name, "INSERT", &format!("note_inserted({number}, new.id)"));
        add(name, "UPDATE", &format!("note_updated({number}, old.id, {was_deleted}{old})"));
        add(name, "DELETE", &format!("note_deleted({number}, old.id)"));
        for (part, PartSql { name, own, key, value, .. }) in parts.iter().enumerate() {
            let of = format!("{number}, {part}");
            let old = format!("note_part({of}, old.{own}, old.{key}, old.{value})");
            add(name, "INSERT", &format!("note_part({of}, new.{own}, new.{key}, NULL)"));
            add(name, "UPDATE", &old);
            add(name, "DELETE", &old);
        }
        let now = ["SELECT ", &columns.join(", "), ", ", deleted, " FROM ", name, " WHERE id = ?1"].concat();
        JournalSql { columns, now, parts, triggers }
    }
}

impl PartSql {
    /// Returns the dependent tables of a member: its links and, for the guests of a task, their completions.
    fn of(field: &'static Field) -> Vec<PartSql> {
        let (Source::Links(links, own, other), Type::Links(to)) = (field.source, field.ty) else {
            return Vec::new();
        };
        let mut parts = vec![PartSql::new(field, Some(to), links, [own, "position", other])];
        if field.find == Some(Find::Guests) {
            parts.push(PartSql::new(field, None, "task_completions", [own, other, "completed_at"]));
        }
        parts
    }

    fn new(
        field: &'static Field,
        to: Option<Kind>,
        name: &'static str,
        [own, key, value]: [&'static str; 3],
    ) -> PartSql {
        let now = ["SELECT ", key, ", ", value, " FROM ", name, " WHERE ", own, " = ?1"].concat();
        PartSql { name, field, to, now, own, key, value }
    }
}
