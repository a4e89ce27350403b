//! The overview page with the first steps and the work that is due, and the page of the API (product 4).

use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::office::Office;

#[test]
fn the_first_steps_are_the_name_the_team_and_the_first_customer() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let page = visitor.page("");
    assert!(page.is_in_order(&["Name the office", "Add the team", "Add the first customer"]), "{page}");
    assert!(!page.contains("curl"), "the first steps need no terminal");
    assert_eq!(page.steps_done(), [""; 0]);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    assert_eq!(visitor.page("").steps_done(), ["Add the team"]);
    office.customer("Zélia Ramos", json!({}));
    assert!(!visitor.page("").contains("Name the office"), "with a customer, the first steps are over");
}

#[test]
fn the_overview_shows_pending_work() {
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
        "Recently changed",
        "Last backup",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let birthdays = page.section("Birthdays today");
    assert!(birthdays.contains("Zélia Ramos") && !birthdays.contains("Bia Lima"), "{birthdays}");
    // The record changed last comes first.
    let changed = page.section("Recently changed").links();
    let place = |path: &str| changed.iter().position(|link| link == path).unwrap();
    assert!(place("/console/posts/5") < place("/console/posts/4"), "{changed:?}");
    assert_eq!(office.put("/posts/1/complete", &json!({})).status, 200);
    assert!(Visitor::new(&office).page("").contains("Nothing for today."));
}

#[test]
fn the_api_page_pauses_and_resumes_the_api() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let answered = || office.get("/customers").status;
    for (says, done, status) in [("Pause the API", "pause", 503), ("Resume the API", "resume", 200)] {
        let page = visitor.page("/api");
        assert_eq!(page.button(says).value(), done, "{page}");
        assert_eq!(visitor.send("/api", &[("do", done)]).header("location"), "/console/api");
        assert_eq!(answered(), status, "{done}");
        // The console keeps working while the API is paused.
        assert_eq!(visitor.look("/customers").status, 200);
    }
    assert_eq!(visitor.send("/api", &[("do", "x")]).status, 404);
    let page = visitor.page("/api");
    for shown in ["Addresses", "Generate new token", "Usage today", "Recent API requests"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.leads_to("/docs"), "{page}");
}

#[test]
fn one_search_covers_all_kinds_of_records() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let customer = office.customer("Maria da Silva", json!({ "phone": "(48) 3333-1234" }));
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    let item = json!({ "lawsuit_id": lawsuit, "date": "2026-06-10", "publication": "Intimação: silva" });
    assert_eq!(office.post("/publications", &json!({ "publications": [item] })).status, 200);
    assert_eq!(office.put("/lawsuits/publication/1", &json!({ "treated": true })).status, 200);
    for (typed, says, found, not) in [
        ("silva", "", &["customers/1", "lawsuits/1", "publications/1"][..], "/posts/1"),
        ("33331234", "(48) 3333-1234", &["customers/1"], "/lawsuits/1"),
        ("8100", "", &["lawsuits/1"], "/customers/1"),
        ("Slva", "showing silva", &["customers/1", "lawsuits/1"], "new?"),
        ("Zoe", "Nothing found for Zoe", &["customers/new?name=Zoe"], "/customers/1"),
        ("Zoe+48+9+9911-2233", "", &["customers/new?name=Zoe&phone=48+9+9911-2233"], "/customers/1"),
        ("Zoe+529.982.247-25", "", &["customers/new?name=Zoe&identification=529.982.247-25"], "/customers/1"),
        ("Zoe+12+9+9911-2233+48", "", &["customers/new?name=Zoe+12+9+9911-2233+48"], "/customers/1"),
        ("Zoe+7", "", &["customers/new?name=Zoe+7"], "/customers/1"),
    ] {
        let part = visitor.part(&format!("/search?q={typed}"));
        assert!(part.contains(says), "{typed}: {part}");
        for path in found {
            assert!(part.leads_to(&["/console/", path].concat()), "{typed}, {path}: {part}");
        }
        assert!(!part.links().iter().any(|link| link.contains(not)), "{typed}, {not}: {part}");
    }
    // Every page has the search field.
    visitor.language = "pt-BR";
    let page = visitor.page("/backups");
    assert!(page.sends_to("/console/search") && page.has_field("Buscar em tudo"), "{page}");
    // A term that one resource cannot be searched for does not fail the search.
    assert!(visitor.page("/search?q=99999999999").contains("Nada encontrado"));
    for _ in 0..6 {
        office.customer("Maria da Silva", json!({}));
    }
    assert!(visitor.page("/search?q=silva").leads_to("/console/customers?q=silva"));
}

