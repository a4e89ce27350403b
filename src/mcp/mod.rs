//! Assistants (MCP): `POST /mcp` with tools, resources and prompts, for programs in which a model works for a person.
//!
//! A request takes the path of every request (`http::requests::protocol`); the crate `rmcp` holds the rules of the protocol.
//! `tools` has the tables of tools, `read` and `write` call the routes of the API, `foreign` quotes what came from outside, and
//! `mask` takes away who people are, and `answer` bounds what an assistant gets. `shown` counts the records in it, which are kept before it is sent.
//!
//! **Deliberately missing.** Sessions and streams: every request stands by itself, in both eras of the protocol. Checks of
//! rights: the routes have them.

mod answer;
mod arguments;
mod assistant;
mod confirmations;
pub mod connection;
mod definition;
mod entries;
mod foreign;
mod mask;
mod prompts;
mod read;
mod refusal;
mod resources;
mod shown;
mod text;
mod tools;
mod write;
mod written;

use std::sync::Arc;

use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use http_body_util::{BodyExt, Full};
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcError};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::domain::Lang;
use crate::http::{Answer, Api, Author, Body, Problem, Request, Route, lang_or};
use crate::records::Access;
use assistant::{Assistant, Counted};
use confirmations::Confirmations;

/// The path of the protocol, from the root.
const PATH: &str = "/mcp";

/// The forms of an answer, of which the protocol lets the server choose. Clients must accept both.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The office as assistants see it.
pub struct Mcp {
    api: Arc<Api>,
    route: Arc<Route>,
    confirmations: Arc<Confirmations>,
}

impl Mcp {
    pub fn new(api: Arc<Api>) -> Mcp {
        let about = ("Ferramentas para assistentes", "Tools for assistants");
        let route = Route::new(Method::POST, PATH, "callTools", Access::Anyone, about, Vec::new);
        Mcp { api, route: Arc::new(route), confirmations: Arc::default() }
    }

    /// Returns `true` if the request is for assistants.
    pub fn serves(&self, request: &Request) -> bool {
        request.path.strip_suffix('/').unwrap_or(&request.path) == PATH
    }

    pub async fn answer(&self, mut request: Request) -> http::Response<Body> {
        let began = self.api.app().monotonic();
        let answer = match self.api.admit_protocol(&mut request, &self.route).await {
            Ok(()) => self.handle(&mut request).await,
            Err(problem) => Err(problem),
        };
        self.api.finish(request, answer, began).await
    }

    /// Handles a message whose sender was checked.
    async fn handle(&self, request: &mut Request) -> Result<Answer, Problem> {
        let content = request.content().clone();
        let message = match serde_json::from_slice::<ClientJsonRpcMessage>(&content) {
            Ok(message) => message,
            Err(cause) if cause.is_data() => return not_a_message(&cause.to_string()),
            Err(cause) => return Err(Problem::malformed_json(&cause.to_string())),
        };
        let settings = self.api.app().settings();
        let mut assistant = Assistant {
            api: self.api.clone(),
            author: Author::of(request),
            lang: lang_or(&request.headers, Lang::Pt),
            may_write: settings.mcp.write,
            masks: settings.mcp.mask,
            confirmations: self.confirmations.clone(),
            refused: None,
        };
        let counted = match assistant.counted(&message) {
            Counted::No => Ok(()),
            Counted::Read => self.api.count_read(request, &settings),
            Counted::Write(route) => self.api.count_as(request, route),
        };
        let retry_after = counted.as_ref().err().and_then(Problem::retry_after);
        assistant.refused = counted.err().map(Arc::new);
        // Host and origin were checked, by rules that also know the names of the network.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(self.route.largest_body)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let service = StreamableHttpService::new(
            move || Ok(assistant.clone()),
            Arc::<NeverSessionManager>::default(),
            config,
        );
        let mut inner = http::Request::new(Full::new(content));
        *inner.method_mut() = Method::POST;
        *inner.headers_mut() = request.headers.clone();
        inner.headers_mut().insert(header::ACCEPT, ACCEPTED);
        inner.headers_mut().insert(header::CONTENT_TYPE, JSON);
        let (mut head, body) = service.handle(inner).await.into_parts();
        head.headers.extend(retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into())));
        let body = match body.collect().await {
            Ok(whole) => whole.to_bytes(),
            Err(never) => match never {},
        };
        Ok(Answer { status: head.status, headers: head.headers, body: body.into() })
    }
}

/// Answers JSON that is no message of the protocol.
fn not_a_message(cause: &str) -> Result<Answer, Problem> {
    let error = JsonRpcError::new(None, ErrorData::invalid_request(cause.to_owned(), None));
    let json = serde_json::to_vec(&error).map_err(|cause| Problem::internal(cause.to_string()))?;
    Ok(Answer::json(StatusCode::BAD_REQUEST, json.into()))
}
