//! The value of a header.

use http::header::HeaderValue;

/// Returns a header value. Invalid text, which this program never produces, becomes an empty value.
pub(in crate::http) fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
