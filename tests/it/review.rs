//! One test for each defect that a security and reliability review found, like `regressions`.

use serde_json::{Value, json};

use crate::office::{Office, Reply};
use crate::program::{Program, new_token, run};

/// The token's generation number was raised before its commit, and reading the token again needed a write:
/// after a rotation that failed on a full disk, every request got 503.
#[test]
fn after_a_failed_rotation_the_old_token_works_even_if_nothing_can_be_written() {
    let office = Office::new();
    let other = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    let refusing = "CREATE TRIGGER full BEFORE INSERT ON token BEGIN SELECT RAISE(ABORT, 'full'); END";
    other.execute_batch(refusing).unwrap();
    // An end that waits for the writer is kept in this file.
    let ending = office.folder().join("pleito.ending");
    std::fs::create_dir(&ending).unwrap();
    assert!(!run(office.folder(), &["token", "new"]).status.success());
    std::fs::remove_dir(&ending).unwrap();
    other.execute_batch("DROP TRIGGER full; BEGIN IMMEDIATE").unwrap();
    for _ in 0..3 {
        assert_eq!(office.get("/settings").status, 200, "the old token is still valid");
    }
    other.execute_batch("ROLLBACK").unwrap();
    let next = new_token(office.folder());
    assert_eq!(office.get("/settings").status, 401);
    let authorization = format!("Bearer {next}");
    assert_eq!(office.send("GET", "/settings", &[("authorization", &authorization)], None).status, 200);
}

/// If the file with the token's generation number was removed or replaced while the server ran, a rotation had
/// no effect: the old token stayed valid and the new one was refused.
#[test]
fn a_rotation_takes_effect_even_if_the_generation_file_is_removed_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut token = new_token(folder.path());
    let mut program = Program::serve(folder.path(), &[]);
    let [file, copy] = ["token.generation", "copy"].map(|name| folder.path().join(name));
    let status = |token: &str| program.ask(token, "GET", "/settings", None).unwrap().status;
    for replaced in [false, true] {
        assert_eq!(status(&token), 200);
        // Not every system has the file or allows this change. The rotation must work in any case.
        let _ = match replaced {
            true => std::fs::copy(&file, &copy).and_then(|_| std::fs::rename(&copy, &file)),
            false => std::fs::remove_file(&file),
        };
        let next = new_token(folder.path());
        assert_eq!((status(&token), status(&next)), (401, 200), "replaced: {replaced}");
        token = next;
    }
    let _ = std::fs::remove_file(&file);
    assert!(run(folder.path(), &["token", "revoke"]).status.success());
    assert_eq!(status(&token), 401);
    program.kill();
}

/// Soft hyphens, zero-width characters and direction marks, common in text from PDFs and web pages, split
/// words, so that a search missed the record.
#[test]
fn invisible_characters_do_not_keep_a_record_from_being_found() {
    let office = Office::new();
    let typed = "\u{FEFF}Ma\u{AD}ria \u{202A}da Con\u{200B}cei\u{2060}ção\u{202C}\u{200F}";
    let id = office
        .customer(typed, json!({ "city": "Flori\u{AD}anópolis", "email": "maria\u{200B}@exemplo.com" }));
    let record = office.get(&format!("/customers/{id}")).json();
    let stored = ["name", "city", "email"].map(|member| record[member].as_str().unwrap());
    assert_eq!(stored, ["Maria da Conceição", "Florianópolis", "maria@exemplo.com"]);
    let notes = "Sen\u{AD}tença publi\u{200D}cada";
    let lawsuit =
        office.lawsuit(&[id], json!({ "notes": notes, "process_number": "0000002-65.2005\u{AD}.4.05.8100" }));
    let record = office.get(&format!("/lawsuits/{lawsuit}")).json();
    assert_eq!(
        (&record["notes"], &record["process_number"]),
        (&json!(notes), &json!("0000002-65.2005.4.05.8100"))
    );
    for query in ["name=maria%20conceicao", "name=Mar%C2%ADia", "city=florianopolis", "email=maria%40exemplo"]
    {
        assert_eq!(office.ids(&format!("/customers?{query}")), [id], "{query}");
    }
    for query in ["name=conceicao", "notes=sentenca", "notes=publicada"] {
        assert_eq!(office.ids(&format!("/lawsuits?{query}")), [lawsuit], "{query}");
    }
    let same = office.post("/settings/origins", &json!({ "origin": "Si\u{AD}te" }));
    assert_eq!(same.wrong_fields(), ["origin"], "`Site` exists already");
    let unseen = office.post("/settings/origins", &json!({ "origin": "\u{AD}\u{200B}" }));
    assert_eq!(unseen.wrong_fields(), ["origin"], "invisible characters alone are no name");
}

/// An idempotency key first used while the clock was far ahead got 422 until that day.
#[test]
fn an_idempotency_key_used_under_a_wrong_clock_can_be_used_again() {
    let office = Office::new();
    let post = |name: &str| {
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name }).to_string();
        office.send("POST", "/customers", &[("idempotency-key", "key")], Some(body.as_bytes()))
    };
    let today = office.clock.now();
    office.clock.set("2040-01-01T12:00:00Z".parse().unwrap());
    assert_eq!(post("Ana").status, 201);
    office.clock.set(today);
    let first = post("Eva");
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, ""), "{}", first.text());
    assert_eq!(post("Eva").header("idempotency-replayed"), "true");
    post("Ana").problem(422, "idempotency-key-reused");
    // A key used less than a day ahead of the current clock stays used.
    office.clock.set(today - jiff::SignedDuration::from_hours(23));
    assert_eq!(post("Eva").header("idempotency-replayed"), "true");
}

