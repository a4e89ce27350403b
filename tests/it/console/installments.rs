//! Several transactions from one form: instalments, edited one by one before they are stored, and monthly
//! repetitions (day 38).

use serde_json::{Value, json};

use super::page::Page;
use super::visitor::Visitor;
use crate::office::Office;

/// The fields of the form for a new transaction, without the payment plan.
const FEES: [(&str, &str); 8] = [
    ("users_id", "1"),
    ("entry_type", "income"),
    ("categories_id", "1"),
    ("debit_account", "1"),
    ("cost_centers_id", "1"),
    ("amount", "1000"),
    ("date_due", "2027-01-31"),
    ("description", "Fees"),
];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = FEES.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    kept.copied().chain(more.iter().copied()).collect()
}

/// Returns due day and amount of all transactions, by id.
fn all(office: &Office) -> Vec<(String, f64)> {
    let list = office.get("/transactions").json();
    let one = |one: &Value| (one["date_due"].as_str().unwrap().to_owned(), one["amount"].as_f64().unwrap());
    list["data"].as_array().unwrap().iter().map(one).collect()
}

/// Returns the values of the form's instalment fields.
fn parts(page: &Page) -> Vec<String> {
    let is_part = |name: &str| name.starts_with("due-") || name.starts_with("amount-");
    page.fields().into_iter().filter(|(name, _)| is_part(name)).map(|(_, value)| value).collect()
}

#[test]
fn twelve_instalments_are_added_with_one_form() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let stored = visitor.send("/transactions/new", &with(&[("installments", "12")]));
    assert_eq!((stored.status, stored.header("location")), (303, "/console/transactions/1?done=created"));
    let all = all(&office);
    assert_eq!(
        (all.len(), &all[0], &all[1]),
        (12, &("2027-01-31".to_owned(), 83.37), &("2027-02-28".to_owned(), 83.33))
    );
    let page = visitor.page("/transactions/12");
    let series = page.section("Instalments and repetitions 12");
    assert!(series.contains("Fees 1/12") && page.contains("Fees 12/12"), "{page}");
    assert!(!page.has_button("End the repetition"), "{page}");

    assert_eq!(
        visitor.send("/transactions/new", &with(&[("installments", "2"), ("description", "")])).status,
        303
    );
    let heading = visitor.page("/transactions/14").heading();
    assert_eq!(heading, "Honorários iniciais 2/2", "the heading is the category");

    // The amount is that of each instalment, typed in Brazilian notation.
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let each =
        with(&[("installments", "3"), ("amount", "1.500,50"), ("amount_is", "each"), ("date_due", "10/12")]);
    assert_eq!(visitor.send("/transactions/new", &each).status, 303);
    let last = self::all(&office).split_off(14);
    assert_eq!(
        last.iter().map(|(day, _)| day.as_str()).collect::<Vec<_>>(),
        ["2026-12-10", "2027-01-10", "2027-02-10"]
    );
    assert!(last.iter().all(|(_, amount)| *amount == 1500.5));
}

#[test]
fn instalments_can_be_edited_before_they_are_stored() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let address = "/transactions/parts?installments=3&amount=1000&date_due=2027-01-31&remainder=last";
    let part = visitor.part(address);
    assert_eq!(parts(&part), ["2027-01-31", "333.33", "2027-02-28", "333.33", "2027-03-31", "333.34"]);
    assert_eq!(part.for_script("total")[0].text(), "1,000.00");
    for none in
        ["installments=1", "installments=3&amount=0", "installments=3&amount=10&date_due=31/02/2027", ""]
    {
        let part = visitor.part(&format!("/transactions/parts?{none}"));
        assert_eq!(parts(&part), [""; 0], "{none}");
    }

    // Without JavaScript, a button shows the instalments and stores nothing.
    let plan = [("installments", "3"), ("remainder", "last")];
    let shown = visitor.send("/transactions/new", &with(&[&plan[..], &[("show", "parts")]].concat()));
    assert_eq!((shown.status, all(&office).len()), (200, 0));
    let page = shown.page();
    assert_eq!(parts(&page)[5], "333.34");
    let made_of = page.control("parts-of").value();
    let rows = [
        ("due-1", "2027-01-31"),
        ("amount-1", "500"),
        ("due-2", "2027-03-05"),
        ("amount-2", "300.01"),
        ("due-3", "2027-03-31"),
        ("amount-3", "333.34"),
    ];
    let changed = [&plan[..], &[("parts-of", made_of.as_str())], &rows].concat();
    assert_eq!(visitor.send("/transactions/new", &with(&changed)).status, 303);
    let stored = [("2027-01-31", 500.0), ("2027-03-05", 300.01), ("2027-03-31", 333.34)];
    assert_eq!(all(&office), stored.map(|(day, amount)| (day.to_owned(), amount)));

    // If the values changed since the instalments were computed, they are computed again.
    let other = [&changed[..], &[("amount", "9")]].concat();
    assert_eq!(visitor.send("/transactions/new", &with(&other)).status, 303);
    assert_eq!(all(&office)[3..].iter().map(|(_, amount)| *amount).collect::<Vec<_>>(), [3.0, 3.0, 3.0]);
}

