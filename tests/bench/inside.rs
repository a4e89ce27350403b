//! Lists without the network: the time of the index for ids and total, and the time of the whole response
//! with its records.

use std::path::Path;
use std::time::{Duration, Instant};

use http::Method;
use pleito::domain::text::fold;
use pleito::domain::{Page, TaskStatus};
use pleito::index::{Condition, Filter, Guest, Named};
use pleito::records::{self, Record, Table};
use pleito::store::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::office::{Office, encoded};
use crate::{Options, Times, terms};

/// Prints one line for each case. Fields: group and case; count, median, p99 and maximum of the index; then
/// the same four for the whole response. With `--of lawsuits`, measures tasks, movements and transactions
/// instead of customers and lawsuits.
pub fn run(options: &Options) {
    let office = Office::open(Path::new(options.text("data-dir")));
    office.ready();
    let each = options.seconds();
    if options.all("of").iter().any(|of| of == "lawsuits") {
        tasks(&office, each);
        movements(&office, each);
        transactions(&office, each);
        return;
    }
    for (kind, terms) in terms::of(&office.store) {
        let filters: Vec<_> = terms.iter().map(|term| customers(words("name", &fold(term)))).collect();
        let paths = terms.iter().map(|term| format!("/customers?limit=50&name={}", encoded(term)));
        case(&office, each, "name", kind, &filters, 50, 0, paths.collect());
    }
    lawsuits(&office, each);
    birthdays(&office, each);
    deep(&office, each);
    page(&office, each);
}

#[derive(Clone)]
enum BenchQuery {
    Records(&'static Table, Filter),
    Birthdays(u8),
    Sums(Filter),
    /// The newest movement of each lawsuit, filtered by members of the movements and of their lawsuits.
    Newest(Filter, Filter),
}

fn customers(filter: Filter) -> BenchQuery {
    BenchQuery::Records(records::Customer::TABLE, filter)
}

fn words(column: &'static str, words: &str) -> Filter {
    Filter::default().with(column, Condition::Words(words.to_owned()))
}

/// Measures one case for `each` in the index and again as whole responses. Filters and paths must be equivalent.
#[expect(clippy::too_many_arguments, reason = "one line of the table")]
fn case(
    office: &Office,
    each: Duration,
    group: &str,
    case: &str,
    queries: &[BenchQuery],
    limit: u32,
    offset: u64,
    paths: Vec<String>,
) {
    let page = Page::parse(Some(&limit.to_string()), Some(&offset.to_string()), 1000).expect("a page");
    let mut index = Times::default();
    repeat(each, queries, |queries| index.add(in_index(office, queries, page)));
    let mut whole = Times::default();
    repeat(each, &paths, |path| {
        let began = Instant::now();
        office.ask(Method::GET, path, "");
        whole.add(began.elapsed());
    });
    println!("{group}\t{case}\t{}\t{}", index.fields(), whole.fields());
}

/// Cycles through the items until the time is over, at least once.
fn repeat<T>(each: Duration, items: &[T], mut work: impl FnMut(&T)) {
    let began = Instant::now();
    // Warms the caches, because offices search again and again.
    for item in items {
        work(item);
    }
    while began.elapsed() < each {
        items.iter().for_each(&mut work);
    }
}

fn in_index(office: &Office, query: &BenchQuery, page: Page) -> Duration {
    // Measured on the store's thread, so that waiting for that thread does not count.
    let app = office.app.clone();
    let query = query.clone();
    let took = office.store.read(move |db| -> Result<_, Error> {
        let began = Instant::now();
        let found = match &query {
            BenchQuery::Records(table, filter) => app.index().find(db, table, filter, page)?,
            BenchQuery::Birthdays(month) => app.index().birthdays(db, *month, page)?,
            BenchQuery::Newest(filter, of) => {
                app.index().newest(db, records::Movement::TABLE, "lawsuit_id", filter, of, page)?
            }
            BenchQuery::Sums(filter) => {
                let (table, groups) = (records::Transaction::TABLE, sums());
                app.index().find_and_sum(db, table, filter, (page, None), ("amount", &groups))?.0
            }
        };
        let took = began.elapsed();
        std::hint::black_box(found);
        Ok(took)
    });
    took.expect("an answer of the index")
}

/// The groups that lists of transactions sum up: each entry type, paid and unpaid.
fn sums() -> Vec<Filter> {
    let of = |word: &'static str| {
        let filter =
            Filter::default().with("entry_type", Condition::Value(records::Value::Text(word.into())));
        [false, true].map(|unpaid| filter.clone().with("date_payment", Condition::IsAbsent(unpaid)))
    };
    ["income", "expense"].into_iter().flat_map(of).collect()
}

