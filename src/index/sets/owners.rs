//! The owners of each record by one of its fields: the lawsuit of a task, the customers of a lawsuit.

use roaring::{MultiOps, RoaringBitmap};

use super::chunks::{Bits, ChunkValues, Chunks, Many};
use super::union::Union;

/// The owners of records by position: the first owner of each record, the second and so on, at four bytes
/// each. Few records have many.
#[derive(Default)]
pub struct Owners {
    places: Vec<Chunks<u32, OwnerChunk>>,
    /// `None` until the index is built.
    sorted: Option<Sorted>,
}

/// The records in the order of their owners, at the time of sorting. Finds the records of few owners faster than a pass
/// over all records does.
#[derive(Default)]
struct Sorted {
    /// Each owner with one of its records.
    links: Vec<(u32, u32)>,
    /// The first owner of each block of links. So small that the processor's cache holds it.
    blocks: Vec<u32>,
    /// The records whose owners have changed since.
    changed: RoaringBitmap,
}

/// Number of links in a block.
const BLOCK: usize = 16;
/// A pass takes a record one unit of time, about a nanosecond. The search for the records of an owner takes this many.
const SEARCH: u64 = if cfg!(test) { 2 } else { 256 };
/// Sorted again when more than `CHANGED + records / CHANGED_OF` records have changed.
const CHANGED: u64 = if cfg!(test) { 8 } else { 1024 };
const CHANGED_OF: u64 = 16;

/// The owners by the position of the id in the chunk. 0 if the record has none. Only as long as its highest
/// position needs.
#[derive(Default)]
struct OwnerChunk(Vec<u32>);

/// A chunk grows by this many ids.
const STEP: usize = 4096;

impl Many<u32> for OwnerChunk {
    fn set(&mut self, at: u16, owner: Option<u32>) {
        let at = usize::from(at);
        if at >= self.0.len() {
            let wanted = (at + 1).next_multiple_of(STEP);
            self.0.reserve_exact(wanted - self.0.len());
            self.0.resize(wanted, 0);
        }
        self.0.get_mut(at).into_iter().for_each(|own| *own = owner.unwrap_or(0));
    }

    #[inline]
    fn get(&self, at: u16) -> Option<u32> {
        self.0.get(usize::from(at)).copied().filter(|owner| *owner > 0)
    }
}

impl Sorted {
    /// Returns the records of these owners, also of those that have changed.
    fn records_of(&self, owners: &RoaringBitmap) -> RoaringBitmap {
        let mut records = Vec::new();
        let mut block = 0;
        for owner in owners {
            let rest = self.blocks.get(block..).unwrap_or_default();
            // The owner's records may begin in the block before.
            block = (block + rest.partition_point(|first| *first < owner)).saturating_sub(1);
            let links = self.links.get(block * BLOCK..).unwrap_or_default().iter();
            let own = links.skip_while(|(other, _)| *other < owner).take_while(|(other, _)| *other == owner);
            records.extend(own.map(|(_, record)| *record));
        }
        let mut union = Union::default();
        union.add_all(&records);
        union.into_bitmap().into_owned()
    }
}

impl Owners {
    pub fn set(&mut self, id: u32, owners: &[u32]) {
        let old = self.places.iter().map_while(|place| place.get(id));
        if old.eq(owners.iter().copied()) {
            return;
        }
        while self.places.len() < owners.len() {
            self.places.push(Chunks::default());
        }
        let owners = owners.iter().copied().map(Some).chain(std::iter::repeat(None));
        self.places.iter_mut().zip(owners).for_each(|(place, owner)| place.set(id, owner));
        if let Some(sorted) = &mut self.sorted {
            sorted.changed.insert(id);
            if sorted.changed.len() > CHANGED + sorted.links.len() as u64 / CHANGED_OF {
                self.sort();
            }
        }
    }

