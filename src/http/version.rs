//! Versions of records and lists: whether something is still what was read (RFC 9110, 13).

use http::StatusCode;
use http::header;
use jiff::tz::TimeZone;

use super::accept::{self, ListFormat};
use super::answer::Answer;
use super::call::Call;
use super::describe::RoutePart;
use super::etag::{names, tag};
use super::header::header_value;
use super::input::Take;
use super::problem::Problem;
use super::record::{Encoded, InAnswers};
use super::reply::Work;
use super::request::Request;
use crate::domain::id::Id;
use crate::store::{self, Db, Tx};

/// The version of a record as it is now; none where there is no such record.
///
/// # Errors
/// Why it cannot be read.
pub fn version_of<R: InAnswers>(
    db: Db<'_>,
    id: Id<R>,
    zone: &TimeZone,
) -> Result<Option<String>, store::Error> {
    Ok(Encoded::read::<R>(db, &[id.get()], false, zone)?.pop().map(|(_, json)| tag(&json)))
}

/// What a PUT's `If-Match` asks for, taken along to the writer thread.
pub struct IfMatch(Option<String>);

impl IfMatch {
    /// Lets the change pass where the record is still the one that was meant.
    ///
    /// # Errors
    /// 412 where it was changed meanwhile; why it cannot be read.
    pub fn check<R: InAnswers>(&self, tx: Tx<'_>, id: Id<R>, zone: &TimeZone) -> Result<(), Problem> {
        let Some(tags) = &self.0 else { return Ok(()) };
        match version_of::<R>(*tx, id, zone)? {
            Some(now) if names(tags, &now) => Ok(()),
            _ => Err(Problem::changed_meanwhile()),
        }
    }
}

impl Take for IfMatch {
    fn take(call: &Call<'_>) -> Result<IfMatch, Problem> {
        Ok(IfMatch(call.request.header(header::IF_MATCH).map(str::to_owned)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::IfMatch]
    }
}

/// The answer, or that it is still the one that the caller has.
pub(super) fn unless_named(answer: Answer, request: &Request) -> Answer {
    match (request.header(header::IF_NONE_MATCH), answer.headers.get(header::ETAG)) {
        (Some(tags), Some(tag)) if tag.to_str().is_ok_and(|tag| names(tags, tag)) => {
            Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, tag.clone())
        }
        _ => answer,
    }
}

/// The answer of a list, unless the caller has it already: a page changes only with the store, with the office's day
/// (birthdays) and with the settings, so that who asks again and again costs next to nothing.
pub(super) fn unless_known(
    call: &Call<'_>,
    answer: impl FnOnce() -> Result<Work, Problem>,
) -> Result<Work, Problem> {
    call.app().see_others(true);
    // Before the answer is made: one that is newer than its tag is only fetched once more.
    let version = call.app().store().version();
    let state = (version, call.app().epoch(), call.app().today().number());
    let asked = (call.route.key(), call.query(), ListFormat::of(call)?, &call.settings().api);
    let tag = tag(format!("{state:?} {asked:?}").as_bytes());
    // Weak: the same page may be compressed or not.
    let weak = header_value(&format!("W/{tag}"));
    let known = call.request.header(header::IF_NONE_MATCH).unwrap_or_default().trim();
    // Any version will do for `*`, but whether there is one the answer has to tell.
    let answer = if known != "*" && names(known, &tag) { None } else { Some(answer()?) };
    Ok(match answer {
        Some(Work::Done(answer)) if known != "*" => Work::Done(answer.with(header::ETAG, weak)),
        Some(write @ Work::Write(_)) => write,
        _ => Work::Done(accept::varied(
            call.route,
            Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, weak),
        )),
    })
}
