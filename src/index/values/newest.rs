//! Records that have a day and belong to one owner, such as the movements of lawsuits: finds the newest
//! record of each owner that a filter admits.

use std::cmp::Reverse;
use std::collections::HashMap;

use roaring::RoaringBitmap;

use crate::domain::{Day, Page};
use crate::index::page::Found;
use crate::index::sets::owners::Owners;

/// The records of each owner by day and id, searched from the end for the newest one that matches. The cost
/// grows with the number of owners, not with that of their records, which are ten times as many.
#[derive(Default)]
pub(in crate::index) struct NewestOfEach {
    owners: Vec<Owner>,
    /// The position in `owners` by the owner's id.
    places: HashMap<u32, u32>,
    owner_of: Owners,
    all: RoaringBitmap,
}

/// Number of newest records stored inline in an `Owner`, so that it fits one cache line.
const AT_HAND: usize = 4;

/// A record that others belong to.
struct Owner {
    id: u32,
    /// Its newest records, descending. These are mostly enough, and avoid the cache miss of reading
    /// `records`. Entries beyond the number of records are unused.
    newest: [(i32, u32); AT_HAND],
    /// Sorted by day, then id.
    records: Vec<(i32, u32)>,
}

impl Owner {
    fn change(&mut self, change: impl FnOnce(&mut Vec<(i32, u32)>)) {
        change(&mut self.records);
        for (newest, record) in self.newest.iter_mut().zip(self.records.iter().rev()) {
            *newest = *record;
        }
    }

    /// Returns the inline records, newest first.
    fn at_hand(&self) -> impl Iterator<Item = &(i32, u32)> {
        self.newest.iter().take(self.records.len())
    }

    /// Returns the records after the inline ones, newest first.
    fn further(&self) -> impl Iterator<Item = &(i32, u32)> {
        self.records.iter().rev().skip(AT_HAND)
    }
}

impl NewestOfEach {
    /// Replaces the record's owner and day. `None` removes the record.
    pub fn set(&mut self, id: u32, held: Option<(u32, i32)>) {
        let old = self.owner_of.first(id).and_then(|owner| self.places.get(&owner));
        if let Some(owner) = old.and_then(|place| self.owners.get_mut(*place as usize)) {
            owner.change(|records| records.retain(|(_, other)| *other != id));
            self.all.remove(id);
        }
        self.owner_of.set(id, held.map(|(owner, _)| owner).as_slice());
        let Some((owner, day)) = held else { return };
        let place = *self.places.entry(owner).or_insert(self.owners.len() as u32) as usize;
        if place == self.owners.len() {
            self.owners.push(Owner { id: owner, newest: Default::default(), records: Vec::new() });
        }
        if let Some(owner) = self.owners.get_mut(place) {
            owner.change(|records| {
                records.insert(records.partition_point(|other| *other < (day, id)), (day, id));
            });
        }
        self.all.insert(id);
    }

    pub fn owners(&self) -> &Owners {
        &self.owner_of
    }

    /// Sorts the records by owner once the index is built.
    pub fn finish(&mut self) {
        self.owner_of.sort();
    }

    /// Returns the records that have an owner.
    pub fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    /// Returns each of these owners with the day of its newest record in `among`.
    pub fn days_of(&self, owners: &RoaringBitmap, among: &RoaringBitmap) -> Vec<(Option<i32>, u32)> {
        let newest = |owner: &Owner| {
            let mut records = owner.at_hand().chain(owner.further());
            records.find(|(_, id)| among.contains(*id)).map(|(day, _)| *day)
        };
        let day =
            |id| self.places.get(&id).and_then(|place| self.owners.get(*place as usize)).and_then(newest);
        owners.iter().map(|id| (day(id), id)).collect()
    }

