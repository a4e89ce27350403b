//! Many lists of records united into one bitmap, whatever their number and form.

use std::borrow::Cow;

use roaring::{MultiOps, RoaringBitmap};

/// Up to so many ids are sorted; more are marked in chunks of bits, whose price is the same however many there are.
const FEW: usize = 256;
/// Ids per container from which roaring keeps bits and not a list. Only bits are united faster by roaring than marked here.
const DENSE: u64 = 4096;
const CHUNK_BYTES: usize = 8192;
/// Up to so many ids are looked up one by one, at some nanoseconds each.
const LOOKED_UP: u64 = 1 << 12;
type Chunk = Box<[u8; CHUNK_BYTES]>;

/// A union in the making. Adding a lone id costs about a nanosecond, which roaring's own insertion does not reach.
#[derive(Default)]
pub struct Union<'a> {
    few: Vec<u32>,
    /// By the upper half of the id, as roaring's containers are.
    chunks: Vec<Option<Chunk>>,
    bitmaps: Vec<&'a RoaringBitmap>,
}

impl<'a> Union<'a> {
    /// Nothing yet.
    pub fn new() -> Union<'a> {
        Union::default()
    }

    /// Adds ids, in any order.
    pub fn add_all(&mut self, ids: &[u32]) {
        if self.chunks.is_empty() && self.few.len() + ids.len() <= FEW {
            self.few.extend_from_slice(ids);
        } else {
            self.mark_all(ids);
        }
    }

    /// Adds a whole bitmap, which is only borrowed.
    pub fn add_bitmap(&mut self, ids: &'a RoaringBitmap) {
        self.bitmaps.push(ids);
    }

    /// The ids added. A lone bitmap comes back as it was given, without a copy.
    pub fn into_bitmap(mut self) -> Cow<'a, RoaringBitmap> {
        if let Some(only) = self.lone() {
            return Cow::Borrowed(only);
        }
        if let [only] = self.bitmaps.as_slice() {
            return Cow::Owned(self.lists() | *only);
        }
        let dense = self.mark_sparse();
        let lists = self.lists();
        Cow::Owned(dense.into_iter().chain([&lists]).union())
    }

    /// Those of the ids added that `others` has too. Where it has few, to look each of them up takes less than to make a
    /// bitmap of all that was added.
    pub fn common(mut self, others: &RoaringBitmap) -> RoaringBitmap {
        if self.lone().is_some() || others.len() > LOOKED_UP {
            return &*self.into_bitmap() & others;
        }
        let dense = self.mark_sparse();
        self.few.sort_unstable();
        let mut common: RoaringBitmap = others.iter().filter(|id| self.has(*id)).collect();
        dense.into_iter().for_each(|ids| common |= others & ids);
        common
    }

    /// The bitmap that is all there is.
    fn lone(&self) -> Option<&'a RoaringBitmap> {
        match self.bitmaps.as_slice() {
            [only] if self.few.is_empty() && self.chunks.is_empty() => Some(only),
            _ => None,
        }
    }

    /// Marks the ids of the bitmaps that are no quicker united as they are; gives those that are.
    fn mark_sparse(&mut self) -> Vec<&'a RoaringBitmap> {
        let bitmaps = std::mem::take(&mut self.bitmaps);
        let (dense, sparse): (Vec<_>, Vec<_>) = bitmaps.into_iter().partition(|ids| is_dense(ids));
        for ids in sparse {
            let mut ids = ids.iter();
            let mut part = [0; 512];
            loop {
                let part = ids.next_many(&mut part);
                if part.is_empty() {
                    break;
                }
                self.mark_all(part);
            }
        }
        dense
    }

    /// Whether the id is among the few, which are sorted, or marked.
    fn has(&self, id: u32) -> bool {
        let (chunk, byte) = ((id >> 16) as usize, (id as usize & 0xFFFF) >> 3);
        let bytes = self.chunks.get(chunk).and_then(Option::as_ref);
        bytes.and_then(|bytes| bytes.get(byte)).is_some_and(|byte| byte & (1 << (id & 7)) != 0)
            || self.few.binary_search(&id).is_ok()
    }

    fn mark_all(&mut self, ids: &[u32]) {
        for id in std::mem::take(&mut self.few) {
            self.mark(id);
        }
        for id in ids {
            self.mark(*id);
        }
    }

    #[inline]
    fn mark(&mut self, id: u32) {
        let (chunk, byte) = ((id >> 16) as usize, (id as usize & 0xFFFF) >> 3);
        if self.chunks.len() <= chunk {
            self.chunks.resize_with(chunk + 1, || None);
        }
        if let Some(chunk) = self.chunks.get_mut(chunk) {
            let bytes = chunk.get_or_insert_with(|| Box::new([0; CHUNK_BYTES]));
            if let Some(byte) = bytes.get_mut(byte) {
                *byte |= 1 << (id & 7);
            }
        }
    }

    fn lists(&self) -> RoaringBitmap {
        let mut all: RoaringBitmap = self.few.iter().copied().collect();
        for (high, chunk) in (0u32..).zip(&self.chunks) {
            if let Some(bytes) = chunk {
                all |= RoaringBitmap::from_lsb0_bytes(high << 16, bytes.as_slice());
            }
        }
        all
    }
}

