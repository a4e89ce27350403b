//! Cached records: a read returns the current record, regardless of the program that changed it.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{TryRecvError, bounded};
use serde_json::{Value, json};

use crate::office::{Office, uses_key};
use crate::program::run;
use crate::wait::{MAX_WAIT, wait_until};

#[test]
fn reads_during_writes_are_never_older_than_earlier_responses() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "notes": "0" }));
    let path = format!("/customers/{ana}");
    let answered = AtomicU64::new(0);
    // The channel is disconnected at the end of the writes, even if one of them fails.
    let (writing, written) = bounded::<()>(0);
    let number = |record: &Value| record["notes"].as_str().unwrap().parse::<u64>().unwrap();
    std::thread::scope(|scope| {
        let (office, path, answered, _writing) = (&office, &path, &answered, writing);
        for _ in 0..4 {
            let written = written.clone();
            scope.spawn(move || {
                let mut reads = 0;
                while written.try_recv() == Err(TryRecvError::Empty) || reads < 30 {
                    let before = answered.load(Ordering::SeqCst);
                    let reply = office.get(path);
                    assert!(number(&reply.json()) >= before, "older than an earlier response");
                    let before = answered.load(Ordering::SeqCst);
                    let page = office.get("/customers?name=ana").json();
                    assert!(number(&page["data"][0]) >= before, "older than an earlier response");
                    reads += 1;
                }
            });
        }
        for number in 1..=200u64 {
            assert_eq!(office.put(path, &json!({ "notes": number.to_string() })).status, 200);
            answered.store(number, Ordering::SeqCst);
        }
    });
    assert_eq!(number(&office.get(&path).json()), 200);
}

/// Renames the customer from another connection and removes the journal entry, as a program unaware of the
/// journal would.
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
fn writes_of_another_program_are_noticed_within_a_second() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let shown = || office.get("/customers/1").json()["name"].as_str().unwrap().to_owned();
    let listed = |name: &str| office.ids(&format!("/customers?name={name}")) == [1];
    assert!(shown() == "Ana Souza" && listed("ana"));
    let tag = office.get("/customers").header("etag").to_owned();

    rename(&office, "Bia");
    wait_until(MAX_WAIT, "Bia is listed", || listed("bia").then_some(()));
    assert!(!listed("ana") && shown() == "Bia");
    assert_eq!(office.send("GET", "/customers", &[("if-none-match", &tag)], None).status, 200);

    rename(&office, "Clara");
    wait_until(MAX_WAIT, "Clara is shown", || (shown() == "Clara").then_some(()));
    assert!(listed("clara"));

    // The server's own writes detect the foreign change at once.
    rename(&office, "Dalva");
    office.customer("Eva Lima", json!({}));
    assert!(shown() == "Dalva" && listed("dalva"));

    let other = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    other.execute("DELETE FROM token", []).unwrap();
    office.pass(1);
    wait_until(MAX_WAIT, "the token is gone", || (office.get("/customers").status == 401).then_some(()));
}

/// The cache of records is not dropped because of the program's own commits, backups or checks.
#[test]
fn own_writes_are_not_mistaken_for_those_of_another_program() {
    let office = Office::new();
    let id = office.customer("Ana Souza", json!({}));
    let before = office.store().version();
    for command in [&["check"][..], &["backup"], &["token", "status"]] {
        run(office.folder(), command);
        office.pass(1);
        assert_eq!(office.get("/customers").status, 200);
        assert_eq!(office.get(&format!("/customers/{id}")).status, 200);
    }
    for letter in 'a'..='j' {
        let notes = letter.to_string().repeat(5_000);
        assert_eq!(office.put(&format!("/customers/{id}"), &json!({ "notes": notes })).status, 200);
        office.pass(60);
    }
    assert_eq!(office.store().version(), before + 10);
}
