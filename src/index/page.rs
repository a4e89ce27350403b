//! Operations on bitmaps of ids: intersects filters and cuts pages out of the result.

use std::borrow::Cow;

use roaring::RoaringBitmap;

use crate::domain::{Order, Page};

/// The ids of a page in the list's order, and the number of all matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub ids: Vec<u32>,
    /// The exact number of matches over all pages.
    pub total: u64,
    /// `true` if the records are deleted ones.
    pub of_deleted: bool,
}

/// Returns the ids of a page, ascending: at most `limit` after the first `offset`. A deep page costs no more
/// than the first one, apart from a walk over the bitmap's containers of 65,536 ids each.
pub fn page(ids: &RoaringBitmap, offset: u64, limit: usize) -> Vec<u32> {
    let first = u32::try_from(offset).ok().and_then(|offset| ids.select(offset));
    match first {
        Some(first) => ids.range(first..).take(limit).collect(),
        None => Vec::new(),
    }
}

/// Like [`page`], from the highest id down.
pub fn page_from_end(ids: &RoaringBitmap, offset: u64, limit: usize) -> Vec<u32> {
    let end = ids.len().saturating_sub(offset);
    let first = end.saturating_sub(u64::try_from(limit).unwrap_or(u64::MAX));
    let mut page = page(ids, first, usize::try_from(end - first).unwrap_or(usize::MAX));
    page.reverse();
    page
}

/// Returns the number of ids before a page in its order: the offset, or the number of ids up to the id after
/// which the page begins. That id need not be in the bitmap.
pub fn before(ids: &RoaringBitmap, page: Page) -> u64 {
    match (page.after(), page.order()) {
        (None, _) => page.offset(),
        (Some(after), Order::Ascending) => ids.rank(after),
        (Some(after), Order::Descending) => ids.range_cardinality(after..),
    }
}

/// A page that is filled from groups of ids in the page's order.
pub struct Filling {
    page: Page,
    /// Number of ids still to be skipped before the page begins.
    before: u64,
    ids: Vec<u32>,
}

impl Filling {
    pub fn new(page: Page) -> Filling {
        Filling { page, before: page.offset(), ids: Vec::new() }
    }

    /// Continues with groups that come in another order.
    pub fn turn(&mut self, order: Order) {
        self.page = self.page.in_order(order);
    }

    pub fn is_full(&self) -> bool {
        self.room() == 0
    }

    fn room(&self) -> usize {
        usize::try_from(self.page.limit()).unwrap_or(usize::MAX).saturating_sub(self.ids.len())
    }

    /// Returns `true` if no id of the group can be on the page: the page is full, or the whole group comes
    /// before it. Such a group is counted as skipped.
    pub fn passes(&mut self, group: &RoaringBitmap) -> bool {
        let passes = self.is_full() || group.len() <= self.before;
        if passes {
            self.before = self.before.saturating_sub(group.len());
        }
        passes
    }

    /// Adds the next group, sorted in the page's order.
    pub fn take(&mut self, group: &RoaringBitmap) {
        let before = self.before;
        let room = self.room();
        if !self.passes(group) {
            let cut = match self.page.order() {
                Order::Ascending => page(group, before, room),
                Order::Descending => page_from_end(group, before, room),
            };
            self.before = 0;
            self.ids.extend(cut);
        }
    }

    /// Returns the groups in the page's order. `groups` must be ascending.
    pub fn in_order<T>(&self, mut groups: Vec<T>) -> Vec<T> {
        if self.page.order() == Order::Descending {
            groups.reverse();
        }
        groups
    }

    /// Adds the members of `ids` by ascending group, and after them those that are in no group.
    pub fn take_all<'g>(
        &mut self,
        groups: impl Iterator<Item = Cow<'g, RoaringBitmap>>,
        ids: &RoaringBitmap,
    ) {
        let mut others = ids.clone();
        for group in self.in_order(groups.collect()) {
            let group = &*group & ids;
            self.take(&group);
            others -= group;
        }
        self.take(&others);
    }

    pub fn into_ids(self) -> Vec<u32> {
        self.ids
    }
}

/// Returns a page of ids sorted by key, then by id; ids without a key come last in either order. Selects the
/// two ends of the page first and sorts only the page.
pub fn page_by_keys<K: Ord>(mut keyed: Vec<(Option<K>, u32)>, page: Page) -> Vec<u32> {
    let in_order = |one: &(Option<K>, u32), other: &(Option<K>, u32)| {
        let by_key = match page.order() {
            Order::Ascending => one.cmp(other),
            Order::Descending => other.cmp(one),
        };
        one.0.is_none().cmp(&other.0.is_none()).then(by_key)
    };
    let from = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(keyed.len());
    let to = from.saturating_add(usize::try_from(page.limit()).unwrap_or(usize::MAX)).min(keyed.len());
    if to < keyed.len() {
        keyed.select_nth_unstable_by(to, in_order);
        keyed.truncate(to);
    }
    if 0 < from && from < to {
        keyed.select_nth_unstable_by(from, in_order);
    }
    let mut page = keyed.split_off(from);
    page.sort_unstable_by(in_order);
    page.into_iter().map(|(_, id)| id).collect()
}

