//! Requests of the program's own pages: the routes, inputs and problems of the API as they are, without a token, and
//! outside the limits and their counts (product 4).

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use http::header::{HeaderMap, HeaderName};

use super::answer::{Answer, header_value};
use super::call::Input;
use super::problem::Problem;
use super::route::Target;
use super::{Api, complain};

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
    pub async fn answer_inside(self: &Arc<Api>, inside: Inside, id: &str) -> Answer {
        self.inside(inside).await.unwrap_or_else(|problem| {
            complain(&problem, id, true);
            Answer::from(problem)
        })
    }

    async fn inside(self: &Arc<Api>, inside: Inside) -> Result<Answer, Problem> {
        let Inside { method, path, query, body, headers } = inside;
        let Target::Route(route, parameters) = self.table.find(&method, &path) else {
            return Err(Problem::not_found("Route"));
        };
        let settings = self.app.settings();
        let (answer, _) = self.run(Input { route, parameters, query, headers, body, settings }).await;
        answer
    }
}
