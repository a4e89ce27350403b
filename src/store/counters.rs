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

/// One more request on `day`. A later day begins at one; an earlier one, which a clock that was moved back shows, takes
/// the count along.
///
/// # Errors
/// Why the store cannot be written.
pub fn count(tx: Tx<'_>, route: &str, day: i32) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO counters (route, day, count) VALUES (:route, :day, 1)
         ON CONFLICT (route) DO UPDATE SET
             count = CASE WHEN excluded.day > day THEN 1 ELSE count + 1 END, day = excluded.day",
    )?;
    statement.execute(rusqlite::named_params! { ":route": route, ":day": day })?;
    Ok(())
}

/// Takes the count of a later day along to `day`, without a request more: what a refused request does in memory when a
/// clock was moved back. Without it the day after would begin anew in memory and go on in the store.
///
/// # Errors
/// Why the store cannot be written.
pub fn take_along(tx: Tx<'_>, route: &str, day: i32) -> Result<(), Error> {
    let mut statement =
        tx.conn().prepare_cached("UPDATE counters SET day = :day WHERE route = :route AND day > :day")?;
    statement.execute(rusqlite::named_params! { ":route": route, ":day": day })?;
    Ok(())
}
