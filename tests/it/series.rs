//! Transactions that belong together: instalments created by one request, and monthly repetitions (day 38).

use std::fs;

use pleito::supervisor::MonthlyTransactions;
use serde_json::{Value, json};

use crate::forms::with;
use crate::office::{Office, Reply};
use crate::program::{Program, new_token, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

const DAY: u64 = 86_400;

/// Posts a transaction with these members in addition to the required ones.
fn post(office: &Office, more: Value) -> Reply {
    let right = json!({
        "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
        "amount": 1200, "date_due": "2026-06-17",
    });
    office.post("/transactions", &with(right, &more))
}

fn created_ids(reply: Reply) -> Vec<u64> {
    assert_eq!(reply.status, 201, "{}", reply.text());
    let ids = reply.json()["transactions_ids"].clone();
    ids.as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect()
}

/// Returns one member of every transaction, by id.
fn all(office: &Office, member: &str) -> Vec<Value> {
    let list = office.get("/transactions").json();
    list["data"].as_array().unwrap().iter().map(|one| one[member].clone()).collect()
}

fn days(office: &Office) -> Vec<String> {
    all(office, "date_due").iter().map(|day| day.as_str().unwrap().to_owned()).collect()
}

fn latest(office: &Office) -> u64 {
    office.get("/changes").json()["latest"].as_u64().unwrap()
}

/// Creates the missing repetitions and returns the number of new transactions.
fn create_missing(office: &Office) -> usize {
    MonthlyTransactions::default().create_due(office.app()).unwrap()
}

#[test]
fn twelve_instalments_are_created_by_one_request() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(&[ana], json!({}));
    let since = latest(&office);
    let reply = post(
        &office,
        json!({
            "amount": "1.000,00", "date_due": "31/01/2027", "installments": 12, "lawsuits_id": lawsuit,
            "description": "Honorários", "competence": "12/2026", "external_ids": ["asaas:1"],
            "date_payment": "2026-06-17",
        }),
    );
    assert_eq!((reply.header("location"), reply.status), ("/api/v1/transactions/1", 201), "{}", reply.text());
    let ids = (1..=12).collect::<Vec<u64>>();
    assert_eq!(
        reply.json(),
        json!({ "success": true, "transactions_id": 1, "transaction_id": 1, "transactions_ids": ids })
    );
    assert_eq!(days(&office)[..3], ["2027-01-31", "2027-02-28", "2027-03-31"]);
    assert_eq!(days(&office)[11], "2027-12-31");
    let amounts = all(&office, "amount");
    assert_eq!((&amounts[0], &amounts[1], &amounts[11]), (&json!(83.37), &json!(83.33), &json!(83.33)));
    let sums = office.get("/transactions?sums=1").json()["sums"]["income"].clone();
    assert_eq!(
        sums,
        json!({ "paid": 83.37, "unpaid": 916.63 }),
        "the instalments add up to the centavo, and the first one is paid"
    );
    let [months, texts, customers] =
        ["competence", "description", "customers_id"].map(|name| all(&office, name));
    assert_eq!(
        (&months[0], &months[1], &months[11]),
        (&json!("12/2026"), &json!("01/2027"), &json!("11/2027"))
    );
    assert_eq!((&texts[0], &texts[11]), (&json!("Honorários 1/12"), &json!("Honorários 12/12")));
    assert!(customers.iter().all(|id| *id == ana), "the customer is the lawsuit's");
    let external = all(&office, "external_ids");
    assert_eq!((&external[0], &external[1]), (&json!(["asaas:1"]), &json!([])));
    assert!(all(&office, "is_recurrent").iter().all(|is| *is == false));

    let changes = office.get(&format!("/changes?since={since}")).json();
    let changes = changes["data"].as_array().unwrap();
    assert_eq!(changes.len(), 12);
    assert!(
        changes.iter().all(|one| one["op"] == "created" && one["request_id"] == changes[0]["request_id"]),
        "{changes:?}"
    );
    assert_eq!(create_missing(&office), 0, "instalments are not repeated");
}

