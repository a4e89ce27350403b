//! The response to a request that was checked and handled: its headers, and its line in the access log.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::header::{self, HeaderValue};

use super::api::Api;
use super::latest_requests::RequestSummary;
use super::request::{REQUEST_ID, Request};
use crate::http::answers::answer::Answer;
use crate::http::answers::header::header_value;
use crate::http::answers::negotiation;
use crate::http::answers::problem::Problem;
use crate::http::files::content::Body;
use crate::http::requests::body;
use crate::log;
use crate::store::journal::Who;

impl Api {
    /// Handles one request and always produces a response.
    pub async fn answer(self: &Arc<Api>, request: Request) -> http::Response<Body> {
        let began = self.app.monotonic();
        let (request, answer) = self.handle(request).await;
        self.finish(request, answer, began).await
    }

    /// Returns the response to a request that began at `began`, a time of the monotonic clock. Drains what is left of the
    /// request body, so that the connection can be reused.
    pub async fn finish(
        &self,
        mut request: Request,
        answer: Result<Answer, Problem>,
        began: Duration,
    ) -> http::Response<Body> {
        body::drain(&mut request.body, &request.headers).await;
        let is_authenticated = request.is_authenticated();
        let answer = answer.unwrap_or_else(|problem| {
            log_problem(&problem, &request.id, is_authenticated);
            Answer::problem(&problem.in_zone(self.app.zone()), negotiation::lang(&request.headers))
        });
        let (route, status) = (request.route.as_ref().map(|route| route.path), answer.status);
        let took = self.app.monotonic().saturating_sub(began);
        let who = &request.caller().who;
        self.app.note_request(&log::RequestEntry {
            id: &request.id,
            method: request.method.as_str(),
            route: route.unwrap_or("-"),
            status: status.as_u16(),
            took,
            peer: request.addresses.peer,
            is_authenticated,
            who: who.as_ref().filter(|who| !matches!(who, Who::Token(_))).map(|who| who as _),
        });
        if let Some(route) = route.filter(|_| !request.ignored.get_mut().is_empty()) {
            self.ignored.warn(&request.id, route, self.app.monotonic());
        }
        let response = respond(answer, &mut request);
        if route.is_some() || status == StatusCode::UNAUTHORIZED {
            self.latest_requests.note(RequestSummary {
                at: self.app.now(),
                method: request.method,
                route,
                status,
                took,
            });
        }
        response
    }
}

/// Logs the cause of a problem, which the response does not contain.
pub(in crate::http) fn log_problem(problem: &Problem, id: &str, is_authenticated: bool) {
    if let Some(cause) = problem.cause() {
        log::cause(id, problem.code(), cause, problem.is_ours(), is_authenticated);
    }
}

fn respond(answer: Answer, request: &mut Request) -> http::Response<Body> {
    let mut response = http::Response::new(answer.body);
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    *headers = answer.headers;
    headers.insert(REQUEST_ID, header_value(&request.id));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Responses contain professional secrets, so they must not be cached.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    request.ignored.get_mut().add_to(headers);
    if let Some(quota) = request.quota {
        headers.insert("x-ratelimit-limit", quota.limit.into());
        headers.insert("x-ratelimit-remaining", quota.remaining.into());
        headers.insert("x-ratelimit-reset", quota.whole_seconds().into());
    }
    response
}
