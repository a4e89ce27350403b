//! What routes take and answer, as data: said by the types of a handler's arguments and answers, and read by whatever
//! describes the API.

use http::StatusCode;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

pub use super::sentence::Sentence;
pub(crate) use super::sentence::about;
use super::wire::FromText;
use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::domain::id::Word;

/// Something that a route takes or answers.
pub enum RoutePart {
    /// The id in the path, and what it is of.
    PathId(Word),
    /// A further parameter in the path.
    PathText(Parameter),
    /// A query parameter.
    Parameter(Parameter),
    /// The page of a list.
    Page {
        /// Whether the list comes by id, so that a page may also begin behind one.
        by_id: bool,
    },
    /// A body.
    Body(BodyDescription),
    /// A body with 1 to so many of the same under that name.
    Batch(&'static str, usize, BodyDescription),
    /// A body that is a file with such members around it.
    Upload(BodyDescription),
    /// `If-Match`.
    IfMatch,
    /// The parameters of a signed address.
    Signature,
    /// 200 with the bytes of a file, or 206 with some of them.
    Content,
    /// 200 with everything that matches instead, in other forms, for who wants those.
    Whole,
    /// 200 with events instead, for who wants them.
    Events,
    /// 200 with such a body.
    Answer {
        /// What it is.
        about: Bilingual,
        /// Its JSON Schema.
        schema: fn(&mut SchemaGenerator) -> Schema,
    },
    /// The same `Idempotency-Key` gives the answer of this status again.
    Replayed(StatusCode),
    /// The answer has an entity tag; what 304 means to who names it.
    Version(Bilingual),
    /// The answer of this status has the entity tag of what was written.
    NewVersion(StatusCode),
    /// 201 with such a body, and where to find what was made. The same `Idempotency-Key` gives it again.
    Created {
        /// Its JSON Schema.
        schema: fn(&mut SchemaGenerator, Compatibility) -> Schema,
        /// The JSON Pointer (RFC 6901) to the id of what was made.
        id: fn(Compatibility) -> String,
    },
}

/// A message that this server sends to webhooks.
pub struct MessageDescription {
    /// Its type, such as `customer.created`.
    pub ty: String,
    /// What it tells.
    pub about: Sentence,
    /// The JSON Schema of its `data`.
    pub data: Value,
}

/// The messages that there are.
pub type Messages = fn(&mut SchemaGenerator) -> Vec<MessageDescription>;

/// A query parameter.
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it finds.
    pub about: Sentence,
    /// Its JSON Schema.
    pub schema: Value,
    /// An example.
    pub example: Value,
}

impl Parameter {
    /// The parameter of that type.
    pub fn of<T: FromText>(
        name: impl Into<String>,
        about: impl Into<Sentence>,
        example: impl Into<Value>,
    ) -> Parameter {
        Parameter { name: name.into(), about: about.into(), schema: T::schema(), example: example.into() }
    }
}

/// A body.
pub struct BodyDescription {
    /// What it is for.
    pub purpose: Purpose,
    /// Whether it may be left out.
    pub may_be_empty: bool,
    /// What it is of.
    pub name: String,
    /// What it is.
    pub about: Sentence,
    /// What it consists of.
    pub members: Vec<MemberDescription>,
}

/// What a body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To make a record: POST.
    Create,
    /// To change some of its members: PUT.
    Change,
}

/// When a member has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// On POST; on PUT it cannot be emptied.
    Required,
    /// Never.
    Optional,
    /// Never, and only PUT knows it.
    Changeable,
    /// On POST, and PUT does not know it.
    Initial,
}

impl Need {
    /// Whether a body of that purpose may have it.
    pub fn is_known(self, purpose: Purpose) -> bool {
        match self {
            Need::Changeable => purpose == Purpose::Change,
            Need::Initial => purpose == Purpose::Create,
            Need::Required | Need::Optional => true,
        }
    }
}

/// A member of a body.
pub struct MemberDescription {
    /// Its name.
    pub name: &'static str,
    /// When it has to be there.
    pub need: Need,
    /// Its JSON Schema, what it means and an example included.
    pub schema: Value,
    /// The example.
    pub example: Value,
}
