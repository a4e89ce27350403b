//! Undoing a merge of customers as a whole, after each kind of later change (office 53).

use pleito::api::conflicts::nightly_check;
use pleito::records::{Level, Nouns, Rights};
use pleito::store::conflicts::conflict_findings::{self, Passed};
use pleito::store::journal;
use pleito::supervisor::MonthlyTransactions;
use serde_json::{Value, json};

use crate::backups::{answer, backup, now};
use crate::console::visitor::Visitor;
use crate::documents::upload;
use crate::office::{Office, Reply};

const CPF: &str = "529.982.247-25";
const OTHER_CPF: &str = "111.444.777-35";

/// An office in which Ana was merged: `went` into `stayed`.
struct Merged {
    office: Office,
    stayed: u64,
    went: u64,
    /// A case of the record that went, of both, and against it.
    cases: [u64; 3],
    income: u64,
}

fn income(office: &Office, customer: u64) -> u64 {
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": customer,
    });
    let made = office.post("/transactions", &body);
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["transaction_id"].as_u64().unwrap()
}

fn merge(office: &Office, into: u64, from: u64) {
    let merged = office.post(&format!("/customers/{into}/merge"), &json!({ "from": from }));
    assert_eq!(merged.status, 200, "{}", merged.text());
}

fn undo(office: &Office, went: u64) -> Reply {
    office.post(&format!("/customers/{went}/merge/undo"), &json!({}))
}

fn merged() -> Merged {
    let office = Office::new();
    let stayed =
        office.customer("Ana Lima", json!({ "notes": "Prefere e-mail.", "external_ids": ["crm:1"] }));
    let went = json!({
        "identification": CPF, "cellphone": "(48) 99999-0000", "notes": "Ligar à tarde.", "external_ids": ["crm:2", "site:9"],
    });
    let went = office.customer("Ana de Lima", went);
    let bia = office.customer("Bia Reis", json!({}));
    let cases = [
        office.lawsuit(&[went], json!({})),
        office.lawsuit(&[went, bia, stayed], json!({})),
        office.lawsuit(
            &[bia],
            json!({ "opposing_parties": [{ "customer_id": went }, { "name": "Rui Prado" }] }),
        ),
    ];
    let income = income(&office, went);
    merge(&office, stayed, went);
    Merged { office, stayed, went, cases, income }
}

fn customers(office: &Office, case: u64) -> Vec<u64> {
    let case = office.get(&format!("/lawsuits/{case}")).json();
    let all = case["customers"].as_array().unwrap().iter();
    all.map(|one| one["customer_id"].as_u64().unwrap()).collect()
}

impl Merged {
    fn record(&self, path: &str, id: u64) -> Value {
        let read = self.office.get(&format!("/{path}/{id}"));
        assert_eq!(read.status, 200, "{}", read.text());
        read.json()
    }

    fn customers(&self, case: usize) -> Vec<u64> {
        customers(&self.office, self.cases[case])
    }

    fn change(&self, path: &str, id: u64, body: &Value) {
        let changed = self.office.put(&format!("/{path}/{id}"), body);
        assert_eq!(changed.status, 200, "{}", changed.text());
    }

    fn delete(&self, path: &str, id: u64) {
        assert_eq!(self.office.send("DELETE", &format!("/{path}/{id}"), &[], None).status, 200);
    }

    /// Undoes the merge. Returns what went back, and what stays.
    fn undo(&self) -> (Value, Value) {
        let undone = undo(&self.office, self.went);
        assert_eq!(undone.status, 200, "{}", undone.text());
        (undone.json()["restored"].clone(), undone.json()["kept"].clone())
    }

    fn restored(&self) -> Value {
        let all = self.cases.iter().map(|id| json!({ "resource": "lawsuits", "id": id }));
        let income = json!({ "resource": "transactions", "id": self.income });
        all.chain([income]).collect()
    }
}

#[test]
fn the_undo_of_a_merge_brings_everything_back() {
    let merged = merged();
    let (stayed, went) = (merged.stayed, merged.went);
    let joined = merged.record("customers", stayed);
    assert_eq!(joined["notes"], "Prefere e-mail.\n\nLigar à tarde.", "the notes of both are kept");
    assert_eq!((&joined["identification"], merged.customers(0)), (&json!(CPF), vec![stayed]));
    let undone = undo(&merged.office, went);
    let whole = json!({ "success": true, "customer_id": went, "restored": merged.restored(), "kept": [] });
    assert_eq!((undone.status, undone.json()), (200, whole));

    let own = merged.record("customers", stayed);
    assert_eq!((&own["identification"], &own["cellphone"]), (&Value::Null, &Value::Null));
    assert_eq!((&own["notes"], &own["external_ids"]), (&json!("Prefere e-mail."), &json!(["crm:1"])));
    let other = merged.record("customers", went);
    assert_eq!((&other["identification"], &other["notes"]), (&json!(CPF), &json!("Ligar à tarde.")));
    assert_eq!(other["external_ids"], json!(["crm:2", "site:9"]));
    assert_eq!(merged.customers(0), [went]);
    assert_eq!(merged.customers(1), [went, went + 1, stayed]);
    let party = merged.record("lawsuits", merged.cases[2])["opposing_parties"][0].clone();
    assert_eq!(party["customer_id"], went);
    assert_eq!(merged.record("transactions", merged.income)["customers_id"], went);
    // It is no merge any more, and can be one again.
    undo(&merged.office, went).problem(409, "not-merged");
    undo(&merged.office, 4000).problem(404, "not-found");
    merge(&merged.office, stayed, went);
    assert_eq!(merged.undo(), (merged.restored(), json!([])));
    assert_eq!(merged.customers(0), [went]);
    assert_eq!(merged.customers(1), [went, went + 1, stayed]);
}

