//! Headers that this program writes.

use http::header::HeaderValue;

/// A header of text that this program made.
pub(super) fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
