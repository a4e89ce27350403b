//! Publications: what is asked of them alone.

use rusqlite::named_params;

use super::{Db, Error};
use crate::records::{Publication, PublicationId};

/// The tasks that came of a publication, by id.
///
/// # Errors
/// Why the store cannot be read.
pub fn tasks(db: Db<'_>, publication: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM tasks WHERE publication_id = ?1 AND deleted_at IS NULL ORDER BY id",
    )?;
    let ids = statement.query_map([publication], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Those of the same lawsuit, or without one of the same number; and of the same day, source and text. By id.
///
/// # Errors
/// Why the store cannot be read.
pub fn equal(db: Db<'_>, publication: &Publication) -> Result<Vec<PublicationId>, Error> {
    // The expression for the number is that of its column.
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM publications
         WHERE lawsuit_id IS :lawsuit AND date = :date AND source = :source AND publication = :text
             AND (lawsuit_id IS NOT NULL OR bare_number =
                 upper(replace(replace(replace(replace(:number, '.', ''), '-', ''), '/', ''), ' ', '')))
         ORDER BY id",
    )?;
    let equal = statement.query_map(
        named_params! {
            ":lawsuit": publication.lawsuit_id, ":number": publication.number.as_ref().map(|number| number.as_str()),
            ":date": publication.date.iso(), ":source": publication.source.as_str(),
            ":text": publication.publication.as_str(),
        },
        |row| row.get(0),
    )?;
    Ok(equal.collect::<Result<_, _>>()?)
}
