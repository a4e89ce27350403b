//! Requests of the program's own pages: the handlers, inputs and problems of the API as they are, without a token, and
//! outside the limits and their counts (product 4).

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use http::header::{HeaderMap, HeaderName};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::answer::{Work, Write, header_value};
use super::call::{Call, MatchedRequest};
use super::problem::Problem;
use super::route::Target;
use super::{Api, complain, keyed};
use crate::index::Index;
use crate::store::{Db, Lane};

/// A request from inside the program that writes.
#[derive(Debug)]
pub struct Inside {
    /// Its method.
    pub method: Method,
    /// Its path below the base, such as `/customers/17`.
    pub path: String,
    /// What tells it from another of the same `Idempotency-Key`; may be empty.
    pub body: Bytes,
    /// `If-Match` and `Idempotency-Key`, where they matter.
    pub headers: HeaderMap,
}

impl Inside {
    /// Sends that body to `path`.
    pub fn send(method: Method, path: impl Into<String>, body: impl Into<Bytes>) -> Inside {
        Inside { method, path: path.into(), body: body.into(), headers: HeaderMap::new() }
    }

    /// The same with one more header.
    pub fn with(mut self, name: HeaderName, value: &str) -> Inside {
        self.headers.insert(name, header_value(value));
        self
    }
}

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
        inside: Inside,
        id: &str,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<T>, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let prepare = move |call: &Call<'_>| {
            call.db().snapshot(|_| keyed::prepare(call, |call| handler(call).map(Work::Write)))
        };
        let written = async { self.run(self.input(inside)?, prepare).await.0 };
        written.await.inspect_err(|problem| complain(problem, id, true))
    }

    fn input(&self, inside: Inside) -> Result<MatchedRequest, Problem> {
        let Inside { method, path, body, headers } = inside;
        match self.table.find(&method, &path) {
            Target::Route(route, parameters) => {
                let (query, settings) = (Vec::new(), self.app.settings());
                Ok(MatchedRequest { route, parameters, query, headers, body, settings })
            }
            _ => Err(Problem::not_found("Route")),
        }
    }
}
