//! The journal and its feed: every write records exactly its changes, and every follower gets each of them
//! (events 20).

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::backups::{answer, backup, now};
use crate::console::visitor::Visitor;
use crate::documents::document;
use crate::office::{Office, uses_key};
use crate::wait::{MAX_WAIT, wait_until};

const NUMBER: &str = "0000002-65.2005.4.05.8100";

pub fn feed(office: &Office, query: &str) -> Value {
    let reply = office.get(&format!("/changes?{query}"));
    assert_eq!(reply.status, 200, "{query}: {}", reply.text());
    reply.json()
}

pub fn latest(office: &Office) -> u64 {
    feed(office, "limit=1")["latest"].as_u64().unwrap()
}

/// Returns the changes after number `since`, each as `op resource id members`.
fn changes_since(office: &Office, since: u64) -> Vec<String> {
    let page = feed(office, &format!("since={since}"));
    let changes = page["data"].as_array().unwrap().iter().map(|change| {
        let members = change["changed"].as_array().unwrap().iter().map(|member| member.as_str().unwrap());
        let members = members.collect::<Vec<_>>().join(",");
        let [op, resource] = ["op", "resource"].map(|name| change[name].as_str().unwrap());
        format!("{op} {resource} {} {members}", change["id"]).trim_end().to_owned()
    });
    changes.collect()
}

/// Runs `act` and returns the changes that it made.
fn changes_by(office: &Office, act: impl FnOnce()) -> Vec<String> {
    let since = latest(office);
    act();
    changes_since(office, since)
}

fn post(office: &Office, path: &str, body: Value) {
    let reply = office.post(path, &body);
    assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text());
}

fn put(office: &Office, path: &str, body: Value) {
    let reply = office.put(path, &body);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
}

fn delete(office: &Office, path: &str) {
    let reply = office.send("DELETE", path, &[], None);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
}

