//! Tasks and the history of lawsuits: every golden example, and each rule accepted and refused (resources 12 and 13).

use serde_json::{Value, json};

use crate::office::Office;

/// Seconds from the start of an office's clock to 2026-11-21 10:30:00.
const UNTIL_NOVEMBER: u64 = 157 * 86_400 - 5_400;

/// An office with Ana (user 2), Rui (user 3), the task type Audiência (4) worth 10 points, a customer and a lawsuit.
struct Tasks {
    office: Office,
    lawsuit: u64,
}

impl Tasks {
    fn new() -> Tasks {
        let office = Office::new();
        for name in ["Ana Souza", "Rui Prado"] {
            let made = office.post("/settings/users", &json!({ "name": name }));
            assert_eq!(made.status, 201, "{}", made.text());
        }
        ok(&office, "/settings/tasks/2", json!({ "task": "Sessão" }));
        ok(&office, "/settings/tasks/4", json!({ "task": "Audiência", "reward": 10 }));
        let customer = office.customer("Zélia Ramos", json!({}));
        let lawsuit = office.lawsuit(&[customer], json!({}));
        Tasks { office, lawsuit }
    }

    /// Returns a body with the required members and `more`.
    fn body(&self, more: Value) -> Value {
        let mut body = json!({
            "from": 2, "guests": [2, 3], "tasks_id": 4, "lawsuits_id": self.lawsuit, "start_date": "2026-12-10",
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    }

    fn make(&self, more: Value) -> u64 {
        let reply = self.office.post("/posts", &self.body(more));
        assert_eq!(reply.status, 201, "{}", reply.text());
        let made = reply.json();
        assert_eq!((&made["success"], &made["post_id"]), (&json!(true), &made["posts_id"]), "{made}");
        made["posts_id"].as_u64().unwrap()
    }

    fn read(&self, id: u64) -> Value {
        let reply = self.office.get(&format!("/posts/{id}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    fn change(&self, id: u64, body: Value) {
        ok(&self.office, &format!("/posts/{id}"), body);
    }

    fn refuses(&self, body: Value, fields: &[&str]) {
        assert_eq!(sorted(self.office.post("/posts", &body).wrong_fields()), fields, "{body}");
    }

    fn ids(&self, query: &str) -> Vec<u64> {
        self.office.ids(&format!("/posts?{query}"))
    }

    fn completed(&self, id: u64) -> Vec<Value> {
        let users = self.read(id)["users"].clone();
        users.as_array().unwrap().iter().map(|user| user["completed"].clone()).collect()
    }
}

fn sorted(mut fields: Vec<String>) -> Vec<String> {
    fields.sort_unstable();
    fields
}

fn ok(office: &Office, path: &str, body: Value) -> Value {
    let reply = office.put(path, &body);
    assert_eq!(reply.status, 200, "{path} {body}: {}", reply.text());
    reply.json()
}

#[test]
fn the_examples_of_the_contract_get_the_documented_responses() {
    let tasks = Tasks::new();
    let office = &tasks.office;
    (2..17).for_each(|number| _ = office.customer(&format!("Cliente {number}"), json!({})));
    assert_eq!(office.customer("Maria da Conceição", json!({ "identification": "529.982.247-25" })), 17);
    assert_eq!(office.customer("João Batista", json!({})), 18);
    (2..5).for_each(|_| _ = office.lawsuit(&[1], json!({})));
    let number = json!({ "process_number": "0001234-03.2026.8.26.0100" });
    assert_eq!(office.lawsuit(&[17, 18], number), 5);
    (1..9).for_each(|day| _ = tasks.make(json!({ "start_date": format!("0{day}/12/2026") })));
    office.pass(UNTIL_NOVEMBER);

    let made = office.post("/posts", &json!({
        "from": "2", "guests": [2, 3], "tasks_id": "4", "lawsuits_id": "5", "start_date": "10/12/2026",
        "start_time": "14:30", "end_time": "15:30", "date_deadline": "2026-12-10", "local": "Fórum central, sala 301",
        "comments": "Audiência de conciliação, levar procuração.", "important": true, "display_schedule": true,
    }));
    assert_eq!((made.status, made.json()), (201, json!({ "success": true, "posts_id": 9, "post_id": 9 })));

    let task = json!({
        "id": 9, "date": "2026-12-10 14:30:00", "date_deadline": "2026-12-10", "task": "Audiência", "reward": 10,
        "notes": "Audiência de conciliação, levar procuração.", "local": "Fórum central, sala 301", "lawsuits_id": 5,
        "customers_id": null, "created_at": "2026-11-21 10:30:00",
        "lawsuit": { "id": 5, "process_number": "0001234-03.2026.8.26.0100", "protocol_number": null, "customers": [
            { "customer_id": 17, "name": "Maria da Conceição", "identification": "529.982.247-25" },
            { "customer_id": 18, "name": "João Batista", "identification": null },
        ]},
        "users": [
            { "user_id": 2, "name": "Ana Souza", "completed": null, "important": 1, "urgent": 0 },
            { "user_id": 3, "name": "Rui Prado", "completed": null, "important": 1, "urgent": 0 },
        ],
        "tasks_id": 4, "author_id": 2, "author": "Ana Souza", "end": "2026-12-10 15:30:00", "display_schedule": true,
        "status": "pending", "completed_at": null, "publications_id": null, "deadline_query": null, "deadline_memory": null,
        "external_ids": [],
        "updated_at": "2026-11-21 10:30:00",
    });
    let list = office.get("/posts?lawsuit_id=5&limit=50");
    let query = json!({ "lawsuit_id": "5", "limit": "50" });
    let page = json!({ "data": [task], "limit": 50, "offset": 0, "totalCount": 1, "query": query });
    assert_eq!(list.json(), page);
    let one = office.get("/posts/9");
    assert_eq!((one.json(), one.header("etag").starts_with('"')), (task, true));

    let history = office.get("/history/5/?status=pending");
    assert_eq!(
        history.json(),
        json!({
            "status": "pending", "data": [{
                "process_number": "0001234-03.2026.8.26.0100", "protocol_number": null, "task": "Audiência", "reward": 10,
                "start": "2026-12-10 14:30:00", "date_deadline": "2026-12-10",
                "comments": "Audiência de conciliação, levar procuração.", "local": "Fórum central, sala 301",
                "created_at": "2026-11-21 10:30:00", "author": "Ana Souza", "responsible": "Ana Souza, Rui Prado",
                "customers": "Maria da Conceição, João Batista", "post_id": 9, "status": "pending", "completed_at": null,
            }],
            "limit": 10000, "offset": 0, "totalCount": 1, "query": { "status": "pending" },
        })
    );

    let written = json!({ "success": true, "posts_id": 9, "post_id": 9 });
    assert_eq!(ok(office, "/posts/9", json!({ "guests": "2,3", "end_time": "16:00" })), written);
    assert_eq!(tasks.read(9)["end"], "2026-12-10 16:00:00");

    // The clock now shows 2026-12-10 17:20:31.
    office.pass(19 * 86_400 + 6 * 3600 + 50 * 60 + 31);
    let answer = |status: &str, at: Value| json!({ "success": true, "posts_id": 9, "post_id": 9, "status": status, "completed_at": at });
    let first = ok(office, "/posts/9/complete", json!({ "users_id": 3, "completed": "2026-12-10 16:05" }));
    assert_eq!(first, answer("pending", json!(null)));
    let rest = office.send("PUT", "/posts/9/complete", &[("content-type", "")], Some(b""));
    assert_eq!(rest.json(), answer("completed", json!("2026-12-10 17:20:31")));
    let users = tasks.completed(9);
    assert_eq!(users, [json!("2026-12-10 17:20:31"), json!("2026-12-10 16:05:00")]);
    assert_eq!(ok(office, "/posts/9/reopen", json!({ "users_id": 3 })), answer("pending", json!(null)));

    assert_eq!(
        office.get("/users/rewards?date=2026-12-10").json(),
        json!({
            "data": [{ "user_id": 2, "name": "Ana Souza", "reward": 10, "tasks": 1 }], "month": "2026-12", "totalCount": 1,
            "query": { "date": "2026-12-10" },
        })
    );
}

#[test]
fn all_errors_of_a_request_are_reported_together() {
    let tasks = Tasks::new();
    tasks.refuses(json!({}), &["from", "guests", "start_date", "tasks_id"]);
    let wrong = json!({
        "from": 99, "guests": [2, 99], "tasks_id": 99, "lawsuits_id": 99, "start_date": "31/02/2026", "start_time": "25:00",
        "end_date": "x", "end_time": "12:60", "date_deadline": "x", "local": "x".repeat(201), "comments": "x".repeat(20_001),
        "urgent": "yes", "important": 2, "display_schedule": "x", "external_ids": ["x"],
    });
    let mut names: Vec<&str> = wrong.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    tasks.refuses(wrong.clone(), &names);
    let id = tasks.make(json!({}));
    let put = tasks.office.put(&format!("/posts/{id}"), &wrong);
    names.retain(|name| *name != "from");
    assert_eq!(sorted(put.wrong_fields()), names);
    for path in ["/posts/99", "/posts/0", "/posts/x", "/posts/99/complete", "/posts/99/reopen"] {
        let body =
            if path.ends_with('e') || path.ends_with('n') { json!({}) } else { json!({ "urgent": true }) };
        let body = tasks.office.put(path, &body).problem(404, "not-found");
        assert_eq!(body["error"], "Task not found", "{path}");
    }
    tasks.office.put(&format!("/posts/{id}"), &json!({})).problem(400, "empty-body");
    // The author cannot be changed.
    tasks.office.put(&format!("/posts/{id}"), &json!({ "from": 3 })).problem(400, "empty-body");
    tasks.change(id, json!({ "from": 3, "urgent": 1 }));
    assert_eq!(tasks.read(id)["author_id"], 2);
    for path in ["/users/rewards", &format!("/posts/{id}/complete")] {
        assert_eq!(tasks.office.post(path, &json!({})).status, 405, "{path}");
    }
}

#[test]
fn members_are_checked_against_their_limits_and_have_other_names() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({ "comments": "x".repeat(20_000), "local": "x".repeat(200) }));
    let shown = |key: &str| tasks.read(id)[key].clone();
    assert_eq!((shown("date"), shown("end")), (json!("2026-12-10 00:00:00"), json!(null)));
    assert_eq!((shown("display_schedule"), shown("date_deadline")), (json!(false), json!(null)));
    tasks.change(id, json!({ "notes": "Curta." }));
    assert_eq!(shown("notes"), "Curta.");
    tasks.change(id, json!({ "comments": null, "local": "" }));
    assert_eq!((shown("notes"), shown("local")), (json!(null), json!(null)));
    let refused = tasks.office.put(&format!("/posts/{id}"), &json!({ "comments": "Uma", "notes": "Outra" }));
    assert_eq!(refused.wrong_fields(), ["comments"]);
    for (urgent, one) in [(json!("TRUE"), 1), (json!(false), 0), (json!("1"), 1), (json!(null), 0)] {
        tasks.change(id, json!({ "urgent": urgent, "important": urgent }));
        for user in shown("users").as_array().unwrap() {
            assert_eq!((&user["urgent"], &user["important"]), (&json!(one), &json!(one)));
        }
    }
    for start in ["2026-12-24", "24/12/2026", "2026-12-24T10:00:00Z"] {
        tasks.change(id, json!({ "start_date": start, "start_time": "08:05:09" }));
        assert_eq!(shown("date"), "2026-12-24 08:05:09");
    }
    let other = tasks.office.lawsuit(&[1], json!({}));
    tasks.change(id, json!({ "lawsuit_id": other, "task_id": 1 }));
    assert_eq!((shown("lawsuits_id"), shown("tasks_id")), (json!(other), json!(1)));
    let two = tasks.office.put(&format!("/posts/{id}"), &json!({ "lawsuit_id": other, "lawsuits_id": 1 }));
    assert_eq!(two.wrong_fields(), ["lawsuits_id"]);
}

#[test]
fn an_end_is_on_the_day_of_the_start_unless_given_and_never_before_it() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({ "start_time": "14:30", "end_time": "15:30" }));
    let end = || tasks.read(id)["end"].clone();
    assert_eq!(end(), "2026-12-10 15:30:00");
    tasks.change(id, json!({ "start_date": "2026-12-11" }));
    assert_eq!(end(), "2026-12-11 15:30:00", "an end on the same day moves along");
    tasks.change(id, json!({ "end_date": "2026-12-12", "end_time": null }));
    assert_eq!(end(), "2026-12-12 00:00:00", "a whole day");
    tasks.change(id, json!({ "end_date": null }));
    assert_eq!(end(), json!(null));
    for (body, field) in [
        (json!({ "end_date": "2026-12-10" }), "end_date"),
        (json!({ "end_time": "14:29:59" }), "end_time"),
        (json!({ "end_date": "2026-12-11", "end_time": "10:00" }), "end_time"),
    ] {
        assert_eq!(tasks.office.put(&format!("/posts/{id}"), &body).wrong_fields(), [field], "{body}");
    }
    for body in [
        json!({ "end_date": "2026-12-11" }),
        json!({ "end_date": "2026-12-11", "end_time": "14:30" }),
        json!({ "end_date": "2026-12-13", "end_time": "08:00" }),
    ] {
        tasks.change(id, body);
    }
    tasks.refuses(tasks.body(json!({ "end_date": "2026-12-09", "urgent": "x" })), &["end_date", "urgent"]);
    tasks.refuses(tasks.body(json!({ "start_time": "10:00", "end_time": "09:00" })), &["end_time"]);
}

