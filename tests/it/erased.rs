//! Permanent deletion from the trash: `pleito trash`, `trash.keep_days`, and contents without a document
//! (resources 18).

use std::fs;
use std::path::Path;

use pleito::supervisor::Purge;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::documents::{document, upload};
use crate::office::{Office, UNLIMITED};
use crate::program::{Program, new_token, run, run_with, streams};
use crate::wait::{MAX_WAIT, wait_until};

const DAY: u64 = 86_400;

fn delete(office: &Office, path: &str) {
    let reply = office.send("DELETE", path, &[], None);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
}

/// Runs `pleito trash` with further arguments and returns its JSON output.
fn trash(folder: &Path, words: &[&str]) -> Value {
    let words = [&["trash"], words, &["--json"]].concat();
    let (out, err) = streams(&run(folder, &words));
    serde_json::from_str(&out).unwrap_or_else(|cause| panic!("{cause}: {out}{err}"))
}

fn empty(office: &Office) -> Value {
    trash(office.folder(), &["empty", "--yes"])
}

fn name_of(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn contents(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("documents")).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns an office with two records of each kind: number 1 belongs to customer 1 and lawsuit 1, number 2 to
/// the others.
fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    for (number, name) in [(1, "Ana Souza"), (2, "Bia Lima")] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
        office.task(number, json!({ "external_ids": [format!("agenda:{number}")] }));
        office.put(&format!("/posts/{number}/complete"), &json!({}));
        let item = json!({ "lawsuit_id": number, "date": "2026-06-10", "description": "Sentença" });
        office.post("/movements", &json!({ "movements": [item] }));
        let item = json!({ "lawsuit_id": number, "date": "2026-06-10", "publication": "Intimação" });
        office.post("/publications", &json!({ "publications": [item] }));
        let transaction = json!({
            "entry_type": "income", "date_due": "2026-12-15", "amount": "1500.50", "users_id": 1, "categories_id": 1,
            "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": number,
        });
        assert_eq!(office.post("/transactions", &transaction).status, 201);
        let content = format!("nota {number}");
        let (customer, members) = (number.to_string(), "customer_id");
        let sent =
            upload(&office, "nota.pdf", "application/pdf", content.as_bytes(), &[(members, &customer)]);
        assert_eq!(sent.status, 201, "{}", sent.text());
    }
    office.put("/customers/1", &json!({ "identification": "529.982.247-25" }));
    office
}

/// Returns the names of the contents of [`office`] without the first `gone` ones.
fn left(gone: usize) -> Vec<String> {
    let mut names: Vec<_> =
        ["nota 1", "nota 2"][gone..].iter().map(|content| name_of(content.as_bytes())).collect();
    names.sort();
    names
}

/// Deletes the first record of each kind in [`office`].
fn delete_all(office: &Office) {
    for path in ["/documents/1?reason=em%20dobro", "/transactions/1", "/lawsuits/1", "/customers/1"] {
        office.pass(1);
        delete(office, path);
    }
}

const ALL: [(&str, &str); 7] = [
    ("/customers", "/customers/1"),
    ("/lawsuits", "/lawsuits/1"),
    ("/movements", "/lawsuits/movement/1"),
    ("/publications", "/lawsuits/publication/1"),
    ("/documents", "/documents/1"),
    ("/posts", "/posts/1"),
    ("/transactions", "/transactions/1"),
];

fn counts() -> Value {
    json!({ "customers": 1, "lawsuits": 1, "movements": 1, "publications": 1, "documents": 1, "posts": 1, "transactions": 1 })
}

