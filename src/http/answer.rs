//! Answers: what a handler gives back, and how it becomes bytes.

use std::marker::PhantomData;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::call::Call;
use super::openapi::Operation;
use super::problem::Problem;
use super::version::tag;
use crate::config::settings::Compatibility;
use crate::domain::Page;
use crate::index::Found;
use crate::store::Tx;

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body; may be empty.
    pub body: Bytes,
}

impl Answer {
    /// An answer without a body.
    pub fn empty(status: StatusCode) -> Answer {
        Answer { status, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// An answer of encoded JSON.
    pub fn json(status: StatusCode, body: Bytes) -> Answer {
        Answer { status, headers: HeaderMap::new(), body }
            .with(CONTENT_TYPE, HeaderValue::from_static("application/json"))
    }

    /// A file of the executable's.
    pub fn file(media_type: &'static str, body: &'static [u8]) -> Answer {
        Answer { status: StatusCode::OK, headers: HeaderMap::new(), body: Bytes::from_static(body) }
            .with(CONTENT_TYPE, HeaderValue::from_static(media_type))
    }

    /// The answer with one more header.
    pub fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Answer {
        self.headers.insert(name, value.into());
        self
    }
}

/// What is left to do for an answer when the handler is done.
pub enum Work {
    /// Nothing.
    Done(Answer),
    /// A write on the writer thread.
    Write(Writing),
}

/// A write that ends in an answer.
pub type Writing = WriteOf<Answer>;

/// What a handler may give back.
pub trait Reply {
    /// Whether a success stays right for as long as nobody writes into the store, whatever the query and the headers.
    const LASTS: bool = false;

    /// Makes it an answer, or work that ends in one.
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem>;

    /// Writes the statuses and bodies that it may have into the description.
    fn describe(operation: &mut Operation<'_, '_>);
}

/// A document: 200 with a JSON body.
pub struct Document<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for Document<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, encode(&self.0)?)))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<T>(StatusCode::OK, "What was asked for.");
    }
}

/// Records as JSON, each encoded where it is read: what a page holds in memory is the page.
pub struct Encoded<T> {
    json: Vec<u8>,
    count: usize,
    failed: Option<Problem>,
    of: PhantomData<T>,
}

impl<T> Encoded<T> {
    /// None yet, behind what stands before them.
    fn behind(before: &str, count: usize) -> Encoded<T> {
        let mut json = Vec::with_capacity(before.len() + count * RECORD);
        json.extend_from_slice(before.as_bytes());
        Encoded { json, count: 0, failed: None, of: PhantomData }
    }

    /// Writes one more, behind a comma where there are others.
    pub fn add(&mut self, record: &impl Serialize) {
        if self.count > 0 {
            self.json.push(b',');
        }
        self.count += 1;
        if let Err(cause) = serde_json::to_writer(&mut self.json, record) {
            self.failed = Some(Problem::internal(cause.to_string()));
        }
    }

    fn written(self) -> Result<Vec<u8>, Problem> {
        self.failed.map_or(Ok(self.json), Err)
    }
}

/// About how many bytes a record takes, so that the place for a page is made once.
const RECORD: usize = 1024;

/// A record with its version: 200 with a strong `ETag`, which becomes 304 for who has it already.
pub struct Tagged<T>(Bytes, PhantomData<T>);

impl<T> Tagged<T> {
    /// The record that `read` encodes; none where it finds none.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<E>(read: impl FnOnce(&mut Encoded<T>) -> Result<(), E>) -> Result<Option<Tagged<T>>, Problem>
    where
        Problem: From<E>,
    {
        let mut record = Encoded::behind("", 1);
        read(&mut record)?;
        let found = record.count > 0;
        let json = record.written()?;
        Ok(found.then(|| Tagged(Bytes::from(json), PhantomData)))
    }

    /// Its version.
    pub(super) fn tag(&self) -> String {
        tag(&self.0)
    }
}

impl<T: JsonSchema> Reply for Tagged<T> {
    const LASTS: bool = true;

    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        let tag = header_value(&self.tag());
        Ok(Work::Done(Answer::json(StatusCode::OK, self.0).with(header::ETAG, tag)))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<T>(StatusCode::OK, "The record.");
        operation.says(StatusCode::NOT_MODIFIED, "The record is still the one named in `If-None-Match`.");
        operation.sends_version();
    }
}

