//! The first page: the way from nothing, and what the office has to do; and the page of the API (product 4).

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

#[test]
fn an_office_begins_with_its_name_its_people_and_its_first_customer() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let page = visitor.page("");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    assert!(at("Name the office") < at("Add the team") && at("Add the team") < at("Add the first customer"));
    assert!(!page.contains("curl"), "who runs the office needs no terminal");
    assert_eq!(page.matches(r#"<li class="done">"#).count(), 0, "{page}");
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    assert_eq!(visitor.page("").matches(r#"<li class="done">"#).count(), 1);
    office.customer("Zélia Ramos", json!({}));
    assert!(!visitor.page("").contains("Name the office"), "with a customer the office is at work");
}

#[test]
fn the_overview_says_what_is_to_be_done() {
    let office = Office::new();
    let customer = office.customer("Zélia Ramos", json!({ "birthdate": "17/06/1980" }));
    office.customer("Bia Lima", json!({ "birthdate": "18/06/1980" }));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    for (day, deadline) in [
        ("2026-06-17", ""),
        ("2026-06-24", ""),
        ("2026-06-25", ""),
        ("2026-06-01", "2026-06-16"),
        ("2026-06-16", ""),
    ] {
        office.task(lawsuit, json!({ "start_date": day, "date_deadline": deadline }));
    }
    let item = json!({ "lawsuit_id": lawsuit, "date": "2026-06-10", "publication": "Intimação" });
    let made = office.post("/publications", &json!({ "publications": [item] }));
    assert_eq!(made.status, 200, "{}", made.text());
    let page = Visitor::new(&office).page("");
    for shown in [
        "Today (1)",
        "Next 7 days (1)",
        "Overdue (2)",
        "turns 46",
        "1 to be treated",
        "Changed last",
        "Last backup",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let birthdays = page.split("Birthdays today").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(birthdays.contains("Zélia Ramos") && !birthdays.contains("Bia Lima"), "{birthdays}");
    // What was changed last stands first.
    let changed = page.split("Changed last").nth(1).unwrap();
    assert!(changed.find("/console/posts/5") < changed.find("/console/posts/4"), "{changed}");
    assert_eq!(office.put("/posts/1/complete", &json!({})).status, 200);
    assert!(Visitor::new(&office).page("").contains("Nothing for today."));
}

#[test]
fn the_api_has_a_page_of_its_own() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/api");
    for shown in ["Addresses", "Generate new token", "Use today", "Last requests of the API", "/docs"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}