#[test]
fn erased_records_leave_no_trace_in_the_api() {
    let office = office(UNLIMITED);
    delete_all(&office);
    let listed = trash(office.folder(), &["list"]);
    assert_eq!(listed["counts"], counts());
    let records = listed["records"].as_array().unwrap();
    assert_eq!(records.len(), 4, "records deleted with their lawsuit are not listed");
    let first = json!({
        "resource": "customers", "id": 1, "name": "Ana Souza · 529.982.247-25", "deleted_at": "2026-06-17 12:00:04", "reason": null,
    });
    assert_eq!(records[0], first, "the newest comes first");
    assert_eq!((&records[3]["resource"], &records[3]["reason"]), (&json!("documents"), &json!("em dobro")));

    let (out, err) = streams(&run(office.folder(), &["trash", "empty"]));
    assert_eq!(out, "");
    assert!(err.contains("1 customer, 1 lawsuit") && err.contains("--yes"), "{err}");
    assert_eq!(trash(office.folder(), &["list"])["counts"], counts(), "without --yes nothing is erased");

    let emptied = empty(&office);
    let none = json!({ "count": 0, "bytes": 0 });
    let expected = json!({
        "erased": counts(), "kept": {}, "unowned_contents": none, "in_log": false, "in_replica": false,
        "in_replica_until": null,
    });
    assert_eq!(emptied, expected);
    assert_eq!(contents(office.folder()), left(1));
    for (list, one) in ALL {
        let gone = office.get(one).problem(404, "not-found");
        assert_eq!(gone.get("deleted_at"), None, "{one}");
        assert_eq!(office.put(one, &json!({ "deleted": false })).status, 404, "{one}");
        assert_eq!(office.ids(&format!("{list}?deleted=true")), [0; 0], "{list}");
    }
    let same =
        json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana", "identification": "52998224725" });
    assert_eq!(office.post("/customers", &same).status, 201, "its CPF can be used again");
    let nothing = streams(&run(office.folder(), &["trash", "list"]));
    assert_eq!(nothing, ("The trash is empty.\n".to_owned(), String::new()));
    assert_eq!(streams(&run(office.folder(), &["trash", "empty"])).0, "The trash is empty.\n");
}

#[test]
fn output_is_in_the_users_language() {
    for (lang, first, last, erased) in [
        (
            "en",
            "1 customer, 1 lawsuit, 1 movement, ",
            "document 1  nota.pdf",
            "Erased for good: 1 customer, ",
        ),
        (
            "pt-BR",
            "1 cliente, 1 processo, 1 andamento, ",
            "documento 1  nota.pdf",
            "Apagado de vez: 1 cliente, ",
        ),
    ] {
        let office = office(UNLIMITED);
        delete_all(&office);
        let streams = |words: &[&str]| streams(&run_with(office.folder(), words, &[("PLEITO_LANG", lang)]));
        let (out, _) = streams(&["trash", "list"]);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with(first), "{out}");
        assert!(lines[4].starts_with(&format!("2026-06-17 12:00:01  {last}")), "{out}");
        assert!(lines[4].ends_with("(em dobro)") && lines.len() == 6, "{out}");
        let (out, err) = streams(&["trash", "empty", "--yes"]);
        assert!(out.starts_with(erased) && err.is_empty(), "{out}{err}");
    }
}

#[test]
fn a_referenced_record_is_kept_until_the_reference_is_erased() {
    let office = office(UNLIMITED);
    assert_eq!(office.put("/documents/1", &json!({ "post_id": 1 })).status, 200);
    delete(&office, "/posts/1");
    let emptied = empty(&office);
    assert_eq!((&emptied["erased"], &emptied["kept"]), (&json!({}), &json!({ "posts": 1 })));
    let (out, _) = streams(&run(office.folder(), &["trash", "empty", "--yes"]));
    assert_eq!(out, "Nothing was erased.\nStays in the trash, as another record points there: 1 task\n");
    assert_eq!(office.get("/documents/1").json()["post_id"], 1);
    delete(&office, "/documents/1");
    assert_eq!(empty(&office)["erased"], json!({ "documents": 1, "posts": 1 }));
}

/// Regression: the record with the highest id was kept, so that its id was not reused.
#[test]
fn no_id_is_reused() {
    let office = office(UNLIMITED);
    delete(&office, "/transactions/1");
    delete(&office, "/transactions/2");
    let emptied = empty(&office);
    assert_eq!((&emptied["erased"], &emptied["kept"]), (&json!({ "transactions": 2 }), &json!({})));
    let transaction = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "1", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1,
    });
    assert_eq!(office.post("/transactions", &transaction).json()["transactions_id"], 3);
}

#[test]
fn a_content_is_erased_with_its_last_document() {
    let office = office(UNLIMITED);
    document(&office, "outra.pdf", b"nota 1");
    document(&office, "terceira.pdf", b"nota 2");
    delete(&office, "/documents/1");
    empty(&office);
    assert_eq!(contents(office.folder()), left(0));
    assert_eq!(office.get("/documents/3/content").bytes, b"nota 1");
    delete(&office, "/documents/3");
    assert_eq!(contents(office.folder()), left(0), "a document in the trash can be restored");
    empty(&office);
    assert_eq!(contents(office.folder()), left(1));
    // Uploading the erased bytes again makes a new document.
    let again = document(&office, "nota.pdf", b"nota 1");
    assert_eq!(office.get(&format!("/documents/{again}/content")).bytes, b"nota 1");
}

