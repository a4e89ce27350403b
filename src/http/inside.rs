//! Requests of the program's own pages: the handlers, inputs and problems of the API as they are, without a token, and
//! outside the limits and their counts (product 4).

use std::sync::Arc;

use http::{Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::answer::Answer;
use super::api::{Api, complain};
use super::call::Call;
use super::content::{Body, Content};
use super::download;
use super::keyed;
use super::problem::Problem;
use super::reply::{Work, Write};
use super::request::Request;
use super::route::Route;
use super::table::Target;
use super::upload::{Received, UploadedFile};
use crate::app::App;
use crate::config::Settings;
use crate::domain::viewable;
use crate::index::Index;
use crate::store::{self, Db, Lane, Tx, scratch};

impl Api {
    /// Reads on a store thread, all of it of one state. `id` is that of the request from outside that it is part of, for
    /// the log.
    ///
    /// # Errors
    /// What `read` answers, or why the store cannot be read.
    pub async fn read_inside<T: Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        read: impl FnOnce(Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.on_reader(Lane::Point, id, |db| db.snapshot(read)).await
    }

    /// Finds records by the index and reads them, where lists are read. Not of one state: whoever asks the index for a part
    /// that does not stand yet has to see what others write while it is built. What is read of the records found has
    /// a snapshot of its own.
    ///
    /// # Errors
    /// What `list` answers, or why the store cannot be read.
    pub async fn list_inside<T: Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        list: impl FnOnce(&Index, Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = self.app.clone();
        self.on_reader(Lane::Long, id, move |db| list(app.index(), db)).await
    }

    /// Takes in a page's form with a file in it.
    ///
    /// # Errors
    /// 400 where it cannot be read, 408 where it comes too slowly, 413 past a bound, 503 where the disk has no room.
    pub async fn receive_inside(
        &self,
        request: &mut Request,
    ) -> Result<(Vec<(String, String)>, UploadedFile), Problem> {
        let Received { members, file } = self.received(request, &self.app.settings()).await?;
        Ok((members, file))
    }

    /// The content that `read` finds, as the API answers with it to `request`: with the same guards around it.
    ///
    /// # Errors
    /// What `read` answers; 410 where the file is not what was stored, 416 where it does not have what is wanted.
    pub async fn content_inside(
        self: &Arc<Api>,
        request: &Request,
        read: impl FnOnce(Db<'_>) -> Result<Content, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let content = self.read_inside(&request.id, read).await?;
        let answer = Answer { body: Body::Content(Box::new(content)), ..Answer::empty(StatusCode::OK) };
        download::open(answer, request, &self.app).await
    }

    /// The same to be looked at: only a picture or a PDF, which its own bytes tell. Nothing of it runs, and its origin is none of
    /// this server's.
    ///
    /// # Errors
    /// 404 if it is anything else; otherwise as [`Api::content_inside`].
    pub async fn content_to_view(
        self: &Arc<Api>,
        request: &Request,
        read: impl FnOnce(Db<'_>) -> Result<Content, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let content = self.read_inside(&request.id, read).await?;
        let (contents, hash) = (self.app.store().contents().clone(), content.hash.clone());
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
        let (reply, done) = oneshot::channel();
        self.app.store().submit_read(lane, move |db| {
            let _ = reply.send(db.map_err(Problem::from).and_then(read));
        });
        let read = done.await.unwrap_or_else(|_| Err(Problem::internal("a read panicked")));
        read.inspect_err(|problem| complain(problem, id, true))
    }

    /// Has a handler of the request's route write, and answers with what it says itself. A request that carries an
    /// `Idempotency-Key` writes once, and what it says is kept like an answer.
    ///
    /// # Errors
    /// What is wrong with the request, or with us.
    pub async fn write_inside<T: Serialize + DeserializeOwned + Send + 'static>(
        self: &Arc<Api>,
        mut request: Request,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<T>, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if let Target::Route(row, parameters) = self.table.find(&request.method, &request.path) {
            request.route = Some(row.route.clone());
            request.path_parameters = parameters;
        }
        let prepare = move |call: &Call<'_>| {
            call.db().snapshot(|_| keyed::prepare(call, |call| handler(call).map(Work::Write)))
        };
        let (request, written) = self.run(request, self.app.settings(), prepare).await;
        written.inspect_err(|problem| complain(problem, &request.id, true))
    }
}

/// One transaction in which many handlers run: each sees what those before it have written.
pub struct HandlersTransaction<'a> {
    /// The transaction.
    pub tx: Tx<'a>,
    api: &'a Api,
    settings: Arc<Settings>,
    route: &'a Route,
}

impl Api {
    /// Has `work` run handlers in a transaction of its own, and waits for it. Nothing of it stays where it fails.
    ///
    /// # Errors
    /// What `work` answers, or why the store cannot be written.
    pub fn in_one_transaction<T: Send + 'static, E: From<store::Error> + Send + 'static>(
        self: &Arc<Api>,
        work: impl FnOnce(&HandlersTransaction<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let api = self.clone();
        self.app.store().write_alone(move |tx| work(&api.handlers_in(tx)?))
    }

    /// Like [`Api::in_one_transaction`], on a scratch copy of the store (see [`scratch::run`]): nothing of it stays, and others
    /// write meanwhile. A handler that asks the index or the document folder gets what is really there.
    ///
    /// # Errors
    /// What `work` or `tell` returns, or why there is no copy.
    pub fn on_scratch_copy<T, E: From<store::Error>>(
        &self,
        tell: impl Fn(u64, u64) -> Result<(), E>,
        work: impl FnOnce(&HandlersTransaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        scratch::run(self.app.store().folder(), tell, |tx| work(&self.handlers_in(tx)?))
    }

    fn handlers_in<'a>(&'a self, tx: Tx<'a>) -> Result<HandlersTransaction<'a>, store::Error> {
        let route = self.table.routes().next();
        let route = route.ok_or_else(|| store::Error::Defect("the API has no route".to_owned()))?;
        Ok(HandlersTransaction { tx, api: self, settings: self.app.settings(), route })
    }
}

impl HandlersTransaction<'_> {
    /// The running office.
    pub fn app(&self) -> &Arc<App> {
        &self.api.app
    }

    /// Runs a handler and the write that it gives back; nothing of it is left where it refuses. `id` is that of its path.
    ///
    /// # Errors
    /// Why it refuses.
    pub fn handle<T>(
        &self,
        id: Option<u32>,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<T>, Problem>,
    ) -> Result<T, Problem> {
        let mut request = Request::internal("import", Method::POST, "");
        request.path_parameters = id.iter().map(u32::to_string).collect();
        let (app, cache) = (&self.api.app, self.api.cache());
        let (settings, route) = (&*self.settings, self.route);
        let call = Call { app, settings, cache, db: *self.tx, request: &request, route };
        self.tx.savepoint(handler(&call)?)
    }
}