#[test]
fn guests_are_accepted_in_every_form_without_duplicates_and_at_most_fifty() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({}));
    let guests = || {
        let users = tasks.read(id)["users"].clone();
        users.as_array().unwrap().iter().map(|user| user["user_id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    for (given, found) in [
        (json!([3, 2]), vec![3, 2]),
        (json!(2), vec![2]),
        (json!("3"), vec![3]),
        (json!("2,3"), vec![2, 3]),
        (json!("[3, 1]"), vec![3, 1]),
        (json!(["1", 2]), vec![1, 2]),
    ] {
        tasks.change(id, json!({ "guests": given }));
        assert_eq!(guests(), found, "{given}");
    }
    for wrong in
        [json!([]), json!(null), json!(""), json!([2, 2]), json!("[2"), json!("[]"), json!([99]), json!(true)]
    {
        let reply = tasks.office.put(&format!("/posts/{id}"), &json!({ "guests": wrong }));
        assert_eq!(reply.wrong_fields(), ["guests"], "{wrong}");
    }
    let users: Vec<u64> = (4..=51)
        .map(|number| {
            let made = tasks.office.post("/settings/users", &json!({ "name": format!("Pessoa {number}") }));
            made.json()["id"].as_u64().unwrap()
        })
        .chain(1..=3)
        .collect();
    tasks.change(id, json!({ "guests": users[..50] }));
    assert_eq!(guests(), users[..50]);
    let reply = tasks.office.put(&format!("/posts/{id}"), &json!({ "guests": users }));
    assert_eq!(reply.wrong_fields(), ["guests"]);
}

#[test]
fn a_guest_who_stays_keeps_the_completion_and_one_who_returns_does_not() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({}));
    ok(&tasks.office, &format!("/posts/{id}/complete"), json!({ "users_id": [2, 3] }));
    let done = json!("2026-06-17 12:00:00");
    assert_eq!(
        (tasks.completed(id), tasks.read(id)["status"].clone()),
        (vec![done.clone(); 2], json!("completed"))
    );
    tasks.change(id, json!({ "guests": [3, 1] }));
    assert_eq!(tasks.completed(id), [done.clone(), json!(null)]);
    assert_eq!(
        (&tasks.read(id)["status"], &tasks.read(id)["completed_at"]),
        (&json!("pending"), &json!(null))
    );
    tasks.change(id, json!({ "guests": [2, 3] }));
    assert_eq!(tasks.completed(id), [json!(null), done]);
    // A deactivated user stays a guest, but cannot be invited to a new task.
    let left = ok(&tasks.office, "/settings/users/3", json!({ "active": false }));
    assert_eq!(left, json!({ "success": true, "id": 3, "open_tasks": 0 }));
    tasks.change(id, json!({ "guests": [3, 2] }));
    assert_eq!(tasks.read(id)["users"][0]["name"], "Rui Prado");
    tasks.refuses(tasks.body(json!({})), &["guests"]);
}

