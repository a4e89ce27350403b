//! What a handler asks for, by the types of its arguments: a path's id, a query, a body.
//!
//! `body!` declares a struct once; reading it, naming everything that is wrong with it, and describing it follow from that
//! declaration. Those of records follow from their tables (`record`, `search`).

use serde_json::Value;

use super::call::{Call, parameter};
use super::object::Object;
use super::openapi::{Operation, allow_null, set};
use super::problem::Problem;
use super::wire::{FromJson, FromText};
use crate::app::App;
use crate::domain::id::{Id, Noun};
use crate::domain::{Day, Invalid, Page, Reason, blank};

/// An argument that a handler can have.
pub trait Take: Sized {
    /// Takes it from the request.
    ///
    /// # Errors
    /// Where the request has none that can be read.
    fn take(call: &Call<'_>) -> Result<Self, Problem>;

    /// Writes it into the description.
    fn describe(operation: &mut Operation<'_, '_>);
}

/// The id in the path.
pub struct PathId<K>(pub Id<K>);

impl<K: Noun> Take for PathId<K> {
    /// An id that cannot be one is not found, like one that nothing has (contract 4.4).
    fn take(call: &Call<'_>) -> Result<PathId<K>, Problem> {
        let id = call.segment().and_then(|segment| Id::parse(segment).ok());
        id.map(PathId).ok_or_else(|| Problem::not_found(&K::WORD.title()))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.path_id(&format!("The id of the {}.", K::WORD.1));
    }
}

/// The parameters of a list, and its page. Whatever is wrong with any of them is in `wrong`.
pub struct Query<T> {
    /// The parameters; one that is wrong is absent.
    pub ask: T,
    /// The page; none where it is wrong.
    page: Option<Page>,
    /// What is wrong so far.
    pub wrong: Invalid,
}

impl<T> Query<T> {
    /// The parameters and the page, once nothing is wrong.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn into_valid(self) -> Result<(T, Page), Problem> {
        match self.page {
            Some(page) if self.wrong.is_empty() => Ok((self.ask, page)),
            _ => Err(Problem::from(self.wrong)),
        }
    }
}

/// What the parameters of a list can be read as.
pub trait Parameters: Sized {
    /// Reads it.
    fn read(reader: &mut QueryReader<'_>) -> Self;

    /// Writes it into the description.
    fn describe(operation: &mut Operation<'_, '_>);
}

/// Reads query parameters and collects what is wrong with them.
pub struct QueryReader<'a> {
    query: &'a [(String, String)],
    app: &'a App,
    wrong: Invalid,
}

impl<'a> QueryReader<'a> {
    /// A reader of those parameters.
    pub fn new(query: &'a [(String, String)], app: &'a App) -> QueryReader<'a> {
        QueryReader { query, app, wrong: Invalid::new() }
    }

    /// The parameter of that name; absent where it is wrong.
    pub fn parameter<T: FromText>(&mut self, name: &str) -> Option<T> {
        let text = parameter(self.query, name)?;
        // What is no UTF-8 was decoded to this character; nobody types it.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            self.wrong.add(name.to_owned(), Reason::NotUtf8);
            return None;
        }
        self.wrong.check(name.to_owned(), T::from_text(text))
    }

    /// The office's day.
    pub fn today(&self) -> Day {
        self.app.today()
    }

    /// What is wrong.
    pub fn into_wrong(self) -> Invalid {
        self.wrong
    }
}

impl<T: Parameters> Take for Query<T> {
    fn take(call: &Call<'_>) -> Result<Query<T>, Problem> {
        let mut reader = QueryReader::new(call.query(), call.app());
        let ask = T::read(&mut reader);
        let mut wrong = reader.into_wrong();
        let page = call.page().map_err(|page| wrong.merge(page)).ok();
        Ok(Query { ask, page, wrong })
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        T::describe(operation);
        operation.page();
    }
}

/// The name of a field as clients write it: `type` is a word of Rust's, so its field is `r#type`.
pub(crate) fn wire_name(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
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
    /// The same with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Member<U> {
        match self {
            Member::Set(value) => Member::Set(change(value)),
            Member::Clear => Member::Clear,
            Member::Absent => Member::Absent,
        }
    }

    /// Takes the value out, if there is one.
    pub fn take(&mut self) -> Option<T> {
        match std::mem::replace(self, Member::Absent) {
            Member::Set(value) => Some(value),
            Member::Absent | Member::Clear => None,
        }
    }

    /// The value, if there is one.
    pub fn get(&self) -> Option<&T> {
        match self {
            Member::Set(value) => Some(value),
            Member::Absent | Member::Clear => None,
        }
    }

    /// Puts it in the place of an optional value.
    pub fn overlay(self, on: &mut Option<T>) {
        match self {
            Member::Set(value) => *on = Some(value),
            Member::Clear => *on = None,
            Member::Absent => {}
        }
    }

    /// Puts it in the place of a value that there must be. That a required member is not emptied was checked before.
    pub fn replace(self, on: &mut T) {
        if let Member::Set(value) = self {
            *on = value;
        }
    }
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
}

