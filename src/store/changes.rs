//! What was written, in order: whoever builds something from the rows catches up with it, and every commit is told by it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Db, Error, Tx, customers, lawsuits};
use crate::records;

/// What kind of row a change touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A customer.
    Customer,
    /// A lawsuit, its links to customers included.
    Lawsuit,
    /// Any of the reference lists.
    Settings,
    /// A customer who is no longer one of a lawsuit's; the lawsuit is among the changes too.
    Unlinked,
}

impl From<records::Kind> for Kind {
    fn from(kind: records::Kind) -> Kind {
        match kind {
            records::Kind::Customer => Kind::Customer,
            records::Kind::Lawsuit => Kind::Lawsuit,
        }
    }
}

/// A row that was touched, and what kind of row it is.
pub type Change = (Kind, u32);

/// How many changes are kept for whoever reads all rows meanwhile: some fifteen megabytes. Who is further behind in the end
/// reads them again.
pub const KEPT: u64 = 1_000_000;

/// So many changes are looked at one by one: a millisecond.
const MANY: usize = 2_000;

/// So many numbers are left out when a backup takes the place of everything.
pub const REPLACED: u64 = 1 << 32;

/// The number of the newest change, 0 in a store without any.
///
/// # Errors
/// Why the store cannot be read.
pub fn latest(db: Db<'_>) -> Result<u64, Error> {
    let mut statement = db.conn().prepare_cached("SELECT coalesce(max(seq), 0) FROM changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// What was written after `seq`, oldest first and `at_most` so much; `None` where that is not known any more.
///
/// # Errors
/// Why the store cannot be read.
pub fn since(db: Db<'_>, seq: u64, at_most: u64) -> Result<Option<Vec<Change>>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT seq, kind, id FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query([seq, at_most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if found.is_empty() && row.get::<_, u64>(0)? != seq + 1 {
            return Ok(None);
        }
        let kind = match row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)? {
            "customer" => Kind::Customer,
            "lawsuit" => Kind::Lawsuit,
            "unlinked" => Kind::Unlinked,
            _ => Kind::Settings,
        };
        found.push((kind, row.get(2)?));
    }
    Ok(Some(found))
}

/// The records, each with its kind, that may be shown otherwise than before these changes: those that were written, and
/// those that show something of them. `None` where that may be every record: a reference list was written, or there are too
/// many to look at one by one.
///
/// A customer shows its row, its lawsuits and entries of the reference lists; a lawsuit likewise its customers.
///
/// # Errors
/// Why the store cannot be read.
pub fn touched(db: Db<'_>, changes: &[Change]) -> Result<Option<BTreeSet<Change>>, Error> {
    if changes.len() > MANY || changes.iter().any(|(kind, _)| *kind == Kind::Settings) {
        return Ok(None);
    }
    let mut touched = BTreeSet::new();
    let of = |kind| changes.iter().filter(move |change| change.0 == kind).map(|change| change.1).collect();
    let (written, unlinked): (BTreeSet<u32>, BTreeSet<u32>) = (of(Kind::Customer), of(Kind::Unlinked));
    for run in runs(of(Kind::Lawsuit)) {
        touched.extend(run.clone().map(|id| (Kind::Lawsuit, id)));
        touched.extend(customers::of_lawsuits(db, run)?.into_iter().map(|id| (Kind::Customer, id)));
    }
    touched.extend(written.iter().chain(&unlinked).map(|id| (Kind::Customer, *id)));
    for run in runs(written) {
        touched.extend(lawsuits::of_customers(db, run)?.into_iter().map(|id| (Kind::Lawsuit, id)));
    }
    Ok(Some(touched))
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

/// Forgets all but the newest `KEPT` changes.
///
/// # Errors
/// Why the store cannot be written.
pub fn prune(tx: Tx<'_>) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached("DELETE FROM changes WHERE seq <= ?1")?;
    statement.execute([latest(*tx)?.saturating_sub(KEPT)])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_read_together() {
        assert_eq!(runs([1, 2, 3, 7, 9, 10].into()), [1..=3, 7..=7, 9..=10]);
        assert_eq!(runs([u32::MAX - 1, u32::MAX].into()), [u32::MAX - 1..=u32::MAX]);
        assert_eq!(runs(BTreeSet::new()), []);
    }
}
