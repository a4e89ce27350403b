//! The demo office. The API accepts its records, a seed always generates the same ones, and they are never mixed with
//! real ones.

use std::collections::HashSet;
use std::path::Path;
use std::process::Output;

use pleito::demo::{Plan, fill};
use pleito::records::TABLES;
use pleito::store::{Error, Store, lists, records};
use serde_json::{Value, json};

use crate::office::Office;
use crate::program::{run, streams};

const PLAN: Plan = Plan {
    customers: 400,
    lawsuits: 300,
    tasks: 500,
    movements: 600,
    publications: 300,
    transactions: 500,
    seed: 1,
};

/// Returns everything in the store of a folder as text.
fn everything(folder: &Path) -> String {
    let ids: Vec<u32> = (1..=1000).collect();
    let store = Store::open(folder).unwrap();
    let read = store.read(move |db| -> Result<_, Error> {
        let users = lists::all(db, lists::List::Users)?;
        let mut text = format!("{users:#?}");
        for table in TABLES {
            records::show_each(db, table, &ids, |row| {
                for at in 0..table.fields.len() {
                    text.push_str(&format!("{:?}", row.value(at)?));
                }
                Ok(())
            })?;
        }
        Ok(text)
    });
    read.unwrap()
}

fn filled(plan: Plan) -> String {
    let folder = tempfile::tempdir().unwrap();
    fill(&Store::open(folder.path()).unwrap(), plan, |_| {}).unwrap();
    everything(folder.path())
}

