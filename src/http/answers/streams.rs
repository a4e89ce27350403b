//! Responses that wait for new data, as handlers return them: long polls and event streams (events 20.2 and 20.3).

pub(in crate::http) mod reader;
pub(in crate::http) mod run;
pub(in crate::http) mod waiting_limit;

use std::marker::PhantomData;
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use schemars::{JsonSchema, SchemaGenerator};

use super::answer::Answer;
use super::handler_reply::{Reply, Work};
use super::negotiation;
use super::problem::Problem;
use crate::domain::Whole;
use crate::http::files::content::Body;
use crate::http::json::values::FromText as _;
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::request::{Request, parameter};
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use reader::{Feed, FeedMode};
pub use reader::{FeedPage, ReadFeedPage};

/// A response with the data after a number: a document `T` as soon as there is data, or an event stream.
pub struct Follow<T> {
    since: u64,
    mode: FeedMode,
    read: ReadFeedPage,
    of: PhantomData<fn() -> T>,
}

impl<T> Follow<T> {
    /// Returns a page that waits up to `wait` for data.
    pub fn page(since: u64, wait: Duration, read: ReadFeedPage) -> Follow<T> {
        Follow { since, mode: FeedMode::Page { wait }, read, of: PhantomData }
    }

    /// Returns an event stream. `read` must return events.
    pub fn stream(since: u64, read: ReadFeedPage) -> Follow<T> {
        Follow { since, mode: FeedMode::Stream, read, of: PhantomData }
    }
}

impl<T: JsonSchema> Reply for Follow<T> {
    fn reply(self, _: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let Follow { since, mode, read, .. } = self;
        let body = Body::Feed(Box::new(Feed { since, mode, read }));
        Ok(Work::Done(Answer { body, ..Answer::empty(StatusCode::OK) }))
    }

    fn parts() -> Vec<RoutePart> {
        let about = ("O que há depois do número.", "The changes after `since`.");
        vec![RoutePart::Answer { about, schema: SchemaGenerator::subschema_for::<T> }, RoutePart::Events]
    }
}

/// Query parameter with the maximum wait of a long poll, in seconds.
pub const WAIT: &str = "wait";

/// Value of [`WAIT`]. With 0, the page does not wait.
pub type WaitSeconds = Whole<0, 60>;

/// Returns `true` if the request is a long poll.
pub(in crate::http) fn may_wait(request: &Request) -> bool {
    let seconds = parameter(&request.parameters, WAIT).and_then(|text| WaitSeconds::from_text(text).ok());
    // HEAD does not wait, and an event stream is not a page.
    request.method == Method::GET
        && seconds.is_some_and(|seconds| seconds.get() > 0)
        && matches!(wants_events(&request.headers), Ok(false))
}

pub(in crate::http) const EVENTS: &str = "text/event-stream";

/// Returns `true` if the client prefers an event stream to a page. Fails with 406 if it refuses both.
fn wants_events(headers: &HeaderMap) -> Result<bool, Problem> {
    negotiation::preferred(
        headers,
        false,
        &[true],
        |is_stream| if is_stream { EVENTS } else { "application/json" },
    )
}

/// The client's choice between a page and an event stream.
pub struct AsEvents {
    pub is_wanted: bool,
    /// Number of the last event that the client received, from `Last-Event-ID`.
    pub last: Option<u64>,
}

impl FromRequest for AsEvents {
    fn from_request(RoutedRequest { request, .. }: &RoutedRequest<'_>) -> Result<AsEvents, Problem> {
        let last = request.header("last-event-id").and_then(|id| id.trim().parse().ok());
        Ok(AsEvents { is_wanted: wants_events(&request.headers)?, last })
    }
}
