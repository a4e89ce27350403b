//! What webhooks are signed with (Standard Webhooks 1.0.0, "Signature scheme").

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The key of a webhook. Never written anywhere but to the store and, once, to whoever asked for it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

impl WebhookSecret {
    /// Of these random bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> WebhookSecret {
        WebhookSecret(bytes)
    }

    /// The key itself.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// As its receiver keeps it: `whsec_` and base64.
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
    fn it_is_shown_to_its_receiver_and_to_nobody_else() {
        let secret = WebhookSecret::from_bytes([0xff; 32]);
        assert_eq!(secret.expose(), "whsec_//////////////////////////////////////////8=");
        assert_eq!(format!("{secret:?}"), "WebhookSecret(..)");
    }
}