#[test]
fn a_completion_keeps_its_time_and_can_be_reopened() {
    let tasks = Tasks::new();
    let (office, id) = (&tasks.office, tasks.make(json!({})));
    let [complete, reopen] = ["complete", "reopen"].map(|deed| format!("/posts/{id}/{deed}"));
    let etag = || office.get(&format!("/posts/{id}")).header("etag").to_owned();
    ok(office, &complete, json!({ "user_id": "3", "completed": "2026-06-17T14:59:59Z" }));
    let (before, tag) = (tasks.completed(id), etag());
    assert_eq!(before, [json!(null), json!("2026-06-17 11:59:59")]);
    office.pass(60);
    ok(office, &complete, json!({ "users_id": [3] }));
    assert_eq!((tasks.completed(id), etag()), (before, tag), "completing twice changes nothing");
    for (body, field) in [
        (json!({ "users_id": [1] }), "users_id"),
        (json!({ "users_id": [] }), "users_id"),
        (json!({ "users_id": "" }), "users_id"),
        (json!({ "users_id": null }), "users_id"),
        (json!({ "user_id": " " }), "user_id"),
        (json!({ "users_id": "x" }), "users_id"),
        (json!({ "users_id": 2, "user_id": 3 }), "users_id"),
        (json!({ "completed": "2026-06-17 12:01:01" }), "completed"),
        (json!({ "completed": "2026-06-17" }), "completed"),
        (json!({ "completed": 1 }), "completed"),
    ] {
        assert_eq!(office.put(&complete, &body).wrong_fields(), [field], "{body}");
    }
    assert_eq!(office.put(&reopen, &json!({ "users_id": "" })).wrong_fields(), ["users_id"]);
    ok(office, &complete, json!({ "users_id": 3, "user_id": "3" }));
    let all = json!({ "users_id": 1, "completed": "2027-01-01 00:00" });
    assert_eq!(sorted(office.put(&complete, &all).wrong_fields()), ["completed", "users_id"]);
    assert_eq!(ok(office, &complete, json!({}))["completed_at"], "2026-06-17 12:01:00");
    assert_eq!(ok(office, &reopen, json!({}))["status"], "pending");
    assert_eq!(tasks.completed(id), [json!(null), json!(null)]);
    assert_eq!(office.send("PUT", &reopen, &[], Some(b"")).status, 200);
    assert_eq!(office.put(&reopen, &json!({ "users_id": 1 })).wrong_fields(), ["users_id"]);
    office.send("PUT", &reopen, &[], Some(b"[]")).problem(400, "not-an-object");
}