#[test]
fn instalments_are_checked_against_their_limits_and_stored_all_or_nothing() {
    let office = Office::new();
    for (wrong, members) in [
        (json!({ "installments": 0 }), &["installments"][..]),
        (json!({ "installments": 1 }), &["installments"]),
        (json!({ "installments": 121 }), &["installments"]),
        (json!({ "installments": "doze" }), &["installments"]),
        (json!({ "installments": 2.5 }), &["installments"]),
        (json!({ "installments": -2 }), &["installments"]),
        (json!({ "installments": [12] }), &["installments"]),
        (json!({ "installments": 2, "is_recurrent": true }), &["installments"]),
        (json!({ "installments": 2, "recurrence": "monthly" }), &["installments"]),
        (json!({ "installments": 2, "amount": 0.01 }), &["amount"]),
        (json!({ "installments": 120, "amount": 1.19 }), &["amount"]),
        (json!({ "installments": 2, "date_due": "2199-12-01" }), &["date_due"]),
        (json!({ "installments": 12, "description": "x".repeat(495) }), &["description"]),
        (json!({ "installments": 12, "amount": 0, "date_due": "x" }), &["amount", "date_due"]),
        (json!({ "installments": 2, "date_payment": "2026-06-18" }), &["date_payment"]),
        (json!({ "installments": 2, "categories_id": 9 }), &["categories_id"]),
    ] {
        let mut fields = post(&office, wrong.clone()).wrong_fields();
        fields.sort();
        assert_eq!(fields, members, "{wrong}");
    }
    assert_eq!(office.get("/transactions").json()["totalCount"], 0);
    for (right, count) in [
        (json!({ "installments": 2, "amount": 0.02 }), 2),
        (json!({ "installments": "120", "amount": 1.20 }), 120),
        (json!({ "installments": 12.0, "description": "x".repeat(494) }), 12),
        (json!({ "installments": 2, "date_due": "2199-11-30", "is_recurrent": false }), 2),
    ] {
        assert_eq!(created_ids(post(&office, right.clone())).len(), count, "{right}");
    }
    // Values that count as absent.
    for none in [json!(null), json!("")] {
        let reply = post(
            &office,
            json!({ "installments": none, "recurrence": none, "recurrent_until": none, "amount": 7 }),
        );
        assert!(reply.json().get("transactions_ids").is_none(), "{}", reply.text());
    }
    let put = office.put("/transactions/1", &json!({ "installments": 3 }));
    put.problem(400, "empty-body");
}

#[test]
fn instalments_are_created_once_per_idempotency_key_and_count_as_one_request() {
    let office = Office::with("[limits]\npost_per_day = 2\nget_per_minute = 0\n");
    let body = json!({
        "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
        "amount": 100, "date_due": "2026-06-17", "installments": 3,
    });
    let keyed = || {
        office.send("POST", "/transactions", &[("idempotency-key", "a")], Some(body.to_string().as_bytes()))
    };
    let (first, again) = (keyed(), keyed());
    assert_eq!((first.text(), again.header("idempotency-replayed")), (again.text(), "true"));
    assert_eq!(office.get("/transactions").json()["totalCount"], 3);
    assert_eq!((first.header("x-ratelimit-remaining"), again.header("x-ratelimit-remaining")), ("1", "0"));
}

#[test]
fn a_repetition_creates_one_transaction_a_month_until_it_ends() {
    let office = Office::new();
    let ids = created_ids(post(
        &office,
        json!({
            "date_due": "2026-05-31", "recurrence": "monthly", "recurrent_until": "02/2027", "description": "Aluguel",
            "date_payment": "2026-06-01", "external_ids": ["banco:7"], "competence": "04/2026",
        }),
    ));
    assert_eq!(ids, [1, 2, 3], "this month's and next month's are created at once");
    assert_eq!(create_missing(&office), 0);
    let since = latest(&office);
    office.pass(14 * DAY);
    assert_eq!(
        (create_missing(&office), create_missing(&office)),
        (1, 0),
        "on the first of July, August's is created"
    );
    for _ in 0..12 {
        office.pass(30 * DAY);
        create_missing(&office);
    }
    assert_eq!(
        days(&office),
        ["05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31", "01-31", "02-28"]
            .iter()
            .zip([2026; 8].into_iter().chain([2027; 2]))
            .map(|(day, year)| format!("{year}-{day}"))
            .collect::<Vec<_>>()
    );
    let paid = all(&office, "date_payment");
    assert_eq!((&paid[0], paid[1..].iter().all(Value::is_null)), (&json!("2026-06-01"), true));
    let months = all(&office, "competence");
    assert_eq!(
        (&months[0], &months[1], &months[9]),
        (&json!("04/2026"), &json!("05/2026"), &json!("01/2027"))
    );
    assert!(all(&office, "is_recurrent").iter().all(|is| *is == true));
    assert!(all(&office, "description").iter().all(|text| text == "Aluguel"));
    assert!(all(&office, "external_ids")[1..].iter().all(|ids| *ids == json!([])));
    let changes = office.get(&format!("/changes?since={since}")).json();
    let changes = changes["data"].as_array().unwrap();
    assert_eq!(changes.len(), 7, "{changes:?}");
    assert!(changes.iter().all(|one| one["op"] == "created" && one["via"] == "command"), "{changes:?}");
    assert_eq!(changes[0]["at"], "2026-07-01 12:00:00");
}

