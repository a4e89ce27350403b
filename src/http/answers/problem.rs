//! Problems as the client sees them. Only this module assigns a status to an error (contract 2).
//!
//! `table` has each code with its status and sentence, `records` those about records, `limits` those about limits.

mod limits;
mod records;
pub(in crate::http) mod schema;
mod table;

use std::borrow::Cow;
use std::time::Duration;

use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::auth::AuthRefusal;
use crate::domain::id::Noun as _;
use crate::domain::lang::Word;
use crate::domain::lang::localize;
use crate::domain::{Invalid, Lang, Reason};
use crate::http::json::ignored::in_sentence;
use crate::http::openapi::sentence::Sentence;
use crate::limits::Quota;
use crate::records::{Access, Customer, Kind, Lawsuit, Level, Record as _};
use crate::store;
use crate::store::trash::Deletion;

/// Value of `Retry-After` on 503, in seconds.
const TRY_AGAIN: u32 = 5;

/// An error response.
#[derive(Debug)]
pub struct Problem(Box<ProblemData>);

/// The contents of a problem. Boxed, since results are returned far more often than problems are created.
#[derive(Debug)]
struct ProblemData {
    status: StatusCode,
    code: &'static str,
    /// The message. `None` if `wrong` supplies it from its first field.
    sentence: Option<Sentence>,
    /// On 422: the wrong fields with the reasons.
    wrong: Invalid,
    more: Map<String, Value>,
    headers: HeaderMap,
    /// The deleted record that the problem is about.
    deletion: Option<Deletion>,
    /// Written to the log, and never sent to the client.
    cause: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, sentence: impl Into<Sentence>) -> Problem {
        let sentence = Some(sentence.into());
        let wrong = Invalid::new();
        let cause = None;
        let more = Map::new();
        let mut headers = HeaderMap::new();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, TRY_AGAIN.into());
        }
        Problem(Box::new(ProblemData { status, code, sentence, wrong, more, headers, deletion: None, cause }))
    }

    fn with(mut self, header: HeaderName, value: impl Into<HeaderValue>) -> Problem {
        self.0.headers.insert(header, value.into());
        self
    }

    fn caused_by(mut self, cause: impl Into<String>) -> Problem {
        self.0.cause = Some(cause.into());
        self
    }

    fn refusing(mut self, wrong: Invalid) -> Problem {
        self.0.wrong = wrong;
        self
    }

    /// The body is missing, or has only these unknown members.
    pub fn empty_body(unknown: &[String]) -> Problem {
        match unknown.is_empty() {
            true => Problem::no_member(),
            false => Problem::only_unknown_members(&in_sentence(unknown)),
        }
    }

    /// The token is missing or not in force. `cause` is the reason for the log.
    pub fn unauthenticated(cause: &'static str) -> Problem {
        Problem::no_token().caused_by(cause)
    }

    /// The request is not authorized. Only the form of its header is told.
    pub fn refused(refusal: AuthRefusal) -> Problem {
        match refusal {
            AuthRefusal::NotBearer => Problem::no_bearer().caused_by(refusal.as_str()),
            _ => Problem::unauthenticated(refusal.as_str()),
        }
    }

    /// The caller's rights do not include what the route requires (access 24).
    pub fn not_allowed(access: Access) -> Problem {
        let of = |level: Level, kind: Kind| {
            let level = level.as_str();
            let noun = kind.table().many;
            let [pt, en] =
                [("em", noun.0), ("for", noun.1)].map(|(of, noun)| format!("`{level}` {of} {noun}"));
            Problem::lacks_right(&pt, &en)
        };
        match access {
            Access::Read(kind) => of(Level::Read, kind),
            Access::Write(kind) | Access::Create(kind) => of(Level::Write, kind),
            Access::Manage(kind) => of(Level::Manage, kind),
            Access::Anyone | Access::ManageAll => {
                Problem::lacks_right("`manage` em tudo", "`manage` for everything")
            }
            Access::Owner => Problem::lacks_right("o token da conta", "the account's token"),
        }
    }

    pub fn no_route() -> Problem {
        Problem::not_found(Word("rota", "route"))
    }

    /// The request is not for the address of a list, or its secret is not in force.
    pub fn no_list_address(refusal: AuthRefusal) -> Problem {
        Problem::no_route().caused_by(refusal.as_str())
    }

    /// The key was used before with another body.
    pub fn idempotency_key_reused() -> Problem {
        Problem::key_reused().refusing(Invalid::one("Idempotency-Key", Reason::UsedWithAnotherBody))
    }

    /// A bug in this program.
    pub fn internal(cause: impl Into<String>) -> Problem {
        Problem::defect().caused_by(cause)
    }

    /// Returns the cause to log, if there is one.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Returns `true` if the server is at fault.
    pub fn is_ours(&self) -> bool {
        self.0.status.is_server_error()
    }

    /// Returns `true` if the values that were sent are refused, or no longer fit the record.
    pub fn refuses_values(&self) -> bool {
        let statuses =
            [StatusCode::CONFLICT, StatusCode::PRECONDITION_FAILED, StatusCode::UNPROCESSABLE_ENTITY];
        statuses.contains(&self.0.status) && self.0.code != "idempotency-key-reused"
    }

    /// Returns the stable code that programs test.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Statuses that any route may return.
    pub(in crate::http) const ANY: &[StatusCode] = &[
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ];

    /// Statuses returned before the limits are checked, and so without the headers for limits.
    pub(in crate::http) const BEFORE_LIMITS: &[StatusCode] = &[
        StatusCode::UNAUTHORIZED,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    ];

    /// Returns samples of all problems that the described routes may return, ordered so that those of one
    /// status are together.
    pub(in crate::http) fn samples() -> Vec<Problem> {
        let quota = Quota { limit: 100, remaining: 0, reset: Duration::from_secs(43_200) };
        vec![
            Problem::malformed_json("expected `,` or `}` at line 1 column 20"),
            Problem::not_an_object(),
            Problem::empty_body(&[]),
            Problem::unauthenticated(""),
            Problem::not_allowed(Access::Write(Kind::Customer)),
            Problem::not_found(Customer::WORD),
            Problem::not_acceptable(&["application/json", "text/csv", "application/x-ndjson"]),
            Problem::request_timeout(),
            Problem::ambiguous("customer_id", &[(17, "identification"), (18, "email")]),
            Problem::already_paid(),
            Problem::already_inactive(),
            Problem::not_handed_over(),
            Problem::handed_on(3),
            Problem::not_merged(),
            Problem::merged_on(21, 7),
            Problem::merge_forgotten(),
            Problem::changed_meanwhile(),
            Problem::too_large(1024 * 1024),
            Problem::content_missing(),
            Problem::range_not_satisfiable(48_213),
            Problem::unsupported_media_type(),
            Problem::misdirected(),
            Problem::from(Invalid::one("name", Reason::Required)),
            Problem::duplicate(Reason::IdentificationTaken, "customer_id", Some(17)),
            Problem::in_use(vec![(Lawsuit::TABLE, vec![5])]),
            Problem::idempotency_key_reused(),
            Problem::rate_limited(&Method::POST, &quota),
            Problem::head_too_large(),
            Problem::internal(""),
            Problem::from(store::Error::Full(String::new())),
            Problem::from(store::Error::Unavailable(String::new())),
            Problem::stopping(),
            Problem::clock(),
            Problem::too_many_streams(),
        ]
    }

    fn codes() -> Vec<&'static str> {
        let others = [Problem::method_not_allowed(HeaderValue::from_static(""))];
        Problem::samples().iter().chain(&others).map(Problem::code).collect()
    }

    /// Returns the message for a page. Empty if the wrong fields say it.
    pub fn sentence(&self, lang: Lang) -> &str {
        self.0.sentence.as_ref().map_or("", |sentence| sentence.pick(lang))
    }

    /// Returns the wrong fields with the reasons. Empty unless the status is 422.
    pub fn wrong(&self) -> &Invalid {
        &self.0.wrong
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Returns the number of seconds after which a repeated request may succeed.
    pub fn retry_after(&self) -> Option<u64> {
        self.0.headers.get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()
    }

    pub(in crate::http) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// Returns the body in the given language. Codes and member names are the same in both languages.
    pub fn body(&self, lang: Lang) -> Value {
        let ProblemData { sentence, wrong, .. } = &*self.0;
        let sentence =
            sentence.as_ref().map_or_else(|| of_first(wrong, lang), |own| own.pick(lang).to_owned());
        let mut body = Map::new();
        body.insert("error".to_owned(), json!(sentence));
        body.insert("message".to_owned(), json!(sentence));
        body.insert("code".to_owned(), json!(self.0.code));
        if !wrong.is_empty() {
            body.insert("errors".to_owned(), by_field(wrong, |reason| reason.message(lang)));
            body.insert("reasons".to_owned(), by_field(wrong, |reason| reason.code().into()));
        }
        body.extend(self.0.more.clone());
        Value::Object(body)
    }
}