#[test]
fn a_duplicate_of_an_open_task_is_refused() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({ "start_time": "10:00" }));
    let twice = |more: Value| tasks.office.post("/posts", &tasks.body(more));
    for same in [
        json!({ "start_time": "10:00:00" }),
        json!({ "start_time": "10:00", "guests": [3, 2], "urgent": true }),
    ] {
        let body = twice(same).problem(422, "duplicate");
        assert_eq!((&body["post_id"], body["errors"]["duplicate"].is_array()), (&json!(id), true), "{body}");
    }
    ok(&tasks.office, &format!("/posts/{id}/complete"), json!({ "users_id": 2 }));
    twice(json!({ "start_time": "10:00" })).problem(422, "duplicate");
    let lawsuit = tasks.office.lawsuit(&[1], json!({}));
    let publication = |number: u64| {
        let date = format!("2026-05-2{number}");
        let publication = json!({ "lawsuit_id": 1, "date": date, "publication": "Intimação" });
        let made = tasks.office.post("/publications", &json!({ "publications": [publication] }));
        assert_eq!(made.status, 200, "{}", made.text());
        number
    };
    for other in [
        json!({ "start_time": "10:00", "guests": [2] }),
        json!({ "start_time": "10:00", "guests": [1, 2, 3] }),
        json!({ "start_time": "10:00", "tasks_id": 1 }),
        json!({ "start_time": "10:00", "lawsuits_id": lawsuit }),
        json!({ "start_time": "10:00:01" }),
        json!({}),
        json!({ "start_time": "13:00" }),
        json!({ "start_time": "10:00", "comments": "Levar procuração" }),
        json!({ "start_time": "10:00", "date_deadline": "2026-12-12" }),
        json!({ "start_time": "10:00", "local": "Sala 301" }),
        json!({ "start_time": "13:00", "external_ids": "trello:1" }),
        json!({ "start_time": "13:00", "external_ids": ["trello:2", "crm:1"] }),
        json!({ "start_time": "10:00", "publications_id": publication(1) }),
        json!({ "start_time": "10:00", "publications_id": publication(2) }),
    ] {
        tasks.make(other);
    }
    for same in [
        json!({ "start_time": "10:00", "publications_id": 2 }),
        json!({ "start_time": "10:00", "notes": "Levar procuração" }),
        json!({ "start_time": "10:00", "date_deadline": "2026-12-12T12:00:00Z" }),
        json!({ "start_time": "10:00", "local": " Sala  301\n" }),
    ] {
        twice(same).problem(422, "duplicate");
    }
    // A member may be sent under its other name, and a number as text.
    tasks.make(json!({ "lawsuit_id": tasks.lawsuit.to_string(), "start_time": "12:00", "task_id": "4" }));
    // An external id belongs to one task, so a second task with it is a duplicate even if all else differs.
    let taken = twice(json!({ "start_time": "11:00", "external_ids": "trello:1" }));
    assert!(taken.problem(422, "duplicate")["post_id"].is_number(), "{}", taken.text());
    twice(json!({ "start_time": "00:00" })).problem(422, "duplicate");
    ok(&tasks.office, &format!("/posts/{id}/complete"), json!({}));
    tasks.make(json!({ "start_time": "10:00" }));
}

