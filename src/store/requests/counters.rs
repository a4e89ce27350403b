//! Request counts per route and day (contract 8). They are stored so that they survive a restart.

use crate::store::{Db, Error, Tx};

/// Number of requests to a route on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Method and path, as in the route table.
    pub route: String,
    /// Day in the office's time zone, in days since 1970.
    pub day: i32,
    pub count: u32,
}

/// Returns all stored counts.
pub fn all(db: Db<'_>) -> Result<Vec<Counter>, Error> {
    db.all("SELECT route, day, count FROM counters", [], |row| {
        Ok(Counter { route: row.get(0)?, day: row.get(1)?, count: row.get(2)? })
    })
}

/// Request counts in memory. The writer stores the changed ones with the next commit.
pub trait Counts: Send + Sync {
    /// Returns the counts that have changed since they were stored.
    fn unsaved(&self) -> Vec<Counter>;

    /// Called when the counts are on disk.
    fn saved(&self, counters: &[Counter]);
}

/// Stores counts. Each one replaces the previous count of its route.
pub fn store(tx: Tx<'_>, counters: &[Counter]) -> Result<(), Error> {
    let mut statement = tx
        .conn()
        .prepare_cached("INSERT OR REPLACE INTO counters (route, day, count) VALUES (?1, ?2, ?3)")?;
    for Counter { route, day, count } in counters {
        statement.execute((route, day, count))?;
    }
    Ok(())
}
