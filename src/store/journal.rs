//! The journal (events 20.4): what was done to every record, one row a record and request, in the order of commits.
//!
//! Nobody writes it by hand. The writer notes every row that a piece of work touches (`log`) and tells of it in the same
//! transaction; a store that has no journal yet gets one of the records that it has (`fill`).

mod again;
pub(super) mod fill;
pub(super) mod log;
mod notes;
mod written;

use std::collections::BTreeSet;

use rusqlite::{Row, named_params};

pub use written::now;

use super::changes::{Change, RowKind};
use super::{Db, Error, Tx};

/// What was done to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// It was made.
    Created,
    /// Some of its members are others.
    Updated,
    /// It went into the trash.
    Deleted,
    /// It came back from there.
    Restored,
    /// It is gone for good, and what it was with it.
    Purged,
    /// Everything in the store is another one: a backup took its place.
    Replaced,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 6] = [Op::Created, Op::Updated, Op::Deleted, Op::Restored, Op::Purged, Op::Replaced];

    /// Its word in the feed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Op::Created => "created",
            Op::Updated => "updated",
            Op::Deleted => "deleted",
            Op::Restored => "restored",
            Op::Purged => "purged",
            Op::Replaced => "replaced",
        }
    }

    /// Its number in the table.
    const fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// The way by which something was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Via {
    /// A program, with the token.
    Api,
    /// A person, in the console.
    Console,
    /// A command, or the program itself.
    #[default]
    Command,
    /// An import; also what was there before there was a journal.
    Import,
    /// An assistant.
    Mcp,
    /// A backup that was put in place.
    Restore,
}

impl Via {
    const ALL: [Via; 6] = [Via::Api, Via::Console, Via::Command, Via::Import, Via::Mcp, Via::Restore];

    /// Its word in the feed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Via::Api => "api",
            Via::Console => "console",
            Via::Command => "command",
            Via::Import => "import",
            Via::Mcp => "mcp",
            Via::Restore => "restore",
        }
    }

    /// Its number in the table.
    const fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// Who writes, by which way and when: what the journal keeps of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The way.
    pub via: Via,
    /// The last four characters of the token, where there was one.
    pub who: Option<String>,
    /// The request's id, where there was one.
    pub request_id: Option<String>,
    /// When, in seconds since 1970.
    pub at: i64,
}

impl Actor {
    /// An import, at that moment.
    pub fn import(at: i64) -> Actor {
        Actor { via: Via::Import, who: None, request_id: None, at }
    }

    /// The same under the id of one request.
    pub fn of_request(self, id: String) -> Actor {
        Actor { request_id: Some(id), ..self }
    }
}

/// The kind under which the store itself stands in the journal.
pub const STORE: &str = "store";

/// A row of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// Its number: from 1, growing with every commit.
    pub seq: u64,
    /// When, in seconds since 1970.
    pub at: i64,
    /// What was done.
    pub op: Op,
    /// The table of the record, or [`STORE`].
    pub kind: String,
    /// The record's id; 0 of the store.
    pub id: u32,
    /// The way.
    pub via: Via,
    /// The last four characters of the token.
    pub who: Option<String>,
    /// The request's id.
    pub request_id: Option<String>,
    /// Why, where the request said so.
    pub reason: Option<String>,
    /// The columns that were changed.
    pub changed: Vec<String>,
    /// What they were before, as a JSON array in their order; none where that is not known any more.
    pub before: Option<String>,
}

/// The columns of an entry, in the order in which `entry` reads them.
const COLUMNS: &str = "seq, at, op, kind, id, via, who, request_id, reason, changed, before";

fn entry(row: &Row<'_>) -> rusqlite::Result<JournalEntry> {
    fn of<T: Copy>(all: &[T], code: u8) -> rusqlite::Result<T> {
        let found = all.get(usize::from(code).wrapping_sub(1));
        found.copied().ok_or(rusqlite::Error::IntegralValueOutOfRange(2, code.into()))
    }
    let changed: Option<String> = row.get(9)?;
    Ok(JournalEntry {
        seq: row.get(0)?,
        at: row.get(1)?,
        op: of(&Op::ALL, row.get(2)?)?,
        kind: row.get(3)?,
        id: row.get(4)?,
        via: of(&Via::ALL, row.get(5)?)?,
        who: row.get(6)?,
        request_id: row.get(7)?,
        reason: row.get(8)?,
        changed: changed.iter().flat_map(|columns| columns.split(',')).map(str::to_owned).collect(),
        before: row.get(10)?,
    })
}

impl JournalEntry {
    /// An entry that no journal has: everything in the store is another one than before.
    pub fn replaced(at: i64) -> JournalEntry {
        JournalEntry {
            seq: 0,
            at,
            op: Op::Replaced,
            kind: STORE.to_owned(),
            id: 0,
            via: Via::Restore,
            who: None,
            request_id: None,
            reason: None,
            changed: Vec::new(),
            before: None,
        }
    }
}

/// Which changes are meant; nothing means every one. Changes of the store itself pass every filter: whoever copies some of
/// the records has to learn that all of them were replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalFilter {
    /// Of these tables.
    pub kinds: Option<BTreeSet<&'static str>>,
    /// Of the record with this id.
    pub id: Option<u32>,
    /// Of these sorts.
    pub ops: Option<BTreeSet<Op>>,
}

