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
