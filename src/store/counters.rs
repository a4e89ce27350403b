//! How often each route was asked today (contract 8): counted in the store, so that a restart forgets nothing.

use super::{Db, Error, Tx};

/// A route's count on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Method and path as in the route table.
    pub route: String,
    /// The office's day, as days since 1970.
    pub day: i32,
    /// How many requests it had on that day.
    pub count: u32,
}

/// All of them.
///
/// # Errors
/// Why the store cannot be read.
pub fn all(db: Db<'_>) -> Result<Vec<Counter>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT route, day, count FROM counters")?;
    let counters = statement
        .query_map([], |row| Ok(Counter { route: row.get(0)?, day: row.get(1)?, count: row.get(2)? }))?;
    Ok(counters.collect::<Result<_, _>>()?)
}

/// Counts that are kept in memory, where requests are admitted, and stored along with whatever is committed next.
pub trait Counts: Send + Sync {
    /// What has changed since it was stored.
    fn unsaved(&self) -> Vec<Counter>;

    /// These are on disk.
    fn saved(&self, counters: &[Counter]);
}

/// Stores counts in the place of those of their routes.
///
/// # Errors
/// Why the store cannot be written.
pub fn store(tx: Tx<'_>, counters: &[Counter]) -> Result<(), Error> {
    let mut statement = tx
        .conn()
        .prepare_cached("INSERT OR REPLACE INTO counters (route, day, count) VALUES (?1, ?2, ?3)")?;
    for Counter { route, day, count } in counters {
        statement.execute((route, day, count))?;
    }
    Ok(())
}
