//! The records of the double: an office that breaks each rule once. To add an oddity, add a line to
//! [`customer`], [`lawsuit`], [`post`] or [`transaction`].

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Data;

/// One customer in this many has no origin. The first is customer 5.
const WITHOUT_ORIGIN: u64 = 75;

/// Number of records of each resource.
#[derive(Clone, Copy)]
pub struct Size {
    pub customers: u64,
    pub lawsuits: u64,
    pub tasks: u64,
    pub transactions: u64,
    pub movements: u64,
    pub documents: u64,
}

/// Returns an office with this many customers and one lawsuit for every ten of them (six at least).
pub fn office(customers: u64) -> Data {
    let lawsuits = customers.div_ceil(10).max(6);
    office_of(Size { customers, lawsuits, tasks: 20, transactions: 6, movements: 4, documents: 2 })
}

/// Returns an office of this size, with four movements and two documents at least.
pub fn office_of(size: Size) -> Data {
    let Size { customers, lawsuits, .. } = size;
    let linked: Vec<(u64, u64)> = (1..=lawsuits)
        .flat_map(|lawsuit| customers_of(lawsuit).into_iter().map(move |customer| (lawsuit, customer)))
        .filter(|(_, customer)| *customer <= customers)
        .collect();
    let lists = BTreeMap::from([
        ("customers", (1..=customers).map(|id| customer(id, &linked)).collect()),
        ("lawsuits", (1..=lawsuits).map(|id| lawsuit(id, &linked)).collect()),
        ("posts", (1..=size.tasks).map(|id| post(id, lawsuits)).collect()),
        ("transactions", (1..=size.transactions).map(transaction).collect()),
    ]);
    let mut of_lawsuit = BTreeMap::from([
        (("movements", 4), ["CONCLUSOS", "CONCLUSOS", "SENTENÇA"].map(|title| movement(4, title)).to_vec()),
        (("movements", 1), vec![movement(1, "JUNTADA")]),
        (("publications", 4), vec![publication("INTIMAÇÃO", "DJEN"), publication("OUTRA", "RUI PRADO")]),
    ]);
    for more in 4..size.movements {
        let lawsuit = 1 + more % lawsuits;
        let title = format!("DESPACHO {more}");
        of_lawsuit.entry(("movements", lawsuit)).or_default().push(movement(lawsuit, &title));
    }
    // Document 9 has no file.
    let mut documents = BTreeMap::from([
        (("customer_id", 1), vec![document(8, "PROCURAÇÃO.PDF"), document(9, "SUMIU.PDF")]),
        (("post_id", 2), vec![document(8, "PROCURAÇÃO.PDF")]),
    ]);
    let mut contents = BTreeMap::from([(8, b"%PDF-1.7 procuracao".to_vec())]);
    for more in 2..size.documents {
        let (id, customer) = (8 + more, 1 + more % customers);
        let name = format!("CONTRATO {id}.PDF");
        documents.entry(("customer_id", customer)).or_default().push(document(id, &name));
        contents.insert(id, format!("%PDF-1.7 contrato {id}").into_bytes());
    }
    Data { settings: settings(), lists, of_lawsuit, documents, contents, ..Data::empty() }
}

/// Types name their group and stages their step without an id. Groups and steps have no list.
fn settings() -> Value {
    json!({
        "users": [{ "id": 1, "name": "ANA SOUZA", "email": null, "cellphone": null },
                  { "id": 2, "name": "RUI PRADO", "email": null, "cellphone": "ERROR" }],
        "origins": [{ "id": 4, "origin": "INDICAÇÃO" }],
        "lawsuit_types": [{ "id": 1, "type": "AÇÃO DE COBRANÇA", "group": "CÍVEL" },
                          { "id": 2, "type": "AÇÃO DE COBRANÇA", "group": "TRABALHISTA" },
                          { "id": 3, "type": "MANDADO DE SEGURANÇA", "group": "TRIBUTÁRIO" }],
        "stages": [{ "id": 1, "stage": "PETIÇÃO INICIAL", "step": "JUDICIAL" },
                   { "id": 2, "stage": "APELAÇÃO", "step": "RECURSAL" }],
        "tasks": [{ "id": 3, "task": "AUDIÊNCIA", "reward": 10 }],
        "financial": {
            "banks": [{ "id": 1, "name": "CONTA CORRENTE", "institution": null }],
            "categories": [{ "id": 1, "category": "HONORÁRIOS", "type": "CRÉDITO" }],
            "cost_centers": [{ "id": 1, "cost_center": "GERAL" }],
            "departments": [],
        },
    })
}