#[test]
fn every_kind_of_write_records_exactly_its_changes() {
    let office = Office::new();
    let first = changes_since(&office, 0);
    assert!(first.iter().all(|change| change.starts_with("created settings/")), "{first:?}");
    let assert_changes = |act: &dyn Fn(), expected: &[&str]| assert_eq!(changes_by(&office, act), expected);

    assert_changes(&|| _ = office.customer("Ana Souza", json!({})), &["created customers 1"]);
    assert_changes(
        &|| _ = office.customer("Bia Lima", json!({ "email": "bia@exemplo.com.br" })),
        &["created customers 2"],
    );
    assert_changes(&|| _ = office.customer("Bia Lima", json!({})), &["created customers 3"]);
    // A failed write records no change, and neither does a read.
    assert_changes(
        &|| {
            assert_eq!(office.post("/customers", &json!({ "name": "Caio" })).status, 422);
            assert_eq!(office.get("/customers").status, 200);
        },
        &[],
    );
    let publication = json!({ "process_number": NUMBER, "date": "2026-05-20", "publication": "Intimação" });
    let publications = json!({ "publications": [publication] });
    assert_changes(&|| post(&office, "/publications", publications.clone()), &["created publications 1"]);
    assert_changes(&|| post(&office, "/publications", publications.clone()), &[]);
    // Creating a lawsuit with the number of a publication links the publication to it.
    assert_changes(
        &|| _ = office.lawsuit(&[2], json!({ "process_number": NUMBER })),
        &["created lawsuits 1", "updated publications 1 lawsuit_id"],
    );
    // Renaming a customer does not change the lawsuits that show its name.
    assert_changes(
        &|| put(&office, "/customers/2", json!({ "name": "Bia Lima Souza" })),
        &["updated customers 2 name"],
    );
    assert_changes(
        &|| {
            put(
                &office,
                "/lawsuits/1",
                json!({ "date": "20/05/2026", "users_id": 1, "customers_id": [2, 1] }),
            )
        },
        &["updated lawsuits 1 process_date,customers"],
    );
    // The step follows from the stage, so only the stage changes.
    assert_changes(
        &|| put(&office, "/lawsuits/1", json!({ "steps_id": 6 })),
        &["updated lawsuits 1 stages_id"],
    );
    assert_changes(
        &|| _ = office.task(1, json!({ "publications_id": 1 })),
        &["created posts 1", "updated publications 1 treated_at,treated_by"],
    );
    assert_changes(
        &|| {
            put(
                &office,
                "/posts/1",
                json!({ "start_date": "24/12/2026", "start_time": "14:30", "urgent": true }),
            )
        },
        &["updated posts 1 date,urgent"],
    );
    assert_changes(&|| put(&office, "/posts/1/complete", json!({})), &["updated posts 1 users"]);
    assert_changes(&|| put(&office, "/posts/1/complete", json!({})), &[]);
    assert_changes(&|| put(&office, "/posts/1/reopen", json!({})), &["updated posts 1 users"]);
    assert_changes(
        &|| post(&office, "/lawsuits/movement", json!({ "lawsuit_id": 1, "description": "Sentença" })),
        &["created movements 1"],
    );
    let captured = json!({ "movements": [{ "process_number": NUMBER, "description": "Juntada" }] });
    assert_changes(&|| post(&office, "/movements", captured.clone()), &["created movements 2"]);
    assert_changes(&|| post(&office, "/movements", captured.clone()), &[]);
    assert_changes(
        &|| put(&office, "/lawsuits/movement/1", json!({ "users_id": 1, "header": "TJSC" })),
        &["updated movements 1 header,author"],
    );
    assert_changes(
        &|| put(&office, "/lawsuits/publication/1", json!({ "treated": false, "responsible_id": 1 })),
        &["updated publications 1 responsible_id,treated_at,treated_by"],
    );
    assert_changes(
        &|| _ = crate::transactions::create(&office, json!({ "customers_id": 3 })),
        &["created transactions 1"],
    );
    assert_changes(
        &|| put(&office, "/transactions/1", json!({ "external_ids": ["asaas:1"], "amount": "12,50" })),
        &["updated transactions 1 amount,external_ids"],
    );
    assert_changes(&|| _ = document(&office, "nota.pdf", b"nota"), &["created documents 1"]);
    assert_changes(
        &|| put(&office, "/documents/1", json!({ "notes": "Lida." })),
        &["updated documents 1 notes"],
    );

    // Deleting a lawsuit deletes the records that belong to it, and restoring it restores them.
    let with_it = ["lawsuits 1", "movements 1", "movements 2", "publications 1", "posts 1"];
    let each = |op: &str| with_it.map(|record| format!("{op} {record}"));
    assert_eq!(changes_by(&office, || delete(&office, "/lawsuits/1?reason=engano")), each("deleted"));
    assert_eq!(changes_by(&office, || delete(&office, "/lawsuits/1")), [""; 0]);
    assert_eq!(
        changes_by(&office, || put(&office, "/lawsuits/1", json!({ "deleted": false }))),
        each("restored")
    );
    // A merge redirects references to the remaining record and fills its empty members.
    let merged = changes_by(&office, || post(&office, "/customers/1/merge", json!({ "from": 2 })));
    assert_eq!(merged, ["deleted customers 2", "updated customers 1 email", "updated lawsuits 1 customers"]);
    let merged = changes_by(&office, || post(&office, "/customers/1/merge", json!({ "from": 3 })));
    assert_eq!(merged, ["deleted customers 3", "updated customers 1", "updated transactions 1 customers_id"]);

    // Moving an entry of a list also changes the entry that makes room for it.
    assert_changes(
        &|| post(&office, "/settings/departments", json!({ "sector": "Comercial" })),
        &["created settings/departments 4"],
    );
    assert_changes(
        &|| put(&office, "/settings/departments/4", json!({ "position": 3, "active": false })),
        &["updated settings/departments 4 active,position", "updated settings/departments 3 position"],
    );
}

#[test]
fn a_change_has_its_author_origin_time_and_reason() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let id = "6f2c0d5e8a914b37";
    let since = latest(&office);
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string();
    office.send("POST", "/customers", &[("x-request-id", id)], Some(body.as_bytes()));
    office.pass(90);
    office.send("DELETE", "/customers/1?reason=lan%C3%A7ada%20duas%20vezes", &[], None);
    let page = feed(&office, &format!("since={since}"));
    let [created, deleted] = [0, 1].map(|at| page["data"][at].clone());
    let expected = json!({
        "seq": since + 1, "resource": "customers", "id": 1, "op": "created", "at": "2026-06-17 12:00:00", "changed": [],
        "path": "/api/v1/customers/1", "via": "api", "request_id": id, "reason": null,
    });
    assert_eq!(created, expected);
    assert_eq!((&deleted["op"], &deleted["reason"]), (&json!("deleted"), &json!("lançada duas vezes")));
    assert_eq!(deleted["at"], "2026-06-17 12:01:30");
    // Only the journal stores the author (the last four characters of the token). The feed does not publish it.
    let last_four = office.token[office.token.len() - 4..].to_owned();
    let entries = office.store().read(|db| pleito::store::journal::newest_of(db, "customers", 1, 1)).unwrap();
    assert_eq!(entries[0].who, Some(pleito::store::journal::Who::Token(last_four)));
    // A write in the console is published with `via` set to `console`.
    let visitor = Visitor::new(&office);
    let reply = visitor.send("/lists/banks", &[("name", "Poupança")]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    let page = feed(&office, &format!("since={}", since + 2));
    assert_eq!((&page["data"][0]["via"], &page["data"][0]["op"]), (&json!("console"), &json!("created")));
    assert!(page["data"][0]["request_id"].is_string());
}

