//! Content codings: compressed response bodies (contract 1; RFC 9110, 8.4).

use std::io::{self, Read as _};
use std::sync::OnceLock;

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::Compression;
use flate2::bufread::GzEncoder;
use http::Response;
use http::header::{self, HeaderMap, HeaderValue};

use super::content::Body;
use super::etag::tag_of_coding;

/// Minimum length of a compressed body, in bytes: over 1 KiB (contract 1).
const SMALLEST: usize = 1025;
/// Value of `Vary` for responses that may be compressed.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");

/// Bodies of at least this many bytes are compressed on a blocking thread.
const LARGE: usize = 64 * 1024;

/// Compression levels of gzip and brotli: `FAST` for a single response, `SMALL` for a file that is compressed once.
const FAST: (u32, i32) = (1, 0);
const SMALL: (u32, i32) = (6, 6);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Gzip,
    Brotli,
}

/// A constant file in every coding. Each coding is made on first use, and all responses share it.
pub struct Encodings {
    identity: Bytes,
    gzip: OnceLock<Option<Bytes>>,
    brotli: OnceLock<Option<Bytes>>,
}

impl Coding {
    /// Returns the coding that the client prefers by its `Accept-Encoding`. Of equal weights, brotli wins.
    ///
    /// Returns `None` if the client names neither coding or prefers uncompressed bytes. A client that refuses
    /// everything gets uncompressed bytes too, as RFC 9110 (12.5.3) allows.
    pub fn preferred(headers: &HeaderMap) -> Option<Coding> {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let named = values.flat_map(|value| value.split(',')).filter_map(weighted).collect::<Vec<_>>();
        let weight = |name: &str| {
            let of = |name: &str| named.iter().find(|(one, _)| one.eq_ignore_ascii_case(name));
            of(name).or_else(|| of("*")).map_or(0.0, |(_, weight)| *weight)
        };
        let identity = named.iter().find(|(one, _)| one.eq_ignore_ascii_case("identity"));
        let (gzip, brotli) = (weight("gzip"), weight("br"));
        let (best, coding) = if brotli >= gzip { (brotli, Coding::Brotli) } else { (gzip, Coding::Gzip) };
        (best > 0.0 && identity.is_none_or(|(_, weight)| best >= *weight)).then_some(coding)
    }

    /// Returns the name for `Content-Encoding`.
    pub(super) fn name(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Coding::Gzip => "gzip",
            Coding::Brotli => "br",
        })
    }

    fn encode(self, bytes: &[u8], (gzip, brotli): (u32, i32)) -> io::Result<Bytes> {
        let mut packed = Vec::new();
        match self {
            Coding::Gzip => {
                GzEncoder::new(bytes, Compression::new(gzip)).read_to_end(&mut packed)?;
            }
            Coding::Brotli => {
                // A window that just covers the body saves memory and loses no compression.
                let lgwin = bytes.len().checked_ilog2().unwrap_or_default().clamp(15, 21).cast_signed() + 1;
                let parameters = BrotliEncoderParams {
                    quality: brotli,
                    lgwin,
                    size_hint: bytes.len(),
                    ..BrotliEncoderParams::default()
                };
                brotli::BrotliCompress(&mut &*bytes, &mut packed, &parameters)?;
            }
        }
        Ok(packed.into())
    }
}

/// Compresses a complete response if it is long enough and its type compresses well.
pub async fn encode(mut answer: Response<Body>, coding: Option<Coding>) -> Response<Body> {
    let Body::Whole(body) = answer.body() else { return answer };
    let body = body.clone();
    let is_packed = answer.headers().contains_key(header::CONTENT_ENCODING);
    if !is_packed && (body.len() < SMALLEST || !is_text(answer.headers())) {
        return answer;
    }
    answer.headers_mut().append(header::VARY, VARY);
    let Some(coding) = coding.filter(|_| !is_packed) else { return answer };
    let packed = if body.len() < LARGE {
        coding.encode(&body, FAST)
    } else {
        let packed = tokio::task::spawn_blocking(move || coding.encode(&body, FAST));
        packed.await.unwrap_or_else(|cause| Err(io::Error::other(cause)))
    };
    let Ok(packed) = packed else { return answer };
    *answer.body_mut() = packed.into();
    answer.headers_mut().insert(header::CONTENT_ENCODING, coding.name());
    tag_of_coding(answer)
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || kind.starts_with("application/json")
}

/// Parses a member of `Accept-Encoding` and its weight. Returns `None` if it is invalid.
fn weighted(member: &str) -> Option<(&str, f32)> {
    let mut parts = member.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = match parts.next() {
        Some(weight) => weight.strip_prefix("q=").or_else(|| weight.strip_prefix("Q="))?.parse().ok()?,
        None => 1.0,
    };
    (0.0..=1.0).contains(&weight).then_some((name, weight))
}

impl Encodings {
    pub const fn of(file: Bytes) -> Encodings {
        Encodings { identity: file, gzip: OnceLock::new(), brotli: OnceLock::new() }
    }

    pub const fn of_static(file: &'static [u8]) -> Encodings {
        Encodings::of(Bytes::from_static(file))
    }

    /// Returns the bytes in the given coding, and the coding that they are in. Files of up to 1 KiB are never
    /// compressed.
    pub fn get(&self, coding: Option<Coding>) -> (Bytes, Option<Coding>) {
        let packed = coding.filter(|_| self.identity.len() >= SMALLEST).and_then(|coding| {
            let packed = match coding {
                Coding::Gzip => &self.gzip,
                Coding::Brotli => &self.brotli,
            };
            let packed = packed.get_or_init(|| coding.encode(&self.identity, SMALL).ok());
            Some((packed.clone()?, Some(coding)))
        });
        packed.unwrap_or_else(|| (self.identity.clone(), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coding_is_the_one_the_client_prefers() {
        for (accept, coding) in [
            ("gzip, deflate, br", Some(Coding::Brotli)),
            ("gzip;q=1, br;q=0.5", Some(Coding::Gzip)),
            ("GZIP ; Q=0.5", Some(Coding::Gzip)),
            ("*", Some(Coding::Brotli)),
            ("br;q=0, *;q=0.1", Some(Coding::Gzip)),
            ("identity, gzip;q=0.9", None),
            ("identity;q=0.5, gzip;q=0.9", Some(Coding::Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=2", None),
            ("gzip;q=NaN", None),
            ("gzip;level=9", None),
            ("identity;q=0", None),
            ("*;q=0", None),
            ("deflate, zstd", None),
            ("", None),
            (" , ;q=1", None),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accept.parse().unwrap())]);
            assert_eq!(Coding::preferred(&headers), coding, "{accept:?}");
        }
        let several = ["identity", "gzip"].map(|value| (header::ACCEPT_ENCODING, value.parse().unwrap()));
        let mut headers = HeaderMap::new();
        headers.extend(several);
        assert_eq!(Coding::preferred(&headers), Some(Coding::Gzip));
        assert_eq!(Coding::preferred(&HeaderMap::new()), None);
    }

    #[test]
    fn static_content_is_compressed_once_and_shared() {
        let file = Encodings::of(Bytes::from(vec![b'x'; 10_000]));
        for coding in [None, Some(Coding::Gzip), Some(Coding::Brotli)] {
            let ((one, named), (other, _)) = (file.get(coding), file.get(coding));
            assert_eq!((one.as_ptr(), named), (other.as_ptr(), coding));
            assert_eq!(one.len() < 100, coding.is_some());
        }
        assert_eq!(
            Encodings::of_static(b"short").get(Some(Coding::Gzip)),
            (Bytes::from_static(b"short"), None)
        );
    }
}
