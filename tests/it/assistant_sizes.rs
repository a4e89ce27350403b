//! Assistants in an office where thousands have one name (assistants 48).

use serde_json::{Value, json};

use crate::assistants::{call, refused};
use crate::office::Office;

const WRITES: &str = "[mcp]\nwrite = true\n[limits]\nget_per_minute = 0\npost_per_day = 0\nput_per_day = 0\ndelete_per_day = 0\n";

const NAME: &str = "João da Silva";

/// Number of customers with the same name.
const NAMESAKES: u64 = 4_000;

/// Fills an office with customers of one name, of whom the first three have a case against one of that name.
fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    for first in (0..NAMESAKES).step_by(1_000) {
        let person = |number: u64| json!({ "users_id": 1, "customers_origins_id": 1, "name": NAME, "external_ids": [format!("teste:{number}")] });
        let people: Vec<_> = (first..first + 1_000).map(person).collect();
        let reply = office.put("/customers", &json!({ "customers": people }));
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
    for customer in 1..=3 {
        office.lawsuit(&[customer], json!({ "opposing_parties": [{ "name": NAME }] }));
    }
    office
}

fn ids(found: &Value) -> Vec<u64> {
    found["items"].as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect()
}

#[test]
fn thousands_of_one_name_are_found_page_by_page_and_none_is_taken_for_another() {
    let office = office(WRITES);
    for (tool, arguments, total) in [
        ("people", json!({ "name": NAME }), NAMESAKES),
        ("people", json!({ "name": "joao silva" }), NAMESAKES),
        // The most similar ones.
        ("people", json!({ "name": "João da Silva Xavier" }), 10),
        ("people", json!({ "name": "Ninguém Assim" }), 0),
        ("cases", json!({ "name": NAME }), 3),
        ("cases", json!({ "opposing_party": NAME }), 3),
        ("conflicts", json!({ "name": NAME, "as": "opposing" }), NAMESAKES),
        ("conflicts", json!({ "name": NAME, "as": "customer" }), 3),
        ("money", json!({ "customer_name": NAME }), 0),
    ] {
        let (text, found) = call(&office, tool, arguments.clone());
        assert_eq!(found["total"], total, "{tool} {arguments}: {text}");
        assert_eq!(found["items"].as_array().unwrap().len() as u64, total.min(25), "{tool} {arguments}");
        assert!(text.chars().count() <= 25_000, "{tool} {arguments}");
    }
    let mut seen = Vec::new();
    while let (_, found) = call(&office, "people", json!({ "name": NAME, "offset": seen.len() }))
        && !found["items"].as_array().unwrap().is_empty()
    {
        seen.extend(ids(&found));
    }
    seen.sort_unstable();
    assert_eq!(seen, (1..=NAMESAKES).collect::<Vec<_>>());

    // Nothing is written to one of them by the name alone.
    let unclear = refused(&office, "save_person", json!({ "match": "name", "name": NAME, "city": "Natal" }));
    assert_eq!(unclear["reasons"]["match"], json!(["not-among"]), "{unclear}");
    let (_, made) = call(
        &office,
        "save_person",
        json!({ "name": NAME, "users_id": 1, "customers_origins_id": 1, "city": "Natal" }),
    );
    assert_eq!((&made["result"], &made["id"]), (&json!("created"), &json!(NAMESAKES + 1)), "{made}");
    assert!(made.to_string().chars().count() <= 25_000);
    assert_eq!(office.get("/customers?city=Natal").json()["totalCount"], 1);
    let absent = refused(&office, "save_person", json!({ "id": NAMESAKES + 2, "city": "Natal" }));
    assert_eq!(absent["code"], "not-found", "{absent}");
}

#[test]
fn a_mask_names_no_one_of_thousands_with_one_name() {
    let office = office("[mcp]\nmask = true\n[limits]\nget_per_minute = 0\nput_per_day = 0\n");
    let (text, found) = call(&office, "people", json!({ "name": NAME }));
    assert_eq!(found["total"], NAMESAKES);
    assert!(found["items"].as_array().unwrap().iter().all(|item| item["name"] == "«J. S. (#?)»"), "{text}");
}

/// Regression: a list that is sorted by day ended after the first thousand.
#[test]
fn a_list_too_long_to_be_sorted_goes_on_to_its_end() {
    let office = Office::with("[limits]\nget_per_minute = 0\nput_per_day = 0\n");
    let visit = |number: u64| {
        json!({ "tasks_id": "1", "from": 1, "guests": [1], "start_date": format!("2026-07-{:02}", 1 + number % 28),
            "external_ids": [format!("teste:{number}")] })
    };
    let mut tasks = 0;
    for (added, is_sorted) in [(1_000, true), (1, false)] {
        let posts: Vec<_> = (tasks..tasks + added).map(visit).collect();
        let reply = office.put("/posts", &json!({ "posts": posts }));
        assert_eq!(reply.status, 200, "{}", reply.text());
        tasks += added;
        let mut seen = Vec::new();
        let mut days = Vec::new();
        loop {
            let (_, found) = call(&office, "agenda", json!({ "offset": seen.len() }));
            assert_eq!((&found["total"], found["unsorted"] == true), (&json!(tasks), !is_sorted));
            let items = found["items"].as_array().unwrap();
            days.extend(items.iter().map(|item| item["date"].as_str().unwrap().to_owned()));
            seen.extend(ids(&found));
            if found["next_offset"].is_null() {
                break;
            }
        }
        assert_eq!(days.is_sorted(), is_sorted);
        seen.sort_unstable();
        assert_eq!(seen, (1..=tasks).collect::<Vec<_>>());
    }
}
