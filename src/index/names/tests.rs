//! The search for similar names compared with a scan of all names.

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::parties::similar_names::sounds_of;

fn name() -> impl Strategy<Value = String> {
    let words = [
        "maria",
        "mariana",
        "marina",
        "joao",
        "joana",
        "silva",
        "silvia",
        "souza",
        "sousa",
        "da",
        "e",
        "m",
        "s",
        "a",
        "jr",
        "junior",
        "filho",
        "luiz",
        "luis",
        "ltda",
        "oliveira",
        "olivera",
        "olivares",
        "иван",
        "山田",
        "marianna",
        "sillva",
        "b",
        "24horas",
        "3m",
        "ma",
        "de",
        "dr",
        "sa",
        "cia",
        "massa",
        "falida",
        "em",
        "liquidacao",
        "outros",
        "mais",
        "99",
        "i",
    ];
    let word =
        prop_oneof![9 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "[a-c]{1,5}"];
    prop::collection::vec(word, 0..7).prop_map(|words| words.join(" "))
}

fn best(
    index: &NameIndex,
    names: &BTreeMap<u32, String>,
    query: &NameWords,
    threshold: Threshold,
    different: &RoaringBitmap,
    limit: usize,
) -> Vec<(u32, Score)> {
    let all = names.keys().copied().collect();
    let candidates = index.candidates(query, threshold, &all, different);
    let scored =
        candidates.best(limit, |id| Ok::<_, Infallible>(Some(score_of(names, query, different, id))));
    scored.unwrap()
}

fn score_of(names: &BTreeMap<u32, String>, query: &NameWords, different: &RoaringBitmap, id: u32) -> Score {
    let score = similarity(query, &NameWords::parse(&names[&id]));
    if different.contains(id) { score.min(Score::HALF) } else { score }
}

fn scan(
    names: &BTreeMap<u32, String>,
    query: &NameWords,
    threshold: Threshold,
    different: &RoaringBitmap,
    limit: usize,
) -> Vec<(u32, Score)> {
    let scored = names.keys().map(|id| (*id, score_of(names, query, different, *id)));
    let mut scored: Vec<_> = scored.filter(|(_, score)| *score >= threshold.score()).collect();
    scored.sort_by_key(|(id, score)| (Reverse(*score), *id));
    scored.truncate(limit);
    scored
}

proptest! {
    #[test]
    fn finds_names_that_sound_the_same(
        added in prop::collection::vec(name(), 1..60),
        changed in prop::collection::vec((1..70_u32, name()), 0..20),
        query in name(),
    ) {
        let mut index = NameIndex::default();
        let mut names = BTreeMap::new();
        for (id, name) in (1..).zip(added).chain(changed) {
            index.set(id, &name);
            names.insert(id, name);
        }
        let sounds = |id: &u32| names.get(id).map(|name| sounds_of(name));
        let is_same = |id: &u32| sounds(id) == Some(sounds_of(&query)).filter(|sounds| !sounds.is_empty());
        let found = index.with_sounds(&NameWords::parse(&query)).into_iter().filter(&is_same).collect::<Vec<_>>();
        prop_assert_eq!(found, names.keys().copied().filter(is_same).collect::<Vec<_>>(), "{:?} {:?}", query, names);
    }

    #[test]
    fn equals_a_scan(
        added in prop::collection::vec(name(), 1..60),
        changed in prop::collection::vec((1..70_u32, name()), 0..20),
        query in name(),
        threshold in prop::sample::select(vec!["0.5", "0.66", "0.8", "0.85", "1"]),
        limit in 1..12_usize,
        different in prop::collection::btree_set(1..70_u32, 0..20),
    ) {
        let mut index = NameIndex::default();
        let mut names = BTreeMap::new();
        for (id, name) in (1..).zip(added).chain(changed) {
            index.set(id, &name);
            names.insert(id, name);
        }
        index.shrink();
        let query = NameWords::parse(&query);
        let threshold = Threshold::parse(threshold).unwrap();
        let different = different.into_iter().collect();
        let found = best(&index, &names, &query, threshold, &different, limit);
        prop_assert_eq!(found, scan(&names, &query, threshold, &different, limit), "{:?} {:?}", query, names);
    }
}

