//! Requests that carry an `Idempotency-Key`: the first answer again, and nothing made twice (contract 4.3).

use http::header::{self, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use sha2::{Digest, Sha256};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{Answer, to_json};
use super::call::Call;
use super::content::Body;
use super::problem::Problem;
use super::reply::{Work, Write};
use crate::domain::{Invalid, Reason};
use crate::store::Db;
use crate::store::idempotency::{self, First};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A key, on its route, with the body that it came with.
struct Keyed {
    route: String,
    key: String,
    request: [u8; 32],
    now: i64,
}

/// What a write comes to, and what a key keeps of it: an answer, or the value of a handler that a page has called.
pub(super) trait Replay: Sized + 'static {
    /// What is kept of it.
    fn keep(&self) -> Result<(StatusCode, Vec<u8>), Problem>;

    /// The same once more.
    fn again(first: First) -> Result<Self, Problem>;
}

/// The headers of an answer that are kept with it.
const KEPT: [HeaderName; 2] = [header::ETAG, header::LOCATION];

/// An answer is kept as its body, which as JSON has no line break of its own, and a line for each header of [`KEPT`] behind it.
impl Replay for Answer {
    fn keep(&self) -> Result<(StatusCode, Vec<u8>), Problem> {
        let Body::Whole(body) = &self.body else {
            return Err(Problem::internal("a file cannot be kept for a key"));
        };
        let mut kept = body.to_vec();
        for name in KEPT {
            kept.push(b'\n');
            kept.extend_from_slice(self.headers.get(name).map_or(b"", |value| value.as_bytes()));
        }
        Ok((self.status, kept))
    }

    fn again(first: First) -> Result<Answer, Problem> {
        let status = StatusCode::from_u16(first.status)
            .map_err(|_| Problem::internal("a kept answer has no valid status"))?;
        let mut lines = first.answer.split(|byte| *byte == b'\n');
        let body = lines.next().unwrap_or_default().to_vec();
        let mut answer = Answer::json(status, body.into()).with(REPLAYED, HeaderValue::from_static("true"));
        for (name, line) in KEPT.into_iter().zip(lines).filter(|(_, line)| !line.is_empty()) {
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
        // A client of the API that came with the key of a page's form was answered otherwise.
        serde_json::from_slice(&first.answer).map_err(|_| Problem::idempotency_key_reused())
    }
}

/// Prepares the answer of a call: the first answer to its key where there is one, else what its handler makes of it.
pub(super) fn prepare<T: Replay>(
    call: &Call<'_>,
    handler: impl FnOnce(&Call<'_>) -> Result<Work<T>, Problem>,
) -> Result<Work<T>, Problem> {
    let Some(keyed) = keyed(call)? else { return handler(call) };
    // Before the handler looks at the request: what it refuses today it may have accepted the first time.
    if let Some(first) = keyed.first(call.db())? {
        return Ok(Work::Done(first));
    }
    Ok(match handler(call)? {
        Work::Write(writing) => Work::Write(keyed.once(writing)),
        // What somebody outside says is asked anew each time.
        other @ (Work::Done(_) | Work::Outside(_)) => other,
    })
}

fn keyed(call: &Call<'_>) -> Result<Option<Keyed>, Problem> {
    if call.route.method != Method::POST {
        return Ok(None);
    }
    let Some(key) = call.request.headers.get(KEY) else { return Ok(None) };
    let visible = key.as_bytes().iter().all(u8::is_ascii_graphic);
    match key.to_str() {
        Ok(key) if visible && (1..=255).contains(&key.len()) => Ok(Some(Keyed {
            route: call.route.key().to_owned(),
            key: key.to_owned(),
            request: fingerprint(call),
            now: call.app().now(),
        })),
        _ => {
            let reason = Reason::NotVisibleAscii { least: 1, most: 255 };
            Err(Problem::from(Invalid::one("Idempotency-Key", reason)))
        }
    }
}

/// What the same request has in common: its body, and which record its path names.
fn fingerprint(call: &Call<'_>) -> [u8; 32] {
    let mut digest = Sha256::new_with_prefix(&call.request.content);
    call.request.path_parameters.iter().for_each(|parameter| digest.update(["\n", parameter].concat()));
    digest.finalize().into()
}

impl Keyed {
    fn first<T: Replay>(&self, db: Db<'_>) -> Result<Option<T>, Problem> {
        match idempotency::find(db, &self.route, &self.key, self.now)? {
            None => Ok(None),
            Some(first) if first.request != self.request => Err(Problem::idempotency_key_reused()),
            Some(first) => T::again(first).map(Some),
        }
    }

    /// The write, unless the same key was answered meanwhile: writes wait for each other, so a second one that came
    /// while the first was still running finds the first's answer here.
    fn once<T: Replay>(self, writing: Write<T>) -> Write<T> {
        Box::new(move |tx| {
            if let Some(first) = self.first(*tx)? {
                return Ok(first);
            }
            let answer = writing(tx)?;
            let (status, kept) = answer.keep()?;
            let first = First { request: self.request, status: status.as_u16(), answer: kept };
            idempotency::keep(tx, &self.route, &self.key, &first, self.now)?;
            Ok(answer)
        })
    }
}
