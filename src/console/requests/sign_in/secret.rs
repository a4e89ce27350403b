//! Random 256-bit secrets of the console; only their hashes are kept.

use rand::TryRng as _;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::domain::text::hex::{from_hex, hex};

/// Length of a secret in characters.
const LENGTH: usize = 64;

/// A secret as sent in a link, cookie or form.
#[derive(Clone)]
pub(in crate::console) struct Secret(String);

impl Secret {
    /// Creates a secret from the operating system's randomness. Returns `None` if that is not available.
    pub fn new() -> Option<Secret> {
        let mut bits = [0; 32];
        rand::rngs::SysRng.try_fill_bytes(&mut bits).ok()?;
        Some(Secret(hex(&bits)))
    }

    /// Parses a secret. Returns `None` if the format is wrong.
    pub fn sent(text: &str) -> Option<Secret> {
        let fits = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Secret(text.to_owned()))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> Hash {
        Hash(Sha256::digest(&self.0).into())
    }

    /// Returns the CSRF token of a session with this secret. Neither can be computed from what the store has.
    pub fn csrf_token(&self) -> String {
        hex(&Sha256::digest(["csrf ", &self.0].concat()))
    }
}

/// Hash of a secret. Compared in constant time.
#[derive(Clone, Copy)]
pub(in crate::console) struct Hash([u8; 32]);

impl Hash {
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// Parses the form of [`Hash::hex`].
    pub fn from_hex(text: &str) -> Option<Hash> {
        Some(Hash(from_hex(text)?.try_into().ok()?))
    }

    pub fn bytes(self) -> [u8; 32] {
        self.0
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_compared_by_hash_and_other_texts_are_refused() {
        let one = Secret::new().unwrap();
        let other = Secret::new().unwrap();
        assert!(Secret::sent(one.expose()).unwrap().hash() == one.hash());
        assert!(one.hash() != other.hash());
        for wrong in ["", "abc", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65), "../../../../etc/passwd"]
        {
            assert!(Secret::sent(wrong).is_none(), "{wrong}");
        }
    }
}