#[test]
fn a_repetition_on_the_30th_falls_on_the_29th_in_a_leap_february() {
    let office = Office::new();
    office.clock.set("2027-12-29T12:00:00-03:00".parse().unwrap());
    created_ids(post(&office, json!({ "date_due": "2027-12-30", "recurrence": "monthly" })));
    for _ in 0..3 {
        office.pass(31 * DAY);
        create_missing(&office);
    }
    assert_eq!(days(&office), ["2027-12-30", "2028-01-30", "2028-02-29", "2028-03-30", "2028-04-30"]);
}

#[test]
fn a_machine_that_was_off_for_fourteen_months_creates_each_month_once() {
    let mut office = Office::new();
    created_ids(post(&office, json!({ "date_due": "2026-06-20", "recurrence": "monthly" })));
    created_ids(post(
        &office,
        json!({ "date_due": "2026-06-21", "recurrence": "monthly", "recurrent_until": "09/2026" }),
    ));
    office.pass(426 * DAY);
    office.restart();
    let first = wait_until(MAX_WAIT, "all months are created", || {
        let days = days(&office);
        (days.len() == 20).then_some(days)
    });
    assert_eq!(create_missing(&office), 0);
    let of = |day: &str| first.iter().filter(|one| one.ends_with(day)).cloned().collect::<Vec<_>>();
    assert_eq!((of("-20").len(), of("-21").len()), (16, 4));
    assert_eq!(of("-20").last().unwrap(), "2027-09-20");
    assert_eq!(of("-21"), ["2026-06-21", "2026-07-21", "2026-08-21", "2026-09-21"]);
}