/// Returns the customers of a lawsuit. Every customer without an origin belongs to a lawsuit.
fn customers_of(lawsuit: u64) -> Vec<u64> {
    match lawsuit {
        1 => vec![1, 5],
        3 => vec![6],
        5 | 6 => Vec::new(),
        2 | 4 | 7 => vec![lawsuit],
        _ => vec![lawsuit, (lawsuit - 7) * WITHOUT_ORIGIN + 5],
    }
}

fn with(mut record: Value, broken: Value) -> Value {
    record.as_object_mut().unwrap().extend(broken.as_object().unwrap().clone());
    record
}

fn customer(id: u64, linked: &[(u64, u64)]) -> Value {
    let own = linked.iter().filter(|(_, customer)| *customer == id).map(
        |(lawsuit, _)| json!({ "lawsuit_id": lawsuit, "process_number": null, "protocol_number": null }),
    );
    let customer = json!({
        "id": id, "name": format!("MARIA DA SILVA {id}"), "identification": null, "document": null,
        "gender": "F", "civil_status": null, "occupation": "PROFESSORA", "street": "RUA DAS FLORES, 100",
        "region": "CENTRO", "city": "CRICIÚMA", "state": "SC", "country": "BRASIL", "nationality": null,
        "postalcode": "88800-000", "cellphone": "(48) 98888-0000", "phone": null, "email": null,
        "birthdate": "29/02/1980", "number_ctps": null, "number_pis": null, "number_cid": null,
        "notes": null, "origin": "INDICAÇÃO", "created_at": "2020-01-02 03:04:05",
        "updated_at": "2021-01-02 03:04:05", "lawsuits": own.collect::<Vec<_>>(),
    });
    let broken = match id {
        3 => json!({ "identification": "529.982.247-26", "notes": "CLIENTE ANTIGA" }),
        4 => json!({ "phone": "ERROR" }),
        6 | 7 => json!({ "identification": "529.982.247-25" }),
        8 => json!({ "birthdate": "31/02/1990", "email": "sem e-mail" }),
        9 => json!({ "name": "..." }),
        10 => json!({ "origin": "PANFLETO ANTIGO" }),
        id if id % WITHOUT_ORIGIN == 5 => json!({ "origin": null }),
        _ => json!({}),
    };
    with(customer, broken)
}

fn lawsuit(id: u64, linked: &[(u64, u64)]) -> Value {
    let customers = linked.iter().filter(|(lawsuit, _)| *lawsuit == id);
    let customers = customers.map(|(_, customer)| {
        json!({ "customer_id": customer, "name": format!("MARIA DA SILVA {customer}"), "identification": null,
                "origin": null })
    });
    let lawsuit = json!({
        "id": id, "name": "MARIA", "process_number": null, "protocol_number": format!("2026/{id}"),
        "folder": format!("A-{id}"), "process_date": "2020-05-06", "notes": null, "fees_expec": 1500.5,
        "fees_money": null, "contingency": null, "status_closure": null, "exit_production": null,
        "exit_execution": null, "type_lawsuit_id": 1, "type": "AÇÃO DE COBRANÇA", "group_id": 21,
        "group": "CÍVEL", "stages_id": 1, "stage": "PETIÇÃO INICIAL", "steps_id": 31, "step": "JUDICIAL",
        "responsible_id": 1, "responsible": "ANA SOUZA", "customers": customers.collect::<Vec<_>>(),
        "created_at": "2020-05-06 10:00:00", "updated_at": "2020-05-06 10:00:00",
    });
    let broken = match id {
        2 => {
            json!({ "stages_id": 99, "stage": "FASE ANTIGA", "responsible_id": 77, "responsible": "EX SÓCIO" })
        }
        // Some customers of lawsuits come without an id. Lawsuit 3 identifies its customer by tax id. Customer 4
        // lists lawsuit 4 as its own.
        3 => {
            json!({ "process_number": "0000002-66.2005.4.05.8100",
                    "customers": [{ "customer_id": null, "name": "MARIA", "identification": "529.982.247-25" }] })
        }
        4 => {
            json!({ "process_number": "0000002-65.2005.4.05.8100",
                    "customers": [{ "customer_id": null, "name": "MARIA DA SILVA 4", "identification": null }] })
        }
        6 => {
            json!({ "customers": [{ "customer_id": 999_999, "name": "SUMIU", "identification": null }],
                    "type_lawsuit_id": 2, "group_id": 22, "group": "TRABALHISTA" })
        }
        7 => json!({ "responsible_id": null, "responsible": null, "stages_id": null, "stage": null }),
        _ => json!({}),
    };
    with(lawsuit, broken)
}

