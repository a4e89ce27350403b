//! Idempotent import of captured records: sending the same batch again creates only what is new (resources 14.6).

use std::borrow::Cow;
use std::collections::HashSet;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::id_names;
use crate::domain::ExternalIds;
use crate::domain::id::Id;
use crate::domain::lang::Word;
use crate::http::Problem;
use crate::http::json::answer_members::{count_schema, id_schema, success_schema};
use crate::http::openapi::describe::about;
use crate::records::{LawsuitId, Record, Table};
use crate::store::records::external_ids;
use crate::store::{self, Db, Tx, journal, records, trash};

/// A record that automations can send repeatedly.
pub trait Mergeable: Record {
    /// Returns the ids of stored records that count as equal in a merge, ascending.
    fn equal(&self, db: Db<'_>) -> Result<Vec<Id<Self>>, store::Error>;

    fn lawsuit(&self) -> Option<LawsuitId>;
}

/// The stored record for one item of the request.
pub struct Merged<R> {
    pub id: Id<R>,
    /// The record as it is stored now.
    pub record: R,
    /// `true` if the request created the record.
    pub is_new: bool,
}

/// One item of the request.
pub struct Sent<R> {
    /// The record's ids in other systems.
    pub names: ExternalIds,
    /// The record to create if it is new. `None` if its lawsuit is unknown.
    pub record: Option<R>,
}

/// Creates the records that are not stored yet. An item with a known external id matches the record that has
/// it. Each item without external ids matches a different equal record, as long as there are any. Deleted
/// records match too, so that a deleted record does not come back with the next capture, unless what created it was undone.
pub fn merge<R: Mergeable>(
    tx: Tx<'_>,
    sent: Vec<Sent<R>>,
    now: i64,
) -> Result<Vec<Option<Merged<R>>>, Problem> {
    // A record that is matched by external id cannot match another item by equality.
    let mut matched_ids = HashSet::new();
    for one in &sent {
        matched_ids.extend(by_external_id::<R>(*tx, &one.names)?.map(Id::get));
    }
    let mut merged = Vec::with_capacity(sent.len());
    for Sent { names, record } in sent {
        let known = match (by_external_id(*tx, &names)?, &record) {
            (None, Some(record)) if names.iter().next().is_none() => {
                record.equal(*tx)?.into_iter().find(|id| !matched_ids.contains(&id.get()))
            }
            (named, _) => named,
        };
        merged.push(match (known, record) {
            (Some(id), _) if is_creation_undone(*tx, id)? => {
                trash::restore(tx, R::TABLE, id.get())?;
                records::by_id(*tx, id)?.map(|record| Merged { id, record, is_new: true })
            }
            (Some(id), _) => {
                let stored = records::by_id_even_deleted(*tx, id)?;
                stored.map(|record| Merged { id, record, is_new: false })
            }
            (None, Some(record)) => {
                let id = records::insert(tx, &record, now)?;
                Some(Merged { id, record, is_new: true })
            }
            (None, None) => None,
        });
        matched_ids.extend(merged.last().and_then(|merged| Some(merged.as_ref()?.id.get())));
    }
    Ok(merged)
}

/// Returns `true` if a record is in the trash because what created it was undone.
fn is_creation_undone<R: Record>(db: Db<'_>, id: Id<R>) -> Result<bool, store::Error> {
    let is_deleted = trash::find(db, R::TABLE, id.get())?.is_some();
    Ok(is_deleted && journal::is_taken_back(db, R::TABLE.name, id.get())?)
}

/// Finds the record that has one of these external ids.
fn by_external_id<R: Record>(db: Db<'_>, names: &ExternalIds) -> Result<Option<Id<R>>, store::Error> {
    for name in names.iter() {
        if let Some(id) = external_ids::holder(db, R::TABLE, name)? {
            return Ok(Some(Id::from_stored(id)));
        }
    }
    Ok(None)
}

/// The response to a capture, in the order of the request.
pub struct MergedOut<R>(pub Vec<Option<Merged<R>>>);

impl<R: Mergeable> Serialize for MergedOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (many, one) = names(R::TABLE);
        let item = |merged: &Option<Merged<R>>| {
            let lawsuit = merged.as_ref().and_then(|merged| merged.record.lawsuit());
            json!({
                &one: merged.as_ref().map(|merged| merged.id.get()),
                "lawsuit_id": lawsuit.map(Id::get),
                "created": merged.as_ref().is_some_and(|merged| merged.is_new),
            })
        };
        let known = || self.0.iter().flatten();
        let of_lawsuit = known().filter(|merged| merged.record.lawsuit().is_some()).count();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("created", &known().filter(|merged| merged.is_new).count())?;
        map.serialize_entry("existing", &known().filter(|merged| !merged.is_new).count())?;
        map.serialize_entry("unknown", &(self.0.len() - of_lawsuit))?;
        map.serialize_entry(many, &self.0.iter().map(item).collect::<Vec<_>>())?;
        map.end()
    }
}

impl<R: Mergeable> JsonSchema for MergedOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "sMerged"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        merged_schema(R::TABLE)
    }
}

fn merged_schema(table: &Table) -> Schema {
    let (many, one) = names(table);
    let (Word(noun_pt, noun), Word(nouns_pt, nouns)) = (table.noun, table.many);
    let of_item = about!(
        "Id de {noun_pt}; null se não se sabe de que processo é.",
        "The {noun}'s id. Null if its lawsuit is not known."
    );
    let of_lawsuit = (
        "O id do processo; null se nenhum processo tem esse número.",
        "The lawsuit's id. Null if no lawsuit has this number.",
    );
    let item = json!({
        "type": "object",
        "properties": {
            &one: id_schema(of_item, true, 78),
            "lawsuit_id": id_schema(of_lawsuit, true, 5),
            "created": { "type": "boolean", "description": ("Se foi criado.", "`true` if it was created."), "examples": [true] },
        },
        "required": [&one, "lawsuit_id", "created"],
    });
    json_schema!({
        "type": "object",
        "description": about!("O que resultou de uma captura de {nouns_pt}.", "The results for the captured {nouns}."),
        "properties": {
            "success": success_schema(),
            "created": count_schema(("Quantos foram criados.", "Number of records that were created."), 1),
            "existing": count_schema(("Quantos já existiam.", "Number of records that existed already."), 0),
            "unknown": count_schema((
                "Quantos têm um número que nenhum processo tem.",
                "Number of items whose process number no lawsuit has.",
            ), 1),
            many: { "type": "array", "items": item, "description": (
                "Cada um, na ordem da requisição.",
                "The results, in the order of the request.",
            ) },
        },
        "required": ["success", "created", "existing", "unknown", many],
    })
}

/// Returns the member names for the list of records and for the id of one.
fn names(table: &Table) -> (&'static str, String) {
    let [_, one] = id_names(table);
    (table.path, one)
}
