//! Deadlines that are typed as a number of days, in forms of tasks and publications (deadlines 31.8).

use serde_json::{Value, json};

use super::visitor::{Visitor, carried, with};
use crate::office::{Office, Reply};

/// An office with a lawsuit at the TRF5 (1) and one at the TJSP (2), and publications of both from 16 June 2026. Today is
/// 17 June.
fn office() -> Office {
    let office = Office::new();
    let customer = office.customer("Ana da Conceição", json!({}));
    office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    office.lawsuit(&[customer], json!({ "court": "TJSP" }));
    let publication =
        |lawsuit: u32| json!({ "lawsuit_id": lawsuit, "publication": "Intimação.", "date": "2026-06-16" });
    let batch = json!({ "publications": [publication(1), publication(2)] });
    assert_eq!(office.post("/publications", &batch).status, 200);
    office
}

/// Sends the form of a new task with more fields, as the console begins it.
fn add(visitor: &Visitor<'_>, begin: &str, fields: &[(&str, &str)]) -> Reply {
    let begun = carried(&visitor.page(&format!("/posts/new?{begin}")));
    let fields = [&[("tasks_id", "5"), ("guests", "1"), ("from", "1")], fields].concat();
    visitor.send("/posts/new", &with(&begun, &fields))
}

fn task(office: &Office, id: u32) -> Value {
    office.get(&format!("/posts/{id}")).json()
}

#[test]
fn a_deadline_is_counted_from_the_publication_and_kept_once_it_is_confirmed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let shown = add(&visitor, "publications_id=1", &[("date_deadline", "15 dias úteis")]);
    assert_eq!(shown.status, 409, "{}", shown.text());
    let form = shown.page();
    assert!(form.alert().contains("The deadline ends on: Tuesday, 7 July 2026."), "{form}");
    assert_eq!(form.field("Deadline").value(), "15 dias úteis");
    let count = form.details("See the count · not certain");
    for line in [
        "Tue 2026-06-16: publication",
        "Wed 2026-06-17: first day of the deadline (Lei 11.419/2006, art. 4, §4)",
        "Wed 2026-06-17: working days to count: 15 (CPC, art. 219)",
        "Tue 2026-07-07: last day of the deadline (CPC, art. 224, §1)",
        "No calendar of TRF5 for 2026 is entered",
    ] {
        assert!(count.contains(line), "{line}: {count}");
    }
    assert_eq!(office.get("/posts?limit=1").json()["totalCount"], 0);

    let confirmed = carried(&form);
    let confirmed = visitor.send("/posts/new", &with(&confirmed, &[]));
    assert_eq!(confirmed.status, 303, "{}", confirmed.text());
    let kept = task(&office, 1);
    assert_eq!(kept["date_deadline"], "2026-07-07");
    assert_eq!(
        kept["deadline_query"],
        "from=2026-06-16&notice=published&days=15&court=TRF5&rule=cpc&counting=working"
    );
    let memory = kept["deadline_memory"].as_str().unwrap();
    assert!(memory.starts_with("Tue 2026-06-16: publication\nWed 2026-06-17: first day"), "{memory}");
    assert!(memory.contains("\nNot certain: no calendar of TRF5 for 2026 is entered"), "{memory}");
    // The page of the task shows it whole, and with it the print.
    let page = visitor.page("/posts/1");
    assert_eq!(page.fact("Deadline count"), memory.replace('\n', " "), "{page}");
    assert!(visitor.look("/posts/1").text().contains(memory), "each step has a line of its own");
    // The same query is answered with the same day.
    let counted = office.get(&format!("/deadlines?{}", kept["deadline_query"].as_str().unwrap())).json();
    assert_eq!(counted["deadline"], "2026-07-07", "{counted}");
}

