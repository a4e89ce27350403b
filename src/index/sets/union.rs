//! Unites any number of id lists and bitmaps into one bitmap.

use std::borrow::Cow;

use roaring::{MultiOps, RoaringBitmap};

use super::chunks::{Bits, place};

/// Up to this many ids are sorted. More are set in bit arrays, at a cost that does not depend on their
/// number.
const MAX_SORTED_IDS: usize = 256;

/// A union under construction.
#[derive(Default)]
pub struct Union<'a> {
    ids: Vec<u32>,
    bitmaps: Vec<&'a RoaringBitmap>,
}

impl<'a> Union<'a> {
    /// Adds ids, in any order.
    pub fn add_all(&mut self, ids: &[u32]) {
        self.ids.extend_from_slice(ids);
    }

    /// Adds a bitmap without copying it.
    pub fn add_bitmap(&mut self, ids: &'a RoaringBitmap) {
        self.bitmaps.push(ids);
    }

    /// Returns the union. A single bitmap is returned without a copy.
    pub fn into_bitmap(self) -> Cow<'a, RoaringBitmap> {
        if let ([only], true) = (self.bitmaps.as_slice(), self.ids.is_empty()) {
            return Cow::Borrowed(only);
        }
        let listed = bitmap_of(self.ids);
        Cow::Owned(self.bitmaps.into_iter().chain([&listed]).union())
    }
}

/// Converts ids in any order to a bitmap.
fn bitmap_of(mut ids: Vec<u32>) -> RoaringBitmap {
    if ids.len() <= MAX_SORTED_IDS {
        ids.sort_unstable();
        return ids.into_iter().collect();
    }
    let mut chunks: Vec<Option<Bits>> = Vec::new();
    for id in ids {
        let (high, at) = place(id);
        let chunk = usize::from(high);
        if chunks.len() <= chunk {
            chunks.resize_with(chunk + 1, || None);
        }
        if let Some(chunk) = chunks.get_mut(chunk) {
            chunk.get_or_insert_default().put(at, true);
        }
    }
    let chunks = (0..).zip(chunks).filter_map(|(high, bits): (u32, _)| Some(bits?.to_bitmap(high << 16)));
    chunks.union()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn contains_all_added_ids(
            lists in prop::collection::vec(prop::collection::vec(1u32..200_000, 0..120), 0..8),
            bitmaps in prop::collection::vec(prop::collection::btree_set(1u32..200_000, 0..50), 0..4),
            dense in 0u32..2,
        ) {
            let dense = (0..dense).map(|_| (40_000..60_000).chain(70_000..100_000).collect());
            let bitmaps = bitmaps.into_iter().map(|ids| ids.into_iter().collect());
            let bitmaps: Vec<RoaringBitmap> = bitmaps.chain(dense).collect();
            let union = || {
                let mut union = Union::default();
                lists.iter().for_each(|ids| union.add_all(ids));
                lists.iter().flatten().take(9).for_each(|id| union.add_all(&[*id]));
                bitmaps.iter().for_each(|bitmap| union.add_bitmap(bitmap));
                union
            };
            let expected: RoaringBitmap =
                lists.iter().flatten().copied().chain(bitmaps.iter().flatten()).collect();
            prop_assert_eq!(union().into_bitmap().into_owned(), expected);
        }
    }

    #[test]
    fn the_largest_id_can_be_added() {
        let mut union = Union::default();
        union.add_all(&[u32::MAX; MAX_SORTED_IDS + 1]);
        assert_eq!(union.into_bitmap().into_owned(), RoaringBitmap::from([u32::MAX]));
    }
}
