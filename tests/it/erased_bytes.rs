//! Erased is erased (LGPD, article 18): no byte of an erased record stays in any file of the data folder, or
//! in a backup made later.

use std::fs;
use std::path::{Path, PathBuf};

use pleito::domain::{Name, WebhookSecret};
use pleito::records::{Customer, CustomerId, OriginId, Record as _, UserId};
use pleito::store::imports::moves::{self, MoveNote, MoveNoteKind, MoveReason};
use pleito::store::journal::{JournalFilter, Op, page};
use pleito::store::webhooks::{self, Attempt, DeliveryOutcome, Event, WebhookSettings};
use pleito::store::{records, trash};
use serde_json::json;

use crate::console::visitor::Visitor;
use crate::customers::SHORT;
use crate::documents::upload;
use crate::office::Office;
use crate::program::{run, streams};

/// Marks every text of the person, and occurs nowhere else.
const MARK: &str = "zqxw";

/// Reads all files below a folder, with backups decompressed.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            let is_packed = path.extension().is_some_and(|ending| ending == "zst");
            all.push((path, if is_packed { zstd::decode_all(&*bytes).unwrap() } else { bytes }));
        }
    }
    all
}

/// Lists the files that contain any of these texts in any case, or have the mark in their path.
fn holding(folder: &Path, texts: &[&str]) -> Vec<PathBuf> {
    let has = |bytes: &[u8], text: &str| {
        let text = text.as_bytes();
        bytes.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text))
    };
    let holds = |(path, bytes): (PathBuf, Vec<u8>)| {
        let named = path.to_string_lossy().contains(MARK);
        (named || texts.iter().any(|text| has(&bytes, text))).then_some(path)
    };
    files(folder).into_iter().filter_map(holds).collect()
}

fn back_up(office: &Office) {
    let output = run(office.folder(), &["backup"]);
    assert!(output.status.success(), "{:?}", streams(&output));
}

fn text(of: &str) -> String {
    format!("{MARK} {of} {MARK}")
}

/// Adds a person with a text in each text member of each resource. Each is written twice, so that the journal
/// has them too.
fn person(office: &Office) {
    let texts = SHORT.into_iter().filter(|member| *member != "name").chain(["notes"]);
    let customer =
        texts.map(|member| (member.to_owned(), json!(text(member)))).collect::<serde_json::Map<_, _>>();
    let customer = json!(customer);
    let key = [("Idempotency-Key", "zqxw-key"), ("x-request-id", "zqxw-request")];
    let name = json!({ "users_id": 1, "customers_origins_id": 1, "name": text("name") });
    let made = office.send("POST", "/customers", &key, Some(name.to_string().as_bytes()));
    assert_eq!(made.status, 201, "{}", made.text());
    let put = |path: &str, body: &serde_json::Value| {
        let answer = office.put(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    };
    put("/customers/1", &customer);
    let numbers = json!({ "identification": "529.982.247-25", "email": "zqxw@exemplo.com.br", "cellphone": "48988776655" });
    put("/customers/1", &numbers);
    put("/customers/1", &json!({ "notes": "", "street": "", "name": text("second name") }));
    office.lawsuit(&[1], json!({ "folder": text("folder"), "notes": text("notes").repeat(800) }));
    put("/lawsuits/1", &json!({ "protocol_number": "ZQXW/1", "notes": text("short") }));
    office.task(1, json!({ "notes": text("task"), "local": text("where"), "external_ids": ["zqxw:task"] }));
    put("/posts/1", &json!({ "notes": "", "local": "" }));
    let movement = json!({ "lawsuit_id": 1, "description": text("movement"), "header": text("court") });
    assert_eq!(office.post("/lawsuits/movement", &movement).status, 201);
    put("/lawsuits/movement/1", &json!({ "description": text("movement again") }));
    let publication = json!({
        "lawsuit_id": 1, "date": "2026-06-10", "publication": text("publication"), "local": text("where"), "source": text("source"),
        "court": text("court"), "kind": text("kind"),
    });
    assert_eq!(office.post("/publications", &json!({ "publications": [publication] })).status, 200);
    put("/lawsuits/publication/1", &json!({ "publication": text("publication again") }));
    let transaction = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "1500.50", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": 1, "lawsuits_id": 1, "description": text("transaction"),
    });
    assert_eq!(office.post("/transactions", &transaction).status, 201);
    put("/transactions/1", &json!({ "description": text("transaction again") }));
    let holiday =
        json!({ "day": "2026-06-19", "scope": "TJSP", "name": text("holiday"), "source": text("law") });
    assert_eq!(office.post("/holidays", &holiday).status, 201);
    put(
        "/holidays/1",
        &json!({ "name": text("holiday again"), "proof": text("act"), "external_ids": ["zqxw:holiday"] }),
    );
    let content = text("content");
    let file = [("customer_id", "1"), ("notes", "zqxw notes")];
    let sent = upload(office, "zqxw.pdf", "application/pdf", content.as_bytes(), &file);
    assert_eq!(sent.status, 201, "{}", sent.text());
    put("/documents/1", &json!({ "name": "zqxw-again.pdf", "notes": "" }));
    // Checks for conflicts that were kept before the person was a customer: by name alone, and with the number.
    let visitor = Visitor::new(office);
    let name = text("second name");
    for query in [&[("name", name.as_str())][..], &[("name", "Zqxw"), ("identification", "529.982.247-25")]] {
        let kept = visitor.send("/conflicts", query);
        assert_eq!(kept.status, 303, "{}", kept.text());
    }
}

