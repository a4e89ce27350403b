//! An office with a record of each noun, all of them number 1, and what makes them.

use serde_json::{Value, json};

use crate::documents::upload;
use crate::office::{Office, Reply};

/// Where single records of each noun are.
pub const RECORDS: [&str; 7] = [
    "/customers/1",
    "/lawsuits/1",
    "/posts/1",
    "/lawsuits/movement/1",
    "/lawsuits/publication/1",
    "/transactions/1",
    "/documents/1",
];

/// A member of each that takes any text.
pub const TEXTS: [&str; 7] = ["city", "folder", "local", "header", "local", "description", "notes"];

/// The bodies that make one of each in their order, with the paths that take them; a document is uploaded.
pub fn bodies() -> [(&'static str, Value); 6] {
    [
        (
            "/customers",
            json!({
                "users_id": 1, "customers_origins_id": 1, "name": "Maria da Conceição", "birthdate": "29/02/1980",
                "identification": "529.982.247-25", "cellphone": "48988880000", "city": "Criciúma",
            }),
        ),
        (
            "/lawsuits",
            json!({
                "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1, "date": "21/11/2025",
                "process_number": "0000002-65.2005.4.05.8100", "fees_expec": 1500.5, "folder": "A-12",
            }),
        ),
        (
            "/posts",
            json!({
                "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": 1, "start_date": "2026-12-24", "start_time": "14:30",
                "end_time": "15:30", "comments": "Levar procuração.", "local": "Fórum", "important": true,
            }),
        ),
        (
            "/lawsuits/movement",
            json!({ "lawsuit_id": 1, "date": "2026-06-10", "description": "Petição", "time": "09:12", "users_id": 1 }),
        ),
        (
            "/publications",
            json!({ "publications": [{
                "process_number": "0000002-65.2005.4.05.8100", "date": "2026-06-12", "publication": "Intimação.",
                "external_ids": ["djen:1"],
            }] }),
        ),
        (
            "/transactions",
            json!({
                "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
                "amount": "1.500,50", "date_due": "2026-12-15", "customers_id": 1, "lawsuits_id": 1,
            }),
        ),
    ]
}

/// Uploads the document, which belongs to the customer.
pub fn upload_document(office: &Office, members: &[(&str, &str)]) -> Reply {
    let members = [&[("customer_id", "1"), ("notes", "Assinada.")], members].concat();
    upload(office, "procuração.pdf", "application/pdf", b"%PDF-1.7", &members)
}

/// An office with these settings and one of each.
pub fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    for (path, body) in bodies() {
        let reply = office.post(path, &body);
        assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text());
    }
    assert_eq!(upload_document(&office, &[]).status, 201);
    office
}
