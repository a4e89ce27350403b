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

/// A person whose access a restore ended.
pub(in crate::store) struct LostAccess {
    name: String,
    lost_at: i64,
    /// `true` if the team has an entry of that name.
    has_entry: bool,
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

/// Sets the access of a copy of the store to `stored`. Whoever is not in the team of the copy loses it, and is noted.
/// Whoever lost it so before (`lost`), has no entry since and has access in the copy, has it again: a restore can be
/// undone. An entry is the same if it has the same id, and the same name, e-mail address or former access. `now` is in
/// seconds since 1970.
pub(in crate::store) fn take_over(
    copy: &Connection,
    stored: &[KeptAccess],
    lost: &[LostAccess],
    now: i64,
) -> Result<(), Error> {
    let is_stored = |person: &Person| stored.iter().any(|stored| stored.person.id == person.id);
    let mut regained = stored_access(Db::new(copy))?;
    let may_regain = |person: &Person| lost.iter().any(|lost| lost.name == person.name && !lost.has_entry);
    regained.retain(|KeptAccess { person, .. }| may_regain(person) && !is_stored(person));
    let same = "SELECT 1 FROM users LEFT JOIN people ON people.user_id = users.id
        WHERE users.id = ?1 AND (name_key = ?2 OR email = ?3 OR created_at = ?4)";
    let mut is_there = Vec::new();
    for KeptAccess { person, email, created_at } in stored {
        is_there.push(copy.prepare(same)?.exists((person.id, fold(&person.name), email, created_at))?);
    }
    copy.execute_batch("DELETE FROM people; DELETE FROM lost_access")?;
    let note_lost = |name: &str, at: i64| {
        copy.execute("INSERT INTO lost_access (name, lost_at) VALUES (?1, ?2)", (name, at)).map(|_| ())
    };
    for (kept, is_there) in stored.iter().zip(is_there) {
        let person = &kept.person;
        if !is_there {
            note_lost(&person.name, now)?;
            continue;
        }
        insert(copy, kept, "INSERT")?;
        // Whoever was deactivated since the backup stays out, and whoever was activated comes in.
        copy.execute("UPDATE users SET active = ?2 WHERE id = ?1", (person.id, person.is_active))?;
    }
    for still in lost.iter().filter(|lost| !regained.iter().any(|kept| kept.person.name == lost.name)) {
        note_lost(&still.name, still.lost_at)?;
    }
    for kept in &regained {
        // Another person may have the name to sign in with now.
        insert(copy, kept, "INSERT OR IGNORE")?;
    }
    Ok(())
}

/// Inserts access with this statement.
fn insert(copy: &Connection, kept: &KeptAccess, statement: &str) -> Result<(), Error> {
    let KeptAccess { person, created_at, .. } = kept;
    let values = " INTO people (user_id, sign_in, sign_in_key, level, nouns, password, created_at)
             VALUES (:id, :sign_in, :key, :level, :nouns, :password, :created_at)";
    copy.execute(
        &[statement, values].concat(),
        named_params! {
            ":id": person.id, ":sign_in": person.sign_in, ":key": fold(&person.sign_in),
            ":level": person.rights.level.as_str(), ":nouns": rights::nouns_to_stored(person.rights.nouns),
            ":password": person.password, ":created_at": created_at,
        },
    )?;
    Ok(())
}

/// Returns the people whose access restores ended and who have not got it again, by name.
pub(in crate::store) fn lost_access(db: Db<'_>) -> Result<Vec<LostAccess>, Error> {
    let sql = "SELECT name, max(lost_at), name IN (SELECT name FROM users) FROM lost_access WHERE name NOT IN
             (SELECT name FROM people JOIN users ON users.id = people.user_id) GROUP BY name ORDER BY name";
    db.all(sql, [], |row| Ok(LostAccess { name: row.get(0)?, lost_at: row.get(1)?, has_entry: row.get(2)? }))
}

/// Returns the names of the people whose access restores after `since` ended, without those who have got access again.
pub fn lost(db: Db<'_>, since: i64) -> Result<Vec<String>, Error> {
    let lost = lost_access(db)?.into_iter().filter(|lost| lost.lost_at > since);
    Ok(lost.map(|lost| lost.name).collect())
}