#[test]
fn points_are_those_of_the_type_at_the_time_it_was_chosen() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({}));
    let reward = |id| tasks.read(id)["reward"].clone();
    ok(&tasks.office, "/settings/tasks/4", json!({ "reward": 15 }));
    ok(&tasks.office, "/settings/tasks/1", json!({ "reward": 3 }));
    tasks.change(id, json!({ "urgent": true, "tasks_id": 4 }));
    assert_eq!((reward(id), reward(tasks.make(json!({ "start_time": "09:00" })))), (json!(10), json!(15)));
    tasks.change(id, json!({ "tasks_id": 1 }));
    assert_eq!(reward(id), 3);
    ok(&tasks.office, &format!("/posts/{id}/complete"), json!({ "users_id": 2 }));
    tasks.change(id, json!({ "tasks_id": 4 }));
    assert_eq!((reward(id), tasks.read(id)["task"].clone()), (json!(3), json!("Audiência")));
}

#[test]
fn lists_show_open_tasks_unless_a_parameter_asks_for_others() {
    let tasks = Tasks::new();
    let office = &tasks.office;
    let other = office.lawsuit(&[office.customer("Bento", json!({}))], json!({}));
    // Task 1 is open for both users, 2 is completed by Ana, 3 by both, and 4 by its only guest Rui. Task 5 is
    // open and belongs to another lawsuit and type.
    for day in 1..=3 {
        tasks.make(
            json!({ "start_date": format!("0{day}/12/2026"), "date_deadline": format!("1{day}/12/2026") }),
        );
    }
    tasks.make(json!({ "guests": 3, "external_ids": "crm:t4" }));
    tasks.make(json!({ "lawsuits_id": other, "tasks_id": 1, "guests": [1] }));
    ok(office, "/posts/2/complete", json!({ "users_id": 2, "completed": "2026-06-10 23:59:59" }));
    ok(office, "/posts/3/complete", json!({ "users_id": 2, "completed": "2026-06-11 00:00" }));
    ok(office, "/posts/3/complete", json!({ "users_id": 3, "completed": "2026-06-12 00:00" }));
    ok(office, "/posts/4/complete", json!({}));
    for (query, found) in [
        ("", vec![5, 2, 1]),
        ("status=pending", vec![5, 2, 1]),
        ("status=completed", vec![4, 3]),
        ("status=all", vec![5, 4, 3, 2, 1]),
        ("status=all&order=asc", vec![1, 2, 3, 4, 5]),
        ("user_id=2", vec![1]),
        ("users_id=3", vec![2, 1]),
        ("user_id=2&status=completed", vec![3, 2]),
        ("user_id=3&status=all", vec![4, 3, 2, 1]),
        ("user_id=1", vec![5]),
        ("user_id=99", vec![]),
        ("user_name=souz", vec![1]),
        ("user_name=PRADO&status=completed", vec![4, 3]),
        ("user_id=2&user_name=prado&status=all", vec![]),
        ("completed_start=2026-06-11", vec![4, 3]),
        ("completed_end=2026-06-10", vec![2]),
        ("completed_start=2026-06-10&completed_end=2026-06-11", vec![3, 2]),
        ("completed_start=2026-06-10&status=pending", vec![2]),
        ("completed_start=2026-06-11&completed_end=2026-06-11&user_id=3", vec![]),
        ("completed_start=2026-06-12&completed_end=2026-06-12&user_id=3", vec![3]),
        ("completed_start=2026-06-01&user_id=2&status=pending", vec![]),
        ("id=3", vec![3]),
        ("id=3&status=pending", vec![]),
        ("id=99", vec![]),
        ("task_id=1", vec![5]),
        ("tasks_id=prazo", vec![5]),
        ("task_id=Audi%C3%AAncia&status=all", vec![4, 3, 2, 1]),
        (&format!("lawsuit_id={other}"), vec![5]),
        ("lawsuits_id=1", vec![2, 1]),
        ("lawsuit_id=99", vec![]),
        ("customer_id=1", vec![2, 1]),
        ("customers_id=2", vec![5]),
        ("customer_id=99", vec![]),
        ("date_start=2026-12-02&status=all", vec![5, 4, 3, 2]),
        ("date_end=02/12/2026", vec![2, 1]),
        ("deadline_start=2026-12-12&deadline_end=2026-12-12", vec![2]),
        ("created_start=2026-06-17&created_end=2026-06-17", vec![5, 2, 1]),
        ("created_end=2026-06-16", vec![]),
        ("external_id=crm:t4&status=all", vec![4]),
        ("external_id=crm:t4", vec![]),
    ] {
        assert_eq!(tasks.ids(query), found, "{query}");
    }
    for (query, field) in [
        ("status=done", "status"),
        ("user_id=x", "user_id"),
        ("user_id=1&users_id=2", "user_id"),
        ("task_id=1&tasks_id=2", "task_id"),
        ("lawsuit_id=1&lawsuits_id=2", "lawsuit_id"),
        ("customer_id=1&customers_id=2", "customer_id"),
        ("completed_start=x", "completed_start"),
        ("id=0", "id"),
        ("order=newest", "order"),
        ("limit=1001", "limit"),
    ] {
        assert_eq!(office.get(&format!("/posts?{query}")).wrong_fields(), [field], "{query}");
    }
    // Lists reflect later changes at once.
    ok(office, "/posts/1/complete", json!({ "users_id": 2 }));
    ok(office, "/posts/3/reopen", json!({ "users_id": 2 }));
    tasks.change(5, json!({ "guests": [2], "start_date": "2026-12-01" }));
    assert_eq!((tasks.ids("user_id=2"), tasks.ids("user_id=1")), (vec![5, 3], vec![]));
    assert_eq!(tasks.ids("date_end=2026-12-01&status=all"), [5, 1]);
    ok(office, "/settings/users/2", json!({ "name": "Ana Prates" }));
    assert_eq!((tasks.ids("user_name=souza"), tasks.ids("user_name=prates")), (vec![], vec![5, 3]));
}

