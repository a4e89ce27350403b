//! Finds who sends a request, by its token or key, and refuses one that is wrong, unknown, ended or expired.

use std::sync::Arc;

use headers::authorization::{Authorization, Bearer};
use headers::{HeaderMap, HeaderMapExt};
use http::header::AUTHORIZATION;
use jiff::tz::TimeZone;
use parking_lot::RwLock;
use ring::hmac;

use super::make::random;
use super::valid_keys::{InForce, ValidKey};
use super::{AuthRefusal, Caller};
use crate::clock::Clock;
use crate::domain::text::fold;
use crate::domain::token::{Token, TokenHash, TokenKind};
use crate::store::access::keys::{self, StoredKey};
use crate::store::access::tokens;
use crate::store::journal::Who;
use crate::store::{self, Db, Store};

/// Checks tokens, keys and signatures.
pub struct Auth {
    store: Arc<Store>,
    clock: Clock,
    zone: TimeZone,
    /// The token and the keys in force, or the error of reading them after the last commit.
    pub(super) in_force: Arc<RwLock<Result<InForce, store::Error>>>,
    /// The store's key for signing URLs.
    pub(super) signing_key: hmac::Key,
}

impl Auth {
    /// Reads the token and the keys in force. They are read again before the request that changed them is answered.
    pub fn start(store: Arc<Store>, clock: Clock, zone: TimeZone) -> Result<Auth, store::Error> {
        let in_force = Arc::new(RwLock::new(Err(store::Error::Closed)));
        let load = {
            let in_force = in_force.clone();
            let zone = zone.clone();
            move |db: Db<'_>| {
                // Locked before the read, so that no older state overwrites a newer one.
                let mut in_force = in_force.write();
                let read = InForce::read(db, in_force.as_ref().unwrap_or(&InForce::default()), &zone);
                *in_force = read;
            }
        };
        let loaded = in_force.clone();
        let load_again = load.clone();
        store.after_commit(Box::new(move |db, committed| {
            if committed.token || loaded.read().is_err() {
                load(db);
            }
        }));
        store.after_revocation(Box::new(load_again));
        in_force.read().as_ref().map_err(Clone::clone)?;
        let fresh = random()?;
        let signing_key = match store.write(move |tx| tokens::signing_key(tx, fresh)) {
            // The URLs of a standby are valid while it runs.
            Err(store::Error::Standby) => fresh,
            stored => stored?,
        };
        let signing_key = hmac::Key::new(hmac::HMAC_SHA256, &signing_key);
        Ok(Auth { store, clock, zone, in_force, signing_key })
    }

    /// Checks the token or key of a request, and stores its use. Returns the caller, and the hash of what it sent.
    /// Reads no data from the store.
    pub fn check(
        &self,
        headers: &HeaderMap,
    ) -> Result<Result<(Caller, TokenHash), AuthRefusal>, store::Error> {
        Ok(self.find(headers)?.map(|key| {
            self.note_use(&key);
            (key.caller.clone(), key.hash)
        }))
    }

    /// Checks the secret of a list's address, and stores its use. Returns the caller, the hash of the secret, and the list
    /// with its filters. Reads no data from the store.
    pub fn check_address(
        &self,
        secret: &str,
    ) -> Result<Result<(Caller, TokenHash, String), AuthRefusal>, store::Error> {
        let Some(token) = Token::parse(secret).filter(|token| token.kind() == TokenKind::Address) else {
            return Ok(Err(AuthRefusal::NoAddress));
        };
        let key = match self.find_in_force(&token)? {
            Ok(key) => key,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(address) = &key.address else { return Ok(Err(AuthRefusal::NoAddress)) };
        self.note_use(&key);
        Ok(Ok((key.caller.clone(), key.hash, address.clone())))
    }

    /// Finds a key by its name, for a program that the owner lets act with it, and stores its use. Returns the caller, and the
    /// hash of the key. Reads no data from the store.
    pub fn check_name(&self, name: &str) -> Result<Result<(Caller, TokenHash), AuthRefusal>, store::Error> {
        let name = fold(name);
        let is_named = |key: &ValidKey| {
            key.address.is_none() && matches!(&key.caller.who, Some(Who::Key(own)) if fold(own) == name)
        };
        Ok(self.select(|in_force| in_force.key_by(is_named), AuthRefusal::UnknownKey)?.map(|key| {
            self.note_use(&key);
            (key.caller.clone(), key.hash)
        }))
    }

    /// Returns the list with its filters that an address with this secret opens, if the secret is in force.
    pub fn list_of(&self, secret: &Token) -> Option<String> {
        self.find_in_force(secret).ok()?.ok()?.address.clone()
    }

    /// Returns the name of a key, if it is in force.
    pub fn name_of(&self, key: &Token) -> Option<String> {
        match &self.find_in_force(key).ok()?.ok()?.caller.who {
            Some(Who::Key(name)) => Some(name.clone()),
            _ => None,
        }
    }

    fn find(&self, headers: &HeaderMap) -> Result<Result<Arc<ValidKey>, AuthRefusal>, store::Error> {
        let Some(bearer) = headers.typed_get::<Authorization<Bearer>>() else {
            let is_present = headers.get(AUTHORIZATION).is_some_and(|value| !value.is_empty());
            return Ok(Err(if is_present { AuthRefusal::NotBearer } else { AuthRefusal::NoToken }));
        };
        let text = bearer.token();
        let Some(token) = Token::parse(text) else {
            return Ok(Err(match TokenKind::of(text) {
                _ if !is_bearer_token(text) => AuthRefusal::NotBearer,
                Some(TokenKind::Key) => AuthRefusal::MalformedKey,
                Some(TokenKind::Account | TokenKind::Address) | None => AuthRefusal::Malformed,
            }));
        };
        match token.kind() {
            TokenKind::Address => Ok(Err(AuthRefusal::AddressInHeader)),
            TokenKind::Account | TokenKind::Key => self.find_in_force(&token),
        }
    }

    fn find_in_force(&self, token: &Token) -> Result<Result<Arc<ValidKey>, AuthRefusal>, store::Error> {
        let unknown = match token.kind() {
            TokenKind::Account => AuthRefusal::NotInForce,
            TokenKind::Key | TokenKind::Address => AuthRefusal::UnknownKey,
        };
        let hash = token.hash();
        self.select(|in_force| in_force.key_by_hash(&hash), unknown)
    }

    /// Returns the token or key that `select` finds, if it is in force, and fails with `unknown` if it finds none.
    fn select(
        &self,
        select: impl FnOnce(&InForce) -> Option<&Arc<ValidKey>>,
        unknown: AuthRefusal,
    ) -> Result<Result<Arc<ValidKey>, AuthRefusal>, store::Error> {
        let in_force = self.in_force.read();
        let in_force = match &*in_force {
            Ok(in_force) => in_force,
            Err(cause) => {
                // Any commit makes the callback read them again.
                self.store.submit(|_| Ok(()), |_: Result<(), store::Error>| {});
                return Err(cause.clone());
            }
        };
        Ok(match select(in_force) {
            None => Err(unknown),
            Some(key) if key.is_expired(self.now()) => Err(AuthRefusal::ExpiredKey),
            Some(key) => Ok(key.clone()),
        })
    }

    /// Returns `true` if the token or the key with this hash is still in force.
    pub fn is_in_force(&self, hash: &TokenHash) -> bool {
        let in_force = self.in_force.read();
        let key = in_force.as_ref().ok().and_then(|in_force| in_force.key_by_hash(hash));
        key.is_some_and(|key| !key.is_expired(self.now()))
    }

    pub(super) fn token(&self) -> Option<TokenHash> {
        self.in_force.read().as_ref().ok()?.token.as_ref().map(|token| token.hash)
    }

    /// Returns `true` if a token is in force.
    pub fn has_token(&self) -> bool {
        self.token().is_some()
    }

    /// Returns all keys with the current count of their requests.
    pub fn keys(&self, db: Db<'_>) -> Result<Vec<StoredKey>, store::Error> {
        let in_force = self.in_force.read();
        let counted = |key: StoredKey| {
            let valid = in_force.as_ref().ok().and_then(|in_force| in_force.key_by_hash(&key.hash));
            StoredKey { requests: valid.map_or(key.requests, |valid| valid.requests()), ..key }
        };
        Ok(keys::all(db)?.into_iter().map(counted).collect())
    }

    pub(super) fn now(&self) -> i64 {
        self.clock.now().as_second()
    }

    /// Counts a request with the token or a key. Stores the use, and the count of a key, in the background.
    fn note_use(&self, key: &ValidKey) {
        let now = self.now();
        let hash = key.hash;
        let is_token = key.is_token();
        if let Some(requests) = key.count(now, || self.clock.today(&self.zone).number()) {
            let store = move |tx: store::Tx<'_>| match is_token {
                true => tokens::used(tx, &hash, now),
                false => keys::used(tx, &hash, now, requests),
            };
            self.store.submit(store, |_: Result<(), store::Error>| {});
        }
    }
}

/// Returns `true` if the text has only characters of a `b64token` (RFC 6750, 2.1).
fn is_bearer_token(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte))
}
