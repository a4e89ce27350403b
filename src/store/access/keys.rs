//! Keys, stored only as their SHA-256 (access 25).

use rusqlite::{Connection, Row, named_params};

use super::rights;
use crate::domain::text::{KeyName, fold};
use crate::domain::token::{Token, TokenHash};
use crate::domain::{Day, Invalid, Reason};
use crate::records::Rights;
use crate::store::requests::idempotency;
use crate::store::{Db, Error, Store, Tx};

/// Maximum number of keys (access 25).
pub const MAX_KEYS: usize = 100;

/// Time in seconds without a request after which a key is reported as unused: 90 days.
pub const UNUSED_SECONDS: i64 = 90 * 24 * 60 * 60;

/// The settings of a new key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    pub name: KeyName,
    pub rights: Rights,
    /// The last day on which the key is valid.
    pub until: Option<Day>,
    /// The list that the key opens by its address, with its filters, such as `/lawsuits?open=true`. `None` for a key that
    /// is sent in a header.
    pub address: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    pub id: u32,
    pub name: String,
    /// Hash to compare with the key of a request.
    pub hash: TokenHash,
    /// Last four characters of the key, to recognize it.
    pub last_four: String,
    pub rights: Rights,
    pub until: Option<Day>,
    /// As in [`NewKey`].
    pub address: Option<String>,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Time of the last request with this key, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
    pub requests: DayRequests,
}

/// Number of requests on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayRequests {
    /// Days since 1970.
    pub day: i32,
    pub count: u32,
}

impl DayRequests {
    /// Counts one more request. If the clock was set back to an earlier day, the count continues on that day, as
    /// the daily limits do (contract 8).
    #[must_use]
    pub fn and_one(self, day: i32) -> DayRequests {
        let count = if day > self.day { 0 } else { self.count };
        DayRequests { day, count: count.saturating_add(1) }
    }

    /// Returns the number of requests on `day`.
    pub fn on(self, day: i32) -> u32 {
        if self.day == day { self.count } else { 0 }
    }
}

impl StoredKey {
    /// Returns `true` if the last day of the key is over.
    pub fn is_expired(&self, today: Day) -> bool {
        self.until.is_some_and(|until| until < today)
    }

    /// Returns `true` if the key was neither used nor made within `seconds` before `now`.
    pub fn is_idle_for(&self, seconds: i64, now: i64) -> bool {
        self.last_used_at.unwrap_or(self.created_at) <= now - seconds
    }
}

impl Store {
    /// Stores a new key. Refuses a name that another key has, and more than [`MAX_KEYS`] keys.
    pub fn add_key(&self, new: NewKey, key: &Token, now: i64) -> Result<Result<(), Invalid>, Error> {
        let hash = key.hash();
        let last_four = key.last_four().to_owned();
        self.write(move |tx| {
            let all = all(*tx)?;
            let folded = fold(new.name.as_str());
            let mut wrong = Invalid::new();
            if all.iter().any(|key| fold(&key.name) == folded) {
                wrong.add("name", Reason::KeyNameTaken);
            }
            if all.len() >= MAX_KEYS {
                wrong.add("keys", Reason::TooManyKeys { most: MAX_KEYS });
            }
            if !wrong.is_empty() {
                return Ok(Err(wrong));
            }
            tx.note_token();
            let key = StoredKey {
                id: 0,
                name: new.name.to_string(),
                hash,
                last_four,
                rights: new.rights,
                until: new.until,
                address: new.address,
                created_at: now,
                last_used_at: None,
                requests: DayRequests::default(),
            };
            insert(tx.conn(), &key, None)?;
            Ok(Ok(()))
        })
    }
}

/// Ends a key. The responses kept for its idempotency keys are dropped, so that a new key of the same name does not get
/// them.
pub(in crate::store) fn end(tx: Tx<'_>, hash: &TokenHash) -> Result<(), Error> {
    let name: Option<String> =
        tx.first_value("DELETE FROM keys WHERE hash = ?1 RETURNING name", [hash.as_bytes()])?;
    tx.note_token();
    name.map_or(Ok(()), |name| idempotency::forget_key(tx, &name))
}

pub(in crate::store) fn end_all(tx: Tx<'_>) -> Result<(), Error> {
    all(*tx)?.iter().try_for_each(|key| end(tx, &key.hash))
}

