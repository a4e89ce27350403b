//! The responses to requests that find records or create them.

use std::borrow::Cow;

use http::{StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::domain::id::Id;
use crate::domain::lang::Word;
use crate::http::answers::answer::{Answer, to_json};
use crate::http::answers::conditional::version_of;
use crate::http::answers::handler_reply::{Reply, Work, Write};
use crate::http::answers::header::header_value;
use crate::http::answers::negotiation;
use crate::http::answers::problem::Problem;
use crate::http::answers::problem::schema::ProblemOut;
use crate::http::json::answer_members::{count_schema, id_schema, success_schema};
use crate::http::json::possible_conflicts::{self, PossibleConflicts};
use crate::http::json::record::InAnswers;
use crate::http::openapi::describe::{RoutePart, about};
use crate::http::requests::route::BASE;
use crate::http::requests::route::extract::RoutedRequest;
use crate::records::Table;

/// A record that was found or created.
pub struct SettledRecord<R> {
    pub id: Id<R>,
    /// The member by which the record was found. `None` if it was created.
    pub matched_by: Option<&'static str>,
    /// The members of a found record that changed.
    pub changed: Vec<&'static str>,
    /// `true` if the record was in the trash.
    pub restored: bool,
    /// The lawsuits that the record may be in conflict with, if it was created or changed.
    pub possible_conflicts: PossibleConflicts,
}

/// The result of a request.
pub enum FoundOrCreated<R> {
    One(SettledRecord<R>),
    /// The items in their order. A problem is that of its item only.
    Many(Vec<Result<SettledRecord<R>, Problem>>),
}

/// A write that finds or creates one record (201 or 200), or several (200).
pub struct FindOrCreate<R>(Write<FoundOrCreated<R>>);

impl<R> FindOrCreate<R> {
    /// `work` runs on the writer thread. Its result is sent after it is on disk.
    pub fn new(
        work: impl FnOnce(crate::store::Tx<'_>) -> Result<FoundOrCreated<R>, Problem> + Send + 'static,
    ) -> FindOrCreate<R> {
        FindOrCreate(Box::new(work))
    }
}

impl<R: InAnswers> SettledRecord<R> {
    fn is_created(&self) -> bool {
        self.matched_by.is_none()
    }

    /// Writes the members that tell how the record was found, and what has changed.
    fn write_found<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        members.serialize_entry("matched_by", &self.matched_by)?;
        members.serialize_entry("changed", &self.changed)?;
        if self.restored {
            members.serialize_entry("restored", &true)?;
        }
        Ok(())
    }
}

/// The response to a request for one record.
struct SingleAnswer<'a, R>(&'a SettledRecord<R>);

impl<R: InAnswers> Serialize for SingleAnswer<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("success", &true)?;
        for name in id_names(R::TABLE) {
            members.serialize_entry(&name, &self.0.id.get())?;
        }
        members.serialize_entry("created", &self.0.is_created())?;
        self.0.write_found(&mut members)?;
        self.0.possible_conflicts.write(&mut members)?;
        members.end()
    }
}

/// One of several in a response.
struct Item<'a, R> {
    item: &'a Result<SettledRecord<R>, Problem>,
    id_name: &'a str,
    lang: Lang,
}

impl<R: InAnswers> Serialize for Item<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settled = match self.item {
            Ok(settled) => settled,
            Err(problem) => return problem.body(self.lang).serialize(serializer),
        };
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry(self.id_name, &settled.id.get())?;
        members.serialize_entry("created", &settled.is_created())?;
        if !settled.is_created() {
            settled.write_found(&mut members)?;
        }
        settled.possible_conflicts.write(&mut members)?;
        members.end()
    }
}

/// The response to a request for several records.
struct Several<'a, R> {
    all: &'a [Result<SettledRecord<R>, Problem>],
    lang: Lang,
}