/// The form counts what is typed for the clients of the case, and a marked client's deadline is confirmed with both days.
#[test]
fn the_deadline_of_a_marked_client_is_counted_doubled_while_it_is_typed() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert_eq!(office.put("/customers/1", &json!({ "double_deadlines": "fazenda" })).status, 200);
    let part = visitor.part("/day/count?date_deadline=15+du&lawsuits_id=2");
    assert!(part.contains("Wednesday, 29 July 2026"), "{part}");
    let form = add(&visitor, "publications_id=2", &[("date_deadline", "15 dias úteis")]).page();
    assert!(form.alert().contains("The deadline ends on: Tuesday, 28 July 2026."), "{form}");
    let count = form.details("See the count · not certain");
    for line in [
        "Wed 2026-06-17: 15 days doubled: 30 (CPC, art. 183)",
        "It is doubled for the client: if the law gives a term of its own (CPC, art. 183, §2), or at small claims, it is not \
         doubled and ends on 2026-07-07",
    ] {
        assert!(count.contains(line), "{line}: {count}");
    }
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    let kept = task(&office, 1);
    assert_eq!(kept["date_deadline"], "2026-07-28");
    let counted = office.get(&format!("/deadlines?{}", kept["deadline_query"].as_str().unwrap())).json();
    assert_eq!(counted["deadline"], "2026-07-28", "{counted}");
    assert!(kept["deadline_memory"].as_str().unwrap().contains("15 days doubled: 30"), "{kept}");
}

#[test]
fn another_day_forgets_the_count() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = add(&visitor, "publications_id=1", &[("date_deadline", "15 du")]).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    assert_eq!(office.put("/posts/1", &json!({ "local": "Sala 2" })).status, 200);
    assert_eq!(office.put("/posts/1", &json!({ "date_deadline": "2026-07-07" })).status, 200);
    assert_ne!(task(&office, 1)["deadline_memory"], Value::Null);
    assert_eq!(office.put("/posts/1", &json!({ "date_deadline": "2026-07-06" })).status, 200);
    let changed = task(&office, 1);
    assert_eq!([&changed["deadline_memory"], &changed["deadline_query"]], [&Value::Null; 2]);
    // The journal keeps it.
    let changes = office.get("/changes?since=0&include=values&limit=1000").json();
    assert!(changes.to_string().contains("working days to count: 15 (CPC, art. 219)"), "{changes}");
    // A change by the form keeps the new count.
    let edit = || carried(&visitor.page("/posts/1/edit"));
    let shown = visitor.send("/posts/1/edit", &with(&edit(), &[("date_deadline", "10 dias corridos")]));
    assert_eq!(shown.status, 409, "{}", shown.text());
    let confirmed = visitor.send("/posts/1/edit", &with(&carried(&shown.page()), &[]));
    assert_eq!(confirmed.status, 303, "{}", confirmed.text());
    let changed = task(&office, 1);
    assert_eq!(changed["date_deadline"], "2026-06-26");
    assert_eq!(
        changed["deadline_query"],
        "from=2026-06-16&notice=published&days=10&court=TRF5&rule=cpc&counting=calendar"
    );
}

