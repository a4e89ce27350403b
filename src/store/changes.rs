//! What a commit has written, for whoever keeps something of it in memory: which records, and which show something of them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::records::{linked_by, naming, referring_to};
use super::{Db, Error};
use crate::records::{self, TABLES};

/// What kind of row a change touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// A record, its links to others included.
    Record(records::Kind),
    /// Any of the reference lists.
    Settings,
    /// A record that another one no longer links or refers to; the other one is among the changes too.
    Unlinked(records::Kind),
}

impl RowKind {
    /// Of a record of that table.
    pub(super) fn of(table: &str) -> RowKind {
        let own = TABLES.iter().find(|own| own.name == table);
        own.map_or(RowKind::Settings, |own| RowKind::Record(own.kind))
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

/// A row that was touched, and what kind of row it is.
pub type Change = (RowKind, u32);

/// So many changes of a commit are told, and looked at, one by one: a millisecond.
pub(super) const MANY: usize = 2_000;

/// So many records that are shown otherwise are named one by one: more takes longer than to read them again.
const MOST_TOUCHED: usize = 20_000;

/// A record that a change wrote, and the request that did, if one did.
pub struct NewChange {
    /// What kind of record it is.
    pub kind: records::Kind,
    /// Its id.
    pub id: u32,
    /// The id of the request.
    pub request: Option<String>,
}

/// The records that the last `at_most` changes wrote, the newest first; one may come several times.
///
/// # Errors
/// Why the store cannot be read.
pub fn newest(db: Db<'_>, at_most: u32) -> Result<Vec<NewChange>, Error> {
    let sql = "SELECT kind, id, request_id FROM changes ORDER BY seq DESC LIMIT ?1";
    let mut statement = db.conn().prepare_cached(sql)?;
    let mut rows = statement.query([at_most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if let RowKind::Record(kind) = RowKind::of(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?) {
            found.push(NewChange { kind, id: row.get(1)?, request: row.get(2)? });
        }
    }
    Ok(found)
}

/// The records, each with its kind, that may be shown otherwise than before these changes: those that were written, and
/// those that show something of them. `None` where that may be every record: a reference list was written, or too many are
/// shown otherwise.
///
/// A record shows its row, entries of the reference lists, and something of those that it links or refers to or that link
/// to it.
///
/// # Errors
/// Why the store cannot be read.
pub fn touched(db: Db<'_>, changes: &[Change]) -> Result<Option<BTreeSet<Change>>, Error> {
    if changes.iter().any(|(kind, _)| *kind == RowKind::Settings) {
        return Ok(None);
    }
    let mut touched = BTreeSet::new();
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
        for run in runs(of.collect()) {
            for other in TABLES {
                let referring = referring_to(db, other, table.kind, run.clone())?;
                touched.extend(referring.into_iter().map(|id| (RowKind::Record(other.kind), id)));
            }
        }
    }
    Ok(Some(touched).filter(|touched| touched.len() <= MOST_TOUCHED))
}

/// Ids as runs of neighbours, each of which is read at once.
pub fn runs(ids: BTreeSet<u32>) -> Vec<RangeInclusive<u32>> {
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
    fn a_row_is_of_the_kind_of_its_table() {
        assert_eq!(RowKind::of("customers"), RowKind::Record(records::Kind::Customer));
        assert_eq!((RowKind::of("users"), RowKind::of("settings")), (RowKind::Settings, RowKind::Settings));
    }

    #[test]
    fn neighbours_are_read_together() {
        assert_eq!(runs([1, 2, 3, 7, 9, 10].into()), [1..=3, 7..=7, 9..=10]);
        assert_eq!(runs([u32::MAX - 1, u32::MAX].into()), [u32::MAX - 1..=u32::MAX]);
        assert_eq!(runs(BTreeSet::new()), []);
    }
}
