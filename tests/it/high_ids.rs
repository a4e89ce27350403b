//! Ids at their bounds: ids above 2^31 - 1 from a source or file are left out and reported, and a table whose
//! ids are used up returns an error.

use std::fs;
use std::path::Path;

use pleito::records::{List, TABLES};
use serde_json::{Value, json};

use crate::office::{Office, UNLIMITED};
use crate::one_of_each::others;
use crate::program::{run, run_with, streams};

const HIGHEST: u64 = 2_147_483_647;

fn transaction() -> Value {
    json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "1", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1,
    })
}

/// Returns a POST for every resource and list whose records have ids: table, path and body.
fn posts() -> Vec<(&'static str, String, Value)> {
    let noun = |table, path: &str, body| (table, path.to_owned(), body);
    let entry = |table, list: &str, body| (table, format!("/settings/{list}"), body);
    let mut all = vec![
        noun("customers", "/customers", json!({ "users_id": 1, "customers_origins_id": 1, "name": "Nova" })),
        noun(
            "lawsuits",
            "/lawsuits",
            json!({ "users_id": 1, "customers_id": [1], "stages_id": 1, "type_lawsuits_id": 1 }),
        ),
        noun(
            "tasks",
            "/posts",
            json!({ "from": 1, "tasks_id": 4, "lawsuits_id": 1, "guests": [1], "start_date": "2026-06-20" }),
        ),
        noun("movements", "/lawsuits/movement", json!({ "lawsuit_id": 1, "description": "Ato" })),
        noun(
            "movements",
            "/movements",
            json!({ "movements": [{ "lawsuit_id": 1, "description": "Outro", "date": "2026-06-01" }] }),
        ),
        noun(
            "publications",
            "/publications",
            json!({ "publications": [{ "lawsuit_id": 1, "date": "2026-06-10", "publication": "Nota" }] }),
        ),
        noun("transactions", "/transactions", transaction()),
        entry("users", "users", json!({ "name": "Nova" })),
        entry("origins", "origins", json!({ "origin": "Nova" })),
        entry("groups", "groups", json!({ "group": "Nova" })),
        entry("types", "type_lawsuits", json!({ "type": "Nova", "group_id": 1 })),
        entry("steps", "steps", json!({ "step": "Nova" })),
        entry("stages", "stages", json!({ "stage": "Nova", "steps_id": 1 })),
        entry("task_types", "tasks", json!({ "task": "Nova" })),
        entry("banks", "banks", json!({ "name": "Nova" })),
        entry("categories", "categories", json!({ "category": "Nova", "type": "income" })),
        entry("cost_centers", "cost_centers", json!({ "cost_center": "Nova" })),
        entry("departments", "departments", json!({ "sector": "Nova" })),
    ];
    all.extend(others().into_iter().map(|other| noun(other.kind.table().name, other.post, other.body)));
    all
}

/// Makes the next record of every table get an id above `id`.
fn reserve(office: &mut Office, id: u64) {
    let conn = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    for table in TABLES.iter().copied().chain(List::ALL.map(List::table)) {
        conn.execute("INSERT OR REPLACE INTO reserved_ids VALUES (?1, ?2)", (table.name, id)).unwrap();
    }
    drop(conn);
    office.restart();
}

fn office() -> Office {
    let office = Office::new();
    office.customer("Ana", json!({}));
    office.lawsuit(&[1], json!({}));
    office
}

/// Regression: once the ids were used up, every POST returned a 500.
#[test]
fn a_table_without_free_ids_refuses_new_records() {
    let mut office = office();
    reserve(&mut office, HIGHEST);
    for (table, path, body) in posts() {
        let answer = office.post(&path, &body);
        assert!(matches!(answer.status, 200 | 201), "{table}: {}", answer.text());
        assert!(
            answer.text().contains("214748364"),
            "the upper half of the ids is for the office itself: {}",
            answer.text()
        );
    }
    reserve(&mut office, u64::from(u32::MAX));
    for (table, path, mut body) in posts() {
        let text = body
            .to_string()
            .replace("Nova", "Mais uma")
            .replace("Outro", "Mais um")
            .replace("\"Nota\"", "\"Outra nota\"");
        body = serde_json::from_str(&text.replace("2026-06-20", "2026-06-21")).unwrap();
        let answer = office.post(&path, &body);
        let problem = answer.problem(422, "invalid");
        let sentence = "cannot be given to a new record: the highest id, 4294967295, is taken";
        assert_eq!(problem["errors"], json!({ "id": [sentence] }), "{table}");
    }
    // A document that cannot be stored leaves no content behind.
    let sent = office.send(
        "POST",
        "/documents?customer_id=1&name=a.pdf",
        &[("Content-Type", "application/pdf")],
        Some(b"a"),
    );
    assert_eq!(sent.problem(422, "invalid")["errors"].as_object().unwrap().len(), 1);
    assert_eq!(fs::read_dir(office.folder().join("documents")).unwrap().count(), 0);
    // Existing records can still be changed.
    assert_eq!(office.put("/customers/1", &json!({ "name": "Bia" })).status, 200);
}

/// Regression: an entry with the highest possible position made every later POST to its list a 500.
#[test]
fn an_entry_with_the_highest_position_does_not_block_new_ones() {
    let mut office = office();
    let conn = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    conn.execute("UPDATE origins SET place = 9223372036854775807 WHERE id = 1", []).unwrap();
    drop(conn);
    office.restart();
    let added = office.post("/settings/origins", &json!({ "origin": "Nova" }));
    assert_eq!(added.status, 201, "{}", added.text());
}

