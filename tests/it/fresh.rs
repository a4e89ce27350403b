//! A record that was read before is read as it is now, whoever wrote in between: answers are kept between writes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pleito::domain::{CustomerId, Notes};
use pleito::records::Customer;
use pleito::store::{self, Store, records};
use serde_json::{Value, json};

use crate::office::{Office, UNLIMITED};
use crate::program::{Program, new_token};

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

#[test]
fn what_another_process_writes_is_in_the_next_answer() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pleito.toml"), UNLIMITED).unwrap();
    let token = new_token(folder.path());
    let mut program = Program::serve(folder.path(), &[]);
    let get = |path: &str| program.ask(&token, "GET", path, None).unwrap();
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Souza" });
    assert_eq!(program.ask(&token, "POST", "/customers", Some(&body)).unwrap().status, 201);

    // This process is the other one.
    let store = Store::open(folder.path()).unwrap();
    let id = CustomerId::new(1).unwrap();
    let mut known = get("/customers/1").header("etag").to_owned();
    for number in 0..100 {
        let notes = Notes::parse(&number.to_string()).unwrap();
        let write = move |tx: store::Tx<'_>| {
            let mut fields = records::by_id::<Customer>(*tx, id)?.unwrap();
            fields.notes = Some(notes);
            records::update(tx, id, &fields, 0)
        };
        store.write::<_, store::Error>(write).unwrap();
        let reply = get("/customers/1");
        assert_eq!(reply.json()["notes"], number.to_string());
        assert_ne!(reply.header("etag"), known);
        known = reply.header("etag").to_owned();
        assert_eq!(get("/customers/1").header("etag"), known, "nobody wrote");
        for page in ["/customers", "/customers?name=ana&limit=1"] {
            assert_eq!(get(page).json()["data"][0], reply.json(), "{page}");
        }
    }
    program.kill();
}
