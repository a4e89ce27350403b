//! The word index compared with a naive scan.

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
        2 => "[bf]{1,2}[ae][bf]{1,3}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..6).prop_map(|words| words.join(" "))
}

fn naive(
    records: &BTreeMap<u32, String>,
    term: &str,
    is_match: impl Fn(&str, &str) -> bool,
) -> RoaringBitmap {
    let matches = |text: &str| term.split(' ').all(|part| text.split(' ').any(|word| is_match(word, part)));
    records.iter().filter(|(_, text)| matches(text)).map(|(id, _)| *id).collect()
}

fn check(words: &WordIndex, records: &BTreeMap<u32, String>, terms: &[String]) -> Result<(), TestCaseError> {
    let short = ["bab", "aff", "a", "b", "ab", "ba", "д", "б", "бв", "本", "日本", "da", "s", "il", "2"]
        .map(String::from);
    for term in short.iter().chain(terms).filter(|term| !term.is_empty()) {
        prop_assert_eq!(
            words.find(term, Match::Infix).into_owned(),
            naive(records, term, |word, part| word.contains(part)),
            "term {:?}",
            term
        );
        let starting = naive(records, term, |word, part| word.starts_with(part));
        prop_assert_eq!(words.find(term, Match::Prefix).into_owned(), starting, "prefix {:?}", term);
        let whole = naive(records, term, |word, part| word == part);
        prop_assert_eq!(words.find(term, Match::Whole).into_owned(), whole, "whole {:?}", term);
        if words.numbers.is_some() && !term.contains(' ') {
            for (by, is_match) in [
                (Match::Infix, (|word, part| word.contains(part)) as fn(&str, &str) -> bool),
                (Match::Prefix, |word, part| word.starts_with(part)),
            ] {
                let single = naive(records, term, |word, part| {
                    is_match(&single_consonants(word), &single_consonants(part))
                });
                prop_assert_eq!(
                    words.find_single(term, by).into_owned(),
                    single,
                    "{:?} {:?} with single consonants",
                    by,
                    term
                );
            }
        }
    }
    Ok(())
}

fn loaded<'t>(mut words: WordIndex, texts: impl IntoIterator<Item = (u32, &'t str)>) -> WordIndex {
    texts.into_iter().for_each(|(id, text)| words.set(id, text));
    words.shrink();
    words
}

