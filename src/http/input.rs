//! What a handler asks for, by the types of its arguments: a path's id, a body; a list's parameters are `query`'s.
//!
//! What those of records consist of follows from their tables (`record`, `search`).

use std::marker::PhantomData;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::describe::{BodyDescription, Parameter, RoutePart, Sentence};
pub use super::describe::{MemberDescription, Need, Purpose};
use super::object::Object;
use super::problem::Problem;
use super::schema;
use super::unknown;
use crate::domain::id::{Id, Noun};
use crate::domain::{Bilingual, Invalid, Reason, blank};
use crate::records::FieldType;

/// An argument that a handler can have.
pub trait Take: Sized {
    /// Whether it is read from the query, and so says which parameters no rule knows.
    const READS_QUERY: bool = false;

    /// Takes it from the request.
    ///
    /// # Errors
    /// Where the request has none that can be read.
    fn take(call: &Call<'_>) -> Result<Self, Problem>;

    /// What it is in the description.
    fn parts() -> Vec<RoutePart>;
}

/// The id in the path.
pub struct PathId<K>(pub Id<K>);

impl<K: Noun> Take for PathId<K> {
    /// An id that cannot be one is not found, like one that nothing has (contract 4.4).
    fn take(call: &Call<'_>) -> Result<PathId<K>, Problem> {
        let id = call.segment().and_then(|segment| Id::parse(segment).ok());
        id.map(PathId).ok_or_else(|| Problem::not_found(K::WORD))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::PathId(K::WORD)]
    }
}

/// What a further segment of a path names.
pub trait PathWord: 'static {
    /// What the route calls it.
    const NAME: &'static str;
    /// What it is.
    const ABOUT: Bilingual;
    /// An example.
    const EXAMPLE: &'static str;
}

/// The last segment of a path that stands for something, as it came.
pub struct PathText<W> {
    /// The text.
    pub text: String,
    of: PhantomData<fn() -> W>,
}

impl<W: PathWord> PathText<W> {
    /// That text.
    pub fn new(text: &str) -> PathText<W> {
        PathText { text: text.to_owned(), of: PhantomData }
    }
}

impl<W: PathWord> Take for PathText<W> {
    fn take(call: &Call<'_>) -> Result<PathText<W>, Problem> {
        Ok(PathText::new(call.last_segment().unwrap_or_default()))
    }

    fn parts() -> Vec<RoutePart> {
        let schema = json!({ "type": "string", "minLength": 1 });
        let (name, about, example) = (W::NAME.to_owned(), W::ABOUT.into(), W::EXAMPLE.into());
        vec![RoutePart::PathText(Parameter { name, about, schema, example })]
    }
}

/// A member of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member<T> {
    /// Not named: nothing of the sort on POST, stays as it is on PUT.
    Absent,
    /// `null` or blank: the same on POST, emptied on PUT (contract 1).
    Clear,
    /// A value.
    Set(T),
}

impl<T> Member<T> {
    /// The value, if there is one.
    pub fn into_value(self) -> Option<T> {
        if let Member::Set(value) = self { Some(value) } else { None }
    }

    /// The value, if there is one.
    pub fn get(&self) -> Option<&T> {
        match self {
            Member::Set(value) => Some(value),
            Member::Absent | Member::Clear => None,
        }
    }
}

/// What a body can be read as.
pub trait Members: Sized {
    /// What it is of, in the description.
    fn name() -> String;

    /// What it is.
    fn about() -> Sentence;

    /// Reads it.
    fn read(reader: &mut BodyReader<'_>) -> Self;

    /// What it consists of.
    fn members() -> Vec<MemberDescription>;

    /// `true` if answers show a member of that name.
    fn shows(_name: &str) -> bool {
        false
    }

    /// The names of members that a body sets although what answers show under them follows from others.
    fn ambiguous() -> impl Iterator<Item = &'static str> {
        std::iter::empty()
    }

    /// The record that a PUT is to change, as answers show it. `None` if it is not there, or is no record.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn shown(_call: &Call<'_>) -> Result<Option<Map<String, Value>>, Problem> {
        Ok(None)
    }
}

/// Reads the members of a body and collects what is wrong with them.
pub struct BodyReader<'a> {
    object: &'a Object,
    purpose: Purpose,
    /// Where the office's clock hangs.
    pub(super) zone: &'a TimeZone,
    wrong: Invalid,
    named: bool,
}

impl<'a> BodyReader<'a> {
    fn new(object: &'a Object, purpose: Purpose, zone: &'a TimeZone) -> BodyReader<'a> {
        BodyReader { object, purpose, zone, wrong: Invalid::new(), named: false }
    }

    /// The member under any of these names, read by `read`; absent if it is wrong, or if two of them differ (resources 10).
    /// Names may be empty, but for the first.
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

    /// `true` if that member is an array of nothing but objects.
    pub(super) fn has_objects(&self, name: &str) -> bool {
        let is_array = |all: &Vec<Value>| all.iter().all(Value::is_object);
        self.object.peek(name).and_then(Value::as_array).is_some_and(is_array)
    }

    /// `true` if it has a member of that name. It becomes no known one by that.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.object.peek(name).is_some()
    }

    /// Whether it has a member of that name.
    pub fn names(&self, name: &str) -> bool {
        self.object.get(name).is_some()
    }

    /// The member of either name, as a value of that type.
    pub fn value<T: FieldType + PartialEq>(&mut self, names: [&'static str; 2], need: Need) -> Member<T> {
        self.read_any(&names, need, |value| T::read(&schema::input(value)))
    }

    /// The member of that name, read by `read`; absent where it is wrong.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        need: Need,
        read: impl FnOnce(&Value) -> Result<T, Reason>,
    ) -> Member<T> {
        if !need.is_known(self.purpose) {
            return Member::Absent;
        }
        let value = self.object.get(name);
        self.named |= value.is_some();
        match (value.map(is_empty), need, value) {
            (Some(false), _, Some(value)) => {
                self.wrong.check(name, read(value)).map_or(Member::Absent, Member::Set)
            }
            (None, Need::Required | Need::Initial, _) if self.purpose == Purpose::Create => {
                self.missing(name)
            }
            (Some(_), Need::Required | Need::Initial, _) => self.missing(name),
            (None, _, _) => Member::Absent,
            (Some(_), _, _) => Member::Clear,
        }
    }

    /// Notes what is wrong with the member of that name.
    pub fn refuse(&mut self, name: &'static str, reason: Reason) {
        self.wrong.add(name, reason);
    }

    fn missing<T>(&mut self, name: &'static str) -> Member<T> {
        self.wrong.add(name, Reason::Required);
        Member::Absent
    }
}

