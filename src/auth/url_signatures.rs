//! Signatures of URLs, which are valid while the token or key of the signer is.

use ring::hmac;

use super::{Auth, Caller};
use crate::domain::text::hex::{from_hex, hex};
use crate::domain::token::TokenHash;
use crate::store::journal::Who;

impl Auth {
    /// Signs a text with HMAC-SHA-256 (RFC 2104), in hexadecimal, for a caller. The signature is valid until the
    /// caller's key ends, or the token is replaced if the caller has no key. Returns `None` if there is none. A
    /// key's signature ends with a dot and the key's id.
    pub fn sign(&self, caller: &Caller, text: &str) -> Option<String> {
        let (secret, signer) = match &caller.who {
            Some(who @ Who::Key(_)) => {
                let in_force = self.in_force.read();
                let key = in_force.as_ref().ok()?.key_by(|key| key.caller.who.as_ref() == Some(who))?;
                (key.hash, format!(".{}", key.id))
            }
            None | Some(Who::Token(_) | Who::Person(_)) => (self.token()?, String::new()),
        };
        let signature = hmac::sign(&self.signing_key, &[secret.as_bytes(), text.as_bytes()].concat());
        Some(hex(signature.as_ref()) + &signer)
    }

    /// Returns the hash of the token or key that a signature names, if it is in force.
    pub fn signer(&self, signature: &str) -> Option<TokenHash> {
        let Some((_, id)) = signature.split_once('.') else { return self.token() };
        let in_force = self.in_force.read();
        let key = in_force.as_ref().ok()?.key_by(|key| key.id.to_string() == id)?;
        (!key.is_expired(self.now())).then_some(key.hash)
    }

    /// Returns `true` if the signature is valid for the text, and its signer in force. Compares in constant time.
    pub fn is_signed(&self, text: &str, signature: &str) -> bool {
        let bytes = from_hex(signature.split('.').next().unwrap_or_default());
        self.signer(signature).zip(bytes).is_some_and(|(signer, bytes)| {
            let signed = [signer.as_bytes(), text.as_bytes()].concat();
            hmac::verify(&self.signing_key, &signed, &bytes).is_ok()
        })
    }
}
