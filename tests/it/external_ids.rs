//! External ids in requests, lists, exports and imports.

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::office::Office;

fn person(ids: Value) -> Value {
    json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana", "external_ids": ids })
}

#[test]
fn an_external_id_is_kept_and_compared_as_written() {
    const ID: &str = "planilha:São 12 \"A\"";
    let desk = Desk::new();
    let office = &desk.office;
    let created = office.put("/customers", &person(json!(ID)));
    assert_eq!(created.status, 201, "{}", created.text());
    let found = office.put("/customers", &person(json!(ID)));
    assert_eq!((found.status, &found.json()["matched_by"]), (200, &json!("external_ids")));
    let other = office.put("/customers", &json!({ "external_ids": "planilha:são 12 \"A\"" }));
    assert_eq!(other.wrong_fields(), ["users_id", "customers_origins_id", "name"], "another id");
    assert_eq!(office.get("/customers/1").json()["external_ids"], json!([ID]));
    assert_eq!(office.ids("/customers?external_id=planilha:S%C3%A3o%2012%20%22A%22"), [1]);
    assert_eq!(office.ids("/customers?external_id=planilha:S%C3%A3o%2012"), [0; 0]);

    // One text may name several ids.
    let more = json!({ "existing": "fill", "external_ids": format!("{ID} crm:é\nagenda:às 9h") });
    assert_eq!(office.put("/customers", &more).json()["changed"], json!(["external_ids"]));
    let all = json!([ID, "crm:é", "agenda:às 9h"]);
    assert_eq!(office.get("/customers/1").json()["external_ids"], all);
    for (form, shown) in [
        ("text/csv", r#""[""planilha:São 12 \""A\"""",""crm:é"",""agenda:às 9h""]""#),
        ("application/x-ndjson", r#"["planilha:São 12 \"A\"","crm:é","agenda:às 9h"]"#),
    ] {
        let list = office.send("GET", "/customers", &[("accept", form)], None).text();
        assert!(list.contains(shown), "{list}");
    }

    // An import finds the record by any of its ids.
    let cells =
        ["\"planilha:São 12 \"\"A\"\" crm:é agenda:às 9h\"", "\"crm:é\n\"", "\"[\"\"agenda:às 9h\"\"]\""];
    for cell in cells {
        let file = desk.file("clientes.csv", format!("Nome;external_ids\nAna;{cell}\n").as_bytes());
        assert_eq!(desk.counts(&file, &["--resource", "customers", "--apply"]), [0, 1, 0, 0], "{cell}");
    }
}

/// An id with a word that looks like another id cannot be written as plain text, but as an array.
#[test]
fn an_external_id_that_looks_like_two_is_exported_as_json() {
    let desk = Desk::new();
    let id = json!(["agenda:às 10:30"]);
    let two = desk.office.put("/customers", &person(json!("agenda:às 10:30")));
    assert_eq!(two.status, 201, "{}", two.text());
    assert_eq!(desk.office.get("/customers/1").json()["external_ids"], json!(["agenda:às", "10:30"]));
    assert_eq!(desk.office.put("/customers/1", &json!({ "external_ids": id })).status, 200);
    let list = desk.office.send("GET", "/customers", &[("accept", "text/csv")], None).text();
    assert!(list.contains(r#""[""agenda:às 10:30""]""#), "{list}");
    // The text of the array means the array, also in requests.
    let found = desk.office.put("/customers", &person(json!(id.to_string())));
    assert_eq!((found.status, &found.json()["matched_by"]), (200, &json!("external_ids")));
}

#[test]
fn systems_and_ids_outside_the_limits_are_refused() {
    let office = Office::new();
    let (system, id) = ("a".repeat(32), "é".repeat(200));
    for given in [format!("{system}:{id}"), format!("crm:{id}"), "a:b".to_owned()] {
        let reply = office.put("/customers", &person(json!([given])));
        assert_eq!(reply.status, 201, "{given}: {}", reply.text());
        let number = &reply.json()["customer_id"];
        assert_eq!(office.get(&format!("/customers/{number}")).json()["external_ids"], json!([given]));
    }
    for given in [
        format!("{system}a:1"),
        format!("crm:{id}é"),
        "CRM:1".to_owned(),
        "A.B:1".to_owned(),
        "crm:".to_owned(),
        "crm:\u{a0}".to_owned(),
        "crm:1\u{1}".to_owned(),
    ] {
        for ids in [json!(given), json!([given])] {
            assert_eq!(office.post("/customers", &person(ids)).wrong_fields(), ["external_ids"], "{given}");
        }
    }
    let refused = office.post("/customers", &person(json!("CRM:1"))).problem(422, "invalid");
    let sentence = refused["error"].as_str().unwrap();
    assert!(sentence.contains("at most 32 characters: lower-case letters a to z"), "{sentence}");
}
