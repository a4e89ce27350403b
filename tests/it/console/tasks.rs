//! Tasks in the console: adding them for a lawsuit and several people, finding, completing and reopening them, and
//! overdue tasks. Also the agenda (resources 12, product 4).

use serde_json::json;

use super::page::{Field, Page};
use super::visitor::Visitor;
use crate::office::Office;

/// The day on which the clock of a test's office starts, a Wednesday.
const TODAY: &str = "2026-06-17";

/// Returns an office with the users Ana (2) and Rui (3), and a lawsuit of Zélia.
fn office() -> Office {
    let office = Office::new();
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let customer = office.customer("Zélia Ramos", json!({}));
    office.lawsuit(&[customer], json!({}));
    office
}

fn task(office: &Office, more: serde_json::Value) -> u64 {
    let mut body =
        json!({ "lawsuits_id": 1, "tasks_id": 2, "from": 1, "guests": [2, 3], "start_date": "2026-12-10" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = office.post("/posts", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["posts_id"].as_u64().unwrap()
}

#[test]
fn a_task_is_added_for_several_people_and_changed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = visitor.page("/posts/new?lawsuits_id=1");
    for person in ["Ana Souza", "Rui Prado"] {
        assert!(form.contains(person), "{form}");
    }
    let fields = [
        ("lawsuits_id", "zelia"),
        ("tasks_id", "2"),
        ("guests", "2"),
        ("guests", "3"),
        ("from", "1"),
        ("start_date", "10/12/2026"),
        ("start_time", "14:30"),
        ("end_time", "15:30"),
        ("date_deadline", "11/12/2026"),
        ("display_schedule", "true"),
        ("important", "true"),
        ("comments", "Levar procuração."),
    ];
    let added = visitor.send("/posts/new", &fields);
    assert_eq!(
        (added.status, added.header("location")),
        (303, "/console/posts/1?done=created"),
        "{}",
        added.text()
    );
    let stored = office.get("/posts/1").json();
    let guests = stored["users"].as_array().unwrap();
    assert_eq!(guests.iter().map(|guest| guest["user_id"].clone()).collect::<Vec<_>>(), [2, 3]);
    assert_eq!((&stored["date"], &stored["lawsuits_id"]), (&json!("2026-12-10 14:30:00"), &json!(1)));

    let page = visitor.page("/posts/1");
    for shown in ["Audiência · Zélia Ramos", "Ana Souza", "Rui Prado", "14:30", "Levar procuração.", "To do"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let edit = visitor.page("/posts/1/edit");
    let guests = edit.sent_as("guests").into_iter().filter(Field::is_checked).map(|guest| guest.label());
    assert_eq!(guests.collect::<Vec<_>>(), ["Ana Souza", "Rui Prado"]);
    assert_eq!(edit.control("start_time").value(), "14:30");

    let same = visitor.send("/posts/new", &fields);
    assert_eq!(same.status, 422, "the same task is still open");
    let none = fields.iter().copied().filter(|(name, _)| *name != "guests").collect::<Vec<_>>();
    let refused = visitor.send("/posts/new", &none);
    assert_eq!(refused.status, 422);
    assert!(refused.page().contains("Is required"), "{}", refused.text());
}

#[test]
fn each_person_completes_and_reopens_a_task_with_a_button() {
    let office = office();
    let visitor = Visitor::new(&office);
    task(&office, json!({}));
    let done = |status: &str| office.get("/posts/1").json()["status"] == status;
    let press = |action: &str, who: &str| {
        let fields = [("action", action), ("who", who)];
        let fields = if who.is_empty() { &fields[..1] } else { &fields[..] };
        let reply = visitor.send("/posts/1/do", fields);
        assert_eq!(reply.status, 303, "{}", reply.text());
        assert_eq!(reply.header("location"), format!("/console/posts/1?done={action}"));
    };
    let page = visitor.page("/posts/1");
    assert!(page.has_button("Complete for all") && page.count("Not done yet") == 2, "{page}");

    press("complete", "2");
    let page = visitor.page("/posts/1?done=complete");
    assert!(page.contains("Marked as done.") && page.contains("Partly done"), "{page}");
    assert!(page.contains("Done 2026-06-17 12:00") && page.count("Not done yet") == 1, "{page}");
    assert!(done("pending"));
    press("complete", "");
    assert!(done("completed"));
    assert!(!visitor.page("/posts/1").has_button("Complete for all"));
    press("reopen", "3");
    assert!(done("pending"));
    press("complete", "3");
    press("reopen", "");
    assert!(
        office.get("/posts/1").json()["users"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["completed"].is_null())
    );

    assert_eq!(
        visitor.send("/posts/1/do", &[("action", "complete"), ("who", "x")]).status,
        404,
        "an invalid person does not mean all"
    );
    assert_eq!(
        visitor.send("/posts/1/do", &[("action", "complete"), ("who", "1")]).status,
        422,
        "the person is not assigned to the task"
    );
    assert_eq!(visitor.send("/posts/1/do", &[("action", "pay")]).status, 404, "a task cannot be paid");
    assert_eq!(visitor.send("/posts/9/do", &[("action", "complete")]).status, 404);
}

#[test]
fn the_list_shows_open_tasks_and_marks_overdue_ones() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (day, deadline) in [
        ("2026-06-10", "2026-06-16"),
        ("2026-06-11", TODAY),
        ("2026-06-16", ""),
        (TODAY, ""),
        ("2026-06-18", "2026-06-19"),
    ] {
        task(&office, json!({ "start_date": day, "date_deadline": deadline }));
    }
    task(&office, json!({ "start_date": "2026-06-09", "guests": [1] }));
    assert_eq!(office.put("/posts/6/complete", &json!({})).status, 200);
    let rows = |page: &Page| page.rows().len();
    let page = visitor.page("/posts");
    assert_eq!((rows(&page), page.exact("Overdue"), page.exact("Due today")), (5, 2, 2), "{page}");
    assert!(page.contains("Zélia Ramos") && page.contains("Ana Souza · Rui Prado"), "{page}");
    for (filter, found) in [
        ("status=completed", 1),
        ("status=all", 6),
        ("status=all&user_id=1", 1),
        ("user_id=3", 5),
        ("task_id=2", 5),
        ("task_id=3", 0),
        ("deadline_start=2026-06-17&deadline_end=2026-06-17", 1),
        ("deadline_end=2026-06-17", 2),
        ("q=audiencia", 5),
        ("q=rui", 5),
        ("q=4", 1),
        ("q=zzz", 0),
    ] {
        let page = visitor.page(&format!("/posts?{filter}"));
        assert_eq!(rows(&page), found, "{filter}: {page}");
    }
    // Tasks become overdue as the clock moves, without a change to the records.
    office.pass(2 * 86_400);
    let page = Visitor::new(&office).page("/posts");
    assert_eq!(page.exact("Overdue"), 4, "{page}");
}

#[test]
fn open_tasks_come_by_day_and_say_their_place_and_what_they_are_about() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (day, deadline) in [
        ("2026-06-30", ""),
        ("2026-06-10", ""),
        ("2026-06-10", "2026-06-18"),
        (TODAY, "2026-06-25"),
        ("2026-06-01", "2026-06-16"),
        ("2027-01-04", "2027-02-01"),
    ] {
        task(
            &office,
            json!({ "start_date": day, "date_deadline": deadline, "local": format!("Sala de {day}") }),
        );
    }
    task(&office, json!({ "start_date": "2026-06-09" }));
    assert_eq!(office.put("/posts/7/complete", &json!({})).status, 200);
    assert_eq!(
        office.put("/posts/1", &json!({ "comments": "Levar a procuração\ne as certidões." })).status,
        200
    );
    let page = visitor.page("/posts");
    let days = [
        "Overdue (2)",
        "Today, Wednesday 17 June",
        "Tomorrow, Thursday 18 June",
        "Tuesday 30 June",
        "Monday 4 January 2027",
    ];
    assert_eq!(page.groups(), days);
    let ids = page.rows().iter().map(|row| row.links()[0].clone()).collect::<Vec<_>>();
    let expected = [5, 2, 4, 3, 1, 6].map(|id| format!("/console/posts/{id}"));
    assert_eq!(ids, expected, "the latest overdue one comes first, then the others by day");
    let row = page.row("Sala de 2026-06-30");
    assert!(row.contains("Sala de 2026-06-30 · Levar a procuração e as certidões."), "{row}");

    for other in ["status=all", "status=completed", "q=audiencia", "sort=date_deadline", "order=asc"] {
        assert!(visitor.page(&format!("/posts?{other}")).groups().is_empty(), "{other}");
    }
    let filtered = visitor.page("/posts?deadline_start=2026-06-17");
    assert_eq!(filtered.groups(), ["Today, Wednesday 17 June", days[2], days[4]], "{filtered}");
    office.pass(86_400);
    let page = Visitor::new(&office).page("/posts");
    assert_eq!(page.groups()[1], "Today, Thursday 18 June", "{page}");
}

/// It was overdue from its second day on.
#[test]
fn a_task_of_several_days_is_overdue_after_its_last_day() {
    let office = office();
    let days = |first: &str, last: &str| {
        task(&office, json!({ "start_date": first, "end_date": last, "display_schedule": true }))
    };
    days("2026-06-15", "2026-06-17");
    days("2026-06-14", "2026-06-16");
    task(
        &office,
        json!({ "start_date": "2026-06-15", "end_date": "2026-06-20", "date_deadline": "2026-06-16" }),
    );
    let groups = |path: &str| Visitor::new(&office).page(path).groups();
    assert_eq!(groups("/posts"), ["Overdue (2)", "Today, Wednesday 17 June"]);
    assert!(Visitor::new(&office).page("/posts/1").contains("Under way"));
    let overview = Visitor::new(&office).page("");
    assert!(overview.contains("Overdue (2)") && overview.contains("Today (1)"), "{overview}");
    let agenda = Visitor::new(&office).page("/agenda?from=2026-06-15&view=week");
    let link = "/console/posts/1".to_owned();
    assert!(agenda.links().iter().filter(|other| **other == link).count() >= 3, "{agenda}");
    office.pass(86_400);
    assert_eq!(groups("/posts"), ["Overdue (3)"]);
}

#[test]
fn pages_of_open_tasks_continue_by_day_and_the_overdue_ones_can_be_skipped() {
    let office = office();
    let visitor = Visitor::new(&office);
    for at in 0..60 {
        task(
            &office,
            json!({ "start_date": format!("2026-05-{:02}", at % 30 + 1), "local": at.to_string() }),
        );
    }
    task(&office, json!({ "start_date": TODAY }));
    let first = visitor.page("/posts");
    assert_eq!((first.groups(), first.rows().len()), (vec!["Overdue (60)".to_owned()], 50), "{first}");
    let second = visitor.page("/posts?offset=50");
    assert_eq!(second.groups(), ["Overdue (60)", "Today, Wednesday 17 June"], "{second}");
    assert_eq!(second.rows().len(), 11);
    let today = visitor.page(first.link("skip the overdue ones").strip_prefix("/console").unwrap());
    assert_eq!(today.groups(), ["Today, Wednesday 17 June"], "{today}");
    assert!(!second.has_link("skip the overdue ones"), "{second}");
}

#[test]
fn the_agenda_shows_a_week_or_a_month_and_filters_by_person() {
    let office = office();
    let visitor = Visitor::new(&office);
    let shown =
        json!({ "start_date": "2026-06-18", "start_time": "14:30", "display_schedule": true, "guests": [2] });
    task(&office, shown);
    let deadline =
        json!({ "start_date": "2026-05-02", "date_deadline": "2026-06-19", "tasks_id": 3, "guests": [3] });
    task(&office, deadline);
    task(&office, json!({ "start_date": "2026-06-18", "tasks_id": 4 }));
    task(&office, json!({ "start_date": "2026-06-28", "display_schedule": true, "tasks_id": 5 }));

    let has = |path: &str, ids: &[u32]| {
        let page = visitor.page(path);
        for id in 1..=4 {
            let is_there = page.leads_to(&format!("/console/posts/{id}"));
            assert_eq!(is_there, ids.contains(&id), "{path} {id}: {page}");
        }
        page
    };
    let page = has("/agenda", &[1, 2]);
    assert!(page.contains("14:30") && page.contains("Thursday, 18 June"), "{page}");
    assert_eq!(page.exact("deadline"), 1, "{page}");
    assert_eq!(page.link("Previous"), "/console/agenda?by=week&day=2026-06-10");
    assert_eq!(page.link("Next"), "/console/agenda?by=week&day=2026-06-24");
    has("/agenda?day=2026-06-28", &[4]);
    has("/agenda?day=2026-06-27", &[]);
    has("/agenda?by=month", &[1, 2, 4]);
    has("/agenda?by=month&day=2026-07-01", &[4]);
    has("/agenda?by=month&user=2", &[1, 4]);
    let of_rui = has("/agenda?user=3", &[2]);
    assert!(of_rui.link("Next").contains("user=3"), "the links between weeks keep the person: {of_rui}");
    assert!(has("/agenda?day=2030-01-01", &[]).contains("Nothing in this week."));
    has("/agenda?day=nonsense&user=x&by=year", &[1, 2]);

    assert_eq!(office.put("/posts/1/complete", &json!({})).status, 200);
    assert_eq!(visitor.page("/agenda").exact("done"), 1, "a completed task is marked as done");
}

#[test]
fn a_month_shows_a_few_tasks_per_day_and_links_to_the_rest() {
    let office = office();
    for at in 0..6 {
        task(
            &office,
            json!({ "start_date": "2026-06-18", "start_time": format!("0{at}:30"), "display_schedule": true }),
        );
    }
    let page = Visitor::new(&office).page("/agenda?by=month");
    let tasks = page.section("Thursday, 18 June").exact("Audiência");
    assert!(page.has_link("+ 2 more on this day") && tasks == 4, "{page}");
}