#[test]
fn the_part_beside_the_field_shows_the_count_while_it_is_typed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let part = |typed: &str, more: &str| visitor.part(&format!("/day/count?date_deadline={typed}{more}"));
    for (typed, more, meant) in [
        ("15+du", "&publications_id=1", "Tuesday, 7 July 2026"),
        ("15+dias", "&publications_id=1", "Tuesday, 7 July 2026"),
        // Without a publication, from today.
        ("1+du", "&lawsuits_id=2", "Thursday, 18 June 2026"),
        ("5+dias+corridos", "&lawsuits_id=2", "Monday, 22 June 2026"),
        ("4+dias+corridos", "&lawsuits_id=2", "Monday, 22 June 2026"),
        ("15+du", "", "Wednesday, 8 July 2026"),
        // The form of a publication has its own day.
        ("15+du", "&lawsuit_id=2&date=16/06/2026", "Tuesday, 7 July 2026"),
        ("15+du", "&process_number=0000002-65.2005.4.05.8100&date=16/06/2026", "Tuesday, 7 July 2026"),
        // A day is read as beside any other field.
        ("ter", "&publications_id=1", "Tuesday, 23 June 2026"),
        ("em+2+semanas", "", "Wednesday, 1 July 2026"),
    ] {
        let part = part(typed, more);
        assert!(part.contains(meant), "{typed}{more}: {part}");
    }
    assert!(part("15+du", "").contains("The court is not given: only national holidays count"));
    assert!(part("15+du", "&lawsuits_id=2").contains("No calendar of TJSP for 2026 is entered"));
    for (typed, reason) in [
        ("0+dias", "Must have 1 to 365 days"),
        ("400+du", "Must have 1 to 365 days"),
        ("48+horas", "Must be in days"),
        (
            "15+dias+utels",
            "Must be a day, as DD/MM/YYYY or YYYY-MM-DD, or a deadline, such as 15 working days",
        ),
    ] {
        assert!(part(typed, "").contains(reason), "{typed}: {}", part(typed, ""));
    }
    assert_eq!(part("", "").text(), "");
    // A row of the calendar counts, and is named.
    let row =
        json!({ "day": "2026-06-19", "scope": "TJSP", "effect": "closed", "source": "Provimento 1/2026" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let counted = part("2+du", "&lawsuits_id=2");
    assert!(counted.contains("Monday, 22 June 2026"), "{counted}");
    assert!(counted.contains("Fri 2026-06-19: closed: TJSP (Provimento 1/2026)"), "{counted}");
}

#[test]
fn a_wrong_deadline_is_named_at_its_field() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (typed, reason) in [
        ("0 dias", "Must have 1 to 365 days"),
        ("400 dias úteis", "Must have 1 to 365 days"),
        ("15 dais", "Must be a day, as DD/MM/YYYY or YYYY-MM-DD, or a deadline, such as 15 working days"),
        ("2 horas", "Must be in days"),
        ("15", "Must be a day, as DD/MM/YYYY or YYYY-MM-DD, or a deadline, such as 15 working days"),
        ("31/02/2026", "Must be a date that exists"),
    ] {
        let refused = add(&visitor, "publications_id=1", &[("date_deadline", typed)]);
        assert_eq!(refused.status, 422, "{typed}: {}", refused.text());
        let form = refused.page();
        let field = form.field("Deadline");
        assert!(field.error().starts_with(reason), "{typed}: {}", field.error());
        assert_eq!(field.value(), typed);
        assert!(form.alert().contains("Deadline"), "{form}");
    }
    assert_eq!(office.get("/posts?limit=1").json()["totalCount"], 0);
}

