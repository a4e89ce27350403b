//! A user who leaves, through the API: the open work passes to another one in one act, and comes back (office 56).

use pleito::records::{Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::office::{Office, Reply};

/// Returns an office with the users Ana (2) and Rui (3).
fn office() -> Office {
    let office = Office::new();
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    office
}

fn hand_over(office: &Office, key: &str, path: &str, body: &Value) -> Reply {
    let authorization = format!("Bearer {key}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let path = format!("/api/v1/settings/users/{path}");
    office.raw("POST", &path, &headers, Some(body.to_string().as_bytes()))
}

fn guests(office: &Office, task: u64) -> Vec<u64> {
    let users = office.get(&format!("/posts/{task}")).json()["users"].clone();
    users.as_array().unwrap().iter().map(|user| user["user_id"].as_u64().unwrap()).collect()
}

fn responsible(office: &Office, lawsuit: u64) -> u64 {
    office.get(&format!("/lawsuits/{lawsuit}")).json()["responsible_id"].as_u64().unwrap()
}

fn appointment(office: &Office, customer: u64) -> u64 {
    let body = json!({
        "from": 1, "guests": [2], "tasks_id": 4, "customers_id": customer, "start_date": "2026-12-24",
    });
    office.post("/posts", &body).json()["posts_id"].as_u64().unwrap()
}

#[test]
fn the_open_work_passes_to_another_user_and_comes_back() {
    let office = office();
    let client = office.customer("Bia Reis", json!({}));
    let case = |more: Value| office.lawsuit(&[client], more);
    let [open, edited] = [json!({ "users_id": 2 }), json!({ "users_id": 2 })].map(case);
    let closed = case(json!({ "users_id": 2, "status_closure": "2026-06-01" }));
    let [task, done] = ["2026-12-10", "2026-12-11"]
        .map(|day| office.task(open, json!({ "start_date": day, "guests": [2] })));
    assert_eq!(office.put(&format!("/posts/{done}/complete"), &json!({})).status, 200);
    let appointment = appointment(&office, client);
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);

    let wrong = send("2/hand_over", json!({})).problem(422, "invalid");
    assert_eq!(wrong["errors"]["to"][0], "is required", "{wrong}");
    for to in [2, 99] {
        send("2/hand_over", json!({ "to": to })).problem(422, "invalid");
    }
    send("99/hand_over", json!({ "to": 3 })).problem(404, "not-found");
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");
    assert_eq!(guests(&office, task), [2], "nothing was stored");

    let handed = send("2/hand_over", json!({ "to": 3 }));
    assert_eq!(handed.text(), r#"{"success":true,"id":2,"tasks":2,"lawsuits":2}"#);
    assert_eq!([task, done, appointment].map(|id| guests(&office, id)), [vec![3], vec![2], vec![3]]);
    assert_eq!([open, edited, closed].map(|id| responsible(&office, id)), [3, 3, 2]);
    send("2/hand_over", json!({ "to": 3 })).problem(409, "already-inactive");

    assert_eq!(office.put(&format!("/lawsuits/{edited}"), &json!({ "users_id": 1 })).status, 200);
    let undone = send("2/hand_over/undo", json!({})).json();
    let kept = json!([{ "resource": "lawsuits", "id": edited }]);
    assert_eq!(undone, json!({ "success": true, "id": 2, "tasks": 2, "lawsuits": 1, "kept": kept }));
    assert_eq!([task, done, appointment].map(|id| guests(&office, id)), [vec![2], vec![2], vec![2]]);
    assert_eq!([open, edited, closed].map(|id| responsible(&office, id)), [2, 1, 2]);
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");

    let feed = office.get("/changes?resource=posts&limit=1000").json();
    let of_task = feed["data"].as_array().unwrap().iter().filter(|change| change["id"] == task);
    let acts: Vec<Value> = of_task.map(|change| change["reason"].clone()).collect();
    assert_eq!(acts, [Value::Null, json!("hand-over"), json!("hand-over-undone")]);
}

/// What the caller may not see stays, is not counted, and is not named.
#[test]
fn only_what_the_caller_may_see_and_change_is_handed_over() {
    let office = office();
    let client = office.customer("Bia Reis", json!({}));
    let case = office.lawsuit(&[client], json!({ "users_id": 2 }));
    let task = office.task(case, json!({ "guests": [2] }));
    let appointment = appointment(&office, client);
    let key = |level: Level, nouns: &[&str]| {
        office.key(Rights { level, nouns: Nouns::named(nouns.iter().copied()).unwrap() })
    };
    let to = json!({ "to": 3 });
    hand_over(&office, &key(Level::Write, &["tasks"]), "2/hand_over", &to).problem(403, "not-allowed");
    let tasks = key(Level::Manage, &["tasks"]);
    let handed = hand_over(&office, &tasks, "2/hand_over", &to);
    assert_eq!(handed.text(), r#"{"success":true,"id":2,"tasks":1,"lawsuits":0}"#);
    assert_eq!((guests(&office, task), guests(&office, appointment)), (vec![3], vec![2]));
    assert_eq!(responsible(&office, case), 2);
    let undone = hand_over(&office, &tasks, "2/hand_over/undo", &json!({})).json();
    assert_eq!(undone, json!({ "success": true, "id": 2, "tasks": 1, "lawsuits": 0, "kept": [] }));
    assert_eq!(guests(&office, task), [2]);

    // A caller who does not see customers gets back nothing of an appointment, and does not learn of it.
    assert_eq!(hand_over(&office, &office.token, "2/hand_over", &to).json()["tasks"], 2);
    let undone = hand_over(&office, &tasks, "2/hand_over/undo", &json!({})).json();
    assert_eq!((&undone["tasks"], &undone["kept"]), (&json!(1), &json!([])), "{undone}");
    assert_eq!((guests(&office, task), guests(&office, appointment)), (vec![2], vec![3]));
}

/// Regression: the undo of the first of two hand-overs gave nothing back, and could not be repeated.
#[test]
fn a_later_hand_over_is_named_and_undone_first() {
    let office = office();
    let client = office.customer("Bia Reis", json!({}));
    let [first, edited] = [(); 2].map(|()| office.lawsuit(&[client], json!({ "users_id": 2 })));
    let task = office.task(first, json!({ "guests": [2] }));
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Davi Sá" })).status, 201);
    for (from, to) in [(2, 3), (3, 4)] {
        assert_eq!(send(&format!("{from}/hand_over"), json!({ "to": to })).status, 200);
    }
    let refused = send("2/hand_over/undo", json!({})).problem(409, "handed-on");
    assert_eq!(refused["user_id"], 3, "{refused}");
    assert_eq!(office.put(&format!("/lawsuits/{edited}"), &json!({ "users_id": 1 })).status, 200);
    for (from, lawsuits) in [(3, 1), (2, 1)] {
        let undone = send(&format!("{from}/hand_over/undo"), json!({})).json();
        assert_eq!((&undone["tasks"], &undone["lawsuits"]), (&json!(1), &json!(lawsuits)), "{undone}");
        assert_eq!(undone["kept"], json!([{ "resource": "lawsuits", "id": edited }]));
    }
    assert_eq!((guests(&office, task), responsible(&office, first)), (vec![2], 2));
}

/// Regression: the person came back at the end of the guests.
#[test]
fn a_shared_task_gets_its_guests_back_in_order() {
    let office = office();
    for name in ["Davi Sá", "Eva Luz"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let client = office.customer("Bia Reis", json!({}));
    let lists = [[3, 2, 4], [2, 3, 4], [4, 2, 3], [4, 5, 2]];
    let tasks =
        lists.map(|list| office.task(office.lawsuit(&[client], json!({})), json!({ "guests": list })));
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    assert_eq!(tasks.map(|id| guests(&office, id)), [vec![3, 4], vec![3, 4], vec![4, 3], vec![4, 5, 3]]);
    assert_eq!(send("2/hand_over/undo", json!({})).json()["kept"], json!([]));
    assert_eq!(tasks.map(|id| guests(&office, id)), lists.map(Vec::from));
}

/// Regression: a hand-over to nobody ended the sessions of the person, who stayed active, and gave a wrong reason.
#[test]
fn a_refused_hand_over_says_why() {
    let office = office();
    let send = |to: u32| {
        let refused = hand_over(&office, &office.token, "2/hand_over", &json!({ "to": to }));
        refused.problem(422, "invalid")["reasons"]["to"][0].clone()
    };
    assert_eq!(office.put("/settings/users/3", &json!({ "active": false })).status, 200);
    assert_eq!([2, 3, 99].map(send), ["same-record", "inactive-id", "unknown-id"]);
}

/// Returns the guests of a task, each with `true` if the task is done by that user.
fn completions(office: &Office, task: u64) -> Vec<(u64, bool)> {
    let users = office.get(&format!("/posts/{task}")).json()["users"].clone();
    let all = users.as_array().unwrap().iter();
    all.map(|user| (user["user_id"].as_u64().unwrap(), !user["completed"].is_null())).collect()
}

/// Regression: the first guest was taken for the person who got the task, so the undo lost a completion.
#[test]
fn a_task_of_several_guests_comes_back_as_it_was() {
    let office = office();
    assert_eq!(office.post("/settings/users", &json!({ "name": "Davi Sá" })).status, 201);
    let client = office.customer("Bia Reis", json!({}));
    let task = office.task(office.lawsuit(&[client], json!({})), json!({ "guests": [4, 3, 2] }));
    let done = office.put(&format!("/posts/{task}/complete"), &json!({ "users_id": [3] }));
    assert_eq!(done.status, 200, "{}", done.text());
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    assert_eq!(completions(&office, task), [(4, false), (3, false)]);
    let page = Visitor::new(&office).page("/lists/users");
    assert!(page.contains("Handed over to Rui Prado"), "{page}");
    assert_eq!(send("2/hand_over/undo", json!({})).json()["kept"], json!([]));
    assert_eq!(completions(&office, task), [(4, false), (3, true), (2, false)]);
}

/// Regression: a task was said to have changed since, although the other person was still responsible for it.
#[test]
fn a_task_goes_back_as_long_as_the_other_person_is_responsible() {
    let office = office();
    assert_eq!(office.post("/settings/users", &json!({ "name": "Davi Sá" })).status, 201);
    let client = office.customer("Bia Reis", json!({}));
    let case = office.lawsuit(&[client], json!({}));
    let lists = [vec![2], vec![2, 4], vec![2]];
    let days = ["2026-12-21", "2026-12-22", "2026-12-23"];
    let mut tasks = lists.iter().zip(days);
    let tasks = [(); 3].map(|()| {
        let (guests, day) = tasks.next().unwrap();
        office.task(case, json!({ "guests": guests, "start_date": day }))
    });
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    let change = |task: u64, guests: Value| {
        let changed = office.put(&format!("/posts/{task}"), &json!({ "guests": guests }));
        assert_eq!(changed.status, 200, "{}", changed.text());
    };
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    change(tasks[0], json!([1, 3]));
    change(tasks[1], json!([3]));
    // A person who takes the other one out and enters that one again means that one.
    change(tasks[2], json!([1]));
    change(tasks[2], json!([3]));
    let kept = json!([{ "resource": "posts", "id": tasks[2] }]);
    assert_eq!(send("2/hand_over/undo", json!({})).json()["kept"], kept);
    assert_eq!(tasks.map(|task| guests(&office, task)), [vec![1, 2], vec![2], vec![3]]);
}

/// Regression: a lawsuit that a person gave to the other one after the hand-over went back with the rest.
#[test]
fn what_a_person_gave_to_the_other_one_since_stays() {
    let office = office();
    let client = office.customer("Bia Reis", json!({}));
    let [first, second] = [(); 2].map(|()| office.lawsuit(&[client], json!({ "users_id": 2 })));
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    for user in [1, 3] {
        assert_eq!(office.put(&format!("/lawsuits/{second}"), &json!({ "users_id": user })).status, 200);
    }
    let undone = send("2/hand_over/undo", json!({})).json();
    assert_eq!(undone["kept"], json!([{ "resource": "lawsuits", "id": second }]));
    assert_eq!([first, second].map(|id| responsible(&office, id)), [2, 3]);
    // Also if the person came back without the work, and left again.
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    assert_eq!(office.put("/settings/users/2", &json!({ "active": true })).status, 200);
    assert_eq!(send("3/hand_over", json!({ "to": 2 })).status, 200);
    assert_eq!(send("3/hand_over/undo", json!({})).json()["kept"], json!([]));
    assert_eq!([first, second].map(|id| responsible(&office, id)), [3, 3]);
}

/// Regression: a person who was activated without the undo got nothing back, and nothing said so.
#[test]
fn the_undo_is_still_there_for_a_person_who_was_activated_by_hand() {
    let office = office();
    let client = office.customer("Bia Reis", json!({}));
    let [case, other] = [0; 2].map(|_| office.lawsuit(&[client], json!({ "users_id": 2 })));
    let task = office.task(case, json!({ "start_date": "2026-12-10", "guests": [2] }));
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    let activate = |is_active: bool| {
        let answer = office.put("/settings/users/2", &json!({ "active": is_active }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["hand_over"].clone()
    };
    assert_eq!(activate(true), Value::Null);
    assert_eq!(send("2/hand_over", json!({ "to": 3 })).status, 200);
    assert_eq!(activate(true), json!({ "to": 3, "tasks": 1, "lawsuits": 2 }));
    let visitor = Visitor::new(&office);
    let row = |id: u32| visitor.page("/lists/users").anchored(&format!("e-{id}"));
    assert!(row(2).contains("Handed over to Rui Prado: 1 task to do and 2 open cases."), "{}", row(2));
    assert!(row(2).has_button("Undo the hand-over: Ana Souza") && !row(3).contains("Undo the hand-over"));
    // What is given back by hand, or is new for the person, stays as it is.
    assert_eq!(office.put(&format!("/lawsuits/{other}"), &json!({ "users_id": 2 })).status, 200);
    let own = office.task(case, json!({ "start_date": "2026-12-11", "guests": [2, 3] }));
    // So is it after a second time away, without a hand-over.
    assert_eq!(activate(false), Value::Null);
    assert_eq!(activate(true), json!({ "to": 3, "tasks": 1, "lawsuits": 1 }));
    // What the other person handed over later is undone first.
    assert_eq!(send("3/hand_over", json!({ "to": 1 })).status, 200);
    assert_eq!(send("2/hand_over/undo", json!({})).problem(409, "handed-on")["user_id"], 3);
    assert_eq!(send("3/hand_over/undo", json!({})).status, 200);
    let undone = send("2/hand_over/undo", json!({})).json();
    assert_eq!(undone, json!({ "success": true, "id": 2, "tasks": 1, "lawsuits": 1, "kept": [] }));
    assert_eq!([task, own].map(|id| guests(&office, id)), [vec![2], vec![2, 3]]);
    assert_eq!([case, other].map(|id| responsible(&office, id)), [2, 2]);
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");
    assert_eq!(activate(true), Value::Null);
    assert!(!row(2).contains("Handed over"), "{}", row(2));
}

/// Regression: the second hand-over of a person ended the undo of the first one without a word.
#[test]
fn each_hand_over_of_a_person_is_undone_the_newest_first() {
    let office = office();
    assert_eq!(office.post("/settings/users", &json!({ "name": "Davi Sá" })).status, 201);
    let client = office.customer("Bia Reis", json!({}));
    let case = || office.lawsuit(&[client], json!({ "users_id": 2 }));
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    let leave = |to: u64| assert_eq!(send("2/hand_over", json!({ "to": to })).status, 200);
    let activate = || assert_eq!(office.put("/settings/users/2", &json!({ "active": true })).status, 200);
    let undo = || send("2/hand_over/undo", json!({})).json()["lawsuits"].clone();
    let first = case();
    leave(3);
    activate();
    let second = case();
    leave(4);
    assert_eq!([first, second].map(|id| responsible(&office, id)), [3, 4]);
    assert_eq!(undo(), json!(1));
    assert_eq!([first, second].map(|id| responsible(&office, id)), [3, 2]);
    assert_eq!(undo(), json!(1));
    assert_eq!([first, second].map(|id| responsible(&office, id)), [2, 2]);
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");

    // Also if the person is active each time, to the same person, and after a hand-over of nothing.
    leave(3);
    activate();
    let third = case();
    leave(3);
    activate();
    leave(4);
    activate();
    assert_eq!(undo(), json!(1));
    assert_eq!([first, second, third].map(|id| responsible(&office, id)), [3, 3, 2]);
    assert_eq!(undo(), json!(2));
    assert_eq!([first, second, third].map(|id| responsible(&office, id)), [2, 2, 2]);
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");
}

/// Regression: a hand-over of a person without open work could not be undone.
#[test]
fn a_hand_over_of_nothing_is_undone_too() {
    let office = office();
    let send = |path: &str, body: Value| hand_over(&office, &office.token, path, &body);
    let handed = send("2/hand_over", json!({ "to": 3 }));
    assert_eq!(handed.text(), r#"{"success":true,"id":2,"tasks":0,"lawsuits":0}"#);
    let row = Visitor::new(&office).page("/lists/users").anchored("e-2");
    assert!(row.contains("Handed over to Rui Prado: nothing that would go back."), "{row}");
    let undone = send("2/hand_over/undo", json!({})).json();
    assert_eq!(undone, json!({ "success": true, "id": 2, "tasks": 0, "lawsuits": 0, "kept": [] }));
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");
    // The person is active, so that there is someone to hand over to.
    assert_eq!(send("3/hand_over", json!({ "to": 2 })).status, 200);
    // Deactivated without a hand-over, a person has none to be undone.
    assert_eq!(office.put("/settings/users/2", &json!({ "active": false })).status, 200);
    send("2/hand_over/undo", json!({})).problem(409, "not-handed-over");
}

/// Regression: the last active user was deactivated, and nothing new could have a responsible user.
#[test]
fn the_last_active_user_stays() {
    let office = office();
    let deactivate = |id: u32| office.put(&format!("/settings/users/{id}"), &json!({ "active": false }));
    assert_eq!([1, 2].map(|id| deactivate(id).status), [200, 200]);
    let refused = deactivate(3).problem(422, "invalid");
    assert_eq!(refused["reasons"]["active"], json!(["last-active"]), "{refused}");
    let visitor = Visitor::new(&office);
    let row = visitor.page("/lists/users?off=3").anchored("e-3");
    assert!(row.contains("who stays active") && !row.has_button("Deactivate"), "{row}");
    let reply = visitor.send("/lists/users/3", &[("do", "off")]);
    assert_eq!(reply.status, 422);
    assert!(reply.page().anchored("e-3").contains("who stays active"), "{}", reply.page());
    assert_eq!(office.put("/settings/users/1", &json!({ "active": true })).status, 200);
    assert_eq!(deactivate(3).status, 200);
}