/// If the store's file was deleted, moved or replaced while the server ran, writes got 201 and were lost after a
/// restart. Windows does not allow these changes.
#[cfg(unix)]
#[test]
fn writes_are_refused_while_the_stores_file_is_missing_or_replaced() {
    let mut office = Office::new();
    let [file, aside, copy] = ["pleito.db", "aside", "copy"].map(|name| office.folder().join(name));
    let post = |office: &Office, name: &str| {
        office.post("/customers", &json!({ "users_id": 1, "customers_origins_id": 1, "name": name }))
    };
    assert_eq!(post(&office, "Ana").status, 201);
    std::fs::copy(&file, &copy).unwrap();
    for replaced in [false, true] {
        std::fs::rename(&file, &aside).unwrap();
        if replaced {
            std::fs::copy(&copy, &file).unwrap();
        }
        assert_eq!(office.raw("GET", "/health", &[], None).status, 503, "before anything is written");
        post(&office, "Eva").problem(503, "storage-unavailable");
        assert_eq!(office.raw("GET", "/health", &[], None).status, 503);
        if replaced {
            let overview = crate::console::visitor::Visitor::new(&office).page("");
            assert!(overview.contains("was deleted, moved or replaced"), "{overview}");
        }
        std::fs::rename(&aside, &file).unwrap();
        assert_eq!(office.raw("GET", "/health", &[], None).status, 200);
        assert_eq!(post(&office, "Bia").status, 201);
    }
    office.restart();
    let list = office.get("/customers").json();
    let names = list["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["Ana", "Bia", "Bia"]);
}

/// Many programs show only the sentence of a 422, which named neither field nor reason.
#[test]
fn the_sentence_of_a_422_names_the_first_wrong_field() {
    let office = Office::new();
    let sentence = |reply: Reply| {
        let body = reply.problem(422, "invalid");
        assert_eq!(body["error"], body["message"]);
        body["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(sentence(office.get("/lawsuits?limit=1000")), "limit must be from 1 to 100");
    assert_eq!(
        sentence(office.get("/lawsuits?limit=1000&offset=-1")),
        "limit must be from 1 to 100 (and 1 more error)"
    );
    let none = office.post("/customers", &json!({}));
    assert_eq!(sentence(none), "users_id is required (and 2 more errors)");
    let one = office.post("/customers", &json!({ "users_id": 1, "name": "Ana" }));
    assert_eq!(sentence(one), "customers_origins_id is required");
}

/// Spreadsheets send telephones, postal codes and folders as numbers, which were refused.
#[test]
fn a_whole_number_is_accepted_as_the_text_of_its_digits() {
    let office = Office::new();
    let numbers = json!({
        "cellphone": 48_988_880_000_u64, "phone": 4_833_330_000.0, "postalcode": 88_800_000, "document": 1_234_567,
        "identification": 52_998_224_725_u64, "number_pis": 0, "notes": 7,
    });
    let id = office.customer("Ana", numbers);
    let record = office.get(&format!("/customers/{id}")).json();
    let shown = ["cellphone", "phone", "postalcode", "document", "identification", "number_pis", "notes"];
    assert_eq!(
        shown.map(|member| record[member].as_str().unwrap()),
        ["(48) 98888-0000", "(48) 3333-0000", "88800-000", "1234567", "529.982.247-25", "0", "7"]
    );
    let lawsuit = office.lawsuit(&[id], json!({ "folder": 12, "protocol_number": 2026 }));
    let record = office.get(&format!("/lawsuits/{lawsuit}")).json();
    assert_eq!((&record["folder"], &record["protocol_number"]), (&json!("12"), &json!("2026")));
    // Other values are refused. A number beyond 2^53 may have lost digits, and a wrong text would be stored.
    for wrong in ["1.5", "-1", "50012345620254058100", "9007199254740993.0", "true", "[1]"] {
        let body = format!("{{\"document\": {wrong}}}");
        let reply = office.send("PUT", &format!("/customers/{id}"), &[], Some(body.as_bytes()));
        assert_eq!(reply.wrong_fields(), ["document"], "{wrong}");
    }
}

/// Of the nine steps in the fixed list of the cloud's n8n node, five found nothing in a new office.
#[test]
fn each_fixed_step_of_the_n8n_node_finds_the_lawsuits_in_it() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let settings = office.get("/settings").json();
    let steps = settings["steps"].as_array().unwrap();
    let sent = [
        "MARKETING",
        "NEGOCIACAO",
        "CONSULTORIA",
        "ADMINISTRATIVO",
        "JUDICIAL",
        "RECURSAL",
        "EXECUCAO_COBRANCA",
        "RH_FINANCEIRO",
        "ARQUIVAMENTO",
    ];
    assert_eq!(steps.len(), sent.len());
    let lawsuits = steps.iter().map(|step| {
        let first = |stage: &&Value| stage["steps_id"] == step["id"];
        let stage = settings["stages"].as_array().unwrap().iter().find(first).unwrap();
        office.lawsuit(&[ana], json!({ "stages_id": stage["id"] }))
    });
    for (lawsuit, sent) in lawsuits.collect::<Vec<_>>().into_iter().zip(sent) {
        for parameter in ["step", "stage"] {
            assert_eq!(office.ids(&format!("/lawsuits?{parameter}={sent}")), [lawsuit], "{parameter} {sent}");
        }
    }
}
