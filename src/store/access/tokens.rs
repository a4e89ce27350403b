//! The API token of the account, stored only as its SHA-256 (contract 7).

use rusqlite::Connection;

use crate::domain::token::TokenHash;
use crate::store::{Db, Error, Store, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// Hash to compare with the token of a request.
    pub hash: TokenHash,
    /// Last four characters of the token, to recognize it.
    pub last_four: String,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Time of the last request with this token, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
}

impl Store {
    /// Returns `true` if the account has never had a token. A revoked token counts as one.
    pub fn never_had_a_token(&self) -> Result<bool, Error> {
        self.read(|db| {
            let exists = "SELECT EXISTS (SELECT 1 FROM token)";
            let is_stored: bool = db.conn().query_row(exists, [], |row| row.get(0))?;
            Ok(!is_stored && current(db)?.is_none())
        })
    }
}

/// Hash stored after a revocation, which matches no token. The row stays, to record that the account has had a
/// token.
const NONE: TokenHash = TokenHash::from_bytes([0; 32]);

fn revoke(conn: &Connection) -> Result<(), Error> {
    conn.execute(
        "INSERT OR REPLACE INTO token (one, hash, last_four, created_at) VALUES (1, ?1, 'none', 0)",
        [NONE.as_bytes()],
    )?;
    Ok(())
}

/// Stores the token in force, or that it was revoked.
pub(in crate::store) fn put(tx: Tx<'_>, token: Option<&StoredToken>) -> Result<(), Error> {
    tx.note_token();
    take_over(tx.conn(), token)
}

/// Returns the token in force, if any.
pub fn current(db: Db<'_>) -> Result<Option<StoredToken>, Error> {
    let ended = db.ended();
    let sql = "SELECT hash, last_four, created_at, last_used_at FROM token WHERE one = 1";
    let stored = db.first(sql, [], |row| {
        Ok(StoredToken {
            hash: TokenHash::from_bytes(row.get(0)?),
            last_four: row.get(1)?,
            created_at: row.get(2)?,
            last_used_at: row.get(3)?,
        })
    })?;
    Ok(ended.token(stored.filter(|stored| stored.hash != NONE)))
}

/// Returns the key for signed URLs (resources 17.5), and stores `fresh` as the key if there is none. The key
/// belongs to this server: a restore does not take over the one of the backup.
pub fn signing_key(tx: Tx<'_>, fresh: [u8; 32]) -> Result<[u8; 32], Error> {
    tx.conn().execute("INSERT OR IGNORE INTO signing_key (one, key) VALUES (1, ?1)", [fresh])?;
    Ok(tx.conn().query_row("SELECT key FROM signing_key", [], |row| row.get(0))?)
}

/// Sets the token of a copy of the store to `stored`, or revokes it.
pub(in crate::store) fn take_over(copy: &Connection, stored: Option<&StoredToken>) -> Result<(), Error> {
    revoke(copy)?;
    if let Some(stored) = stored {
        copy.execute(
            "INSERT OR REPLACE INTO token (one, hash, last_four, created_at, last_used_at)
             VALUES (1, :hash, :last_four, :created_at, :last_used_at)",
            rusqlite::named_params! {
                ":hash": stored.hash.as_bytes(), ":last_four": stored.last_four,
                ":created_at": stored.created_at, ":last_used_at": stored.last_used_at,
            },
        )?;
    }
    Ok(())
}

/// Stores the time of the last request with a token. Does nothing if the token was replaced meanwhile.
pub fn used(tx: Tx<'_>, hash: &TokenHash, now: i64) -> Result<(), Error> {
    tx.run(
        "UPDATE token SET last_used_at = :now WHERE one = 1 AND hash = :hash",
        rusqlite::named_params! { ":hash": hash.as_bytes(), ":now": now },
    )
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::domain::TokenKind;
    use crate::domain::token::Token;

    #[test]
    fn a_commit_reports_whether_the_token_may_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (publish, published) = channel();
        store.after_commit(Box::new(move |_, committed| publish.send(committed.token).unwrap()));
        let token = Token::from_random(TokenKind::Account, [7; 32]);
        let hash = token.hash();
        store.replace_token(&token, false, 0).unwrap();
        store.write(move |tx| used(tx, &hash, 60)).unwrap();
        store.write(|_| Ok::<_, Error>(())).unwrap();
        store.revoke_token().unwrap();
        // Comes after the takeover of the revocation.
        store.write(|_| Ok::<_, Error>(())).unwrap();
        assert_eq!(published.try_iter().collect::<Vec<_>>(), [false, true, false, false, true, false]);
    }
}
