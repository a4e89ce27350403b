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
    let answered = || office.get("/customers").status;
    for (says, done, status) in [("Pause the API", "pause", 503), ("Resume the API", "resume", 200)] {
        let page = visitor.page("/api");
        assert!(page.contains(says), "{says}: {page}");
        assert_eq!(visitor.send("/api", &[("do", done)]).header("location"), "/console/api");
        assert_eq!(answered(), status, "{done}");
        // People go on working.
        assert_eq!(visitor.look("/customers").status, 200);
    }
    assert_eq!(visitor.send("/api", &[("do", "x")]).status, 404);
    let page = visitor.page("/api");
    for shown in ["Addresses", "Generate new token", "Use today", "Last requests of the API", "/docs"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[test]
fn one_search_finds_whatever_the_office_keeps() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let customer = office.customer("Maria da Silva", json!({ "phone": "(48) 3333-1234" }));
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    let item = json!({ "lawsuit_id": lawsuit, "date": "2026-06-10", "publication": "Intimação: silva" });
    assert_eq!(office.post("/publications", &json!({ "publications": [item] })).status, 200);
    assert_eq!(office.put("/lawsuits/publication/1", &json!({ "treated": true })).status, 200);
    for (typed, found, not) in [
        (
            "silva",
            &["/console/customers/1", "/console/lawsuits/1", "/console/publications/1"][..],
            "/posts/1",
        ),
        ("33331234", &["/console/customers/1", "(48) 3333-1234"], "/lawsuits/1"),
        ("8100", &["/console/lawsuits/1"], "/customers/1"),
        ("Slva", &["showing <strong>silva</strong>", "/console/customers/1", "/console/lawsuits/1"], "new?"),
        (
            "Zoe",
            &["Nothing found for <strong>Zoe</strong>", "/console/customers/new?name=Zoe"],
            "/customers/1",
        ),
    ] {
        let headers = [&visitor.headers()[..], &[("x-part", "1")]].concat();
        let main = office.raw("GET", &format!("/console/search?q={typed}"), &headers, None).text();
        for text in found {
            assert!(main.contains(text), "{typed}, {text}: {main}");
        }
        assert!(!main.contains(not), "{typed}, {not}: {main}");
    }
    // A script gets the part without the frame; every page has the field.
    let headers = [&visitor.headers()[..], &[("x-part", "1")]].concat();
    let part = office.raw("GET", "/console/search?q=silva", &headers, None).text();
    assert!(part.contains("/console/customers/1") && !part.contains("<main"), "{part}");
    visitor.language = "pt-BR";
    let page = visitor.page("/backups");
    assert!(page.contains(r#"action="/console/search""#) && page.contains("Buscar em tudo"), "{page}");
    // A term that one noun cannot be searched for finds it in the others.
    assert!(visitor.page("/search?q=99999999999").contains("Nada encontrado"));
    for _ in 0..6 {
        office.customer("Maria da Silva", json!({}));
    }
    assert!(visitor.page("/search?q=silva").contains("href=\"/console/customers?q=silva\""));
}

#[test]
fn a_task_that_is_found_names_its_customers_once_however_many_they_are() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let named = |number: u32| office.customer(&format!("Companhia Catarinense número {number}"), json!({}));
    let lawsuit = office.lawsuit(&(1..=9).map(named).collect::<Vec<_>>(), json!({}));
    let task = office.task(lawsuit, json!({}));
    let kind = office.get(&format!("/posts/{task}")).json()["task"].as_str().unwrap().to_owned();
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", &kind).finish();
    // The only one that is found is gone to.
    let alone = visitor.look(&format!("/search?{query}"));
    assert_eq!((alone.status, alone.header("location")), (303, &*format!("/console/posts/{task}")));
    office.task(lawsuit, json!({ "start_date": "2026-12-11" }));
    let page = visitor.page(&format!("/search?{query}"));
    let row = page.split("<li>").find(|row| row.contains(&format!("/console/posts/{task}\""))).unwrap();
    assert_eq!(row.matches("Companhia").count(), 1, "the first, and how many others there are: {row}");
    assert_eq!(row.matches("número 1 + 8").count(), 1, "{row}");
}

#[test]
fn charts_count_what_the_lists_do() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let customer = office.customer("Zélia Ramos", json!({}));
    let of_step = |page: &str, step: &str| {
        let row = format!(r#"<th scope="row">{step}</th>"#);
        let row = page.split(&row).nth(1)?.split("</tr>").next()?;
        Some(row.rsplit("number\">").next()?.split('<').next()?.to_owned())
    };
    assert!(!visitor.page("").contains("Open lawsuits by step"), "nothing to show yet");
    let open = office.lawsuit(&[customer], json!({ "stages_id": 12 }));
    office.lawsuit(&[customer], json!({ "stages_id": 12 }));
    office.lawsuit(&[customer], json!({ "stages_id": 12, "status_closure": "2026-06-01" }));
    let step = office.get(&format!("/lawsuits/{open}")).json()["step"].as_str().unwrap().to_owned();
    let page = visitor.page("");
    assert_eq!(of_step(&page, &step).as_deref(), Some("2"), "{page}");
    // The clock of the test stands in June 2026.
    assert_eq!(of_step(&page, "June 2026").as_deref(), Some("3"), "{page}");
    assert_eq!(of_step(&page, "July 2025").as_deref(), Some("0"), "{page}");
    assert!(!page.contains("June 2025") && !page.contains("Income by month"), "{page}");
    for (day, amount) in [("2026-06-01", 10.5), ("2026-05-31", 20.0), ("2025-06-30", 40.0)] {
        let paid = json!({ "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": amount, "date_due": day, "date_payment": day });
        assert_eq!(office.post("/transactions", &paid).status, 201);
    }
    let page = visitor.page("");
    let income = page.split_once("Income by month").unwrap().1;
    assert!(income.contains("12 months: 30.50"), "{income}");
    assert_eq!(of_step(income, "June 2026").as_deref(), Some("10.50"), "{income}");
    assert_eq!(of_step(income, "May 2026").as_deref(), Some("20.00"), "{income}");
}
