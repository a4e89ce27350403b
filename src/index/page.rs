//! What is done with bitmaps of ids: filters are intersected, and a page is cut out of what is left.

use std::borrow::Cow;

use roaring::RoaringBitmap;

/// The ids of a page, in the list's order, and how many match in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The page.
    pub ids: Vec<u32>,
    /// The exact number of matches, whatever the page.
    pub total: u64,
    /// Whether they are of deleted records.
    pub of_deleted: bool,
}

/// The ids of a page, ascending: at most `limit` of them after the first `offset`. A deep page costs no more than the
/// first one, up to a walk over the bitmap's containers of 65,536 ids each.
pub fn page(ids: &RoaringBitmap, offset: u64, limit: usize) -> Vec<u32> {
    let first = u32::try_from(offset).ok().and_then(|offset| ids.select(offset));
    match first {
        Some(first) => ids.range(first..).take(limit).collect(),
        None => Vec::new(),
    }
}

/// The same in the other direction: the ids come descending, and those before the page are the highest.
pub fn page_from_end(ids: &RoaringBitmap, offset: u64, limit: usize) -> Vec<u32> {
    let end = ids.len().saturating_sub(offset);
    let first = end.saturating_sub(u64::try_from(limit).unwrap_or(u64::MAX));
    let mut page = page(ids, first, usize::try_from(end - first).unwrap_or(usize::MAX));
    page.reverse();
    page
}

/// The ids that every filter admits; the smallest goes first, so that the others only ever shrink it. A lone filter
/// comes back as it was given. No filter at all admits nothing here: what "all" means is the caller's knowledge.
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

/// Has the record among the ids, or not.
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
        fn a_page_from_the_end_is_a_slice_of_the_ids_sorted_down(ids in ids(), offset in 0u64..400, limit in 0usize..400) {
            let bitmap: RoaringBitmap = ids.iter().copied().collect();
            let expected: Vec<u32> = ids.into_iter().rev().skip(offset as usize).take(limit).collect();
            prop_assert_eq!(page_from_end(&bitmap, offset, limit), expected);
        }

        #[test]
        fn every_filter_counts(sets in prop::collection::vec(ids(), 0..4), common in 1u32..300_000) {
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

    #[test]
    fn beyond_the_end_there_is_nothing() {
        let ids = RoaringBitmap::from([1, 2, 3]);
        assert_eq!(page(&ids, 3, 10), Vec::<u32>::new());
        assert_eq!(page(&ids, u64::MAX, 10), Vec::<u32>::new());
        assert_eq!(page(&ids, 2, 10), [3]);
    }
}
