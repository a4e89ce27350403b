//! The path of a request of another protocol than the API's, such as that of assistants (assistants 47): a POST outside the
//! base, with the checks of every request. What it reads and writes goes through the routes of the API.

use std::sync::Arc;

use http::Method;
use http::header::{self, HeaderValue};
use serde_json::Value;
use tokio::sync::oneshot;

use super::api::Api;
use super::checks::ensure_allowed;
use super::request::Request;
use super::response::log_problem;
use super::route::Route;
use crate::auth::Caller;
use crate::domain::TokenHash;
use crate::http::answers::problem::Problem;
use crate::http::answers::streams;
use crate::http::files::content::Body;
use crate::http::requests::checks::standby_and_pause::{ensure_no_standby, ensure_served};
use crate::store::journal::Via;
use crate::store::{self, Tx};

/// The author of a request whose checks are done, for the calls that the request consists of.
#[derive(Clone)]
pub struct Author {
    /// Id of the request, for log and journal.
    pub id: String,
    pub caller: Caller,
    secret: Option<TokenHash>,
}

impl Author {
    pub fn of(request: &Request) -> Author {
        Author { id: request.id.clone(), caller: request.caller().clone(), secret: request.secret }
    }
}

/// What a call of a route has in addition to its author.
#[derive(Default)]
pub struct RouteCall {
    pub path_id: Option<String>,
    pub parameters: Vec<(String, String)>,
    pub body: Option<Value>,
    /// The version that the record must still have.
    pub if_match: Option<HeaderValue>,
}

/// The answer of a called route.
pub struct RouteAnswer {
    pub json: Value,
    /// The `ETag` of the record.
    pub version: Option<HeaderValue>,
}

impl Api {
    /// Checks host, origin, token, method and body of a request to a path outside the base, and reads the body. The request
    /// is not counted.
    ///
    /// # Errors
    /// 421, 431, 403 for a page of another site, 401, 503, 405, and those of the body: 408, 413, 415.
    pub async fn admit_protocol(&self, request: &mut Request, route: &Arc<Route>) -> Result<(), Problem> {
        let settings = self.app.settings();
        self.ensure_host_and_head(request, &settings)?;
        // Browsers name the origin of a page that sends a POST. A page of another site has no business here.
        let mut origins = request.headers.get_all(header::ORIGIN).iter();
        if origins.any(|origin| origin.as_bytes() != request.origin().as_bytes()) {
            return Err(Problem::foreign_origin());
        }
        self.authenticate(request).await?;
        request.route = Some(route.clone());
        if request.method != route.method {
            return Err(Problem::method_not_allowed(HeaderValue::from_static("POST")));
        }
        self.read_body(request, route.largest_body).await
    }

    /// Lets in a request of a program that the owner's user started on this machine. It comes over the local channel, and
    /// acts for `caller`: the owner, or a key with its hash.
    ///
    /// # Errors
    /// 503.
    pub fn admit_local(
        &self,
        request: &mut Request,
        route: &Arc<Route>,
        (caller, secret): (Caller, Option<TokenHash>),
    ) -> Result<(), Problem> {
        (request.caller, request.secret) = (Some(caller), secret);
        request.route = Some(route.clone());
        ensure_served(&self.app)
    }

    /// Writes to the store what comes beside an answer to `author`, and waits until the commit is on disk. Other writes may share
    /// it.
    ///
    /// # Errors
    /// A store that cannot be written, such as that of a standby; 401 if the token or key of `author` has ended by then.
    pub async fn write_beside(
        &self,
        author: &Author,
        write: impl FnOnce(Tx<'_>) -> Result<(), store::Error> + Send + 'static,
    ) -> Result<(), Problem> {
        let (reply, written) = oneshot::channel();
        self.app.store().submit(write, move |done| _ = reply.send(done));
        written.await.map_err(|_| Problem::stopping())??;
        self.ensure_in_force(author.secret)
    }

    /// Reads a route by its operation id, as a GET of `author` would: with the rights of the caller, and without a count. Returns
    /// the JSON of the answer.
    ///
    /// # Errors
    /// 403 if the caller may not read the route; whatever its handler refuses.
    pub async fn read_route(
        self: &Arc<Api>,
        author: &Author,
        id: &str,
        path_id: Option<&str>,
        parameters: Vec<(String, String)>,
    ) -> Result<Value, Problem> {
        let path_id = path_id.map(str::to_owned);
        let call = RouteCall { path_id, parameters, ..RouteCall::default() };
        self.call_route(author, id, call).await.map(|answer| answer.json)
    }

    /// Calls a route by its operation id, with the rights of `author`, and without a count. The journal names an assistant as
    /// the origin of what it writes.
    ///
    /// # Errors
    /// 401 if the token or key of `author` has ended since its check; 403 if the caller may not use the route; 503 for a write on a
    /// standby; whatever its handler refuses.
    pub async fn call_route(
        self: &Arc<Api>,
        author: &Author,
        id: &str,
        call: RouteCall,
    ) -> Result<RouteAnswer, Problem> {
        self.ensure_in_force(author.secret)?;
        let row = self.table.by_id(id).ok_or_else(|| Problem::internal(format!("no route `{id}`")))?;
        ensure_allowed(&author.caller, &row.route)?;
        let writes = row.route.method != Method::GET;
        ensure_no_standby(&self.app, writes)?;
        let headers = call.if_match.into_iter().map(|version| (header::IF_MATCH, version)).collect();
        let mut request = Request::new(row.route.method.clone(), String::new(), String::new(), headers);
        request.id.clone_from(&author.id);
        request.via = Via::Mcp;
        request.caller = Some(author.caller.clone());
        request.secret = author.secret;
        request.path_parameters.extend(call.path_id);
        request.parameters = call.parameters;
        request.content = call.body.map(|body| body.to_string().into()).unwrap_or_default();
        let (request, answer) = self.run(request, self.app.settings(), row.clone()).await;
        if writes && !request.is_count_stored {
            self.store_counts().await;
        }
        let answer = match answer {
            Ok(answer) => streams::run::open(&self.waiting, &self.app, answer, &request).await,
            Err(problem) => Err(problem),
        };
        let answer = answer.map_err(|problem| {
            log_problem(&problem, &author.id, true);
            problem.in_zone(self.app.zone())
        })?;
        let version = answer.headers.get(header::ETAG).cloned();
        match answer.body {
            Body::Whole(json) if answer.status.is_success() => {
                let json =
                    serde_json::from_slice(&json).map_err(|cause| Problem::internal(cause.to_string()))?;
                Ok(RouteAnswer { json, version })
            }
            _ => Err(Problem::internal(format!("`{id}` answers no JSON"))),
        }
    }
}
