//! Money in the console: the totals of a list, payments and refunds, the payments of a month, and who owes
//! (resources 16, office 54).

use pleito::records::Kind;
use pleito::store::{Db, Store, journal};
use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::office::{Office, Reply};

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
    assert!(page.has_button("Receive") && page.contains("Overdue"), "{page}");
    assert!(!page.has_button("Mark as paid"), "the form is in its place: {page}");
    assert!(visitor.page("/transactions").has_button("Mark as paid"));
    let done = visitor.send("/transactions/1/do", &[("action", "pay")]);
    assert_eq!((done.status, done.header("location")), (303, "/console/transactions/1?done=pay"));
    assert_eq!(paid(), "2026-06-17");
    let page = visitor.page("/transactions/1?done=pay");
    assert!(page.contains("Marked as paid today.") && page.has_button("Mark as not paid"), "{page}");
    assert_eq!(visitor.send("/transactions/1/do", &[("action", "unpay")]).status, 303);
    assert_eq!(paid(), json!(null));
    assert!(visitor.page("/transactions").contains("Due today"));
}

#[test]
fn a_part_is_received_on_the_page_of_the_transaction() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let page = visitor.page("/transactions/1");
    assert_eq!(page.field("Dia").value(), "17/06/2026");
    assert_eq!(page.field("Valor (R$)").error(), "Vazio: tudo, R$ 1.000,00");
    assert!(visitor.page("/transactions/3").has_button("Pagar"));
    // What is refused stays in the form, with its reason.
    let version = page.form_with("interest").control("version").value();
    let version = ("version", version.as_str());
    let typed = [("date", "ontem"), ("amount", "1.000,01"), ("discount", ""), ("interest", ""), version];
    let refused = visitor.send("/transactions/1/payment", &typed);
    let page = refused.page();
    assert_eq!((refused.status, page.field("Valor (R$)").value().as_str()), (422, "1.000,01"), "{page}");
    assert!(page.field("Valor (R$)").error().contains("1.000,00"), "{}", page.field("Valor (R$)").error());

    let typed = [("date", "ontem"), ("amount", "300"), ("discount", "50,00"), ("interest", "10"), version];
    let done = visitor.send("/transactions/1/payment", &typed);
    assert_eq!((done.status, done.header("location")), (303, "/console/transactions/1?done=payment"));
    let page = visitor.page("/transactions/1?done=payment");
    for text in [
        "Pagamento registrado.",
        "Combinado: R$ 1.000,00",
        "Desconto: R$ 50,00",
        "Juros ou multa: R$ 10,00",
        "Resto: R$ 660,00",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(page.section("Parcelas e repetições").contains("Parcela (resto)"), "{page}");
    let rest = visitor.page("/transactions/4");
    assert!(
        rest.contains("Resto de: nº 1") && rest.field("Valor (R$)").error().contains("R$ 660,00"),
        "{rest}"
    );
    assert_eq!(office.get("/transactions/1").json()["date_payment"], "2026-06-16");
    // A second click of the same form pays nothing again, and says so.
    let again = visitor.send("/transactions/1/payment", &typed);
    assert_eq!(again.status, 409);
    assert!(
        again.page().alert().contains("Já estava pago; o valor digitado (300) não foi salvo."),
        "{}",
        again.page()
    );
}

#[test]
fn nobody_pays_an_amount_that_the_page_did_not_show() {
    let office = office();
    let visitor = Visitor::new(&office);
    let version = |page: &Page| page.form_with("interest").control("version").value();
    let shown = version(&visitor.page("/transactions/1"));
    assert_eq!(office.put("/transactions/1", &json!({ "amount": 5000 })).status, 200);
    let typed =
        [("amount", ""), ("date", ""), ("discount", "7"), ("interest", ""), ("version", shown.as_str())];
    let refused = visitor.send("/transactions/1/payment", &typed);
    let page = refused.page();
    assert_eq!(
        (refused.status, office.get("/transactions/1").json()["date_payment"].clone()),
        (412, json!(null))
    );
    assert!(page.alert().contains("changed since this page was opened"), "{page}");
    assert_eq!(page.field("Amount (R$)").error(), "Empty: all of R$ 5,000.00");
    assert_eq!(page.field("Discount (R$)").value(), "7", "what was typed is kept");
    let version = version(&page);
    let typed =
        [("amount", ""), ("date", ""), ("discount", ""), ("interest", ""), ("version", version.as_str())];
    assert_eq!(visitor.send("/transactions/1/payment", &typed).status, 303);
    assert_eq!(office.get("/transactions/1").json()["amount"], json!(5000.0));
}