/// Regression: after a restore, the undo of an earlier merge said success and gave nothing back.
#[test]
fn a_merge_in_a_restored_backup_is_undone_as_a_whole() {
    let merged = merged();
    let folder = merged.office.folder();
    let before = backup(folder);
    now(&merged.office);
    merged.office.customer("Caio", json!({}));
    let after = backup(folder);
    for file in [&before, &after, &after] {
        answer(folder, &["restore", file, "--json"]);
    }
    assert_eq!(merged.undo(), (merged.restored(), json!([])));
    assert_eq!(merged.customers(0), [merged.went]);
    assert_eq!(merged.record("customers", merged.went)["identification"], CPF);
    let stayed = merged.record("customers", merged.stayed);
    assert_eq!((&stayed["identification"], &stayed["notes"]), (&Value::Null, &json!("Prefere e-mail.")));
    undo(&merged.office, merged.went).problem(409, "not-merged");
}

/// Merges of versions before the journal marked them.
#[test]
fn a_merge_without_a_mark_is_undone_as_well() {
    let merged = merged();
    let other = rusqlite::Connection::open(merged.office.folder().join("pleito.db")).unwrap();
    other.execute("UPDATE changes SET reason = NULL", []).unwrap();
    merged.office.pass(1);
    assert_eq!(merged.undo(), (merged.restored(), json!([])));
    let own = merged.record("customers", merged.stayed);
    assert_eq!((&own["identification"], &own["cellphone"]), (&Value::Null, &Value::Null));
    assert_eq!((&own["notes"], &own["external_ids"]), (&json!("Prefere e-mail."), &json!(["crm:1"])));
}

#[test]
fn what_was_edited_since_a_merge_is_named_and_stays() {
    let merged = merged();
    let (stayed, went, bia) = (merged.stayed, merged.went, merged.went + 1);
    merged.change(
        "customers",
        stayed,
        &json!({ "notes": "Mudou-se.", "cellphone": "(48) 98888-0000", "email": "ana@exemplo.com.br" }),
    );
    merged.change("customers", stayed, &json!({ "external_ids": ["crm:1", "crm:2", "erp:7"] }));
    merged.change("lawsuits", merged.cases[0], &json!({ "customers_id": [bia], "notes": "Novo." }));
    merged.change("lawsuits", merged.cases[1], &json!({ "folder": "12" }));
    merged.change("lawsuits", merged.cases[2], &json!({ "opposing_parties": "Caio Luz" }));
    merged.change("transactions", merged.income, &json!({ "customers_id": bia }));
    let since = merged.office.lawsuit(&[stayed], json!({}));
    let (restored, kept) = merged.undo();
    assert_eq!(restored, json!([{ "resource": "lawsuits", "id": merged.cases[1] }]));
    let named =
        |resource: &str, id: u64, member: &str| json!({ "resource": resource, "id": id, "member": member });
    let mut kept = kept.as_array().unwrap().clone();
    let mut expected = vec![
        named("lawsuits", merged.cases[0], "customers"),
        named("lawsuits", merged.cases[2], "opposing_parties"),
        named("transactions", merged.income, "customers_id"),
        named("customers", stayed, "cellphone"),
        named("customers", stayed, "notes"),
        named("customers", stayed, "external_ids"),
    ];
    let by_text = |one: &Value| one.to_string();
    kept.sort_by_key(by_text);
    expected.sort_by_key(by_text);
    assert_eq!(kept, expected);
    let own = merged.record("customers", stayed);
    assert_eq!((&own["notes"], &own["email"]), (&json!("Mudou-se."), &json!("ana@exemplo.com.br")));
    assert_eq!((&own["external_ids"], &own["identification"]), (&json!(["crm:1", "erp:7"]), &Value::Null));
    let other = merged.record("customers", went);
    assert_eq!((&other["external_ids"], &other["identification"]), (&json!(["crm:2"]), &json!(CPF)));
    assert_eq!((merged.customers(0), merged.customers(1).len()), (vec![bia], 3));
    let new = merged.record("lawsuits", since);
    assert_eq!(new["customers"][0]["customer_id"], stayed, "a case of since then is of the one that stayed");
}

#[test]
fn records_in_the_trash_go_back_too_and_erased_ones_hinder_nothing() {
    let merged = merged();
    merged.delete("transactions", merged.income);
    merged.delete("lawsuits", merged.cases[0]);
    assert_eq!(merged.undo(), (merged.restored(), json!([])));
    merged.change("transactions", merged.income, &json!({ "deleted": false }));
    merged.change("lawsuits", merged.cases[0], &json!({ "deleted": false }));
    assert_eq!(merged.record("transactions", merged.income)["customers_id"], merged.went);
    assert_eq!(merged.customers(0), [merged.went]);

    // The merged record itself is kept in the trash by nothing: once it is erased, there is nothing to undo.
    merge(&merged.office, merged.stayed, merged.went);
    merged.delete("transactions", merged.income);
    merged.office.store().erase_deleted(i64::MAX, None).unwrap();
    undo(&merged.office, merged.went).problem(404, "not-found");
}