fn transactions(office: &Office, each: Duration) {
    let only = |column, condition| Filter::default().with(column, condition);
    let named = |text: &str| Condition::Entry(Named::new(text));
    let day = |year, month, day| pleito::domain::Day::from_ymd(year, month, day);
    let of_2024 = Condition::Days(day(2024, 1, 1), day(2024, 12, 31));
    let three = words("name", "silva").with("category_id", named("Custas processuais"));
    let three = three.with("date_due", of_2024.clone());
    let cases = [
        ("customer's name", words("name", "silva"), "customer_name=silva"),
        ("description", words("description", "consulta"), "description=consulta"),
        ("category", only("category_id", named("Custas processuais")), "category=Custas+processuais"),
        ("unpaid", only("date_payment", Condition::IsAbsent(true)), "status=unpaid"),
        ("due day", only("date_due", of_2024.clone()), "date_due_start=2024-01-01&date_due_end=2024-12-31"),
        ("month", only("competence", of_2024), "competence_start=01/2024&competence_end=12/2024"),
        (
            "three together",
            three,
            "customer_name=silva&category=Custas+processuais&date_due_start=2024-01-01&date_due_end=2024-12-31",
        ),
    ];
    for (name, filter, query) in cases {
        let queries = [BenchQuery::Records(records::Transaction::TABLE, filter.clone())];
        let paths = vec![format!("/transactions?limit=50&{query}")];
        case(office, each, "transactions", name, &queries, 50, 0, paths);
        let summed = vec![format!("/transactions?limit=1&sums=true&{query}")];
        case(office, each, "sums", name, &[BenchQuery::Sums(filter)], 1, 0, summed);
    }
    let all = vec!["/transactions?limit=1&sums=true".to_owned()];
    case(office, each, "sums", "no filter", &[BenchQuery::Sums(Filter::default())], 1, 0, all);
}

