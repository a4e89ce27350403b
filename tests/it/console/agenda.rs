//! Records with a date in the agenda and on the overview: each one that needs action is shown once.

use serde_json::{Value, json};

use super::visitor::Visitor;
use crate::office::Office;

/// Returns an office with one lawsuit, of Zélia. Today is Wednesday, 17 June 2026.
fn office() -> Office {
    let office = Office::new();
    let customer = office.customer("Zélia Ramos", json!({}));
    office.lawsuit(&[customer], json!({}));
    office
}

fn create(office: &Office, path: &str, body: &Value) {
    let reply = office.post(path, body);
    assert!(matches!(reply.status, 200 | 201), "{}", reply.text());
}

#[test]
fn a_hearing_is_in_the_agenda_by_default() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = visitor.page("/posts/new?lawsuits_id=1");
    assert!(form.field("In the agenda").is_checked(), "{form}");
    let fields = [
        ("lawsuits_id", "1"),
        ("tasks_id", "2"),
        ("guests", "1"),
        ("from", "1"),
        ("start_date", "amanhã"),
        ("start_time", "14:30"),
        ("display_schedule", "true"),
    ];
    let added = visitor.send("/posts/new", &fields);
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(office.get("/posts/1").json()["date"], "2026-06-18 14:30:00");
    let tomorrow = visitor.page("/agenda").section("Thursday, 18 June");
    assert!(tomorrow.contains("14:30") && tomorrow.contains("Audiência"), "{tomorrow}");
    assert!(visitor.page("").contains("Audiência"), "the overview shows it too");
}

/// Regression: only the first day of an appointment had it, with a false end.
#[test]
fn an_appointment_of_several_days_is_on_each_of_them() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (start, start_time, end, end_time) in [
        ("2026-08-03", "23:00", "2026-08-04", "01:00"),
        ("2026-08-30", "09:00", "2026-09-01", "17:00"),
        ("2026-09-08", "", "2026-09-10", ""),
    ] {
        let task = json!({
            "from": 1, "guests": [1], "tasks_id": 2, "lawsuits_id": 1, "start_date": start, "start_time": start_time,
            "end_date": end, "end_time": end_time, "display_schedule": true,
        });
        create(&office, "/posts", &task);
    }
    for (day, shown) in [
        ("2026-08-03", "23:00 until Tue 4 Aug 01:00"),
        ("2026-08-04", "until 01:00"),
        ("2026-08-30", "09:00 until Tue 1 Sep 17:00"),
        ("2026-08-31", "until Tue 1 Sep 17:00"),
        ("2026-09-01", "until 17:00"),
        ("2026-09-08", "until Thu 10 Sep"),
        ("2026-09-09", "until Thu 10 Sep"),
        ("2026-09-10", "Audiência"),
    ] {
        let page = visitor.page(&format!("/agenda?by=day&day={day}"));
        assert!(page.contains(shown) && page.contains("Audiência"), "{day}: {page}");
    }
    for day in ["2026-08-05", "2026-09-02", "2026-09-07", "2026-09-11"] {
        let page = visitor.page(&format!("/agenda?by=day&day={day}"));
        assert!(page.contains("Nothing on this day."), "{day}: {page}");
    }
    let month = visitor.page("/agenda?by=month&day=2026-09-01");
    assert_eq!(month.count("Zélia Ramos"), 6, "{month}");
    assert!(visitor.page("/agenda?by=day&day=2026-09-09&user=1").contains("Audiência"));
}

#[test]
fn an_invalid_date_is_refused_beside_its_field_and_kept_as_typed() {
    let office = office();
    let visitor = Visitor::new(&office);
    for typed in ["31/02", "never"] {
        let fields = [("lawsuits_id", "1"), ("tasks_id", "2"), ("guests", "1"), ("start_date", typed)];
        let field = visitor.send("/posts/new", &fields).page().control("start_date");
        assert!(field.error().starts_with("Must be a date"), "{field}");
        assert_eq!(field.value(), typed);
    }
    assert_eq!(office.get("/posts").json()["totalCount"], 0);
}

#[test]
fn a_task_with_a_deadline_is_listed_once_under_its_earlier_upcoming_day() {
    let office = office();
    let task = json!({
        "lawsuits_id": 1, "tasks_id": 2, "from": 1, "guests": [1], "start_date": "2026-06-20",
        "date_deadline": "2026-06-19", "display_schedule": true,
    });
    create(&office, "/posts", &task);
    let page = Visitor::new(&office).page("/agenda");
    assert_eq!(page.names_of("/console/posts/1").len(), 1, "{page}");
    let friday = page.section("Friday, 19 June");
    assert!(friday.leads_to("/console/posts/1") && friday.contains("deadline"), "{friday}");
}

