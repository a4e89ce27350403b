//! The records of a lawsuit in the console: showing and treating movements and publications, closing the lawsuit, and
//! creating one record from another.

use serde_json::{Value, json};

use super::page::Page;
use super::visitor::{Visitor, carried, with};
use crate::office::Office;

const NUMBER: &str = "0000002-65.2005.4.05.8100";

fn office() -> Office {
    let office = Office::new();
    let customer = office.customer("Ana da Conceição", json!({}));
    office.lawsuit(&[customer], json!({ "process_number": NUMBER }));
    office
}

fn movements(office: &Office, of: &[(&str, &str)]) {
    let one = |(date, text): &(&str, &str)| json!({ "lawsuit_id": 1, "date": date, "description": text });
    let all = of.iter().map(one).collect::<Vec<Value>>();
    assert_eq!(office.post("/movements", &json!({ "movements": all })).status, 200);
}

fn publications(office: &Office, of: &[(&str, Value)]) {
    let one = |(text, more): &(&str, Value)| {
        let mut one = json!({ "publication": text, "date": "2026-06-16", "source": "DJEN" });
        one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        one
    };
    let all = of.iter().map(one).collect::<Vec<Value>>();
    assert_eq!(office.post("/publications", &json!({ "publications": all })).status, 200);
}

/// Asserts that the page contains the texts in this order.
fn in_order(page: &Page, texts: &[&str]) {
    assert!(page.is_in_order(texts), "{texts:?}: {page}");
}

#[test]
fn a_movement_is_added_shown_and_changed() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = visitor.page("/movements/new?lawsuit_id=1");
    assert_eq!(form.field("Date").value(), "2026-06-17", "today by default");
    let typed = [
        ("lawsuit_id", NUMBER),
        ("date", "20/05/2026"),
        ("description", "Conclusos\r\npara despacho"),
        ("header", "TJSP"),
    ];
    let added = visitor.send("/movements/new", &typed);
    assert_eq!(added.header("location"), "/console/movements/1?done=created", "{}", added.text());
    let page = visitor.page("/movements/1");
    assert_eq!(page.heading(), "2026-05-20 · Conclusos para despacho");
    assert_eq!(page.fact("Court"), "TJSP");
    assert_eq!(page.fact("Text"), "Conclusos para despacho");
    assert!(page.leads_to("/console/lawsuits/1"), "{page}");
    let form = carried(&visitor.page("/movements/1/edit"));
    let changed = visitor.send("/movements/1/edit", &with(&form, &[("header", "TJSC")]));
    assert_eq!(changed.header("location"), "/console/movements/1?done=changed", "{}", changed.text());
    assert_eq!(office.get("/lawsuits/movement/1").json()["header"], "TJSC");
    let refused = visitor.send("/movements/new", &[("description", "x"), ("lawsuit_id", "")]);
    assert_eq!(refused.status, 422);
    assert_ne!(refused.page().field("Lawsuit").error(), "");
}

#[test]
fn lists_begin_with_the_newest_and_cut_long_texts() {
    let office = office();
    let visitor = Visitor::new(&office);
    let long = ["<b>Longo</b>", &" palavra".repeat(100)].concat();
    movements(&office, &[("2026-03-01", "Primeiro"), ("2026-01-01", "Segundo"), ("2026-02-01", &long)]);
    let page = visitor.page("/movements");
    in_order(&page, &["<b>Longo", "Segundo", "Primeiro"]);
    let shown = page.names_of("/console/movements/3");
    assert!(shown[0].ends_with("palavra…") && shown[0].len() < long.len(), "{shown:?}");
    in_order(&visitor.page("/movements?order=asc"), &["Primeiro", "Segundo", "Longo"]);
    // The movements of one lawsuit are ordered by their day.
    in_order(&visitor.page("/movements?lawsuit_id=1"), &["Primeiro", "Longo", "Segundo"]);
    assert_eq!(visitor.page("/movements/3").fact("Text"), long);
}

