//! People with access to the console: entries of the list `users` with rights and a password (access 26).

pub mod devices;
pub mod failed_sign_ins;
pub mod restore;
pub mod sessions;

use rusqlite::{Connection, Row, named_params};

use super::rights;
use crate::domain::Bilingual;
use crate::domain::text::fold;
use crate::records::Rights;
use crate::store::{Db, Error, Tx};

/// Lifetime of an invitation in seconds (access 26).
pub const INVITATION_SECONDS: i64 = 24 * 60 * 60;

/// A person with access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Id of the entry in `users`.
    pub id: u32,
    pub name: String,
    /// `false` if the entry is deactivated. The person cannot sign in then.
    pub is_active: bool,
    /// The name or e-mail address to sign in with.
    pub sign_in: String,
    pub rights: Rights,
    /// Argon2id hash in PHC format. `None` if no invitation has been used.
    pub password: Option<String>,
    /// Time of the open invitation, in seconds since 1970.
    pub invited_at: Option<i64>,
    /// Time of the last request of a session, to the minute, in seconds since 1970.
    pub used_at: Option<i64>,
}

/// The way of a person into the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonAccess {
    Open,
    Invited,
    /// No password, and no invitation that could still be used.
    Expired,
    /// The entry of the team is deactivated.
    Inactive,
}

impl PersonAccess {
    pub const fn label(self) -> Bilingual {
        match self {
            PersonAccess::Open => ("com acesso", "has access"),
            PersonAccess::Invited => ("convite em aberto", "invited"),
            PersonAccess::Expired => ("convite vencido", "invitation expired"),
            PersonAccess::Inactive => ("inativo na equipe, sem acesso", "deactivated, no access"),
        }
    }
}

impl Person {
    /// Returns the way of the person into the console. `now` is in seconds since 1970.
    pub fn access(&self, now: i64) -> PersonAccess {
        match self {
            Person { is_active: false, .. } => PersonAccess::Inactive,
            Person { password: Some(_), .. } => PersonAccess::Open,
            _ if self.invitation_end(now).is_some() => PersonAccess::Invited,
            _ => PersonAccess::Expired,
        }
    }

    /// Returns the end of the open invitation.
    pub fn invitation_end(&self, now: i64) -> Option<i64> {
        self.invited_at.map(|at| at + INVITATION_SECONDS).filter(|until| *until > now)
    }
}

const COLUMNS: &str = "SELECT people.user_id, name, active, sign_in, level, nouns, password,
    (SELECT created_at FROM invitations WHERE invitations.user_id = people.user_id),
    (SELECT max(used_at) FROM sessions WHERE sessions.user_id = people.user_id)
    FROM people JOIN users ON users.id = people.user_id ";

fn person(row: &Row<'_>) -> rusqlite::Result<Person> {
    Ok(Person {
        id: row.get(0)?,
        name: row.get(1)?,
        is_active: row.get(2)?,
        sign_in: row.get(3)?,
        rights: rights::from_stored(&row.get::<_, String>(4)?, row.get::<_, Option<String>>(5)?.as_deref()),
        password: row.get(6)?,
        invited_at: row.get(7)?,
        used_at: row.get(8)?,
    })
}

/// Returns the people with access, by name.
pub fn all(db: Db<'_>) -> Result<Vec<Person>, Error> {
    let ended = db.ended();
    let all = db.all(&[COLUMNS, "ORDER BY name_key, user_id"].concat(), [], person)?;
    Ok(all.into_iter().filter_map(|person| ended.person(person)).collect())
}

pub fn find(db: Db<'_>, id: u32) -> Result<Option<Person>, Error> {
    let ended = db.ended();
    let person = db.first(&[COLUMNS, "WHERE people.user_id = ?1"].concat(), [id], person)?;
    Ok(person.and_then(|person| ended.person(person)))
}

/// Finds the active person who signs in with this name.
pub fn signing_in(db: Db<'_>, sign_in: &str) -> Result<Option<Person>, Error> {
    let ended = db.ended();
    let person =
        db.first(&[COLUMNS, "WHERE sign_in_key = ?1 AND active"].concat(), [fold(sign_in)], person)?;
    Ok(person.and_then(|person| ended.person(person)).filter(|person| person.is_active))
}

/// Returns `true` if any person has access.
pub fn exist(db: Db<'_>) -> Result<bool, Error> {
    db.has_row("SELECT 1 FROM people", [])
}

