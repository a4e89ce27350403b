//! Sessions of people in the console. They survive a restart; the store has only the hashes of their secrets.

use super::{Person, find as find_person};
use crate::store::{Db, Error, Tx};

/// Lifetime of a session without a request, and in all, in seconds (access 26).
pub const IDLE_SECONDS: i64 = 12 * 60 * 60;
pub const MAX_AGE_SECONDS: i64 = 7 * 24 * 60 * 60;
/// Seconds by which the clock may be set back without ending sessions.
const SET_BACK: i64 = 10 * 60;
/// Maximum number of sessions of a person; a new one replaces the oldest.
const MAX_SESSIONS: u32 = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonSession {
    pub id: u32,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Time of the last request, to the minute, in seconds since 1970.
    pub used_at: i64,
    /// Browser and system.
    pub machine: String,
}

/// Condition for sessions that are open at the time `?2`. If the clock was set back by more than a few minutes, a
/// session is refused until the clock is right again, so that it does not outlive its seven days.
const IS_OPEN: &str = "used_at > ?2 - 43200 AND used_at <= ?2 + 600 AND created_at > ?2 - 604800";
const _: () = assert!(IDLE_SECONDS == 43_200 && SET_BACK == 600 && MAX_AGE_SECONDS == 604_800);

/// Opens a session. `hash` is that of the secret in its cookie; `now` is in seconds since 1970.
pub fn open(tx: Tx<'_>, person: u32, hash: [u8; 32], machine: &str, now: i64) -> Result<(), Error> {
    let late = "DELETE FROM sessions WHERE used_at <= ?1 - 43200 OR created_at <= ?1 - 604800";
    tx.run(late, [now])?;
    let many = "DELETE FROM sessions WHERE id IN
        (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)";
    tx.run(many, (person, MAX_SESSIONS - 1))?;
    tx.run(
        "INSERT INTO sessions (hash, user_id, created_at, used_at, machine) VALUES (?1, ?2, ?3, ?3, ?4)",
        (hash, person, now, machine),
    )
}

/// Returns the person and the session of a cookie, if the session is open and the person has access.
pub fn find(db: Db<'_>, hash: [u8; 32], now: i64) -> Result<Option<(Person, PersonSession)>, Error> {
    let ended = db.ended();
    let sql = "SELECT id, created_at, used_at, machine, user_id FROM sessions WHERE hash = ?1 AND ";
    let found = db.first(&[sql, IS_OPEN].concat(), (hash, now), |row| Ok((session(row)?, row.get(4)?)))?;
    let Some((session, person)) = found else { return Ok(None) };
    if ended.has_session(person, session.id) {
        return Ok(None);
    }
    let person = find_person(db, person)?.filter(|person| person.is_active);
    Ok(person.map(|person| (person, session)))
}

/// Stores the time of a session's last request, to the minute.
pub fn used(tx: Tx<'_>, id: u32, now: i64) -> Result<(), Error> {
    let minute = now - now.rem_euclid(60);
    let sql = "UPDATE sessions SET used_at = ?2 WHERE id = ?1 AND used_at < ?2";
    tx.run(sql, (id, minute))
}

/// Returns the open sessions of a person, last used first.
pub fn of(db: Db<'_>, person: u32, now: i64) -> Result<Vec<PersonSession>, Error> {
    let ended = db.ended();
    let sql = ["SELECT id, created_at, used_at, machine FROM sessions WHERE user_id = ?1 AND ", IS_OPEN];
    let open =
        db.all(&[&sql.concat(), " ORDER BY used_at DESC, id DESC"].concat(), (person, now), session)?;
    Ok(open.into_iter().filter(|session| !ended.has_session(person, session.id)).collect())
}

fn session(row: &rusqlite::Row<'_>) -> rusqlite::Result<PersonSession> {
    Ok(PersonSession { id: row.get(0)?, created_at: row.get(1)?, used_at: row.get(2)?, machine: row.get(3)? })
}

/// Ends a session of a person.
pub(in crate::store) fn end(tx: Tx<'_>, person: u32, id: u32) -> Result<(), Error> {
    let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id = ?2";
    tx.run(sql, (person, id))
}

/// Ends the sessions of a person, except `except`.
pub(in crate::store) fn end_others(tx: Tx<'_>, person: u32, except: Option<u32>) -> Result<(), Error> {
    let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id IS NOT ?2";
    tx.run(sql, (person, except))
}

pub fn end_by_cookie(tx: Tx<'_>, hash: [u8; 32]) -> Result<(), Error> {
    tx.run("DELETE FROM sessions WHERE hash = ?1", [hash])
}