#[test]
fn files_without_a_document_are_reported_and_erased() {
    let office = office(UNLIMITED);
    let folder = office.folder().join("documents");
    let lost = vec![7; 3 << 20];
    fs::write(folder.join(name_of(&lost)), &lost).unwrap();
    fs::write(folder.join("leia-me.txt"), "não é nosso").unwrap();
    let about = || {
        let (out, _) = streams(&run(office.folder(), &["check", "--deep", "--json"]));
        let all: Value = serde_json::from_str(&out).unwrap();
        let documents = all["findings"].as_array().unwrap().iter().find(|one| one["point"] == "documents");
        (documents.unwrap()["ok"].clone(), documents.unwrap()["text"].as_str().unwrap().to_owned())
    };
    let (ok, text) = about();
    assert!(ok == true && text.contains("files of no document: 1 (3.0 MB)"), "{text}");
    let there = json!({ "count": 1, "bytes": lost.len() });
    assert_eq!(trash(office.folder(), &["list"])["unowned_contents"], there);
    assert_eq!(empty(&office)["unowned_contents"], there);
    assert_eq!(contents(office.folder()), [left(0), vec!["leia-me.txt".to_owned()]].concat());
    assert_eq!(about().1, "2; each with its file, sound");
    assert_eq!(office.get("/documents/1/content").bytes, b"nota 1");
}

#[test]
fn without_a_server_the_command_erases_by_itself() {
    let office = office(UNLIMITED);
    delete_all(&office);
    let folder = office.stopped();
    let emptied = trash(folder.path(), &["empty", "--yes"]);
    assert_eq!(emptied["erased"], counts());
    assert_eq!(contents(folder.path()), left(1));

    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(trash(nowhere.path(), &["list"])["counts"], json!({}));
    assert_eq!(trash(nowhere.path(), &["empty"])["erased"], json!({}));
    assert_eq!(fs::read_dir(nowhere.path()).unwrap().count(), 0, "a mistyped folder creates no office");
}

#[test]
fn wrong_arguments_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (words, about) in [
        (&["trash"][..], "list, empty"),
        (&["trash", "show"], "there is no command show"),
        (&["trash", "empty", "now"], "one too many"),
        (&["trash", "list", "--yes"], "--yes"),
    ] {
        let output = run(folder.path(), words);
        let (out, err) = streams(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{words:?}");
        assert!(err.contains(about), "{err}");
    }
}

/// If a content cannot be marked for removal, its document stays too.
#[test]
fn a_document_is_not_erased_without_its_content() {
    let office = office(UNLIMITED);
    delete(&office, "/documents/1");
    let (folder, away) = (office.folder().join("documents"), office.folder().join("away"));
    fs::rename(&folder, &away).unwrap();
    let output = run(office.folder(), &["trash", "empty", "--yes"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    fs::rename(&away, &folder).unwrap();
    assert_eq!(trash(office.folder(), &["list"])["counts"], json!({ "documents": 1 }));
    assert_eq!(office.put("/documents/1", &json!({ "deleted": false })).status, 200);
    assert_eq!(office.get("/documents/1/content").bytes, b"nota 1");
}

#[test]
fn records_deleted_after_the_confirmation_are_kept() {
    let office = office(UNLIMITED);
    delete(&office, "/documents/1");
    office.pass(60);
    delete(&office, "/transactions/1");
    let (counts, last) = office.store().read(|db| pleito::store::trash::holdings(db, 1_781_708_400)).unwrap();
    assert_eq!((counts.len(), last), (1, Some(1_781_708_400)));
    let erased = office.store().erase_deleted(last.unwrap(), None).unwrap();
    assert_eq!((erased.len(), erased[0].1), (1, 1));
    assert_eq!(trash(office.folder(), &["list"])["counts"], json!({ "transactions": 1 }));
}

/// Erases more records than one transaction takes, with references between their tables.
#[test]
fn thousands_of_records_are_erased_in_several_transactions() {
    let office = Office::new();
    for name in ["Ana", "Bia"] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({}));
    }
    let items: Vec<_> =
        (0..1000).map(|number| json!({ "lawsuit_id": 1, "description": format!("Ato {number}") })).collect();
    for _ in 0..2 {
        office.post("/movements", &json!({ "movements": items }));
    }
    let more: Vec<_> = (1000..2100)
        .map(|number| json!({ "lawsuit_id": 1, "description": format!("Ato {number}") }))
        .collect();
    office.post("/movements", &json!({ "movements": more[..1000] }));
    office.post("/movements", &json!({ "movements": more[1000..] }));
    let last = json!({ "lawsuit_id": 2, "description": "Ato" });
    assert_eq!(office.post("/lawsuits/movement", &last).status, 201);
    delete(&office, "/lawsuits/1");
    delete(&office, "/customers/1");
    let expected = json!({ "customers": 1, "lawsuits": 1, "movements": 2100 });
    assert_eq!(trash(office.folder(), &["list"])["records"].as_array().unwrap().len(), 2);
    let (out, _) = streams(&run(office.folder(), &["trash", "list"]));
    assert!(out.ends_with("and 2100 more: what went with these, and what went before\n"), "{out}");
    assert_eq!(empty(&office)["erased"], expected);
}