/// Returns `true` for the values that count as none: `null` and blank text (contract 1).
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => blank(text),
        _ => false,
    }
}

/// The body of a POST. Whatever is wrong with any of its members is in `wrong`; the handler adds what only it can see
/// before it goes on, so that the caller learns of everything at once (contract 2).
pub struct New<T> {
    /// The members; one that is wrong is absent.
    pub body: T,
    /// What is wrong so far.
    pub wrong: Invalid,
}

/// The body of a PUT, likewise.
pub struct Edit<T> {
    /// The members; one that is wrong is absent.
    pub body: T,
    /// What is wrong so far.
    pub wrong: Invalid,
}

/// The body of a PUT that may be empty.
pub struct Perhaps<T> {
    /// The members; one that is wrong is absent.
    pub body: T,
    /// What is wrong so far.
    pub wrong: Invalid,
}

impl<T: Members> Take for Perhaps<T> {
    fn take(call: &Call<'_>) -> Result<Perhaps<T>, Problem> {
        let bytes = text_of(call);
        let object = Object::parse(if bytes.is_empty() { b"{}" } else { bytes })?;
        let (body, wrong) = read_body(call, object, Purpose::Change, true)?;
        Ok(Perhaps { body, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        describe_body::<T>(Purpose::Change, true)
    }
}

impl<T: Members> Take for New<T> {
    fn take(call: &Call<'_>) -> Result<New<T>, Problem> {
        let (body, wrong) = read_body(call, object_of(call)?, Purpose::Create, true)?;
        Ok(New { body, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        describe_body::<T>(Purpose::Create, false)
    }
}

impl<T: Members> Take for Edit<T> {
    fn take(call: &Call<'_>) -> Result<Edit<T>, Problem> {
        let (body, wrong) = read_body(call, object_of(call)?, Purpose::Change, false)?;
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
    /// That of those members.
    pub fn of<T: Members>(purpose: Purpose) -> BodyDescription {
        let (name, about, members) = (T::name(), T::about(), T::members());
        BodyDescription { purpose, may_be_empty: false, name, about, members }
    }
}

/// The body without the byte order mark that Windows programs put before UTF-8; nothing where it is blank.
fn text_of<'c>(call: &Call<'c>) -> &'c [u8] {
    let bytes: &[u8] = &call.request.content;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) { &[] } else { bytes }
}

/// The object that a body has to be.
///
/// # Errors
/// Where there is none.
pub(super) fn object_of(call: &Call<'_>) -> Result<Object, Problem> {
    let bytes = text_of(call);
    if bytes.is_empty() { Err(Problem::empty_body(&[])) } else { Object::parse(bytes) }
}

/// Reads a body. `may_be_empty` tells whether it may name no member at all; one that names nothing but what no rule knows is
/// refused all the same, as it says something that would be lost.
fn read_body<T: Members>(
    call: &Call<'_>,
    mut object: Object,
    purpose: Purpose,
    may_be_empty: bool,
) -> Result<(T, Invalid), Problem> {
    let zone = call.app().zone();
    let (mut body, mut wrong, mut named) = read_object(&object, purpose, zone);
    if call.route.takes_file {
        // The upload itself, among its members.
        named |= object.get(FILE).is_some();
    }
    let mut others = object.unknown();
    let may_repeat = purpose == Purpose::Change
        && (!others.is_empty() || T::ambiguous().any(|name| object.peek(name).is_some() && T::shows(name)));
    if may_repeat && let Some(shown) = T::shown(call)? {
        // What is sent back as it is shown is no change, so that what follows from others follows them (contract 1).
        if object.remove(|name, value| shown.get(name) == Some(value)) {
            (body, wrong, _) = read_object(&object, purpose, zone);
            others = object.unknown();
        }
    }
    if !others.is_empty() {
        unknown::members(call, &others, T::shows, &mut wrong);
    }
    if !named && (!may_be_empty || !others.is_empty()) {
        return Err(Problem::empty_body(&others));
    }
    Ok((body, wrong))
}

/// The member that stands for the file of an upload.
const FILE: &str = "file";

/// What an object says, what is wrong with it, and whether it names any member.
pub(super) fn read_object<T: Members>(
    object: &Object,
    purpose: Purpose,
    zone: &TimeZone,
) -> (T, Invalid, bool) {
    let mut reader = BodyReader::new(object, purpose, zone);
    let body = T::read(&mut reader);
    (body, reader.wrong, reader.named)
}

/// Lets a request with nothing wrong pass.
///
/// # Errors
/// Everything that is wrong.
pub fn ensure_valid(wrong: Invalid) -> Result<(), Problem> {
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}
