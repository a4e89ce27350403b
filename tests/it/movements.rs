//! Movements: lists, the newest movement of each lawsuit, single movements and captures (resources 14).

use serde_json::{Value, json};

use crate::office::{Office, Reply};

const NUMBER: &str = "0000002-65.2005.4.05.8100";
const OTHER: &str = "0005001-52.2026.8.24.0020";

/// Starts an office with two customers and lawsuit 1, which belongs to both.
fn office() -> Office {
    let office = Office::new();
    let customers = ["Maria da Conceição", "João Batista"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&customers, json!({ "process_number": NUMBER }));
    office
}

fn movement(office: &Office, body: Value) -> u64 {
    let reply = office.post("/lawsuits/movement", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["movement_id"].as_u64().unwrap()
}

fn ids(reply: &Reply) -> Vec<u64> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect()
}

#[test]
fn a_movement_is_written_and_read_as_in_the_contract() {
    let office = office();
    let body =
        json!({ "lawsuit_id": "1", "date": "20/05/2026", "description": "Petição inicial protocolada" });
    let reply = office.post("/lawsuits/movement", &body);
    assert_eq!(reply.status, 201);
    let written = json!({ "success": true, "lawsuits_id": 1, "lawsuit_id": 1, "movement_id": 1 });
    assert_eq!(reply.json(), written);
    let expected = json!({
        "lawsuit_id": 1, "date": "2026-05-20", "title": "Petição inicial protocolada", "header": null,
        "process_number": NUMBER, "protocol_number": null, "customers": "Maria da Conceição, João Batista",
        "id": 1, "time": null, "origin": "MANUAL", "author": null, "external_ids": [],
        "created_at": "2026-06-17 12:00:00", "updated_at": "2026-06-17 12:00:00",
    });
    let read = office.get("/lawsuits/movement/1");
    assert_eq!((read.status, read.json()), (200, expected.clone()));
    let list = office.get("/movements/1?origin=manual").json();
    let whole = json!({
        "data": [expected], "limit": 10000, "offset": 0, "totalCount": 1, "query": { "origin": "manual" },
    });
    assert_eq!(list, whole);
    let last = office.get("/last_movements?date_start=2026-05-15&date_end=2026-05-21&limit=100").json();
    assert_eq!(
        (&last["data"], &last["totalCount"], &last["limit"]),
        (&json!([expected]), &json!(1), &json!(100))
    );
    let all = office.get("/movements?created_start=2026-06-17&origin=TRIBUNAL").json();
    assert_eq!((&all["data"], &all["limit"]), (&json!([]), &json!(1000)));

    let change = json!({ "description": "Petição inicial protocolada no sistema do tribunal" });
    let stale = office.send(
        "PUT",
        "/lawsuits/movement/1",
        &[("if-match", "\"x\"")],
        Some(change.to_string().as_bytes()),
    );
    stale.problem(412, "changed-meanwhile");
    let etag = read.header("etag").to_owned();
    let put = office.send(
        "PUT",
        "/lawsuits/movement/1",
        &[("if-match", &etag)],
        Some(change.to_string().as_bytes()),
    );
    assert_eq!((put.status, put.json()), (200, written));
    assert_eq!(office.get("/lawsuits/movement/1").json()["title"], change["description"]);
}

#[test]
fn a_movement_shows_the_current_data_of_its_lawsuit_and_customers() {
    let office = office();
    let id = movement(&office, json!({ "lawsuits_id": 1, "description": "Sentença", "user_id": 1 }));
    let shown = |member: &str| office.get(&format!("/lawsuits/movement/{id}")).json()[member].clone();
    assert_eq!(shown("author"), "Escritório");
    assert_eq!(office.put("/customers/2", &json!({ "name": "João B. Lima" })).status, 200);
    assert_eq!(shown("customers"), "Maria da Conceição, João B. Lima");
    assert_eq!(
        office.put("/lawsuits/1", &json!({ "process_number": OTHER, "customers_id": [2, 1] })).status,
        200
    );
    assert_eq!(shown("customers"), "João B. Lima, Maria da Conceição");
    assert_eq!(shown("process_number"), OTHER);
    assert_eq!(office.get("/movements/1").json()["data"][0]["process_number"], OTHER);
}