/// What a body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To make a record: POST.
    Create,
    /// To change some of its members: PUT.
    Change,
}

/// What a body can be read as.
pub trait Members: Sized {
    /// What it is of, in the description.
    fn name() -> String;

    /// What it is.
    fn about() -> String;

    /// Reads it.
    fn read(reader: &mut BodyReader<'_>) -> Self;

    /// What it consists of.
    fn members() -> Vec<Described>;
}

/// A member in the description.
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// When it has to be there.
    pub need: Need,
    /// Its JSON Schema, what it means and an example included.
    pub schema: Value,
    /// The example.
    pub example: Value,
}

impl Described {
    /// The member of that type.
    pub fn of<T: FromJson>(name: &'static str, need: Need, about: &str, example: Value) -> Described {
        let mut schema = T::schema();
        if need != Need::Required {
            allow_null(&mut schema);
        }
        set(&mut schema, "description", about.trim());
        set(&mut schema, "examples", vec![example.clone()]);
        Described { name, need, schema, example }
    }
}

/// Reads the members of a body and collects what is wrong with them.
pub struct BodyReader<'a> {
    object: &'a Object,
    purpose: Purpose,
    wrong: Invalid,
    named: bool,
}

impl BodyReader<'_> {
    /// The member of that name; absent where it is wrong.
    pub fn member<T: FromJson>(&mut self, name: &'static str, need: Need) -> Member<T> {
        self.read(name, need, T::from_json)
    }

    /// The same, read by `read`.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        need: Need,
        read: impl FnOnce(&Value) -> Result<T, Reason>,
    ) -> Member<T> {
        if need == Need::Changeable && self.purpose == Purpose::Create {
            return Member::Absent;
        }
        let value = self.object.get(name);
        self.named |= value.is_some();
        let empty = match value {
            None => None,
            Some(Value::Null) => Some(true),
            Some(Value::String(text)) => Some(blank(text)),
            Some(_) => Some(false),
        };
        match (empty, need, value) {
            (Some(false), _, Some(value)) => {
                self.wrong.check(name, read(value)).map_or(Member::Absent, Member::Set)
            }
            (None, Need::Required, _) if self.purpose == Purpose::Create => self.missing(name),
            (Some(_), Need::Required, _) => self.missing(name),
            (None, _, _) => Member::Absent,
            (Some(_), _, _) => Member::Clear,
        }
    }

    fn missing<T>(&mut self, name: &'static str) -> Member<T> {
        self.wrong.add(name, Reason::Required);
        Member::Absent
    }
}

/// Declares the members of a body: whether each is needed, its name, a type that says how it is read, a docstring that
/// describes it, and an example.
macro_rules! body {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $($(#[doc = $doc:literal])+ $need:ident $field:ident: $type:ty = $example:tt,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Debug)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: $crate::http::input::Member<$type>,)+ }

        impl $crate::http::input::Members for $name {
            fn name() -> String {
                stringify!($name).trim_end_matches("In").to_owned()
            }

            fn about() -> String {
                concat!($($about),+).trim().to_owned()
            }

            fn read(reader: &mut $crate::http::input::BodyReader<'_>) -> $name {
                $name { $($field: reader.member(
                    $crate::http::input::wire_name(stringify!($field)),
                    $crate::http::input::Need::$need,
                ),)+ }
            }

            fn members() -> Vec<$crate::http::input::Described> {
                vec![$($crate::http::input::Described::of::<$type>(
                    $crate::http::input::wire_name(stringify!($field)),
                    $crate::http::input::Need::$need,
                    concat!($($doc),+),
                    serde_json::json!($example),
                ),)+]
            }
        }
    };
}

pub(crate) use body;

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

impl<T: Members> Take for New<T> {
    fn take(call: &Call<'_>) -> Result<New<T>, Problem> {
        let (body, wrong) = read_body(call, Purpose::Create)?;
        Ok(New { body, wrong })
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.body::<T>(Purpose::Create);
    }
}

impl<T: Members> Take for Edit<T> {
    fn take(call: &Call<'_>) -> Result<Edit<T>, Problem> {
        let (body, wrong) = read_body(call, Purpose::Change)?;
        Ok(Edit { body, wrong })
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.body::<T>(Purpose::Change);
    }
}

fn read_body<T: Members>(call: &Call<'_>, purpose: Purpose) -> Result<(T, Invalid), Problem> {
    let bytes = call.body();
    // Windows programs put a byte order mark before UTF-8.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::empty_body());
    }
    let object = Object::parse(bytes)?;
    let mut reader = BodyReader { object: &object, purpose, wrong: Invalid::new(), named: false };
    let body = T::read(&mut reader);
    match (reader.named, purpose) {
        (false, Purpose::Change) => Err(Problem::empty_body()),
        _ => Ok((body, reader.wrong)),
    }
}

/// Lets a request with nothing wrong pass.
///
/// # Errors
/// Everything that is wrong.
pub fn ensure_valid(wrong: Invalid) -> Result<(), Problem> {
    if wrong.is_empty() { Ok(()) } else { Err(Problem::from(wrong)) }
}