fn empty() -> impl Strategy<Value = fn() -> WordIndex> {
    prop::sample::select(vec![WordIndex::of_words as fn() -> WordIndex, WordIndex::of_numbers])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn equals_a_scan(
        built in prop::collection::btree_map(1u32..40, text(), 0..30),
        sets in prop::collection::vec((1u32..40, text()), 0..60),
        terms in prop::collection::vec(text(), 1..6),
        compacted_every in 1usize..30,
        empty in empty(),
    ) {
        let mut words = loaded(empty(), built.iter().map(|(id, text)| (*id, text.as_str())));
        let mut records = built;
        check(&words, &records, &terms)?;
        for (n, (id, text)) in sets.into_iter().enumerate() {
            words.set(id, &text);
            records.insert(id, text);
            if n % compacted_every == 0 {
                words.compact();
                check(&words, &records, &terms)?;
            }
        }
        check(&words, &records, &terms)?;
    }

    /// Postings grow from a single id over lists of every size to a bitmap and back, at low and at the
    /// highest ids.
    #[test]
    fn a_common_word_grows_and_shrinks(
        changes in prop::collection::vec((1u32..700, prop::bool::weighted(0.6)), 0..60),
        from in prop::sample::select(vec![0u32, 65_000, u32::MAX - 700]),
        start in 0u32..700,
        empty in empty(),
    ) {
        let mut words = empty();
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
fn words_that_no_record_has_any_more_are_removed() {
    for empty in [WordIndex::of_words, WordIndex::of_numbers] {
        let mut words = empty();
        let text = |id: u32, round: u32| format!("comum da p{round}x{id}");
        for (round, id) in (0..3).flat_map(|round| (1..=4_000).map(move |id| (round, id))) {
            words.set(id, &text(id, round));
        }
        assert!(words.changed.len() <= CHANGED + 4_000 / CHANGED_OF, "{} changed", words.changed.len());
        for id in 1..=3_000 {
            words.set(id, if id % 2 == 0 { "da" } else { "" });
        }
        let held = words.vocabulary.len();
        assert!(held < 3 * 1_000 + 1_500 + 5 * 1_300, "{held} words, most of which no record has");
        assert_eq!(words.find("da", Match::Whole).len(), 2_500);
        assert_eq!(words.find("p2x3999", Match::Whole).into_owned(), RoaringBitmap::from([3_999]));
        assert!(words.find("p0x3999", Match::Whole).is_empty());
        assert!(words.find("p2x2999", Match::Whole).is_empty());
    }
}

/// The cached result of a part that many words match follows every change.
#[test]
fn cached_results_follow_every_change() {
    for by in [Match::Infix, Match::Prefix] {
        let mut words = WordIndex::of_words();
        (1..=5_000).for_each(|id| words.set(id, &format!("w{id}")));
        assert_eq!(words.find("w", by).len(), 5_000);
        assert_eq!(words.remembered.read().len(), 1);
        words.set(7, "outro");
        words.set(5_001, "outro w");
        words.set(5_002, "outro");
        words.set(5_003, "xw");
        let infix = (by == Match::Infix).then_some(5_003);
        let found = words.find("w", by).into_owned();
        assert_eq!(found, (1..=5_001).filter(|id| *id != 7).chain(infix).collect(), "{by:?}");
        words.set(7, "w7");
        assert_eq!(words.find("w", by).len(), 5_001 + infix.iter().len() as u64, "{by:?}");
        assert_eq!(words.remembered.read().len(), 1);
    }
}

/// Large enough for many blocks, cached parts, and lists of every size.
#[test]
fn a_large_vocabulary_equals_a_scan() {
    let syllables = ["ma", "ri", "sil", "va", "jo", "ão", "to", "x9", "é", "42"];
    let pick = |n: usize| syllables[n % syllables.len()];
    let text =
        |n: usize| format!("{}{}{}{} w{}", pick(n), pick(n / 10), pick(n / 100), pick(n * 7 / 3), n % 1_009);
    let records: BTreeMap<u32, String> = (1..=9_000).map(|n| (n as u32 * 20, text(n))).collect();
    let words = loaded(WordIndex::of_words(), records.iter().map(|(id, text)| (*id, text.as_str())));
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
        assert_eq!(
            words.find(term, Match::Infix).into_owned(),
            naive(&records, term, |word, part| word.contains(part)),
            "term {term:?}"
        );
    }
    for n in (1..9_000).step_by(450) {
        let word = text(n);
        assert_eq!(
            words.find(&word, Match::Infix).into_owned(),
            naive(&records, &word, |word, part| word.contains(part)),
            "term {word:?}"
        );
    }
}

#[test]
fn a_long_text_is_replaced_completely() {
    let mut words = WordIndex::of_words();
    let long: Vec<String> = (0..3_000).map(|n| format!("w{n}")).collect();
    words.set(7, &long.join(" "));
    words.set(8, "w2999 outro");
    words.set(7, &long[1..].join(" "));
    assert!(words.find("w0", Match::Infix).is_empty());
    assert_eq!(words.find("w2999", Match::Infix).len(), 2);
    words.set(7, "curto");
    assert_eq!(words.find("w", Match::Infix).into_owned(), RoaringBitmap::from([8]));
}

#[test]
fn a_term_without_a_word_finds_nothing() {
    let mut words = WordIndex::of_words();
    words.set(1, "maria da silva");
    assert!(words.find("", Match::Infix).is_empty() && words.find(" ", Match::Infix).is_empty());
    assert!(words.find("silva maria d", Match::Infix).contains(1));
    assert!(words.find("mariada", Match::Infix).is_empty());
}
