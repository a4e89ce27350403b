//! Filters and sorting of the console's lists, and the hints about records that may already exist.

use pleito::domain::text::fold;
use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::office::Office;

/// Returns the given names that the rows of a list begin with, in the order of the list.
fn listed(page: &Page, names: &[&'static str]) -> Vec<&'static str> {
    let rows = page.rows().into_iter();
    rows.filter_map(|row| names.iter().copied().find(|name| row.links_named(|link| link.starts_with(name))))
        .collect()
}

#[test]
fn lists_begin_with_the_newest_record_by_default() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for name in ["Ana Souza", "Bruno Costa", "Carla Dias"] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
    }
    // Matches both lists: a lawsuit's name begins with the customer's name.
    let names = ["Ana Souza", "Bruno Costa", "Carla Dias"];
    for list in ["customers", "lawsuits"] {
        for (query, newest_first) in
            [("", true), ("?order=", true), ("?order=asc", false), ("?order=desc", true)]
        {
            let mut listed = listed(&visitor.page(&format!("/{list}{query}")), &names);
            if newest_first {
                listed.reverse();
            }
            assert_eq!(listed, names, "{list}{query}");
        }
        let wrong = visitor.page(&format!("/{list}?order=newest")).field("Order");
        assert!(wrong.error().starts_with("Must be asc or desc"), "{wrong}");
    }
    for (language, label, choice) in
        [("en", "Order", "Oldest first"), ("pt-BR", "Ordem", "Mais antigos primeiro")]
    {
        visitor.language = language;
        let order = visitor.page("/customers?order=asc").field(label);
        assert_eq!((order.value(), order.chosen()), ("asc".to_owned(), choice.to_owned()));
    }
}

#[test]
fn lists_can_be_filtered_by_status_and_date_of_change() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (name, closed) in [("Ana Souza", json!(null)), ("Bruno Costa", json!("2026-06-01"))] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({ "status_closure": closed }));
    }
    for (query, ana, bruno) in [("", true, true), ("?open=true", true, false), ("?open=false", false, true)] {
        let listed = listed(&visitor.page(&format!("/lawsuits{query}")), &["Ana Souza", "Bruno Costa"]);
        assert_eq!((listed.contains(&"Ana Souza"), listed.contains(&"Bruno Costa")), (ana, bruno), "{query}");
    }
    for (list, query, found) in [
        ("customers", "updated_start=17/06/2026", true),
        ("customers", "updated_start=18/06/2026", false),
        ("lawsuits", "updated_end=2026-06-17", true),
        ("lawsuits", "updated_end=2026-06-16", false),
    ] {
        let listed = listed(&visitor.page(&format!("/{list}?{query}")), &["Ana Souza"]);
        assert_eq!(!listed.is_empty(), found, "{list}?{query}");
    }
    for (language, states, open, closed, updated) in [
        ("en", "Status", "Open", "Closed", "Changed: from"),
        ("pt-BR", "Situação", "Em andamento", "Encerrados", "Alterado: de"),
    ] {
        visitor.language = language;
        let page = visitor.page("/lawsuits?open=false");
        assert_eq!(page.link(open), "/console/lawsuits?open=true");
        assert_eq!(
            (page.link(closed), page.current(states)),
            ("/console/lawsuits?open=false".into(), closed.into())
        );
        assert_eq!(page.control("open").value(), "false", "a search keeps the filter: {page}");
        assert!(page.has_field(updated), "{page}");
        assert!(!visitor.page("/customers").links().iter().any(|link| link.contains("open=")));
    }
}

#[test]
fn adding_a_lawsuit_with_a_number_in_use_shows_those_lawsuits_first() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let add = |visitor: &Visitor, number: &str, seen: &str| {
        let fields = [
            ("users_id", "1"),
            ("customers_id", "1"),
            ("stages_id", "12"),
            ("type_lawsuits_id", "1"),
            ("process_number", number),
            ("alike", seen),
        ];
        visitor.send("/lawsuits/new", &fields)
    };
    let number = "0000002-65.2005.4.05.8100";
    assert_eq!(add(&visitor, number, "").header("location"), "/console/lawsuits/1?done=created");
    assert_eq!(add(&visitor, "", "").header("location"), "/console/lawsuits/2?done=created");
    for (language, says) in [
        ("en", "There are others with this number. Check that this is not the same lawsuit:"),
        ("pt-BR", "Já há processo com este número; confira se não é o mesmo:"),
    ] {
        visitor.language = language;
        let response = add(&visitor, "00000026520054058100", "");
        let page = response.page();
        assert_eq!(response.status, 409, "{page}");
        let alert = page.alert();
        assert!(alert.contains(says) && alert.contains("Ana Souza"), "{page}");
        assert!(page.is_apart("/console/lawsuits/1") && !page.leads_to("/console/lawsuits/2"), "{page}");
    }
    assert_eq!(add(&visitor, number, "1").header("location"), "/console/lawsuits/3?done=created");
}

