//! Answers: what a handler gives back, and how it becomes bytes.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{StatusCode, header};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::call::Call;
use super::openapi::Operation;
use super::problem::Problem;
use crate::domain::Page;
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
    /// Makes it an answer, or work that ends in one.
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem>;

    /// Writes the statuses and bodies that it may have into the description.
    fn describe(operation: &mut Operation<'_>);
}

/// A document: 200 with a JSON body.
pub struct Document<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for Document<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, encode(&self.0)?)))
    }

    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(StatusCode::OK, "What was asked for.");
    }
}

/// A record with its version: 200 with a strong `ETag`, or 304 to who has it already.
pub struct Tagged<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for Tagged<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        let body = encode(&self.0)?;
        let tag = tag(&body);
        let known = call.header(header::IF_NONE_MATCH).is_some_and(|tags| names(tags, &tag));
        let answer = match known {
            true => Answer::empty(StatusCode::NOT_MODIFIED),
            false => Answer::json(StatusCode::OK, body),
        };
        Ok(Work::Done(answer.with(header::ETAG, header_value(&tag))))
    }

    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(StatusCode::OK, "The record.");
        operation.sends_header(
            StatusCode::OK,
            "ETag",
            "The version of the record, for If-Match and If-None-Match.",
        );
        operation.says(StatusCode::NOT_MODIFIED, "The record is the one named in If-None-Match.");
        operation
            .takes_header("If-None-Match", "An ETag that is known already; answered 304 if it still holds.");
    }
}

/// A page of a list (contract 3).
pub struct Listed<T> {
    /// The records of the page.
    pub data: Vec<T>,
    /// How many match in all.
    pub total: u64,
    /// Which page it is.
    pub page: Page,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ListOf{T}")]
struct ListOut<'a, T> {
    /// The records of the page.
    data: &'a [T],
    /// The `limit` in force.
    limit: u32,
    /// The `offset` in force.
    offset: u64,
    /// The exact number of records that match, whatever the page.
    #[serde(rename = "totalCount")]
    total_count: u64,
    /// The query parameters as received.
    query: Echo<'a>,
}

impl<T: Serialize + JsonSchema + 'static> Reply for Listed<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        let out = ListOut {
            data: &self.data,
            limit: self.page.limit(),
            offset: self.page.offset(),
            total_count: self.total,
            query: Echo(call.query()),
        };
        let answer = Answer::json(StatusCode::OK, encode(&out)?);
        Ok(Work::Done(match call.canonical() {
            Some(path) => answer.with(header::LINK, header_value(&format!("<{path}>; rel=\"canonical\""))),
            None => answer,
        }))
    }

    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<ListOut<'static, T>>(StatusCode::OK, "The page, and how many match in all.");
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
        schemars::json_schema!({ "type": "object", "additionalProperties": { "type": "string" } })
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

impl<T: Serialize + JsonSchema + 'static> Reply for Create<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(written(StatusCode::CREATED, self.0))
    }

    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(StatusCode::CREATED, "It is stored, on disk.");
        operation.sends_header(
            StatusCode::CREATED,
            "Idempotency-Replayed",
            "`true` on an answer that was given before.",
        );
        operation.takes_header(
            "Idempotency-Key",
            "1 to 255 visible ASCII characters. The same key with the same body within 24 hours gives the first answer \
             again and creates nothing.",
        );
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Change<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(written(StatusCode::OK, self.0))
    }

    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(StatusCode::OK, "It is stored, on disk.");
    }
}

fn written<T: Serialize + 'static>(status: StatusCode, work: WriteOf<T>) -> Work {
    Work::Write(Box::new(move |tx| Ok(Answer::json(status, encode(&work(tx)?)?))))
}

fn encode(value: &impl Serialize) -> Result<Bytes, Problem> {
    serde_json::to_vec(value).map(Bytes::from).map_err(|cause| Problem::internal(cause.to_string()))
}

/// The version of a record: changes whenever its representation does.
pub fn version_of(record: &impl Serialize) -> Result<String, Problem> {
    Ok(tag(&encode(record)?))
}

fn tag(body: &[u8]) -> String {
    let hash = Sha256::digest(body);
    let short = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("\"{short}\"")
}

/// Whether a list of entity tags (RFC 9110, 13.1) names this one. A tag of the compressed form, which carries the
/// coding's name at its end, means the same state of the record.
pub fn names(tags: &str, tag: &str) -> bool {
    let plain = tag.trim_matches('"');
    tags.split(',').map(str::trim).any(|named| {
        let named = named.strip_prefix("W/").unwrap_or(named).trim_matches('"');
        named == "*" || named == plain || named.strip_prefix(plain).is_some_and(|end| CODED.contains(&end))
    })
}

/// What the tag of a compressed form ends with.
const CODED: [&str; 2] = ["-gzip", "-br"];

/// The tag of a representation that was compressed on its way out: a strong tag names bytes (RFC 9110, 8.8.1), and the
/// compressed ones are others.
pub(super) fn coded_tag(tag: &HeaderValue, coding: &HeaderValue) -> Option<HeaderValue> {
    let tag = tag.to_str().ok()?.strip_suffix('"')?;
    HeaderValue::from_str(&format!("{tag}-{}\"", coding.to_str().ok()?)).ok()
}

/// A header of text that this program made.
pub(super) fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_are_found_in_lists_weak_and_of_compressed_forms() {
        for (tags, named) in [
            ("\"abc\"", true),
            ("*", true),
            ("\"x\", \"abc\"", true),
            ("W/\"abc\"", true),
            ("\"abc-gzip\"", true),
            ("\"abc-br\"", true),
            ("\"abcd\"", false),
            ("\"ab\"", false),
            ("\"abc-x\"", false),
            ("", false),
        ] {
            assert_eq!(names(tags, "\"abc\""), named, "{tags}");
        }
    }
}
