//! Appointments without a lawsuit in the console, warnings of clashes, and the tasks that are new for a person (office 55).

use serde_json::{Value, json};

use super::page::{Field, Page};
use super::visitor::{Visitor, carried, with};
use crate::network::shared;
use crate::office::{Office, Reply};
use crate::people::{allow, with_ana};
use crate::wait::{MAX_WAIT, wait_until};

/// An office with the customer Zélia (1) and the users Ana (2) and Rui (3).
fn office() -> Office {
    let office = Office::new();
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    office.customer("Zélia Ramos", json!({ "users_id": 2 }));
    office
}

/// An appointment of Zélia with Ana, as the console sends it.
const APPOINTMENT: [(&str, &str); 6] = [
    ("customers_id", "1"),
    ("tasks_id", "5"),
    ("guests", "2"),
    ("from", "2"),
    ("start_date", "18/06/2026"),
    ("start_time", "14:30"),
];

fn location(reply: &Reply) -> &str {
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.header("location")
}

fn task(office: &Office, id: u64) -> Value {
    office.get(&format!("/posts/{id}")).json()
}

#[test]
fn an_appointment_is_added_from_the_customers_page_and_from_the_agenda() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    // Rui works here; Ana added the customer.
    visitor.cookie += "; pleito_author=3";
    let page = visitor.page("/customers/1").details("New appointment");
    // The type is known already, and the person proposed.
    for (name, value) in [("customers_id", "1"), ("from", "3"), ("display_schedule", "true")] {
        let field = page.control(name);
        assert_eq!((field.value(), field.is_hidden()), (value.to_owned(), true), "{name}");
    }
    assert_eq!(page.control("tasks_id").value(), "5");
    let shown = ["start_date", "start_time", "end_time", "tasks_id", "guests", "comments"];
    assert!(shown.iter().all(|name| !page.control(name).is_hidden()), "{page}");
    let proposed = |page: &Page| {
        let guests = page.sent_as("guests");
        guests.iter().filter(|guest| guest.is_checked()).map(Field::value).collect::<Vec<_>>()
    };
    assert_eq!(proposed(&page), ["3"]);
    assert_eq!(proposed(&visitor.page("/posts/new?held=1&appointment=1&customers_id=1")), ["3"]);
    assert_eq!(proposed(&visitor.page("/agenda?user=2").details("New appointment")), ["2"]);
    let form = visitor.page("/posts/new?appointment=1");
    assert_eq!(form.heading(), "New appointment");
    let hint = "which has its own customers";
    assert!(!form.contains(hint) && visitor.page("/posts/new").contains(hint), "{form}");
    assert!(form.sent_as("lawsuits_id").is_empty() && form.sent_as("date_deadline").is_empty(), "{form}");
    let fields = [
        ("customers_id", "zelia"),
        ("tasks_id", "5"),
        ("guests", "2"),
        ("from", "2"),
        ("start_date", "amanhã"),
        ("start_time", "14h30"),
        ("display_schedule", "true"),
    ];
    let added = visitor.send("/posts/new?appointment=1", &fields);
    assert_eq!(location(&added), "/console/posts/1?done=created");
    let stored = task(&office, 1);
    assert_eq!((&stored["customers_id"], &stored["lawsuits_id"]), (&json!(1), &json!(null)));
    assert_eq!((&stored["date"], &stored["status"]), (&json!("2026-06-18 14:30:00"), &json!("pending")));
    for (path, shown) in [
        ("/posts/1", "Reunião com cliente · Zélia Ramos"),
        ("/customers/1", "Reunião com cliente"),
        ("/posts", "Zélia Ramos"),
        ("/agenda?day=2026-06-18", "Zélia Ramos"),
        ("/posts?q=zelia", "Reunião com cliente"),
    ] {
        assert!(visitor.page(path).contains(shown), "{path}: {}", visitor.page(path));
    }
    let agenda = visitor.page("/agenda?user=2").details("New appointment");
    assert!(!agenda.control("customers_id").is_hidden(), "{agenda}");
}