#[test]
fn the_agenda_lists_publications_until_treated_and_payments_until_paid() {
    let office = office();
    let publication = json!({
        "lawsuit_id": 1, "publication": "Intimação", "date": "2026-06-03", "source": "DJEN",
        "date_deadline": "2026-06-18",
    });
    create(&office, "/publications", &json!({ "publications": [publication] }));
    let payment = json!({
        "entry_type": "income", "date_due": "2026-06-19", "amount": "1500.50", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": 1, "lawsuits_id": 1,
    });
    create(&office, "/transactions", &payment);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/agenda");
    assert!(page.section("Thursday, 18 June").leads_to("/console/publications/1"), "{page}");
    let friday = page.section("Friday, 19 June");
    assert!(friday.contains("1,500.50") && friday.contains("to receive"), "{friday}");
    let overview = visitor.page("");
    assert!(overview.leads_to("/console/publications/1") && overview.contains("1,500.50"), "{overview}");

    assert_eq!(office.put("/lawsuits/publication/1", &json!({ "treated": true })).status, 200);
    assert_eq!(office.put("/transactions/1", &json!({ "date_payment": "2026-06-17" })).status, 200);
    let page = visitor.page("/agenda");
    assert!(!page.leads_to("/console/publications/1") && !page.leads_to("/console/transactions/1"), "{page}");
}

#[test]
fn a_new_task_takes_its_dates_and_guest_from_the_publication_and_lawsuit() {
    let office = office();
    let publication = json!({
        "lawsuit_id": 1, "publication": "Intimação", "date": "2026-06-03", "source": "DJEN",
        "date_deadline": "2026-06-25",
    });
    create(&office, "/publications", &json!({ "publications": [publication] }));
    let visitor = Visitor::new(&office);
    let page = visitor.page("/publications/1");
    assert!(page.leads_into("/console/posts/new?publications_id=1"), "{page}");
    let form = visitor.page("/posts/new?publications_id=1");
    assert_eq!(form.control("date_deadline").value(), "2026-06-25");
    assert_eq!(form.control("start_date").value(), "2026-06-25");
    assert!(form.control("guests").is_checked(), "{form}");
}

