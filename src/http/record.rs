//! Records on the wire: read from bodies, written into answers and described, all by the tables of their nouns.

use std::borrow::Cow;
use std::marker::PhantomData;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, json};

use super::answer::Encoded;
use super::input::{BodyReader, Described, Member, Members, Need, Purpose};
use super::openapi::{allow_null, set};
use super::problem::Problem;
use super::schema;
use super::typed::{Fields, FormReader};
use super::wire::write_value;
use crate::domain::id::Noun;
use crate::domain::{Day, Invalid};
use crate::records::{Field, Record, Source, Type, Value};
use crate::store::records::{Row, show_each};
use crate::store::{self, Db};

/// What a body says of the members of a record.
#[derive(Clone, Debug)]
pub struct Draft<R> {
    members: Vec<(&'static Field, Member<Value<'static>>)>,
    of: PhantomData<fn() -> R>,
}

impl<R: Record> Draft<R> {
    /// What somebody typed, and what is wrong with it.
    pub fn typed(fields: &Fields, purpose: Purpose) -> (Draft<R>, Invalid) {
        let mut reader = FormReader::new(fields, purpose);
        let draft = Draft::of(|field| reader.read(field.member, need(field), |input| field.read(input)));
        (draft, reader.into_wrong())
    }

    /// What `read` finds of each member that a body may have.
    fn of(mut read: impl FnMut(&'static Field) -> Member<Value<'static>>) -> Draft<R> {
        let members = R::TABLE.writable().map(|field| (field, read(field)));
        Draft { members: members.collect(), of: PhantomData }
    }

    /// What it says of the member that requests call so.
    pub fn get(&self, name: &str) -> Option<&Value<'static>> {
        self.members.iter().find(|(field, _)| field.member == name)?.1.get()
    }

    /// The members that have a value, each with it.
    pub fn values(&self) -> impl Iterator<Item = (&'static Field, &Value<'static>)> {
        self.members.iter().filter_map(|(field, member)| Some((*field, member.get()?)))
    }

    /// Sets a member, by its column.
    pub fn set(&mut self, column: &str, value: Value<'static>) {
        if let Some((_, member)) = self.members.iter_mut().find(|(field, _)| field.column == column) {
            *member = Member::Set(value);
        }
    }

    /// Adds what is wrong with values that no type can tell.
    pub fn check(&self, today: Day, wrong: &mut Invalid) {
        for (field, value) in self.values() {
            wrong.check(field.member, field.check(value, today));
        }
    }

    /// The new record that it makes.
    ///
    /// # Errors
    /// A defect: that a required member is there was checked when the body was read.
    pub fn build(self) -> Result<R, Problem> {
        self.over(Vec::new())
    }

    /// The record that becomes of `present`.
    ///
    /// # Errors
    /// A defect, likewise.
    pub fn change(self, present: &R) -> Result<R, Problem> {
        self.over(present.values().into_iter().map(Value::into_owned).collect())
    }

    fn over(mut self, present: Vec<Value<'static>>) -> Result<R, Problem> {
        let mut present = present.into_iter();
        let values = R::TABLE.stored().map(|stored| {
            let present = present.next().unwrap_or(Value::Null);
            let member = self.members.iter_mut().find(|(field, _)| field.column == stored.column);
            match member.map(|(_, member)| std::mem::replace(member, Member::Absent)) {
                Some(Member::Set(value)) => value,
                Some(Member::Clear) => Value::Null,
                Some(Member::Absent) | None => present,
            }
        });
        R::build(values).ok_or_else(|| Problem::internal(MISSING_AFTER_VALIDATION))
    }
}

/// Cannot be: that a required member is there was checked when the body was read.
pub const MISSING_AFTER_VALIDATION: &str = "a required member is missing after it was checked";

impl<R: Record> Members for Draft<R> {
    fn name() -> String {
        R::Kind::WORD.title()
    }

    fn about() -> String {
        format!("The members of a {} that can be written.", R::Kind::WORD.1)
    }

    fn read(reader: &mut BodyReader<'_>) -> Draft<R> {
        Draft::of(|field| reader.read(field.member, need(field), |value| field.read(&schema::input(value))))
    }

    fn members() -> Vec<Described> {
        let described = |field: &'static Field| Described {
            name: field.member,
            need: need(field),
            schema: schema::described_in(field),
            example: schema::example_in(field),
        };
        R::TABLE.writable().map(described).collect()
    }
}

fn need(field: &Field) -> Need {
    match (field.changeable, field.required) {
        (true, _) => Need::Changeable,
        (_, true) => Need::Required,
        _ => Need::Optional,
    }
}

