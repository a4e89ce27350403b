//! Records counted by the list entry that they refer to.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::index::Index;
use crate::index::field::FieldIndex;
use crate::index::filter::Filter;
use crate::index::sets::buckets::OfEntry;
use crate::records::Table;
use crate::store::{self, Db};

impl Index {
    /// Counts the matching records by the list entry in a column, in one pass. Entries without records are absent. For
    /// the guests of tasks, a task counts for each guest who still has to do it.
    pub fn by_entry(
        &self,
        db: Db<'_>,
        table: &'static Table,
        column: &str,
        filter: &Filter,
    ) -> Result<BTreeMap<u32, OfEntry>, store::Error> {
        self.with_matching(db, table, filter, |part, all| {
            let mut counts = BTreeMap::<u32, OfEntry>::new();
            let mut count = |entry: u32, ids: &RoaringBitmap| {
                let of_entry = counts.entry(entry).or_default();
                of_entry.total += ids.len();
                of_entry.first = of_entry.first.into_iter().chain(ids.min()).min();
            };
            match part.index(column) {
                Some(FieldIndex::Keys(keys)) => keys.each_of(all).for_each(|(key, ids)| count(key, &ids)),
                Some(FieldIndex::Guests(guests)) => {
                    guests.each_pending(all).for_each(|(user, ids)| count(user, &ids));
                }
                _ => {}
            }
            counts.retain(|_, of_entry| of_entry.total > 0);
            counts
        })
    }
}