#[test]
fn a_task_shows_its_lawsuit_and_customers_as_they_are_now() {
    let tasks = Tasks::new();
    let id = tasks.make(json!({}));
    let lawsuit = || tasks.read(id)["lawsuit"].clone();
    assert_eq!(lawsuit()["customers"][0]["name"], "Zélia Ramos");
    ok(&tasks.office, "/customers/1", json!({ "name": "Zélia Prado" }));
    assert_eq!(lawsuit()["customers"][0]["name"], "Zélia Prado");
    ok(&tasks.office, &format!("/lawsuits/{}", tasks.lawsuit), json!({ "protocol_number": "2026/7" }));
    assert_eq!(lawsuit()["protocol_number"], "2026/7");
    ok(&tasks.office, "/settings/tasks/4", json!({ "task": "Sustentação oral" }));
    assert_eq!(tasks.read(id)["task"], "Sustentação oral");
}

#[test]
fn the_history_of_a_lawsuit_lists_all_of_its_tasks_newest_first() {
    let tasks = Tasks::new();
    let office = &tasks.office;
    (1..=3).for_each(|day| _ = tasks.make(json!({ "start_date": format!("0{day}/12/2026") })));
    ok(office, "/posts/2/complete", json!({}));
    let ids = |query: &str| {
        let page = office.get(&format!("/history/1?{query}")).json();
        let rows = page["data"].as_array().unwrap().iter().map(|row| row["post_id"].as_u64().unwrap());
        (page["status"].as_str().unwrap().to_owned(), rows.collect::<Vec<_>>(), page["totalCount"].clone())
    };
    let found = |status: &str, ids: &[u64], total: u64| (status.to_owned(), ids.to_vec(), json!(total));
    assert_eq!(ids(""), found("all", &[3, 2, 1], 3));
    assert_eq!(ids("status=pending"), found("pending", &[3, 1], 2));
    assert_eq!(ids("status=completed"), found("completed", &[2], 1));
    assert_eq!(ids("order=asc&limit=1&offset=1"), found("all", &[2], 3));
    assert_eq!(ids("limit=10000"), found("all", &[3, 2, 1], 3));
    for query in ["status=x", "limit=10001", "limit=0", "order=x"] {
        assert_eq!(office.get(&format!("/history/1?{query}")).problem(422, "invalid")["code"], "invalid");
    }
    let none = office.lawsuit(&[1], json!({}));
    assert_eq!(office.get(&format!("/history/{none}")).json()["data"], json!([]));
    assert_eq!(office.get("/history/99").problem(404, "not-found")["error"], "Lawsuit not found");
    assert_eq!(office.get("/history/1?x=1").header("x-ignored-parameters"), "x");
}