#[test]
fn values_before_and_after_a_change_have_the_notation_of_responses() {
    let office = Office::new();
    let customers = ["Ana", "Bia"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&customers, json!({ "fees_money": "1500.50", "stages_id": 12 }));
    let since = latest(&office);
    put(
        &office,
        "/lawsuits/1",
        json!({ "stages_id": 15, "fees_money": "0.05", "notes": "\"Urgente\"\n\\ \tção" }),
    );
    put(&office, "/lawsuits/1", json!({ "stages_id": 13, "customers_id": [2], "notes": null }));
    put(&office, "/lawsuits/1", json!({ "date": "17/06/2026" }));
    delete(&office, "/lawsuits/1");
    let page = feed(&office, &format!("since={since}&include=values"));
    let values = |at: usize| page["data"][at]["values"].to_string();
    let notes = json!("\"Urgente\"\n\\ \tção").to_string();
    let first = format!(r#"{{"fees_money":[1500.5,0.05],"notes":[null,{notes}],"stages_id":[12,15]}}"#);
    assert_eq!(values(0), first);
    assert_eq!(
        values(1),
        format!(r#"{{"customers":[[1,2],[2]],"notes":[{notes},null],"stages_id":[15,13]}}"#)
    );
    assert_eq!(values(2), r#"{"process_date":[null,"2026-06-17"]}"#);
    assert_eq!(values(3), "{}");
    // Compares the text of the response, because parsing would hide a number written as a binary fraction.
    let text = office.get(&format!("/changes?since={since}&include=values&limit=1")).text();
    assert!(text.contains(r#""fees_money":[1500.50,0.05]"#), "{text}");

    let lawsuit = office.lawsuit(&customers, json!({}));
    let task = office.task(lawsuit, json!({}));
    let since = latest(&office);
    put(
        &office,
        &format!("/posts/{task}"),
        json!({ "start_time": "14:30", "end_time": "15:00", "guests": [1] }),
    );
    put(&office, &format!("/posts/{task}/complete"), json!({}));
    post(&office, "/lawsuits/movement", json!({ "lawsuit_id": lawsuit, "description": "Sentença" }));
    put(&office, "/lawsuits/movement/1", json!({ "users_id": 1 }));
    put(&office, "/settings/banks/1", json!({ "active": false, "name": "Conta" }));
    let page = feed(&office, &format!("since={since}&include=values&op=updated"));
    let values: Vec<_> = page["data"].as_array().unwrap().iter().map(|change| &change["values"]).collect();
    let expected = [
        json!({ "date": ["2026-12-24 00:00:00", "2026-12-24 14:30:00"], "end": [null, "2026-12-24 15:00:00"] }),
        json!({ "users": [[{ "user_id": 1, "completed": null }], [{ "user_id": 1, "completed": "2026-06-17 12:00:00" }]] }),
        json!({ "author": [null, "Escritório"] }),
        json!({ "name": ["Conta corrente", "Conta"], "active": [true, false] }),
    ];
    assert_eq!(values, expected.iter().collect::<Vec<_>>());
}

#[test]
fn parameters_filter_the_feed_and_are_validated() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    office.customer("Bia", json!({}));
    put(&office, "/customers/1", json!({ "city": "Criciúma" }));
    delete(&office, "/customers/2");
    let newest = latest(&office);
    let ids = |query: &str| -> Vec<(String, u64)> {
        let page = feed(&office, query);
        let all = page["data"].as_array().unwrap().iter();
        all.map(|change| (change["op"].as_str().unwrap().to_owned(), change["id"].as_u64().unwrap()))
            .collect()
    };
    let is = |op: &str, id| (op.to_owned(), id);
    let all = [is("created", 1), is("created", 2), is("updated", 1), is("deleted", 2)];
    assert_eq!(ids("resource=customers"), all);
    assert_eq!(
        ids("resource=customers&op=created,deleted"),
        [all[0].clone(), all[1].clone(), all[3].clone()]
    );
    assert_eq!(ids("resource=customers&id=1"), [all[0].clone(), all[2].clone()]);
    assert_eq!(ids("resource=customers&id=1&op=updated"), [all[2].clone()]);
    assert_eq!(ids("resource=lawsuits,posts"), []);
    assert_eq!(ids("op=replaced,purged,restored"), []);
    let lists = feed(&office, "resource=settings")["data"].as_array().unwrap().len();
    assert_eq!(lists as u64, newest - 4);
    assert!(feed(&office, "resource=settings/banks,store")["data"].as_array().unwrap().len() == 2);

    // `next` is the right cursor for the next page, even if a filter left changes out.
    let page = feed(&office, "resource=customers&limit=2");
    assert_eq!((&page["more"], &page["next"], &page["limit"]), (&json!(true), &json!(newest - 2), &json!(2)));
    let page = feed(&office, &format!("resource=customers&limit=3&since={}", newest - 2));
    assert_eq!((&page["more"], &page["next"]), (&json!(false), &json!(newest)));
    let page = feed(&office, &format!("since={newest}"));
    assert_eq!((&page["data"], &page["next"], &page["more"]), (&json!([]), &json!(newest), &json!(false)));
    let query = json!({ "since": newest.to_string() });
    assert_eq!((&page["query"], &page["latest"]), (&query, &json!(newest)));
    // `include=record` returns the record as it is now.
    let page = feed(&office, "resource=customers&include=record,values");
    let record = |at: usize| page["data"][at]["record"].clone();
    assert_eq!(
        (record(0)["city"].clone(), record(2)["city"].clone()),
        (json!("Criciúma"), json!("Criciúma"))
    );
    assert_eq!((record(1), record(3)), (Value::Null, Value::Null));
    assert_eq!(page["data"][2]["values"], json!({ "city": [null, "Criciúma"] }));
    assert_eq!(record(0), office.get("/customers/1").json());
    let bank = feed(&office, "resource=settings/banks&include=record")["data"][0]["record"].clone();
    assert_eq!(bank, json!({ "id": 1, "name": "Conta corrente", "institution": null, "active": true }));
    assert!(feed(&office, "resource=customers")["data"][0].get("record").is_none());

    for (right, wrong) in [
        ("since=0", "since=-1"),
        ("since=9007199254740991", "since=9007199254740992"),
        ("since=%20", "since=x"),
        ("limit=1", "limit=0"),
        ("limit=1000", "limit=1001"),
        ("wait=0", "wait=61"),
        ("resource=posts,settings", "resource=tasks"),
        ("resource=store", "resource=posts,"),
        ("op=created", "op=made"),
        ("include=values,record", "include=values,all"),
        ("resource=posts&id=1", "resource=posts&id=0"),
        ("resource=settings/tasks&id=4294967295", "resource=settings&id=1"),
        ("", "id=1"),
        ("limit=", "resource=posts,customers&id=1"),
    ] {
        feed(&office, right);
        let reply = office.get(&format!("/changes?{wrong}"));
        let name = wrong.rsplit('&').next().unwrap().split('=').next().unwrap();
        assert_eq!(reply.wrong_fields(), [name], "{wrong}");
    }
}

#[test]
fn a_long_poll_returns_with_the_next_matching_change() {
    let office = Office::new();
    let since = latest(&office);
    let began = Instant::now();
    let page = feed(&office, &format!("since={since}&wait=1"));
    assert_eq!((&page["data"], &page["next"]), (&json!([]), &json!(since)));
    assert!(began.elapsed() >= Duration::from_secs(1), "the long poll returned too early");
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| feed(&office, &format!("since={since}&wait=60&resource=lawsuits")));
        let customer = office.customer("Ana", json!({}));
        office.lawsuit(&[customer], json!({}));
        let page = waiting.join().unwrap();
        assert_eq!(
            (&page["data"][0]["resource"], page["next"].as_u64()),
            (&json!("lawsuits"), Some(since + 2))
        );
    });
    assert_eq!(feed(&office, &format!("since={since}&wait=60"))["data"].as_array().unwrap().len(), 2);
    // A full page can take no more, so it is not held. Each would otherwise wait a quarter of a second.
    let began = Instant::now();
    for at in 0..20 {
        let page = feed(&office, &format!("since={since}&wait=60&limit=1"));
        assert_eq!((page["data"].as_array().unwrap().len(), &page["more"]), (1, &json!(true)), "{at}");
    }
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    // At most 64 long polls may wait. The 65th returns at once, and the change ends the others.
    let newest = latest(&office);
    std::thread::scope(|threads| {
        let ask = || feed(&office, &format!("since={newest}&wait=60"));
        let waiting: Vec<_> = (0..65).map(|_| threads.spawn(ask)).collect();
        wait_until(MAX_WAIT, "the 65th request is answered", || {
            waiting.iter().any(|one| one.is_finished()).then_some(())
        });
        assert_eq!(waiting.iter().filter(|one| one.is_finished()).count(), 1);
        office.customer("Bia", json!({}));
        let counts = waiting.into_iter().map(|one| one.join().unwrap()["data"].as_array().unwrap().len());
        assert_eq!(counts.sum::<usize>(), 64);
    });
    // A long poll whose token is replaced gets a 401 and no changes.
    let newest = latest(&office);
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| office.get(&format!("/changes?since={newest}&wait=60")));
        office.rotate();
        assert_eq!(waiting.join().unwrap().status, 401);
    });
}

