//! The words of a field against a naive scan.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ab]{1,3}",
        2 => prop::sample::select(vec!["silva", "da", "maria", "oliveira", "souza", "d", "2024"]).prop_map(String::from),
        1 => "[абв]{1,3}",
        1 => "[日本語]{1,2}",
        1 => "[a-z0-9]{1,8}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..6).prop_map(|words| words.join(" "))
}

fn naive(records: &BTreeMap<u32, String>, term: &str) -> RoaringBitmap {
    let matches = |text: &str| term.split(' ').all(|part| text.split(' ').any(|word| word.contains(part)));
    records.iter().filter(|(_, text)| matches(text)).map(|(id, _)| *id).collect()
}

fn check(words: &Words, records: &BTreeMap<u32, String>, terms: &[String]) -> Result<(), TestCaseError> {
    let short = ["a", "b", "ab", "ba", "д", "б", "бв", "本", "日本", "da", "s", "il", "2"].map(String::from);
    for term in short.iter().chain(terms).filter(|term| !term.is_empty()) {
        prop_assert_eq!(words.find(term).into_owned(), naive(records, term), "term {:?}", term);
    }
    Ok(())
}

fn loaded<'t>(texts: impl IntoIterator<Item = (u32, &'t str)>) -> Words {
    let mut words = Words::loading();
    texts.into_iter().for_each(|(id, text)| words.set(id, text));
    words.settle();
    words
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn equals_a_scan(
        built in prop::collection::btree_map(1u32..40, text(), 0..30),
        sets in prop::collection::vec((1u32..40, text()), 0..60),
        terms in prop::collection::vec(text(), 1..6),
        upkeep in 0usize..60,
        patience in prop_oneof![Just(0u64), 40u64..1_000],
    ) {
        let mut words = loaded(built.iter().map(|(id, text)| (*id, text.as_str())));
        let mut records = built;
        words.keep_costlier_than(patience);
        check(&words, &records, &terms)?;
        for (n, (id, text)) in sets.into_iter().enumerate() {
            words.set(id, &text);
            records.insert(id, text);
            if n == upkeep {
                words.sweep();
                words.keep_costlier_than(patience);
                check(&words, &records, &terms)?;
            }
        }
        check(&words, &records, &terms)?;
        let sizes: usize = records.values().map(|text| {
            text.split(' ').filter(|word| !word.is_empty()).collect::<std::collections::BTreeSet<_>>().len()
        }).sum();
        prop_assert_eq!(words.occurrences, sizes);
        prop_assert_eq!(words.dead, (0..words.words.len()).filter(|n| words.postings.is_empty(*n)).count());
    }

    /// Postings go from an id over every size of list to a bitmap and back, at low and at the highest ids.
    #[test]
    fn a_common_word_grows_and_shrinks(
        changes in prop::collection::vec((1u32..700, prop::bool::weighted(0.6)), 0..60),
        from in prop::sample::select(vec![0u32, 65_000, u32::MAX - 700]),
        start in 0u32..700,
    ) {
        let mut words = Words::default();
        let mut records = BTreeMap::new();
        let all = (1..=start).map(|n| (n, true)).chain(changes);
        for (n, present) in all {
            let text = if present { "comum silva" } else { "" };
            words.set(from + n, text);
            records.insert(from + n, text.to_owned());
        }
        check(&words, &records, &["comum".into(), "om il".into()])?;
    }
}

#[test]
fn a_field_grown_by_single_sets_chooses_its_pairs_and_sweeps_its_dead() {
    let mut words = Words::default();
    let text = |id: u32, round: u32| format!("comum da p{round}x{id}");
    for id in 1..=8_000 {
        words.set(id, &text(id, 0));
    }
    assert!(words.weighed > FEW_OCCURRENCES, "the pairs were never weighed");
    for id in 1..=5_000 {
        words.set(id, if id % 2 == 0 { "da" } else { "" });
    }
    assert!(words.words.len() < 6_000, "the dead words were never swept");
    assert_eq!(words.find("da").len(), 5_500);
    assert_eq!(words.find("om").len(), 3_000);
    assert_eq!(words.find("p0x7999").into_owned(), RoaringBitmap::from([7_999]));
    assert!(words.find("p0x4999").is_empty());
}

/// Large enough that the sieve and the scan both have their turn, and lists of every size.
#[test]
fn a_large_vocabulary_equals_a_scan() {
    let syllables = ["ma", "ri", "sil", "va", "jo", "ão", "to", "x9", "é", "42"];
    let pick = |n: usize| syllables[n % syllables.len()];
    let text =
        |n: usize| format!("{}{}{}{} w{}", pick(n), pick(n / 10), pick(n / 100), pick(n * 7 / 3), n % 1_009);
    let records: BTreeMap<u32, String> = (1..=9_000).map(|n| (n as u32 * 20, text(n))).collect();
    let words = loaded(records.iter().map(|(id, text)| (*id, text.as_str())));
    let terms = [
        "w",
        "w1",
        "w100",
        "masil",
        "silva",
        "lva",
        "ão",
        "oãoto",
        "x942",
        "ééé",
        "é42 w7",
        "vajo w99 w",
        "zz",
        "zzz",
    ];
    for term in terms {
        assert_eq!(words.find(term).into_owned(), naive(&records, term), "term {term:?}");
    }
    for n in (1..9_000).step_by(450) {
        let word = text(n);
        assert_eq!(words.find(&word).into_owned(), naive(&records, &word), "term {word:?}");
    }
}

#[test]
fn a_long_text_is_replaced_whole() {
    let mut words = Words::default();
    let long: Vec<String> = (0..3_000).map(|n| format!("w{n}")).collect();
    words.set(7, &long.join(" "));
    words.set(8, "w2999 outro");
    words.set(7, &long[1..].join(" "));
    assert!(words.find("w0").is_empty());
    assert_eq!(words.find("w2999").len(), 2);
    words.set(7, "curto");
    assert_eq!(words.find("w").into_owned(), RoaringBitmap::from([8]));
    assert_eq!(words.occurrences, 3);
}

#[test]
fn a_term_without_a_word_finds_nothing() {
    let mut words = Words::default();
    words.set(1, "maria da silva");
    assert!(words.find("").is_empty() && words.find(" ").is_empty());
    assert!(words.find("silva maria d").contains(1));
    assert!(words.find("mariada").is_empty());
}
