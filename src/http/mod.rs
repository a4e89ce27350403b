//! One request, one straight line: who asks, for what, how often, with what body, and what comes of it.
//!
//! This floor knows of routes, inputs, answers and problems, and of no resource.

pub mod answer;
pub mod body;
mod call;
pub mod coding;
mod host;
pub mod input;
mod inside;
mod keyed;
mod object;
pub mod openapi;
pub mod problem;
mod public;
mod recent;
pub mod record;
mod record_cache;
mod request;
pub mod route;
mod schema;
pub mod search;
pub mod typed;
mod version;
pub mod wire;

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode, header};
use tokio::sync::oneshot;

pub use answer::{Answer, Create, Document, Listed, Made, Tagged, Update, Write};
pub use call::Call;
pub use host::is_this_machine;
pub use input::{Edit, New, PathId, Query};
pub use inside::Inside;
pub use openapi::Resource;
pub use problem::Problem;
pub use recent::{Answered, Recent};
pub use record::{Draft, InAnswers, OwnMembers};
pub use request::{Connection, Request};
pub use route::{Route, RouteTable, get, post, put};
pub use search::Search;
pub use version::{IfMatch, version_of};

use answer::{Work, header_value};
use call::MatchedRequest;
use coding::Encodings;
use problem::whole_seconds;
use record_cache::RecordCache;
use route::Target;

use crate::app::App;
use crate::config::Settings;
use crate::config::settings::Compatibility;
use crate::limits::Quota;
use crate::log;
use crate::store::{self, Tx};

/// Where the API begins (contract 1).
pub const BASE: &str = "/api/v1";

/// The longest request head: request line and headers, in bytes (contract 1).
const LARGEST_HEAD: usize = 32 * 1024;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The API over a running office.
pub struct Api {
    app: Arc<App>,
    table: RouteTable,
    resources: &'static [Resource],
    cache: Arc<RecordCache>,
    descriptions: [OnceLock<Encodings>; 2],
    recent: Recent,
}

/// What is known of a request once it is answered, for its headers and its line in the log.
#[derive(Default)]
struct Seen {
    route: Option<Arc<Route>>,
    quota: Option<Quota>,
    /// Whether the writer had it, and so stored its count too.
    committed: bool,
}

impl Api {
    /// The API of these routes, which belong to these resources.
    pub fn new(app: Arc<App>, routes: Vec<Route>, resources: &'static [Resource]) -> Arc<Api> {
        Arc::new(Api {
            cache: RecordCache::start(app.store()),
            app,
            table: RouteTable::new(routes),
            resources,
            descriptions: Default::default(),
            recent: Recent::default(),
        })
    }

    /// The routes.
    pub fn table(&self) -> &RouteTable {
        &self.table
    }

    /// The running office.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The last requests of its routes.
    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Answers a request: always an answer, whatever came.
    pub async fn answer(self: &Arc<Api>, request: &mut Request) -> http::Response<Bytes> {
        let began = self.app.monotonic();
        let id = request_id(&request.headers);
        let (method, peer) = (request.method.clone(), request.peer);
        let mut seen = Seen::default();
        let answer = self.line(request, &mut seen).await;
        let is_authenticated = request.connection.is_kept();
        let answer = answer.unwrap_or_else(|problem| {
            complain(&problem, &id, is_authenticated);
            Answer::from(problem)
        });
        let (route, status) = (seen.route.as_ref().map(|route| route.path), answer.status);
        let took = self.app.monotonic().saturating_sub(began);
        log::request(&log::Access {
            id: &id,
            method: method.as_str(),
            route: route.unwrap_or("-"),
            status: status.as_u16(),
            took,
            peer,
            is_authenticated,
        });
        if route.is_some() || status == StatusCode::UNAUTHORIZED {
            self.recent.note(Answered { at: self.app.now(), method, route, status, took });
        }
        respond(answer, &id, seen.quota)
    }

    /// The answer, and then whatever nobody has read of the body.
    async fn line(self: &Arc<Api>, request: &mut Request, seen: &mut Seen) -> Result<Answer, Problem> {
        let answer = self.checked(request, seen).await;
        request.connection.release();
        body::drain(&mut request.body, &request.headers).await;
        answer
    }