#[test]
fn names_that_sound_the_same_must_have_exactly_the_same_words() {
    let mut index = NameIndex::default();
    let names = [
        "luiz de souza jr",
        "luis sousa junior",
        "luis sousa",
        "luisa sousa junior",
        "luis sousa junior prado",
        "kyzwkyzwkyz lima",
        "cisvcisvcis lima",
        "cisvcisvcit lima",
        "carla hoffmann",
    ];
    (1..).zip(names).for_each(|(id, name)| index.set(id, name));
    for (query, found) in [
        ("Sousa Júnior, Luís", &[1, 2][..]),
        ("Luis Souza", &[3]),
        ("Cisvcisvcis de Lima", &[6, 7]),
        ("Luis Prado", &[]),
        ("Karlla Hofman", &[9]),
        ("Carla Ofman", &[]),
        ("", &[]),
    ] {
        assert_eq!(
            index.with_sounds(&NameWords::parse(query)).into_iter().collect::<Vec<_>>(),
            found,
            "{query}"
        );
    }
}

/// `João Silva da Silva` is not similar to every `João Silva`, but `Souza e Sousa` is similar to `Souza Souza`.
#[test]
fn a_word_may_occur_twice() {
    let mut index = NameIndex::default();
    let mut names = BTreeMap::new();
    for (id, name) in (1..).zip(["joao silva prado", "silva silva joao", "silva silvia joao", "joao silva"]) {
        index.set(id, name);
        names.insert(id, name.to_owned());
    }
    let query = NameWords::parse("João Silva da Silva");
    let none = RoaringBitmap::new();
    let found = best(&index, &names, &query, Threshold::default(), &none, 10);
    let found: Vec<_> = found.into_iter().map(|(id, score)| (id, score.hundredths())).collect();
    assert_eq!(found, [(2, 100), (3, 95), (4, 80)]);
    let candidates = index.candidates(&query, Threshold::default(), &names.keys().copied().collect(), &none);
    assert!(!candidates.by_bound.values().flatten().any(|id| *id == 1), "the name is not read");
}

#[test]
fn a_changed_name_is_found_by_its_new_words_only() {
    let mut index = NameIndex::default();
    let mut names = BTreeMap::new();
    let mut find = |id, name: &str, query| {
        index.set(id, name);
        names.insert(id, name.to_owned());
        let threshold = Threshold::default();
        best(&index, &names, &NameWords::parse(query), threshold, &RoaringBitmap::new(), 10)
    };
    assert_eq!(find(7, "ana prado", "Ana Prado"), [(7, Score::SAME)]);
    assert_eq!(find(7, "ana prado lemos", "Prado, Ana"), [(7, Score::from_hundredths(80))]);
    assert_eq!(find(7, "rui lemos", "Ana Prado"), []);
    assert_eq!(find(7, "rui lemos", "Ruy Lemos"), [(7, Score::from_hundredths(97))]);
    assert_eq!(find(7, "", "Rui Lemos"), []);
}

#[test]
fn only_the_best_names_are_read_if_many_are_equal() {
    let mut index = NameIndex::default();
    (1..=4000).for_each(|id| index.set(id, "joao da silva"));
    index.set(4001, "joao silva lima");
    index.set(u32::MAX, "silva joao");
    let all = (1..=4001).chain([u32::MAX]).collect();
    let candidates =
        index.candidates(&NameWords::parse("João Silva"), Threshold::default(), &all, &RoaringBitmap::new());
    let mut read = 0;
    let found = candidates.best(3, |_| {
        read += 1;
        Ok::<_, Infallible>(Some(Score::SAME))
    });
    assert_eq!((found.unwrap(), read), (vec![(1, Score::SAME), (2, Score::SAME), (3, Score::SAME)], 3));
}

#[test]
fn long_names_are_found() {
    let mut index = NameIndex::default();
    let words = (0..100).map(|at| char::from(b'a' + at % 26).to_string()).collect::<Vec<_>>().join(" ");
    let pairs = (0..66).map(|at| format!("{0}{0}", char::from(b'a' + at % 26))).collect::<Vec<_>>().join(" ");
    let fours = (0..40)
        .map(|at| format!("{0}{1}{0}{1}", char::from(b'a' + at % 26), at % 10))
        .collect::<Vec<_>>()
        .join(" ");
    let names: BTreeMap<u32, String> = (1..).zip([words, pairs, fours]).collect();
    names.iter().for_each(|(id, name)| index.set(*id, name));
    for (id, name) in &names {
        let found =
            best(&index, &names, &NameWords::parse(name), Threshold::default(), &RoaringBitmap::new(), 10);
        assert_eq!(found, [(*id, Score::SAME)]);
    }
}
