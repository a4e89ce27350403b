//! The statements for deleted records, and for what points to a record that goes.

use super::show;
use crate::records::{Field, Kind, OnDelete, Source, TABLES, Table, Type};

/// What is asked of records that can be deleted.
pub(in crate::store) struct TrashSql {
    /// When one was deleted, and into which one it was merged.
    pub(in crate::store) find: String,
    pub(in crate::store) delete: String,
    pub(in crate::store) restore: String,
    /// Names the one into which a deleted record was merged.
    pub(in crate::store) merged: String,
    /// A deleted record as answers show it.
    pub(in crate::store) show: String,
    /// Of each member that keeps what it points to from being deleted: what that is, and the records that hold one of it.
    pub(in crate::store) holding: Vec<(Kind, String)>,
    /// Of each member that points to records: what those are, and how it comes to point to another one.
    pub(in crate::store) pointing: Vec<(Kind, Repoint)>,
    /// Of each member with whose record this one goes: what that is, and how it goes and comes back.
    pub(in crate::store) going: Vec<(Kind, [String; 2])>,
    /// The newest deleted ones, up to a number, likewise.
    pub(in crate::store) newest: String,
    /// How many were deleted up to a moment, and when the last of these was.
    pub(in crate::store) count: String,
    /// Those deleted up to the first parameter that nothing points to, up to the second in number.
    pub(in crate::store) free: String,
    /// Erases one: what it is linked to, then itself.
    pub(in crate::store) erase: Vec<String>,
}

/// How everything that points to one record comes to point to another one.
pub(in crate::store) struct Repoint {
    /// Marks those that point to the first parameter as changed at the second.
    pub(in crate::store) touch: String,
    /// Has them point to the first parameter instead of the second.
    pub(in crate::store) point: String,
    /// Drops what still points to the parameter: a link beside one that was there already.
    pub(in crate::store) clear: Option<String>,
}

impl TrashSql {
    pub(super) fn of(table: &'static Table) -> TrashSql {
        let name = table.name;
        let touch: &str = &["UPDATE ", name, " SET updated_at = ?2 WHERE "].concat();
        let of = |on_delete: OnDelete| {
            let fields = table.fields.iter().filter(move |field| field.on_delete == on_delete);
            fields.filter_map(|field| match field.ty {
                Type::Record(kind) | Type::Links(kind) => Some((kind, field)),
                _ => None,
            })
        };
        let pointing = table.stored().filter_map(|field| match (field.source, field.ty) {
            (_, Type::Links(Kind::List(_))) => None,
            (Source::Links(links, _, other), Type::Links(kind)) => {
                let clear = ["DELETE FROM ", links, " WHERE ", other, " = ?1"].concat();
                let point =
                    ["UPDATE OR IGNORE ", links, " SET ", other, " = ?1 WHERE ", other, " = ?2"].concat();
                Some((
                    kind,
                    Repoint { touch: [touch, &pointing_there(field)].concat(), point, clear: Some(clear) },
                ))
            }
            (_, Type::Record(kind)) => {
                let column = field.column;
                let point = ["UPDATE ", name, " SET ", column, " = ?1 WHERE ", column, " = ?2"].concat();
                Some((kind, Repoint { touch: [touch, &pointing_there(field)].concat(), point, clear: None }))
            }
            _ => None,
        });
        let holding = of(OnDelete::Restrict).map(|(kind, field)| {
            let live = " AND deleted_at IS NULL ORDER BY id LIMIT 10";
            (kind, ["SELECT id FROM ", name, " WHERE ", &pointing_there(field), live].concat())
        });
        let going = of(OnDelete::Cascade).map(|(kind, field)| {
            let own = [" WHERE ", field.column, " = ?1 AND "].concat();
            let goes = " SET deleted_at = ?2, deleted_with = ?1";
            let comes_back = " SET deleted_at = NULL, deleted_with = NULL";
            let goes = ["UPDATE ", name, goes, &own, "deleted_at IS NULL"].concat();
            (kind, [goes, ["UPDATE ", name, comes_back, &own, "deleted_with = ?1"].concat()])
        });
        let none = "deleted_at = NULL, deleted_with = NULL, deleted_reason = NULL, merged_into = NULL";
        let deleted = [" FROM ", name, " WHERE deleted_at "].concat();
        let clear_links = table.fields.iter().filter_map(|field| match field.source {
            Source::Links(links, own, _) => Some(["DELETE FROM ", links, " WHERE ", own, " = ?1"].concat()),
            _ => None,
        });
        let erase = clear_links.chain([["DELETE FROM ", name, " WHERE id = ?1"].concat()]);
        TrashSql {
            newest: [
                &show(table)[..],
                " WHERE t.deleted_at IS NOT NULL ORDER BY t.deleted_at DESC, t.id DESC LIMIT ?1",
            ]
            .concat(),
            count: ["SELECT count(*), max(deleted_at)", &deleted, "<= ?1"].concat(),
            free: ["SELECT id", &deleted, "<= ?1", &nothing_points_to(table), " LIMIT ?2"].concat(),
            erase: erase.collect(),
            find: ["SELECT deleted_at, merged_into FROM ", name, " WHERE id = ?1 AND deleted_at IS NOT NULL"]
                .concat(),
            delete: ["UPDATE ", name, " SET deleted_at = ?2, deleted_reason = ?3 WHERE id = ?1"].concat(),
            merged: ["UPDATE ", name, " SET merged_into = ?2 WHERE id = ?1"].concat(),
            restore: ["UPDATE ", name, " SET ", none, " WHERE id = ?1 AND deleted_at IS NOT NULL"].concat(),
            show: [&show(table), " WHERE t.id = ?1 AND t.deleted_at IS NOT NULL"].concat(),
            holding: holding.collect(),
            pointing: pointing.collect(),
            going: going.collect(),
        }
    }
}

/// The condition that nothing points to a record of `table`, deleted or not.
fn nothing_points_to(table: &Table) -> String {
    let all = TABLES.iter().flat_map(|own| own.stored().map(move |field| (own, field)));
    let pointing = all.filter_map(|(own, field)| {
        let (other, column) = match (field.source, field.ty) {
            (Source::Links(links, _, other), Type::Links(kind)) if kind == table.kind => (links, other),
            (_, Type::Record(kind)) if kind == table.kind => (own.name, field.column),
            _ => return None,
        };
        let there = [" WHERE p.", column, " = ", table.name, ".id)"].concat();
        Some([" AND NOT EXISTS (SELECT 1 FROM ", other, " p", &there].concat())
    });
    pointing.collect()
}

/// The condition for the records whose member `field` points to the one in the first parameter.
fn pointing_there(field: &Field) -> String {
    match field.source {
        Source::Links(links, own, other) => {
            ["id IN (SELECT ", own, " FROM ", links, " WHERE ", other, " = ?1)"].concat()
        }
        _ => [field.column, " = ?1"].concat(),
    }
}
