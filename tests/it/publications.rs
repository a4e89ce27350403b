//! Publications: captures with and without a lawsuit, lists, and their treatment (resources 15).

use serde_json::{Value, json};

use crate::office::{Office, Reply};

const NUMBER: &str = "0000002-65.2005.4.05.8100";
const OTHER: &str = "0005001-52.2026.8.24.0020";
const TEXT: &str = "Intimação: manifeste-se a parte autora em 15 dias.";

/// Starts an office with a second user, Ana, and lawsuit 1 of two customers, for which Ana is responsible.
fn office() -> Office {
    let office = Office::new();
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    let customers = ["Maria da Conceição", "João Batista"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&customers, json!({ "process_number": NUMBER, "users_id": 2 }));
    office
}

fn merge(office: &Office, publications: Value) -> Reply {
    office.post("/publications", &json!({ "publications": publications }))
}

/// Captures one publication and returns its id.
pub fn publication(office: &Office, more: Value) -> u64 {
    let mut body = json!({ "lawsuit_id": 1, "date": "2026-05-20", "publication": TEXT });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = merge(office, json!([body]));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["publications"][0]["publication_id"].as_u64().unwrap()
}

fn one(office: &Office, id: u64) -> Value {
    let reply = office.get(&format!("/lawsuits/publication/{id}"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn list(office: &Office, path: &str) -> Vec<u64> {
    let reply = office.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect()
}

#[test]
fn a_publication_is_captured_and_read_as_in_the_contract() {
    let office = office();
    let sent = json!([{ "process_number": NUMBER, "date": "2026-05-20", "source": "DJEN", "local": "2ª Vara Cível",
        "date_available": "2026-05-19", "court": "TRF5", "kind": "Intimação", "date_deadline": "2026-06-11", "external_ids": ["djen:987654"], "publication": TEXT }]);
    let merged = json!({ "success": true, "created": 1, "existing": 0, "unknown": 0,
        "publications": [{ "publication_id": 1, "lawsuit_id": 1, "created": true }] });
    let reply = merge(&office, sent.clone());
    assert_eq!((reply.status, reply.json()), (200, merged));
    let expected = json!({
        "process_number": NUMBER, "protocol_number": null, "start": "2026-05-20 00:00:00",
        "date_deadline": "2026-06-11", "deadline_query": null, "deadline_memory": null, "local": "2ª Vara Cível", "created_at": "2026-06-17 12:00:00",
        "author": "DJEN", "responsible": "Ana Souza", "customers": "Maria da Conceição, João Batista",
        "publication": TEXT, "date_available": "2026-05-19", "date": "2026-05-20", "court": "TRF5", "kind": "Intimação", "id": 1, "lawsuit_id": 1, "responsible_id": 2, "source": "DJEN",
        "treated_at": null, "treated_by": null, "posts": [], "external_ids": ["djen:987654"],
        "updated_at": "2026-06-17 12:00:00",
    });
    let read = office.get("/lawsuits/publication/1");
    assert_eq!((read.status, read.json()), (200, expected.clone()));
    assert_ne!(read.header("etag"), "");
    let whole = json!({ "data": [expected], "limit": 10000, "offset": 0, "totalCount": 1, "query": {} });
    assert_eq!(office.get("/publications/1").json(), whole);
    let none = office.get("/publications?treated=false&lawsuit_id=none").json();
    let query = json!({ "treated": "false", "lawsuit_id": "none" });
    assert_eq!((&none["data"], &none["limit"], &none["query"]), (&json!([]), &json!(1000), &query));
    let again = merge(&office, sent).json();
    assert_eq!((&again["created"], &again["existing"]), (&json!(0), &json!(1)));
    for path in ["/lawsuits/publication/2", "/lawsuits/publication/x"] {
        assert_eq!(office.get(path).problem(404, "not-found")["error"], "Publication not found");
    }
    assert_eq!(office.get("/publications/2").problem(404, "not-found")["error"], "Lawsuit not found");
}

#[test]
fn a_publication_with_an_unknown_number_goes_to_the_first_lawsuit_that_gets_it() {
    let office = office();
    let sent = json!([
        { "process_number": OTHER.replace(['.', '-'], ""), "date": "2026-05-20", "publication": TEXT },
        { "process_number": "PA 7/2026-b", "date": "2026-05-20", "publication": TEXT, "users_id": 1 },
    ]);
    let merged = merge(&office, sent.clone()).json();
    assert_eq!((&merged["created"], &merged["unknown"]), (&json!(2), &json!(2)));
    assert_eq!(
        merged["publications"][0],
        json!({ "publication_id": 1, "lawsuit_id": null, "created": true })
    );
    let lost = one(&office, 1);
    for (member, value) in [
        ("process_number", json!(OTHER)),
        ("lawsuit_id", Value::Null),
        ("responsible", Value::Null),
        ("responsible_id", Value::Null),
        ("customers", json!("")),
        ("author", json!("MANUAL")),
    ] {
        assert_eq!(lost[member], value, "{member}");
    }
    assert_eq!(one(&office, 2)["author"], "Escritório");
    assert_eq!(list(&office, "/publications?lawsuit_id=none"), [1, 2]);
    assert_eq!(list(&office, "/publications?process_number=0005001"), [1]);
    let again = merge(&office, sent.clone()).json();
    assert_eq!((&again["created"], &again["existing"], &again["unknown"]), (&json!(0), &json!(2), &json!(2)));

    // A new lawsuit gets the first number, and an existing one the second.
    let new = office.lawsuit(&[1], json!({ "process_number": OTHER, "users_id": 2 }));
    assert_eq!(office.put("/lawsuits/1", &json!({ "process_number": "pa 7.2026 B" })).status, 200);
    let found = one(&office, 1);
    assert_eq!((&found["lawsuit_id"], &found["responsible"]), (&json!(new), &json!("Ana Souza")));
    assert_eq!(
        (one(&office, 2)["lawsuit_id"].clone(), one(&office, 2)["process_number"].clone()),
        (json!(1), json!("pa 7.2026 B"))
    );
    assert_eq!(list(&office, "/publications?lawsuit_id=none"), [0; 0]);
    assert_eq!(list(&office, &format!("/publications?lawsuit_id={new}")), [1]);
    assert_eq!(list(&office, "/publications/1"), [2]);
    assert_eq!(list(&office, "/publications?responsible=ana"), [1, 2]);
    let again = merge(&office, sent).json();
    assert_eq!((&again["created"], &again["existing"], &again["unknown"]), (&json!(0), &json!(2), &json!(0)));
    // A later lawsuit with the number does not get the publication.
    office.lawsuit(&[2], json!({ "process_number": OTHER }));
    assert_eq!(one(&office, 1)["lawsuit_id"], new);
}

#[test]
fn lists_follow_changes_of_the_lawsuit_and_every_filter_works() {
    let office = office();
    let first = publication(
        &office,
        json!({ "source": "DJEN", "date_deadline": "2026-06-30", "date_available": "2026-05-19", "court": "TRF5",
            "kind": "Intimação" }),
    );
    let second =
        publication(&office, json!({ "date": "2026-05-21", "responsible_id": 1, "external_ids": "a:1" }));
    let lost = publication(
        &office,
        json!({ "lawsuit_id": null, "process_number": OTHER, "publication": "<b>Edital</b>" }),
    );
    assert_eq!(
        office.put(&format!("/lawsuits/publication/{first}"), &json!({ "treated": true })).status,
        200
    );
    for (query, expected) in [
        ("", vec![first, second, lost]),
        ("?lawsuit_id=1", vec![first, second]),
        ("?lawsuits_id=9", vec![]),
        ("?process_number=0000002", vec![first, second]),
        ("?responsible=Ana", vec![first]),
        ("?responsible=1", vec![second]),
        ("?source=djen", vec![first]),
        ("?source=manual", vec![second, lost]),
        ("?publication=autora%20intimacao", vec![first, second]),
        ("?publication=edital", vec![lost]),
        ("?treated=true", vec![first]),
        ("?treated=false", vec![second, lost]),
        ("?date_start=2026-05-21", vec![second]),
        ("?deadline_end=2026-06-30", vec![first]),
        ("?available_start=2026-05-19&available_end=2026-05-19", vec![first]),
        ("?court=trf5", vec![first]),
        ("?kind=intimacao", vec![first]),
        ("?created_start=2026-06-18", vec![]),
        ("?external_id=a:1", vec![second]),
        ("?treated=false&lawsuit_id=1&responsible=1", vec![second]),
    ] {
        assert_eq!(list(&office, &format!("/publications{query}")), expected, "{query}");
    }
    for (query, expected) in
        [("", vec![second, first]), ("?treated=1", vec![first]), ("?limit=1&offset=1", vec![first])]
    {
        assert_eq!(list(&office, &format!("/publications/1{query}")), expected, "{query}");
    }
    assert_eq!(office.get("/publications?treated=x&lawsuit_id=x").wrong_fields(), ["lawsuit_id", "treated"]);
    // Filters follow a change of the lawsuit's responsible user and number.
    assert_eq!(office.put("/lawsuits/1", &json!({ "users_id": 1, "process_number": "PA 1" })).status, 200);
    assert_eq!(list(&office, "/publications?responsible=1"), [first, second]);
    assert_eq!(list(&office, "/publications?responsible=Ana"), [0; 0]);
    assert_eq!(list(&office, "/publications?process_number=pa1"), [first, second]);
    let shown = one(&office, first);
    assert_eq!((&shown["responsible_id"], &shown["process_number"]), (&json!(1), &json!("PA 1")));
    assert_eq!(one(&office, lost)["publication"], "<b>Edital</b>");
}

#[test]
fn marking_a_publication_as_treated_again_keeps_the_first_time_and_person() {
    let office = office();
    let id = publication(&office, json!({ "source": "DJEN" }));
    let path = format!("/lawsuits/publication/{id}");
    let put = |body: Value| {
        let reply = office.put(&path, &body);
        assert_eq!(
            (reply.status, reply.json()),
            (200, json!({ "success": true, "publication_id": id })),
            "{body}"
        );
        one(&office, id)
    };
    let treated = put(json!({ "treated": true, "users_id": 2 }));
    assert_eq!(
        (&treated["treated_at"], &treated["treated_by"]),
        (&json!("2026-06-17 12:00:00"), &json!("Ana Souza"))
    );
    assert_eq!(treated["author"], "DJEN", "the author is unchanged");
    office.pass(60);
    let again = put(json!({ "treated": "true" }));
    assert_eq!(
        (&again["treated_at"], &again["treated_by"]),
        (&treated["treated_at"], &treated["treated_by"])
    );
    let open = put(json!({ "treated": false }));
    assert_eq!((&open["treated_at"], &open["treated_by"]), (&Value::Null, &Value::Null));
    assert_eq!(put(json!({ "users_id": 2 }))["author"], "Ana Souza");
    assert_eq!(put(json!({ "users_id": null }))["author"], "DJEN");

    let lost = put(json!({ "process_number": OTHER, "start": "2026-06-18T09:30:00-04:00", "local": "TJSC" }));
    assert_eq!((&lost["lawsuit_id"], &lost["start"]), (&Value::Null, &json!("2026-06-18 10:30:00")));
    assert_eq!(put(json!({ "process_number": NUMBER }))["lawsuit_id"], 1);
    assert_eq!(put(json!({ "start": "" }))["start"], "2026-05-20 00:00:00");
    assert_eq!(put(json!({ "source": null }))["source"], "MANUAL");
    let stale = office.send("PUT", &path, &[("if-match", "\"x\"")], Some(b"{\"treated\": true}"));
    stale.problem(412, "changed-meanwhile");
    assert_eq!(
        office.put(&path, &json!({ "lawsuit_id": null, "process_number": null })).wrong_fields(),
        ["lawsuit_id"]
    );
    let wrong = office
        .put(&path, &json!({ "treated": "x", "date": null, "publication": " ", "start": "2026-06-18" }));
    assert_eq!(wrong.wrong_fields(), ["start", "publication", "treated", "date"]);
    publication(&office, json!({ "external_ids": "a:1" }));
    let taken = office.put(&path, &json!({ "external_ids": "a:1" })).problem(422, "duplicate");
    assert_eq!(taken["publication_id"], 2);
}

#[test]
fn a_publication_shows_the_tasks_that_answer_it() {
    let office = office();
    let ids = [publication(&office, json!({})), publication(&office, json!({ "publication": "Outra" }))];
    let shown = |id: u64| one(&office, id)["posts"].clone();
    assert_eq!(shown(ids[0]), json!([]));
    let body = json!({ "lawsuits_id": 1, "from": 2, "guests": [2], "tasks_id": 1, "start_date": "2026-06-20",
        "publications_id": ids[0] });
    let reply = office.post("/posts", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(shown(ids[0]), json!([1]));
    assert_eq!(office.put("/posts/1", &json!({ "publication_id": ids[1] })).status, 200);
    assert_eq!((shown(ids[0]), shown(ids[1])), (json!([]), json!([1])));
    assert_eq!(office.put("/posts/1", &json!({ "publication_id": 9 })).wrong_fields(), ["publications_id"]);
}

#[test]
fn a_capture_is_checked_against_its_limits_and_stores_all_or_nothing() {
    let office = office();
    let good = json!({ "lawsuit_id": 1, "date": "2026-05-20", "publication": "x" });
    let wrong = merge(
        &office,
        json!([
            good,
            { "date": "31/02/2026" },
            { "lawsuit_id": 9, "date": "2026-05-20", "publication": "é".repeat(200_001), "responsible_id": 9 },
            { "process_number": "0000002-66.2005.4.05.8100", "date": "2026-05-20", "publication": "x" },
        ]),
    );
    let fields = [
        "publications.1.publication",
        "publications.1.date",
        "publications.1.lawsuit_id",
        "publications.2.publication",
        "publications.2.lawsuit_id",
        "publications.2.responsible_id",
        "publications.3.process_number",
    ];
    let mut found = wrong.wrong_fields();
    let mut fields = fields.map(str::to_owned);
    found.sort();
    fields.sort();
    assert_eq!(found, fields);
    for count in [0, 1001] {
        assert_eq!(merge(&office, json!(vec![&good; count])).wrong_fields(), ["publications"], "{count}");
    }
    assert_eq!(office.get("/publications").json()["totalCount"], 0);
    let longest = merge(
        &office,
        json!([{ "lawsuit_id": 1, "date": "2026-05-20", "publication": "é".repeat(200_000) }]),
    );
    assert_eq!(longest.json()["created"], 1);
    let counted = |publications: Value| {
        let merged = merge(&office, publications).json();
        (merged["created"].as_u64().unwrap(), merged["existing"].as_u64().unwrap())
    };
    assert_eq!(counted(json!([good, good])), (2, 0));
    assert_eq!(counted(json!([good, good, good])), (1, 2));
    for (member, value) in [("date", "2026-05-21"), ("source", "DJEN"), ("publication", "y")] {
        let mut other = good.clone();
        other[member] = json!(value);
        assert_eq!(counted(json!([other])), (1, 0), "{member}");
        assert_eq!(counted(json!([other])), (0, 1), "{member}");
    }
    let mut moved = good.clone();
    moved["local"] = json!("1ª Vara");
    assert_eq!(counted(json!([moved])), (0, 1), "the place of publication is not compared");
}

#[test]
fn the_day_of_publication_follows_from_the_day_on_which_it_was_made_available() {
    let office = office();
    let row = json!({ "day": "2026-05-25", "scope": "TJSP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    // The Friday is followed by a weekend, and at the TJSP by a closed Monday. Tiradentes is a national holiday.
    for (available, more, date) in [
        ("2026-05-22", json!({}), "2026-05-25"),
        ("2026-05-22", json!({ "court": "TJSP" }), "2026-05-26"),
        ("2026-05-22", json!({ "court": "tj sp" }), "2026-05-26"),
        ("2026-05-22", json!({ "court": "TJXX" }), "2026-05-25"),
        (
            "2026-05-22",
            json!({ "lawsuit_id": null, "process_number": "0001234-03.2026.8.26.0100" }),
            "2026-05-26",
        ),
        ("2026-04-20", json!({}), "2026-04-22"),
        ("1900-02-01", json!({}), "1900-02-02"),
        // A day that is given stays.
        ("2026-05-22", json!({ "date": "2026-05-22" }), "2026-05-22"),
        ("2026-05-22", json!({ "date": "2026-06-01" }), "2026-06-01"),
    ] {
        let mut sent =
            json!({ "lawsuit_id": 1, "date_available": available, "publication": more.to_string() });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let merged = merge(&office, json!([sent]));
        assert_eq!(merged.status, 200, "{}", merged.text());
        let stored = one(&office, merged.json()["publications"][0]["publication_id"].as_u64().unwrap());
        assert_eq!([&stored["date_available"], &stored["date"]], [available, date], "{sent}");
        // Another capture adds nothing.
        assert_eq!(merge(&office, json!([sent])).json()["existing"], 1, "{sent}");
    }
    for (days, wrong) in [
        (json!({}), "date"),
        (json!({ "date": "", "date_available": null }), "date"),
        (json!({ "date_available": "2026-05-23", "date": "2026-05-22" }), "date_available"),
        (json!({ "date_available": "1899-12-31" }), "date_available"),
        (json!({ "date_available": "2200-01-01" }), "date_available"),
        (json!({ "date_available": "2026-02-30", "date": "2026-05-22" }), "date_available"),
        (json!({ "date_available": "2026-05-20", "date": "2026-13-01" }), "date"),
    ] {
        let mut sent = json!({ "lawsuit_id": 1, "publication": "x" });
        sent.as_object_mut().unwrap().extend(days.as_object().unwrap().clone());
        assert_eq!(
            merge(&office, json!([sent])).wrong_fields(),
            [format!("publications.0.{wrong}")],
            "{days}"
        );
    }
    let english = merge(&office, json!([{ "lawsuit_id": 1, "publication": "x" }]));
    assert!(
        english.text().contains("is required, or the day on which it was made available"),
        "{}",
        english.text()
    );
}

#[test]
fn a_row_of_the_calendar_between_two_captures_adds_no_second_publication() {
    let office = office();
    let sent =
        json!([{ "lawsuit_id": 1, "date_available": "2026-05-22", "publication": TEXT, "court": "TJSP" }]);
    assert_eq!(merge(&office, sent.clone()).json()["created"], 1);
    let row = json!({ "day": "2026-05-25", "scope": "TJSP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    assert_eq!(merge(&office, sent).json()["existing"], 1);
    assert_eq!(one(&office, 1)["date"], "2026-05-25");
}

#[test]
fn an_emptied_day_of_publication_follows_from_the_other_day_again() {
    let office = office();
    let id = publication(&office, json!({ "date": "2026-05-28" }));
    let path = format!("/lawsuits/publication/{id}");
    let days = || {
        let stored = one(&office, id);
        [stored["date_available"].clone(), stored["date"].clone()]
    };
    assert_eq!(office.put(&path, &json!({ "date": null })).wrong_fields(), ["date"]);
    assert_eq!(
        office.put(&path, &json!({ "date_available": "2026-05-29" })).wrong_fields(),
        ["date_available"]
    );
    assert_eq!(days(), [json!(null), json!("2026-05-28")]);
    assert_eq!(office.put(&path, &json!({ "date_available": "2026-05-22" })).status, 200);
    assert_eq!(days(), ["2026-05-22", "2026-05-28"]);
    assert_eq!(office.put(&path, &json!({ "date": "" })).status, 200);
    assert_eq!(days(), ["2026-05-22", "2026-05-25"]);
    assert_eq!(office.put(&path, &json!({ "date_available": "2026-05-29", "date": null })).status, 200);
    assert_eq!(days(), ["2026-05-29", "2026-06-01"]);
    assert_eq!(office.put(&path, &json!({ "date_available": null })).status, 200);
    assert_eq!(days(), [json!(null), json!("2026-06-01")]);
}

#[test]
fn publications_of_other_days_and_courts_with_the_same_text_are_kept_apart() {
    let office = office();
    let counted = |more: Value| {
        let mut sent = json!({ "lawsuit_id": 1, "publication": TEXT });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let merged = merge(&office, json!([sent])).json();
        (merged["created"].as_u64().unwrap(), merged["existing"].as_u64().unwrap())
    };
    // Both are published on the Monday.
    assert_eq!(counted(json!({ "date_available": "2026-05-22", "court": "TJSP" })), (1, 0));
    assert_eq!(counted(json!({ "date_available": "2026-05-23", "court": "TJSP" })), (1, 0));
    assert_eq!(counted(json!({ "date_available": "2026-05-22", "court": "STJ" })), (1, 0));
    // What a capture leaves out is not compared.
    assert_eq!(counted(json!({ "date_available": "2026-05-22" })), (0, 1));
    assert_eq!(counted(json!({ "date": "2026-05-25" })), (0, 1));
    assert_eq!(counted(json!({ "date": "2026-05-25", "court": "STJ" })), (0, 1));
    assert_eq!(counted(json!({ "date": "2026-05-25", "court": "STF" })), (1, 0));
}