#[test]
fn a_record_that_was_restored_from_the_trash_is_not_merged_any_more() {
    let merged = merged();
    merged.change("customers", merged.went, &json!({ "deleted": false }));
    undo(&merged.office, merged.went).problem(409, "not-merged");
    let gone = merged.office.customer("Caio Luz", json!({}));
    merged.delete("customers", gone);
    undo(&merged.office, gone).problem(409, "not-merged");
}

#[test]
fn a_later_merge_is_named_and_undone_first() {
    let merged = merged();
    let third = merged.office.customer("A. Lima", json!({ "notes": "Outro cadastro." }));
    let other = merged.office.customer("Ana L.", json!({ "email": "ana@exemplo.com.br" }));
    // A merge into the record that stayed hinders nothing.
    merge(&merged.office, merged.stayed, other);
    merge(&merged.office, third, merged.stayed);
    let refused = undo(&merged.office, merged.went);
    let refused = refused.problem(409, "merged-on");
    assert_eq!((&refused["customer_id"], &refused["merged_into"]), (&json!(merged.stayed), &json!(third)));
    assert_eq!(undo(&merged.office, merged.stayed).status, 200);
    assert_eq!(merged.record("customers", third)["notes"], "Outro cadastro.");
    assert_eq!(merged.undo(), (merged.restored(), json!([])));
    assert_eq!(merged.record("customers", merged.stayed)["email"], "ana@exemplo.com.br");
    assert_eq!(undo(&merged.office, other).status, 200);
    assert_eq!(merged.record("customers", merged.stayed)["email"], Value::Null);
}

/// Regression: what was made since for a debt that goes back stayed with the other record, and was not named.
#[test]
fn what_belongs_to_a_debt_goes_back_with_it() {
    let merged = merged();
    let office = &merged.office;
    let own = income(office, merged.stayed);
    let at = |id: u64| format!("/transactions/{id}");
    let made = |reply: &Reply, member: &str| {
        assert!([200, 201].contains(&reply.status), "{}", reply.text());
        reply.json()[member].as_u64().unwrap()
    };
    // A rest, a rest of it, a refund, and a fee of a case that goes back.
    let rest =
        made(&office.put(&format!("{}/payment", at(merged.income)), &json!({ "amount": 4 })), "rest_id");
    let second = made(&office.put(&format!("{}/payment", at(rest)), &json!({ "amount": 1 })), "rest_id");
    let refund = json!({
        "entry_type": "expense", "date_due": "2026-12-15", "amount": 1, "users_id": 1, "categories_id": 9, "cost_centers_id": 1,
        "debit_account": 1, "refund_of": merged.income,
    });
    let refund = made(&office.post("/transactions", &refund), "transaction_id");
    let fee = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": 1, "users_id": 1, "categories_id": 1, "cost_centers_id": 1,
        "debit_account": 1, "lawsuits_id": merged.cases[0],
    });
    let fee = made(&office.post("/transactions", &fee), "transaction_id");
    let (restored, kept) = merged.undo();
    assert_eq!(kept, json!([]));
    let back = restored.as_array().unwrap().iter().filter(|one| one["resource"] == "transactions");
    let back = back.map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(back, [merged.income, rest, second, refund, fee]);
    let customer = |id: u64| merged.record("transactions", id)["customers_id"].clone();
    for id in back {
        assert_eq!(customer(id), merged.went);
    }
    assert_eq!(customer(own), merged.stayed);
}

/// Regression: the months that a repetition gets after a merge stayed with the other record, and so did all later ones.
#[test]
fn a_repetition_goes_back_with_its_later_months() {
    let office = Office::new();
    let [stayed, went] = ["Ana Lima", "Ana de Lima"].map(|name| office.customer(name, json!({})));
    let monthly = json!({
        "entry_type": "income", "date_due": "2026-06-10", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": went, "recurrence": "monthly",
    });
    assert_eq!(office.post("/transactions", &monthly).status, 201);
    merge(&office, stayed, went);
    let of = |customer: u64| office.ids(&format!("/transactions?customer_id={customer}")).len();
    let before = of(stayed);
    let go_on = || MonthlyTransactions::default().create_due(office.app()).unwrap();
    office.pass(31 * 24 * 3600);
    assert_eq!(go_on(), 1);
    assert_eq!(undo(&office, went).status, 200);
    assert_eq!((of(stayed), of(went)), (0, before + 1));
    office.pass(31 * 24 * 3600);
    assert_eq!(go_on(), 1);
    assert_eq!((of(stayed), of(went)), (0, before + 2));
}

