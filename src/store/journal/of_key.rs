//! The entries that a key wrote, by which a day of an assistant is shown and undone (assistants 50).

use std::ops::Range;

use super::{JournalEntry, Op, Who, entries};
use crate::store::{Db, Error};

/// Selects the entries of author `?1`. Its second half names the rows of the index.
macro_rules! of_author {
    () => {
        "WHERE who = ?1 AND who >= 'key:' AND who < 'key;'"
    };
}

/// Returns the time of the newest entry of a key before a time.
pub fn newest_of_key(db: Db<'_>, name: &str, before: i64) -> Result<Option<i64>, Error> {
    let sql = concat!("SELECT max(at) FROM changes ", of_author!(), " AND at < ?2");
    db.value(sql, (Who::Key(name.to_owned()), before))
}

/// Returns how many records of each table a key created, changed, deleted and so on in a period.
pub fn counts_of_key(db: Db<'_>, name: &str, period: &Range<i64>) -> Result<Vec<(Op, String, u64)>, Error> {
    let sql = concat!(
        "SELECT op, kind, count(DISTINCT id) FROM changes ",
        of_author!(),
        " AND at >= ?2 AND at < ?3 GROUP BY op, kind ORDER BY op, kind"
    );
    let given = (Who::Key(name.to_owned()), period.start, period.end);
    let counts = db.all(sql, given, |row| {
        let code = row.get::<_, u8>(0)?;
        Ok((Op::ALL.into_iter().find(|op| op.code() == code), row.get(1)?, row.get(2)?))
    })?;
    Ok(counts.into_iter().filter_map(|(op, kind, count)| Some((op?, kind, count))).collect())
}

/// Returns the entries of a key in a period, oldest first.
pub fn of_key(db: Db<'_>, name: &str, period: &Range<i64>) -> Result<Vec<JournalEntry>, Error> {
    let rest = concat!(of_author!(), " AND at >= ?2 AND at < ?3 ORDER BY seq");
    entries(db, rest, (Who::Key(name.to_owned()), period.start, period.end))
}

/// Returns `true` if a request with this id wrote an entry of the same record later.
pub fn is_written_later_by(db: Db<'_>, entry: &JournalEntry, request_id: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM changes WHERE id = ?1 AND kind = ?2 AND seq > ?3 AND request_id = ?4";
    db.has_row(sql, (entry.id, &entry.kind, entry.seq, request_id))
}
