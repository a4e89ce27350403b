//! Answers that wait for what is not there yet, as handlers give and take them: a page that may come later, or a stream of
//! events that goes on (events 20.2 and 20.3).

use std::marker::PhantomData;
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use schemars::{JsonSchema, SchemaGenerator};

use super::accept;
use super::answer::Answer;
use super::call::{Call, parameter};
use super::content::Body;
use super::describe::RoutePart;
use super::following::{Following, How};
pub use super::following::{Piece, ReadPiece};
use super::input::Take;
use super::problem::Problem;
use super::reply::{Reply, Work};
use super::request::Request;
use super::wire::FromText as _;
use crate::domain::Whole;

/// An answer with a document `T` of what there is after a number, as soon as there is anything; or with all of it as events.
pub struct Follow<T> {
    since: u64,
    how: How,
    read: ReadPiece,
    of: PhantomData<fn() -> T>,
}

impl<T> Follow<T> {
    /// A page, which may wait that long.
    pub fn page(since: u64, wait: Duration, read: ReadPiece) -> Follow<T> {
        Follow { since, how: How::Page { wait }, read, of: PhantomData }
    }

    /// A stream; what `read` answers are events.
    pub fn stream(since: u64, read: ReadPiece) -> Follow<T> {
        Follow { since, how: How::Stream, read, of: PhantomData }
    }
}

impl<T: JsonSchema> Reply for Follow<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        let Follow { since, how, read, .. } = self;
        let body = Body::Following(Box::new(Following { since, how, read }));
        Ok(Work::Done(Answer { body, ..Answer::empty(StatusCode::OK) }))
    }

    fn parts() -> Vec<RoutePart> {
        let about = ("O que há depois do número.", "What there is after the number.");
        vec![RoutePart::Answer { about, schema: SchemaGenerator::subschema_for::<T> }, RoutePart::Events]
    }
}

/// The parameter that says for how many seconds a page may wait.
pub const WAIT: &str = "wait";

/// Its value; with 0 the page does not wait.
pub type WaitSeconds = Whole<0, 60>;

/// Returns `true` if a request asks for a page that may wait.
pub(super) fn may_wait(request: &Request) -> bool {
    let seconds = parameter(&request.parameters, WAIT).and_then(|text| WaitSeconds::from_text(text).ok());
    // HEAD does not wait, and a stream is no page.
    request.method == Method::GET
        && seconds.is_some_and(|seconds| seconds.get() > 0)
        && matches!(wants_events(&request.headers), Ok(false))
}

/// The media type of a stream of events.
pub(super) const EVENTS: &str = "text/event-stream";

/// Returns `true` if a stream of events is preferred to a page.
///
/// # Errors
/// 406 if both are refused.
fn wants_events(headers: &HeaderMap) -> Result<bool, Problem> {
    accept::preferred(
        headers,
        false,
        &[true],
        |is_stream| if is_stream { EVENTS } else { "application/json" },
    )
}

/// Whether a stream of events is asked for, and after which it goes on.
pub struct AsEvents {
    /// Whether it is.
    pub is_wanted: bool,
    /// The number of the last event that came.
    pub last: Option<u64>,
}

impl Take for AsEvents {
    fn take(call: &Call<'_>) -> Result<AsEvents, Problem> {
        let last = call.request.header("last-event-id").and_then(|id| id.trim().parse().ok());
        Ok(AsEvents { is_wanted: wants_events(&call.request.headers)?, last })
    }

    fn parts() -> Vec<RoutePart> {
        Vec::new()
    }
}
