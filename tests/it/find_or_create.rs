//! Records that a PUT to their collection finds or creates, one or many at once (events 22).

use std::collections::HashSet;
use std::{fs, thread};

use pleito::http::json::batch::MAX_BATCH_BYTES;
use pleito::store::Store;
use serde_json::{Value, json};

use crate::office::{Office, UNLIMITED, agent, ask};
use crate::program::{Program, new_token};
use crate::wait::{MAX_WAIT, wait_until};

const CPF: &str = "529.982.247-25";

fn person(more: Value) -> Value {
    let mut body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Maria da Conceição" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// Returns the number of the newest change.
fn latest(office: &Office) -> u64 {
    office.get("/changes").json()["latest"].as_u64().unwrap()
}

#[test]
fn the_first_put_creates_and_the_second_finds() {
    let office = Office::new();
    let body = person(json!({ "identification": "52998224725" }));
    let first = office.put("/customers", &body);
    assert_eq!(first.status, 201, "{}", first.text());
    let answer = json!({
        "success": true, "customer_id": 1, "customers_id": 1, "created": true, "matched_by": null, "changed": [],
    });
    assert_eq!(first.json(), answer);
    assert_eq!(first.header("location"), "/api/v1/customers/1");
    assert_eq!(first.header("etag"), office.get("/customers/1").header("etag"));
    let before = latest(&office);
    let second = office.put("/customers", &body);
    let found = json!({
        "success": true, "customer_id": 1, "customers_id": 1, "created": false, "matched_by": "identification",
        "changed": [],
    });
    assert_eq!((second.status, second.json()), (200, found));
    assert_eq!((second.header("location"), second.header("etag")), ("", first.header("etag")));
    // Members that only a new record requires may be absent.
    let sparse = office.put("/customers", &json!({ "identification": CPF }));
    assert_eq!((sparse.status, &sparse.json()["customer_id"]), (200, &json!(1)));
    assert_eq!(latest(&office), before, "nothing was written");
    assert_eq!(office.ids("/customers"), [1]);
    let fields = office.put("/customers", &json!({ "identification": "11222333000181" })).wrong_fields();
    assert_eq!(fields, ["users_id", "customers_origins_id", "name"]);
}

#[test]
fn existing_records_are_kept_filled_or_updated() {
    let office = Office::new();
    let id =
        office.customer("Maria", json!({ "identification": CPF, "city": "Criciúma", "external_ids": "a:1" }));
    let put = |more: Value| {
        let mut body = json!({
            "identification": CPF, "name": "Maria da Conceição", "city": "Içara", "email": "maria@exemplo.com.br",
            "external_ids": "crm:4711",
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = office.put("/customers", &body);
        assert_eq!((reply.status, &reply.json()["customer_id"]), (200, &json!(id)), "{}", reply.text());
        reply.json()
    };
    let record = || office.get(&format!("/customers/{id}")).json();
    assert_eq!(put(json!({}))["changed"], json!([]));
    let filled = put(json!({ "existing": "fill" }));
    assert_eq!(
        (&filled["changed"], &filled["matched_by"]),
        (&json!(["email", "external_ids"]), &json!("identification"))
    );
    assert_eq!(
        (&record()["city"], &record()["external_ids"]),
        (&json!("Criciúma"), &json!(["a:1", "crm:4711"]))
    );
    let before = latest(&office);
    assert_eq!(put(json!({ "existing": "fill" }))["changed"], json!([]));
    assert_eq!(
        put(json!({ "existing": "fill" }))["matched_by"],
        "external_ids",
        "the first member that finds the record"
    );
    assert_eq!(latest(&office), before);
    let updated = put(json!({ "existing": "update" }));
    assert_eq!(updated["changed"], json!(["name", "city"]));
    assert_eq!(put(json!({ "existing": "update" }))["changed"], json!([]));
    assert_eq!(
        put(json!({ "existing": "update", "city": "" }))["changed"],
        json!(["city"]),
        "an empty value clears the member"
    );
    assert_eq!(put(json!({ "existing": "update", "city": null }))["changed"], json!([]));
    assert_eq!(latest(&office), before + 2);
    let change = &office.get(&format!("/changes?since={before}&resource=customers")).json()["data"][0];
    assert_eq!(
        (&change["op"], &change["changed"], &change["via"]),
        (&json!("updated"), &json!(["name", "city"]), &json!("api"))
    );
}

#[test]
fn match_names_the_members_to_search_by() {
    let office = Office::new();
    let id = office.customer("Ana", json!({ "email": "ana@exemplo.com.br", "cellphone": "48988880000" }));
    let found = |body: Value| {
        let reply = office.put("/customers", &body);
        (reply.status, reply.json()["customer_id"].clone(), reply.json()["matched_by"].clone())
    };
    let by = |name: &str| (200, json!(id), json!(name));
    assert_eq!(found(json!({ "match": ["email"], "email": "ANA@exemplo.com.br" })), by("email"));
    assert_eq!(found(json!({ "match": "cellphone", "cellphone": "(48) 98888-0000" })), by("cellphone"));
    let both = json!({ "match": ["cellphone", "email"], "email": "ana@exemplo.com.br", "cellphone": 48988880000u64 });
    assert_eq!(found(both), by("cellphone"));
    // By default, neither of the two is searched by. A name never is.
    let other = found(person(json!({ "name": "Ana", "email": "ana@exemplo.com.br", "external_ids": "a:1" })));
    assert_eq!(other, (201, json!(id + 1), Value::Null));

    let lawsuit =
        office.lawsuit(&[id], json!({ "process_number": "00000026520054058100", "protocol_number": "P-1" }));
    for (body, by) in [
        (json!({ "process_number": "0000002-65.2005.4.05.8100" }), "process_number"),
        (json!({ "protocol_number": "P-1", "match": "protocol_number" }), "protocol_number"),
    ] {
        let reply = office.put("/lawsuits", &body).json();
        assert_eq!((&reply["lawsuit_id"], &reply["matched_by"]), (&json!(lawsuit), &json!(by)));
    }
}

#[test]
fn tasks_and_transactions_are_found_by_external_id() {
    let office = Office::new();
    let lawsuit = office.lawsuit(&[office.customer("Ana", json!({}))], json!({}));
    let task = json!({
        "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": lawsuit, "start_date": "2026-12-24",
        "external_ids": ["agenda:7"], "existing": "update",
    });
    assert_eq!(office.put("/posts", &task).status, 201);
    let mut moved = task.clone();
    moved["start_date"] = json!("2026-12-28");
    moved["from"] = json!(99);
    let reply = office.put("/posts", &moved);
    assert_eq!((reply.status, &reply.json()["changed"]), (200, &json!(["date"])), "{}", reply.text());
    assert_eq!(office.put("/posts", &moved).json()["changed"], json!([]));

    let entry = json!({
        "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
        "amount": 1200, "date_due": "2026-06-17", "external_ids": "asaas:pay_81", "installments": 12,
    });
    let first = office.put("/transactions", &entry);
    assert_eq!((first.status, office.ids("/transactions").len()), (201, 12), "{}", first.text());
    assert_eq!(office.put("/transactions", &entry).json()["created"], json!(false));
    assert_eq!(office.ids("/transactions").len(), 12);
    let mut update = entry.clone();
    update["existing"] = json!("update");
    let wrong = office.put("/transactions", &update).problem(422, "invalid");
    assert_eq!(wrong["reasons"], json!({ "installments": ["not-alone"] }));
    update["installments"] = Value::Null;
    update["amount"] = json!(100);
    update["date_payment"] = json!("2026-06-17");
    assert_eq!(office.put("/transactions", &update).json()["changed"], json!(["date_payment"]));
}

#[test]
fn external_ids_are_never_removed_and_an_empty_list_is_no_key() {
    let office = Office::new();
    let ids = json!(["rm:1", "rm:2"]);
    office.put("/customers", &person(json!({ "identification": CPF, "external_ids": ids })));
    for empty in [json!(""), json!("  "), Value::Null, json!([])] {
        let body = json!({ "identification": CPF, "external_ids": empty, "existing": "update" });
        let reply = office.put("/customers", &body);
        assert_eq!((reply.status, &reply.json()["changed"]), (200, &json!([])), "{}", reply.text());
        assert_eq!(office.get("/customers/1").json()["external_ids"], ids);
        let alone = office.put("/customers", &person(json!({ "external_ids": empty })));
        assert_eq!(alone.wrong_fields(), ["match"], "{empty}");
    }
    assert_eq!(office.ids("/customers"), [1]);
}

#[test]
fn a_record_sent_back_as_read_changes_nothing() {
    let office = Office::new();
    office.customer("Maria", json!({}));
    let number = "0005001-83.2025.8.26.0100";
    let lawsuit = office.lawsuit(&[1], json!({ "process_number": number, "external_ids": "pin:1" }));
    let path = format!("/lawsuits/{lawsuit}");
    let mut read = office.get(&path).json();
    assert_eq!(read["court"], "TJSP");
    for existing in ["fill", "update"] {
        read["existing"] = json!(existing);
        let reply = office.put("/lawsuits", &json!({ "lawsuits": [read] })).json();
        assert_eq!(reply["lawsuits"][0]["changed"], json!([]), "{reply}");
    }
    // The court still follows the number.
    assert_eq!(office.put(&path, &json!({ "process_number": "0007000-59.2025.4.04.7200" })).status, 200);
    assert_eq!(office.get(&path).json()["court"], "TRF4");
}

#[test]
fn if_match_applies_to_a_single_record() {
    let office = Office::new();
    let body = json!({ "identification": CPF, "existing": "update", "city": "Içara" });
    let put = |tag: &str, body: &Value| {
        office.send("PUT", "/customers", &[("if-match", tag)], Some(body.to_string().as_bytes()))
    };
    put("*", &person(json!({ "identification": CPF }))).problem(412, "changed-meanwhile");
    let tag = office.put("/customers", &person(json!({ "identification": CPF }))).header("etag").to_owned();
    assert_eq!(office.put("/customers/1", &json!({ "city": "Laguna" })).status, 200);
    put(&tag, &body).problem(412, "changed-meanwhile");
    assert_eq!(office.get("/customers/1").json()["city"], "Laguna");
    let tag = office.get("/customers/1").header("etag").to_owned();
    assert_eq!(put(&tag, &body).status, 200);
}

#[test]
fn two_matching_records_are_ambiguous_and_nothing_is_written() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({ "identification": CPF, "cellphone": "48988880000" }));
    let eva = office.customer("Eva", json!({ "external_ids": ["crm:1"], "cellphone": "48988880000" }));
    let before = latest(&office);
    let reply = office.put(
        "/customers",
        &person(json!({ "identification": CPF, "external_ids": "crm:1", "existing": "update" })),
    );
    let problem = reply.problem(409, "ambiguous");
    let candidates = json!([
        { "customer_id": eva, "matched_by": "external_ids" }, { "customer_id": ana, "matched_by": "identification" },
    ]);
    assert_eq!(problem["candidates"], candidates);
    let phone = office.put("/customers", &json!({ "match": "cellphone", "cellphone": "48988880000" }));
    let phone = phone.problem(409, "ambiguous")["candidates"].clone();
    let ids = phone.as_array().unwrap().iter().map(|one| one["customer_id"].as_u64().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), [ana, eva]);
    // Two external ids of the body belong to two records.
    office.put(&format!("/customers/{ana}"), &json!({ "external_ids": "crm:2" }));
    let claimed = office.put("/customers", &person(json!({ "external_ids": ["crm:1", "crm:2"] })));
    claimed.problem(409, "ambiguous");
    assert_eq!(latest(&office), before + 1);
}

