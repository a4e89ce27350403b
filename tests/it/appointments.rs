//! Tasks without a lawsuit: consultations, calls and meetings (office 55).

use pleito::records::{Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::documents::upload;
use crate::imports::Desk;
use crate::office::{Office, Reply, agent, ask};

/// Creates a task without a lawsuit for the first user.
fn appointment(office: &Office, more: Value) -> u64 {
    let reply = office.post("/posts", &body(more));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["posts_id"].as_u64().unwrap()
}

fn body(more: Value) -> Value {
    let mut body = json!({ "from": 1, "guests": [1], "tasks_id": 4, "start_date": "2026-12-24" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn task(office: &Office, id: u64) -> Value {
    let reply = office.get(&format!("/posts/{id}"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn ok(reply: &Reply) {
    assert_eq!(reply.status, 200, "{}", reply.text());
}

/// Sends a request with a key for these nouns.
pub fn by_key(office: &Office, key: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
    let authorization = format!("Bearer {key}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let body = body.map(Value::to_string);
    let body = body.as_ref().map(|body| body.as_bytes());
    ask(&agent(), office.address(), method, &format!("/api/v1{path}"), &headers, body).unwrap()
}

pub fn key(office: &Office, nouns: &[&str]) -> String {
    let nouns = Nouns::named(nouns.iter().copied()).unwrap();
    office.key(Rights { level: Level::Write, nouns })
}

/// Regression: the client was lost from a task that was put into a case and taken out again.
#[test]
fn a_task_that_leaves_its_case_keeps_the_client() {
    let office = Office::new();
    let [maria, rui] = ["Maria Reis", "Rui Lopes"].map(|name| office.customer(name, json!({})));
    let [one, two] = [vec![maria], vec![maria, rui]].map(|clients| office.lawsuit(&clients, json!({})));
    let id = appointment(&office, json!({ "customers_id": maria }));
    let at = format!("/posts/{id}");
    let now = || {
        let task = task(&office, id);
        json!([task["lawsuits_id"], task["customers_id"]])
    };
    ok(&office.put(&at, &json!({ "lawsuits_id": one })));
    assert_eq!(now(), json!([one, null]));
    ok(&office.put(&at, &json!({ "lawsuits_id": null })));
    assert_eq!(now(), json!([null, maria]));
    ok(&office.put(&at, &json!({ "lawsuits_id": two })));
    ok(&office.put(&at, &json!({ "lawsuits_id": null, "customers_id": rui })));
    assert_eq!(now(), json!([null, rui]));
    ok(&office.put(&at, &json!({ "lawsuits_id": two })));
    ok(&office.put(&at, &json!({ "lawsuits_id": null, "customers_id": null })));
    assert_eq!(now(), json!([null, null]), "the body empties both");
}

#[test]
fn a_task_needs_no_lawsuit_and_its_response_keeps_its_shape() {
    let office = Office::new();
    let maria = office.customer("Maria da Conceição", json!({ "identification": "529.982.247-25" }));
    let first = appointment(&office, json!({ "customers_id": maria, "start_time": "14:30" }));
    let meeting = appointment(&office, json!({ "lawsuits_id": "", "customers_id": null }));
    let shown = task(&office, first);
    assert_eq!((&shown["lawsuits_id"], &shown["customers_id"]), (&json!(null), &json!(maria)));
    let customer =
        json!({ "customer_id": maria, "name": "Maria da Conceição", "identification": "529.982.247-25" });
    let lawsuit = |customers: &[Value]| json!({ "id": null, "process_number": null, "protocol_number": null, "customers": customers });
    assert_eq!(shown["lawsuit"], lawsuit(&[customer]));
    assert_eq!(task(&office, meeting)["lawsuit"], lawsuit(&[]));
    ok(&office.put(&format!("/customers/{maria}"), &json!({ "name": "Maria Conceição" })));
    assert_eq!(task(&office, first)["lawsuit"]["customers"][0]["name"], "Maria Conceição");
    ok(&office.put(&format!("/posts/{first}/complete"), &json!({})));
    assert_eq!(office.ids(&format!("/posts?customer_id={maria}&status=completed")), [first]);
}

#[test]
fn a_customer_has_own_tasks_and_those_of_the_lawsuits() {
    let office = Office::new();
    let [maria, other] = ["Maria", "Bia"].map(|name| office.customer(name, json!({})));
    let lawsuit = office.lawsuit(&[maria], json!({}));
    let of_lawsuit = office.task(lawsuit, json!({}));
    let own = appointment(&office, json!({ "customers_id": maria }));
    appointment(&office, json!({ "customers_id": other }));
    appointment(&office, json!({}));
    for name in ["customer_id", "customers_id"] {
        assert_eq!(office.ids(&format!("/posts?{name}={maria}&order=asc")), [of_lawsuit, own]);
    }
    assert_eq!(office.ids(&format!("/posts?lawsuit_id={lawsuit}")), [of_lawsuit]);
    assert_eq!(office.ids("/posts?customer_id=999"), [0; 0]);
}

/// Beside a lawsuit, its customers count: another one is refused, and one of them is not stored twice.
#[test]
fn a_task_has_a_lawsuit_or_a_customer() {
    let office = Office::new();
    let [maria, other] = ["Maria", "Bia"].map(|name| office.customer(name, json!({})));
    let lawsuit = office.lawsuit(&[maria], json!({}));
    let both = |customer: u64| body(json!({ "lawsuits_id": lawsuit, "customers_id": customer }));
    let refused = office.post("/posts", &both(other));
    assert_eq!(refused.wrong_fields(), ["customers_id"]);
    assert!(refused.text().contains("is no customer of that lawsuit"), "{}", refused.text());
    let made = office.post("/posts", &both(maria)).json()["posts_id"].as_u64().unwrap();
    assert_eq!(task(&office, made)["customers_id"], json!(null));

    // A consultation becomes a task of the case.
    let own = appointment(&office, json!({ "customers_id": maria, "start_date": "2026-12-26" }));
    ok(&office.put(&format!("/posts/{own}"), &json!({ "lawsuits_id": lawsuit })));
    let shown = task(&office, own);
    assert_eq!((&shown["lawsuits_id"], &shown["customers_id"]), (&json!(lawsuit), &json!(null)));
    let of_other = appointment(&office, json!({ "customers_id": other }));
    let refused = office.put(&format!("/posts/{of_other}"), &json!({ "lawsuits_id": lawsuit }));
    assert_eq!(refused.wrong_fields(), ["customers_id"]);
    let moved = json!({ "lawsuits_id": lawsuit, "customers_id": "" });
    ok(&office.put(&format!("/posts/{of_other}"), &moved));
    let back = json!({ "lawsuits_id": null, "customers_id": other });
    ok(&office.put(&format!("/posts/{of_other}"), &back));
    assert_eq!(task(&office, of_other)["lawsuit"]["customers"][0]["name"], "Bia");
    for body in [json!({ "lawsuits_id": 99 }), json!({ "customers_id": 99 })] {
        let member = body.as_object().unwrap().keys().next().unwrap().clone();
        assert_eq!(office.put(&format!("/posts/{own}"), &body).wrong_fields(), [member]);
    }
}

#[test]
fn a_second_appointment_that_differs_is_no_duplicate() {
    let office = Office::new();
    let [maria, bia] = ["Maria", "Bia"].map(|name| office.customer(name, json!({})));
    let first = appointment(&office, json!({ "customers_id": maria }));
    let twice = |more: Value| office.post("/posts", &body(more)).problem(422, "duplicate");
    assert_eq!(twice(json!({ "customers_id": maria }))["post_id"], first);
    for other in [
        json!({}),
        json!({ "customers_id": bia }),
        json!({ "customers_id": maria, "comments": "Divórcio" }),
        json!({ "customers_id": maria, "local": "Sala 2" }),
        json!({ "customers_id": maria, "date_deadline": "2026-12-28" }),
    ] {
        appointment(&office, other);
    }
    twice(json!({}));
}

#[test]
fn appointments_follow_their_customer_into_the_trash_and_into_a_merge() {
    let office = Office::new();
    let [maria, bia, caio] = ["Maria", "Bia", "Caio"].map(|name| office.customer(name, json!({})));
    let of_maria = appointment(&office, json!({ "customers_id": maria }));
    let of_caio = appointment(&office, json!({ "customers_id": caio }));
    let nobodys = appointment(&office, json!({}));
    let path = format!("/customers/{maria}");
    ok(&office.send("DELETE", &path, &[], None));
    assert_eq!(office.ids("/posts?deleted=true"), [of_maria]);
    assert_eq!(office.ids("/posts?order=asc"), [of_caio, nobodys]);
    // A task that went along does not come back without its customer.
    let restored = office.put(&format!("/posts/{of_maria}"), &json!({ "deleted": false }));
    assert_eq!(restored.wrong_fields(), ["customers_id"]);
    ok(&office.put(&path, &json!({ "deleted": false })));
    assert_eq!(office.ids(&format!("/posts?customer_id={maria}")), [of_maria]);

    ok(&office.post(&format!("/customers/{bia}/merge"), &json!({ "from": caio })));
    assert_eq!(office.ids(&format!("/posts?customer_id={bia}")), [of_caio]);
    assert_eq!(task(&office, of_caio)["customers_id"], bia);
    // What a purge leaves out of the trash takes no appointment of another customer along.
    ok(&office.send("DELETE", &path, &[], None));
    office.pass(10);
    office.store().erase_deleted(i64::MAX, None).unwrap();
    assert_eq!(office.get(&format!("/posts/{of_maria}")).status, 404);
    assert_eq!(office.get("/posts?deleted=true").json()["totalCount"], 0);
    assert_eq!(office.ids("/posts?order=asc"), [of_caio, nobodys]);
}

#[test]
fn an_appointment_takes_the_rights_for_tasks_and_for_its_customer() {
    let office = Office::new();
    let maria = office.customer("Maria Xyzzy", json!({}));
    let lawsuit = office.lawsuit(&[maria], json!({ "folder": "Xyzzy" }));
    let of_lawsuit = office.task(lawsuit, json!({}));
    let own = appointment(&office, json!({ "customers_id": maria }));
    let tasks = key(&office, &["tasks"]);
    let get = |key: &str, path: &str| by_key(&office, key, "GET", path, None);

    let internal = by_key(&office, &tasks, "POST", "/posts", Some(&body(json!({}))));
    assert_eq!(internal.status, 201, "{}", internal.text());
    let refused = by_key(&office, &tasks, "POST", "/posts", Some(&body(json!({ "customers_id": maria }))));
    refused.problem(403, "not-allowed");
    get(&tasks, &format!("/posts?customer_id={maria}")).problem(403, "not-allowed");
    let path = format!("/posts/{own}");
    let is_absent = |reply: Reply| {
        let refused = reply.problem(404, "not-found");
        assert!(refused.get("deleted_at").is_none(), "{refused}");
    };
    let hidden = || {
        is_absent(get(&tasks, &path));
        for (method, below, body) in [
            ("PUT", "", json!({ "local": "x" })),
            ("PUT", "", json!({ "deleted": false })),
            ("PUT", "/complete", json!({})),
            ("PUT", "/reopen", json!({})),
            ("DELETE", "", json!({})),
        ] {
            is_absent(by_key(&office, &tasks, method, &format!("{path}{below}"), Some(&body)));
        }
        for list in ["/posts?status=all", "/posts?deleted=true", "/posts?user_id=1&status=all"] {
            let found = get(&tasks, list).json();
            let ids = found["data"].as_array().unwrap().iter().map(|task| task["id"].as_u64());
            let ids = ids.collect::<Vec<_>>();
            assert!(!ids.contains(&Some(own)) && found["totalCount"] == ids.len(), "{list}: {found}");
        }
        let feed = get(&tasks, "/changes?resource=posts&include=record,values&limit=1000").json();
        assert!(feed["data"].as_array().unwrap().iter().all(|change| change["id"] != own), "{feed}");
        assert!(!feed.to_string().contains("Xyzzy"), "{feed}");
    };
    hidden();
    // Also once it is completed, or in the trash.
    ok(&office.put(&format!("{path}/complete"), &json!({})));
    let earned = |key: &str| get(key, "/users/rewards").json()["data"][0]["tasks"].clone();
    let all = key(&office, &["tasks", "lawsuits"]);
    assert_eq!((earned(&all), earned(&tasks)), (json!(1), json!(null)));
    hidden();
    ok(&office.put(&format!("{path}/reopen"), &json!({})));
    ok(&office.send("DELETE", &path, &[], None));
    hidden();
    assert_eq!(office.get("/posts?deleted=true").json()["totalCount"], 1, "it is still in the trash");
    ok(&office.put(&path, &json!({ "deleted": false })));
    let csv = [("accept", "text/csv"), ("authorization", &*format!("Bearer {tasks}"))];
    let list = ask(&agent(), office.address(), "GET", "/api/v1/posts", &csv, None).unwrap();
    assert!(list.status == 200 && !list.text().contains("Xyzzy"), "{}", list.text());

    // Without the right for lawsuits, a customer has the own tasks alone, and those of lawsuits stay as they are.
    let both = key(&office, &["tasks", "customers"]);
    let found = get(&both, &format!("/posts?customer_id={maria}")).json();
    assert_eq!((&found["totalCount"], &found["data"][0]["id"]), (&json!(1), &json!(own)), "{found}");
    assert_eq!(found["data"][0]["customers_id"], maria);
    let made = by_key(
        &office,
        &both,
        "POST",
        "/posts",
        Some(&body(json!({ "customers_id": maria, "local": "Sala 2" }))),
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let edit = json!({ "customers_id": maria });
    let refused = by_key(&office, &both, "PUT", &format!("/posts/{of_lawsuit}"), Some(&edit));
    assert_eq!(
        refused.problem(403, "not-allowed")["error"],
        "This key does not allow it; it takes `read` for lawsuits."
    );
    let all = key(&office, &["tasks", "lawsuits"]);
    assert_eq!(get(&all, &format!("/posts?customer_id={maria}&limit=9")).json()["totalCount"], 3);
}

#[test]
fn history_feed_and_lists_know_appointments() {
    let office = Office::new();
    let maria = office.customer("Maria", json!({}));
    let own = appointment(&office, json!({ "customers_id": maria, "external_ids": "agenda:1" }));
    ok(&office.put(&format!("/posts/{own}"), &json!({ "customers_id": null })));
    let feed = office.get("/changes?resource=posts&include=record,values").json();
    let data = feed["data"].as_array().unwrap();
    assert_eq!(data[0]["record"]["customers_id"], json!(null), "{feed}");
    assert!(data.iter().any(|change| change["values"]["customers_id"] == json!([maria, null])), "{feed}");
    // A program that sends its appointments again changes nothing, and fills in what is missing.
    let mut again = body(json!({ "customers_id": maria, "external_ids": "agenda:1", "existing": "fill" }));
    again.as_object_mut().unwrap().shift_remove("from");
    let reply = office.put("/posts", &again);
    ok(&reply);
    assert_eq!(task(&office, own)["customers_id"], maria);
    let csv = office.send("GET", "/posts?status=all", &[("accept", "text/csv")], None).text();
    assert!(csv.contains("customers_id"), "{csv}");
}

#[test]
fn a_spreadsheet_of_appointments_is_read_by_the_names_of_the_customers() {
    let desk = Desk::new();
    let maria = desk.office.customer("Maria Lima", json!({}));
    let lawsuit = desk.office.lawsuit(&[maria], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    let rows = "Data;Hora;Tipo;Cliente;Processo;Responsáveis;Criada por;Anotações\n\
        24/12/2026;14:30;4;Maria Lima;;1;1;Primeira consulta\n\
        25/12/2026;;4;Mariana Limma;0000002-65.2005.4.05.8100;1;1;Do processo\n\
        26/12/2026;;4;;;1;1;Reunião interna\n";
    let file = desk.file("tarefas.csv", rows.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [3, 0, 0, 0]);
    let made = desk.office.get("/posts?order=asc").json()["data"].clone();
    let owners: Vec<_> =
        made.as_array().unwrap().iter().map(|task| (&task["customers_id"], &task["lawsuits_id"])).collect();
    let (none, maria, lawsuit) = (json!(null), json!(maria), json!(lawsuit));
    assert_eq!(owners, [(&maria, &none), (&none, &lawsuit), (&none, &none)], "{made:#}");
}

/// Regression: the file of a hidden appointment was listed and read, and an external id of one named it.
#[test]
fn a_file_of_a_hidden_appointment_is_hidden_too() {
    let office = Office::new();
    let maria = office.customer("Maria Xyzzy", json!({}));
    let lawsuit = office.lawsuit(&[maria], json!({}));
    let own = appointment(&office, json!({ "customers_id": maria, "external_ids": ["crm:9"] }));
    let file = |name: &str, of: &[(&str, u64)]| {
        let of = of.iter().map(|(member, id)| (*member, id.to_string())).collect::<Vec<_>>();
        let of = of.iter().map(|(member, id)| (*member, id.as_str())).collect::<Vec<_>>();
        let stored = upload(&office, name, "text/plain", name.as_bytes(), &of);
        assert_eq!(stored.status, 201, "{}", stored.text());
        stored.json()["documents_id"].as_u64().unwrap()
    };
    let hidden = file("xyzzy.txt", &[("post_id", own)]);
    let seen = [
        file("a.txt", &[("post_id", office.task(lawsuit, json!({})))]),
        file("b.txt", &[("post_id", appointment(&office, json!({})))]),
    ];
    let ids = json!({ "external_ids": ["doc:1"] });
    ok(&office.put(&format!("/documents/{hidden}"), &ids));
    let key = key(&office, &["tasks", "documents"]);
    let ask = |method: &str, path: &str, body: Option<&Value>| by_key(&office, &key, method, path, body);
    let list = ask("GET", "/documents?order=asc", None).json();
    let found = list["data"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap());
    assert_eq!((found.collect::<Vec<_>>(), &list["totalCount"]), (seen.to_vec(), &json!(2)), "{list}");
    let path = format!("/documents/{hidden}");
    for (method, below, body) in [
        ("GET", "", None),
        ("GET", "/content", None),
        ("PUT", "", Some(json!({ "notes": "x" }))),
        ("DELETE", "", None),
    ] {
        ask(method, &format!("{path}{below}"), body.as_ref()).problem(404, "not-found");
    }
    assert!(
        ask("GET", &format!("/documents?post_id={own}"), None).json()["data"]
            .as_array()
            .is_none_or(Vec::is_empty)
    );
    let feed = ask("GET", "/changes?include=record,values&limit=1000", None).json();
    assert!(
        feed["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["resource"] != "documents" || one["id"] != hidden)
    );
    for id in seen {
        assert_eq!(ask("GET", &format!("/documents/{id}/content"), None).status, 200);
    }

    // What the other record has is refused, without its number.
    for (path, method, id) in
        [("/posts", "POST", "crm:9"), (&format!("/documents/{}", seen[0]), "PUT", "doc:1")]
    {
        let more = json!({ "external_ids": [id] });
        let body = if method == "POST" { body(more) } else { more };
        let refused = ask(method, path, Some(&body)).problem(422, "duplicate");
        assert!(refused.get("post_id").is_none() && refused.get("document_id").is_none(), "{refused}");
    }
    let refused =
        office.post("/posts", &body(json!({ "external_ids": ["crm:9"] }))).problem(422, "duplicate");
    assert_eq!(refused["post_id"], own);
}

/// Regression: the customer's appointment went into the trash, and its file stayed with nothing to belong to.
#[test]
fn a_file_of_what_goes_along_holds_as_a_file_of_the_record_does() {
    let office = Office::new();
    let [maria, caio] = ["Maria Prado", "Caio Luz"].map(|name| office.customer(name, json!({})));
    let lawsuit = office.lawsuit(&[caio], json!({}));
    let own = appointment(&office, json!({ "customers_id": maria }));
    let of_case = office.task(lawsuit, json!({}));
    let file = |name: &str, post: u64| {
        let stored = upload(&office, name, "text/plain", name.as_bytes(), &[("post_id", &post.to_string())]);
        stored.json()["documents_id"].as_u64().unwrap()
    };
    let [of_customer, of_lawsuit] = [file("a.txt", own), file("b.txt", of_case)];
    let delete = |path: &str| office.send("DELETE", path, &[], None);
    let refused = delete(&format!("/customers/{maria}")).problem(422, "in-use");
    assert_eq!(refused["errors"], json!({ "documents": [of_customer.to_string()] }));
    ok(&delete(&format!("/documents/{of_customer}")));
    ok(&delete(&format!("/customers/{maria}")));

    let path = format!("/lawsuits/{lawsuit}");
    let refused = delete(&path).problem(422, "in-use");
    assert_eq!(refused["errors"], json!({ "documents": [of_lawsuit.to_string()] }));
    let visitor = Visitor::new(&office);
    let page = visitor.page(&format!("{path}/delete"));
    assert!(page.contains("1 document"), "{page}");
    let with = page.control("with").value();
    assert_eq!(visitor.send(&format!("{path}/delete"), &[("with", &with)]).status, 303);
    assert_eq!(office.get(&format!("/documents/{of_lawsuit}")).status, 404);
    ok(&office.put(&path, &json!({ "deleted": false })));
    assert_eq!(office.get(&format!("/documents/{of_lawsuit}")).status, 200);
}

/// Regression: the feed and the history showed what a task said while it was hidden from the caller.
#[test]
fn what_a_task_said_while_it_was_hidden_stays_hidden() {
    let office = Office::new();
    let maria = office.customer("Maria Xyzzy", json!({}));
    let tasks = key(&office, &["tasks"]);
    let files = key(&office, &["tasks", "documents"]);
    let feed = |key: &str, id: u64, resource: &str| {
        let path = format!("/changes?resource={resource}&include=values,record");
        let page = by_key(&office, key, "GET", &path, None).json();
        let all = page["data"].as_array().unwrap().iter().cloned();
        all.filter(|one| one["id"] == id).collect::<Vec<_>>()
    };
    let id = appointment(&office, json!({ "customers_id": maria, "comments": "SECRETO1" }));
    let change = |more: Value| ok(&office.put(&format!("/posts/{id}"), &more));
    change(json!({ "comments": "SECRETO2" }));
    let file = upload(&office, "SECRETO.pdf", "application/pdf", b"%PDF", &[("post_id", &id.to_string())]);
    let file = file.json()["documents_id"].as_u64().unwrap();
    ok(&office.put(&format!("/documents/{file}"), &json!({ "name": "Publico.pdf" })));
    assert_eq!((feed(&tasks, id, "posts"), feed(&files, file, "documents")), (vec![], vec![]));
    // The change by which it is seen tells that it changed, and not what it was.
    change(json!({ "customers_id": null, "comments": "publico" }));
    change(json!({ "comments": "publico, de novo" }));
    let seen = feed(&tasks, id, "posts");
    assert!(!json!(seen).to_string().contains("SECRETO"), "{seen:?}");
    let change_of_notes = |one: &Value| (one["op"].clone(), one["values"]["notes"].clone());
    let now = (json!("updated"), json!(["publico", "publico, de novo"]));
    assert_eq!(
        seen.iter().map(change_of_notes).collect::<Vec<_>>(),
        [(json!("updated"), Value::Null), now.clone()]
    );
    assert!(seen[0]["record"].is_object(), "{seen:?}");
    // A file of the task was hidden with it.
    ok(&office.put(&format!("/documents/{file}"), &json!({ "name": "Outro.pdf" })));
    let of_file = feed(&files, file, "documents");
    assert_eq!((of_file.len(), &of_file[0]["values"]["name"]), (1, &json!(["Publico.pdf", "Outro.pdf"])));
    // Hidden for a time, and seen again.
    change(json!({ "customers_id": maria, "comments": "SECRETO3" }));
    assert_eq!(feed(&tasks, id, "posts"), Vec::<Value>::new());
    change(json!({ "comments": "SECRETO4" }));
    change(json!({ "customers_id": null, "comments": "aberto" }));
    let again = feed(&tasks, id, "posts");
    assert!(!json!(again).to_string().contains("SECRETO"), "{again:?}");
    assert_eq!(again.len(), 4);
    assert_eq!(again.iter().map(change_of_notes).nth(1), Some(now));
    // Who sees customers sees everything.
    let all = feed(&key(&office, &["tasks", "customers"]), id, "posts");
    assert_eq!((all.len(), &all[1]["values"]["notes"]), (7, &json!(["SECRETO1", "SECRETO2"])));
}
