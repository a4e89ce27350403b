//! Members of a record can be sent back under the names that the record shows (contract 1).

use serde_json::{Value, json};

use crate::office::{Office, Reply, UNLIMITED};
use crate::one_of_each::{self, records};

const HEADER: &str = "x-ignored-members";

fn refusing() -> String {
    format!("{UNLIMITED}[api]\nunknown_parameters = \"refuse\"\n")
}

/// Sends a whole record back with one member changed.
fn send_back(office: &Office, path: &str, member: &str, value: &Value) -> Reply {
    let mut record = office.get(path).json();
    assert!(record.get(member).is_some(), "{path} shows no {member}");
    record[member] = value.clone();
    office.put(path, &record)
}

/// Changes one member through the whole record and asserts that only it, `updated_at` and `others` differ afterwards.
fn changes(office: &Office, path: &str, member: &str, value: Value, others: &[&str]) {
    let before = office.get(path).json();
    let reply = send_back(office, path, member, &value);
    assert_eq!((reply.status, reply.header(HEADER)), (200, ""), "{path} {member}: {}", reply.text());
    let after = office.get(path).json();
    assert_ne!(after[member], before[member], "{path} {member}");
    for (name, shown) in after.as_object().unwrap() {
        let may_change = name == member || name == "updated_at" || others.contains(&name.as_str());
        assert!(may_change || shown == &before[name], "{path} {member} changed {name} too: {shown}");
    }
}

#[test]
fn sending_an_unchanged_record_back_changes_nothing_and_ignores_no_member() {
    let office = one_of_each::office(&refusing());
    office.pass(60);
    let feed = || office.get("/changes?since=0&limit=1000").json()["data"].as_array().unwrap().len();
    let entries = feed();
    for path in records() {
        let before = office.get(path).json();
        let reply = office.put(path, &before);
        assert_eq!((reply.status, reply.header(HEADER)), (200, ""), "{path}: {}", reply.text());
        assert_eq!(office.get(path).json(), before, "{path}");
        assert_eq!(feed(), entries, "{path}");
    }
    let settings = office.get("/settings").json();
    for (list, path) in
        [("users", "users"), ("type_lawsuits", "type_lawsuits"), ("stages", "stages"), ("tasks", "tasks")]
    {
        let reply = office.put(&format!("/settings/{path}/1"), &settings[list][0]);
        assert_eq!((reply.status, reply.header(HEADER)), (200, ""), "{path}: {}", reply.text());
    }
    for list in ["banks", "categories", "cost_centers", "departments"] {
        let reply = office.put(&format!("/settings/{list}/1"), &settings["financial"][list][0]);
        assert_eq!((reply.status, reply.header(HEADER)), (200, ""), "{list}: {}", reply.text());
    }
    assert_eq!(office.get("/settings").json(), settings);
}