/// Each month is created exactly once, whenever the process is killed.
#[test]
fn a_kill_leaves_no_month_doubled_or_missing() {
    let office = Office::new();
    for day in 1..=20 {
        created_ids(post(
            &office,
            json!({ "date_due": format!("2025-07-{day:02}"), "recurrence": "monthly" }),
        ));
    }
    let folder = office.stopped();
    // The real server uses the system's clock, which is past the test's clock, so it finds months to create.
    let store = || {
        pleito::store::Store::read_once(folder.path(), |db| {
            pleito::store::nouns::transactions::series::behind(
                db,
                pleito::domain::YearMonth::parse("2026-08").unwrap(),
            )
        })
    };
    assert!(!store().unwrap().is_empty(), "there are months to create");
    for _ in 0..3 {
        let mut server = Program::serve(folder.path(), &[]);
        server.kill();
    }
    let server = Program::serve(folder.path(), &[]);
    let token = new_token(folder.path());
    let months = || {
        let list = server.ask(&token, "GET", "/transactions", None).unwrap().json();
        let data = list["data"].as_array().unwrap().clone();
        data.iter().map(|one| one["date_due"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    wait_until(MAX_WAIT, "all months are created", || store().unwrap().is_empty().then_some(()));
    let mut each = months();
    let count = each.len();
    each.sort();
    each.dedup();
    assert_eq!((each.len(), count % 20), (count, 0), "{each:?}");
}

#[test]
fn errors_in_a_repetition_name_the_wrong_member() {
    let office = Office::new();
    for (wrong, member) in [
        (json!({ "recurrence": "monthly", "recurrent_until": "05/2026" }), "recurrent_until"),
        (json!({ "recurrence": "monthly", "recurrent_until": "13/2026" }), "recurrent_until"),
        (json!({ "recurrence": "monthly", "recurrent_until": 7 }), "recurrent_until"),
        (json!({ "recurrence": "weekly" }), "recurrence"),
        (json!({ "recurrence": true }), "recurrence"),
        (json!({ "recurrent_until": "12/2026" }), "recurrence"),
        (json!({ "recurrence": "monthly", "is_recurrent": false }), "is_recurrent"),
        (json!({ "recurrence": "monthly", "date_due": "2025-05-31" }), "date_due"),
    ] {
        assert_eq!(post(&office, wrong.clone()).wrong_fields(), [member], "{wrong}");
    }
    assert_eq!(office.get("/transactions").json()["totalCount"], 0);
    let once = json!({ "recurrence": "Monthly", "recurrent_until": "06/2026", "is_recurrent": true });
    assert_eq!(created_ids(post(&office, once)).len(), 1, "the month in which it begins counts");
    let back = json!({ "recurrence": "monthly", "date_due": "2025-06-30", "recurrent_until": "2025-08" });
    assert_eq!(created_ids(post(&office, back)).len(), 3, "a repetition that is already over");
}

#[test]
fn is_recurrent_alone_starts_no_repetition() {
    let office = Office::new();
    let reply = post(&office, json!({ "is_recurrent": true }));
    assert_eq!(reply.text(), r#"{"success":true,"transactions_id":1,"transaction_id":1}"#);
    office.pass(400 * DAY);
    assert_eq!(create_missing(&office), 0);
    assert_eq!(office.put("/transactions/1", &json!({ "is_recurrent": false })).status, 200);
    assert_eq!(office.put("/transactions/1", &json!({ "is_recurrent": true })).status, 200);
    assert_eq!(
        (create_missing(&office), office.get("/transactions").json()["totalCount"].clone()),
        (0, json!(1))
    );
}

#[test]
fn the_next_transaction_is_a_copy_of_the_newest_one() {
    let office = Office::new();
    let ids = created_ids(post(&office, json!({ "recurrence": "monthly", "description": "Aluguel" })));
    let newest = format!("/transactions/{}", ids[1]);
    assert_eq!(office.put("/transactions/1", &json!({ "amount": 5 })).status, 200);
    let other = json!({ "amount": 1300, "description": "Aluguel novo", "date_due": "2026-07-20" });
    assert_eq!(office.put(&newest, &other).status, 200);
    office.pass(31 * DAY);
    assert_eq!(create_missing(&office), 1);
    let made = office.get("/transactions/3").json();
    assert_eq!(
        [&made["amount"], &made["description"], &made["date_due"]],
        [&json!(1300.0), &json!("Aluguel novo"), &json!("2026-08-17")],
        "the day is that of the first one"
    );
}

#[test]
fn a_repetition_can_be_ended_through_any_of_its_transactions() {
    for ended in 0..3 {
        let office = Office::new();
        let ids = created_ids(post(&office, json!({ "recurrence": "monthly", "date_due": "2026-05-17" })));
        let since = latest(&office);
        let path = format!("/transactions/{}", ids[ended]);
        assert_eq!(office.put(&path, &json!({ "is_recurrent": false })).status, 200);
        let changes = office.get(&format!("/changes?since={since}")).json();
        let changes = changes["data"].as_array().unwrap();
        assert!(changes.iter().all(|one| one["changed"] == json!(["is_recurrent"])), "{changes:?}");
        assert_eq!(changes.len(), if ended == 2 { 1 } else { 2 }, "itself and the newest one");
        office.pass(400 * DAY);
        assert_eq!((create_missing(&office), days(&office).len()), (0, 3));
        // Setting the member again starts no new repetition.
        assert_eq!(office.put(&path, &json!({ "is_recurrent": true })).status, 200);
        assert_eq!(create_missing(&office), 0);
    }
}

#[test]
fn deleted_transactions_are_not_created_again() {
    let office = Office::new();
    let ids = created_ids(post(&office, json!({ "recurrence": "monthly", "date_due": "2026-05-17" })));
    let delete =
        |id: u64| assert_eq!(office.send("DELETE", &format!("/transactions/{id}"), &[], None).status, 200);
    delete(ids[2]);
    assert_eq!(create_missing(&office), 0);
    office.pass(31 * DAY);
    assert_eq!(create_missing(&office), 1, "later months are still created");
    assert_eq!(days(&office), ["2026-05-17", "2026-06-17", "2026-08-17"]);
    let restore = json!({ "deleted": false });
    assert_eq!(office.put(&format!("/transactions/{}", ids[2]), &restore).status, 200);
    assert_eq!((create_missing(&office), days(&office).len()), (0, 4));

    // A deleted month is not created again, even if the trash is emptied before the next one.
    delete(4);
    let (out, err) = streams(&run(office.folder(), &["trash", "empty", "--yes"]));
    assert!(err.is_empty(), "{out}{err}");
    assert_eq!(create_missing(&office), 0);
    office.pass(31 * DAY);
    assert_eq!(create_missing(&office), 1);
    assert_eq!(days(&office), ["2026-05-17", "2026-06-17", "2026-07-17", "2026-09-17"]);

    // If every transaction is deleted, there is nothing to copy. A restored one continues the repetition.
    for id in [1, 2, 3, 5] {
        delete(id);
    }
    office.pass(62 * DAY);
    assert_eq!(create_missing(&office), 0);
    assert_eq!(office.put("/transactions/1", &restore).status, 200);
    assert_eq!(create_missing(&office), 2);
    assert_eq!(days(&office), ["2026-05-17", "2026-10-17", "2026-11-17"]);
}

#[test]
fn a_whole_export_contains_repetitions_and_a_spreadsheet_does_not() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    created_ids(post(
        &office,
        json!({ "recurrence": "monthly", "customers_id": ana, "description": "Mensalidade" }),
    ));
    created_ids(post(&office, json!({ "installments": 2, "customers_id": ana, "amount": 10 })));
    let desk = tempfile::tempdir().unwrap();
    let to = desk.path().join("tudo");
    let done = |folder: &std::path::Path, words: &[&str]| {
        let output = run(folder, words);
        assert!(output.status.success(), "{words:?}: {:?}", streams(&output));
    };
    done(office.folder(), &["export", &to.display().to_string()]);
    let lines = fs::read_to_string(to.join("pleito.jsonl")).unwrap();
    assert_eq!(lines.matches("\"series_id\":").count(), 4, "{lines}");
    let other = tempfile::tempdir().unwrap();
    done(other.path(), &["import", &to.join("pleito.jsonl").display().to_string(), "--apply"]);
    let state = pleito::store::Store::read_once(other.path(), |db| {
        pleito::store::nouns::transactions::series::behind(
            db,
            pleito::domain::YearMonth::parse("2026-08").unwrap(),
        )
    });
    assert_eq!(state.unwrap(), [1]);

    // Importing the spreadsheet again changes nothing. Imported into another office, it creates plain transactions.
    let csv = to.join("transactions.csv").display().to_string();
    done(office.folder(), &["import", &csv, "--apply"]);
    assert_eq!(days(&office).len(), 4);
    let third = Office::new();
    third.customer("Ana", json!({}));
    done(third.folder(), &["import", &csv, "--apply"]);
    third.pass(400 * DAY);
    assert_eq!((create_missing(&third), days(&third).len()), (0, 4));
}

#[test]
fn a_repetition_follows_a_merge_of_its_customer() {
    let office = Office::new();
    let [ana, other] = ["Ana Lima", "Ana de Lima"].map(|name| office.customer(name, json!({})));
    created_ids(post(&office, json!({ "recurrence": "monthly", "customers_id": other })));
    assert_eq!(office.post(&format!("/customers/{ana}/merge"), &json!({ "from": other })).status, 200);
    office.pass(31 * DAY);
    assert_eq!(create_missing(&office), 1);
    assert!(all(&office, "customers_id").iter().all(|id| *id == ana));
}

#[test]
fn a_clock_that_is_briefly_wrong_creates_nothing() {
    let office = Office::new();
    created_ids(post(&office, json!({ "recurrence": "monthly" })));
    let now = office.clock.now();
    let mut monthly = MonthlyTransactions::default();
    let mut create_missing = || monthly.create_due(office.app()).unwrap();
    assert_eq!(create_missing(), 0);
    office.clock.set(now + jiff::SignedDuration::from_hours(24 * 365));
    assert_eq!(create_missing(), 0, "the clock may be wrong");
    office.clock.set(now);
    assert_eq!((create_missing(), create_missing()), (0, 0));
    office.clock.set(now + jiff::SignedDuration::from_hours(24 * 365 * 30));
    assert_eq!(
        (create_missing(), create_missing()),
        (0, 0),
        "a clock years ahead of all records is not trusted"
    );
    office.clock.set(now + jiff::SignedDuration::from_hours(24 * 31));
    assert_eq!((create_missing(), create_missing()), (0, 1), "a clock that stays ahead is trusted");
}

#[test]
fn after_a_restore_each_month_is_created_once() {
    let office = Office::new();
    created_ids(post(&office, json!({ "recurrence": "monthly", "date_due": "2026-06-20" })));
    let done = |words: &[&str]| {
        let (out, err) = streams(&run(office.folder(), &[words, &["--json"]].concat()));
        assert!(err.is_empty(), "{words:?}: {out}{err}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let backup = done(&["backup"])["file"].as_str().unwrap().to_owned();
    office.pass(62 * DAY);
    assert_eq!(create_missing(&office), 2);
    let after = days(&office);
    done(&["restore", &backup]);
    assert_eq!(days(&office).len(), 2, "the restored state");
    assert_eq!((create_missing(&office), create_missing(&office)), (2, 0));
    assert_eq!(days(&office), after);
}
