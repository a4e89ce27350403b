//! Guarantees for clients that keep a copy: no filter hides a replaced store, an unknown cursor restarts from
//! the beginning, and long polls are not counted against the limits (events 20).

use std::time::{Duration, Instant};

use pleito::records::{List, TABLES};
use serde_json::{Value, json};

use crate::backups::{answer, backup, now};
use crate::changes::{Stream, feed, latest};
use crate::office::{Office, UNLIMITED};
use crate::program::run;
use crate::transfer::whole_office;
use crate::wait::{MAX_WAIT, wait_until};

fn changes(page: &Value) -> &[Value] {
    page["data"].as_array().unwrap()
}

fn is_replaced(change: &Value) -> bool {
    change["op"] == "replaced" && change["resource"] == "store"
}

#[test]
fn a_filtered_feed_reports_a_restore() {
    let office = Office::new();
    now(&office);
    let ana = office.customer("Ana", json!({}));
    let file = backup(office.folder());
    office.lawsuit(&[ana], json!({}));
    let since = latest(&office);
    answer(office.folder(), &["restore", &file, "--json"]);
    for (filter, further) in [
        ("resource=lawsuits", 0),
        ("resource=customers,posts", 1),
        ("op=updated", 0),
        ("resource=lawsuits&id=1", 0),
        ("resource=customers&id=1&op=created", 1),
        ("resource=store", 0),
    ] {
        let page = feed(&office, &format!("since={since}&{filter}"));
        assert!(is_replaced(&changes(&page)[0]), "{filter}: {page}");
        assert_eq!(changes(&page).len(), 1 + further, "{filter}: {page}");
    }
}

#[test]
fn a_cursor_of_another_store_starts_over() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    office.lawsuit(&[customer], json!({}));
    let newest = latest(&office);
    let since = newest + 1;
    let page = feed(&office, &format!("since={since}&resource=lawsuits&op=created"));
    let first = json!({
        "seq": 0, "resource": "store", "id": 0, "op": "replaced", "at": "2026-06-17 12:00:00", "changed": [],
        "path": null, "via": "restore", "request_id": null, "reason": null,
    });
    assert_eq!(changes(&page)[0], first);
    assert_eq!((&changes(&page)[1]["resource"], changes(&page).len()), (&json!("lawsuits"), 2));
    assert_eq!(
        (&page["next"], &page["latest"], &page["more"]),
        (&json!(newest), &json!(newest), &json!(false))
    );
    // The synthetic `replaced` change counts towards the page's limit, and no change after it is skipped.
    let page = feed(&office, &format!("since={since}&limit=1"));
    assert_eq!((changes(&page).len(), &page["next"], &page["more"]), (1, &json!(0), &json!(true)));
    let page = feed(&office, &format!("since={since}&limit=3"));
    assert_eq!((changes(&page).len(), &page["next"], &page["more"]), (3, &json!(2), &json!(true)));
    // A client that is up to date gets no changes.
    assert_eq!(changes(&feed(&office, &format!("since={newest}"))).len(), 0);
    // A long poll returns the `replaced` change at once, and a stream begins with it too.
    let page = feed(&office, "since=9007199254740991&wait=60&limit=1");
    assert!(is_replaced(&changes(&page)[0]), "{page}");
    let header = format!("last-event-id: {since}\r\n");
    let mut stream = Stream::open(&office, "since=0&resource=customers", &header);
    assert!(is_replaced(&stream.change().unwrap()));
    assert_eq!(stream.change().unwrap()["resource"], "customers");
    // A number above 2^53 - 1 is invalid.
    let reply = office.get("/changes?since=9007199254740992");
    assert_eq!(reply.wrong_fields(), ["since"]);
}

#[test]
fn a_full_import_restarts_the_feed_like_a_restore() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let to = away.path().join("out").display().to_string();
    assert!(run(office.folder(), &["export", &to]).status.success());
    let before = feed(&office, "since=0&limit=1000&resource=settings/banks,customers&include=record");
    // The new office has more changes than the copy of the old one has seen, and some equal list entries.
    let new = Office::new();
    for name in ["Poupança", "Aplicação"] {
        let reply = new.post("/settings/banks", &json!({ "name": name }));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    let since = latest(&new) - 1;
    assert!(run(new.folder(), &["import", "--apply", &to]).status.success());
    assert!(latest(&new) > latest(&office), "the old office's numbers also exist in the new one");
    let page = feed(&new, &format!("since={since}&resource=settings/banks,customers&include=record"));
    let all = changes(&page);
    assert_eq!(all[0]["op"], "created", "the last change before the import");
    assert!(is_replaced(&all[1]), "{}", all[1]);
    assert!(all[1]["seq"].as_u64().unwrap() > 1 << 50, "{}", all[1]);
    let again = &all[2..];
    let created: Vec<_> = again.iter().filter(|change| change["op"] == "created").collect();
    let there = |page: &Value| {
        let there = changes(page).iter().filter(|change| !change["record"].is_null());
        let there = there.map(|change| (change["path"].to_string(), change["record"].to_string()));
        there.collect::<std::collections::BTreeMap<_, _>>()
    };
    let mirror = json!({ "data": again });
    assert_eq!(there(&mirror), there(&before), "the repeated changes contain all records");
    assert!(again.iter().all(|change| change["via"] == "import" && change["request_id"] == "import-1"));
    // Each record comes once. Those in the trash are created and then deleted again.
    let mut paths: Vec<_> = created.iter().map(|change| change["path"].to_string()).collect();
    let count = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), count);
    let deleted: Vec<_> = again.iter().filter(|change| change["op"] == "deleted").collect();
    assert_eq!((deleted.len(), created.len() + deleted.len()), (1, again.len()));
    assert_eq!((&deleted[0]["id"], &deleted[0]["merged_into"]), (&json!(6), &json!(5)));
}

