//! SQL for deleted records, and for references to records that are deleted.

use super::{Rows, show};
use crate::records::{Field, Kind, OnDelete, Source, TABLES, Table, Type};

/// Deletion statements of one table.
pub(in crate::store) struct TrashSql {
    /// Selects the deletion time of a record and the record that it was merged into.
    pub(in crate::store) find: String,
    pub(in crate::store) delete: String,
    pub(in crate::store) restore: String,
    /// Sets the record that a deleted record was merged into.
    pub(in crate::store) merged: String,
    /// Selects the records that were merged into a record.
    pub(in crate::store) merged_into: String,
    /// Marks record `?1` as changed at `?2`.
    pub(in crate::store) touch: String,
    /// Selects a deleted record for API answers.
    pub(in crate::store) show: String,
    /// Selects a deleted record for pages.
    pub(in crate::store) view: String,
    /// Counts all records deleted up to a time, and selects the time of the last deletion.
    pub(in crate::store) count_all: String,
    /// Selects records deleted up to a time (`?1`) that nothing refers to, at most `?2`.
    pub(in crate::store) erasable: String,
    /// Erase a record: links and other traces first, then the row.
    pub(in crate::store) erase: Vec<String>,
    /// For each member that prevents the deletion of the referenced record, or requires confirmation: the
    /// referenced kind, the rule, and the records that refer to one of that kind.
    pub(in crate::store) holding: Vec<(Kind, OnDelete, String)>,
    /// For each member that refers to records: the referenced kind, and statements that repoint the references.
    pub(in crate::store) pointing: Vec<(Kind, Repoint)>,
    /// For each member whose referenced record takes this one with it: the referenced kind, and the statements
    /// that delete and restore together, and the one that lets those deleted along with `?2` come back with `?1`.
    pub(in crate::store) going: Vec<(Kind, [String; 3])>,
    /// For each member in `going`: the referenced kind, the rule, and the number of records that would be
    /// deleted too.
    pub(in crate::store) going_counts: Vec<(Kind, OnDelete, String)>,
    /// For each other reference of records that are restored together with another one: the kind of that
    /// record, the member, the referenced kind, and the referenced records that are still deleted.
    pub(in crate::store) stranded: Vec<(Kind, &'static Field, Kind, String)>,
}

/// Statements that move all references from one record to another.
pub(in crate::store) struct Repoint {
    /// The member with the references.
    pub(in crate::store) column: &'static str,
    /// Marks the records that refer to `?1` as changed at `?2`.
    pub(in crate::store) touch: String,
    /// Replaces references to `?2` with references to `?1`.
    pub(in crate::store) point: String,
    /// Deletes the remaining links to `?1`, whose record already links to the other one.
    pub(in crate::store) clear: Option<String>,
    /// Replaces the reference of record `?3` to `?2` with one to `?1`. `None` for a list of links.
    pub(in crate::store) back: Option<String>,
}

impl TrashSql {
    pub(super) fn of(table: &'static Table) -> TrashSql {
        let name = table.name;
        let touch: &str = &["UPDATE ", name, " SET updated_at = ?2 WHERE "].concat();
        let holding =
            fields_with_rule(table, &[OnDelete::Restrict, OnDelete::Confirm]).map(|(kind, field)| {
                let live = " AND deleted_at IS NULL ORDER BY id LIMIT 10";
                let ids =
                    ["SELECT id FROM ", name, " WHERE ", &belonging_there(table, field, kind), live].concat();
                (kind, field.on_delete, ids)
            });
        let going = fields_with_rule(table, &[OnDelete::Cascade, OnDelete::Confirm]).map(|(kind, field)| {
            let own = [" WHERE ", &belonging_there(table, field, kind), " AND "].concat();
            let update = |set, which| ["UPDATE ", name, " SET ", set, &own, which].concat();
            let delete_along = update("deleted_at = ?2, deleted_with = ?1", "deleted_at IS NULL");
            let restore_along = update("deleted_at = NULL, deleted_with = NULL", "deleted_with = ?1");
            let pass_on = update("deleted_with = ?1", "deleted_with = ?2");
            (kind, [delete_along, restore_along, pass_on])
        });
        let going_counts =
            fields_with_rule(table, &[OnDelete::Cascade, OnDelete::Confirm]).map(|(kind, field)| {
                let own =
                    [" WHERE ", &belonging_there(table, field, kind), " AND deleted_at IS NULL"].concat();
                (kind, field.on_delete, ["SELECT count(*) FROM ", name, &own].concat())
            });
        let stranded = fields_with_rule(table, &[OnDelete::Confirm]).flat_map(|(kind, field)| {
            let others = fields_with_rule(table, &[OnDelete::Restrict, OnDelete::Confirm]);
            others.filter(move |(_, other)| other.column != field.column).map(move |(to, other)| {
                let column = other.column;
                let there = to.table().name;
                let own = [" WHERE t.", field.column, " = ?1 AND t.deleted_at IS NULL"].concat();
                let ids = ["SELECT DISTINCT o.id FROM ", name, " t JOIN ", there, " o ON o.id = t.", column];
                (kind, other, to, [&ids.concat(), &*own, " AND o.deleted_at IS NOT NULL"].concat())
            })
        });
        let of_deleted = " WHERE t.id = ?1 AND t.deleted_at IS NOT NULL";
        let not_deleted = "deleted_at = NULL, deleted_with = NULL, deleted_reason = NULL, merged_into = NULL";
        let nothing_merged_into = [
            " AND t.id NOT IN (SELECT merged_into FROM ",
            name,
            " WHERE deleted_at IS NOT NULL AND merged_into IS NOT NULL)",
        ];
        let deleted = ["SELECT t.id FROM ", name, " t WHERE t.deleted_at <= ?1"];
        let own_links = table.fields.iter().filter_map(|field| match field.source {
            Source::Links(links, own, _) => Some(["DELETE FROM ", links, " WHERE ", own, " = ?1"].concat()),
            Source::Completions => Some("DELETE FROM task_completions WHERE task_id = ?1".to_owned()),
            _ => None,
        });
        TrashSql {
            count_all: ["SELECT count(*), max(deleted_at) FROM ", name, " WHERE deleted_at <= ?1"].concat(),
            erasable: [
                &deleted.concat(),
                &*nothing_points_there(table),
                &nothing_merged_into.concat(),
                " LIMIT ?2",
            ]
            .concat(),
            erase: own_links
                .chain(traces(name))
                .chain([["DELETE FROM ", name, " WHERE id = ?1"].concat()])
                .collect(),
            find: ["SELECT deleted_at, merged_into FROM ", name, " WHERE id = ?1 AND deleted_at IS NOT NULL"]
                .concat(),
            delete: ["UPDATE ", name, " SET deleted_at = ?2, deleted_reason = ?3 WHERE id = ?1"].concat(),
            merged_into: ["SELECT id FROM ", name, " WHERE merged_into = ?1 ORDER BY id"].concat(),
            touch: [touch, "id = ?1"].concat(),
            merged: ["UPDATE ", name, " SET merged_into = ?2 WHERE id = ?1"].concat(),
            restore: ["UPDATE ", name, " SET ", not_deleted, " WHERE id = ?1 AND deleted_at IS NOT NULL"]
                .concat(),
            show: [&show(table, Rows::Deleted), of_deleted].concat(),
            view: [&show(table, Rows::All), of_deleted].concat(),
            holding: holding.collect(),
            pointing: pointing(table),
            going: going.collect(),
            going_counts: going_counts.collect(),
            stranded: stranded.collect(),
        }
    }
}

/// Returns the members that refer to records and have one of these rules, each with the referenced kind.
fn fields_with_rule(
    table: &'static Table,
    rules: &'static [OnDelete],
) -> impl Iterator<Item = (Kind, &'static Field)> {
    let fields = table.fields.iter().filter(|field| rules.contains(&field.on_delete));
    fields.filter_map(|field| match field.ty {
        Type::Record(kind) | Type::Links(kind) => Some((kind, field)),
        _ => None,
    })
}

/// Returns the statements that repoint the references of a table, each with the referenced kind.
fn pointing(table: &'static Table) -> Vec<(Kind, Repoint)> {
    let name = table.name;
    let touch: &str = &["UPDATE ", name, " SET updated_at = ?2 WHERE "].concat();
    let statements = table.stored().filter_map(|field| match (field.source, field.ty) {
        (_, Type::Links(Kind::List(_))) => None,
        (Source::Links(links, _, other), Type::Links(kind)) => {
            let clear = ["DELETE FROM ", links, " WHERE ", other, " = ?1"].concat();
            let point = ["UPDATE OR IGNORE ", links, " SET ", other, " = ?1 WHERE ", other, " = ?2"].concat();
            let column = field.column;
            let touch = [touch, &pointing_there(field)].concat();
            Some((kind, Repoint { column, touch, point, clear: Some(clear), back: None }))
        }
        (_, Type::Record(kind)) => {
            let column = field.column;
            let point = ["UPDATE ", name, " SET ", column, " = ?1 WHERE ", column, " = ?2"].concat();
            let back = Some([&point, " AND id = ?3"].concat());
            let touch = [touch, &pointing_there(field)].concat();
            Some((kind, Repoint { column, touch, point, clear: None, back }))
        }
        _ => None,
    });
    statements.collect()
}

/// Returns the conditions for a record of a table to which nothing refers.
fn nothing_points_there(table: &'static Table) -> String {
    let conditions = TABLES.iter().flat_map(|other| {
        let fields = other.stored().filter(|field| match field.ty {
            Type::Record(kind) | Type::Links(kind) => kind == table.kind,
            _ => false,
        });
        fields.map(|field| {
            let (rows, column) = match field.source {
                Source::Links(links, _, there) => (links, there),
                _ => (other.name, field.column),
            };
            [" AND NOT EXISTS (SELECT 1 FROM ", rows, " o WHERE o.", column, " = t.id)"].concat()
        })
    });
    conditions.collect()
}

/// Returns the statements that erase the traces of a record outside its row and links: external ids, values
/// that a move could not store, the cached answer to the request that created it, answers of webhook receivers,
/// and the names of imported files. The id in `moved` stays; otherwise the next round of the move would bring
/// the record back.
fn traces(name: &str) -> [String; 5] {
    let changes = [" FROM changes c WHERE c.id = ?1 AND c.kind = '", name, "'"].concat();
    [
        ["DELETE FROM external_ids WHERE resource = '", name, "' AND id = ?1"].concat(),
        ["DELETE FROM move_notes WHERE resource = '", name, "' AND id = ?1"].concat(),
        [
            "DELETE FROM idempotency WHERE created_at = (SELECT created_at FROM ",
            name,
            " WHERE id = ?1) AND CAST(answer AS TEXT) GLOB '*_id\":' || ?1 || '[^0-9]*'",
        ]
        .concat(),
        [
            "UPDATE attempts SET answer = NULL WHERE delivery IN (SELECT d.number FROM webhooks w CROSS JOIN deliveries d
             WHERE d.webhook_id = w.id AND d.seq IN (SELECT c.seq",
            &changes,
            "))",
        ]
        .concat(),
        [
            "UPDATE imports SET files = '' WHERE id IN (SELECT CAST(substr(c.request_id, 8) AS INTEGER)",
            &changes,
            " AND c.request_id GLOB 'import-[0-9]*')",
        ]
        .concat(),
    ]
}

/// Returns the condition for records whose member `field` refers to the record `?1` of a kind. If the member is an owner, records
/// count too that belong only to others which are deleted along with that one.
fn belonging_there(table: &Table, field: &Field, kind: Kind) -> String {
    let own = pointing_there(field);
    let goes_along = |owner: &Field| {
        let there = owner.record()?.table();
        let goes = |member: &&Field| {
            member.record() == Some(kind)
                && [OnDelete::Cascade, OnDelete::Confirm].contains(&member.on_delete)
        };
        let member = there.stored().find(goes)?;
        let of_one =
            [" WHERE ", member.column, " = ?1 AND (deleted_at IS NULL OR deleted_with = ?1))"].concat();
        Some([owner.column, " IN (SELECT id FROM ", there.name, &of_one].concat())
    };
    let through = table.owners().filter(|_| field.owns).filter_map(goes_along);
    let through = through.map(|goes| ["SELECT id FROM ", table.name, " WHERE ", &goes].concat());
    let through = through.collect::<Vec<_>>().join(" UNION ");
    if through.is_empty() {
        return own;
    }
    let only = table.owners().map(|owner| match goes_along(owner) {
        Some(goes) => [" AND (", owner.column, " IS NULL OR ", &goes, ")"].concat(),
        None => [" AND ", owner.column, " IS NULL"].concat(),
    });
    ["(", &own, " OR id IN (", &through, ")", &only.collect::<String>(), ")"].concat()
}

/// Returns the condition for records whose member `field` refers to the record `?1`.
fn pointing_there(field: &Field) -> String {
    match field.source {
        Source::Links(links, own, other) => {
            ["id IN (SELECT ", own, " FROM ", links, " WHERE ", other, " = ?1)"].concat()
        }
        _ => [field.column, " = ?1"].concat(),
    }
}
