//! Failed sign-ins, counted per day, person and address. The names that were typed are not stored: one may be a password.

use std::cmp::Reverse;

use rusqlite::named_params;

use crate::domain::Day;
use crate::store::{Db, Error, Tx};

/// Days for which failed sign-ins are kept.
const LIFETIME_DAYS: i64 = 30;

/// Maximum number of addresses of a person that are counted on a day.
const MAX_ADDRESSES: u32 = 100;

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
    /// The address with most of them, and their number.
    pub address: String,
    pub at_address: u32,
}

/// Adds failed sign-ins from one address to the counts.
pub fn add(tx: Tx<'_>, failed: &FailedSignIns) -> Result<(), Error> {
    let day = failed.last_at.div_euclid(Day::SECONDS);
    tx.run("DELETE FROM failed_sign_ins WHERE day < ?1", [day - LIFETIME_DAYS])?;
    let values = named_params! {
        ":day": day, ":person": failed.person.unwrap_or(0), ":address": failed.address,
        ":count": failed.count, ":last": failed.last_at,
    };
    // Beyond the limit, a new address continues the lowest count: no total is too low, and an address with more than a
    // hundredth of all failures is among those that are kept.
    let mut replace = tx.conn().prepare_cached(
        "UPDATE failed_sign_ins SET address = :address, count = count + :count, last_at = :last
         WHERE day = :day AND user_id = :person AND address = (
             SELECT address FROM failed_sign_ins WHERE day = :day AND user_id = :person ORDER BY count LIMIT 1)
             AND (SELECT count(*) FROM failed_sign_ins WHERE day = :day AND user_id = :person) >= :most
             AND NOT EXISTS (SELECT 1 FROM failed_sign_ins
                 WHERE day = :day AND user_id = :person AND address = :address)",
    )?;
    let all = [values, &[(":most", &MAX_ADDRESSES)]].concat();
    if replace.execute(all.as_slice())? > 0 {
        return Ok(());
    }
    tx.run(
        "INSERT INTO failed_sign_ins (day, user_id, address, count, last_at)
         VALUES (:day, :person, :address, :count, :last)
         ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at",
        values,
    )
}

/// Returns the failed sign-ins of the last `days` days, the person with most first.
pub fn within(db: Db<'_>, days: i64, now: i64) -> Result<Vec<FailedSignIns>, Error> {
    let sql = "SELECT user_id, (SELECT name FROM users WHERE id = user_id), sum(count), max(last_at), address
         FROM failed_sign_ins WHERE day > ?1 AND last_at <= ?2 GROUP BY user_id, address
         ORDER BY user_id, sum(count) DESC";
    let by_address = db.all(sql, (now.div_euclid(Day::SECONDS) - days, now), |row| {
        let count = row.get(2)?;
        Ok(FailedSignIns {
            person: Some(row.get(0)?).filter(|id| *id > 0),
            name: row.get(1)?,
            count,
            last_at: row.get(3)?,
            address: row.get(4)?,
            at_address: count,
        })
    })?;
    let mut all: Vec<FailedSignIns> = Vec::new();
    for one in by_address {
        match all.last_mut().filter(|last| last.person == one.person) {
            Some(person) => {
                person.count += one.count;
                person.last_at = person.last_at.max(one.last_at);
            }
            None => all.push(one),
        }
    }
    all.sort_by_key(|failed| Reverse(failed.count));
    Ok(all)
}
