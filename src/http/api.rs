//! The API over a running office: one straight line from a request to its answer.

use std::sync::Arc;

use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::answer::Answer;
use super::call::Call;
use super::content::Body;
use super::describe::Messages;
use super::handler::{RouteHandler, Run};
use super::header::header_value;
use super::openapi::{Description, Resource};
use super::problem::Problem;
use super::recent::{Answered, Recent};
use super::record_cache::RecordCache;
use super::reply::{Work, ask, caught};
use super::request::{REQUEST_ID, Request};
use super::route::{BASE, Route};
use super::table::{RouteTable, Target};
use super::upload::{Received, UploadHead, Uploads};
use super::waiting::WaitingPlaces;
use super::{accept, body, download, followers, host, ignored, keyed, public, signature, version};
use crate::app::App;
use crate::config::Settings;
use crate::log;
use crate::store::{self, Tx};

/// The longest request head: request line and headers, in bytes (contract 1).
const LARGEST_HEAD: usize = 32 * 1024;

/// The API over a running office.
pub struct Api {
    pub(super) app: Arc<App>,
    pub(super) table: RouteTable,
    description: Description,
    cache: Arc<RecordCache>,
    recent: Recent,
    uploads: Uploads,
    ignored: ignored::Told,
    pub(super) waiting: Arc<WaitingPlaces>,
}

/// What a request that may be answered comes to.
enum Admitted {
    /// An answer that no store thread is needed for.
    Answer(Answer),
    /// What its handler makes of it.
    Handle(RouteHandler),
}

impl Api {
    /// The API of these routes, which belong to these resources, and of these messages.
    pub fn new(
        app: Arc<App>,
        routes: Vec<RouteHandler>,
        resources: &'static [Resource],
        messages: Messages,
    ) -> Arc<Api> {
        Arc::new(Api {
            cache: RecordCache::start(app.store()),
            uploads: Uploads::of(app.store().contents().clone()),
            app,
            table: RouteTable::new(routes),
            description: Description::new(resources, messages),
            recent: Recent::default(),
            ignored: ignored::Told::default(),
            waiting: Arc::default(),
        })
    }

    /// The routes.
    pub fn table(&self) -> &RouteTable {
        &self.table
    }

    /// What is kept of records as JSON.
    pub(super) fn cache(&self) -> &RecordCache {
        &self.cache
    }

    /// The running office.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The last requests of its routes.
    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Answers a request: always an answer, whatever came. Whatever nobody has read of its body is read then.
    pub async fn answer(self: &Arc<Api>, request: Request) -> http::Response<Body> {
        let began = self.app.monotonic();
        let (mut request, answer) = self.line(request).await;
        request.release();
        body::drain(&mut request.body, &request.headers).await;
        let is_authenticated = request.is_kept();
        let answer = answer.unwrap_or_else(|problem| {
            complain(&problem, &request.id, is_authenticated);
            Answer::problem(&problem.in_zone(self.app.zone()), accept::lang(&request.headers))
        });
        let (route, status) = (request.route.as_ref().map(|route| route.path), answer.status);
        let took = self.app.monotonic().saturating_sub(began);
        log::request(&log::Access {
            id: &request.id,
            method: request.method.as_str(),
            route: route.unwrap_or("-"),
            status: status.as_u16(),
            took,
            peer: request.addresses.peer,
            is_authenticated,
        });
        if let Some(route) = route.filter(|_| !request.ignored.get_mut().is_empty()) {
            self.ignored.tell(&request.id, route, self.app.monotonic());
        }
        let response = respond(answer, &mut request);
        if route.is_some() || status == StatusCode::UNAUTHORIZED {
            self.recent.note(Answered { at: self.app.now(), method: request.method, route, status, took });
        }
        response
    }

