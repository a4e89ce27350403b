//! Export and import: an export is readable by people and can be imported again without loss.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use pleito::demo::{Plan, fill};
use pleito::store::Store;
use serde_json::{Value, json};

use crate::office::Office;
use crate::one_of_each::make_others;
use crate::program::{run, run_with, streams};

const PLAN: Plan =
    Plan { customers: 60, lawsuits: 40, tasks: 80, transactions: 60, movements: 0, publications: 0, seed: 7 };

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        let name = name.to_string_lossy().into_owned();
        match path.is_dir() {
            true => found
                .extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes))),
            false => _ = found.insert(name, fs::read(path).unwrap()),
        }
    }
    found
}

fn done(output: &Output) -> String {
    let (out, err) = streams(output);
    assert!(output.status.success() && err.is_empty(), "{out}{err}");
    out
}

/// Asserts that the command was refused without standard output, and returns its sentences.
fn refused(output: &Output) -> String {
    let (out, err) = streams(output);
    assert!(output.status.code() == Some(1) && out.is_empty(), "{out}{err}");
    err
}

/// Starts an office with records of every kind.
pub fn whole_office() -> Office {
    let office = Office::new();
    fill(office.store(), PLAN, |_| {}).unwrap();
    let made = |reply: crate::office::Reply| {
        assert!(matches!(reply.status, 200 | 201), "{}", reply.text());
        reply.json()
    };
    made(office.post("/settings/origins", &json!({ "origin": "=Panfleto; \"novo\"" })));
    made(office.put("/settings/origins/2", &json!({ "active": false, "position": 1 })));
    made(office.post("/movements", &json!({ "movements": [
        { "lawsuit_id": 1, "description": "Conclusos", "date": "2026-06-01", "header": "TJSP", "external_ids": ["court:1", "b:2"] },
        { "lawsuit_id": 2, "description": "Juntada\nde petição", "date": "2026-06-02", "time": "09:12" },
    ] })));
    made(office.post("/publications", &json!({ "publications": [
        { "process_number": "0000002-65.2005.4.05.8100", "publication": "Intimação", "date": "2026-06-03", "source": "DJEN" },
        { "lawsuit_id": 3, "publication": "Outra", "date": "2026-06-03", "source": "DJEN", "start": "2026-06-04 10:00" },
    ] })));
    made(office.put("/lawsuits/publication/2", &json!({ "treated": true, "users_id": 2 })));
    for customer in [json!(4), json!(null)] {
        made(office.post("/posts", &json!({
            "from": 1, "guests": [1], "tasks_id": 6, "customers_id": customer, "start_date": "2026-06-05", "comments": "Ligação",
        })));
    }
    for (name, bytes) in [("procuração.pdf", &b"%PDF-1.7 one"[..]), ("Termo", b"two")] {
        let path = format!("/documents?customer_id=1&name={name}");
        made(office.send("POST", &path, &[("content-type", "application/pdf")], Some(bytes)));
    }
    make_others(&office);
    made(office.send("DELETE", "/documents/2", &[], None));
    made(office.post("/customers/5/merge", &json!({ "from": 6 })));
    made(office.send("DELETE", "/transactions/3?reason=entered%20twice", &[], None));
    office
}

