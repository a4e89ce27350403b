//! Acknowledged writes are durable, and a file that is not a store of Pleito's is left alone (product 8, contract 2).

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::office::{Office, UNLIMITED};
use crate::program::{Program, new_token, run, run_with, streams};

fn customer(name: &str) -> Value {
    json!({ "users_id": 1, "customers_origins_id": 1, "name": name })
}

#[test]
fn all_writes_of_many_writers_are_acknowledged_and_stored() {
    let mut office = Office::new();
    let write = |writer: usize| {
        (0..25).map(|number| office.customer(&format!("W{writer} N{number}"), json!({}))).collect::<Vec<_>>()
    };
    let ids = std::thread::scope(|scope| {
        let all = (0..16).map(|writer| scope.spawn(move || write(writer))).collect::<Vec<_>>();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect::<BTreeSet<_>>()
    });
    assert_eq!(ids, (1..=400).collect(), "each has its own id, and no id is left out");
    for _ in 0..2 {
        assert_eq!(office.ids("/customers").len(), 400);
        assert_eq!(office.ids("/customers?name=W7").len(), 25);
        office.restart();
    }
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let token = new_token(folder.path());
    let mut acknowledged = BTreeSet::new();
    for round in 0..3 {
        let mut program = Program::serve(folder.path(), &[]);
        let (answered, answers) = mpsc::channel();
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let (answered, token, over, address) = (answered.clone(), &token, &over, program.address);
                scope.spawn(move || {
                    let client = crate::office::agent();
                    let authorization = format!("Bearer {token}");
                    for number in 0.. {
                        let name = format!("R{round} W{writer} N{number}");
                        let body = customer(&name).to_string();
                        let headers = [("authorization", authorization.as_str())];
                        let path = "/api/v1/customers";
                        let reply = crate::office::ask(
                            &client,
                            address,
                            "POST",
                            path,
                            &headers,
                            Some(body.as_bytes()),
                        );
                        match reply {
                            Ok(reply) if reply.status == 201 => answered.send(name).unwrap(),
                            Ok(reply) => panic!("{}", reply.text()),
                            Err(_) if over.load(Ordering::Relaxed) => return,
                            Err(cause) => panic!("{cause}"),
                        }
                    }
                });
            }
            drop(answered);
            acknowledged.extend(answers.iter().take(100 + 50 * round));
            over.store(true, Ordering::Relaxed);
            program.kill();
            acknowledged.extend(answers.iter());
        });
        let program = Program::serve(folder.path(), &[]);
        let page =
            |query: &str| program.ask(&token, "GET", &format!("/customers?{query}"), None).unwrap().json();
        let mut there = BTreeSet::new();
        for offset in (0..page("limit=1")["totalCount"].as_u64().unwrap()).step_by(1000) {
            let rows = page(&format!("limit=1000&offset={offset}"));
            let rows = rows["data"].as_array().unwrap();
            there.extend(rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()));
        }
        let lost = acknowledged.difference(&there).collect::<Vec<_>>();
        assert!(lost.is_empty(), "round {round}: {lost:?}");
        let checked = run_with(
            folder.path(),
            &["check", "--json"],
            &[("PLEITO_SERVER_LISTEN", &program.address.to_string())],
        );
        assert_eq!(finding(&checked.stdout, "store")["ok"], true, "{checked:?}");
    }
}

fn finding(checked: &[u8], point: &str) -> Value {
    let all: Value = serde_json::from_slice(checked).unwrap();
    let findings = all["findings"].as_array().unwrap();
    findings
        .iter()
        .find(|finding| finding["point"] == point)
        .unwrap_or_else(|| panic!("no {point}: {all}"))
        .clone()
}

/// Asserts that the command fails with exit code 1 and one sentence that contains these words, in either language.
fn refuses(folder: &Path, arguments: &[&str], english: &str, portuguese: &str) {
    for (lang, words) in [("en", english), ("pt-BR", portuguese)] {
        let output = run_with(folder, arguments, &[("PLEITO_LANG", lang)]);
        let (out, err) = streams(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(1), ""), "{err}");
        assert!(err.starts_with("pleito: ") && err.contains(words) && err.lines().count() == 1, "{err}");
    }
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
fn a_second_server_over_the_same_folder_is_refused() {
    let office = Office::new();
    refuses(office.folder(), &SERVE, "another Pleito is already running", "outro Pleito já está em execução");
    assert_eq!(office.get("/settings").status, 200);
}

