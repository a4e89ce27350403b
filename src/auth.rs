//! Who may come in: the one token of the account (contract 7), and the patience with those who guess.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::RwLock;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::domain::token::{Token, TokenHash};
use crate::store::{self, Lane, Store, tokens};

/// Why a request is not let in. The caller of the API learns none of this; the log does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no `Authorization` header, or it is not of the form `Bearer TOKEN`.
    NoToken,
    /// The text is no token: a slip of typing, or of another kind.
    Malformed,
    /// A well-formed token that is not in force: replaced, revoked, or of another store.
    NotInForce,
}

impl Refusal {
    /// The reason for the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::NoToken => "no token",
            Refusal::Malformed => "mistyped token",
            Refusal::NotInForce => "replaced, revoked or unknown token",
        }
    }
}

/// What checks tokens.
pub struct Auth {
    store: Arc<Store>,
    clock: Clock,
    known: RwLock<Known>,
    /// The minute of the last use that was written down.
    used_minute: AtomicI64,
}

/// The token in force as of a generation of the store's.
struct Known {
    generation: u64,
    hash: Option<TokenHash>,
}

impl Known {
    /// The token's hash, where it is known of that generation.
    fn as_of(&self, generation: u64) -> Option<Option<TokenHash>> {
        (self.generation == generation).then_some(self.hash)
    }
}

impl Auth {
    /// Takes over the token in force.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn start(store: Arc<Store>, clock: Clock) -> Result<Auth, store::Error> {
        // The generation first: if the token changes between the two, the next check reads it again.
        let generation = store.signs()?.token;
        let hash = store.read(tokens::current)?.map(|kept| kept.hash);
        Ok(Auth {
            store,
            clock,
            known: RwLock::new(Known { generation, hash }),
            used_minute: AtomicI64::new(0),
        })
    }

    /// Lets in who carries the token in force. `generation` is the token's number in [`Store::signs`], read for this request.
    ///
    /// # Errors
    /// Why the request is not let in; or why the store cannot say whether it may.
    pub async fn check(
        &self,
        authorization: Option<&[u8]>,
        generation: u64,
    ) -> Result<Result<(), Refusal>, store::Error> {
        let Some(text) = authorization.and_then(bearer) else { return Ok(Err(Refusal::NoToken)) };
        let Some(token) = Token::parse(text) else { return Ok(Err(Refusal::Malformed)) };
        let hash = token.hash();
        let known = self.known.read().as_of(generation);
        let in_force = match known {
            Some(in_force) => in_force,
            None => self.read_again(generation).await?,
        };
        if in_force.as_ref() != Some(&hash) {
            return Ok(Err(Refusal::NotInForce));
        }
        self.note_use(hash);
        Ok(Ok(()))
    }

    /// Whether there was a token in force when it was last looked at.
    pub fn has_token(&self) -> bool {
        self.known.read().hash.is_some()
    }

    /// Reads the token: whoever moved the generation has committed by then. Nothing is written for it, so that no full disk
    /// keeps anybody out.
    async fn read_again(&self, generation: u64) -> Result<Option<TokenHash>, store::Error> {
        let (reply, answer) = oneshot::channel();
        self.store.submit_read(Lane::Point, move |db| {
            let _ = reply.send(db.and_then(tokens::current));
        });
        let hash = answer.await.unwrap_or(Err(store::Error::Closed))?.map(|kept| kept.hash);
        *self.known.write() = Known { generation, hash };
        Ok(hash)
    }

    /// Writes down that the token was used, at most once a minute. Nobody waits for it.
    fn note_use(&self, hash: TokenHash) {
        let now = self.clock.now().as_second();
        let minute = now.div_euclid(60);
        if self.used_minute.swap(minute, Ordering::Relaxed) != minute {
            self.store.submit(move |tx| tokens::used(tx, &hash, now), |_: Result<(), store::Error>| {});
        }
    }
}

/// The token of an `Authorization` header. The scheme's letter case does not matter (RFC 9110, 11.1).
fn bearer(header: &[u8]) -> Option<&str> {
    let (scheme, token) = std::str::from_utf8(header).ok()?.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start())
}

/// A new token from the operating system's randomness.
///
/// # Errors
/// Why the system has none.
pub fn new_token() -> Result<Token, store::Error> {
    use rand::TryRng as _;
    let mut bytes = [0; 32];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|cause| store::Error::Unavailable(format!("no randomness from the system: {cause}")))?;
    Ok(Token::from_random(bytes))
}

#[cfg(test)]
mod tests {
    use super::bearer;

    #[test]
    fn only_bearer_headers_carry_a_token() {
        for (header, token) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc", Some("abc")),
            ("BEARER abc ", Some("abc")),
            ("Basic abc", None),
            ("Bearer", None),
            ("abc", None),
            ("", None),
        ] {
            assert_eq!(bearer(header.as_bytes()), token, "{header:?}");
        }
        assert_eq!(bearer(b"Bearer \xff"), None);
    }
}
