//! Requests with an `Idempotency-Key`: a repeated request gets the first response again and creates nothing
//! (contract 4.3).

use http::StatusCode;
use http::header::{self, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::call::Call;
use super::route::extract::RoutedRequest;
use crate::domain::{Invalid, Reason};
use crate::http::answers::answer::{Answer, to_json};
use crate::http::answers::handler_reply::{Work, Write};
use crate::http::answers::problem::Problem;
use crate::http::files::content::Body;
use crate::store::Db;
use crate::store::requests::idempotency::{self, First};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A key under which a write runs once.
pub struct IdempotencyKey {
    /// The route, or the name of what a page writes. Equal keys of different routes are different keys, and so are those
    /// of different callers: the name of the caller's key precedes the route.
    route: String,
    key: String,
    /// Hash of what is written, by which a key that was reused for something else is noticed.
    content: [u8; 32],
}

/// The result of a write, which can be kept for a key: a response, or the value of a handler that a page called.
pub(in crate::http) trait Replay: Sized + 'static {
    /// Encodes the result for the store.
    fn keep(&self) -> Result<(StatusCode, Vec<u8>), Problem>;

    /// Decodes a result from the store.
    fn again(first: First) -> Result<Self, Problem>;
}

const KEPT_HEADERS: [HeaderName; 2] = [header::ETAG, header::LOCATION];

/// A response is kept as its body and a line for each header of [`KEPT_HEADERS`]. The body is JSON, and so has no
/// line breaks of its own.
impl Replay for Answer {
    fn keep(&self) -> Result<(StatusCode, Vec<u8>), Problem> {
        let Body::Whole(body) = &self.body else {
            return Err(Problem::internal("a file cannot be kept for a key"));
        };
        let mut stored = body.to_vec();
        for name in KEPT_HEADERS {
            stored.push(b'\n');
            stored.extend_from_slice(self.headers.get(name).map_or(b"", |value| value.as_bytes()));
        }
        Ok((self.status, stored))
    }

    fn again(first: First) -> Result<Answer, Problem> {
        let status = StatusCode::from_u16(first.status)
            .map_err(|_| Problem::internal("a kept answer has no valid status"))?;
        let mut lines = first.answer.split(|byte| *byte == b'\n');
        let body = lines.next().unwrap_or_default().to_vec();
        let mut answer = Answer::json(status, body.into()).with(REPLAYED, HeaderValue::from_static("true"));
        for (name, line) in KEPT_HEADERS.into_iter().zip(lines).filter(|(_, line)| !line.is_empty()) {
            answer.headers.extend(HeaderValue::from_bytes(line).ok().map(|value| (name, value)));
        }
        Ok(answer)
    }
}

impl<T: Serialize + DeserializeOwned + 'static> Replay for T {
    fn keep(&self) -> Result<(StatusCode, Vec<u8>), Problem> {
        Ok((StatusCode::CREATED, to_json(self)?.to_vec()))
    }

    fn again(first: First) -> Result<T, Problem> {
        serde_json::from_slice(&first.answer).map_err(|_| Problem::idempotency_key_reused())
    }
}

/// Prepares the result of a call: the first result for its key if there is one, or else that of its handler.
pub(in crate::http) fn prepare<T: Replay>(
    call: &Call<'_>,
    key: Option<IdempotencyKey>,
    handler: impl FnOnce() -> Result<Work<T>, Problem>,
) -> Result<Work<T>, Problem> {
    // A snapshot, so that all checks of a write see one state.
    call.db().snapshot(|db| {
        let Some(key) = key else { return handler() };
        let now = call.app().now();
        // Before the handler runs, since it may now refuse a request that it accepted the first time.
        if let Some(first) = key.first(db, now)? {
            return Ok(Work::Done(first));
        }
        Ok(match handler()? {
            Work::Write(writing) => Work::Write(key.once(writing, now)),
            // Results from other systems are not kept.
            other @ (Work::Done(_) | Work::Remote(_)) => other,
        })
    })
}

impl IdempotencyKey {
    /// Creates a key. Fails with 422 unless it is visible ASCII.
    pub fn new(route: &str, key: &[u8], content: &[u8]) -> Result<IdempotencyKey, Problem> {
        IdempotencyKey::of(route, key, Sha256::new_with_prefix(content))
    }

    fn of(route: &str, key: &[u8], content: Sha256) -> Result<IdempotencyKey, Problem> {
        match str::from_utf8(key) {
            Ok(key) if key.bytes().all(|byte| byte.is_ascii_graphic()) && (1..=255).contains(&key.len()) => {
                let route = route.to_owned();
                let key = key.to_owned();
                Ok(IdempotencyKey { route, key, content: content.finalize().into() })
            }
            _ => {
                let reason = Reason::NotVisibleAscii { least: 1, most: 255 };
                Err(Problem::from(Invalid::one("Idempotency-Key", reason)))
            }
        }
    }

    /// Returns the key of a request that may create records, if it has one. Its content is the body and the path parameters.
    pub(in crate::http) fn of_request(routed: &RoutedRequest<'_>) -> Result<Option<IdempotencyKey>, Problem> {
        let RoutedRequest { request, route, .. } = routed;
        let Some(key) = request.headers.get(KEY).filter(|_| route.takes_key()) else {
            return Ok(None);
        };
        let mut content = Sha256::new_with_prefix(&request.content);
        request.path_parameters.iter().for_each(|parameter| content.update(["\n", parameter].concat()));
        let scope = request.key_name().map(idempotency::key_scope).unwrap_or_default();
        IdempotencyKey::of(&(scope + route.key()), key.as_bytes(), content).map(Some)
    }

    fn first<T: Replay>(&self, db: Db<'_>, now: i64) -> Result<Option<T>, Problem> {
        match idempotency::find(db, &self.route, &self.key, now)? {
            None => Ok(None),
            Some(first) if first.request != self.content => Err(Problem::idempotency_key_reused()),
            Some(first) => T::again(first).map(Some),
        }
    }

    /// Returns the write, unless the key has a result by the time it runs. Writes run one after another, so a
    /// second request that arrived during the first one finds its result here.
    fn once<T: Replay>(self, writing: Write<T>, now: i64) -> Write<T> {
        Box::new(move |tx| {
            if let Some(first) = self.first(*tx, now)? {
                return Ok(first);
            }
            let answer = writing(tx)?;
            let (status, stored) = answer.keep()?;
            let first = First { request: self.content, status: status.as_u16(), answer: stored };
            idempotency::keep(tx, &self.route, &self.key, &first, now)?;
            Ok(answer)
        })
    }
}
