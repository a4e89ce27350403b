//! The SHA-256 of a document's content, which identifies the content.

use crate::domain::Reason;
use crate::domain::text::hex::hex;

/// A SHA-256 as 64 hexadecimal digits in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(String);

text_value!(ContentHash);

impl ContentHash {
    /// Formats the bytes of a SHA-256 digest.
    pub fn of_digest(digest: [u8; 32]) -> ContentHash {
        ContentHash(hex(&digest))
    }

    /// Parses a hash. Requests cannot set hashes, so `NotText` is precise enough as an error.
    pub fn parse(text: &str) -> Result<ContentHash, Reason> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 64 && text.bytes().all(is_digit) {
            true => Ok(ContentHash(text.to_owned())),
            false => Err(Reason::NotText),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_exactly_64_hexadecimal_digits() {
        let hash = ContentHash::of_digest(std::array::from_fn(|at| u8::try_from(at).unwrap() * 8));
        assert!(hash.as_str().starts_with("00081018") && hash.as_str().ends_with("e8f0f8"));
        assert_eq!(ContentHash::parse(hash.as_str()), Ok(hash));
        for text in ["", &"a".repeat(63), &"a".repeat(65), &"A".repeat(64), &"../".repeat(22)[..64]] {
            assert_eq!(ContentHash::parse(text), Err(Reason::NotText), "{text}");
        }
    }
}