    /// The straight line (contract 1, order of checks).
    async fn checked(self: &Arc<Api>, request: &mut Request, seen: &mut Seen) -> Result<Answer, Problem> {
        let settings = self.app.settings();
        self.recognise(request, &settings)?;
        if let Some(route) = public::find(&request.path) {
            let description = || self.description(settings.api.compatibility);
            return route.answer(&request.method, request.coding, &self.app, description).await;
        }
        let path = below_base(&request.path).ok_or_else(|| Problem::not_found("Route"))?;
        self.authenticate(&request.headers, request.peer, &*request.connection).await?;
        let target = self.table.find(&request.method, path);
        let (route, parameters) = match target {
            Target::Route(route, parameters) => (route, parameters),
            other => {
                seen.quota = self.quota(&request.method, &settings);
                return match other {
                    Target::Options(allow) => {
                        Ok(Answer::empty(StatusCode::NO_CONTENT).with(header::ALLOW, allow))
                    }
                    Target::WrongMethod(allow) => Err(Problem::method_not_allowed(allow)),
                    _ => Err(Problem::not_found("Route")),
                };
            }
        };
        seen.route = Some(route.clone());
        self.admit(&route, &settings, seen)?;
        let known = route.record().and_then(|_| request.headers.get(header::IF_NONE_MATCH).cloned());
        if let Some(answer) = self.cached_record(&route, &parameters) {
            return Ok(version::unless_named(answer, known.as_ref()));
        }
        let writes = route.method != Method::GET;
        let answer = self.admitted(request, route, parameters, settings, seen).await;
        if writes && !seen.committed {
            self.store_counts().await;
        }
        answer.map(|answer| version::unless_named(answer, known.as_ref()))
    }

    /// The record that is asked for, where it was read before and nobody has written since.
    fn cached_record(&self, route: &Route, parameters: &[String]) -> Option<Answer> {
        let kind = route.record()?.kind.into();
        let text = parameters.first()?;
        // Anything that is written in another way than ids are is left for the handler to judge.
        let id = text.parse::<u32>().ok().filter(|id| id.to_string() == *text)?;
        self.app.see_others(false);
        self.cache.get(kind, id).map(Answer::record)
    }

    /// The body, and the handler.
    async fn admitted(
        self: &Arc<Api>,
        request: &mut Request,
        route: Arc<Route>,
        parameters: Vec<String>,
        settings: Arc<Settings>,
        seen: &mut Seen,
    ) -> Result<Answer, Problem> {
        let body = match route.method {
            Method::GET => Bytes::new(),
            _ => body::read(&mut request.body, &request.headers).await?,
        };
        let query = form_urlencoded::parse(request.query.as_bytes()).into_owned().collect();
        let headers = std::mem::take(&mut request.headers);
        let input = MatchedRequest { route, parameters, query, headers, body, settings };
        let (answer, committed) = self.run(input, prepare).await;
        seen.committed = committed;
        answer
    }

    /// Whether the request is meant for this server, and of a size that it takes.
    fn recognise(&self, request: &Request, settings: &Settings) -> Result<(), Problem> {
        let mut hosts = request.headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let authority = request.authority.as_deref().or(host).unwrap_or_default();
        // Of several hosts nobody can tell which is meant (RFC 9112, 3.2).
        let network = (!request.is_from_here()).then(|| self.app.lan().standing());
        let (further, network) = (&settings.server.hosts, network.as_ref().map(|standing| &standing.names));
        if hosts.next().is_some() || !host::is_ours(authority, request.local, further, network) {
            return Err(Problem::misdirected());
        }
        let headers =
            request.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
        if headers + request.path.len() + request.query.len() > LARGEST_HEAD {
            return Err(Problem::head_too_large());
        }
        Ok(())
    }

    /// Whether the token is in force. Who guesses waits for the answer.
    async fn authenticate(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
        connection: &dyn Connection,
    ) -> Result<(), Problem> {
        let header = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        let Err(refusal) = self.app.auth().check(header)? else {
            return if connection.keep() {
                Problem::if_not_served(&self.app)
            } else {
                Err(Problem::displaced())
            };
        };
        connection.release();
        let wait = self.app.limits().bad_token(peer, self.app.monotonic());
        tokio::time::sleep(wait).await;
        Err(Problem::unauthenticated(refusal.as_str()))
    }

    /// Counts the request against its limit. The count of a write is stored with whatever is committed next.
    fn admit(&self, route: &Route, settings: &Settings, seen: &mut Seen) -> Result<(), Problem> {
        let limits = self.app.limits();
        let per_day = match route.method {
            Method::POST => Some(settings.limits.post_per_day),
            Method::PUT => Some(settings.limits.put_per_day),
            _ => None,
        };
        let admitted = match per_day {
            Some(limit) => limits.write(route.key(), limit, self.app.moment()),
            None => limits.read(settings.limits.get_per_minute, self.app.monotonic()),
        };
        seen.quota = admitted.unwrap_or_else(Some);
        admitted.map(|_| ()).map_err(|quota| Problem::rate_limited(&quota))
    }