#[test]
fn a_record_in_the_trash_is_restored() {
    let office = Office::new();
    let id = office.customer("Ana", json!({ "identification": CPF }));
    office.send("DELETE", &format!("/customers/{id}"), &[], None);
    let body = json!({ "identification": CPF, "city": "Içara", "existing": "fill" });
    let back = office.put("/customers", &body);
    let restored = json!({
        "success": true, "customer_id": id, "customers_id": id, "created": false, "matched_by": "identification",
        "changed": ["city"], "restored": true,
    });
    assert_eq!((back.status, back.json()), (200, restored));
    assert_eq!(office.get(&format!("/customers/{id}")).json()["city"], "Içara");
    assert_eq!(office.put("/customers", &body).json().get("restored"), None);
    // If the change is refused, the record stays in the trash.
    let other = office.customer("Eva", json!({ "external_ids": "crm:9" }));
    office.send("DELETE", &format!("/customers/{id}"), &[], None);
    let taken = json!({ "match": "identification", "identification": CPF, "external_ids": "crm:9", "existing": "update" });
    assert_eq!(office.put("/customers", &taken).problem(422, "duplicate")["customer_id"], json!(other));
    assert_eq!(office.get(&format!("/customers/{id}")).status, 404);
    // A shared value finds the live record first, and a merged record leads to the one that is left.
    let live = office.customer("Bia", json!({ "email": "bia@exemplo.com.br" }));
    let gone = office.customer("Bia", json!({ "email": "bia@exemplo.com.br" }));
    office.send("DELETE", &format!("/customers/{gone}"), &[], None);
    let by_email = json!({ "match": "email", "email": "bia@exemplo.com.br" });
    assert_eq!(office.put("/customers", &by_email).json()["customer_id"], json!(live));
    office.put(&format!("/customers/{gone}"), &json!({ "deleted": false }));
    office.post(&format!("/customers/{gone}/merge"), &json!({ "from": live }));
    assert_eq!(office.put("/customers", &by_email).json()["customer_id"], json!(gone));
    // A task whose lawsuit is in the trash cannot be restored alone.
    let lawsuit = office.lawsuit(&[live.max(gone)], json!({}));
    office.task(lawsuit, json!({ "external_ids": "agenda:1" }));
    office.send("DELETE", &format!("/lawsuits/{lawsuit}"), &[], None);
    let refused = office.put("/posts", &json!({ "external_ids": "agenda:1" }));
    assert_eq!(refused.wrong_fields(), ["lawsuits_id"]);
}

