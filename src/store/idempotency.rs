//! First answers of requests that carried an `Idempotency-Key`, for those who ask again (contract 4.3).

use rusqlite::OptionalExtension;

use super::{Db, Error, Tx};

/// How long a first answer is kept, in seconds (contract 4.3: 24 hours). One that a wrong clock dated so far ahead is
/// none either, or its key would stay taken until that day.
pub const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// A first answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// SHA-256 of the request's body.
    pub request: [u8; 32],
    /// The answer's status.
    pub status: u16,
    /// The answer's body.
    pub answer: Vec<u8>,
}

/// The first answer to `key` on `route`, if it is of the day around `now`.
///
/// # Errors
/// Why the store cannot be read.
pub fn find(db: Db<'_>, route: &str, key: &str, now: i64) -> Result<Option<First>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT request, status, answer FROM idempotency
         WHERE route = :route AND key = :key AND created_at > :since AND created_at < :until",
    )?;
    let first = statement.query_row(
        rusqlite::named_params! {
            ":route": route, ":key": key, ":since": now - KEPT_SECONDS, ":until": now + KEPT_SECONDS,
        },
        |row| Ok(First { request: row.get(0)?, status: row.get(1)?, answer: row.get(2)? }),
    );
    Ok(first.optional()?)
}

/// Keeps a first answer, and forgets those that [`find`] finds no more.
///
/// # Errors
/// Why the store cannot be written.
pub fn keep(tx: Tx<'_>, route: &str, key: &str, first: &First, now: i64) -> Result<(), Error> {
    let mut forget =
        tx.conn().prepare_cached("DELETE FROM idempotency WHERE created_at <= ?1 OR created_at >= ?2")?;
    forget.execute([now - KEPT_SECONDS, now + KEPT_SECONDS])?;
    let mut keep = tx.conn().prepare_cached(
        "INSERT INTO idempotency (route, key, request, status, answer, created_at)
         VALUES (:route, :key, :request, :status, :answer, :now)",
    )?;
    keep.execute(rusqlite::named_params! {
        ":route": route, ":key": key, ":request": first.request, ":status": first.status,
        ":answer": first.answer, ":now": now,
    })?;
    Ok(())
}
