//! The calendar of courts in a year.

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

#[test]
fn a_year_shows_the_days_of_law_and_of_the_office() {
    let office = Office::new();
    for body in [
        json!({ "day": "2026-02-16", "name": "Carnaval", "scope": "TJSP", "source": "Provimento 1/2026" }),
        json!({ "day": "2026-06-04", "scope": "Criciúma/SC", "effect": "partial", "must_be_proven": true }),
        json!({ "day": "2027-02-08", "name": "De outro ano", "scope": "TJSP" }),
        json!({ "day": "2026-03-09", "name": "Na lixeira", "scope": "TJSP" }),
    ] {
        assert_eq!(office.post("/holidays", &body).status, 201);
    }
    assert_eq!(office.send("DELETE", "/holidays/4", &[], None).status, 200);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/calendar?year=2026");
    assert_eq!(page.heading(), "Court calendar 2026");
    let texts = [
        "New Year's Day",
        "February",
        "Mon 16 Feb to Tue 17 Feb",
        "Carnaval",
        "TJSP",
        "March · no days",
        "June",
        "Thu 4 Jun",
        "Criciúma/SC",
        "Fewer hours · to be proven",
        "Sun 20 Dec to Thu 31 Dec",
    ];
    assert!(page.is_in_order(&texts), "{}", page.text());
    for absent in ["De outro ano", "Na lixeira"] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert_eq!(page.link("Carnaval"), "/console/holidays/1");
    assert_eq!(page.link("2027"), "/console/calendar?year=2027");
    assert!(page.leads_to("/console/holidays/new"));
    assert!(visitor.page("/holidays").leads_to("/console/calendar"));
    for year in ["", "abc", "1899", "2200"] {
        let heading = visitor.page(&format!("/calendar?year={year}")).heading();
        assert_eq!(heading, "Court calendar 2026", "{year}: the year of today");
    }
}

#[test]
fn a_second_row_of_a_day_is_refused_at_its_scope() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let form = [("day", "2026-02-16"), ("scope", "tjsp"), ("effect", "closed"), ("must_be_proven", "false")];
    assert_eq!(visitor.send("/holidays/new", &form).status, 303);
    let refused = visitor.send("/holidays/new", &form);
    assert_eq!(refused.status, 422);
    let error = refused.page().field("Scope").error();
    assert!(error.contains("A holiday of this day and scope exists already."), "{error}");
}
