//! Every golden example of sections 14 to 18 of the contract, verbatim: the documented requests in one
//! session, with the documented ids and times. Those of sections 11 to 13 are in `settings` and `tasks`.

use serde_json::{Value, json};

use crate::documents::{document, upload};
use crate::office::{Office, Reply};

const NUMBER: &str = "0001234-03.2026.8.26.0100";

fn at(office: &Office, moment: &str) {
    office.clock.set(format!("{moment}-03:00").parse().unwrap());
}

fn is(reply: &Reply, status: u16, body: &Value) {
    assert_eq!((reply.status, &reply.json()), (status, body));
}

fn page(record: Value, limit: u32, query: Value) -> Value {
    let data: Vec<Value> = [record].into_iter().filter(|record| !record.is_null()).collect();
    json!({ "data": data, "limit": limit, "offset": 0, "totalCount": data.len(), "query": query })
}

/// Returns an office with the user Ana (2), customers 1 to 18, lawsuit 5 of the last two, and its task 9.
fn office() -> Office {
    let office = Office::new();
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).json()["id"], 2);
    (1..17).for_each(|number| _ = office.customer(&format!("Cliente {number}"), json!({})));
    office.customer("Maria da Conceição", json!({ "identification": "529.982.247-25" }));
    office.customer("João Batista", json!({}));
    (1..5).for_each(|_| _ = office.lawsuit(&[1], json!({})));
    let number = json!({ "process_number": NUMBER, "users_id": 2 });
    assert_eq!(office.lawsuit(&[17, 18], number), 5);
    (1..10).for_each(|day| {
        _ = office.task(1 + 4 * (day / 9), json!({ "start_date": format!("0{day}/12/2026") }))
    });
    office
}

#[test]
fn movements() {
    let office = office();
    let others: Vec<_> =
        (1..77).map(|_| json!({ "lawsuit_id": 1, "date": "2026-06-01", "description": "Ato" })).collect();
    assert_eq!(office.post("/movements", &json!({ "movements": others })).json()["created"], 76);

    at(&office, "2026-11-21T10:31:00");
    let body =
        json!({ "lawsuit_id": "5", "date": "20/11/2026", "description": "Petição inicial protocolada" });
    let written = json!({ "success": true, "lawsuits_id": 5, "lawsuit_id": 5, "movement_id": 77 });
    is(&office.post("/lawsuits/movement", &body), 201, &written);
    let own = json!({
        "lawsuit_id": 5, "date": "2026-11-20", "title": "Petição inicial protocolada", "header": null,
        "process_number": NUMBER, "protocol_number": null, "customers": "Maria da Conceição, João Batista", "id": 77,
        "time": null, "origin": "MANUAL", "author": null, "external_ids": [], "created_at": "2026-11-21 10:31:00",
        "updated_at": "2026-11-21 10:31:00",
    });
    let expected = page(own.clone(), 10_000, json!({ "origin": "manual" }));
    is(&office.get("/movements/5?origin=manual"), 200, &expected);
    let days = json!({ "date_start": "2026-11-15", "date_end": "2026-11-21", "limit": "100" });
    let last = office.get("/last_movements?date_start=2026-11-15&date_end=2026-11-21&limit=100");
    is(&last, 200, &page(own, 100, days));
    let of_courts = json!({ "created_start": "2026-11-21", "origin": "TRIBUNAL" });
    let none = office.get("/movements?created_start=2026-11-21&origin=TRIBUNAL");
    is(&none, 200, &page(Value::Null, 1000, of_courts));

    at(&office, "2026-11-21T21:00:02");
    let capture = json!({ "movements": [
        { "process_number": NUMBER, "date": "2026-11-21", "time": "09:12", "header": "TJSP",
          "description": "Conclusos para despacho", "external_ids": ["datajud:tjsp-0001234-7"] },
        { "process_number": "0005001-52.2026.8.24.0020", "date": "2026-11-21", "header": "TJSC", "description": "Sentença" },
    ]});
    let merged = json!({ "success": true, "created": 1, "existing": 0, "unknown": 1, "movements": [
        { "movement_id": 78, "lawsuit_id": 5, "created": true },
        { "movement_id": null, "lawsuit_id": null, "created": false },
    ]});
    is(&office.post("/movements", &capture), 200, &merged);
    let of_court = office.get("/lawsuits/movement/78");
    let expected = json!({
        "lawsuit_id": 5, "date": "2026-11-21", "title": "Conclusos para despacho", "header": "TJSP",
        "process_number": NUMBER, "protocol_number": null, "customers": "Maria da Conceição, João Batista", "id": 78,
        "time": "09:12:00", "origin": "TRIBUNAL", "author": null, "external_ids": ["datajud:tjsp-0001234-7"],
        "created_at": "2026-11-21 21:00:02", "updated_at": "2026-11-21 21:00:02",
    });
    is(&of_court, 200, &expected);
    assert!(of_court.header("etag").starts_with('"'));
    let change = json!({ "description": "Petição inicial protocolada no sistema do tribunal" });
    is(&office.put("/lawsuits/movement/77", &change), 200, &written);
    let mut deleted = written;
    deleted["deleted_at"] = json!("2026-11-21 21:00:02");
    is(&office.send("DELETE", "/lawsuits/movement/77", &[], None), 200, &deleted);
}