#[test]
fn sending_a_record_back_with_one_member_changed_changes_that_member() {
    let office = one_of_each::office(&refusing());
    office.customer("João Batista", json!({}));
    let other = json!({ "users_id": 1, "customers_id": [2], "stages_id": 12, "type_lawsuits_id": 1 });
    let other = with(other, json!({ "process_number": "0001234-03.2026.8.26.0100" }));
    assert_eq!(office.post("/lawsuits", &other).status, 201);
    office.post("/settings/users", &json!({ "name": "Rui Prado" }));
    let user = office.get("/settings").json()["users"].as_array().unwrap().len();
    let customers = json!([{ "customer_id": 2, "name": "João Batista" }, { "customer_id": 1 }]);
    for (path, member, value, others) in [
        ("/customers/1", "birthdate", json!("01/02/1990"), &[][..]),
        ("/customers/1", "users_id", json!(user), &[]),
        ("/customers/1", "identification", json!(null), &[]),
        ("/lawsuits/1", "process_date", json!("2026-01-31"), &[]),
        ("/lawsuits/1", "type_lawsuit_id", json!(2), &["type", "group_id", "group"]),
        ("/lawsuits/1", "responsible_id", json!(user), &["responsible"]),
        ("/lawsuits/1", "stages_id", json!(1), &["stage", "steps_id", "step"]),
        ("/lawsuits/1", "steps_id", json!(5), &["step", "stages_id", "stage"]),
        ("/lawsuits/1", "customers", customers, &["name"]),
        ("/posts/1", "date", json!("2026-12-26 10:00:00"), &["end"]),
        ("/posts/1", "end", json!("2026-12-27 00:00:00"), &[]),
        ("/posts/1", "users", json!([{ "user_id": user }, { "user_id": 1 }]), &[]),
        ("/posts/1", "tasks_id", json!(5), &["task", "reward"]),
        ("/posts/1", "notes", json!("Outra."), &[]),
        ("/lawsuits/movement/1", "title", json!("Outra petição"), &[]),
        ("/lawsuits/movement/1", "date", json!("2026-06-11"), &[]),
        ("/lawsuits/publication/1", "date", json!("2026-06-11"), &["start"]),
        ("/lawsuits/publication/1", "start", json!("2026-06-15 08:00:00"), &[]),
        ("/lawsuits/publication/1", "responsible_id", json!(1), &["responsible"]),
        (
            "/lawsuits/publication/1",
            "process_number",
            json!("0001234-03.2026.8.26.0100"),
            &["lawsuit_id", "customers", "protocol_number"],
        ),
        ("/transactions/1", "date_due", json!("2027-01-10"), &[]),
        ("/transactions/1", "competence", json!("02/2027"), &[]),
        ("/documents/1", "lawsuit_id", json!(1), &[]),
        ("/documents/1", "name", json!("outra.pdf"), &[]),
    ] {
        changes(&office, path, member, value, others);
    }
    let task = office.get("/posts/1").json();
    assert_eq!((&task["date"], &task["end"]), (&json!("2026-12-26 10:00:00"), &json!("2026-12-27 00:00:00")));
}

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn changed_derived_members_are_ignored_and_reported() {
    let office = one_of_each::office(UNLIMITED);
    let stale = office.get("/customers/1").json();
    office.pass(60);
    assert_eq!(office.put("/customers/1", &json!({ "city": "Içara" })).status, 200);
    let reply = office.put("/customers/1", &with(stale.clone(), json!({ "phone": "4833330000" })));
    assert_eq!((reply.status, reply.header(HEADER)), (200, "updated_at"));
    let now = office.get("/customers/1").json();
    assert_eq!((&now["phone"], &now["city"]), (&json!("(48) 3333-0000"), &stale["city"]));
    // With `If-Match`, no other change is overwritten.
    let tag = office.get("/customers/1");
    office.put("/customers/1", &json!({ "city": "Laguna" }));
    let headers = [("if-match", tag.header("etag"))];
    let late = office.send("PUT", "/customers/1", &headers, Some(stale.to_string().as_bytes()));
    late.problem(412, "changed-meanwhile");
    for (path, member) in [
        ("/customers/1", "origin"),
        ("/customers/1", "lawsuits"),
        ("/lawsuits/1", "group"),
        ("/posts/1", "author_id"),
        ("/posts/1", "status"),
        ("/lawsuits/movement/1", "author"),
        ("/lawsuits/publication/1", "posts"),
        ("/transactions/1", "category"),
        ("/documents/1", "size"),
    ] {
        let before = office.get(path).json();
        let reply = send_back(&office, path, member, &json!("x"));
        assert_eq!((reply.status, reply.header(HEADER)), (200, member), "{path}: {}", reply.text());
        assert_eq!(office.get(path).json()[member], before[member], "{path}");
        let alone = office.put(path, &json!({ member: "x" })).problem(400, "empty-body");
        assert!(alone["error"].as_str().unwrap().ends_with(&format!("ignored: {member}.")), "{alone}");
    }
    let known = office.get("/customers/1").json();
    office.put("/customers/1", &json!({ "created_at": known["created_at"] })).problem(400, "empty-body");
    office.set(&refusing());
    office.pass(2);
    let reply = send_back(&office, "/customers/1", "origin", &json!("x"));
    assert_eq!(reply.problem(422, "invalid")["reasons"], json!({ "origin": ["not-writable"] }));
}

