//! Unknown members of request bodies (contract 1).

use serde_json::{Value, json};

use crate::forms::LISTS;
use crate::office::{Office, Reply, UNLIMITED};
use crate::one_of_each::{self, bodies, records, texts, upload_document};

const HEADER: &str = "x-ignored-members";

fn with(body: &Value, more: Value) -> Value {
    let mut body = body.clone();
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn refusing() -> String {
    format!("{UNLIMITED}[api]\nunknown_parameters = \"refuse\"\n")
}

/// Returns the members that a 422 reports with this code.
fn refused(reply: &Reply, code: &str) -> Vec<String> {
    let body = reply.problem(422, "invalid");
    let reasons = body["reasons"].as_object().unwrap();
    let refused = reasons.iter().filter(|(_, codes)| codes.as_array().unwrap().contains(&json!(code)));
    refused.map(|(name, _)| name.clone()).collect()
}

#[test]
fn a_write_names_the_members_that_it_ignored() {
    let office = Office::new();
    for (path, body) in bodies() {
        let known = office.post(path, &body);
        assert_eq!((known.status / 100, known.header(HEADER)), (2, ""), "{path}: {}", known.text());
        let reply = office.post(path, &with(&body, json!({ "nome": "x", "phones": [{ "x": 1 }] })));
        // This includes responses for duplicates.
        assert_eq!(reply.header(HEADER), "nome, phones", "{path}: {}", reply.text());
    }
    assert_eq!(upload_document(&office, &[]).header(HEADER), "");
    assert_eq!(upload_document(&office, &[("titulo", "x"), ("anexo", "y")]).header(HEADER), "titulo, anexo");
    for (path, text) in texts() {
        let reply = office.put(path, &json!({ "external_id": "x", text: "y", "number": 7 }));
        assert_eq!(
            (reply.status, reply.header(HEADER)),
            (200, "external_id, number"),
            "{path}: {}",
            reply.text()
        );
    }
    for (path, ..) in LISTS {
        let reply = office.put(&format!("{path}/1"), &json!({ "active": true, "cor": "azul" }));
        assert_eq!((reply.status, reply.header(HEADER)), (200, "cor"), "{path}");
    }
    let hook = json!({ "url": "http://127.0.0.1:9/", "types": ["*"], "name": "x" });
    assert_eq!(office.post("/webhooks", &hook).header(HEADER), "name");
    let complete = office.put("/posts/1/complete", &json!({ "users_id": 1, "user": 2 }));
    assert_eq!((complete.status, complete.header(HEADER)), (200, "user"));
    let first = office.post("/customers", &bodies()[0].1);
    assert_eq!((first.status, first.header(HEADER)), (422, ""));
}

#[test]
fn ignored_names_are_encoded_shortened_unique_and_prefixed_by_their_item() {
    let office = one_of_each::office(UNLIMITED);
    let put = |body: &str| {
        let reply = office.send("PUT", "/customers/1", &[], Some(body.as_bytes()));
        assert_eq!(reply.status, 200, "{body}: {}", reply.text());
        reply.header(HEADER).to_owned()
    };
    assert_eq!(
        put(r#"{"city":"A","x":1,"x":2,"city":"B","á, b\r\n":null,"z":[]}"#),
        "x, %C3%A1%2C%20b%0D%0A, z"
    );
    assert_eq!(office.get("/customers/1").json()["city"], "B");
    let long = "n".repeat(41);
    assert_eq!(put(&format!(r#"{{"city":"A","{long}":1}}"#)), "n".repeat(40));
    let many = (0..30).map(|number| format!("\"m{number}\":0")).collect::<Vec<_>>().join(",");
    assert_eq!(put(&format!(r#"{{"city":"A",{many}}}"#)).split(", ").count(), 10);

    let movement = json!({ "lawsuit_id": 1, "description": "Sentença" });
    let items = json!({
        "movements": [movement, with(&movement, json!({ "text": 1 })), with(&movement, json!({ "text": 1, "b.c": 2 }))],
        "count": 3,
    });
    let reply = office.post("/movements", &items);
    assert_eq!((reply.status, reply.header(HEADER)), (200, "count, movements.1.text, movements.2.b.c"));
}

#[test]
fn a_setting_refuses_unknown_members_together_with_other_errors() {
    let office = one_of_each::office(&refusing());
    let reply = office.post("/customers", &json!({ "users_id": 1, "nome": "Ana", "created_at": "x" }));
    let reasons = json!({
        "customers_origins_id": ["required"], "name": ["required"], "nome": ["unknown-member"],
        "created_at": ["not-writable"],
    });
    let body = reply.problem(422, "invalid");
    assert_eq!((&body["reasons"], reply.header(HEADER)), (&reasons, ""));
    assert_eq!(body["errors"]["nome"], json!(["is not a member that this route takes"]));
    for (path, text) in texts() {
        let reply = office.put(path, &json!({ "external_id": "x", text: "y" }));
        assert_eq!(refused(&reply, "unknown-member"), ["external_id"], "{path}");
        assert_eq!(office.put(path, &json!({ text: "y" })).status, 200, "{path}");
    }
    assert_eq!(refused(&upload_document(&office, &[("titulo", "x")]), "unknown-member"), ["titulo"]);
    let movement = json!({ "lawsuit_id": 1, "description": "Sentença", "text": 1 });
    let reply = office.post("/movements", &json!({ "movements": [movement, movement], "count": 2 }));
    assert_eq!(refused(&reply, "unknown-member"), ["count", "movements.0.text"]);
    let complete = office.put("/posts/1/complete", &json!({ "users_id": 1, "user": 2 }));
    assert_eq!(refused(&complete, "unknown-member"), ["user"]);
    for (path, ..) in LISTS {
        let reply = office.put(&format!("{path}/1"), &json!({ "active": true, "cor": "azul" }));
        assert_eq!(refused(&reply, "unknown-member"), ["cor"], "{path}");
    }
}

#[test]
fn a_body_of_only_unknown_members_is_refused_and_names_them() {
    let office = one_of_each::office(UNLIMITED);
    let unknown = json!({ "nome": "x", "user_ids": [3] });
    let sentence = "The body names no field that this route takes; ignored: nome, user_ids.";
    let posts = bodies().into_iter().map(|(path, _)| ("POST", path)).chain([
        ("POST", "/settings/users"),
        ("POST", "/customers/1/merge"),
        ("POST", "/webhooks"),
    ]);
    let puts = records().into_iter().chain(["/posts/1/complete", "/posts/1/reopen", "/settings/stages/1"]);
    for (method, path) in posts.chain(puts.map(|path| ("PUT", path))) {
        let reply = office.send(method, path, &[], Some(unknown.to_string().as_bytes()));
        assert_eq!(reply.problem(400, "empty-body")["error"], sentence, "{method} {path}");
        assert_eq!(reply.header(HEADER), "nome, user_ids", "{method} {path}");
    }
    // A misspelt member must not complete a task for all its guests.
    assert_eq!(office.get("/posts/1").json()["status"], "pending");
    let empty = office.put("/customers/1", &json!({})).problem(400, "empty-body");
    assert_eq!(empty["error"], "The body is empty or names no field.");
    let many = (0..30).map(|number| (format!("m{number}"), json!(0))).collect::<serde_json::Map<_, _>>();
    let reply = office.put("/customers/1", &many.into()).problem(400, "empty-body");
    assert!(reply["error"].as_str().unwrap().ends_with("m9, …."), "{reply}");
}