/// Regression: of two merges into one record, the second one undone left its record off the shared case for good.
#[test]
fn merges_into_one_record_are_undone_in_any_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for is_own in [false, true] {
            let office = Office::new();
            let stayed = office.customer("Ana Lima", json!({}));
            let merged = ["Bia Reis", "Caio Luz", "Davi Sá"].map(|name| office.customer(name, json!({})));
            let [first, second, third] = merged;
            let mut all = vec![third, first, second];
            all.extend(is_own.then_some(stayed));
            let case = office.lawsuit(&all, json!({}));
            let in_order = || customers(&office, case);
            let customers = || in_order().into_iter().collect::<std::collections::BTreeSet<_>>();
            for from in merged {
                merge(&office, stayed, from);
            }
            assert_eq!(customers(), [stayed].into());
            let mut expected = std::collections::BTreeSet::from([stayed]);
            for (done, at) in (1..).zip(order) {
                let undone = undo(&office, merged[at]);
                assert_eq!((undone.status, &undone.json()["kept"]), (200, &json!([])), "{}", undone.text());
                expected.insert(merged[at]);
                if done == 3 && !is_own {
                    expected.remove(&stayed);
                }
                assert_eq!(customers(), expected, "{order:?} {is_own} {done}");
            }
            assert_eq!(in_order(), all, "{order:?} {is_own}");
        }
    }
}

/// Regression: notes that did not fit were dropped silently, and external ids passed their limit, so that no export could be
/// imported again.
#[test]
fn what_one_record_cannot_hold_refuses_the_merge() {
    let office = Office::new();
    let ids = |from: u32, count: u32| (from..from + count).map(|id| format!("crm:{id}")).collect::<Vec<_>>();
    let long = |letter: &str| letter.repeat(10_001);
    let stayed = office.customer("Ana Lima", json!({ "external_ids": ids(0, 11), "notes": long("a") }));
    let others = [
        (office.customer("Ana L.", json!({ "external_ids": ids(100, 10) })), "external_ids"),
        (office.customer("A. Lima", json!({ "notes": long("b") })), "notes"),
    ];
    for (other, member) in others {
        let before = office.get(&format!("/customers/{other}")).text();
        let refused = office.post(&format!("/customers/{stayed}/merge"), &json!({ "from": other }));
        assert_eq!(refused.wrong_fields(), [member], "{}", refused.text());
        assert_eq!(office.get(&format!("/customers/{other}")).text(), before);
    }
    let most = office.customer("Ana M.", json!({ "external_ids": ids(200, 9), "notes": "a".repeat(50) }));
    merge(&office, stayed, most);
    assert_eq!(
        office.get(&format!("/customers/{stayed}")).json()["external_ids"].as_array().unwrap().len(),
        20
    );
}

/// Regression: birthdays of the dead came back.
#[test]
fn who_is_deceased_in_one_record_is_deceased_in_both() {
    let office = Office::new();
    let stayed = office.customer("Ana Lima", json!({ "situation": "inactive" }));
    let dead = office.customer("Ana de Lima", json!({ "situation": "deceased" }));
    let situation = || office.get(&format!("/customers/{stayed}")).json()["situation"].clone();
    merge(&office, stayed, dead);
    assert_eq!(situation(), "deceased");
    assert_eq!(undo(&office, dead).status, 200);
    assert_eq!(situation(), "inactive");
    let active = office.customer("A. Lima", json!({}));
    merge(&office, stayed, active);
    assert_eq!(situation(), "inactive");
}

#[test]
fn a_cpf_that_became_anothers_is_named() {
    let merged = merged();
    merged.change("customers", merged.stayed, &json!({ "identification": OTHER_CPF }));
    let third = merged.office.customer("Caio Luz", json!({ "identification": CPF }));
    let named = |id: u64| json!({ "resource": "customers", "id": id, "member": "identification" });
    assert_eq!(merged.undo().1, json!([named(merged.stayed), named(merged.went)]));
    assert_eq!(merged.record("customers", merged.went)["identification"], Value::Null);
    assert_eq!(merged.record("customers", third)["identification"], CPF);
}

#[test]
fn a_merge_cannot_be_undone_once_the_journal_forgot_the_values() {
    let merged = merged();
    merged.office.store().write(|tx| journal::forget_values(tx, i64::MAX)).unwrap();
    undo(&merged.office, merged.went).problem(409, "values-erased");
    assert_eq!(merged.customers(0), [merged.stayed], "nothing was changed");
}