#[test]
fn an_appointment_that_was_held_is_logged_as_completed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let log = visitor.page("/customers/1").link("Log an appointment");
    let form = visitor.page(log.strip_prefix("/console").unwrap());
    assert_eq!(
        (form.heading(), form.control("start_date").value()),
        ("Log an appointment".to_owned(), "2026-06-17".to_owned())
    );
    let fields = [
        ("customers_id", "1"),
        ("tasks_id", "5"),
        ("guests", "2"),
        ("from", "2"),
        ("start_date", "17/06/2026"),
        ("comments", "Quer se divorciar; trará a certidão."),
    ];
    let added = visitor.send(log.strip_prefix("/console").unwrap(), &fields);
    assert_eq!(location(&added), "/console/posts/1?done=created");
    // What is to come was not held.
    let mut to_come = fields;
    to_come[4].1 = "18/06/2026";
    let refused = visitor.send(log.strip_prefix("/console").unwrap(), &to_come);
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.page().field("Date").error().contains("Must not be after today"), "{}", refused.text());
    assert_eq!(office.get("/posts/2").status, 404);
    let stored = task(&office, 1);
    assert_eq!(
        (&stored["status"], &stored["notes"]),
        (&json!("completed"), &json!("Quer se divorciar; trará a certidão."))
    );
    assert!(visitor.page("/customers/1").contains("Done"), "{}", visitor.page("/customers/1"));
}

/// The client, what was said and the next task are stored together, or nothing is.
#[test]
fn a_client_without_an_appointment_is_stored_with_what_was_said_and_the_next_task() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = visitor.page("/customers/new");
    assert!(form.contains("What was said"), "{form}");
    let client = [("name", "Dalva Prado Nunes"), ("users_id", "2"), ("customers_origins_id", "1")];
    let both = [
        ("walk_in_notes", "Quer se divorciar;\r\ntrará a certidão."),
        ("next_day", "+3"),
        ("next_type", "3"),
    ];
    let added = visitor.send("/customers/new", &[&client[..], &both].concat());
    assert_eq!(location(&added), "/console/customers/2?done=created");
    let [held, next] = [1, 2].map(|id| task(&office, id));
    let of = |task: &Value| {
        let guest = &task["users"][0];
        json!([
            task["customers_id"],
            task["status"],
            task["date"],
            task["tasks_id"],
            task["author_id"],
            guest["user_id"]
        ])
    };
    assert_eq!(of(&held), json!([2, "completed", "2026-06-17 00:00:00", 5, 2, 2]), "{held}");
    assert_eq!(held["notes"], "Quer se divorciar;\ntrará a certidão.");
    assert_eq!(of(&next), json!([2, "pending", "2026-06-20 00:00:00", 3, 2, 2]), "{next}");
    let page = visitor.page("/customers/2");
    assert!(page.contains("Done") && page.contains("Petição"), "{page}");

    // Without any of it, the client is added alone; another person can get the task.
    let alone = [("name", "Bento Alves"), ("users_id", "2"), ("customers_origins_id", "1")];
    assert_eq!(visitor.send("/customers/new", &alone).status, 303);
    assert_eq!(office.get("/posts/3").status, 404);
    let other = [("name", "Caio Melo"), ("users_id", "2"), ("customers_origins_id", "1")];
    let next = [("next_day", "22/06/2026"), ("next_type", "3"), ("next_guest", "3")];
    assert_eq!(visitor.send("/customers/new", &[&other[..], &next].concat()).status, 303);
    assert_eq!(task(&office, 3)["users"][0]["user_id"], 3);

    let long = "x".repeat(20_001);
    let last = [("name", "Davi Rocha"), ("users_id", "2"), ("customers_origins_id", "1")];
    for (wrong, label) in [
        ([("next_day", "32/06/2026"), ("next_type", "3")], "Next task on"),
        ([("next_day", "22/06/2026"), ("next_type", "")], "Type of task"),
        ([("next_day", ""), ("next_type", "3")], "Next task on"),
        ([("next_day", ""), ("walk_in_notes", long.as_str())], "What was said"),
    ] {
        let refused = visitor.send("/customers/new", &[&last[..], &wrong].concat());
        assert_eq!(refused.status, 422, "{}", refused.text());
        let page = refused.page();
        assert!(!page.field(label).error().is_empty(), "{label}: {page}");
        assert_eq!(page.control("name").value(), "Davi Rocha");
    }
    // What is wrong with the client, with what was said and with the next task is named at once.
    let client = [("name", ""), ("users_id", "2"), ("customers_origins_id", "1"), ("email", "davi")];
    for (wrong, labels) in [
        ([("next_day", "22/06/2026"), ("walk_in_notes", "")], &["Type of task"][..]),
        ([("next_type", "3"), ("walk_in_notes", "")], &["Next task on"]),
        ([("next_day", "22/06/2026"), ("walk_in_notes", long.as_str())], &["What was said", "Type of task"]),
    ] {
        let refused = visitor.send("/customers/new", &[&client[..], &wrong].concat());
        assert_eq!(refused.status, 422, "{}", refused.text());
        for label in [&["Name", "E-mail"], labels].concat() {
            assert!(!refused.page().field(label).error().is_empty(), "{label}: {}", refused.page());
        }
    }
    assert_eq!(office.get("/customers/5").status, 404);
    assert_eq!(office.get("/posts/4").status, 404);
}