#[test]
fn the_inbox_lists_untreated_publications() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    publications(
        &office,
        &[
            ("Primeira", json!({ "lawsuit_id": 1, "date_deadline": "2026-06-16" })),
            (
                "Segunda",
                json!({ "process_number": "0005001-52.2026.8.24.0020", "date_deadline": "2026-06-17" }),
            ),
        ],
    );
    let page = visitor.page("/publications");
    in_order(&page, &["2 publications", "Segunda", "Deadline today", "Primeira", "Past its deadline"]);
    let treated = visitor.send(
        "/publications/1/do",
        &[("action", "treat"), ("back", "/console/publications?source=DJEN&done=treat.1")],
    );
    assert_eq!(
        (treated.status, treated.header("location")),
        (303, "/console/publications?source=DJEN&done=treat.1")
    );
    let record = office.get("/lawsuits/publication/1").json();
    assert_eq!(
        (&record["treated_at"], &record["treated_by"]),
        (&json!("2026-06-17 12:00:00"), &json!("Escritório"))
    );

    let left = visitor.page("/publications?source=DJEN&done=treat.1");
    assert!(
        left.status().contains("Publication treated.") && left.leads_to("/console/publications/1"),
        "{left}"
    );
    assert_eq!((left.exact("Segunda"), left.exact("Primeira")), (1, 0), "{left}");
    for (query, shown) in
        [("treated=true", ["Primeira", "Segunda"]), ("treated=false", ["Segunda", "Primeira"])]
    {
        let page = visitor.page(&format!("/publications?{query}"));
        assert_eq!(shown.map(|text| page.exact(text)), [1, 0], "{query}: {page}");
    }
    let all = visitor.page("/publications?treated=all");
    assert_eq!((all.exact("Primeira"), all.exact("Segunda")), (1, 1), "{all}");
    assert_eq!(
        visitor.send("/publications/2/do", &[("action", "treat")]).header("location"),
        "/console/publications/2?done=treat"
    );
    visitor.language = "pt-BR";
    assert!(visitor.page("/publications").contains("Nenhuma publicação a tratar."));
    assert!(visitor.page("/publications?treated=true").contains("2 publicações"));
    // A treated publication can be reopened. An unknown action is not found.
    assert_eq!(visitor.send("/publications/2/do", &[("action", "untreat")]).status, 303);
    assert_eq!(office.get("/lawsuits/publication/2").json()["treated_at"], json!(null));
    assert_eq!(visitor.send("/publications/2/do", &[("action", "burn")]).status, 404);
    let elsewhere =
        visitor.send("/publications/2/do", &[("action", "treat"), ("back", "//evil.example/console")]);
    assert_eq!(elsewhere.header("location"), "/console/publications/2?done=treat");
}

#[test]
fn a_publication_is_added_by_hand_and_linked_to_a_lawsuit() {
    let office = office();
    let visitor = Visitor::new(&office);
    let refused = visitor.send("/publications/new", &[("publication", "Cite-se."), ("date", "16/06/2026")]);
    assert_eq!(refused.status, 422);
    assert_eq!(refused.page().field("Lawsuit").error(), "Fill in this field or the case number");
    assert_eq!(visitor.page("/publications/new").field("Start").hint(), "YYYY-MM-DD HH:MM");
    let by_number = [
        ("publication", "Cite-se."),
        ("date", "16/06/2026"),
        ("process_number", NUMBER),
        ("start", "17/06/2026 9h"),
    ];
    assert_eq!(
        visitor.send("/publications/new", &by_number).header("location"),
        "/console/publications/1?done=created"
    );
    let typed = office.get("/lawsuits/publication/1").json();
    assert_eq!(typed["lawsuit_id"], 1, "the lawsuit with that number");
    assert_eq!(typed["start"], "2026-06-17 09:00:00");
    publications(&office, &[("Intime-se.", json!({ "process_number": "0005001-52.2026.8.24.0020" }))]);
    assert_eq!(visitor.page("/publications?lawsuit_id=none").exact("Intime-se."), 1);
    let form = carried(&visitor.page("/publications/2/edit"));
    let attached = visitor.send("/publications/2/edit", &with(&form, &[("lawsuit_id", "ana")]));
    assert_eq!(attached.status, 303, "{}", attached.text());
    assert_eq!(office.get("/lawsuits/publication/2").json()["lawsuit_id"], 1);
}

