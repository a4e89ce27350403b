//! Races in which a record is deleted or merged after a write was checked on a reader and before the write runs. Each
//! write checks its references again in its own transaction, so that no live record ever points to a deleted one.

use std::sync::mpsc::channel;
use std::thread;

use pleito::api;
use pleito::api::record::rows::{self, RowHandlers};
use pleito::api::{PAGES, console_pages::Pages};
use pleito::auth::Caller;
use pleito::http::{Api, Call, IfMatch, Problem, Write};
use pleito::records::{Kind, Type};
use pleito::store::records::dangling;
use serde_json::json;

use crate::office::Office;
use crate::one_of_each::others;
use crate::program::{run_with, streams};

type Typed = Vec<(&'static str, String)>;

/// A write through the handlers of a noun: a new record, or a change of the record with this id.
#[derive(Debug)]
struct Writing {
    kind: Kind,
    id: Option<u32>,
    typed: Typed,
}

fn typed(fields: &[(&'static str, &str)]) -> Typed {
    fields.iter().map(|(member, text)| (*member, (*text).to_owned())).collect()
}

fn create(kind: Kind, fields: &[(&'static str, &str)]) -> Writing {
    Writing { kind, id: None, typed: typed(fields) }
}

fn change(kind: Kind, id: u32, fields: &[(&'static str, &str)]) -> Writing {
    Writing { kind, id: Some(id), typed: typed(fields) }
}

impl Writing {
    fn prepare(&self, call: &Call<'_>) -> Result<Write<()>, Problem> {
        let pages: &Pages = PAGES.iter().find(|pages| pages.table.kind == self.kind).unwrap();
        if let Some(id) = self.id {
            return (pages.change)(call, id, &self.typed, IfMatch::default());
        }
        let handlers: RowHandlers = rows::all().find(|rows| rows.table().kind == self.kind).unwrap();
        let write = handlers.create(call, &self.typed)?;
        Ok(Box::new(|tx| write(tx).map(|_| ())))
    }

    /// Prepares the write on a reader, calls `meanwhile`, and then lets the write run.
    fn around(self, office: &Office, meanwhile: impl FnOnce()) -> Result<(), Problem> {
        let api = Api::new(office.app().clone(), api::routes(), api::RESOURCES, api::webhooks::messages);
        let (prepared, is_prepared) = channel();
        let (open, gate) = channel::<()>();
        thread::scope(|scope| {
            let writing = scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(api.write_internally("race", &Caller::OWNER, None, move |call| {
                    let write = self.prepare(call)?;
                    prepared.send(()).unwrap();
                    let _ = gate.recv();
                    Ok(write)
                }))
            });
            let Ok(()) = is_prepared.recv() else {
                panic!("the reader refused the write: {:?}", writing.join())
            };
            meanwhile();
            drop(open);
            writing.join().unwrap()
        })
    }
}

/// Starts an office with customers 1 to 3, lawsuit 1 of customer 3 and lawsuit 2 of customer 2. Each lawsuit
/// has a publication. The task, movement, transaction and document belong to customer 2 or lawsuit 2, so that
/// tests can make them point elsewhere.
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
    create(Kind::Transaction, &[&TRANSACTION[..], &[more]].concat())
}

/// Returns every write that can point to customer 1, with the member that does.
fn to_customer() -> Vec<(Writing, &'static str)> {
    let lawsuit = [("users_id", "1"), ("customers_id", "1"), ("stages_id", "1"), ("type_lawsuits_id", "1")];
    let mut all = vec![
        (create(Kind::Lawsuit, &lawsuit), "customers_id"),
        (transaction(("customers_id", "1")), "customers_id"),
        (change(Kind::Lawsuit, 2, &[("customers_id", "1,2")]), "customers_id"),
        (change(Kind::Transaction, 1, &[("customers_id", "1")]), "customers_id"),
        (change(Kind::Document, 1, &[("customer_id", "1")]), "customer_id"),
    ];
    all.extend(of_others(Kind::Customer));
    all
}

/// Returns every write that can point to lawsuit 1, with the member that does.
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
    let mut all = vec![
        (create(Kind::Task, &task), "lawsuits_id"),
        (create(Kind::Movement, &movement), "lawsuit_id"),
        (create(Kind::Publication, &publication), "lawsuit_id"),
        (transaction(("lawsuits_id", "1")), "lawsuits_id"),
        (change(Kind::Movement, 1, &[("lawsuit_id", "1")]), "lawsuit_id"),
        (change(Kind::Publication, 2, &[("lawsuit_id", "1")]), "lawsuit_id"),
        (change(Kind::Transaction, 1, &[("lawsuits_id", "1")]), "lawsuits_id"),
        (change(Kind::Document, 1, &[("lawsuit_id", "1")]), "lawsuit_id"),
    ];
    all.extend(of_others(Kind::Lawsuit));
    all
}

/// Returns the writes of the other nouns that point to record 1 of this kind, made from the examples of their fields.
fn of_others(to: Kind) -> Vec<(Writing, &'static str)> {
    let mut all = Vec::new();
    for other in others() {
        let fields = other.kind.table().writable();
        for field in fields.filter(|field| [Type::Record(to), Type::Links(to)].contains(&field.ty)) {
            let needed =
                other.kind.table().writable().filter(|own| own.required || own.column == field.column);
            let typed: Vec<_> = needed.map(|own| (own.member, own.example)).collect();
            all.push((create(other.kind, &typed), field.member));
        }
    }
    all
}

fn refused(writing: Writing, member: &str, office: &Office, meanwhile: impl FnOnce(&Office)) -> String {
    let about = format!("{writing:?} {member}");
    let outcome = writing.around(office, || meanwhile(office));
    let problem = outcome.expect_err(&about);
    let wrong: Vec<_> = problem.wrong().iter().collect();
    assert_eq!((problem.status().as_u16(), problem.code()), (422, "invalid"), "{about}: {problem:?}");
    assert_eq!((wrong.len(), wrong[0].0), (1, member), "{about}: {problem:?}");
    assert_eq!(office.store().read(|db| dangling(db, 10)).unwrap().0, 0, "{about}");
    wrong[0].1.message(pleito::domain::Lang::En).into_owned()
}

fn delete(office: &Office, path: &str) {
    let answer = office.send("DELETE", path, &[], None);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
}

#[test]
fn writes_that_point_to_a_customer_deleted_meanwhile_are_refused() {
    for (writing, member) in to_customer() {
        let why = refused(writing, member, &office(), |office| delete(office, "/customers/1"));
        assert!(why.starts_with("is customer 1, which was deleted"), "{why}");
    }
}

#[test]
fn writes_that_point_to_a_customer_merged_meanwhile_are_refused() {
    for (writing, member) in to_customer() {
        let why = refused(writing, member, &office(), |office| {
            assert_eq!(office.post("/customers/2/merge", &json!({ "from": 1 })).status, 200);
        });
        assert_eq!(why, "is customer 1, which was merged into 2; use 2");
    }
}

#[test]
fn writes_that_point_to_a_lawsuit_deleted_meanwhile_are_refused() {
    for (writing, member) in to_lawsuit() {
        let why = refused(writing, member, &office(), |office| delete(office, "/lawsuits/1"));
        assert!(why.starts_with("is lawsuit 1, which was deleted"), "{why}");
    }
}

/// A task that answers a publication marks it as treated. Regression: a missing publication gave an error that
/// read as if the task were missing.
#[test]
fn writes_that_point_to_other_records_deleted_meanwhile_are_refused() {
    let task = [
        ("from", "1"),
        ("tasks_id", "1"),
        ("lawsuits_id", "2"),
        ("guests", "1"),
        ("start_date", "2026-06-20"),
        ("publications_id", "1"),
    ];
    let writing = create(Kind::Task, &task);
    refused(writing, "publications_id", &office(), |office| delete(office, "/lawsuits/publication/1"));
    for (member, path) in [("post_id", "/posts/1"), ("transaction_id", "/transactions/1")] {
        let writing = change(Kind::Document, 1, &[(member, "1")]);
        refused(writing, member, &office(), |office| delete(office, path));
    }
}

/// A record that points to a deleted record can still be changed, if the deletion was allowed.
#[test]
fn a_record_that_points_to_a_deleted_one_can_be_changed() {
    let office = office();
    assert_eq!(office.put("/documents/1", &json!({ "post_id": 1 })).status, 200);
    delete(&office, "/posts/1");
    assert_eq!(office.put("/documents/1", &json!({ "name": "outra.pdf" })).status, 200);
    assert_eq!(office.get("/documents/1").json()["post_id"], 1);
}

/// Records from a move or an export may point to deleted ones. `pleito check` lists them.
#[test]
fn check_names_live_records_that_point_to_deleted_ones() {
    let folder = office().stopped();
    let check = |lang: &str| {
        let output = run_with(folder.path(), &["check"], &[("PLEITO_LANG", lang)]);
        let (out, _) = streams(&output);
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
