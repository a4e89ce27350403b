//! The body of a request as the argument of a handler: reads its members and collects their problems. Those of records follow
//! from their tables (`record`).

use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use super::object::{Nested, Object};
use super::unknown;
use crate::domain::{Invalid, Reason, blank};
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::{BodyDescription, RoutePart, Sentence};
pub use crate::http::openapi::describe::{MemberDescription, Need, Purpose};
use crate::http::openapi::schema;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::http::requests::viewer::Viewer;
use crate::records::{FieldType, Input};
use crate::sheets::BYTE_ORDER_MARK;
use crate::store::Db;

/// A member of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member<T> {
    /// Not in the body: empty on POST, unchanged on PUT.
    Absent,
    /// `null` or blank: empty on POST, emptied on PUT (contract 1).
    Clear,
    Set(T),
}

impl<T> Member<T> {
    pub fn into_value(self) -> Option<T> {
        if let Member::Set(value) = self { Some(value) } else { None }
    }

    pub fn get(&self) -> Option<&T> {
        match self {
            Member::Set(value) => Some(value),
            Member::Absent | Member::Clear => None,
        }
    }
}

/// A type that can be read from a body.
pub trait Members: Sized {
    /// Base name of the schema, such as `Customer`.
    fn name() -> String;

    fn about() -> Sentence;

    fn read(reader: &mut BodyReader<'_>) -> Self;

    fn members() -> Vec<MemberDescription>;

    /// Returns `true` if responses show a member with this name.
    fn shows(_name: &str) -> bool {
        false
    }

    /// Returns the members with two meanings under one name: a body sets a value, and responses show another
    /// that is derived from other members.
    fn ambiguous() -> impl Iterator<Item = &'static str> {
        std::iter::empty()
    }

    /// Returns a record of the body's type as responses show it. Returns `None` if the record does not exist
    /// or the body is not that of a record.
    fn shown(_: Db<'_>, _id: u32, _: &Viewer) -> Result<Option<Map<String, Value>>, Problem> {
        Ok(None)
    }
}

/// Reads the members of a body and collects their problems.
pub struct BodyReader<'a> {
    object: &'a Object,
    purpose: Purpose,
    pub(in crate::http) zone: &'a TimeZone,
    wrong: Invalid,
    named: bool,
}