#[test]
fn decisions_about_conflicts_go_back_or_hold_for_both() {
    let office = Office::new();
    let run = || nightly_check::run(office.app()).unwrap();
    let client = office.customer("Bia Reis", json!({}));
    let against = |number: &str| {
        office.lawsuit(
            &[client],
            json!({ "opposing_parties": [{ "name": "A. L.", "identification": number }] }),
        )
    };
    let [first, second] = [CPF, CPF].map(against);
    let stayed = office.customer("Ana Lima", json!({}));
    let went = office.customer("Ana de Lima", json!({ "identification": CPF }));
    let pass = |customer: u64, lawsuit: u64, why: &str| {
        let passed = Passed { at: office.app().now(), by: "Ana Souza".to_owned(), why: why.to_owned() };
        let [customer, lawsuit] = [customer, lawsuit].map(|id| u32::try_from(id).unwrap());
        let done =
            office.store().write(move |tx| conflict_findings::let_pass(tx, customer, lawsuit, &passed));
        assert!(done.unwrap());
    };
    let decisions = |customer: u64| {
        let customer = u32::try_from(customer).unwrap();
        let found = office.store().read(move |db| conflict_findings::of_customer(db, customer, 10)).unwrap();
        let all =
            found.into_iter().map(|one| (u64::from(one.lawsuit.get()), one.passed.map(|passed| passed.why)));
        let mut all = all.collect::<Vec<_>>();
        all.sort();
        all
    };
    assert_eq!(run(), 2);
    pass(went, first, "before");
    office.pass(60);
    merge(&office, stayed, went);
    assert_eq!(run(), 1);
    pass(stayed, second, "since");
    assert_eq!(undo(&office, went).status, 200);
    run();
    let why = |why: &str| Some(why.to_owned());
    assert_eq!(decisions(went), [(first, why("before")), (second, why("since"))]);
    assert_eq!(decisions(stayed), [(second, why("since"))]);
    assert_eq!(run(), 0);
}

#[test]
fn undoing_a_merge_needs_what_the_merge_needed_and_names_no_hidden_record() {
    let merged = merged();
    let key = |level: Level, nouns: &[&'static str]| {
        merged.office.key(Rights { level, nouns: Nouns::named(nouns.iter().copied()).unwrap() })
    };
    let path = format!("/customers/{}/merge/undo", merged.went);
    let ask = |key: &str| {
        let bearer = format!("Bearer {key}");
        merged.office.send("POST", &path, &[("authorization", &bearer)], Some(b"{}"))
    };
    let may_write = ask(&key(Level::Write, &["customers", "lawsuits", "transactions"]));
    may_write.problem(403, "not-allowed");
    let hidden = ask(&key(Level::Manage, &["customers", "lawsuits"]));
    let hidden = hidden.problem(422, "in-use");
    assert_eq!(hidden["errors"], json!({}), "{hidden}");
    assert!(!hidden.to_string().contains("transaction"), "{hidden}");
    let undone = ask(&key(Level::Manage, &["customers", "lawsuits", "transactions"]));
    assert_eq!((undone.status, &undone.json()["restored"]), (200, &merged.restored()));
}

/// A party of a hidden case follows a merge whoever makes it, so it goes back whoever undoes it.
#[test]
fn a_party_of_a_hidden_case_goes_back_without_a_name() {
    let office = Office::new();
    let [stayed, went, bia] =
        ["Ana Lima", "Ana de Lima", "Bia Reis"].map(|name| office.customer(name, json!({})));
    let case = office.lawsuit(&[bia], json!({ "opposing_parties": [{ "customer_id": went }] }));
    merge(&office, stayed, went);
    let key = office.key(Rights { level: Level::Manage, nouns: Nouns::named(["customers"]).unwrap() });
    let bearer = format!("Bearer {key}");
    let headers = [("authorization", bearer.as_str())];
    let undone = office.send("POST", &format!("/customers/{went}/merge/undo"), &headers, Some(b"{}"));
    let whole = json!({ "success": true, "customer_id": went, "restored": [], "kept": [] });
    assert_eq!((undone.status, undone.json()), (200, whole));
    assert_eq!(office.get(&format!("/lawsuits/{case}")).json()["opposing_parties"][0]["customer_id"], went);
}

/// Regression: the record that had gone came back at the end of a case's customers, so the case had another name.
#[test]
fn the_order_of_a_shared_case_comes_back() {
    let office = Office::new();
    let all = ["Ana Lima", "Bia Reis", "Caio Luz"].map(|name| office.customer(name, json!({})));
    for from in 0..3 {
        for into in (0..3).filter(|into| *into != from) {
            let case = office.lawsuit(&all, json!({}));
            let name = || office.get(&format!("/lawsuits/{case}")).json()["name"].clone();
            let before = name();
            merge(&office, all[into], all[from]);
            assert_eq!(customers(&office, case).len(), 2);
            assert_eq!(undo(&office, all[from]).json()["kept"], json!([]));
            assert_eq!((customers(&office, case), name()), (all.to_vec(), before), "{from} {into}");
        }
    }
    // A person's order since then counts.
    let case = office.lawsuit(&all, json!({}));
    merge(&office, all[0], all[1]);
    let other = json!({ "customers_id": [all[2], all[0]] });
    assert_eq!(office.put(&format!("/lawsuits/{case}"), &other).status, 200);
    assert_eq!(undo(&office, all[1]).status, 200);
    let now = customers(&office, case).into_iter().filter(|id| *id != all[1]).collect::<Vec<_>>();
    assert_eq!(now, [all[2], all[0]]);
}

