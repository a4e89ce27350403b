//! Routes without a token: health, API description, documentation, and the way to the server's certificate
//! (contract 9).

use std::sync::Arc;

use http::header::{self, HeaderName, HeaderValue};
use http::{Method, StatusCode};

use super::docs::{self, DocsPage};
use super::trust::TrustFile;
use super::{health, manifest, metrics, trust};
use crate::app::App;
use crate::http::answers::answer::Answer;
use crate::http::answers::compression::Encodings;
use crate::http::answers::negotiation;
use crate::http::answers::problem::Problem;
use crate::http::openapi::Description;
use crate::http::requests::request::Request;
use crate::http::requests::route::BASE;
use crate::http::requests::route::table::RouteTable;

/// Content security policy of the pages. They are part of the executable, and load nothing from other servers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

static STYLE: Encodings = Encodings::of_static(include_bytes!("../../../assets/docs/docs.css"));
static SCRIPT: Encodings = Encodings::of_static(include_bytes!("../../../assets/docs/docs.js"));
static GUIDE_SCRIPT: Encodings = Encodings::of_static(include_bytes!("../../../assets/docs/guide.js"));
static ICON: Encodings = Encodings::of_static(include_bytes!("../../../assets/favicon.svg"));

static TRUST_STYLE: Encodings = Encodings::of_static(include_bytes!("../../../assets/trust/trust.css"));
/// Icon without transparent corners, for home screens, which cut it themselves.
static HOME_ICON: Encodings = Encodings::of_static(include_bytes!("../../../assets/icon/pleito-512.png"));

/// Page for browsers on the network, shown in place of the console: in Portuguese and in English.
static NETWORK: [Encodings; 2] = [
    Encodings::of_static(include_bytes!(concat!(env!("OUT_DIR"), "/network-0.html"))),
    Encodings::of_static(include_bytes!(concat!(env!("OUT_DIR"), "/network-1.html"))),
];

/// A route without a token.
#[derive(Clone, Copy)]
pub(in crate::http) enum PublicRoute {
    Health,
    Description,
    Page(&'static DocsPage),
    File(&'static str, &'static Encodings),
    Start,
    /// The path of the console, on a listener that does not serve it.
    Console,
    Certificate,
    Trust(TrustFile),
    Manifest,
    Metrics,
}

/// Finds the route of a path from the root. The routes of the contract also exist below the API's base.
pub(in crate::http) fn find(path: &str) -> Option<PublicRoute> {
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
        "/trust/trust.css" => PublicRoute::File("text/css; charset=utf-8", &TRUST_STYLE),
        "/favicon.svg" => PublicRoute::File("image/svg+xml", &ICON),
        "/icon.png" => PublicRoute::File("image/png", &HOME_ICON),
        "/metrics" => PublicRoute::Metrics,
        "/manifest.webmanifest" => PublicRoute::Manifest,
        "/" => PublicRoute::Start,
        "/console" => PublicRoute::Console,
        // Windows and phones recognize the extension `crt`.
        "/ca.pem" | "/ca.crt" => PublicRoute::Certificate,
        path => PublicRoute::Trust(trust::find(path)?),
    })
}

impl PublicRoute {
    pub(in crate::http) async fn answer(
        self,
        request: &Request,
        app: &Arc<App>,
        table: &RouteTable,
        description: &Description,
    ) -> Result<Answer, Problem> {
        let prefers_gzip = request.prefers_gzip;
        let allow = HeaderValue::from_static("GET, HEAD, OPTIONS");
        match request.method {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Ok(Answer::empty(StatusCode::NO_CONTENT).with(header::ALLOW, allow)),
            _ => return Err(Problem::method_not_allowed(allow)),
        }
        match self {
            PublicRoute::Health => health::answer(app).await,
            PublicRoute::Description => {
                let lang = negotiation::requested_language(request);
                let description = description.of(table, app.settings().api.compatibility, lang);
                let vary = HeaderValue::from_static("accept-language");
                Ok(Answer::file("application/json", description, prefers_gzip).with(header::VARY, vary))
            }
            PublicRoute::Page(page) => Ok(guarded(page.answer(request))),
            PublicRoute::File(media_type, file) => Ok(guarded(Answer::file(media_type, file, prefers_gzip))),
            PublicRoute::Certificate => certificate(app),
            PublicRoute::Trust(file) => file.answer(request, app).map(guarded),
            PublicRoute::Metrics => metrics::answer(request, app).await,
            PublicRoute::Manifest => manifest::answer(request, app),
            PublicRoute::Start if !request.is_from_here() && request.accepts_html() => {
                Ok(network(StatusCode::OK, request))
            }
            PublicRoute::Console if request.accepts_html() => Ok(network(StatusCode::NOT_FOUND, request)),
            PublicRoute::Console => Err(Problem::no_route()),
            PublicRoute::Start => Ok(Answer::empty(StatusCode::SEE_OTHER)
                .with(header::LOCATION, HeaderValue::from_static("/docs"))),
        }
    }
}

/// Returns the page that explains this server and links to its parts.
fn network(status: StatusCode, request: &Request) -> Answer {
    let [pt, en] = &NETWORK;
    let page = negotiation::lang(&request.headers).pick(pt, en);
    let answer = Answer::file("text/html; charset=utf-8", page, request.prefers_gzip);
    let vary = HeaderValue::from_static("accept, accept-language");
    guarded(Answer { status, ..answer }.with(header::VARY, vary))
}

/// Adds the security headers of HTML pages. The page at /trust has a stricter policy of its own.
fn guarded(mut answer: Answer) -> Answer {
    let policy = answer.headers.entry(header::CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(POLICY));
    answer
        .with(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
        .with(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"))
        .with(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"))
}

/// Returns the root certificate that other machines have to trust.
fn certificate(app: &Arc<App>) -> Result<Answer, Problem> {
    let root = trust::root(app)?;
    let media_type = HeaderValue::from_static("application/x-x509-ca-cert");
    let answer = Answer { body: root.pem.into(), ..Answer::empty(StatusCode::OK) };
    Ok(answer.with(header::CONTENT_TYPE, media_type))
}
