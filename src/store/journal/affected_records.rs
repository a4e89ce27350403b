//! The records that a commit affects, for caches: those that it wrote, and those that show data of them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{CONFLICTS, Via};
use crate::records::{self, TABLES, Table};
use crate::store::records::{linked_by, naming, referring_to};
use crate::store::{Db, Error};

/// The kind of row that a change touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// A record. Its links to other records count as part of the record.
    Record(records::Kind),
    /// An entry of any reference list.
    Settings,
    /// A record that lost a link or reference from another record. The other record is among the changes too.
    Unlinked(records::Kind),
}

impl RowKind {
    /// Returns the kind of the rows of a table.
    pub(in crate::store) fn of(table: &str) -> RowKind {
        Table::noun_named(table).map_or(RowKind::Settings, |own| RowKind::Record(own.kind))
    }
}

impl From<records::Kind> for RowKind {
    fn from(kind: records::Kind) -> RowKind {
        match kind {
            records::Kind::List(_) => RowKind::Settings,
            kind => RowKind::Record(kind),
        }
    }
}

/// A touched row: its kind and its id.
pub type Change = (RowKind, u32);

/// Maximum number of changes that a commit publishes one by one. Processing this many takes a millisecond.
pub(in crate::store) const MAX_PUBLISHED_CHANGES: usize = 2_000;

/// Maximum number of records that [`touched`] returns. Naming more takes longer than reading them again.
const MAX_TOUCHED: usize = 20_000;

/// A change to a record, from the journal.
pub struct NewChange {
    pub kind: records::Kind,
    pub id: u32,
    /// Id of the request that made the change, or `None` if no request did.
    pub request: Option<String>,
    /// Seconds since 1970.
    pub at: i64,
    /// The name of the person or key that made the change.
    pub by: Option<String>,
}

/// Returns the records written by the last `at_most` changes, newest first. A record can occur several times.
pub fn newest(db: Db<'_>, at_most: u32) -> Result<Vec<NewChange>, Error> {
    let sql = "SELECT kind, id, request_id, at, CASE WHEN who LIKE 'user:%' THEN
            (SELECT name FROM users WHERE users.id = substr(who, 6))
            WHEN who LIKE 'key:%' THEN substr(who, 5) END
        FROM changes ORDER BY seq DESC LIMIT ?1";
    let mut statement = db.conn().prepare_cached(sql)?;
    let mut rows = statement.query([at_most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if let RowKind::Record(kind) = RowKind::of(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?) {
            let request = row.get(2)?;
            let at = row.get(3)?;
            let by = row.get(4)?;
            found.push(NewChange { kind, id: row.get(1)?, request, at, by });
        }
    }
    Ok(found)
}

/// Returns the time of the newest entry, in seconds since 1970. `None` if the journal is empty.
pub fn latest_at(db: Db<'_>) -> Result<Option<i64>, Error> {
    db.first_value("SELECT at FROM changes ORDER BY seq DESC LIMIT 1", [])
}

/// Number, time, kind and id of a journal entry, which stay the same for ever.
pub type JournalMark = (u64, i64, String, u32);

/// Returns the marks of the first entry and of that with the number `seq`, as far as there are such.
pub fn marks(db: Db<'_>, seq: u64) -> Result<Vec<JournalMark>, Error> {
    let sql = "SELECT seq, at, kind, id FROM changes WHERE seq IN ((SELECT min(seq) FROM changes), ?1) ORDER BY seq";
    db.all(sql, [seq], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}

/// Returns how many writes have a number above `seq`. What the journal tells after a restore or a promotion is no write.
pub fn count_after(db: Db<'_>, seq: u64) -> Result<u64, Error> {
    db.value("SELECT count(*) FROM changes WHERE seq > ?1 AND via <> ?2", (seq, Via::Restore.code()))
}

/// Returns up to `at_most` changes after `seq`, oldest first, and the number of the last one. For readers that
/// scan rows while others are written. Leaves out conflicts of interest, which no record shows.
pub fn since(db: Db<'_>, seq: u64, at_most: usize) -> Result<(Vec<Change>, u64), Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT seq, kind, id FROM changes WHERE seq > ?1 AND kind <> ?3 ORDER BY seq LIMIT ?2",
    )?;
    let mut rows = statement.query((seq, at_most, CONFLICTS))?;
    let (mut found, mut last) = (Vec::new(), seq);
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let kind = RowKind::of(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
        found.push((kind, row.get(2)?));
    }
    Ok((found, last))
}

/// Returns the records whose representation these changes may alter: the written records, and the records of the `cached`
/// kinds that show data of them. Returns `None` if that may be every record, because a reference list was written or too
/// many records are affected.
///
/// The representation of a record contains its row, entries of the reference lists, and data of the records that it
/// links or refers to or that link to it.
pub fn touched(
    db: Db<'_>,
    changes: &[Change],
    cached: &BTreeSet<RowKind>,
) -> Result<Option<BTreeSet<Change>>, Error> {
    if changes.iter().any(|(kind, _)| *kind == RowKind::Settings) {
        return Ok(None);
    }
    let mut touched = BTreeSet::new();
    if cached.is_empty() {
        return Ok(Some(touched));
    }
    for table in TABLES {
        let of = |kind| changes.iter().filter(move |change| change.0 == kind).map(|change| change.1);
        let written: BTreeSet<u32> = of(RowKind::Record(table.kind)).collect();
        let own = written.iter().copied().chain(of(RowKind::Unlinked(table.kind)));
        touched.extend(own.map(|id| (RowKind::Record(table.kind), id)));
        for run in runs(written) {
            for (kind, ids) in linked_by(db, table, run.clone())? {
                touched.extend(ids.into_iter().map(|id| (RowKind::Record(kind), id)));
            }
            for other in TABLES {
                let naming = naming(db, other, table.kind, run.clone())?;
                touched.extend(naming.into_iter().map(|id| (RowKind::Record(other.kind), id)));
            }
        }
    }
    let shown = touched.clone();
    for table in TABLES {
        let of = shown.iter().filter(|(kind, _)| *kind == RowKind::Record(table.kind)).map(|(_, id)| *id);
        for run in runs(of) {
            for other in TABLES.iter().filter(|other| cached.contains(&RowKind::Record(other.kind))) {
                let referring = referring_to(db, other, table.kind, run.clone())?;
                touched.extend(referring.into_iter().map(|id| (RowKind::Record(other.kind), id)));
            }
        }
    }
    Ok(Some(touched).filter(|touched| touched.len() <= MAX_TOUCHED))
}

/// Groups ascending ids into runs of consecutive ids, so that each run can be read by one query.
pub fn runs(ids: impl IntoIterator<Item = u32>) -> Vec<RangeInclusive<u32>> {
    let mut runs: Vec<RangeInclusive<u32>> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some(run) if run.end().checked_add(1) == Some(id) => *run = *run.start()..=id,
            _ => runs.push(id..=id),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_kinds_are_derived_from_table_names() {
        assert_eq!(RowKind::of("customers"), RowKind::Record(records::Kind::Customer));
        assert_eq!((RowKind::of("users"), RowKind::of("settings")), (RowKind::Settings, RowKind::Settings));
    }

    #[test]
    fn consecutive_ids_are_merged_into_ranges() {
        assert_eq!(runs([1, 2, 3, 7, 9, 10]), [1..=3, 7..=7, 9..=10]);
        assert_eq!(runs([u32::MAX - 1, u32::MAX]), [u32::MAX - 1..=u32::MAX]);
        assert_eq!(runs([]), []);
    }
}
