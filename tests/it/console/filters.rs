//! What the filters of the console's lists show and find, and what it says of records that may be there already.

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

/// Where the texts stand in a page, in the order given; each has to be there.
fn places(page: &str, texts: [&str; 3]) -> [usize; 3] {
    texts.map(|text| page.find(text).unwrap_or_else(|| panic!("{text}: {page}")))
}

#[test]
fn a_list_begins_with_the_newest_where_somebody_asks_for_that() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for name in ["Ana Souza", "Bruno Costa", "Carla Dias"] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
    }
    let names = [">Ana Souza<", ">Bruno Costa<", ">Carla Dias<"];
    for list in ["customers", "lawsuits"] {
        for (asked, newest_first) in
            [("", false), ("?order=", false), ("?order=asc", false), ("?order=desc", true)]
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
        [("en", "Order", "Newest first"), ("pt-BR", "Ordem", "Mais novos primeiro")]
    {
        visitor.language = language;
        let page = visitor.page("/customers?order=desc");
        assert!(page.contains(&format!(r#"<label for="q-order">{label}</label>"#)), "{page}");
        assert!(page.contains(&format!(r#"<option value="desc" selected>{choice}</option>"#)), "{page}");
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
            (page.contains(">Ana Souza<"), page.contains(">Bruno Costa<")),
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
        assert_eq!(page.contains(">Ana Souza<"), found, "{list}?{asked}: {page}");
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
fn who_adds_a_lawsuit_of_a_number_that_others_have_is_told_which() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let add = |visitor: &Visitor, number: &str| {
        let fields = [
            ("users_id", "1"),
            ("customers_id", "1"),
            ("stages_id", "12"),
            ("type_lawsuits_id", "1"),
            ("process_number", number),
        ];
        visitor.send("/lawsuits/new", &fields).header("location").to_owned()
    };
    let number = "0000002-65.2005.4.05.8100";
    assert_eq!(add(&visitor, number), "/console/lawsuits/1?done=created");
    assert_eq!(add(&visitor, ""), "/console/lawsuits/2?done=created");
    assert_eq!(add(&visitor, number), "/console/lawsuits/3?done=created&alike=1");
    let told = add(&visitor, "00000026520054058100");
    assert_eq!(told, "/console/lawsuits/4?done=created&alike=1&alike=3");
    let path = told.strip_prefix("/console").unwrap();
    for (language, says) in [
        ("en", "There were others of this number; see that it is not the same lawsuit: "),
        ("pt-BR", "Já havia outros com este número; confira se não é o mesmo processo: "),
    ] {
        visitor.language = language;
        let page = visitor.page(path);
        let link = |id: u32| {
            format!(
                "<a href=\"/console/lawsuits/{id}\">{} {id}</a>",
                if language == "en" { "no." } else { "nº" }
            )
        };
        assert!(page.contains(&format!("{says}{}, {}", link(1), link(3))), "{page}");
    }
    assert!(!visitor.page("/lawsuits/2?done=created").contains("not the same"));
}
