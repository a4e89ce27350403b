//! Calls of the program itself: its pages and imports use the API's handlers with values of their own, without a
//! token and without limits or counts (product 4).

use std::borrow::Cow;
use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::api::Api;
use super::call::{Call, HandlerContext};
use super::idempotency::{self, IdempotencyKey};
use super::request::Request;
use super::response::log_problem;
use crate::app::App;
use crate::auth::Caller;
use crate::domain::viewable;
use crate::http::answers::answer::Answer;
use crate::http::answers::handler_reply::{Work, Write, catch_panic, run_remote};
use crate::http::answers::problem::Problem;
use crate::http::files::content::{Body, Content};
use crate::http::files::download;
use crate::http::files::upload::{Received, UploadedFile};
use crate::index::Index;
use crate::store::engine::scratch;
use crate::store::journal::{Actor, Via};
use crate::store::{self, Db, Lane, Tx};

impl Api {
    /// Reads on a store thread, from one snapshot. `id` is the id of the outer request, for the log.
    pub async fn read_internally<T: Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        read: impl FnOnce(Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.on_reader(Lane::Point, id, |db| db.snapshot(read)).await
    }

    /// Finds records by the index and reads them, on the thread of lists.
    ///
    /// Takes no snapshot: a caller that waits for a part of the index must see the writes that occur while
    /// the part is built. The records that are found are read from a snapshot of their own.
    pub async fn list_internally<T: Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        list: impl FnOnce(&Index, Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = self.app.clone();
        self.on_reader(Lane::Long, id, move |db| list(app.index(), db)).await
    }

    /// Returns `true` if the request names one of the office's hosts and its head is not too large.
    pub fn recognises(&self, request: &Request) -> bool {
        self.ensure_host_and_head(request, &self.app.settings()).is_ok()
    }

    /// Receives a page's form with a file. Fails with 400 if the form is invalid, 408 if no byte
    /// arrives for 30 s, 413 if it is too large, and 503 if the disk is full.
    pub async fn receive_form(
        &self,
        request: &mut Request,
    ) -> Result<(Vec<(String, String)>, UploadedFile), Problem> {
        let Received { members, file } = self.receive_upload(request, &self.app.settings()).await?;
        Ok((members, file))
    }

    /// Returns the content that `read` finds, with the protective headers of an API download. Fails with 410
    /// if the file is not what was stored, and with 416 if the requested range is outside the content.
    pub async fn content_to_download(
        self: &Arc<Api>,
        request: &Request,
        read: impl FnOnce(Db<'_>) -> Result<Content, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let content = self.read_internally(&request.id, read).await?;
        let answer = Answer { body: Body::Content(Box::new(content)), ..Answer::empty(StatusCode::OK) };
        download::open(answer, request, &self.app).await
    }

    /// Like [`Api::content_to_download`], but for display in the browser. The content cannot run scripts, and has no
    /// access to this server's origin. Fails with 404 unless the first bytes are those of an image or a PDF.
    pub async fn content_to_view(
        self: &Arc<Api>,
        request: &Request,
        read: impl FnOnce(Db<'_>) -> Result<Content, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let content = self.read_internally(&request.id, read).await?;
        let contents = self.app.store().contents().clone();
        let hash = content.hash.clone();
        let opening = spawn_blocking(move || contents.opening(&hash).unwrap_or_default()).await;
        let media_type = opening.ok().and_then(|opening| viewable(&opening)).ok_or_else(Problem::no_route)?;
        let answer = Answer { body: Body::Content(Box::new(content)), ..Answer::empty(StatusCode::OK) };
        Ok(download::to_view(download::open(answer, request, &self.app).await?, media_type))
    }

    async fn on_reader<T: Send + 'static>(
        &self,
        lane: Lane,
        id: &str,
        read: impl FnOnce(Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let outcome = Arc::new(Mutex::new(None));
        let slot = outcome.clone();
        // A channel of results would be compiled for each of their types.
        let (done, is_done) = oneshot::channel::<()>();
        self.app.store().submit_read(lane, move |db| {
            *slot.lock() = Some(db.map_err(Problem::from).and_then(read));
            drop(done);
        });
        let _ = is_done.await;
        let read = outcome.lock().take().unwrap_or_else(|| Err(Problem::internal("a read panicked")));
        read.inspect_err(|problem| log_problem(problem, id, true))
    }

    /// Runs a handler that writes for a caller, and returns the result of the write. With a key, the write runs
    /// once, and its result is kept like a response. `id` is the id of the outer request.
    pub async fn write_internally<T: Serialize + DeserializeOwned + Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        caller: &Caller,
        key: Option<IdempotencyKey>,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<T>, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let api = self.clone();
        let settings = self.app.settings();
        let caller = caller.clone();
        let who = caller.who.clone();
        let prepare = move |db: Db<'_>| {
            let call = api.call(&settings, db, Via::Console, &caller);
            catch_panic(|| idempotency::prepare(&call, key, || handler(&call).map(Work::Write)))
        };
        let write = match self.on_reader(Lane::Point, id, prepare).await? {
            Work::Write(write) => write,
            Work::Done(done) => return Ok(done),
            Work::Remote(work) => return run_remote(work).await,
        };
        self.app.ensure_clock()?;
        let actor = Actor { via: Via::Console, who, request_id: Some(id.to_owned()), at: self.app.now() };
        let (reply, done) = oneshot::channel();
        self.app.store().submit(move |tx| write(tx.by(actor)), move |done| _ = reply.send(done));
        let written = done.await.unwrap_or_else(|_| Err(Problem::stopping()));
        written.inspect_err(|problem| log_problem(problem, id, true))
    }

