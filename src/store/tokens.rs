//! The one token of the account, kept as its SHA-256 only (contract 7).

use rusqlite::{Connection, OptionalExtension};

use super::{Db, Error, Store, Tx};
use crate::domain::token::{Token, TokenHash};

/// What is known of the token in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// What a request's token is compared with.
    pub hash: TokenHash,
    /// Its last four characters, to tell it from another.
    pub last_four: String,
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// When a request last carried it, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
}

impl Store {
    /// Puts `token` in force; the one before is dead once this returns.
    ///
    /// # Errors
    /// Why it could not be stored; the one before stays in force then.
    pub fn replace_token(&self, token: &Token, now: i64) -> Result<(), Error> {
        let (hash, last_four) = (token.hash(), token.last_four().to_owned());
        self.write(move |tx| {
            tx.note_token();
            let mut statement = tx.conn().prepare_cached(
                "INSERT INTO token (one, hash, last_four, created_at) VALUES (1, :hash, :last_four, :now)
                 ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, last_four = excluded.last_four,
                     created_at = excluded.created_at, last_used_at = NULL",
            )?;
            statement.execute(rusqlite::named_params! {
                ":hash": hash.as_bytes(), ":last_four": last_four, ":now": now,
            })?;
            Ok(())
        })
    }

    /// Whether no token was ever in force here: a store whose token was revoked had one.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn never_had_a_token(&self) -> Result<bool, Error> {
        self.read(|db| {
            Ok(!db
                .conn()
                .query_row("SELECT EXISTS (SELECT 1 FROM token)", [], |row| row.get::<_, bool>(0))?)
        })
    }

    /// Leaves the account without a token; answers whether there was one.
    ///
    /// # Errors
    /// Why it could not be stored; the token stays in force then.
    pub fn revoke_token(&self) -> Result<bool, Error> {
        self.write(|tx| {
            let there_was = current(*tx)?.is_some();
            tx.note_token();
            revoke(tx.conn())?;
            Ok(there_was)
        })
    }
}

/// What stands in the place of a revoked token's hash: no token has it. The row stays, because the account has had one.
const NONE: TokenHash = TokenHash::from_bytes([0; 32]);

fn revoke(conn: &Connection) -> Result<(), Error> {
    conn.execute(
        "INSERT OR REPLACE INTO token (one, hash, last_four, created_at) VALUES (1, ?1, 'none', 0)",
        [NONE.as_bytes()],
    )?;
    Ok(())
}

/// The token in force, if there is one.
///
/// # Errors
/// Why the store cannot be read.
pub fn current(db: Db<'_>) -> Result<Option<StoredToken>, Error> {
    let mut statement = db
        .conn()
        .prepare_cached("SELECT hash, last_four, created_at, last_used_at FROM token WHERE one = 1")?;
    let kept = statement.query_row([], |row| {
        Ok(StoredToken {
            hash: TokenHash::from_bytes(row.get(0)?),
            last_four: row.get(1)?,
            created_at: row.get(2)?,
            last_used_at: row.get(3)?,
        })
    });
    Ok(kept.optional()?.filter(|kept| kept.hash != NONE))
}

/// The key that signs addresses (resources 17.5), which is `fresh` where there is none yet. A server's own: what puts a
/// backup in place leaves the one of the backup behind.
///
/// # Errors
/// Why the store cannot be written.
pub fn signing_key(tx: Tx<'_>, fresh: [u8; 32]) -> Result<[u8; 32], Error> {
    tx.conn().execute("INSERT OR IGNORE INTO signing_key (one, key) VALUES (1, ?1)", [fresh])?;
    Ok(tx.conn().query_row("SELECT key FROM signing_key", [], |row| row.get(0))?)
}

/// Makes `kept` the token of a copy of the store, or leaves it without one.
///
/// # Errors
/// Why the copy cannot be written.
pub(super) fn take_over(copy: &Connection, kept: Option<&StoredToken>) -> Result<(), Error> {
    revoke(copy)?;
    if let Some(kept) = kept {
        copy.execute(
            "INSERT OR REPLACE INTO token (one, hash, last_four, created_at, last_used_at)
             VALUES (1, :hash, :last_four, :created_at, :last_used_at)",
            rusqlite::named_params! {
                ":hash": kept.hash.as_bytes(), ":last_four": kept.last_four,
                ":created_at": kept.created_at, ":last_used_at": kept.last_used_at,
            },
        )?;
    }
    Ok(())
}

/// Notes when a request last carried the token; nothing where it was replaced meanwhile.
///
/// # Errors
/// Why the store cannot be written.
pub fn used(tx: Tx<'_>, hash: &TokenHash, now: i64) -> Result<(), Error> {
    let mut statement =
        tx.conn().prepare_cached("UPDATE token SET last_used_at = :now WHERE one = 1 AND hash = :hash")?;
    statement.execute(rusqlite::named_params! { ":hash": hash.as_bytes(), ":now": now })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_commit_says_whether_another_token_may_be_in_force() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (told, heard) = channel();
        store.after_commit(Box::new(move |_, committed| told.send(committed.token).unwrap()));
        let token = Token::from_random([7; 32]);
        let hash = token.hash();
        store.replace_token(&token, 0).unwrap();
        store.write(move |tx| used(tx, &hash, 60)).unwrap();
        store.write(|_| Ok::<_, Error>(())).unwrap();
        store.revoke_token().unwrap();
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [false, true, false, false, true]);
    }
}