/// Every second task is completed and, except for task 4, has no date.
fn post(id: u64, lawsuits: u64) -> Value {
    let completed = if id.is_multiple_of(2) { json!("2026-03-04 16:05:00") } else { Value::Null };
    let user = if id == 3 { json!(88) } else { json!(1) };
    let name = if id == 3 { "SAIU DAQUI" } else { "ANA SOUZA" };
    let mut users =
        vec![json!({ "user_id": user, "name": name, "completed": completed, "important": 1, "urgent": 0 })];
    if id == 4 {
        users.push(
            json!({ "user_id": 2, "name": "RUI PRADO", "completed": null, "important": 1, "urgent": 0 }),
        );
    }
    let date = if id.is_multiple_of(2) && id != 4 { Value::Null } else { json!("2026-03-04 14:30:00") };
    json!({
        "id": id, "date": date, "date_deadline": "2026-03-05", "task": "AUDIÊNCIA", "reward": 10,
        "notes": "LEVAR PROCURAÇÃO", "local": "FÓRUM", "lawsuits_id": if id == 5 { 888_888 } else { 1 + id % lawsuits },
        "created_at": "2026-02-01 09:00:00", "lawsuit": { "id": 1, "customers": [] }, "users": users,
    })
}

fn transaction(id: u64) -> Value {
    let category = match id {
        2 => Value::Null,
        id if id.is_multiple_of(2) => json!("HONORÁRIOS"),
        _ => json!("CUSTAS ANTIGAS"),
    };
    json!({
        "id": id, "entry_type": if id.is_multiple_of(2) { "income" } else { "expense" }, "date_due": "2026-04-05",
        "date_payment": null, "competence": "04/2026", "amount": if id == 3 { 0.0 } else { 100.25 },
        "description": "HONORÁRIOS", "responsible": "ANA SOUZA", "category": category, "lawsuit_id": 4,
        "process_number": "0000002-65.2005.4.05.8100", "protocol_number": null, "name": "MARIA DA SILVA 6",
        "identification": "529.982.247-25", "debit_bank": "CONTA CORRENTE", "credit_bank": null,
        "cost_center": "GERAL", "is_internal": true, "is_recurrent": false,
    })
}

fn movement(lawsuit: u64, title: &str) -> Value {
    json!({ "lawsuit_id": lawsuit, "date": "2026-01-02", "title": title, "header": "TJSC", "customers": "MARIA",
            "process_number": null, "protocol_number": null })
}

fn publication(text: &str, author: &str) -> Value {
    json!({ "process_number": "0000002-65.2005.4.05.8100", "protocol_number": null, "start": "2026-01-03 00:00:00",
            "date_deadline": "2026-01-20", "local": "2ª VARA", "created_at": "2026-01-03 06:00:00", "author": author,
            "responsible": "ANA SOUZA", "customers": "MARIA", "publication": text, "date": "2026-01-03" })
}

fn document(id: u64, name: &str) -> Value {
    json!({ "id": id, "name": name, "links": { "download": format!("/api/v1/documents/{id}/download") } })
}
