//! Deleting and restoring records (resources 18).

use serde_json::{Value, json};

use crate::documents::document;
use crate::office::{Office, Reply, UNLIMITED};

fn delete(office: &Office, path: &str) -> Reply {
    office.send("DELETE", path, &[], None)
}

/// Starts an office with two customers, a lawsuit of the second, a task for it and a document of customer 1.
fn office() -> Office {
    let office = Office::new();
    office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "birthdate": "17/06/1980" }));
    let second = office.customer("Bia Lima", json!({}));
    office.lawsuit(&[second], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    task(&office, 1, "2026-12-10");
    document(&office, "nota.pdf", b"nota");
    office
}

fn task(office: &Office, lawsuit: u64, day: &str) -> u64 {
    let body = json!({ "lawsuits_id": lawsuit, "tasks_id": 1, "from": 1, "guests": [1], "start_date": day });
    let reply = office.post("/posts", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["posts_id"].as_u64().unwrap()
}

/// Creates a transaction of lawsuit 1 and its customer.
fn transaction(office: &Office) {
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "1500.50", "description": "Parcela",
        "users_id": 1, "categories_id": 1, "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": 1,
    });
    let reply = office.post("/transactions", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
}

/// Captures movement 1 of lawsuit 1, and returns the captured item.
fn capture_movement(office: &Office) -> Value {
    let item = json!({ "lawsuit_id": 1, "date": "2026-06-10", "description": "Sentença" });
    let reply = office.post("/movements", &json!({ "movements": [item] }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    item
}

/// Captures publication 1 of lawsuit 1, and returns the captured item.
fn capture_publication(office: &Office) -> Value {
    let item = json!({ "lawsuit_id": 1, "date": "2026-06-10", "publication": "Intimação" });
    let reply = office.post("/publications", &json!({ "publications": [item] }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    item
}

fn restore(office: &Office, path: &str) -> Reply {
    office.put(path, &json!({ "deleted": false }))
}

#[test]
fn the_examples_of_the_contract_get_the_documented_responses() {
    let office = office();
    transaction(&office);
    let deleted = delete(&office, "/transactions/1?reason=lan%C3%A7ada%20duas%20vezes");
    let expected =
        r#"{"success":true,"transactions_id":1,"transaction_id":1,"deleted_at":"2026-06-17 12:00:00"}"#;
    assert_eq!((deleted.status, deleted.text().as_str()), (200, expected));
    let gone = office.get("/transactions/1").problem(404, "not-found");
    let sentence = "Transaction not found";
    let expected = json!({
        "error": sentence, "message": sentence, "code": "not-found", "deleted_at": "2026-06-17 12:00:00",
    });
    assert_eq!(gone, expected);
    office.pass(60);
    assert_eq!(
        delete(&office, "/transactions/1").json(),
        deleted.json(),
        "a second deletion returns the same"
    );

    let back = restore(&office, "/transactions/1");
    let expected = r#"{"success":true,"transactions_id":1,"transaction_id":1}"#;
    assert_eq!((back.status, back.text().as_str()), (200, expected));

    let used = delete(&office, "/customers/2").problem(422, "in-use");
    let sentence = "The record is in use.";
    let expected = json!({
        "error": sentence, "message": sentence, "code": "in-use",
        "errors": { "lawsuits": ["1"], "transactions": ["1"] },
    });
    assert_eq!(used, expected);
    let used = delete(&office, "/customers/1").problem(422, "in-use");
    assert_eq!(used["errors"], json!({ "documents": ["1"] }));
    let used = delete(&office, "/lawsuits/1").problem(422, "in-use");
    assert_eq!(used["errors"], json!({ "transactions": ["1"] }));
}

/// Movements and publications are deleted and restored with their lawsuit. Meanwhile no list of any shape shows them.
#[test]
fn movements_and_publications_are_deleted_and_restored_with_their_lawsuit() {
    let office = office();
    capture_movement(&office);
    capture_publication(&office);
    let totals = || {
        ["/movements", "/last_movements", "/publications"]
            .map(|list| office.get(list).json()["totalCount"].clone())
    };
    assert_eq!(totals(), [1, 1, 1]);
    assert_eq!(delete(&office, "/lawsuits/1").status, 200);
    assert_eq!(totals(), [0, 0, 0]);
    for path in ["/lawsuits/movement/1", "/lawsuits/publication/1"] {
        office.get(path).problem(404, "not-found");
    }
    for path in ["/movements/1", "/publications/1"] {
        office.get(path).problem(404, "not-found");
    }
    assert_eq!(office.get("/movements?deleted=true").json()["totalCount"], 1);
    assert_eq!(restore(&office, "/lawsuits/1").status, 200);
    assert_eq!(totals(), [1, 1, 1]);
    assert_eq!(office.get("/movements/1").json()["totalCount"], 1);
}

/// DELETE and PUT of a movement or publication return the ids by which clients know it.
#[test]
fn a_single_movement_or_publication_is_deleted_and_restored() {
    let office = office();
    capture_movement(&office);
    capture_publication(&office);
    for (path, ids) in [
        ("/lawsuits/movement/1", r#""lawsuits_id":1,"lawsuit_id":1,"movement_id":1"#),
        ("/lawsuits/publication/1", r#""publication_id":1"#),
    ] {
        let deleted = format!(r#"{{"success":true,{ids},"deleted_at":"2026-06-17 12:00:00"}}"#);
        for time in ["once", "again"] {
            let reply = delete(&office, path);
            assert_eq!((reply.status, reply.text()), (200, deleted.clone()), "{path} {time}");
        }
        let reply = restore(&office, path);
        assert_eq!((reply.status, reply.text()), (200, format!(r#"{{"success":true,{ids}}}"#)), "{path}");
        let none = path.replace('1', "9");
        delete(&office, &none).problem(404, "not-found");
        restore(&office, &none).problem(404, "not-found");
    }
    let lists = ["/movements/1", "/last_movements", "/publications/1"];
    let totals = || lists.map(|list| office.get(list).json()["totalCount"].clone());
    assert_eq!(totals(), [1, 1, 1]);
    delete(&office, "/lawsuits/movement/1");
    delete(&office, "/lawsuits/publication/1");
    assert_eq!(totals(), [0, 0, 0]);
    for list in ["/movements/1", "/publications/1"] {
        let deleted = office.get(&format!("{list}?deleted=true")).json();
        assert_eq!(deleted["data"][0]["deleted_at"], "2026-06-17 12:00:00", "{list}");
    }

    // A record that was deleted before its lawsuit cannot be restored before it, and is not restored along with it.
    delete(&office, "/lawsuits/1");
    for path in ["/lawsuits/movement/1", "/lawsuits/publication/1"] {
        assert_eq!(restore(&office, path).wrong_fields(), ["lawsuit_id"], "{path}");
    }
    restore(&office, "/lawsuits/1");
    assert_eq!(totals(), [0, 0, 0]);
    // The reason is shown if the deletion gave one, and is dropped by a restore.
    delete(&office, "/lawsuits/movement/1?reason=twice");
    let why = || office.get("/movements/1?deleted=true").json()["data"][0]["deleted_reason"].clone();
    assert_eq!(why(), Value::Null, "it was deleted before, without a reason");
    restore(&office, "/lawsuits/movement/1");
    delete(&office, "/lawsuits/movement/1?reason=twice");
    assert_eq!(why(), "twice");
    for path in ["/lawsuits/movement/1", "/lawsuits/publication/1"] {
        assert_eq!(restore(&office, path).status, 200, "{path}");
    }
    assert_eq!(totals(), [1, 1, 1]);
}

/// A deleted record counts as existing, by its external id and as an equal record.
#[test]
fn a_deleted_record_is_not_created_again_by_the_next_capture() {
    let office = office();
    let equal = [capture_movement(&office), capture_publication(&office)];
    for ((list, one), equal) in
        [("movements", "movement"), ("publications", "publication")].into_iter().zip(equal)
    {
        let id = format!("{one}_id");
        let merge = |items: Value| {
            let merged = office.post(&format!("/{list}"), &json!({ list: items })).json();
            let each = merged[list].as_array().unwrap().iter();
            let ids: Vec<_> = each.map(|each| (each[&id].as_u64(), each["lawsuit_id"].as_u64())).collect();
            (merged["created"].as_u64().unwrap(), merged["existing"].as_u64().unwrap(), ids)
        };
        let mut named = equal.clone();
        named["external_ids"] = json!("court:1");
        assert_eq!(merge(json!([named])), (1, 0, vec![(Some(2), Some(1))]), "{list}");
        for number in [1, 2] {
            assert_eq!(delete(&office, &format!("/lawsuits/{one}/{number}")).status, 200, "{list}");
        }
        let both = vec![(Some(2), Some(1)), (Some(1), Some(1))];
        assert_eq!(merge(json!([named, equal])), (0, 2, both), "{list}");
        assert_eq!(office.get(&format!("/{list}")).json()["totalCount"], 0, "{list}");
        assert_eq!(merge(json!([equal, equal])).2, [(Some(1), Some(1)), (Some(2), Some(1))], "{list}");
        delete(&office, "/lawsuits/1");
        assert_eq!(
            merge(json!([{ "process_number": "0000002-65.2005.4.05.8100", "date": "2026-06-10",
            "description": "x", "publication": "x", "external_ids": "court:1" }]))
            .2,
            [(Some(2), Some(1))],
            "{list}"
        );
        restore(&office, "/lawsuits/1");
        assert_eq!(merge(json!([equal, equal, equal])).2.len(), 3, "{list}");
        assert_eq!(office.ids(&format!("/{list}")), [3], "{list}: only the third one is new");
    }
}

/// A publication lists the tasks that answer it, except for deleted ones. Its ETag changes with that list.
#[test]
fn a_publication_does_not_list_a_deleted_task() {
    let office = office();
    capture_publication(&office);
    assert_eq!(office.put("/posts/1", &json!({ "publications_id": 1 })).status, 200);
    let shown = || {
        let reply = office.get("/lawsuits/publication/1");
        (reply.json()["posts"].clone(), reply.header("etag").to_owned())
    };
    let (posts, before) = shown();
    assert_eq!(posts, json!([1]));
    assert_eq!(delete(&office, "/posts/1").status, 200);
    let (posts, after) = shown();
    assert_eq!(posts, json!([]));
    assert_ne!(after, before);
}

#[test]
fn sums_leave_out_deleted_transactions() {
    let office = office();
    let sums = |query: &str| {
        let list = office.get(&format!("/transactions?sums=true{query}")).json();
        (list["totalCount"].clone(), list["sums"]["income"]["unpaid"].clone())
    };
    (0..2).for_each(|_| transaction(&office));
    delete(&office, "/transactions/1");
    assert_eq!(sums(""), (json!(1), json!(1500.5)));
    assert_eq!(sums("&deleted=true"), (json!(1), json!(1500.5)));
    delete(&office, "/transactions/2");
    assert_eq!(sums(""), (json!(0), json!(0.0)));
    assert_eq!(sums("&deleted=true&description=parcela"), (json!(2), json!(3001.0)));
}

#[test]
fn deleted_records_are_hidden_and_restored_unchanged() {
    let office = office();
    transaction(&office);
    capture_movement(&office);
    capture_publication(&office);
    for (path, list) in [
        ("/documents/1", "/documents?name=nota"),
        ("/lawsuits/movement/1", "/movements?title=sentenca"),
        ("/lawsuits/publication/1", "/publications?publication=intimacao"),
        ("/posts/1", "/posts"),
        ("/transactions/1", "/transactions?description=parcela"),
        ("/lawsuits/1", "/lawsuits?process_number=0000002"),
        ("/customers/1", "/customers?name=ana"),
    ] {
        let all = list.split('?').next().unwrap();
        let deleted_too = format!("{list}{}deleted=true", if list.contains('?') { '&' } else { '?' });
        let of_all = office.ids(all);
        assert_eq!((office.ids(list), office.ids(&deleted_too)), (vec![1], vec![]), "{path}");
        let before = office.get(path);
        let deleted = delete(&office, path).json()["deleted_at"].clone();

        assert_eq!((office.ids(list), office.ids(&deleted_too)), (vec![], vec![1]), "{path}");
        assert_eq!(office.ids(all).len() + 1, of_all.len(), "{path}");
        let shown = office.get(&deleted_too).json()["data"][0].clone();
        assert!(deleted.is_string() && shown["deleted_at"] == deleted, "{path}: {shown}");
        // Each noun has one of these members.
        let change = json!({ "notes": "x", "description": "x", "publication": "x" });
        for gone in [office.get(path), office.put(path, &change)] {
            assert_eq!(gone.problem(404, "not-found")["deleted_at"], deleted, "{path}");
        }

        office.pass(60);
        assert_eq!(restore(&office, path).status, 200, "{path}");
        assert_eq!(restore(&office, path).status, 200, "{path}: a second restore changes nothing");
        let after = office.get(path);
        assert_eq!(
            (after.json(), after.header("etag")),
            (before.json(), before.header("etag")),
            "{path}: updated_at is unchanged too"
        );
        assert_eq!(office.ids(all), of_all, "{path}");
        // Deletes the record again, because it would keep the next records from being deleted.
        if path != "/lawsuits/1" {
            delete(&office, path);
        }
    }
}

#[test]
fn deleted_records_are_in_no_other_total_or_list() {
    let office = office();
    delete(&office, "/documents/1");
    assert_eq!(office.ids("/customers/birthdays?month=6"), [1]);
    delete(&office, "/customers/1");
    assert!(office.ids("/customers/birthdays?month=6").is_empty());
    assert!(office.ids("/customers?birthdays=true").is_empty());
    let earned = || office.get("/users/rewards").json()["data"].as_array().unwrap().len();
    office.put("/posts/1/complete", &json!({ "users_id": [1] }));
    assert_eq!(earned(), 1);
    delete(&office, "/posts/1");
    assert_eq!(earned(), 0);
    assert_eq!(office.get("/history/1").json()["totalCount"], 0);
    assert_eq!(office.get("/customers/2").json()["lawsuits"].as_array().unwrap().len(), 1);
    delete(&office, "/lawsuits/1");
    assert_eq!(office.get("/customers/2").json()["lawsuits"], json!([]));
    office.get("/history/1").problem(404, "not-found");
    assert!(office.ids("/lawsuits?open=true").is_empty());
    assert_eq!(office.ids("/lawsuits?open=true&deleted=true"), [1]);
}

#[test]
fn a_lawsuit_is_deleted_with_its_tasks_and_restored_with_those_deleted_along() {
    let office = office();
    let second = task(&office, 1, "2026-12-11");
    let third = task(&office, 1, "2026-12-12");
    delete(&office, &format!("/posts/{second}"));
    assert_eq!(delete(&office, "/lawsuits/1").status, 200);
    assert!(office.ids("/posts?status=all&order=asc").is_empty());
    assert_eq!(office.ids("/posts?deleted=true&order=asc"), [1, second, third]);
    assert_eq!(restore(&office, "/posts/1").wrong_fields(), ["lawsuits_id"], "its lawsuit is deleted");
    assert_eq!(office.get("/posts/1").status, 404);

    assert_eq!(restore(&office, "/lawsuits/1").status, 200);
    assert_eq!(office.ids("/posts?order=asc"), [1, third]);
    assert_eq!(restore(&office, &format!("/posts/{second}")).status, 200);
    assert_eq!(office.ids("/posts?order=asc"), [1, second, third]);
}

#[test]
fn a_lawsuit_can_be_restored_after_its_customers() {
    let office = office();
    delete(&office, "/lawsuits/1");
    assert_eq!(delete(&office, "/customers/2").status, 200, "no live record refers to it");
    assert_eq!(restore(&office, "/lawsuits/1").wrong_fields(), ["customers_id"]);
    let new = json!({ "users_id": 1, "customers_id": [2], "stages_id": 12, "type_lawsuits_id": 1 });
    assert_eq!(office.post("/lawsuits", &new).wrong_fields(), ["customers_id"]);
    restore(&office, "/customers/2");
    assert_eq!(restore(&office, "/lawsuits/1").status, 200);
}

#[test]
fn a_deleted_record_keeps_its_identifiers() {
    let office = office();
    let put = |ids: Value| office.put("/documents/1", &json!({ "external_ids": ids }));
    assert_eq!(put(json!(["asaas:1"])).status, 200);
    delete(&office, "/documents/1");
    delete(&office, "/customers/1");
    let again =
        json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana", "identification": "52998224725" });
    let taken = office.post("/customers", &again).problem(422, "duplicate");
    assert_eq!((&taken["customer_id"], &taken["deleted_at"]), (&json!(1), &json!("2026-06-17 12:00:00")));
    restore(&office, "/customers/1");
    let taken = office.post("/customers", &again).problem(422, "duplicate");
    assert_eq!((&taken["customer_id"], taken.get("deleted_at")), (&json!(1), None));
    assert_eq!(document(&office, "outra.pdf", b"nota"), 2);
    let taken = office.put("/documents/2", &json!({ "external_ids": ["asaas:1"] })).problem(422, "duplicate");
    assert_eq!((&taken["document_id"], &taken["deleted_at"]), (&json!(1), &json!("2026-06-17 12:00:00")));
}

#[test]
fn if_match_allows_a_deletion_only_with_the_current_version() {
    let office = office();
    let old = office.get("/documents/1").header("etag").to_owned();
    office.put("/documents/1", &json!({ "notes": "Outra." }));
    let with = |tag: &str| office.send("DELETE", "/documents/1", &[("if-match", tag)], None);
    with(&old).problem(412, "changed-meanwhile");
    let tag = office.get("/documents/1").header("etag").to_owned();
    assert_eq!(with(&tag).status, 200);
    assert_eq!(with(&tag).status, 200, "a request repeated after a lost response");
}

#[test]
fn errors_of_wrong_requests_name_the_cause() {
    let office = office();
    delete(&office, "/documents/2").problem(404, "not-found");
    delete(&office, "/documents/x").problem(404, "not-found");
    let put = |body: Value| office.put("/documents/1", &body);
    assert_eq!(put(json!({ "deleted": true })).wrong_fields(), ["deleted"]);
    assert_eq!(put(json!({ "deleted": false, "notes": "x" })).wrong_fields(), ["deleted"]);
    assert_eq!(put(json!({ "deleted": 3 })).wrong_fields(), ["deleted"]);
    let long = "x".repeat(201);
    assert_eq!(delete(&office, &format!("/documents/1?reason={long}")).wrong_fields(), ["reason"]);
    assert_eq!(delete(&office, &format!("/documents/1?reason={}", &long[1..])).status, 200);
    assert_eq!(office.get("/documents?deleted=perhaps").wrong_fields(), ["deleted"]);
    restore(&office, "/documents/2").problem(404, "not-found");
    delete(&office, "/settings/users/1").problem(405, "method-not-allowed");
}

#[test]
fn the_daily_limit_of_deletions_stops_a_runaway_script() {
    let office = Office::with("[limits]\nget_per_minute = 0\nput_per_day = 0\ndelete_per_day = 2\n");
    (0..3).for_each(|number| _ = office.customer(&format!("Ana {number}"), json!({})));
    assert_eq!(delete(&office, "/customers/1").header("x-ratelimit-remaining"), "1");
    assert_eq!(delete(&office, "/customers/2").status, 200);
    delete(&office, "/customers/3").problem(429, "rate-limited");
    delete(&office, "/lawsuits/3").problem(404, "not-found");
    let unlimited = Office::with(UNLIMITED);
    for number in 0..120 {
        let id = unlimited.customer(&format!("Bia {number}"), json!({}));
        assert_eq!(delete(&unlimited, &format!("/customers/{id}")).status, 200);
    }
}

#[test]
fn the_trash_is_the_same_after_a_restart() {
    let mut office = office();
    delete(&office, "/posts/1");
    office.restart();
    assert_eq!((office.ids("/posts"), office.ids("/posts?deleted=true")), (vec![], vec![1]));
    assert_eq!(restore(&office, "/posts/1").status, 200);
}

#[test]
fn two_customers_are_merged_into_one() {
    let office = office();
    // Lawsuit 2 has both customers, and only one after the merge. Document 1 belongs to the customer that is
    // merged away.
    office.lawsuit(&[1, 2], json!({}));
    office.put("/customers/1", &json!({ "city": "Criciúma", "notes": "Dela." }));
    office.put("/customers/2", &json!({ "city": "Içara" }));
    delete(&office, "/lawsuits/1");
    let merge =
        |into: u64, from: u64| office.post(&format!("/customers/{into}/merge"), &json!({ "from": from }));
    for (into, from) in [(2, 2), (2, 3)] {
        assert_eq!(merge(into, from).wrong_fields(), ["from"]);
    }
    merge(3, 1).problem(404, "not-found");
    office.post("/customers/2/merge", &json!({ "from": "x" })).problem(422, "invalid");
    let before = office.ids("/customers");
    let key = [("idempotency-key", "merge-1")];
    let send = || office.send("POST", "/customers/2/merge", &key, Some(br#"{"from":1}"#));
    let merged = send();
    assert_eq!((merged.status, merged.json()["customer_id"].clone()), (200, json!(2)), "{}", merged.text());
    assert_eq!((before, office.ids("/customers")), (vec![1, 2], vec![2]));
    assert_eq!(send().json(), merged.json(), "the same idempotency key gets the same response");
    let other = office.send("POST", "/customers/3/merge", &key, Some(br#"{"from":1}"#));
    other.problem(422, "idempotency-key-reused");

    let whole = office.get("/customers/2").json();
    assert_eq!(whole["identification"], "529.982.247-25");
    assert_eq!(
        (&whole["city"], &whole["notes"], &whole["name"]),
        (&json!("Içara"), &json!("Dela."), &json!("Bia Lima"))
    );
    assert_eq!(whole["lawsuits"].as_array().unwrap().len(), 1);
    assert_eq!(office.ids("/lawsuits?customer_id=2"), [2]);
    assert_eq!(
        office.ids("/lawsuits?name=ana"),
        Vec::<u64>::new(),
        "the lawsuit is named after the remaining customer"
    );
    assert_eq!(office.get("/lawsuits/2").json()["customers"].as_array().unwrap().len(), 1);
    assert_eq!(office.ids("/documents?customer_id=2"), [1]);
    assert_eq!(office.ids("/documents?customer_id=1"), Vec::<u64>::new());
    let gone = office.get("/customers/1").problem(404, "not-found");
    assert_eq!((&gone["merged_into"], &gone["deleted_at"]), (&json!(2), &json!("2026-06-17 12:00:00")));

    assert_eq!(restore(&office, "/customers/1").status, 200);
    let back = office.get("/customers/1").json();
    assert_eq!((&back["name"], &back["identification"]), (&json!("Ana Souza"), &Value::Null));
    assert_eq!(restore(&office, "/lawsuits/1").status, 200);
}

/// A file with equal bytes, name and records is the same document, so uploading it restores the deleted one
/// (resources 17.3).
#[test]
fn uploading_a_deleted_document_again_restores_it() {
    let office = office();
    office.put("/documents/1", &json!({ "notes": "Dela.", "external_ids": ["drive:1"] }));
    delete(&office, "/documents/1");
    assert_eq!(document(&office, "nota.pdf", b"nota"), 1);
    let back = office.get("/documents/1").json();
    assert_eq!((&back["notes"], &back["external_ids"]), (&json!("Dela."), &json!(["drive:1"])));
    assert_eq!((office.ids("/documents"), office.ids("/documents?deleted=true")), (vec![1], vec![]));
    assert_eq!(office.get("/documents/1/content").bytes, b"nota");
}

/// The error for a reference to a deleted record names the deletion and the way to restore it, unlike the error
/// for a record that never existed.
#[test]
fn errors_distinguish_deleted_records_from_those_that_never_existed() {
    let office = office();
    transaction(&office);
    capture_movement(&office);
    delete(&office, "/documents/1");
    for path in ["/posts/1", "/lawsuits/movement/1", "/transactions/1", "/lawsuits/1", "/customers/2"] {
        delete(&office, path);
    }
    let assert_error = |reply: Reply, field: &str, sentence: &str| {
        let problem = reply.problem(422, "invalid");
        let found = problem["errors"][field][0].as_str().unwrap_or_else(|| panic!("{problem}"));
        assert_eq!(found, sentence, "{problem}");
    };
    let gone = |noun: &str| {
        format!(r#"is {noun}, which was deleted; a PUT of {{"deleted": false}} to it brings it back"#)
    };
    assert_error(restore(&office, "/posts/1"), "lawsuits_id", &gone("lawsuit 1"));
    assert_error(restore(&office, "/lawsuits/movement/1"), "lawsuit_id", &gone("lawsuit 1"));
    assert_error(restore(&office, "/lawsuits/1"), "customers_id", &gone("customer 2"));
    let lawsuit = |customer: u64| {
        office.post(
            "/lawsuits",
            &json!({ "users_id": 1, "customers_id": [customer], "stages_id": 12, "type_lawsuits_id": 1 }),
        )
    };
    assert_error(lawsuit(2), "customers_id", &gone("customer 2"));
    assert_error(lawsuit(9), "customers_id", "no customer has the id 9");
    let movement = json!({ "lawsuit_id": 1, "description": "Ato" });
    assert_error(office.post("/lawsuits/movement", &movement), "lawsuit_id", &gone("lawsuit 1"));
    assert_error(
        office.post("/movements", &json!({ "movements": [movement] })),
        "movements.0.lawsuit_id",
        &gone("lawsuit 1"),
    );
    let (third, fourth) = (office.customer("Caio", json!({})), office.customer("Caio", json!({})));
    let merge = |from: u64| office.post(&format!("/customers/{third}/merge"), &json!({ "from": from }));
    assert_error(merge(2), "from", &gone("customer 2"));
    assert_eq!(merge(fourth).status, 200);
    assert_error(merge(fourth), "from", "is customer 4, which was merged into 3; use 3");
    let itself = merge(third);
    assert_eq!(itself.json()["error"], "from must be another record than the one it is merged into");
    assert_error(itself, "from", "must be another record than the one it is merged into");
    assert_eq!(lawsuit(9).json()["error"], "customers_id: no customer has the id 9");
    assert_error(lawsuit(fourth), "customers_id", "is customer 4, which was merged into 3; use 3");
}

/// The lists of one lawsuit and the list of newest movements also show deleted records on request (resources 18).
#[test]
fn every_list_shows_deleted_records_on_request() {
    let office = office();
    capture_movement(&office);
    capture_publication(&office);
    task(&office, 1, "2026-12-11");
    for path in ["/posts/1", "/lawsuits/movement/1", "/lawsuits/publication/1"] {
        delete(&office, path);
    }
    for (list, left) in
        [("/history/1", 1), ("/movements/1", 0), ("/publications/1", 0), ("/last_movements", 0)]
    {
        let all = office.get(list).json();
        assert_eq!(all["totalCount"], left, "{list}");
        assert!(all["data"].as_array().unwrap().iter().all(|row| row.get("deleted_at").is_none()), "{list}");
        let deleted = office.get(&format!("{list}?deleted=true")).json();
        assert_eq!(
            (&deleted["totalCount"], &deleted["data"][0]["deleted_at"]),
            (&json!(1), &json!("2026-06-17 12:00:00")),
            "{list}"
        );
        assert_eq!(office.get(&format!("{list}?deleted=x")).wrong_fields(), ["deleted"], "{list}");
    }
    assert_eq!(office.get("/history/1?deleted=true").json()["data"][0]["post_id"], 1);
    assert_eq!(office.get("/history/1?deleted=true&status=completed").json()["totalCount"], 0);
    capture_second(&office);
    assert_eq!(
        office.get("/last_movements?deleted=true").json()["data"][0]["id"],
        1,
        "the newest deleted movement"
    );
    assert_eq!(office.get("/last_movements").json()["data"][0]["id"], 2);
}

/// Creates movement 2, which is older than the first.
fn capture_second(office: &Office) {
    let body = json!({ "lawsuit_id": 1, "date": "2026-06-09", "description": "Conclusos" });
    assert_eq!(office.post("/lawsuits/movement", &body).status, 201);
}
