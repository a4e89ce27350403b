//! Versions of records and lists: the entity tags that tell whether something is still what was read (RFC 9110, 8.8.3).

use std::fmt::Write as _;

use http::StatusCode;
use http::header::{self, HeaderValue};
use jiff::tz::TimeZone;
use twox_hash::XxHash3_128;

use super::answer::{Answer, Encoded, Work, header_value};
use super::call::Call;
use super::input::Take;
use super::openapi::Operation;
use super::problem::Problem;
use super::record::InAnswers;
use crate::domain::id::Id;
use crate::store::{self, Db, Tx};

/// The version of a record as it is now; none where there is no such record.
///
/// # Errors
/// Why it cannot be read.
pub fn version_of<R: InAnswers>(
    db: Db<'_>,
    id: Id<R::Kind>,
    zone: &TimeZone,
) -> Result<Option<String>, store::Error> {
    Ok(Encoded::read::<R>(db, &[id.get()], zone)?.pop().map(|(_, json)| tag(&json)))
}

/// What a PUT's `If-Match` asks for, taken along to the writer thread.
pub struct IfMatch(Option<String>);

impl IfMatch {
    /// Lets the change pass where the record is still the one that was meant.
    ///
    /// # Errors
    /// 412 where it was changed meanwhile; why it cannot be read.
    pub fn check<R: InAnswers>(&self, tx: Tx<'_>, id: Id<R::Kind>, zone: &TimeZone) -> Result<(), Problem> {
        let Some(tags) = &self.0 else { return Ok(()) };
        match version_of::<R>(*tx, id, zone)? {
            Some(now) if names(tags, &now) => Ok(()),
            _ => Err(Problem::changed_meanwhile()),
        }
    }
}

impl Take for IfMatch {
    fn take(call: &Call<'_>) -> Result<IfMatch, Problem> {
        Ok(IfMatch(call.header(header::IF_MATCH).map(str::to_owned)))
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        operation.takes_if_match();
    }
}

/// The answer, or that it is still the one that the caller has.
pub(super) fn unless_named(answer: Answer, if_none_match: Option<&HeaderValue>) -> Answer {
    let named = if_none_match.and_then(|tags| tags.to_str().ok());
    match (named, answer.headers.get(header::ETAG)) {
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
    let asked = (call.route().key(), call.query(), call.settings().api.compatibility);
    let tag = tag(format!("{state:?} {asked:?}").as_bytes());
    // Weak: the same page may be compressed or not.
    let weak = header_value(&format!("W/{tag}"));
    let known = call.header(header::IF_NONE_MATCH).unwrap_or_default().trim();
    // Any version will do for `*`, but whether there is one the answer has to tell.
    let answer = if known != "*" && names(known, &tag) { None } else { Some(answer()?) };
    Ok(match answer {
        Some(Work::Done(answer)) if known != "*" => Work::Done(answer.with(header::ETAG, weak)),
        Some(write @ Work::Write(_)) => write,
        _ => Work::Done(Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, weak)),
    })
}

/// The strong tag of a representation: equal bytes have equal tags, in every run of the program and on every machine.
/// Nobody gains anything by making two records of the same tag, so what it takes is a good hash and not a secure one.
pub(super) fn tag(body: &[u8]) -> String {
    // `format!` would begin with too little room, and move it three times.
    let mut tag = String::with_capacity(34);
    let _ = write!(tag, "\"{:032x}\"", XxHash3_128::oneshot(body));
    tag
}

/// Whether a list of entity tags (RFC 9110, 13.1) names this one. A tag of the compressed form, which carries the
/// coding's name at its end, means the same state of the record.
pub(super) fn names(tags: &str, tag: &str) -> bool {
    let plain = tag.trim_matches('"');
    tags.split(',').map(str::trim).any(|named| {
        let named = named.strip_prefix("W/").unwrap_or(named).trim_matches('"');
        named == "*" || named == plain || named.strip_prefix(plain).is_some_and(|end| CODED.contains(&end))
    })
}

/// What the tag of a compressed form ends with.
const CODED: [&str; 2] = ["-gzip", "-br"];

/// The tag of a representation that was compressed on its way out: a strong tag names bytes (RFC 9110, 8.8.1), and the
/// compressed ones are others.
fn coded_tag(tag: &HeaderValue, coding: &HeaderValue) -> Option<HeaderValue> {
    let tag = tag.to_str().ok()?.strip_suffix('"')?;
    HeaderValue::from_str(&format!("{tag}-{}\"", coding.to_str().ok()?)).ok()
}

/// Gives an answer that is compressed on its way out the entity tag of its bytes.
pub fn tag_of_coding<B>(mut response: http::Response<B>) -> http::Response<B> {
    let headers = response.headers_mut();
    if let (Some(tag), Some(coding)) = (headers.get(header::ETAG), headers.get(header::CONTENT_ENCODING))
        && let Some(coded) = coded_tag(tag, coding)
    {
        headers.insert(header::ETAG, coded);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_are_found_in_lists_weak_and_of_compressed_forms() {
        for (tags, named) in [
            ("\"abc\"", true),
            ("*", true),
            ("\"x\", \"abc\"", true),
            ("W/\"abc\"", true),
            ("\"abc-gzip\"", true),
            ("\"abc-br\"", true),
            ("\"abcd\"", false),
            ("\"ab\"", false),
            ("\"abc-x\"", false),
            ("", false),
        ] {
            assert_eq!(names(tags, "\"abc\""), named, "{tags}");
        }
    }
}
