//! What commands read of the trash, and how they empty it.

use jiff::Timestamp;

use super::owner_request::{EmptiedTrash, ResourceCounts, TrashRecord, TrashStatus};
use crate::api::PAGES;
use crate::api::console_pages::View;
use crate::domain::Lang;
use crate::replica::{Replica, erased_after};
use crate::store::trash::{self, RecordCounts};
use crate::store::{self, Store};

/// Returns the counts of the trash, and up to `most` of its newest records.
pub(super) fn status(store: &Store, most: u32, lang: Lang) -> Result<TrashStatus, store::Error> {
    Store::read_once(store.folder(), |db| {
        let (counts, last) = trash::holdings(db, i64::MAX)?;
        let mut records = Vec::new();
        for pages in PAGES {
            let deleted = trash::newest(db, pages.table, most, 0)?;
            let ids = deleted.iter().map(|record| record.id).collect::<Vec<_>>();
            let views = View::read_deleted(db, pages.table, &ids)?;
            records.extend(deleted.into_iter().zip(views).map(|(record, view)| TrashRecord {
                resource: pages.table.path.to_owned(),
                id: record.id,
                name: pages.name(&view, lang),
                deleted_at: record.deletion.at,
                reason: record.reason,
            }));
        }
        records.sort_by_key(|record| std::cmp::Reverse(record.deleted_at));
        records.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        let unowned = store.contents().unowned(db)?;
        let bytes = unowned.iter().map(|(_, bytes)| bytes).sum();
        let unowned = (unowned.len() as u64, bytes);
        Ok(TrashStatus { counts: by_resource(counts), last, records, unowned })
    })
}

/// Erases what was deleted until `until`, in seconds since 1970.
pub(super) fn empty(store: &Store, until: i64, now: Timestamp) -> Result<EmptiedTrash, store::Error> {
    let erased = store.erase_deleted(until, None)?;
    let unowned = store.erase_unowned_contents()?;
    let (left, _) = store.read(move |db| trash::holdings(db, until))?;
    let log = store.wal_state();
    let in_replica = log.has_litestream() && !erased.is_empty();
    let in_log = log.keeps_erased() && !erased.is_empty();
    let is_configured = matches!(Replica::of(store.folder()), Ok(Some(_)));
    let in_replica_until = (in_replica && is_configured).then(|| erased_after(now).as_second());
    Ok(EmptiedTrash {
        erased: by_resource(erased),
        kept: by_resource(left),
        unowned,
        in_log,
        in_replica,
        in_replica_until,
    })
}

fn by_resource(counts: RecordCounts) -> ResourceCounts {
    counts.into_iter().map(|(table, count)| (table.path.to_owned(), count)).collect()
}
