//! Webhooks: allowed addresses, message types and contents, and the schedule of retries (events 21).

pub mod receiver;

use std::sync::mpsc::channel;

use pleito::domain::WebhookSecret;
use pleito::store::webhooks::{self, Attempt, DeliveryOutcome, DeliveryStatus, Event, WebhookSettings};
use serde_json::{Value, json};

use crate::backups::{answer, backup, now, point};
use crate::console::page::Page;
use crate::console::visitor::Visitor;
use crate::documents::document;
use crate::office::{Office, Reply, UNLIMITED};
use crate::transactions::create as transaction;
use crate::wait::{MAX_WAIT, wait_until};
use receiver::{Received, Receiver, says};

/// Makes sure that webhook 1 exists and has a dead letter.
pub fn with_dead_letter(office: &Office) {
    let url = "http://127.0.0.1:9/".to_owned();
    let types = vec!["store.replaced".to_owned()];
    let settings = WebhookSettings { url, description: None, types, is_full: false, is_active: true };
    if office.store().read(|db| webhooks::find(db, 1)).unwrap().is_none() {
        // An id is never assigned twice, so the test first removes its reservation.
        let file = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
        file.execute("DELETE FROM reserved_ids WHERE resource = 'webhooks'", []).unwrap();
    }
    let here = office.app().data_folder_id().clone();
    let written = office.store().write(move |tx| {
        if webhooks::find(*tx, 1)?.is_none() {
            webhooks::insert(tx, &settings, &WebhookSecret::from_bytes([7; 32]), 0, &here, NOON)?;
        }
        let known = webhooks::find_delivery(*tx, 1, DEAD_LETTER)?;
        if let Some(known) = known {
            if known.status == DeliveryStatus::Failed {
                return Ok(());
            }
            // An attempt in progress could still be recorded for this delivery.
            webhooks::drop_delivery(tx, known.number)?;
        }
        webhooks::send_again(tx, 1, &[Event { seq: 1, ty: "store.replaced".to_owned() }], NOON * 1000)?;
        let letter = webhooks::find_delivery(*tx, 1, DEAD_LETTER)?.unwrap();
        let attempt = Attempt { at: NOON, status: Some(500), failure: None, ms: 1, answer: None };
        webhooks::attempted(tx, 1, &letter, &attempt, DeliveryOutcome::Failed, NOON * 1000)
    });
    written.unwrap();
}

/// The `webhook-id` of the dead letter.
pub const DEAD_LETTER: &str = "msg_1_store_replaced";

/// Noon of the office's first day, in seconds since 1970.
const NOON: i64 = 1_781_708_400;