#[test]
fn a_lawsuits_page_lists_its_records_and_links_to_new_ones() {
    let office = office();
    let visitor = Visitor::new(&office);
    let empty = visitor.page("/lawsuits/1");
    for (path, member) in [
        ("posts", "lawsuits_id"),
        ("publications", "lawsuit_id"),
        ("movements", "lawsuit_id"),
        ("transactions", "lawsuits_id"),
        ("documents", "lawsuit_id"),
    ] {
        assert_eq!(empty.names_of(&format!("/console/{path}/new?{member}=1")).len(), 1, "{path}: {empty}");
    }
    assert!(!empty.contains("There are no"), "{empty}");
    let days = (1..=7).map(|day| (format!("2026-05-0{day}"), format!("Andamento {day}"))).collect::<Vec<_>>();
    movements(&office, &days.iter().map(|(day, text)| (day.as_str(), text.as_str())).collect::<Vec<_>>());
    publications(&office, &[("Intimação", json!({ "lawsuit_id": 1 }))]);
    office.task(1, json!({}));
    let page = visitor.page("/lawsuits/1");
    in_order(&page, &["Andamento 7", "Andamento 6", "Andamento 5", "Andamento 4", "Andamento 3"]);
    let movements = page.section("Movements 5 of 7");
    assert!(!page.contains("Andamento 2"), "only the newest five of seven are shown: {page}");
    assert_eq!(movements.link("See all"), "/console/movements?lawsuit_id=1");
    assert!(visitor.page("/movements?lawsuit_id=1").contains("7 movements"));
    let own = movements.rows().iter().any(|row| row.contains(NUMBER));
    assert!(!own, "its movements do not repeat the lawsuit's number: {movements}");
    // Treated publications count too, and the linked list shows them.
    let many = (0..6)
        .map(|at| (["Aviso", &at.to_string()].concat(), json!({ "lawsuit_id": 1 })))
        .collect::<Vec<_>>();
    publications(&office, &many.iter().map(|(text, more)| (text.as_str(), more.clone())).collect::<Vec<_>>());
    assert_eq!(office.put("/lawsuits/publication/1", &json!({ "treated": true })).status, 200);
    let link = "/publications?lawsuit_id=1&treated=all";
    assert!(visitor.page("/lawsuits/1").leads_to(&["/console", link].concat()));
    assert!(visitor.page(link).contains("7 publications"));
    // A customer's page has links for new records too.
    let customer = visitor.page("/customers/1");
    for path in
        ["lawsuits/new?customers_id=1", "transactions/new?customers_id=1", "documents/new?customer_id=1"]
    {
        assert!(customer.leads_to(&["/console/", path].concat()), "{path}: {customer}");
    }
    assert!(customer.leads_to("/console/lawsuits/1"), "{customer}");
    // The links on a publication's page also name its lawsuit.
    let publication = visitor.page("/publications/1");
    for path in ["posts/new?publications_id=1&lawsuits_id=1", "documents/new?publication_id=1&lawsuit_id=1"] {
        assert!(publication.leads_to(&["/console/", path].concat()), "{path}: {publication}");
    }
    // Deleted records are not shown.
    assert_eq!(office.send("DELETE", "/lawsuits/movement/7", &[], None).status, 200);
    let left = visitor.page("/lawsuits/1");
    let movements = left.section("Movements 5 of 6");
    assert!(!left.contains("Andamento 7") && movements.contains("Andamento 2"), "{left}");
}

#[test]
fn a_lawsuit_is_closed_and_reopened_with_a_button() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    let open = visitor.page("/lawsuits/1");
    assert!(open.exact("Open") == 1 && open.has_button("Close"), "{open}");
    assert_eq!(
        visitor.send("/lawsuits/1/do", &[("action", "close")]).header("location"),
        "/console/lawsuits/1?done=close"
    );
    assert_eq!(office.get("/lawsuits/1").json()["status_closure"], "2026-06-17");
    visitor.language = "pt-BR";
    let closed = visitor.page("/lawsuits/1?done=close");
    assert!(closed.status().contains("Processo encerrado hoje."), "{closed}");
    assert!(closed.exact("Encerrado") == 1 && closed.has_button("Reabrir"), "{closed}");
    assert!(visitor.page("/lawsuits").row(NUMBER).contains("Encerrado"));
    assert!(
        !visitor.page("/lawsuits?open=true").contains(NUMBER)
            && visitor.page("/lawsuits?open=false").contains(NUMBER)
    );
    assert_eq!(visitor.send("/lawsuits/1/do", &[("action", "reopen")]).status, 303);
    assert_eq!(office.get("/lawsuits/1").json()["status_closure"], json!(null));
}