/// Regression: an appointment or a deadline on a past day was stored without a question.
#[test]
fn a_past_day_of_a_new_task_is_named_before_it_is_stored() {
    let office = office();
    let visitor = Visitor::new(&office);
    let task = [("customers_id", "1"), ("tasks_id", "5"), ("guests", "2"), ("from", "2")];
    let client = [("name", "Dalva Prado"), ("users_id", "2"), ("customers_origins_id", "1")];
    for (path, fields, days, shown) in [
        ("/posts/new", &task[..], &[("start_date", "16/06/2026")][..], "Date: 2026-06-16 is past."),
        ("/posts/new?appointment=1", &task, &[("start_date", "15/06/2026")], "Date: 2026-06-15 is past."),
        (
            "/posts/new",
            &task,
            &[("start_date", "18/06/2026"), ("date_deadline", "16/06/2026")],
            "Deadline: 2026-06-16 is past.",
        ),
        (
            "/customers/new",
            &client,
            &[("next_day", "16/06/2026"), ("next_type", "3")],
            "Date: 2026-06-16 is past.",
        ),
    ] {
        let fields = [fields, days].concat();
        let before = office.get("/posts?limit=1").json()["totalCount"].as_u64();
        let response = visitor.send(path, &fields);
        assert_eq!(response.status, 409, "{path}: {}", response.text());
        let page = response.page();
        assert!(page.contains(shown) && page.contains("Save anyway"), "{page}");
        assert_eq!(office.get("/posts?limit=1").json()["totalCount"].as_u64(), before);
        let seen = page.control("clashes").value();
        location(&visitor.send(path, &[&fields[..], &[("clashes", &seen)]].concat()));
    }
    // Today and what was held are not asked about, and neither is an edit of a task whose day has passed.
    location(&visitor.send("/posts/new", &[&task[..], &[("start_date", "17/06/2026")]].concat()));
    let held = [&task[..], &[("start_date", "15/06/2026"), ("comments", "Ligou.")]].concat();
    location(&visitor.send("/posts/new?held=1&appointment=1", &held));
    let edited = carried(&visitor.page("/posts/1/edit"));
    location(&visitor.send("/posts/1/edit", &with(&edited, &[("local", "Sala 2")])));
}

/// Regression: it was told neither of the other appointment nor, before the other questions, of the missing type.
#[test]
fn the_next_task_of_a_client_without_an_appointment_is_checked_like_any_other() {
    let office = office();
    let visitor = Visitor::new(&office);
    location(&visitor.send("/posts/new", &APPOINTMENT));
    let client = [("name", "Dalva Prado"), ("users_id", "2"), ("customers_origins_id", "1")];
    let next = |kind: &'static str| [("next_day", "18/06/2026 14:30"), ("next_type", kind)];
    let refused = visitor.send("/customers/new", &[&client[..], &next("")].concat());
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.page().field("Type of task").error().contains("required"), "{}", refused.text());
    let incomplete = visitor.send("/customers/new", &[&client[..2], &next("3")].concat());
    assert_eq!(incomplete.status, 422, "{}", incomplete.text());
    assert!(!incomplete.page().contains("already has"), "{}", incomplete.text());
    let response = visitor.send("/customers/new", &[&client[..], &next("3")].concat());
    assert_eq!(response.status, 409, "{}", response.text());
    assert!(response.page().contains("Ana Souza already has, at 14:30"), "{}", response.text());
    assert_eq!(office.get("/customers/2").status, 404);
    // The time that follows the day is kept.
    let alone = [("next_day", "amanhã às 16h"), ("next_type", "3")];
    location(&visitor.send("/customers/new", &[&client[..], &alone].concat()));
    assert_eq!(task(&office, 2)["date"], "2026-06-18 16:00:00");
}

