//! Times of the newest records, used to judge if the clock can be right.

use crate::records::TABLES;
use crate::store::{Db, Error};

/// Number of newest records considered per noun: more than are written while a wrong clock goes unnoticed.
const NEWEST_RECORDS: u32 = 1_000;

/// Returns the creation times of the newest records of every noun, and the times when the API token and keys were
/// created and last used, in seconds since 1970 and in no order. They come from the clock of that time, which may have
/// been wrong.
pub fn newest(db: Db<'_>) -> Result<Vec<i64>, Error> {
    let of_nouns = TABLES.iter().map(|table| {
        let newest = ["(SELECT created_at FROM ", table.name, " ORDER BY id DESC LIMIT ?1)"].concat();
        ["SELECT created_at FROM ", &newest, " UNION "].concat()
    });
    let of_token = "SELECT created_at FROM token
         UNION SELECT last_used_at FROM token WHERE last_used_at IS NOT NULL
         UNION SELECT created_at FROM keys
         UNION SELECT last_used_at FROM keys WHERE last_used_at IS NOT NULL";
    let sql = of_nouns.collect::<String>() + of_token;
    db.column(&sql, [NEWEST_RECORDS])
}

/// Returns the current time in seconds since 1970, for writes whose caller gives none.
pub(in crate::store) fn clock_now() -> i64 {
    crate::clock::Clock::system().now().as_second()
}