#[test]
fn publications() {
    let office = office();
    let others: Vec<_> =
        (1..12).map(|_| json!({ "lawsuit_id": 1, "date": "2026-06-01", "publication": "x" })).collect();
    assert_eq!(office.post("/publications", &json!({ "publications": others })).json()["created"], 11);

    at(&office, "2026-11-20T06:10:00");
    let capture = json!({ "publications": [{
        "process_number": NUMBER, "date": "2026-11-20", "source": "DJEN", "local": "2ª Vara Cível",
        "date_deadline": "2026-12-11", "external_ids": ["djen:987654"],
        "publication": "Intimação: manifeste-se a parte autora em 15 dias.",
    }]});
    let merged = json!({ "success": true, "created": 1, "existing": 0, "unknown": 0,
        "publications": [{ "publication_id": 12, "lawsuit_id": 5, "created": true }] });
    is(&office.post("/publications", &capture), 200, &merged);
    let notice = json!({
        "process_number": NUMBER, "protocol_number": null, "start": "2026-11-20 00:00:00",
        "date_deadline": "2026-12-11", "deadline_query": null, "deadline_memory": null, "local": "2ª Vara Cível", "created_at": "2026-11-20 06:10:00", "author": "DJEN",
        "responsible": "Ana Souza", "customers": "Maria da Conceição, João Batista",
        "publication": "Intimação: manifeste-se a parte autora em 15 dias.", "date_available": null, "date": "2026-11-20",
        "court": null, "kind": null, "id": 12,
        "lawsuit_id": 5, "responsible_id": 2, "source": "DJEN", "treated_at": null, "treated_by": null, "posts": [],
        "external_ids": ["djen:987654"], "updated_at": "2026-11-20 06:10:00",
    });
    is(&office.get("/publications/5"), 200, &page(notice.clone(), 10_000, json!({})));
    let query = json!({ "treated": "false", "lawsuit_id": "none" });
    is(&office.get("/publications?treated=false&lawsuit_id=none"), 200, &page(Value::Null, 1000, query));
    let one = office.get("/lawsuits/publication/12");
    is(&one, 200, &notice);
    assert!(one.header("etag").starts_with('"'));
    let written = json!({ "success": true, "publication_id": 12 });
    is(&office.put("/lawsuits/publication/12", &json!({ "treated": true, "users_id": 2 })), 200, &written);
    assert_eq!(office.get("/lawsuits/publication/12").json()["treated_by"], "Ana Souza");
    let mut deleted = written;
    deleted["deleted_at"] = json!("2026-11-20 06:10:00");
    is(&office.send("DELETE", "/lawsuits/publication/12", &[], None), 200, &deleted);
}