fn all(office: &Office, path: &str, page: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    let mark = if path.contains('?') { '&' } else { '?' };
    let total = office.get(&format!("{path}{mark}limit=1")).json()["totalCount"].as_u64().unwrap();
    for offset in (0..usize::try_from(total).unwrap()).step_by(page) {
        let list = office.get(&format!("{path}{mark}limit={page}&offset={offset}")).json();
        rows.extend(list["data"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(rows.len() as u64, total);
    rows
}

/// Returns a record without the members that the server sets.
fn without_timestamps(record: &Value) -> Value {
    let mut record = record.clone();
    for name in ["created_at", "updated_at", "treated_at", "treated_by"] {
        record.as_object_mut().unwrap().shift_remove(name);
    }
    record
}

#[test]
fn the_api_accepts_every_demo_record_and_returns_it_unchanged() {
    let (demo, office) = (Office::new(), Office::new());
    fill(demo.store(), PLAN, |_| {}).unwrap();
    for user in demo.get("/settings").json()["users"].as_array().unwrap().iter().skip(1) {
        let made = office.post("/settings/users", &json!({ "name": user["name"] }));
        assert_eq!(made.status, 201, "{user}: {}", made.text());
    }
    let customers = all(&demo, "/customers", 1000);
    assert_eq!(customers.len(), 400);
    for customer in &customers {
        let made = office.post("/customers", customer);
        assert_eq!(made.status, 201, "{customer}: {}", made.text());
    }
    let lawsuits = all(&demo, "/lawsuits", 100);
    assert_eq!(lawsuits.len(), 300);
    for lawsuit in &lawsuits {
        let ids: Vec<_> =
            lawsuit["customers"].as_array().unwrap().iter().map(|c| &c["customer_id"]).collect();
        let mut body = lawsuit.clone();
        body["customers_id"] = json!(ids);
        for (ours, member) in [
            ("responsible_id", "users_id"),
            ("type_lawsuit_id", "type_lawsuits_id"),
            ("process_date", "date"),
        ] {
            body[member] = lawsuit[ours].clone();
        }
        let made = office.post("/lawsuits", &body);
        assert_eq!(made.status, 201, "{lawsuit}: {}", made.text());
    }
    // The demo's dates must not be in the future, so the office's clock moves past them.
    office.pass(400 * 86_400);
    let tasks = all(&demo, "/posts?status=all&order=asc", 1000);
    assert_eq!(tasks.len(), 500);
    for task in &tasks {
        let (id, guests) = (&task["id"], task["users"].as_array().unwrap());
        let mut body = task.clone();
        body["guests"] = json!(guests.iter().map(|guest| &guest["user_id"]).collect::<Vec<_>>());
        body["from"] = task["author_id"].clone();
        for (shown, names) in [("date", ["start_date", "start_time"]), ("end", ["end_date", "end_time"])] {
            let Some((day, time)) = task[shown].as_str().and_then(|shown| shown.split_once(' ')) else {
                continue;
            };
            (body[names[0]], body[names[1]]) = (json!(day), json!(time));
        }
        for mark in ["important", "urgent"] {
            body[mark] = guests[0][mark].clone();
        }
        let made = office.post("/posts", &body);
        assert_eq!(made.status, 201, "{task}: {}", made.text());
        for guest in guests.iter().filter(|guest| !guest["completed"].is_null()) {
            let body = json!({ "users_id": guest["user_id"], "completed": guest["completed"] });
            let done = office.put(&format!("/posts/{id}/complete"), &body);
            assert_eq!(done.status, 200, "{task}: {}", done.text());
        }
    }
    let users = demo.get("/settings").json()["users"].clone();
    let user = |name: &Value| {
        let found = users.as_array().unwrap().iter().find(|user| user["name"] == *name);
        found.map_or(Value::Null, |user| user["id"].clone())
    };
    let movements = all(&demo, "/movements", 1000);
    assert_eq!(movements.len(), 600);
    let items = movements.iter().map(|movement| {
        let mut item = movement.clone();
        (item["description"], item["users_id"]) = (movement["title"].clone(), user(&movement["author"]));
        item.as_object_mut().unwrap().shift_remove("process_number");
        item
    });
    let merged = office.post("/movements", &json!({ "movements": items.collect::<Vec<_>>() }));
    assert_eq!(merged.json()["created"], 600, "{}", merged.text());
    let publications = all(&demo, "/publications", 1000);
    assert_eq!(publications.len(), 300);
    for holiday in &all(&demo, "/holidays", 1000) {
        let made = office.post("/holidays", holiday);
        assert_eq!(made.status, 201, "{holiday}: {}", made.text());
    }
    let unassigned = publications.iter().filter(|publication| publication["lawsuit_id"].is_null()).count();
    assert!((5..60).contains(&unassigned), "{unassigned} publications without a lawsuit");
    let merged = office.post("/publications", &json!({ "publications": publications }));
    assert_eq!(merged.json()["created"], 300, "{}", merged.text());
    for (path, page, records) in [
        ("/movements", 1000, &movements),
        ("/publications", 1000, &publications),
        ("/customers", 1000, &all(&demo, "/customers", 1000)),
        ("/lawsuits", 100, &lawsuits),
        ("/holidays", 1000, &all(&demo, "/holidays", 1000)),
        ("/posts?status=all&order=asc", 1000, &tasks),
    ] {
        for (again, record) in all(&office, path, page).iter().zip(records) {
            assert_eq!(without_timestamps(again), without_timestamps(record));
        }
    }
}

#[test]
fn demo_records_vary_like_those_of_real_offices() {
    let demo = Office::new();
    let plan = Plan { seed: 7, ..Plan::of(3000, 2000) };
    fill(demo.store(), plan, |_| {}).unwrap();
    let total = |path: &str| demo.get(path).json()["totalCount"].as_u64().unwrap();
    // Frequent and rare names, namesakes, accents, companies, one and two letters: each query finds some
    // records, but not all.
    for path in [
        "/customers?name=silva",
        "/customers?name=antonio",
        "/customers?name=ltda",
        "/customers?name=dos+santos",
        "/customers?name=zz",
        "/customers?name=x",
        "/customers?phone=0001",
        "/customers?birthdays=true",
        "/customers/birthdays?month=2",
        "/customers?created_end=2017-06-30",
        "/lawsuits?stage=judicial",
        "/lawsuits?group=Trabalhista",
        "/lawsuits?notes=acordo",
        "/lawsuits?status_closure_start=2020-01-01",
        "/lawsuits?name=silva",
        "/transactions?name=silva",
        "/transactions?status=overdue",
        "/transactions?status=paid&entry_type=expense",
        "/transactions?category=custas",
        "/transactions?competence_start=01/2020&competence_end=12/2020",
        "/transactions?description=honorarios",
        "/movements?origin=manual&date_start=2024-01-01",
        "/movements?title=conclusos&header=tjsp",
        "/last_movements?date_end=2018-01-01",
        "/publications?treated=false",
        "/publications?lawsuit_id=none",
        "/publications?publication=laudo",
    ] {
        let found = total(path);
        assert!((1..2000).contains(&found), "{path}: {found}");
    }
    let customers = all(&demo, "/customers", 1000);
    let texts = |name: &str| -> Vec<&str> { customers.iter().filter_map(|c| c[name].as_str()).collect() };
    let names = texts("name");
    assert!(names.iter().collect::<HashSet<_>>().len() < names.len(), "some customers are namesakes");
    assert!(names.iter().any(|name| name.ends_with("S/A")));
    let tax_ids = texts("identification");
    assert_eq!(tax_ids.iter().collect::<HashSet<_>>().len(), tax_ids.len());
    assert!(tax_ids.iter().any(|id| id.len() == 18 && id.contains(|c: char| c.is_ascii_uppercase())));
    assert!(texts("birthdate").iter().any(|day| day.starts_with("29/02/")));
    assert!(texts("cellphone").iter().any(|phone| phone.starts_with('+')));
    assert!(texts("email").iter().all(|email| email.ends_with(".example")), "the addresses cannot exist");
    let lawsuits = all(&demo, "/lawsuits", 100);
    let of =
        |count: usize| lawsuits.iter().filter(|l| l["customers"].as_array().unwrap().len() == count).count();
    assert!((1..=4).all(|count| of(count) > 0) && of(0) == 0);
    let words = |l: &Value| l["notes"].as_str().map_or(0, |notes| notes.split_whitespace().count());
    assert!(lawsuits.iter().map(words).max() > Some(30) && lawsuits.iter().map(words).max() <= Some(50));
    assert!(lawsuits.iter().filter_map(|l| l["process_number"].as_str()).any(|number| number.len() < 20));
    let segments: HashSet<_> =
        lawsuits.iter().filter_map(|l| l["process_number"].as_str()?.split('.').nth(2)).collect();
    assert!(
        ["1", "2", "3", "4", "5", "6", "7", "8", "9"].iter().all(|s| segments.contains(s)),
        "{segments:?}"
    );
    let most = customers.iter().map(|c| c["lawsuits"].as_array().unwrap().len()).max();
    assert!(
        (Some(4)..Some(30)).contains(&most),
        "{most:?}: some customers have many lawsuits, but none has all of them"
    );
}

#[test]
fn demo_calendars_decide_deadlines_and_make_them_certain() {
    let demo = Office::new();
    fill(demo.store(), Plan::of(0, 0), |_| {}).unwrap();
    let rows = all(&demo, "/holidays", 1000);
    let city =
        rows.iter().find_map(|row| row["scope"].as_str()?.ends_with("/SP").then(|| row["scope"].clone()));
    let city = city.unwrap();
    let query = format!(
        "/deadlines?from=2026-02-12&days=15&court=TJSP&city={}",
        city.as_str().unwrap().replace(' ', "+")
    );
    let counted = demo.get(&query).json();
    assert_eq!(
        (&counted["deadline"], &counted["certain"]),
        (&json!("2026-03-11"), &json!(true)),
        "{counted}"
    );
    assert!(counted["memory"].to_string().contains("closed: TJSP: Carnaval"), "{counted}");
    for effect in ["closed", "partial"] {
        assert!(rows.iter().any(|row| row["effect"] == effect), "{effect}");
    }
}

#[test]
fn the_same_seed_makes_the_same_office() {
    assert_eq!(filled(PLAN), filled(PLAN));
    assert_ne!(filled(PLAN), filled(Plan { seed: 2, ..PLAN }));
    // The extremes: empty offices, and one record of each kind.
    for (customers, lawsuits) in [(0, 0), (1, 0), (1, 1), (1, 9)] {
        filled(Plan { transactions: 3, publications: 3, ..Plan::of(customers, lawsuits) });
    }
}

fn demo(folder: &Path, customers: &str) -> Output {
    let named = folder.to_str().unwrap();
    run(folder, &["demo", "--customers", customers, "--lawsuits", "5", "--data-dir", named])
}

#[test]
fn a_folder_in_use_and_one_with_records_are_refused() {
    let refused = |output: Output, why: &str| {
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(why) && text.lines().count() == 1, "{text}");
    };
    let office = Office::new();
    refused(demo(office.folder(), "5"), "another Pleito is already running");

    let folder = tempfile::tempdir().unwrap();
    let done = demo(folder.path(), "5");
    assert!(done.status.success() && streams(&done).1.is_empty(), "{done:?}");
    let before = everything(folder.path());
    refused(demo(folder.path(), "5"), "holds records already");
    assert_eq!(everything(folder.path()), before);

    // Holidays alone are records of an office too.
    let office = Office::new();
    let row = json!({ "day": "2026-02-16", "scope": "TJSP" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    refused(demo(office.stopped().path(), "5"), "holds records already");

    let empty = tempfile::tempdir().unwrap();
    refused(demo(empty.path(), "0"), "ask for at least one customer");
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0);
}
