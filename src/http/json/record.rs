//! Records in requests, in responses and in the API description, by the tables of their nouns.

mod encoded;
mod own_names;
mod reduced;
mod typed;

use std::borrow::Cow;
use std::marker::PhantomData;

use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, json};

use super::request_body::{BodyReader, Member, Members};
use super::values::in_answer;
use crate::domain::{Bilingual, Day, Invalid, ProcessNumber, Reason, Short};
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::{MemberDescription, Need, Sentence, about};
use crate::http::openapi::schema::{self, allow_null, set};
use crate::http::requests::viewer::Viewer;
use crate::records::{Field, FieldType, Record, Table, Type, Value};
use crate::store::{self, Db};

pub(in crate::http) use encoded::{Answers, Encoded};
pub use encoded::{InAnswers, OwnMembers};
pub use own_names::{read_value, read_value_in};

/// The members of a record that a body names.
#[derive(Clone, Debug)]
pub struct Draft<R> {
    members: Vec<FieldMember>,
    /// `true` if the body restores a deleted record.
    restores: bool,
    of: PhantomData<fn() -> R>,
}

impl<R: Record> Draft<R> {
    /// Reads a body. `needed` returns a field's requirement if it differs from the table.
    pub fn read_with(
        reader: &mut BodyReader<'_>,
        needed: impl Fn(&'static Field) -> Option<Need>,
    ) -> Draft<R> {
        Draft::of(R::TABLE.writable(), |field| {
            let need = needed(field).unwrap_or_else(|| need(field));
            own_names::read(reader, R::TABLE, field, need)
        })
    }

    /// Creates a draft with the result of `read` for each of these fields.
    fn of(
        fields: impl Iterator<Item = &'static Field>,
        mut read: impl FnMut(&'static Field) -> Member<Value<'static>>,
    ) -> Draft<R> {
        let mut members = Vec::with_capacity(R::TABLE.fields.len());
        members.extend(fields.map(|field| (field, read(field))));
        Draft { members, restores: false, of: PhantomData }
    }

    /// Returns the value of a member, by its name in requests.
    pub fn get(&self, name: &str) -> Option<&Value<'static>> {
        self.members.iter().find(|(field, _)| field.member == name)?.1.get()
    }

    pub fn values(&self) -> impl Iterator<Item = (&'static Field, &Value<'static>)> {
        self.members.iter().filter_map(|(field, member)| Some((*field, member.get()?)))
    }

    /// Returns the fields that the body sets or empties.
    pub fn named(&self) -> impl Iterator<Item = &'static Field> {
        self.members.iter().filter(|(_, member)| *member != Member::Absent).map(|(field, _)| *field)
    }

    /// Returns `true` if the body restores a deleted record. It has no other members then.
    pub fn restores(&self) -> bool {
        self.restores
    }

    /// Sets a member, by its column.
    pub fn set(&mut self, column: &str, value: Value<'static>) {
        if let Some((_, member)) = self.members.iter_mut().find(|(field, _)| field.column == column) {
            *member = Member::Set(value);
        }
    }

