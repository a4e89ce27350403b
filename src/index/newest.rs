//! Records that each belong to one other and have a day, such as the movements of lawsuits: of every owner the newest, among
//! those that a filter admits.

use std::collections::{BTreeMap, HashMap};

use roaring::RoaringBitmap;

use super::page::Found;
use crate::domain::{Day, Page};

/// The records by day and id, each with its owner. The newest first, every record is looked at once, and what comes first of
/// an owner is its newest: a million records take some milliseconds whatever the filter, and eight bytes each.
///
/// Of which day a record was is not kept beside it: a change looks for it in every day. A new record needs no look.
#[derive(Default)]
pub(super) struct NewestOfEach {
    /// Ascending by id; an owner stands there by its place in `owners`.
    days: BTreeMap<i32, Vec<(u32, u32)>>,
    owners: Vec<u32>,
    places: HashMap<u32, u32>,
    all: RoaringBitmap,
}

impl NewestOfEach {
    /// Gives the record an owner and a day in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, held: Option<(u32, i32)>) {
        if self.all.contains(id) {
            self.remove(id);
        }
        let Some((owner, day)) = held else { return };
        let next = u32::try_from(self.owners.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(owner).or_insert(next);
        if place == next {
            self.owners.push(owner);
        }
        let records = self.days.entry(day).or_default();
        let at = records.partition_point(|(other, _)| *other < id);
        records.insert(at, (id, place));
        self.all.insert(id);
    }

    fn remove(&mut self, id: u32) {
        self.all.remove(id);
        self.days.retain(|_, records| {
            if let Ok(at) = records.binary_search_by_key(&id, |(other, _)| *other) {
                records.remove(at);
            }
            !records.is_empty()
        });
    }

    /// The records that have an owner.
    pub fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    /// The page of the newest of those records of each owner, by day and then id, the newest first: from the first to the
    /// last of `days`, and of `owners` where there are some.
    pub fn page(
        &self,
        days: (Option<Day>, Option<Day>),
        among: &RoaringBitmap,
        owners: Option<&RoaringBitmap>,
        page: Page,
    ) -> Found {
        let mut found = Found::default();
        let (first, last) = (days.0.map_or(i32::MIN, Day::number), days.1.map_or(i32::MAX, Day::number));
        if first > last {
            return found;
        }
        // Those that do not count are as good as seen.
        let mut seen: Vec<bool> = match owners {
            Some(owners) => self.owners.iter().map(|owner| !owners.contains(*owner)).collect(),
            None => vec![false; self.owners.len()],
        };
        let mut left = seen.iter().filter(|seen| !**seen).count();
        let all_count = self.all.is_subset(among);
        let newest_first = self.days.range(first..=last).rev().flat_map(|(_, records)| records.iter().rev());
        for (id, place) in newest_first {
            if left == 0 {
                break;
            }
            let Some(seen) = seen.get_mut(*place as usize).filter(|seen| !**seen) else { continue };
            if !all_count && !among.contains(*id) {
                continue;
            }
            *seen = true;
            if found.total >= page.offset() && found.total - page.offset() < u64::from(page.limit()) {
                found.ids.push(*id);
            }
            found.total += 1;
            left -= 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
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
            let (mut newest, mut naive) = (NewestOfEach::default(), BTreeMap::new());
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