    /// Adds an owner while the index is built.
    pub fn add(&mut self, id: u32, owner: u32) {
        let taken = self.places.iter().take_while(|place| place.get(id).is_some()).count();
        if taken == self.places.len() {
            self.places.push(Chunks::default());
        }
        self.places.get_mut(taken).into_iter().for_each(|place| place.set(id, Some(owner)));
    }

    /// Sorts the records by owner. Called when the index is built, and after many changes.
    pub fn sort(&mut self) {
        let mut links = Vec::new();
        for (lowest, chunk) in self.places.iter().flat_map(Chunks::iter) {
            match chunk {
                ChunkValues::Few(few) => {
                    links.extend(few.iter().map(|(at, owner)| (*owner, lowest | u32::from(*at))));
                }
                ChunkValues::Many(many) => {
                    let each = many.0.iter().zip(lowest..=lowest | u32::from(u16::MAX));
                    links.extend(each.filter(|(owner, _)| **owner > 0).map(|(owner, id)| (*owner, id)));
                }
            }
        }
        links.sort_unstable();
        links.shrink_to_fit();
        let blocks = links.iter().step_by(BLOCK).map(|(owner, _)| *owner).collect();
        self.sorted = Some(Sorted { links, blocks, changed: RoaringBitmap::new() });
    }

    pub fn first(&self, id: u32) -> Option<u32> {
        self.places.first()?.get(id)
    }

    /// Returns the owners of these records.
    pub fn of(&self, ids: &RoaringBitmap) -> RoaringBitmap {
        let mut union = Union::default();
        for place in &self.places {
            union.add_all(&place.of(ids).map(|(_, owner)| owner).collect::<Vec<_>>());
        }
        union.into_bitmap().into_owned()
    }

    /// Returns those of these records that belong to one of `owners`.
    pub fn belonging(&self, ids: &RoaringBitmap, owners: &RoaringBitmap) -> RoaringBitmap {
        let owners = Members::of(owners, ids.len());
        let found = self.places.iter().map(|place| {
            let those = place.of(ids).filter(|(_, owner)| owners.has(*owner));
            RoaringBitmap::from_sorted_iter(those.map(|(id, _)| id)).unwrap_or_default()
        });
        found.union()
    }

    /// Returns all records that belong to one of `owners`.
    pub fn all_belonging(&self, owners: &RoaringBitmap) -> RoaringBitmap {
        match &self.sorted {
            Some(sorted) if owners.len() * SEARCH < sorted.links.len() as u64 => {
                (sorted.records_of(owners) - &sorted.changed) | self.belonging(&sorted.changed, owners)
            }
            _ => self.pass(owners),
        }
    }

    /// Like [`all_belonging`](Self::all_belonging), by a pass over all records.
    fn pass(&self, owners: &RoaringBitmap) -> RoaringBitmap {
        let owners = Members::of(owners, u64::MAX);
        let mut found = Vec::new();
        for (lowest, chunk) in self.places.iter().flat_map(Chunks::iter) {
            found.push(match chunk {
                ChunkValues::Few(few) => {
                    let those = few.iter().filter(|(_, owner)| owners.has(*owner));
                    let ids = those.map(|(at, _)| lowest | u32::from(*at));
                    RoaringBitmap::from_sorted_iter(ids).unwrap_or_default()
                }
                ChunkValues::Many(many) => {
                    let mut bits = Bits::default();
                    // `STEP` is a multiple of eight.
                    for (at, eight) in many.0.as_chunks::<8>().0.iter().enumerate() {
                        let byte = (0..)
                            .zip(eight)
                            .fold(0, |byte, (bit, owner)| byte | u8::from(owners.has(*owner)) << bit);
                        bits.put_byte(at, byte);
                    }
                    bits.to_bitmap(lowest)
                }
            });
        }
        found.union()
    }
}

