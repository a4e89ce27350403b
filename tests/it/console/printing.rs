//! What only printed pages have (office 58): the day, the month of birthdays, and how many records are left out.

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

#[test]
fn a_printed_page_has_the_office_and_the_day() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    assert!(visitor.page("/customers").contains("Printed on 2026-06-17"), "also without a name");
    let saved = visitor.send("/settings", &[("office.name", "Prado Advogados"), ("was-office.name", "")]);
    assert_eq!(saved.status, 303, "{}", saved.text());
    visitor.language = "pt-BR";
    for path in
        ["/customers", "/posts", "/agenda", "/birthdays", "/transactions/overdue", "/transactions/cash"]
    {
        let page = visitor.page(path);
        assert!(page.is_in_order(&["Prado Advogados", "Impresso em 17/06/2026"]), "{path}: {page}");
    }
    let page = visitor.page("/birthdays?month=5");
    assert!(page.contains("Maio de 2026"), "{page}");
}

#[test]
fn a_printed_page_says_what_it_leaves_out() {
    let office = Office::new();
    let customer = office.customer("Zélia Ramos", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    for number in 0..7 {
        let body = json!({ "lawsuit_id": lawsuit, "date": "17/06/2026", "description": format!("Petição {number}") });
        assert_eq!(office.post("/movements", &json!({ "movements": [body] })).status, 200);
    }
    let visitor = Visitor::new(&office);
    let page = visitor.page(&format!("/lawsuits/{lawsuit}"));
    assert!(page.contains("Movements 5 of 7"), "{page}");
    assert!(page.contains("Customers 1"), "{page}");
    let list = visitor.page(&format!("/movements?lawsuit_id={lawsuit}"));
    assert!(list.contains("Lawsuit: Zélia Ramos") && !list.contains("Choose lawsuit:"), "{list}");
    assert!(!list.contains("to print all"), "{list}");
    for number in 0..50 {
        office.customer(&format!("Olga {number}"), json!({}));
    }
    let list = visitor.page("/customers");
    assert!(list.contains("1–50; to print all, export the list and print the spreadsheet"), "{list}");
}