#[test]
fn members_are_checked_against_their_limits() {
    let office = office();
    let send = |member: &str, value: Value| {
        let mut body = json!({ "lawsuit_id": 1, "description": "x" });
        body[member] = value;
        office.post("/lawsuits/movement", &body)
    };
    let accepts = |member: &str, shown: &str, given: Value, expected: Value| {
        let reply = send(member, given.clone());
        assert_eq!(reply.status, 201, "{member} {given}: {}", reply.text());
        let id = &reply.json()["movement_id"];
        assert_eq!(
            office.get(&format!("/lawsuits/movement/{id}")).json()[shown],
            expected,
            "{member} {given}"
        );
    };
    let refuses = |member: &str, given: Value| {
        assert_eq!(send(member, given.clone()).wrong_fields(), [member], "{given}");
    };
    for text in ["1", "Sentença", " Conclusos\npara\tdespacho ", &"é".repeat(20_000)] {
        accepts("description", "title", json!(text), json!(text));
    }
    for wrong in
        [json!(""), json!(" "), json!("—."), json!("a\u{0}"), json!("é".repeat(20_001)), json!(["x"])]
    {
        refuses("description", wrong);
    }
    accepts("header", "header", json!("é".repeat(200)), json!("é".repeat(200)));
    accepts("header", "origin", json!("TJSP"), json!("TRIBUNAL"));
    accepts("header", "origin", json!(""), json!("MANUAL"));
    for wrong in [json!("é".repeat(201)), json!("a\u{0}b"), json!({})] {
        refuses("header", wrong);
    }
    for (given, day) in
        [("01/01/1900", "1900-01-01"), ("2027-06-17", "2027-06-17"), ("2026-06-17T23:59:00Z", "2026-06-17")]
    {
        accepts("date", "date", json!(given), json!(day));
    }
    accepts("date", "date", Value::Null, json!("2026-06-17"));
    for wrong in ["31/12/1899", "2027-06-18", "31/02/2026", "ontem"] {
        refuses("date", json!(wrong));
    }
    for (given, time) in [("00:00", "00:00:00"), ("23:59:59", "23:59:59"), (" 09:12 ", "09:12:00")] {
        accepts("time", "time", json!(given), json!(time));
    }
    for wrong in [json!("24:00"), json!("9:12"), json!("09:60"), json!(912)] {
        refuses("time", wrong);
    }
    for wrong in [json!(2), json!(0), json!("x"), json!(1.5), Value::Null] {
        refuses("lawsuit_id", wrong);
    }
    refuses("users_id", json!(99));
    accepts("external_ids", "external_ids", json!("datajud:1"), json!(["datajud:1"]));
    for wrong in [json!("datajud"), json!(["a:1", "a:1"]), json!([1])] {
        refuses("external_ids", wrong);
    }
    let reply = office
        .post("/lawsuits/movement", &json!({ "lawsuit_id": 1, "lawsuits_id": 2, "date": "x", "time": "x" }));
    assert_eq!(reply.wrong_fields(), ["lawsuit_id", "date", "description", "time"]);
    let taken = send("external_ids", json!(["datajud:2", "datajud:1"])).problem(422, "duplicate");
    assert!(taken["movement_id"].is_number(), "{taken}");
    assert_eq!(office.get("/movements?external_id=datajud:2").json()["totalCount"], 0, "nothing was stored");
    assert_eq!(
        office.put("/lawsuits/movement/1", &json!({ "description": null })).wrong_fields(),
        ["description"]
    );
    assert_eq!(office.put("/lawsuits/movement/1", &json!({ "date": "" })).status, 200);
    assert_eq!(office.get("/lawsuits/movement/1").json()["date"], "2026-06-17");
}

#[test]
fn missing_movements_and_lawsuits_are_reported_as_not_found() {
    let office = office();
    for path in ["/lawsuits/movement/1", "/lawsuits/movement/0", "/lawsuits/movement/x"] {
        assert_eq!(office.get(path).problem(404, "not-found")["error"], "Movement not found");
    }
    for path in ["/movements/2", "/movements/x"] {
        assert_eq!(office.get(path).problem(404, "not-found")["error"], "Lawsuit not found");
    }
    assert_eq!(office.get("/movements/1").json()["data"], json!([]));
    for method in ["GET", "PUT"] {
        office.send(method, "/lawsuits/movement", &[], Some(b"{}")).problem(405, "method-not-allowed");
    }
}