/// Adds texts about the person from other programs: a webhook's receiver, the source of a move, a spreadsheet.
fn others(office: &Office) {
    let store = office.store();
    let created = JournalFilter { kinds: Some([Customer::TABLE.name].into()), ..JournalFilter::default() };
    let entries = store.read(move |db| page(db, 0, &created, 10)).unwrap();
    let seq = entries.iter().find(|entry| (entry.id, entry.op) == (1, Op::Created)).unwrap().seq;
    let settings = WebhookSettings {
        url: "http://127.0.0.1:9/".to_owned(),
        description: None,
        types: vec!["lawsuit.closed".to_owned()],
        is_full: true,
        is_active: true,
    };
    let here = office.app().data_folder_id().clone();
    let delivered = store.write(move |tx| {
        let id = webhooks::insert(tx, &settings, &WebhookSecret::from_bytes([1; 32]), 0, &here, 0)?;
        webhooks::send_again(tx, id, &[Event { seq, ty: "customer.created".to_owned() }], 0)?;
        let delivery = webhooks::find_delivery(*tx, id, &format!("msg_{seq}_customer_created"))?.unwrap();
        let attempt =
            Attempt { at: 0, status: Some(200), failure: None, ms: 1, answer: Some(text("answer")) };
        webhooks::attempted(tx, id, &delivery, &attempt, DeliveryOutcome::Delivered, 0)
    });
    delivered.unwrap();
    let note = MoveNote {
        kind: MoveNoteKind::Value,
        resource: Customer::TABLE.name.to_owned(),
        id: 1,
        member: "cellphone".to_owned(),
        said: text("said"),
        why: MoveReason::new(|_| text("why")),
    };
    store.write(move |tx| moves::note(tx, &note)).unwrap();
    let outside = tempfile::tempdir().unwrap();
    let sheet = outside.path().join("zqxw-maria.csv");
    fs::write(&sheet, "Nome;Profissão;Origem\nZqxw da Planilha;Zqxw;Site\n").unwrap();
    let imported = run(office.folder(), &["import", sheet.to_str().unwrap(), "--apply"]);
    assert!(imported.status.success(), "{:?}", streams(&imported));
}

#[test]
fn no_byte_of_an_erased_record_remains() {
    let office = Office::new();
    person(&office);
    others(&office);
    // The backup after a first import still holds the person's data.
    fs::remove_dir_all(office.folder().join("backups")).unwrap();
    let paths =
        ["/documents/1", "/transactions/1", "/lawsuits/1", "/customers/1", "/customers/2", "/holidays/1"];
    for path in paths {
        let deleted = office.send("DELETE", &format!("{path}?reason=zqxw%20pediu"), &[], None);
        assert_eq!(deleted.status, 200, "{path}: {}", deleted.text());
    }
    let texts = [MARK, "529.982.247-25", "52998224725", "98877-6655", "988776655"];
    assert_ne!(holding(office.folder(), &texts), Vec::<PathBuf>::new(), "the data was in the folder before");
    let output = run(office.folder(), &["trash", "empty", "--yes"]);
    assert!(output.status.success(), "{:?}", streams(&output));
    assert!(!office.folder().join("pleito.erasing").exists());
    back_up(&office);
    assert_eq!(holding(office.folder(), &texts), Vec::<PathBuf>::new());
    let page = office.get("/changes?since=0&resource=customers&id=1&include=values").json();
    let ops: Vec<_> = page["data"].as_array().unwrap().iter().map(|change| change["op"].clone()).collect();
    assert_eq!(
        (ops.first(), ops.last()),
        (Some(&json!("created")), Some(&json!("purged"))),
        "the journal still has the record's operations"
    );
    let folder = office.stopped();
    assert_eq!(holding(folder.path(), &texts), Vec::<PathBuf>::new());
}