/// A client that reads an event stream.
pub struct Stream {
    lines: BufReader<TcpStream>,
}

impl Stream {
    pub fn open(office: &Office, query: &str, more: &str) -> Stream {
        Stream::of(office, query, &office.token, more)
    }

    /// Opens a stream with this token or key.
    pub fn of(office: &Office, query: &str, token: &str, more: &str) -> Stream {
        let mut stream = TcpStream::connect(office.address()).unwrap();
        stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
        let host = office.address();
        let head = format!(
            "GET /api/v1/changes?{query} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
             accept: text/event-stream\r\nconnection: close\r\naccept-encoding: gzip\r\n{more}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        Stream { lines: BufReader::new(stream) }
    }

    /// Returns the next line that begins with `start`, without it, or `None` if the stream has ended.
    fn next(&mut self, start: &str) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap_or_default() == 0 {
                return None;
            }
            if let Some(rest) = line.trim_end().strip_prefix(start) {
                return Some(rest.to_owned());
            }
        }
    }

    pub fn change(&mut self) -> Option<Value> {
        let id = self.next("id: ")?;
        assert_eq!(self.next("event: ")?, "change");
        let change: Value = serde_json::from_str(&self.next("data: ")?).unwrap();
        assert_eq!(change["seq"].to_string(), id);
        Some(change)
    }
}

