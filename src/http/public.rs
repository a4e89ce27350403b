//! What anybody may ask without a token: whether the server is well, and how to use it (contract 9).

use std::sync::Arc;

use http::header::{self, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use tokio::sync::oneshot;

use super::accept;
use super::answer::Answer;
use super::coding::Encodings;
use super::docs::{self, DocsPage};
use super::openapi::Description;
use super::problem::Problem;
use super::request::Request;
use super::route::BASE;
use super::table::RouteTable;
use crate::app::App;
use crate::domain::id::Word;
use crate::lan::LanState;
use crate::store::{self, Lane, journal};

/// The pages are the executable's own, and load nothing from anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

static STYLE: Encodings = Encodings::of_static(include_bytes!("../../assets/docs/docs.css"));
static SCRIPT: Encodings = Encodings::of_static(include_bytes!("../../assets/docs/docs.js"));
static GUIDE_SCRIPT: Encodings = Encodings::of_static(include_bytes!("../../assets/docs/guide.js"));
static ICON: Encodings = Encodings::of_static(include_bytes!("../../assets/favicon.svg"));

/// What a person on the network reads where others find the console: in Portuguese and in English.
static NETWORK: [Encodings; 2] = [
    Encodings::of_static(include_bytes!(concat!(env!("OUT_DIR"), "/network-0.html"))),
    Encodings::of_static(include_bytes!(concat!(env!("OUT_DIR"), "/network-1.html"))),
];

/// What a path without a token leads to.
#[derive(Clone, Copy)]
pub(super) enum PublicRoute {
    Health,
    Description,
    Page(&'static DocsPage),
    File(&'static str, &'static Encodings),
    Start,
    /// The console's path, where the console is not.
    Console,
    Certificate,
}

/// Looks up a path from the root; those of the contract are under the API's base as well.
pub(super) fn find(path: &str) -> Option<PublicRoute> {
    let path = if path.len() > 1 { path.strip_suffix('/').unwrap_or(path) } else { path };
    match path.strip_prefix(BASE).unwrap_or(path) {
        "/health" => return Some(PublicRoute::Health),
        "/openapi.json" => return Some(PublicRoute::Description),
        path => {
            if let Some(page) = docs::find(path) {
                return Some(PublicRoute::Page(page));
            }
        }
    }
    Some(match path {
        "/docs/docs.css" => PublicRoute::File("text/css; charset=utf-8", &STYLE),
        "/docs/docs.js" => PublicRoute::File("text/javascript; charset=utf-8", &SCRIPT),
        "/docs/guide.js" => PublicRoute::File("text/javascript; charset=utf-8", &GUIDE_SCRIPT),
        "/favicon.svg" => PublicRoute::File("image/svg+xml", &ICON),
        "/" => PublicRoute::Start,
        "/console" => PublicRoute::Console,
        // Windows and telephones know what to do with a file of the second name.
        "/ca.pem" | "/ca.crt" => PublicRoute::Certificate,
        _ => return None,
    })
}

impl PublicRoute {
    /// Answers it.
    pub(super) async fn answer(
        self,
        request: &Request,
        app: &Arc<App>,
        table: &RouteTable,
        description: &Description,
    ) -> Result<Answer, Problem> {
        let coding = request.coding;
        let allow = HeaderValue::from_static("GET, HEAD, OPTIONS");
        match request.method {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Ok(Answer::empty(StatusCode::NO_CONTENT).with(header::ALLOW, allow)),
            _ => return Err(Problem::method_not_allowed(allow)),
        }
        match self {
            PublicRoute::Health => health(app).await,
            PublicRoute::Description => {
                let lang = accept::asked(request);
                let description = description.of(table, app.settings().api.compatibility, lang);
                let vary = HeaderValue::from_static("accept-language");
                Ok(Answer::file("application/json", description, coding).with(header::VARY, vary))
            }
            PublicRoute::Page(page) => Ok(guarded(page.answer(request))),
            PublicRoute::File(media_type, file) => Ok(guarded(Answer::file(media_type, file, coding))),
            PublicRoute::Certificate => certificate(app),
            PublicRoute::Start if !request.is_from_here() && is_browser(request) => {
                Ok(network(StatusCode::OK, request))
            }
            PublicRoute::Console if is_browser(request) => Ok(network(StatusCode::NOT_FOUND, request)),
            PublicRoute::Console => Err(Problem::no_route()),
            PublicRoute::Start => Ok(Answer::empty(StatusCode::SEE_OTHER)
                .with(header::LOCATION, HeaderValue::from_static("/docs"))),
        }
    }
}

/// Returns `true` if the client asks for a page.
fn is_browser(request: &Request) -> bool {
    let accept = request.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The page that says what this server is and where to go.
fn network(status: StatusCode, request: &Request) -> Answer {
    let [pt, en] = &NETWORK;
    let page = accept::lang(&request.headers).pick(pt, en);
    let answer = Answer::file("text/html; charset=utf-8", page, request.coding);
    let vary = HeaderValue::from_static("accept, accept-language");
    guarded(Answer { status, ..answer }.with(header::VARY, vary))
}

/// What a browser shows, kept to itself.
fn guarded(answer: Answer) -> Answer {
    answer
        .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
        .with(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
        .with(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"))
        .with(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"))
}

/// What others have to trust so that they trust this server; there is none before the network was first let in.
fn certificate(app: &Arc<App>) -> Result<Answer, Problem> {
    let standing = app.lan().standing();
    let root =
        standing.root.as_ref().ok_or_else(|| Problem::not_found(Word("certificado", "certificate")))?;
    let media_type = HeaderValue::from_static("application/x-x509-ca-cert");
    let answer = Answer { body: root.pem.clone().into(), ..Answer::empty(StatusCode::OK) };
    Ok(answer.with(header::CONTENT_TYPE, media_type))
}

/// Well is who can read, whose last write succeeded, and whom nobody has paused. That the network is not let in is said,
/// and is no illness: who asks has come in. Who has no new backup still answers everything.
async fn health(app: &Arc<App>) -> Result<Answer, Problem> {
    Problem::if_not_served(app)?;
    let (reply, answer) = oneshot::channel();
    let backups = app.backups().clone();
    app.store().submit_read(Lane::Point, move |db| {
        let failed = backups.last().is_some_and(|last| last.problem.is_some());
        let _ = reply.send(db.and_then(|db| journal::latest(db)).map(|_| failed));
    });
    let backup_failed = answer.await.unwrap_or(Err(store::Error::Closed))?;
    recover(app).await?;
    let status = match backup_failed {
        false => r#""status":"ok""#,
        true => r#""status":"degraded","code":"backup-failed""#,
    };
    let body = match &app.lan().standing().state {
        LanState::Failed(trouble) => format!(r#"{{{status},"lan":"{}"}}"#, trouble.code()),
        LanState::Off | LanState::Open(_) => format!("{{{status}}}"),
    };
    Ok(Answer::json(StatusCode::OK, body.into()))
}

/// Where the last write failed, another one is tried: nobody may have written since the cause has gone.
async fn recover(app: &Arc<App>) -> Result<(), Problem> {
    if app.store().last_write().is_ok() {
        return Ok(());
    }
    let (reply, answer) = oneshot::channel();
    app.store().submit(store::try_write, move |tried: Result<(), store::Error>| {
        let _ = reply.send(tried);
    });
    Ok(answer.await.unwrap_or(Err(store::Error::Closed))?)
}
