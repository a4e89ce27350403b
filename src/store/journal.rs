//! The journal (events 20.4): one row per request and changed record, in commit order.
//!
//! Rows are never inserted by hand. The writer notes every row that a job touches (`change_log`) and writes the
//! journal entries in the same transaction. `page` reads them for the feed, `forget_values` ends old values. A store
//! without a journal gets one built from its existing records (`fill`).

pub mod affected_records;
pub mod journal_act;

pub(super) mod change_log;
mod compare_written;
pub(super) mod fill;
mod merge_entries;
mod of_key;
mod of_record;
mod of_write;
mod row_functions;

use std::collections::BTreeSet;
use std::fmt;

use rusqlite::types::ToSqlOutput;
use rusqlite::{Params, Row, ToSql};

pub use compare_written::present_columns;
pub use journal_act::JournalAct;
pub use of_key::{counts_of_key, is_written_later_by, newest_of_key, of_key};
pub use of_record::{
    UNDO_OF_KEY, changed_after, is_restored_after, is_taken_back, later_change, newest_change, newest_of,
    newest_of_op,
};
pub use of_write::{came_back, merged_into, of_assistant, of_write, replaced_by};

use super::records::has_records;
use super::{Db, Error, Tx};
use crate::domain::Bilingual;

/// The operation that an entry records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    Created,
    Updated,
    /// Moved to the trash.
    Deleted,
    Restored,
    /// Deleted permanently; the old values of its entries are erased too.
    Purged,
    /// The whole store was replaced by a backup.
    Replaced,
}

impl Op {
    pub const ALL: [Op; 6] = [Op::Created, Op::Updated, Op::Deleted, Op::Restored, Op::Purged, Op::Replaced];

    /// Returns the name used in the change feed.
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

    /// Returns the number stored in the `changes` table.
    const fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// Origin of a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Via {
    /// The HTTP API, with the token.
    Api,
    /// A person using the console.
    Console,
    /// A command or the program itself.
    #[default]
    Command,
    /// An import. Also used for records that are older than the journal.
    Import,
    /// An assistant, over MCP.
    Mcp,
    /// A restored backup.
    Restore,
}

impl Via {
    /// Returns what others wait for while changes come this way, if it may take long.
    pub(super) fn waiting_for(self) -> Option<Bilingual> {
        match self {
            Via::Import => Some(("esperando uma importação", "waiting for an import")),
            Via::Restore => Some(("esperando uma restauração", "waiting for a restore")),
            Via::Api | Via::Console | Via::Command | Via::Mcp => None,
        }
    }

    const ALL: [Via; 6] = [Via::Api, Via::Console, Via::Command, Via::Import, Via::Mcp, Via::Restore];

    /// Returns the name used in the change feed.
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

    /// Returns the number stored in the `changes` table.
    const fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// The author, origin and time of a write, as stored in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub via: Via,
    /// `None` for the owner, and for the program itself.
    pub who: Option<Who>,
    pub request_id: Option<String>,
    /// Seconds since 1970.
    pub at: i64,
}

/// The author of a write, if it was not the owner or the program itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// The last four characters of the account's token.
    Token(String),
    /// The name of a key.
    Key(String),
    /// The id of a person in the list `users`.
    Person(u32),
}

/// Prefixes of the stored forms of keys and people. A token is stored as its four characters.
const KEY: &str = "key:";
const PERSON: &str = "user:";

impl ToSql for Who {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Who::Token(last_four) => last_four.as_str().into(),
            Who::Key(_) | Who::Person(_) => self.to_string().into(),
        })
    }
}

/// The stored form, which the log shows too.
impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Token(last_four) => f.write_str(last_four),
            Who::Key(name) => f.write_str(KEY).and_then(|()| f.write_str(name)),
            Who::Person(id) => write!(f, "{PERSON}{id}"),
        }
    }
}

impl Who {
    pub(super) fn from_stored(text: String) -> Who {
        let person = text.strip_prefix(PERSON).and_then(|id| id.parse().ok()).map(Who::Person);
        let key = || text.strip_prefix(KEY).map(|name| Who::Key(name.to_owned()));
        person.or_else(key).unwrap_or(Who::Token(text))
    }
}

impl Actor {
    pub fn import(at: i64) -> Actor {
        Actor { via: Via::Import, who: None, request_id: None, at }
    }

    pub fn by(self, who: Option<Who>) -> Actor {
        Actor { who, ..self }
    }

    pub fn of_request(self, id: String) -> Actor {
        Actor { request_id: Some(id), ..self }
    }
}

/// The `kind` of entries about the store as a whole.
pub const STORE: &str = "store";

/// The `kind` of entries about a new conflict of interest. Their id is that of the lawsuit.
pub const CONFLICTS: &str = "conflicts";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// Sequence number, starting at 1 and growing with every entry.
    pub seq: u64,
    /// Seconds since 1970.
    pub at: i64,
    pub op: Op,
    /// Table of the record, [`STORE`] or [`CONFLICTS`].
    pub kind: String,
    /// Id of the record; 0 for entries about the store.
    pub id: u32,
    pub via: Via,
    pub who: Option<Who>,
    /// The name of the person who is the author.
    pub person: Option<String>,
    pub request_id: Option<String>,
    /// The reason given by the request, if any.
    pub reason: Option<String>,
    pub changed: Vec<String>,
    /// Previous values of the `changed` columns, as a JSON array in the same order. `None` if they were erased
    /// or never recorded.
    pub before: Option<String>,
}

