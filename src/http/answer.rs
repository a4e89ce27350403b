//! Answers: what a handler gives back, and how it becomes bytes.

use std::marker::PhantomData;
use std::mem;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{StatusCode, header};
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::call::Call;
use super::coding::{Coding, Encodings};
use super::openapi::Operation;
use super::problem::Problem;
use super::record::{InAnswers, Schemed, encode};
use super::version::tag;
use crate::config::settings::Compatibility;
use crate::domain::Page;
use crate::domain::id::{Id, Noun};
use crate::index::Found;
use crate::records::Table;
use crate::store::changes;
use crate::store::{self, Db, Tx};

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

    /// A record, of which this is the JSON, with its version.
    pub(super) fn record(json: Bytes) -> Answer {
        let tag = header_value(&tag(&json));
        Answer::json(StatusCode::OK, json).with(header::ETAG, tag)
    }

    /// A file of the executable's, in the coding that was asked for.
    pub fn file(media_type: &'static str, file: &Encodings, coding: Option<Coding>) -> Answer {
        let (body, coding) = file.get(coding);
        let answer = Answer { body, ..Answer::empty(StatusCode::OK) }
            .with(CONTENT_TYPE, HeaderValue::from_static(media_type));
        coding.into_iter().fold(answer, |answer, coding| answer.with(CONTENT_ENCODING, coding.name()))
    }

    /// The answer with one more header.
    pub fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Answer {
        self.headers.insert(name, value.into());
        self
    }
}

/// What is left to do for an answer when the handler is done.
pub enum Work<T = Answer> {
    /// Nothing.
    Done(T),
    /// A write on the writer thread.
    Write(Write<T>),
}

/// What a handler may give back.
pub trait Reply {
    /// What it is, where it is one record by its id: its JSON depends on nothing else.
    const RECORD: Option<&'static Table> = None;

    /// Makes it an answer, or work that ends in one.
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem>;

    /// Writes the statuses and bodies that it may have into the description.
    fn describe(operation: &mut Operation<'_, '_>);
}

/// A document: 200 with a JSON body.
pub struct Document<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for Document<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, to_json(&self.0)?)))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<T>(StatusCode::OK, "What was asked for.");
    }
}

/// Records as JSON, each encoded where it is read.
#[derive(Default)]
pub struct Encoded {
    /// Each with its id.
    records: Vec<(u32, Bytes)>,
    room: Vec<u8>,
}

impl Encoded {
    /// Where the next one is written.
    pub(super) fn room(&mut self) -> Vec<u8> {
        self.room.clear();
        mem::take(&mut self.room)
    }

    /// One more, which was written into [`Encoded::room`].
    pub(super) fn add(&mut self, id: u32, json: Vec<u8>) {
        self.records.push((id, Bytes::copy_from_slice(&json)));
        self.room = json;
    }

    /// The records with those ids, in that order.
    pub(super) fn read<R: InAnswers>(
        db: Db<'_>,
        ids: &[u32],
        zone: &TimeZone,
    ) -> Result<Vec<(u32, Bytes)>, store::Error> {
        let mut encoded = Encoded::default();
        encode::<R>(db, ids, zone, &mut encoded)?;
        Ok(encoded.records)
    }
}

/// The same, of one state of the store, and kept for those who ask next. With the number of that state's newest change.
fn read_and_keep<R: InAnswers>(call: &Call<'_>, ids: &[u32]) -> Result<(u64, Vec<(u32, Bytes)>), Problem> {
    // Before anything is read.
    let turn = call.cache().turn();
    let read = |db: Db<'_>| Ok((changes::latest(db)?, Encoded::read::<R>(db, ids, call.app().zone())?));
    let (seq, records) = call.db().snapshot::<_, store::Error>(read)?;
    call.cache().keep(turn, R::TABLE.kind.into(), &records);
    Ok((seq, records))
}

/// A record with its version: 200 with a strong `ETag`, which becomes 304 for who has it already.
pub struct Tagged<T>(Bytes, PhantomData<T>);

impl<R: InAnswers> Tagged<R> {
    /// The record with that id.
    ///
    /// # Errors
    /// 404 where there is none; why it cannot be read.
    pub fn read(call: &Call<'_>, id: Id<R::Kind>) -> Result<Tagged<R>, Problem> {
        let found = read_and_keep::<R>(call, &[id.get()])?.1.pop();
        let (_, json) = found.ok_or_else(|| Problem::not_found(&R::Kind::WORD.title()))?;
        Ok(Tagged(json, PhantomData))
    }
}