    /// Returns a page of each owner's newest record, by day and id, newest first. Only records in `among` and
    /// within `days` (inclusive) count, and, if given, only `owners`.
    pub fn page(
        &self,
        days: (Option<Day>, Option<Day>),
        among: &RoaringBitmap,
        owners: Option<&RoaringBitmap>,
        page: Page,
    ) -> Found {
        let first = days.0.map_or(i32::MIN, Day::number);
        let last = days.1.map_or(i32::MAX, Day::number);
        let all_count = self.all.is_subset(among);
        let owners = self.owners.iter().filter(|owner| owners.is_none_or(|owners| owners.contains(owner.id)));
        // The first record older than `days` ends the search of an owner.
        let ends =
            |(day, id): &&(i32, u32)| *day < first || *day <= last && (all_count || among.contains(*id));
        // Searches the inline records of all owners first. Alternating with the other records would take half
        // as long again.
        let mut newest = Vec::with_capacity(self.owners.len());
        let mut others = Vec::new();
        for owner in owners {
            match owner.at_hand().find(ends) {
                Some(one) => newest.push(Reverse(*one)),
                None => others.push(owner),
            }
        }
        newest.extend(others.iter().filter_map(|owner| owner.further().find(ends)).copied().map(Reverse));
        newest.retain(|Reverse((day, _))| *day >= first);
        let total = newest.len();
        let offset = usize::try_from(page.offset()).unwrap_or(total);
        let ids = sorted_part(&mut newest, offset, page.limit() as usize).iter().map(|Reverse((_, id))| *id);
        Found { ids: ids.collect(), total: total as u64, of_deleted: false }
    }
}

/// Returns the items that a full sort would put at `offset..offset + limit`, and sorts only those.
fn sorted_part<T: Ord>(all: &mut [T], offset: usize, limit: usize) -> &[T] {
    if offset < all.len() {
        all.select_nth_unstable(offset);
    }
    let rest = all.get_mut(offset..).unwrap_or_default();
    if limit < rest.len() {
        rest.select_nth_unstable(limit);
    }
    let end = limit.min(rest.len());
    let part = rest.get_mut(..end).unwrap_or_default();
    part.sort_unstable();
    part
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn ids() -> impl Strategy<Value = Option<RoaringBitmap>> {
        prop::option::of(prop::collection::vec(1u32..40, 0..30).prop_map(|ids| ids.into_iter().collect()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((1u32..40, prop::option::of((1u32..8, -3i32..4))), 0..120),
            days in (prop::option::of(-4i32..5), prop::option::of(-4i32..5)),
            (among, owners) in (ids(), ids()),
            (limit, offset) in (1u32..6, 0u32..6),
        ) {
            let mut newest = NewestOfEach::default();
            let mut naive = BTreeMap::new();
            for (id, held) in sets {
                newest.set(id, held);
                naive.insert(id, held);
            }
            let mut of_owner: BTreeMap<u32, (i32, u32)> = BTreeMap::new();
            for (id, held) in &naive {
                let Some((owner, day)) = *held else { continue };
                let counts = days.0.is_none_or(|first| first <= day) && days.1.is_none_or(|last| day <= last)
                    && among.as_ref().is_none_or(|among| among.contains(*id))
                    && owners.as_ref().is_none_or(|owners| owners.contains(owner));
                if counts {
                    let newest = of_owner.entry(owner).or_insert((day, *id));
                    *newest = (*newest).max((day, *id));
                }
            }
            let mut expected = of_owner.into_values().collect::<Vec<_>>();
            expected.sort_unstable_by(|one, two| two.cmp(one));
            let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string()), 10).unwrap();
            let among = among.unwrap_or_else(|| naive.keys().copied().collect());
            let days = (days.0.and_then(Day::from_number), days.1.and_then(Day::from_number));
            let found = newest.page(days, &among, owners.as_ref(), page);
            prop_assert_eq!(found.total, expected.len() as u64);
            let ids = expected.iter().map(|(_, id)| *id).skip(offset as usize).take(limit as usize);
            prop_assert_eq!(found.ids, ids.collect::<Vec<_>>());
        }
    }
}