#[test]
fn a_count_that_leads_to_another_day_meanwhile_is_shown_again() {
    let office = office();
    let visitor = Visitor::new(&office);
    let fields = [("start_date", "18/06/2026"), ("date_deadline", "2 dias úteis")];
    let form = add(&visitor, "lawsuits_id=2", &fields).page();
    assert!(form.alert().contains("Friday, 19 June 2026"), "{form}");
    let confirmed = carried(&form);
    let row = json!({ "day": "2026-06-19", "scope": "TJSP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let shown = visitor.send("/posts/new", &with(&confirmed, &[]));
    assert_eq!(shown.status, 409, "{}", shown.text());
    let form = shown.page();
    assert!(form.alert().contains("Monday, 22 June 2026"), "{form}");
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    assert_eq!(task(&office, 1)["date_deadline"], "2026-06-22");
}

#[test]
fn the_deadline_of_a_publication_is_counted_from_its_own_day() {
    let office = office();
    let visitor = Visitor::new(&office);
    let edit = carried(&visitor.page("/publications/2/edit"));
    let shown = visitor.send("/publications/2/edit", &with(&edit, &[("date_deadline", "15 dias úteis")]));
    assert_eq!(shown.status, 409, "{}", shown.text());
    let form = shown.page();
    assert!(form.alert().contains("Tuesday, 7 July 2026"), "{form}");
    assert_eq!(visitor.send("/publications/2/edit", &with(&carried(&form), &[])).status, 303);
    let kept = office.get("/lawsuits/publication/2").json();
    assert_eq!(kept["date_deadline"], "2026-07-07");
    assert_eq!(
        kept["deadline_query"],
        "from=2026-06-16&notice=published&days=15&court=TJSP&rule=cpc&counting=working"
    );
    // Its page shows the count, and with it the print.
    let page = visitor.page("/publications/2");
    let count = page.fact("Deadline count");
    assert!(count.contains("Tue 2026-07-07: last day of the deadline"), "{count}");
    assert!(count.ends_with("Not certain: the city is not given: its holidays do not count"), "{count}");
    // The task that responds to it is counted in the same way.
    let begun = visitor.page("/posts/new?publications_id=2");
    assert_eq!(begun.field("Deadline").value(), "15 working days");
    let proposed = proposals(&office, 2)[0].clone();
    assert_eq!([&proposed["quote"], &proposed["count"]["deadline"]], [&Value::Null, &json!("2026-07-07")]);
    // Another day forgets the count, and a later row of the calendar leaves the day that was confirmed.
    let row = json!({ "day": "2026-06-29", "scope": "TJSP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    assert_eq!(visitor.page("/posts/new?publications_id=2").field("Deadline").value(), "2026-07-07");
    assert_eq!(proposals(&office, 2), json!([]));
    assert_eq!(office.put("/lawsuits/publication/2", &json!({ "local": "1ª Vara" })).status, 200);
    assert_ne!(office.get("/lawsuits/publication/2").json()["deadline_memory"], Value::Null);
    assert_eq!(office.put("/lawsuits/publication/2", &json!({ "date_deadline": "2026-07-08" })).status, 200);
    let changed = office.get("/lawsuits/publication/2").json();
    assert_eq!([&changed["deadline_memory"], &changed["deadline_query"]], [&Value::Null; 2]);
}

#[test]
fn a_later_row_of_the_calendar_lists_the_deadlines_that_it_touches() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (begin, typed) in [("publications_id=2", "15 dias úteis"), ("publications_id=1", "5 dias úteis")] {
        let form = add(&visitor, begin, &[("date_deadline", typed)]).page();
        assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    }
    let enter = |day: &str, scope: &str| {
        let row = json!({ "day": day, "scope": scope, "effect": "closed" });
        assert_eq!(office.post("/holidays", &row).status, 201);
    };
    let review = |path: &str| visitor.page(path).find_section("Deadlines to review");
    enter("2026-06-22", "TRF1");
    assert!(review("/holidays/1").is_none() && review("/calendar?year=2026").is_none());
    enter("2026-06-29", "TJSP");
    for path in ["/holidays/2", "/calendar?year=2026"] {
        let touched = review(path).unwrap();
        assert!(
            touched.contains("Tuesday, 2026-07-07") && touched.contains("Wednesday, 2026-07-08"),
            "{touched}"
        );
        assert!(touched.leads_to("/console/posts/1") && !touched.leads_to("/console/posts/2"), "{touched}");
    }
    // Nothing moved by itself, and a row outside the count does not list it.
    assert_eq!(task(&office, 1)["date_deadline"], "2026-07-07");
    enter("2026-07-20", "TJSP");
    assert!(review("/holidays/3").is_none());
    // A completed task is not listed.
    assert_eq!(office.put("/posts/1/complete", &json!({})).status, 200);
    assert!(review("/holidays/2").is_none());
    assert_eq!(office.put("/posts/1/reopen", &json!({})).status, 200);
    // The day that the person decides on ends it.
    assert_eq!(office.put("/posts/1", &json!({ "date_deadline": "2026-07-08" })).status, 200);
    assert!(review("/holidays/2").is_none());
}

#[test]
fn a_later_row_of_the_calendar_lists_untreated_publications_too() {
    let office = office();
    let visitor = Visitor::new(&office);
    let edit = carried(&visitor.page("/publications/2/edit"));
    let shown = visitor.send("/publications/2/edit", &with(&edit, &[("date_deadline", "15 dias úteis")]));
    assert_eq!(visitor.send("/publications/2/edit", &with(&carried(&shown.page()), &[])).status, 303);
    let form =
        add(&visitor, "lawsuits_id=2", &[("start_date", "18/06/2026"), ("date_deadline", "20 dias úteis")])
            .page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    let row = json!({ "day": "2026-06-29", "scope": "TJSP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let review = |path: &str| visitor.page(path).find_section("Deadlines to review");
    for path in ["/holidays/1", "/calendar?year=2026"] {
        let listed = review(path).unwrap();
        let paths = ["/console/publications/2", "/console/posts/1"];
        assert!(paths.iter().all(|path| listed.leads_to(path)), "{path}: {listed}");
        assert!(listed.is_in_order(&["Tuesday, 2026-07-07", "Wednesday, 2026-07-08"]), "{listed}");
    }
    // Nothing moved. One that is treated is not listed, nor one whose deadline is another day.
    assert_eq!(office.get("/lawsuits/publication/2").json()["date_deadline"], "2026-07-07");
    let change = |body: Value| assert_eq!(office.put("/lawsuits/publication/2", &body).status, 200);
    change(json!({ "treated": true }));
    assert!(!review("/holidays/1").unwrap().leads_to("/console/publications/2"));
    change(json!({ "treated": false }));
    assert!(review("/holidays/1").unwrap().leads_to("/console/publications/2"));
    change(json!({ "date_deadline": "2026-07-08" }));
    assert!(!review("/holidays/1").unwrap().leads_to("/console/publications/2"));
}

/// Captures a publication of the lawsuit at the TJSP, made available on 16 June 2026, and returns its id.
fn capture(office: &Office, text: &str) -> u64 {
    capture_at(office, "TJSP", text)
}

fn capture_at(office: &Office, court: &str, text: &str) -> u64 {
    let publication =
        json!({ "lawsuit_id": 2, "date_available": "2026-06-16", "court": court, "publication": text });
    let made = office.post("/publications", &json!({ "publications": [publication] }));
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()["publications"][0]["publication_id"].as_u64().unwrap()
}

#[test]
fn treating_a_publication_proposes_its_deadline_and_the_internal_one() {
    let office = office();
    let visitor = Visitor::new(&office);
    let id = capture(&office, "Manifeste-se a parte autora no prazo de 15 (quinze) dias úteis.");
    let begun = visitor.page(&format!("/posts/new?publications_id={id}"));
    assert_eq!(begun.field("Deadline").value(), "15 working days");
    assert_eq!(begun.field("Date").value(), "2026-07-06");
    for text in [
        "Manifeste-se a parte autora no prazo de 15 (quinze) dias úteis",
        "Wednesday, 8 July 2026",
        "Tue 2026-06-16: made available (Lei 11.419/2006, art. 4)",
        "Internal deadline, two working days before: Mon 2026-07-06",
        "No calendar of TJSP for 2026 is entered",
    ] {
        assert!(begun.contains(text), "{text}: {begun}");
    }
    // Its day was seen, so that one click confirms it.
    let task = [("tasks_id", "5"), ("guests", "1"), ("from", "1")];
    let made = visitor.send("/posts/new", &with(&carried(&begun), &task));
    assert_eq!(made.status, 303, "{}", made.text());
    let kept = task_of(&office);
    assert_eq!([&kept["date_deadline"], &kept["start_date"]], ["2026-07-08", "2026-07-06"]);
    assert_eq!(kept["deadline_query"], "from=2026-06-16&days=15&court=TJSP&rule=cpc&counting=working");
    assert!(kept["deadline_memory"].as_str().unwrap().contains("Wed 2026-06-17: publication"), "{kept}");
    assert_ne!(office.get(&format!("/lawsuits/publication/{id}")).json()["treated_at"], Value::Null);
}

fn task_of(office: &Office) -> Value {
    let task = task(office, 1);
    let start = task["date"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    let mut task = task.as_object().unwrap().clone();
    task.insert("start_date".to_owned(), json!(start));
    task.into()
}

#[test]
fn a_proposed_deadline_can_be_another_one() {
    let office = office();
    let visitor = Visitor::new(&office);
    let id = capture(&office, "Manifeste-se em 15 dias.");
    let begun = carried(&visitor.page(&format!("/posts/new?publications_id={id}")));
    let task = [("tasks_id", "5"), ("guests", "1"), ("from", "1")];
    let sent = |deadline: &str, start: &str| {
        let days = [("date_deadline", deadline), ("start_date", start)];
        visitor.send("/posts/new", &with(&begun, &[&task[..], &days].concat()))
    };
    // Another number of days is shown before it is stored. A day is stored as it is.
    let shown = sent("5 dias", "2026-06-22");
    assert_eq!(shown.status, 409, "{}", shown.text());
    assert!(shown.page().alert().contains("Wednesday, 24 June 2026"), "{}", shown.text());
    let made = sent("2026-07-01", "2026-06-29");
    assert_eq!(made.status, 303, "{}", made.text());
    let stored = task_of(&office);
    assert_eq!([&stored["date_deadline"], &stored["start_date"]], ["2026-07-01", "2026-06-29"]);
    assert_eq!(stored["deadline_memory"], Value::Null);
}

#[test]
fn a_publication_without_a_single_number_of_days_proposes_none() {
    let office = office();
    let visitor = Visitor::new(&office);
    for text in ["Intimação.", "Manifeste-se em 15 dias, e depois em 5 dias.", "Pague em 48 horas."] {
        let id = capture(&office, text);
        let path = format!("/posts/new?publications_id={id}");
        let begun = visitor.page(&path);
        assert_eq!(
            [begun.field("Deadline").value(), begun.field("Date").value()],
            ["", "2026-06-17"],
            "{text}"
        );
        assert!(begun.contains("does not name a single number of days"), "{begun}");
        // The usual ones are one click away.
        for days in ["5", "8", "10", "15", "30"] {
            assert!(begun.leads_to(&format!("/console{path}&date_deadline={days}+days")), "{days}: {begun}");
        }
        let counted = visitor.page(&format!("{path}&date_deadline=5+days"));
        assert_eq!(
            [counted.field("Deadline").value(), counted.field("Date").value()],
            ["5 days", "2026-06-22"]
        );
        assert!(counted.contains("Wednesday, 24 June 2026"), "{counted}");
    }
    // Other forms offer none.
    assert!(!visitor.page("/posts/new?lawsuits_id=2").contains("number of days"));
    assert!(!visitor.page("/publications/new?lawsuit_id=2").contains("single number of days"));
}

#[test]
fn a_publication_with_a_deadline_of_its_own_keeps_it() {
    let office = office();
    let visitor = Visitor::new(&office);
    let id = capture(&office, "Manifeste-se em 15 dias.");
    let path = format!("/lawsuits/publication/{id}");
    assert_eq!(office.put(&path, &json!({ "date_deadline": "2026-06-30" })).status, 200);
    let begun = visitor.page(&format!("/posts/new?publications_id={id}"));
    assert_eq!([begun.field("Deadline").value(), begun.field("Date").value()], ["2026-06-30"; 2]);
    assert_eq!(proposals(&office, id), json!([]));
}

/// Returns what the API proposes for a publication.
fn proposals(office: &Office, id: u64) -> Value {
    office.get(&format!("/lawsuits/publication/{id}/proposals")).json()["proposals"].clone()
}

/// Regression: the form began with a number of days that it then refused, and the API proposed none.
#[test]
fn a_publication_of_an_electoral_court_proposes_no_deadline() {
    let office = office();
    let visitor = Visitor::new(&office);
    for text in ["Manifeste-se em 15 dias.", "Intimação."] {
        let id = capture_at(&office, "TRE-SP", text);
        let begun = visitor.page(&format!("/posts/new?publications_id={id}"));
        assert_eq!(begun.field("Deadline").value(), "", "{text}");
        assert!(begun.contains("The court of the case, TRE-SP, must be the STF"), "{begun}");
        assert!(!begun.contains("single number of days"), "{begun}");
        assert_eq!(proposals(&office, id), json!([]), "{text}");
    }
}

/// Regression: the count went by the CPC, and said only that the court is missing.
#[test]
fn deadlines_of_electoral_and_military_courts_are_refused_at_the_field() {
    let office = office();
    let visitor = Visitor::new(&office);
    let customer = [office.customer("Bia Rocha", json!({}))];
    for (lawsuit, court) in [
        (json!({ "process_number": "0000077-66.2026.6.26.0001" }), "TRE-SP"),
        (json!({ "court": "tre/sc" }), "TRE-SC"),
        (json!({ "court": "STM" }), "STM"),
    ] {
        let id = office.lawsuit(&customer, lawsuit).to_string();
        let sentence =
            format!("The court of the case, {court}, must be the STF, the STJ, the TST or a court of state");
        let part = visitor.part(&format!("/day/count?date_deadline=3+dias&lawsuits_id={id}"));
        assert!(part.contains(&sentence), "{part}");
        let fields = [("start_date", "18/06/2026"), ("date_deadline", "3 dias")];
        let refused = add(&visitor, &format!("lawsuits_id={id}"), &fields);
        assert_eq!(refused.status, 422, "{}", refused.text());
        let error = refused.page().field("Deadline").error();
        assert!(error.starts_with(&sentence) && error.ends_with("Enter the day."), "{error}");
    }
    let number = "/day/count?date_deadline=3+dias&date=16/06/2026&process_number=0000077-66.2026.6.26.0001";
    assert!(visitor.part(number).contains("TRE-SP"));
    assert_eq!(office.get("/posts?limit=1").json()["totalCount"], 0);
    // Of several names, the first one counts, as for the courts that are counted.
    let lawsuit = json!({ "court": "TJSP", "process_number": "0000078-51.2026.6.26.0001" });
    let id = office.lawsuit(&customer, lawsuit);
    let part = visitor.part(&format!("/day/count?date_deadline=3+dias&lawsuits_id={id}"));
    assert!(part.contains("No calendar of TJSP for 2026 is entered"), "{part}");
}

#[test]
fn the_venue_is_the_city_of_the_count() {
    let office = office();
    let visitor = Visitor::new(&office);
    let customer = [office.customer("Bia Rocha", json!({}))];
    let lawsuit =
        |court: &str, venue: &str| office.lawsuit(&customer, json!({ "court": court, "venue": venue }));
    let city = lawsuit("TJSP", "São Paulo/SP");
    let row = json!({ "day": "2026-06-19", "scope": "Sao Paulo - SP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let part = |id: u64| visitor.part(&format!("/day/count?date_deadline=2+du&lawsuits_id={id}"));
    let counted = part(city);
    assert!(counted.contains("Monday, 22 June 2026"), "{counted}");
    assert!(!counted.contains("The city is not given"), "{counted}");
    assert!(
        part(lawsuit("TJSC", "Criciúma - SC")).contains("No calendar of Criciúma/SC for 2026 is entered")
    );
    // A division, a city of another state, and a court that no city closes.
    for (court, venue) in [("TJSP", "2ª Vara Cível de Santos/SP"), ("TJSP", "Criciúma/SC"), ("TJSP", "")] {
        assert!(part(lawsuit(court, venue)).contains("The city is not given"), "{court} {venue}");
    }
    assert!(part(lawsuit("STJ", "São Paulo/SP")).contains("Friday, 19 June 2026"));
    // A later row of the city lists the deadline.
    let fields = [("start_date", "18/06/2026"), ("date_deadline", "3 dias")];
    let form = add(&visitor, &format!("lawsuits_id={city}"), &fields).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    assert!(task(&office, 1)["deadline_query"].as_str().unwrap().contains("&city=S%C3%A3o+Paulo%2FSP"));
    let row = json!({ "day": "2026-06-23", "scope": "São Paulo/SP", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let review = visitor.page("/holidays/2").find_section("Deadlines to review").unwrap();
    assert!(review.contains("Wednesday, 2026-06-24"), "{review}");
}

#[test]
fn the_review_names_the_case() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = add(&visitor, "publications_id=1", &[("date_deadline", "5 dias úteis")]).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    let row = json!({ "day": "2026-06-19", "scope": "TRF5", "effect": "closed" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let review = visitor.page("/holidays/1").find_section("Deadlines to review").unwrap();
    assert!(review.contains("0000002-65.2005.4.05.8100"), "{review}");
}

/// Regression: the history had the deadline and its count as two changes.
#[test]
fn a_deadline_and_its_count_are_one_change() {
    let office = office();
    let visitor = Visitor::new(&office);
    let changes = |resource: &str, id: u32| {
        let path = format!("/changes?since=0&include=values&limit=1000&resource={resource}&id={id}");
        office.get(&path).json()["data"].as_array().unwrap().clone()
    };
    let form = add(&visitor, "publications_id=1", &[("date_deadline", "15 du")]).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    assert_eq!(changes("posts", 1).len(), 1, "{:?}", changes("posts", 1));
    let counted = task(&office, 1);
    let edit = carried(&visitor.page("/posts/1/edit"));
    let shown = visitor.send("/posts/1/edit", &with(&edit, &[("date_deadline", "10 dias corridos")]));
    assert_eq!(visitor.send("/posts/1/edit", &with(&carried(&shown.page()), &[])).status, 303);
    let changed = changes("posts", 1);
    assert_eq!(changed.len(), 2, "{changed:?}");
    let undo = [("change", &*changed[1]["seq"].to_string()), ("member", "date_deadline")];
    assert_eq!(visitor.send("/posts/1/history", &undo).status, 303);
    assert_eq!(changes("posts", 1).len(), 3, "{:?}", changes("posts", 1));
    assert_eq!(task(&office, 1)["deadline_memory"], counted["deadline_memory"]);
    // The same holds for a publication.
    let before = changes("publications", 2).len();
    let edit = carried(&visitor.page("/publications/2/edit"));
    let shown = visitor.send("/publications/2/edit", &with(&edit, &[("date_deadline", "15 dias úteis")]));
    assert_eq!(visitor.send("/publications/2/edit", &with(&carried(&shown.page()), &[])).status, 303);
    assert_eq!(changes("publications", 2).len(), before + 1);
    // A request sets neither, and a form has no such field.
    let forged =
        json!({ "local": "Sala 1", "deadline_memory": "Certo.", "deadline_query": "from=2026-06-16&days=1" });
    assert_eq!(office.put("/posts/1", &forged).status, 200);
    let edit = carried(&visitor.page("/posts/1/edit"));
    let fields = [("local", "Sala 2"), ("deadline_memory", "Certo.")];
    assert_eq!(visitor.send("/posts/1/edit", &with(&edit, &fields)).status, 303);
    assert_eq!(task(&office, 1)["deadline_memory"], counted["deadline_memory"]);
}

/// Regression: the day came back without the count that it follows from.
/// Regression: the publication of a deleted task stayed treated, and its deadline was in no list.
#[test]
fn deleting_the_task_of_a_publication_gives_back_all_that_making_it_changed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let publication = || office.get("/lawsuits/publication/1").json();
    let before = publication();
    let form = add(&visitor, "publications_id=1", &[("date_deadline", "15 du")]).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    let (made, treated) = (task(&office, 1), publication());
    assert_ne!(treated["treated_at"], Value::Null);
    office.pass(60);
    let deletion = visitor.send("/posts/1/delete", &[]);
    assert_eq!(deletion.status, 303, "{}", deletion.text());
    let marks = ["treated_at", "treated_by", "date_deadline", "deadline_memory"];
    let of = |publication: &Value| marks.map(|member| publication[member].clone());
    assert_eq!(of(&publication()), of(&before));
    assert!(visitor.page("/publications?treated=false").contains("Intimação."));
    // Restored, the task has its count, and the publication its mark.
    assert_eq!(office.put("/posts/1", &json!({ "deleted": false })).status, 200);
    assert_eq!(of(&publication()), of(&treated));
    let count = ["date_deadline", "deadline_query", "deadline_memory"];
    assert_eq!(
        count.map(|member| task(&office, 1)[member].clone()),
        count.map(|member| made[member].clone())
    );
    assert_eq!(office.send("DELETE", "/posts/1", &[], None).status, 200);
    assert_eq!(of(&publication()), of(&before));
    // A second task, one that was done, and a mark that a person made keep it treated.
    assert_eq!(office.put("/posts/1", &json!({ "deleted": false })).status, 200);
    assert_eq!(office.put("/posts/1/complete", &json!({ "users_id": 1 })).status, 200);
    assert_eq!(office.send("DELETE", "/posts/1", &[], None).status, 200);
    assert_eq!(of(&publication()), of(&treated));
}

#[test]
fn the_undo_of_a_deadline_restores_its_count() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = add(&visitor, "publications_id=1", &[("date_deadline", "15 du")]).page();
    assert_eq!(visitor.send("/posts/new", &with(&carried(&form), &[])).status, 303);
    let counted = task(&office, 1);
    let undo = || {
        let changes = office.get("/changes?since=0&include=values&limit=1000").json();
        let of_deadline =
            |change: &&Value| change.to_string().contains("date_deadline") && change["op"] == "updated";
        let change = changes["data"].as_array().unwrap().iter().rev().find(of_deadline).unwrap();
        let seq = change["seq"].to_string();
        let undone = visitor.send("/posts/1/history", &[("change", &*seq), ("member", "date_deadline")]);
        assert_eq!(undone.status, 303, "{}", undone.text());
    };
    let members = ["date_deadline", "deadline_query", "deadline_memory"];
    let of = |task: &Value| members.map(|member| task[member].clone());
    // A day that was entered, and another count.
    assert_eq!(office.put("/posts/1", &json!({ "date_deadline": "2026-07-06" })).status, 200);
    undo();
    assert_eq!(of(&task(&office, 1)), of(&counted));
    let edit = carried(&visitor.page("/posts/1/edit"));
    let shown = visitor.send("/posts/1/edit", &with(&edit, &[("date_deadline", "10 dias corridos")]));
    assert_eq!(visitor.send("/posts/1/edit", &with(&carried(&shown.page()), &[])).status, 303);
    let recounted = task(&office, 1);
    undo();
    assert_eq!(of(&task(&office, 1)), of(&counted));
    // The undo is undone in the same way.
    undo();
    assert_eq!(of(&task(&office, 1)), of(&recounted));
}