#[test]
fn keep_days_empties_the_trash_automatically() {
    let office = office(&format!("{UNLIMITED}[trash]\nkeep_days = 30\n"));
    delete(&office, "/documents/1");
    office.pass(DAY);
    delete(&office, "/transactions/1");
    let app = office.app();
    let mut purge = Purge::default();
    let mut look =
        || purge.run_once(app).unwrap().iter().map(|(table, count)| (table.path, *count)).collect::<Vec<_>>();
    office.pass(29 * DAY - 1);
    assert_eq!((look(), look()), (vec![], vec![]));
    office.pass(1);
    assert_eq!(look(), [("documents", 1)], "after exactly thirty days");
    assert_eq!(contents(office.folder()), left(1));
    office.pass(DAY);
    assert_eq!(look(), [("transactions", 1)]);
}

/// A clock that is set ahead by mistake empties nothing if it is corrected before the next run.
#[test]
fn a_temporarily_wrong_clock_empties_no_trash() {
    let office = office(&format!("{UNLIMITED}[trash]\nkeep_days = 30\n"));
    delete(&office, "/documents/1");
    let now = office.clock.now();
    let mut purge = Purge::default();
    let mut look = || purge.run_once(office.app()).unwrap().len();
    let ahead = now + jiff::SignedDuration::from_hours(24 * 365);
    assert_eq!(look(), 0);
    office.clock.set(ahead);
    assert_eq!(look(), 0, "the clock may be wrong");
    office.clock.set(now);
    assert_eq!((look(), look()), (0, 0));
    // A clock that is years ahead of every record is ignored.
    office.clock.set(now + jiff::SignedDuration::from_hours(24 * 365 * 30));
    assert_eq!((look(), look(), look()), (0, 0, 0));
    office.clock.set(ahead);
    assert_eq!((look(), look()), (0, 1), "a clock that stays ahead counts");
}

#[test]
fn without_keep_days_deleted_records_are_kept_forever() {
    let office = office(UNLIMITED);
    delete(&office, "/documents/1");
    let mut purge = Purge::default();
    assert!(purge.run_once(office.app()).unwrap().is_empty());
    office.pass(2000 * DAY);
    assert!(purge.run_once(office.app()).unwrap().is_empty());
    assert_eq!(trash(office.folder(), &["list"])["counts"], json!({ "documents": 1 }));
}

/// A crash at any moment leaves a document with its content, or neither.
#[test]
fn a_crash_leaves_no_document_without_its_content_and_no_content_without_a_document() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    for number in 0..60 {
        let id = document(&office, "x.pdf", format!("nota {number}").as_bytes());
        delete(&office, &format!("/documents/{id}"));
    }
    let folder = office.stopped();
    let before = contents(folder.path());
    let mut server = Program::serve(folder.path(), &[]);
    std::thread::scope(|scope| {
        scope.spawn(|| run(folder.path(), &["trash", "empty", "--yes"]));
        wait_until(MAX_WAIT, "erasing has begun", || (contents(folder.path()) != before).then_some(()));
        server.kill();
    });
    let server = Program::serve(folder.path(), &[]);
    let token = new_token(folder.path());
    let list = server.ask(&token, "GET", "/documents?deleted=true", None).unwrap().json();
    let rows = list["data"].as_array().unwrap().iter().map(|row| row["sha256"].as_str().unwrap().to_owned());
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    assert_eq!(contents(folder.path()), rows);
}