/// Regression: a row paid whatever the transaction had become, and paid it a second time on another day.
#[test]
fn a_row_pays_only_the_unpaid_amount_that_it_shows() {
    let office = office();
    let visitor = Visitor::new(&office);
    let row = visitor.page("/transactions?tab=all").row("Parcela");
    let amount = row.control("amount").value();
    assert_eq!(amount, "100000");
    let fields = [("action", "pay"), ("amount", amount.as_str())];
    assert_eq!(office.put("/transactions/1", &json!({ "amount": 5000 })).status, 200);
    assert_eq!(visitor.send("/transactions/1/do", &fields).status, 412);
    let day = || office.get("/transactions/1").json()["date_payment"].clone();
    assert_eq!(day(), json!(null));
    let paid = json!({ "amount": 1000, "date_payment": "2026-06-01" });
    assert_eq!(office.put("/transactions/1", &paid).status, 200);
    assert_eq!(visitor.send("/transactions/1/do", &fields).status, 412);
    assert_eq!(day(), "2026-06-01");
    assert_eq!(office.put("/transactions/1", &json!({ "date_payment": null })).status, 200);
    assert_eq!(visitor.send("/transactions/1/do", &fields).status, 303);
    assert_eq!(day(), "2026-06-17");
}

/// Regression: a refusal was shown as "Algo deu errado dentro do programa", with a number in the log.
#[test]
fn a_refusal_names_its_reason_and_leads_back() {
    let office = office();
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let customer = office.customer("Rita Prado", json!({ "identification": "52998224725" }));
    let refund = json!({
        "entry_type": "expense", "refund_of": 2, "amount": 30, "date_due": "2026-06-17", "users_id": 1, "categories_id": 9,
        "cost_centers_id": 1, "debit_account": 1,
    });
    assert_eq!(office.post("/transactions", &refund).status, 201);
    let refused = visitor.send("/transactions/2/do", &[("action", "unpay")]);
    let is_explained = |reply: &Reply, status: u16, text: &str, back: &str| {
        let page = reply.page();
        assert_eq!(reply.status, status, "{page}");
        assert!(page.contains(text) && page.contains("Nada foi salvo."), "{text}: {page}");
        assert!(!page.contains("dentro do programa") && !page.contains("No log"), "{page}");
        assert_eq!(page.link("Voltar ao cadastro"), back);
    };
    is_explained(
        &refused,
        422,
        "Pagamento: não pode mudar assim: as devoluções desta receita somam R$ 30,00",
        "/console/transactions/2",
    );
    // The CPF has become that of another customer.
    let at = format!("/customers/{customer}");
    assert_eq!(office.put(&at, &json!({ "identification": null })).status, 200);
    office.customer("Rui Lopes", json!({ "identification": "52998224725" }));
    let page = visitor.page(&at);
    let change = page.form_with("change").control("change").value();
    let fields = [("change", change.as_str()), ("member", "identification")];
    let refused = visitor.send(&format!("{at}/history"), &fields);
    is_explained(&refused, 422, "CPF ou CNPJ: Já existe um cliente", &format!("/console{at}"));
}

/// Returns the number of the newest change to a transaction.
pub fn newest(office: &Office, id: u32) -> String {
    let read = |db: Db<'_>| journal::newest_of(db, Kind::Transaction.table().name, id, 1);
    Store::read_once(office.folder(), read).unwrap().pop().unwrap().seq.to_string()
}

/// Puts back the value before the newest change to a member, as the button in the history does.
pub fn put_back(office: &Office, visitor: &Visitor<'_>, id: u32, member: &str) -> Reply {
    let table = Kind::Transaction.table().name;
    let read = |db: Db<'_>| journal::newest_of(db, table, id, 1);
    let newest = Store::read_once(office.folder(), read).unwrap().pop().unwrap();
    assert!(newest.changed.iter().any(|column| column == member), "{newest:?}");
    let seq = newest.seq.to_string();
    visitor.send(&format!("/transactions/{id}/history"), &[("change", &seq), ("member", member)])
}