#[test]
fn values_changed_with_a_restoration_are_in_the_feed() {
    let office = Office::new();
    let id = office.customer("Ana", json!({ "external_ids": "f:1", "city": "Laguna" }));
    assert_eq!(office.send("DELETE", &format!("/customers/{id}"), &[], None).status, 200);
    let since = latest(&office);
    let body = json!({ "external_ids": "f:1", "city": "Içara", "existing": "update" });
    assert_eq!(office.put("/customers", &body).json()["restored"], true);
    let feed = office.get(&format!("/changes?since={since}&include=values")).json();
    let entries = feed["data"].as_array().unwrap().iter();
    let entries: Vec<_> = entries.map(|entry| (entry["op"].as_str().unwrap(), &entry["values"])).collect();
    assert_eq!(entries, [("restored", &json!({})), ("updated", &json!({ "city": ["Laguna", "Içara"] }))]);
}

#[test]
fn an_invalid_body_is_refused_with_its_reasons() {
    let office = Office::new();
    office.customer("Ana", json!({ "identification": CPF }));
    let other = office.customer("Eva", json!({ "identification": "11144477735", "external_ids": "crm:1" }));
    let reasons =
        |path: &str, body: Value| office.put(path, &body).problem(422, "invalid")["reasons"].clone();
    for (path, body, wrong) in [
        ("/customers", person(json!({ "match": "name" })), json!({ "match": ["not-among"] })),
        ("/customers", person(json!({ "match": [] })), json!({ "match": ["not-among"] })),
        ("/customers", person(json!({ "match": ["identification", 7] })), json!({ "match": ["not-among"] })),
        ("/posts", json!({ "match": "identification" }), json!({ "match": ["not-among"] })),
    ] {
        assert_eq!(reasons(path, body.clone())["match"], wrong["match"], "{path} {body}");
    }
    assert_eq!(reasons("/customers", person(json!({}))), json!({ "match": ["no-key"] }));
    assert_eq!(
        reasons("/customers", person(json!({ "identification": "" }))),
        json!({ "match": ["no-key"] })
    );
    assert_eq!(
        reasons("/customers", json!({ "match": "email", "identification": CPF })),
        json!({ "match": ["no-key"] })
    );
    let sentence = office.put("/customers", &person(json!({}))).problem(422, "invalid")["error"].clone();
    assert_eq!(sentence, "match needs a member in the body to look for: external_ids, identification");
    let existing = json!({ "identification": CPF, "existing": "replace" });
    assert_eq!(reasons("/customers", existing), json!({ "existing": ["not-among"] }));
    // Other invalid members are refused even if the record is found and kept.
    let wrong = reasons("/customers", json!({ "identification": CPF, "email": "ana" }));
    assert_eq!(wrong, json!({ "email": ["not-an-email"] }));
    let wrong = reasons("/customers", json!({ "identification": "52998224724" }));
    assert_eq!(wrong["identification"], json!(["not-a-tax-id"]));
    // The value belongs to another record.
    let taken = json!({ "match": "external_ids", "external_ids": "crm:1", "identification": CPF, "existing": "update" });
    assert_eq!(office.put("/customers", &taken).problem(422, "duplicate")["customer_id"], json!(1));
    assert_eq!(office.get(&format!("/customers/{other}")).json()["identification"], "111.444.777-35");
    let unknown = office.put("/customers", &json!({ "identification": CPF, "nickname": "x" }));
    assert_eq!((unknown.status, unknown.header("x-ignored-members")), (200, "nickname"));
}