/// A record as answers show it. What is in its table needs no more; what only its noun has, it says itself.
pub trait InAnswers: Record {
    /// Reads the members that only this noun has, in the order of its table.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn own(_: Db<'_>, _id: u32, _members: &mut OwnMembers) -> Result<(), store::Error> {
        Ok(())
    }

    /// Describes one of them.
    fn own_schema(_member: &str, _: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The members of a record that only its noun has, as JSON.
#[derive(Default)]
pub struct OwnMembers {
    json: Vec<u8>,
    ends: Vec<usize>,
    failed: bool,
}

impl OwnMembers {
    /// The next one.
    pub fn add(&mut self, member: &impl Serialize) {
        self.failed |= serde_json::to_writer(&mut self.json, member).is_err();
        self.ends.push(self.json.len());
    }

    fn clear(&mut self) {
        self.json.clear();
        self.ends.clear();
    }

    fn get(&self, number: usize) -> Option<&[u8]> {
        let from = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.json.get(from..*self.ends.get(number)?)
    }
}

/// Encodes the records with those ids. The caller opens a snapshot.
///
/// # Errors
/// Why the store cannot be read.
pub(super) fn encode<R: InAnswers>(
    db: Db<'_>,
    ids: &[u32],
    zone: &TimeZone,
    into: &mut Encoded,
) -> Result<(), store::Error> {
    let mut own = OwnMembers::default();
    show_each(db, R::TABLE, ids, |row| {
        let id = row.id()?;
        own.clear();
        R::own(db, id, &mut own)?;
        let mut json = into.room();
        write(&row, id, &own, R::TABLE.fields, zone, &mut json)?;
        into.add(id, json);
        Ok(())
    })?;
    if own.failed {
        Err(store::Error::Defect("a record cannot be written as JSON".to_owned()))
    } else {
        Ok(())
    }
}

/// Writes a record as JSON, member by member as its columns come: nothing is copied before.
fn write(
    row: &Row<'_>,
    id: u32,
    own: &OwnMembers,
    fields: &[Field],
    zone: &TimeZone,
    json: &mut Vec<u8>,
) -> Result<(), store::Error> {
    json.extend_from_slice(b"{\"id\":");
    json.extend_from_slice(id.to_string().as_bytes());
    let mut owned = 0;
    for (at, field) in fields.iter().enumerate() {
        json.extend_from_slice(b",\"");
        json.extend_from_slice(field.shown.as_bytes());
        json.extend_from_slice(b"\":");
        match field.is_own() {
            true => {
                json.extend_from_slice(own.get(owned).unwrap_or(b"null"));
                owned += 1;
            }
            false => write_value(field.ty, &row.value(at)?, zone, json),
        }
    }
    json.push(b'}');
    Ok(())
}

/// The schema of a record in answers.
pub(super) struct Schemed<R>(PhantomData<fn() -> R>);

impl<R: InAnswers> JsonSchema for Schemed<R> {
    fn schema_name() -> Cow<'static, str> {
        R::Kind::WORD.title().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        let mut id = schema::id_out();
        set(&mut id, "description", "Its id.");
        set(&mut id, "examples", json!([17]));
        properties.insert("id".to_owned(), id);
        for field in R::TABLE.fields {
            properties.insert(field.shown.to_owned(), described_out::<R>(field, generator));
        }
        let required = properties.keys().cloned().collect::<Vec<_>>();
        let mut whole = json!({ "type": "object", "description": R::TABLE.about });
        set(&mut whole, "properties", properties);
        set(&mut whole, "required", required);
        Schema::try_from(whole).unwrap_or_default()
    }
}

/// The member of an answer that a field is; its example is what becomes of the one that somebody would write.
fn described_out<R: InAnswers>(field: &Field, generator: &mut SchemaGenerator) -> serde_json::Value {
    let is_own = field.is_own();
    let mut schema = match is_own {
        true => R::own_schema(field.shown, generator).to_value(),
        false => schema::in_answer(field.ty),
    };
    if field.source == Source::Column && !field.required {
        allow_null(&mut schema);
    }
    set(&mut schema, "description", field.about);
    let example = match (field.ty, field.is_stored()) {
        _ if is_own => None,
        (Type::Moment, _) => Some(json!("2026-11-21 14:30:00")),
        (_, true) => {
            let value = field.read(&schema::input(&schema::example_in(field)));
            value.ok().and_then(|value| {
                let mut json = Vec::new();
                write_value(field.ty, &value, &TimeZone::UTC, &mut json);
                serde_json::from_slice(&json).ok()
            })
        }
        _ => Some(schema::example_in(field)),
    };
    if let Some(example) = example {
        set(&mut schema, "examples", vec![example]);
    }
    schema
}