/// Regression: a title, a particle or another legal form hid the client, and a second one was offered.
#[test]
fn a_title_or_a_legal_form_hides_no_client() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for name in ["Quirino Zacarias", "Dr. Zulu Quix", "Zorba Ltda", "João Hoffmann da Silva", "Sto. Zaqueu"]
    {
        office.customer(name, json!({}));
    }
    for (typed, id) in [
        ("Dr.%20Quirino%20Zacarias", 1),
        ("quirino%20da%20zacarias", 1),
        ("Dra.%20Quir", 1),
        ("Sra.%20Zulu%20Quix", 2),
        ("Exma.%20Sra.%20Zulu", 2),
        ("Profa.%20Zulu%20Qui", 2),
        ("Zorba%20ME", 3),
        ("joao%20hoffmann%20silva%20ltda", 4),
        ("santo%20zaqueu", 5),
    ] {
        let part = visitor.part(&format!("/search?q={typed}"));
        assert!(part.leads_to(&format!("/console/customers/{id}")), "{typed}: {part}");
        assert!(!part.links().iter().any(|link| link.contains("new?")), "{typed}: {part}");
    }
    // A word of such a kind alone is looked for itself.
    let part = visitor.part("/search?q=Ltda");
    assert!(part.leads_to("/console/customers/3") && !part.leads_to("/console/customers/1"), "{part}");
}

#[test]
fn a_found_task_shows_its_first_customer_and_how_many_more() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let named = |number: u32| office.customer(&format!("Companhia Catarinense número {number}"), json!({}));
    let lawsuit = office.lawsuit(&(1..=9).map(named).collect::<Vec<_>>(), json!({}));
    let task = office.task(lawsuit, json!({}));
    let kind = office.get(&format!("/posts/{task}")).json()["task"].as_str().unwrap().to_owned();
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", &kind).finish();
    // A single hit redirects to the record.
    let alone = visitor.look(&format!("/search?{query}"));
    assert_eq!((alone.status, alone.header("location")), (303, &*format!("/console/posts/{task}")));
    office.task(lawsuit, json!({ "start_date": "2026-12-11" }));
    let page = visitor.page(&format!("/search?{query}"));
    let row = page.names_of(&format!("/console/posts/{task}")).pop().map(|name| page.row(&name)).unwrap();
    assert_eq!(row.count("Companhia"), 1, "the first one and the number of others: {row}");
    assert_eq!(row.count("número 1 + 8"), 1, "{row}");
}

#[test]
fn charts_count_the_same_records_as_the_lists() {
    const NEW: &str = "New lawsuits by month";
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let customer = office.customer("Zélia Ramos", json!({}));
    let of_step = |page: &Page, chart: &str, step: &str| {
        let rows = page.table(chart).rows().into_iter().map(|row| row.cells());
        rows.into_iter().find(|cells| cells[0] == step)?.pop()
    };
    assert!(!visitor.page("").contains("Open lawsuits by step"), "without lawsuits there is no chart");
    let open = office.lawsuit(&[customer], json!({ "stages_id": 12 }));
    office.lawsuit(&[customer], json!({ "stages_id": 12 }));
    office.lawsuit(&[customer], json!({ "stages_id": 12, "status_closure": "2026-06-01" }));
    let step = office.get(&format!("/lawsuits/{open}")).json()["step"].as_str().unwrap().to_owned();
    let page = visitor.page("");
    assert_eq!(of_step(&page, "Open lawsuits by step", &step).as_deref(), Some("2"), "{page}");
    // The test's clock is in June 2026.
    assert_eq!(of_step(&page, NEW, "June 2026").as_deref(), Some("3"), "{page}");
    assert_eq!(of_step(&page, NEW, "July 2025").as_deref(), Some("0"), "{page}");
    assert!(!page.contains("June 2025") && !page.contains("Income by month"), "{page}");
    for (day, amount) in [("2026-06-01", 10.5), ("2026-05-31", 20.0), ("2025-06-30", 40.0)] {
        let paid = json!({ "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": amount, "date_due": day, "date_payment": day });
        assert_eq!(office.post("/transactions", &paid).status, 201);
    }
    let page = visitor.page("");
    assert!(page.section("Income by month").contains("12 months: 30.50"), "{page}");
    assert_eq!(of_step(&page, "Income by month", "June 2026").as_deref(), Some("10.50"), "{page}");
    assert_eq!(of_step(&page, "Income by month", "May 2026").as_deref(), Some("20.00"), "{page}");
}
