//! One optional amount for each record, and the sum over any set of records.

use roaring::RoaringBitmap;

use crate::domain::Sum;
use crate::index::sets::chunks::{CHUNK, ChunkValues, Chunks, Many, place};

/// The amounts in whole centavos: eight bytes a record. A million are added up in some milliseconds.
#[derive(Default)]
pub struct Amounts(Chunks<u64, AmountChunk>);

/// The amounts by the position of the id in the chunk. 0 if the record has none.
struct AmountChunk(Box<[u64]>);

impl Default for AmountChunk {
    fn default() -> AmountChunk {
        AmountChunk(vec![0; CHUNK].into())
    }
}

impl Many<u64> for AmountChunk {
    fn set(&mut self, at: u16, centavos: Option<u64>) {
        if let Some(amount) = self.0.get_mut(usize::from(at)) {
            *amount = centavos.unwrap_or(0);
        }
    }

    fn get(&self, at: u16) -> Option<u64> {
        self.0.get(usize::from(at)).copied().filter(|amount| *amount > 0)
    }
}

impl Amounts {
    /// Replaces the record's amount. `None` removes it.
    pub fn set(&mut self, id: u32, centavos: Option<u64>) {
        self.0.set(id, centavos);
    }

    /// Returns each of these records with its amount.
    pub fn of(&self, ids: &RoaringBitmap) -> Vec<(Option<u64>, u32)> {
        ids.iter().map(|id| (self.0.get(id), id)).collect()
    }

    pub fn sum(&self, ids: &RoaringBitmap) -> Sum {
        let of_chunk = |(lowest, chunk): (u32, &ChunkValues<u64, AmountChunk>)| -> u128 {
            match chunk {
                ChunkValues::Few(few) => {
                    let those = few.iter().filter(|(at, _)| ids.contains(lowest | u32::from(*at)));
                    those.map(|(_, amount)| u128::from(*amount)).sum()
                }
                ChunkValues::Many(many) => {
                    let amount = |id| many.0.get(usize::from(place(id).1)).copied();
                    ids.range(lowest..=lowest | 0xFFFF).filter_map(amount).map(u128::from).sum()
                }
            }
        };
        Sum::from_centavos(self.0.iter().map(of_chunk).sum())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Ids on both sides of a chunk's boundary.
    fn id() -> impl Strategy<Value = u32> {
        prop_oneof![6 => 1u32..40, 2 => 65_530u32..65_540, 1 => 300_000u32..300_003]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((id(), prop::option::of(1u64..=99_999_999_999_999)), 0..120),
            query in prop::collection::btree_set(id(), 0..60),
        ) {
            let mut amounts = Amounts::default();
            let mut naive = BTreeMap::new();
            for (id, centavos) in sets {
                amounts.set(id, centavos);
                naive.insert(id, centavos);
            }
            let of = |id: &u32| u128::from(naive.get(id).copied().flatten().unwrap_or(0));
            let expected = query.iter().map(of).sum();
            let query = query.into_iter().collect::<RoaringBitmap>();
            prop_assert_eq!(amounts.sum(&query), Sum::from_centavos(expected));
        }
    }

    #[test]
    fn the_largest_amounts_are_exact() {
        let mut amounts = Amounts::default();
        (1..=100_000).for_each(|id| amounts.set(id, Some(99_999_999_999_999)));
        let all = (1..=100_000).collect::<RoaringBitmap>();
        assert_eq!(amounts.sum(&all).to_string(), "99999999999999000.00");
    }
}