    /// The straight line (contract 1, order of checks).
    async fn line(self: &Arc<Api>, mut request: Request) -> (Request, Result<Answer, Problem>) {
        let settings = self.app.settings();
        let row = match self.admit(&mut request, &settings).await {
            Ok(Admitted::Handle(row)) => row,
            Ok(Admitted::Answer(answer)) => return (request, Ok(answer)),
            Err(problem) => return (request, Err(problem)),
        };
        let (writes, record) = (row.route.method != Method::GET, row.route.record);
        let takes_body = writes && row.route.method != Method::DELETE;
        let read = match takes_body {
            _ if row.route.takes_file => Box::pin(self.receive(&mut request, &settings)).await,
            true => self.read(&mut request, row.route.largest_body).await,
            false => Ok(()),
        };
        let (mut request, answer) = match read {
            Ok(()) => self.run(request, settings.clone(), prepare(row.run)).await,
            Err(problem) => (request, Err(problem)),
        };
        let answer = match answer {
            // A request that is refused does not wait, and so is counted after all.
            Err(problem) if request.place.take().is_some() => {
                self.count(&mut request, &row.route, &settings).and(Err(problem))
            }
            answer => answer,
        };
        let answer = match answer {
            Ok(answer) => download::open(answer, &request, &self.app).await,
            Err(problem) => Err(problem),
        };
        let answer = match answer {
            Ok(answer) => Box::pin(followers::open(&self.waiting, &self.app, answer, &request)).await,
            Err(problem) => Err(problem),
        };
        let is_refused = |problem: &Problem| problem.status() == StatusCode::UNAUTHORIZED;
        if request.is_signed && answer.as_ref().is_err_and(is_refused) {
            let wait = self.app.limits().bad_token(request.addresses.peer, self.app.monotonic());
            tokio::time::sleep(wait).await;
        }
        if writes && !request.is_count_stored {
            self.store_counts().await;
        }
        let answer = answer.map(|answer| match record {
            Some(_) => version::unless_named(answer, &request),
            None => answer,
        });
        (request, answer)
    }

    /// Takes in the body, of at most `largest` bytes.
    async fn read(&self, request: &mut Request, largest: usize) -> Result<(), Problem> {
        request.content = body::read(&mut request.body, &request.headers, largest).await?;
        Ok(())
    }

    /// Takes in a body that is a file, or a form with one.
    async fn receive(&self, request: &mut Request, settings: &Settings) -> Result<(), Problem> {
        let received = self.received(request, settings).await?;
        request.content = received.to_json();
        request.file = Mutex::new(Some(received.file));
        Ok(())
    }

    pub(super) async fn received(
        &self,
        request: &mut Request,
        settings: &Settings,
    ) -> Result<Received, Problem> {
        let most = u64::from(settings.documents.max_mib) * 1024 * 1024;
        let head = UploadHead { headers: &request.headers, query: &request.parameters, most };
        self.uploads.receive(&mut request.body, head, &|| self.app.monotonic()).await
    }