#[test]
fn appointments_stand_in_the_hours_below_what_has_no_time() {
    let office = office();
    let task = |more: Value| {
        let mut body = json!({
            "lawsuits_id": 1, "tasks_id": 2, "from": 1, "guests": [1], "start_date": "2026-06-18", "display_schedule": true,
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        create(&office, "/posts", &body);
    };
    task(json!({ "start_time": "14:30", "end_time": "15:15", "local": "Fórum" }));
    task(json!({ "start_time": "09:00" }));
    task(json!({ "tasks_id": 3 }));
    let visitor = Visitor::new(&office);
    let page = visitor.page("/agenda?day=2026-06-18");
    let thursday = page.section("Thursday, 18 June");
    assert!(thursday.contains("14:30–15:15") && thursday.contains("Fórum"), "{thursday}");
    let links = thursday.links().into_iter().filter(|link| !link.contains("/new?")).collect::<Vec<_>>();
    assert_eq!(links, [3, 2, 1].map(|id| format!("/console/posts/{id}")), "whole days first, then by time");

    // A click on an empty hour begins a task at it.
    let hour = |day: &str, hour: u8| format!("/console/posts/new?start_date={day}&start_time={hour:02}%3A00");
    assert!(
        thursday.leads_to(&hour("2026-06-18", 7)) && thursday.leads_to(&hour("2026-06-18", 19)),
        "{thursday}"
    );
    assert!(!thursday.leads_to(&hour("2026-06-18", 6)) && !thursday.leads_to(&hour("2026-06-18", 20)));
    let form = visitor.page(hour("2026-06-18", 16).strip_prefix("/console").unwrap());
    assert_eq!(form.control("start_date").value(), "2026-06-18");
    assert_eq!(form.control("start_time").value(), "16:00");

    let day = visitor.page("/agenda?by=day&day=2026-06-18");
    assert!(day.contains("Thursday, 18 June 2026") && day.contains("14:30–15:15"), "{day}");
    assert_eq!(day.link("Next"), "/console/agenda?by=day&day=2026-06-19");
    let friday = visitor.page("/agenda?by=day&day=2026-06-19");
    assert!(friday.contains("Nothing on this day.") && !friday.leads_to("/console/posts/1"), "{friday}");

    // More hours are shown if something lies outside the usual ones.
    task(json!({ "start_time": "05:30" }));
    task(json!({ "start_time": "21:00", "end_time": "22:10" }));
    let page = visitor.page("/agenda?by=day&day=2026-06-18");
    assert!(page.leads_to(&hour("2026-06-18", 5)) && page.leads_to(&hour("2026-06-18", 22)), "{page}");
    assert!(!page.leads_to(&hour("2026-06-18", 4)) && !page.leads_to(&hour("2026-06-18", 23)), "{page}");
}

#[test]
fn payments_are_left_out_of_the_agenda_on_request() {
    let office = office();
    let payment = json!({
        "entry_type": "income", "date_due": "2026-06-19", "amount": "1500.50", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": 1, "lawsuits_id": 1,
    });
    create(&office, "/transactions", &payment);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/agenda");
    assert!(page.leads_to("/console/transactions/1"), "{page}");
    assert_eq!(page.link("Payments"), "/console/agenda?by=week&day=2026-06-17&money=no");
    for by in ["day&day=2026-06-19", "week", "month"] {
        let page = visitor.page(&format!("/agenda?by={by}&money=no&user=1"));
        assert!(!page.leads_to("/console/transactions/1"), "{by}: {page}");
        for link in ["Next", "Previous", "Today", "Day", "Week", "Month"] {
            assert!(page.link(link).ends_with("&user=1&money=no"), "{by} {link}: {page}");
        }
        assert!(!page.link("Payments").contains("money"), "{page}");
    }
}

#[test]
fn a_publication_in_the_agenda_says_the_client_and_what_is_to_be_done() {
    let office = office();
    let text = "Intimação: manifeste-se a parte autora em 15 dias sobre a contestação e os documentos.";
    let publication = json!({
        "lawsuit_id": 1, "publication": text, "date": "2026-06-03", "source": "DJEN", "date_deadline": "2026-06-18",
    });
    let unknown = json!({
        "process_number": "0005001-52.2026.8.24.0020", "publication": "Citação.", "date": "2026-06-03", "source": "DJEN",
        "date_deadline": "2026-06-19",
    });
    create(&office, "/publications", &json!({ "publications": [publication, unknown] }));
    let visitor = Visitor::new(&office);
    let page = visitor.page("/agenda");
    let thursday = page.section("Thursday, 18 June");
    assert!(thursday.contains("Zélia Ramos") && thursday.contains(text), "{thursday}");
    let friday = page.section("Friday, 19 June");
    assert!(friday.contains("Citação.") && friday.contains("0005001-52.2026.8.24.0020"), "{friday}");
    let overview = visitor.page("");
    assert!(overview.contains(text), "{overview}");
}

#[test]
fn a_task_of_a_publication_is_a_deadline_and_begins_at_it() {
    let office = office();
    let publication =
        json!({ "lawsuit_id": 1, "publication": "Intimação", "date": "2026-06-03", "source": "DJEN" });
    create(&office, "/publications", &json!({ "publications": [publication] }));
    let visitor = Visitor::new(&office);
    let form = visitor.page("/posts/new?publications_id=1");
    assert!(form.control("date_deadline").is_focused(), "{form}");
    assert_eq!(form.control("tasks_id").chosen(), "Prazo");
    let fields = [
        ("lawsuits_id", "1"),
        ("publications_id", "1"),
        ("tasks_id", "1"),
        ("guests", "1"),
        ("from", "1"),
        ("start_date", "2026-06-17"),
        ("date_deadline", "+15"),
    ];
    let added = visitor.send("/posts/new?publications_id=1", &fields);
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(office.get("/posts/1").json()["date_deadline"], "2026-07-02");
}

#[test]
fn beside_a_day_field_stands_the_day_that_its_text_means() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (path, typed, meant) in [
        ("next", "ter", "Tuesday, 23 June 2026"),
        ("next", "amanh%C3%A3", "Thursday, 18 June 2026"),
        ("next", "sexta", "Friday, 19 June 2026"),
        ("next", "%2B15", "Thursday, 2 July 2026"),
        ("next", "27/11/2026", "Friday, 27 November 2026"),
        ("past", "ter", "Tuesday, 16 June 2026"),
    ] {
        let part = visitor.part(&format!("/day/{path}?start_date={typed}"));
        assert!(part.contains(meant), "{typed}: {part}");
    }
    for typed in ["", "?start_date=never", "?start_date=31/02"] {
        assert_eq!(visitor.part(&format!("/day/next{typed}")).text(), "", "{typed}");
    }
    assert_eq!(visitor.look("/day/other").status, 404);
    let form = visitor.page("/posts/new?start_date=amanh%C3%A3");
    assert!(form.contains("Thursday, 18 June 2026"), "{form}");
}