/// The number of the newest entry, 0 in a store without any.
///
/// # Errors
/// Why the store cannot be read.
pub fn latest(db: Db<'_>) -> Result<u64, Error> {
    let mut statement = db.conn().prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The entries after `since` that are meant, oldest first and `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn page(db: Db<'_>, since: u64, filter: &JournalFilter, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    let array = |words: Vec<String>| format!("[{}]", words.join(","));
    let kinds = filter.kinds.as_ref().map(|kinds| {
        let kinds = kinds.iter().copied().chain([STORE]);
        array(kinds.map(|kind| format!("\"{kind}\"")).collect())
    });
    let ops = filter.ops.as_ref().map(|ops| {
        let ops = ops.iter().copied().chain([Op::Replaced]);
        array(ops.map(|op| op.code().to_string()).collect())
    });
    let mut sql = ["SELECT ", COLUMNS, " FROM changes WHERE seq > :since"].concat();
    for (is_asked, condition) in [
        (kinds.is_some(), " AND kind IN (SELECT value FROM json_each(:kinds))"),
        (ops.is_some(), " AND op IN (SELECT value FROM json_each(:ops))"),
        (filter.id.is_some(), " AND id IN (:id, 0)"),
    ] {
        if is_asked {
            sql.push_str(condition);
        }
    }
    sql.push_str(" ORDER BY seq LIMIT :limit");
    let mut statement = db.conn().prepare_cached(&sql)?;
    let since = i64::try_from(since).unwrap_or(i64::MAX);
    let mut given: Vec<(&str, &dyn rusqlite::ToSql)> = vec![(":since", &since), (":limit", &limit)];
    given.extend(kinds.as_ref().map(|kinds| (":kinds", kinds as _)));
    given.extend(ops.as_ref().map(|ops| (":ops", ops as _)));
    given.extend(filter.id.as_ref().map(|id| (":id", id as _)));
    let entries = statement.query_map(&*given, entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// The entries of a record after `since` that tell of values, oldest first.
///
/// # Errors
/// Why the store cannot be read.
pub fn changed_after(db: Db<'_>, kind: &str, id: u32, since: u64) -> Result<Vec<JournalEntry>, Error> {
    let sql = [
        "SELECT ",
        COLUMNS,
        " FROM changes WHERE id = :id AND kind = :kind AND seq > :since
        AND changed IS NOT NULL ORDER BY seq",
    ];
    let mut statement = db.conn().prepare_cached(&sql.concat())?;
    let entries = statement.query_map(named_params! { ":id": id, ":kind": kind, ":since": since }, entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// The newest entries of a record, newest first and `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn newest_of(db: Db<'_>, kind: &str, id: u32, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    let sql = ["SELECT ", COLUMNS, " FROM changes WHERE id = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT ?3"];
    let mut statement = db.conn().prepare_cached(&sql.concat())?;
    let entries = statement.query_map((id, kind, limit), entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// The entries after `since` and before `before`, newest first and `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub(super) fn page_back(db: Db<'_>, since: u64, before: u64, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    let sql =
        ["SELECT ", COLUMNS, " FROM changes WHERE seq > ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"].concat();
    let mut statement = db.conn().prepare_cached(&sql)?;
    let entries = statement.query_map((since, before, limit), entry)?;
    Ok(entries.collect::<Result<_, _>>()?)
}

/// Returns `true` if the record of an entry was restored from the trash after it.
///
/// # Errors
/// Why the store cannot be read.
pub fn is_restored_after(db: Db<'_>, entry: &JournalEntry) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM changes WHERE id = ?1 AND kind = ?2 AND seq > ?3 AND op = ?4";
    let mut statement = db.conn().prepare_cached(sql)?;
    Ok(statement.exists((entry.id, &entry.kind, entry.seq, Op::Restored.code()))?)
}

/// Whether nobody has written the record of an entry since. A backup that was put in place tells every record anew, as it
/// was.
///
/// # Errors
/// Why the store cannot be read.
pub fn is_newest(db: Db<'_>, entry: &JournalEntry) -> Result<bool, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT 1 FROM changes WHERE id = ?1 AND kind = ?2 AND seq > ?3 AND NOT (via = ?4 AND op = ?5)",
    )?;
    let (restore, created) = (Via::Restore.code(), Op::Created.code());
    Ok(!statement.exists((entry.id, &entry.kind, entry.seq, restore, created))?)
}

/// What was written after `seq`, oldest first and `at_most` so much, for whoever reads rows meanwhile; and the number of the
/// last of them.
///
/// # Errors
/// Why the store cannot be read.
pub fn since(db: Db<'_>, seq: u64, at_most: usize) -> Result<(Vec<Change>, u64), Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT seq, kind, id FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query((seq, at_most))?;
    let (mut found, mut last) = (Vec::new(), seq);
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let kind = RowKind::of(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
        found.push((kind, row.get(2)?));
    }
    Ok((found, last))
}

/// Forgets what records were before a moment, in seconds since 1970; that they were changed stays.
///
/// # Errors
/// Why the store cannot be written.
pub fn forget_values(tx: Tx<'_>, before: i64) -> Result<usize, Error> {
    let mut statement =
        tx.conn().prepare_cached("UPDATE changes SET before = NULL WHERE before IS NOT NULL AND at < ?1")?;
    Ok(statement.execute([before])?)
}

#[cfg(test)]
mod tests;
