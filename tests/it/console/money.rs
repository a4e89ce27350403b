//! Transactions in the console: what those listed come to, and paid by a button (resources 16).

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

/// Income of 1,000.00 that is late and of 500.50 that was paid, and an expense of 2,000.00.
fn office() -> Office {
    let office = Office::new();
    for (kind, category, amount, due, paid) in [
        ("income", 1, "1000", "2026-06-16", ""),
        ("income", 1, "500.50", "2026-06-01", "2026-06-02"),
        ("expense", 9, "2000", "2026-06-17", ""),
    ] {
        let body = json!({
            "entry_type": kind, "date_due": due, "date_payment": paid, "amount": amount, "description": "Parcela",
            "users_id": 1, "categories_id": category, "cost_centers_id": 1, "debit_account": 1,
        });
        let reply = office.post("/transactions", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    office
}

#[test]
fn the_sums_are_of_what_is_listed() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    let sums = |visitor: &Visitor<'_>, path: &str| {
        let page = visitor.page(path);
        let table = page.split("<table class=\"sums\"").nth(1).and_then(|rest| rest.split("</table>").next());
        let cells = regex::Regex::new(r#"<td class="number[^"]*">([^<]*)</td>"#).unwrap();
        let table = table.unwrap_or_default();
        cells.captures_iter(table).map(|cell| cell[1].to_owned()).collect::<Vec<_>>().join(" ")
    };
    // Paid, not due yet, overdue and all together, of income, of expense and of what is left.
    let all = "500.50 0.00 1,000.00 1,500.50 0.00 2,000.00 0.00 2,000.00 500.50 −2,000.00 1,000.00 −499.50";
    assert_eq!(sums(&visitor, "/transactions"), all);
    assert_eq!(
        sums(&visitor, "/transactions?status=overdue"),
        "0.00 0.00 1,000.00 1,000.00 0.00 0.00 0.00 0.00 0.00 0.00 1,000.00 1,000.00"
    );
    assert_eq!(sums(&visitor, "/transactions?offset=50"), all, "whatever the page");
    assert_eq!(sums(&visitor, "/transactions?q=zzz"), "", "of nothing there are none");
    assert_eq!(sums(&visitor, "/customers"), "");
    visitor.language = "pt-BR";
    assert!(sums(&visitor, "/transactions").ends_with("−499,50"));
}

#[test]
fn a_transaction_is_paid_by_a_button_and_unpaid_again() {
    let office = office();
    let visitor = Visitor::new(&office);
    let paid = || office.get("/transactions/1").json()["date_payment"].clone();
    let page = visitor.page("/transactions/1");
    assert!(page.contains("Mark as paid") && page.contains("Overdue"), "{page}");
    let done = visitor.send("/transactions/1/do", &[("action", "pay")]);
    assert_eq!((done.status, done.header("location")), (303, "/console/transactions/1?done=pay"));
    assert_eq!(paid(), "2026-06-17");
    let page = visitor.page("/transactions/1?done=pay");
    assert!(page.contains("Marked as paid today.") && page.contains("Mark as not paid"), "{page}");
    assert_eq!(visitor.send("/transactions/1/do", &[("action", "unpay")]).status, 303);
    assert_eq!(paid(), json!(null));
    assert!(visitor.page("/transactions").contains("Due today"));
}
