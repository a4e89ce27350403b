//! Conditional requests: ETags of records and lists (RFC 9110, 13).

use http::StatusCode;
use http::header;

use super::answer::Answer;
use super::etag::{names, tag};
use super::handler_reply::Work;
use super::negotiation::{self, ListFormat};
use super::problem::Problem;
use crate::domain::id::Id;
use crate::http::answers::header::header_value;
use crate::http::json::record::{InAnswers, as_json};
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::request::Request;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::http::requests::viewer::Viewer;
use crate::store::{self, Db, Tx};

/// Returns the current ETag of a record, or `None` if the record does not exist.
pub fn version_of<R: InAnswers>(
    db: Db<'_>,
    id: Id<R>,
    viewer: &Viewer,
) -> Result<Option<String>, store::Error> {
    Ok(as_json::<R>(db, id.get(), viewer)?.map(|json| tag(&json)))
}

/// The versions that a write expects: those of `If-Match`, or any. Checked on the writer thread.
#[derive(Default)]
pub struct IfMatch(Option<String>);

impl IfMatch {
    pub fn new(version: &str) -> IfMatch {
        IfMatch(Some(version.to_owned()))
    }

    /// Returns `true` if the request has no `If-Match`.
    pub fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    /// Fails with 412 if the record is not the one that `If-Match` names.
    pub fn check<R: InAnswers>(&self, tx: Tx<'_>, id: Id<R>, viewer: &Viewer) -> Result<(), Problem> {
        let Some(tags) = &self.0 else { return Ok(()) };
        match version_of::<R>(*tx, id, viewer)? {
            Some(now) if names(tags, &now) => Ok(()),
            _ => Err(Problem::changed_meanwhile()),
        }
    }
}

impl FromRequest for IfMatch {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<IfMatch, Problem> {
        Ok(IfMatch(routed.request.header(header::IF_MATCH).map(str::to_owned)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::IfMatch]
    }
}

/// Returns 304 in place of the response if `If-None-Match` names its ETag.
pub(in crate::http) fn unless_named(answer: Answer, request: &Request) -> Answer {
    match (request.header(header::IF_NONE_MATCH), answer.headers.get(header::ETAG)) {
        (Some(tags), Some(tag)) if tag.to_str().is_ok_and(|tag| names(tags, tag)) => {
            Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, tag.clone())
        }
        _ => answer,
    }
}

/// Returns 304 without running the handler if the client already has the list. A page changes only with the
/// store, with the office's day (birthdays) and with the settings, so frequent polls cost next to nothing.
pub(in crate::http) fn unless_known(
    routed: &RoutedRequest<'_>,
    answer: impl FnOnce() -> Result<Work, Problem>,
) -> Result<Work, Problem> {
    let call = &routed.call;
    call.app().check_external_writes(true);
    if !call.viewer().sees_all() {
        // The version also changes with what the caller may not see.
        return answer();
    }
    // Read before the response is made. If that is newer than its ETag, the client only fetches it once more.
    let version = call.app().store().version();
    let state = (version, call.app().run_id(), call.app().today().number());
    let request = (
        routed.route.key(),
        routed.query(),
        ListFormat::of(routed.route, routed.request)?,
        &call.settings().api,
    );
    let tag = tag(format!("{state:?} {request:?}").as_bytes());
    // Weak, because the page may be compressed or not.
    let weak = header_value(&format!("W/{tag}"));
    let known = routed.request.header(header::IF_NONE_MATCH).unwrap_or_default().trim();
    // `*` matches any version, but only the handler can decide if there is one.
    let answer = if known != "*" && names(known, &tag) { None } else { Some(answer()?) };
    Ok(match answer {
        Some(Work::Done(answer)) if known != "*" => Work::Done(answer.with(header::ETAG, weak)),
        Some(write @ Work::Write(_)) => write,
        _ => Work::Done(negotiation::varied(
            routed.route,
            Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, weak),
        )),
    })
}
