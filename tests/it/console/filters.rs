//! What the filters of the console's lists show and find, and what it says of records that may be there already.

use pleito::domain::fold;
use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

/// Where the texts stand in a page, in the order given; each has to be there.
fn places(page: &str, texts: [&str; 3]) -> [usize; 3] {
    texts.map(|text| page.find(text).unwrap_or_else(|| panic!("{text}: {page}")))
}

#[test]
fn a_list_begins_with_the_newest_unless_somebody_asks_for_the_oldest() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for name in ["Ana Souza", "Bruno Costa", "Carla Dias"] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
    }
    // A customer's name, or with a type that of a case.
    let names = [">Ana Souza", ">Bruno Costa", ">Carla Dias"];
    for list in ["customers", "lawsuits"] {
        for (asked, newest_first) in
            [("", true), ("?order=", true), ("?order=asc", false), ("?order=desc", true)]
        {
            let mut places = places(&visitor.page(&format!("/{list}{asked}")), names);
            if newest_first {
                places.reverse();
            }
            assert!(places.is_sorted(), "{list}{asked}: {places:?}");
        }
        let wrong = visitor.page(&format!("/{list}?order=newest"));
        assert!(wrong.contains(r#"id="e-order" data-beside="q-order">Must be asc or desc"#), "{wrong}");
    }
    for (language, label, choice) in
        [("en", "Order", "Oldest first"), ("pt-BR", "Ordem", "Mais antigos primeiro")]
    {
        visitor.language = language;
        let page = visitor.page("/customers?order=asc");
        assert!(page.contains(&format!(r#"<label for="q-order">{label}</label>"#)), "{page}");
        assert!(page.contains(&format!(r#"<option value="asc" selected>{choice}</option>"#)), "{page}");
    }
}

#[test]
fn open_lawsuits_and_what_was_changed_lately_have_filters() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (name, closed) in [("Ana Souza", json!(null)), ("Bruno Costa", json!("2026-06-01"))] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({ "status_closure": closed }));
    }
    for (asked, ana, bruno) in [("", true, true), ("?open=true", true, false), ("?open=false", false, true)] {
        let page = visitor.page(&format!("/lawsuits{asked}"));
        assert_eq!(
            (page.contains(">Ana Souza · "), page.contains(">Bruno Costa · ")),
            (ana, bruno),
            "{asked}: {page}"
        );
    }
    for (list, asked, found) in [
        ("customers", "updated_start=17/06/2026", true),
        ("customers", "updated_start=18/06/2026", false),
        ("lawsuits", "updated_end=2026-06-17", true),
        ("lawsuits", "updated_end=2026-06-16", false),
    ] {
        let page = visitor.page(&format!("/{list}?{asked}"));
        assert_eq!(page.contains(">Ana Souza"), found, "{list}?{asked}: {page}");
    }
    for (language, open, closed, updated) in
        [("en", "Open", "Closed", "Changed: from"), ("pt-BR", "Em andamento", "Encerrados", "Alterado: de")]
    {
        visitor.language = language;
        let page = visitor.page("/lawsuits?open=false");
        let states = format!(
            r#"<a href="/console/lawsuits?open=true">{open}</a><a href="/console/lawsuits?open=false" aria-current="true">{closed}</a>"#
        );
        assert!(page.contains(&states), "{page}");
        assert!(
            page.contains(r#"<input type="hidden" name="open" value="false">"#),
            "a search keeps it: {page}"
        );
        assert!(page.contains(&format!(r#"<label for="q-updated_start">{updated}</label>"#)), "{page}");
        assert!(!visitor.page("/customers").contains("open="));
    }
}

#[test]
fn who_adds_a_lawsuit_of_a_number_that_others_have_is_shown_which_first() {
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
        ("en", "There are others of this number; see that it is not the same lawsuit:"),
        ("pt-BR", "Já há processo com este número; confira se não é o mesmo:"),
    ] {
        visitor.language = language;
        let asked = add(&visitor, "00000026520054058100", "");
        let page = asked.text();
        assert_eq!(asked.status, 409, "{page}");
        for shown in [says, "href=\"/console/lawsuits/1\" target=\"_blank\"", "Ana Souza"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(!page.contains("/console/lawsuits/2\""), "{page}");
    }
    assert_eq!(add(&visitor, number, "1").header("location"), "/console/lawsuits/3?done=created");
}

#[test]
fn a_list_stands_in_the_order_of_the_column_whose_head_was_clicked() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for (name, cpf) in [("Érica", "529.982.247-25"), ("ana", ""), ("Zélia", "111.444.777-35"), ("Bruno", "")]
    {
        office.customer(name, json!({ "identification": cpf }));
    }
    let listed = |query: &str| {
        let page = visitor.page(&format!("/customers{query}"));
        let names = regex::Regex::new(r#"href="/console/customers/[0-9]+">([^<]*)<"#).unwrap();
        names.captures_iter(&page).map(|one| one[1].to_owned()).collect::<Vec<_>>()
    };
    for (query, names) in [
        ("", ["Bruno", "Zélia", "ana", "Érica"]),
        ("?sort=name", ["ana", "Bruno", "Érica", "Zélia"]),
        ("?sort=-name", ["Zélia", "Érica", "Bruno", "ana"]),
        // Those without come last, whatever the order.
        ("?sort=identification", ["Zélia", "Érica", "ana", "Bruno"]),
        ("?sort=-identification", ["Érica", "Zélia", "Bruno", "ana"]),
        // What no list can be put in order by changes nothing.
        ("?sort=notes", ["Bruno", "Zélia", "ana", "Érica"]),
    ] {
        assert_eq!(listed(query), names, "{query}");
    }
    assert_eq!(listed("?sort=name&q=e"), ["Érica", "Zélia"]);
    let page = visitor.page("/customers?sort=name&city=");
    for shown in [
        r#"aria-sort="ascending"><a class="sort" href="/console/customers?sort=-name">"#,
        r#"<a class="sort" href="/console/customers?sort=identification">"#,
        r#"<input type="hidden" name="sort" value="name">"#,
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let down = visitor.page("/customers?sort=-name");
    assert!(down.contains(r#"aria-sort="descending"><a class="sort" href="/console/customers">"#), "{down}");
}

#[test]
fn a_list_stands_in_the_order_of_names_that_its_records_only_refer_to() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let names = ["Zélia", "ana", "Érica", "Bruno"];
    for (name, kind) in names.iter().zip([3, 1, 4, 2]) {
        let customer = office.customer(name, json!({}));
        let lawsuit = office.lawsuit(&[customer], json!({}));
        office.task(lawsuit, json!({ "tasks_id": kind }));
    }
    // Behind the one who comes first, whoever else it is about.
    let both = ["Carla", "Aldo"].map(|name| office.customer(name, json!({})));
    office.lawsuit(&both, json!({}));
    let ordered = |list: &str, names: &[&str]| {
        let page = visitor.page(list);
        let rows = &page[page.find("<tbody").unwrap_or_else(|| panic!("{list}: {page}"))..];
        let at = names.iter().map(|name| rows.find(name).unwrap_or_else(|| panic!("{list}, {name}: {rows}")));
        let at = at.collect::<Vec<_>>();
        assert!(at.is_sorted(), "{list}: {at:?}");
        assert!(page.contains("aria-sort="), "{list}");
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
            let end = page.find(name)?;
            let start = page[..end].rfind("offset=")?;
            page[start + 7..end].split('"').next().map(str::to_owned)
        })
    };
    let at = |offsets: [&str; 4]| offsets.map(|at| Some(at.to_owned()).filter(|at| !at.is_empty()));
    assert_eq!(pages(""), at(["", "", "50", "100"]));
    assert_eq!(pages("?offset=50"), at(["0", "0", "100", "100"]));
    assert_eq!(pages("?offset=100"), at(["0", "50", "", ""]));
    assert_eq!(pages("?sort=name&offset=9000"), at(["0", "100", "", ""]));
    assert_eq!(pages("?q=100"), at(["", "", "", ""]));
    let last = visitor.page("/customers?sort=name&offset=100");
    assert!(last.contains(">Cliente 101<") && !last.contains(">Cliente 100<"), "{last}");
}

#[test]
fn a_row_says_what_was_found_where_it_does_not_show_it() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let ana =
        json!({ "cellphone": "(48) 98888-0000", "phone": "(48) 3333-1234", "email": "souza@exemplo.com.br" });
    let customer = office.customer("Ana", ana);
    let notes = format!("{} perícia médica marcada {}", "antes ".repeat(40), "depois ".repeat(40));
    office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100", "protocol_number": "2026/000123", "notes": notes }));
    for (path, hit) in [
        ("/customers?q=33331234", Some("Phone: <mark>(48) 3333-1234</mark>")),
        ("/customers?q=98888", None),
        ("/customers?q=souza@", Some("E-mail: <mark>souza@exemplo.com.br</mark>")),
        ("/customers?q=ana", None),
        ("/lawsuits?q=2026/0001", Some("Protocol: <mark>2026/000123</mark>")),
        ("/lawsuits?q=8100", None),
        ("/lawsuits?notes=pericia", Some("antes antes <mark>perícia</mark> médica marcada")),
        ("/customers/pick?q=33331234", Some("Phone: <mark>(48) 3333-1234</mark>")),
    ] {
        let page = visitor.page(path);
        assert!(page.contains("Ana"), "{path}: {page}");
        match hit {
            Some(hit) => assert!(page.contains(hit), "{path}: {page}"),
            None => assert!(!page.contains("<mark>"), "{path}: {page}"),
        }
    }
}

#[test]
fn what_is_not_there_can_be_registered_as_it_was_typed() {
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
        // Nobody begins a record with a filter.
        ("/customers?city=Laguna", None),
    ] {
        let page = visitor.page(path);
        match new {
            Some(new) => assert!(page.contains(&format!("href=\"{new}\"")), "{path}: {page}"),
            None => assert!(page.contains("Nothing found") && !page.contains("new?"), "{path}: {page}"),
        }
    }
    visitor.language = "pt-BR";
    assert!(visitor.page("/customers?q=Zoe").contains("Novo cliente “Zoe”"));
    assert!(visitor.page("/customers/new?name=Zoe").contains("value=\"Zoe\""));
}

#[test]
fn a_slip_is_forgiven_where_nothing_else_is_found() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for name in ["Maria da Silva", "José da Silva", "Selva Ramos"] {
        office.customer(name, json!({}));
    }
    for (typed, meant) in [("Slva", "silva"), ("maira slva", "maria silva"), ("Ramso", "ramos")] {
        let page = visitor.page(&format!("/customers?q={}", typed.replace(' ', "+")));
        let says = format!("Nothing found for <strong>{typed}</strong>; showing <strong>{meant}</strong>");
        assert!(page.contains(&says), "{typed}: {page}");
    }
    // Of two words that are as near the one that more records have; what is found is never put aside.
    assert!(!visitor.page("/customers?q=Slva").contains("Selva Ramos"));
    assert!(!visitor.page("/customers?q=sel").contains("showing"));
    for typed in ["xyzw", "slv", "1234"] {
        assert!(visitor.page(&format!("/customers?q={typed}")).contains("Nothing found"), "{typed}");
    }
    // Where a form means one record, nothing is taken for another.
    let fields =
        [("users_id", "1"), ("customers_id", "Ramso"), ("stages_id", "12"), ("type_lawsuits_id", "1")];
    assert_eq!(visitor.send("/lawsuits/new", &fields).status, 422);
}