/// Returns a unique name. The names come in no order, so index pages split and keep the bytes of rows that
/// moved to the next page.
fn name(number: u32) -> String {
    format!("zq{:08x}z", number.wrapping_mul(2_654_435_761))
}

/// Regression: with `secure_delete` alone, some names stayed on pages that had been split.
#[test]
fn split_pages_keep_no_erased_bytes() {
    const ALL: u32 = 6_000;
    let office = Office::new();
    let inserted = office.store().write_alone(|tx| {
        for number in 0..ALL {
            let name = Name::parse(&name(number)).unwrap();
            let customer = Customer::new(UserId::from_stored(1), OriginId::from_stored(1), name).unwrap();
            let _: CustomerId = records::insert(tx, &customer, 0)?;
        }
        Ok::<_, pleito::store::Error>(())
    });
    inserted.unwrap();
    let gone = |number: &u32| number.is_multiple_of(3);
    let deleted = office.store().write_alone(move |tx| {
        let ids = (0..ALL).filter(gone).map(|number| number + 1);
        ids.into_iter().try_for_each(|id| trash::delete(tx, Customer::TABLE, id, None, 0))
    });
    deleted.unwrap();
    office.store().erase_deleted(i64::MAX, None).unwrap();
    let bytes: Vec<u8> = files(office.folder()).into_iter().flat_map(|(_, bytes)| bytes).collect();
    let text = String::from_utf8_lossy(&bytes);
    let names: std::collections::HashSet<&str> =
        text.match_indices("zq").filter_map(|(at, _)| text.get(at..at + 11)).collect();
    let left = |number: &u32| names.contains(&*name(*number));
    assert_eq!((0..ALL).filter(gone).filter(left).count(), 0);
    assert_eq!((0..ALL).filter(|number| !gone(number)).filter(left).count() as u32, ALL / 3 * 2);
}

/// Deletes rows without `secure_delete`, as earlier versions did, so that their bytes stay in the file.
fn leave_bytes(folder: &Path) {
    let conn = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    conn.pragma_update(None, "secure_delete", false).unwrap();
    conn.execute_batch("CREATE TABLE gone (text TEXT)").unwrap();
    for _ in 0..2_000 {
        conn.execute("INSERT INTO gone VALUES (?1)", [text("gone")]).unwrap();
    }
    conn.execute_batch("DROP TABLE gone").unwrap();
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert_ne!(holding(folder, &[MARK]), Vec::<PathBuf>::new(), "the bytes are in the file");
}

#[test]
fn a_backup_contains_no_bytes_that_were_deleted_before() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let folder = office.stopped();
    leave_bytes(folder.path());
    let output = run(folder.path(), &["backup"]);
    assert!(output.status.success(), "{:?}", streams(&output));
    assert_eq!(holding(&folder.path().join("backups"), &[MARK]), Vec::<PathBuf>::new());
}

/// If the process is killed between the last batch and the rewrite of the file, the next start rewrites it.
#[test]
fn a_start_finishes_an_interrupted_erasure() {
    let folder = Office::new().stopped();
    leave_bytes(folder.path());
    drop(pleito::store::Store::open(folder.path()).unwrap());
    assert_ne!(holding(folder.path(), &[MARK]), Vec::<PathBuf>::new(), "a start alone rewrites nothing");
    let erasing = folder.path().join("pleito.erasing");
    fs::write(&erasing, "").unwrap();
    drop(pleito::store::Store::open(folder.path()).unwrap());
    assert_eq!(holding(folder.path(), &[MARK]), Vec::<PathBuf>::new());
    assert!(!erasing.exists());
}