/// Columns of an entry in the order that `entry` reads them.
const COLUMNS: &str = "seq, at, op, kind, id, via, who, request_id, reason, changed, before,
    (SELECT name FROM users WHERE users.id = substr(who, 6) AND who LIKE 'user:%')";

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
        who: row.get::<_, Option<String>>(6)?.map(Who::from_stored),
        person: row.get(11)?,
        request_id: row.get(7)?,
        reason: row.get(8)?,
        changed: changed.iter().flat_map(|columns| columns.split(',')).map(str::to_owned).collect(),
        before: row.get(10)?,
    })
}

impl JournalEntry {
    /// Returns the act that the change is part of.
    pub fn act(&self) -> Option<JournalAct> {
        JournalAct::of_reason(self.reason.as_deref()?)
    }

    /// Returns an entry that reports a replaced store. It is not stored in any journal.
    pub fn replaced(at: i64) -> JournalEntry {
        JournalEntry {
            seq: 0,
            at,
            op: Op::Replaced,
            kind: STORE.to_owned(),
            id: 0,
            via: Via::Restore,
            who: None,
            person: None,
            request_id: None,
            reason: None,
            changed: Vec::new(),
            before: None,
        }
    }
}

/// Selects entries; `None` selects all. Entries about the store pass every filter, because a client that copies
/// only some of the records still has to learn that all of them were replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalFilter {
    pub kinds: Option<BTreeSet<&'static str>>,
    pub id: Option<u32>,
    pub ops: Option<BTreeSet<Op>>,
    /// The time of the first entry, in seconds since 1970.
    pub from: Option<i64>,
}

/// Returns the entries that the rest of a query, after `FROM changes`, selects.
fn entries(db: Db<'_>, rest: &str, params: impl Params) -> Result<Vec<JournalEntry>, Error> {
    db.all(&["SELECT ", COLUMNS, " FROM changes ", rest].concat(), params, entry)
}

/// Returns the first entry that the rest of a query, after `FROM changes`, selects.
fn first_entry(db: Db<'_>, rest: &str, params: impl Params) -> Result<Option<JournalEntry>, Error> {
    db.first(&["SELECT ", COLUMNS, " FROM changes ", rest].concat(), params, entry)
}

/// Returns the number of the newest entry, or 0 if the journal is empty.
pub fn latest(db: Db<'_>) -> Result<u64, Error> {
    db.value("SELECT coalesce(max(seq), 0) FROM changes", [])
}

/// Returns `true` for a store in which nothing was written since it began: it has no record, and its lists were filled in one
/// second, as by an import. A replacement is noted if it began in the place of a store that was lost.
pub fn is_new(db: Db<'_>) -> Result<bool, Error> {
    let later = "SELECT EXISTS (SELECT 1 FROM changes WHERE op != ?2 AND
        (via != ?1 OR at != (SELECT at FROM changes WHERE op != ?2 ORDER BY seq LIMIT 1)))";
    let is_later = db.value::<bool>(later, [Via::Import.code(), Op::Replaced.code()])?;
    Ok(!is_later && !has_records(db.conn())?)
}

/// Returns the number of the newest entry that matches the filter, or 0 if none does.
pub fn latest_of(db: Db<'_>, filter: &JournalFilter) -> Result<u64, Error> {
    let newest = matching(db, 0, filter, " ORDER BY seq DESC", 1)?;
    Ok(newest.first().map_or(0, |entry| entry.seq))
}

/// Returns up to `limit` entries after `since` that match the filter, oldest first.
pub fn page(db: Db<'_>, since: u64, filter: &JournalFilter, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    matching(db, since, filter, " ORDER BY seq", limit)
}

fn matching(
    db: Db<'_>,
    since: u64,
    filter: &JournalFilter,
    order: &str,
    limit: u32,
) -> Result<Vec<JournalEntry>, Error> {
    let array = |words: Vec<String>| format!("[{}]", words.join(","));
    let kinds = filter.kinds.as_ref().map(|kinds| {
        let kinds = kinds.iter().copied().chain([STORE]);
        array(kinds.map(|kind| format!("\"{kind}\"")).collect())
    });
    let ops = filter.ops.as_ref().map(|ops| {
        let ops = ops.iter().copied().chain([Op::Replaced]);
        array(ops.map(|op| op.code().to_string()).collect())
    });
    let mut rest = "WHERE seq > :since".to_owned();
    for (is_set, condition) in [
        (kinds.is_some(), " AND kind IN (SELECT value FROM json_each(:kinds))"),
        (ops.is_some(), " AND op IN (SELECT value FROM json_each(:ops))"),
        (filter.id.is_some(), " AND id IN (:id, 0)"),
        (filter.from.is_some(), " AND at >= :from"),
    ] {
        if is_set {
            rest.push_str(condition);
        }
    }
    rest.push_str(order);
    rest.push_str(" LIMIT :limit");
    let since = i64::try_from(since).unwrap_or(i64::MAX);
    let mut given: Vec<(&str, &dyn rusqlite::ToSql)> = vec![(":since", &since), (":limit", &limit)];
    given.extend(kinds.as_ref().map(|kinds| (":kinds", kinds as _)));
    given.extend(ops.as_ref().map(|ops| (":ops", ops as _)));
    given.extend(filter.id.as_ref().map(|id| (":id", id as _)));
    given.extend(filter.from.as_ref().map(|from| (":from", from as _)));
    entries(db, &rest, &*given)
}

/// Returns up to `limit` entries between `since` and `before` (both exclusive), newest first.
pub(super) fn page_back(db: Db<'_>, since: u64, before: u64, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    entries(db, "WHERE seq > ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3", (since, before, limit))
}

/// Erases the old values of entries before a time, in seconds since 1970. The entries themselves stay.
pub fn forget_values(tx: Tx<'_>, before: i64) -> Result<usize, Error> {
    tx.changed("UPDATE changes SET before = NULL WHERE before IS NOT NULL AND at < ?1", [before])
}

#[cfg(test)]
mod tests;