#[test]
fn every_filter_of_every_list_works() {
    let office = office();
    let second = office.lawsuit(&[1], json!({ "process_number": OTHER, "protocol_number": "2026/7" }));
    let write = |lawsuit: u64, date: &str, header: &str, text: &str| {
        let body = json!({ "lawsuit_id": lawsuit, "date": date, "header": header, "description": text });
        movement(&office, body)
    };
    let [first, old, newest, tied, other] = [
        write(1, "2026-05-10", "TJSP", "Conclusos para despacho"),
        write(1, "2025-01-02", "", "Distribuído"),
        write(1, "2026-06-01", "", "Petição juntada"),
        write(1, "2026-06-01", "TJSP", "Sentença"),
        write(second, "2026-06-02", "TJSC", "Conclusos para sentença"),
    ];
    let list = |path: &str| ids(&office.get(path));
    for (query, expected) in [
        ("", vec![tied, newest, first, old]),
        ("?origin=Tribunal", vec![tied, first]),
        ("?origin=MANUAL&date_start=01/01/2026", vec![newest]),
        ("?date_start=2025-01-02&date_end=2026-05-10", vec![first, old]),
        ("?date_end=2025-01-02", vec![old]),
        ("?limit=2&offset=1", vec![newest, first]),
        ("?limit=10000&offset=4", vec![]),
    ] {
        assert_eq!(list(&format!("/movements/1{query}")), expected, "{query}");
    }
    for (query, expected) in [
        ("", vec![other, tied]),
        ("?lawsuit_id=1", vec![tied]),
        ("?lawsuits_id=9", vec![]),
        ("?origin=manual", vec![newest]),
        ("?origin=tribunal", vec![other, tied]),
        ("?date_end=2026-05-31", vec![first]),
        ("?date_end=2026-05-31&origin=manual", vec![old]),
        ("?date_start=2026-06-02", vec![other]),
        ("?process_number=0000002", vec![tied]),
        ("?process_number=00050015220268240020", vec![other]),
        ("?protocol_number=2026/7", vec![other]),
        ("?responsible=1", vec![other, tied]),
        ("?responsible=ninguém", vec![]),
        ("?limit=1&offset=1", vec![tied]),
    ] {
        assert_eq!(list(&format!("/last_movements{query}")), expected, "{query}");
    }
    for (query, expected) in [
        ("", vec![first, old, newest, tied, other]),
        ("?order=desc&limit=2", vec![other, tied]),
        ("?lawsuit_id=1&origin=manual", vec![old, newest]),
        ("?title=conclusos", vec![first, other]),
        ("?title=sentenca%20para", vec![other]),
        ("?header=tjsp", vec![first, tied]),
        ("?date_start=2026-06-01&date_end=2026-06-01", vec![newest, tied]),
        ("?created_end=2026-06-16", vec![]),
    ] {
        assert_eq!(list(&format!("/movements{query}")), expected, "{query}");
    }
    for path in ["/movements/1?origin=court", "/movements?origin=x", "/last_movements?origin=x"] {
        assert_eq!(office.get(path).wrong_fields(), ["origin"], "{path}");
    }
    let wrong = office.get("/last_movements?date_start=x&limit=1001&lawsuit_id=x").wrong_fields();
    assert_eq!(wrong, ["lawsuit_id", "date_start", "limit"]);
    assert_eq!(office.get("/movements/1?limit=10001").wrong_fields(), ["limit"]);
    assert_eq!(office.get("/movements/1?title=x").header("x-ignored-parameters"), "title");
    // Both lists follow a change of a movement's day or lawsuit.
    assert_eq!(
        office.put(&format!("/lawsuits/movement/{tied}"), &json!({ "date": "2024-01-01" })).status,
        200
    );
    assert_eq!(list("/last_movements"), [other, newest]);
    assert_eq!(office.put(&format!("/lawsuits/movement/{other}"), &json!({ "lawsuit_id": 1 })).status, 200);
    assert_eq!(list("/last_movements"), [other]);
    assert_eq!(list("/movements/1"), [other, newest, first, old, tied]);
}

fn merge(office: &Office, movements: Value) -> Reply {
    office.post("/movements", &json!({ "movements": movements }))
}

