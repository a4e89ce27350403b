//! Transactions (resources 16).

use serde_json::{Value, json};

use crate::customers::{takes_days, takes_one_line};
use crate::forms::{Form, keys, sorted, with, with_query};
use crate::office::{Office, Reply};

/// First credit category and first debit category of a new store, which lists credits before debits.
const CREDIT: u64 = 1;
const DEBIT: u64 = 9;

/// Posts a transaction with these members in addition to the required ones.
fn post(office: &Office, more: Value) -> Reply {
    let right = json!({
        "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": CREDIT, "cost_centers_id": 1,
        "amount": 100, "date_due": "2026-06-17",
    });
    office.post("/transactions", &with(right, &more))
}

pub fn create(office: &Office, more: Value) -> u64 {
    let reply = post(office, more);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["transactions_id"].as_u64().unwrap()
}

#[test]
fn a_transaction_and_its_list_are_returned_as_in_the_contract() {
    let office = Office::new();
    let customer = office.customer("Maria da Conceição", json!({ "identification": "52998224725" }));
    let number = "0001234-03.2026.8.26.0100";
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": number }));
    let reply = office.post(
        "/transactions",
        &json!({
            "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
            "amount": "1.500,50", "date_due": "2026-12-15", "customers_id": customer, "lawsuits_id": lawsuit,
            "sectors_id": 1, "description": "Honorários iniciais, 1ª parcela",
        }),
    );
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.text(), r#"{"success":true,"transactions_id":1,"transaction_id":1}"#);

    let responsible = &office.get("/settings").json()["users"][0]["name"].as_str().unwrap().to_owned();
    let record = format!(
        r#"{{"id":1,"entry_type":"income","date_due":"2026-12-15","date_payment":null,"competence":"12/2026","amount":1500.50,"description":"Honorários iniciais, 1ª parcela","responsible":"{responsible}","category":"Honorários iniciais","lawsuit_id":1,"process_number":"{number}","protocol_number":null,"name":"Maria da Conceição","identification":"529.982.247-25","debit_bank":"Conta corrente","credit_bank":null,"cost_center":"Geral","is_internal":true,"is_recurrent":false,"users_id":1,"categories_id":1,"cost_centers_id":1,"debit_account":1,"credit_account":null,"sectors_id":1,"customers_id":1,"sector":"Jurídico","discount":0.00,"interest":0.00,"rest_of":null,"refund_of":null,"external_ids":[],"created_at":"2026-06-17 12:00:00","updated_at":"2026-06-17 12:00:00"}}"#
    );
    let one = office.get("/transactions/1");
    assert_eq!((one.status, one.text()), (200, record.clone()));
    assert!(one.header("etag").starts_with('"'));
    let list = office.get("/transactions?lawsuit_id=1&sums=true").text();
    let around = r#","limit":1000,"offset":0,"totalCount":1,"query":{"lawsuit_id":"1","sums":"true"},"sums":{"income":{"paid":0.00,"unpaid":1500.50},"expense":{"paid":0.00,"unpaid":0.00}}}"#;
    let page = [r#"{"data":["#, &record, "]", around].concat();
    assert_eq!(list, page);
    assert!(!office.get("/transactions?lawsuit_id=1").text().contains("sums"));

    let paid = office.put("/transactions/1", &json!({ "date_payment": "2026-06-16" }));
    assert_eq!(paid.text(), r#"{"success":true,"transactions_id":1,"transaction_id":1}"#);
    let sums = &office.get("/transactions?sums=1").json()["sums"];
    assert_eq!(
        *sums,
        json!({ "income": { "paid": 1500.5, "unpaid": 0.0 }, "expense": { "paid": 0.0, "unpaid": 0.0 } })
    );
    for (given, shown) in
        [(json!(null), Value::Null), (json!("17/06/2026"), json!("2026-06-17")), (json!(""), Value::Null)]
    {
        assert_eq!(office.put("/transactions/1", &json!({ "date_payment": given })).status, 200);
        assert_eq!(office.get("/transactions/1").json()["date_payment"], shown);
    }
    office.get("/transactions/2").problem(404, "not-found");
    assert_eq!(office.get("/transactions/2").json()["error"], "Transaction not found");
}

#[test]
fn members_are_checked_against_their_limits() {
    let office = Office::new();
    let form = Form::transactions(&office);
    takes_one_line(&form, &["description"], 500);
    takes_days(&form, &["date_payment"], "2024-02-29");
    form.accepts(&["date_payment"], json!("17/06/2026"), json!("2026-06-17"));
    form.refuses(&["date_payment"], json!("18/06/2026"));
    takes_days(&form, &["date_due"], "2024-02-29");
    form.accepts(&["date_due"], json!("31/12/2199"), json!("2199-12-31"));
    for (given, shown) in
        [("02/2026", "02/2026"), ("2026-02", "02/2026"), ("28/02/2026", "02/2026"), ("9999-12-31", "12/9999")]
    {
        form.accepts_or(&["competence"], json!(given), json!(shown), json!("12/2026"));
    }
    for wrong in [json!("13/2026"), json!("2026"), json!("30/02/2026"), json!(202_602.5), json!(true)] {
        form.refuses(&["competence"], wrong);
    }
    for (given, shown) in [
        (json!(0.01), 0.01),
        (json!("0,01"), 0.01),
        (json!(1500.50), 1500.5),
        (json!("1500.50"), 1500.5),
        (json!("1.500,50"), 1500.5),
        (json!(999_999_999_999.99), 999_999_999_999.99),
    ] {
        form.accepts(&["amount"], given, json!(shown));
    }
    for wrong in [
        json!(0),
        json!("0,00"),
        json!(-1),
        json!(0.001),
        json!("1.500"),
        json!(1e12),
        json!("x"),
        json!([1]),
    ] {
        form.refuses(&["amount"], wrong);
    }
    for (given, shown) in
        [(json!(false), false), (json!("TRUE"), true), (json!(0), false), (json!("1"), true)]
    {
        form.accepts_or(&["is_internal"], given.clone(), json!(shown), json!(true));
        form.accepts_or(&["is_recurrent"], given, json!(shown), json!(false));
    }
    form.refuses(&["is_internal", "is_recurrent"], json!("sim"));
    form.accepts(&["entry_type"], json!("INCOME"), json!("income"));
    form.refuses(&["entry_type"], json!("receita"));
    let ids = ["users_id", "categories_id", "cost_centers_id", "debit_account", "sectors_id"];
    for member in ids {
        form.accepts(&[member], json!("1"), json!(1));
        form.refuses(&[member], json!(0));
        form.refuses(&[member], json!(4_000_000_000_u32));
    }
    form.accepts(&["credit_account"], json!(2), json!(2));
    form.refuses(&["customers_id"], json!(7));
    form.refuses(&["lawsuits_id"], json!(7));
    let customer = office.customer("Ana Lima", json!({}));
    form.accepts(&["customers_id"], json!(customer), json!(customer));
}

#[test]
fn all_wrong_members_are_reported_together() {
    let office = Office::new();
    let missing = office.post("/transactions", &json!({}));
    let required =
        ["users_id", "entry_type", "debit_account", "categories_id", "cost_centers_id", "amount", "date_due"];
    assert_eq!(sorted(missing.wrong_fields()), sorted(required.to_vec()));
    let wrong = json!({
        "users_id": 9, "entry_type": "income", "debit_account": 1, "credit_account": 1, "categories_id": DEBIT,
        "cost_centers_id": "x", "amount": 0, "date_due": "31/02/2026", "date_payment": "2026-06-18",
        "competence": "13/2026", "description": "x".repeat(501), "sectors_id": 99, "customers_id": 99,
        "lawsuits_id": 99, "is_internal": "?", "is_recurrent": 2, "external_ids": ["semsistema"],
    });
    let named = keys(&wrong).into_iter().filter(|member| !["entry_type", "debit_account"].contains(member));
    assert_eq!(
        sorted(office.post("/transactions", &wrong).wrong_fields()),
        sorted(named.collect::<Vec<_>>())
    );
    assert_eq!(office.get("/transactions").json()["totalCount"], 0);
}

#[test]
fn the_category_must_be_of_the_type_of_the_transaction() {
    let office = Office::new();
    assert_eq!(post(&office, json!({ "categories_id": DEBIT })).wrong_fields(), ["categories_id"]);
    assert_eq!(post(&office, json!({ "entry_type": "expense" })).wrong_fields(), ["categories_id"]);
    let id = create(&office, json!({ "entry_type": "expense", "categories_id": DEBIT }));
    let path = format!("/transactions/{id}");
    assert_eq!(
        office.put(&path, &json!({ "categories_id": DEBIT + 1 })).status,
        200,
        "a category of the same type"
    );
    assert_eq!(office.put(&path, &json!({ "categories_id": CREDIT })).wrong_fields(), ["categories_id"]);
    assert_eq!(office.put(&path, &json!({ "entry_type": "income" })).wrong_fields(), ["categories_id"]);
    let both = json!({ "categories_id": CREDIT, "entry_type": "income" });
    assert_eq!(office.put(&path, &both).status, 200);

    // A category keeps its type as long as transactions point to it (resources 11).
    let category =
        |id: u64, flow: &str| office.put(&format!("/settings/categories/{id}"), &json!({ "type": flow }));
    assert_eq!(category(CREDIT, "DÉBITO").wrong_fields(), ["type"]);
    assert_eq!(category(CREDIT, "income").status, 200, "the type that it has already");
    assert_eq!(category(DEBIT, "CRÉDITO").status, 200, "no transaction has the category any more");
}

#[test]
fn the_two_accounts_must_differ() {
    let office = Office::new();
    assert_eq!(post(&office, json!({ "credit_account": 1 })).wrong_fields(), ["credit_account"]);
    let id = create(&office, json!({ "credit_account": 2 }));
    let path = format!("/transactions/{id}");
    assert_eq!(office.get(&path).json()["credit_bank"], "Caixa");
    assert_eq!(office.put(&path, &json!({ "debit_account": 2 })).wrong_fields(), ["credit_account"]);
    assert_eq!(office.put(&path, &json!({ "debit_account": 2, "credit_account": 1 })).status, 200);
}

#[test]
fn the_customer_defaults_to_the_only_customer_of_the_lawsuit() {
    let office = Office::new();
    let [ana, bia] = ["Ana", "Bia"].map(|name| office.customer(name, json!({})));
    let (one, two) = (office.lawsuit(&[ana], json!({})), office.lawsuit(&[ana, bia], json!({})));
    let id = create(&office, json!({ "lawsuit_id": one }));
    let path = format!("/transactions/{id}");
    assert_eq!(office.get(&path).json()["customers_id"], ana);
    assert_eq!(post(&office, json!({ "lawsuits_id": two })).wrong_fields(), ["customers_id"]);
    let of_bia = create(&office, json!({ "lawsuits_id": two, "customer_id": bia }));
    assert_eq!(office.get(&format!("/transactions/{of_bia}")).json()["name"], "Bia");

    assert_eq!(office.put(&path, &json!({ "customers_id": bia })).status, 200);
    assert_eq!(office.put(&path, &json!({ "customers_id": null })).status, 200);
    assert_eq!(office.get(&path).json()["customers_id"], ana, "the lawsuit's customer again");
    assert_eq!(
        office.put(&path, &json!({ "customers_id": "", "lawsuits_id": two })).wrong_fields(),
        ["customers_id"]
    );
    assert_eq!(office.put(&path, &json!({ "customers_id": null, "lawsuits_id": null })).status, 200);
    assert_eq!(office.get(&path).json()["name"], Value::Null);
    assert_eq!(
        post(&office, json!({ "lawsuits_id": one, "lawsuit_id": two })).wrong_fields(),
        ["lawsuits_id"],
        "singular and plural are the same member"
    );
}

#[test]
fn others_with_the_same_amount_day_category_customer_and_account_are_reported() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let like = |more: Value| post(&office, with(json!({ "customers_id": ana }), &more)).json();
    let first = like(json!({}));
    assert!(first.get("possible_duplicates").is_none(), "{first}");
    for other in [
        json!({ "amount": 100.01 }),
        json!({ "date_due": "2026-06-18" }),
        json!({ "categories_id": 2 }),
        json!({ "customers_id": null }),
        json!({ "debit_account": 2 }),
    ] {
        let made = like(other.clone());
        assert!(made.get("possible_duplicates").is_none(), "{other}: {made}");
    }
    let second = like(json!({ "description": "2ª parcela" }));
    assert_eq!(second["possible_duplicates"], json!([first["transaction_id"]]));
    let without = post(&office, json!({})).json();
    assert_eq!(without["possible_duplicates"], json!([5]), "also if none has a customer");
    (0..11).for_each(|_| drop(like(json!({}))));
    let last = like(json!({}));
    assert_eq!(last["possible_duplicates"].as_array().unwrap().len(), 10);
}

#[test]
fn the_month_follows_the_due_day_only_if_it_is_not_given() {
    let office = Office::new();
    let id = create(&office, json!({ "date_due": "31/01/2026" }));
    let path = format!("/transactions/{id}");
    let month = || office.get(&path).json()["competence"].clone();
    assert_eq!(month(), "01/2026");
    office.put(&path, &json!({ "date_due": "2026-02-01" }));
    assert_eq!(month(), "01/2026", "a new due day does not change the month");
    office.put(&path, &json!({ "competence": null }));
    assert_eq!(month(), "02/2026");
    office.put(&path, &json!({ "competence": "", "date_due": "2026-03-31" }));
    assert_eq!(month(), "03/2026");
}

/// Starts an office with five transactions that differ in every member by which lists can be filtered.
fn five() -> Office {
    let office = Office::new();
    let ana = office.customer("Ana Prado Lima", json!({ "identification": "52998224725" }));
    let company = office.customer("Prado & Filhos Ltda.", json!({ "identification": "11222333000181" }));
    let number = json!({ "process_number": "0001234-03.2026.8.26.0100", "protocol_number": "2026/000123" });
    let lawsuit = office.lawsuit(&[ana], number);
    let other = office.lawsuit(&[company], json!({ "process_number": "PA 77/2026" }));
    office.post("/settings/users", &json!({ "name": "Rui Prado" }));
    office.post("/settings/cost_centers", &json!({ "cost_center": "Filial" }));
    for more in [
        json!({ "lawsuits_id": lawsuit, "amount": 1500.50, "date_due": "2026-06-16", "sectors_id": 1,
                "description": "Honorários, 1ª parcela", "external_ids": ["asaas:pay_81"] }),
        json!({ "lawsuits_id": other, "amount": 20, "date_due": "2026-06-17", "users_id": 2, "categories_id": 2 }),
        json!({ "entry_type": "expense", "categories_id": DEBIT, "amount": "0,07", "date_due": "2026-06-18",
                "date_payment": "2026-06-17", "cost_centers_id": 2, "description": "Cópias" }),
        json!({ "customers_id": company, "amount": 3, "date_due": "2026-05-31", "date_payment": "2026-06-01",
                "competence": "04/2026", "debit_account": 2 }),
        json!({ "entry_type": "expense", "categories_id": DEBIT + 1, "amount": 999_999_999_999.99,
                "date_due": "2026-07-01", "credit_account": 2, "sectors_id": 2 }),
    ] {
        create(&office, more);
        office.pass(24 * 60 * 60);
    }
    office
}

#[test]
fn every_filter_finds_the_matching_transactions() {
    let office = five();
    // Five days have passed since noon of 17 June.
    for (name, value, ids) in [
        ("process_number", "0001234-03.2026.8.26.0100", &[1][..]),
        ("process_number", "00012340320268260100", &[1]),
        ("process_number", "0001234", &[1]),
        ("process_number", "26.0100", &[1]),
        ("process_number", "2026", &[1, 2]),
        ("protocol_number", "000123", &[1]),
        ("protocol_number", "999", &[]),
        ("description", "parcela honorarios", &[1]),
        ("description", "cop", &[3]),
        ("customer_name", "prado", &[1, 2, 4]),
        ("customer_name", "lima ana", &[1]),
        ("name", "filhos", &[2, 4]),
        ("customer_identification", "529.982", &[1]),
        ("identification", "11222333000181", &[2, 4]),
        ("lawsuit_id", "2", &[2]),
        ("lawsuits_id", "1", &[1]),
        ("lawsuit_id", "9", &[]),
        ("customer_id", "2", &[2, 4]),
        ("customers_id", "1", &[1]),
        ("responsible", "rui", &[2]),
        ("responsible", "2", &[2]),
        ("category", "Honorários mensais", &[2]),
        ("category", "9", &[3]),
        ("category", "custas", &[3]),
        ("cost_center", "filial", &[3]),
        ("debit_bank", "Caixa", &[4]),
        ("debit_bank", "1", &[1, 2, 3, 5]),
        ("sector", "juridico", &[1]),
        ("sector", "2", &[5]),
        ("entry_type", "income", &[1, 2, 4]),
        ("entry_type", "EXPENSE", &[3, 5]),
        ("external_id", "asaas:pay_81", &[1]),
        ("external_id", "asaas:pay_8", &[]),
        ("date_due_start", "17/06/2026", &[2, 3, 5]),
        ("date_due_end", "2026-06-17", &[1, 2, 4]),
        ("date_payment_start", "2026-06-02", &[3]),
        ("date_payment_end", "2026-06-17", &[3, 4]),
        ("created_start", "2026-06-19", &[3, 4, 5]),
        ("created_end", "18/06/2026", &[1, 2]),
        ("updated_start", "2026-06-21", &[5]),
        ("competence_start", "06/2026", &[1, 2, 3, 5]),
        ("competence_start", "2026-06-30", &[1, 2, 3, 5]),
        ("competence_end", "2026-04", &[4]),
        ("competence_end", "01/06/2026", &[1, 2, 3, 4]),
        ("status", "paid", &[3, 4]),
        ("status", "Unpaid", &[1, 2, 5]),
        ("status", "overdue", &[1, 2]),
        ("status", "open", &[5]),
        ("order", "desc", &[5, 4, 3, 2, 1]),
        ("category", "", &[1, 2, 3, 4, 5]),
    ] {
        assert_eq!(office.ids(&with_query("/transactions", &[(name, value)])), ids, "{name}={value}");
    }
    let three = [("customer_name", "prado"), ("status", "unpaid"), ("date_due_end", "2026-06-16")];
    assert_eq!(office.ids(&with_query("/transactions", &three)), [1]);
    for (name, value) in [
        ("status", "late"),
        ("entry_type", "receita"),
        ("competence_start", "13/2026"),
        ("date_due_end", "31/02/2026"),
        ("sums", "talvez"),
        ("lawsuit_id", "x"),
        ("external_id", "semsistema"),
        ("limit", "1001"),
        ("limit", "0"),
        ("process_number", "123"),
    ] {
        assert_eq!(
            office.get(&with_query("/transactions", &[(name, value)])).wrong_fields(),
            [name],
            "{name}={value}"
        );
    }
    let both = with_query("/transactions", &[("customer_id", "1"), ("customers_id", "2")]);
    assert_eq!(office.get(&both).status, 422, "singular and plural are the same parameter");
    let same = with_query("/transactions", &[("customer_id", "1"), ("customers_id", "1")]);
    assert_eq!(office.ids(&same), [1]);
}

#[test]
fn due_today_is_open_and_due_yesterday_is_overdue() {
    let office = Office::new();
    for due in ["2026-06-16", "2026-06-17", "2026-06-18"] {
        create(&office, json!({ "date_due": due }));
    }
    let status = |status| office.ids(&with_query("/transactions", &[("status", status)]));
    assert_eq!((status("overdue"), status("open")), (vec![1], vec![2, 3]));
    office.pass(24 * 60 * 60);
    assert_eq!((status("overdue"), status("open")), (vec![1, 2], vec![3]), "the lists of the next day");
}

#[test]
fn sums_are_exact_and_over_everything_that_matches() {
    let office = five();
    let sums = |query: &str| {
        let text = office.get(&format!("/transactions?sums=true{query}")).text();
        text.split_once(r#","sums":"#).unwrap().1.strip_suffix('}').unwrap().to_owned()
    };
    let all = r#"{"income":{"paid":3.00,"unpaid":1520.50},"expense":{"paid":0.07,"unpaid":999999999999.99}}"#;
    for query in ["", "&limit=1", "&limit=1&offset=4", "&offset=99", "&order=desc&limit=2"] {
        assert_eq!(sums(query), all, "{query}");
    }
    let some = r#"{"income":{"paid":3.00,"unpaid":20.00},"expense":{"paid":0.00,"unpaid":0.00}}"#;
    assert_eq!(sums("&customer_id=2"), some);
    let none = r#"{"income":{"paid":0.00,"unpaid":0.00},"expense":{"paid":0.00,"unpaid":0.00}}"#;
    assert_eq!(sums("&description=nada"), none);
    let changed = json!({ "amount": 0.01, "date_payment": "2026-06-17", "entry_type": "income", "categories_id": CREDIT });
    assert_eq!(office.put("/transactions/5", &changed).status, 200);
    let changed = r#"{"income":{"paid":3.01,"unpaid":1520.50},"expense":{"paid":0.07,"unpaid":0.00}}"#;
    assert_eq!(sums(""), changed);
    for _ in 0..3 {
        create(&office, json!({ "amount": "999.999.999.999,99" }));
    }
    let large = r#"{"income":{"paid":3.01,"unpaid":3000000001520.47},"expense":{"paid":0.07,"unpaid":0.00}}"#;
    assert_eq!(sums(""), large);
}

#[test]
fn transactions_are_found_and_shown_with_the_current_data_of_linked_records() {
    let office = five();
    let before = office.get("/transactions/1");
    let found = |name, value| office.ids(&with_query("/transactions", &[(name, value)]));
    office.put("/customers/1", &json!({ "name": "Carla Nunes", "identification": null }));
    assert_eq!((found("customer_name", "nunes"), found("customer_name", "ana")), (vec![1], vec![]));
    assert_eq!(found("identification", "529"), Vec::<u64>::new());
    office.put("/lawsuits/1", &json!({ "process_number": "Novo 9/2027", "protocol_number": "P-8" }));
    assert_eq!((found("process_number", "9/2027"), found("protocol_number", "p8")), (vec![1], vec![1]));
    office.put("/settings/banks/1", &json!({ "name": "Banco novo" }));
    let now = office.get("/transactions/1");
    let shown = ["name", "identification", "process_number", "protocol_number", "debit_bank"];
    let record = now.json();
    assert_eq!(
        shown.map(|member| record[member].clone()),
        [json!("Carla Nunes"), json!(null), json!("Novo 9/2027"), json!("P-8"), json!("Banco novo")]
    );
    assert_ne!(before.header("etag"), now.header("etag"));
    assert_eq!(office.get("/transactions?limit=1").json()["data"][0], record);
}

#[test]
fn a_stale_change_and_a_taken_external_id_are_refused() {
    let office = five();
    let tag = office.get("/transactions/1").header("etag").to_owned();
    let put = |body: &Value| {
        let body = body.to_string();
        office.send("PUT", "/transactions/1", &[("if-match", &tag)], Some(body.as_bytes()))
    };
    assert_eq!(put(&json!({ "description": "Outra" })).status, 200);
    put(&json!({ "description": "Mais outra" })).problem(412, "changed-meanwhile");
    let taken = json!({ "external_ids": ["asaas:pay_81"] });
    for refused in [post(&office, taken.clone()), office.put("/transactions/2", &taken)] {
        assert_eq!(refused.problem(422, "duplicate")["transaction_id"], 1);
    }
    assert_eq!(office.get("/transactions").json()["totalCount"], 5);
    let keyed = |amount: u32| {
        let body = json!({ "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1,
            "cost_centers_id": 1, "amount": amount, "date_due": "2026-06-17" });
        office.send("POST", "/transactions", &[("idempotency-key", "a")], Some(body.to_string().as_bytes()))
    };
    let (first, again) = (keyed(1), keyed(1));
    assert_eq!((first.text(), again.header("idempotency-replayed")), (again.text(), "true"));
    keyed(2).problem(422, "idempotency-key-reused");
}