/// Result of [`grant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    Done,
    /// Another person signs in with this name.
    Taken,
}

/// Returns `true` if another person than this one signs in with this name.
pub fn is_taken(db: Db<'_>, id: u32, sign_in: &str) -> Result<bool, Error> {
    let taken = "SELECT 1 FROM people WHERE sign_in_key = ?1 AND user_id <> ?2";
    db.has_row(taken, (fold(sign_in), id))
}

/// Gives a person access, or changes it. `now` is in seconds since 1970.
pub fn grant(tx: Tx<'_>, id: u32, sign_in: &str, rights: Rights, now: i64) -> Result<Granted, Error> {
    if is_taken(*tx, id, sign_in)? {
        return Ok(Granted::Taken);
    }
    let is_new = find(*tx, id)?.is_none();
    let sql = "INSERT INTO people (user_id, sign_in, sign_in_key, level, nouns, created_at)
         VALUES (:id, :sign_in, :key, :level, :nouns, :now)
         ON CONFLICT (user_id) DO UPDATE SET sign_in = excluded.sign_in, sign_in_key = excluded.sign_in_key,
             level = excluded.level, nouns = excluded.nouns";
    let given = named_params! {
        ":id": id, ":sign_in": sign_in, ":key": fold(sign_in), ":level": rights.level.as_str(),
        ":nouns": rights::nouns_to_stored(rights.nouns), ":now": now,
    };
    tx.run(sql, given)?;
    // What an owner decides about access later is not undone with a restore.
    // People may share an e-mail address: only who gets access anew may be the same under another name.
    let forget = "DELETE FROM lost_access WHERE name_key = (SELECT name_key FROM users WHERE id = ?1)
         OR ?2 AND email = (SELECT email FROM users WHERE id = ?1) COLLATE NOCASE";
    tx.run(forget, (id, is_new))?;
    tx.note_token();
    Ok(Granted::Done)
}

/// Takes a person's access away and ends all sessions.
pub(in crate::store) fn take_away(tx: Tx<'_>, id: u32) -> Result<(), Error> {
    tx.note_token();
    tx.run("DELETE FROM people WHERE user_id = ?1", [id])
}

/// Takes from a person all rights that are not among `most`.
pub(in crate::store) fn narrow(tx: Tx<'_>, id: u32, most: Rights) -> Result<(), Error> {
    let Some(person) = find(*tx, id)? else { return Ok(()) };
    let narrowed = person.rights.at_most(most);
    let sql = "UPDATE people SET level = ?2, nouns = ?3 WHERE user_id = ?1";
    let values = (id, narrowed.level.as_str(), rights::nouns_to_stored(narrowed.nouns));
    tx.run(sql, values)?;
    tx.note_token();
    Ok(())
}

/// Stores an invitation. It replaces the person's earlier one. `hash` is that of the secret in the link.
pub fn invite(tx: Tx<'_>, id: u32, hash: [u8; 32], now: i64) -> Result<(), Error> {
    tx.run(
        "INSERT INTO invitations (user_id, hash, created_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at",
        (id, hash, now),
    )
}

/// Returns the active person whose open invitation this is. One from the future opens nothing: the clock was
/// set back.
pub fn invited(db: Db<'_>, hash: [u8; 32], now: i64) -> Result<Option<Person>, Error> {
    let sql = "SELECT user_id FROM invitations WHERE hash = ?1 AND created_at BETWEEN ?2 AND ?3";
    let id = db.first_value(sql, (hash, now - INVITATION_SECONDS + 1, now))?;
    Ok(id.map(|id| find(db, id)).transpose()?.flatten().filter(|person| person.is_active))
}

/// Stores a new password, and ends the invitation and all sessions. Returns `false` if the person has no access.
pub fn set_password(tx: Tx<'_>, id: u32, password: &str) -> Result<bool, Error> {
    for sql in ["DELETE FROM invitations WHERE user_id = ?1", "DELETE FROM sessions WHERE user_id = ?1"] {
        tx.run(sql, [id])?;
    }
    Ok(tx.changed("UPDATE people SET password = ?2 WHERE user_id = ?1", (id, password))? > 0)
}

/// Ends all invitations and sessions in a copy of the store that replaces it, and forgets all devices. People keep their
/// access.
pub(in crate::store) fn end_all(copy: &Connection) -> Result<(), Error> {
    Ok(copy.execute_batch("DELETE FROM sessions; DELETE FROM invitations; DELETE FROM devices")?)
}

#[cfg(test)]
mod tests;
