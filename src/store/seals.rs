//! What ties files that are kept beside the store to the state of it that they were made from.
//!
//! Whoever has made such a file draws a new seal, writes it into both, and believes the file only while the two agree. A
//! store that holds the seal has everything that was committed before it was set, so what happened since stands in its
//! `changes`. An older copy that is put back, another office's store, or a file of either have different seals.

use rusqlite::OptionalExtension;

use super::{Db, Error, Tx};

/// A number that nobody draws twice.
pub type Seal = [u8; 16];

/// The seal of a file; none where there never was one.
///
/// # Errors
/// Why the store cannot be read.
pub fn of(db: Db<'_>, file: &str) -> Result<Option<Seal>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT seal FROM seals WHERE file = ?1")?;
    Ok(statement.query_row([file], |row| row.get(0)).optional()?)
}

/// Gives a file a new seal; one that names the old one counts no longer.
///
/// # Errors
/// Why the store cannot be written.
pub fn set(tx: Tx<'_>, file: &str, seal: Seal) -> Result<(), Error> {
    let sql = "INSERT INTO seals (file, seal) VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET seal = excluded.seal";
    tx.conn().prepare_cached(sql)?.execute((file, seal))?;
    Ok(())
}