#[test]
fn a_task_that_answers_a_publication_marks_it_as_treated() {
    let tasks = Tasks::new();
    let made: Vec<Value> = (0..2)
        .map(|number| {
            let text = format!("Intimação {number}");
            json!({ "lawsuit_id": 1, "date": "2026-05-20", "publication": text })
        })
        .collect();
    assert_eq!(tasks.office.post("/publications", &json!({ "publications": made })).status, 200);
    let publication = |id: u64| tasks.office.get(&format!("/lawsuits/publication/{id}")).json();
    let treatment = |id: u64| ["treated_at", "treated_by", "posts"].map(|key| publication(id)[key].clone());
    assert_eq!(treatment(1), [json!(null), json!(null), json!([])]);
    let id = tasks.make(json!({ "publications_id": 1 }));
    assert_eq!(tasks.read(id)["publications_id"], 1);
    let treated = |posts: Value| [json!("2026-06-17 12:00:00"), json!("Ana Souza"), posts];
    assert_eq!(treatment(1), treated(json!([1])));
    tasks.office.pass(60);
    tasks.make(json!({ "publication_id": "1", "from": 3, "start_time": "10:00" }));
    assert_eq!(treatment(1), treated(json!([1, 2])), "the first person who treated it is kept");
    tasks.change(id, json!({ "publications_id": 2 }));
    assert_eq!((treatment(1), treatment(2)[1].clone()), (treated(json!([2])), json!("Ana Souza")));
    tasks.change(id, json!({ "publications_id": null }));
    assert_eq!((&tasks.read(id)["publications_id"], &treatment(2)[2]), (&json!(null), &json!([])));
    tasks.refuses(tasks.body(json!({ "publications_id": 9 })), &["publications_id"]);
}

