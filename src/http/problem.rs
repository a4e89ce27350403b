//! What goes wrong, as the caller learns it: the only place that names a status for an error (contract 2).

mod files;
mod limits;
mod media_types;
pub(super) mod out;
mod records;

use std::borrow::Cow;
use std::time::Duration;

use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Map, Value, json};

use super::ignored::in_sentence;
use super::sentence::{Sentence, about};
use crate::app::App;
use crate::domain::id::{Noun as _, Word};
use crate::domain::lang::say;
use crate::domain::{Bilingual, Invalid, Lang, Reason};
use crate::limits::Quota;
use crate::records::{Customer, Lawsuit, Record as _};
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
    /// What went wrong; `None` where that is what `wrong` says of the first field.
    sentence: Option<Sentence>,
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
    fn new(status: StatusCode, code: &'static str, sentence: impl Into<Sentence>) -> Problem {
        let (sentence, wrong, cause) = (Some(sentence.into()), Invalid::new(), None);
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
        let sentence = about!("O corpo não é um JSON válido: {what}.", "The body is not valid JSON: {what}.");
        Problem::new(StatusCode::BAD_REQUEST, "malformed-json", sentence)
    }

    /// The body is JSON, but no object.
    pub fn not_an_object() -> Problem {
        let sentence = ("O corpo deve ser um objeto JSON.", "The body must be a JSON object.");
        Problem::new(StatusCode::BAD_REQUEST, "not-an-object", sentence)
    }

    /// There is no body, or it names no field but these, which no rule knows.
    pub fn empty_body(unknown: &[String]) -> Problem {
        let named = in_sentence(unknown);
        let sentence = match unknown.is_empty() {
            true => Sentence::new(
                "O corpo está vazio ou não tem nenhum campo.",
                "The body is empty or names no field.",
            ),
            false => about!(
                "O corpo não tem nenhum campo que esta rota grave; foi ignorado: {named}.",
                "The body names no field that this route takes; ignored: {named}."
            ),
        };
        Problem::new(StatusCode::BAD_REQUEST, "empty-body", sentence)
    }

    /// The connection broke while the body came.
    pub fn broken_body() -> Problem {
        let sentence =
            ("O corpo terminou antes de estar completo.", "The body ended before it was complete.");
        Problem::new(StatusCode::BAD_REQUEST, "malformed-json", sentence)
    }

    /// No token, or none that is in force. `cause` says which in the log.
    pub fn unauthenticated(cause: &'static str) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", ("Não autenticado.", "Unauthenticated."))
            .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
            .because(cause)
    }

    /// What was asked for is not there.
    pub fn not_found(what: Word) -> Problem {
        let (Word(pt, _), title) = (what, what.title(Lang::En));
        let sentence = about!("Não encontrado: {pt}", "{title} not found");
        Problem::new(StatusCode::NOT_FOUND, "not-found", sentence)
    }

    /// No route has the path.
    pub fn no_route() -> Problem {
        Problem::not_found(Word("rota", "route"))
    }

    /// The path exists, for the methods in `allow`.
    pub fn method_not_allowed(allow: HeaderValue) -> Problem {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            ("Esta rota não tem este método.", "Method not allowed on this route."),
        )
        .with(header::ALLOW, allow)
    }

    /// The body did not come in time.
    pub fn request_timeout() -> Problem {
        let sentence = ("O corpo demorou demais a chegar.", "The body took too long to arrive.");
        Problem::new(StatusCode::REQUEST_TIMEOUT, "request-timeout", sentence)
            .with(header::CONNECTION, HeaderValue::from_static("close"))
    }

    /// The body has more than that many bytes.
    pub fn too_large(most: usize) -> Problem {
        let most = most / (1024 * 1024);
        let sentence =
            about!("O corpo deve ter no máximo {most} MiB.", "The body must be at most {most} MiB.");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// The request line and the headers are longer than 32 KiB.
    pub fn head_too_large() -> Problem {
        let sentence = (
            "A linha da requisição e os cabeçalhos devem ter no máximo 32 KiB.",
            "The request line and headers must be at most 32 KiB.",
        );
        Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", sentence)
    }

    /// Another host is meant than this server (contract 9).
    pub fn misdirected() -> Problem {
        let sentence = (
            "Este servidor não atende por esse nome de host. O ajuste server.hosts acrescenta nomes.",
            "This server does not answer to that host name. The setting server.hosts adds names.",
        );
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "misdirected-request", sentence)
    }

    /// The same key came with another body before.
    pub fn idempotency_key_reused() -> Problem {
        let sentence = (
            "Esta Idempotency-Key já foi usada com outro corpo.",
            "This Idempotency-Key was used with another body.",
        );
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused", sentence)
            .refusing(Invalid::one("Idempotency-Key", Reason::UsedWithAnotherBody))
    }

    /// A defect of this program.
    pub fn internal(cause: impl Into<String>) -> Problem {
        let sentence = (
            "Algo deu errado dentro do servidor; o log tem a causa, com o id desta requisição.",
            "Something went wrong inside the server; the log has the cause under this request's id.",
        );
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", sentence).because(cause)
    }

    /// The server does not take requests any more.
    pub fn stopping() -> Problem {
        let sentence =
            ("O servidor está parando; nada foi gravado.", "The server is stopping; nothing was stored.");
        Problem::unavailable("stopping", sentence)
    }

    /// All streams are taken.
    pub fn too_many_streams() -> Problem {
        let sentence =
            ("Já há tantos fluxos quantos pode haver.", "There are as many streams as there can be.");
        Problem::unavailable("busy", sentence)
    }

    /// The connection makes room for another one.
    pub fn displaced() -> Problem {
        let sentence = (
            "A conexão tem de dar lugar a outra; nada foi gravado.",
            "The connection has to make room for another; nothing was stored.",
        );
        Problem::unavailable("stopping", sentence)
    }

    /// Refuses while a person has paused the API (product 3), and where the store was found damaged: no guesses are served
    /// (product 7). Not counted: the caller is to blame for neither.
    ///
    /// # Errors
    /// Which of the two it is.
    pub fn if_not_served(app: &App) -> Result<(), Problem> {
        app.store().trusted()?;
        let sentence = (
            "A API está em pausa na própria máquina; nada foi gravado.",
            "The API is paused on its own machine; nothing was stored.",
        );
        let paused = || Problem::unavailable("stopping", sentence);
        app.is_paused().then(paused).map_or(Ok(()), Err)
    }

    fn unavailable(code: &'static str, sentence: Bilingual) -> Problem {
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
            Problem::empty_body(&[]),
            Problem::unauthenticated(""),
            Problem::not_found(Customer::WORD),
            Problem::not_acceptable(&["application/json", "text/csv", "application/x-ndjson"]),
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
            Problem::rate_limited(&Method::POST, &quota),
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

    /// What the caller is told in that language; codes and names are the same in all.
    pub(super) fn body(&self, lang: Lang) -> Value {
        let Told { sentence, wrong, .. } = &*self.0;
        let sentence =
            sentence.as_ref().map_or_else(|| of_first(wrong, lang), |own| own.pick(lang).to_owned());
        let mut body = Map::new();
        body.insert("error".to_owned(), json!(sentence));
        body.insert("message".to_owned(), json!(sentence));
        body.insert("code".to_owned(), json!(self.0.code));
        if !wrong.is_empty() {
            body.insert("errors".to_owned(), by_field(wrong, |reason| reason.say(lang)));
            body.insert("reasons".to_owned(), by_field(wrong, |reason| reason.code().into()));
        }
        body.extend(self.0.more.clone());
        Value::Object(body)
    }
}

