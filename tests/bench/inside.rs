//! Lists without the network: what the index takes for ids and total, and what the whole answer takes with its records.

use std::path::Path;
use std::time::{Duration, Instant};

use http::Method;
use pleito::domain::{Page, fold};
use pleito::index::{CustomerFilter, LawsuitFilter, Named};
use pleito::store::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::office::{Office, encoded};
use crate::{Options, Times, terms};

/// Prints for each case: group, case, then for the index how often, median, p99 and largest, then the same for the whole
/// answer.
pub fn run(options: &Options) {
    let office = Office::open(Path::new(options.text("data-dir")));
    office.ready();
    let each = options.seconds();
    for (kind, terms) in terms::of(&office.store) {
        let filter = |term: &String| CustomerFilter { name: Some(fold(term)), ..CustomerFilter::default() };
        let filters: Vec<_> = terms.iter().map(|term| Asked::Customers(filter(term))).collect();
        let paths = terms.iter().map(|term| format!("/customers?limit=50&name={}", encoded(term)));
        case(&office, each, "name", kind, &filters, 50, 0, paths.collect());
    }
    lawsuits(&office, each);
    birthdays(&office, each);
    deep(&office, each);
    page(&office, each);
}

enum Asked {
    Customers(CustomerFilter),
    Lawsuits(LawsuitFilter),
    Birthdays(u8),
}

/// Measures one case for that long each way. The filters and the paths mean the same.
#[expect(clippy::too_many_arguments, reason = "one line of the table")]
fn case(
    office: &Office,
    each: Duration,
    group: &str,
    case: &str,
    asked: &[Asked],
    limit: u32,
    offset: u64,
    paths: Vec<String>,
) {
    let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string()), 1000).expect("a page");
    let mut index = Times::default();
    repeat(each, asked, |asked| index.add(in_index(office, asked, page)));
    let mut whole = Times::default();
    repeat(each, &paths, |path| {
        let began = Instant::now();
        office.ask(Method::GET, path, "");
        whole.add(began.elapsed());
    });
    println!("{group}\t{case}\t{}\t{}", index.fields(), whole.fields());
}

/// Goes round through the items until the time is over, and at least once.
fn repeat<T>(each: Duration, items: &[T], mut work: impl FnMut(&T)) {
    let began = Instant::now();
    // Once for the caches: offices search again and again.
    for item in items {
        work(item);
    }
    while began.elapsed() < each {
        items.iter().for_each(&mut work);
    }
}

fn in_index(office: &Office, asked: &Asked, page: Page) -> Duration {
    // The time is taken on the store's thread: waiting for it is not the index's.
    let app = office.app.clone();
    let asked = match asked {
        Asked::Customers(filter) => Asked::Customers(filter.clone()),
        Asked::Lawsuits(filter) => Asked::Lawsuits(filter.clone()),
        Asked::Birthdays(month) => Asked::Birthdays(*month),
    };
    let took = office.store.read(move |db| -> Result<_, Error> {
        let began = Instant::now();
        let found = match &asked {
            Asked::Customers(filter) => app.index().customers(db, filter, page)?,
            Asked::Lawsuits(filter) => app.index().lawsuits(db, filter, page)?,
            Asked::Birthdays(month) => app.index().birthdays(db, *month, page)?,
        };
        let took = began.elapsed();
        std::hint::black_box(found);
        Ok(took)
    });
    took.expect("an answer of the index")
}

fn lawsuits(office: &Office, each: Duration) {
    let named = |text: &str| Some(Named::new(text));
    let none = LawsuitFilter::default;
    let together = LawsuitFilter {
        group: named("Trabalhista"),
        kind: named("Horas extras"),
        responsible: named("2"),
        stage: named("Judicial"),
        step: named("Judicial"),
        ..none()
    };
    let all_five = "group=Trabalhista&type=Horas+extras&responsible=2&stage=Judicial&step=Judicial";
    let mut cases = vec![
        ("group", LawsuitFilter { group: named("Trabalhista"), ..none() }, "group=Trabalhista".to_owned()),
        ("type", LawsuitFilter { kind: named("Divórcio"), ..none() }, "type=Div%C3%B3rcio".to_owned()),
        ("responsible", LawsuitFilter { responsible: named("2"), ..none() }, "responsible=2".to_owned()),
        ("stage", LawsuitFilter { stage: named("Sentença"), ..none() }, "stage=Senten%C3%A7a".to_owned()),
        ("step", LawsuitFilter { step: named("Judicial"), ..none() }, "step=Judicial".to_owned()),
        ("all five together", together, all_five.to_owned()),
        ("no filter", none(), String::new()),
    ];
    for (case, term) in
        [("name", "silva"), ("name, rare", "maria da rosa"), ("notes", "acordo"), ("folder", "caixa")]
    {
        let mut filter = none();
        match case {
            "notes" => filter.notes = Some(term.to_owned()),
            "folder" => filter.folder = Some(term.to_owned()),
            _ => filter.name = Some(term.to_owned()),
        }
        let parameter = case.split(',').next().unwrap_or_default();
        cases.push((case, filter, format!("{parameter}={}", encoded(term))));
    }
    cases.push((
        "process number, its beginning",
        LawsuitFilter { process_number: Some("00012".to_owned()), ..none() },
        "process_number=00012".to_owned(),
    ));
    cases.push(("customer", LawsuitFilter { customer: Some(21), ..none() }, "customer_id=21".to_owned()));
    let days = (pleito::domain::Day::from_ymd(2020, 1, 1), pleito::domain::Day::from_ymd(2022, 12, 31));
    let range = |name: &str| format!("{name}_start=2020-01-01&{name}_end=2022-12-31");
    cases.push(("process date", LawsuitFilter { process_date: days, ..none() }, range("process_date")));
    cases.push(("closing date", LawsuitFilter { status_closure: days, ..none() }, range("status_closure")));
    cases.push(("creation date", LawsuitFilter { created: days, ..none() }, range("created")));
    for (name, filter, query) in cases {
        let path = format!("/lawsuits?limit=50&{query}");
        case(office, each, "lawsuits", name, &[Asked::Lawsuits(filter)], 50, 0, vec![path]);
    }
}

