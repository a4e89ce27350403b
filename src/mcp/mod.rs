//! Assistants (MCP): `POST /mcp` with tools, resources and prompts, for programs in which a model works for a person, and the
//! same for the programs that start `pleito mcp`, whose messages come over the local channel.
//!
//! A request takes the path of every request (`http::requests::other_protocols`); the crate `rmcp` holds the rules of
//! the protocol, and `protocol` answers its methods. `tools` has the tables of tools, `read` and `write` call the
//! routes of the API, `quoted` quotes what came from outside, and `mask` takes away who people are, and `answer` bounds
//! what an assistant gets. `records_shown` counts the records in it, which are kept before it is sent.
//!
//! **Deliberately missing.** Sessions and streams: every request stands by itself, in both eras of the protocol. Checks of
//! rights: `http::requests::other_protocols` asks those of the route.

mod answer;
mod arguments;
pub mod connection_lines;
mod entries;
mod mask;
mod protocol;
mod quoted;
mod read;
mod records_shown;
mod refusal;
mod text;
mod tools;
mod write;

use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderValue};
use http::{Method, StatusCode};
use http_body_util::{BodyExt, Full};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcError, RequestId};
use rmcp::service::serve_directly;
use rmcp::transport::OneshotTransport;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Serialize;
use serde_json::Value;

use crate::auth::Caller;
use crate::domain::{Lang, TokenHash};
use crate::http::{Answer, Api, Author, Body, Problem, Request, Route, lang_or};
use crate::records::Access;
use protocol::handler::{Assistant, Counted};
use protocol::version::unsupported_version;
use write::confirmations::Confirmations;

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
            Err(cause) if cause.is_data() => {
                return refuse(None, ErrorData::invalid_request(cause.to_string(), None));
            }
            Err(cause) => return Err(Problem::malformed_json(&cause.to_string())),
        };
        if let Some(error) = unsupported_version(&request.headers, &message) {
            return answer(StatusCode::BAD_REQUEST, &error);
        }
        let assistant = self.assistant(request, &message);
        let retry_after = assistant.refused.as_deref().and_then(Problem::retry_after);
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

    /// Answers a message of a program that the owner's user started, as [`answer`](Self::answer) does: with the rights of
    /// `caller`, who is the owner or a key with its hash. Returns `None` if the message needs no answer.
    pub async fn answer_local(
        &self,
        message: Value,
        caller: (Caller, Option<TokenHash>),
        lang: Lang,
    ) -> Option<Value> {
        let began = self.api.app().monotonic();
        let language = HeaderValue::from_static(lang.pick("pt-BR", "en"));
        let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, language)]);
        let mut request = Request::new(Method::POST, PATH.to_owned(), String::new(), headers);
        let id = message.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
        let answer = match self.api.admit_local(&mut request, &self.route, caller) {
            Ok(()) => self.exchange(&mut request, id.clone(), message).await,
            Err(problem) => Err(problem),
        };
        let is_problem = answer.is_err();
        let Body::Whole(json) = self.api.finish(request, answer, began).await.into_body() else {
            return None;
        };
        let json: Value = serde_json::from_slice(&json).ok()?;
        if !is_problem {
            return Some(json);
        }
        let sentence = json.get("error").and_then(Value::as_str).unwrap_or_default().to_owned();
        serde_json::to_value(JsonRpcError::new(id, ErrorData::internal_error(sentence, Some(json)))).ok()
    }

    /// Answers a message that stands by itself, without the rules of HTTP.
    async fn exchange(
        &self,
        request: &mut Request,
        id: Option<RequestId>,
        message: Value,
    ) -> Result<Answer, Problem> {
        let message = match serde_json::from_value::<ClientJsonRpcMessage>(message) {
            Ok(message @ ClientJsonRpcMessage::Request(_)) => message,
            Ok(_) => return Ok(Answer::empty(StatusCode::ACCEPTED)),
            Err(cause) => return refuse(id, ErrorData::invalid_request(cause.to_string(), None)),
        };
        let assistant = self.assistant(request, &message);
        let (transport, mut answers) = OneshotTransport::<RoleServer>::new(message);
        let _serving = serve_directly(assistant, transport, None);
        let message = answers.recv().await.ok_or_else(Problem::stopping)?;
        answer(StatusCode::OK, &message)
    }

    /// Counts a message. Returns the assistant that answers it.
    fn assistant(&self, request: &mut Request, message: &ClientJsonRpcMessage) -> Assistant {
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
        let counted = match assistant.counted(message) {
            Counted::No => Ok(()),
            Counted::Read => self.api.count_read(request, &settings),
            Counted::Write(route) => self.api.count_as(request, route),
        };
        assistant.refused = counted.err().map(Arc::new);
        assistant
    }
}

/// Answers a message that is not carried out.
fn refuse(id: Option<RequestId>, error: ErrorData) -> Result<Answer, Problem> {
    answer(StatusCode::BAD_REQUEST, &JsonRpcError::new(id, error))
}

fn answer(status: StatusCode, message: &impl Serialize) -> Result<Answer, Problem> {
    let json = serde_json::to_vec(message).map_err(|cause| Problem::internal(cause.to_string()))?;
    Ok(Answer::json(status, json.into()))
}
