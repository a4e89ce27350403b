//! One small key for each record that has a parent of its own (a type and its group, a stage and its step), and the records
//! of each key and of each parent: what belongs to a group is one bitmap, and not the union of a dozen.

use std::borrow::Cow;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::buckets::Buckets;

/// The records by their key, and by its parent as far as [`Nested::refer`] has told it.
#[derive(Default)]
pub struct Nested {
    by_key: Buckets,
    by_parent: Buckets,
    /// Each key's parent.
    parents: BTreeMap<u32, u32>,
}

/// What a filter means.
pub enum Meant {
    /// These keys.
    Keys(Vec<u32>),
    /// The keys of these parents.
    Parents(Vec<u32>),
}

impl Nested {
    /// From now on the keys have these parents.
    pub fn refer(&mut self, parents: BTreeMap<u32, u32>) {
        if parents == self.parents {
            return;
        }
        let mut keys: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        parents.iter().for_each(|(key, parent)| keys.entry(*parent).or_default().push(*key));
        let by_key = &self.by_key;
        self.by_parent =
            keys.into_iter().map(|(parent, keys)| (parent, by_key.any_of(keys).into_owned())).collect();
        self.parents = parents;
    }

    /// Gives the record `key` in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, key: Option<u32>) {
        self.by_key.set(id, key);
        self.by_parent.set(id, key.and_then(|key| self.parents.get(&key).copied()));
    }

    /// The records of what is meant.
    pub fn any_of(&self, meant: Meant) -> Cow<'_, RoaringBitmap> {
        match meant {
            Meant::Keys(keys) => self.by_key.any_of(keys),
            Meant::Parents(parents) => self.by_parent.any_of(parents),
        }
    }

    /// The records of the first that means any key at all.
    pub fn first_known<const N: usize>(&self, tries: [Meant; N]) -> Cow<'_, RoaringBitmap> {
        let known = |meant: &Meant| match meant {
            Meant::Keys(keys) => !keys.is_empty(),
            Meant::Parents(parents) => self.parents.values().any(|parent| parents.contains(parent)),
        };
        tries.into_iter().find(known).map_or_else(Cow::default, |meant| self.any_of(meant))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Set(u32, Option<u32>),
        Refer(BTreeMap<u32, u32>),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            9 => (1u32..40, prop::option::of(0u32..6)).prop_map(|(id, key)| Step::Set(id, key)),
            1 => prop::collection::btree_map(0u32..6, 0u32..3, 0..6).prop_map(Step::Refer),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_a_scan(
            steps in prop::collection::vec(step(), 0..120),
            asked in prop::collection::vec(0u32..7, 0..4),
        ) {
            let (mut nested, mut naive, mut parents) = (Nested::default(), BTreeMap::new(), BTreeMap::new());
            for step in steps {
                match step {
                    Step::Set(id, key) => {
                        nested.set(id, key);
                        naive.insert(id, key);
                    }
                    Step::Refer(new) => {
                        nested.refer(new.clone());
                        parents = new;
                    }
                }
            }
            let with = |wanted: &dyn Fn(u32) -> bool| -> RoaringBitmap {
                naive.iter().filter(|(_, key)| key.is_some_and(wanted)).map(|(id, _)| *id).collect()
            };
            let of_keys = with(&|key| asked.contains(&key));
            let of_parents = with(&|key| parents.get(&key).is_some_and(|parent| asked.contains(parent)));
            let (keys, theirs) = (|| Meant::Keys(asked.clone()), || Meant::Parents(asked.clone()));
            prop_assert_eq!(nested.any_of(keys()).into_owned(), of_keys.clone());
            prop_assert_eq!(nested.any_of(theirs()).into_owned(), of_parents.clone());
            let has_keys = parents.values().any(|parent| asked.contains(parent));
            let first = nested.first_known([Meant::Keys(Vec::new()), theirs(), keys()]).into_owned();
            prop_assert_eq!(first, if has_keys { of_parents } else { of_keys });
        }
    }
}
