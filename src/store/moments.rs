//! When the newest records were written, for those who have to know whether the clock can be right.

use super::{Db, Error};
use crate::records::TABLES;

/// How many records of a kind are looked at: more than programs write while a clock is wrong and nobody notices it.
const NEWEST: u32 = 1_000;

/// When the newest records of every noun were created, and when the token was made and last used, in seconds since 1970 and
/// in no order. All of it by the clock of then, which may have been wrong.
///
/// # Errors
/// Why the store cannot be read.
pub fn newest(db: Db<'_>) -> Result<Vec<i64>, Error> {
    let of_nouns = TABLES.iter().map(|table| {
        let newest = ["(SELECT created_at FROM ", table.name, " ORDER BY id DESC LIMIT ?1)"].concat();
        ["SELECT created_at FROM ", &newest, " UNION "].concat()
    });
    let of_token = "SELECT created_at FROM token
         UNION SELECT last_used_at FROM token WHERE last_used_at IS NOT NULL";
    let sql = of_nouns.collect::<String>() + of_token;
    let mut statement = db.conn().prepare_cached(&sql)?;
    let moments = statement.query_map([NEWEST], |row| row.get(0))?;
    Ok(moments.collect::<Result<_, _>>()?)
}
