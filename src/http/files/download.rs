//! Downloads of document contents, whole or in part (resources 17.6).

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::task::spawn_blocking;

use super::content::{Body, Content, FilePart};
use super::range::{SelectedRange, parse_range};
use super::signed_url;
use crate::app::App;
use crate::http::answers::answer::Answer;
use crate::http::answers::etag::names;
use crate::http::answers::handler_reply::{Reply, Work};
use crate::http::answers::header::header_value;
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::request::Request;
use crate::http::requests::route::extract::RoutedRequest;

/// Characters to percent-encode in the file name of `Content-Disposition`: all but `attr-char` (RFC 8187, 3.2.1).
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Headers of every download. They keep uploaded files from running scripts in this server's origin.
const GUARDS: [(HeaderName, &str); 2] = [
    (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
    (header::CACHE_CONTROL, "private, no-store"),
];

impl Reply for Content {
    fn reply(self, _: &RoutedRequest<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer { body: Body::Content(Box::new(self)), ..Answer::empty(StatusCode::OK) }))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Content]
    }
}

/// The request headers that select a range or make the request conditional.
pub(in crate::http) struct Conditions {
    is_head: bool,
    range: Option<HeaderValue>,
    if_range: Option<HeaderValue>,
    if_none_match: Option<HeaderValue>,
}

impl Conditions {
    pub(in crate::http) fn of(request: &Request) -> Conditions {
        let header = |name| request.headers.get(name).cloned();
        Conditions {
            is_head: request.method == Method::HEAD,
            range: header(header::RANGE),
            if_range: header(header::IF_RANGE),
            if_none_match: header(header::IF_NONE_MATCH),
        }
    }
}

/// Opens the content in a response, if there is one. Runs on a blocking thread, because the whole file may
/// have to be read first. Fails with 410 if the file is not what was stored, and with 416 if the requested
/// range is outside the content.
pub(in crate::http) async fn open(
    answer: Answer,
    request: &Request,
    app: &Arc<App>,
) -> Result<Answer, Problem> {
    let content = match answer.body {
        Body::Content(content) => content,
        body => return Ok(Answer { body, ..answer }),
    };
    let conditions = Conditions::of(request);
    let tag = format!("\"{}\"", content.hash);
    let text =
        |value: &Option<HeaderValue>| value.as_ref().and_then(|value| value.to_str().ok()).map(str::to_owned);
    if text(&conditions.if_none_match).is_some_and(|tags| names(&tags, &tag)) {
        return Ok(Answer::empty(StatusCode::NOT_MODIFIED).with(header::ETAG, header_value(&tag)));
    }
    let size = content.size;
    let headers = headers(&content, &tag);
    let contents = app.store().contents().clone();
    let now = app.now();
    let opened = spawn_blocking(move || contents.open(&content.hash, size, now)).await;
    let opened = opened.map_err(io::Error::other).and_then(|opened| opened);
    let file = opened.map_err(|cause| Problem::internal(cause.to_string()))?;
    let (file, check) = file.ok_or_else(Problem::content_missing)?;
    // A client that resumes a download gets the whole content if it has changed.
    let is_same = text(&conditions.if_range).is_none_or(|known| known.trim() == tag);
    let range = if is_same { text(&conditions.range) } else { None };
    let (status, part) = match parse_range(range.as_deref(), size) {
        SelectedRange::Whole => (StatusCode::OK, 0..size),
        SelectedRange::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
        SelectedRange::Unsatisfiable => return Err(Problem::range_not_satisfiable(size)),
    };
    let length = part.end - part.start;
    let mut answer = Answer { status, headers, body: Bytes::new().into() };
    if status == StatusCode::PARTIAL_CONTENT {
        let range = format!("bytes {}-{}/{size}", part.start, part.end - 1);
        answer = answer.with(header::CONTENT_RANGE, header_value(&range));
    }
    answer = answer.with(header::CONTENT_LENGTH, length);
    if !conditions.is_head {
        // A part cannot be verified. It relies on the last check of the whole content.
        let check = (length == size).then(|| Box::new(check));
        let secret =
            request.secret.or_else(|| request.is_signed.then(|| signed_url::signer(app, request))?);
        let body = Body::File(FilePart { file, from: part.start, length, check, is_allowed: None });
        let app = app.clone();
        answer.body = match secret {
            Some(secret) => body.while_allowed(move || app.auth().is_in_force(&secret)),
            // A page of the console.
            None => body,
        };
    }
    Ok(answer)
}