/// Groups the reasons by field, each formatted by `format`.
fn by_field(wrong: &Invalid, format: impl Fn(Reason) -> Cow<'static, str>) -> Value {
    let mut fields = Map::new();
    for (field, reason) in wrong.iter() {
        if let Value::Array(reasons) = fields.entry(field).or_insert_with(|| json!([])) {
            reasons.push(json!(format(*reason)));
        }
    }
    Value::Object(fields)
}

/// Returns a sentence about the first wrong field, with the number of further ones. Many clients show only
/// this sentence (contract 2).
fn of_first(invalid: &Invalid, lang: Lang) -> String {
    let mut wrong = invalid.iter();
    let first = wrong.next().map_or_else(String::new, |(field, reason)| reason.about(field, lang));
    match wrong.count() {
        0 => first,
        1 => localize!(lang, "{first} (e mais 1 erro)", "{first} (and 1 more error)"),
        more => localize!(lang, "{first} (e mais {more} erros)", "{first} (and {more} more errors)"),
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Problem {
        let mut problem =
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", ("", "")).refusing(invalid);
        problem.0.sentence = None;
        problem
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Problem {
        let cause = error.to_string();
        match error {
            store::Error::Full(_) => Problem::storage_full().caused_by(cause),
            store::Error::Unavailable(_)
            | store::Error::Moved
            | store::Error::Damaged(_)
            | store::Error::Foreign
            | store::Error::Schema(_)
            | store::Error::Newer { .. }
            | store::Error::NotUpgraded { .. } => Problem::storage_unavailable().caused_by(cause),
            store::Error::Refused(wrong) => Problem::from(wrong),
            store::Error::Closed => Problem::stopping().caused_by(cause),
            store::Error::Clock => Problem::clock().caused_by(cause),
            store::Error::Standby => Problem::standby(None),
            store::Error::Defect(_) => Problem::internal(cause),
        }
    }
}