#[test]
fn a_list_is_sorted_by_the_column_whose_heading_was_clicked() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for (name, cpf) in [("Érica", "529.982.247-25"), ("ana", ""), ("Zélia", "111.444.777-35"), ("Bruno", "")]
    {
        office.customer(name, json!({ "identification": cpf }));
    }
    let all = ["ana", "Bruno", "Érica", "Zélia"];
    let listed = |query: &str| listed(&visitor.page(&format!("/customers{query}")), &all);
    for (query, names) in [
        ("", ["Bruno", "Zélia", "ana", "Érica"]),
        ("?sort=name", ["ana", "Bruno", "Érica", "Zélia"]),
        ("?sort=-name", ["Zélia", "Érica", "Bruno", "ana"]),
        // Records without a value come last in both orders.
        ("?sort=identification", ["Zélia", "Érica", "ana", "Bruno"]),
        ("?sort=-identification", ["Érica", "Zélia", "Bruno", "ana"]),
        // A column that cannot be sorted by is ignored.
        ("?sort=notes", ["Bruno", "Zélia", "ana", "Érica"]),
    ] {
        assert_eq!(listed(query), names, "{query}");
    }
    assert_eq!(listed("?sort=name&q=e"), ["Érica", "Zélia"]);
    let page = visitor.page("/customers?sort=name&city=");
    let sorted = |order: &str, link: &str| (order.to_owned(), link.to_owned());
    assert_eq!(page.sorted(), Some(sorted("ascending", "/console/customers?sort=-name")));
    assert!(page.leads_to("/console/customers?sort=identification"), "{page}");
    assert_eq!(page.control("sort").value(), "name");
    let down = visitor.page("/customers?sort=-name");
    assert_eq!(down.sorted(), Some(sorted("descending", "/console/customers")));
}

#[test]
fn a_list_is_sorted_by_the_names_of_referenced_records() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let names = ["Zélia", "ana", "Érica", "Bruno"];
    for (name, kind) in names.iter().zip([3, 1, 4, 2]) {
        let customer = office.customer(name, json!({}));
        let lawsuit = office.lawsuit(&[customer], json!({}));
        office.task(lawsuit, json!({ "tasks_id": kind }));
    }
    // A lawsuit with several customers is sorted by the first one.
    let both = ["Carla", "Aldo"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&both, json!({}));
    let ordered = |list: &str, names: &[&str]| {
        let page = visitor.page(list);
        let rows = page.rows();
        let row = |name: &&str| rows.iter().position(|row| row.contains(name));
        let at = names.iter().map(|name| row(name).unwrap_or_else(|| panic!("{list}, {name}: {page}")));
        let at = at.collect::<Vec<_>>();
        assert!(at.is_sorted(), "{list}: {at:?}");
        assert!(page.sorted().is_some(), "{list}");
    };
    ordered("/lawsuits?sort=name", &["ana", "Bruno", "Carla", "Érica", "Zélia"]);
    ordered("/lawsuits?sort=-name", &["Zélia", "Érica", "Carla", "Bruno", "ana"]);
    ordered("/posts?sort=customers", &["ana", "Bruno", "Érica", "Zélia"]);
    ordered("/posts?sort=-customers", &["Zélia", "Érica", "Bruno", "ana"]);
    let settings = office.get("/settings").json();
    let kinds = settings["tasks"].as_array().unwrap().iter().take(4).zip(["ana", "Bruno", "Zélia", "Érica"]);
    let mut kinds: Vec<_> = kinds.map(|(kind, name)| (fold(kind["task"].as_str().unwrap()), name)).collect();
    kinds.sort();
    let by_kind = kinds.iter().map(|(_, name)| *name).collect::<Vec<_>>();
    ordered("/posts?sort=task", &by_kind);
}

#[test]
fn a_long_list_has_a_first_and_a_last_page() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for at in 1..=101 {
        office.customer(&format!("Cliente {at:03}"), json!({}));
    }
    let pages = |query: &str| {
        let page = visitor.page(&format!("/customers{query}"));
        ["« First", "← Previous", "Next →", "Last »"].map(|name| {
            let link = page.has_link(name).then(|| page.link(name))?;
            link.split("offset=").nth(1).map(str::to_owned)
        })
    };
    let at = |offsets: [&str; 4]| offsets.map(|at| Some(at.to_owned()).filter(|at| !at.is_empty()));
    assert_eq!(pages(""), at(["", "", "50", "100"]));
    assert_eq!(pages("?offset=50"), at(["0", "0", "100", "100"]));
    assert_eq!(pages("?offset=100"), at(["0", "50", "", ""]));
    assert_eq!(pages("?sort=name&offset=9000"), at(["0", "100", "", ""]));
    assert_eq!(pages("?q=100"), at(["", "", "", ""]));
    let last = visitor.page("/customers?sort=name&offset=100");
    assert!(last.has_link("Cliente 101") && !last.has_link("Cliente 100"), "{last}");
}

