//! Transactions in the console: the totals of a list, and a button that marks one as paid (resources 16).

use serde_json::json;

use super::visitor::Visitor;
use crate::office::Office;

/// Returns an office with overdue income of 1,000.00, paid income of 500.50 and an unpaid expense of 2,000.00.
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
fn sums_cover_all_listed_transactions() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    let sums = |visitor: &Visitor<'_>, path: &str| {
        let names = ["Sums of the transactions listed", "Somas dos lançamentos listados"];
        let table = names.iter().find_map(|name| visitor.page(path).find_table(name));
        let rows = table.map(|table| table.rows()).unwrap_or_default();
        rows.iter().flat_map(|row| row.cells().split_off(1)).collect::<Vec<_>>().join(" ")
    };
    // Columns: paid, not due yet, overdue, total. Rows: income, expense, balance.
    let all = "500.50 0.00 1,000.00 1,500.50 0.00 2,000.00 0.00 2,000.00 500.50 −2,000.00 1,000.00 −499.50";
    assert_eq!(sums(&visitor, "/transactions"), all);
    assert_eq!(
        sums(&visitor, "/transactions?status=overdue"),
        "0.00 0.00 1,000.00 1,000.00 0.00 0.00 0.00 0.00 0.00 0.00 1,000.00 1,000.00"
    );
    assert_eq!(sums(&visitor, "/transactions?offset=50"), all, "the sums are the same on every page");
    assert_eq!(sums(&visitor, "/transactions?q=zzz"), "", "an empty list has no sums");
    assert_eq!(sums(&visitor, "/customers"), "");
    visitor.language = "pt-BR";
    assert!(sums(&visitor, "/transactions").ends_with("−499,50"));
}

#[test]
fn a_button_marks_a_transaction_as_paid_and_as_not_paid() {
    let office = office();
    let visitor = Visitor::new(&office);
    let paid = || office.get("/transactions/1").json()["date_payment"].clone();
    let page = visitor.page("/transactions/1");
    assert!(page.has_button("Mark as paid") && page.contains("Overdue"), "{page}");
    let done = visitor.send("/transactions/1/do", &[("action", "pay")]);
    assert_eq!((done.status, done.header("location")), (303, "/console/transactions/1?done=pay"));
    assert_eq!(paid(), "2026-06-17");
    let page = visitor.page("/transactions/1?done=pay");
    assert!(page.contains("Marked as paid today.") && page.has_button("Mark as not paid"), "{page}");
    assert_eq!(visitor.send("/transactions/1/do", &[("action", "unpay")]).status, 303);
    assert_eq!(paid(), json!(null));
    assert!(visitor.page("/transactions").contains("Due today"));
}