/// Returns all keys, by name.
pub fn all(db: Db<'_>) -> Result<Vec<StoredKey>, Error> {
    let ended = db.ended();
    let sql = "SELECT id, name, hash, last_four, level, nouns, until, created_at, last_used_at, used_day, used_count,
             address
         FROM keys ORDER BY folded";
    let mut keys = db.all(sql, [], stored)?;
    keys.retain(|key| !ended.has_key(key));
    Ok(keys)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredKey> {
    let (level, nouns, until): (String, Option<String>, Option<String>) =
        (row.get(4)?, row.get(5)?, row.get(6)?);
    Ok(StoredKey {
        id: row.get(0)?,
        name: row.get(1)?,
        hash: TokenHash::from_bytes(row.get(2)?),
        last_four: row.get(3)?,
        rights: rights::from_stored(&level, nouns.as_deref()),
        until: until.and_then(|day| Day::parse(&day).ok()),
        created_at: row.get(7)?,
        last_used_at: row.get(8)?,
        requests: DayRequests { day: row.get(9)?, count: row.get(10)? },
        address: row.get(11)?,
    })
}

/// Inserts a key with this id, or with a new one.
fn insert(conn: &Connection, key: &StoredKey, id: Option<u32>) -> Result<(), Error> {
    conn.execute(
        "INSERT INTO keys (id, name, folded, hash, last_four, level, nouns, until, created_at, last_used_at, used_day,
             used_count, address)
         VALUES (:id, :name, :folded, :hash, :last_four, :level, :nouns, :until, :created_at, :last_used_at, :used_day,
             :used_count, :address)",
        named_params! {
            ":id": id, ":name": key.name, ":folded": fold(&key.name), ":hash": key.hash.as_bytes(),
            ":last_four": key.last_four, ":level": key.rights.level.as_str(),
            ":nouns": rights::nouns_to_stored(key.rights.nouns),
            ":until": key.until.map(Day::iso), ":created_at": key.created_at,
            ":last_used_at": key.last_used_at, ":used_day": key.requests.day,
            ":used_count": key.requests.count, ":address": key.address,
        },
    )?;
    Ok(())
}

/// Sets the keys of a copy of the store to `stored`.
pub(in crate::store) fn take_over(copy: &Connection, stored: &[StoredKey]) -> Result<(), Error> {
    copy.execute("DELETE FROM keys", [])?;
    stored.iter().try_for_each(|key| insert(copy, key, Some(key.id)))
}

/// Stores the time of a key's last request and the number of its requests that day.
pub fn used(tx: Tx<'_>, hash: &TokenHash, now: i64, requests: DayRequests) -> Result<(), Error> {
    let sql = "UPDATE keys SET last_used_at = :now, used_day = :day, used_count = :count WHERE hash = :hash";
    let given = named_params! {
        ":hash": hash.as_bytes(), ":now": now, ":day": requests.day, ":count": requests.count,
    };
    tx.run(sql, given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::TokenKind;
    use crate::records::{Level, Nouns};

    fn new(name: &str) -> NewKey {
        let rights = Rights { level: Level::Read, nouns: Nouns::named(["tasks"]).unwrap() };
        NewKey {
            name: KeyName::parse(name).unwrap(),
            rights,
            until: Day::from_ymd(2026, 12, 31),
            address: None,
        }
    }

    fn token(number: u8) -> Token {
        Token::from_random(TokenKind::Key, [number; 32])
    }

    #[test]
    fn a_key_is_stored_unchanged_and_its_name_is_unique_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.add_key(new("Integração n8n"), &token(1), 60).unwrap(), Ok(()));
        let taken = Invalid::one("name", Reason::KeyNameTaken);
        assert_eq!(store.add_key(new("INTEGRACAO  N8N"), &token(2), 60).unwrap(), Err(taken));
        let all = store.read(all).unwrap();
        let [key] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(
            (key.name.as_str(), key.hash, key.rights),
            ("Integração n8n", token(1).hash(), new("x").rights)
        );
        assert_eq!((key.until, key.created_at, key.last_used_at), (new("x").until, 60, None));
        assert_eq!(store.end_key(key.id).unwrap(), Some("Integração n8n".to_owned()));
        assert_eq!(store.end_key(key.id).unwrap(), None);
        assert_eq!(store.add_key(new("integracao n8n"), &token(2), 60).unwrap(), Ok(()));
    }

    #[test]
    fn at_most_a_hundred_keys_can_exist() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for number in 1..=100 {
            assert_eq!(
                store.add_key(new(&format!("k{number}")), &token(number), 0).unwrap(),
                Ok(()),
                "{number}"
            );
        }
        let wrong = store.add_key(new("k101"), &token(101), 0).unwrap().unwrap_err();
        assert_eq!(wrong, Invalid::one("keys", Reason::TooManyKeys { most: 100 }));
        let first = store.read(all).unwrap().remove(0);
        store.end_key(first.id).unwrap();
        assert_eq!(store.add_key(new("k101"), &token(101), 0).unwrap(), Ok(()));
    }

    #[test]
    fn requests_are_counted_by_day_even_if_the_clock_is_set_back() {
        let counted = DayRequests::default().and_one(5).and_one(5);
        assert_eq!((counted.on(5), counted.on(4)), (2, 0));
        assert_eq!(counted.and_one(4), DayRequests { day: 4, count: 3 });
        assert_eq!(counted.and_one(6), DayRequests { day: 6, count: 1 });
    }

    #[test]
    fn a_key_is_idle_since_its_last_use_or_its_creation() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.add_key(new("a"), &token(1), 1_000).unwrap().unwrap();
        let idle = |now| store.read(all).unwrap()[0].is_idle_for(500, now);
        assert!(!idle(1_499) && idle(1_500));
        store.write(|tx| used(tx, &token(1).hash(), 2_000, DayRequests::default().and_one(3))).unwrap();
        assert!(!idle(2_499) && idle(2_500));
        assert_eq!(store.read(all).unwrap()[0].requests, DayRequests { day: 3, count: 1 });
    }
}