#[test]
fn a_filter_by_a_record_shows_its_name() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/movements?lawsuit_id=1");
    let filter = page.form_with("lawsuit_id");
    assert!(filter.contains("Ana da Conceição · Ação de cobrança · 0000002-65.2005.4.05.8100"), "{page}");
    assert_eq!(filter.field("Choose lawsuit").value(), "1");
    let wrong = visitor.page("/movements?lawsuit_id=ana").field("Choose lawsuit");
    assert!(wrong.error().starts_with("Must be an id"), "{wrong}");
}

#[test]
fn a_case_is_named_after_its_parties_and_type() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    let parties = json!({ "opposing_parties": "Banco <Exemplo> S.A. (11222333000181) [adv. Rui Prado]" });
    assert_eq!(office.put("/lawsuits/1", &parties).status, 200);
    let name = "Ana da Conceição × Banco <Exemplo> S.A. · Ação de cobrança";
    let page = visitor.page("/lawsuits/1");
    assert_eq!(page.heading(), name);
    assert!(page.contains("11.222.333/0001-81"), "{page}");
    office.task(1, json!({}));
    movements(&office, &[("2026-05-01", "Conclusos")]);
    for list in ["/lawsuits", "/posts", "/movements", "/customers/1", "/search?q=conceicao"] {
        let page = visitor.page(list);
        assert!(page.main().contains(name), "{list}: {page}");
    }
    let task = visitor.page("/posts/1");
    assert!(task.has_link(&format!("{name} · {NUMBER}")), "the number follows the name: {task}");
    // A title shows the first of several parties on a side. A customer with an opposing origin is on the other side.
    let origin = office.post("/settings/origins", &json!({ "origin": "Parte contrária" })).json();
    let shop = office.customer("Loja", json!({ "customers_origins_id": origin["id"] }));
    let more = json!({ "customers_id": [1, shop], "opposing_parties": "Banco A; Banco B" });
    assert_eq!(office.put("/lawsuits/1", &more).status, 200);
    visitor.language = "pt-BR";
    assert_eq!(visitor.page("/lawsuits/1").heading(), "Ana da Conceição × Banco A + 2 · Ação de cobrança");
}

#[test]
fn a_form_takes_one_party_per_line_and_reports_errors() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = carried(&visitor.page("/lawsuits/1/edit"));
    let wrong = [("opposing_parties", "Banco (11222333000182)"), ("area_link", "tjsp.jus.br")];
    let refused = visitor.send("/lawsuits/1/edit", &with(&form, &wrong));
    assert_eq!(refused.status, 422);
    let page = refused.page();
    assert_eq!(page.control("opposing_parties").value(), "Banco (11222333000182)");
    for member in ["opposing_parties", "area_link"] {
        assert_ne!(page.control(member).error(), "", "{member}: {page}");
    }
    let right = [
        ("opposing_parties", "Banco (11222333000181)\r\nJosé Lima [adv. Rui]"),
        ("area_link", "https://esaj.exemplo.jus.br/1"),
        ("claim_value", "1.500,50"),
    ];
    let stored = visitor.send("/lawsuits/1/edit", &with(&form, &right));
    assert_eq!(stored.status, 303, "{}", stored.text());
    let record = office.get("/lawsuits/1").json();
    assert_eq!(record["opposing_parties"].as_array().unwrap().len(), 2, "{record}");
    assert_eq!((&record["claim_value"], &record["court"]), (&json!(1500.5), &json!("TRF5")));
    let page = visitor.page("/lawsuits/1");
    assert_eq!(page.link("esaj.exemplo.jus.br"), "https://esaj.exemplo.jus.br/1");
    assert!(page.is_apart("https://esaj.exemplo.jus.br/1") && page.contains("TRF5"), "{page}");
    // Submitting the form unchanged is not a change.
    let again = carried(&visitor.page("/lawsuits/1/edit"));
    assert_eq!(
        visitor.send("/lawsuits/1/edit", &with(&again, &[])).header("location"),
        "/console/lawsuits/1"
    );
}

