//! Reads request bodies, limited in size and time.

use std::error::Error;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use headers::{ContentType, HeaderMapExt};
use http::header::{self, HeaderMap, HeaderValue};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use mime::Mime;
use tokio::time::timeout;

use crate::http::answers::problem::Problem;

/// Maximum body size of most routes, in bytes (contract 1).
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Time limit for receiving a body (product 5).
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Limits in bytes and in time for draining an unread body. A client that is cut off while it sends would
/// never see the response that explains the refusal.
const MAX_DRAINED_BYTES: usize = 16 * 1024 * 1024;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// A request body that is still being received.
pub type Incoming = BoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// Reads a JSON body of at most `largest` bytes. Fails with 408 after the time limit, 413 if the body is too
/// long, and 415 if it is declared as anything but JSON, or as compressed.
pub(in crate::http) async fn read(
    incoming: &mut Incoming,
    headers: &HeaderMap,
    largest: usize,
) -> Result<Bytes, Problem> {
    if !is_json(headers) {
        return Err(match is_form(headers) {
            true => Problem::form_body(),
            false => Problem::unsupported_media_type(),
        });
    }
    read_any(incoming, headers, largest).await
}

/// Reads the fields of an HTML form of at most `largest` bytes. Fails with 408 after the time limit, 413 if
/// the form is too long, and 415 if the body is not declared as a form.
pub async fn read_form(
    incoming: &mut Incoming,
    headers: &HeaderMap,
    largest: usize,
) -> Result<Vec<(String, String)>, Problem> {
    if !is_form(headers) {
        return Err(Problem::unsupported_media_type());
    }
    let body = read_any(incoming, headers, largest).await?;
    Ok(form_urlencoded::parse(&body).into_owned().collect())
}

async fn read_any(incoming: &mut Incoming, headers: &HeaderMap, largest: usize) -> Result<Bytes, Problem> {
    refuse_coded(headers)?;
    if declared_length(headers).is_some_and(|length| length > largest as u64) {
        return Err(Problem::too_large(largest));
    }
    timeout(BODY_TIMEOUT, collect(incoming, largest))
        .await
        .unwrap_or_else(|_| Err(Problem::request_timeout()))
}

/// Fails with 415 if the body has a content coding. Responses have them, bodies of requests cannot.
pub(in crate::http) fn refuse_coded(headers: &HeaderMap) -> Result<(), Problem> {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter().map(HeaderValue::as_bytes);
    let mut codings = codings.flat_map(|list| list.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    match codings.any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity")) {
        true => Err(Problem::coded_body()),
        false => Ok(()),
    }
}

async fn collect(incoming: &mut Incoming, largest: usize) -> Result<Bytes, Problem> {
    let mut incoming = Limited::new(incoming, largest);
    let mut body = BytesMut::new();
    while let Some(frame) = incoming.frame().await {
        match frame {
            Ok(frame) => body.extend_from_slice(frame.data_ref().map_or(&[], |data| data)),
            Err(cause) if cause.is::<LengthLimitError>() => return Err(Problem::too_large(largest)),
            Err(_) => return Err(Problem::broken_body()),
        }
    }
    Ok(body.freeze())
}

/// Reads and discards the rest of a body. Skips a body that is too long, and a client that waits for `100
/// Continue`, since that client has not begun to send.
pub async fn drain(incoming: &mut Incoming, headers: &HeaderMap) {
    if headers.contains_key(header::EXPECT)
        || declared_length(headers).is_some_and(|length| length > MAX_DRAINED_BYTES as u64)
    {
        return;
    }
    let mut rest = Limited::new(incoming, MAX_DRAINED_BYTES);
    let _ = timeout(DRAIN_TIMEOUT, async { while let Some(Ok(_)) = rest.frame().await {} }).await;
}

pub(in crate::http) fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_form(headers: &HeaderMap) -> bool {
    let declared = headers.typed_get::<ContentType>().map(Mime::from);
    declared.is_some_and(|mime| mime.essence_str() == mime::APPLICATION_WWW_FORM_URLENCODED)
}

/// Returns `true` if the body is declared as JSON in UTF-8 or has no declared type (contract 1).
fn is_json(headers: &HeaderMap) -> bool {
    match headers.typed_try_get::<ContentType>().map(|declared| declared.map(Mime::from)) {
        Ok(Some(mime)) => {
            let charset = mime.get_param(mime::CHARSET);
            mime.essence_str() == mime::APPLICATION_JSON
                && charset.is_none_or(|charset| charset == mime::UTF_8 || charset == "utf8")
        }
        Ok(None) => true,
        Err(_) => headers.get(header::CONTENT_TYPE).is_some_and(HeaderValue::is_empty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_utf_8_json_is_accepted() {
        for (declared, read) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json;charset=\"utf-8\"", true),
            ("", true),
            ("application/json; charset=latin1", false),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("application/jsonp", false),
            ("multipart/form-data; boundary=x", false),
        ] {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, declared.parse().unwrap())]);
            assert_eq!(is_json(&headers), read, "{declared}");
        }
        assert!(is_json(&HeaderMap::new()));
    }
}