    /// Removes a member, by its column, as if the body had not named it. Returns its value.
    pub fn take(&mut self, column: &str) -> Option<Value<'static>> {
        let (_, member) = self.members.iter_mut().find(|(field, _)| field.column == column)?;
        match std::mem::replace(member, Member::Absent) {
            Member::Set(value) => Some(value),
            Member::Clear | Member::Absent => None,
        }
    }

    /// Returns `true` if the body sets or empties the member with this column.
    pub fn names(&self, column: &str) -> bool {
        self.members.iter().any(|(field, member)| field.column == column && *member != Member::Absent)
    }

    /// Completes case numbers, and fills in fields whose default is today: if the body empties them, and in a new record
    /// also if it does not name them.
    pub fn settle(&mut self, today: Day, is_new: bool) {
        for (field, member) in &mut self.members {
            match (field.ty, &*member) {
                (Type::ProcessNumber, Member::Set(Value::Text(text))) => {
                    let number = ProcessNumber::from_stored(text.to_string()).completed(today);
                    *member = Member::Set(number.to_value().into_owned());
                }
                (_, Member::Clear) if field.is_today() => {
                    *member = Member::Set(today.to_value().into_owned())
                }
                (_, Member::Absent) if field.is_today() && is_new => {
                    *member = Member::Set(today.to_value().into_owned());
                }
                _ => {}
            }
        }
    }

    /// Returns the value that a column will have. A member that is absent or invalid has its value in
    /// `present`, or `Null` without `present`.
    pub fn value_over(&self, present: Option<&R>, column: &str) -> Value<'static> {
        let member = self.members.iter().find(|(field, _)| field.column == column);
        match member {
            Some((_, Member::Set(value))) => value.clone(),
            Some((field, Member::Clear)) => field.fallback(),
            _ => {
                let values = present.map(Record::values).unwrap_or_default();
                let own = R::TABLE.stored().zip(values).find(|(field, _)| field.column == column);
                own.map_or(Value::Null, |(_, value)| value.into_owned())
            }
        }
    }

    /// Adds the problems that types alone do not detect, such as a day out of range.
    pub fn check(&self, today: Day, wrong: &mut Invalid) {
        for (field, value) in self.values() {
            wrong.check(field.member, field.check(value, today));
        }
    }

    /// Builds a new record. Fails only if a required member is missing, which is a bug: this was checked when
    /// the body was read.
    pub fn build(self) -> Result<R, Problem> {
        self.over(Vec::new())
    }

    /// Like [`Draft::build`], with fixed values for columns that requests cannot set.
    pub fn build_with(self, fixed: &[(&str, Value<'static>)]) -> Result<R, Problem> {
        let of = |field: &Field| fixed.iter().find(|(column, _)| *column == field.column);
        let value = |field| of(field).map_or_else(|| field.fallback(), |(_, value)| value.clone());
        self.over(R::TABLE.stored().map(value).collect())
    }

    /// Applies the draft to `present`.
    pub fn change(self, present: &R) -> Result<R, Problem> {
        self.over(present.values().into_iter().map(Value::into_owned).collect())
    }

    fn over(self, present: Vec<Value<'static>>) -> Result<R, Problem> {
        let values = values_over(R::TABLE, self.members, present);
        R::build(values).ok_or_else(|| Problem::internal(MISSING_AFTER_VALIDATION))
    }
}

/// A member of a body and its field.
type FieldMember = (&'static Field, Member<Value<'static>>);

/// Returns the stored values of a record with these members. A member that is absent has its value in `present`.
fn values_over(
    table: &Table,
    mut members: Vec<FieldMember>,
    present: Vec<Value<'static>>,
) -> Vec<Value<'static>> {
    let mut present = present.into_iter();
    let values = table.stored().map(|stored| {
        let present = present.next().unwrap_or_else(|| stored.fallback());
        let member = members.iter_mut().find(|(field, _)| field.column == stored.column);
        match member.map(|(_, member)| std::mem::replace(member, Member::Absent)) {
            Some(Member::Set(value)) => value,
            Some(Member::Clear) => stored.fallback(),
            Some(Member::Absent) | None => present,
        }
    });
    values.collect()
}

/// Returns a record as JSON, as responses show it. Returns `None` if it does not exist or is deleted.
pub fn as_json<R: InAnswers>(db: Db<'_>, id: u32, viewer: &Viewer) -> Result<Option<Bytes>, store::Error> {
    Ok(Encoded::read(db, Answers::of::<R>(), &[id], false, viewer)?.pop().map(|(_, json)| json))
}

/// Message of an internal error, which is a bug: required members were checked when the body was read.
pub const MISSING_AFTER_VALIDATION: &str = "a required member is missing after it was checked";

impl<R: InAnswers> Members for Draft<R> {
    fn name() -> String {
        R::TABLE.type_name.to_owned()
    }

    fn about() -> Sentence {
        let (pt, en) = R::TABLE.about;
        about!(
            "{pt} Os campos que podem ser gravados.",
            "{en} Contains only the members that can be written."
        )
    }

    fn read(reader: &mut BodyReader<'_>) -> Draft<R> {
        let mut draft = Draft::read_with(reader, |_| None);
        if R::TABLE.can_be_deleted() {
            let deleted =
                reader.read(DELETED, Need::Changeable, |value| match bool::read(&schema::input(value))? {
                    true => Err(Reason::NotFalse),
                    false => Ok(()),
                });
            draft.restores = deleted == Member::Set(());
            if draft.restores && draft.members.iter().any(|(_, member)| *member != Member::Absent) {
                reader.refuse(DELETED, Reason::NotAlone);
            }
        }
        draft
    }

    fn members() -> Vec<MemberDescription> {
        let deleted = R::TABLE.can_be_deleted().then(|| MemberDescription {
            name: DELETED,
            need: Need::Changeable,
            schema: json!({
                "type": "boolean", "const": false, "examples": [false],
                "description": (
                    "Traz de volta um registro excluído; vem sozinho.",
                    "Restores a deleted record. Must be the only member.",
                ),
            }),
            example: json!(false),
        });
        // The last member is the example of a PUT.
        deleted.into_iter().chain(R::TABLE.writable().map(described)).collect()
    }

    fn shows(name: &str) -> bool {
        own_names::shows(R::TABLE, name)
    }

    fn ambiguous() -> impl Iterator<Item = &'static str> {
        let is_derived = |field: &&Field| field.changeable || field.fallback_source.is_some();
        R::TABLE.fields.iter().filter(is_derived).map(|field| field.member)
    }

    fn shown(
        db: Db<'_>,
        id: u32,
        viewer: &Viewer,
    ) -> Result<Option<Map<String, serde_json::Value>>, Problem> {
        Ok(as_json::<R>(db, id, viewer)?.and_then(|json| serde_json::from_slice(&json).ok()))
    }
}

/// Member that restores a deleted record if it is `false` (resources 18).
const DELETED: &str = "deleted";