#[test]
fn a_stream_stays_open_until_the_token_is_replaced_or_the_server_stops() {
    let mut office = Office::new();
    let since = latest(&office);
    let mut stream = Stream::open(&office, &format!("since={since}"), "");
    assert!(stream.next("HTTP/1.1 200").is_some());
    assert_eq!(stream.next("content-type: ").as_deref(), Some("text/event-stream"));
    assert_eq!(stream.next("retry: ").as_deref(), Some("3000"));
    office.customer("Ana", json!({}));
    let change = stream.change().unwrap();
    assert_eq!(change, feed(&office, &format!("since={since}"))["data"][0]);
    put(&office, "/customers/1", json!({ "city": "Criciúma" }));
    assert_eq!(stream.change().unwrap()["changed"], json!(["city"]));
    // A new stream resumes after the event in `Last-Event-ID`, which takes precedence over `since`.
    let mut again = Stream::open(&office, "since=0", &format!("last-event-id: {}\r\n", since + 1));
    assert_eq!(again.change().unwrap()["seq"], since + 2);
    // Sixteen streams may be open at a time.
    let mut more: Vec<_> = (0..14).map(|_| Stream::open(&office, &format!("since={since}"), "")).collect();
    more.iter_mut().for_each(|stream| assert!(stream.change().is_some()));
    let full = office.send("GET", "/changes", &[("accept", "text/event-stream")], None);
    full.problem(503, "busy");
    assert_ne!(full.header("retry-after"), "");
    let head = office.send("HEAD", "/changes", &[("accept", "application/json")], None);
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    // Replacing the token ends every stream.
    let token = office.rotate();
    assert!(stream.change().is_none() && again.change().is_none());
    token.expose().clone_into(&mut office.token);
    let mut last = wait_until(MAX_WAIT, "places for streams are free again", || {
        let mut stream = Stream::open(&office, &format!("since={since}"), "");
        stream.change().map(|_| stream)
    });
    let began = Instant::now();
    office.restart();
    while last.next("").is_some() {}
    assert!(began.elapsed() < Duration::from_secs(8), "a stream delayed the stop");
}