    /// What comes before the body. All of it is in memory.
    async fn admit(&self, request: &mut Request, settings: &Settings) -> Result<Admitted, Problem> {
        self.recognise(request, settings)?;
        if let Some(public) = public::find(&request.path) {
            let answer = public.answer(request, &self.app, &self.table, &self.description).await;
            return answer.map(Admitted::Answer);
        }
        let path = request.path.strip_prefix(BASE).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let path = path.ok_or_else(Problem::no_route)?;
        let target = self.table.find(&request.method, path);
        let is_signed = signature::opens(&target, request);
        match is_signed {
            // Its handler looks at the signature.
            true => Problem::if_not_served(&self.app)?,
            false => self.authenticate(request).await?,
        }
        let (row, parameters) = match target {
            Target::Route(row, parameters) => (row, parameters),
            other => {
                request.quota = self.quota(&request.method, settings);
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
        Ok(match self.cached_record(&row.route, request) {
            Some(answer) => Admitted::Answer(version::unless_named(answer, request)),
            None => Admitted::Handle(row.clone()),
        })
    }

    /// The record that is asked for, where it was read before and nobody has written since. A query is left for the handler.
    fn cached_record(&self, route: &Route, request: &Request) -> Option<Answer> {
        let kind = route.record.filter(|_| request.query.is_empty())?.kind.into();
        let text = request.path_parameters.first()?;
        // Anything that is written in another way than ids are is left for the handler to judge.
        let id = text.parse::<u32>().ok().filter(|id| id.to_string() == *text)?;
        self.app.see_others(false);
        self.cache.get(kind, id).map(Answer::record)
    }

    /// Whether the request is meant for this server, and of a size that it takes.
    fn recognise(&self, request: &Request, settings: &Settings) -> Result<(), Problem> {
        let network = (!request.is_from_here()).then(|| self.app.lan().standing());
        let (further, network) = (&settings.server.hosts, network.as_ref().map(|standing| &standing.names));
        let local = request.addresses.local;
        if !request.host().is_some_and(|host| host::is_ours(host, local, further, network)) {
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
    async fn authenticate(&self, request: &mut Request) -> Result<(), Problem> {
        let refusal = match self.app.auth().check(&request.headers)? {
            Ok(last_four) => {
                request.who = Some(last_four);
                return match request.keep() {
                    true => Problem::if_not_served(&self.app),
                    false => Err(Problem::displaced()),
                };
            }
            Err(refusal) => refusal,
        };
        request.release();
        let wait = self.app.limits().bad_token(request.addresses.peer, self.app.monotonic());
        tokio::time::sleep(wait).await;
        Err(Problem::unauthenticated(refusal.as_str()))
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

    /// Runs the handler of the request's route on a store thread, and what it wants written on the writer's. The request
    /// goes along, and comes back with what becomes of it.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Api>,
        mut request: Request,
        settings: Arc<Settings>,
        handler: impl FnOnce(&Call<'_>) -> Result<Work<T>, Problem> + Send + 'static,
    ) -> (Request, Result<T, Problem>) {
        let Some(route) = request.route.clone() else {
            return (request, Err(Problem::no_route()));
        };
        // It waits here, where it keeps no store thread from answering others; boxed, as every request carries its room along.
        if let Some(begun) = route.listed.and_then(|table| self.app.index().begun(table)) {
            Box::pin(begun).await;
        }
        let (reply, answer) = oneshot::channel();
        let (outside, asked) = oneshot::channel();
        let api = self.clone();
        self.app.store().submit_read(route.lane(), move |db| {
            let (app, cache) = (&api.app, &*api.cache);
            let call = |db| Call { app, settings: &settings, cache, db, request: &request, route: &route };
            let prepared = db.map_err(Problem::from).and_then(|db| caught(|| handler(&call(db))));
            match prepared {
                Ok(Work::Write(writing)) => {
                    let actor = request.actor(app.now());
                    app.store().submit(
                        move |tx| writing(tx.by(actor)),
                        move |done| {
                            request.is_count_stored = true;
                            let _ = reply.send((request, done));
                        },
                    );
                }
                Ok(Work::Done(answer)) => _ = reply.send((request, Ok(answer))),
                Ok(Work::Outside(work)) => _ = outside.send((request, work)),
                Err(problem) => _ = reply.send((request, Err(problem))),
            }
        });
        tokio::select! {
            biased;
            Ok(done) = answer => done,
            Ok((request, work)) = asked => (request, ask(work).await),
            // Never: the store runs whatever is queued, or says why it does not.
            else => std::future::pending().await,
        }
    }
}

/// What a call comes to: what its sender has already, the first answer to its key, or what its handler makes of it.
fn prepare(run: Run) -> impl FnOnce(&Call<'_>) -> Result<Work, Problem> + Send + 'static {
    move |call| {
        if call.route.is_list() {
            version::unless_known(call, || run(call))
        } else if call.route.method == Method::GET {
            run(call)
        } else {
            // Everything that a write is checked against is of one state.
            call.db.snapshot(|_| keyed::prepare(call, |call| run(call)))
        }
    }
}

/// Says in the log what the caller is not told.
pub(super) fn complain(problem: &Problem, id: &str, is_authenticated: bool) {
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
    // Professional secrets do not belong into anybody's cache.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    request.ignored.get_mut().add_to(headers);
    if let Some(quota) = request.quota {
        headers.insert("x-ratelimit-limit", quota.limit.into());
        headers.insert("x-ratelimit-remaining", quota.remaining.into());
        headers.insert("x-ratelimit-reset", quota.whole_seconds().into());
    }
    response
}
