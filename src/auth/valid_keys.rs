//! The token and the keys in force, in memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::tz::TimeZone;
use parking_lot::Mutex;

use super::Caller;
use crate::domain::Day;
use crate::domain::token::TokenHash;
use crate::records::Rights;
use crate::store::access::keys::{self, DayRequests, StoredKey};
use crate::store::access::tokens::{self, StoredToken};
use crate::store::journal::Who;
use crate::store::{self, Db};

/// The token and the keys in force, as of the last commit that changed them.
#[derive(Default)]
pub(super) struct InForce {
    pub token: Option<Arc<ValidKey>>,
    /// By hash. A lookup need not take constant time: its time depends on the hash of what a client sent, which does
    /// not tell a key.
    keys: BTreeMap<[u8; 32], Arc<ValidKey>>,
}

/// A key that has not been ended, or the token, which is a key with all rights and without an end.
pub(super) struct ValidKey {
    /// 0 for the token.
    pub id: u32,
    pub hash: TokenHash,
    pub caller: Caller,
    /// The list that the key opens, if it is part of an address.
    pub address: Option<String>,
    /// The second, since 1970, at which its last day is over.
    ends_at: Option<i64>,
    /// The last use that was stored, in minutes since 1970. At most one use a minute is stored.
    last_use: AtomicI64,
    requests: Mutex<DayRequests>,
}

impl InForce {
    /// Reads the token and the keys. Keys that were in force `before` keep the count of their requests.
    pub fn read(db: Db<'_>, before: &InForce, zone: &TimeZone) -> Result<InForce, store::Error> {
        let token = tokens::current(db)?.map(|token| match &before.token {
            Some(same) if same.hash == token.hash => same.clone(),
            _ => Arc::new(ValidKey::of_token(token)),
        });
        let valid_key = |key: StoredKey| {
            let bytes = *key.hash.as_bytes();
            let valid = before.keys.get(&bytes).filter(|valid| valid.id == key.id).cloned();
            (bytes, valid.unwrap_or_else(|| Arc::new(ValidKey::of(key, zone))))
        };
        Ok(InForce { token, keys: keys::all(db)?.into_iter().map(valid_key).collect() })
    }

    pub fn key_by_hash(&self, hash: &TokenHash) -> Option<&Arc<ValidKey>> {
        self.token.as_ref().filter(|token| token.hash == *hash).or_else(|| self.keys.get(hash.as_bytes()))
    }

    pub fn key_by(&self, matches: impl Fn(&ValidKey) -> bool) -> Option<&Arc<ValidKey>> {
        self.keys.values().find(|key| matches(key))
    }
}

impl ValidKey {
    fn of_token(token: StoredToken) -> ValidKey {
        ValidKey {
            id: 0,
            hash: token.hash,
            caller: Caller { who: Some(Who::Token(token.last_four)), rights: Rights::OWN },
            address: None,
            ends_at: None,
            last_use: AtomicI64::default(),
            requests: Mutex::default(),
        }
    }

    fn of(key: StoredKey, zone: &TimeZone) -> ValidKey {
        let StoredKey { id, name, hash, rights, until, address, requests, .. } = key;
        let day_after = until.map(|until| Day::from_number(until.number().saturating_add(1)));
        let ends_at = day_after.map(|day| day.map_or(i64::MAX, |day| day.begins(zone)));
        ValidKey {
            id,
            hash,
            caller: Caller { who: Some(Who::Key(name)), rights },
            address,
            ends_at,
            last_use: AtomicI64::default(),
            requests: Mutex::new(requests),
        }
    }

    pub fn is_token(&self) -> bool {
        matches!(self.caller.who, Some(Who::Token(_)))
    }

    /// Returns `true` once the last day of the key is over. `now` is in seconds since 1970.
    pub fn is_expired(&self, now: i64) -> bool {
        self.ends_at.is_some_and(|ends_at| now >= ends_at)
    }

    /// Counts a request. Returns the count if this use is to be stored. `now` is in seconds since 1970.
    pub fn count(&self, now: i64, day: impl FnOnce() -> i32) -> Option<DayRequests> {
        let mut requests = self.requests.lock();
        let minute = now.div_euclid(60);
        // A day begins with a minute.
        if self.last_use.swap(minute, Ordering::Relaxed) == minute {
            *requests = requests.and_one(requests.day);
            return None;
        }
        *requests = requests.and_one(day());
        Some(*requests)
    }

    pub fn requests(&self) -> DayRequests {
        *self.requests.lock()
    }
}