#[test]
fn each_item_is_processed_or_refused_on_its_own() {
    let office = Office::new();
    let known = office.customer("Ana", json!({ "identification": CPF }));
    let gone = office.customer("Eva", json!({ "external_ids": "crm:gone" }));
    office.send("DELETE", &format!("/customers/{gone}"), &[], None);
    let body = json!({
        "existing": "fill",
        "customers": [
            person(json!({ "external_ids": "crm:1", "name": "Bia" })),
            { "identification": CPF, "email": "ana@exemplo.com.br" },
            person(json!({ "external_ids": "crm:2", "email": "x" })),
            7,
            {},
            { "external_ids": "crm:1", "city": "Içara" },
            { "external_ids": "crm:1", "city": "Orleans", "existing": "keep" },
            { "external_ids": "crm:gone" },
            { "external_ids": ["crm:1", "crm:gone"] },
            person(json!({ "external_ids": "crm:3", "nickname": 1 })),
            person(json!({ "external_ids": "crm:4", "nickname": 1, "customers_origins_id": 99 })),
        ],
    });
    let reply = office.put("/customers", &body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let answer = reply.json();
    let new = gone + 1;
    let counts = ["success", "created", "found", "changed", "refused"].map(|name| answer[name].clone());
    assert_eq!(counts, [json!(true), json!(2), json!(4), json!(3), json!(5)]);
    assert_eq!(reply.header("x-ignored-members"), "customers.9.nickname");
    let items = answer["customers"].as_array().unwrap();
    assert_eq!(items[0], json!({ "customer_id": new, "created": true }));
    assert_eq!(items[1]["changed"], json!(["email"]));
    assert_eq!((&items[1]["customer_id"], &items[1]["created"]), (&json!(known), &json!(false)));
    assert_eq!(
        (&items[2]["code"], &items[2]["reasons"]),
        (&json!("invalid"), &json!({ "email": ["not-an-email"] }))
    );
    assert_eq!(items[3]["reasons"], json!({ "customers.3": ["not-an-object"] }));
    assert_eq!(items[4]["reasons"], json!({ "match": ["no-key"] }));
    assert_eq!((&items[5]["customer_id"], &items[5]["changed"]), (&json!(new), &json!(["city"])));
    assert_eq!((&items[6]["customer_id"], &items[6]["changed"]), (&json!(new), &json!([])));
    assert_eq!((&items[7]["customer_id"], &items[7]["restored"]), (&json!(gone), &json!(true)));
    assert_eq!(items[8]["code"], "ambiguous");
    assert_eq!(items[9], json!({ "customer_id": new + 1, "created": true }));
    assert_eq!(items[10]["reasons"], json!({ "customers_origins_id": ["unknown-id"] }));
    assert_eq!(office.get(&format!("/customers/{new}")).json()["city"], "Içara");
    // Errors are in the language of the request.
    let pt =
        office.send("PUT", "/customers", &[("accept-language", "pt")], Some(br#"{"customers":[7]}"#)).json();
    assert_eq!(pt["customers"][0]["error"], "customers.0 deve ser um objeto");
}

#[test]
fn a_request_has_1_to_1000_items_and_at_most_8_mib() {
    let office = Office::with(UNLIMITED);
    let items = |count: usize| {
        let one = |at| person(json!({ "external_ids": format!("crm:{at}") }));
        json!({ "customers": (0..count).map(one).collect::<Vec<_>>() })
    };
    for body in [items(0), items(1001), json!({ "customers": {} }), json!({ "customers": "x" })] {
        let wrong = office.put("/customers", &body).problem(422, "invalid");
        assert_eq!(wrong["reasons"], json!({ "customers": ["not-a-list"] }));
    }
    let null = office.put("/customers", &json!({ "customers": null })).problem(422, "invalid");
    assert_eq!(null["reasons"], json!({ "customers": ["required"] }));
    let how = json!({ "customers": [{}], "match": "x", "existing": 1 });
    assert_eq!(office.put("/customers", &how).wrong_fields(), ["match", "existing"]);
    assert_eq!(office.ids("/customers"), [0; 0]);
    assert_eq!(office.put("/customers", &items(1000)).json()["created"], 1000);
    let padded = |length: usize| {
        let mut body = items(1).to_string().into_bytes();
        body.resize(length, b' ');
        office.send("PUT", "/customers", &[], Some(&body))
    };
    assert_eq!(padded(MAX_BATCH_BYTES).json()["found"], 1);
    padded(MAX_BATCH_BYTES + 1).problem(413, "too-large");
}

#[test]
fn a_batch_counts_as_one_put_and_is_replayed_by_its_key() {
    let office = Office::with("");
    let body = json!({ "customers": [person(json!({ "external_ids": "crm:1" })), 7] }).to_string();
    let send = |key: &str, body: &str| {
        office.send("PUT", "/customers", &[("idempotency-key", key)], Some(body.as_bytes()))
    };
    let first = send("night-1", &body);
    assert_eq!((first.json()["created"].clone(), first.header("x-ratelimit-remaining")), (json!(1), "499"));
    let again = send("night-1", &body);
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));
    assert_eq!((&again.bytes, again.header("x-ratelimit-remaining")), (&first.bytes, "498"));
    send("night-1", &body.replace("crm:1", "crm:2")).problem(422, "idempotency-key-reused");
    assert_eq!(send("night-2", &body).json()["found"], 1);
    // A PUT of a single record is replayed too.
    let one = person(json!({ "external_ids": "crm:3" })).to_string();
    let made = send("one", &one);
    let again = send("one", &one);
    assert_eq!((made.status, again.status, again.header("idempotency-replayed")), (201, 201, "true"));
    assert_eq!((&again.bytes, again.header("etag")), (&made.bytes, made.header("etag")));
}

#[test]
fn unknown_members_refuse_only_their_item() {
    let office = Office::with("[api]\nunknown_parameters = \"refuse\"\n");
    let body = json!({ "customers": [person(json!({ "external_ids": "a:1", "nick": 1 })), person(json!({ "external_ids": "a:2" }))] });
    let answer = office.put("/customers", &body).json();
    assert_eq!((&answer["created"], &answer["refused"]), (&json!(1), &json!(1)));
    assert_eq!(answer["customers"][0]["reasons"], json!({ "nick": ["unknown-member"] }));
}

/// Clients send the same people at the same time. `tests/bench` runs this race with 64 clients and 1,000 people.
#[test]
fn concurrent_clients_create_each_person_once() {
    const CLIENTS: usize = 8;
    const PEOPLE: usize = 60;
    let office = Office::with(UNLIMITED);
    let people: Vec<_> = (0..PEOPLE)
        .map(|at| person(json!({ "external_ids": format!("crm:{at}"), "name": format!("Pessoa {at}") })))
        .collect();
    let ids = thread::scope(|scope| {
        let clients = (0..CLIENTS).map(|client| {
            let (office, people) = (&office, &people);
            scope.spawn(move || {
                // Half of the clients send one batch. The others send one by one, each from another start.
                if client % 2 == 0 {
                    let answer = office.put("/customers", &json!({ "customers": people })).json();
                    let ids = answer["customers"].as_array().unwrap().iter();
                    return ids.map(|item| item["customer_id"].as_u64().unwrap()).collect::<Vec<_>>();
                }
                let mut ids = vec![0; PEOPLE];
                for step in 0..PEOPLE {
                    let at = (step + client * 7) % PEOPLE;
                    ids[at] = office.put("/customers", &people[at]).json()["customer_id"].as_u64().unwrap();
                }
                ids
            })
        });
        let clients = clients.collect::<Vec<_>>();
        clients.into_iter().map(|client| client.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(ids.iter().all(|own| own == &ids[0]), "all responses name the same records");
    assert_eq!(ids[0].iter().collect::<HashSet<_>>().len(), PEOPLE);
    assert_eq!(office.ids("/customers").len(), PEOPLE);
    for (at, id) in ids[0].iter().enumerate() {
        assert_eq!(office.get(&format!("/customers/{id}")).json()["name"], format!("Pessoa {at}"));
    }
}

#[test]
fn merged_customers_have_the_external_ids_of_both() {
    let office = Office::new();
    let into = office.customer("Ana", json!({ "external_ids": ["a:1"] }));
    let from = office.customer("Ana", json!({ "external_ids": ["a:2", "a:3"] }));
    office.post(&format!("/customers/{into}/merge"), &json!({ "from": from }));
    assert_eq!(
        office.get(&format!("/customers/{into}")).json()["external_ids"],
        json!(["a:1", "a:2", "a:3"])
    );
    office.put(&format!("/customers/{from}"), &json!({ "deleted": false }));
    assert_eq!(office.get(&format!("/customers/{from}")).json()["external_ids"], json!([]));
    assert_eq!(office.ids("/customers?external_id=a:3"), [into]);
}

/// A request is stored completely or not at all, and the retry returns the record of each item.
#[test]
fn a_kill_during_a_batch_stores_all_or_nothing_and_the_retry_is_right() {
    const PEOPLE: usize = 1000;
    let folder = tempfile::tempdir().unwrap();
    let token = new_token(folder.path());
    let notes = "x".repeat(6_000);
    let log = folder.path().join("pleito.db-wal");
    // The WAL grows by some 10 MB. The first length kills the server before the write, the last one after the commit.
    for (round, length) in [0, 1, 1 << 20, 3 << 20, 5 << 20, 7 << 20, u64::MAX].into_iter().enumerate() {
        let one = |at| person(json!({ "external_ids": format!("r{round}:{at}"), "notes": notes }));
        let body = json!({ "customers": (0..PEOPLE).map(one).collect::<Vec<_>>() }).to_string();
        let send = |address| {
            let (authorization, key) = (format!("Bearer {token}"), format!("round-{round}"));
            let headers = [("authorization", authorization.as_str()), ("idempotency-key", key.as_str())];
            ask(&agent(), address, "PUT", "/api/v1/customers", &headers, Some(body.as_bytes())).ok()
        };
        let before = Store::check(folder.path()).unwrap().customers;
        let mut program = Program::serve(folder.path(), &[]);
        let size = || fs::metadata(&log).map_or(0, |log| log.len());
        let begun = size();
        let first = thread::scope(|scope| {
            let address = program.address;
            let sending = scope.spawn(move || send(address));
            wait_until(MAX_WAIT, "the WAL has grown or the response has arrived", || {
                (size() >= begun.saturating_add(length) || sending.is_finished()).then_some(())
            });
            program.kill();
            sending.join().unwrap()
        });
        let stored = Store::check(folder.path()).unwrap().customers - before;
        assert!([0, PEOPLE as u64].contains(&stored), "round {round}: {stored}");
        if let Some(first) = &first {
            assert_eq!((first.status, stored), (200, PEOPLE as u64));
        }
        let program = Program::serve(folder.path(), &[]);
        let again = send(program.address).unwrap();
        assert_eq!(again.status, 200, "{}", again.text());
        assert_eq!(again.header("idempotency-replayed") == "true", stored > 0, "round {round}");
        if let Some(first) = first {
            assert_eq!(again.bytes, first.bytes);
        }
        assert_eq!(again.json()["created"], PEOPLE);
        drop(program);
        assert_eq!(Store::check(folder.path()).unwrap().customers, before + PEOPLE as u64);
    }
}
