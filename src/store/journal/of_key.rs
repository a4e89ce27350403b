//! The entries that a key wrote, by which a day of an assistant is shown and undone (assistants 50).

use std::ops::Range;

use super::{COLUMNS, JournalEntry, Op, Who, entry};
use crate::store::{Db, Error};

/// Selects the entries of author `?1`. Its second half names the rows of the index.
macro_rules! of_author {
    () => {
        " FROM changes WHERE who = ?1 AND who >= 'key:' AND who < 'key;'"
    };
}

/// Returns the time of the newest entry of a key before a time.
pub fn newest_of_key(db: Db<'_>, name: &str, before: i64) -> Result<Option<i64>, Error> {
    let mut statement = db.conn().prepare_cached(concat!("SELECT max(at)", of_author!(), " AND at < ?2"))?;
    Ok(statement.query_row((Who::Key(name.to_owned()), before), |row| row.get(0))?)
}

/// Returns how many records of each table a key created, changed, deleted and so on in a period.
pub fn counts_of_key(db: Db<'_>, name: &str, period: &Range<i64>) -> Result<Vec<(Op, String, u64)>, Error> {
    let mut statement = db.conn().prepare_cached(concat!(
        "SELECT op, kind, count(DISTINCT id)",
        of_author!(),
        " AND at >= ?2 AND at < ?3 GROUP BY op, kind ORDER BY op, kind"
    ))?;
    let given = (Who::Key(name.to_owned()), period.start, period.end);
    let counts = statement.query_map(given, |row| {
        let code = row.get::<_, u8>(0)?;
        Ok((Op::ALL.into_iter().find(|op| op.code() == code), row.get(1)?, row.get(2)?))
    })?;
    let counts = counts.collect::<Result<Vec<_>, _>>()?;
    Ok(counts.into_iter().filter_map(|(op, kind, count)| Some((op?, kind, count))).collect())
}

/// Returns the entries of a key in a period, oldest first.
pub fn of_key(db: Db<'_>, name: &str, period: &Range<i64>) -> Result<Vec<JournalEntry>, Error> {
    let sql = ["SELECT ", COLUMNS, of_author!(), " AND at >= ?2 AND at < ?3 ORDER BY seq"];
    let mut statement = db.conn().prepare_cached(&sql.concat())?;
    let entries = statement.query_map((Who::Key(name.to_owned()), period.start, period.end), entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// Returns `true` if a request with this id wrote an entry of the same record later.
pub fn is_written_later_by(db: Db<'_>, entry: &JournalEntry, request_id: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM changes WHERE id = ?1 AND kind = ?2 AND seq > ?3 AND request_id = ?4";
    let mut statement = db.conn().prepare_cached(sql)?;
    Ok(statement.exists((entry.id, &entry.kind, entry.seq, request_id))?)
}
