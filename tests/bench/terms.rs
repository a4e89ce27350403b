//! Twelve kinds of search terms, taken from the names of the store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pleito::domain::text::fold;
use pleito::records::{Customer, CustomerId};
use pleito::store::{Error, Store, records};

use crate::Options;

/// Maximum number of names read, evenly spaced over all customers.
const SAMPLE: u32 = 20_000;

/// Maximum number of terms of a kind.
const OF_A_KIND: usize = 20;

pub fn run(options: &Options) {
    let store = Store::open(Path::new(options.text("data-dir"))).expect("a store");
    for (kind, terms) in of(&store) {
        terms.iter().for_each(|term| println!("{kind}\t{term}"));
    }
}

/// Returns the kinds, each with its folded terms.
pub fn of(store: &Store) -> Vec<(&'static str, Vec<String>)> {
    let names = names(store);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    names.iter().flat_map(|name| name.split(' ')).for_each(|word| *counts.entry(word).or_default() += 1);
    let mut words: Vec<(&str, u32)> = counts.into_iter().filter(|(word, _)| word.len() > 4).collect();
    words.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let frequent: Vec<&str> = words.iter().map(|(word, _)| *word).take(OF_A_KIND).collect();
    let middling: Vec<&str> =
        words.iter().map(|(word, _)| *word).skip(words.len() / 20).take(OF_A_KIND).collect();
    let rare: Vec<&str> = words
        .iter()
        .filter(|(_, count)| *count == 1)
        .map(|(word, _)| *word)
        .step_by(7)
        .take(OF_A_KIND)
        .collect();
    let full: Vec<&str> = names.iter().map(String::as_str).step_by(names.len().div_ceil(OF_A_KIND)).collect();
    let owned = |terms: &[&str]| terms.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>();
    let pairs = |first: &[&str], second: &[&str]| -> Vec<String> {
        first.iter().zip(second.iter().rev()).map(|(one, other)| format!("{one} {other}")).collect()
    };
    let parts = |terms: &[&str], length: usize| -> Vec<String> {
        let part = |term: &&str| term.get(1..=length).map(str::to_owned);
        terms.iter().filter_map(part).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let starts = |length: usize| -> Vec<String> {
        let starts = frequent.iter().chain(&rare).filter_map(|word| word.get(..length).map(str::to_owned));
        starts.collect::<BTreeSet<_>>().into_iter().take(OF_A_KIND).collect()
    };
    let reversed = |name: &&str| name.split(' ').rev().collect::<Vec<_>>().join(" ");
    vec![
        ("one letter", starts(1)),
        ("two letters", starts(2)),
        ("three letters", starts(3)),
        ("frequent word", owned(&frequent)),
        ("middling word", owned(&middling)),
        ("rare word", owned(&rare)),
        ("part of a frequent word", parts(&frequent, 3)),
        ("part of a rare word", parts(&rare, 4)),
        ("full name", owned(&full)),
        ("words in any order", full.iter().map(reversed).collect()),
        ("two frequent words", pairs(&frequent, &frequent)),
        ("no match", ["xqxq", "zzzzz", "qwerty", "silvax", "wkwk jose"].map(str::to_owned).into()),
    ]
}

/// Returns a sample of the folded names, ordered by id.
fn names(store: &Store) -> Vec<String> {
    let read = store.read(|db| -> Result<_, Error> {
        let of = |ids: &[u32]| {
            let customers = ids.iter().filter_map(|id| CustomerId::new(u64::from(*id)));
            let read = customers.map(|id| records::by_id::<Customer>(db, id));
            let names = read.filter_map(|read| Some(read.transpose()?.map(|one| fold(one.name.as_str()))));
            names.collect::<Result<Vec<_>, Error>>()
        };
        let last = (0..32).rev().fold(0, |last, bit| {
            let tried: u32 = last | 1 << bit;
            if of(&[tried]).is_ok_and(|found| !found.is_empty()) { tried } else { last }
        });
        of(&(1..=last).step_by((last / SAMPLE).max(1) as usize).collect::<Vec<_>>())
    });
    read.expect("names")
}