/// Regression: what was typed was dropped in silence.
#[test]
fn notes_of_a_person_who_may_no_longer_add_tasks_are_refused_and_kept() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let typed = [
        ("name", "Maria da Silva"),
        ("users_id", "1"),
        ("customers_origins_id", "1"),
        ("walk_in_notes", "Quer rever a pensão."),
    ];
    allow(&Visitor::new(&office), ana, "write", &["customers"]);
    assert!(!browser.page("/customers/new").contains("What was said"));
    let refused = browser.send("/customers/new", &typed);
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert!(refused.page().details("Show and copy your input").contains("Quer rever a pensão."));
    assert_eq!(office.get("/customers").json()["totalCount"], 0);
    assert_eq!(browser.send("/customers/new", &typed[..3]).status, 303);
}

#[test]
fn two_appointments_at_one_time_are_named_before_they_are_stored() {
    let office = office();
    let visitor = Visitor::new(&office);
    let fields = [&APPOINTMENT[..], &[("end_time", "15:30")]].concat();
    location(&visitor.send("/posts/new", &fields));
    let at = |time: &'static str, guest: &'static str| {
        let mut fields = fields.to_vec();
        fields.retain(|(name, _)| !["start_time", "guests", "end_time"].contains(name));
        fields.extend([("start_time", time), ("guests", guest)]);
        fields
    };
    for (time, guest) in [("15:30", "2"), ("13:30", "2"), ("14:30", "3")] {
        location(&visitor.send("/posts/new", &at(time, guest)));
    }
    let clashing = at("15:00", "2");
    let response = visitor.send("/posts/new", &clashing);
    assert_eq!(response.status, 409, "{}", response.text());
    let page = response.page();
    assert!(page.contains("Ana Souza already has, at 14:30: Reunião com cliente · Zélia Ramos"), "{page}");
    assert!(page.contains("Save anyway"), "{page}");
    assert_eq!(office.get("/posts?limit=1").json()["totalCount"], 4);
    let seen = page.control("clashes").value();
    let meant = [&clashing[..], &[("clashes", &seen)]].concat();
    location(&visitor.send("/posts/new", &meant));
    assert_eq!(office.get("/posts?limit=1").json()["totalCount"], 5);
    // A change that touches neither time nor people asks nothing, and an end before its start stays refused.
    let edit = |member: &str, value: &str| {
        let carried = carried(&visitor.page("/posts/5/edit"));
        visitor.send("/posts/5/edit", &with(&carried, &[(member, value)]))
    };
    location(&edit("local", "Sala 2"));
    let moved = edit("start_time", "14:45");
    assert_eq!(moved.status, 409, "{}", moved.text());
    assert_eq!(edit("end_time", "13:00").status, 422);
}

/// Regression: only the first day of an appointment counted.
#[test]
fn an_appointment_of_several_days_clashes_on_each_of_them() {
    let office = office();
    let visitor = Visitor::new(&office);
    let whole = [
        ("customers_id", "1"),
        ("tasks_id", "5"),
        ("guests", "2"),
        ("from", "2"),
        ("start_date", "07/12/2026"),
        ("start_time", "09:00"),
        ("end_date", "09/12/2026"),
        ("end_time", "18:00"),
    ];
    location(&visitor.send("/posts/new", &whole));
    let night = [
        &whole[..4],
        &[
            ("start_date", "02/12/2026"),
            ("start_time", "23:30"),
            ("end_date", "03/12/2026"),
            ("end_time", "00:30"),
        ],
    ];
    location(&visitor.send("/posts/new", &night.concat()));
    for (day, time, clashes) in [
        ("08/12/2026", "10:00", Some("on 2026-12-07 at 09:00")),
        ("09/12/2026", "17:30", Some("on 2026-12-07 at 09:00")),
        ("07/12/2026", "10:00", Some("at 09:00")),
        ("03/12/2026", "00:15", Some("on 2026-12-02 at 23:30")),
        ("09/12/2026", "18:00", None),
        ("03/12/2026", "00:45", None),
        ("10/12/2026", "10:00", None),
    ] {
        let fields = [&whole[..4], &[("start_date", day), ("start_time", time)]].concat();
        let sent = visitor.send("/posts/new", &fields);
        match clashes {
            Some(when) => {
                assert_eq!(sent.status, 409, "{day} {time}");
                assert!(sent.page().contains(&format!("Ana Souza already has, {when}:")), "{}", sent.text());
            }
            None => _ = location(&sent),
        }
    }
    // Whole days clash on each of them too, and with all that has no time of day.
    let whole_days = [&whole[..4], &[("start_date", "19/01/2027"), ("end_date", "21/01/2027")]];
    location(&visitor.send("/posts/new", &whole_days.concat()));
    for (day, time, clashes) in [
        ("20/01/2027", "", "from 2027-01-19 to 2027-01-21"),
        ("20/01/2027", "10:00", "from 2027-01-19 to 2027-01-21"),
        ("21/01/2027", "23:00", "from 2027-01-19 to 2027-01-21"),
    ] {
        let fields = [&whole[..4], &[("start_date", day), ("start_time", time)]].concat();
        let sent = visitor.send("/posts/new", &fields);
        assert!(sent.page().contains(&format!("Ana Souza already has, {clashes}:")), "{}", sent.text());
    }
    // A long one that begins before them names each.
    let long =
        [&whole[..4], &[("start_date", "06/12/2026"), ("start_time", "09:00"), ("end_date", "11/12/2026")]];
    let sent = visitor.send("/posts/new", &long.concat());
    assert_eq!(sent.page().text().matches("Ana Souza already has").count(), 3, "{}", sent.text());
}

