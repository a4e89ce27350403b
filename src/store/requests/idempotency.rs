//! Responses to requests with an `Idempotency-Key`, for replay when a client repeats a request (contract 4.3).

use crate::store::{Db, Error, Tx};

/// Time in seconds for which a first response is kept (contract 4.3: 24 hours). A response dated this far in the future
/// by a wrong clock is dropped too, because its key would stay taken until that day.
pub const LIFETIME_SECONDS: i64 = 24 * 60 * 60;

/// The first response to a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// SHA-256 of the body and the path parameters of the request.
    pub request: [u8; 32],
    /// HTTP status of the response.
    pub status: u16,
    /// Body of the response.
    pub answer: Vec<u8>,
}

/// Returns the first response to `key` on `route`, if it is less than [`LIFETIME_SECONDS`] away from `now`.
/// For a page of the console, `route` is the name of the table.
pub fn find(db: Db<'_>, route: &str, key: &str, now: i64) -> Result<Option<First>, Error> {
    let sql = "SELECT request, status, answer FROM idempotency
         WHERE route = :route AND key = :key AND created_at > :since AND created_at < :until";
    let given = rusqlite::named_params! {
        ":route": route, ":key": key, ":since": now - LIFETIME_SECONDS, ":until": now + LIFETIME_SECONDS,
    };
    db.first(sql, given, |row| Ok(First { request: row.get(0)?, status: row.get(1)?, answer: row.get(2)? }))
}

/// Deletes the first responses to requests with a key (access 25).
pub(in crate::store) fn forget_key(tx: Tx<'_>, name: &str) -> Result<(), Error> {
    let scope = key_scope(name);
    let sql = "DELETE FROM idempotency WHERE substr(route, 1, length(?1)) = ?1";
    tx.run(sql, [scope])
}

/// Returns the text that precedes the route in `route` for requests with a key, so that no caller gets the responses
/// to another one. Requests with the account's token have none. A key's name has no line break.
pub fn key_scope(name: &str) -> String {
    format!("key:{name}\n")
}

/// Stores a first response, and deletes the expired ones.
pub fn keep(tx: Tx<'_>, route: &str, key: &str, first: &First, now: i64) -> Result<(), Error> {
    let mut forget =
        tx.conn().prepare_cached("DELETE FROM idempotency WHERE created_at <= ?1 OR created_at >= ?2")?;
    forget.execute([now - LIFETIME_SECONDS, now + LIFETIME_SECONDS])?;
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
