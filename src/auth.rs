//! Who may come in: the one token of the account (contract 7), and the patience with those who guess.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use headers::authorization::{Authorization, Bearer};
use headers::{HeaderMap, HeaderMapExt};
use parking_lot::RwLock;
use ring::hmac;

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
    /// The token in force, or why it could not be read after the last commit.
    known: Arc<RwLock<Result<Option<TokenHash>, store::Error>>>,
    /// What signs addresses: this store's own.
    key: hmac::Key,
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
        store.after_commit(Box::new(move |db, committed| {
            let is_unknown = learned.read().is_err();
            if committed.token || is_unknown {
                *learned.write() = tokens::current(db).map(|kept| kept.map(|kept| kept.hash));
            }
        }));
        known.read().clone()?;
        let fresh = random()?;
        let key = store.write(move |tx| tokens::signing_key(tx, fresh))?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        Ok(Auth { store, clock, known, key, used_minute: AtomicI64::new(0) })
    }

    /// Lets in who carries the token in force, with its last four characters. Nothing but memory is asked.
    ///
    /// # Errors
    /// Why the request is not let in; or why it is not known whether it may.
    pub fn check(&self, headers: &HeaderMap) -> Result<Result<String, AuthRefusal>, store::Error> {
        let recognised = self.recognise(headers)?;
        Ok(recognised.map(|(last_four, hash)| {
            self.note_use(hash);
            last_four
        }))
    }

    /// The same for a request that was let in before and goes on: nothing is written down.
    ///
    /// # Errors
    /// Likewise.
    pub fn recognise(
        &self,
        headers: &HeaderMap,
    ) -> Result<Result<(String, TokenHash), AuthRefusal>, store::Error> {
        let Some(bearer) = headers.typed_get::<Authorization<Bearer>>() else {
            return Ok(Err(AuthRefusal::NoToken));
        };
        let Some(token) = Token::parse(bearer.token()) else { return Ok(Err(AuthRefusal::Malformed)) };
        let hash = token.hash();
        match &*self.known.read() {
            Ok(known) if known.as_ref() == Some(&hash) => Ok(Ok((token.last_four().to_owned(), hash))),
            Ok(_) => Ok(Err(AuthRefusal::NotInForce)),
            Err(cause) => {
                // Any commit has it read again.
                self.store.submit(|_| Ok(()), |_: Result<(), store::Error>| {});
                Err(cause.clone())
            }
        }
    }

    /// Signs a text, for as long as the token in force is the same; none where none is in force. HMAC-SHA-256 (RFC 2104) in
    /// hexadecimal.
    pub fn sign(&self, text: &str) -> Option<String> {
        let signature = hmac::sign(&self.key, &self.signed(text)?);
        Some(signature.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether that is the signature of the text, and of the token in force. Compared in constant time.
    pub fn is_signed(&self, text: &str, signature: &str) -> bool {
        let digits = signature.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).ok());
        let bytes: Option<Vec<u8>> = digits.map(|two| u8::from_str_radix(two?, 16).ok()).collect();
        let signed = self.signed(text).zip(bytes);
        signed.is_some_and(|(signed, bytes)| hmac::verify(&self.key, &signed, &bytes).is_ok())
    }

    /// What a signature is made of: the token in force as its hash, and the text. A new token ends them all.
    fn signed(&self, text: &str) -> Option<Vec<u8>> {
        let known = self.known.read().as_ref().ok().copied().flatten()?;
        Some([known.as_bytes(), text.as_bytes()].concat())
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

/// A new token from the operating system's randomness.
///
/// # Errors
/// Why the system has none.
pub fn new_token() -> Result<Token, store::Error> {
    random().map(Token::from_random)
}

/// Bytes from the operating system's randomness.
///
/// # Errors
/// Why the system has none.
pub fn random() -> Result<[u8; 32], store::Error> {
    use rand::TryRng as _;
    let mut bytes = [0; 32];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|cause| store::Error::Unavailable(format!("no randomness from the system: {cause}")))?;
    Ok(bytes)
}