/// Regression: of two merges, the one undone first left its notes for good, made the dead alive, and took away what the other
/// record has too.
#[test]
fn members_that_other_merges_fill_stay_or_go_with_them() {
    let members = ["notes", "situation", "email", "identification", "cellphone"];
    for (undone, then) in [(0, 1), (1, 0)] {
        let office = Office::new();
        let read = |id: u64| {
            let all = office.get(&format!("/customers/{id}")).json();
            members.map(|member| all[member].clone())
        };
        let stayed = office.customer("Ana Lima", json!({ "notes": "nota 0" }));
        let dead = |note: &str, email: &str, number: &str| json!({ "notes": note, "situation": "deceased", "email": email, "identification": number });
        let others = [
            office.customer("Ana de Lima", dead("nota 1", "b@exemplo.com.br", CPF)),
            office.customer("A. Lima", dead("nota 2", "c@exemplo.com.br", OTHER_CPF)),
        ];
        let before = [stayed, others[0], others[1]].map(read);
        others.iter().for_each(|from| merge(&office, stayed, *from));
        let undo = |at: usize| {
            let undone = undo(&office, others[at]);
            assert_eq!((undone.status, &undone.json()["kept"]), (200, &json!([])), "{}", undone.text());
        };
        undo(undone);
        let [_, situation, email, number, _] = before[then + 1].clone();
        let note = format!("nota 0\n\nnota {}", then + 1);
        assert_eq!(read(stayed), [json!(note), situation, email, number, Value::Null]);
        assert_eq!(read(others[undone]), before[undone + 1]);
        undo(then);
        assert_eq!([stayed, others[0], others[1]].map(read), before, "{undone} {then}");
    }
}

#[test]
fn a_member_that_a_person_changed_after_several_merges_stays() {
    let office = Office::new();
    let stayed = office.customer("Ana Lima", json!({ "notes": "nota 0" }));
    let others = ["1", "2"].map(|number| {
        office.customer(
            &format!("Ana {number}"),
            json!({ "notes": format!("nota {number}"), "email": "a@exemplo.com.br" }),
        )
    });
    others.iter().for_each(|from| merge(&office, stayed, *from));
    let body = json!({ "notes": "Outra." });
    assert_eq!(office.put(&format!("/customers/{stayed}"), &body).status, 200);
    let kept = json!([{ "resource": "customers", "id": stayed, "member": "notes" }]);
    for from in others {
        let undone = undo(&office, from);
        assert_eq!((undone.status, &undone.json()["kept"]), (200, &kept), "{}", undone.text());
    }
    let now = office.get(&format!("/customers/{stayed}")).json();
    assert_eq!((&now["notes"], &now["email"]), (&json!("Outra."), &Value::Null));
}

/// Regression: a file that was stored with a payment since the merge stayed with the other record, and was not named.
#[test]
fn a_file_goes_back_with_what_it_belongs_to() {
    let merged = merged();
    let office = &merged.office;
    let stayed = merged.stayed;
    let body = json!({ "from": 1, "guests": [1], "tasks_id": 4, "start_date": "2026-12-24", "customers_id": merged.went });
    undo(office, merged.went);
    let task = office.post("/posts", &body).json()["posts_id"].as_u64().unwrap();
    merge(office, stayed, merged.went);
    let file = |member: &str, id: u64| {
        let of = [("customer_id", stayed.to_string()), (member, id.to_string())];
        let of = [(of[0].0, of[0].1.as_str()), (of[1].0, of[1].1.as_str())];
        let stored = upload(office, &format!("{member}.pdf"), "application/pdf", b"%PDF", &of);
        assert_eq!(stored.status, 201, "{}", stored.text());
        stored.json()["documents_id"].as_u64().unwrap()
    };
    let of_case = office.task(merged.cases[0], json!({}));
    let back = [
        file("transaction_id", merged.income),
        file("post_id", task),
        file("lawsuit_id", merged.cases[0]),
        file("post_id", of_case),
    ];
    let own = [file("lawsuit_id", merged.cases[1]), file("transaction_id", income(office, stayed))];
    let (restored, kept) = merged.undo();
    assert_eq!(kept, json!([]));
    let files = restored.as_array().unwrap().iter().filter(|one| one["resource"] == "documents");
    assert_eq!(files.map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>(), back);
    let customer = |id: u64| merged.record("documents", id)["customer_id"].clone();
    assert_eq!(back.map(customer), [(); 4].map(|()| json!(merged.went)));
    assert_eq!(own.map(customer), [(); 2].map(|()| json!(stayed)));
}

