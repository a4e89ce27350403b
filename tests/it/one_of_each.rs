//! An office with one record of each noun, each with id 1, and the requests that create them.

use pleito::api::PAGES;
use pleito::api::console_pages::Pages;
use pleito::records::{Field, Kind, Type};
use serde_json::{Value, json};

use crate::described::DESCRIPTION;
use crate::documents::upload;
use crate::office::{Office, Reply};

/// A noun of which the tests create record 1.
pub struct Sample {
    pub kind: Kind,
    /// Path of its POST.
    pub post: &'static str,
    pub body: Value,
    /// Path of record 1.
    pub record: &'static str,
    /// A member that accepts any text.
    pub text: &'static str,
}

/// Returns a sample of each noun, in an order in which they can be created: those written here, and the others from
/// the examples of their fields. Documents are missing, because they are uploaded.
pub fn samples() -> Vec<Sample> {
    own().into_iter().chain(others()).collect()
}

/// Returns a sample of each noun that has none in this file, made from the description's example of its POST.
pub fn others() -> Vec<Sample> {
    let is_known = |kind| kind == Kind::Document || own().iter().any(|own| own.kind == kind);
    let path = |path: &str| &*format!("/{path}").leak();
    let mut others: Vec<&Pages> = PAGES.iter().filter(|pages| !is_known(pages.table.kind)).collect();
    others.sort_by_key(|pages| pages.table.kind);
    let sample = |pages: &Pages| {
        let post = path(pages.path);
        let examples =
            &DESCRIPTION["paths"][post]["post"]["requestBody"]["content"]["application/json"]["examples"];
        let mut body = examples["everything"]["value"].clone();
        let members = body.as_object_mut().unwrap_or_else(|| panic!("{post} has no example"));
        // Tests create several of these records, and an external id belongs to only one.
        members.shift_remove("external_ids");
        // No example repeats the record, so that none is refused as the second of its day.
        for day in pages.table.stored().filter_map(|field| field.within) {
            members[day] = json!("2026-06-20");
        }
        let is_text = |field: &&Field| matches!(field.ty, Type::Line(_) | Type::Text(_)) && field.is_stored();
        let text =
            pages.table.fields.iter().find(is_text).unwrap_or_else(|| panic!("{post} has no text member"));
        let record = path(&format!("{}/1", pages.path));
        Sample { kind: pages.table.kind, post, body, record, text: text.member }
    };
    others.into_iter().map(sample).collect()
}

/// Creates a record of each noun of [`others`].
pub fn make_others(office: &Office) {
    for Sample { post, body, .. } in others() {
        let reply = office.post(post, &body);
        assert_eq!(reply.status, 201, "{post}: {}", reply.text());
    }
}

/// Returns the path of record 1 of each noun, documents last.
pub fn records() -> Vec<&'static str> {
    samples().iter().map(|sample| sample.record).chain(["/documents/1"]).collect()
}

/// Returns the path of record 1 of each noun, with a member that accepts any text.
pub fn texts() -> Vec<(&'static str, &'static str)> {
    let all = samples();
    all.iter().map(|sample| (sample.record, sample.text)).chain([("/documents/1", "notes")]).collect()
}

/// Returns the path and the body of a POST for each noun but documents, in an order in which they can be created.
pub fn bodies() -> Vec<(&'static str, Value)> {
    samples().into_iter().map(|sample| (sample.post, sample.body)).collect()
}

fn own() -> [Sample; 6] {
    let sample = |kind, post, body, record, text| Sample { kind, post, body, record, text };
    [
        sample(
            Kind::Customer,
            "/customers",
            json!({
                "users_id": 1, "customers_origins_id": 1, "name": "Maria da Conceição", "birthdate": "29/02/1980",
                "identification": "529.982.247-25", "cellphone": "48988880000", "city": "Criciúma",
            }),
            "/customers/1",
            "city",
        ),
        sample(
            Kind::Lawsuit,
            "/lawsuits",
            json!({
                "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1, "date": "21/11/2025",
                "process_number": "0000002-65.2005.4.05.8100", "fees_expec": 1500.5, "folder": "A-12",
            }),
            "/lawsuits/1",
            "folder",
        ),
        sample(
            Kind::Task,
            "/posts",
            json!({
                "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": 1, "start_date": "2026-12-24", "start_time": "14:30",
                "end_time": "15:30", "comments": "Levar procuração.", "local": "Fórum", "important": true,
            }),
            "/posts/1",
            "local",
        ),
        sample(
            Kind::Movement,
            "/lawsuits/movement",
            json!({ "lawsuit_id": 1, "date": "2026-06-10", "description": "Petição", "time": "09:12", "users_id": 1 }),
            "/lawsuits/movement/1",
            "header",
        ),
        sample(
            Kind::Publication,
            "/publications",
            json!({ "publications": [{
                "process_number": "0000002-65.2005.4.05.8100", "date": "2026-06-12", "publication": "Intimação.",
                "external_ids": ["djen:1"],
            }] }),
            "/lawsuits/publication/1",
            "local",
        ),
        sample(
            Kind::Transaction,
            "/transactions",
            json!({
                "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": 1, "cost_centers_id": 1,
                "amount": "1.500,50", "date_due": "2026-12-15", "customers_id": 1, "lawsuits_id": 1,
            }),
            "/transactions/1",
            "description",
        ),
    ]
}

/// Uploads a document of customer 1.
pub fn upload_document(office: &Office, members: &[(&str, &str)]) -> Reply {
    let members = [&[("customer_id", "1"), ("notes", "Assinada.")], members].concat();
    upload(office, "procuração.pdf", "application/pdf", b"%PDF-1.7", &members)
}

/// Starts an office with these settings and one record of each noun.
pub fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    for (path, body) in bodies() {
        let reply = office.post(path, &body);
        assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text());
    }
    assert_eq!(upload_document(&office, &[]).status, 201);
    office
}
