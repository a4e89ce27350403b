//! The undo of what a key wrote on a day (assistants 50): requests are undone as a whole, or stay as a whole and are named.

use serde_json::{Value, json};

use crate::backups::answer;
use crate::keys::create_key;
use crate::office::{Office, Reply};
use crate::publications::publication;
use crate::transactions::create;

/// An office with a key that may do everything.
struct Desk {
    office: Office,
    key: String,
}

impl Desk {
    fn new() -> Desk {
        let office = Office::new();
        let key = create_key(&office, &["n8n", "--manage"]);
        Desk { office, key }
    }

    /// Sends a request with the key.
    fn send(&self, method: &str, path: &str, body: Value) -> Reply {
        let bearer = format!("Bearer {}", self.key);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let reply = self.office.send(method, path, &headers, Some(body.to_string().as_bytes()));
        assert!(matches!(reply.status, 200 | 201), "{path}: {}", reply.text());
        reply
    }

    fn undo(&self) -> Value {
        answer(self.office.folder(), &["key", "undo", "n8n", "--json"])
    }

    fn get(&self, path: &str) -> Value {
        self.office.get(path).json()
    }
}

#[track_caller]
fn assert_whole(undone: &Value, counts: [u64; 2]) {
    let [deleted, changed] = counts;
    assert_eq!(
        (&undone["deleted"], &undone["changed"], &undone["left"]),
        (&json!(deleted), &json!(changed), &json!([])),
        "{undone}"
    );
}

#[test]
fn a_treated_publication_is_untreated_again() {
    let desk = Desk::new();
    let office = &desk.office;
    let case = office.lawsuit(&[office.customer("Ana Lima", json!({}))], json!({}));
    let published = |text: &str| publication(office, json!({ "lawsuit_id": case, "publication": text }));
    let [treated, with_task, kept] = ["Primeira.", "Segunda.", "Terceira."].map(published);
    let path = |id: u64| format!("/lawsuits/publication/{id}");
    assert_eq!(office.put(&path(kept), &json!({ "treated": true, "users_id": 1 })).status, 200);
    let before = [treated, with_task, kept].map(|id| desk.get(&path(id)));
    desk.send("PUT", &path(treated), json!({ "treated": true, "users_id": 1 }));
    desk.send("PUT", &path(kept), json!({ "treated": false }));
    let task = json!({
        "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": case, "start_date": "2026-12-24", "publications_id": with_task,
    });
    desk.send("POST", "/posts", task);
    assert!(desk.get(&path(with_task))["treated_at"].is_string());
    assert_whole(&desk.undo(), [1, 3]);
    for (id, before) in [treated, with_task, kept].into_iter().zip(&before) {
        let now = desk.get(&path(id));
        for member in ["treated_at", "treated_by_id", "treated"] {
            assert_eq!(now[member], before[member], "{member} of {id}");
        }
    }
}

#[test]
fn a_merge_is_undone_as_a_whole() {
    let desk = Desk::new();
    let office = &desk.office;
    let stays = office.customer("Ana Lima", json!({ "notes": "primeira" }));
    let goes = office.customer(
        "Ana Lima da Costa",
        json!({ "identification": "529.982.247-25", "external_ids": ["crm:7"], "notes": "segunda" }),
    );
    let case = office.lawsuit(&[goes], json!({}));
    let paths = [format!("/customers/{stays}"), format!("/customers/{goes}"), format!("/lawsuits/{case}")];
    let shown = |path: &String| {
        let mut record = desk.get(path);
        record.as_object_mut().unwrap().retain(|name, _| name != "updated_at");
        record
    };
    let before = paths.each_ref().map(shown);
    desk.send("PUT", &paths[0], json!({ "city": "Laguna" }));
    desk.send("POST", &format!("/customers/{stays}/merge"), json!({ "from": goes }));
    desk.send("PUT", &paths[0], json!({ "city": "Tubarão" }));
    let undone = desk.undo();
    assert_eq!((&undone["left"], &undone["deleted"]), (&json!([]), &json!(0)), "{undone}");
    assert_eq!(paths.each_ref().map(shown), before);
    // A merge of which a record was changed since stays whole.
    desk.send("POST", &format!("/customers/{stays}/merge"), json!({ "from": goes }));
    assert_eq!(office.put(&paths[0], &json!({ "occupation": "Pedreira" })).status, 200);
    let undone = desk.undo();
    assert!(undone["left"].to_string().contains("Ana Lima"), "{undone}");
    assert_eq!(desk.get(&paths[0])["identification"], "529.982.247-25");
    assert_eq!(office.get(&paths[1]).status, 404);
}

