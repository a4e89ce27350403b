//! Who may come in: the one token of the account (contract 7), and the patience with those who guess.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::RwLock;

use crate::clock::Clock;
use crate::domain::token::{Token, TokenHash};
use crate::store::{self, Store, tokens};

/// Why a request is not let in. The caller of the API learns none of this; the log does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthRefusal {
    /// There is no `Authorization` header, or it is not of the form `Bearer TOKEN`.
    NoToken,
    /// The text is no token: a slip of typing, or of another kind.
    Malformed,
    /// A well-formed token that is not in force: replaced, revoked, or of another store.
    NotInForce,
}

impl AuthRefusal {
    /// The reason for the log.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthRefusal::NoToken => "no token",
            AuthRefusal::Malformed => "mistyped token",
            AuthRefusal::NotInForce => "replaced, revoked or unknown token",
        }
    }
}

/// What checks tokens.
pub struct Auth {
    store: Arc<Store>,
    clock: Clock,
    /// The token in force after the last commit, or why it could not be read then.
    known: Arc<RwLock<Result<Option<TokenHash>, store::Error>>>,
    /// The minute of the last use that was written down.
    used_minute: AtomicI64,
}

impl Auth {
    /// Takes over the token in force, and from then on every other one before who made it is answered.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn start(store: Arc<Store>, clock: Clock) -> Result<Auth, store::Error> {
        let known = Arc::new(RwLock::new(Err(store::Error::Closed)));
        let learned = known.clone();
        store.after_commit(Box::new(move |db, _| {
            *learned.write() = tokens::current(db).map(|kept| kept.map(|kept| kept.hash));
        }));
        known.read().clone()?;
        Ok(Auth { store, clock, known, used_minute: AtomicI64::new(0) })
    }

    /// Lets in who carries the token in force. Nothing but memory is asked.
    ///
    /// # Errors
    /// Why the request is not let in; or why it is not known whether it may.
    pub fn check(&self, authorization: Option<&[u8]>) -> Result<Result<(), AuthRefusal>, store::Error> {
        let Some(text) = authorization.and_then(bearer) else { return Ok(Err(AuthRefusal::NoToken)) };
        let Some(token) = Token::parse(text) else { return Ok(Err(AuthRefusal::Malformed)) };
        let hash = token.hash();
        match &*self.known.read() {
            Ok(known) if known.as_ref() == Some(&hash) => {}
            Ok(_) => return Ok(Err(AuthRefusal::NotInForce)),
            Err(cause) => {
                // Any commit has it read again.
                self.store.submit(|_| Ok(()), |_: Result<(), store::Error>| {});
                return Err(cause.clone());
            }
        }
        self.note_use(hash);
        Ok(Ok(()))
    }

    /// Whether there is a token in force.
    pub fn has_token(&self) -> bool {
        matches!(&*self.known.read(), Ok(Some(_)))
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
