//! Entity tags: computing and matching them (RFC 9110, 8.8.3 and 13.1).

use std::fmt::Write as _;

use http::header::{self, HeaderValue};
use twox_hash::XxHash3_128;

/// Computes the strong ETag of a representation. Equal bytes have equal tags in every run and on every machine.
///
/// A collision gains an attacker nothing, so the hash is fast and not cryptographic.
pub(in crate::http) fn tag(body: &[u8]) -> String {
    // `format!` would start with too little capacity and reallocate three times.
    let mut tag = String::with_capacity(34);
    let _ = write!(tag, "\"{:032x}\"", XxHash3_128::oneshot(body));
    tag
}

/// Returns `true` if a list of ETags (RFC 9110, 13.1) contains this one. The tag of a compressed body, which
/// ends with `-gzip`, matches too, since it stands for an equal state of the record.
pub(in crate::http) fn names(tags: &str, tag: &str) -> bool {
    let plain = tag.trim_matches('"');
    tags.split(',').map(str::trim).any(|named| {
        let named = named.strip_prefix("W/").unwrap_or(named).trim_matches('"');
        named == "*" || named == plain || named.strip_prefix(plain) == Some("-gzip")
    })
}

/// Returns the ETag of the compressed form. A strong tag identifies bytes (RFC 9110, 8.8.1), and the
/// compressed bytes differ.
fn coded_tag(tag: &HeaderValue, coding: &HeaderValue) -> Option<HeaderValue> {
    let tag = tag.to_str().ok()?.strip_suffix('"')?;
    HeaderValue::from_str(&format!("{tag}-{}\"", coding.to_str().ok()?)).ok()
}

/// Changes the ETag of a compressed response to that of the compressed bytes.
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
    fn entity_tags_match_in_lists_if_weak_and_for_compressed_responses() {
        for (tags, named) in [
            ("\"abc\"", true),
            ("*", true),
            ("\"x\", \"abc\"", true),
            ("W/\"abc\"", true),
            ("\"abc-gzip\"", true),
            ("\"abc-br\"", false),
            ("\"abcd\"", false),
            ("\"ab\"", false),
            ("\"abc-x\"", false),
            ("", false),
        ] {
            assert_eq!(names(tags, "\"abc\""), named, "{tags}");
        }
    }
}
