//! Repeating a request creates only one record (contract 4.3).

use pleito::http::requests::body::MAX_BODY_BYTES;
use serde_json::{Value, json};

use crate::office::{Office, Reply};
use crate::one_of_each::{Sample, others};

const DAY: u64 = 24 * 60 * 60;

fn post(office: &Office, path: &str, key: &str, body: &str) -> Reply {
    office.send("POST", path, &[("idempotency-key", key)], Some(body.as_bytes()))
}

fn customer(name: &str) -> String {
    json!({ "users_id": 1, "customers_origins_id": 1, "name": name }).to_string()
}

fn assert_first(reply: &Reply) -> Value {
    assert_eq!((reply.status, reply.header("idempotency-replayed")), (201, ""), "{}", reply.text());
    reply.json()
}

fn assert_replay(reply: &Reply, first: &Reply) {
    assert_eq!((reply.status, reply.header("idempotency-replayed")), (201, "true"), "{}", reply.text());
    assert_eq!((&reply.bytes, reply.header("content-type")), (&first.bytes, first.header("content-type")));
}

/// The routes that create records, each with two valid bodies. Nouns without one here get them from their examples.
const CREATE: &[(&str, &str, &str)] = &[
    (
        "/customers",
        r#"{"users_id":1,"customers_origins_id":1,"name":"Ana"}"#,
        r#"{"users_id":1,"customers_origins_id":1,"name":"Eva"}"#,
    ),
    (
        "/lawsuits",
        r#"{"users_id":1,"customers_id":1,"stages_id":12,"type_lawsuits_id":1}"#,
        r#"{"users_id":1,"customers_id":1,"stages_id":12,"type_lawsuits_id":2}"#,
    ),
    (
        "/posts",
        r#"{"from":1,"guests":1,"tasks_id":1,"lawsuits_id":1,"start_date":"2026-12-24"}"#,
        r#"{"from":1,"guests":1,"tasks_id":1,"lawsuits_id":1,"start_date":"2026-12-25"}"#,
    ),
    (
        "/lawsuits/movement",
        r#"{"lawsuit_id":1,"description":"Juntada"}"#,
        r#"{"lawsuit_id":1,"description":"Conclusos"}"#,
    ),
    (
        "/transactions",
        r#"{"users_id":1,"entry_type":"income","debit_account":1,"categories_id":1,"cost_centers_id":1,"amount":1,"date_due":"2026-06-17"}"#,
        r#"{"users_id":1,"entry_type":"income","debit_account":1,"categories_id":1,"cost_centers_id":1,"amount":2,"date_due":"2026-06-17"}"#,
    ),
    (
        "/webhooks",
        r#"{"url":"http://127.0.0.1:9/","types":["store.replaced"]}"#,
        r#"{"url":"http://127.0.0.1:9/","types":["webhook.test"]}"#,
    ),
    ("/settings/users", r#"{"name":"Ana"}"#, r#"{"name":"Eva"}"#),
    ("/settings/origins", r#"{"origin":"Ana"}"#, r#"{"origin":"Eva"}"#),
    ("/settings/groups", r#"{"group":"Ana"}"#, r#"{"group":"Eva"}"#),
    ("/settings/type_lawsuits", r#"{"type":"Ana","group_id":1}"#, r#"{"type":"Eva","group_id":1}"#),
    ("/settings/steps", r#"{"step":"Ana"}"#, r#"{"step":"Eva"}"#),
    ("/settings/stages", r#"{"stage":"Ana","steps_id":1}"#, r#"{"stage":"Eva","steps_id":1}"#),
    ("/settings/tasks", r#"{"task":"Ana"}"#, r#"{"task":"Eva"}"#),
    ("/settings/banks", r#"{"name":"Ana"}"#, r#"{"name":"Eva"}"#),
    (
        "/settings/categories",
        r#"{"category":"Ana","type":"income"}"#,
        r#"{"category":"Eva","type":"income"}"#,
    ),
    ("/settings/cost_centers", r#"{"cost_center":"Ana"}"#, r#"{"cost_center":"Eva"}"#),
    ("/settings/departments", r#"{"sector":"Ana"}"#, r#"{"sector":"Eva"}"#),
];

#[test]
fn every_creating_route_replays_its_first_response() {
    let mut office = Office::new();
    let routes = pleito::api::routes();
    let creating = routes.iter().filter(|row| row.route.method == "POST" && !row.route.takes_file);
    // The routes that merge have another response and their own tests.
    let creating =
        creating.filter(|row| row.route.largest_body == MAX_BODY_BYTES && !row.route.path.contains('{'));
    let own = CREATE.iter().map(|(path, body, other)| (*path, body.to_string(), other.to_string()));
    let others = others().into_iter().map(|Sample { post, body, text, .. }| {
        let mut other = body.clone();
        other[text] = json!("Outro");
        (post, body.to_string(), other.to_string())
    });
    let known: Vec<_> = own.chain(others).collect();
    let create: Vec<_> = creating
        .map(|row| {
            let path = row.route.path;
            let known = known.iter().find(|(known, ..)| *known == path);
            known.unwrap_or_else(|| panic!("{path} creates records: add it with two bodies to `CREATE`"))
        })
        .collect();
    let mut firsts = Vec::new();
    for (path, body, _) in &create {
        // Keys are separate for each route, so one key serves them all.
        let first = post(&office, path, "key", body);
        assert_first(&first);
        firsts.push(first);
    }
    let all = |office: &Office| {
        ["/settings", "/customers", "/lawsuits", "/transactions", "/webhooks"].map(|path| {
            let mut all = office.get(path).json();
            // A webhook's cursor moves on by itself.
            for one in all["data"].as_array_mut().into_iter().flatten() {
                one.as_object_mut().unwrap().remove("cursor");
            }
            all
        })
    };
    let before = all(&office);
    for _ in 0..2 {
        for ((path, body, other), first) in create.iter().zip(&firsts) {
            assert_replay(&post(&office, path, "key", body), first);
            let body = post(&office, path, "key", other).problem(422, "idempotency-key-reused");
            assert!(body["errors"]["Idempotency-Key"].is_array(), "{body}");
        }
        assert_eq!(all(&office), before, "nothing was created twice");
        office.restart();
    }
}

#[test]
fn a_key_lasts_a_day() {
    let office = Office::new();
    let first = post(&office, "/customers", "key", &customer("Ana"));
    assert_eq!(assert_first(&first)[0]["customer_id"], 1);
    office.pass(DAY - 1);
    assert_replay(&post(&office, "/customers", "key", &customer("Ana")), &first);
    office.pass(1);
    let second = post(&office, "/customers", "key", &customer("Eva"));
    assert_eq!(assert_first(&second)[0]["customer_id"], 2);
    assert_replay(&post(&office, "/customers", "key", &customer("Eva")), &second);
    post(&office, "/customers", "key", &customer("Ana")).problem(422, "idempotency-key-reused");
    // Setting the clock back neither revives the expired first key nor ends the second one.
    office.clock.set("2026-06-17T12:00:01-03:00".parse().unwrap());
    assert_replay(&post(&office, "/customers", "key", &customer("Eva")), &second);
}

#[test]
fn a_key_is_up_to_255_visible_ascii_characters_and_case_sensitive() {
    let office = Office::new();
    let longest = "k".repeat(255);
    for key in ["1", "!~", "\"a\"", "a,b", "8e03978e-40d5-43dd-bc93-6894a57f9324", &longest] {
        assert_first(&post(&office, "/customers", key, &customer("Ana")));
    }
    assert_first(&post(&office, "/customers", "A-1", &customer("Ana")));
    assert_first(&post(&office, "/customers", "a-1", &customer("Ana")));
    let before = office.ids("/customers");
    for key in ["k".repeat(256), "a b".to_owned(), "a\tb".to_owned(), "chave-ã".to_owned(), "😀".to_owned()]
    {
        let reply = post(&office, "/customers", &key, &customer("Ana"));
        assert_eq!(reply.wrong_fields(), ["Idempotency-Key"], "{key}");
    }
    assert_eq!(office.ids("/customers"), before);
    // Other methods ignore the header.
    let headers = [("idempotency-key", "a b")];
    assert_eq!(office.send("GET", "/customers/1", &headers, None).status, 200);
    let change = office.send("PUT", "/customers/1", &headers, Some(b"{\"notes\": \"a\"}"));
    assert_eq!((change.status, change.header("idempotency-replayed")), (200, ""));
}

#[test]
fn a_body_with_other_bytes_is_a_different_request() {
    let office = Office::new();
    assert_first(&post(&office, "/customers", "key", &customer("Ana")));
    for other in [customer("Eva"), customer("Ana") + " ", "{}".to_owned(), "{".to_owned(), String::new()] {
        post(&office, "/customers", "key", &other).problem(422, "idempotency-key-reused");
    }
}

#[test]
fn a_failed_request_may_be_sent_again() {
    let office = Office::new();
    post(&office, "/customers", "key", "{").problem(400, "malformed-json");
    post(&office, "/customers", "key", &customer(" ")).problem(422, "invalid");
    let ana =
        json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana", "identification": "52998224725" });
    office.customer("Eva", json!({ "identification": "52998224725" }));
    post(&office, "/customers", "key", &ana.to_string()).problem(422, "duplicate");
    assert_eq!(office.put("/customers/1", &json!({ "identification": null })).status, 200);
    let first = post(&office, "/customers", "key", &ana.to_string());
    assert_eq!(assert_first(&first)[0]["customer_id"], 2);
    assert_replay(&post(&office, "/customers", "key", &ana.to_string()), &first);
}

#[test]
fn sixteen_concurrent_requests_create_one_record() {
    let office = Office::new();
    let body =
        json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana", "identification": "52998224725" });
    let body = body.to_string();
    for (path, body) in [("/customers", body.as_str()), ("/settings/users", r#"{"name":"Ana"}"#)] {
        let replies = std::thread::scope(|scope| {
            let all = (0..16).map(|_| scope.spawn(|| post(&office, path, "key", body)));
            all.collect::<Vec<_>>().into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
        });
        for reply in &replies {
            assert_eq!((reply.status, &reply.bytes), (201, &replies[0].bytes), "{}", reply.text());
        }
        let again = replies.iter().filter(|reply| reply.header("idempotency-replayed") == "true").count();
        assert_eq!(again, 15, "{path}");
    }
    assert_eq!(office.ids("/customers"), [1]);
}

#[test]
fn a_replay_counts_like_any_other_request() {
    let office = Office::with("[limits]\npost_per_day = 2\n");
    let first = post(&office, "/customers", "key", &customer("Ana"));
    assert_replay(&post(&office, "/customers", "key", &customer("Ana")), &first);
    post(&office, "/customers", "key", &customer("Ana")).problem(429, "rate-limited");
}