/// A set of ids that is queried often.
enum Members<'a> {
    /// For few queries, and for ids too high for a bit array.
    Sparse(&'a RoaringBitmap),
    /// A bit for each id up to the highest. A query takes a tenth of the time.
    Dense(Vec<u64>),
}

/// If all ids are below this one, they are kept as bits, in at most 4 MiB.
const DENSE: u32 = 1 << 25;

/// Filling a bit takes a quarter of the time of a query without bits.
const QUERY: u64 = 4;

impl Members<'_> {
    /// Prepares a set for so many queries.
    fn of(ids: &RoaringBitmap, queries: u64) -> Members<'_> {
        let are_many = queries.saturating_mul(QUERY) > ids.len();
        let Some(highest) = ids.max().filter(|highest| are_many && *highest < DENSE) else {
            return Members::Sparse(ids);
        };
        let mut bits = vec![0; highest as usize / u64::BITS as usize + 1];
        for id in ids {
            if let Some(word) = bits.get_mut(id as usize / u64::BITS as usize) {
                *word |= 1 << (id % u64::BITS);
            }
        }
        Members::Dense(bits)
    }

    #[inline]
    fn has(&self, id: u32) -> bool {
        match self {
            Members::Sparse(ids) => ids.contains(id),
            Members::Dense(bits) => bits
                .get(id as usize / u64::BITS as usize)
                .is_some_and(|word| word >> (id % u64::BITS) & 1 == 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn owned() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(1u32..60, 0..4).prop_map(|owners| owners.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn equals_a_scan(
            built in prop::collection::vec((1u32..90, owned()), 0..120),
            changes in prop::option::of(prop::collection::vec((1u32..90, owned()), 0..120)),
            from in prop::sample::select(vec![0u32, 65_500, u32::MAX - 90]),
            among in prop::collection::btree_set(1u32..90, 0..40),
            wanted in prop::collection::btree_set(1u32..60, 0..20),
        ) {
            let mut owners = Owners::default();
            let mut naive = BTreeMap::new();
            for (id, own) in built {
                owners.set(from + id, &own);
                naive.insert(from + id, own);
            }
            naive.values_mut().filter(|own| own.len() == 2).for_each(|own| own.push(60));
            for (id, _) in naive.iter().filter(|(_, own)| own.contains(&60)) {
                owners.add(*id, 60);
            }
            if let Some(changes) = changes {
                owners.sort();
                for (id, own) in changes {
                    owners.set(from + id, &own);
                    naive.insert(from + id, own);
                }
            }
            let among: RoaringBitmap = among.into_iter().map(|id| from + id).collect();
            let wanted: RoaringBitmap = wanted.into_iter().chain([60]).collect();
            let all: RoaringBitmap = naive.iter()
                .filter(|(_, own)| own.iter().any(|owner| wanted.contains(*owner))).map(|(id, _)| *id).collect();
            prop_assert_eq!(owners.all_belonging(&wanted), all.clone());
            prop_assert_eq!(owners.belonging(&among, &wanted), &all & &among);
            let of: RoaringBitmap = naive.iter().filter(|(id, _)| among.contains(**id)).flat_map(|(_, own)| own).copied().collect();
            prop_assert_eq!(owners.of(&among), of);
            for (id, own) in &naive {
                prop_assert_eq!(owners.first(*id), own.first().copied());
            }
        }
    }

    #[test]
    fn owners_are_found_with_low_and_with_high_ids() {
        let mut owners = Owners::default();
        (1..=20_000u32).for_each(|id| owners.set(id, &[id * 3]));
        for wanted in [
            (1..=60_000u32).step_by(2).collect::<RoaringBitmap>(),
            (0..5_000).map(|n| n * 800_000 + 3).collect(),
        ] {
            let expected = (1..=20_000u32).filter(|id| wanted.contains(id * 3)).collect::<RoaringBitmap>();
            assert!(!expected.is_empty());
            assert_eq!(owners.all_belonging(&wanted), expected);
        }
    }
}