#[test]
fn an_export_of_an_imported_export_is_identical() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let (first, second) = (away.path().join("first"), away.path().join("second"));
    let arguments = |command: &'static str, path: &Path| [command.to_owned(), path.display().to_string()];
    let export = |folder: &Path, to: &Path| {
        let [command, path] = arguments("export", to);
        done(&run(folder, &[&command, &path]))
    };
    let out = export(office.folder(), &first);
    assert!(out.contains("customers: 60\n") && out.contains("publications: 2\n"), "{out}");
    let settings = fs::read(office.folder().join("pleito.toml")).unwrap();

    // Import into a folder without a running server. A trial run comes first and stores nothing.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("pleito.toml"), &settings).unwrap();
    let [_, path] = arguments("import", &first);
    let tried = done(&run(other.path(), &["import", "--new", &path]));
    assert!(tried.contains("customers: 60\n") && tried.contains("Nothing was stored."), "{tried}");
    assert!(!Store::holds_records(other.path()).unwrap());
    let stored = done(&run(other.path(), &["import", "--apply", &path]));
    assert!(
        stored.contains("files of documents: 2\n") && stored.ends_with("Everything was imported.\n"),
        "{stored}"
    );
    export(other.path(), &second);
    assert_same(&files(&first), &files(&second));
    let again = refused(&run(other.path(), &["import", "--apply", &path]));
    assert!(again.contains("without records"), "{again}");

    // After an import into a running office, lists and records equal those of the source.
    let running = Office::new();
    done(&run(running.folder(), &["import", "--apply", &path]));
    for path in [
        "/customers?limit=100",
        "/customers?name=maria",
        "/lawsuits?limit=100",
        "/posts?status=all&limit=100",
        "/transactions?limit=100&sums=true",
        "/movements",
        "/publications",
        "/documents",
        "/documents?deleted=true",
        "/customers?deleted=true",
        "/settings",
    ] {
        assert_eq!(running.get(path).json(), office.get(path).json(), "{path}");
    }
    assert_eq!(running.get("/documents/1/content").bytes, b"%PDF-1.7 one");
    let made =
        running.post("/customers", &json!({ "name": "Nova", "users_id": 1, "customers_origins_id": 1 }));
    assert_eq!(made.json()[0]["customer_id"], 61, "{}", made.text());
}

fn assert_same(first: &BTreeMap<String, Vec<u8>>, second: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    for (name, bytes) in first {
        // A workbook contains the time of its creation.
        if name != "pleito.xlsx" {
            assert!(bytes == &second[name], "{name} differs");
        }
    }
}

#[test]
fn an_export_opens_correctly_in_a_brazilian_spreadsheet() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let to = away.path().join("tudo");
    let path = to.display().to_string();
    let output = run_with(office.folder(), &["export", &path], &[("PLEITO_LANG", "pt-BR")]);
    let out = done(&output);
    assert!(out.starts_with(&format!("{path}\nequipe: ")) && out.contains("clientes: 60\n"), "{out}");
    let files = files(&to);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    for name in [
        "clientes.csv",
        "lancamentos.csv",
        "tipos-de-tarefa.csv",
        "pleito.xlsx",
        "pleito.jsonl",
        "documents/1.pdf",
        "documents/2",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let customers = String::from_utf8(files["clientes.csv"].clone()).unwrap();
    assert!(
        customers.starts_with("\u{feff}\"Id\";\"Nome\";\"CPF ou CNPJ\";\"RG ou outro documento\";"),
        "{customers}"
    );
    // There are 60 customers, and one of them was merged into another.
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(b';')
        .from_reader(customers.trim_start_matches('\u{feff}').as_bytes());
    assert_eq!(rows.records().map(Result::unwrap).count(), 59);
    let transactions = String::from_utf8(files["lancamentos.csv"].clone()).unwrap();
    let first = office.get("/transactions/1").json();
    let due = first["date_due"].as_str().unwrap().split('-').rev().collect::<Vec<_>>().join("/");
    let amount = format!("{:.2}", first["amount"].as_f64().unwrap()).replace('.', ",");
    let line = transactions.lines().nth(1).unwrap();
    assert!(
        line.contains(&due) && line.contains(&format!(";\"{amount}\";")),
        "{line} has neither {due} nor {amount}"
    );
    let origins = String::from_utf8(files["origens.csv"].clone()).unwrap();
    assert!(origins.contains("\"'=Panfleto; \"\"novo\"\"\""), "{origins}");
    assert_eq!(files["documents/1.pdf"], b"%PDF-1.7 one");
    // An export into a folder that is not empty is refused.
    let again = refused(&run(office.folder(), &["export", &path]));
    assert!(again.contains("is not empty"), "{again}");
}