#[test]
fn a_row_shows_a_match_in_a_field_that_the_list_leaves_out() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let ana =
        json!({ "cellphone": "(48) 98888-0000", "phone": "(48) 3333-1234", "email": "souza@exemplo.com.br" });
    let customer = office.customer("Ana", ana);
    let notes = format!("{} perícia médica marcada {}", "antes ".repeat(40), "depois ".repeat(40));
    office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100", "protocol_number": "2026/000123", "notes": notes }));
    for (path, hit) in [
        ("/customers?q=33331234", Some(("Phone: (48) 3333-1234", "(48) 3333-1234"))),
        ("/customers?q=98888", None),
        ("/customers?q=souza@", Some(("E-mail: souza@exemplo.com.br", "souza@exemplo.com.br"))),
        ("/customers?q=ana", None),
        ("/lawsuits?q=2026/0001", Some(("Protocol: 2026/000123", "2026/000123"))),
        ("/lawsuits?q=8100", None),
        ("/lawsuits?notes=pericia", Some(("antes antes perícia médica marcada", "perícia"))),
        ("/customers/pick?q=33331234", Some(("Phone: (48) 3333-1234", "(48) 3333-1234"))),
    ] {
        let page = visitor.page(path);
        assert!(page.contains("Ana"), "{path}: {page}");
        match hit {
            Some((hit, marked)) => {
                assert!(page.contains(hit), "{path}: {page}");
                assert_eq!(page.marked(), [marked], "{path}");
            }
            None => assert_eq!(page.marked(), [""; 0], "{path}: {page}"),
        }
    }
}

#[test]
fn a_search_without_results_offers_to_add_the_typed_record() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (path, new) in [
        ("/customers?q=Jo%C3%A3o+%26+Filhos", Some("/console/customers/new?name=Jo%C3%A3o+%26+Filhos")),
        ("/customers?q=529.982.247-25", Some("/console/customers/new?identification=529.982.247-25")),
        ("/customers?q=48988880000", Some("/console/customers/new?phone=48988880000")),
        (
            "/lawsuits?q=0000002-65.2005.4.05.8100",
            Some("/console/lawsuits/new?process_number=0000002-65.2005.4.05.8100"),
        ),
        // A filter is not offered as the start of a new record.
        ("/customers?city=Laguna", None),
    ] {
        let page = visitor.page(path);
        match new {
            Some(new) => assert!(page.leads_to(new), "{path}: {page}"),
            None => {
                let is_new = |link: &String| link.contains("new?");
                assert!(page.contains("Nothing found") && !page.links().iter().any(is_new), "{path}: {page}");
            }
        }
    }
    visitor.language = "pt-BR";
    assert!(visitor.page("/customers?q=Zoe").has_link("Novo cliente “Zoe”"));
    assert_eq!(visitor.page("/customers/new?name=Zoe").field("Nome").value(), "Zoe");
}

#[test]
fn typing_errors_are_corrected_if_nothing_else_is_found() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for name in ["Maria da Silva", "José da Silva", "Selva Ramos"] {
        office.customer(name, json!({}));
    }
    for (typed, meant) in [("Slva", "silva"), ("maira slva", "maria silva"), ("Ramso", "ramos")] {
        let page = visitor.page(&format!("/customers?q={}", typed.replace(' ', "+")));
        let says = format!("Nothing found for {typed}; showing {meant}");
        assert!(page.contains(&says), "{typed}: {page}");
    }
    // If two words are at the same distance, the one that occurs in more records is suggested. Actual matches are never
    // replaced.
    assert!(!visitor.page("/customers?q=Slva").contains("Selva Ramos"));
    assert!(!visitor.page("/customers?q=sel").contains("showing"));
    for typed in ["xyzw", "slv", "1234"] {
        assert!(visitor.page(&format!("/customers?q={typed}")).contains("Nothing found"), "{typed}");
    }
    // A form field that selects one record does not correct typing errors.
    let fields =
        [("users_id", "1"), ("customers_id", "Ramso"), ("stages_id", "12"), ("type_lawsuits_id", "1")];
    assert_eq!(visitor.send("/lawsuits/new", &fields).status, 422);
}