/// Regression: the history said "Changed".
#[test]
fn history_and_feed_name_the_undo_of_a_merge() {
    let merged = merged();
    merged.undo();
    let feed = merged.office.get("/changes?resource=customers,lawsuits&limit=1000").json();
    let reasons = |id: u64, resource: &str| {
        let all = feed["data"].as_array().unwrap().iter();
        let own = all.filter(|one| one["id"] == id && one["resource"] == resource);
        own.map(|one| one["reason"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(reasons(merged.stayed, "customers"), [Value::Null, json!("merge"), json!("merge-undone")]);
    assert_eq!(reasons(merged.cases[0], "lawsuits"), [Value::Null, json!("merge"), json!("merge-undone")]);
    let visitor = Visitor::new(&merged.office);
    for path in [format!("/customers/{}", merged.stayed), format!("/lawsuits/{}", merged.cases[0])] {
        let page = visitor.page(&path);
        assert!(page.section("History").contains("Merge undone"), "{path}: {page}");
    }
}

/// The sequences in which the fault was found.
#[test]
fn a_merge_done_again_after_an_undone_one_is_undone_as_well() {
    type Act = (&'static str, usize, usize);
    let merge_into = |from, into| ("merge", from, into);
    let undo_of = |from| ("undo", from, from);
    let [a, b, c] = [0, 1, 2];
    let sequences: [(&[usize], &[Act]); 3] = [
        (&[c], &[merge_into(c, a), undo_of(c), merge_into(c, b), merge_into(a, b), undo_of(c), undo_of(a)]),
        (&[b], &[merge_into(b, c), undo_of(b), merge_into(c, a), merge_into(b, a), undo_of(b), undo_of(c)]),
        (
            &[a, b],
            &[merge_into(b, c), merge_into(a, c), undo_of(b), merge_into(b, c), undo_of(a), undo_of(b)],
        ),
    ];
    for (list, acts) in sequences {
        let office = Office::new();
        let all = ["Ana Lima", "Bia Reis", "Caio Luz"].map(|name| office.customer(name, json!({})));
        let list = list.iter().map(|at| all[*at]).collect::<Vec<_>>();
        let case = office.lawsuit(&list, json!({}));
        for (act, from, into) in acts {
            match *act {
                "merge" => merge(&office, all[*into], all[*from]),
                _ => assert_eq!(undo(&office, all[*from]).json()["kept"], json!([])),
            }
        }
        assert_eq!(customers(&office, case), list);
    }
}

/// Regression: the name of the case began with the other client.
#[test]
fn a_client_comes_back_to_the_place_of_the_other_one() {
    let office = Office::new();
    let [stayed, went, third] =
        ["Ana Lima", "Bia Reis", "Caio Luz"].map(|name| office.customer(name, json!({})));
    let case = office.lawsuit(&[went], json!({}));
    let choose = |list: &[u64]| {
        assert_eq!(office.put(&format!("/lawsuits/{case}"), &json!({ "customers_id": list })).status, 200);
    };
    merge(&office, stayed, went);
    choose(&[stayed, third]);
    assert_eq!(undo(&office, went).json()["kept"], json!([]));
    assert_eq!(customers(&office, case), [went, third]);
    // A person who takes the client out and enters the other one means the other one.
    merge(&office, stayed, went);
    choose(&[third]);
    choose(&[third, stayed]);
    let kept = json!([{ "resource": "lawsuits", "id": case, "member": "customers" }]);
    assert_eq!(undo(&office, went).json()["kept"], kept);
    assert_eq!(customers(&office, case), [third, stayed]);
}

/// Regression: the appointments of the record that came back stayed in the trash, and nothing brought them back.
#[test]
fn what_went_into_the_trash_with_the_record_that_stayed_comes_back() {
    let office = Office::new();
    let [first, second, third] =
        ["Ana Lima", "Bia Reis", "Caio Luz"].map(|name| office.customer(name, json!({})));
    let task = |(customer, day): (u64, &str)| {
        let body =
            json!({ "from": 1, "guests": [1], "tasks_id": 4, "start_date": day, "customers_id": customer });
        office.post("/posts", &body).json()["posts_id"].as_u64().unwrap()
    };
    let days = ["2026-12-21", "2026-12-22", "2026-12-23", "2026-12-24"];
    let [of_first, of_second, of_third, alone] =
        [(first, days[0]), (second, days[1]), (third, days[2]), (third, days[3])].map(task);
    let status = |task: u64| office.get(&format!("/posts/{task}")).status;
    let delete = |path: String| assert_eq!(office.send("DELETE", &path, &[], None).status, 200);
    merge(&office, second, third);
    merge(&office, first, second);
    delete(format!("/posts/{alone}"));
    delete(format!("/customers/{first}"));
    assert_eq!([of_first, of_second, of_third, alone].map(status), [404; 4]);
    let undone = undo(&office, second).json();
    let back = [of_second, of_third].map(|id| json!({ "resource": "posts", "id": id }));
    assert!(back.iter().all(|one| undone["restored"].as_array().unwrap().contains(one)), "{undone}");
    assert_eq!([of_first, of_second, of_third, alone].map(status), [404, 200, 200, 404]);
    assert_eq!(undo(&office, third).status, 200);
    assert_eq!(office.get(&format!("/posts/{of_third}")).json()["customers_id"], third);
    assert_eq!(office.put(&format!("/customers/{first}"), &json!({ "deleted": false })).status, 200);
    assert_eq!([of_first, of_second, of_third, alone].map(status), [200, 200, 200, 404]);
}

/// Regression: the undo of another merge emptied what the first one had filled, and named nothing.
#[test]
fn what_a_merge_filled_stays_after_its_record_was_erased_or_restored_alone() {
    for is_erased in [false, true] {
        let office = Office::new();
        let filled = json!({ "email": "b@exemplo.com.br", "identification": CPF, "notes": "nota b", "situation": "deceased" });
        let stayed = office.customer("Ana Lima", json!({ "notes": "nota a" }));
        let first = office.customer("Ana de Lima", filled);
        let other = json!({ "email": "c@exemplo.com.br", "identification": OTHER_CPF, "notes": "nota c" });
        let second = office.customer("A. Lima", other);
        let members = || {
            let all = office.get(&format!("/customers/{stayed}")).json();
            ["email", "identification", "notes", "situation"].map(|member| all[member].clone())
        };
        merge(&office, stayed, first);
        let before = members();
        match is_erased {
            true => _ = office.store().erase_deleted(i64::MAX, None).unwrap(),
            false => {
                let back = office.put(&format!("/customers/{first}"), &json!({ "deleted": false }));
                assert_eq!(back.status, 200, "{}", back.text());
            }
        }
        merge(&office, stayed, second);
        assert_eq!(undo(&office, second).json()["kept"], json!([]));
        assert_eq!(members(), before, "{is_erased}");
    }
}

/// Regression: 500, because the undo gave the CPF back to a record from which another one has it.
#[test]
fn a_cpf_that_passed_to_another_record_stays_there() {
    let office = Office::new();
    let [first, second] = ["Ana Lima", "Bia Reis"].map(|name| office.customer(name, json!({})));
    let holder = office.customer("Davi Sá", json!({ "identification": CPF }));
    merge(&office, second, holder);
    assert_eq!(office.put(&format!("/customers/{holder}"), &json!({ "deleted": false })).status, 200);
    merge(&office, holder, first);
    let undone = undo(&office, first);
    assert_eq!((undone.status, &undone.json()["kept"]), (200, &json!([])), "{}", undone.text());
    let number = |id: u64| office.get(&format!("/customers/{id}")).json()["identification"].clone();
    assert_eq!([first, second, holder].map(number), [Value::Null, json!(CPF), Value::Null]);
}

/// Regression: what a person gave to the record that stayed went to the other one, because the merge had put it there before.
#[test]
fn what_a_person_gave_to_the_record_that_stayed_is_its_own() {
    let merged = merged();
    let bia = merged.went + 1;
    for customer in [bia, merged.stayed] {
        merged.change("transactions", merged.income, &json!({ "customers_id": customer }));
        merged.change("lawsuits", merged.cases[0], &json!({ "customers_id": [customer] }));
    }
    merged.change("customers", merged.stayed, &json!({ "email": "x@exemplo.com.br", "cellphone": "" }));
    merged.change("customers", merged.stayed, &json!({ "cellphone": "(48) 99999-0000" }));
    let (restored, kept) = merged.undo();
    let kept = kept.as_array().unwrap().iter().map(|one| one["member"].clone()).collect::<Vec<_>>();
    assert_eq!(kept, ["customers", "customers_id", "cellphone"], "{restored}");
    assert_eq!(merged.record("transactions", merged.income)["customers_id"], merged.stayed);
    assert_eq!(merged.customers(0), [merged.stayed]);
    assert_eq!(merged.record("customers", merged.stayed)["cellphone"], "(48) 99999-0000");
}

/// Regression: a party that a person gave to another client, and then back, went to the record whose merge was undone.
#[test]
fn an_opposing_party_that_a_person_chose_stays() {
    let office = Office::new();
    let [stayed, went, third, client] =
        ["Ana Lima", "Ana de Lima", "Caio Luz", "Bia Reis"].map(|name| office.customer(name, json!({})));
    let party = |customer: u64| json!([{ "party_id": 1, "customer_id": customer }]);
    let case = office.lawsuit(&[client], json!({ "opposing_parties": party(went) }));
    merge(&office, stayed, went);
    for customer in [third, stayed] {
        let changed =
            office.put(&format!("/lawsuits/{case}"), &json!({ "opposing_parties": party(customer) }));
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
    let kept = json!([{ "resource": "lawsuits", "id": case, "member": "opposing_parties" }]);
    assert_eq!(undo(&office, went).json()["kept"], kept);
    assert_eq!(office.get(&format!("/lawsuits/{case}")).json()["opposing_parties"][0]["customer_id"], stayed);
}

#[test]
fn what_stayed_after_a_restoration_is_as_if_a_person_had_chosen_it() {
    let office = Office::new();
    let [first, second] = ["Ana Lima", "Bia Reis"].map(|name| office.customer(name, json!({})));
    let case = office.lawsuit(&[second], json!({}));
    let transaction = income(&office, second);
    merge(&office, first, second);
    assert_eq!(office.put(&format!("/customers/{second}"), &json!({ "deleted": false })).status, 200);
    merge(&office, second, first);
    assert_eq!(undo(&office, first).json()["kept"], json!([]));
    let of_transaction = office.get(&format!("/transactions/{transaction}")).json()["customers_id"].clone();
    assert_eq!((customers(&office, case), of_transaction), (vec![first], json!(first)));
}

/// Regression: of two records with the same address, the one that had filled it in took it away, although it was restored alone.
#[test]
fn what_two_records_have_alike_stays_if_one_of_them_was_restored_alone() {
    let office = Office::new();
    let stayed = office.customer("Ana Lima", json!({}));
    let same =
        || office.customer("Ana de Lima", json!({ "email": "b@exemplo.com.br", "situation": "deceased" }));
    let [first, second] = [(); 2].map(|()| same());
    merge(&office, stayed, first);
    merge(&office, stayed, second);
    assert_eq!(office.put(&format!("/customers/{first}"), &json!({ "deleted": false })).status, 200);
    assert_eq!(undo(&office, second).json()["kept"], json!([]));
    let own = office.get(&format!("/customers/{stayed}")).json();
    assert_eq!((&own["email"], &own["situation"]), (&json!("b@exemplo.com.br"), &json!("deceased")));
}