impl<'a> BodyReader<'a> {
    fn new(object: &'a Object, purpose: Purpose, zone: &'a TimeZone) -> BodyReader<'a> {
        BodyReader { object, purpose, zone, wrong: Invalid::new(), named: false }
    }

    /// Reads the member under any of these names. Returns `Absent` if the member is invalid, or if two names
    /// have different values (resources 10). All names but the first may be empty.
    pub fn read_any<T: PartialEq>(
        &mut self,
        names: &[&'static str],
        need: Need,
        read: impl Fn(&Value) -> Result<T, Reason>,
    ) -> Member<T> {
        let first = names.first().copied().unwrap_or_default();
        if !need.is_known(self.purpose) {
            return Member::Absent;
        }
        let mut found: Option<(&'static str, &Value)> = None;
        for other in names.iter().copied().filter(|name| !name.is_empty()) {
            match (found, self.object.get(other)) {
                (Some((name, one)), Some(two))
                    if one != two
                        && !(is_empty(one) && is_empty(two))
                        && !matches!((read(one), read(two)), (Ok(one), Ok(two)) if one == two) =>
                {
                    self.named = true;
                    self.wrong.add(name, Reason::TwoValues { other });
                    return Member::Absent;
                }
                (None, Some(value)) => found = Some((other, value)),
                _ => {}
            }
        }
        self.read(found.map_or(first, |(name, _)| name), need, read)
    }

    /// Returns `true` if the member is an array of objects only.
    pub(in crate::http) fn has_objects(&self, name: &str) -> bool {
        let is_array = |all: &Vec<Value>| all.iter().all(Value::is_object);
        self.object.peek(name).and_then(Value::as_array).is_some_and(is_array)
    }

    /// Returns `true` if the body has the member. Does not mark the member as known.
    pub(in crate::http) fn contains(&self, name: &str) -> bool {
        self.object.peek(name).is_some()
    }

    /// Returns `true` if the body has the member, and marks it as known.
    pub fn names(&self, name: &str) -> bool {
        self.object.get(name).is_some()
    }

    /// Returns `true` if the member is a flag that is set.
    pub fn has_flag(&self, name: &str) -> bool {
        self.object.peek(name).is_some_and(|value| flag_in(value) == Ok(true))
    }

    /// Reads the member under either name as a value of type `T`.
    pub fn value<T: FieldType + PartialEq>(&mut self, names: [&'static str; 2], need: Need) -> Member<T> {
        let zone = self.zone;
        self.read_any(&names, need, |value| T::read_in(&schema::input(value), zone))
    }

    /// Reads a member. Returns `Absent` if it is invalid.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        need: Need,
        read: impl FnOnce(&Value) -> Result<T, Reason>,
    ) -> Member<T> {
        match self.find(name, need) {
            Member::Set(value) => self.wrong.check(name, read(value)).map_or(Member::Absent, Member::Set),
            Member::Clear => Member::Clear,
            Member::Absent => Member::Absent,
        }
    }

    fn find(&mut self, name: &'static str, need: Need) -> Member<&'a Value> {
        if !need.is_known(self.purpose) {
            return Member::Absent;
        }
        let value = self.object.get(name);
        self.named |= value.is_some();
        match (value.map(is_empty), need, value) {
            (Some(false), _, Some(value)) => Member::Set(value),
            (None, Need::Required | Need::Initial, _) if self.purpose == Purpose::Create => {
                self.missing(name)
            }
            (Some(_), Need::Required | Need::Initial, _) => self.missing(name),
            (None, _, _) => Member::Absent,
            (Some(_), _, _) => Member::Clear,
        }
    }

    /// Adds a problem of a member.
    pub fn refuse(&mut self, name: &'static str, reason: Reason) {
        self.wrong.add(name, reason);
    }

    fn missing(&mut self, name: &'static str) -> Member<&'a Value> {
        self.wrong.add(name, Reason::Required);
        Member::Absent
    }
}

/// Returns `true` for values that count as empty: `null` and blank text (contract 1).
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => blank(text),
        _ => false,
    }
}

/// Reads a flag, without the numbers that [`FieldType`] accepts.
pub fn flag_in(value: &Value) -> Result<bool, Reason> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::String(text) => bool::read(&Input::Text(text)),
        _ => Err(Reason::NotBoolean),
    }
}

/// The body of a POST. The handler adds problems that only it can detect to `wrong` before it fails, so that
/// the client gets all of them at once (contract 2).
pub struct New<T> {
    /// The members. Invalid ones are absent.
    pub body: T,
    /// Problems found so far.
    pub wrong: Invalid,
}

/// The body of a PUT, with its members and problems as in [`New`].
pub struct Edit<T> {
    pub body: T,
    pub wrong: Invalid,
}

/// The body of a PUT that may be empty, with its members and problems as in [`New`].
pub struct OptionalBody<T> {
    pub body: T,
    pub wrong: Invalid,
}

impl<T: Members> FromRequest for OptionalBody<T> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<OptionalBody<T>, Problem> {
        let bytes = text_of(routed);
        let object = Object::parse(if bytes.is_empty() { b"{}" } else { bytes })?;
        let (body, wrong) = read_body(routed, object, Purpose::Change, true)?;
        Ok(OptionalBody { body, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        describe_body::<T>(Purpose::Change, true)
    }
}

impl<T: Members> FromRequest for New<T> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<New<T>, Problem> {
        let (body, wrong) = read_body(routed, object_of(routed)?, Purpose::Create, true)?;
        Ok(New { body, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        describe_body::<T>(Purpose::Create, false)
    }
}

impl<T: Members> FromRequest for Edit<T> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Edit<T>, Problem> {
        let (body, wrong) = read_body(routed, object_of(routed)?, Purpose::Change, false)?;
        Ok(Edit { body, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        describe_body::<T>(Purpose::Change, false)
    }
}

fn describe_body<T: Members>(purpose: Purpose, may_be_empty: bool) -> Vec<RoutePart> {
    vec![RoutePart::Body(BodyDescription { may_be_empty, ..BodyDescription::of::<T>(purpose) })]
}

impl BodyDescription {
    pub fn of<T: Members>(purpose: Purpose) -> BodyDescription {
        let name = T::name();
        let about = T::about();
        let members = T::members();
        BodyDescription { purpose, may_be_empty: false, name, about, members }
    }
}

/// Returns the body without the byte order mark that Windows programs put before UTF-8. A blank body becomes
/// an empty slice.
fn text_of<'r>(routed: &RoutedRequest<'r>) -> &'r [u8] {
    let bytes: &[u8] = &routed.request.content;
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) { &[] } else { bytes }
}

