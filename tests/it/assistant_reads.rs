//! The record of reads: what each answer showed, how long it is kept, and what is taken out of it (assistants 50).

use std::fs;

use pleito::records::{Customer, Lawsuit, Record, Table};
use pleito::store::Error;
use pleito::store::access::assistant_reads::{self, AssistantRead, LIFETIME_DAYS};
use pleito::store::journal::Who;
use pleito::supervisor::Purge;
use serde_json::{Value, json};

use crate::assistants::{TOOLS, busy, call_as};
use crate::backups::{answer, backup};
use crate::office::Office;
use crate::program::{run, streams};

const DAY: u64 = 86_400;

/// Creates a key that reads everything.
pub fn key(office: &Office, name: &str) -> String {
    let output = run(office.folder(), &["key", "new", name, "--write"]);
    assert!(output.status.success(), "{output:?}");
    streams(&output).0.trim_end().to_owned()
}

fn reads(office: &Office, table: &'static Table, id: u32) -> Vec<AssistantRead> {
    office.store().read(move |db| assistant_reads::of_record(db, table, id, 100)).unwrap()
}

fn tools(office: &Office, table: &'static Table, id: u32) -> Vec<String> {
    reads(office, table, id).into_iter().map(|read| read.tool).collect()
}

#[test]
fn every_tool_notes_the_records_in_its_answer() {
    let office = busy(Office::new());
    let key = key(&office, "assistente da Ana");
    let arguments = |tool: &str| match tool {
        "conflicts" => json!({ "name": "Banco Exemplo" }),
        "lists" => json!({ "list": "users" }),
        "changes" => json!({ "resource": "lawsuits" }),
        _ => json!({}),
    };
    for tool in TOOLS {
        let earlier = reads(&office, Lawsuit::TABLE, 1).len();
        let (text, _, is_error) = call_as(&office, &key, tool, arguments(tool));
        assert!(!is_error, "{tool}: {text}");
        let all = reads(&office, Lawsuit::TABLE, 1);
        // The case is in every answer, apart from that of reference lists.
        assert_eq!(all.len() - earlier, usize::from(tool != "lists"), "{tool}: {text}");
        if tool != "lists" {
            let who = Some(Who::Key("assistente da Ana".to_owned()));
            let read = AssistantRead { at: office.app().now(), who, tool: tool.to_owned() };
            assert_eq!(all[0], read);
        }
    }
    assert_eq!(tools(&office, Customer::TABLE, 1).last().unwrap(), "people");
    let all = reads(&office, Customer::TABLE, 1).len();
    for (tool, arguments) in [
        ("people", json!({ "name": "ninguém" })),
        ("people", json!({ "id": 99 })),
        ("nada", json!({ "id": 1 })),
    ] {
        if tool == "people" {
            call_as(&office, &key, tool, arguments);
        }
    }
    assert_eq!(reads(&office, Customer::TABLE, 1).len(), all, "an answer without records is no read");
}

