//! Makes tokens and keys, from random numbers of the system. `domain::token` has their form and their hash.

use crate::domain::Invalid;
use crate::domain::token::{Token, TokenKind};
use crate::store::access::keys::NewKey;
use crate::store::{self, Store};

/// Creates a key and returns it, to be shown once.
pub fn make_key(store: &Store, new: NewKey, now: i64) -> Result<Result<Token, Invalid>, store::Error> {
    let kind = if new.address.is_some() { TokenKind::Address } else { TokenKind::Key };
    let key = random().map(|bits| Token::from_random(kind, bits))?;
    Ok(store.add_key(new, &key, now)?.map(|()| key))
}

/// Creates a token and puts it in force. The previous one becomes invalid, and all keys if `and_keys` is set. Returns
/// the number of ended keys too. If the store cannot be written, all stay in force.
pub fn make_token(store: &Store, and_keys: bool, now: i64) -> Result<(Token, u32), store::Error> {
    let token = new_token()?;
    let ended = store.replace_token(&token, and_keys, now)?;
    Ok((token, ended))
}

/// Creates a token from the operating system's random numbers.
fn new_token() -> Result<Token, store::Error> {
    random().map(|bits| Token::from_random(TokenKind::Account, bits))
}

/// Returns random bytes from the operating system.
pub fn random() -> Result<[u8; 32], store::Error> {
    use rand::TryRng as _;
    let mut bytes = [0; 32];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|cause| store::Error::Unavailable(format!("no randomness from the system: {cause}")))?;
    Ok(bytes)
}