    /// Runs `work` in a transaction of its own, for `caller`, and waits for it. Rolls back if `work` fails.
    pub fn in_one_transaction<T: Send + 'static, E: From<store::Error> + Send + 'static>(
        self: &Arc<Api>,
        via: Via,
        caller: Caller,
        work: impl FnOnce(&HandlersTransaction<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.app.ensure_clock()?;
        let api = self.clone();
        self.app.store().write_alone(move |tx| work(&api.handlers_in(tx, via, caller)))
    }

    /// Like [`Api::in_one_transaction`], on a scratch copy of the store (see [`scratch::run`]). The writes
    /// are discarded, and others can write meanwhile. A handler that uses the index or the document folder
    /// gets the real ones.
    pub fn on_scratch_copy<T, E: From<store::Error>>(
        &self,
        via: Via,
        tell: impl Fn(u64, u64) -> Result<(), E>,
        work: impl FnOnce(&HandlersTransaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        scratch::run(self.app.store().folder(), tell, |tx| work(&self.handlers_in(tx, via, Caller::OWNER)))
    }

    fn handlers_in<'a>(&'a self, tx: Tx<'a>, via: Via, caller: Caller) -> HandlersTransaction<'a> {
        let app = self.app.clone();
        let settings = self.app.settings();
        let cache = self.cache.clone();
        let context = HandlerContext { app, settings, cache, via, caller, search_time: Arc::default() };
        HandlersTransaction { tx, context: Cow::Owned(context) }
    }
}

impl HandlerContext {
    pub fn in_transaction<'a>(&'a self, tx: Tx<'a>) -> HandlersTransaction<'a> {
        HandlersTransaction { tx, context: Cow::Borrowed(self) }
    }
}

/// A transaction in which several handlers run. Each one sees the writes of those before it.
pub struct HandlersTransaction<'a> {
    pub tx: Tx<'a>,
    context: Cow<'a, HandlerContext>,
}

impl HandlersTransaction<'_> {
    pub fn app(&self) -> &Arc<App> {
        &self.context.app
    }

    /// Runs a handler and its write. Rolls back that write if it fails.
    pub fn handle<T>(
        &self,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<T>, Problem>,
    ) -> Result<T, Problem> {
        self.tx.savepoint(handler(&self.context.call(*self.tx))?)
    }
}
