//! The signature of a message, by Standard Webhooks 1.0.0 (events 21.3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use crate::domain::WebhookSecret;

/// Returns the signature of a message. `at` is in seconds since 1970.
pub(super) fn signature(secret: &WebhookSecret, id: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signed = format!("{id}.{at}.{body}");
    ["v1,", &STANDARD.encode(hmac::sign(&key, signed.as_bytes()))].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected value was computed with Python's `hmac` and `base64`.
    #[test]
    fn a_signature_follows_the_specification() {
        let secret = WebhookSecret::from_bytes(*b"0123456789abcdef0123456789abcdef");
        let made = signature(&secret, "msg_4712_lawsuit_stage_changed", 1_795_267_800, "{\"a\":1}");
        assert_eq!(made, "v1,5INLLGWyLgOBmEY89L/YrvLi5jge8TLnaK6IkMjHC08=");
    }
}
