//! What goes wrong, as the caller learns it: the only place that names a status for an error (contract 2).

mod files;
pub(super) mod out;
mod records;

use std::time::Duration;

use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::domain::{Invalid, Lang, Reason};
use crate::limits::Quota;
use crate::records::{Lawsuit, Record as _};
use crate::store;
use crate::store::trash::Deletion;

/// How soon to send again what found the store closed or full, in seconds.
const TRY_AGAIN: u32 = 5;

/// Why a request is not answered as it wished.
#[derive(Debug)]
pub struct Problem(Box<Told>);

/// What is told of a problem: apart, since results are passed on far more often than problems are made.
#[derive(Debug)]
struct Told {
    status: StatusCode,
    code: &'static str,
    sentence: String,
    /// On 422: which fields are wrong, and why.
    wrong: Invalid,
    more: Map<String, Value>,
    headers: HeaderMap,
    /// Which record is not there because it was deleted.
    deletion: Option<Deletion>,
    /// For the log, never for the caller.
    cause: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, sentence: impl Into<String>) -> Problem {
        let (sentence, wrong, cause) = (sentence.into(), Invalid::new(), None);
        let (more, headers) = (Map::new(), HeaderMap::new());
        Problem(Box::new(Told { status, code, sentence, wrong, more, headers, deletion: None, cause }))
    }

    fn with(mut self, header: HeaderName, value: impl Into<HeaderValue>) -> Problem {
        self.0.headers.insert(header, value.into());
        self
    }

    fn because(mut self, cause: impl Into<String>) -> Problem {
        self.0.cause = Some(cause.into());
        self
    }

    fn refusing(mut self, wrong: Invalid) -> Problem {
        self.0.wrong = wrong;
        self
    }

    /// The body cannot be read as JSON.
    pub fn malformed_json(what: &str) -> Problem {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "malformed-json",
            format!("The body is not valid JSON: {what}."),
        )
    }

    /// The body is JSON, but no object.
    pub fn not_an_object() -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "not-an-object", "The body must be a JSON object.")
    }

    /// There is no body, or it names no field.
    pub fn empty_body() -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "empty-body", "The body is empty or names no field.")
    }

    /// The connection broke while the body came.
    pub fn broken_body() -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "malformed-json", "The body ended before it was complete.")
    }

    /// No token, or none that is in force. `cause` says which in the log.
    pub fn unauthenticated(cause: &'static str) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Unauthenticated.")
            .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
            .because(cause)
    }

    /// What was asked for is not there: `Customer`, `Lawsuit`, `Entry` or `Route`.
    pub fn not_found(noun: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", format!("{noun} not found"))
    }

    /// The path exists, for the methods in `allow`.
    pub fn method_not_allowed(allow: HeaderValue) -> Problem {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed on this route.",
        )
        .with(header::ALLOW, allow)
    }

    /// The body did not come in time.
    pub fn request_timeout() -> Problem {
        Problem::new(StatusCode::REQUEST_TIMEOUT, "request-timeout", "The body took too long to arrive.")
            .with(header::CONNECTION, HeaderValue::from_static("close"))
    }

    /// The body has more than that many bytes.
    pub fn too_large(most: usize) -> Problem {
        let sentence = format!("The body must be at most {} MiB.", most / (1024 * 1024));
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// The request line and the headers are longer than 32 KiB.
    pub fn head_too_large() -> Problem {
        let sentence = "The request line and headers must be at most 32 KiB.";
        Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", sentence)
    }

    /// The body is declared as something else than JSON.
    pub fn unsupported_media_type() -> Problem {
        let sentence = "The body must be JSON, declared as Content-Type: application/json.";
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", sentence)
    }

    /// Another host is meant than this server (contract 9).
    pub fn misdirected() -> Problem {
        let sentence = "This server does not answer to that host name. The setting server.hosts adds names.";
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "misdirected-request", sentence)
    }

    /// The same key came with another body before.
    pub fn idempotency_key_reused() -> Problem {
        let sentence = "This Idempotency-Key was used with another body.";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused", sentence)
            .refusing(Invalid::one("Idempotency-Key", Reason::UsedWithAnotherBody))
    }

    /// More requests than the limit allows.
    pub fn rate_limited(quota: &Quota) -> Problem {
        let seconds = whole_seconds(quota).max(1);
        let sentence = format!("Too many requests; send again in {seconds} s.");
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", sentence)
            .with(header::RETRY_AFTER, seconds)
    }

    /// A defect of this program.
    pub fn internal(cause: impl Into<String>) -> Problem {
        let sentence =
            "Something went wrong inside the server; the log has the cause under this request's id.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", sentence).because(cause)
    }

    /// The server does not take requests any more.
    pub fn stopping() -> Problem {
        Problem::unavailable("stopping", "The server is stopping; nothing was stored.")
    }

    /// All streams are taken.
    pub fn too_many_streams() -> Problem {
        Problem::unavailable("busy", "There are as many streams as there can be.")
    }

    /// The connection makes room for another one.
    pub fn displaced() -> Problem {
        Problem::unavailable("stopping", "The connection has to make room for another; nothing was stored.")
    }

    /// Refuses while a person has paused the API (product 3), and where the store was found damaged: no guesses are served
    /// (product 7). Not counted: the caller is to blame for neither.
    ///
    /// # Errors
    /// Which of the two it is.
    pub fn if_not_served(app: &App) -> Result<(), Problem> {
        app.store().trusted()?;
        let paused =
            || Problem::unavailable("stopping", "The API is paused on its own machine; nothing was stored.");
        app.is_paused().then(paused).map_or(Ok(()), Err)
    }

    fn unavailable(code: &'static str, sentence: &str) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, sentence).with(header::RETRY_AFTER, TRY_AGAIN)
    }

    /// What the log has to know, if there is anything.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Whether the server is to blame.
    pub fn is_ours(&self) -> bool {
        self.0.status.is_server_error()
    }

    /// The code that a program tests.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// What every route may answer, whatever is asked.
    pub(super) const ANY: &[StatusCode] = &[
        StatusCode::UNAUTHORIZED,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ];

    /// What is answered before a limit is looked at, so without a word about limits.
    pub(super) const BEFORE_LIMITS: &[StatusCode] = &[
        StatusCode::UNAUTHORIZED,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    ];

    /// One of each that the routes of the description may answer, by status, as samples in it.
    pub(super) fn samples() -> Vec<Problem> {
        let quota = Quota { limit: 100, remaining: 0, reset: Duration::from_secs(43_200) };
        vec![
            Problem::malformed_json("expected `,` or `}` at line 1 column 20"),
            Problem::not_an_object(),
            Problem::empty_body(),
            Problem::unauthenticated(""),
            Problem::not_found("Customer"),
            Problem::request_timeout(),
            Problem::changed_meanwhile(),
            Problem::too_large(1024 * 1024),
            Problem::content_missing(),
            Problem::range_not_satisfiable(48_213),
            Problem::unsupported_media_type(),
            Problem::misdirected(),
            Problem::from(Invalid::one("name", Reason::Required)),
            Problem::duplicate(Reason::IdentificationTaken, "customer_id", 17),
            Problem::in_use(vec![(Lawsuit::TABLE, vec![5])]),
            Problem::idempotency_key_reused(),
            Problem::rate_limited(&quota),
            Problem::head_too_large(),
            Problem::internal(""),
            Problem::from(store::Error::Full(String::new())),
            Problem::from(store::Error::Unavailable(String::new())),
            Problem::stopping(),
            Problem::too_many_streams(),
        ]
    }

    fn codes() -> Vec<&'static str> {
        let others = [Problem::method_not_allowed(HeaderValue::from_static(""))];
        Problem::samples().iter().chain(&others).map(Problem::code).collect()
    }

    /// Which fields are wrong, and why; nothing but on 422.
    pub fn wrong(&self) -> &Invalid {
        &self.0.wrong
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The headers of its answer.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// What the caller is told.
    pub(super) fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("error".to_owned(), json!(self.0.sentence));
        body.insert("message".to_owned(), json!(self.0.sentence));
        body.insert("code".to_owned(), json!(self.0.code));
        if !self.0.wrong.is_empty() {
            body.insert("errors".to_owned(), errors(&self.0.wrong));
        }
        body.extend(self.0.more.clone());
        Value::Object(body)
    }
}

