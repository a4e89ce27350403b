//! The statements by which the journal learns what is written: triggers of the writer's own connection, and what a record is
//! once a request is done with it.

use crate::records::{Field, Find, Kind, Source, Table, Type};

/// What is noted of the records of a table.
pub(in crate::store) struct JournalSql {
    /// The columns whose values are compared.
    pub(in crate::store) columns: Vec<&'static str>,
    /// Their values as they are now, and behind them when the record was deleted.
    pub(in crate::store) now: String,
    /// The tables of rows that belong to its records.
    pub(in crate::store) parts: Vec<PartSql>,
    /// Those that note every row that is written.
    pub(in crate::store) triggers: String,
}

/// A table whose rows belong to records of another one: what they link to, and what is known of each link.
pub(in crate::store) struct PartSql {
    /// Its name.
    pub(in crate::store) name: &'static str,
    /// The member that it is of.
    pub(in crate::store) field: &'static Field,
    /// What it links to; none where it holds what is known of links.
    pub(in crate::store) to: Option<Kind>,
    /// Keys and values of the rows of one record.
    pub(in crate::store) now: String,
    own: &'static str,
    key: &'static str,
    value: &'static str,
}

impl JournalSql {
    /// Of the table that has that number among all.
    pub(super) fn of(table: &'static Table, number: usize) -> JournalSql {
        let name = table.name;
        let noted = |field: &&Field| matches!(field.source, Source::Column | Source::Place);
        let column = |field: &Field| if field.source == Source::Place { "place" } else { field.column };
        let columns: Vec<_> = table.fields.iter().filter(noted).map(column).collect();
        let deleted = if table.can_be_deleted() { "deleted_at" } else { "NULL" };
        let parts: Vec<_> = table.fields.iter().flat_map(PartSql::of).collect();
        let mut triggers = String::new();
        let mut add = |on: &str, event: &str, call: &str| {
            let (named, when) =
                (["noted_", on, "_", event].concat(), [" AFTER ", event, " ON main."].concat());
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
    /// The tables of a member: its links, and for the guests of a task when each has done it.
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
