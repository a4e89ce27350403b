//! Fields that reference another record. The record is searched for, chosen, and shown by its name. The field is
//! refused if there is no such record.

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

const NUMBER: &str = "0000002-65.2005.4.05.8100";

/// Returns an office with two lawsuits: Ana's with the number, and Bia's without one.
fn office() -> Office {
    let office = Office::new();
    for (name, number) in [("Ana", json!(NUMBER)), ("Bia", json!(null))] {
        let customer = office.customer(name, json!({}));
        let lawsuit = json!({ "users_id": 1, "stages_id": 12, "type_lawsuits_id": 1, "customers_id": [customer], "process_number": number });
        assert_eq!(office.post("/lawsuits", &lawsuit).status, 201);
    }
    office
}

/// The required fields of a transaction, for one lawsuit.
fn fields(lawsuit: &str) -> Vec<(&str, &str)> {
    vec![
        ("users_id", "1"),
        ("entry_type", "income"),
        ("debit_account", "1"),
        ("categories_id", "1"),
        ("cost_centers_id", "1"),
        ("amount", "10,00"),
        ("date_due", "15/12/2026"),
        ("lawsuits_id", lawsuit),
    ]
}

#[test]
fn a_record_is_chosen_by_its_id_or_by_an_unambiguous_search() {
    let office = office();
    let visitor = Visitor::new(&office);
    for (at, (typed, lawsuit)) in
        [("1", 1), (" 2 ", 2), (NUMBER, 1), ("00000026520054058100", 1), ("bia", 2)].into_iter().enumerate()
    {
        // The transactions differ in their lawsuit only, so `alike` confirms the possible duplicates.
        let fields = [fields(typed), vec![("alike", "1,2,3,4")]].concat();
        let added = visitor.send("/transactions/new", &fields);
        assert_eq!(added.status, 303, "{typed}: {}", added.text());
        let stored = office.get(&format!("/transactions/{}", at + 1)).json();
        assert_eq!(stored["lawsuit_id"], lawsuit, "{typed}");
    }
    let page = visitor.page("/transactions/1");
    let case = format!("Ana · Ação de cobrança · {NUMBER}");
    assert_eq!(
        (page.link(&case), page.link("Ana")),
        ("/console/lawsuits/1".into(), "/console/customers/1".into())
    );
    // The form has the number in the field and shows the record beside it.
    let form = visitor.page("/transactions/1/edit");
    assert_eq!((form.link(&case), form.field("Lawsuit").value()), ("/console/lawsuits/1".into(), "1".into()));
    assert!(visitor.page("/transactions/new?lawsuits_id=1").has_link(&case), "a link prefills the field");
}

#[test]
fn an_unknown_or_ambiguous_record_is_refused_beside_the_field() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    for (typed, en, pt) in [
        ("77", "No lawsuit has the id 77", "Não há processo com o número 77"),
        ("0", "Must be an id", "Deve ser o número de um cadastro"),
        ("99999999999", "Nothing found; type the record's number", "Nada encontrado; digite o número"),
        ("carla", "Nothing found; type the record's number", "Nada encontrado; digite o número"),
        (
            "a",
            "2 found; type the number of one of them: no. 1 (Ana · Ação de cobrança · 0000002-65.2005.4.05.8100)",
            "2 encontrados; digite o número de um deles: nº 1",
        ),
    ] {
        for (language, says) in [("en", en), ("pt-BR", pt)] {
            visitor.language = language;
            let refused = visitor.send("/transactions/new", &fields(typed));
            let field = refused.page().control("lawsuits_id");
            assert_eq!(refused.status, 422, "{typed}");
            assert_eq!((field.value().as_str(), field.is_wrong()), (typed, true), "the typed value is kept");
            assert!(field.error().starts_with(says), "{typed}: {says}: {field}");
        }
    }
    // All other errors are reported in the same response.
    let refused = visitor.send("/transactions/new", &[("lawsuits_id", "carla"), ("amount", "0")]);
    assert_ne!(refused.page().control("amount").error(), "");
    assert_eq!(office.get("/transactions").json()["totalCount"], 0);
}

#[test]
fn a_new_records_form_shows_the_default_values() {
    let office = office();
    let visitor = Visitor::new(&office);
    let form = visitor.page("/transactions/new");
    assert!(form.field("Internal").is_checked(), "{form}");
}