impl<R: InAnswers> Reply for Tagged<R> {
    const RECORD: Option<&'static Table> = Some(R::TABLE);

    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::record(self.0)))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<Schemed<R>>(StatusCode::OK, "The record.");
        operation.says(StatusCode::NOT_MODIFIED, "The record is still the one named in `If-None-Match`.");
        operation.sends_version();
    }
}

/// A page of a list (contract 3).
pub struct Listed<T> {
    /// The page's records, each as JSON.
    data: Vec<Bytes>,
    total: u64,
    page: Page,
    of: PhantomData<T>,
}

/// How every page begins.
const OPENING: &[u8] = br#"{"data":["#;

impl<R: InAnswers> Listed<R> {
    /// The page of those ids.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn read(call: &Call<'_>, Found { ids, total }: Found, page: Page) -> Result<Listed<R>, Problem> {
        let (seq, mut kept) = call.cache().find(R::TABLE.kind.into(), &ids);
        let missing = ids.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(id, _)| *id);
        let missing = missing.collect::<Vec<_>>();
        let (mut now, mut records) = (seq, Vec::new());
        if !missing.is_empty() {
            (now, records) = read_and_keep::<R>(call, &missing)?;
        }
        // A page is of one state: where somebody wrote between the two, all of it is read.
        if now != seq && missing.len() < ids.len() {
            kept.fill(None);
            records = read_and_keep::<R>(call, &ids)?.1;
        }
        // In the order of the ids, so that the next one is the one that is missing, unless that is not there any more.
        let mut records = records.into_iter().peekable();
        let data = ids.iter().zip(kept).filter_map(|(id, kept)| match kept {
            Some(json) => Some(json),
            None => records.next_if(|(read, _)| read == id).map(|(_, json)| json),
        });
        Ok(Listed { data: data.collect(), total, page, of: PhantomData })
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

impl<R: InAnswers> Reply for Listed<R> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        // The page without its records, which are JSON already.
        let around = to_json(&ListOut::<()> {
            data: &[],
            limit: self.page.limit(),
            offset: self.page.offset(),
            total_count: self.total,
            query: Echo(call.query()),
        })?;
        let rest = around.strip_prefix(OPENING);
        let rest = rest.ok_or_else(|| Problem::internal("a page begins with something else"))?;
        let records = self.data.iter().map(|json| json.len() + 1).sum::<usize>();
        let mut json = Vec::with_capacity(around.len() + records);
        json.extend_from_slice(OPENING);
        for (number, record) in self.data.iter().enumerate() {
            if number > 0 {
                json.push(b',');
            }
            json.extend_from_slice(record);
        }
        json.extend_from_slice(rest);
        let answer = Answer::json(StatusCode::OK, json.into());
        Ok(Work::Done(match call.canonical() {
            Some(path) => answer.with(header::LINK, header_value(&format!("<{path}>; rel=\"canonical\""))),
            None => answer,
        }))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation
            .answers::<ListOut<'static, Schemed<R>>>(StatusCode::OK, "The page, and how many match in all.");
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
pub type Write<T> = Box<dyn FnOnce(Tx<'_>) -> Result<T, Problem> + Send>;

/// A write that makes something: 201.
pub struct Create<T>(Write<T>);

/// A write that changes something: 200.
pub struct Update<T>(Write<T>);

impl<T> Create<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Create<T> {
        Create(Box::new(work))
    }

    /// The write itself, with what `to` makes of its answer.
    pub fn map<U>(self, to: impl FnOnce(T) -> U + Send + 'static) -> Write<U>
    where
        T: 'static,
    {
        Box::new(move |tx| self.0(tx).map(to))
    }
}

impl<T> Update<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Update<T> {
        Update(Box::new(work))
    }

    /// The write itself, with what `to` makes of its answer.
    pub fn map<U>(self, to: impl FnOnce(T) -> U + Send + 'static) -> Write<U>
    where
        T: 'static,
    {
        Box::new(move |tx| self.0(tx).map(to))
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

impl<T: Serialize + JsonSchema + 'static> Reply for Update<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(written(StatusCode::OK, self.0))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.answers::<T>(StatusCode::OK, "Changed, and on disk.");
    }
}

fn written<T: Serialize + 'static>(status: StatusCode, work: Write<T>) -> Work {
    Work::Write(Box::new(move |tx| Ok(Answer::json(status, to_json(&work(tx)?)?))))
}

pub(super) fn to_json(value: &impl Serialize) -> Result<Bytes, Problem> {
    serde_json::to_vec(value).map(Bytes::from).map_err(|cause| Problem::internal(cause.to_string()))
}

/// A header of text that this program made.
pub(super) fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
