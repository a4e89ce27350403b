//! The path of a request of another protocol than the API's, such as that of assistants (assistants 47): a POST outside the
//! base, with the checks of every request. What it reads comes from the routes of the API.

use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderValue};
use http::{Method, StatusCode};
use serde_json::Value;
use tokio::sync::oneshot;

use super::api::Api;
use super::request::Request;
use super::response::log_problem;
use super::route::Route;
use crate::auth::Caller;
use crate::domain::TokenHash;
use crate::http::answers::problem::Problem;
use crate::http::answers::streams;
use crate::http::files::content::Body;
use crate::store::{self, Tx};

/// The author of a request whose checks are done, for the reads that the request consists of.
#[derive(Clone)]
pub struct Author {
    /// Id of the request, for the log.
    id: String,
    pub caller: Caller,
    secret: Option<TokenHash>,
}

impl Author {
    pub fn of(request: &Request) -> Author {
        Author { id: request.id.clone(), caller: request.caller().clone(), secret: request.secret }
    }
}

impl Api {
    /// Checks host, origin, token, method and body of a request to a path outside the base, and reads the body. The request
    /// is not counted.
    ///
    /// # Errors
    /// 421, 431, 403 for a page of another site, 401, 503, 405, and those of the body: 408, 413, 415.
    pub async fn admit_protocol(&self, request: &mut Request, route: &Arc<Route>) -> Result<(), Problem> {
        let settings = self.app.settings();
        self.recognise(request, &settings)?;
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
        self.read(request, route.largest_body).await
    }

    /// Writes to the store what comes beside an answer, and waits until the commit is on disk. Other writes may share it.
    ///
    /// # Errors
    /// A store that cannot be written, such as that of a standby.
    pub async fn write_beside(
        &self,
        write: impl FnOnce(Tx<'_>) -> Result<(), store::Error> + Send + 'static,
    ) -> Result<(), Problem> {
        let (reply, written) = oneshot::channel();
        self.app.store().submit(write, move |done| _ = reply.send(done));
        Ok(written.await.map_err(|_| Problem::stopping())??)
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
        let row = self.table.by_id(id).ok_or_else(|| Problem::internal(format!("no route `{id}`")))?;
        let rights = author.caller.rights;
        if let Some(lacking) = row.route.requires().find(|access| !rights.allow(*access)) {
            return Err(Problem::not_allowed(lacking));
        }
        let mut request = Request::new(Method::GET, String::new(), String::new(), HeaderMap::new());
        request.id.clone_from(&author.id);
        request.caller = Some(author.caller.clone());
        request.secret = author.secret;
        request.path_parameters.extend(path_id.map(str::to_owned));
        request.parameters = parameters;
        let (request, answer) = self.run(request, self.app.settings(), row.clone()).await;
        let answer = match answer {
            Ok(answer) => streams::run::open(&self.waiting, &self.app, answer, &request).await,
            Err(problem) => Err(problem),
        };
        let answer = answer.map_err(|problem| {
            log_problem(&problem, &author.id, true);
            problem.in_zone(self.app.zone())
        })?;
        match answer.body {
            Body::Whole(json) if answer.status == StatusCode::OK => {
                serde_json::from_slice(&json).map_err(|cause| Problem::internal(cause.to_string()))
            }
            _ => Err(Problem::internal(format!("`{id}` answers no JSON"))),
        }
    }
}
