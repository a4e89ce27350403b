//! Requests of the program's own pages: the handlers, inputs and problems of the API as they are, without a token, and
//! outside the limits and their counts (product 4).

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use http::header::{HeaderMap, HeaderName};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::answer::{Answer, Work, Write, header_value};
use super::call::{Call, MatchedRequest};
use super::problem::Problem;
use super::route::Target;
use super::{Api, complain, keyed, prepare};
use crate::store::{Db, Lane};

/// A request from inside the program.
#[derive(Debug)]
pub struct Inside {
    /// Its method.
    pub method: Method,
    /// Its path below the base, such as `/customers/17`.
    pub path: String,
    /// Its query parameters.
    pub query: Vec<(String, String)>,
    /// Its JSON; empty where it has none.
    pub body: Bytes,
    /// `If-Match` and `Idempotency-Key`, where they matter.
    pub headers: HeaderMap,
}

impl Inside {
    /// Asks for what is at `path`.
    pub fn get(path: impl Into<String>) -> Inside {
        let (query, body, headers) = (Vec::new(), Bytes::new(), HeaderMap::new());
        Inside { method: Method::GET, path: path.into(), query, body, headers }
    }

    /// Sends JSON to `path`.
    pub fn send(method: Method, path: impl Into<String>, body: impl Into<Bytes>) -> Inside {
        Inside { method, body: body.into(), ..Inside::get(path) }
    }

    /// The same with one more header.
    pub fn with(mut self, name: HeaderName, value: &str) -> Inside {
        self.headers.insert(name, header_value(value));
        self
    }
}

impl Api {
    /// Answers it. `id` is that of the request from outside that it is part of, for the log.
    ///
    /// # Errors
    /// Why it is not answered as it wished, for the page to say in its visitor's language.
    pub async fn answer_inside(self: &Arc<Api>, inside: Inside, id: &str) -> Result<Answer, Problem> {
        let answer = async { self.run(self.input(inside)?, prepare).await.0 };
        answer.await.inspect_err(|problem| complain(problem, id, true))
    }

    /// Reads on a store thread, all of it of one state.
    ///
    /// # Errors
    /// What `read` answers, or why the store cannot be read.
    pub async fn read_inside<T: Send + 'static>(
        self: &Arc<Api>,
        id: &str,
        read: impl FnOnce(Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (reply, done) = oneshot::channel();
        self.app.store().submit_read(Lane::Point, move |db| {
            let _ = reply.send(db.map_err(Problem::from).and_then(|db| db.snapshot(read)));
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
        let Inside { method, path, query, body, headers } = inside;
        match self.table.find(&method, &path) {
            Target::Route(route, parameters) => {
                Ok(MatchedRequest { route, parameters, query, headers, body, settings: self.app.settings() })
            }
            _ => Err(Problem::not_found("Route")),
        }
    }
}