#[test]
fn a_file_that_is_not_a_pleito_store_is_refused_and_left_unchanged() {
    let sound = {
        let office = Office::new();
        (0..50).for_each(|number| {
            _ = office.customer(&format!("Ana {number}"), json!({ "notes": "a".repeat(500) }))
        });
        std::fs::read(office.stopped().path().join("pleito.db")).unwrap()
    };
    assert!(sound.len() > 20_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleito.db");
    let open = || rusqlite::Connection::open(&path).unwrap();
    let bytes_of = |make: &dyn Fn()| {
        let _ = std::fs::remove_file(&path);
        make();
        std::fs::read(&path).unwrap()
    };
    let foreign = bytes_of(&|| open().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap());
    let marked = bytes_of(&|| open().execute_batch("PRAGMA application_id = 7; CREATE TABLE t (a)").unwrap());
    let newer = bytes_of(&|| {
        std::fs::write(&path, &sound).unwrap();
        open().execute_batch("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99").unwrap();
    });
    let newer_in_wal = bytes_of(&|| {
        std::fs::write(&path, &sound).unwrap();
        open().execute_batch("PRAGMA user_version = 99").unwrap();
    });
    let rubbish = b"This is a letter, not a database. ".repeat(400);
    let torn = sound[..sound.len() / 2].to_vec();
    let mut scratched = sound.clone();
    scratched[..16].copy_from_slice(b"SQLite format 4\0");
    for (what, bytes, english, portuguese) in [
        ("foreign", foreign, "belongs to another program", "de outro programa"),
        ("marked", marked, "belongs to another program", "de outro programa"),
        ("newer", newer, "from a newer Pleito", "de um Pleito mais novo"),
        ("newer in WAL", newer_in_wal, "from a newer Pleito", "de um Pleito mais novo"),
        ("rubbish", rubbish, "is damaged", "danificado"),
        ("torn", torn, "is damaged", "danificado"),
        ("scratched", scratched, "is damaged", "danificado"),
    ] {
        for companion in ["pleito.db-wal", "pleito.db-shm"] {
            let _ = std::fs::remove_file(folder.path().join(companion));
        }
        std::fs::write(&path, &bytes).unwrap();
        refuses(folder.path(), &SERVE, english, portuguese);
        assert!(std::fs::read(&path).unwrap() == bytes, "{what}: serve has changed the file");
        refuses(folder.path(), &["token", "new"], english, portuguese);
        assert!(std::fs::read(&path).unwrap() == bytes, "{what}: token new has changed the file");
        let checked =
            run_with(folder.path(), &["check", "--json"], &[("PLEITO_SERVER_LISTEN", "127.0.0.1:0")]);
        assert_eq!(checked.status.code(), Some(1), "{what}");
        let store = finding(&checked.stdout, "store");
        assert!(store["ok"] == false && store["text"].as_str().unwrap().contains(english), "{what}: {store}");
        assert!(std::fs::read(&path).unwrap() == bytes, "{what}: check has changed the file");
    }
    std::fs::write(&path, &sound).unwrap();
    let program = Program::serve(folder.path(), &[]);
    let token = new_token(folder.path());
    assert_eq!(
        program.ask(&token, "GET", "/customers", None).unwrap().json()["totalCount"],
        50,
        "the undamaged store"
    );
}

#[test]
fn an_unusable_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let below = folder.path().join("file").join("data");
    for arguments in [&SERVE[..], &["token", "new"]] {
        let output = run(&below, arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let (_, err) = streams(&output);
        assert!(err.starts_with("pleito: ") && err.contains("file"), "{err}");
    }
    assert_eq!(run(&below, &["check"]).status.code(), Some(1));
}

#[test]
fn a_port_in_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let arguments = ["serve", "--listen", &address];
    refuses(folder.path(), &arguments, "is in use by another program", "já está em uso por outro programa");
    let (_, err) = streams(&run(folder.path(), &arguments));
    assert!(
        err.contains(&taken.local_addr().unwrap().port().to_string()) && err.contains("--listen"),
        "{err}"
    );
    let checked = run_with(folder.path(), &["check", "--json"], &[("PLEITO_SERVER_LISTEN", &address)]);
    assert_eq!(
        (checked.status.code(), finding(&checked.stdout, "server")["ok"].clone()),
        (Some(1), json!(false))
    );
}

#[test]
fn a_store_written_by_two_processes_stays_consistent() {
    let office = Office::with(UNLIMITED);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..3).for_each(|_| _ = new_token(office.folder())));
        // The token changes meanwhile, so the test polls `/health`, which needs no token.
        for _ in 0..50 {
            assert_eq!(office.raw("GET", "/health", &[], None).status, 200);
        }
    });
    let mut office = office;
    office.token = new_token(office.folder());
    assert_eq!(office.customer("Ana Souza", json!({})), 1);
}
