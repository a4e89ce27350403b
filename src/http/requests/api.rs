//! The API of a running office: its routes, and how a handler runs on the store threads.

use std::cell::OnceCell;
use std::sync::Arc;

use http::Method;
use tokio::sync::oneshot;

use super::call::Call;
use super::idempotency;
use super::idempotency::IdempotencyKey;
use super::latest_requests::LatestRequests;
use super::request::Request;
use super::route::extract::RoutedRequest;
use super::route::handler::{RouteHandler, Run};
use super::route::table::RouteTable;
use crate::app::App;
use crate::auth::Caller;
use crate::config::Settings;
use crate::http::answers::answer::Answer;
use crate::http::answers::conditional;
use crate::http::answers::handler_reply::{Work, catch_panic, run_remote};
use crate::http::answers::problem::Problem;
use crate::http::answers::record_cache::RecordCache;
use crate::http::answers::streams::waiting_limit::WaitingPlaces;
use crate::http::files::upload::Uploads;
use crate::http::json::ignored;
use crate::http::openapi::describe::Messages;
use crate::http::openapi::{Description, Resource};
use crate::store::journal::Via;
use crate::store::{self, Db, Tx};

pub struct Api {
    pub(in crate::http) app: Arc<App>,
    pub(in crate::http) table: RouteTable,
    pub(super) description: Description,
    pub(in crate::http) cache: Arc<RecordCache>,
    pub(in crate::http) latest_requests: LatestRequests,
    pub(super) uploads: Uploads,
    pub(in crate::http) ignored: ignored::WarningTimes,
    pub(in crate::http) waiting: Arc<WaitingPlaces>,
}

impl Api {
    /// Creates the API from its routes, the resources that group them, and the descriptions of webhook messages.
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
            latest_requests: LatestRequests::default(),
            ignored: ignored::WarningTimes::default(),
            waiting: Arc::default(),
        })
    }

    pub fn table(&self) -> &RouteTable {
        &self.table
    }

    pub(in crate::http) fn call<'a>(
        &'a self,
        settings: &'a Arc<Settings>,
        db: Db<'a>,
        via: Via,
        caller: &'a Caller,
    ) -> Call<'a> {
        let db = db.seen_by(caller.rights.nouns);
        Call { app: &self.app, settings, cache: &self.cache, db, via, caller, search_time: OnceCell::new() }
    }

    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    pub fn latest_requests(&self) -> &LatestRequests {
        &self.latest_requests
    }

    /// Waits until the counts are on disk. Ignores a failure: the counts are still in memory, and the client
    /// is not at fault.
    pub(in crate::http) async fn store_counts(&self) {
        let (reply, stored) = oneshot::channel();
        let store = |_: Tx<'_>| Ok(());
        self.app.store().submit(store, move |done: Result<(), store::Error>| {
            let _ = reply.send(done);
        });
        let _ = stored.await;
    }

    /// Runs a handler on a store thread, and its write on the writer thread. Returns the request together
    /// with the response.
    pub(in crate::http) async fn run(
        self: &Arc<Api>,
        mut request: Request,
        settings: Arc<Settings>,
        RouteHandler { route, run }: RouteHandler,
    ) -> (Request, Result<Answer, Problem>) {
        // Waits for the index here, so that no store thread is blocked. Boxed, because the future of every
        // request would otherwise reserve room for this one.
        let indexed = route.listed.or(route.looked_up);
        if let Some(begun) = indexed.and_then(|table| self.app.index().begun(table)) {
            Box::pin(begun).await;
        }
        let (reply, answer) = oneshot::channel();
        let (outside, remote_work) = oneshot::channel();
        let api = self.clone();
        self.app.store().submit_read(route.lane(), move |db| {
            let app = &api.app;
            let prepared = db.map_err(Problem::from).and_then(|db| {
                let call = api.call(&settings, db, request.via, request.caller());
                catch_panic(|| prepare(&run, &RoutedRequest { call, request: &request, route: &route }))
            });
            match prepared {
                Ok(Work::Write(_)) if app.ensure_clock().is_err() => {
                    _ = reply.send((request, Err(Problem::clock())))
                }
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
                Ok(Work::Remote(work)) => _ = outside.send((request, work)),
                Err(problem) => _ = reply.send((request, Err(problem))),
            }
        });
        tokio::select! {
            biased;
            Ok(done) = answer => done,
            Ok((request, work)) = remote_work => (request, run_remote(work).await),
            // Unreachable: the store runs every queued job, or reports why it did not.
            else => std::future::pending().await,
        }
    }
}

/// Runs a handler. A list may be answered with 304, and a write with the first response to its idempotency key.
fn prepare(run: &Run, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
    if routed.route.is_list() {
        conditional::unless_known(routed, || run(routed))
    } else if routed.route.method == Method::GET {
        run(routed)
    } else {
        idempotency::prepare(&routed.call, IdempotencyKey::of_request(routed)?, || run(routed))
    }
}
