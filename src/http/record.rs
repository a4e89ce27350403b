//! Records on the wire: read from bodies, written into answers and described, all by the tables of their nouns.

mod encoded;
mod own_names;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::mem;

use bytes::Bytes;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, json};

use super::call::Call;
use super::describe::{MemberDescription, Need, Purpose, Sentence, about};
use super::input::{BodyReader, Member, Members};
use super::problem::Problem;
use super::schema::{self, allow_null, set};
use super::typed::{Fields, FormReader};
use super::wire::in_answer;
use crate::domain::{Bilingual, Day, DayTime, Invalid, Reason, Short};
use crate::records::{Field, FieldType, Record, Table, Type, Value};
use crate::store::{self, Db};

pub(super) use encoded::Encoded;
pub use encoded::{InAnswers, OwnMembers};
pub use own_names::read_value;

/// What a body says of the members of a record.
#[derive(Clone, Debug)]
pub struct Draft<R> {
    members: Vec<(&'static Field, Member<Value<'static>>)>,
    /// Whether it brings a deleted record back.
    restores: bool,
    of: PhantomData<fn() -> R>,
}

impl<R: Record> Draft<R> {
    /// What somebody typed, and what is wrong with it.
    pub fn typed(fields: &Fields, purpose: Purpose) -> (Draft<R>, Invalid) {
        let mut reader = FormReader::new(fields, purpose);
        let draft = Draft::of(|field| reader.read(field.member, need(field), |input| field.read(input)));
        (draft, reader.into_wrong())
    }

    /// What a body says; `needed` tells when a member has to be there, where that is otherwise than in the table.
    pub fn read_with(
        reader: &mut BodyReader<'_>,
        needed: impl Fn(&'static Field) -> Option<Need>,
    ) -> Draft<R> {
        Draft::of(|field| {
            let need = needed(field).unwrap_or_else(|| need(field));
            own_names::read(reader, R::TABLE, field, need)
        })
    }

    /// What `read` finds of each member that a body may have.
    fn of(mut read: impl FnMut(&'static Field) -> Member<Value<'static>>) -> Draft<R> {
        let members = R::TABLE.writable().map(|field| (field, read(field)));
        Draft { members: members.collect(), restores: false, of: PhantomData }
    }

    /// What it says of the member that requests call so.
    pub fn get(&self, name: &str) -> Option<&Value<'static>> {
        self.members.iter().find(|(field, _)| field.member == name)?.1.get()
    }

    /// The members that have a value, each with it.
    pub fn values(&self) -> impl Iterator<Item = (&'static Field, &Value<'static>)> {
        self.members.iter().filter_map(|(field, member)| Some((*field, member.get()?)))
    }

    /// Whether it brings a deleted record back; it says nothing else then.
    pub fn restores(&self) -> bool {
        self.restores
    }

    /// Sets a member, by its column.
    pub fn set(&mut self, column: &str, value: Value<'static>) {
        if let Some((_, member)) = self.members.iter_mut().find(|(field, _)| field.column == column) {
            *member = Member::Set(value);
        }
    }

    /// Takes a member away, by its column: as if nobody had named it.
    pub fn take(&mut self, column: &str) -> Option<Value<'static>> {
        let (_, member) = self.members.iter_mut().find(|(field, _)| field.column == column)?;
        match mem::replace(member, Member::Absent) {
            Member::Set(value) => Some(value),
            Member::Clear | Member::Absent => None,
        }
    }

    /// Whether it says anything of that member, by its column, if only that there is none.
    pub fn names(&self, column: &str) -> bool {
        self.members.iter().any(|(field, member)| field.column == column && *member != Member::Absent)
    }

