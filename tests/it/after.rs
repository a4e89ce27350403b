//! Keyset pagination of lists by id: `after` (contract 3).

use serde_json::{Value, json};

use crate::office::{Office, UNLIMITED};
use crate::one_of_each::{self, others};

/// Lists that are ordered by id, each with the parameters that make it include all records.
const BY_ID: [&str; 8] = [
    "/customers?",
    "/lawsuits?",
    "/processos?",
    "/posts?status=all&",
    "/movements?",
    "/publications?",
    "/transactions?",
    "/documents?",
];

fn ids(list: &Value) -> Vec<u64> {
    list["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect()
}

/// Walks through a list in pages of two. Calls `between` with the last id after each page.
fn walk(office: &Office, list: &str, mut between: impl FnMut(u64)) -> Vec<u64> {
    let (mut walked, mut after) = (Vec::new(), String::new());
    loop {
        let page = office.get(&format!("{list}limit=2&after={after}")).json();
        let Some(last) = ids(&page).last().copied() else { return walked };
        walked.extend(ids(&page));
        assert!(walked.len() < 100, "{list}: {walked:?}");
        between(last);
        after = last.to_string();
    }
}

fn of_customers(count: usize) -> Office {
    let office = Office::new();
    (0..count).for_each(|number| _ = office.customer(&format!("Cliente {number}"), json!({})));
    office
}

#[test]
fn paging_returns_every_record_once_despite_deletions_and_additions() {
    let office = of_customers(9);
    let walked = walk(&office, "/customers?", |last| {
        // Deletes the records already seen, including the one that the next page starts after.
        for id in [last - 1, last] {
            assert_eq!(office.send("DELETE", &format!("/customers/{id}"), &[], None).status, 200);
        }
        if last == 2 {
            office.customer("Nova", json!({}));
        }
    });
    assert_eq!(walked, (1..=10).collect::<Vec<_>>());
    let office = of_customers(9);
    let down = walk(&office, "/customers?order=desc&", |last| {
        office.send("DELETE", &format!("/customers/{last}"), &[], None);
        office.customer("Nova", json!({}));
    });
    assert_eq!(down, (1..=9).rev().collect::<Vec<_>>());
}

#[test]
fn after_follows_the_order_and_the_filters_of_each_list() {
    let office = one_of_each::office(UNLIMITED);
    let others = others().into_iter().map(|other| &*format!("/{}?", other.kind.table().path).leak());
    for list in BY_ID.into_iter().chain(others) {
        assert_eq!(walk(&office, list, |_| {}), [1], "{list}");
        let page = office.get(&format!("{list}after=1")).json();
        assert_eq!(
            (ids(&page), &page["totalCount"], &page["offset"]),
            (vec![], &json!(1), &json!(0)),
            "{list}"
        );
        assert_eq!(page["query"]["after"], "1", "{list}");
        assert_eq!(ids(&office.get(&format!("{list}order=desc&after=2")).json()), [1], "{list}");
    }
    for day in 1..=5 {
        office.task(1, json!({ "start_date": format!("2026-12-0{day}") }));
    }
    assert_eq!(ids(&office.get("/posts?after=4").json()), [3, 2, 1], "newest first is the default order");
    assert_eq!(ids(&office.get("/posts?after=4&order=asc").json()), [5, 6]);
    let history = office.get("/history/1?after=4&limit=2").json();
    let posts = history["data"].as_array().unwrap().iter().map(|row| &row["post_id"]).collect::<Vec<_>>();
    assert_eq!((posts, &history["totalCount"]), (vec![&json!(3), &json!(2)], &json!(6)));
    assert_eq!(ids(&office.get("/posts?after=1&order=asc&date_start=2026-12-03&limit=2").json()), [4, 5]);
    let sums = office.get("/transactions?after=1&sums=true").json();
    assert_eq!(sums["sums"]["income"]["unpaid"], json!(1500.5), "sums cover all matching records");
    office.send("DELETE", "/documents/1", &[], None);
    assert_eq!(ids(&office.get("/documents?deleted=true&order=desc&after=2").json()), [1]);
}

#[test]
fn a_whole_list_in_csv_or_json_lines_starts_after_the_id() {
    let office = of_customers(5);
    let lines = |accept: &str, query: &str| {
        let reply = office.send("GET", &format!("/customers?{query}"), &[("accept", accept)], None);
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.text().lines().count()
    };
    assert_eq!(lines("application/x-ndjson", "limit=1&offset=3"), 5, "a whole list has no pages");
    assert_eq!((lines("application/x-ndjson", "after=3"), lines("text/csv", "after=3")), (2, 3));
    assert_eq!(lines("application/x-ndjson", "after=3&order=desc&limit=1"), 2);
    assert_eq!(lines("application/x-ndjson", "after=9"), 0);
}

#[test]
fn after_is_an_id_that_excludes_offset_and_is_ignored_by_other_lists() {
    let office = one_of_each::office(UNLIMITED);
    let reasons =
        |query: &str| office.get(&format!("/customers?{query}")).problem(422, "invalid")["reasons"].clone();
    for wrong in ["0", "-1", "x", "1.0", "4294967296", "null"] {
        assert_eq!(reasons(&format!("after={wrong}")), json!({ "after": ["not-an-id"] }), "{wrong}");
    }
    for offset in ["0", "5"] {
        assert_eq!(reasons(&format!("after=1&offset={offset}")), json!({ "after": ["not-beside-offset"] }));
    }
    assert_eq!(office.get("/customers?after=&offset=0").status, 200);
    assert_eq!(office.get("/customers?after=1&offset=").status, 200);
    for list in ["/customers/birthdays", "/last_movements", "/movements/1", "/publications/1"] {
        let reply = office.get(&format!("{list}?after=1"));
        assert_eq!((reply.status, reply.header("x-ignored-parameters")), (200, "after"), "{list}");
    }
}