/// Describes the member of a body for a field.
pub fn described(field: &'static Field) -> MemberDescription {
    MemberDescription {
        name: field.member,
        need: need(field),
        schema: schema::described_in(field),
        example: schema::example_in(field),
    }
}

/// Describes a member of a body that is not a field.
pub fn described_as(
    name: &'static str,
    need: Need,
    ty: Type,
    about: Bilingual,
    example: serde_json::Value,
) -> MemberDescription {
    let mut schema = schema::in_body(ty);
    if need != Need::Required {
        allow_null(&mut schema);
    }
    set(&mut schema, "description", json!(about));
    set(&mut schema, "examples", vec![example.clone()]);
    MemberDescription { name, need, schema, example }
}

fn need(field: &Field) -> Need {
    match (field.changeable, field.create_only, field.required) {
        (true, ..) => Need::Changeable,
        (_, true, _) => Need::Initial,
        (.., true) => Need::Required,
        _ => Need::Optional,
    }
}

/// The schema of a record in responses.
pub(in crate::http) struct Schemed<R>(PhantomData<fn() -> R>);

impl<R: InAnswers> JsonSchema for Schemed<R> {
    fn schema_name() -> Cow<'static, str> {
        R::TABLE.type_name.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schema_of(R::TABLE, |member| R::own_schema(member, generator))
    }
}

/// Returns the schema of a table's records in responses. `own` returns the schemas of members that the noun
/// writes itself.
fn schema_of(table: &'static Table, mut own: impl FnMut(&str) -> Schema) -> Schema {
    let mut properties = Map::new();
    let mut id = schema::id();
    set(&mut id, "description", json!(("O id.", "Its id.")));
    set(&mut id, "examples", json!([17]));
    properties.insert("id".to_owned(), id);
    for field in table.fields.iter().filter(|field| field.is_shown) {
        properties.insert(field.shown.to_owned(), described_out(table, field, &mut own));
    }
    let required = ["id"].into_iter().chain(table.always_shown()).collect::<Vec<_>>();
    if table.can_be_deleted() {
        let mut deleted = schema::in_answer(Type::Moment);
        let about = (
            "Quando foi excluído; só nas listas de excluídos.",
            "The time at which the record was deleted. Only in lists of deleted records.",
        );
        set(&mut deleted, "description", json!(about));
        set(&mut deleted, "examples", json!(["2026-11-21 11:02:10"]));
        properties.insert("deleted_at".to_owned(), deleted);
        let mut reason = schema::in_answer(Short::TYPE);
        let about = (
            "O motivo, se foi informado; só nas mesmas listas.",
            "The reason, if one was given. Only in lists of deleted records.",
        );
        set(&mut reason, "description", json!(about));
        set(&mut reason, "examples", json!(["lançada duas vezes"]));
        properties.insert("deleted_reason".to_owned(), reason);
        let mut into = schema::id();
        let about = (
            "O registro que ficou no lugar dele, se foi unido a outro; só nas mesmas listas.",
            "The record that replaced this one in a merge. Only in lists of deleted records.",
        );
        set(&mut into, "description", json!(about));
        set(&mut into, "examples", json!([17]));
        properties.insert("merged_into".to_owned(), into);
    }
    let mut whole = json!({ "type": "object", "description": table.about });
    set(&mut whole, "properties", properties);
    set(&mut whole, "required", required);
    Schema::try_from(whole).unwrap_or_default()
}

/// Adds the schema of a record, and returns a reference to it.
pub fn record_schema<R: InAnswers>(generator: &mut SchemaGenerator) -> serde_json::Value {
    generator.subschema_for::<Schemed<R>>().to_value()
}

/// Adds the schema of a list's entries, and returns a reference to it.
pub fn reference_to(list: &'static Table, generator: &mut SchemaGenerator) -> serde_json::Value {
    let schema = schema_of(list, |_| Schema::default()).to_value();
    generator.definitions_mut().insert(list.type_name.to_owned(), schema);
    json!({ "$ref": format!("#/components/schemas/{}", list.type_name) })
}

/// Describes the member of a response for a field. Its example is the example for bodies, in the form that
/// responses have.
fn described_out(table: &Table, field: &Field, own: &mut impl FnMut(&str) -> Schema) -> serde_json::Value {
    let is_own = field.is_own();
    let mut schema = match is_own {
        true => own(field.shown).to_value(),
        false => schema::in_answer(field.ty),
    };
    if table.is_nullable(field) {
        allow_null(&mut schema);
    }
    set(&mut schema, "description", json!(field.about));
    let example = match (field.ty, field.is_stored()) {
        _ if is_own => None,
        (Type::Moment, _) => Some(json!("2026-11-21 14:30:00")),
        (_, true) => {
            let value = field.read(&schema::input(&schema::example_in(field)));
            value.ok().map(|value| in_answer(field.ty, &value))
        }
        _ => Some(schema::example_in(field)),
    };
    if let Some(example) = example {
        set(&mut schema, "examples", vec![example]);
    }
    schema
}
