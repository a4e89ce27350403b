//! Items of a move that have to be requested again: failed paths, and links that only one side reports.

use super::{MoveNote, stored_note};
use crate::records::Table;
use crate::store::{Db, Error, Tx};

/// Returns up to `limit` notes of failed paths after the number `behind`, each with its number, and the count
/// of all of them. Their `member` is the path that was requested.
pub fn failed(db: Db<'_>, behind: u64, limit: u32) -> Result<(Vec<(u64, MoveNote)>, u64), Error> {
    let of_failed = "FROM move_notes WHERE kind = 2 AND member GLOB '/*' AND seq > ?1";
    let select = ["SELECT kind, resource, id, member, said, why, seq ", of_failed, " ORDER BY seq LIMIT ?2"];
    let mut statement = db.conn().prepare_cached(&select.concat())?;
    let notes = statement.query_map((behind, limit), |row| Ok((row.get(6)?, stored_note(row)?)))?;
    let notes = notes.collect::<Result<_, _>>()?;
    let count = ["SELECT count(*) ", of_failed].concat();
    Ok((notes, db.value(&count, [behind])?))
}

/// Removes the note of a failed path.
pub fn forget_failed(tx: Tx<'_>, table: &Table, path: &str) -> Result<(), Error> {
    tx.run(
        "DELETE FROM move_notes WHERE kind = 2 AND resource = ?1 AND id = 0 AND member = ?2",
        (table.name, path),
    )
}

/// Returns `true` if a value of this member could not be stored and is in the notes.
pub fn is_noted(db: Db<'_>, table: &Table, id: u32, member: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM move_notes WHERE kind = 1 AND resource = ?1 AND id = ?2 AND member = ?3";
    db.has_row(sql, (table.name, id, member))
}

/// Removes the notes about this member of a record whose value ends in `ending`.
pub fn forget_noted(tx: Tx<'_>, table: &Table, id: u32, member: &str, ending: &str) -> Result<(), Error> {
    tx.run(
        "DELETE FROM move_notes WHERE kind = 1 AND resource = ?1 AND id = ?2 AND member = ?3
         AND (?4 = '' OR substr(said, -length(?4)) = ?4)",
        (table.name, id, member, ending),
    )
}

/// Activates an entry that was created because no list contained it, now that its list does. `table` must be a
/// list.
pub fn activate_if_noted(tx: Tx<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let sql = "DELETE FROM move_notes WHERE kind = 3 AND resource = ?1 AND id = ?2";
    if tx.changed(sql, (table.name, id))? > 0 {
        let sql = ["UPDATE ", table.name, " SET active = 1 WHERE id = ?1"].concat();
        tx.run(&sql, [id])?;
    }
    Ok(())
}

/// Records that the source lists `of` among the records that link to `id`. `links` is the name of the link table here.
pub fn link_came(tx: Tx<'_>, links: &str, of: u32, id: u32, round: u32) -> Result<(), Error> {
    tx.run(
        "INSERT INTO moved (resource, key, id, round) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET round = ?4 WHERE round <> ?4",
        (links, format!("{of}/{id}"), id, round),
    )
}

/// Returns the records that `of` links to, as recorded by [`link_came`].
pub fn links_that_came(db: Db<'_>, links: &str, of: u32) -> Result<Vec<u32>, Error> {
    // Matches the prefix `of/`: `0` is the character after `/`.
    let sql = "SELECT id FROM moved WHERE resource = ?1 AND key >= ?2 AND key < ?3 ORDER BY id";
    db.column(sql, (links, format!("{of}/"), format!("{of}0")))
}
