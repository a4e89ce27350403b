//! The access tokens of the API: the account's token (contract 7), keys, and secrets of lists' addresses (access 25).

pub(super) mod webhook_secret;

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::domain::text::hex::hex;

/// Length of the prefix of each kind.
const PREFIX_LENGTH: usize = 4;
/// Number of base62 digits for 256 bits.
const RANDOM_LENGTH: usize = 43;
/// Number of base62 digits for 32 bits.
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX_LENGTH + RANDOM_LENGTH + CHECKSUM_LENGTH;

/// The kind of a token, which its prefix shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The one token of the account, which may do everything.
    Account,
    /// A key, which has rights of its own.
    Key,
    /// A key that is part of the address of a list.
    Address,
}

impl TokenKind {
    /// Returns the first characters of every token of this kind.
    pub const fn prefix(self) -> &'static str {
        match self {
            TokenKind::Account => "plt_",
            TokenKind::Key => "plk_",
            TokenKind::Address => "pla_",
        }
    }

    /// Returns the kind of a text that begins with a prefix, even if the rest is mistyped.
    pub fn of(text: &str) -> Option<TokenKind> {
        let all = [TokenKind::Account, TokenKind::Key, TokenKind::Address];
        all.into_iter().find(|kind| text.starts_with(kind.prefix()))
    }
}

/// A well-formed token: the prefix of its kind, 256 random bits as 43 base62 digits, and the CRC-32 of both as 6
/// more. The checksum distinguishes a typing error from a revoked token.
///
/// A token is a secret: it cannot be copied, compared or printed, only hashed, or exposed on purpose.
pub struct Token(String, TokenKind);

impl Token {
    /// Creates a token from 256 bits, which must come from the operating system's random number generator.
    pub fn from_random(kind: TokenKind, bits: [u8; 32]) -> Token {
        let body = format!("{}{}", kind.prefix(), base62(bits, RANDOM_LENGTH));
        let checksum = checksum(&body);
        Token(body + &checksum, kind)
    }

    /// Parses a token from a client. Returns `None` if it is malformed. A well-formed token may still be
    /// invalid, which only its hash shows.
    pub fn parse(text: &str) -> Option<Token> {
        let kind = TokenKind::of(text)?;
        let random = text.strip_prefix(kind.prefix())?;
        if text.len() != LENGTH || !random.bytes().all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let (body, last) = text.split_at_checked(LENGTH - CHECKSUM_LENGTH)?;
        (checksum(body) == last).then(|| Token(text.to_owned(), kind))
    }

    /// Returns the kind, as the prefix shows it.
    pub fn kind(&self) -> TokenKind {
        self.1
    }

    /// Returns the secret text, for the one response or screen that shows a new token.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the last four characters. They belong to the checksum, so they may be stored and shown.
    pub fn last_four(&self) -> &str {
        self.0.get(LENGTH - 4..).unwrap_or_default()
    }

