//! Similar names without the network: names as customers have them, with slips, and as the hardest cases.

use std::path::Path;
use std::time::Instant;

use http::Method;
use pleito::domain::parties::similar_names::NameWords;
use pleito::domain::{TaxId, Threshold};
use pleito::records::{Customer, CustomerId, Record};
use pleito::store::Error;
use pleito::store::records::{by_id, highest_id};

use crate::office::{Office, encoded};
use crate::{Options, Times};

/// Number of customers that the names are made from.
const SAMPLE: u32 = 200;
/// Number of results.
const LIMIT: usize = 10;

/// Prints one line for each kind of name and threshold. Fields: group and kind; count, median, p99 and maximum of the
/// search with the names that it reads; then the same four for the whole response.
pub fn run(options: &Options) {
    let office = Office::open(Path::new(options.text("data-dir")));
    office.ready();
    for (kind, queries) in queries(&office) {
        for text in ["0.8", "0.5"] {
            let threshold = Threshold::parse(text).expect("a threshold");
            let (mut index, mut whole) = (Times::default(), Times::default());
            let began = Instant::now();
            while began.elapsed() < options.seconds() {
                for (name, tax_id) in &queries {
                    let (app, words, same) = (office.app.clone(), NameWords::parse(name), tax_id.clone());
                    let took = office.store.read(move |db| {
                        let began = Instant::now();
                        app.index().similar_customers(db, &words, same.as_ref(), threshold, LIMIT)?;
                        Ok::<_, Error>(began.elapsed())
                    });
                    index.add(took.expect("an answer of the index"));
                    let tax_id = tax_id.as_ref().map_or("", TaxId::as_str);
                    let path = format!(
                        "/customers/similar?limit={LIMIT}&threshold={text}&name={}&identification={}",
                        encoded(name),
                        encoded(tax_id)
                    );
                    let began = Instant::now();
                    office.ask(Method::GET, &path, "");
                    whole.add(began.elapsed());
                }
            }
            println!("similar names from {text}\t{kind}\t{}\t{}", index.fields(), whole.fields());
        }
    }
}

type Queries = Vec<(String, Option<TaxId>)>;

/// Returns names as people type them, made from existing customers.
fn queries(office: &Office) -> Vec<(&'static str, Queries)> {
    let people = office.store.read(|db| {
        let last = highest_id(db, Customer::TABLE)?;
        let mut people = Vec::new();
        for id in (1..=last).step_by((last / SAMPLE).max(1) as usize) {
            let customer: Option<Customer> = by_id(db, CustomerId::from_stored(id))?;
            people.extend(
                customer.map(|customer| (customer.name.as_str().to_owned(), customer.identification)),
            );
        }
        Ok::<_, Error>(people)
    });
    let people = people.expect("customers");
    let each = |name: &dyn Fn(&str) -> String| {
        people.iter().map(|(full, _)| (name(full), None)).collect::<Queries>()
    };
    let hard = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), None)).collect::<Queries>();
    let long = ["Abcd Efgh ".repeat(20), "a b c d e ".repeat(20), "Maria Silva João ".repeat(12)];
    vec![
        ("whole name", each(&str::to_owned)),
        ("whole name and another CPF", {
            let ids = people.iter().skip(1).chain(people.first()).map(|(_, id)| id.clone());
            people.iter().zip(ids).map(|((name, _), id)| (name.clone(), id)).collect()
        }),
        ("one slip", each(&slipped)),
        (
            "first and last name",
            each(&|name| {
                let mut words = name.split(' ');
                [words.next().unwrap_or_default(), words.next_back().unwrap_or_default()].join(" ")
            }),
        ),
        (
            "initials and last name",
            each(&|name| {
                let (before, last) = name.rsplit_once(' ').unwrap_or(("", name));
                let initials = before.split(' ').filter_map(|word| word.chars().next()).map(String::from);
                initials.chain([last.to_owned()]).collect::<Vec<_>>().join(" ")
            }),
        ),
        ("one word", each(&|name| name.split(' ').next().unwrap_or_default().to_owned())),
        ("frequent words", hard(&["Maria Silva", "José dos Santos", "Ana Maria de Souza", "João da Silva"])),
        ("no such words", hard(&["Xqxq Wkwk Zzyx", "Qwertyuiop"])),
        ("200 characters", long.into_iter().map(|name| (name.chars().take(200).collect(), None)).collect()),
    ]
}

/// Swaps two letters in the longest word.
fn slipped(name: &str) -> String {
    let longest = name.split(' ').max_by_key(|word| word.len()).unwrap_or_default();
    let mut letters: Vec<char> = longest.chars().collect();
    if letters.len() > 2 {
        letters.swap(1, 2);
    }
    name.replacen(longest, &letters.into_iter().collect::<String>(), 1)
}