/// Regression: a task that left a case of two clients had none from then on, without a word.
#[test]
fn a_task_that_leaves_a_case_of_several_clients_asks_whose_it_is() {
    let office = office();
    let other = office.customer("Olga Reis", json!({}));
    let lawsuit = office.lawsuit(&[1, other], json!({}));
    let body = json!({ "from": 1, "guests": [1], "tasks_id": 5, "start_date": "2026-12-24", "lawsuits_id": lawsuit });
    assert_eq!(office.post("/posts", &body).status, 201);
    let visitor = Visitor::new(&office);
    let leave = |customer: &str, seen: &str| {
        let carried = carried(&visitor.page("/posts/1/edit"));
        let changes = [("lawsuits_id", ""), ("customers_id", customer), ("clashes", seen)];
        visitor.send("/posts/1/edit", &with(&carried, &changes))
    };
    let question = leave("", "");
    assert_eq!(question.status, 409, "{}", question.text());
    assert!(question.page().alert().contains("Zélia Ramos, Olga Reis"), "{}", question.page());
    let other = other.to_string();
    location(&leave(&other, ""));
    assert_eq!(task(&office, 1)["customers_id"].to_string(), other);
    assert_eq!(office.put("/posts/1", &json!({ "lawsuits_id": lawsuit })).status, 200);
    location(&leave("", "customer"));
    assert_eq!(task(&office, 1)["customers_id"], json!(null));
}

#[test]
fn a_deadline_on_a_weekend_is_named_before_it_is_stored() {
    let office = office();
    office.lawsuit(&[1], json!({}));
    let visitor = Visitor::new(&office);
    for (day, word) in [
        ("21/06/2026", Some("Sunday")),
        ("20/06/2026", Some("Saturday")),
        ("19/06/2026", None),
        ("22/06/2026", None),
    ] {
        let fields = [
            ("lawsuits_id", "1"),
            ("tasks_id", "1"),
            ("guests", "2"),
            ("from", "2"),
            ("start_date", "18/06/2026"),
            ("date_deadline", day),
        ];
        let reply = visitor.send("/posts/new", &fields);
        let Some(word) = word else {
            location(&reply);
            continue;
        };
        assert_eq!(reply.status, 409, "{day}: {}", reply.text());
        let page = reply.page();
        assert!(page.contains(word), "{day}: {page}");
        let seen = page.control("clashes").value();
        location(&visitor.send("/posts/new", &[&fields[..], &[("clashes", &seen)]].concat()));
    }
}