    /// Returns the hash. The store keeps only the hash.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(&self.0).into())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// The SHA-256 of a token. 256 random bits need neither a salt nor a slow hash. Hashes are compared in constant time.
#[derive(Clone, Copy)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Wraps 32 stored bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> TokenHash {
        TokenHash(bytes)
    }

    /// Returns the bytes to store.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns 16 hexadecimal digits that identify the token to others, and tell nothing about it.
    pub fn shown_id(&self) -> String {
        let digest: [u8; 32] = Sha256::digest(self.0).into();
        hex(digest.first_chunk::<8>().map_or(&[], |beginning| beginning))
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &TokenHash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

/// Returns the CRC-32 (IEEE 802.3) of the text in base62.
fn checksum(text: &str) -> String {
    base62(crc32fast::hash(text.as_bytes()).to_be_bytes(), CHECKSUM_LENGTH)
}

/// Converts a big-endian number to `length` base62 digits (`0-9A-Za-z`).
fn base62<const BYTES: usize>(mut number: [u8; BYTES], length: usize) -> String {
    let mut digits: Vec<char> = (0..length).map(|_| base62_digit(divide_by_62(&mut number))).collect();
    digits.reverse();
    digits.into_iter().collect()
}

/// Divides a big-endian number by 62, in place, and returns the remainder.
fn divide_by_62(number: &mut [u8]) -> u8 {
    number.iter_mut().fold(0, |remainder, byte| {
        let dividend = u16::from(remainder) << 8 | u16::from(*byte);
        *byte = (dividend / 62) as u8;
        (dividend % 62) as u8
    })
}

fn base62_digit(value: u8) -> char {
    char::from(match value {
        0..10 => b'0' + value,
        10..36 => b'A' + (value - 10),
        _ => b'a' + (value - 36),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHOWN: &str = "plt_0000000000000000000000000000000000000000000";

    #[test]
    fn a_token_has_a_prefix_and_a_checksum() {
        let token = Token::from_random(TokenKind::Account, [0; 32]);
        assert!(token.expose().starts_with(SHOWN));
        assert_eq!(token.expose().len(), 53);
        assert!(token.expose().ends_with(token.last_four()));
        assert_eq!(token.last_four().len(), 4);
        assert_eq!(base62([255; 32], 43), base62_of_all_ones());
        assert_eq!(base62([0, 0, 0, 61], 6), "00000z");
        assert_eq!(base62([0, 0, 1, 0], 6), "000048");
        assert_eq!(base62([255; 4], 6), "4gfFC3");
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
    }

    /// Computes 2²⁵⁶ - 1 by long multiplication of base62 digits, independently of the division above.
    fn base62_of_all_ones() -> String {
        let mut digits = [0_u32; 43];
        for _ in 0..256 {
            let mut carry = 1;
            for digit in digits.iter_mut().rev() {
                let doubled = *digit * 2 + carry;
                *digit = doubled % 62;
                carry = doubled / 62;
            }
            assert_eq!(carry, 0);
        }
        digits.iter().map(|digit| base62_digit(u8::try_from(*digit).unwrap())).collect()
    }

    #[test]
    fn a_key_has_its_own_prefix_and_is_not_accepted_as_a_token() {
        let [key, token] = [TokenKind::Key, TokenKind::Account].map(|kind| Token::from_random(kind, [7; 32]));
        assert!(key.expose().starts_with("plk_") && key.expose().len() == token.expose().len());
        assert_eq!(Token::parse(key.expose()).unwrap().kind(), TokenKind::Key);
        assert_ne!(key.hash(), token.hash());
        // The checksum covers the prefix.
        assert!(Token::parse(&token.expose().replace("plt_", "plk_")).is_none());
        assert_eq!(TokenKind::of("plk_"), Some(TokenKind::Key));
        assert_eq!(TokenKind::of("plx_"), None);
        let address = key.expose().replace("plk_", "pla_");
        assert!(Token::parse(&address).is_none());
        let address = Token::from_random(TokenKind::Address, [7; 32]);
        assert_eq!(Token::parse(address.expose()).unwrap().kind(), TokenKind::Address);
    }

    #[test]
    fn refuses_malformed_tokens() {
        let good = Token::from_random(TokenKind::Account, [7; 32]);
        let good = good.expose();
        for text in [
            String::new(),
            good.to_uppercase(),
            format!(" {good}"),
            format!("{good}\n"),
            good.replace(good.chars().last().unwrap(), "é"),
            good[..52].to_owned(),
            format!("{good}0"),
            format!("{SHOWN}000000"),
        ] {
            assert!(Token::parse(&text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let token = Token::from_random(TokenKind::Account, [1; 32]);
        assert_eq!(format!("{token:?} {:?}", token.hash()), "Token(..) TokenHash(..)");
    }

    #[test]
    fn hashes_are_the_sha_256_of_the_text() {
        let token = Token::from_random(TokenKind::Account, [1; 32]);
        let expected: [u8; 32] = Sha256::digest(token.expose().as_bytes()).into();
        assert_eq!(token.hash().as_bytes(), &expected);
        assert_eq!(token.hash(), TokenHash::from_bytes(expected));
        assert_ne!(token.hash(), Token::from_random(TokenKind::Account, [2; 32]).hash());
        // The published value for "abc" (FIPS 180-4).
        assert_eq!(
            Token(String::from("abc"), TokenKind::Account).hash().as_bytes()[..4],
            [0xba, 0x78, 0x16, 0xbf]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_replaced_or_missing_character_is_detected(bits in any::<[u8; 32]>(), other in "[0-9A-Za-z_ ]") {
            let token = Token::from_random(TokenKind::Account, bits);
            prop_assert_eq!(Token::parse(token.expose()).unwrap().hash(), token.hash());
            for (i, c) in token.expose().char_indices() {
                let mut slip = token.expose().to_owned();
                slip.replace_range(i..=i, &other);
                prop_assert!(c.to_string() == other || Token::parse(&slip).is_none());
                slip.replace_range(i..=i, "");
                prop_assert!(Token::parse(&slip).is_none());
            }
        }

        #[test]
        fn swapped_neighbouring_characters_are_detected(bits in any::<[u8; 32]>(), i in 4..52_usize) {
            let token = Token::from_random(TokenKind::Account, bits);
            let mut characters: Vec<char> = token.expose().chars().collect();
            prop_assume!(characters[i] != characters[i + 1]);
            characters.swap(i, i + 1);
            prop_assert!(Token::parse(&characters.into_iter().collect::<String>()).is_none());
        }
    }
}