impl<R: InAnswers> Serialize for Several<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settled = || self.all.iter().flatten();
        let created = settled().filter(|one| one.is_created()).count();
        let changed = settled().filter(|one| one.restored || !one.changed.is_empty()).count();
        let ([id_name, _], lang) = (id_names(R::TABLE), self.lang);
        let items = self.all.iter().map(|item| Item { item, id_name: &id_name, lang }).collect::<Vec<_>>();
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("success", &true)?;
        members.serialize_entry("created", &created)?;
        members.serialize_entry("found", &(settled().count() - created))?;
        members.serialize_entry("changed", &changed)?;
        members.serialize_entry("refused", &(self.all.len() - settled().count()))?;
        members.serialize_entry(R::TABLE.path, &items)?;
        members.end()
    }
}

/// Returns the members about conflicts with their schemas, if the records of this kind have them.
fn warning_schemas(table: &Table) -> Vec<(String, Value)> {
    let schema = possible_conflicts::schema((
        "Processos em que esta pessoa, ou uma das partes, pode estar do outro lado; ausente se não há.",
        "Lawsuits in which this person, or one of the parties, may be on the other side. Absent if there are \
         none.",
    ));
    let members = [
        (possible_conflicts::MEMBER.to_owned(), schema),
        (possible_conflicts::COMPLETE.to_owned(), possible_conflicts::complete_schema()),
    ];
    if possible_conflicts::is_warned(table.kind) { members.into() } else { Vec::new() }
}

/// Returns the names of a record's id in responses, such as `post_id` and `posts_id`.
fn id_names(table: &Table) -> [String; 2] {
    [table.singular(), table.path].map(|name| [name, "_id"].concat())
}

impl<R: InAnswers> Reply for FindOrCreate<R> {
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let viewer = routed.call.viewer();
        let path = routed.route.path;
        let lang = negotiation::lang(&routed.request.headers);
        Ok(Work::Write(Box::new(move |tx| {
            let one = match self.0(tx)? {
                FoundOrCreated::One(one) => one,
                FoundOrCreated::Many(all) => {
                    let in_zone = |problem: Problem| problem.in_zone(&viewer.zone);
                    let all = all.into_iter().map(|item| item.map_err(in_zone)).collect::<Vec<_>>();
                    return Ok(Answer::json(StatusCode::OK, to_json(&Several { all: &all, lang })?));
                }
            };
            let status = if one.is_created() { StatusCode::CREATED } else { StatusCode::OK };
            let mut answer = Answer::json(status, to_json(&SingleAnswer(&one))?);
            if let Some(version) = version_of(*tx, one.id, &viewer)? {
                answer = answer.with(header::ETAG, header_value(&version));
            }
            Ok(match one.is_created() {
                true => {
                    answer.with(header::LOCATION, header_value(&format!("{BASE}{path}/{}", one.id.get())))
                }
                false => answer,
            })
        })))
    }

    fn parts() -> Vec<RoutePart> {
        let about = (
            "O registro que foi encontrado; ou, de vários, o que foi feito de cada um. Já gravado em disco.",
            "The record that was found or, for several items, the result of each one. Stored on disk.",
        );
        vec![
            RoutePart::Created {
                schema: |generator, _: Compatibility| generator.subschema_for::<OneOut<R>>(),
                id: |_| {
                    let [one, _] = id_names(R::TABLE);
                    ["/", &one].concat()
                },
            },
            RoutePart::NewVersion(StatusCode::CREATED),
            RoutePart::Answer { about, schema: either::<R> },
            RoutePart::Replayed(StatusCode::OK),
            RoutePart::Problem(StatusCode::CONFLICT),
        ]
    }
}

/// Describes the response to a request for one record.
struct OneOut<R>(std::marker::PhantomData<R>);

/// Describes the response to a request for several records.
struct ManyOut<R>(std::marker::PhantomData<R>);

