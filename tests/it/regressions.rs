//! One test a bug that was found.

use serde_json::json;

use crate::office::Office;
use crate::program::run_with;
use crate::wire::Wire;

/// `stringify!` made a member and a parameter `r#type` of the contract's `type`.
#[test]
fn type_is_called_type() {
    let office = Office::new();
    let made = office.post("/settings/type_lawsuits", &json!({ "type": "Ação rara", "group_id": 1 }));
    assert_eq!(made.status, 201, "{}", made.text());
    let types = office.get("/settings").json()["type_lawsuits"].clone();
    let rare = types.as_array().unwrap().iter().find(|entry| entry["type"] == "Ação rara").unwrap();
    let ana = office.customer("Ana Souza", json!({}));
    office.lawsuit(&[ana], json!({}));
    let lawsuit = office.lawsuit(&[ana], json!({ "type_lawsuits_id": rare["id"] }));
    assert_eq!(office.ids("/lawsuits?type=acao%20rara"), [lawsuit]);
    assert_eq!(office.ids("/lawsuits?type=nenhuma"), [0; 0]);
}

/// A request without a path made warp panic, and the connection was cut.
#[test]
fn connect_is_answered() {
    let office = Office::new();
    for target in ["localhost:80", "127.0.0.1:443"] {
        let mut wire = Wire::to(office.address());
        wire.send(format!("CONNECT {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        wire.answer().problem(405, "method-not-allowed");
    }
    let mut wire = Wire::to(office.address());
    wire.send("CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wire.answer().problem(421, "misdirected-request");
}

/// A database of another program was put into WAL mode before it was looked at.
#[test]
fn a_foreign_database_is_not_even_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleito.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(pleito::store::Store::open(folder.path()).is_err());
    assert!(std::fs::read(&path).unwrap() == before);
}

/// Refused requests took a count along to an earlier day in memory, but not in the store: after the next midnight the
/// two differed, and a restart brought back what had ended.
#[test]
fn a_clock_moved_back_at_the_limit_leaves_memory_and_store_alike() {
    let mut office = Office::with("[limits]\npost_per_day = 2\n");
    let post = |office: &Office| office.post("/customers", &json!({}));
    assert_eq!([post(&office).status, post(&office).status, post(&office).status], [422, 422, 429]);
    office.clock.set("2026-06-15T12:00:00-03:00".parse().unwrap());
    assert_eq!(post(&office).status, 429);
    office.pass(24 * 60 * 60);
    assert_eq!(post(&office).status, 422, "the day after");
    office.restart();
    assert_eq!([post(&office).status, post(&office).status], [422, 429]);
}

/// `pleito check` made the lock file in a folder that it was only to look at.
#[test]
fn check_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    run_with(folder.path(), &["check"], &[("PLEITO_SERVER_LISTEN", "127.0.0.1:0")]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The description offered `If-Match` where there is no version to name.
#[test]
fn if_match_is_offered_where_there_is_an_etag() {
    let paths = &crate::described::DESCRIPTION["paths"];
    for (path, methods) in paths.as_object().unwrap() {
        let Some(put) = methods.get("put") else { continue };
        let offers = put["parameters"].as_array().unwrap().iter().any(|one| one["name"] == "If-Match");
        let has_tag = methods.pointer("/get/responses/200/headers/ETag").is_some();
        assert_eq!((offers, put["responses"].get("412").is_some()), (has_tag, has_tag), "{path}");
    }
}
