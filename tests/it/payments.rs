//! Money as it is received: payments in part, discounts, interest and refunds (office 54).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pleito::domain::{Day, YearMonth};
use pleito::store::Store;
use pleito::store::nouns::transactions::cash::{Paid, overdue, paid_by_entry};
use pleito::store::nouns::transactions::owed;
use pleito::supervisor::MonthlyTransactions;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::console::money::{newest, put_back};
use crate::console::visitor::Visitor;
use crate::forms::with;
use crate::office::{Office, Reply};
use crate::program::{run, streams};
use crate::transactions::create;

/// Returns some members of a transaction.
fn members(office: &Office, id: u64, names: &[&str]) -> Value {
    let whole = office.get(&format!("/transactions/{id}")).json();
    names.iter().map(|name| whole[*name].clone()).collect()
}

const MONEY: [&str; 4] = ["amount", "discount", "interest", "date_payment"];

fn pay(office: &Office, id: u64, body: Value) -> Reply {
    office.put(&format!("/transactions/{id}/payment"), &body)
}

/// Pays a transaction and returns the id of its rest.
fn paid(office: &Office, id: u64, body: Value) -> Option<u64> {
    let reply = pay(office, id, body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["rest_id"].as_u64()
}

/// Posts an expense with these members in addition to the required ones.
fn expense(office: &Office, more: Value) -> Reply {
    let right = json!({
        "users_id": 1, "entry_type": "expense", "debit_account": 1, "categories_id": returned(office),
        "cost_centers_id": 1, "amount": 100, "date_due": "2026-06-17",
    });
    office.post("/transactions", &with(right, &more))
}

/// Returns the category for refunds of a new store.
fn returned(office: &Office) -> u64 {
    let categories = office.get("/settings").json()["financial"]["categories"].clone();
    let own = categories.as_array().unwrap().iter().find(|one| one["category"] == "Devolução a cliente");
    own.expect("a new store has the category")["id"].as_u64().unwrap()
}

#[test]
fn a_payment_in_part_leaves_a_rest() {
    let office = Office::new();
    let customer = office.customer("Rita Prado", json!({}));
    let more = json!({ "amount": 1000, "description": "Honorários", "installments": 2, "customers_id": customer,
        "external_ids": ["asaas:pay_1"] });
    let first = create(&office, more);
    let reply = pay(&office, first, json!({ "amount": "200,50", "date": "15/06/2026" }));
    assert_eq!(reply.text(), r#"{"success":true,"transactions_id":1,"transaction_id":1,"rest_id":3}"#);
    assert_eq!(reply.header("etag"), office.get("/transactions/1").header("etag"));
    assert_eq!(members(&office, 1, &MONEY), json!([200.5, 0.0, 0.0, "2026-06-15"]));
    let rest =
        ["description", "date_due", "rest_of", "customers_id", "competence", "external_ids", "date_payment"];
    assert_eq!(
        members(&office, 3, &rest),
        json!(["Honorários 1/2 (resto)", "2026-06-17", 1, customer, "06/2026", [], null])
    );
    assert_eq!(members(&office, 3, &["amount"]), json!([299.5]));
    // A rest of a rest is named once, and an empty body settles all of it today.
    assert_eq!(paid(&office, 3, json!({ "amount": 99.5 })), Some(4));
    assert_eq!(
        members(&office, 4, &["description", "amount", "rest_of"]),
        json!(["Honorários 1/2 (resto)", 200.0, 3])
    );
    let settled = office.send("PUT", "/transactions/4/payment", &[], None);
    assert_eq!(settled.json()["rest_id"], Value::Null, "{}", settled.text());
    assert_eq!(members(&office, 4, &MONEY), json!([200.0, 0.0, 0.0, "2026-06-17"]));
    let sums = office.get("/transactions?sums=true").json()["sums"]["income"].clone();
    assert_eq!(sums, json!({ "paid": 500.0, "unpaid": 500.0 }));
}

#[test]
fn discount_and_interest_leave_the_agreed_amount() {
    let office = Office::new();
    let [one, two, three] =
        [0, 1, 2].map(|_| create(&office, json!({ "amount": 1000, "date_due": "2026-05-10" })));
    assert_eq!(paid(&office, one, json!({ "discount": 100, "interest": "12,34" })), None);
    assert_eq!(members(&office, one, &MONEY), json!([912.34, 100.0, 12.34, "2026-06-17"]));
    let rest = paid(&office, two, json!({ "amount": 500, "discount": 50, "interest": 10 })).unwrap();
    assert_eq!(members(&office, two, &MONEY), json!([500.0, 50.0, 10.0, "2026-06-17"]));
    assert_eq!(members(&office, rest, &MONEY), json!([460.0, 0.0, 0.0, null]));

    // Opened again, each is owed as agreed; the rest stays.
    for (id, agreed) in [(one, 1000.0), (two, 540.0)] {
        assert_eq!(office.put(&format!("/transactions/{id}"), &json!({ "date_payment": null })).status, 200);
        assert_eq!(members(&office, id, &MONEY), json!([agreed, 0.0, 0.0, null]));
    }
    assert_eq!(members(&office, rest, &MONEY), json!([460.0, 0.0, 0.0, null]));
    // A change that names an amount means it, and a new day of payment changes nothing else.
    paid(&office, three, json!({ "discount": 1 }));
    office.put(&format!("/transactions/{three}"), &json!({ "date_payment": "2026-06-01" }));
    assert_eq!(members(&office, three, &MONEY), json!([999.0, 1.0, 0.0, "2026-06-01"]));
    office.put(&format!("/transactions/{three}"), &json!({ "date_payment": "", "amount": 70 }));
    assert_eq!(members(&office, three, &MONEY), json!([70.0, 0.0, 0.0, null]));
}

#[test]
fn a_payment_is_refused_with_the_member_that_is_wrong() {
    let office = Office::new();
    let id = create(&office, json!({ "amount": 1000 }));
    for (body, member, code) in [
        (json!({ "amount": 1000.01 }), "amount", "more-than-owed"),
        (json!({ "amount": 950.01, "discount": 50 }), "amount", "more-than-owed"),
        (json!({ "discount": 1000 }), "discount", "more-than-owed"),
        (json!({ "amount": 10, "interest": 10 }), "interest", "out-of-range"),
        (json!({ "amount": 0 }), "amount", "out-of-range"),
        (json!({ "amount": -5 }), "amount", "out-of-range"),
        (json!({ "discount": "muito" }), "discount", "not-an-amount"),
        (json!({ "date": "2026-06-18" }), "date", "in-future"),
        (json!({ "date": "31/02/2026" }), "date", "not-a-date"),
        (json!({ "date": "1899-12-31" }), "date", "out-of-range"),
    ] {
        let reply = pay(&office, id, body.clone());
        assert_eq!(reply.wrong_fields(), [member], "{body}");
        assert_eq!(reply.json()["reasons"][member][0], code, "{body}: {}", reply.text());
    }
    let whole = pay(&office, id, json!({ "discount": 1000 })).json()["errors"]["discount"][0].clone();
    assert!(whole.as_str().unwrap().contains("less than 1000.00"), "{whole}");
    let refused = pay(&office, id, json!({ "amount": 1000.01 })).json()["errors"]["amount"][0].clone();
    assert!(refused.as_str().unwrap().contains("1000.00"), "{refused}");
    assert_eq!(members(&office, id, &MONEY), json!([1000.0, 0.0, 0.0, null]));
    assert_eq!(paid(&office, id, json!({ "amount": 1000.01, "interest": 0.01, "date": "2026-06-17" })), None);
    pay(&office, id, json!({})).problem(409, "already-paid");
    pay(&office, 99, json!({})).problem(404, "not-found");
    // Only a payment sets these members, and a PUT says so.
    let ignored = office.put(&format!("/transactions/{id}"), &json!({ "discount": 5, "description": "x" }));
    assert_eq!(ignored.header("x-ignored-members"), "discount");
}

#[test]
fn a_payment_is_made_once_per_key_and_only_for_the_version_that_was_read() {
    let office = Office::new();
    let id = create(&office, json!({ "amount": 1000 }));
    let path = format!("/transactions/{id}/payment");
    let send =
        |headers: &[(&str, &str)], body: &str| office.send("PUT", &path, headers, Some(body.as_bytes()));
    send(&[("if-match", "\"other\"")], r#"{"amount":1}"#).problem(412, "changed-meanwhile");
    let key = [("idempotency-key", "payment-1")];
    let first = send(&key, r#"{"amount":400}"#);
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, ""), "{}", first.text());
    let again = send(&key, r#"{"amount":400}"#);
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));
    assert_eq!(again.text(), first.text());
    send(&key, r#"{"amount":401}"#).problem(422, "idempotency-key-reused");
    send(&[], r#"{"amount":400}"#).problem(409, "already-paid");
    assert_eq!(office.get("/transactions").json()["totalCount"], 2);
}

#[test]
fn a_repetition_goes_on_with_the_agreed_amount() {
    let office = Office::new();
    create(&office, json!({ "amount": 500, "recurrence": "monthly" }));
    // The newest one, which the next month copies, is paid early, in part and with a discount.
    let rest = paid(&office, 2, json!({ "amount": 150, "discount": 50 })).unwrap();
    paid(&office, rest, json!({ "amount": 120 })).unwrap();
    office.pass(40 * 86_400);
    assert_eq!(MonthlyTransactions::default().create_due(office.app()).unwrap(), 1);
    let members = members(&office, 5, &["amount", "discount", "rest_of", "date_due", "date_payment"]);
    assert_eq!(members, json!([500.0, 0.0, null, "2026-08-17", null]));
}

/// A deleted rest of a payment that was undone counted twice, and the following months copied the amount.
#[test]
fn a_repetition_goes_on_with_the_agreed_amount_after_a_payment_was_undone() {
    let office = Office::new();
    create(&office, json!({ "amount": 500, "recurrence": "monthly" }));
    let newest = || {
        let all = office.get("/transactions").json()["data"].as_array().unwrap().clone();
        all.iter().filter_map(|one| one["id"].as_u64()).max().unwrap()
    };
    let unpaid = json!({ "date_payment": null });
    let corrected = json!({ "amount": 500 });
    let undone = json!({ "date_payment": null, "amount": 500 });
    let lowered = json!({ "amount": 150 });
    let corrections: [(&[&Value], Option<f64>); 8] = [
        (&[], None),
        (&[&unpaid], None),
        (&[&undone], None),
        (&[&unpaid, &corrected], None),
        (&[&undone, &lowered], None),
        (&[&undone], Some(500.0)),
        (&[&undone], Some(200.0)),
        (&[&undone], Some(150.0)),
    ];
    for (changes, paid_again) in corrections {
        let case = format!("{changes:?} {paid_again:?}");
        let paid_in_part = newest();
        let rest = paid(&office, paid_in_part, json!({ "amount": 150 })).unwrap();
        assert_eq!(office.send("DELETE", &format!("/transactions/{rest}"), &[], None).status, 200, "{case}");
        for change in changes {
            assert_eq!(office.put(&format!("/transactions/{paid_in_part}"), change).status, 200, "{case}");
        }
        if let Some(amount) = paid_again {
            paid(&office, paid_in_part, json!({ "amount": amount }));
        }
        office.pass(31 * 86_400);
        assert!(MonthlyTransactions::default().create_due(office.app()).unwrap() > 0, "{case}");
        assert_eq!(members(&office, newest(), &["amount"]), json!([500.0]), "{case}");
    }
}

/// What may happen to the newest transaction of a repetition and to its rest.
#[derive(Clone, Copy, Debug)]
enum Step {
    Pay(u32),
    Change(&'static str),
    ChangeRest(&'static str),
    DeleteRest,
    RestoreRest,
    EmptyTrash,
    UndoPayment,
}

/// The part payment and its rest were added up each month, and counted twice what one of them had taken over.
#[test]
fn a_repetition_goes_on_with_the_agreed_amount_whatever_becomes_of_a_part_payment() {
    use Step::{Change, ChangeRest, DeleteRest, EmptyTrash, Pay, RestoreRest, UndoPayment};
    const OPENED: &str = r#"{"date_payment":null}"#;
    const WHOLE: &str = r#"{"amount":700}"#;
    const OPENED_WHOLE: &str = r#"{"date_payment":null,"amount":700}"#;
    let cases: &[(&[Step], f64)] = &[
        (&[Pay(300), DeleteRest, Change(WHOLE)], 700.0),
        (&[Pay(250), DeleteRest, Change(WHOLE)], 700.0),
        (&[Pay(100), Change(WHOLE), DeleteRest], 700.0),
        (&[Pay(100), DeleteRest, Change(r#"{"amount":600}"#)], 700.0),
        (&[Pay(300), DeleteRest, Change(r#"{"date_payment":null,"amount":650}"#)], 700.0),
        (&[Pay(300), DeleteRest, EmptyTrash], 700.0),
        (&[Pay(300), ChangeRest(r#"{"amount":350}"#)], 700.0),
        // The transaction owes all of it, and its rest still stands.
        (&[Pay(300), Change(OPENED_WHOLE)], 700.0),
        (&[Pay(300), DeleteRest, Change(OPENED), EmptyTrash, Change(r#"{"amount":350}"#)], 700.0),
        (&[Pay(300), DeleteRest, RestoreRest, ChangeRest(r#"{"amount":50}"#), DeleteRest, EmptyTrash], 700.0),
        (&[Pay(300), DeleteRest, UndoPayment, EmptyTrash, Pay(50), DeleteRest, EmptyTrash], 700.0),
        // Another amount was agreed once the payment was undone.
        (&[Pay(300), DeleteRest, Change(OPENED_WHOLE), Change(r#"{"amount":600}"#)], 600.0),
        (&[Pay(650), DeleteRest, UndoPayment, Change(r#"{"amount":800}"#), Pay(10), DeleteRest], 800.0),
    ];
    for (steps, agreed) in cases {
        let office = Office::new();
        let visitor = Visitor::new(&office);
        create(&office, json!({ "amount": 700, "recurrence": "monthly" }));
        let newest = 2;
        let mut rest = 0;
        let send = |method: &str, id: u64, body: &str| {
            let reply = office.send(method, &format!("/transactions/{id}"), &[], Some(body.as_bytes()));
            assert_eq!(reply.status, 200, "{method} {id} {body} in {steps:?}: {}", reply.text());
        };
        for step in *steps {
            match step {
                Pay(amount) => rest = paid(&office, newest, json!({ "amount": amount })).unwrap(),
                Change(body) => send("PUT", newest, body),
                ChangeRest(body) => send("PUT", rest, body),
                DeleteRest => send("DELETE", rest, ""),
                RestoreRest => send("PUT", rest, r#"{"deleted":false}"#),
                EmptyTrash => {
                    assert!(!office.store().erase_deleted(i64::MAX, None).unwrap().is_empty(), "{steps:?}");
                }
                UndoPayment => {
                    assert_eq!(put_back(&office, &visitor, 2, "amount").status, 303, "{steps:?}");
                }
            }
        }
        office.pass(40 * 86_400);
        assert_eq!(MonthlyTransactions::default().create_due(office.app()).unwrap(), 1, "{steps:?}");
        let all = office.get("/transactions").json()["data"].as_array().unwrap().clone();
        let next = all.iter().max_by_key(|one| one["id"].as_u64()).unwrap();
        assert_eq!(next["amount"], *agreed, "{steps:?}");
    }
}

#[test]
fn a_whole_export_contains_what_was_agreed() {
    let office = Office::new();
    create(&office, json!({ "amount": 700, "recurrence": "monthly" }));
    paid(&office, 2, json!({ "amount": 300 }));
    let desk = tempfile::tempdir().unwrap();
    let exported = |folder: &Path, name: &str| {
        let to = desk.path().join(name);
        assert!(run(folder, &["export", to.to_str().unwrap()]).status.success());
        to.join("pleito.jsonl")
    };
    let first = exported(office.folder(), "first");
    let other = tempfile::tempdir().unwrap();
    let imported = run(other.path(), &["import", first.to_str().unwrap(), "--apply"]);
    assert!(imported.status.success(), "{:?}", streams(&imported));
    let lines = fs::read_to_string(exported(other.path(), "second")).unwrap();
    assert_eq!(lines.matches("\"agreed\":700").count(), 1, "{lines}");
}

#[test]
fn an_upgrade_notes_what_was_agreed() {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/stores/schema-9.db.zst");
    let file = folder.path().join("pleito.db");
    fs::write(&file, zstd::decode_all(&fs::read(golden).unwrap()[..]).unwrap()).unwrap();
    let conn = rusqlite::Connection::open(&file).unwrap();
    // Paid in part, with a deleted rest that left another; opened again, with a deleted rest; and never paid.
    for (id, amount, discount, paid, deleted, rest_of, month) in [
        (1, 30_000, 0, Some("2026-06-01"), None, None, Some("2026-06-17")),
        (2, 10_000, 500, Some("2026-06-02"), Some(1), Some(1), None),
        (3, 29_500, 0, None, None, Some(2), None),
        (4, 70_000, 0, None, None, None, Some("2026-06-17")),
        (5, 40_000, 0, None, Some(1), Some(4), None),
        (6, 70_000, 0, None, None, None, Some("2026-06-17")),
        (7, 10_000, 0, Some("2026-06-01"), None, None, Some("2026-06-17")),
        (8, 100, 0, None, None, Some(7), None),
        (9, 70_000, 0, Some("2026-06-01"), None, None, Some("2026-06-17")),
        (10, 40_000, 0, None, Some(1), Some(9), None),
    ] {
        let sql = "INSERT INTO transactions (id, amount, discount, date_payment, deleted_at, rest_of, series_at, series_id,
                entry_type, date_due, competence, is_internal, is_recurrent, user_id, category_id, cost_center_id, debit_account, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, iif(?1 < 4, 1, ?1), 'income', '2026-06-17', '2026-06', 1, 1, 1, 1, 1, 1, 1, 1)";
        conn.execute(sql, (id, amount, discount, paid, deleted, rest_of, month)).unwrap();
    }
    // The payment of the ninth was undone after the tenth was its rest, and made again.
    for (op, id, reason) in [(1, 10, None), (2, 9, Some("payment-undone"))] {
        let sql =
            "INSERT INTO changes (at, op, kind, id, via, reason) VALUES (1, ?1, 'transactions', ?2, 1, ?3)";
        conn.execute(sql, (op, id, reason)).unwrap();
    }
    // More interest than was paid: nothing was agreed that could go on.
    conn.execute("UPDATE transactions SET interest = 50000 WHERE id = 7", []).unwrap();
    conn.close().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let conn = rusqlite::Connection::open(&file).unwrap();
    let mut agreed = conn.prepare("SELECT id, agreed FROM transactions WHERE agreed IS NOT NULL").unwrap();
    let agreed = agreed.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(
        agreed.map(Result::unwrap).collect::<Vec<(u32, i64)>>(),
        [(1, 70_000), (4, 70_000), (9, 70_000)]
    );
}

#[test]
fn a_refund_returns_at_most_what_was_received() {
    let office = Office::new();
    let customer = office.customer("Rita Prado", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    let income = create(&office, json!({ "amount": 1000, "lawsuits_id": lawsuit }));
    let of = |amount: i64| json!({ "amount": amount, "refund_of": income });
    // Nothing was received yet.
    assert_eq!(expense(&office, of(1)).wrong_fields(), ["amount"]);
    paid(&office, income, json!({ "discount": 100 }));
    let refused = expense(&office, of(901));
    assert_eq!(refused.json()["reasons"]["amount"][0], "more-than-received", "{}", refused.text());
    let reply = expense(&office, with(of(300), &json!({ "date_payment": "2026-06-17" })));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let refund = reply.json()["transaction_id"].as_u64().unwrap();
    let own = ["refund_of", "customers_id", "lawsuit_id"];
    assert_eq!(members(&office, refund, &own), json!([income, customer, lawsuit]));
    assert_eq!(expense(&office, of(601)).wrong_fields(), ["amount"]);
    assert_eq!(expense(&office, of(600)).status, 201);
    // The income can be neither opened, nor lowered, nor deleted below what was returned.
    let at = format!("/transactions/{income}");
    assert_eq!(office.put(&at, &json!({ "date_payment": null })).wrong_fields(), ["date_payment"]);
    assert_eq!(office.put(&at, &json!({ "amount": 899 })).wrong_fields(), ["amount"]);
    assert_eq!(office.put(&at, &json!({ "amount": 900 })).status, 200);
    office.send("DELETE", &at, &[], None).problem(422, "in-use");
    // Only an expense is a refund, and only of an income.
    let twice = expense(&office, json!({ "refund_of": refund }));
    assert_eq!(twice.json()["reasons"]["refund_of"][0], "mismatch", "{}", twice.text());
    let other = create(&office, json!({ "amount": 5 }));
    let changed = office.put(&format!("/transactions/{other}"), &json!({ "refund_of": income }));
    assert_eq!(changed.wrong_fields(), ["refund_of"]);
    assert_eq!(expense(&office, json!({ "refund_of": 99 })).wrong_fields(), ["refund_of"]);
    // A refund of a client's is one of that client, whatever is named beside it.
    office.send("DELETE", &format!("/transactions/{refund}"), &[], None);
    assert_eq!(expense(&office, with(of(300), &json!({ "customers_id": customer }))).status, 201);
}

/// Posts a refund and returns its id.
fn refund(office: &Office, income: u64, more: Value) -> u64 {
    let reply = expense(office, with(json!({ "refund_of": income, "date_payment": "2026-06-17" }), &more));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["transaction_id"].as_u64().unwrap()
}

/// Regression: a debt counted twice.
#[test]
fn a_rest_stands_or_its_payment_is_undone() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let first = create(&office, json!({ "amount": 100 }));
    let undo = |id: u64, member: &str| put_back(&office, &visitor, u32::try_from(id).unwrap(), member);
    let delete = |id: u64| {
        let deleted = office.send("DELETE", &format!("/transactions/{id}"), &[], None);
        assert_eq!(deleted.status, 200, "{}", deleted.text());
    };
    let restore = |id: u64| office.put(&format!("/transactions/{id}"), &json!({ "deleted": false }));
    let rest = paid(&office, first, json!({ "amount": 40 })).unwrap();
    let second = paid(&office, rest, json!({ "amount": 10 })).unwrap();
    // Also the rest of a deleted rest.
    delete(rest);
    let refused = undo(first, "amount");
    assert_eq!(refused.status, 422);
    assert!(refused.page().contains(&format!("the rest is transaction {second}")), "{}", refused.page());
    assert_eq!(restore(rest).status, 200);
    delete(second);
    delete(rest);
    assert_eq!(undo(first, "amount").status, 303);
    assert_eq!(members(&office, first, &["amount", "date_payment"]), json!([100.0, null]));
    for id in [rest, second] {
        let refused = restore(id);
        assert_eq!(refused.wrong_fields(), ["rest_of"], "{}", refused.text());
    }
    // The undo of the undo owes the rest again.
    assert_eq!(undo(first, "amount").status, 303);
    assert_eq!(members(&office, first, &["amount"]), json!([40.0]));
    assert_eq!((restore(rest).status, restore(second).status), (200, 200));
    let history = visitor.page(&format!("/transactions/{first}")).section("History");
    assert!(history.contains("Payment undone") && history.contains("Payment restored"), "{history}");
}

/// Regression: the refusal asked to read the record again, for ever.
#[test]
fn the_undo_of_a_payment_names_what_was_changed_since() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let id = create(&office, json!({ "amount": 90 }));
    paid(&office, id, json!({ "interest": 5 }));
    let payment = newest(&office, 1);
    assert_eq!(
        office.put(&format!("/transactions/{id}"), &json!({ "date_payment": "15/06/2026" })).status,
        200
    );
    let undo = |seq: &str, member: &str| {
        visitor.send(&format!("/transactions/{id}/history"), &[("change", seq), ("member", member)])
    };
    let refused = undo(&payment, "amount");
    assert_eq!(refused.status, 422);
    let text = refused.page();
    assert!(text.contains("Paid: was changed later; undo that change first"), "{text}");
    assert_eq!(undo(&newest(&office, 1), "date_payment").status, 303);
    assert_eq!(undo(&payment, "amount").status, 303);
    assert_eq!(members(&office, id, &["amount", "date_payment"]), json!([90.0, null]));
}

#[test]
fn no_way_leads_to_refunds_of_more_than_was_received() {
    let office = Office::new();
    let income = create(&office, json!({ "amount": 100, "date_payment": "2026-06-16" }));
    let at = format!("/transactions/{income}");
    let first = refund(&office, income, json!({ "amount": 30 }));
    office.send("DELETE", &format!("/transactions/{first}"), &[], None);
    let restore = || office.put(&format!("/transactions/{first}"), &json!({ "deleted": false }));

    // Restored after another refund, and of an income that is not paid any more.
    let second = refund(&office, income, json!({ "amount": 90 }));
    assert_eq!(restore().json()["reasons"]["amount"][0], "more-than-received");
    office.send("DELETE", &format!("/transactions/{second}"), &[], None);
    office.put(&at, &json!({ "date_payment": null }));
    assert_eq!(restore().wrong_fields(), ["amount"]);
    office.put(&at, &json!({ "date_payment": "2026-06-17" }));
    assert_eq!(restore().status, 200);

    // Paid with interest, also in part.
    let open = expense(&office, json!({ "refund_of": income, "amount": 60, "date_payment": null }));
    let open = open.json()["transaction_id"].as_u64().unwrap();
    let with_interest = pay(&office, open, json!({ "interest": 10.01 }));
    assert_eq!(with_interest.wrong_fields(), ["amount"], "{}", with_interest.text());
    let in_part = pay(&office, open, json!({ "amount": 66, "interest": 11 }));
    assert_eq!(in_part.wrong_fields(), ["amount"], "{}", in_part.text());
    assert_eq!(members(&office, open, &MONEY), json!([60.0, 0.0, 0.0, null]));
    assert_eq!(paid(&office, open, json!({ "interest": 10 })), None);

    // A repetition would make more of them each month.
    let small = create(&office, json!({ "amount": 5, "date_payment": "2026-06-17" }));
    let monthly = expense(&office, json!({ "refund_of": small, "amount": 5, "recurrence": "monthly" }));
    assert_eq!(monthly.wrong_fields(), ["recurrence"], "{}", monthly.text());
    let parts = expense(&office, json!({ "refund_of": small, "amount": 5, "installments": 2 }));
    assert_eq!(parts.status, 201, "{}", parts.text());
    for id in parts.json()["transactions_ids"].as_array().unwrap() {
        assert_eq!(members(&office, id.as_u64().unwrap(), &["refund_of"]), json!([small]));
    }
}

#[test]
fn a_refund_belongs_to_what_its_income_belongs_to() {
    let office = Office::new();
    let [rita, rui] = ["Rita Prado", "Rui Lopes"].map(|name| office.customer(name, json!({})));
    let lawsuit = office.lawsuit(&[rita, rui], json!({}));
    let more =
        json!({ "amount": 100, "customers_id": rita, "lawsuits_id": lawsuit, "date_payment": "2026-06-16" });
    let income = create(&office, more);
    let of = |id: u64| members(&office, id, &["customers_id", "lawsuit_id"]);
    let other = expense(&office, json!({ "refund_of": income, "customers_id": rui, "amount": 10 }));
    assert_eq!(other.json()["reasons"]["customers_id"][0], "mismatch", "{}", other.text());
    let case = office.lawsuit(&[rita], json!({}));
    let other = expense(&office, json!({ "refund_of": income, "lawsuits_id": case, "amount": 10 }));
    assert_eq!(other.wrong_fields(), ["lawsuits_id"], "{}", other.text());

    // The customer alone is named, as by a form of a person without the right for lawsuits.
    let first = refund(&office, income, json!({ "amount": 10, "customers_id": rita }));
    let second = refund(&office, income, json!({ "amount": 10, "lawsuits_id": lawsuit }));
    let trashed = refund(&office, income, json!({ "amount": 10 }));
    for id in [first, second, trashed] {
        assert_eq!(of(id), json!([rita, lawsuit]));
    }
    let moved = office.put(&format!("/transactions/{first}"), &json!({ "customers_id": rui }));
    assert_eq!(moved.wrong_fields(), ["customers_id"], "{}", moved.text());
    office.send("DELETE", &format!("/transactions/{trashed}"), &[], None);

    // They follow their income, out of the trash too.
    let moved =
        office.put(&format!("/transactions/{income}"), &json!({ "customers_id": rui, "lawsuits_id": null }));
    assert_eq!(moved.status, 200, "{}", moved.text());
    assert_eq!(office.put(&format!("/transactions/{trashed}"), &json!({ "deleted": false })).status, 200);
    for id in [first, second, trashed] {
        assert_eq!(of(id), json!([rui, null]));
    }
    // An expense that becomes a refund is of the income's customer.
    let plain = expense(&office, json!({ "amount": 5, "customers_id": rita })).json()["transaction_id"]
        .as_u64()
        .unwrap();
    assert_eq!(office.put(&format!("/transactions/{plain}"), &json!({ "refund_of": income })).status, 200);
    assert_eq!(of(plain), json!([rui, null]));
}

#[test]
fn a_list_finds_what_moved_or_falls_due_in_a_period() {
    let office = Office::new();
    let may = create(&office, json!({ "date_due": "2026-05-10" }));
    let june = create(&office, json!({ "date_due": "2026-06-10" }));
    let july = create(&office, json!({ "date_due": "2026-07-10" }));
    paid(&office, may, json!({ "date": "2026-06-02" }));
    paid(&office, july, json!({ "date": "2026-05-31" }));
    let of = |from: &str, to: &str| office.ids(&format!("/transactions?date_start={from}&date_end={to}"));
    assert_eq!(of("2026-06-01", "2026-06-30"), [may, june]);
    assert_eq!(of("2026-05-01", "2026-05-31"), [july]);
    assert_eq!(of("2026-07-01", "2026-07-31"), [0; 0]);
    office.put(&format!("/transactions/{may}"), &json!({ "date_payment": null }));
    assert_eq!(of("2026-05-01", "2026-05-31"), [may, july]);
}

/// What may happen to the money of two clients, each with a case, in two months and by two people.
#[derive(Clone, Debug)]
enum Act {
    /// Client, person, month, centavos.
    Agree(usize, usize, usize, u32),
    /// Which transaction, month, and shares of what is owed in percent: amount, discount, interest.
    Pay(usize, usize, u32, u32, u32),
    Reopen(usize),
    /// Which transaction, month, and percent of its amount.
    Refund(usize, usize, u32),
    Delete(usize),
    Restore(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (0..2usize, 0..2usize, 0..2usize, 1..200_000u32).prop_map(|(a, b, c, d)| Act::Agree(a, b, c, d)),
        5 => (0..40usize, 0..2usize, 1..120u32, 0..60u32, 0..30u32)
            .prop_map(|(a, b, c, d, e)| Act::Pay(a, b, c, d, e)),
        1 => (0..40usize).prop_map(Act::Reopen),
        2 => (0..40usize, 0..2usize, 1..120u32).prop_map(|(a, b, c)| Act::Refund(a, b, c)),
        1 => (0..40usize).prop_map(Act::Delete),
        1 => (0..40usize).prop_map(Act::Restore),
    ]
}

const MONTHS: [&str; 2] = ["2026-05", "2026-06"];

fn reais(centavos: i64) -> String {
    format!("{}.{:02}", centavos / 100, centavos % 100)
}

fn centavos(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 100.0).round() as i64
}

fn perform(office: &Office, act: &Act) {
    let all = office.get("/transactions").json()["data"].as_array().unwrap().clone();
    let nth = |at: usize| all.get(at % all.len().max(1));
    let at = |one: &Value| format!("/transactions/{}", one["id"]);
    match act {
        Act::Agree(client, person, month, amount) => {
            let more = json!({ "amount": reais((*amount).into()), "lawsuits_id": client + 1, "users_id": person + 1,
                "date_due": format!("{}-10", MONTHS[*month]) });
            create(office, more);
        }
        Act::Pay(which, month, amount, discount, interest) => {
            let Some(one) = nth(*which) else { return };
            let part = |percent: u32| reais(centavos(&one["amount"]) * i64::from(percent) / 100);
            let body = json!({ "amount": part(*amount), "discount": part(*discount), "interest": part(*interest),
                "date": format!("{}-05", MONTHS[*month]) });
            assert!([200, 409, 422].contains(&pay(office, one["id"].as_u64().unwrap(), body).status));
        }
        Act::Reopen(which) => {
            let Some(one) = nth(*which) else { return };
            assert!([200, 422].contains(&office.put(&at(one), &json!({ "date_payment": null })).status));
        }
        Act::Refund(which, month, percent) => {
            let Some(one) = nth(*which).filter(|one| one["entry_type"] == "income") else { return };
            let amount = centavos(&one["amount"]) * i64::from(*percent) / 100;
            let more = json!({ "refund_of": one["id"], "amount": reais(amount), "users_id": one["users_id"],
                "date_payment": format!("{}-07", MONTHS[*month]) });
            assert!([201, 422].contains(&expense(office, more).status));
        }
        Act::Delete(which) => {
            let Some(one) = nth(*which) else { return };
            assert!([200, 422].contains(&office.send("DELETE", &at(one), &[], None).status));
        }
        Act::Restore(which) => {
            let deleted = office.get("/transactions?deleted=true").json()["data"].as_array().unwrap().clone();
            let Some(one) = deleted.get(which % deleted.len().max(1)) else { return };
            // What is left of a deleted one comes back after it.
            assert!([200, 422].contains(&office.put(&at(one), &json!({ "deleted": false })).status));
        }
    }
}

/// Centavos by entry type and by whether they are paid, in the order of the member `sums`.
type Sums = [i64; 4];

fn add(one: Sums, other: Sums) -> Sums {
    std::array::from_fn(|at| one[at] + other[at])
}

/// Returns the sums of a list.
fn sums(office: &Office, query: &str) -> Sums {
    let sums = office.get(&format!("/transactions?sums=true&limit=1&{query}")).json()["sums"].clone();
    [("income", "paid"), ("income", "unpaid"), ("expense", "paid"), ("expense", "unpaid")]
        .map(|(ty, status)| centavos(&sums[ty][status]))
}

/// Replays the journal over the transactions that are not deleted. The values of a new record are those before its first
/// changes, or still the current ones. Each change must begin where the one before it ended.
fn of_journal(office: &Office) -> Sums {
    let mut known: BTreeMap<(u64, String), Value> = BTreeMap::new();
    let changes = office.get("/changes?resource=transactions&include=values").json();
    assert_eq!(changes["more"], false);
    for change in changes["data"].as_array().unwrap() {
        let id = change["id"].as_u64().unwrap();
        for (member, values) in change["values"].as_object().into_iter().flatten() {
            let before = known.insert((id, member.clone()), values[1].clone());
            assert!(before.is_none_or(|before| before == values[0]), "{change}");
        }
    }
    let live = office.get("/transactions").json()["data"].as_array().unwrap().clone();
    live.iter().fold([0; 4], |sums, one| {
        let id = one["id"].as_u64().unwrap();
        let value = |member: &str| known.get(&(id, member.to_owned())).unwrap_or(&one[member]).clone();
        let is_unpaid = value("date_payment").is_null();
        let mut own = [0; 4];
        own[usize::from(value("entry_type") == "expense") * 2 + usize::from(is_unpaid)] =
            centavos(&value("amount"));
        add(sums, own)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 100, ..ProptestConfig::default() })]
    #[test]
    fn sums_agree_whatever_is_received_in_parts(acts in prop::collection::vec(act(), 1..30)) {
        let office = Office::new();
        let user = office.post("/settings/users", &json!({ "name": "Bruna Lima" }));
        prop_assert_eq!(user.status, 201, "{}", user.text());
        for name in ["Rita Prado", "Otto Reis"] {
            let customer = office.customer(name, json!({}));
            office.lawsuit(&[customer], json!({}));
        }
        acts.iter().for_each(|act| perform(&office, act));
        let whole = sums(&office, "");
        let over = |member: &str, values: &[&str]| {
            values.iter().map(|value| sums(&office, &format!("{member}={value}"))).fold([0; 4], add)
        };
        for (member, values) in [("lawsuit_id", ["1", "2"]), ("customer_id", ["1", "2"]), ("responsible", ["1", "2"])] {
            prop_assert_eq!(over(member, &values), whole, "by {}", member);
        }
        let months = MONTHS.map(|month| sums(&office, &format!("date_start={month}-01&date_end={month}-31")
            .replace("2026-06-31", "2026-06-30")));
        prop_assert_eq!(add(months[0], months[1]), whole, "by month");
        prop_assert_eq!(of_journal(&office), whole, "by the journal");

        let today = Day::parse("2026-06-17").unwrap();
        for column in ["lawsuit_id", "customer_id"] {
            for id in [1, 2] {
                let pages = office.store().read(move |db| owed(db, column, id, today)).unwrap();
                let own = sums(&office, &format!("{column}={id}"));
                prop_assert_eq!([pages.paid, pages.open + pages.overdue, pages.returned], [own[0], own[1], own[2]]);
                prop_assert!(pages.returned <= pages.paid || acts.iter().any(|act| matches!(act, Act::Restore(_))));
            }
        }
        // The accountant's month and the list of who owes are of the same money.
        for month in MONTHS {
            let first = Day::parse(&format!("{month}-01")).unwrap();
            let last = YearMonth::of(first).last_day();
            let paid = sums(&office, &format!("date_payment_start={}&date_payment_end={}", first.iso(), last.iso()));
            for by in office.store().read(move |db| paid_by_entry(db, first, last)).unwrap() {
                let all = by.iter().fold(Paid::default(), |sum, (_, own)| sum.plus(*own));
                prop_assert_eq!([all.income, all.expense], [paid[0], paid[2]], "{}", month);
            }
        }
        let owing = office.store().read(move |db| overdue(db, today, 1000)).unwrap();
        let late = sums(&office, "status=overdue")[1];
        prop_assert_eq!(owing.first.iter().flat_map(|one| one.by_age).sum::<i64>(), late);
        prop_assert_eq!((owing.by_age.iter().sum::<i64>(), owing.debtors), (late, owing.first.len()));

        // What was agreed is what is settled and what is left, in each chain of rests.
        let all = office.get("/transactions").json()["data"].as_array().unwrap().clone();
        for one in &all {
            let agreed = centavos(&one["amount"]) + centavos(&one["discount"]) - centavos(&one["interest"]);
            prop_assert!(agreed > 0, "{}", one);
            prop_assert!(!one["date_payment"].is_null() || one["discount"] == 0.0 && one["interest"] == 0.0);
        }
    }
}

#[test]
fn a_chain_of_rests_settles_what_was_agreed() {
    let office = Office::new();
    let first = create(&office, json!({ "amount": 1000 }));
    let mut open = Some(first);
    for body in [
        json!({ "amount": 333.33 }),
        json!({ "amount": 100, "discount": 20 }),
        json!({ "amount": 50, "interest": 49.99 }),
        json!({}),
    ] {
        open = paid(&office, open.unwrap(), body);
    }
    assert_eq!(open, None);
    let all = office.get("/transactions").json()["data"].as_array().unwrap().clone();
    let agreed =
        |one: &Value| centavos(&one["amount"]) + centavos(&one["discount"]) - centavos(&one["interest"]);
    assert_eq!(all.iter().map(agreed).sum::<i64>(), 100_000);
    assert_eq!(all.len(), 4);
}
