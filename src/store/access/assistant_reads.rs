//! The record of reads: which records a tool showed to an assistant, when, and to whose key (assistants 50).

use std::collections::BTreeSet;
use std::ops::Range;

use rusqlite::{Connection, Row, named_params};

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::records::{Customer, Lawsuit, Record, Table};
use crate::store::journal::Who;
use crate::store::nouns::lawsuits;
use crate::store::{Db, Error, Tx};

/// Time in days for which a read is kept: five years, as the journal keeps previous values by default (events 20.2).
pub const LIFETIME_DAYS: i64 = 1_825;

/// A record, by its table and id.
pub type ShownRecord = (&'static str, u32);

/// A call whose answer had records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssistantRead {
    /// In seconds since 1970.
    pub at: i64,
    /// The token or key of the assistant. `None` for the owner.
    pub who: Option<Who>,
    pub tool: String,
}

/// A read with its records.
pub(in crate::store) type StoredRead = (AssistantRead, Vec<(String, u32)>);

/// Stores a read of these records. A lawsuit is read with its customers, whose names stand in texts of whatever refers to it.
pub fn note(tx: Tx<'_>, read: &AssistantRead, records: &BTreeSet<ShownRecord>) -> Result<(), Error> {
    let mut all = records.clone();
    for (_, lawsuit) in records.iter().filter(|(kind, _)| *kind == Lawsuit::TABLE.name) {
        all.extend(
            lawsuits::customers(*tx, *lawsuit)?
                .iter()
                .map(|customer| (Customer::TABLE.name, customer.id.get())),
        );
    }
    insert(tx.conn(), read, all.into_iter())
}

fn insert<'k>(
    conn: &Connection,
    read: &AssistantRead,
    records: impl Iterator<Item = (&'k str, u32)>,
) -> Result<(), Error> {
    let mut insert =
        conn.prepare_cached("INSERT INTO assistant_reads (at, who, tool) VALUES (?1, ?2, ?3) RETURNING id")?;
    let id: i64 = insert.query_row((read.at, &read.who, &read.tool), |row| row.get(0))?;
    let mut insert =
        conn.prepare_cached("INSERT INTO assistant_read_records (kind, id, read_id) VALUES (?1, ?2, ?3)")?;
    for (kind, record) in records {
        insert.execute((kind, record, id))?;
    }
    Ok(())
}

/// Erases the reads before a time, in seconds since 1970.
pub fn forget_before(tx: Tx<'_>, before: i64) -> Result<(), Error> {
    tx.run("DELETE FROM assistant_reads WHERE at < ?1", [before])
}

/// Takes a record that was erased for good out of all reads.
pub(in crate::store) fn forget_record(db: Db<'_>, table: &Table, id: u32) -> Result<(), Error> {
    let sql = "DELETE FROM assistant_read_records WHERE id = ?1 AND kind = ?2";
    db.conn().prepare_cached(sql)?.execute((id, table.name))?;
    Ok(())
}

/// Returns up to `limit` reads of a record, newest first. Those of a customer include the reads of the ones that were
/// merged into it.
pub fn of_record(db: Db<'_>, table: &Table, id: u32, limit: u32) -> Result<Vec<AssistantRead>, Error> {
    let sql = "WITH RECURSIVE same (id) AS
             (SELECT :id UNION SELECT o.id FROM same JOIN customers o ON o.merged_into = same.id WHERE :kind = 'customers')
         SELECT DISTINCT r.at, r.who, r.tool, r.id FROM same JOIN assistant_read_records s ON s.id = same.id AND s.kind = :kind
             JOIN assistant_reads r ON r.id = s.read_id ORDER BY r.id DESC LIMIT :limit";
    let given = named_params! { ":id": id, ":kind": table.name, ":limit": limit };
    db.all(sql, given, stored)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<AssistantRead> {
    let who = row.get::<_, Option<String>>(1)?.map(Who::from_stored);
    Ok(AssistantRead { at: row.get(0)?, who, tool: row.get(2)? })
}

/// Returns all reads, oldest first, for a backup that replaces the store: what was shown stays shown.
pub(in crate::store) fn all(db: Db<'_>) -> Result<Vec<StoredRead>, Error> {
    let mut of_read = db
        .conn()
        .prepare("SELECT kind, id FROM assistant_read_records WHERE read_id = ?1 ORDER BY kind, id")?;
    let mut statement = db.conn().prepare("SELECT at, who, tool, id FROM assistant_reads ORDER BY id")?;
    let reads = statement.query_map([], |row| {
        let records = of_read.query_map([row.get::<_, i64>(3)?], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok((stored(row)?, records.collect::<Result<_, _>>()?))
    })?;
    Ok(reads.collect::<Result<_, _>>()?)
}

/// Sets the reads of a copy of the store to `reads`.
pub(in crate::store) fn take_over(copy: &Connection, reads: &[StoredRead]) -> Result<(), Error> {
    copy.execute_batch("DELETE FROM assistant_read_records; DELETE FROM assistant_reads")?;
    reads.iter().try_for_each(|(read, records)| {
        insert(copy, read, records.iter().map(|(kind, id)| (kind.as_str(), *id)))
    })
}

/// Returns the name of an author for people.
pub fn author_name(who: Option<&Who>, lang: Lang) -> String {
    match who {
        Some(Who::Key(name)) => localize!(lang, "chave {name}", "key {name}"),
        Some(Who::Token(last_four)) => format!("token …{last_four}"),
        Some(Who::Person(_)) | None => lang.pick("dono", "owner").to_owned(),
    }
}

/// Returns the authors of all reads, each with the time of the last one. The newest comes first.
pub fn authors(db: Db<'_>) -> Result<Vec<(Option<Who>, i64)>, Error> {
    db.all("SELECT who, max(at) FROM assistant_reads GROUP BY who ORDER BY 2 DESC", [], |row| {
        Ok((row.get::<_, Option<String>>(0)?.map(Who::from_stored), row.get(1)?))
    })
}

/// Returns the time of an author's last read before a time.
pub fn newest_before(db: Db<'_>, who: Option<&Who>, before: i64) -> Result<Option<i64>, Error> {
    db.value("SELECT max(at) FROM assistant_reads WHERE who IS ?1 AND at < ?2", (who, before))
}

/// Returns the records that an author was shown in a period, each once, with the name of its table.
pub fn shown_within(db: Db<'_>, who: Option<&Who>, period: &Range<i64>) -> Result<Vec<(String, u32)>, Error> {
    let sql = "SELECT DISTINCT s.kind, s.id FROM assistant_reads r JOIN assistant_read_records s ON s.read_id = r.id
         WHERE r.who IS ?1 AND r.at >= ?2 AND r.at < ?3 ORDER BY s.kind, s.id";
    db.all(sql, (who, period.start, period.end), |row| Ok((row.get(0)?, row.get(1)?)))
}