    /// Waits until the counts are on disk. Where that fails, they stand in memory all the same, and no caller is to blame.
    async fn store_counts(&self) {
        let (reply, stored) = oneshot::channel();
        let store = |_: Tx<'_>| Ok(());
        self.app.store().submit(store, move |done: Result<(), store::Error>| {
            let _ = reply.send(done);
        });
        let _ = stored.await;
    }

    /// How the caller of no route stands: nothing is counted.
    fn quota(&self, method: &Method, settings: &Settings) -> Option<Quota> {
        let daily = |limit| {
            let reset = self.app.moment().left_of_day;
            (limit > 0).then_some(Quota { limit, remaining: limit, reset })
        };
        match *method {
            Method::POST => daily(settings.limits.post_per_day),
            Method::PUT => daily(settings.limits.put_per_day),
            _ => self.app.limits().reads(settings.limits.get_per_minute, self.app.monotonic()),
        }
    }

    /// Runs the handler on a store thread, and what it wants written on the writer's; with whether it was there.
    async fn run<T: Send + 'static>(
        self: &Arc<Api>,
        input: MatchedRequest,
        handler: impl FnOnce(&Call<'_>) -> Result<Work<T>, Problem> + Send + 'static,
    ) -> (Result<T, Problem>, bool) {
        let (reply, answer) = oneshot::channel();
        let api = self.clone();
        self.app.store().submit_read(input.route.lane(), move |db| {
            let call = |db| Call::new(&api.app, &api.cache, db, &input);
            let prepared = db.map_err(Problem::from).and_then(|db| handler(&call(db)));
            match prepared {
                Ok(Work::Write(writing)) => api.app.store().submit(writing, move |done| {
                    let _ = reply.send((done, true));
                }),
                Ok(Work::Done(answer)) => _ = reply.send((Ok(answer), false)),
                Err(problem) => _ = reply.send((Err(problem), false)),
            }
        });
        answer.await.unwrap_or_else(|_| (Err(Problem::internal("the handler panicked")), false))
    }

    /// The description of the API, made when it is first asked for.
    fn description(&self, compatibility: Compatibility) -> &Encodings {
        let [document, live] = &self.descriptions;
        let slot = if compatibility == Compatibility::Live { live } else { document };
        slot.get_or_init(|| {
            let document = openapi::document(&self.table, self.resources, compatibility);
            Encodings::of(document.to_string().into())
        })
    }
}

/// What a call comes to: what its sender has already, the first answer to its key, or what its handler makes of it.
fn prepare(call: &Call<'_>) -> Result<Work, Problem> {
    let route = call.route();
    if route.is_list() {
        version::unless_known(call, || route.run(call))
    } else if route.method == Method::GET {
        route.run(call)
    } else {
        // Everything that a write is checked against is of one state.
        call.db().snapshot(|_| keyed::prepare(call, |call| route.run(call)))
    }
}

/// Says in the log what the caller is not told.
fn complain(problem: &Problem, id: &str, is_authenticated: bool) {
    if let Some(cause) = problem.cause() {
        log::cause(id, problem.code(), cause, problem.is_ours(), is_authenticated);
    }
}

fn below_base(path: &str) -> Option<&str> {
    path.strip_prefix(BASE).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn respond(answer: Answer, id: &str, quota: Option<Quota>) -> http::Response<Bytes> {
    let mut response = http::Response::new(answer.body);
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    *headers = answer.headers;
    headers.insert(REQUEST_ID, header_value(id));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Professional secrets do not belong into anybody's cache.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(quota) = quota {
        headers.insert("x-ratelimit-limit", quota.limit.into());
        headers.insert("x-ratelimit-remaining", quota.remaining.into());
        headers.insert("x-ratelimit-reset", whole_seconds(&quota).into());
    }
    response
}

/// The caller's own id where it is a sane one, else a new one.
pub fn request_id(headers: &HeaderMap) -> String {
    let sane = |id: &&str| {
        (1..=128).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'))
    };
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(sane);
    given.map_or_else(|| format!("{:016x}", rand::random::<u64>()), str::to_owned)
}
