//! The checks that admit a request, in the order of the contract (contract 1): host, size of the head, token or key, route,
//! limits, rights. They need no store. What is refused has a function `ensure_…`.

pub(crate) mod host;
mod rate_limit;
pub(crate) mod standby_and_pause;

use http::header;
use http::{Method, StatusCode};

use crate::auth::{Caller, ENDED};
use crate::config::Settings;
use crate::domain::TokenHash;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::files::signed_url;
use crate::http::pages::public;
use crate::http::requests::api::Api;
use crate::http::requests::checks::standby_and_pause::{ensure_no_standby, ensure_served};
use crate::http::requests::request::Request;
use crate::http::requests::route::handler::RouteHandler;
use crate::http::requests::route::table::Target;
use crate::http::requests::route::{BASE, Route};

/// Maximum size of the request line and headers, in bytes (contract 1).
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// The result of the checks that precede the body.
pub(super) enum Admitted {
    /// A response that needs no store thread.
    Answer(Answer),
    Handle(RouteHandler),
}

impl Api {
    /// Fails if the token or key of a request has ended since its check: a body can take minutes.
    pub(super) fn ensure_in_force(&self, secret: Option<TokenHash>) -> Result<(), Problem> {
        match secret {
            Some(secret) if !self.app.auth().is_in_force(&secret) => Err(Problem::unauthenticated(ENDED)),
            _ => Ok(()),
        }
    }

    /// Runs the checks that precede the body, in the order of the contract (contract 1, order of checks), without reading the
    /// store. Answers public routes at once.
    pub(super) async fn admit(
        &self,
        request: &mut Request,
        settings: &Settings,
    ) -> Result<Admitted, Problem> {
        self.ensure_host_and_head(request, settings)?;
        if let Some(public) = public::find(&request.path) {
            let answer = public.answer(request, &self.app, &self.table, &self.description).await;
            return answer.map(Admitted::Answer);
        }
        let is_list_address = self.open_list_address(request).await?;
        let path = request.path.strip_prefix(BASE).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let path = path.ok_or_else(Problem::no_route)?;
        let target = self.table.find(&request.method, path);
        let is_signed = signed_url::opens(&target, request);
        match is_signed {
            // The handler checks the signature.
            true => ensure_served(&self.app)?,
            false if is_list_address => {}
            false => self.authenticate(request).await?,
        }
        let (row, parameters) = match target {
            Target::Route(row, parameters) => (row, parameters),
            other => {
                request.quota = self.quota(request, settings);
                return match other {
                    Target::Options(allow) => {
                        let answer = Answer::empty(StatusCode::NO_CONTENT).with(header::ALLOW, allow);
                        Ok(Admitted::Answer(answer))
                    }
                    Target::WrongMethod(allow) => Err(Problem::method_not_allowed(allow)),
                    _ => Err(Problem::no_route()),
                };
            }
        };
        request.route = Some(row.route.clone());
        request.path_parameters = parameters;
        if is_signed {
            request.is_signed = true;
            return Ok(Admitted::Handle(row.clone()));
        }
        self.count_or_wait(request, &row.route, settings)?;
        ensure_allowed(request.caller(), &row.route)?;
        ensure_no_standby(&self.app, row.route.method != Method::GET)?;
        Ok(Admitted::Handle(row.clone()))
    }

    /// Fails with 421 if the request's host is not this server, and with 431 if its head is too large.
    pub(in crate::http) fn ensure_host_and_head(
        &self,
        request: &Request,
        settings: &Settings,
    ) -> Result<(), Problem> {
        let local = request.addresses.local;
        let network = local.filter(|_| !request.is_from_here()).map(|_| self.app.lan().status());
        let names = network.as_ref().map(|status| &status.names);
        let further = &settings.server.hosts;
        if !request.host().is_some_and(|host| host::is_ours(host, local, further, names)) {
            return Err(Problem::misdirected());
        }
        let headers =
            request.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
        if headers + request.path.len() + request.query.len() > MAX_HEAD_BYTES {
            return Err(Problem::head_too_large());
        }
        Ok(())
    }

    /// Fails with 401 if the request has no token or key in force, and with 503 if the office serves none. Delays the
    /// response to a wrong one, to slow down guessing.
    pub(in crate::http) async fn authenticate(&self, request: &mut Request) -> Result<(), Problem> {
        let refusal = match self.app.auth().check(&request.headers)? {
            Ok((caller, secret)) => {
                (request.caller, request.secret) = (Some(caller), Some(secret));
                return ensure_served(&self.app);
            }
            Err(refusal) => refusal,
        };
        self.delay_bad_token(request).await;
        Err(Problem::refused(refusal))
    }

    /// Counts a wrong token, key or signature, and waits longer the more of them its address has sent.
    pub(super) async fn delay_bad_token(&self, request: &Request) {
        let wait = self.app.limits().bad_token(request.addresses.peer, self.app.monotonic());
        tokio::time::sleep(wait).await;
    }
}

/// Fails with 403 if the caller lacks a right that the route requires (access 24).
pub(super) fn ensure_allowed(caller: &Caller, route: &Route) -> Result<(), Problem> {
    match route.requires().find(|access| !caller.rights.allow(*access)) {
        Some(lacking) => Err(Problem::not_allowed(lacking)),
        None => Ok(()),
    }
}
