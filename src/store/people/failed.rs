//! Failed sign-ins, counted per day and person. The names that were typed are not stored: one may be a password.

use super::super::{Db, Error, Tx};

/// Days for which failed sign-ins are kept.
const KEPT: i64 = 30;
const DAY: i64 = 24 * 60 * 60;

/// Failed sign-ins of one person, or of names that no person has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedSignIns {
    /// `None` for names that no person has.
    pub person: Option<u32>,
    /// The person's name, if the entry still exists.
    pub name: Option<String>,
    pub count: u32,
    /// Time of the last one, in seconds since 1970.
    pub last_at: i64,
    /// The address of the last one.
    pub address: String,
}

/// Adds failed sign-ins to the counts.
pub fn add(tx: Tx<'_>, failed: &FailedSignIns) -> Result<(), Error> {
    let day = failed.last_at.div_euclid(DAY);
    tx.conn().prepare_cached("DELETE FROM failed_sign_ins WHERE day < ?1")?.execute([day - KEPT])?;
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO failed_sign_ins (day, user_id, count, last_at, address) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at,
             address = excluded.address",
    )?;
    let person = failed.person.unwrap_or(0);
    statement.execute((day, person, failed.count, failed.last_at, &failed.address))?;
    Ok(())
}

/// Returns the failed sign-ins of the last `days` days, the person with most first.
pub fn within(db: Db<'_>, days: i64, now: i64) -> Result<Vec<FailedSignIns>, Error> {
    // With max() in the query, SQLite takes the other columns from the row with the maximum.
    let mut statement = db.conn().prepare_cached(
        "SELECT user_id, (SELECT name FROM users WHERE id = user_id), sum(count), max(last_at), address
         FROM failed_sign_ins WHERE day > ?1 AND last_at <= ?2 GROUP BY user_id ORDER BY sum(count) DESC",
    )?;
    let failed = statement.query_map((now.div_euclid(DAY) - days, now), |row| {
        let person = Some(row.get(0)?).filter(|id| *id > 0);
        let (name, count) = (row.get(1)?, row.get(2)?);
        Ok(FailedSignIns { person, name, count, last_at: row.get(3)?, address: row.get(4)? })
    })?;
    Ok(failed.collect::<Result<_, _>>()?)
}