/// Exports the office and returns the path of a JSON Lines file of the export.
pub fn export(office: &Office, to: &Path) -> std::path::PathBuf {
    let output = run(office.folder(), &["export", &to.display().to_string()]);
    assert!(output.status.success(), "{:?}", streams(&output));
    let lines = fs::read_dir(to).unwrap().map(|entry| entry.unwrap().path());
    lines.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "jsonl")).unwrap()
}

#[test]
fn an_export_with_ids_above_the_bound_is_refused_with_the_reason() {
    let office = office();
    let away = tempfile::tempdir().unwrap();
    let path = export(&office, &away.path().join("out"));
    let lines = fs::read_to_string(&path).unwrap();
    let customer = "\"resource\":\"customers\",\"id\":1,";
    assert!(lines.contains(customer), "{lines}");
    let take = |id: u64, place: u64| {
        let mut changed = lines.replace(customer, &customer.replace(":1,", &format!(":{id},")));
        changed = changed.replace("\"customers_id\":[1]", &format!("\"customers_id\":[{id}]"));
        changed = changed.replacen("\"place\":1", &format!("\"place\":{place}"), 1);
        fs::write(&path, changed).unwrap();
        let target = Office::new();
        let output = run(target.folder(), &["import", "--apply", &path.display().to_string()]);
        (target, output.status.code(), streams(&output).1)
    };
    let (target, code, err) = take(HIGHEST, 1);
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(target.customer("Bia", json!({})), HIGHEST + 1);
    for id in [HIGHEST + 1, u64::from(u32::MAX), u64::from(u32::MAX) + 1, u64::MAX] {
        let (target, code, err) = take(id, 1);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("id: is above 2147483647, the highest id"), "{id}: {err}");
        assert_eq!(target.customer("Bia", json!({})), 1, "nothing was imported");
    }
    let (_, code, err) = take(1, i64::MAX.cast_unsigned());
    assert!(code == Some(1) && err.contains("place: is above 2147483647"), "{err}");
}

/// Regression: a move brought a record with the highest possible id, and every later POST returned a 500.
#[test]
fn a_move_leaves_out_ids_above_the_bound_and_names_them() {
    let mut source = office();
    source.customer("Bia", json!({}));
    source.customer("Caio", json!({}));
    let conn = rusqlite::Connection::open(source.folder().join("pleito.db")).unwrap();
    conn.execute("UPDATE customers SET id = 4294967295 WHERE name = 'Bia'", []).unwrap();
    conn.execute("UPDATE customers SET id = 2147483647 WHERE name = 'Caio'", []).unwrap();
    drop(conn);
    source.restart();
    let target = Office::with(UNLIMITED);
    let address = format!("http://{}", source.address());
    let token = [("PLEITO_SOURCE_TOKEN", &*source.token)];
    let output = run_with(target.folder(), &["import", "--from-api", &address], &token);
    let (out, err) = streams(&output);
    assert!(out.contains("is above 2147483647, the highest id"), "{out}{err}");
    let names: Vec<_> = target.get("/customers").json()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    assert_eq!(names, ["Ana", "Caio"], "{out}{err}");
    assert_eq!(target.customer("Duda", json!({})), HIGHEST + 1);
}

/// An office has few webhooks and imports, so a row with the highest id can only come from tampering.
#[test]
fn webhooks_and_imports_still_work_after_the_highest_id() {
    let mut office = office();
    let webhook = json!({ "url": "http://127.0.0.1:9/", "types": ["*"] });
    assert_eq!(office.post("/webhooks", &webhook).status, 201);
    let conn = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    conn.execute("UPDATE webhooks SET id = 4294967295", []).unwrap();
    let import = "INSERT INTO imports (id, at, files, is_whole, created, updated, since) VALUES (4294967295, 0, '', 0, 1, 0, 0)";
    conn.execute(import, []).unwrap();
    drop(conn);
    office.restart();
    let added = office.post("/webhooks", &webhook);
    assert_eq!((added.status, &added.json()["webhook_id"]), (201, &json!(1)), "{}", added.text());
    let away = tempfile::tempdir().unwrap();
    let sheet = away.path().join("clientes.csv");
    fs::write(&sheet, "Nome;Origem\nBia;Site\n").unwrap();
    let imported = run(office.folder(), &["import", sheet.to_str().unwrap(), "--apply"]);
    assert!(imported.status.success(), "{:?}", streams(&imported));
}

/// After the highest number, no further change could be recorded.
#[test]
fn a_copy_without_free_change_numbers_is_not_restored() {
    let folder = office().stopped();
    let path = folder.path().join("pleito.db");
    let restore = |highest: i64| {
        let conn = rusqlite::Connection::open(&path).unwrap();
        conn.execute("UPDATE changes SET seq = ?1 WHERE seq = (SELECT max(seq) FROM changes)", [highest])
            .unwrap();
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        drop(conn);
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = elsewhere.path().join("copy.db");
        fs::copy(&path, &copy).unwrap();
        let output = run(elsewhere.path(), &["restore", copy.to_str().unwrap()]);
        (output.status.code(), streams(&output).1)
    };
    for highest in [i64::MAX, 1 << 53, 1 << 52] {
        let (code, err) = restore(highest);
        assert!(code == Some(1) && err.contains("damaged"), "{err}");
    }
    assert_eq!(restore((1 << 52) - 1).0, Some(0));
}
