//! The checks of a request, in the order of the contract (contract 1), and what follows them. What precedes the body
//! needs no store: host, size of the head, token or key, route, limits, rights.

use std::sync::Arc;

use http::header;
use http::{Method, StatusCode};
use parking_lot::Mutex;

use super::api::Api;
use super::host;
use super::request::Request;
use super::route::handler::RouteHandler;
use super::route::table::Target;
use super::route::{BASE, Route};
use crate::auth::{Caller, ENDED};
use crate::config::Settings;
use crate::domain::TokenHash;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::answers::{conditional, negotiation, streams};
use crate::http::files::upload::{Received, UploadHead};
use crate::http::files::{download, signed_url};
use crate::http::pages::public;
use crate::http::requests::body;
use crate::http::requests::standby_and_pause::{ensure_no_standby, ensure_served};

/// Maximum size of the request line and headers, in bytes (contract 1).
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// The result of the checks that precede the body.
enum Admitted {
    /// A response that needs no store thread.
    Answer(Answer),
    Handle(RouteHandler),
}

impl Api {
    /// Runs the checks in the order of the contract (contract 1, order of checks), then the handler.
    pub(in crate::http) async fn checks(
        self: &Arc<Api>,
        mut request: Request,
    ) -> (Request, Result<Answer, Problem>) {
        let settings = self.app.settings();
        let row = match self.admit(&mut request, &settings).await {
            Ok(Admitted::Handle(row)) => row,
            Ok(Admitted::Answer(answer)) => return (request, Ok(answer)),
            Err(problem) => return (request, Err(problem)),
        };
        let writes = row.route.method != Method::GET;
        let record = row.route.record;
        let takes_body = writes && row.route.method != Method::DELETE;
        let read = match takes_body {
            _ if row.route.takes_file => Box::pin(self.receive(&mut request, &settings)).await,
            true => self.read(&mut request, row.route.largest_body).await,
            false => Ok(()),
        };
        let (mut request, answer) = match read {
            Ok(()) => self.run(request, settings.clone(), row.clone()).await,
            Err(problem) => (request, Err(problem)),
        };
        let answer = match answer {
            // A refused request does not wait, so it counts against the limit.
            Err(problem) if request.waiting_place.take().is_some() => {
                self.count(&mut request, &row.route, &settings).and(Err(problem))
            }
            answer => answer,
        };
        let answer = match answer {
            Ok(answer) => download::open(answer, &request, &self.app).await,
            Err(problem) => Err(problem),
        };
        let answer = match answer {
            Ok(answer) => Box::pin(streams::run::open(&self.waiting, &self.app, answer, &request)).await,
            Err(problem) => Err(problem),
        };
        let is_refused = |problem: &Problem| problem.status() == StatusCode::UNAUTHORIZED;
        if request.is_signed && answer.as_ref().is_err_and(is_refused) {
            self.delay_bad_token(&request).await;
        }
        if writes && !request.is_count_stored {
            self.store_counts().await;
        }
        let answer = answer.map(|answer| match record {
            Some(_) => conditional::unless_named(answer, &request),
            None => answer,
        });
        (request, answer)
    }

    pub(in crate::http) async fn read(&self, request: &mut Request, largest: usize) -> Result<(), Problem> {
        request.content = body::read(&mut request.body, &request.headers, largest).await?;
        self.ensure_in_force(request.secret)
    }

    /// Fails if the token or key of a request has ended since its check: a body can take minutes.
    pub(super) fn ensure_in_force(&self, secret: Option<TokenHash>) -> Result<(), Problem> {
        match secret {
            Some(secret) if !self.app.auth().is_in_force(&secret) => Err(Problem::unauthenticated(ENDED)),
            _ => Ok(()),
        }
    }

    /// Receives a body that is a file or a form with a file.
    async fn receive(&self, request: &mut Request, settings: &Settings) -> Result<(), Problem> {
        let received = self.received(request, settings).await?;
        self.ensure_in_force(request.secret)?;
        request.content = received.to_json();
        request.file = Mutex::new(Some(received.file));
        Ok(())
    }

    pub(in crate::http) async fn received(
        &self,
        request: &mut Request,
        settings: &Settings,
    ) -> Result<Received, Problem> {
        let most = u64::from(settings.documents.max_mib) * 1024 * 1024;
        let head = UploadHead { headers: &request.headers, query: &request.parameters, most };
        self.uploads.receive(&mut request.body, head).await
    }

    /// Runs the checks that precede the body, without reading the store. Answers public routes at once.
    async fn admit(&self, request: &mut Request, settings: &Settings) -> Result<Admitted, Problem> {
        self.recognise(request, settings)?;
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
        Ok(match self.cached_record(&row.route, request) {
            Some(answer) => Admitted::Answer(conditional::unless_named(answer, request)),
            None => Admitted::Handle(row.clone()),
        })
    }

    /// Returns the requested record from the cache, if it is there. A request with a query or for another format goes to the handler.
    fn cached_record(&self, route: &Route, request: &Request) -> Option<Answer> {
        let kind = route.record.filter(|_| negotiation::takes_json(route, request))?.kind.into();
        // Others may not see all members.
        (request.query.is_empty() && request.caller().rights.nouns.is_all()).then_some(())?;
        let text = request.path_parameters.first()?;
        // Ids in any other notation go to the handler.
        let id = text.parse::<u32>().ok().filter(|id| id.to_string() == *text)?;
        self.app.see_others(false);
        self.cache.get(kind, id).map(|json| negotiation::varied(route, Answer::record(json)))
    }

    /// Checks that the request's host is this server, and that its head is not too large.
    pub(in crate::http) fn recognise(&self, request: &Request, settings: &Settings) -> Result<(), Problem> {
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

    /// Checks the token or key. Delays the response to a wrong one, to slow down guessing.
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