    /// Sets what only the office knows: moments to what its clock shows then, and days that are today's where nobody says
    /// anything; of a record that is there, where they are emptied.
    pub fn settle(&mut self, today: Day, zone: &TimeZone, is_new: bool) {
        for (field, member) in &mut self.members {
            match (field.ty, &*member) {
                (Type::DayTime, Member::Set(Value::Text(text))) => {
                    let local = DayTime::from_stored(text.to_string()).local(zone);
                    *member = Member::Set(local.to_value().into_owned());
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

    /// What the member of that column will be, over what it is now; nothing where that is wrong or not known.
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

    /// The same with what no request may name: values, each with its column.
    ///
    /// # Errors
    /// A defect, likewise.
    pub fn build_with(self, fixed: &[(&str, Value<'static>)]) -> Result<R, Problem> {
        let of = |field: &Field| fixed.iter().find(|(column, _)| *column == field.column);
        let value = |field| of(field).map_or_else(|| field.fallback(), |(_, value)| value.clone());
        self.over(R::TABLE.stored().map(value).collect())
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
            let present = present.next().unwrap_or_else(|| stored.fallback());
            let member = self.members.iter_mut().find(|(field, _)| field.column == stored.column);
            match member.map(|(_, member)| std::mem::replace(member, Member::Absent)) {
                Some(Member::Set(value)) => value,
                Some(Member::Clear) => stored.fallback(),
                Some(Member::Absent) | None => present,
            }
        });
        R::build(values).ok_or_else(|| Problem::internal(MISSING_AFTER_VALIDATION))
    }
}

/// A record as JSON, as answers show it; none where it is not there, or was deleted.
///
/// # Errors
/// Why the store cannot be read.
pub fn as_json<R: InAnswers>(db: Db<'_>, id: u32, zone: &TimeZone) -> Result<Option<Bytes>, store::Error> {
    Ok(Encoded::read::<R>(db, &[id], false, zone)?.pop().map(|(_, json)| json))
}

/// Cannot be: that a required member is there was checked when the body was read.
pub const MISSING_AFTER_VALIDATION: &str = "a required member is missing after it was checked";

impl<R: InAnswers> Members for Draft<R> {
    fn name() -> String {
        R::TABLE.type_name.to_owned()
    }

    fn about() -> Sentence {
        let (pt, en) = R::TABLE.about;
        about!("{pt} Os campos que podem ser gravados.", "{en} The members that can be written.")
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
                    "Brings a deleted record back; stands alone.",
                ),
            }),
            example: json!(false),
        });
        // Last is the member that the example of a PUT changes.
        deleted.into_iter().chain(R::TABLE.writable().map(described)).collect()
    }

    fn shows(name: &str) -> bool {
        own_names::shows(R::TABLE, name)
    }

    fn ambiguous() -> impl Iterator<Item = &'static str> {
        R::TABLE.fields.iter().filter(|field| field.changeable).map(|field| field.member)
    }

    fn shown(call: &Call<'_>) -> Result<Option<Map<String, serde_json::Value>>, Problem> {
        Encoded::shown::<R>(call)
    }
}

/// Brings a deleted record back: `false` (resources 18).
const DELETED: &str = "deleted";

/// A member of a body that the field is, in the description.
pub fn described(field: &'static Field) -> MemberDescription {
    MemberDescription {
        name: field.member,
        need: need(field),
        schema: schema::described_in(field),
        example: schema::example_in(field),
    }
}

/// A member of a body that is no field's, in the description: how a value of that type is written there.
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
    match (field.changeable, field.initial, field.required) {
        (true, ..) => Need::Changeable,
        (_, true, _) => Need::Initial,
        (.., true) => Need::Required,
        _ => Need::Optional,
    }
}

/// The schema of a record in answers.
pub(super) struct Schemed<R>(PhantomData<fn() -> R>);

impl<R: InAnswers> JsonSchema for Schemed<R> {
    fn schema_name() -> Cow<'static, str> {
        R::TABLE.type_name.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schema_of(R::TABLE, |member| R::own_schema(member, generator))
    }
}

/// The schema of a record of that table in answers; `own` describes the members that only its noun has.
fn schema_of(table: &'static Table, mut own: impl FnMut(&str) -> Schema) -> Schema {
    let mut properties = Map::new();
    let mut id = schema::id();
    set(&mut id, "description", json!(("O id.", "Its id.")));
    set(&mut id, "examples", json!([17]));
    properties.insert("id".to_owned(), id);
    for field in table.fields.iter().filter(|field| field.is_shown) {
        properties.insert(field.shown.to_owned(), described_out(table, field, &mut own));
    }
    let required = properties.keys().cloned().collect::<Vec<_>>();
    if table.can_be_deleted() {
        let mut deleted = schema::in_answer(Type::Moment);
        let about = (
            "Quando foi excluído; só nas listas de excluídos.",
            "When it was deleted; in lists of deleted ones alone.",
        );
        set(&mut deleted, "description", json!(about));
        set(&mut deleted, "examples", json!(["2026-11-21 11:02:10"]));
        properties.insert("deleted_at".to_owned(), deleted);
        let mut reason = schema::in_answer(Short::TYPE);
        let about =
            ("O motivo, se foi informado; só nas mesmas listas.", "Why, where that was said; likewise.");
        set(&mut reason, "description", json!(about));
        set(&mut reason, "examples", json!(["lançada duas vezes"]));
        properties.insert("deleted_reason".to_owned(), reason);
        let mut into = schema::id();
        let about = (
            "O registro que ficou no lugar dele, se foi unido a outro; só nas mesmas listas.",
            "The record that has taken its place, where it was merged; likewise.",
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

/// Refers to the schema of a record, which it adds.
pub fn record_schema<R: InAnswers>(generator: &mut SchemaGenerator) -> serde_json::Value {
    generator.subschema_for::<Schemed<R>>().to_value()
}

/// Refers to the schema of a list's entries, which it adds.
pub fn reference_to(list: &'static Table, generator: &mut SchemaGenerator) -> serde_json::Value {
    let schema = schema_of(list, |_| Schema::default()).to_value();
    generator.definitions_mut().insert(list.type_name.to_owned(), schema);
    json!({ "$ref": format!("#/components/schemas/{}", list.type_name) })
}

/// The member of an answer that a field is; its example is what becomes of the one that somebody would write.
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
