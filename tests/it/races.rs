//! A record is deleted or merged between the check of a write, on a reader, and the write itself: whatever points to records
//! looks again in its own transaction, so no live record ever points to a deleted one.

use std::sync::mpsc::channel;
use std::thread;

use pleito::api;
use pleito::api::rows::{self, RowHandlers};
use pleito::api::{PAGES, pages::Pages};
use pleito::http::{Api, Call, Problem, Request, Write};
use pleito::records::Kind;
use pleito::store::records::dangling;
use serde_json::json;
use ureq::http::Method;

use crate::office::Office;
use crate::program::{run_with, said};

type Typed = Vec<(&'static str, String)>;

/// A write by the handlers of a noun: a new record, or a change of the one that the path names.
struct Writing {
    kind: Kind,
    method: Method,
    path: &'static str,
    typed: Typed,
}

fn typed(fields: &[(&'static str, &str)]) -> Typed {
    fields.iter().map(|(member, text)| (*member, (*text).to_owned())).collect()
}

fn create(kind: Kind, path: &'static str, fields: &[(&'static str, &str)]) -> Writing {
    Writing { kind, method: Method::POST, path, typed: typed(fields) }
}

fn change(kind: Kind, path: &'static str, fields: &[(&'static str, &str)]) -> Writing {
    Writing { kind, method: Method::PUT, path, typed: typed(fields) }
}

impl Writing {
    fn prepare(&self, call: &Call<'_>) -> Result<Write<()>, Problem> {
        let pages: &Pages = PAGES.iter().find(|pages| pages.table.kind == self.kind).unwrap();
        if self.method == Method::PUT {
            return (pages.change)(call, &self.typed);
        }
        let handlers: RowHandlers = rows::all().find(|rows| rows.table().kind == self.kind).unwrap();
        let write = handlers.create(call, &self.typed)?;
        Ok(Box::new(|tx| write(tx).map(|_| ())))
    }

    /// Prepares the write on a reader, does `meanwhile`, and only then lets it write.
    fn around(self, office: &Office, meanwhile: impl FnOnce()) -> Result<(), Problem> {
        let api = Api::new(office.app().clone(), api::routes(), api::RESOURCES, api::webhooks::messages);
        let (prepared, is_prepared) = channel();
        let (open, gate) = channel::<()>();
        thread::scope(|scope| {
            let writing = scope.spawn(move || {
                let request = Request::internal("race", self.method.clone(), self.path);
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(api.write_inside(request, move |call| {
                    let write = self.prepare(call)?;
                    prepared.send(()).unwrap();
                    let _ = gate.recv();
                    Ok(write)
                }))
            });
            let Ok(()) = is_prepared.recv() else { panic!("its reader refuses it: {:?}", writing.join()) };
            meanwhile();
            drop(open);
            writing.join().unwrap()
        })
    }
}

/// Two customers, two lawsuits of the first, a publication of the first lawsuit, and one record of every noun that can be
/// changed to point elsewhere: they belong to customer 2 and lawsuit 2.
fn office() -> Office {
    let office = Office::new();
    for name in ["Ana", "Bia", "Caio"] {
        office.customer(name, json!({}));
    }
    office.lawsuit(&[3], json!({}));
    office.lawsuit(&[2], json!({}));
    office.task(2, json!({}));
    let movement = json!({ "lawsuit_id": 2, "description": "Ato" });
    assert_eq!(office.post("/lawsuits/movement", &movement).status, 201);
    for lawsuit in [1, 2] {
        let publication = json!({ "publications": [{ "lawsuits_id": lawsuit, "date": "2026-06-10", "publication": format!("Intimação {lawsuit}") }] });
        let answer = office.post("/publications", &publication);
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let transaction = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "1", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": 2,
    });
    assert_eq!(office.post("/transactions", &transaction).status, 201);
    let path = "/documents?customer_id=2&name=nota.pdf";
    let uploaded = office.send("POST", path, &[("Content-Type", "application/pdf")], Some(b"nota"));
    assert_eq!(uploaded.status, 201, "{}", uploaded.text());
    office
}

const TRANSACTION: [(&str, &str); 7] = [
    ("entry_type", "income"),
    ("date_due", "2026-12-15"),
    ("amount", "1"),
    ("users_id", "1"),
    ("categories_id", "1"),
    ("cost_centers_id", "1"),
    ("debit_account", "1"),
];

fn transaction(more: (&'static str, &'static str)) -> Writing {
    create(Kind::Transaction, "/transactions", &[&TRANSACTION[..], &[more]].concat())
}

/// Every write that points to customer 1, with the member that does.
fn to_customer() -> Vec<(Writing, &'static str)> {
    let lawsuit = [("users_id", "1"), ("customers_id", "1"), ("stages_id", "1"), ("type_lawsuits_id", "1")];
    vec![
        (create(Kind::Lawsuit, "/lawsuits", &lawsuit), "customers_id"),
        (transaction(("customers_id", "1")), "customers_id"),
        (change(Kind::Lawsuit, "/lawsuits/2", &[("customers_id", "1,2")]), "customers_id"),
        (change(Kind::Transaction, "/transactions/1", &[("customers_id", "1")]), "customers_id"),
        (change(Kind::Document, "/documents/1", &[("customer_id", "1")]), "customer_id"),
    ]
}