fn lawsuits(office: &Office, each: Duration) {
    let only = |column, condition| Filter::default().with(column, condition);
    let named = |text: &str| Condition::Entry(Named::new(text));
    let five = [
        ("group_id", named("Trabalhista")),
        ("type_id", named("Horas extras")),
        ("user_id", named("2")),
        ("stage_id", named("Judicial")),
        ("step_id", named("Judicial")),
    ];
    let together = five.into_iter().fold(Filter::default(), |all, (column, named)| all.with(column, named));
    let all_five = "group=Trabalhista&type=Horas+extras&responsible=2&stage=Judicial&step=Judicial";
    let mut cases = vec![
        ("group", only("group_id", named("Trabalhista")), "group=Trabalhista".to_owned()),
        ("type", only("type_id", named("Divórcio")), "type=Div%C3%B3rcio".to_owned()),
        ("responsible", only("user_id", named("2")), "responsible=2".to_owned()),
        ("stage", only("stage_id", named("Sentença")), "stage=Senten%C3%A7a".to_owned()),
        ("step", only("step_id", named("Judicial")), "step=Judicial".to_owned()),
        ("all five together", together, all_five.to_owned()),
        ("no filter", Filter::default(), String::new()),
    ];
    for (case, column, term) in [
        ("name", "name", "silva"),
        ("name, rare", "name", "maria da rosa"),
        ("notes", "notes", "acordo"),
        ("folder", "folder", "caixa"),
    ] {
        cases.push((case, words(column, term), format!("{column}={}", encoded(term))));
    }
    cases.push((
        "process number, some digits",
        only("process_number", Condition::Digits("00012".to_owned())),
        "process_number=00012".to_owned(),
    ));
    cases.push(("customer", only("customers", Condition::Linked(21)), "customer_id=21".to_owned()));
    let day = |year, month, day| pleito::domain::Day::from_ymd(year, month, day);
    for (case, column, name) in [
        ("process date", "process_date", "process_date"),
        ("closing date", "status_closure", "status_closure"),
        ("creation date", "created_at", "created"),
        ("last change", "updated_at", "updated"),
    ] {
        let days = Condition::Days(day(2020, 1, 1), day(2022, 12, 31));
        cases.push((case, only(column, days), format!("{name}_start=2020-01-01&{name}_end=2022-12-31")));
    }
    cases.push(("open", only("status_closure", Condition::IsAbsent(true)), "open=true".to_owned()));
    for (name, filter, query) in cases {
        let path = format!("/lawsuits?limit=50&{query}");
        case(
            office,
            each,
            "lawsuits",
            name,
            &[BenchQuery::Records(records::Lawsuit::TABLE, filter)],
            50,
            0,
            vec![path],
        );
    }
}

fn tasks(office: &Office, each: Duration) {
    let only = |column, condition| Filter::default().with(column, condition);
    let day = |year, month, day| pleito::domain::Day::from_ymd(year, month, day);
    let (from, to) = (day(2020, 1, 1), day(2022, 12, 31));
    let guest = |user, status| Guest { user, ..Guest::of(status) };
    let done = Guest { completed: (from, to), ..Guest::of(TaskStatus::All) };
    let named = Guest { name: Some(Named::new("silva")), ..Guest::of(TaskStatus::Completed) };
    let guests = |guest| only("guests", Condition::Guest(guest));
    let kind = || Condition::Entry(Named::new("Audiência"));
    let together = only("type_id", kind())
        .with("guests", Condition::Guest(guest(Some(2), TaskStatus::Pending)))
        .with("start_date", Condition::Days(from, to));
    let years = |name: &str| format!("{name}_start=2020-01-01&{name}_end=2022-12-31");
    let kind_of = "task_id=Audi%C3%AAncia";
    for (name, filter, query) in [
        ("pending", guests(guest(None, TaskStatus::Pending)), String::new()),
        ("completed", guests(guest(None, TaskStatus::Completed)), "status=completed".to_owned()),
        ("pending of one", guests(guest(Some(2), TaskStatus::Pending)), "user_id=2".to_owned()),
        ("done by a name", guests(named), "user_name=silva&status=completed".to_owned()),
        ("done between", guests(done.clone()), years("completed")),
        (
            "done between by one",
            guests(Guest { user: Some(2), ..done }),
            format!("user_id=2&{}", years("completed")),
        ),
        ("type", only("type_id", kind()), format!("{kind_of}&status=all")),
        ("date", only("start_date", Condition::Days(from, to)), format!("{}&status=all", years("date"))),
        ("lawsuit", only("lawsuit_id", Condition::Linked(21)), "lawsuit_id=21&status=all".to_owned()),
        (
            "customer",
            only("customer_id", Condition::LinkedOrThrough(["lawsuit_id", "customers"], 21)),
            "customer_id=21&status=all".to_owned(),
        ),
        ("three together", together, format!("{kind_of}&user_id=2&{}", years("date"))),
        ("all", Filter::default(), "status=all".to_owned()),
    ] {
        let path = format!("/posts?limit=50&{query}");
        let queries = [BenchQuery::Records(records::Task::TABLE, filter)];
        case(office, each, "tasks", name, &queries, 50, 0, vec![path]);
    }
}