#[test]
fn a_summary_line_shows_the_state_of_a_case() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let line = |visitor: &Visitor| visitor.page("/lawsuits/1").block(NUMBER);
    let bare = line(&visitor);
    assert!(bare.contains("Petição inicial") && !bare.contains("Próxima data"), "{bare}");
    movements(&office, &[("2026-05-01", "Conclusos"), ("2026-06-01", "Sentença")]);
    office.task(1, json!({ "start_date": "2026-06-16", "tasks_id": 1 }));
    office.task(1, json!({ "start_date": "2026-06-20", "start_time": "14:30", "tasks_id": 2 }));
    publications(&office, &[("Intime-se.", json!({ "lawsuit_id": 1, "date_deadline": "2026-06-30" }))]);
    let pay = |due: &str, amount: f64| {
        let body = json!({
            "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": amount, "date_due": due, "lawsuits_id": 1,
        });
        assert_eq!(office.post("/transactions", &body).status, 201);
    };
    pay("2026-06-01", 100.5);
    pay("2026-07-01", 1000.0);
    let full = line(&visitor);
    for text in ["20/06/2026 Audiência 14:30", "01/06/2026 Sentença", "R$ 1.100,50 (vencidos 100,50)"] {
        assert!(full.contains(text), "{text}: {full}");
    }
    // A completed task is no longer the next date. The publication's deadline is.
    assert_eq!(office.put("/posts/2/complete", &json!({})).status, 200);
    assert!(line(&visitor).contains("30/06/2026 Intime-se. (prazo)"), "{}", line(&visitor));
}

#[test]
fn cases_are_filtered_and_sorted_by_their_last_movement() {
    let office = Office::new();
    let names = ["Ana", "Bia", "Caio", "Davi", "Eva"];
    for name in names {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
    }
    office.pass(100 * 24 * 3600);
    let visitor = Visitor::new(&office);
    let today = "2026-09-25";
    let movement = |lawsuit: u32, day: &str| {
        let one = json!({ "lawsuit_id": lawsuit, "date": day, "description": "Conclusos" });
        assert_eq!(office.post("/lawsuits/movement", &one).status, 201);
    };
    movement(1, "2026-09-20");
    movement(2, "2026-08-10");
    movement(3, "2026-07-10");
    movement(3, "2026-01-10");
    movement(4, today);
    let rows = |query: &str| {
        let page = visitor.page(&format!("/lawsuits?{query}"));
        let named = |row: &Page| names.into_iter().find(|name| row.contains(&format!("{name} · "))).unwrap();
        page.rows().iter().map(named).collect::<Vec<_>>()
    };
    assert_eq!(rows("sort=last_movement"), ["Caio", "Bia", "Ana", "Davi", "Eva"]);
    assert_eq!(rows("sort=-last_movement"), ["Davi", "Ana", "Bia", "Caio", "Eva"]);
    // A lawsuit without movements counts as idle since its creation. Closed lawsuits are left out.
    assert_eq!(rows("idle=30&order=asc"), ["Bia", "Caio", "Eva"]);
    assert_eq!(rows("idle=60&order=asc"), ["Caio", "Eva"]);
    assert_eq!(rows("idle=90&order=asc"), ["Eva"]);
    assert_eq!(rows("idle=60&sort=-last_movement"), ["Caio", "Eva"]);
    assert_eq!(office.put("/lawsuits/3", &json!({ "status_closure": "2026-09-01" })).status, 200);
    assert_eq!(rows("idle=60"), ["Eva"]);
    assert_eq!(rows("idle=60&open=false"), ["Caio"]);
    // A deleted movement does not count.
    movement(5, "2026-09-22");
    assert_eq!(rows("idle=60"), [""; 0]);
    let last = office.get("/movements").json()["data"].as_array().unwrap().last().unwrap()["id"].clone();
    assert_eq!(office.send("DELETE", &format!("/lawsuits/movement/{last}"), &[], None).status, 200);
    assert_eq!(rows("idle=60"), ["Eva"]);
    let page = visitor.page("/lawsuits?idle=60&q=eva");
    assert_eq!(page.control("idle").value(), "60", "a search keeps the filter: {page}");
    let sorted = |link: &String| {
        link.contains("sort=last_movement") && link.contains("idle=60") && link.contains("q=eva")
    };
    assert!(page.links().iter().any(sorted), "{page}");
    assert!(
        visitor.page("/lawsuits?idle=31").contains("5 lawsuits"),
        "other values than the page offers are ignored"
    );
}

