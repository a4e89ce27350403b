//! One optional amount for each record, and what those of any records come to.

use roaring::RoaringBitmap;

use crate::domain::Sum;

/// So many neighbouring ids share a chunk, as in roaring's containers.
const CHUNK: usize = 1 << 16;

/// The amounts as one column of whole centavos: eight bytes a record, and a million are added up in some milliseconds.
#[derive(Default)]
pub struct Amounts {
    /// By the upper half of the id.
    chunks: Vec<Option<Box<[u64]>>>,
}

impl Amounts {
    /// Gives the record an amount in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, centavos: Option<u64>) {
        let (chunk, at) = place(id);
        if self.chunks.len() <= chunk {
            self.chunks.resize_with(chunk + 1, || None);
        }
        let amounts =
            self.chunks.get_mut(chunk).map(|chunk| chunk.get_or_insert_with(|| vec![0; CHUNK].into()));
        amounts
            .and_then(|amounts| amounts.get_mut(at))
            .into_iter()
            .for_each(|amount| *amount = centavos.unwrap_or(0));
    }

    /// What the amounts of those records come to.
    pub fn sum(&self, ids: &RoaringBitmap) -> Sum {
        let amount = |id| {
            let (chunk, at) = place(id);
            self.chunks.get(chunk)?.as_ref()?.get(at).copied()
        };
        Sum::from_centavos(ids.iter().filter_map(amount).map(u128::from).sum())
    }
}

fn place(id: u32) -> (usize, usize) {
    ((id >> 16) as usize, id as usize % CHUNK)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// On both sides of the border of a chunk.
    fn id() -> impl Strategy<Value = u32> {
        prop_oneof![6 => 1u32..40, 2 => 65_530u32..65_540, 1 => 300_000u32..300_003]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_a_scan(
            sets in prop::collection::vec((id(), prop::option::of(1u64..=99_999_999_999_999)), 0..120),
            asked in prop::collection::btree_set(id(), 0..60),
        ) {
            let (mut amounts, mut naive) = (Amounts::default(), BTreeMap::new());
            for (id, centavos) in sets {
                amounts.set(id, centavos);
                naive.insert(id, centavos);
            }
            let of = |id: &u32| u128::from(naive.get(id).copied().flatten().unwrap_or(0));
            let expected = asked.iter().map(of).sum();
            let asked = asked.into_iter().collect::<RoaringBitmap>();
            prop_assert_eq!(amounts.sum(&asked), Sum::from_centavos(expected));
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
