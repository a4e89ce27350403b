//! The keys against a naive scan.

use std::collections::BTreeMap;

use proptest::prelude::*;
use roaring::RoaringBitmap;

use super::*;

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[0-3]{1,4}",
        3 => "[0-9]{11}",
        2 => "[0-9A-C]{12}[0-9]{2}",
        2 => "[0-9]{20}",
        1 => "[PQZ]{1,3}",
        1 => "[0-9A-Z]{50}",
    ]
}

fn naive(records: &BTreeMap<u32, Vec<String>>, matches: impl Fn(&str) -> bool) -> RoaringBitmap {
    records.iter().filter(|(_, keys)| keys.iter().any(|key| matches(key))).map(|(id, _)| *id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn equals_a_scan(
        built in prop::collection::btree_map(1u32..40, prop::collection::vec(key(), 0..3), 0..30),
        sets in prop::collection::vec((1u32..40, prop::collection::vec(key(), 0..3)), 0..80),
        asked in prop::collection::vec(key(), 1..6),
    ) {
        let mut keys = Keys::loading();
        let mut records = built;
        for (id, set) in &records {
            keys.set(*id, &set.iter().map(String::as_str).collect::<Vec<_>>());
        }
        keys.settle();
        for (id, set) in sets {
            keys.set(id, &set.iter().map(String::as_str).collect::<Vec<_>>());
            records.insert(id, set);
        }
        let held = records.values().flatten().cloned().collect::<Vec<_>>();
        for key in held.iter().chain(&asked) {
            let lengths = [1, 2, key.len() / 2, key.len() - 1, key.len()];
            prop_assert_eq!(keys.exact(key), naive(&records, |held| held == key));
            for end in lengths.into_iter().filter(|end| *end <= key.len()) {
                let prefix = &key[..end];
                if !prefix.is_empty() {
                    prop_assert_eq!(keys.starting_with(prefix), naive(&records, |held| held.starts_with(prefix)));
                }
            }
        }
    }
}

#[test]
fn trays_are_cut_and_emptied() {
    let mut keys = Keys::default();
    let text = |id: u32| format!("{:011}", id.wrapping_mul(2_654_435_761));
    for id in 1..=5_000 {
        keys.set(id, &[&text(id), "00000000191"]);
    }
    assert_eq!(keys.exact("00000000191").len(), 5_000);
    assert_eq!(keys.exact(&text(4_321)), RoaringBitmap::from([4_321]));
    for id in 1..=4_999 {
        keys.set(id, &[]);
    }
    assert_eq!(keys.starting_with("0"), RoaringBitmap::from([5_000]));
}

#[test]
fn what_is_no_key_is_left_out() {
    let mut keys = Keys::default();
    keys.set(1, &["", "abc", "1-2", "É", &"A".repeat(51)]);
    assert!(keys.exact("abc").is_empty() && keys.starting_with("").is_empty() && keys.exact("").is_empty());
    keys.set(1, &[&"A".repeat(50)]);
    assert_eq!(keys.starting_with(&"A".repeat(50)).len(), 1);
    assert!(keys.starting_with(&"A".repeat(51)).is_empty());
}