#[test]
fn a_clients_page_shows_the_records_of_their_cases() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert!(
        visitor.page("/customers/1").leads_to("/console/posts/new?lawsuits_id=1"),
        "the client has only one case"
    );
    office.task(1, json!({ "start_date": "2026-06-20", "tasks_id": 2 }));
    office.task(1, json!({ "start_date": "2026-06-18", "tasks_id": 1 }));
    office.task(1, json!({ "start_date": "2026-06-19", "tasks_id": 3 }));
    assert_eq!(office.put("/posts/2/complete", &json!({})).status, 200);
    let headers = [("content-type", "text/plain")];
    let sent = office.send("POST", "/documents?name=a.txt&lawsuit_id=1", &headers, Some(b"um"));
    assert_eq!(sent.status, 201, "{}", sent.text());
    let pay = |due: &str, amount: f64, paid: Value| {
        let body = json!({
            "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": amount, "date_due": due, "customers_id": 1, "date_payment": paid, "description": format!("De {due}"),
        });
        assert_eq!(office.post("/transactions", &body).status, 201);
    };
    pay("2026-08-01", 30.0, Value::Null);
    pay("2026-05-01", 5.25, json!("2026-05-02"));
    pay("2026-07-01", 20.0, Value::Null);
    pay("2026-06-01", 10.0, Value::Null);
    let page = visitor.page("/customers/1");
    let tasks =
        page.links().into_iter().filter(|link| (1..=3).any(|id| *link == format!("/console/posts/{id}")));
    assert_eq!(tasks.collect::<Vec<_>>(), [3, 1, 2].map(|id| format!("/console/posts/{id}")));
    in_order(&page, &["De 2026-06-01", "De 2026-07-01", "De 2026-08-01", "De 2026-05-01"]);
    assert!(page.contains("a.txt"), "{page}");
    for text in ["Overdue: R$ 10.00", "Not due yet: R$ 50.00", "Received: R$ 5.25"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    for task in 4..=6 {
        office.task(1, json!({ "start_date": format!("2026-07-0{task}") }));
    }
    let page = visitor.page("/customers/1");
    assert!(page.leads_to("/console/posts?customer_id=1&status=all"), "{page}");
    assert!(visitor.page("/posts?customer_id=1&status=all").contains("6 tasks"));
}

/// The days of a case are days that were, unlike those of a task.
#[test]
fn a_day_of_a_case_without_its_year_is_the_last_one() {
    let office = office();
    let visitor = Visitor::new(&office);
    let days = [("exit_production", "15/2"), ("exit_execution", "20/12")];
    let changed = visitor.send("/lawsuits/1/edit", &with(&carried(&visitor.page("/lawsuits/1/edit")), &days));
    assert_eq!(changed.status, 303, "{}", changed.text());
    let stored = office.get("/lawsuits/1").json();
    assert_eq!(stored["exit_production"], "2026-02-15", "{stored}");
    assert_eq!(stored["exit_execution"], "2025-12-20", "{stored}");
    let task =
        [("customers_id", "1"), ("tasks_id", "5"), ("guests", "1"), ("from", "1"), ("start_date", "15/2")];
    let added = visitor.send("/posts/new", &task);
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(office.get("/posts/1").json()["date"], "2027-02-15 00:00:00");
}
