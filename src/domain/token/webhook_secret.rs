//! Signing keys of webhooks (Standard Webhooks 1.0.0, "Signature scheme").

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The signing key of a webhook. It is written only to the store and, once, to the client that requested it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

impl WebhookSecret {
    /// Creates a key from random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> WebhookSecret {
        WebhookSecret(bytes)
    }

    /// Returns the raw key, with which messages are signed.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Formats the key as its receiver stores it: `whsec_` and base64.
    pub fn expose(&self) -> String {
        ["whsec_", &STANDARD.encode(self.0)].concat()
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_is_exposed_only_on_request() {
        let secret = WebhookSecret::from_bytes([0xff; 32]);
        assert_eq!(secret.expose(), "whsec_//////////////////////////////////////////8=");
        assert_eq!(format!("{secret:?}"), "WebhookSecret(..)");
    }
}