/// Parses the body as an object. Fails if it is empty or not an object.
fn object_of(routed: &RoutedRequest<'_>) -> Result<Object, Problem> {
    let bytes = text_of(routed);
    if bytes.is_empty() { Err(Problem::empty_body(&[])) } else { Object::parse(bytes) }
}

/// Like [`object_of`], but returns the member `items` by itself, without adding it to the object.
pub(in crate::http) fn object_with_items(
    routed: &RoutedRequest<'_>,
    items: &str,
) -> Result<(Object, Option<Nested>), Problem> {
    let bytes = text_of(routed);
    if bytes.is_empty() { Err(Problem::empty_body(&[])) } else { Object::parse_with_items(bytes, items) }
}

/// Reads a body. If `may_be_empty`, the body needs no member. A body with unknown members only is always
/// refused, because its content would be lost.
fn read_body<T: Members>(
    routed: &RoutedRequest<'_>,
    mut object: Object,
    purpose: Purpose,
    may_be_empty: bool,
) -> Result<(T, Invalid), Problem> {
    let zone = routed.call.app().zone();
    let (mut body, mut wrong, mut named) = read_object::<T>(&object, purpose, zone);
    if routed.route.takes_file {
        // The uploaded file counts as a member.
        named |= object.get(FILE).is_some();
    }
    let mut others = object.unknown();
    let may_repeat = purpose == Purpose::Change
        && (!others.is_empty() || T::ambiguous().any(|name| object.peek(name).is_some() && T::shows(name)));
    if may_repeat && remove_unchanged(routed, &mut object, T::shown)? {
        (body, wrong, _) = read_object(&object, purpose, zone);
        others = object.unknown();
    }
    if !others.is_empty() {
        unknown::members(routed, &others, &T::shows, &mut wrong);
    }
    if !named && (!may_be_empty || !others.is_empty()) {
        return Err(Problem::empty_body(&others));
    }
    Ok((body, wrong))
}

/// [`Members::shown`] of a type of bodies.
type ReadShown = fn(Db<'_>, u32, &Viewer) -> Result<Option<Map<String, Value>>, Problem>;

/// Removes values that are sent back as `shown` returns them: they are no change, and members derived from others then
/// follow those (contract 1). Returns `true` if there were any.
fn remove_unchanged(
    routed: &RoutedRequest<'_>,
    object: &mut Object,
    shown: ReadShown,
) -> Result<bool, Problem> {
    let Some(id) = routed.segment().and_then(|segment| segment.parse().ok()) else { return Ok(false) };
    let shown = shown(routed.call.db(), id, &routed.call.viewer())?;
    Ok(shown.is_some_and(|shown| object.remove(|name, value| shown.get(name) == Some(value))))
}

/// Name of the member with an uploaded file.
const FILE: &str = "file";

/// Reads an object. Also returns its problems, and `true` if it has a known member.
pub(in crate::http) fn read_object<T: Members>(
    object: &Object,
    purpose: Purpose,
    zone: &TimeZone,
) -> (T, Invalid, bool) {
    let mut reader = BodyReader::new(object, purpose, zone);
    let body = T::read(&mut reader);
    (body, reader.wrong, reader.named)
}

/// Fails with all problems, if there are any.
pub fn ensure_valid(wrong: Invalid) -> Result<(), Problem> {
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}