fn birthdays(office: &Office, each: Duration) {
    let asked: Vec<_> = (1..=12).map(Asked::Birthdays).collect();
    let paths =
        |page: &str| (1..=12).map(|month| format!("/customers/birthdays?month={month}&{page}")).collect();
    case(office, each, "birthdays", "first 50", &asked, 50, 0, paths("limit=50"));
    case(office, each, "birthdays", "50 behind 5,000", &asked, 50, 5000, paths("limit=50&offset=5000"));
    let month = CustomerFilter { birth_month: Some(2), ..CustomerFilter::default() };
    let path = "/customers?birthdays=true&limit=50".to_owned();
    case(office, each, "birthdays", "as a filter", &[Asked::Customers(month)], 50, 0, vec![path]);
}

fn deep(office: &Office, each: Duration) {
    for (name, filter, query) in [
        ("everybody", CustomerFilter::default(), String::new()),
        (
            "a frequent word",
            CustomerFilter { name: Some("silva".to_owned()), ..CustomerFilter::default() },
            "&name=silva".to_owned(),
        ),
        (
            "one letter",
            CustomerFilter { name: Some("a".to_owned()), ..CustomerFilter::default() },
            "&name=a".to_owned(),
        ),
    ] {
        let first = office.ask(Method::GET, &format!("/customers?limit=1{query}"), "");
        let total = serde_json::from_slice::<Value>(&first).unwrap()["totalCount"].as_u64().unwrap();
        let offset = total * 9 / 10;
        let path = format!("/customers?limit=50&offset={offset}{query}");
        case(office, each, "90 % deep", name, &[Asked::Customers(filter)], 50, offset, vec![path]);
    }
}

/// The record as the API gives it, so that serde_json has the same to write.
#[derive(Serialize, Deserialize)]
struct Customer {
    id: u32,
    name: String,
    identification: Option<String>,
    document: Option<String>,
    gender: Option<String>,
    civil_status: Option<String>,
    occupation: Option<String>,
    street: Option<String>,
    region: Option<String>,
    city: Option<String>,
    state: Option<String>,
    country: Option<String>,
    nationality: Option<String>,
    postalcode: Option<String>,
    cellphone: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    birthdate: Option<String>,
    number_ctps: Option<String>,
    number_pis: Option<String>,
    number_cid: Option<String>,
    notes: Option<String>,
    origin: String,
    created_at: String,
    updated_at: String,
    lawsuits: Vec<Lawsuit>,
    users_id: u32,
    customers_origins_id: u32,
}

#[derive(Serialize, Deserialize)]
struct Lawsuit {
    lawsuit_id: u32,
    process_number: Option<String>,
    protocol_number: Option<String>,
}

/// Both columns of these lines are whole answers: first serde_json alone over the same records, then ours: with records
/// that are kept, behind a write of one of them, and with all of them read.
fn page(office: &Office, each: Duration) {
    let path = "/customers?limit=1000".to_owned();
    let body = office.ask(Method::GET, &path, "");
    let list: Value = serde_json::from_slice(&body).unwrap();
    let customers: Vec<Customer> = serde_json::from_value(list["data"].clone()).unwrap();
    let again = serde_json::to_string(&customers).unwrap();
    assert!(std::str::from_utf8(&body).unwrap().contains(&again), "the same records, written the same");
    let mut alone = Times::default();
    repeat(each, &[()], |()| {
        let began = Instant::now();
        std::hint::black_box(serde_json::to_vec(&customers).unwrap());
        alone.add(began.elapsed());
    });
    let alone = alone.fields();
    let ours = |name: &str, change: &dyn Fn()| {
        let mut ours = Times::default();
        repeat(each, &[()], |()| {
            change();
            let began = Instant::now();
            office.ask(Method::GET, &path, "");
            ours.add(began.elapsed());
        });
        println!("page\t1,000 full customers, {name}\t{alone}\t{}", ours.fields());
    };
    ours("kept", &|| {});
    ours("behind a write", &|| office.change_customer(1));
    ours("read", &|| office.change_list());
}