#[test]
fn errors_in_a_payment_plan_are_shown_beside_their_fields_and_values_kept() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let whole = "Must be a whole number from 2 to 120";
    for (plan, field, sentence) in [
        (&[("installments", "0")][..], "installments", whole),
        (&[("installments", "1")], "installments", whole),
        (&[("installments", "121")], "installments", whole),
        (&[("installments", "doze")], "installments", whole),
        (
            &[("installments", "2"), ("amount", "0.01")],
            "amount",
            "Must give each instalment a centavo at least",
        ),
        (
            &[("installments", "2"), ("recurrence", "true")],
            "installments",
            "Must not stand beside the repetition",
        ),
        (
            &[("recurrence", "true"), ("recurrent_until", "12/2026")],
            "recurrent_until",
            "Must not be before the start",
        ),
        (
            &[("recurrence", "true"), ("recurrent_until", "13/2027")],
            "recurrent_until",
            "Must be a month and a year",
        ),
        (&[("installments", "2"), ("amount", "0")], "amount", "Must be more than 0"),
        (&[("installments", "2"), ("date_due", "31/02")], "date_due", "Must be a date that exists"),
    ] {
        let refused = visitor.send("/transactions/new", &with(plan));
        let page = refused.page();
        assert_eq!(refused.status, 422, "{plan:?}: {page}");
        let field = page.control(field);
        assert!(field.error().starts_with(sentence), "{plan:?}: {field}");
        assert!(page.leads_to(&field.anchor()), "{plan:?}: {page}");
        for (name, value) in with(plan).iter().filter(|(name, _)| {
            ["installments", "amount", "recurrent_until", "description", "date_due"].contains(name)
        }) {
            assert_eq!(page.control(name).value(), *value, "{name}");
        }
    }
    let rows = [
        ("installments", "2"),
        ("parts-of", "2|1000|2027-01-31|00"),
        ("due-1", "31/02/2027"),
        ("amount-1", "500"),
        ("due-2", "2027-02-28"),
        ("amount-2", "x"),
    ];
    let refused = visitor.send("/transactions/new", &with(&rows));
    let page = refused.page();
    assert_eq!(refused.status, 422);
    assert_eq!(parts(&page), ["31/02/2027", "500", "2027-02-28", "x"]);
    for (name, sentence) in [("due-1", "Must be a date"), ("amount-2", "Must be an amount")] {
        let field = page.control(name);
        assert!(field.error().starts_with(sentence), "{field}");
    }
    assert!(page.contains("List of instalments"), "{page}");
    assert_eq!(all(&office).len(), 0);
}

#[test]
fn a_repetition_is_started_shown_and_ended() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let monthly = [("recurrence", "true"), ("recurrent_until", "12/2026"), ("date_due", "2026-06-20")];
    let stored = visitor.send("/transactions/new", &with(&monthly));
    assert_eq!((stored.status, all(&office).len()), (303, 2), "{}", stored.text());
    for id in 1..=2 {
        let page = visitor.page(&format!("/transactions/{id}"));
        assert!(
            page.contains("every month, until 12/2026") && page.has_button("End the repetition"),
            "{page}"
        );
        assert!(page.contains("Instalments and repetitions"), "{page}");
    }
    let ended = visitor.send("/transactions/1/do", &[("action", "end")]);
    assert_eq!((ended.status, ended.header("location")), (303, "/console/transactions/1?done=end"));
    let page = visitor.page("/transactions/1?done=end");
    assert!(page.contains("The repetition has ended.") && !page.has_button("End the repetition"), "{page}");
    assert_eq!(office.get("/transactions/2").json()["is_recurrent"], false);

    let open = with(&[("recurrence", "true"), ("date_due", "2026-06-20"), ("amount", "7")]);
    assert_eq!(visitor.send("/transactions/new", &open).status, 303);
    assert!(visitor.page("/transactions/3").contains("every month, until it is ended"));
    // Submitting the form twice stores it once.
    let form = visitor.page("/transactions/new");
    let version = form.control("version").value();
    let twice = with(&[("installments", "2"), ("amount", "99"), ("version", version.as_str())]);
    for _ in 0..2 {
        assert_eq!(visitor.send("/transactions/new", &twice).status, 303);
    }
    assert_eq!(all(&office).len(), 6);
}