/// Changes a download so that the browser displays it. The policy denies the content every permission, even
/// in a frame of the console.
pub(in crate::http) fn to_view(mut answer: Answer, media_type: &'static str) -> Answer {
    let policy = HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'self'");
    let shown = answer.headers.get(header::CONTENT_DISPOSITION).and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|value| value.strip_prefix("attachment")).map(|name| format!("inline{name}"));
    if let Some(shown) = shown {
        answer.headers.insert(header::CONTENT_DISPOSITION, header_value(&shown));
        answer.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        answer.headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

fn headers(content: &Content, tag: &str) -> HeaderMap {
    let name = utf8_percent_encode(content.name.as_str(), PLAIN);
    let mut headers: HeaderMap =
        GUARDS.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    headers.insert(header::ETAG, header_value(tag));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CONTENT_TYPE, header_value(served(&content.media_type)));
    headers
        .insert(header::CONTENT_DISPOSITION, header_value(&format!("attachment; filename*=UTF-8''{name}")));
    headers
}

/// Returns the media type to send: the declared one if a browser runs nothing of that type, or else
/// `application/octet-stream`.
fn served(declared: &str) -> &str {
    let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_harmless = match essence.split_once('/') {
        Some(("image", kind)) => !kind.contains("svg") && !kind.contains("xml"),
        Some(("audio" | "video", kind)) => !kind.contains("xml"),
        Some(("text", kind)) => {
            ["plain", "csv", "tab-separated-values", "markdown", "rtf", "calendar", "vcard"].contains(&kind)
        }
        Some(("application", kind)) => {
            let is_office = [
                "vnd.openxmlformats-officedocument.",
                "vnd.oasis.opendocument.",
                "vnd.ms-excel",
                "vnd.ms-powerpoint",
                "vnd.ms-word",
            ];
            is_office.iter().any(|office| kind.starts_with(office)) && !kind.contains('+')
                || ["pdf", "rtf", "msword", "vnd.ms-outlook"].contains(&kind)
                || ARCHIVES.contains(&kind)
        }
        _ => false,
    };
    if is_harmless { declared } else { "application/octet-stream" }
}

const ARCHIVES: [&str; 14] = [
    "zip",
    "x-zip-compressed",
    "gzip",
    "x-gzip",
    "x-tar",
    "x-compressed-tar",
    "x-bzip2",
    "x-xz",
    "zstd",
    "x-7z-compressed",
    "vnd.rar",
    "x-rar-compressed",
    "x-rar",
    "x-lzip",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_media_types_are_sent_as_declared() {
        for declared in [
            "application/pdf",
            "text/plain; charset=utf-8",
            "text/csv",
            "image/png",
            "image/jpeg",
            "IMAGE/PNG",
            "audio/ogg",
            "video/mp4",
            "application/zip",
            "application/msword",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.oasis.opendocument.text",
        ] {
            assert_eq!(served(declared), declared);
        }
        for declared in [
            "text/html",
            "TEXT/HTML; charset=utf-8",
            "application/xhtml+xml",
            "image/svg+xml",
            "image/svg",
            "text/xml",
            "application/xml",
            "text/javascript",
            "application/javascript",
            "application/octet-stream",
            "application/vnd.oasis.opendocument.text-flat-xml+xml",
            "multipart/mixed",
            "message/rfc822",
            "",
            "x",
        ] {
            assert_eq!(served(declared), "application/octet-stream", "{declared}");
        }
    }
}