/// A page of a list (contract 3).
pub struct Listed<T> {
    data: Encoded<T>,
    total: u64,
    page: Page,
}

/// How every page begins.
const OPENING: &str = r#"{"data":["#;

impl<T> Listed<T> {
    /// The page whose records `read` encodes, of so many that match in all.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<E>(
        Found { ids, total }: Found,
        page: Page,
        read: impl FnOnce(&[u32], &mut Encoded<T>) -> Result<(), E>,
    ) -> Result<Listed<T>, E> {
        let mut data = Encoded::behind(OPENING, ids.len());
        read(&ids, &mut data)?;
        Ok(Listed { data, total, page })
    }
}

/// A page of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ListOf{T}")]
struct ListOut<'a, T> {
    /// The records of the page.
    data: &'a [T],
    /// How many records the page has at the most.
    #[schemars(range(min = 1), example = 50)]
    limit: u32,
    /// How many records come before the page.
    #[schemars(example = 0)]
    offset: u64,
    /// The exact number of records that match, whatever the page.
    #[serde(rename = "totalCount")]
    #[schemars(example = 1)]
    total_count: u64,
    /// The query parameters as received.
    query: Echo<'a>,
}

impl<T: Serialize + JsonSchema + 'static> Reply for Listed<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        // The page without its records; they are written already, up to where they go on here.
        let around = encode(&ListOut::<T> {
            data: &[],
            limit: self.page.limit(),
            offset: self.page.offset(),
            total_count: self.total,
            query: Echo(call.query()),
        })?;
        let rest = around.strip_prefix(OPENING.as_bytes());
        let rest = rest.ok_or_else(|| Problem::internal("a page begins with something else"))?;
        let mut json = self.data.written()?;
        json.extend_from_slice(rest);
        let answer = Answer::json(StatusCode::OK, json.into());
        Ok(Work::Done(match call.canonical() {
            Some(path) => answer.with(header::LINK, header_value(&format!("<{path}>; rel=\"canonical\""))),
            None => answer,
        }))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<ListOut<'static, T>>(StatusCode::OK, "The page, and how many match in all.");
        operation.says(StatusCode::NOT_MODIFIED, "Nothing changed since the page named in `If-None-Match`.");
        operation.sends_version();
        operation.sends_canonical_link();
    }
}

/// The query parameters as received; of one that came twice, the last.
struct Echo<'a>(&'a [(String, String)]);

impl Serialize for Echo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let last = |(at, (name, _)): &(usize, &(String, String))| {
            self.0.iter().skip(at + 1).all(|(later, _)| later != name)
        };
        serializer.collect_map(self.0.iter().enumerate().filter(last).map(|(_, (name, value))| (name, value)))
    }
}

impl JsonSchema for Echo<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Query".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": "Query parameters as received.",
            "additionalProperties": { "type": "string" },
            "examples": [{ "limit": "50" }],
        })
    }
}

/// A write and what it answers.
type WriteOf<T> = Box<dyn FnOnce(Tx<'_>) -> Result<T, Problem> + Send>;

/// A write that makes something: 201.
pub struct Create<T>(WriteOf<T>);

/// A write that changes something: 200.
pub struct Change<T>(WriteOf<T>);

impl<T> Create<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Create<T> {
        Create(Box::new(work))
    }
}

impl<T> Change<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Change<T> {
        Change(Box::new(work))
    }
}

/// What a POST answers.
pub trait Made: Serialize {
    /// Its JSON Schema.
    fn schema(generator: &mut SchemaGenerator, compatibility: Compatibility) -> Schema;

    /// The JSON Pointer (RFC 6901) to the id of what was made.
    fn id(compatibility: Compatibility) -> &'static str;
}

impl<T: Made + 'static> Reply for Create<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(written(StatusCode::CREATED, self.0))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.makes::<T>();
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Change<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(written(StatusCode::OK, self.0))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<T>(StatusCode::OK, "Changed, and on disk.");
    }
}

fn written<T: Serialize + 'static>(status: StatusCode, work: WriteOf<T>) -> Work {
    Work::Write(Box::new(move |tx| Ok(Answer::json(status, encode(&work(tx)?)?))))
}

pub(super) fn encode(value: &impl Serialize) -> Result<Bytes, Problem> {
    serde_json::to_vec(value).map(Bytes::from).map_err(|cause| Problem::internal(cause.to_string()))
}

/// A header of text that this program made.
pub(super) fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