#[test]
fn tasks_given_by_others_are_new_until_the_person_looks() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let give = |day: &str, guests: &[u32]| {
        let body = json!({ "from": 1, "guests": guests, "tasks_id": 5, "start_date": day });
        let reply = office.post("/posts", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["posts_id"].as_u64().unwrap()
    };
    let first = give("2026-07-01", &[ana]);
    assert!(!browser.page("").contains("New for you"), "what is there at the first look is not new");
    let second = give("2026-07-02", &[ana]);
    let third = give("2026-07-03", &[1]);
    give("2026-07-04", &[1]);
    assert_eq!(office.put(&format!("/posts/{third}"), &json!({ "guests": [1, ana] })).status, 200);
    assert_eq!(office.put(&format!("/posts/{first}"), &json!({ "guests": [ana, 1] })).status, 200);
    assert!(browser.page("/customers").contains("2 new for you"), "{}", browser.page("/customers"));
    let overview = browser.page("");
    let new = overview.section("New for you (2)");
    for (id, is_new) in [(first, false), (second, true), (third, true)] {
        assert_eq!(new.leads_to(&format!("/console/posts/{id}")), is_new, "{id}: {new}");
    }
    // The look is noted after the page.
    wait_until(MAX_WAIT, "nothing is new", || (!browser.page("").contains("New for you")).then_some(()));
    assert!(!browser.page("/customers").contains("new for you"));
    // The list of tasks counts as a look too. A task that is deleted, or given by the person, is not new. The form is
    // sent first, because the browser opens the overview for it.
    let ana_id = ana.to_string();
    let own = [("tasks_id", "5"), ("guests", &*ana_id), ("from", &*ana_id), ("start_date", "07/07/2026")];
    assert_eq!(browser.send("/posts/new", &own).status, 303);
    give("2026-07-05", &[ana]);
    let gone = give("2026-07-06", &[ana]);
    assert_eq!(office.send("DELETE", &format!("/posts/{gone}"), &[], None).status, 200);
    assert!(browser.page("/customers").contains("1 new for you"));
    // A list that does not show them is no look.
    assert!(browser.page("/posts?q=zzzzz").contains("1 new for you"));
    assert!(browser.page("/customers").contains("1 new for you"));
    browser.page("/posts");
    assert!(!browser.page("/customers").contains("new for you"));
    // The overview lists some of many; the others stay new.
    for day in 1..=12 {
        give(&format!("2026-08-{day:02}"), &[ana]);
    }
    let shows = |what: &str| {
        // The look is noted after the page.
        wait_until(MAX_WAIT, what, || browser.page("").contains(what).then_some(()));
    };
    shows("New for you (12)");
    assert!(browser.page("/customers").contains("2 new for you"));
    shows("New for you (2)");
    assert!(!browser.page("/customers").contains("new for you"));
    // So is what a colleague who leaves hands over.
    let mut owner = Visitor::new(&office);
    owner.cookie += "; pleito_author=1";
    assert_eq!(office.post("/settings/users", &json!({ "name": "Fábio Reis" })).status, 201);
    let users = office.get("/settings").json()["users"].clone();
    let fabio =
        users.as_array().unwrap().iter().find(|user| user["name"] == "Fábio Reis").unwrap()["id"].to_string();
    let own = json!({ "from": fabio, "guests": fabio, "tasks_id": 5, "start_date": "2026-09-01" });
    assert_eq!(office.post("/posts", &own).status, 201);
    let left = owner.send(&format!("/lists/users/{fabio}"), &[("do", "off"), ("to", &ana_id)]);
    assert_eq!(left.status, 303, "{}", left.text());
    assert!(browser.page("/customers").contains("1 new for you"));
    let new = browser.page("").section("New for you (1)");
    assert!(new.contains("from Escritório") && !new.contains("Fábio Reis"), "who handed it over: {new}");
}

/// Regression: `ter` was the next Tuesday in the form of what was held, and its end could be on a day to come.
#[test]
fn what_was_held_is_on_the_last_such_day_and_ends_on_no_day_to_come() {
    let office = office();
    let visitor = Visitor::new(&office);
    let log = visitor.page("/customers/1").link("Log an appointment");
    let path = log.strip_prefix("/console").unwrap();
    let form = visitor.look(path).text();
    assert!(form.contains("/console/day/past") && !form.contains("/console/day/next"), "{form}");
    let send = |start: &str, end: &str| {
        let fields = [
            ("customers_id", "1"),
            ("tasks_id", "5"),
            ("guests", "2"),
            ("from", "2"),
            ("start_date", start),
            ("end_date", end),
        ];
        visitor.send(path, &fields)
    };
    let refused = send("17/06/2026", "18/06/2026");
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("Must not be after today"), "{}", refused.text());
    assert_eq!(location(&send("ter", "")), "/console/posts/1?done=created");
    assert_eq!(task(&office, 1)["date"], "2026-06-16 00:00:00");
}