#[test]
fn an_altered_export_is_refused_as_a_whole() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let to = away.path().join("out");
    done(&run(office.folder(), &["export", &to.display().to_string()]));
    let whole = fs::read_to_string(to.join("pleito.jsonl")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let at = |resource: &str| {
        lines.iter().position(|line| line.contains(&format!("\"resource\":\"{resource}\""))).unwrap()
    };
    let empty = tempfile::tempdir().unwrap();
    let refused_with = |text: String| {
        let file = to.join("altered.jsonl");
        fs::write(&file, text).unwrap();
        let refusal =
            refused(&run(empty.path(), &["import", "--new", "--apply", &file.display().to_string()]));
        assert!(!Store::holds_records(empty.path()).unwrap(), "{refusal}");
        refusal
    };
    let changed = |at: usize, change: &dyn Fn(&mut Value)| {
        let mut line: Value = serde_json::from_str(lines[at]).unwrap();
        change(&mut line);
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[at] = line.to_string();
        lines.join("\n")
    };
    let customer = at("customers");
    for (text, expected) in [
        (lines[..lines.len() - 1].join("\n"), "the file was cut off".to_owned()),
        (whole[..whole.len() - 20].to_owned(), format!("line {}, ", lines.len())),
        (
            changed(customer, &|line| line["identification"] = "111.111.111-12".into()),
            format!("line {}, identification: ", customer + 1),
        ),
        (
            changed(customer, &|line| line["shoe_size"] = 41.into()),
            format!("line {}, shoe_size: is not a member", customer + 1),
        ),
        (changed(customer, &|line| line["users_id"] = 999.into()), "users_id points to 999".to_owned()),
        (
            changed(customer + 1, &|line| line["id"] = 1.into()),
            format!("line {}, id: another line", customer + 2),
        ),
        (changed(customer, &|line| line["id"] = 0.into()), format!("line {}, id: ", customer + 1)),
        (
            changed(at("documents"), &|line| line["file"] = "../out/documents/1.pdf".into()),
            "is no file of this folder".to_owned(),
        ),
        (
            changed(at("documents"), &|line| line["file"] = "documents/2".into()),
            "is not the file that was exported".to_owned(),
        ),
        (changed(0, &|line| line["pleito_export"] = 2.into()), "no export that this version".to_owned()),
        (format!("{}\n{{\"resource\":\"clouds\"}}", lines[0]), "line 2, resource: does not exist".to_owned()),
        (format!("{}\n{}", lines[0], "x".repeat(9_000_000)), "line 2, -: the line is too long".to_owned()),
    ] {
        let refusal = refused_with(text);
        assert!(refusal.contains(&expected), "{refusal:?} does not contain {expected:?}");
    }
}

/// Copies the data folder of a running office as it is on disk, but without the file that SQLite shares between
/// processes. A folder in its place keeps SQLite from creating it.
fn read_only_copy(office: &Office) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("pleito.db-shm")).unwrap();
    for name in ["pleito.toml", "pleito.db", "pleito.db-wal"] {
        fs::copy(office.folder().join(name), copy.path().join(name)).unwrap();
    }
    fs::create_dir(copy.path().join("documents")).unwrap();
    for (name, bytes) in files(&office.folder().join("documents")) {
        fs::write(copy.path().join("documents").join(name), bytes).unwrap();
    }
    copy
}

#[test]
fn a_store_on_a_read_only_disk_can_be_exported() {
    let office = whole_office();
    let read_only = read_only_copy(&office);
    let before = files(read_only.path());
    let away = tempfile::tempdir().unwrap();
    let (first, second) = (away.path().join("first"), away.path().join("second"));
    let person = away.path().join("person");
    done(&run(office.folder(), &["export", &first.display().to_string()]));
    done(&run(read_only.path(), &["export", &second.display().to_string()]));
    assert_same(&files(&first), &files(&second));
    done(&run(read_only.path(), &["export", "--customer", "1", &person.display().to_string()]));
    assert!(files(&person).len() > 2);
    assert_same(&before, &files(read_only.path()));
    assert_eq!(fs::read_dir(away.path()).unwrap().count(), 3, "no copy is left");
}

#[test]
fn a_store_of_a_newer_program_is_not_exported() {
    let folder = Office::new().stopped();
    let path = folder.path().join("pleito.db");
    rusqlite::Connection::open(path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let to = folder.path().join("out");
    for arguments in [&["export"][..], &["export", "--customer", "1"]] {
        let to = to.display().to_string();
        let why = refused(&run(folder.path(), &[arguments, &[&to]].concat()));
        assert!(why.contains("is from a newer Pleito (schema 999") && why.contains("Install"), "{why}");
    }
    assert!(!to.exists());
}
