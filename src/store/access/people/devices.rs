//! Devices on which a person has signed in before, known by a cookie. The store has only the hashes of their secrets.

use crate::store::{Db, Error, Tx};

/// Lifetime of a device without a sign-in, in seconds: browsers keep no cookie for longer than 400 days.
pub const LIFETIME_SECONDS: i64 = 400 * 24 * 60 * 60;
/// Maximum number of devices of a person; a new one replaces the one unused for longest.
const MAX_DEVICES: u32 = 50;

/// Returns `true` if the person has signed in on this device.
pub fn is_known(db: Db<'_>, person: u32, hash: [u8; 32], now: i64) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM devices WHERE user_id = ?1 AND hash = ?2 AND used_at > ?3";
    db.has_row(sql, (person, hash, now - LIFETIME_SECONDS))
}

/// Stores that the person has signed in on this device.
pub fn remember(tx: Tx<'_>, person: u32, hash: [u8; 32], now: i64) -> Result<(), Error> {
    let insert = "INSERT INTO devices (user_id, hash, used_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET used_at = excluded.used_at";
    tx.run(insert, (person, hash, now))?;
    let many = "DELETE FROM devices WHERE user_id = ?1 AND hash IN
        (SELECT hash FROM devices WHERE user_id = ?1 AND hash <> ?2 ORDER BY used_at DESC LIMIT -1 OFFSET ?3)";
    tx.run(many, (person, hash, MAX_DEVICES - 1))
}