fn movements(office: &Office, each: Duration) {
    let only = |column, condition| Filter::default().with(column, condition);
    let day = |year, month, day| pleito::domain::Day::from_ymd(year, month, day);
    let days = || Condition::Days(day(2024, 1, 1), day(2024, 12, 31));
    let of_courts = || Condition::Value(records::Value::Text("TRIBUNAL".into()));
    let three = words("title", "conclusos").with("date", days()).with("origin", of_courts());
    let year = "date_start=2024-01-01&date_end=2024-12-31";
    for (name, filter, query) in [
        ("text", words("title", "conclusos"), "title=conclusos".to_owned()),
        ("text, rare", words("title", "quesitos"), "title=quesitos".to_owned()),
        ("court", words("header", "tjsp"), "header=tjsp".to_owned()),
        ("origin", only("origin", of_courts()), "origin=TRIBUNAL".to_owned()),
        ("date", only("date", days()), year.to_owned()),
        ("creation date", only("created_at", days()), year.replace("date_", "created_")),
        ("lawsuit", only("lawsuit_id", Condition::Linked(21)), "lawsuit_id=21".to_owned()),
        ("three together", three, format!("title=conclusos&origin=TRIBUNAL&{year}")),
        ("all", Filter::default(), String::new()),
    ] {
        let queries = [BenchQuery::Records(records::Movement::TABLE, filter)];
        case(office, each, "movements", name, &queries, 50, 0, vec![format!("/movements?limit=50&{query}")]);
    }
    let by_one = || only("user_id", Condition::Entry(Named::new("2")));
    for (name, filter, of, query) in [
        ("all", Filter::default(), Filter::default(), String::new()),
        ("of days", only("date", days()), Filter::default(), year.to_owned()),
        ("of courts", only("origin", of_courts()), Filter::default(), "origin=TRIBUNAL".to_owned()),
        ("of one person's lawsuits", Filter::default(), by_one(), "responsible=2".to_owned()),
        (
            "all three",
            only("date", days()).with("origin", of_courts()),
            by_one(),
            format!("responsible=2&origin=TRIBUNAL&{year}"),
        ),
    ] {
        let paths = vec![format!("/last_movements?limit=50&{query}")];
        case(office, each, "last movements", name, &[BenchQuery::Newest(filter, of)], 50, 0, paths);
    }
}

fn birthdays(office: &Office, each: Duration) {
    let queries: Vec<_> = (1..=12).map(BenchQuery::Birthdays).collect();
    let paths =
        |page: &str| (1..=12).map(|month| format!("/customers/birthdays?month={month}&{page}")).collect();
    case(office, each, "birthdays", "first 50", &queries, 50, 0, paths("limit=50"));
    case(office, each, "birthdays", "50 behind 5,000", &queries, 50, 5000, paths("limit=50&offset=5000"));
    let month = customers(Filter::default().with("birthdate", Condition::Month(2)));
    let path = "/customers?birthdays=true&limit=50".to_owned();
    case(office, each, "birthdays", "as a filter", &[month], 50, 0, vec![path]);
}

fn deep(office: &Office, each: Duration) {
    for (name, filter, query) in [
        ("everybody", Filter::default(), String::new()),
        ("a frequent word", words("name", "silva"), "&name=silva".to_owned()),
        ("one letter", words("name", "a"), "&name=a".to_owned()),
    ] {
        let first = office.ask(Method::GET, &format!("/customers?limit=1{query}"), "");
        let total = serde_json::from_slice::<Value>(&first).unwrap()["totalCount"].as_u64().unwrap();
        let offset = total * 9 / 10;
        let path = format!("/customers?limit=50&offset={offset}{query}");
        case(office, each, "90 % deep", name, &[customers(filter)], 50, offset, vec![path]);
    }
}

/// The API's record as a struct, so that serde_json has the same work.
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

/// Prints lines with two columns of whole responses: serde_json alone, and the server's code for the same
/// records. The cases are cached records, one record changed, and nothing cached.
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
