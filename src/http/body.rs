//! Bodies of requests: read whole, up to a bound and within a time.

use std::pin::Pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, header};
use tokio::time::timeout;

use super::problem::Problem;

/// The largest body, in bytes (contract 1).
pub const LARGEST: usize = 1024 * 1024;

/// How long a body may take to arrive (product 5).
const PATIENCE: Duration = Duration::from_secs(30);

/// How much of a body that nobody wants is still taken in, and for how long: a client that is cut off while it sends
/// never sees the answer that says why.
const DRAINED: (usize, Duration) = (16 * 1024 * 1024, Duration::from_secs(5));

/// A body on its way in. An error is a broken connection, whatever its cause.
pub type Incoming = Pin<Box<dyn Stream<Item = Result<Bytes, ()>> + Send>>;

/// Takes a body in.
///
/// # Errors
/// 408 past the time, 413 past the bound, 415 where it is declared as something else than JSON.
pub(super) async fn read(incoming: &mut Incoming, headers: &HeaderMap) -> Result<Bytes, Problem> {
    if !is_json(headers) {
        return Err(Problem::unsupported_media_type());
    }
    read_any(incoming, headers, LARGEST).await
}

/// Takes in the fields of a page's form of at most `largest` bytes.
///
/// # Errors
/// 408 past the time, 413 past the bound, 415 where it is no form.
pub async fn read_form(
    incoming: &mut Incoming,
    headers: &HeaderMap,
    largest: usize,
) -> Result<Vec<(String, String)>, Problem> {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|declared| declared.to_str().ok());
    let kind = declared.and_then(|declared| declared.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(Problem::unsupported_media_type());
    }
    let body = read_any(incoming, headers, largest).await?;
    Ok(form_urlencoded::parse(&body).into_owned().collect())
}

async fn read_any(incoming: &mut Incoming, headers: &HeaderMap, largest: usize) -> Result<Bytes, Problem> {
    if declared(headers).is_some_and(|length| length > largest) {
        return Err(Problem::too_large());
    }
    timeout(PATIENCE, collect(incoming, largest)).await.unwrap_or_else(|_| Err(Problem::request_timeout()))
}

async fn collect(incoming: &mut Incoming, largest: usize) -> Result<Bytes, Problem> {
    let mut body = BytesMut::new();
    while let Some(piece) = incoming.next().await {
        let piece = piece.map_err(|()| Problem::broken_body())?;
        if body.len() + piece.len() > largest {
            return Err(Problem::too_large());
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.freeze())
}

/// Takes in what is left of a body and forgets it. Who waits for `100 Continue` has not begun to send.
pub async fn drain(incoming: &mut Incoming, headers: &HeaderMap) {
    let (bound, patience) = DRAINED;
    if headers.contains_key(header::EXPECT) || declared(headers).is_some_and(|length| length > bound) {
        return;
    }
    let _ = timeout(patience, async {
        let mut seen = 0;
        while let Some(Ok(piece)) = incoming.next().await {
            seen += piece.len();
            if seen > bound {
                break;
            }
        }
    })
    .await;
}

fn declared(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Whether the body is declared as JSON in UTF-8, or not declared (contract 1).
fn is_json(headers: &HeaderMap) -> bool {
    let Some(declared) = headers.get(header::CONTENT_TYPE) else { return true };
    let Ok(declared) = declared.to_str() else { return false };
    let mut parts = declared.split(';').map(str::trim);
    let is_json =
        parts.next().is_some_and(|kind| kind.is_empty() || kind.eq_ignore_ascii_case("application/json"));
    is_json
        && parts.filter_map(|part| part.split_once('=')).all(|(name, value)| {
            !name.trim().eq_ignore_ascii_case("charset")
                || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
                || value.trim().trim_matches('"').eq_ignore_ascii_case("utf8")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_in_utf_8_is_read() {
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