#[test]
fn a_customer_into_which_another_was_merged_stays() {
    let desk = Desk::new();
    let new = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Nova Cliente" });
    let made = desk.send("POST", "/customers", new).json()[0]["customer_id"].as_u64().unwrap();
    let other = desk.office.customer("Nova Cliente", json!({}));
    let reply = desk.office.post(&format!("/customers/{made}/merge"), &json!({ "from": other }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let undone = desk.undo();
    assert_eq!((&undone["deleted"], undone["left"].as_array().unwrap().len()), (&json!(0), 1), "{undone}");
    assert_eq!(desk.office.get(&format!("/customers/{made}")).status, 200);
}

/// The rest would go to the trash, and the debt with it.
#[test]
fn a_part_payment_whose_original_was_changed_since_stays_with_its_rest() {
    let desk = Desk::new();
    let office = &desk.office;
    let owed = create(office, json!({ "amount": 303 }));
    let path = format!("/transactions/{owed}");
    let paid = desk.send("PUT", &format!("{path}/payment"), json!({ "amount": "100.00" })).json();
    let rest = format!("/transactions/{}", paid["rest_id"]);
    assert_eq!(office.put(&path, &json!({ "description": "Acordo revisto" })).status, 200);
    let undone = desk.undo();
    assert_eq!((&undone["deleted"], &undone["changed"]), (&json!(0), &json!(0)), "{undone}");
    assert!(!undone["left"].as_array().unwrap().is_empty(), "{undone}");
    assert_eq!(desk.get(&rest)["amount"], 203.0);
}

#[test]
fn a_hand_over_is_undone_as_a_whole() {
    let desk = Desk::new();
    let office = &desk.office;
    let user =
        |name: &str| office.post("/settings/users", &json!({ "name": name })).json()["id"].as_u64().unwrap();
    let [from, to] = ["Bia Reis", "Caio Reis"].map(user);
    let case = office.lawsuit(&[office.customer("Ana Lima", json!({}))], json!({ "users_id": from }));
    let task = office.task(case, json!({ "guests": [from] }));
    desk.send("POST", &format!("/settings/users/{from}/hand_over"), json!({ "to": to }));
    assert_eq!(desk.get(&format!("/lawsuits/{case}"))["responsible_id"], to);
    let undone = desk.undo();
    assert_eq!(undone["left"], json!([]), "{undone}");
    assert_eq!(desk.get(&format!("/lawsuits/{case}"))["responsible_id"], from);
    assert_eq!(desk.get(&format!("/posts/{task}"))["users"][0]["user_id"], from);
    let users = desk.get("/settings")["users"].clone();
    assert!(users.as_array().unwrap().iter().any(|user| user["id"] == from), "{users}");
}

#[test]
fn a_second_undo_leaves_alone_what_the_first_has_undone() {
    let desk = Desk::new();
    let new = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Nova Cliente" });
    let made = desk.send("POST", "/customers", new).json()[0]["customer_id"].as_u64().unwrap();
    let path = format!("/customers/{made}");
    assert_whole(&desk.undo(), [1, 0]);
    assert_whole(&desk.undo(), [0, 0]);
    assert_eq!(desk.office.put(&path, &json!({ "deleted": false })).status, 200);
    assert_whole(&desk.undo(), [0, 0]);
    assert_eq!(desk.office.get(&path).status, 200);
    desk.send("PUT", &path, json!({ "city": "Laguna" }));
    assert_whole(&desk.undo(), [0, 1]);
    assert_eq!(desk.get(&path)["city"], Value::Null);
}

/// A day with a document could not be undone at all.
#[test]
fn an_uploaded_document_goes_to_the_trash() {
    let desk = Desk::new();
    let customer = desk.office.customer("Ana Lima", json!({}));
    let bearer = format!("Bearer {}", desk.key);
    let headers = [("authorization", bearer.as_str()), ("content-type", "text/plain")];
    let path = format!("/documents?name=nota.txt&customer_id={customer}");
    let reply = desk.office.send("POST", &path, &headers, Some(b"recibo"));
    assert_eq!(reply.status, 201, "{}", reply.text());
    desk.send("PUT", "/documents/1", json!({ "notes": "da chave" }));
    assert_whole(&desk.undo(), [1, 0]);
    assert_eq!(desk.office.get("/documents/1").status, 404);
}

/// Unlike a publication that a person deleted.
#[test]
fn a_capture_brings_back_what_was_undone() {
    let desk = Desk::new();
    let office = &desk.office;
    let case = office.lawsuit(&[office.customer("Ana Lima", json!({}))], json!({}));
    let publication = json!({ "lawsuit_id": case, "date": "2026-05-20", "publication": "Intimação." });
    let body = json!({ "publications": [publication] });
    let capture = || desk.send("POST", "/publications", body.clone()).json();
    let id = capture()["publications"][0]["publication_id"].clone();
    assert_whole(&desk.undo(), [1, 0]);
    let again = capture();
    assert_eq!((&again["created"], &again["publications"][0]["publication_id"]), (&json!(1), &id), "{again}");
    let path = format!("/lawsuits/publication/{id}");
    assert_eq!(office.get(&path).status, 200);
    assert_eq!(office.send("DELETE", &path, &[], None).status, 200);
    let again = capture();
    assert_eq!((&again["created"], &again["existing"]), (&json!(0), &json!(1)), "{again}");
    assert_eq!(office.get(&path).status, 404);
}

/// A program may give several requests one id.
#[test]
fn a_merge_and_other_writes_of_one_request_id_are_all_undone() {
    let desk = Desk::new();
    let office = &desk.office;
    let [stays, goes, other] =
        ["Ana Lima", "Ana Lima da Costa", "Bia Reis"].map(|name| office.customer(name, json!({})));
    let bearer = format!("Bearer {}", desk.key);
    let send = |method: &str, path: &str, body: Value| {
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/json"),
            ("x-request-id", "fluxo-7"),
        ];
        let reply = office.send(method, path, &headers, Some(body.to_string().as_bytes()));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    };
    send("PUT", &format!("/customers/{other}"), json!({ "city": "Laguna" }));
    send("POST", &format!("/customers/{stays}/merge"), json!({ "from": goes }));
    send("PUT", &format!("/customers/{other}"), json!({ "city": "Içara", "occupation": "Pedreira" }));
    let undone = desk.undo();
    assert_eq!(undone["left"], json!([]), "{undone}");
    let now = desk.get(&format!("/customers/{other}"));
    assert_eq!((&now["city"], &now["occupation"]), (&Value::Null, &Value::Null));
    assert_eq!(office.get(&format!("/customers/{goes}")).status, 200);
}
