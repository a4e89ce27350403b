//! Access of people when a backup replaces the store: who may come in is decided by the store that is replaced.

use rusqlite::{Connection, named_params};

use super::super::rights;
use super::{Person, all};
use crate::domain::text::fold;
use crate::store::{Db, Error};

/// Access that a restored store takes over.
pub(in crate::store) struct KeptAccess {
    person: Person,
    email: Option<String>,
    created_at: i64,
}

/// The access of a person whom a restore left without an entry in the team.
pub(in crate::store) struct LostAccess {
    access: KeptAccess,
    /// Time of the restore, in seconds since 1970.
    lost_at: i64,
    /// `true` if the team has an entry of that name by now.
    has_new_entry: bool,
}

/// Returns the access of all people in the store that is replaced.
pub(in crate::store) fn stored_access(db: Db<'_>) -> Result<Vec<KeptAccess>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT email, created_at FROM people JOIN users ON users.id = people.user_id WHERE people.user_id = ?1",
    )?;
    let with_rest = |person: Person| {
        let (email, created_at) = statement.query_row([person.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(KeptAccess { person, email, created_at })
    };
    all(db)?.into_iter().map(with_rest).collect()
}

/// Sets the access of a copy of the store to `stored`. Whoever is not in the team of the copy loses it, and is noted. Whoever lost it so before (`lost`), is in the team of the copy and has got no other entry since, has it again: a
/// restore can be undone. An entry is the same if it has the same id, and the same name, e-mail address or former access.
/// `now` is in seconds since 1970.
pub(in crate::store) fn take_over(
    copy: &Connection,
    stored: &[KeptAccess],
    lost: &[LostAccess],
    now: i64,
) -> Result<(), Error> {
    let same = "SELECT 1 FROM users LEFT JOIN people ON people.user_id = users.id
        WHERE users.id = ?1 AND (name_key = ?2 OR email = ?3 COLLATE NOCASE OR created_at = ?4)";
    let is_in_team = |kept: &KeptAccess| {
        let KeptAccess { person, email, created_at } = kept;
        copy.prepare_cached(same)?.exists((person.id, fold(&person.name), email, created_at))
    };
    let mut taken_over = Vec::new();
    let mut noted = Vec::new();
    for kept in stored {
        match is_in_team(kept)? {
            true => taken_over.push((kept, now)),
            false => noted.push((kept, now)),
        }
    }
    let has_access = |lost: &&LostAccess| stored.iter().any(|kept| kept.person.id == lost.access.person.id);
    for LostAccess { access, lost_at, has_new_entry } in lost.iter().filter(|lost| !has_access(lost)) {
        match !has_new_entry && is_in_team(access)? {
            true => taken_over.push((access, *lost_at)),
            false => noted.push((access, *lost_at)),
        }
    }
    copy.execute_batch("DELETE FROM people; DELETE FROM lost_access")?;
    for (kept, lost_at) in taken_over {
        if !insert(copy, kept)? {
            noted.push((kept, lost_at));
            continue;
        }
        // Whoever was deactivated since the backup stays out, and whoever was activated comes in.
        let Person { id, is_active, .. } = &kept.person;
        copy.execute("UPDATE users SET active = ?2 WHERE id = ?1", (id, is_active))?;
    }
    noted.into_iter().try_for_each(|(kept, lost_at)| note_lost(copy, kept, lost_at))
}

/// Inserts access. Returns `false` if the person or another one with the same name to sign in with has it already.
fn insert(copy: &Connection, kept: &KeptAccess) -> Result<bool, Error> {
    let KeptAccess { person, created_at, .. } = kept;
    let inserted = copy.execute(
        "INSERT OR IGNORE INTO people (user_id, sign_in, sign_in_key, level, nouns, password, created_at)
             VALUES (:id, :sign_in, :key, :level, :nouns, :password, :created_at)",
        named_params! {
            ":id": person.id, ":sign_in": person.sign_in, ":key": fold(&person.sign_in),
            ":level": person.rights.level.as_str(), ":nouns": rights::nouns_to_stored(person.rights.nouns),
            ":password": person.password, ":created_at": created_at,
        },
    )?;
    Ok(inserted > 0)
}

fn note_lost(copy: &Connection, kept: &KeptAccess, lost_at: i64) -> Result<(), Error> {
    let KeptAccess { person, email, created_at } = kept;
    copy.execute(
        "INSERT INTO lost_access (lost_at, user_id, name, name_key, active, email, sign_in, level, nouns, password, created_at)
             VALUES (:lost_at, :id, :name, :name_key, :active, :email, :sign_in, :level, :nouns, :password, :created_at)",
        named_params! {
            ":lost_at": lost_at, ":id": person.id, ":name": person.name, ":name_key": fold(&person.name), ":active": person.is_active, ":email": email,
            ":sign_in": person.sign_in, ":level": person.rights.level.as_str(),
            ":nouns": rights::nouns_to_stored(person.rights.nouns), ":password": person.password,
            ":created_at": created_at,
        },
    )?;
    Ok(())
}

/// Returns the access that restores ended and people have not got again, by name.
pub(in crate::store) fn lost_access(db: Db<'_>) -> Result<Vec<LostAccess>, Error> {
    let sql = "SELECT lost_at, user_id, name, email, sign_in, level, nouns, password, created_at,
             name_key IN (SELECT name_key FROM users), active
         FROM lost_access WHERE name_key NOT IN (SELECT name_key FROM people JOIN users ON users.id = people.user_id)
         ORDER BY name, lost_at";
    db.all(sql, [], |row| {
        let person = Person {
            id: row.get(1)?,
            name: row.get(2)?,
            is_active: row.get(10)?,
            sign_in: row.get(4)?,
            rights: rights::from_stored(
                &row.get::<_, String>(5)?,
                row.get::<_, Option<String>>(6)?.as_deref(),
            ),
            password: row.get(7)?,
            invited_at: None,
            used_at: None,
        };
        let access = KeptAccess { person, email: row.get(3)?, created_at: row.get(8)? };
        Ok(LostAccess { access, lost_at: row.get(0)?, has_new_entry: row.get(9)? })
    })
}

/// Returns the names of the active people whose access restores after `since` ended, without those who have got access again.
pub fn lost(db: Db<'_>, since: i64) -> Result<Vec<String>, Error> {
    let lost =
        lost_access(db)?.into_iter().filter(|lost| lost.lost_at > since && lost.access.person.is_active);
    let mut names: Vec<_> = lost.map(|lost| lost.access.person.name).collect();
    names.dedup();
    Ok(names)
}
