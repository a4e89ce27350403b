//! HTTP responses: status, headers and body.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{StatusCode, header};
use serde::Serialize;

use super::compression::{Encodings, GZIP};
use super::etag::tag;
use super::header::header_value;
use super::problem::Problem;
use crate::domain::Lang;
use crate::http::files::content::Body;

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Body,
}

impl Answer {
    pub fn empty(status: StatusCode) -> Answer {
        Answer { status, headers: HeaderMap::new(), body: Bytes::new().into() }
    }

    /// Returns a response with a body of encoded JSON.
    pub fn json(status: StatusCode, body: Bytes) -> Answer {
        Answer { status, headers: HeaderMap::new(), body: body.into() }
            .with(CONTENT_TYPE, HeaderValue::from_static("application/json"))
    }

    /// Returns a record's JSON with its ETag.
    pub(in crate::http) fn record(json: Bytes) -> Answer {
        let tag = header_value(&tag(&json));
        Answer::json(StatusCode::OK, json).with(header::ETAG, tag)
    }

    pub(in crate::http) fn problem(problem: &Problem, lang: Lang) -> Answer {
        let mut answer = Answer::json(problem.status(), problem.body(lang).to_string().into());
        answer.headers.extend(problem.headers().clone());
        answer
    }

    /// Returns a file of the executable, compressed if the client prefers that and the file is long enough.
    pub fn file(media_type: &'static str, file: &Encodings, prefers_gzip: bool) -> Answer {
        let whole = |body: Bytes| {
            Answer { body: body.into(), ..Answer::empty(StatusCode::OK) }
                .with(CONTENT_TYPE, HeaderValue::from_static(media_type))
        };
        match file.gzip().filter(|_| prefers_gzip) {
            Some(packed) => whole(packed).with(CONTENT_ENCODING, GZIP),
            None => whole(file.identity()),
        }
    }

    pub fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Answer {
        self.headers.insert(name, value.into());
        self
    }
}

pub(in crate::http) fn to_json(value: &impl Serialize) -> Result<Bytes, Problem> {
    serde_json::to_vec(value).map(Bytes::from).map_err(|cause| Problem::internal(cause.to_string()))
}