#[test]
fn a_long_poll_does_not_delay_a_stop() {
    let mut office = Office::new();
    let since = latest(&office);
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
    let (host, token) = (office.address(), office.token.clone());
    let head = format!(
        "GET /api/v1/changes?since={since}&wait=60 HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let began = Instant::now();
    office.restart();
    assert!(began.elapsed() < Duration::from_secs(8), "the long poll delayed the stop");
}

#[test]
fn a_restore_is_published_and_followed_by_every_record() {
    let office = Office::new();
    now(&office);
    let [ana, bia] = ["Ana", "Bia"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&[ana], json!({}));
    delete(&office, &format!("/customers/{bia}"));
    let file = backup(office.folder());
    office.customer("Caio", json!({}));
    put(&office, "/customers/1", json!({ "name": "Ana Souza" }));
    let since = latest(&office);
    answer(office.folder(), &["restore", &file, "--json"]);
    let page = feed(&office, &format!("since={since}&include=record"));
    let changes = page["data"].as_array().unwrap();
    let of = |at: usize| {
        let [op, resource] = ["op", "resource"].map(|name| changes[at][name].as_str().unwrap());
        (op, resource, changes[at]["id"].as_u64().unwrap())
    };
    assert_eq!(changes[0]["seq"], since + 1);
    assert_eq!(of(0), ("replaced", "store", 0));
    let lists =
        changes.iter().filter(|one| one["resource"].as_str().unwrap().starts_with("settings/")).count();
    assert_eq!(of(1 + lists), ("created", "customers", 1));
    assert_eq!(of(2 + lists), ("created", "customers", 2));
    assert_eq!(of(3 + lists), ("deleted", "customers", 2));
    assert_eq!(of(4 + lists), ("created", "lawsuits", 1));
    assert_eq!(changes.len(), 5 + lists);
    assert!(changes.iter().all(|change| change["via"] == "restore"));
    assert_eq!(changes[1 + lists]["record"]["name"], "Ana");
    // The record's history continues, and later readers get all of it.
    assert_eq!(
        changes_by(&office, || put(&office, "/customers/1", json!({ "city": "Içara" }))),
        ["updated customers 1 city"]
    );
    let history = feed(&office, "resource=customers&id=1&include=values");
    let ops: Vec<_> = history["data"].as_array().unwrap().iter().map(|change| &change["op"]).collect();
    assert_eq!(ops, ["created", "replaced", "created", "updated"]);
    assert_eq!(history["data"][3]["values"], json!({ "city": [null, "Içara"] }));
}

/// A follower's copy: every existing record, by resource and id.
type Mirror = BTreeMap<(String, u64), Value>;

#[test]
fn a_follower_gets_every_acknowledged_change_exactly_once_while_writers_write() {
    let office = Office::new();
    let start = latest(&office);
    let is_over = AtomicBool::new(false);
    let (seqs, mirror) = std::thread::scope(|threads| {
        let follower = threads.spawn(|| {
            let (mut since, mut seqs, mut mirror) = (start, Vec::new(), Mirror::new());
            let mut wait = 1;
            loop {
                // Loads the flag before the request, so that the response includes every write acknowledged by then.
                let was_over = is_over.load(Ordering::SeqCst);
                let page = feed(&office, &format!("since={since}&wait={wait}&limit=7&include=record"));
                wait = u8::from(page["more"] == false);
                for change in page["data"].as_array().unwrap() {
                    seqs.push(change["seq"].as_u64().unwrap());
                    let key =
                        (change["resource"].as_str().unwrap().to_owned(), change["id"].as_u64().unwrap());
                    match &change["record"] {
                        Value::Null => _ = mirror.remove(&key),
                        record => _ = mirror.insert(key, record.clone()),
                    }
                }
                since = page["next"].as_u64().unwrap();
                if was_over && page["more"] == false && page["data"].as_array().unwrap().is_empty() {
                    return (seqs, mirror);
                }
            }
        });
        let write = |writer: u64| {
            for round in 0..15 {
                let id = office.customer(&format!("Cliente {writer} {round}"), json!({}));
                put(&office, &format!("/customers/{id}"), json!({ "city": format!("Cidade {round}") }));
                if round % 3 == 0 {
                    delete(&office, &format!("/customers/{id}"));
                }
                if round % 6 == 0 {
                    put(&office, &format!("/customers/{id}"), json!({ "deleted": false }));
                }
            }
        };
        let writers: Vec<_> = (0..4).map(|writer| threads.spawn(move || write(writer))).collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_over.store(true, Ordering::SeqCst);
        follower.join().unwrap()
    });
    // 4 writers, 15 rounds: each creates and changes, 5 delete, 3 restore.
    assert_eq!(seqs, (start + 1..=start + 4 * (15 + 15 + 5 + 3)).collect::<Vec<_>>());
    let there = office.get("/customers?limit=1000").json();
    let there: Mirror = there["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| (("customers".to_owned(), record["id"].as_u64().unwrap()), record.clone()))
        .collect();
    assert_eq!(mirror, there);
}

#[test]
fn the_console_shows_a_records_history_and_undoes_single_changes() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let [ana, bia] =
        ["Ana Souza", "Bia Lima"].map(|name| office.customer(name, json!({ "city": "Criciúma" })));
    office.lawsuit(&[ana], json!({ "fees_money": "1500.50", "stages_id": 12 }));
    put(&office, "/customers/1", json!({ "city": "Içara <b>", "notes": "Pela manhã." }));
    put(&office, "/lawsuits/1", json!({ "stages_id": 15, "customers_id": [bia, ana], "fees_money": null }));
    let page = visitor.page("/customers/1");
    let history = page.details("History");
    for text in ["Created", "Changed", "through the API", "Criciúma", "Içara <b>", "empty", "Undo"] {
        assert!(history.contains(text), "{text}: {history}");
    }
    assert!(history.contains(&format!("token …{}", &office.token[office.token.len() - 4..])), "{history}");
    let lawsuit = visitor.page("/lawsuits/1");
    let history = lawsuit.details("History");
    assert!(history.has_link("Bia Lima"), "{history}");
    for text in ["Petição inicial", "Réplica", "1,500.50", "Ana Souza", "Bia Lima, "] {
        assert!(history.contains(text), "{text}: {history}");
    }
    // Undoing one member in the console keeps the other changes made since.
    let of = |resource: &str| {
        let all = feed(&office, &format!("resource={resource}&id=1&op=updated"))["data"].clone();
        all.as_array().unwrap().last().unwrap().clone()
    };
    let undo = |path: &str, change: &Value, member: &str| {
        let seq = change["seq"].to_string();
        visitor.send(&format!("{path}/history"), &[("change", &seq), ("member", member)])
    };
    let reply = undo("/customers/1", &of("customers"), "city");
    assert_eq!(
        (reply.status, reply.header("location")),
        (303, "/console/customers/1?done=changed"),
        "{}",
        reply.text()
    );
    let now = office.get("/customers/1").json();
    assert_eq!((&now["city"], &now["notes"]), (&json!("Criciúma"), &json!("Pela manhã.")));
    let change = of("customers");
    assert_eq!((&change["via"], &change["changed"]), (&json!("console"), &json!(["city"])));
    let change = of("lawsuits");
    for member in ["stage_id", "customers", "fees_money"] {
        assert_eq!(undo("/lawsuits/1", &change, member).status, 303, "{member}");
    }
    let now = office.get("/lawsuits/1").json();
    assert_eq!((&now["stages_id"], &now["fees_money"]), (&json!(12), &json!(1500.5)));
    assert_eq!(now["customers"].as_array().unwrap().len(), 1);
    for (change, member) in
        [(json!({ "seq": 1 }), "city"), (change, "email"), (json!({ "seq": "x" }), "stage_id")]
    {
        assert_eq!(undo("/lawsuits/1", &change, member).status, 404, "{change} {member}");
    }
    // An entry that is no longer active is refused, as it is in a form.
    put(&office, "/lawsuits/1", json!({ "stages_id": 15 }));
    put(&office, "/settings/stages/12", json!({ "active": false }));
    assert_eq!(undo("/lawsuits/1", &of("lawsuits"), "stage_id").status, 422);
    assert_eq!(office.get("/lawsuits/1").json()["stages_id"], 15);
}