/// Regression: the undo of one member of a payment falsified what was received.
#[test]
fn the_members_of_a_payment_are_undone_together() {
    let office = office();
    let visitor = Visitor::new(&office);
    let money = |id: u64| {
        let all = office.get(&format!("/transactions/{id}")).json();
        ["amount", "discount", "interest", "date_payment"].map(|member| all[member].clone())
    };
    let pay = |id: u64, body: serde_json::Value| {
        let paid = office.put(&format!("/transactions/{id}/payment"), &body);
        assert_eq!(paid.status, 200, "{}", paid.text());
        paid.json()["rest_id"].as_u64()
    };
    let undone = |member: &str| {
        let reply = put_back(&office, &visitor, 1, member);
        assert_eq!(reply.status, 303, "{}", reply.page());
        money(1)
    };
    // A whole payment, by each of its members; and its reopening.
    for member in ["amount", "date_payment"] {
        pay(1, json!({ "interest": 20, "discount": 10 }));
        assert_eq!(undone(member), [json!(1000.0), json!(0.0), json!(0.0), json!(null)], "{member}");
    }
    pay(1, json!({ "interest": 20, "discount": 10 }));
    assert_eq!(visitor.send("/transactions/1/do", &[("action", "unpay")]).status, 303);
    assert_eq!(undone("date_payment"), [json!(1010.0), json!(10.0), json!(20.0), json!("2026-06-17")]);
    assert_eq!(
        undone("date_payment"),
        [json!(1000.0), json!(0.0), json!(0.0), json!(null)],
        "the undo of the undo"
    );

    // A payment in part is not undone while its rest stands, because the debt would count twice.
    let rest = pay(1, json!({ "amount": 300, "discount": 15 })).unwrap();
    let refused = put_back(&office, &visitor, 1, "amount");
    assert_eq!(refused.status, 422);
    assert!(refused.page().contains(&format!("the rest is transaction {rest}")), "{}", refused.page());
    assert_eq!(money(1)[0], json!(300.0));
    office.send("DELETE", &format!("/transactions/{rest}"), &[], None);
    assert_eq!(undone("amount"), [json!(1000.0), json!(0.0), json!(0.0), json!(null)]);

    // Nothing is put back over a later payment.
    office.put("/transactions/1", &json!({ "amount": 1200 }));
    pay(1, json!({ "amount": 900, "discount": 300 }));
    let edit = Store::read_once(office.folder(), |db: Db<'_>| journal::newest_of(db, "transactions", 1, 2));
    let edit = edit.unwrap().pop().unwrap().seq.to_string();
    let fields = [("change", edit.as_str()), ("member", "amount")];
    assert_eq!(visitor.send("/transactions/1/history", &fields).status, 422);
    assert_eq!(money(1)[0], json!(900.0));
}

#[test]
fn a_refund_begins_on_the_page_of_the_income_and_is_shown_there() {
    let office = office();
    let customer = office.customer("Rita Prado", json!({}));
    office.put("/transactions/2", &json!({ "customers_id": customer }));
    let visitor = Visitor::new(&office);
    assert!(!visitor.page("/transactions/1").has_link("Refund to the customer"), "nothing was received");
    let form =
        visitor.page(&visitor.page("/transactions/2").link("Refund to the customer").replace("/console", ""));
    let value = |name: &str| form.control(name).value();
    assert_eq!(value("entry_type"), "expense");
    assert!(
        !form
            .form_with("refund_of")
            .fields()
            .iter()
            .any(|(name, value)| name == "is_internal" && value == "true")
    );
    assert_eq!((value("amount").as_str(), value("date_payment").as_str()), ("500.50", "2026-06-17"));
    assert!(form.control("categories_id").chosen().contains("Devolução a cliente"), "{form}");
    let mut fields = form.form_with("refund_of").fields();
    fields.iter_mut().filter(|(name, _)| name == "amount").for_each(|(_, value)| "100".clone_into(value));
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let done = visitor.send("/transactions/new", &fields);
    assert_eq!(done.status, 303, "{}", done.page());
    assert_eq!(office.get("/transactions/4").json()["refund_of"], 2);
    assert!(visitor.page("/transactions/2").section("Refunds").contains("100.00"));
    let page = visitor.page(&format!("/customers/{customer}"));
    for text in ["Received: R$ 500.50", "Returned: R$ 100.00", "Left: R$ 400.50"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn a_receipt_is_for_what_was_paid() {
    let office = office();
    let customer = office.customer("Rita Prado", json!({ "identification": "52998224725" }));
    office.put("/transactions/2", &json!({ "customers_id": customer }));
    let mut visitor = Visitor::new(&office);
    // An expense is paid to somebody else, even if a customer is named; a refund is received by the customer.
    let paid = |more: serde_json::Value| {
        let body = json!({
            "entry_type": "expense", "amount": 30, "date_due": "2026-06-17", "date_payment": "2026-06-17", "users_id": 1,
            "categories_id": 9, "cost_centers_id": 1, "debit_account": 1,
        });
        let made = office.post("/transactions", &crate::forms::with(body, &more));
        assert_eq!(made.status, 201, "{}", made.text());
        made.json()["transaction_id"].as_u64().unwrap()
    };
    let costs = paid(json!({ "customers_id": customer }));
    assert_eq!(visitor.look(&format!("/transactions/{costs}/receipt")).status, 404);
    assert!(!visitor.page(&format!("/transactions/{costs}")).has_link("Receipt"));
    let english = visitor.page("/transactions/2/receipt");
    assert!(english.contains("(five hundred reais and fifty centavos) for Parcela"), "{english}");
    visitor.language = "pt-BR";
    let refund = visitor.page(&format!("/transactions/{}/receipt", paid(json!({ "refund_of": 2 }))));
    assert!(refund.contains("Recebi de ____________________ a importância de R$ 30,00"), "{refund}");
    assert!(refund.contains("pelo que dou quitação"), "{refund}");
    assert_eq!(visitor.look("/transactions/1/receipt").status, 404, "it is not paid");
    assert!(!visitor.page("/transactions/1").has_link("Recibo"));
    assert!(visitor.page("/transactions/2").has_link("Recibo"));
    let page = visitor.page("/transactions/2/receipt");
    for text in [
        "Recebemos de Rita Prado, CPF/CNPJ 529.982.247-25 a importância de R$ 500,50",
        "(quinhentos reais e cinquenta centavos), referente a Parcela",
        "2 de junho de 2026.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let saved = visitor.send("/settings", &[("office.city", "Criciúma"), ("was-office.city", "")]);
    assert_eq!(saved.status, 303, "{}", saved.text());
    let page = visitor.page("/transactions/2/receipt");
    assert!(page.contains("Criciúma, 2 de junho de 2026."), "{page}");
}

#[test]
fn the_month_of_the_accountant_has_what_was_paid_in_it() {
    let office = office();
    let visitor = Visitor::new(&office);
    let version = visitor.page("/transactions/3").form_with("interest").control("version").value();
    let fields = [("amount", "0.50"), ("version", version.as_str())];
    assert_eq!(visitor.send("/transactions/3/payment", &fields).status, 303);
    let page = visitor.page("/transactions/cash");
    let row =
        |page: &crate::console::page::Page, table: &str, name: &str| page.table(table).row(name).cells();
    let category = row(&page, "Payments by category", "Honorários iniciais");
    assert_eq!(category, ["Honorários iniciais", "500.50", "0.00", "500.50"]);
    for table in ["Payments by category", "Payments by cost center", "Payments by responsible"] {
        assert_eq!(row(&page, table, "Total"), ["Total", "500.50", "0.50", "500.00"], "{table}");
    }
    // The list has the same chart, unless it is searched.
    for page in [&page, &visitor.page("/transactions")] {
        assert_eq!(row(page, "Money in and out by month", "Jun 2026"), ["Jun 2026", "500.50", "0.50"]);
    }
    assert!(!visitor.page("/transactions?q=parcela").contains("Money in and out by month"));
    assert!(visitor.page("/transactions/cash?month=2026-05").contains("Nothing was paid in this month."));
    let file = |ending: &str| {
        let path = format!("/console/transactions/cash/export?month=2026-06&as={ending}");
        office.raw("GET", &path, &visitor.headers(), None)
    };
    let csv = file("csv").text();
    assert!(csv.contains("06/2026") && csv.contains("Cost center") && csv.contains("500"), "{csv}");
    assert_eq!((file("csv").status, file("xlsx").status, file("pdf").status), (200, 200, 404));
    assert!(file("xlsx").header("content-disposition").contains("cash-2026-06.xlsx"));
}

#[test]
fn overdue_income_is_listed_by_customer_and_age() {
    let office = Office::new();
    let rita = office.customer("Rita Prado", json!({ "cellphone": "48999990000" }));
    let otto = office.customer("Otto Reis", json!({}));
    // 30, 31, 60, 61, 90 and 91 days before 17 June 2026, and one that is due today.
    for (customer, due, amount) in [
        (rita, "2026-05-18", 1),
        (rita, "2026-05-17", 2),
        (rita, "2026-04-18", 4),
        (rita, "2026-04-17", 8),
        (rita, "2026-03-19", 16),
        (rita, "2026-03-18", 32),
        (otto, "2026-06-16", 500),
        (otto, "2026-06-17", 7),
    ] {
        let body = json!({ "entry_type": "income", "date_due": due, "amount": amount, "users_id": 1,
            "categories_id": 1, "cost_centers_id": 1, "debit_account": 1, "customers_id": customer });
        assert_eq!(office.post("/transactions", &body).status, 201);
    }
    let visitor = Visitor::new(&office);
    let page = visitor.page("/transactions/overdue");
    // Regression: each of these links listed the overdue income of everybody.
    let listed = visitor.page(&page.link("2026-03-18").replace("/console", ""));
    assert!(listed.contains("6 transactions") && !listed.contains("500.00"), "{listed}");
    assert!(page.is_in_order(&["Otto Reis", "Rita Prado"]), "{page}");
    let rita = page.row("Rita Prado").cells();
    assert_eq!(
        rita,
        ["Rita Prado", "(48) 99999-0000", "2026-03-18", "1.00", "6.00", "24.00", "32.00", "63.00"]
    );
    assert_eq!(page.row("Otto Reis").cells()[3..], ["500.00", "", "", "", "500.00"]);
    assert_eq!(page.row("Total").cells()[1..], ["501.00", "6.00", "24.00", "32.00", "563.00"]);
}

#[test]
fn periods_are_offered_on_every_tab() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/transactions");
    let june = "tab=all&date_start=2026-06-01&date_end=2026-06-30";
    assert!(!page.links().iter().any(|link| link.ends_with(june)), "the tab is this month: {page}");
    assert!(page.link("Last month").contains("tab=all&date_start=2026-05-01&date_end=2026-05-31"), "{page}");
    for (tab, is_found) in [("paid", true), ("overdue", false)] {
        let page = visitor.page(&format!("/transactions?tab={tab}"));
        assert_eq!(page.current("Period"), "All time", "{tab}");
        let june = format!("tab={tab}&date_start=2026-06-01&date_end=2026-06-30");
        let june = page.links().into_iter().find(|link| link.ends_with(&june)).unwrap();
        let of_june = visitor.page(&june.replace("/console", ""));
        assert_eq!(of_june.current("Period"), "This month");
        assert_eq!(of_june.anchored("results").contains("500.50"), is_found, "{tab}: {of_june}");
    }
    let typed = visitor.page("/transactions?tab=all&date_start=2026-06-01&date_end=2026-06-02");
    assert!(typed.contains("1 transaction") && typed.contains("500.50"), "{typed}");
    let none = visitor.page("/transactions?tab=all&date_start=2027-06-01");
    assert!(none.contains("Nothing in this tab."), "{none}");
}

/// Regression: `18/06/26`, typed on 17/06/2026 as the day of a payment, was stored as a day of 1926.
#[test]
fn a_year_of_two_digits_is_the_nearest_one_on_the_day_of_a_payment() {
    let office = office();
    let visitor = Visitor::new(&office);
    let version = visitor.page("/transactions/1").form_with("interest").control("version").value();
    let pay = |day: &str| {
        visitor.send("/transactions/1/payment", &[("date", day), ("amount", "10"), ("version", &version)])
    };
    for day in ["18/06/26", "18/06/2026", "1/12/26"] {
        let refused = pay(day);
        assert_eq!(refused.status, 422, "{day}");
        assert!(refused.page().field("Day").error().contains("Must not be after today"), "{day}");
    }
    assert_eq!(pay("16/06/26").status, 303);
    assert_eq!(office.get("/transactions/1").json()["date_payment"], "2026-06-16");
    // A day of birth is never in the future, and a movement may be.
    for (of, typed, meant) in [
        ("past", "18/06/26", "18 June 2026"),
        ("past", "5/12/26", "5 December 2026"),
        ("next", "5/6/80", "5 June 1980"),
        ("birth", "18/06/26", "18 June 1926"),
        ("birth", "17/06/26", "17 June 2026"),
    ] {
        let part = visitor.part(&format!("/day/{of}?date={typed}"));
        assert!(part.contains(meant), "{of}, {typed}: {part}");
    }
    assert!(visitor.look("/customers/new").text().contains("/console/day/birth"));
}
