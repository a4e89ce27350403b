//! Headers of responses to writes: the version and the location of the written record (contract 1).

use serde_json::{Value, json};

use crate::forms::LISTS;
use crate::office::{Office, UNLIMITED};
use crate::one_of_each::{self, bodies, samples, texts, upload_document};

fn version(office: &Office, path: &str) -> String {
    let tag = office.get(path).header("etag").to_owned();
    assert!(!tag.is_empty(), "{path}");
    tag
}

#[test]
fn a_post_returns_the_location_and_version_of_the_created_record() {
    let office = Office::new();
    for sample in samples() {
        let (path, record) = (sample.post, sample.record);
        let reply = office.post(path, &sample.body);
        // A capture creates many records.
        if reply.json().get("created").is_some() {
            assert_eq!((reply.header("location"), reply.header("etag")), ("", ""), "{path}");
            continue;
        }
        assert_eq!(reply.header("location"), format!("/api/v1{record}"), "{path}");
        assert_eq!(reply.header("etag"), version(&office, record), "{path}");
    }
    for status in [201, 200] {
        let reply = upload_document(&office, &[]);
        assert_eq!((reply.status, reply.header("location")), (status, "/api/v1/documents/1"));
        assert_eq!(reply.header("etag"), version(&office, "/documents/1"));
    }
    for (path, name, parent) in LISTS {
        let mut body = json!({ name: "Nova", "type": "CRÉDITO" });
        if name == "type" {
            body = json!({ "type": "Nova" });
        }
        body.as_object_mut().unwrap().extend(parent.map(|parent| (parent.to_owned(), json!(1))));
        let reply = office.post(path, &body);
        let location = format!("/api/v1{path}/{}", reply.json()["id"]);
        assert_eq!((reply.status, reply.header("location")), (201, location.as_str()), "{}", reply.text());
        assert_eq!(
            office
                .raw(
                    "PUT",
                    &location,
                    &[("authorization", &format!("Bearer {}", office.token))],
                    Some(b"{\"active\":false}")
                )
                .status,
            200
        );
    }
    let hook = json!({ "url": "http://127.0.0.1:9/", "types": ["*"] });
    assert_eq!(office.post("/webhooks", &hook).header("location"), "/api/v1/webhooks/1");
}

#[test]
fn every_change_returns_the_new_version_for_use_in_the_next_change() {
    let office = one_of_each::office(UNLIMITED);
    for (path, text) in texts() {
        let first = office.put(path, &json!({ text: "Primeiro" }));
        assert_eq!(first.header("etag"), version(&office, path), "{path}");
        let body = json!({ text: "Segundo" }).to_string();
        let again = [("if-match", first.header("etag"))];
        let second = office.send("PUT", path, &again, Some(body.as_bytes()));
        assert_eq!((second.status, second.header("etag")), (200, version(&office, path).as_str()), "{path}");
        assert_eq!(office.send("PUT", path, &again, Some(body.as_bytes())).status, 412, "{path}");
        assert_eq!(
            (second.header("location"), office.put(path, &json!({ text: 1 })).status),
            ("", 200),
            "{path}"
        );
    }
    for path in ["/posts/1/complete", "/posts/1/reopen"] {
        assert_eq!(office.put(path, &json!({})).header("etag"), version(&office, "/posts/1"), "{path}");
    }
    let before = version(&office, "/transactions/1");
    let gone = office.send("DELETE", "/transactions/1", &[], None);
    assert_eq!((gone.status, gone.header("etag")), (200, ""));
    let back = office.put("/transactions/1", &json!({ "deleted": false }));
    assert_eq!((back.status, back.header("etag")), (200, before.as_str()));
    office.customer("Maria Conceição", json!({ "phone": "4833330000" }));
    let merged = office.post("/customers/1/merge", &json!({ "from": 2 }));
    assert_eq!((merged.status, merged.header("etag")), (200, version(&office, "/customers/1").as_str()));
}

#[test]
fn a_replayed_response_has_the_location_and_version_of_the_first_one() {
    let mut office = Office::new();
    let body = bodies()[0].1.to_string();
    let send = |office: &Office| {
        office.send("POST", "/customers", &[("idempotency-key", "k")], Some(body.as_bytes()))
    };
    let first = send(&office);
    assert_eq!((first.status, first.header("location")), (201, "/api/v1/customers/1"));
    office.put("/customers/1", &json!({ "city": "Laguna" }));
    office.restart();
    let again = send(&office);
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(again.text(), first.text());
    for name in ["location", "etag", "content-type"] {
        assert_eq!(again.header(name), first.header(name), "{name}");
    }
}

