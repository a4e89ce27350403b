//! Requests that carry an `Idempotency-Key`: the first answer again, and nothing made twice (contract 4.3).

use http::header::{HeaderName, HeaderValue};
use http::{Method, StatusCode};
use sha2::{Digest, Sha256};

use super::answer::{Answer, Work, Writing};
use super::call::Call;
use super::problem::Problem;
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

/// Prepares the answer of a call: the first answer to its key where there is one, else what its handler makes of it.
pub(super) fn prepare(call: &Call<'_>) -> Result<Work, Problem> {
    let Some(keyed) = keyed(call)? else { return call.route().run(call) };
    // Before the handler looks at the request: what it refuses today it may have accepted the first time.
    if let Some(first) = keyed.first(call.db())? {
        return Ok(Work::Done(first));
    }
    Ok(match call.route().run(call)? {
        Work::Write(writing) => Work::Write(keyed.once(writing)),
        done @ Work::Done(_) => done,
    })
}

fn keyed(call: &Call<'_>) -> Result<Option<Keyed>, Problem> {
    if call.route().method != Method::POST {
        return Ok(None);
    }
    let Some(key) = call.raw_header(KEY) else { return Ok(None) };
    let visible = key.as_bytes().iter().all(u8::is_ascii_graphic);
    match key.to_str() {
        Ok(key) if visible && (1..=255).contains(&key.len()) => Ok(Some(Keyed {
            route: call.route().key().to_owned(),
            key: key.to_owned(),
            request: Sha256::digest(call.body()).into(),
            now: call.app().now(),
        })),
        _ => {
            let reason = Reason::NotVisibleAscii { least: 1, most: 255 };
            Err(Problem::from(Invalid::one("Idempotency-Key", reason)))
        }
    }
}

impl Keyed {
    fn first(&self, db: Db<'_>) -> Result<Option<Answer>, Problem> {
        match idempotency::find(db, &self.route, &self.key, self.now)? {
            None => Ok(None),
            Some(first) if first.request != self.request => Err(Problem::idempotency_key_reused()),
            Some(first) => {
                let status = StatusCode::from_u16(first.status)
                    .map_err(|_| Problem::internal("a kept answer has no valid status"))?;
                Ok(Some(
                    Answer::json(status, first.answer.into())
                        .with(REPLAYED, HeaderValue::from_static("true")),
                ))
            }
        }
    }

    /// The write, unless the same key was answered meanwhile: writes wait for each other, so a second one that came
    /// while the first was still running finds the first's answer here.
    fn once(self, writing: Writing) -> Writing {
        Box::new(move |tx| {
            if let Some(first) = self.first(*tx)? {
                return Ok(first);
            }
            let answer = writing(tx)?;
            let first =
                First { request: self.request, status: answer.status.as_u16(), answer: answer.body.to_vec() };
            idempotency::keep(tx, &self.route, &self.key, &first, self.now)?;
            Ok(answer)
        })
    }
}