#[test]
fn a_post_accepts_the_names_of_responses_and_reports_ignored_members() {
    let office = one_of_each::office(UNLIMITED);
    let mut copy = office.get("/lawsuits/1").json();
    copy["process_number"] = Value::Null;
    let reply = office.post("/lawsuits", &copy);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let ignored = reply.header(HEADER).split(", ").map(str::to_owned).collect::<Vec<_>>();
    assert!(
        ["id", "created_at", "type", "step", "steps_id"]
            .iter()
            .all(|name| ignored.contains(&(*name).to_owned()))
    );
    assert!(
        !ignored.iter().any(|name| ["process_date", "type_lawsuit_id", "customers"].contains(&name.as_str()))
    );
    let made = office.get("/lawsuits/2").json();
    for same in ["process_date", "type_lawsuit_id", "responsible_id", "stages_id", "customers", "fees_expec"]
    {
        assert_eq!(made[same], copy[same], "{same}");
    }
    let movement = json!({ "lawsuit_id": 1, "title": "Conclusos", "date": "2026-06-10" });
    assert_eq!(office.post("/lawsuits/movement", &movement).status, 201);
    let merged = office.post("/movements", &json!({ "movements": [movement] })).json();
    assert_eq!((&merged["existing"], &merged["created"]), (&json!(1), &json!(0)));
    let task = json!({ "author_id": 1, "users": [{ "user_id": 1 }], "tasks_id": 6, "lawsuits_id": 1 });
    for (date, shown) in [
        ("2026-12-10 14:30:00", "2026-12-10 14:30:00"),
        ("2026-12-11 00:00:00", "2026-12-11 00:00:00"),
        ("12/12/2026", "2026-12-12 00:00:00"),
        ("2026-12-13T17:30:00Z", "2026-12-13 14:30:00"),
    ] {
        let reply = office.post("/posts", &with(task.clone(), json!({ "date": date })));
        assert_eq!(reply.status, 201, "{}", reply.text());
        let path = format!("/posts/{}", reply.json()["posts_id"]);
        assert_eq!(office.get(&path).json()["date"], shown, "{date}");
    }
    for wrong in [json!("amanhã"), json!(""), json!(null), json!(7), json!("31/02/2026")] {
        let reply = office.post("/posts", &with(task.clone(), json!({ "date": wrong })));
        assert_eq!(reply.wrong_fields(), ["date"], "{wrong}");
    }
    assert_eq!(office.post("/posts", &task).wrong_fields(), ["start_date"]);
    let beside = with(task, json!({ "start_date": "2026-12-20", "date": null }));
    assert_eq!(office.post("/posts", &beside).status, 201, "`null` counts as absent");
}

#[test]
fn contradicting_values_are_refused_unless_one_of_them_is_unchanged() {
    let office = one_of_each::office(UNLIMITED);
    for (path, body, wrong) in [
        ("/lawsuits/1", json!({ "date": "2026-01-01", "process_date": "2026-01-02" }), "date"),
        ("/lawsuits/1", json!({ "users_id": 9, "responsible_id": 8 }), "users_id"),
        ("/lawsuits/movement/1", json!({ "description": "A", "title": "B" }), "description"),
        ("/posts/1", json!({ "start_date": "2026-01-01", "date": "2026-01-02 10:00:00" }), "start_date"),
        ("/posts/1", json!({ "start_time": "09:00", "date": "2026-01-02 10:00:00" }), "start_time"),
        ("/lawsuits/1", json!({ "stages_id": 1, "steps_id": 9 }), "steps_id"),
    ] {
        let reply = office.put(path, &body);
        let reasons = &reply.problem(422, "invalid")["reasons"];
        assert!(
            ["two-values", "mismatch"].map(|code| json!([code])).contains(&reasons[wrong]),
            "{path} {reasons}"
        );
    }
    for (path, body) in [
        ("/lawsuits/1", json!({ "date": "02/01/2026", "process_date": "2026-01-02" })),
        ("/lawsuits/1", json!({ "users_id": "1", "responsible_id": 1 })),
        (
            "/posts/1",
            json!({ "start_date": "02/01/2026", "start_time": "10:00", "date": "2026-01-02 10:00:00" }),
        ),
        ("/posts/1", json!({ "start_time": "10:00", "date": "2026-01-03" })),
    ] {
        let reply = office.put(path, &body);
        assert_eq!((reply.status, reply.header(HEADER)), (200, ""), "{path} {body}: {}", reply.text());
    }
    let whole = office.get("/lawsuits/1").json();
    assert_eq!(office.put("/lawsuits/1", &with(whole, json!({ "date": "2026-03-04" }))).status, 200);
    assert_eq!(office.get("/lawsuits/1").json()["process_date"], "2026-03-04");
    let whole = office.get("/posts/1").json();
    assert_eq!(office.put("/posts/1", &with(whole, json!({ "start_date": "2026-03-05" }))).status, 200);
    assert_eq!(office.get("/posts/1").json()["date"], "2026-03-05 10:00:00");
}

#[test]
fn a_record_that_points_to_a_deleted_record_can_be_sent_back() {
    let office = one_of_each::office(UNLIMITED);
    assert_eq!(office.put("/posts/1", &json!({ "publications_id": 1 })).status, 200);
    assert_eq!(office.send("DELETE", "/lawsuits/publication/1", &[], None).status, 200);
    changes(&office, "/posts/1", "local", json!("Sala 2"), &[]);
    assert_eq!(office.get("/posts/1").json()["publications_id"], 1);
}
