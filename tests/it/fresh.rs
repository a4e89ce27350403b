//! A record that was read before is read as it is now, whoever wrote in between: answers are kept between writes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::office::Office;
use crate::program::run;

#[test]
fn whoever_reads_while_others_write_sees_at_least_what_was_answered_before() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "notes": "0" }));
    let path = format!("/customers/{ana}");
    let (answered, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let number = |record: &Value| record["notes"].as_str().unwrap().parse::<u64>().unwrap();
    std::thread::scope(|scope| {
        let (office, path, answered, done) = (&office, &path, &answered, &done);
        for _ in 0..4 {
            scope.spawn(move || {
                let mut reads = 0;
                while !done.load(Ordering::Relaxed) || reads < 30 {
                    let before = answered.load(Ordering::SeqCst);
                    let reply = office.get(path);
                    assert!(number(&reply.json()) >= before, "older than what was answered");
                    let before = answered.load(Ordering::SeqCst);
                    let page = office.get("/customers?name=ana").json();
                    assert!(number(&page["data"][0]) >= before, "older than what was answered");
                    reads += 1;
                }
            });
        }
        for number in 1..=200u64 {
            assert_eq!(office.put(path, &json!({ "notes": number.to_string() })).status, 200);
            answered.store(number, Ordering::SeqCst);
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(number(&office.get(&path).json()), 200);
}

/// Waits until that holds, for as long as a very slow machine may take.
fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not come to hold");
    }
}

/// As one does who knows nothing of the journal.
fn rename(office: &Office, name: &str) {
    let other = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    other
        .execute_batch(&format!(
            "BEGIN; UPDATE customers SET name = '{name}', name_key = lower('{name}') WHERE id = 1;
             DELETE FROM changes WHERE seq = (SELECT max(seq) FROM changes); COMMIT"
        ))
        .unwrap();
    office.pass(1);
}

#[test]
fn what_another_program_writes_is_noticed_within_a_second() {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let shown = || office.get("/customers/1").json()["name"].as_str().unwrap().to_owned();
    let listed = |name: &str| office.ids(&format!("/customers?name={name}")) == [1];
    assert!(shown() == "Ana Souza" && listed("ana"));
    let tag = office.get("/customers").header("etag").to_owned();

    rename(&office, "Bia");
    wait_until(|| listed("bia"));
    assert!(!listed("ana") && shown() == "Bia");
    assert_eq!(office.send("GET", "/customers", &[("if-none-match", &tag)], None).status, 200);

    rename(&office, "Clara");
    wait_until(|| shown() == "Clara");
    assert!(listed("clara"));

    // Whoever writes notices it at once, whatever the time.
    rename(&office, "Dalva");
    office.customer("Eva Lima", json!({}));
    assert!(shown() == "Dalva" && listed("dalva"));

    let other = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    other.execute("DELETE FROM token", []).unwrap();
    office.pass(1);
    wait_until(|| office.get("/customers").status == 401);
}

/// What is kept of the records is dropped for a reason only: its own commits, copies and looks into the file are none.
#[test]
fn nothing_that_the_program_does_itself_is_taken_for_another_program() {
    let office = Office::new();
    let id = office.customer("Ana Souza", json!({}));
    let before = office.store().version();
    for command in [&["check"][..], &["backup"], &["token", "status"]] {
        run(office.folder(), command);
        office.pass(1);
        assert_eq!(office.get("/customers").status, 200);
        assert_eq!(office.get(&format!("/customers/{id}")).status, 200);
    }
    let notes = "a".repeat(5_000);
    for _ in 0..10 {
        assert_eq!(office.put(&format!("/customers/{id}"), &json!({ "notes": notes })).status, 200);
        office.pass(60);
    }
    assert_eq!(office.store().version(), before + 10);
}