#[test]
fn a_form_prefills_the_latest_values_and_groups_categories_by_type() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    office.post("/settings/users", &json!({ "name": "Rui Prado" }));
    let lawsuit = office.lawsuit(&[ana], json!({ "users_id": 2 }));
    let visitor = Visitor::new(&office);
    let path = format!("/transactions/new?lawsuits_id={lawsuit}");
    let all = |page: &Page| {
        ["entry_type", "categories_id", "debit_account", "cost_centers_id", "users_id"]
            .map(|name| page.control(name).value())
    };
    let page = visitor.page(&path);
    assert_eq!(all(&page), ["income", "1", "1", "1", "2"]);
    assert!(page.field("Amount (R$)").is_focused(), "{page}");
    assert!(!page.has_field("Recurrent"), "the payment plan has this field");
    let income = page.field("Category").group("Income").expect("a group");
    assert_eq!(income.script("of").as_deref(), Some("income"));
    assert!(page.for_script("of").iter().any(|group| group.script("of").unwrap() == "expense"), "{page}");
    assert_eq!(
        visitor.send("/transactions/new", &with(&[("categories_id", "3"), ("debit_account", "2")])).status,
        303
    );
    assert_eq!(all(&visitor.page(&path)), ["income", "3", "2", "1", "2"]);
    let edit = visitor.page("/transactions/1/edit");
    assert!(edit.has_field("Recurrent") && edit.sent_as("installments").is_empty(), "{edit}");
}

#[test]
fn the_list_shows_overdue_transactions_and_then_this_month() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for (text, due, paid) in [
        ("Old debt", "2026-03-01", ""),
        ("Yesterday", "2026-06-16", ""),
        ("Today", "2026-06-17", ""),
        ("Paid early", "2026-06-30", "2026-06-02"),
        ("Next month", "2026-07-01", ""),
        ("Paid long ago", "2025-01-01", "2025-01-02"),
    ] {
        let body = json!({
            "entry_type": "income", "date_due": due, "date_payment": paid, "amount": 10, "description": text,
            "users_id": 1, "categories_id": 1, "cost_centers_id": 1, "debit_account": 1,
        });
        assert_eq!(office.post("/transactions", &body).status, 201);
    }
    let shown = |query: &str| {
        let page = visitor.page(&format!("/transactions{query}"));
        let records = page
            .links()
            .into_iter()
            .filter_map(|link| link.strip_prefix("/console/transactions/")?.parse().ok());
        records.collect::<Vec<u32>>()
    };
    assert_eq!(shown(""), [1, 2, 2, 3, 4], "overdue transactions, then June by day");
    assert_eq!(shown("?tab=month"), shown(""));
    assert_eq!(shown("?tab=open"), [3, 5]);
    assert_eq!(shown("?tab=overdue"), [1, 2]);
    assert_eq!(shown("?tab=paid"), [4, 6]);
    assert_eq!(shown("?tab=all"), [6, 5, 4, 3, 2, 1]);
    assert_eq!(shown("?status=overdue"), [2, 1], "a filter replaces the default tab");
    assert_eq!(shown("?q=debt"), [1]);
    assert_eq!(shown("?tab=open&sort=-date_due"), [5, 3]);
    let page = visitor.page("/transactions");
    assert_eq!(page.link(&page.current("Status")), "/console/transactions?tab=month");
    let csv = office.raw("GET", "/console/transactions/export?as=csv", &visitor.headers(), None).text();
    assert!(
        csv.contains("Today") && !csv.contains("Old debt"),
        "an export has the transactions of the tab: {csv}"
    );
    office.pass(200 * 86_400);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/transactions?tab=month");
    assert!(page.contains("Nothing in this tab.") && page.contains("Old debt"), "{page}");
}

/// Regression: exports said `open` of a repetition without an end, and `F`, `MANUAL` and `CRÉDITO`.
#[test]
fn exports_have_the_words_of_the_pages() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Bia Reis", json!({ "gender": "F" }));
    office.customer("Caio Luz", json!({ "gender": "o", "situation": "deceased" }));
    let body = json!({ "entry_type": "expense", "amount": 900, "date_due": "2026-06-17", "users_id": 1, "categories_id": 9,
        "cost_centers_id": 1, "debit_account": 1, "recurrence": "monthly" });
    for more in
        [json!({ "description": "Rent" }), json!({ "description": "Phone", "recurrent_until": "12/2026" })]
    {
        assert_eq!(office.post("/transactions", &crate::forms::with(body.clone(), &more)).status, 201);
    }
    let export = |visitor: &Visitor<'_>, list: &str| {
        let path = format!("/console/{list}/export?as=csv&tab=all");
        office.raw("GET", &path, &visitor.headers(), None).text()
    };
    let transactions = export(&visitor, "transactions");
    for word in ["\"Expense\"", "\"every month, until it is ended\"", "\"every month, until 12/2026\""] {
        assert!(transactions.contains(word), "{word}: {transactions}");
    }
    assert!(!transactions.contains("\"open\"") && !transactions.contains("\"2026-12\""), "{transactions}");
    let customers = export(&visitor, "customers");
    assert!(
        ["\"Female\"", "\"Other\"", "\"Deceased\""].iter().all(|word| customers.contains(word)),
        "{customers}"
    );
    assert!(export(&visitor, "publications").contains("\"Issuing body\""));
    visitor.language = "pt-BR";
    assert!(export(&visitor, "transactions").contains("\"todo mês, até ser encerrado\""));
    let customers = export(&visitor, "customers");
    assert!(
        ["\"Feminino\"", "\"Outro\"", "\"Falecido\""].iter().all(|word| customers.contains(word)),
        "{customers}"
    );
    assert!(export(&visitor, "publications").contains("\"Órgão\""));
}
