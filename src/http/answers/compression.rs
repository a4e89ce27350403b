//! Compressed response bodies: gzip (contract 1; RFC 9110, 8.4).

use std::io::{self, Read as _};
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::bufread::GzEncoder;
use http::Response;
use http::header::{self, HeaderMap, HeaderValue};

use super::etag::tag_of_coding;
use super::header_weight::weighted;
use crate::http::files::content::Body;

/// Minimum length of a compressed body, in bytes: over 1 KiB (contract 1).
const MIN_COMPRESSED_BYTES: usize = 1025;
/// Value of `Vary` for responses that may be compressed.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");
/// Value of `Content-Encoding` for a compressed response.
pub(in crate::http) const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// Bodies of at least this many bytes are compressed on a blocking thread.
const MIN_BLOCKING_BYTES: usize = 64 * 1024;

/// A constant file, plain and compressed. It is compressed on first use, and all responses share it.
pub struct Encodings {
    identity: Bytes,
    gzip: OnceLock<Option<Bytes>>,
}

/// Returns `true` if the client prefers gzip by its `Accept-Encoding`.
///
/// A client that refuses everything gets uncompressed bytes, as RFC 9110 (12.5.3) allows.
pub fn prefers_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let members = values.flat_map(|value| value.split(',')).map(weighted);
    let members = members.filter_map(|(member, weight)| Some((member, weight?))).collect::<Vec<_>>();
    let weight = |name: &str| {
        let is_named = |(member, _): &&(&str, u32)| member.eq_ignore_ascii_case(name);
        members.iter().find(is_named).map(|(_, weight)| *weight)
    };
    let gzip = weight("gzip").or_else(|| weight("*")).unwrap_or_default();
    gzip > 0 && weight("identity").is_none_or(|identity| gzip >= identity)
}

fn gzip(bytes: &[u8], level: Compression) -> io::Result<Bytes> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, level).read_to_end(&mut packed)?;
    Ok(packed.into())
}

/// Compresses a complete response if the client prefers that, it is long enough and its type compresses well.
pub async fn encode(mut answer: Response<Body>, prefers_gzip: bool) -> Response<Body> {
    let Body::Whole(body) = answer.body() else { return answer };
    let body = body.clone();
    let is_packed = answer.headers().contains_key(header::CONTENT_ENCODING);
    if !is_packed && (body.len() < MIN_COMPRESSED_BYTES || !is_text(answer.headers())) {
        return answer;
    }
    answer.headers_mut().append(header::VARY, VARY);
    if is_packed || !prefers_gzip {
        return answer;
    }
    let packed = if body.len() < MIN_BLOCKING_BYTES {
        gzip(&body, Compression::fast())
    } else {
        let packed = tokio::task::spawn_blocking(move || gzip(&body, Compression::fast()));
        packed.await.unwrap_or_else(|cause| Err(io::Error::other(cause)))
    };
    let Ok(packed) = packed else { return answer };
    *answer.body_mut() = packed.into();
    answer.headers_mut().insert(header::CONTENT_ENCODING, GZIP);
    tag_of_coding(answer)
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || kind.starts_with("application/json")
}

impl Encodings {
    pub const fn of(file: Bytes) -> Encodings {
        Encodings { identity: file, gzip: OnceLock::new() }
    }

    pub const fn of_static(file: &'static [u8]) -> Encodings {
        Encodings::of(Bytes::from_static(file))
    }

    /// Returns the compressed file. Returns `None` for files of up to 1 KiB, which are never compressed.
    pub(in crate::http) fn gzip(&self) -> Option<Bytes> {
        if self.identity.len() < MIN_COMPRESSED_BYTES {
            return None;
        }
        self.gzip.get_or_init(|| gzip(&self.identity, Compression::default()).ok()).clone()
    }

    pub(in crate::http) fn identity(&self) -> Bytes {
        self.identity.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_gzip_if_it_prefers_that() {
        for (accept, expected) in [
            ("gzip, deflate, br", true),
            ("GZIP ; Q=0.5", true),
            ("*", true),
            ("gzip;q=0.1, identity;q=0", true),
            ("*;q=0.1", true),
            ("gzip;q=0, *", false),
            ("identity, gzip;q=0.9", false),
            ("identity;q=0.5, gzip;q=0.9", true),
            ("gzip;q=0", false),
            ("gzip;q=2", false),
            ("gzip;q=NaN", false),
            ("gzip;level=9", true),
            ("identity;q=0", false),
            ("*;q=0", false),
            ("br, deflate, zstd", false),
            ("", false),
            (" , ;q=1", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accept.parse().unwrap())]);
            assert_eq!(prefers_gzip(&headers), expected, "{accept:?}");
        }
        let several = ["identity", "gzip"].map(|value| (header::ACCEPT_ENCODING, value.parse().unwrap()));
        let mut headers = HeaderMap::new();
        headers.extend(several);
        assert!(prefers_gzip(&headers));
        assert!(!prefers_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_file_is_compressed_once_and_shared() {
        let file = Encodings::of(Bytes::from(vec![b'x'; 10_000]));
        let once = file.gzip().unwrap();
        let again = file.gzip().unwrap();
        assert_eq!(once.as_ptr(), again.as_ptr());
        assert!(once.len() < 100);
        assert_eq!(file.identity().len(), 10_000);
        assert_eq!(Encodings::of_static(b"short").gzip(), None);
    }
}
