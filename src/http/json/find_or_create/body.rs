//! The body of a PUT to a collection: a record to find or create, or several.

use std::marker::PhantomData;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::answers::handler_reply::Write;
use crate::http::answers::problem::Problem;
use crate::http::json::batch::{MAX_ITEMS, UnknownInItems, each_item};
use crate::http::json::object::{Nested, Object};
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::record::{Draft, InAnswers};
use crate::http::json::request_body::{
    BodyReader, Member, Members, New, ensure_valid, object_with_items, read_object,
};
use crate::http::json::unknown;
use crate::http::openapi::describe::{
    BodyDescription, MemberDescription, Need, Purpose, RoutePart, Sentence,
};
use crate::http::requests::call::Call;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::records::{Field, Matching, Record as _, Table};

/// The body of a POST, from which a record is created if none is found.
pub trait CreateBody: Members + Send + 'static {
    type Record: InAnswers;

    fn draft(&mut self) -> &mut Draft<Self::Record>;

    fn into_draft(self) -> Draft<Self::Record>;

    /// Checks that a record that is found can be treated as the request says.
    fn check(&self, _: Existing, _: &mut Invalid) {}

    /// Creates a record, as a POST does.
    fn create(call: &Call<'_>, new: New<Self>) -> Result<Write<CreatedRecord>, Problem>;
}

/// A record that was created.
pub struct CreatedRecord {
    pub id: u32,
    /// The lawsuits that it may be in conflict with.
    pub possible_conflicts: PossibleConflicts,
}

/// The effect on a record that is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// It stays as it is.
    #[default]
    Keep,
    /// Empty members are filled.
    Fill,
    /// All members of the body are taken over.
    Update,
}

/// A record to find or create.
pub struct FindOrCreateItem<B> {
    pub body: B,
    /// The members by which the record is looked for, in this order.
    pub keys: Vec<&'static Field>,
    pub existing: Existing,
    /// Problems of the body, without `missing`.
    pub wrong: Invalid,
    /// The required members of a new record that the body lacks.
    pub missing: Invalid,
}

/// The body of a PUT to a collection.
pub enum OneOrMany<B> {
    One(Box<FindOrCreateItem<B>>),
    /// The items in their order. One that is no object has a problem instead.
    Many(Vec<Result<FindOrCreateItem<B>, Problem>>),
}

/// The members `match` and `existing`.
struct FindOptions<B> {
    keys: Member<Vec<&'static Field>>,
    existing: Member<Existing>,
    of: PhantomData<fn() -> B>,
}

/// A body with `match` and `existing`.
struct FindOrCreateBody<B> {
    options: FindOptions<B>,
    body: B,
}

const MATCH: &str = "match";
const EXISTING: &str = "existing";

/// Returns the members by which records of a table are found unless `match` names others.
fn default_keys(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    table.identifying_members().filter(|key| key.matching == Matching::Always)
}

/// Returns the names of members, for a sentence.
fn names(keys: impl Iterator<Item = &'static Field>) -> [&'static str; 4] {
    let mut names = [""; 4];
    names.iter_mut().zip(keys).for_each(|(name, key)| *name = key.member);
    names
}