/// What is said of each reason, by their fields.
fn by_field(wrong: &Invalid, say: impl Fn(Reason) -> Cow<'static, str>) -> Value {
    let mut fields = Map::new();
    for (field, reason) in wrong.iter() {
        if let Value::Array(said) = fields.entry(field).or_insert_with(|| json!([])) {
            said.push(json!(say(*reason)));
        }
    }
    Value::Object(fields)
}

/// The first wrong field, what would be right, and how many more there are: many clients show nothing else (contract 2).
fn of_first(invalid: &Invalid, lang: Lang) -> String {
    let mut wrong = invalid.iter();
    let first = wrong.next().map_or_else(String::new, |(field, reason)| [field, &reason.say(lang)].join(" "));
    match wrong.count() {
        0 => first,
        1 => say!(lang, "{first} (e mais 1 erro)", "{first} (and 1 more error)"),
        more => say!(lang, "{first} (e mais {more} erros)", "{first} (and {more} more errors)"),
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
            store::Error::Full(_) => {
                let sentence =
                    ("O disco está cheio; nada foi gravado.", "The disk is full; nothing was stored.");
                Problem::unavailable("storage-full", sentence).because(cause)
            }
            store::Error::Unavailable(_)
            | store::Error::Moved
            | store::Error::Damaged(_)
            | store::Error::Foreign
            | store::Error::Schema(_)
            | store::Error::Newer { .. }
            | store::Error::NotUpgraded { .. } => Problem::unavailable(
                "storage-unavailable",
                (
                    "O banco de dados não pode ser usado agora; nada foi gravado.",
                    "The store cannot be used now; nothing was stored.",
                ),
            )
            .because(cause),
            store::Error::Refused(wrong) => Problem::from(wrong),
            store::Error::Closed => Problem::stopping().because(cause),
            store::Error::Defect(_) => Problem::internal(cause),
        }
    }
}