/// The reasons by their fields. The API speaks English.
fn errors(wrong: &Invalid) -> Value {
    let mut errors = Map::new();
    for (field, reason) in wrong.iter() {
        if let Value::Array(reasons) = errors.entry(field).or_insert_with(|| json!([])) {
            reasons.push(json!(reason.say(Lang::En)));
        }
    }
    Value::Object(errors)
}

/// The first wrong field, what would be right, and how many more there are: many clients show nothing else (contract 2).
fn sentence(invalid: &Invalid) -> String {
    let mut wrong = invalid.iter();
    let first =
        wrong.next().map_or_else(String::new, |(field, reason)| [field, &reason.say(Lang::En)].join(" "));
    match wrong.count() {
        0 => first,
        1 => format!("{first} (and 1 more error)"),
        more => format!("{first} (and {more} more errors)"),
    }
}

/// The reset of a quota in whole seconds, rounded up.
pub(super) fn whole_seconds(quota: &Quota) -> u32 {
    u32::try_from(quota.reset.as_millis().div_ceil(1000)).unwrap_or(u32::MAX)
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", sentence(&invalid)).refusing(invalid)
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Problem {
        let cause = error.to_string();
        match error {
            store::Error::Full(_) => {
                Problem::unavailable("storage-full", "The disk is full; nothing was stored.").because(cause)
            }
            store::Error::Unavailable(_)
            | store::Error::Moved
            | store::Error::Damaged(_)
            | store::Error::Foreign
            | store::Error::Schema(_)
            | store::Error::Newer { .. }
            | store::Error::NotUpgraded { .. } => Problem::unavailable(
                "storage-unavailable",
                "The store cannot be used now; nothing was stored.",
            )
            .because(cause),
            store::Error::Refused(wrong) => Problem::from(wrong),
            store::Error::Closed => Problem::stopping().because(cause),
            store::Error::Defect(_) => Problem::internal(cause),
        }
    }
}
