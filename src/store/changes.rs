//! What was written, in order: the search index follows it.

use super::{Db, Error, Tx};

/// What kind of row a change touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A customer.
    Customer,
    /// A lawsuit, its links to customers included.
    Lawsuit,
    /// Any of the reference lists.
    Settings,
}

/// How many changes are kept for those who follow: some fifteen megabytes. One that is further behind reads everything
/// again.
pub const KEPT: u64 = 1_000_000;

/// So many numbers are left out when a backup takes the place of everything.
pub const REPLACED: u64 = 1 << 32;

/// The number of the newest change, 0 in a store without any.
///
/// # Errors
/// Why the store cannot be read.
pub fn latest(db: Db<'_>) -> Result<u64, Error> {
    let mut statement = db.conn().prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// What was written after `seq`, oldest first and `at_most` so much; `None` where that is not known any more.
///
/// # Errors
/// Why the store cannot be read.
pub fn since(db: Db<'_>, seq: u64, at_most: u64) -> Result<Option<Vec<(Kind, u32)>>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT seq, kind, id FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query([seq, at_most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if found.is_empty() && row.get::<_, u64>(0)? != seq + 1 {
            return Ok(None);
        }
        let kind = match row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)? {
            "customer" => Kind::Customer,
            "lawsuit" => Kind::Lawsuit,
            _ => Kind::Settings,
        };
        found.push((kind, row.get(2)?));
    }
    Ok(Some(found))
}

/// Forgets all but the newest `KEPT` changes.
///
/// # Errors
/// Why the store cannot be written.
pub fn prune(tx: Tx<'_>) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached("DELETE FROM changes WHERE seq <= ?1")?;
    statement.execute([latest(*tx)?.saturating_sub(KEPT)])?;
    Ok(())
}