/// Returns the ids that every filter admits. Starts with the smallest filter, so that the result only
/// shrinks. A single filter is returned without a copy. Without filters the result is empty: only the caller
/// knows the set of all ids.
pub fn and_all(mut filters: Vec<Cow<'_, RoaringBitmap>>) -> Cow<'_, RoaringBitmap> {
    filters.sort_by_cached_key(|ids| ids.len());
    let mut filters = filters.into_iter();
    let Some(mut all) = filters.next() else { return Cow::default() };
    for ids in filters {
        if all.is_empty() {
            break;
        }
        all = Cow::Owned(match all {
            Cow::Borrowed(all) => all & &*ids,
            Cow::Owned(all) => all & &*ids,
        });
    }
    all
}

/// Adds the id if `present` is `true`, removes it if not.
pub fn put(ids: &mut RoaringBitmap, id: u32, present: bool) {
    if present {
        ids.insert(id);
    } else {
        ids.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn ids() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(1u32..300_000, 0..300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_page_is_a_slice_of_the_sorted_ids(ids in ids(), offset in 0u64..400, limit in 0usize..400) {
            let bitmap: RoaringBitmap = ids.iter().copied().collect();
            let expected: Vec<u32> = ids.into_iter().skip(offset as usize).take(limit).collect();
            prop_assert_eq!(page(&bitmap, offset, limit), expected);
        }

        #[test]
        fn a_page_from_the_end_is_a_slice_of_the_ids_in_descending_order(ids in ids(), offset in 0u64..400, limit in 0usize..400) {
            let bitmap: RoaringBitmap = ids.iter().copied().collect();
            let expected: Vec<u32> = ids.into_iter().rev().skip(offset as usize).take(limit).collect();
            prop_assert_eq!(page_from_end(&bitmap, offset, limit), expected);
        }

        #[test]
        fn all_filters_are_intersected(sets in prop::collection::vec(ids(), 0..4), common in 1u32..300_000) {
            let sets: Vec<BTreeSet<u32>> =
                sets.into_iter().map(|mut set| { set.insert(common); set }).collect();
            let bitmaps: Vec<RoaringBitmap> = sets.iter().map(|set| set.iter().copied().collect()).collect();
            let expected: RoaringBitmap = match sets.split_first() {
                Some((first, rest)) =>
                    first.iter().copied().filter(|id| rest.iter().all(|set| set.contains(id))).collect(),
                None => RoaringBitmap::new(),
            };
            let borrowed = bitmaps.iter().map(Cow::Borrowed).collect();
            let owned = bitmaps.iter().cloned().map(Cow::Owned).collect();
            prop_assert_eq!(and_all(borrowed).into_owned(), expected.clone());
            prop_assert_eq!(and_all(owned).into_owned(), expected);
        }
    }

    proptest! {
        #[test]
        fn a_page_after_an_id_has_the_next_ids(ids in ids(), after in 1u32..300_000, limit in 1usize..50) {
            let bitmap: RoaringBitmap = ids.iter().copied().collect();
            let requested = Page::parse_by_id(None, None, Some(&after.to_string()), 1000).unwrap();
            let up: Vec<u32> = ids.iter().copied().filter(|id| *id > after).take(limit).collect();
            prop_assert_eq!(page(&bitmap, before(&bitmap, requested), limit), up);
            let down: Vec<u32> = ids.iter().rev().copied().filter(|id| *id < after).take(limit).collect();
            let requested = requested.in_order(Order::Descending);
            prop_assert_eq!(page_from_end(&bitmap, before(&bitmap, requested), limit), down);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn a_page_by_keys_is_a_slice_of_the_sorted_ids(
            keys in prop::collection::vec(prop::option::of(0u8..6), 0..60), offset in 0u64..70, limit in 1u32..70, down: bool,
        ) {
            let order = if down { Order::Descending } else { Order::Ascending };
            let requested = Page::parse(None, Some(&offset.to_string()), limit).unwrap().in_order(order);
            let keyed: Vec<(Option<u8>, u32)> = keys.iter().copied().zip(1u32..).collect();
            let group = |key: Option<u8>| keyed.iter().filter(|(own, _)| *own == key).map(|(_, id)| *id).collect::<RoaringBitmap>();
            let mut filled: Vec<(u8, u32)> = keyed.iter().filter_map(|(key, id)| Some(((*key)?, *id))).collect();
            let mut empty: Vec<u32> = keyed.iter().filter(|(key, _)| key.is_none()).map(|(_, id)| *id).collect();
            filled.sort();
            if down {
                filled.reverse();
                empty.reverse();
            }
            let all = filled.into_iter().map(|(_, id)| id).chain(empty);
            let expected: Vec<u32> = all.skip(offset as usize).take(limit as usize).collect();
            prop_assert_eq!(page_by_keys(keyed.clone(), requested), expected.clone());
            let mut filling = Filling::new(requested);
            for key in filling.in_order((0u8..6).collect()) {
                filling.take(&group(Some(key)));
            }
            filling.take(&group(None));
            prop_assert_eq!(filling.into_ids(), expected);
        }
    }

    #[test]
    fn a_page_beyond_the_end_is_empty() {
        let ids = RoaringBitmap::from([1, 2, 3]);
        assert_eq!(page(&ids, 3, 10), Vec::<u32>::new());
        assert_eq!(page(&ids, u64::MAX, 10), Vec::<u32>::new());
        assert_eq!(page(&ids, 2, 10), [3]);
    }
}