#[test]
fn a_capture_adds_only_new_movements() {
    let office = office();
    let capture = json!([
        { "process_number": NUMBER.replace(['-', '.'], ""), "date": "2026-06-10", "time": "09:12", "header": "TJSP",
          "description": "Conclusos para despacho", "external_ids": ["datajud:tjsp-7"] },
        { "process_number": OTHER, "date": "2026-06-10", "header": "TJSC", "description": "Sentença" },
    ]);
    let first = merge(&office, capture.clone());
    assert_eq!(first.status, 200, "{}", first.text());
    let expected = json!({ "success": true, "created": 1, "existing": 0, "unknown": 1, "movements": [
        { "movement_id": 1, "lawsuit_id": 1, "created": true },
        { "movement_id": null, "lawsuit_id": null, "created": false },
    ]});
    assert_eq!(first.json(), expected);
    let again = merge(&office, capture).json();
    assert_eq!((&again["created"], &again["existing"], &again["unknown"]), (&json!(0), &json!(1), &json!(1)));
    assert_eq!(again["movements"][0], json!({ "movement_id": 1, "lawsuit_id": 1, "created": false }));

    // Movements without an external id are counted: a capture adds only as many as are missing.
    let equal = json!({ "lawsuit_id": 1, "date": "2026-06-11", "description": "Juntada" });
    let counted = |capture: Value| {
        let merged = merge(&office, capture).json();
        (merged["created"].as_u64().unwrap(), merged["existing"].as_u64().unwrap())
    };
    assert_eq!(counted(json!([equal, equal])), (2, 0));
    assert_eq!(counted(json!([equal])), (0, 1));
    assert_eq!(counted(json!([equal, equal, equal])), (1, 2));
    for (member, value) in [
        ("date", json!("2026-06-12")),
        ("time", json!("10:00")),
        ("header", json!("TJSP")),
        ("description", json!("Juntada.")),
    ] {
        let mut other = equal.clone();
        other[member] = value;
        assert_eq!(counted(json!([other])), (1, 0), "{member}");
        assert_eq!(counted(json!([other, equal])), (0, 2), "{member}");
    }
    // A movement with an external id never equals one without.
    let mut named = equal.clone();
    named["external_ids"] = json!("a:1");
    assert_eq!(counted(json!([named, equal, equal, equal])), (1, 3));
    assert_eq!(counted(json!([equal, equal, equal, named])), (0, 4));
    // A movement with a known external id is left unchanged, even if the other members differ.
    let moved = json!({ "process_number": OTHER, "description": "Outro", "external_ids": ["b:2", "a:1"] });
    assert_eq!(counted(json!([moved])), (0, 1));
    assert_eq!(office.get("/movements?external_id=a:1").json()["data"][0]["title"], "Juntada");
    assert_eq!(
        counted(json!([{ "lawsuit_id": 1, "description": "x", "external_ids": "c:1" },
        { "lawsuit_id": 1, "description": "y", "external_ids": "c:1" }])),
        (1, 1)
    );
    // If several lawsuits have the process number, the movement goes to the first of them.
    office.lawsuit(&[2], json!({ "process_number": NUMBER }));
    office.lawsuit(&[2], json!({ "process_number": "PA 12/2024-b" }));
    let merged = merge(
        &office,
        json!([{ "process_number": NUMBER, "description": "z" },
        { "process_number": "pa 12.2024 B", "description": "z" }]),
    )
    .json();
    assert_eq!(
        (&merged["movements"][0]["lawsuit_id"], &merged["movements"][1]["lawsuit_id"]),
        (&json!(1), &json!(3))
    );
}

#[test]
fn a_capture_with_an_error_stores_nothing_and_names_each_wrong_field() {
    let office = office();
    let good = json!({ "lawsuit_id": 1, "description": "x" });
    let wrong = merge(
        &office,
        json!([
            good,
            { "lawsuit_id": 9, "date": "31/02/2026", "description": "x" },
            7,
            { "description": " ", "users_id": 99, "process_number": "0000002-66.2005.4.05.8100" },
            { "description": "x", "process_number": "" },
        ]),
    );
    let fields = [
        "movements.1.date",
        "movements.1.lawsuit_id",
        "movements.2",
        "movements.3.process_number",
        "movements.3.description",
        "movements.3.users_id",
        "movements.4.lawsuit_id",
    ];
    assert_eq!(wrong.wrong_fields(), fields);
    for body in
        [json!({}), json!({ "movements": null }), json!({ "movements": [] }), json!({ "movements": "x" })]
    {
        assert_eq!(office.post("/movements", &body).wrong_fields(), ["movements"], "{body}");
    }
    assert_eq!(merge(&office, json!(vec![&good; 1001])).wrong_fields(), ["movements"]);
    assert_eq!(office.get("/movements").json()["totalCount"], 0);
    let most = merge(&office, json!(vec![&good; 1000]));
    assert_eq!((most.status, &most.json()["created"]), (200, &json!(1000)));
    assert_eq!(ids(&office.get("/last_movements")), [1000]);
}

#[test]
fn a_capture_may_have_8_mib_and_can_be_repeated_with_its_idempotency_key() {
    let office = office();
    let item = json!({ "lawsuit_id": 1, "description": "é".repeat(4_200) });
    let body = json!({ "movements": vec![item; 900] }).to_string();
    assert!(body.len() > 7 << 20);
    let padded = |length: usize| [body.as_bytes(), &vec![b' '; length - body.len()]].concat();
    let send = |body: &[u8]| office.send("POST", "/movements", &[("idempotency-key", "k1")], Some(body));
    let too_long = send(&padded((8 << 20) + 1)).problem(413, "too-large");
    assert_eq!(too_long["error"], "The body must be at most 8 MiB.");
    let first = send(&padded(8 << 20));
    assert_eq!(first.status, 200, "{}", first.text());
    let again = send(&padded(8 << 20));
    assert_eq!((again.text(), again.header("idempotency-replayed")), (first.text(), "true"));
    send(b"{\"movements\": []}").problem(422, "idempotency-key-reused");
}