/// Every write that points to lawsuit 1.
fn to_lawsuit() -> Vec<(Writing, &'static str)> {
    let task = [
        ("from", "1"),
        ("tasks_id", "1"),
        ("lawsuits_id", "1"),
        ("guests", "1"),
        ("start_date", "2026-06-20"),
    ];
    let movement = [("lawsuit_id", "1"), ("description", "Ato"), ("date", "2026-06-16")];
    let publication = [("lawsuit_id", "1"), ("publication", "Nota"), ("date", "2026-06-16")];
    vec![
        (create(Kind::Task, "/posts", &task), "lawsuits_id"),
        (create(Kind::Movement, "/lawsuits/movement", &movement), "lawsuit_id"),
        (create(Kind::Publication, "/publications", &publication), "lawsuit_id"),
        (transaction(("lawsuits_id", "1")), "lawsuits_id"),
        (change(Kind::Movement, "/lawsuits/movement/1", &[("lawsuit_id", "1")]), "lawsuit_id"),
        (change(Kind::Publication, "/lawsuits/publication/2", &[("lawsuit_id", "1")]), "lawsuit_id"),
        (change(Kind::Transaction, "/transactions/1", &[("lawsuits_id", "1")]), "lawsuits_id"),
        (change(Kind::Document, "/documents/1", &[("lawsuit_id", "1")]), "lawsuit_id"),
    ]
}

fn refused(writing: Writing, member: &str, office: &Office, meanwhile: impl FnOnce(&Office)) -> String {
    let about = format!("{} {} {member}", writing.method, writing.path);
    let outcome = writing.around(office, || meanwhile(office));
    let problem = outcome.expect_err(&about);
    let wrong: Vec<_> = problem.wrong().iter().collect();
    assert_eq!((problem.status().as_u16(), problem.code()), (422, "invalid"), "{about}: {problem:?}");
    assert_eq!((wrong.len(), wrong[0].0), (1, member), "{about}: {problem:?}");
    assert_eq!(office.store().read(|db| dangling(db, 10)).unwrap().0, 0, "{about}");
    wrong[0].1.say(pleito::domain::Lang::En).into_owned()
}

fn delete(office: &Office, path: &str) {
    let answer = office.send("DELETE", path, &[], None);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
}

#[test]
fn nothing_points_to_a_customer_that_is_deleted_meanwhile() {
    for (writing, member) in to_customer() {
        let why = refused(writing, member, &office(), |office| delete(office, "/customers/1"));
        assert!(why.starts_with("is customer 1, which was deleted"), "{why}");
    }
}

#[test]
fn nothing_points_to_a_customer_that_is_merged_meanwhile() {
    for (writing, member) in to_customer() {
        let why = refused(writing, member, &office(), |office| {
            assert_eq!(office.post("/customers/2/merge", &json!({ "from": 1 })).status, 200);
        });
        assert_eq!(why, "is customer 1, which was merged into 2; use 2");
    }
}

#[test]
fn nothing_points_to_a_lawsuit_that_is_deleted_meanwhile() {
    for (writing, member) in to_lawsuit() {
        let why = refused(writing, member, &office(), |office| delete(office, "/lawsuits/1"));
        assert!(why.starts_with("is lawsuit 1, which was deleted"), "{why}");
    }
}

/// A task that answers to a publication marks it as treated: it was not found any more, which read as if the task were not.
#[test]
fn nothing_points_to_what_else_is_deleted_meanwhile() {
    let task = [
        ("from", "1"),
        ("tasks_id", "1"),
        ("lawsuits_id", "2"),
        ("guests", "1"),
        ("start_date", "2026-06-20"),
        ("publications_id", "1"),
    ];
    let writing = create(Kind::Task, "/posts", &task);
    refused(writing, "publications_id", &office(), |office| delete(office, "/lawsuits/publication/1"));
    for (member, path) in [("post_id", "/posts/1"), ("transaction_id", "/transactions/1")] {
        let writing = change(Kind::Document, "/documents/1", &[(member, "1")]);
        refused(writing, member, &office(), |office| delete(office, path));
    }
}

/// What a record points to already may be deleted where that is allowed, and the record can still be changed.
#[test]
fn a_record_keeps_what_it_points_to() {
    let office = office();
    assert_eq!(office.put("/documents/1", &json!({ "post_id": 1 })).status, 200);
    delete(&office, "/posts/1");
    assert_eq!(office.put("/documents/1", &json!({ "name": "outra.pdf" })).status, 200);
    assert_eq!(office.get("/documents/1").json()["post_id"], 1);
}

/// Records that came with a move or an export may point to deleted ones; `pleito check` names them.
#[test]
fn check_names_live_records_that_point_to_deleted_ones() {
    let folder = office().stopped();
    let check = |lang: &str| {
        let output = run_with(folder.path(), &["check"], &[("PLEITO_LANG", lang)]);
        let (out, _) = said(&output);
        out.lines().find(|line| line.contains("references") || line.contains("vínculos")).unwrap().to_owned()
    };
    assert!(check("en").ends_with("none to a deleted record"), "{}", check("en"));
    let conn = rusqlite::Connection::open(folder.path().join("pleito.db")).unwrap();
    conn.execute("UPDATE customers SET deleted_at = 1 WHERE id = 2", []).unwrap();
    drop(conn);
    let found = check("en");
    let named = "records that point to a deleted one: 3 (lawsuit 2 → customer 2; document 1 → customer 2; \
                 transaction 1 → customer 2)";
    assert!(found.contains(named), "{found}");
    assert!(check("pt-BR").contains("documento 1 → cliente 2"), "{}", check("pt-BR"));
}
