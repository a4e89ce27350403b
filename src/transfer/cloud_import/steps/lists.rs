//! The reference lists of the source, from its response to `GET /settings`.
//!
//! The live service calls the types `lawsuit_types`, and lists neither groups nor steps. These two lists are
//! derived from its types and stages, in the same order, and their entries are active.

use std::collections::BTreeMap;

use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::prelude::*;

/// Alternative names of lists in the response.
const OTHER_NAMES: &[(List, &str)] = &[(List::Types, "lawsuit_types")];

pub(in crate::transfer::cloud_import) struct SourceLists {
    listed: BTreeMap<List, Vec<JsonObject>>,
    /// The entries of lists that the response lacks, derived from other lists.
    derived: BTreeMap<List, Vec<JsonObject>>,
}

impl SourceLists {
    pub(in crate::transfer::cloud_import) fn read(settings: &JsonObject) -> SourceLists {
        let mut lists = SourceLists { listed: BTreeMap::new(), derived: BTreeMap::new() };
        for list in List::ALL {
            let other = OTHER_NAMES.iter().find(|(of, _)| *of == list).map(|(_, name)| *name);
            let own = [Some(list.table().path), other].into_iter().flatten();
            let own =
                own.filter_map(|name| settings.get(name).or_else(|| settings.get("financial")?.get(name)));
            if let Some(entries) = own.filter_map(Json::as_array).next() {
                lists.listed.insert(list, entries.iter().filter_map(Json::as_object).cloned().collect());
            }
        }
        for list in List::ALL {
            if let Some(parent) = list.parent().filter(|parent| !lists.listed.contains_key(parent)) {
                let derived = parents_of(list.table(), lists.entries(list));
                lists.derived.entry(parent).or_default().extend(derived);
            }
        }
        lists
    }

    pub(in crate::transfer::cloud_import) fn entries(&self, list: List) -> &[JsonObject] {
        self.listed.get(&list).or_else(|| self.derived.get(&list)).map_or(&[], |entries| entries)
    }

    /// Returns `true` if the list was derived from the entries of another list.
    pub(in crate::transfer::cloud_import) fn is_derived(&self, list: List) -> bool {
        self.derived.contains_key(&list)
    }

    /// Takes the ids of derived entries from records, which contain both id and name.
    pub(in crate::transfer::cloud_import) fn learn_ids(&mut self, table: &Table, records: &[JsonObject]) {
        for field in table.fields {
            let Source::ParentOf(column) = field.source else { continue };
            let name = table.fields.iter().find(|other| other.source == Source::ParentNameOf(column));
            let parent = table.field(column).and_then(|field| match field.ty {
                Type::Reference(list) => list.parent(),
                _ => None,
            });
            let (Some(name), Some(parent)) = (name, parent) else { continue };
            let Some(entries) = self.derived.get_mut(&parent) else { continue };
            let named = name_member(parent.table());
            for record in records {
                let (Some(id), Some(parent_name)) =
                    (record.get(field.shown).and_then(number), text(record, name.shown))
                else {
                    continue;
                };
                if entries.iter().any(|entry| entry.get("id").and_then(number) == Some(id)) {
                    continue;
                }
                let is_it = |entry: &&mut JsonObject| {
                    !entry.contains_key("id")
                        && text(entry, named).is_some_and(|own| fold(own) == fold(parent_name))
                };
                if let Some(entry) = entries.iter_mut().find(is_it) {
                    entry.insert("id".to_owned(), id.into());
                }
            }
        }
    }
}

fn parents_of(table: &Table, entries: &[JsonObject]) -> Vec<JsonObject> {
    let Some((parent, field)) = table.parent() else { return Vec::new() };
    let shown = table.fields.iter().find(|other| other.source == Source::NameOf(field.column));
    let named = name_member(parent.table());
    let mut parents: Vec<JsonObject> = Vec::new();
    for entry in entries {
        let id = entry.get(field.shown).and_then(number);
        let Some(name) = shown.and_then(|shown| text(entry, shown.shown)) else { continue };
        let is_known = parents.iter().any(|known| {
            let same = text(known, named).is_some_and(|known| fold(known) == fold(name));
            known.get("id").and_then(number).zip(id).map_or(same, |(known, id)| known == id)
        });
        if !is_known {
            let id = id.map(|id| ("id".to_owned(), Json::from(id)));
            parents.push(id.into_iter().chain([(named.to_owned(), name.into())]).collect());
        }
    }
    parents
}

fn name_member(table: &Table) -> &'static str {
    table.field("name").map_or("name", |field| field.shown)
}

fn text<'r>(record: &'r JsonObject, member: &str) -> Option<&'r str> {
    record.get(member).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::{Lawsuit, Record as _};

    fn object(value: Json) -> JsonObject {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn missing_groups_and_steps_are_derived_from_types_stages_and_lawsuits() {
        let mut lists = SourceLists::read(&object(json!({
            "lawsuit_types": [{ "id": 1, "type": "COBRANÇA", "group": "CÍVEL" },
                              { "id": 2, "type": "COBRANÇA", "group": "TRABALHISTA" },
                              { "id": 3, "type": "DESPEJO", "group": "Cível" }],
            "stages": [{ "id": 1, "stage": "INICIAL", "step": "JUDICIAL", "steps_id": 4 }],
        })));
        assert_eq!(lists.entries(List::Types).len(), 3);
        let lawsuits = [
            object(json!({ "group_id": 21, "group": "CIVEL", "steps_id": 9, "step": "OUTRA" })),
            object(json!({ "group_id": 21, "group": "TRABALHISTA" })),
        ];
        lists.learn_ids(Lawsuit::TABLE, &lawsuits);
        let groups = [json!({ "id": 21, "group": "CÍVEL" }), json!({ "group": "TRABALHISTA" })].map(object);
        assert_eq!(lists.entries(List::Groups), groups);
        assert_eq!(lists.entries(List::Steps), [json!({ "id": 4, "step": "JUDICIAL" })].map(object));
        assert!(lists.is_derived(List::Steps) && !lists.is_derived(List::Stages));
    }

    #[test]
    fn lists_sent_by_the_server_are_not_derived() {
        let lists = SourceLists::read(&object(json!({
            "type_lawsuits": [{ "id": 1, "type": "Cobrança", "group": "Antigo", "group_id": 2 }],
            "groups": [{ "id": 1, "group": "Cível" }], "financial": { "banks": [{ "id": 3, "name": "Caixa" }] },
        })));
        assert_eq!(lists.entries(List::Groups).len(), 1);
        assert_eq!(lists.entries(List::Banks).len(), 1);
        assert!(!lists.is_derived(List::Groups));
    }
}