#[test]
fn a_change_has_the_path_of_its_record_and_a_merge_its_target() {
    let office = whole_office();
    let page = feed(&office, "since=0&limit=1000");
    let mut seen = std::collections::BTreeSet::new();
    for change in changes(&page) {
        let resource = change["resource"].as_str().unwrap();
        if !seen.insert(resource.to_owned()) {
            continue;
        }
        let path = change["path"].as_str().unwrap();
        assert!(path.ends_with(&format!("/{}", change["id"])), "{path}");
        let path = path.strip_prefix("/api/v1").unwrap();
        match resource.starts_with("settings/") {
            true => assert_eq!(office.send("PUT", path, &[], Some(b"{}")).status, 400, "{path}"),
            false => assert_eq!(office.get(path).json()["id"], change["id"], "{path}"),
        }
    }
    assert_eq!(seen.len(), TABLES.len() + List::ALL.len(), "{seen:?}");

    let page = feed(&office, "resource=customers&id=6&op=deleted");
    assert_eq!(changes(&page)[0]["merged_into"], 5);
    let page = feed(&office, "resource=transactions&op=deleted");
    assert!(changes(&page)[0].get("merged_into").is_none(), "{page}");
    // A deletion that was undone is not a merge, even if the record is merged later.
    let [one, other] = ["Ana", "Bia"].map(|name| office.customer(name, json!({})));
    let path = format!("/customers/{other}");
    assert_eq!(office.send("DELETE", &path, &[], None).status, 200);
    assert_eq!(office.put(&path, &json!({ "deleted": false })).status, 200);
    let merged = office.post(&format!("/customers/{one}/merge"), &json!({ "from": other }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    let page = feed(&office, &format!("resource=customers&id={other}&op=deleted"));
    let into: Vec<_> = changes(&page).iter().map(|change| change.get("merged_into").cloned()).collect();
    assert_eq!(into, [None, Some(json!(one))]);
}

#[test]
fn long_polls_are_not_counted_but_other_requests_are() {
    let office = Office::with("[limits]\nget_per_minute = 3\n");
    let since = latest(&office);
    let waits = || {
        let reply = office.get(&format!("/changes?since={since}&wait=1"));
        (reply.status, reply.header("x-ratelimit-remaining").to_owned())
    };
    assert_eq!(waits(), (200, "2".to_owned()));
    assert_eq!(waits(), (200, "2".to_owned()));
    // Opening a stream counts against the limit, regardless of `wait`, and so does a refused request.
    let mut stream = Stream::open(&office, "since=0&wait=60", "");
    assert!(stream.change().is_some());
    let reply = office.get("/changes?wait=60&resource=tasks");
    assert_eq!(
        (reply.wrong_fields(), reply.header("x-ratelimit-remaining")),
        (vec!["resource".to_owned()], "0")
    );
    // The limit per minute is used up, but a long poll still gets its response.
    for counted in
        ["/changes", "/changes?wait=0", "/changes?wait=61", "/customers?wait=5", "/changes?wait=5&op=made"]
    {
        office.get(counted).problem(429, "rate-limited");
    }
    let head = office.send("HEAD", "/changes?wait=60", &[], None);
    assert_eq!(head.status, 429);
    assert_eq!(waits(), (200, "0".to_owned()));
}

#[test]
fn changes_in_quick_succession_are_returned_together() {
    let office = Office::new();
    let since = latest(&office);
    office.customer("Ana", json!({}));
    let began = Instant::now();
    assert_eq!(changes(&feed(&office, &format!("since={since}&wait=60"))).len(), 1);
    assert!(
        began.elapsed() >= Duration::from_millis(250),
        "the response leaves no time for changes that follow"
    );
    // A request without `wait` gets its response at once, as often as the limit allows.
    assert_eq!(changes(&feed(&office, &format!("since={since}"))).len(), 1);
}

#[test]
fn one_machine_can_have_64_long_polls_and_other_connections() {
    let office = Office::with(&UNLIMITED.replace("get_per_minute = 0", "get_per_minute = 1"));
    let since = office.store().read(pleito::store::journal::latest).unwrap();
    std::thread::scope(|threads| {
        let ask = || office.get(&format!("/changes?since={since}&wait=60"));
        let waiting: Vec<_> = (0..65).map(|_| threads.spawn(ask)).collect();
        // The 65th request does not wait. It gets its response at once and counts against the limit.
        wait_until(MAX_WAIT, "the 65th request is answered", || {
            waiting.iter().any(|one| one.is_finished()).then_some(())
        });
        assert_eq!(waiting.iter().filter(|one| one.is_finished()).count(), 1);
        office.get(&format!("/changes?since={since}&wait=60")).problem(429, "rate-limited");
        // Other connections are accepted beside them.
        office.customer("Ana", json!({}));
        let replies = waiting.into_iter().map(|one| one.join().unwrap());
        let results =
            replies.map(|reply| (changes(&reply.json()).len(), reply.header("x-ratelimit-remaining") == "0"));
        let results: Vec<_> = results.collect();
        assert_eq!(results.iter().filter(|(count, _)| *count == 1).count(), 64);
        // One that waits may have been admitted after the counted one, whose number it shows then.
        assert_eq!(results.iter().filter(|(count, is_counted)| *count == 0 && *is_counted).count(), 1);
    });
}
