//! The requests and responses of routes as data. The types of a handler's arguments and result supply it, and
//! `openapi` reads it.

use http::StatusCode;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

pub use super::sentence::Sentence;
pub(crate) use super::sentence::about;
use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::domain::lang::Word;
use crate::http::json::values::FromText;

/// A part of a route's request or response.
pub enum RoutePart {
    /// The id in the path, with the word for its record.
    PathId(Word),
    PathText(Parameter),
    Parameter(Parameter),
    /// The page parameters of a list.
    Page {
        /// `true` if the list is ordered by id, so that a page may begin after an id.
        by_id: bool,
    },
    Body(BodyDescription),
    /// A body with an array: its member name, its maximum length and its items.
    Batch(&'static str, usize, BodyDescription),
    /// A body that is an item, or has an array of them: its member name, its maximum length and the items. No member of
    /// an item is required, because a record that is found may need none.
    OneOrMany(&'static str, usize, BodyDescription),
    /// A problem with this status, which no other part adds.
    Problem(StatusCode),
    /// A body that is a file with these members.
    Upload(BodyDescription),
    IfMatch,
    /// The parameters of a signed URL.
    Signature,
    /// 200 with the bytes of a file, or 206 with a part of them.
    Content,
    /// 200 with all matching records, or the record, in another format, if the client prefers it.
    OtherFormats,
    /// 200 with server-sent events, if the client prefers them.
    Events,
    /// 200 with a JSON body.
    Answer {
        about: Bilingual,
        schema: fn(&mut SchemaGenerator) -> Schema,
    },
    /// A repeated `Idempotency-Key` replays the response with this status.
    Replayed(StatusCode),
    /// The response has an ETag. The text describes 304.
    Version(Bilingual),
    /// The response with this status has the ETag of the written record.
    NewVersion(StatusCode),
    /// 201 with a JSON body and `Location`. A repeated `Idempotency-Key` replays it.
    Created {
        schema: fn(&mut SchemaGenerator, Compatibility) -> Schema,
        /// Returns the JSON Pointer (RFC 6901) to the new record's id.
        id: fn(Compatibility) -> String,
    },
}

/// A message that this server sends to webhooks.
pub struct MessageDescription {
    /// Type of the message, such as `customer.created`.
    pub ty: String,
    pub about: Sentence,
    /// JSON Schema of the message's `data`.
    pub data: Value,
}

pub type Messages = fn(&mut SchemaGenerator) -> Vec<MessageDescription>;

/// A query or path parameter.
pub struct Parameter {
    pub name: String,
    pub about: Sentence,
    pub schema: Value,
    pub example: Value,
    pub is_required: bool,
}

impl Parameter {
    /// Creates a parameter with the schema of `T`.
    pub fn of<T: FromText>(
        name: impl Into<String>,
        about: impl Into<Sentence>,
        example: impl Into<Value>,
    ) -> Parameter {
        Parameter {
            name: name.into(),
            about: about.into(),
            schema: T::schema(),
            example: example.into(),
            is_required: false,
        }
    }

    pub fn required(self) -> Parameter {
        Parameter { is_required: true, ..self }
    }

    /// Describes the parameter under another name.
    fn alias(&self, name: &str) -> Parameter {
        let of = &self.name;
        let about = about!("Outro nome de `{of}`.", "Another name of `{of}`.");
        let schema = self.schema.clone();
        let example = self.example.clone();
        Parameter { name: name.to_owned(), about, schema, example, is_required: false }
    }
}

/// Adds the other names of the id that is described under the first of these names, after it.
pub fn with_aliases(mut parameters: Vec<Parameter>, names: &[&str]) -> Vec<Parameter> {
    if let Some((first, others)) = names.split_first()
        && let Some(at) = parameters.iter().position(|parameter| parameter.name == *first)
    {
        let aliases = parameters.get(at).map(|own| {
            others.iter().filter(|name| name.ends_with("_id")).map(|name| own.alias(name)).collect::<Vec<_>>()
        });
        parameters.splice(at + 1..at + 1, aliases.into_iter().flatten());
    }
    parameters
}

pub struct BodyDescription {
    pub purpose: Purpose,
    pub may_be_empty: bool,
    /// Base name of the schema, such as `Customer`.
    pub name: String,
    pub about: Sentence,
    pub members: Vec<MemberDescription>,
}

impl BodyDescription {
    /// Returns the members that a body for its purpose may contain.
    pub fn into_known(self) -> Vec<MemberDescription> {
        let purpose = self.purpose;
        self.members.into_iter().filter(|member| member.need.is_known(purpose)).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// POST: creates a record.
    Create,
    /// PUT: changes some members of a record.
    Change,
}

/// The requests that may or must contain a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Required on POST. Cannot be emptied on PUT.
    Required,
    Optional,
    /// Optional on PUT. Unknown on POST.
    Changeable,
    /// Required on POST. Unknown on PUT.
    Initial,
}

impl Need {
    /// Returns `true` if a body for this purpose may contain the member.
    pub fn is_known(self, purpose: Purpose) -> bool {
        match self {
            Need::Changeable => purpose == Purpose::Change,
            Need::Initial => purpose == Purpose::Create,
            Need::Required | Need::Optional => true,
        }
    }

    /// Returns this need, or `Optional` if a flag of the body replaces the member.
    pub fn unless(self, flag: bool) -> Need {
        if flag { Need::Optional } else { self }
    }
}

pub struct MemberDescription {
    pub name: &'static str,
    pub need: Need,
    /// JSON Schema with a description and an example.
    pub schema: Value,
    pub example: Value,
}

/// Describes query parameters. A row has the type, the name, an example, and the description in both languages.
macro_rules! parameters {
    ($($type:ty: $name:tt [$example:expr] => $pt:literal, $en:literal;)+) => {
        vec![$($crate::http::openapi::describe::Parameter::of::<$type>($name, ($pt, $en), $example)),+]
    };
}

pub(crate) use parameters;
