//! Responses of the console: redirects, cookies, and the headers of every response.

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use maud::Markup;

use crate::console::requests::paths::{BASE, owns};
use crate::http::{Answer, Body};

/// Content security policy of all pages: only the executable's own files, no inline scripts or styles, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Like [`POLICY`], and also allows a frame for a document. The document's own policy takes all rights from it.
pub(in crate::console) const FRAMING_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Lifetime of the cookies for language, colours and author, in seconds: one year.
const COOKIE_LIFETIME_SECONDS: u32 = 365 * 24 * 60 * 60;

/// Returns the path if it belongs to the console and no browser can read it as another host.
pub(in crate::console) fn own_page(path: &str) -> Option<&str> {
    Some(path).filter(|path| owns(path) && !has_control(path))
}

/// Returns a `Set-Cookie` value that keeps a choice for a year.
pub(in crate::console) fn lasting_cookie(name: &str, chosen: &str) -> HeaderValue {
    value(&format!(
        "{name}={chosen}; Path={BASE}; HttpOnly; SameSite=Strict; Max-Age={COOKIE_LIFETIME_SECONDS}"
    ))
}

/// Returns a file for download. Without a name, the link to it has one.
pub(in crate::console) fn attachment(body: Body, media_type: &str, name: Option<&str>) -> Answer {
    let name = name.map(|name| format!("; filename=\"{name}\"")).unwrap_or_default();
    Answer { body, ..Answer::empty(StatusCode::OK) }
        .with(header::CONTENT_TYPE, value(media_type))
        .with(header::CONTENT_DISPOSITION, value(&format!("attachment{name}")))
}

/// Returns a fragment of a page for the script.
pub(in crate::console) fn part(markup: Markup) -> Answer {
    html_answer(StatusCode::OK, markup.into_string())
}

pub(in crate::console) fn html_answer(status: StatusCode, html: impl Into<Bytes>) -> Answer {
    Answer { body: html.into().into(), ..Answer::empty(status) }
        .with(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))
}

pub(in crate::console) fn redirect(path: &str) -> Answer {
    Answer::empty(StatusCode::SEE_OTHER).with(header::LOCATION, value(path))
}

/// Returns a header value. The text comes from this program or has been checked; an invalid one becomes the
/// console's base path.
pub(in crate::console) fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(BASE))
}

/// Returns `true` if the text contains anything but visible ASCII, which is all that a path needs.
fn has_control(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Turns an answer into a response with the console's security headers.
pub(in crate::console) fn respond(answer: Answer, id: &str) -> Response<Body> {
    let mut response = Response::new(answer.body);
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    *headers = answer.headers;
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    // An uploaded document sets a stricter policy.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, text) in [
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::VARY, "cookie, accept-language, x-part"),
    ] {
        headers.insert(name, HeaderValue::from_static(text));
    }
    headers.insert(HeaderName::from_static("x-request-id"), value(id));
    response
}