#[test]
fn rewards_count_in_the_month_of_each_guests_completion() {
    let tasks = Tasks::new();
    let office = &tasks.office;
    (1..=3).for_each(|day| _ = tasks.make(json!({ "start_date": format!("0{day}/12/2026") })));
    for (id, user, at) in [
        (1, 2, "2026-05-31 23:59:59"),
        (1, 3, "2026-06-01 00:00:00"),
        (2, 3, "2026-06-10 08:00"),
        (2, 2, "2026-06-17 12:00"),
        (3, 2, "2026-06-17 12:00"),
    ] {
        ok(office, &format!("/posts/{id}/complete"), json!({ "users_id": user, "completed": at }));
    }
    let earned = |query: &str| {
        let page = office.get(&format!("/users/rewards{query}")).json();
        let of = |row: &Value| {
            [&row["user_id"], &row["reward"], &row["tasks"]].map(|value| value.as_u64().unwrap())
        };
        let rows = page["data"].as_array().unwrap().iter().map(of).collect::<Vec<_>>();
        assert_eq!(page["totalCount"], rows.len());
        (page["month"].as_str().unwrap().to_owned(), rows)
    };
    let june = ("2026-06".to_owned(), vec![[2, 20, 2], [3, 20, 2]]);
    for query in ["", "?date=2026-06", "?date=06/2026", "?date=30/06/2026", "?date=2026-06-01"] {
        assert_eq!(earned(query), june, "{query}");
    }
    assert_eq!(earned("?date=2026-05").1, [[2, 10, 1]]);
    assert_eq!(earned("?date=2026-04").1, [[0; 3]; 0]);
    for wrong in ["2026", "13/2026", "2026-13", "x"] {
        assert_eq!(office.get(&format!("/users/rewards?date={wrong}")).wrong_fields(), ["date"], "{wrong}");
    }
    assert_eq!(office.get("/users/rewards?limit=1").header("x-ignored-parameters"), "limit");
}

#[test]
fn deactivating_a_user_returns_their_number_of_open_tasks() {
    let tasks = Tasks::new();
    (1..=3).for_each(|day| _ = tasks.make(json!({ "start_date": format!("0{day}/12/2026") })));
    ok(&tasks.office, "/posts/1/complete", json!({ "users_id": 3 }));
    ok(&tasks.office, "/posts/2/complete", json!({ "users_id": 2 }));
    let written = |body: Value| ok(&tasks.office, "/settings/users/3", body);
    assert_eq!(written(json!({ "email": "rui@exemplo.com.br" })), json!({ "success": true, "id": 3 }));
    let left = json!({ "success": true, "id": 3, "open_tasks": 2 });
    assert_eq!(written(json!({ "active": false })), left);
    assert_eq!(written(json!({ "active": "false" })), left);
    assert_eq!(written(json!({ "active": true })), json!({ "success": true, "id": 3 }));
    assert_eq!(tasks.ids("user_id=3"), [3, 2]);
}

#[test]
fn an_idempotency_key_creates_one_task_and_if_match_protects_it() {
    let tasks = Tasks::new();
    let body = tasks.body(json!({ "external_ids": ["crm:1"] })).to_string();
    let made = || tasks.office.send("POST", "/posts", &[("idempotency-key", "k1")], Some(body.as_bytes()));
    let (first, second) = (made(), made());
    assert_eq!((first.status, first.json()), (201, second.json()));
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(tasks.ids("status=all"), [1]);
    let taken =
        tasks.office.post("/posts", &tasks.body(json!({ "external_ids": "crm:1", "start_time": "09:00" })));
    assert_eq!(taken.problem(422, "duplicate")["post_id"], 1);
    let tag = tasks.office.get("/posts/1").header("etag").to_owned();
    let put =
        |tag: &str| tasks.office.send("PUT", "/posts/1", &[("if-match", tag)], Some(br#"{"urgent":true}"#));
    put("\"x\"").problem(412, "changed-meanwhile");
    assert_eq!(put(&tag).status, 200);
    put(&tag).problem(412, "changed-meanwhile");
}
