//! Secrets of the console: 256 random bits, kept only as their hash.

use rand::TryRng as _;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How many characters a secret has.
const LENGTH: usize = 64;

/// A secret as its owner carries it: in a link, a cookie or a form.
pub(super) struct Secret(String);

impl Secret {
    /// A new one from the operating system's randomness; none where the system has none.
    pub fn new() -> Option<Secret> {
        let mut bits = [0; 32];
        rand::rngs::SysRng.try_fill_bytes(&mut bits).ok()?;
        Some(Secret(hex(&bits)))
    }

    /// What somebody sent, if it has the form of one.
    pub fn sent(text: &str) -> Option<Secret> {
        let fits = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Secret(text.to_owned()))
    }

    /// The text itself, for its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> Hash {
        Hash(Sha256::digest(&self.0).into())
    }
}

/// What is kept of a secret. Compared in constant time.
#[derive(Clone, Copy)]
pub(super) struct Hash([u8; 32]);

impl Hash {
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_told_by_its_hash_and_nothing_else_is_one() {
        let (one, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        assert!(Secret::sent(one.expose()).unwrap().hash() == one.hash());
        assert!(one.hash() != other.hash());
        for wrong in ["", "abc", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65), "../../../../etc/passwd"]
        {
            assert!(Secret::sent(wrong).is_none(), "{wrong}");
        }
    }
}