#[test]
fn transactions_and_deletion() {
    let office = office();
    let other = json!({
        "users_id": 2, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1, "amount": 1,
        "date_due": "2026-06-20",
    });
    (1..31).for_each(|_| assert_eq!(office.post("/transactions", &other).status, 201));

    at(&office, "2026-11-21T10:40:00");
    let body = json!({
        "users_id": 2, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
        "amount": "1.500,50", "date_due": "2026-12-15", "customers_id": 17, "lawsuits_id": 5, "sectors_id": 1,
        "description": "Honorários iniciais, 1ª parcela",
    });
    let written = json!({ "success": true, "transactions_id": 31, "transaction_id": 31 });
    is(&office.post("/transactions", &body), 201, &written);
    let record = json!({
        "id": 31, "entry_type": "income", "date_due": "2026-12-15", "date_payment": null, "competence": "12/2026",
        "amount": 1500.50, "description": "Honorários iniciais, 1ª parcela", "responsible": "Ana Souza",
        "category": "Honorários iniciais", "lawsuit_id": 5, "process_number": NUMBER, "protocol_number": null,
        "name": "Maria da Conceição", "identification": "529.982.247-25", "debit_bank": "Conta corrente",
        "credit_bank": null, "cost_center": "Geral", "is_internal": true, "is_recurrent": false, "users_id": 2,
        "categories_id": 1, "cost_centers_id": 1, "debit_account": 1, "credit_account": null, "sectors_id": 1,
        "customers_id": 17, "sector": "Jurídico", "discount": 0.0, "interest": 0.0, "rest_of": null,
        "refund_of": null, "external_ids": [], "created_at": "2026-11-21 10:40:00",
        "updated_at": "2026-11-21 10:40:00",
    });
    let mut list = page(record.clone(), 1000, json!({ "lawsuit_id": "5", "sums": "true" }));
    list["sums"] =
        json!({ "income": { "paid": 0.0, "unpaid": 1500.50 }, "expense": { "paid": 0.0, "unpaid": 0.0 } });
    let found = office.get("/transactions?lawsuit_id=5&sums=true");
    is(&found, 200, &list);
    assert!(found.text().contains(r#""amount":1500.50,"#) && found.text().contains(r#""paid":0.00,"#));
    let one = office.get("/transactions/31");
    is(&one, 200, &record);
    assert!(one.header("etag").starts_with('"'));
    is(&office.put("/transactions/31", &json!({ "date_payment": "2026-11-21" })), 200, &written);

    at(&office, "2026-11-21T11:02:10");
    let deleted = json!({
        "success": true, "transactions_id": 31, "transaction_id": 31, "deleted_at": "2026-11-21 11:02:10",
    });
    is(
        &office.send("DELETE", "/transactions/31?reason=lan%C3%A7ada%20duas%20vezes", &[], None),
        200,
        &deleted,
    );
    let gone = json!({
        "error": "Transaction not found", "message": "Transaction not found", "code": "not-found",
        "deleted_at": "2026-11-21 11:02:10",
    });
    is(&office.get("/transactions/31"), 404, &gone);
    is(&office.put("/transactions/31", &json!({ "deleted": false })), 200, &written);
    let used = json!({
        "error": "The record is in use.", "message": "The record is in use.", "code": "in-use",
        "errors": { "lawsuits": ["5"], "transactions": ["31"] },
    });
    is(&office.send("DELETE", "/customers/17", &[], None), 422, &used);
}

#[test]
fn documents() {
    let office = office();
    (1..8).for_each(|number| _ = document(&office, "x.pdf", format!("nota {number}").as_bytes()));

    at(&office, "2026-11-21T10:45:00");
    let content = vec![b'%'; 48_213];
    let members = [("customer_id", "17"), ("lawsuit_id", "5"), ("users_id", "2")];
    let reply = upload(&office, "procuração.pdf", "application/pdf", &content, &members);
    is(&reply, 201, &json!({ "success": true, "documents_id": 8, "document_id": 8, "existing": false }));
    let one = office.get("/documents/8");
    let record = json!({
        "id": 8, "name": "procuração.pdf",
        "links": { "download": "/api/v1/documents/8/download", "content": "/api/v1/documents/8/content" },
        "size": 48213, "media_type": "application/pdf", "sha256": one.json()["sha256"], "customer_id": 17, "lawsuit_id": 5,
        "transaction_id": null, "post_id": null, "publication_id": null, "notes": null, "users_id": 2,
        "external_ids": [], "created_at": "2026-11-21 10:45:00", "updated_at": "2026-11-21 10:45:00",
    });
    is(&one, 200, &record);
    assert!(one.header("etag").starts_with('"'));
    is(&office.get("/documents?customer_id=17"), 200, &page(record, 1000, json!({ "customer_id": "17" })));

    let link = office.get("/documents/8/download").json();
    let address =
        format!("http://{}/api/v1/documents/8/content?expires=1795269000&signature=", office.address());
    assert!(link["data"].as_str().unwrap().starts_with(&address), "{link}");
    assert_eq!((link.as_object().unwrap().len(), &link["expires_in"]), (2, &json!(300)));
    let bytes = office.get("/documents/8/content");
    assert_eq!((bytes.status, &bytes.bytes), (200, &content));
    assert_eq!(bytes.header("content-type"), "application/pdf");
    assert_eq!(bytes.header("content-disposition"), "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf");

    let change = json!({ "name": "procuração assinada.pdf", "post_id": 9 });
    is(
        &office.put("/documents/8", &change),
        200,
        &json!({ "success": true, "documents_id": 8, "document_id": 8 }),
    );
}
