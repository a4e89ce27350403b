//! The records that an answer shows, for the record of reads (assistants 50). They are counted in the answer itself, by the
//! types of its members, whatever the tool.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::records::{Kind, TABLES, Table, Type};
use crate::store::access::assistant_reads::ShownRecord;
use crate::store::journal::CONFLICTS;

/// Returns the records in the answer of a tool that writes: that of `table` which it wrote, and all that it names beside it.
pub fn records_of_write(structured: &Value, table: &'static Table) -> BTreeSet<ShownRecord> {
    let mut shown = BTreeSet::new();
    add(&mut shown, structured, Some(table), None);
    let duplicates = structured.get(DUPLICATES).unwrap_or(&Value::Null);
    add(&mut shown, duplicates, None, Some(table.kind));
    shown
}

/// The member with the ids of records that may be the same person as a new one.
const DUPLICATES: &str = "possible_duplicates";

/// Returns the records in an answer: its items, which are of `table`, those beside them, and all that they refer to.
pub fn records_in(structured: &Value, table: Option<&'static Table>) -> BTreeSet<ShownRecord> {
    let mut shown = BTreeSet::new();
    let mut page = |page: &Value, table| {
        for (name, value) in page.as_object().into_iter().flatten().filter(|(name, _)| *name != "related") {
            let table = if name == "items" { table } else { Table::noun_named(name) };
            add(&mut shown, value, table, referred_to(name));
        }
    };
    page(structured, table);
    for (name, related) in structured.get("related").and_then(Value::as_object).into_iter().flatten() {
        page(related, Table::noun_named(name));
    }
    shown
}

/// Adds the records in a value. An object in it is of `table`, a number is the id of a record of `kind`.
fn add(shown: &mut BTreeSet<ShownRecord>, value: &Value, table: Option<&'static Table>, kind: Option<Kind>) {
    match value {
        Value::Number(id) => shown.extend(kind.and_then(|kind| Some((kind.table().name, id_of(id)?)))),
        Value::Array(entries) => entries.iter().for_each(|entry| add(shown, entry, table, kind)),
        Value::Object(members) => {
            let id = members.get("id").and_then(Value::as_number).and_then(id_of);
            shown
                .extend(table.or_else(|| changed_table(members)).zip(id).map(|(table, id)| (table.name, id)));
            for (name, value) in members {
                // The values of a change are one level deeper.
                let kind = if ["before", "after"].contains(&&**name) { kind } else { referred_to(name) };
                add(shown, value, Table::noun_named(name), kind);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn id_of(number: &serde_json::Number) -> Option<u32> {
    number.as_u64().and_then(|id| id.try_into().ok())
}

/// Returns the table of the record that an entry of the change feed is about.
pub fn changed_table(change: &Map<String, Value>) -> Option<&'static Table> {
    let resource = change.get("resource")?.as_str()?.trim_matches(['«', '»']);
    Table::noun_named(if resource == CONFLICTS { Kind::Lawsuit.table().name } else { resource })
}

/// Returns the kind of the records to which a member of this name refers: by the type of the field, or else by the noun before
/// `_id` or `s_id`.
fn referred_to(name: &str) -> Option<Kind> {
    let fields = TABLES.iter().flat_map(|table| table.fields);
    let mut types = fields.filter(|field| [field.shown, field.member].contains(&name)).map(|field| field.ty);
    match types.next() {
        Some(Type::Record(kind) | Type::Links(kind)) => {
            Some(kind).filter(|kind| !matches!(kind, Kind::List(_)))
        }
        Some(_) => None,
        None => {
            let noun = name.strip_suffix("_id")?;
            Table::noun_named(&[noun.trim_end_matches('s'), "s"].concat()).map(|table| table.kind)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_reference_of_every_table_is_counted() {
        for table in TABLES {
            let shown = records_in(&json!({ "items": [{ "id": 7 }] }), Some(table));
            assert_eq!(shown, [(table.name, 7)].into(), "{}", table.name);
            for field in table.fields {
                let (Type::Record(kind) | Type::Links(kind)) = field.ty else { continue };
                if matches!(kind, Kind::List(_)) {
                    continue;
                }
                let expected = BTreeSet::from([(kind.table().name, 9)]);
                for value in [json!(9), json!([9]), json!({ "before": null, "after": 9 })] {
                    let shown = records_in(&json!({ "items": [{ field.shown: value }] }), None);
                    assert_eq!(shown, expected, "{}: {}", table.name, field.shown);
                }
            }
        }
    }

    #[test]
    fn records_beside_others_and_in_answers_without_a_table_are_counted() {
        let answer = json!({
            "today": "2026-06-17", "total": 40, "lawsuit_id": 4,
            "items": [
                { "lawsuit_id": 5, "customers_id": 6, "score": 1.0, "users_id": 1, "responsible_id": 2 },
                { "resource": "«posts»", "id": 8, "seq": 900, "values": { "customers": { "before": [], "after": [6, 7] } } },
                { "resource": "«settings/users»", "id": 3 },
                { "resource": "«conflicts»", "id": 9 },
            ],
            "related": { "documents": { "total": 1, "items": [{ "id": 10, "publication_id": 11 }] } },
        });
        let shown = records_in(&answer, None);
        let expected = [
            ("lawsuits", 4),
            ("lawsuits", 5),
            ("lawsuits", 9),
            ("customers", 6),
            ("customers", 7),
            ("tasks", 8),
            ("documents", 10),
            ("publications", 11),
        ];
        assert_eq!(shown, expected.into());
    }
}
