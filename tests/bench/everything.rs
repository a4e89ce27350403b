//! The console's search without the network: over everything, and in the list of each resource.

use std::path::Path;
use std::time::{Duration, Instant};

use pleito::domain::Page;
use pleito::index::{Filter, Index, SearchText};
use pleito::records::{Customer, CustomerId, Record, TABLES, Table};
use pleito::store::records::{View, by_id, highest_id};
use pleito::store::{Db, Error};

use crate::office::Office;
use crate::{Options, Times};

/// Number of hits shown for each resource.
const MAX_HITS: u32 = 5;
/// Number of customers that the search texts are made from.
const SAMPLE: u32 = 40;

/// Prints one line for each kind of text, over everything and in each list. Fields: group and kind; count,
/// median, p99 and maximum of the index alone; then the same four with reading the records shown.
pub fn run(options: &Options) {
    let office = Office::open(Path::new(options.text("data-dir")));
    office.ready();
    let each = options.seconds();
    for (kind, texts) in texts(&office) {
        measure(&office, each, "search over everything", kind, &texts, |index, db, text| {
            let found = index.search(db, TABLES, text, MAX_HITS)?.found;
            Ok(TABLES.iter().copied().zip(found).map(|(table, found)| (table, found.ids)).collect())
        });
        for table in TABLES.iter().copied() {
            let name = format!("search of {}", table.name);
            measure(&office, each / 4, &name, kind, &texts, move |index, db, text| {
                let page = Page::parse(Some("50"), None, 1000).expect("a page");
                let found = index.find(db, table, &Filter::default().with_text(text.clone()), page)?;
                Ok(vec![(table, found.ids)])
            });
        }
    }
}

type Found = Vec<(&'static Table, Vec<u32>)>;

fn measure(
    office: &Office,
    each: Duration,
    group: &str,
    kind: &str,
    texts: &[String],
    find: impl Fn(&Index, Db<'_>, &SearchText) -> Result<Found, Error> + Clone + Send + 'static,
) {
    let (mut index, mut whole) = (Times::default(), Times::default());
    let mut once = |is_counted: bool| {
        for text in texts {
            let (app, find, text) = (office.app.clone(), find.clone(), text.clone());
            let took = office.store.read(move |db| {
                let began = Instant::now();
                let found = find(app.index(), db, &SearchText::parse(&text))?;
                let alone = began.elapsed();
                for (table, ids) in found {
                    std::hint::black_box(View::read(db, table, &ids)?);
                }
                Ok::<_, Error>((alone, began.elapsed()))
            });
            let (alone, all) = took.expect("an answer of the index");
            if is_counted {
                index.add(alone);
                whole.add(all);
            }
        }
    };
    // Warms the caches, because offices search again and again.
    once(false);
    let began = Instant::now();
    while began.elapsed() < each {
        once(true);
    }
    println!("{group}\t{kind}\t{}\t{}", index.fields(), whole.fields());
}

/// Returns search texts as people type them, made from existing customers.
fn texts(office: &Office) -> Vec<(&'static str, Vec<String>)> {
    let people = office.store.read(|db| {
        let last = highest_id(db, Customer::TABLE)?;
        let mut people = Vec::new();
        for id in (1..=last).step_by((last / SAMPLE).max(1) as usize) {
            let customer: Option<Customer> = by_id(db, CustomerId::from_stored(id))?;
            let Some(customer) = customer else { continue };
            let Some(phone) = customer.cellphone.or(customer.phone) else { continue };
            let name = customer.name.as_str().to_owned();
            people.push((name.split(' ').next().unwrap_or_default().to_owned(), name, phone.digits()));
        }
        Ok::<_, Error>(people)
    });
    let people = people.expect("customers");
    let each = |text: &dyn Fn(&str, &str, &str) -> String| {
        people.iter().map(|(first, name, phone)| text(first, name, phone)).collect::<Vec<_>>()
    };
    let end = |phone: &str| phone.get(phone.len().saturating_sub(4)..).unwrap_or_default().to_owned();
    let last = |name: &str| name.rsplit(' ').next().unwrap_or_default().to_owned();
    vec![
        ("first name, end of phone", each(&|first, _, phone| format!("{first} final {}", end(phone)))),
        ("first name, area code", each(&|first, _, phone| format!("{first} {}", &phone[..2]))),
        ("last name, type of lawsuit", each(&|_, name, _| format!("{} divorcio", last(name)))),
        ("last name, type of task", each(&|_, name, _| format!("{} audiencia", last(name)))),
        ("last name, word of movements", each(&|_, name, _| format!("conclusos {}", last(name)))),
        ("last name, rare word of movements", each(&|_, name, _| format!("quesitos {}", last(name)))),
        ("whole name", each(&|_, name, _| name.to_owned())),
        ("first name", each(&|first, _, _| first.to_owned())),
        ("end of phone", each(&|_, _, phone| end(phone))),
        ("three words", each(&|first, name, phone| format!("{first} {} {}", last(name), end(phone)))),
        ("nothing is found", each(&|first, _, _| format!("{first} xqxq"))),
    ]
}