/// Reads `match`: an array of names, or a text with one or several.
fn keys_in(table: &'static Table, value: &Value) -> Result<Vec<&'static Field>, Reason> {
    let named: Option<Vec<&str>> = match value {
        Value::Array(all) => all.iter().map(Value::as_str).collect(),
        Value::String(text) => Some(text.split(',').collect()),
        _ => None,
    };
    let key = |name: &str| table.identifying_members().find(|key| key.member == name.trim());
    let known = named.and_then(|named| named.into_iter().map(key).collect::<Option<Vec<_>>>());
    let unknown = || Reason::NotKey { keys: names(table.identifying_members()) };
    known.filter(|known| !known.is_empty()).ok_or_else(unknown)
}

fn existing_in(value: &Value) -> Result<Existing, Reason> {
    match value.as_str().map(str::trim) {
        Some("keep") => Ok(Existing::Keep),
        Some("fill") => Ok(Existing::Fill),
        Some("update") => Ok(Existing::Update),
        _ => Err(Reason::NotExisting),
    }
}

impl<B: CreateBody> Members for FindOptions<B> {
    fn name() -> String {
        [B::Record::TABLE.type_name, "Match"].concat()
    }

    fn about() -> Sentence {
        ("Como se procura um registro.", "How to find a record.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> FindOptions<B> {
        let keys = reader.read(MATCH, Need::Optional, |value| keys_in(B::Record::TABLE, value));
        FindOptions { keys, existing: reader.read(EXISTING, Need::Optional, existing_in), of: PhantomData }
    }

    fn members() -> Vec<MemberDescription> {
        let table = B::Record::TABLE;
        let all = table.identifying_members().map(|key| key.member).collect::<Vec<_>>();
        let default = default_keys(table).map(|key| key.member).collect::<Vec<_>>();
        let about: Bilingual = (
            "Por que campos o registro é procurado, nesta ordem. Ao menos um deles tem de estar no corpo.",
            "The members by which to find the record, in this order. At least one of them must be in the body.",
        );
        let keys = json!({
            "type": ["array", "null"], "minItems": 1, "items": { "type": "string", "enum": all },
            "description": about, "default": default, "examples": [default],
        });
        let about: Bilingual = (
            "O que se faz com um registro que já existe: `keep` o deixa como está; `fill` preenche o que está vazio; \
             `update` grava o que foi informado. Códigos de outros sistemas são acrescentados.",
            "What happens to a record that is found: `keep` leaves it unchanged, `fill` fills empty members, \
             and `update` writes the members in the body. Ids in other systems are added.",
        );
        let existing = json!({
            "type": "string", "enum": ["keep", "fill", "update"], "description": about, "default": "keep",
            "examples": ["fill"],
        });
        let member =
            |name, schema, example| MemberDescription { name, need: Need::Optional, schema, example };
        vec![member(MATCH, keys, json!(default)), member(EXISTING, existing, json!("fill"))]
    }
}

impl<B: CreateBody> Members for FindOrCreateBody<B> {
    fn name() -> String {
        [B::Record::TABLE.type_name, "FindOrCreate"].concat()
    }

    fn about() -> Sentence {
        B::about()
    }

    fn read(reader: &mut BodyReader<'_>) -> FindOrCreateBody<B> {
        FindOrCreateBody { options: FindOptions::read(reader), body: B::read(reader) }
    }

    fn members() -> Vec<MemberDescription> {
        B::members().into_iter().chain(FindOptions::<B>::members()).collect()
    }

    fn shows(name: &str) -> bool {
        B::shows(name)
    }
}

impl<B: CreateBody> FindOrCreateItem<B> {
    /// Reads an object. `options` applies unless the object names something else. Also returns `true` if the object has a
    /// known member.
    fn read(
        object: &Object,
        options: Option<&FindOptions<B>>,
        zone: &TimeZone,
    ) -> (FindOrCreateItem<B>, bool) {
        let (FindOrCreateBody { options: own, body }, invalid, named) =
            read_object::<FindOrCreateBody<B>>(object, Purpose::Create, zone);
        let mut wrong = Invalid::new();
        let mut missing = Invalid::new();
        for (name, reason) in invalid.iter() {
            let is_missing = *reason == Reason::Required && object.peek(name).is_none();
            if is_missing { &mut missing } else { &mut wrong }.add(name.to_owned(), *reason);
        }
        let of_body = |options: &FindOptions<B>| options.keys.get().cloned();
        let keys = own.keys.into_value().or_else(|| options.and_then(of_body));
        let existing =
            own.existing.into_value().or_else(|| options.and_then(|options| options.existing.get().copied()));
        let existing = existing.unwrap_or_default();
        body.check(existing, &mut wrong);
        let keys = keys.unwrap_or_else(|| default_keys(B::Record::TABLE).collect());
        (FindOrCreateItem { body, keys, existing, wrong, missing }, named)
    }

    /// Fails if the body has none of the members by which the record is looked for.
    pub fn ensure_key(&mut self) -> Result<(), Problem> {
        let is_named = |key: &&Field| {
            let is_wrong = self.wrong.iter().any(|(name, _)| name == key.member);
            is_wrong || self.body.draft().get(key.member).is_some_and(|value| !value.is_empty())
        };
        let is_refused = self.wrong.iter().any(|(name, _)| name == MATCH);
        if is_refused || self.keys.iter().any(is_named) {
            return Ok(());
        }
        let mut wrong = self.wrong.clone();
        wrong.add(MATCH, Reason::NoKey { keys: names(self.keys.iter().copied()) });
        Err(wrong.into())
    }
}

impl<B: CreateBody> OneOrMany<B> {
    const ITEMS: &'static str = B::Record::TABLE.path;

    fn one(routed: &RoutedRequest<'_>, object: &Object) -> Result<OneOrMany<B>, Problem> {
        let (mut item, named) = FindOrCreateItem::read(object, None, routed.call.app().zone());
        let others = object.unknown();
        if !others.is_empty() {
            unknown::members(routed, &others, &B::shows, &mut item.wrong);
        }
        if named { Ok(OneOrMany::One(Box::new(item))) } else { Err(Problem::empty_body(&others)) }
    }

    fn many(routed: &RoutedRequest<'_>, object: &Object, items: Nested) -> Result<OneOrMany<B>, Problem> {
        let zone = routed.call.app().zone();
        let (options, mut wrong, _) = read_object::<FindOptions<B>>(object, Purpose::Create, zone);
        let mut unknown = UnknownInItems::default();
        let mut records = Vec::new();
        each_item(items, Self::ITEMS, &mut wrong, |name, item| {
            let Some(object) = item else {
                records.push(Err(Problem::from(Invalid::one(name, Reason::NotObject))));
                return;
            };
            let (mut item, _) = FindOrCreateItem::read(&object, Some(&options), zone);
            let others = object.unknown();
            if unknown::refuses(routed) {
                unknown::members(routed, &others, &B::shows, &mut item.wrong);
            } else {
                unknown.add(&name, others);
            }
            records.push(Ok(item));
        });
        let unknown = [object.unknown(), unknown.names].concat();
        if !unknown.is_empty() {
            unknown::members(routed, &unknown, &B::shows, &mut wrong);
        }
        ensure_valid(wrong)?;
        Ok(OneOrMany::Many(records))
    }
}

impl<B: CreateBody> FromRequest for OneOrMany<B> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<OneOrMany<B>, Problem> {
        let (object, items) = object_with_items(routed, Self::ITEMS)?;
        match items {
            Some(items) => OneOrMany::many(routed, &object, items),
            None => OneOrMany::one(routed, &object),
        }
    }

    fn parts() -> Vec<RoutePart> {
        let body = BodyDescription::of::<FindOrCreateBody<B>>(Purpose::Create);
        vec![RoutePart::OneOrMany(Self::ITEMS, MAX_ITEMS, body)]
    }
}