#[test]
fn only_what_the_answer_holds_is_noted() {
    let office = Office::new();
    for number in 0..30 {
        office.customer(&format!("Silva {number}"), json!({}));
    }
    let (_, found, _) = call_as(&office, &office.token, "people", json!({ "name": "silva" }));
    let shown: Vec<_> = found["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!((shown.len(), &found["total"]), (25, &json!(30)));
    for id in 1..=30 {
        let is_shown = shown.contains(&json!(id));
        assert_eq!(reads(&office, Customer::TABLE, id).len(), usize::from(is_shown), "{id}");
    }
    let read = reads(&office, Customer::TABLE, 1).remove(0);
    assert!(matches!(read.who, Some(Who::Token(last_four)) if office.token.ends_with(&last_four)));
}

/// The names of all customers may stand in the name of the case.
#[test]
fn references_beyond_the_shown_ones_are_noted_too() {
    let office = Office::new();
    let all: Vec<_> = (0..30).map(|number| office.customer(&format!("Ana {number}"), json!({}))).collect();
    office.lawsuit(&all, json!({}));
    call_as(&office, &office.token, "cases", json!({ "id": 1 }));
    office.post(
        "/publications",
        &json!({ "publications": [{ "lawsuit_id": 1, "date": "2026-05-20", "publication": "Intimação." }] }),
    );
    let (text, ..) = call_as(&office, &office.token, "publications", json!({}));
    assert!(text.contains("Ana 0"), "{text}");
    for id in all {
        assert_eq!(
            tools(&office, Customer::TABLE, u32::try_from(id).unwrap()),
            ["publications", "cases"],
            "{id}"
        );
    }
}

#[test]
fn the_answers_of_tools_that_write_are_noted_too() {
    let office = busy(Office::with("[mcp]\nwrite = true\n"));
    let arguments = json!({ "resource": "lawsuits", "id": 1, "reason": "x" });
    call_as(&office, &office.token, "delete", arguments);
    assert_eq!(tools(&office, Lawsuit::TABLE, 1), ["delete"]);
    assert_eq!(tools(&office, Customer::TABLE, 1), ["delete"]);
    let double = json!({ "users_id": "1", "customers_origins_id": "1", "name": "Maria da Conceicao" });
    let (text, answer, _) = call_as(&office, &office.token, "save_person", double);
    assert_eq!(answer["possible_duplicates"], json!([1]), "{text}");
    assert_eq!(tools(&office, Customer::TABLE, 1), ["save_person", "delete"]);
    assert_eq!(tools(&office, Customer::TABLE, 2), ["save_person"]);
    let store = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    store.execute_batch("ALTER TABLE assistant_reads RENAME TO elsewhere").unwrap();
    let double = json!({ "users_id": "1", "customers_origins_id": "1", "name": "Maria da Conceição Sá" });
    let (text, answer, is_error) = call_as(&office, &office.token, "save_person", double);
    assert!(!is_error, "{text}");
    assert_eq!(answer, json!({ "result": "created", "resource": "customers", "id": 3 }));
}

#[test]
fn what_cannot_be_noted_is_not_shown() {
    let office = busy(Office::new());
    let store = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    store.execute_batch("ALTER TABLE assistant_reads RENAME TO elsewhere").unwrap();
    let (text, _, is_error) = call_as(&office, &office.token, "people", json!({}));
    assert!(is_error && !text.contains("Maria"), "{text}");
    store.execute_batch("ALTER TABLE elsewhere RENAME TO assistant_reads").unwrap();
    let (text, _, is_error) = call_as(&office, &office.token, "people", json!({}));
    assert!(!is_error && text.contains("Maria"), "{text}");
}

#[test]
fn a_reading_is_kept_for_five_years() {
    let office = busy(Office::new());
    call_as(&office, &office.token, "people", json!({}));
    office.pass(DAY);
    call_as(&office, &office.token, "cases", json!({}));
    let mut purge = Purge::default();
    let mut kept = |days: u64| {
        purge.run_once(office.app()).unwrap();
        office.pass(days * DAY);
        // A clock that is years ahead of every record is taken for wrong.
        office.customer("Nova", json!({}));
        purge.run_once(office.app()).unwrap();
        // The purge is queued before this write.
        office.store().write(|_| Ok::<_, Error>(())).unwrap();
        tools(&office, Customer::TABLE, 1)
    };
    let lifetime_days = u64::try_from(LIFETIME_DAYS).unwrap();
    assert_eq!(kept(lifetime_days - 1), ["cases", "people"], "after exactly five years");
    office.pass(1);
    assert_eq!(kept(0), ["cases"]);
    assert_eq!(kept(1), Vec::<String>::new());
}

#[test]
fn an_erased_record_is_taken_out_and_a_merged_one_passes_to_the_other() {
    let office = Office::new();
    let [ana, double, bia] =
        ["Ana Souza", "Ana Sousa", "Bia Reis"].map(|name| office.customer(name, json!({})));
    call_as(&office, &office.token, "people", json!({ "id": double }));
    call_as(&office, &office.token, "people", json!({ "id": bia }));
    let merged = office.post(&format!("/customers/{ana}/merge"), &json!({ "from": double }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    assert_eq!(office.send("DELETE", &format!("/customers/{bia}"), &[], None).status, 200);
    let [ana, double, bia] = [ana, double, bia].map(|id| u32::try_from(id).unwrap());
    let counts = || [ana, double, bia].map(|id| reads(&office, Customer::TABLE, id).len());
    assert_eq!(counts(), [1, 1, 1], "a record in the trash keeps its reads");
    assert!(run(office.folder(), &["trash", "empty", "--yes"]).status.success());
    assert_eq!(counts(), [1, 0, 0]);
}

#[test]
fn a_restored_backup_keeps_later_readings() {
    let office = busy(Office::new());
    call_as(&office, &office.token, "people", json!({}));
    let file = backup(office.folder());
    call_as(&office, &office.token, "cases", json!({ "id": 1 }));
    answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(tools(&office, Customer::TABLE, 1), ["cases", "people"]);
}

#[test]
fn the_export_about_a_person_lists_the_readings() {
    let office = busy(Office::new());
    let key = key(&office, "n8n");
    let export = |name: &str| {
        let out = office.folder().join(name);
        let output = run(office.folder(), &["export", out.to_str().unwrap(), "--customer", "1"]);
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(out.join("data.html")).unwrap()
    };
    assert!(!export("before").contains("Shown to an assistant"));
    call_as(&office, &key, "cases", json!({ "id": 1 }));
    let page = export("after");
    for text in ["Shown to an assistant", "key n8n", "cases", "Customers: 1; ", "Publications: 1"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

/// Regression: the publication of an undone task stayed treated.
#[test]
fn the_undo_of_a_task_gives_back_the_mark_of_its_publication() {
    let office = busy(Office::new());
    let bearer = format!("Bearer {}", key(&office, "n8n"));
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let task = json!({ "lawsuits_id": 1, "tasks_id": 1, "guests": [1], "from": 1, "start_date": "2026-06-18", "publications_id": 1 });
    let made = office.send("POST", "/posts", &headers, Some(task.to_string().as_bytes()));
    assert_eq!(made.status, 201, "{}", made.text());
    let treated = || office.get("/lawsuits/publication/1").json()["treated_at"].clone();
    assert_ne!(treated(), Value::Null);
    let undone = answer(office.folder(), &["key", "undo", "n8n", "--json"]);
    assert_eq!((&undone["deleted"], treated()), (&json!(1), Value::Null), "{undone}");
}

#[test]
fn the_command_undoes_what_a_key_wrote_on_a_day() {
    let office = busy(Office::new());
    let key = key(&office, "n8n");
    let bearer = format!("Bearer {key}");
    let send = |method: &str, path: &str, body: Value| {
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let reply = office.send(method, path, &headers, Some(body.to_string().as_bytes()));
        assert!(matches!(reply.status, 200 | 201), "{path}: {}", reply.text());
        reply
    };
    let before = office.get("/customers/1").json();
    send("PUT", "/customers/1", json!({ "city": "Laguna" }));
    send("PUT", "/customers/1", json!({ "city": "Tubarão", "notes": "mudou" }));
    let new = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Nova Cliente" });
    send("POST", "/customers", new.clone());
    send("DELETE", "/lawsuits/publication/1", json!({}));
    send("PUT", "/lawsuits/1", json!({ "notes": "da chave" }));
    send("POST", "/customers", json!({ "users_id": 1, "customers_origins_id": 1, "name": "Outra Cliente" }));
    // Others changed two of the records since.
    assert_eq!(office.put("/lawsuits/1", &json!({ "notes": "de uma pessoa" })).status, 200);
    assert_eq!(office.put("/customers/3", &json!({ "city": "Içara" })).status, 200);
    let undone = answer(office.folder(), &["key", "undo", "n8n", "--json"]);
    assert_eq!(
        (&undone["deleted"], &undone["changed"], &undone["left"].as_array().unwrap().len()),
        (&json!(1), &json!(2), &2),
        "{undone}"
    );
    let left = undone["left"].to_string();
    assert!(left.contains("Outra Cliente") && left.contains("was changed since"), "{left}");
    let after = office.get("/customers/1").json();
    assert_eq!([&after["city"], &after["notes"]], [&before["city"], &before["notes"]]);
    assert_eq!(office.get("/customers/2").status, 404);
    assert_eq!(office.get("/lawsuits/1").json()["notes"], "de uma pessoa");
    assert_eq!(office.get("/customers/3").status, 200);
    assert_eq!(office.get("/publications").json()["totalCount"], 1, "deleted records come back");
    // A second time, nothing is as the key left it.
    let again = answer(office.folder(), &["key", "undo", "n8n", "--json"]);
    assert_eq!((&again["deleted"], &again["changed"]), (&json!(0), &json!(0)), "{again}");
    for (words, code) in [
        (&["key", "undo", "n8n", "--day", "2026-06-16"][..], "wrote nothing"),
        (&["key", "undo", "outra"], "wrote nothing"),
        (&["key", "undo", "n8n", "--day", "ontem à noite"], "the day"),
    ] {
        let output = run(office.folder(), words);
        assert!(output.status.code() == Some(1) && streams(&output).1.contains(code), "{output:?}");
    }
}