#[test]
fn error_texts_are_portuguese_on_request_and_codes_stay_the_same() {
    let office = one_of_each::office(UNLIMITED);
    let body_of = |method: &str, path: &str, language: &str, body: Option<&Value>| {
        let body = body.map(Value::to_string);
        let reply =
            office.send(method, path, &[("accept-language", language)], body.as_ref().map(String::as_bytes));
        reply.json()
    };
    let wrong = json!({ "users_id": 1, "customers_origins_id": 99, "name": " ", "email": "x" });
    let [pt, en] =
        ["pt-PT, en;q=0.9", "en"].map(|language| body_of("POST", "/customers", language, Some(&wrong)));
    assert_eq!(pt["error"], "name é obrigatório (e mais 2 erros)");
    assert_eq!(pt["error"], pt["message"]);
    assert_eq!(pt["errors"]["name"], json!(["é obrigatório"]));
    assert_eq!(en["errors"]["name"], json!(["is required"]));
    let reasons =
        json!({ "customers_origins_id": ["unknown-id"], "name": ["required"], "email": ["not-an-email"] });
    assert_eq!((&pt["reasons"], &en["reasons"]), (&reasons, &reasons));
    for (method, path, body, sentence) in [
        ("GET", "/customers/99", None, "Não encontrado: cliente"),
        ("GET", "/none", None, "Não encontrado: rota"),
        ("GET", "/webhooks/1", None, "Não encontrado: webhook"),
        ("DELETE", "/settings/users/1", None, "Esta rota não tem este método."),
        ("POST", "/customers", Some(json!([])), "O corpo deve ser um objeto JSON."),
        ("PUT", "/customers/1", Some(json!({})), "O corpo está vazio ou não tem nenhum campo."),
        ("DELETE", "/customers/1", None, "O registro está em uso."),
        ("POST", "/customers", Some(bodies()[0].1.clone()), "Já existe um cliente com este CPF ou CNPJ."),
        ("POST", "/lawsuits/movement", Some(json!({ "lawsuit_id": 1 })), "description é obrigatório"),
    ] {
        let [pt, en] = ["pt-BR,pt;q=0.9,en-US;q=0.8", "de"]
            .map(|language| body_of(method, path, language, body.as_ref()));
        assert_eq!(pt["error"], sentence, "{method} {path}");
        assert_ne!(en["error"], sentence, "{method} {path}");
        assert_eq!((&pt["code"], &pt["reasons"]), (&en["code"], &en["reasons"]), "{method} {path}");
    }
    let refused = office.raw("GET", "/api/v1/customers", &[("accept-language", "pt")], None);
    assert_eq!(refused.problem(401, "unauthenticated")["error"], "Não autenticado.");
}

#[test]
fn reasons_contain_the_code_of_each_error() {
    let office = one_of_each::office(UNLIMITED);
    for (path, body, reasons) in [
        (
            "/customers",
            json!({ "name": "x".repeat(201), "phone": "12" }),
            json!({
                "users_id": ["required"], "customers_origins_id": ["required"], "name": ["too-long"], "phone": ["not-a-phone"],
            }),
        ),
        (
            "/lawsuits/1",
            json!({ "customers_id": [1, 9], "date": "31/02/2026", "fees_expec": -1 }),
            json!({
                "customers_id": ["unknown-id"], "date": ["not-a-date"], "fees_expec": ["out-of-range"],
            }),
        ),
        (
            "/lawsuits/1",
            json!({ "process_number": "0000002-66.2005.4.05.8100", "customers_id": [1, 1] }),
            json!({
                "customers_id": ["named-twice"], "process_number": ["wrong-check-digits"],
            }),
        ),
        (
            "/posts/1",
            json!({ "end_date": "2020-01-01", "urgent": "x" }),
            json!({
                "end_date": ["end-before-start"], "urgent": ["not-a-boolean"],
            }),
        ),
        ("/settings/origins", json!({ "origin": "Indicação" }), json!({ "origin": ["duplicate"] })),
    ] {
        let reply = if path.ends_with("/1") { office.put(path, &body) } else { office.post(path, &body) };
        assert_eq!(reply.problem(422, "invalid")["reasons"], reasons, "{path}");
    }
    let same = office.post("/customers", &bodies()[0].1).problem(422, "duplicate");
    assert_eq!(same["reasons"], json!({ "duplicate": ["duplicate"] }));
    let page = office.get("/customers?limit=0&order=x&created_start=x").problem(422, "invalid");
    let reasons =
        json!({ "limit": ["out-of-range"], "order": ["not-among"], "created_start": ["not-a-date"] });
    assert_eq!(page["reasons"], reasons);
}

#[test]
fn days_in_bodies_must_be_from_1900_to_2199_and_filters_accept_any() {
    let office = one_of_each::office(UNLIMITED);
    for (path, members) in [
        ("/lawsuits/1", &["date", "process_date", "status_closure", "exit_production", "exit_execution"][..]),
        ("/posts/1", &["start_date", "date", "end_date", "date_deadline"]),
        ("/lawsuits/publication/1", &["date_deadline", "start"]),
        ("/transactions/1", &["date_due"]),
    ] {
        for member in members {
            for (day, fits) in
                [("1899-12-31", false), ("1900-01-01", true), ("2199-12-31", true), ("2200-01-01", false)]
            {
                let time = if *member == "start" { " 10:00:00" } else { "" };
                // An end may not be before the start, so the start is set as well.
                let ends = path == "/posts/1" && *member == "end_date" && day == "1900-01-01";
                let start = if ends { json!({ "start_date": day }) } else { json!({ "external_ids": [] }) };
                let mut body = json!({ *member: format!("{day}{time}") });
                if path != "/lawsuits/1" {
                    body.as_object_mut().unwrap().extend(start.as_object().unwrap().clone());
                }
                if path == "/posts/1" && !ends && *member != "end_date" {
                    body["end_date"] = Value::Null;
                    body["end_time"] = Value::Null;
                }
                let reply = office.put(path, &body);
                assert_eq!(reply.status, if fits { 200 } else { 422 }, "{path} {body}: {}", reply.text());
                if !fits {
                    let reasons = reply.json()["reasons"].to_string();
                    assert!(reasons.contains("out-of-range"), "{path} {body}: {reasons}");
                }
            }
        }
    }
    let paid = office.put("/transactions/1", &json!({ "date_payment": "1899-12-31" }));
    assert_eq!(paid.wrong_fields(), ["date_payment"]);
    assert_eq!(office.put("/customers/1", &json!({ "birthdate": "01/01/1850" })).status, 200);
    assert_eq!(office.get("/lawsuits?process_date_start=0001-01-01&process_date_end=31/12/9999").status, 200);
}