fn is_dense(ids: &RoaringBitmap) -> bool {
    ids.len() > containers(ids) * DENSE
}

/// At most so many containers of 65,536 ids a bitmap has.
pub fn containers(ids: &RoaringBitmap) -> u64 {
    u64::from(ids.max().unwrap_or(0) >> 16) + 1
}

/// About how many bytes of the heap a bitmap holds; 48 a container are roaring's own bookkeeping and the allocator's.
/// Its own statistics count a bitset by its bits and an array at twice its size, so only their numbers are used.
pub fn heap_bytes(bitmap: &RoaringBitmap) -> usize {
    let held = bitmap.statistics();
    let bytes = held.n_bytes_array_containers / 2 + held.n_bytes_run_containers;
    bytes as usize + held.n_bitset_containers as usize * CHUNK_BYTES + held.n_containers as usize * 48
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn holds_what_was_added(
            lists in prop::collection::vec(prop::collection::vec(1u32..200_000, 0..120), 0..8),
            bitmaps in prop::collection::vec(prop::collection::btree_set(1u32..200_000, 0..50), 0..4),
            dense in 0u32..2,
            others in (1u32..200_000, 1usize..400, 1usize..70_000),
        ) {
            let dense = (0..dense).map(|_| (40_000..60_000).chain(70_000..100_000).collect());
            let bitmaps = bitmaps.into_iter().map(|ids| ids.into_iter().collect());
            let bitmaps: Vec<RoaringBitmap> = bitmaps.chain(dense).collect();
            let (from, step, count) = others;
            let others: RoaringBitmap = (from..).step_by(step).take(count).collect();
            let union = || {
                let mut union = Union::new();
                lists.iter().for_each(|ids| union.add_all(ids));
                lists.iter().flatten().take(9).for_each(|id| union.add_all(&[*id]));
                bitmaps.iter().for_each(|bitmap| union.add_bitmap(bitmap));
                union
            };
            let expected: RoaringBitmap =
                lists.iter().flatten().copied().chain(bitmaps.iter().flatten()).collect();
            prop_assert_eq!(union().common(&others), &expected & &others);
            prop_assert_eq!(union().into_bitmap().into_owned(), expected);
        }
    }

    #[test]
    fn the_largest_id_has_its_place() {
        let mut union = Union::new();
        union.add_all(&[u32::MAX; FEW + 1]);
        assert_eq!(union.into_bitmap().into_owned(), RoaringBitmap::from([u32::MAX]));
    }
}