fn either<R: InAnswers>(generator: &mut SchemaGenerator) -> Schema {
    let [one, many] = [generator.subschema_for::<OneOut<R>>(), generator.subschema_for::<ManyOut<R>>()];
    json_schema!({ "anyOf": [one, many] })
}

fn own_id_schema(Word(pt, en): Word) -> Value {
    id_schema(about!("Id de {pt}.", "The {en}'s id."), false, 17)
}

/// Returns the schemas of the members that tell how a record was found.
fn found_schemas() -> [(&'static str, Value); 4] {
    let created = json!({
        "type": "boolean", "description": ("Se foi criado.", "`true` if it was created."), "examples": [false],
    });
    let matched_by = json!({
        "type": ["string", "null"], "examples": ["identification"],
        "description": (
            "O campo pelo qual foi encontrado; null se foi criado.",
            "The member by which the record was found. Null if it was created.",
        ),
    });
    let name = json!({
        "type": "string", "description": ("O nome de um campo.", "The name of a member."), "examples": ["email"],
    });
    let changed = json!({
        "type": "array", "items": name, "examples": [["email", "external_ids"]],
        "description": ("Os campos que mudaram.", "The members that changed."),
    });
    let restored = json!({
        "type": "boolean", "const": true, "examples": [true],
        "description": (
            "Só se estava na lixeira, de onde voltou.",
            "Present if the record was restored from the trash.",
        ),
    });
    [("created", created), ("matched_by", matched_by), ("changed", changed), ("restored", restored)]
}

impl<R: InAnswers> JsonSchema for OneOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "FoundOrCreated"].concat().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_schema(R::TABLE)
    }
}

fn one_schema(table: &Table) -> Schema {
    let [one, other] = id_names(table);
    let about = about!("O registro encontrado ou criado.", "The record that was found or created.");
    let success = json!({
        "type": "boolean", "description": ("Sempre true.", "Always true."), "examples": [true],
    });
    let mut properties = Map::from_iter([("success".to_owned(), success)]);
    properties.extend([&one, &other].map(|name| (name.clone(), own_id_schema(table.noun))));
    properties.extend(found_schemas().map(|(name, schema)| (name.to_owned(), schema)));
    properties.extend(warning_schemas(table));
    json_schema!({
        "type": "object", "description": about, "properties": properties,
        "required": ["success", one, other, "created", "matched_by", "changed"],
    })
}

impl<R: InAnswers> JsonSchema for ManyOut<R> {
    fn schema_name() -> Cow<'static, str> {
        [R::TABLE.type_name, "sFoundOrCreated"].concat().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        many_schema(R::TABLE, &generator.subschema_for::<ProblemOut>())
    }
}

fn many_schema(table: &Table, refused: &Schema) -> Schema {
    let [one, _] = id_names(table);
    let mut properties = Map::from_iter([(one.clone(), own_id_schema(table.noun))]);
    properties.extend(found_schemas().map(|(name, schema)| (name.to_owned(), schema)));
    properties.extend(warning_schemas(table));
    let item = json!({
        "type": "object", "properties": properties, "required": [one, "created"],
        "description": about!("Um item que foi feito.", "An item that was found or created."),
    });
    json_schema!({
        "type": "object",
        "description": about!("O que foi feito de cada item.", "The results of the items."),
        "properties": {
            "success": success_schema(),
            "created": count_schema(("Quantos foram criados.", "Number of records that were created."), 812),
            "found": count_schema(("Quantos já existiam.", "Number of records that were found."), 180),
            "changed": count_schema(("Quantos desses mudaram.", "Number of these that changed."), 40),
            "refused": count_schema(("Quantos foram recusados.", "Number of items that were refused."), 8),
            table.path: {
                "type": "array", "items": { "anyOf": [item, refused] },
                "description": ("Cada um, na ordem da requisição.", "The results, in the order of the request."),
            },
        },
        "required": ["success", "created", "found", "changed", "refused", table.path],
    })
}