/// Creates a webhook to the receiver for these types, and returns its id and secret.
fn webhook(office: &Office, receiver: &Receiver, types: &[&str], more: Value) -> (u64, String) {
    let mut body = json!({ "url": receiver.url(), "types": types });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = office.post("/webhooks", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let made = reply.json();
    (made["webhook_id"].as_u64().unwrap(), made["secret"].as_str().unwrap().to_owned())
}

fn one(office: &Office, id: u64) -> Value {
    let reply = office.get(&format!("/webhooks/{id}"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn act(office: &Office, path: &str, body: Value) -> Value {
    let reply = office.post(path, &body);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    assert_eq!(reply.json()["success"], true, "{path}");
    reply.json()
}

fn deliveries(office: &Office, id: u64, query: &str) -> Vec<Value> {
    let reply = office.get(&format!("/webhooks/{id}/deliveries?{query}"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let page = reply.json();
    let data = page["data"].as_array().unwrap().clone();
    assert!(data.len() as u64 <= page["totalCount"].as_u64().unwrap());
    data
}

/// Waits until the webhook has `count` deliveries of this status, and returns them.
fn settled(office: &Office, id: u64, status: &str, count: usize) -> Vec<Value> {
    wait_until(MAX_WAIT, &format!("{count} deliveries are {status}"), || {
        Some(deliveries(office, id, &format!("status={status}"))).filter(|all| all.len() == count)
    })
}

/// Returns the types of the messages, in order of arrival.
fn types_of(all: &[Received]) -> Vec<String> {
    all.iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect()
}

fn latest(office: &Office) -> u64 {
    office.get("/changes?limit=1").json()["latest"].as_u64().unwrap()
}

/// Waits until the sender has processed all earlier changes at the current time: a message to a second webhook,
/// created after everything else, has arrived.
struct Barrier {
    receiver: Receiver,
    count: usize,
}

impl Barrier {
    fn new(office: &Office) -> Barrier {
        let receiver = Receiver::new();
        webhook(office, &receiver, &["settings.changed"], json!({ "description": "barrier" }));
        Barrier { receiver, count: 0 }
    }

    fn wait(&mut self, office: &Office) {
        self.count += 1;
        let name = format!("Barreira {}", self.count);
        assert_eq!(office.post("/settings/origins", &json!({ "origin": name })).status, 201);
        self.receiver.wait(self.count);
    }
}

#[test]
fn a_webhook_is_created_shown_changed_and_deleted() {
    let office = Office::new();
    assert_eq!(office.post("/webhooks", &json!({})).wrong_fields(), ["url", "types"]);
    let url = "https://127.0.0.1:5678/webhook/pleito";
    let reply = office.post("/webhooks", &json!({ "url": url, "types": ["lawsuit.closed"] }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let made = reply.json();
    assert_eq!((&made["success"], &made["webhook_id"]), (&json!(true), &json!(1)));
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 6 + 44, "{secret}");

    let expected = json!({
        "id": 1, "url": url, "description": null, "types": ["lawsuit.closed"], "payload": "thin", "active": true,
        "status": "ok", "cursor": latest(&office), "failed": 0, "last_success_at": null, "last_failure": null,
        "created_at": "2026-06-17 12:00:00", "updated_at": "2026-06-17 12:00:00",
    });
    assert_eq!(one(&office, 1), expected);
    let list = office.get("/webhooks").json();
    assert_eq!((&list["data"], &list["totalCount"]), (&json!([expected]), &json!(1)));
    assert!(!office.get("/webhooks").text().contains("whsec_"));

    office.pass(60);
    let change =
        json!({ "description": "n8n", "payload": "full", "types": "publication.created, lawsuit.closed" });
    let changed = office.put("/webhooks/1", &change);
    assert_eq!((changed.status, changed.json()), (200, json!({ "success": true, "webhook_id": 1 })));
    let now = one(&office, 1);
    assert_eq!(now["types"], json!(["publication.created", "lawsuit.closed"]));
    assert_eq!((&now["description"], &now["payload"]), (&json!("n8n"), &json!("full")));
    assert_eq!(now["updated_at"], "2026-06-17 12:01:00");
    let emptied = json!({ "description": null, "payload": null, "types": ["*", "lawsuit.closed"] });
    assert_eq!(office.put("/webhooks/1", &emptied).status, 200);
    let now = one(&office, 1);
    assert_eq!(
        (&now["description"], &now["payload"], &now["types"]),
        (&Value::Null, &json!("thin"), &json!(["*"]))
    );
    assert_eq!(office.put("/webhooks/1", &json!({ "url": null })).wrong_fields(), ["url"]);

    for path in ["/webhooks/2", "/webhooks/0", "/webhooks/x", "/webhooks/2/deliveries"] {
        office.get(path).problem(404, "not-found");
    }
    for path in ["secret", "test", "deliveries/msg_1_x/retry", "deliveries/msg_1_x/dismiss"] {
        office.post(&format!("/webhooks/2/{path}"), &json!({})).problem(404, "not-found");
        let there = office.post(&format!("/webhooks/1/{path}"), &json!({}));
        assert_eq!(there.status == 404, path.starts_with("deliveries"), "{path}: {}", there.text());
    }
    office.post("/webhooks/2/replay", &json!({ "since": 0 })).problem(404, "not-found");
    office.put("/webhooks/2", &json!({ "active": true })).problem(404, "not-found");
    assert_eq!(office.send("DELETE", "/webhooks/1", &[], None).status, 200);
    office.send("DELETE", "/webhooks/1", &[], None).problem(404, "not-found");
    office.get("/webhooks/1").problem(404, "not-found");
}

#[test]
fn an_id_is_never_assigned_again() {
    let office = Office::new();
    now(&office);
    let receiver = Receiver::new();
    let make = || webhook(&office, &receiver, &["*"], json!({ "active": false })).0;
    let delete = |id: u64| {
        let path = format!("/webhooks/{id}");
        assert_eq!(office.send("DELETE", &path, &[], None).status, 200);
    };
    assert_eq!((make(), make()), (1, 2));
    delete(2);
    assert_eq!(make(), 3);
    for id in [1, 3] {
        delete(id);
    }
    let file = backup(office.folder());
    assert_eq!((make(), make()), (4, 5));
    delete(5);
    // Ids that a restored backup has undone are not assigned again either.
    answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(make(), 6);
}

#[test]
fn at_most_twenty_webhooks_are_allowed() {
    let office = Office::new();
    let receiver = Receiver::new();
    for _ in 0..20 {
        webhook(&office, &receiver, &["*"], json!({ "active": false }));
    }
    let body = json!({ "url": receiver.url(), "types": ["*"] });
    assert_eq!(office.post("/webhooks", &body).wrong_fields(), ["webhooks"]);
    assert_eq!(office.send("DELETE", "/webhooks/7", &[], None).status, 200);
    assert_eq!(office.post("/webhooks", &body).status, 201);
}

#[test]
fn errors_name_the_wrong_member_and_the_allowed_values() {
    let office = Office::new();
    let refused = |name: &str, value: Value| -> String {
        let mut body = json!({ "url": "http://127.0.0.1:5678/", "types": ["*"] });
        body[name] = value;
        let reply = office.post("/webhooks", &body);
        assert_eq!(reply.wrong_fields(), [name], "{body}");
        reply.json()["errors"][name].to_string()
    };
    let own = office.address().port();
    for url in [
        json!(7),
        json!("n8n"),
        json!("ftp://127.0.0.1/"),
        json!("http://ana:senha@127.0.0.1:5678/"),
        json!("http://169.254.169.254/latest/meta-data/"),
        json!("http://[::ffff:169.254.169.254]/"),
        json!("https://224.0.0.1/"),
        json!("http://93.184.215.14/"),
        json!(format!("http://127.0.0.1:{own}/api/v1/customers")),
        json!(format!("http://localhost:{own}/")),
        json!(format!("https://[::1]:{own}/")),
    ] {
        refused("url", url);
    }
    let error = refused("types", json!(["lawsuit.closed", "lawsuit.opened"]));
    assert!(
        error.contains("lawsuit.closed") && error.contains("publication.treated") && error.contains('*'),
        "{error}"
    );
    for types in [json!([]), json!([7]), json!({}), json!(7)] {
        refused("types", types);
    }
    assert!(refused("payload", json!("thick")).contains("thin, full"));
    refused("active", json!("perhaps"));
    refused("description", json!("x".repeat(201)));
    for since in [json!(-1), json!(latest(&office) + 1), json!("x"), json!(1.5)] {
        refused("since", since);
    }
    let wrong = json!({ "url": "x", "types": ["x"], "payload": "x", "active": 7 });
    assert_eq!(office.post("/webhooks", &wrong).wrong_fields(), ["url", "types", "payload", "active"]);
    assert_eq!(office.get("/webhooks").json()["totalCount"], 0);
    office.get("/webhooks/1/deliveries?status=lost").problem(422, "invalid");
}

#[test]
fn a_message_follows_the_specification() {
    let office = Office::new();
    let receiver = Receiver::new();
    let customer = office.customer("Maria da Conceição", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    let (id, secret) = webhook(&office, &receiver, &["lawsuit.stage_changed", "lawsuit.updated"], json!({}));
    office.pass(30);
    assert_eq!(
        office.put(&format!("/lawsuits/{lawsuit}"), &json!({ "stages_id": 13, "notes": "N" })).status,
        200
    );
    let all = receiver.wait(2);
    let seq = latest(&office);
    assert_eq!(all[0].id(), format!("msg_{seq}_lawsuit_updated"));
    assert_eq!(all[1].id(), format!("msg_{seq}_lawsuit_stage_changed"));
    let changed = json!(["notes", "stages_id"]);
    for (message, ty) in all.iter().zip(["lawsuit.updated", "lawsuit.stage_changed"]) {
        assert_eq!(message.path, "/hook?from=pleito");
        assert_eq!(message.header("content-type"), "application/json");
        assert!(message.header("user-agent").starts_with("Pleito/"));
        assert_eq!(message.at(), NOON + 30);
        assert!(message.is_signed_by(&secret) && !message.header("webhook-signature").contains(' '));
        let data =
            json!({ "seq": seq, "resource": "lawsuits", "id": lawsuit, "op": "updated", "changed": changed });
        let expected = json!({ "type": ty, "timestamp": "2026-06-17T15:00:30Z", "data": data });
        assert_eq!(message.json(), expected);
        // The members are in this order, without spaces.
        assert!(message.body.starts_with(&format!(r#"{{"type":"{ty}","timestamp":""#)), "{}", message.body);
    }
    let all = settled(&office, id, "delivered", 2);
    let attempt = json!([{ "at": "2026-06-17 12:00:30", "status": 204, "ms": 0, "answer": null }]);
    let expected = json!({
        "message": format!("msg_{seq}_lawsuit_updated"), "type": "lawsuit.updated", "seq": seq,
        "status": "delivered", "attempts": attempt, "next_attempt_at": null,
    });
    assert_eq!(all[1], expected);
    let now = one(&office, id);
    assert_eq!((&now["last_success_at"], &now["status"]), (&json!("2026-06-17 12:00:30"), &json!("ok")));
}

#[test]
fn each_change_is_sent_under_its_message_types() {
    let office = Office::new();
    let receiver = Receiver::new();
    webhook(&office, &receiver, &["*"], json!({}));
    let mut count = 0;
    let mut by = |what: &dyn Fn() -> Reply| -> Vec<String> {
        let reply = what();
        assert!([200, 201].contains(&reply.status), "{}", reply.text());
        // A last change marks the end, so that no other message can follow.
        let name = format!("Fim {count}");
        assert_eq!(office.post("/settings/origins", &json!({ "origin": name })).status, 201);
        let end = format!("msg_{}_settings_changed", latest(&office));
        let all = wait_until(MAX_WAIT, "the last message has arrived", || {
            let all = receiver.all();
            Some(all).filter(|all| all.last().is_some_and(|last| last.id() == end))
        });
        let new = types_of(&all[count..all.len() - 1]);
        count = all.len();
        new
    };
    let put = |path: &'static str, body: Value| move |office: &Office| office.put(path, &body);
    let customer = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Maria" });
    assert_eq!(by(&|| office.post("/customers", &customer)), ["customer.created"]);
    let lawsuit = json!({ "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1 });
    assert_eq!(by(&|| office.post("/lawsuits", &lawsuit)), ["lawsuit.created"]);
    for (act, types) in [
        (put("/lawsuits/1", json!({ "notes": "N" })), vec!["lawsuit.updated"]),
        (put("/lawsuits/1", json!({ "stages_id": 13 })), vec!["lawsuit.updated", "lawsuit.stage_changed"]),
        (
            put("/lawsuits/1", json!({ "status_closure": "2026-06-01" })),
            vec!["lawsuit.updated", "lawsuit.closed"],
        ),
        (put("/lawsuits/1", json!({ "status_closure": "2026-06-02" })), vec!["lawsuit.updated"]),
        (put("/lawsuits/1", json!({ "status_closure": null })), vec!["lawsuit.updated", "lawsuit.reopened"]),
        (put("/lawsuits/1", json!({ "notes": "N" })), vec![]),
    ] {
        let found = by(&|| act(&office));
        // Writing a value that is already there changes nothing.
        let found =
            found.into_iter().filter(|ty| !types.is_empty() || ty != "lawsuit.updated").collect::<Vec<_>>();
        assert_eq!(found, types);
    }
    assert_eq!(by(&|| office.post("/settings/users", &json!({ "name": "Ana" }))), ["settings.changed"]);
    let task =
        json!({ "from": 1, "guests": [1, 2], "tasks_id": 4, "lawsuits_id": 1, "start_date": "2026-12-24" });
    assert_eq!(by(&|| office.post("/posts", &task)), ["post.created"]);
    let complete = |user: u64| office.put("/posts/1/complete", &json!({ "users_id": user }));
    assert_eq!(by(&|| complete(1)), ["post.updated", "post.guest_completed"]);
    assert_eq!(by(&|| complete(2)), ["post.updated", "post.guest_completed", "post.completed"]);
    assert_eq!(by(&|| office.put("/posts/1/reopen", &json!({}))), ["post.updated"]);

    let publication = json!({ "lawsuit_id": 1, "date": "2026-05-20", "publication": "Intimação" });
    let publications = json!({ "publications": [publication] });
    assert_eq!(by(&|| office.post("/publications", &publications)), ["publication.created"]);
    let treat = |treated: bool| office.put("/lawsuits/publication/1", &json!({ "treated": treated }));
    assert_eq!(by(&|| treat(true)), ["publication.updated", "publication.treated"]);
    assert_eq!(by(&|| treat(false)), ["publication.updated"]);
    let movement = json!({ "lawsuit_id": 1, "description": "Sentença" });
    assert_eq!(by(&|| office.post("/lawsuits/movement", &movement)), ["movement.created"]);

    let made = std::cell::Cell::new(0);
    let paid = by(&|| {
        made.set(transaction(&office, json!({})));
        office.get(&format!("/transactions/{}", made.get()))
    });
    assert_eq!(paid, ["transaction.created"]);
    let pay =
        |day: Value| office.put(&format!("/transactions/{}", made.get()), &json!({ "date_payment": day }));
    assert_eq!(by(&|| pay(json!("2026-06-10"))), ["transaction.updated", "transaction.paid"]);
    assert_eq!(by(&|| pay(json!("2026-06-11"))), ["transaction.updated"]);
    assert_eq!(by(&|| pay(Value::Null)), ["transaction.updated", "transaction.unpaid"]);

    let uploaded = by(&|| {
        document(&office, "nota.pdf", b"nota");
        office.get("/documents/1")
    });
    assert_eq!(uploaded, ["document.created"]);
    assert_eq!(by(&|| office.send("DELETE", "/documents/1", &[], None)), ["document.deleted"]);
    assert_eq!(by(&|| office.put("/documents/1", &json!({ "deleted": false }))), ["document.restored"]);
}

#[test]
fn a_full_message_contains_the_record_unless_it_is_too_long() {
    let office = Office::new();
    let receiver = Receiver::new();
    let customer = office.customer("Ana Souza", json!({}));
    office.lawsuit(&[customer], json!({}));
    let (id, _) = webhook(&office, &receiver, &["publication.created"], json!({ "payload": "full" }));
    // 200,000 characters of one byte are below 256 KiB, and of two bytes above it.
    for (number, text) in (1..).zip(["a".repeat(200_000), "é".repeat(200_000)]) {
        let date = format!("2026-05-{:02}", 10 + number);
        let publication = json!({ "lawsuit_id": 1, "date": date, "publication": text });
        assert_eq!(office.post("/publications", &json!({ "publications": [publication] })).status, 200);
        receiver.wait(number);
    }
    let all = receiver.all();
    let record = &all[0].json()["data"]["record"];
    assert_eq!(*record, office.get("/lawsuits/publication/1").json());
    assert!(all[0].body.len() <= 256 * 1024);
    let data = all[1].json()["data"].clone();
    assert_eq!((data["id"].as_u64(), data.get("record")), (Some(2), Some(&Value::Null)));
    // The message has the record as it is when it is sent, which is `null` once it is deleted.
    assert_eq!(
        office.put(&format!("/webhooks/{id}"), &json!({ "types": ["publication.deleted"] })).status,
        200
    );
    assert_eq!(office.send("DELETE", "/lawsuits/publication/1", &[], None).status, 200);
    let last = receiver.wait(3).pop().unwrap().json();
    assert_eq!((&last["type"], &last["data"]["record"]), (&json!("publication.deleted"), &Value::Null));
}

#[test]
fn ten_attempts_are_made_when_they_are_due_and_then_the_message_is_a_dead_letter() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    receiver.answers(|_| (500, String::new(), "é".repeat(300)));
    let (id, secret) = webhook(&office, &receiver, &["customer.created"], json!({}));
    office.customer("Ana Souza", json!({}));
    let mut now = NOON;
    assert_eq!(receiver.wait(1)[0].at(), now);
    let message = receiver.all()[0].id().to_owned();
    for (tries, wait) in (2..).zip([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
        let waiting = settled_attempts(&office, id, tries - 1);
        assert_eq!(waiting["status"], "waiting");
        // A random tenth may be added or subtracted, so nine tenths of the wait are never enough.
        let early = wait * 9 / 10 - 1;
        office.pass(early);
        barrier.wait(&office);
        assert_eq!(receiver.all().len(), tries - 1, "no attempt before it is due");
        let rest = wait * 11 / 10 + 1 - early;
        office.pass(rest);
        now += i64::try_from(early + rest).unwrap();
        let last = receiver.wait(tries).pop().unwrap();
        assert_eq!((last.id(), last.at()), (message.as_str(), now), "each attempt has its own timestamp");
        assert!(last.is_signed_by(&secret));
    }
    let dead = settled(&office, id, "failed", 1).remove(0);
    assert_eq!((&dead["message"], &dead["next_attempt_at"]), (&json!(message), &Value::Null));
    let attempts = dead["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 10);
    assert_eq!((&attempts[9]["status"], &attempts[9]["answer"]), (&json!(500), &json!("é".repeat(200))));
    let webhook = one(&office, id);
    assert_eq!((&webhook["failed"], &webhook["status"]), (&json!(1), &json!("failing")));
    assert_eq!(webhook["last_failure"]["reason"], "it answered 500");
    assert!(webhook["last_failure"]["at"].as_str().is_some());

    // A retried message gets ten attempts again. After its delivery, it is no longer a dead letter.
    receiver.answers(|_| says(200));
    office.pass(60);
    let path = format!("/webhooks/{id}/deliveries/{message}");
    assert_eq!(act(&office, &format!("{path}/retry"), json!({}))["message"], json!(message));
    assert_eq!(receiver.wait(11)[10].id(), message);
    settled(&office, id, "delivered", 1);
    assert_eq!((&one(&office, id)["failed"], &one(&office, id)["status"]), (&json!(0), &json!("ok")));
    for what in ["retry", "dismiss"] {
        office.post(&format!("{path}/{what}"), &json!({})).problem(404, "not-found");
    }
}

/// Waits until the webhook's only delivery has `count` recorded attempts, and returns it.
fn settled_attempts(office: &Office, id: u64, count: usize) -> Value {
    wait_until(MAX_WAIT, &format!("{count} attempts are recorded"), || {
        let one = deliveries(office, id, "").into_iter().next()?;
        Some(one).filter(|one| one["attempts"].as_array().unwrap().len() == count)
    })
}

#[test]
fn after_five_failures_in_a_row_one_attempt_a_minute_is_made() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    receiver.answers(|_| says(503));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    for number in 1..=7 {
        office.customer(&format!("Cliente {number}"), json!({}));
    }
    // Each message is tried once. The fifth failure is the last attempt for a minute.
    receiver.wait(5);
    wait_until(MAX_WAIT, "all five attempts are recorded", || {
        (one(&office, id)["last_failure"] != Value::Null
            && deliveries(&office, id, "")
                .iter()
                .filter(|one| !one["attempts"].as_array().unwrap().is_empty())
                .count()
                == 5)
            .then_some(())
    });
    office.pass(59);
    barrier.wait(&office);
    assert_eq!(receiver.all().len(), 5);
    office.pass(1);
    assert_eq!(receiver.wait(6)[5].at(), NOON + 60);
    settled_attempts_of(&office, id, 6);
    barrier.wait(&office);
    assert_eq!(receiver.all().len(), 6);
    // A success ends the pause. Messages that failed still wait for their own retry.
    receiver.answers(|_| says(200));
    office.pass(60);
    settled(&office, id, "delivered", 6);
    // One message has failed twice and waits longer.
    office.pass(330);
    settled(&office, id, "delivered", 7);
    assert_eq!(one(&office, id)["status"], "ok");
}

/// Waits until all deliveries together have `count` recorded attempts.
fn settled_attempts_of(office: &Office, id: u64, count: usize) {
    wait_until(MAX_WAIT, &format!("{count} attempts are recorded"), || {
        let all = deliveries(office, id, "");
        let attempts = all.iter().map(|one| one["attempts"].as_array().unwrap().len());
        (attempts.sum::<usize>() == count).then_some(())
    });
}

#[test]
fn retry_after_from_the_receiver_sets_the_time_of_the_next_attempt() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    for (number, (status, header, wait)) in (1..).zip([
        (429, "Retry-After: 120", 120),
        (503, "Retry-After: 2", 2),
        (500, "Retry-After: Wed, 17 Jun 2026 23:00:00 GMT", 0),
        (503, "Retry-After: 999999", 86_400),
        (302, "Retry-After: 30\r\nLocation: http://127.0.0.1:1/", 30),
    ]) {
        let header = format!("{header}\r\n");
        receiver.answers(move |_| (status, header.clone(), String::new()));
        office.customer(&format!("Cliente {number}"), json!({}));
        let before = receiver.wait(2 * number - 1).pop().unwrap();
        settled_attempts(&office, id, 1);
        receiver.answers(|_| says(200));
        let wait = if wait == 0 { 1_781_737_200 - before.at() } else { wait };
        office.pass(u64::try_from(wait - 1).unwrap());
        barrier.wait(&office);
        assert_eq!(receiver.all().len(), 2 * number - 1, "{status}");
        office.pass(1);
        assert_eq!(receiver.wait(2 * number).pop().unwrap().at(), before.at() + wait, "{status}");
        settled(&office, id, "delivered", number);
    }
}

#[test]
fn a_redirect_to_the_output_of_an_apps_script_counts_as_delivered_and_any_other_as_failed() {
    let office = Office::new();
    let (receiver, elsewhere) = (Receiver::new(), Receiver::new());
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    let redirects = |status: u16, to: &str| {
        let header = format!("Location: {to}\r\n");
        receiver.answers(move |_| (status, header.clone(), "<HTML>Moved Temporarily</HTML>".to_owned()));
        office.post(&format!("/webhooks/{id}/test"), &json!({})).json()
    };
    let output = "https://script.googleusercontent.com/macros/echo?user_content_key=x&lib=y";
    let tried = redirects(302, output);
    assert_eq!((&tried["status"], &tried["answer"]), (&json!(302), &json!("<HTML>Moved Temporarily</HTML>")));
    office.customer("Ana", json!({}));
    settled(&office, id, "delivered", 1);
    assert_eq!(one(&office, id)["status"], "ok");
    let visitor = Visitor::new(&office);
    assert!(visitor.send("/webhooks/1", &[("do", "test")]).page().contains("it answered 302"));

    let other = elsewhere.url();
    let sign_in = "https://accounts.google.com/ServiceLogin?continue=https://script.googleusercontent.com/";
    for (status, to) in [(301, output), (307, output), (302, other.as_str()), (303, sign_in)] {
        let tried = redirects(status, to);
        let answer = json!(format!("redirects are not followed: {to}"));
        assert_eq!((&tried["status"], &tried["answer"]), (&json!(status), &answer));
    }
    let tried = redirects(302, &format!("https://example.com/{}", "x".repeat(300)));
    let answer = tried["answer"].as_str().unwrap();
    assert_eq!(answer.len(), "redirects are not followed: ".len() + 200, "{answer}");
    redirects(302, &other);
    office.customer("Bia", json!({}));
    let waiting = settled(&office, id, "waiting", 1).remove(0);
    let waiting = match waiting["attempts"][0].is_null() {
        true => wait_until(MAX_WAIT, "the attempt is recorded", || {
            Some(deliveries(&office, id, "status=waiting").remove(0))
                .filter(|one| !one["attempts"][0].is_null())
        }),
        false => waiting,
    };
    assert_eq!(waiting["attempts"][0]["answer"], json!(format!("redirects are not followed: {other}")));
    assert_eq!(one(&office, id)["last_failure"]["reason"], waiting["attempts"][0]["answer"]);
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let page = visitor.send("/webhooks/1", &[("do", "test")]).page();
    assert!(page.contains("os redirecionamentos não são seguidos"), "{page}");
    assert!(elsewhere.all().is_empty());
}

#[test]
fn a_dead_letter_sent_again_by_hand_is_tried_at_once_and_first() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    receiver.answers(|_| says(503));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    for number in 1..=7 {
        office.customer(&format!("Cliente {number}"), json!({}));
    }
    // After five failures in a row, the webhook waits a minute, and two messages were never tried.
    settled_attempts_of(&office, id, 5);
    let all = deliveries(&office, id, "");
    let message = |customer: usize| all[7 - customer]["message"].as_str().unwrap().to_owned();
    let die = |message: String| {
        office
            .store()
            .write(move |tx| {
                let webhook = u32::try_from(id).unwrap();
                let letter = webhooks::find_delivery(*tx, webhook, &message)?.unwrap();
                let attempt = Attempt { at: NOON, status: Some(503), failure: None, ms: 1, answer: None };
                webhooks::attempted(tx, webhook, &letter, &attempt, DeliveryOutcome::Failed, NOON * 1000)
            })
            .unwrap();
    };
    [5, 4, 3].into_iter().for_each(|customer| die(message(customer)));
    barrier.wait(&office);
    assert_eq!(receiver.all().len(), 5);
    let retry = |message: &str| {
        act(&office, &format!("/webhooks/{id}/deliveries/{message}/retry"), json!({}));
    };
    let dead = settled(&office, id, "failed", 3);
    assert!(dead.iter().all(|one| one["next_attempt_at"].is_null()));
    retry(&message(5));
    assert_eq!(receiver.wait(6)[5].id(), message(5), "no wait, and no other message before it");
    settled_attempts_of(&office, id, 5 + 3 + 1);
    // It failed once more, so the others wait their minute.
    barrier.wait(&office);
    assert_eq!(receiver.all().len(), 6);
    // The console's button does the same.
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.send("/webhooks/1", &[("do", "retry"), ("message", &message(4))]).status, 404);
    let page = format!("/webhooks/{id}");
    assert_eq!(visitor.send(&page, &[("do", "retry"), ("message", &message(4))]).status, 303);
    assert_eq!(receiver.wait(7)[6].id(), message(4));
    settled_attempts_of(&office, id, 5 + 3 + 2);
    // The first message of a replay is tried at once too. Its success ends the wait of all others.
    receiver.answers(|_| says(200));
    assert_eq!(act(&office, &format!("{page}/replay"), json!({ "failed_only": true }))["messages"], 1);
    let all =
        wait_until(MAX_WAIT, "the messages are sent", || Some(receiver.all()).filter(|all| all.len() >= 10));
    assert_eq!(all[7].id(), message(3));
    settled(&office, id, "failed", 0);
}

#[test]
fn a_410_stops_a_webhook_until_it_is_activated_again() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    receiver.answers(|_| says(410));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    office.customer("Ana", json!({}));
    receiver.wait(1);
    let stopped = wait_until(MAX_WAIT, "the webhook is stopped", || {
        Some(one(&office, id)).filter(|one| one["status"] == "stopped")
    });
    assert_eq!(stopped["active"], false);
    office.pass(7 * 86_400);
    office.customer("Bia", json!({}));
    barrier.wait(&office);
    assert_eq!(receiver.all().len(), 1);
    assert_eq!(deliveries(&office, id, "")[0]["next_attempt_at"], Value::Null);

    receiver.answers(|_| says(200));
    assert_eq!(office.put(&format!("/webhooks/{id}"), &json!({ "active": true })).status, 200);
    let ids = |all: Vec<Received>| all.iter().map(|one| one.json()["data"]["id"].clone()).collect::<Vec<_>>();
    // Waiting messages are sent. Messages for changes while the webhook was stopped were never created.
    assert_eq!(ids(receiver.wait(2)), [json!(1), json!(1)]);
    office.customer("Caio", json!({}));
    assert_eq!(ids(receiver.wait(3))[2], json!(3));
    assert_eq!(one(&office, id)["status"], "ok");
}

#[test]
fn an_inactive_webhook_creates_no_messages_and_can_start_at_a_given_change() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    office.customer("Antes", json!({}));
    let since = latest(&office);
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({ "active": false }));
    let path = format!("/webhooks/{id}");
    office.customer("Enquanto", json!({}));
    barrier.wait(&office);
    office.post(&format!("{path}/replay"), &json!({ "since": 0 })).problem(422, "invalid");
    assert_eq!(office.put(&path, &json!({ "since": since })).wrong_fields(), ["since"]);
    assert_eq!(office.put(&path, &json!({ "active": true, "since": since })).status, 200);
    let ids = |all: Vec<Received>| all.iter().map(|one| one.json()["data"]["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(receiver.wait(1)), [json!(2)]);
    assert_eq!(office.put(&path, &json!({ "active": true, "since": 0 })).wrong_fields(), ["since"]);
    assert_eq!(office.put(&path, &json!({ "active": true })).status, 200);
    office.customer("Depois", json!({}));
    assert_eq!(ids(receiver.wait(2))[1], json!(3));
    assert_eq!(office.put(&path, &json!({ "active": false })).status, 200);
    office.customer("Outra vez", json!({}));
    assert_eq!(office.put(&path, &json!({ "active": true })).status, 200);
    office.customer("Agora", json!({}));
    assert_eq!(ids(receiver.wait(3))[2], json!(5));

    // A new webhook may start at a past change, too.
    let other = Receiver::new();
    webhook(&office, &other, &["customer.created"], json!({ "since": 0 }));
    assert_eq!(ids(other.wait(5)), [1, 2, 3, 4, 5]);
    let cursor = wait_until(MAX_WAIT, "the cursor is stored", || {
        let cursor = one(&office, id)["cursor"].as_u64().unwrap();
        Some(cursor).filter(|cursor| *cursor == latest(&office))
    });
    assert!(cursor > since);
}

#[test]
fn a_replay_sends_messages_again_under_the_same_ids() {
    let office = Office::new();
    let receiver = Receiver::new();
    let before = latest(&office);
    office.customer("Ana", json!({}));
    let (id, _) = webhook(&office, &receiver, &["customer.created", "customer.updated"], json!({}));
    let first = latest(&office);
    office.customer("Bia", json!({}));
    assert_eq!(office.put("/customers/2", &json!({ "city": "Içara" })).status, 200);
    office.customer("Caio", json!({}));
    let sent: Vec<_> = receiver.wait(3).iter().map(|one| one.id().to_owned()).collect();
    settled(&office, id, "delivered", 3);
    let path = format!("/webhooks/{id}/replay");
    assert_eq!(office.post(&path, &json!({ "types": ["*"] })).wrong_fields(), ["since"]);
    assert_eq!(office.post(&path, &json!({ "since": 5, "until": 4 })).wrong_fields(), ["until"]);
    assert_eq!(office.post(&path, &json!({ "since": 0, "types": ["x"] })).wrong_fields(), ["types"]);
    let mut count = 3;
    for (body, messages) in [
        (json!({ "since": first }), sent.clone()),
        (json!({ "since": first, "until": first + 1 }), vec![sent[0].clone()]),
        (json!({ "since": first, "until": first }), vec![]),
        (json!({ "since": first, "types": ["customer.updated"] }), vec![sent[1].clone()]),
        (json!({ "since": first, "types": ["lawsuit.created"] }), vec![]),
        (json!({ "failed_only": true }), vec![]),
        // Changes from before the webhook was created were never sent to it, but are still in the feed.
        (json!({ "since": before, "until": first }), vec![format!("msg_{first}_customer_created")]),
    ] {
        let answer = act(&office, &path, body.clone());
        assert_eq!((&answer["messages"], &answer["more"]), (&json!(messages.len()), &json!(false)), "{body}");
        let all = receiver.wait(count + messages.len());
        let new: Vec<_> = all[count..].iter().map(|one| one.id().to_owned()).collect();
        assert_eq!(new, messages, "{body}");
        count = all.len();
        settled(&office, id, "waiting", 0);
    }

    receiver.answers(|message| says(if message.json()["data"]["id"] == 5 { 500 } else { 200 }));
    office.customer("Dora", json!({}));
    office.customer("Eva", json!({}));
    receiver.wait(count + 2);
    for tries in 3..=11 {
        settled_attempts(&office, id, tries - 2);
        office.pass(27 * 3600);
        receiver.wait(count + tries);
    }
    let dead = settled(&office, id, "failed", 1).remove(0);
    receiver.answers(|_| says(200));
    office.pass(60);
    let nothing = act(&office, &path, json!({ "failed_only": true, "types": ["customer.updated"] }));
    assert_eq!(nothing["messages"], 0);
    assert_eq!(act(&office, &path, json!({ "failed_only": true }))["messages"], 1);
    assert_eq!(json!(receiver.wait(count + 12).pop().unwrap().id()), dead["message"]);
    settled(&office, id, "failed", 0);
}

#[test]
fn a_dismissed_dead_letter_is_deleted() {
    let office = Office::new();
    let receiver = Receiver::new();
    receiver.answers(|_| says(400));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    office.customer("Ana", json!({}));
    for tries in 1..=10 {
        receiver.wait(tries);
        settled_attempts(&office, id, tries);
        office.pass(27 * 3600);
    }
    let dead = settled(&office, id, "failed", 1).remove(0);
    // A dead letter is kept until it is retried or dismissed.
    office.pass(400 * 86_400);
    settled(&office, id, "failed", 1);
    let path = format!("/webhooks/{id}/deliveries/{}/dismiss", dead["message"].as_str().unwrap());
    act(&office, &path, json!({}));
    assert!(deliveries(&office, id, "").is_empty());
    office.post(&path, &json!({})).problem(404, "not-found");
}

#[test]
fn deliveries_are_deleted_after_thirty_days() {
    let office = Office::new();
    let mut barrier = Barrier::new(&office);
    let receiver = Receiver::new();
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    office.customer("Ana", json!({}));
    settled(&office, id, "delivered", 1);
    office.pass(30 * 86_400);
    barrier.wait(&office);
    assert_eq!(deliveries(&office, id, "").len(), 1);
    // Old deliveries are purged once an hour.
    office.pass(3600);
    barrier.wait(&office);
    settled(&office, id, "delivered", 0);
}

#[test]
fn a_new_secret_signs_at_once_and_the_old_one_for_another_day() {
    let office = Office::new();
    let receiver = Receiver::new();
    let (id, old) = webhook(&office, &receiver, &["customer.created"], json!({}));
    let made = act(&office, &format!("/webhooks/{id}/secret"), json!({}));
    let new = made["secret"].as_str().unwrap();
    assert!(new != old && new.starts_with("whsec_"));
    let signatures = |wait: u64, number: usize| {
        office.pass(wait);
        office.customer(&format!("Cliente {number}"), json!({}));
        let message = receiver.wait(number).pop().unwrap();
        assert!(message.is_signed_by(new));
        let count = message.header("webhook-signature").split(' ').count();
        assert_eq!(message.is_signed_by(&old), count == 2);
        count
    };
    assert_eq!([signatures(0, 1), signatures(24 * 3600 - 1, 2), signatures(1, 3)], [2, 2, 1]);
}

#[test]
fn a_test_is_sent_at_once_and_is_not_listed() {
    let office = Office::new();
    let receiver = Receiver::new();
    receiver.answers(|_| (418, String::new(), "não quero".to_owned()));
    // An inactive webhook can be tested, too.
    let (id, secret) = webhook(&office, &receiver, &["lawsuit.closed"], json!({ "active": false }));
    let reply = office.post(&format!("/webhooks/{id}/test"), &json!({}));
    let expected = json!({ "at": "2026-06-17 12:00:00", "status": 418, "ms": 0, "answer": "não quero" });
    assert_eq!((reply.status, reply.json()), (200, expected));
    let message = receiver.wait(1).remove(0);
    assert!(
        message.is_signed_by(&secret) && message.id().starts_with("msg_test_") && !message.id().contains('.')
    );
    let expected =
        json!({ "type": "webhook.test", "timestamp": "2026-06-17T15:00:00Z", "data": { "webhook_id": id } });
    assert_eq!(message.json(), expected);
    assert!(deliveries(&office, id, "").is_empty());
    assert_eq!(one(&office, id)["status"], "ok");

    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(
        office.put(&format!("/webhooks/{id}"), &json!({ "url": format!("http://{gone}/") })).status,
        200
    );
    let tried = office.post(&format!("/webhooks/{id}/test"), &json!({})).json();
    assert_eq!(
        (&tried["status"], &tried["answer"]),
        (&Value::Null, &json!("nothing answers at that address"))
    );
}

#[test]
fn messages_are_sent_in_order_and_a_failing_one_does_not_delay_others() {
    let office = Office::new();
    let receiver = Receiver::new();
    receiver.answers(|message| says(if message.json()["data"]["id"] == 3 { 500 } else { 200 }));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({}));
    for number in 1..=8 {
        office.customer(&format!("Cliente {number}"), json!({}));
    }
    let ids: Vec<_> = receiver.wait(8).iter().map(|one| one.json()["data"]["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6, 7, 8]);
    settled(&office, id, "delivered", 7);
    receiver.answers(|_| says(200));
    office.pass(6);
    assert_eq!(receiver.wait(9)[8].json()["data"]["id"], 3);
}

#[test]
fn a_slow_receiver_does_not_delay_others() {
    let office = Office::new();
    let (slow, quick) = (Receiver::new(), Receiver::new());
    let (open, gate) = channel::<()>();
    slow.answers(move |_| {
        let _ = gate.recv();
        says(200)
    });
    let (id, _) = webhook(&office, &slow, &["customer.created"], json!({}));
    webhook(&office, &quick, &["customer.created"], json!({}));
    for number in 1..=3 {
        office.customer(&format!("Cliente {number}"), json!({}));
    }
    quick.wait(3);
    // Each receiver gets one message at a time.
    assert_eq!(slow.wait(1).len(), 1);
    drop(open);
    slow.wait(3);
    settled(&office, id, "delivered", 3);
}

#[test]
fn no_message_is_lost_or_sent_twice_by_a_restart() {
    let mut office = Office::new();
    let receiver = Receiver::new();
    receiver.answers(|_| says(500));
    let (id, secret) = webhook(&office, &receiver, &["customer.created"], json!({}));
    office.customer("Ana", json!({}));
    settled_attempts(&office, id, 1);
    office.customer("Bia", json!({}));
    wait_until(MAX_WAIT, "both messages have been tried", || {
        let all = deliveries(&office, id, "");
        (all.len() == 2 && all.iter().all(|one| one["attempts"].as_array().unwrap().len() == 1)).then_some(())
    });
    receiver.answers(|_| says(200));
    // The retries fall due while no server runs. Each is made once after the restart, and missed attempts are
    // not made up for.
    office.pass(3600);
    office.restart();
    let all = receiver.wait(4);
    let ids: Vec<_> = all[2..].iter().map(|one| one.json()["data"]["id"].clone()).collect();
    assert_eq!(ids, [1, 2]);
    assert!(all.iter().all(|one| one.is_signed_by(&secret)));
    settled(&office, id, "delivered", 2);
    office.customer("Caio", json!({}));
    receiver.wait(5);
    settled(&office, id, "delivered", 3);
}

#[test]
fn the_address_is_checked_at_every_attempt() {
    let office = Office::new();
    let own = office.address();
    // The addresses are stored directly, as if their host names had resolved to allowed addresses at that time.
    for (number, url) in (1..).zip([
        format!("http://{own}/api/v1/customers"),
        format!("http://localhost:{}/", own.port()),
        "http://169.254.169.254/".to_owned(),
        "http://[::ffff:169.254.169.254]/".to_owned(),
        "http://93.184.215.14/".to_owned(),
    ]) {
        let types = vec!["customer.created".to_owned()];
        let settings = WebhookSettings { url, description: None, types, is_full: true, is_active: true };
        let secret = WebhookSecret::from_bytes([7; 32]);
        let here = office.app().data_folder_id().clone();
        let made = office.store().write(move |tx| webhooks::insert(tx, &settings, &secret, 0, &here, NOON));
        assert_eq!(made.unwrap(), number);
    }
    office.customer("Ana", json!({}));
    for id in 1..=5 {
        let attempt = settled_attempts(&office, id, 1)["attempts"][0].clone();
        assert_eq!(attempt["status"], Value::Null, "{id}");
        assert_eq!(attempt["answer"], "the name leads to an address that is not allowed", "{id}");
    }
}

#[test]
fn a_webhook_that_fails_for_a_day_is_reported_until_it_succeeds() {
    let office = Office::new();
    let receiver = Receiver::new();
    receiver.answers(|_| says(500));
    let (id, _) = webhook(&office, &receiver, &["customer.created"], json!({ "description": "n8n" }));
    let named = || {
        office.app().webhook_health().borrow().failing.iter().map(|one| u64::from(one.id)).collect::<Vec<_>>()
    };
    let on_page = || Visitor::new(&office).page("").contains("A webhook has failed for more than a day");
    office.customer("Ana", json!({}));
    settled_attempts(&office, id, 1);
    office.pass(86_399);
    settled_attempts(&office, id, 2);
    assert_eq!((named(), on_page()), (vec![], false));
    office.pass(1);
    wait_until(MAX_WAIT, "the webhook is reported", || (named() == [id]).then_some(()));
    assert!(on_page());
    receiver.answers(|_| says(200));
    office.pass(7200);
    settled(&office, id, "delivered", 1);
    wait_until(MAX_WAIT, "the webhook is no longer reported", || named().is_empty().then_some(()));
    assert!(!on_page());
    let folder = office.stopped();
    assert_eq!(point(folder.path(), "webhooks")["ok"], true);
}

#[test]
fn the_console_creates_tests_and_manages_webhooks() {
    let office = Office::new();
    let receiver = Receiver::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/api").leads_to("/console/webhooks/new"));
    let url = receiver.url();
    let form = visitor.page("/webhooks/new");
    let types = form.sent_as("types");
    let closed = types.iter().find(|one| one.value() == "lawsuit.closed").expect("a checkbox for each type");
    assert_eq!(closed.label(), "Lawsuits: closed");
    // The form keeps its input and shows the errors beside it.
    let refused =
        visitor.send("/webhooks/new", &[("url", "x"), ("description", "Meu n8n"), ("payload", "full")]);
    assert_eq!(refused.status, 422);
    let page = refused.page();
    assert_eq!(page.control("description").value(), "Meu n8n");
    assert!(page.control("url").error().contains("must be a whole address"), "{page}");
    assert!(!page.anchored("e-types").text().is_empty(), "{page}");
    let fields = [
        ("url", url.as_str()),
        ("description", "Meu <n8n>"),
        ("types", "customer.created"),
        ("types", "lawsuit.closed"),
        ("payload", "thin"),
        ("active", "true"),
    ];
    let made = visitor.send("/webhooks/new", &fields);
    assert_eq!((made.status, made.header("location")), (303, "/console/webhooks/1"), "{}", made.text());
    let first = visitor.page("/webhooks/1");
    let secret = |page: &Page| {
        let text = page.text();
        text.split_whitespace().find(|word| word.starts_with("whsec_")).map(str::to_owned)
    };
    let old = secret(&first).expect("the secret is shown");
    assert!(first.contains("Meu <n8n>") && first.contains("working"), "{first}");
    assert_eq!(secret(&visitor.page("/webhooks/1")), None, "the secret is shown only once");
    assert_eq!(one(&office, 1)["types"], json!(["customer.created", "lawsuit.closed"]));

    receiver.answers(|_| (500, String::new(), "<b>falhou</b>".to_owned()));
    let tried = visitor.send("/webhooks/1", &[("do", "test")]);
    assert_eq!(tried.status, 200);
    let page = tried.page();
    assert!(page.contains("it answered 500") && page.contains("<b>falhou"), "{page}");
    office.customer("Ana", json!({}));
    for tries in 1..=10 {
        settled_attempts(&office, 1, tries);
        office.pass(27 * 3600);
    }
    settled(&office, 1, "failed", 1);
    // Days have passed, and the session has expired.
    let mut visitor = Visitor::new(&office);
    let page = visitor.page("/webhooks/1?status=failed");
    assert!(page.contains("Attempts: 10") && page.contains("not delivered"), "{page}");
    assert!(visitor.page("/api").contains("1 message not delivered"));
    let message = deliveries(&office, 1, "")[0]["message"].as_str().unwrap().to_owned();
    let done = |fields: &[(&str, &str)], to: &str| {
        let reply = visitor.send("/webhooks/1", fields);
        assert_eq!((reply.status, reply.header("location")), (303, to), "{fields:?}: {}", reply.text());
        visitor.page(to.strip_prefix("/console").unwrap())
    };
    receiver.answers(|_| says(200));
    done(&[("do", "retry"), ("message", &message)], "/console/webhooks/1?done=retry");
    settled(&office, 1, "delivered", 1);
    done(&[("do", "replay"), ("since", "0")], "/console/webhooks/1?done=replay&messages=1");
    done(
        &[("do", "replay"), ("since", "0"), ("failed", "yes")],
        "/console/webhooks/1?done=replay&messages=0",
    );
    let gone = visitor.send("/webhooks/1", &[("do", "dismiss"), ("message", &message)]);
    assert_eq!(gone.status, 404);
    let renewed = done(&[("do", "secret")], "/console/webhooks/1");
    assert!(secret(&renewed).is_some_and(|new| new != old));
    let off = [&fields[..5], &[("do", "save")]].concat();
    assert!(done(&off, "/console/webhooks/1?done=saved").exact("off") == 1);
    assert_eq!(one(&office, 1)["active"], false);
    assert_eq!(visitor.send("/webhooks/1", &[("do", "save"), ("url", "x")]).status, 422);
    assert_eq!(visitor.send("/webhooks/1", &[("do", "nothing")]).status, 404);
    assert_eq!(visitor.look("/webhooks/2").status, 404);
    let deleted = visitor.send("/webhooks/1", &[("do", "delete")]);
    assert_eq!((deleted.status, deleted.header("location")), (303, "/console/api"));
    visitor.language = "pt-BR";
    assert!(visitor.page("/api").contains("Novo webhook"));
    assert_eq!(office.get("/webhooks").json()["totalCount"], 0);
}

#[test]
fn webhooks_need_the_token_of_the_account() {
    let office = Office::with(UNLIMITED);
    let reply = office.raw("GET", "/api/v1/webhooks", &[], None);
    reply.problem(401, "unauthenticated");
}
