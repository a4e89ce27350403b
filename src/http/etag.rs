//! Entity tags: how one is made of bytes, and whether a list of them names it (RFC 9110, 8.8.3 and 13.1).

use std::fmt::Write as _;

use http::header::{self, HeaderValue};
use twox_hash::XxHash3_128;

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
