//! The responses to writes: the id of the record, and what the office should look at.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::api::conflicts::warn;
use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::domain::id::Id;
use crate::domain::lang::Word;
use crate::http::json::answer_members::success_schema;
use crate::http::json::possible_conflicts::{self, PossibleConflicts};
use crate::http::openapi::describe::{Sentence, about};
use crate::http::{InAnswers, Made, Versioned, Viewer, version_of};
use crate::records::{Record, Table};
use crate::store::{self, Db};

/// The id of a changed record, under the plural name that clients of the cloud read and under a singular name.
pub struct WrittenOut<R> {
    pub id: Id<R>,
    pub possible_conflicts: PossibleConflicts,
}

/// The id of a new record under both names, and at most ten possible duplicates.
pub struct MadeOut<R> {
    pub id: Id<R>,
    /// Left out of the response if empty.
    pub possible_duplicates: Vec<u32>,
    pub possible_conflicts: PossibleConflicts,
}

impl<R> From<Id<R>> for MadeOut<R> {
    fn from(id: Id<R>) -> MadeOut<R> {
        MadeOut { id, possible_duplicates: Vec::new(), possible_conflicts: PossibleConflicts::default() }
    }
}

impl<R> From<Id<R>> for WrittenOut<R> {
    fn from(id: Id<R>) -> WrittenOut<R> {
        WrittenOut { id, possible_conflicts: PossibleConflicts::default() }
    }
}

/// Returns the member names of a record's id in responses, such as `posts_id` and `post_id`.
pub(in crate::api) fn id_names(table: &Table) -> [String; 2] {
    [table.path, table.singular()].map(|name| [name, "_id"].concat())
}

/// Serializes the members that every response to a write has.
fn written<R: Record, S: Serializer>(serializer: S, id: Id<R>) -> Result<S::SerializeMap, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("success", &true)?;
    for name in id_names(R::TABLE) {
        map.serialize_entry(&name, &id.get())?;
    }
    Ok(map)
}

impl<R: Record> Serialize for WrittenOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = written(serializer, self.id)?;
        self.possible_conflicts.write(&mut map)?;
        map.end()
    }
}

impl<R: Record> Serialize for MadeOut<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = written(serializer, self.id)?;
        if !self.possible_duplicates.is_empty() {
            map.serialize_entry("possible_duplicates", &self.possible_duplicates)?;
        }
        self.possible_conflicts.write(&mut map)?;
        map.end()
    }
}

fn id_schema(about: impl Into<Sentence>) -> Schema {
    let about = about.into();
    json_schema!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": about, "examples": [5],
    })
}

/// Returns the schema of a response to a write. `which` is an adjective for the record, such as "new".
fn written_schema(table: &Table, (which_pt, which): Bilingual) -> Schema {
    let Word(noun_pt, noun) = table.noun;
    let [many, one] = id_names(table);
    json_schema!({
        "type": "object",
        "properties": {
            "success": success_schema(),
            &many: id_schema(about!("Id de {noun_pt}.", "The {noun}'s id.")),
            &one: id_schema((
                "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
                "The same id, for clients that read this name.",
            )),
        },
        "required": ["success", many, one],
        "description": about!("O id do registro {which_pt} ({noun_pt}), com seus dois nomes.", "The id of a {which} {noun}, under both of its names."),
    })
}

/// Adds the members about conflicts to the schema if the records have them.
fn with_warning(table: &Table, mut schema: Schema) -> Schema {
    let properties = schema.get_mut("properties").and_then(|all| all.as_object_mut());
    if let Some(properties) = properties.filter(|_| possible_conflicts::is_warned(table.kind)) {
        properties.insert(possible_conflicts::MEMBER.to_owned(), warn::schema());
        properties.insert(possible_conflicts::COMPLETE.to_owned(), possible_conflicts::complete_schema());
    }
    schema
}

impl<R: Record> JsonSchema for WrittenOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Changed"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        with_warning(R::TABLE, written_schema(R::TABLE, ("alterado", "changed")))
    }
}

impl<R: Record> JsonSchema for MadeOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "Created"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = written_schema(R::TABLE, ("novo", "new"));
        let others = json_schema!({
            "type": "array", "items": id_schema((
                "O id de um deles.",
                "The id of a record.",
            )), "minItems": 1, "maxItems": 10,
            "description": (
                "Outros que podem ser o mesmo; ausente se não há.",
                "Other records that may be the same. Absent if there are none.",
            ), "examples": [[4]],
        });
        if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
            properties.insert("possible_duplicates".to_owned(), others.into());
        }
        with_warning(R::TABLE, schema)
    }
}

impl<R: InAnswers> Versioned for WrittenOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, viewer: &Viewer) -> Result<Option<String>, store::Error> {
        version_of(db, self.id, viewer)
    }
}

impl<R: InAnswers> Versioned for MadeOut<R> {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, viewer: &Viewer) -> Result<Option<String>, store::Error> {
        version_of(db, self.id, viewer)
    }
}

/// Implements [`Versioned`] for the result of a write, by the member or method that has the id of the record.
macro_rules! versioned {
    ($result:ty: $($id:tt)+) => {
        impl $crate::http::Versioned for $result {
            const HAS_VERSION: bool = true;

            fn version(
                &self,
                db: $crate::store::Db<'_>,
                viewer: &$crate::http::Viewer,
            ) -> Result<Option<String>, $crate::store::Error> {
                $crate::http::version_of(db, self.$($id)+, viewer)
            }
        }
    };
}

pub(in crate::api) use versioned;

impl<R: InAnswers> Made for MadeOut<R> {
    fn number(&self) -> u32 {
        self.id.get()
    }

    fn id(_: Compatibility) -> String {
        let [name, _] = id_names(R::TABLE);
        ["/", &name].concat()
    }
}
