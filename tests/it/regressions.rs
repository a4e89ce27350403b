//! One test for each defect that was found and fixed.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use pleito::domain::byte_size;
use pleito::domain::{Lang, Page};
use pleito::index::{Filter, SearchText};
use pleito::records::{Lawsuit, Record};
use pleito::store::records::add_links;
use serde_json::json;

use crate::backups::{answer, backup};
use crate::console::visitor::Visitor;
use crate::forms::Form;
use crate::high_ids::export;
use crate::imports::Desk;
use crate::moving::live::{Live, office};
use crate::moving::{Target, from, noon, totals};
use crate::office::Office;
use crate::program::{new_token, run, run_with, streams};
use crate::publications::publication;
use crate::transfer::whole_office;
use crate::wire::Wire;

/// The member and the parameter `type` were read and described as `r#type`: no lawsuit type could be added, and
/// a list filtered by type returned every lawsuit.
#[test]
fn lawsuit_types_are_read_and_filtered_as_type() {
    let office = Office::new();
    let added = office.post("/settings/type_lawsuits", &json!({ "type": "Ação popular", "group_id": 1 }));
    assert_eq!(added.status, 201, "{}", added.text());
    let customer = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({ "type_lawsuits_id": added.json()["id"] }));
    office.lawsuit(&[customer], json!({ "type_lawsuits_id": 1 }));
    assert_eq!(office.ids("/lawsuits?type=popular"), [lawsuit]);
    let description = office.raw("GET", "/openapi.json", &[], None).text();
    assert!(description.contains(r#""type_lawsuits_id""#) && !description.contains("r#"));
}

/// A PUT accepted an inactive step for a lawsuit in another step, and refused a lawsuit's own step if its stages were
/// inactive.
#[test]
fn an_inactive_step_is_refused_except_for_a_lawsuit_that_is_already_in_it() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let step = |step: u64| form.put(form.standing, &json!({ "steps_id": step }));
    let activate = |path: &str, active: bool| {
        assert_eq!(office.put(path, &json!({ "active": active })).status, 200, "{path}");
    };
    let stages = [1, 2, 3, 4].map(|id| format!("/settings/stages/{id}"));
    assert_eq!(step(1).status, 200);
    stages.iter().for_each(|stage| activate(stage, false));
    assert_eq!(step(1).status, 200, "the stages are inactive, but the lawsuit is already in the step");
    stages.iter().for_each(|stage| activate(stage, true));
    activate("/settings/steps/1", false);
    assert_eq!(step(1).status, 200, "the step is inactive, but the lawsuit is already in it");
    assert_eq!(step(4).status, 200);
    assert_eq!(step(1).wrong_fields(), ["steps_id"], "the step is inactive");
}

/// Eleven digits that form a complete CPF also matched a CNPJ that begins with them.
#[test]
fn a_complete_cpf_finds_only_its_holder() {
    let office = Office::new();
    let person = office.customer("Ana", json!({ "identification": "529.982.247-25" }));
    let company = office.customer("Ana Ltda", json!({ "identification": "52.998.224/7250-27" }));
    assert_eq!(office.ids("/customers?identification=52998224725"), [person]);
    assert_eq!(office.ids("/customers?identification=5299822472"), [person, company]);
    assert_eq!(office.ids("/customers?identification=529982247250"), [company]);
}

/// `+1` was read as the id 1.
#[test]
fn only_digits_are_read_as_an_id_in_filters_by_name() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    assert_eq!(office.ids("/customers?origin=1"), [customer]);
    assert_eq!(office.ids("/customers?origin=%2B1"), Vec::<u64>::new());
}

/// `"active": null` for a list entry returned success and changed nothing.
#[test]
fn a_list_entry_with_active_null_is_active() {
    let office = Office::new();
    let origins = || office.get("/settings").json()["origins"].as_array().unwrap().len();
    let before = origins();
    for (active, there) in [(json!(false), before - 1), (json!(null), before)] {
        assert_eq!(office.put("/settings/origins/1", &json!({ "active": active })).status, 200);
        assert_eq!(origins(), there, "{active}");
    }
}

/// If the port was in use, the first start created the first token and never showed it.
#[test]
fn a_failed_start_creates_no_token() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let flags = pleito::config::Flags {
        data_dir: Some(folder.path().to_owned()),
        listen: Some(taken.local_addr().unwrap()),
        ..Default::default()
    };
    let start = || {
        let config = pleito::config::Config::load(flags.clone(), Default::default()).ok().unwrap();
        pleito::supervisor::start(config, pleito::clock::Clock::system(), true)
    };
    assert!(matches!(start(), Err(pleito::supervisor::Fatal::PortInUse(_))));
    assert!(matches!(pleito::store::Store::check(folder.path()).unwrap().access, Some((None, _))));
    drop(taken);
    let mut started = start().ok().unwrap();
    assert!(started.first_token().is_some(), "the next start creates it");
    started.stop();
}

/// Sends bytes, closes the sending direction, and reads the response to its end.
fn send_and_close(office: &Office, request: &str) -> String {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A client that closed the sending direction after its request, as `nc -N` does, was treated as disconnected
/// and got no response.
#[test]
fn a_client_that_closes_its_sending_direction_gets_a_response() {
    let office = Office::new();
    let answer = send_and_close(&office, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let cut = "POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
    let request = cut.replace("Content", &format!("Authorization: Bearer {}\r\nContent", office.token));
    let answer = send_and_close(&office, &request);
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("malformed-json"), "{answer}");
}

/// If a request had two `Host` headers, only the first was checked.
#[test]
fn a_request_with_two_host_headers_is_refused() {
    let two = "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n";
    let answer = send_and_close(&Office::new(), two);
    assert!(answer.starts_with("HTTP/1.1 421 "), "{answer}");
}

/// A request without a path made warp panic, and the connection was cut.
#[test]
fn a_connect_request_gets_a_response() {
    let office = Office::new();
    for target in ["localhost:80", "127.0.0.1:443"] {
        let mut wire = Wire::to(office.address());
        wire.send(format!("CONNECT {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        wire.answer().problem(405, "method-not-allowed");
    }
    let mut wire = Wire::to(office.address());
    wire.send("CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wire.answer().problem(421, "misdirected-request");
}

/// A database of another program was put into WAL mode before it was checked.
#[test]
fn a_foreign_database_is_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleito.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(pleito::store::Store::open(folder.path()).is_err());
    assert!(std::fs::read(&path).unwrap() == before);
}

/// After the clock was moved back, refused requests moved a count to the earlier day in memory but not in the
/// store. After the next midnight the two differed, and a restart brought an expired count back.
#[test]
fn moving_the_clock_back_at_the_limit_keeps_memory_and_store_equal() {
    let mut office = Office::with("[limits]\npost_per_day = 2\n");
    let post = |office: &Office| office.post("/customers", &json!({}));
    assert_eq!([post(&office).status, post(&office).status, post(&office).status], [422, 422, 429]);
    office.clock.set("2026-06-15T12:00:00-03:00".parse().unwrap());
    assert_eq!(post(&office).status, 429);
    office.pass(24 * 60 * 60);
    assert_eq!(post(&office).status, 422, "the day after");
    office.restart();
    assert_eq!([post(&office).status, post(&office).status], [422, 429]);
}

/// A machine whose clock began at 1970 dated records before the program was built.
#[test]
fn nothing_is_written_while_the_clock_shows_a_time_before_the_program() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    let record = format!("/customers/{customer}");
    let visitor = Visitor::new(&office);
    let file = office.folder().join("clientes.csv");
    fs::write(&file, "Nome;CPF\nBia Rocha;529.982.247-25\n").unwrap();
    // A manual clock belongs to a program built on 2026-01-01, and may be a day behind.
    office.clock.set("2025-12-30T23:59:59Z".parse().unwrap());
    let name = json!({ "name": "Eva" });
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Eva" });
    office.post("/customers", &body).problem(503, "clock");
    office.put(&record, &name).problem(503, "clock");
    office.send("DELETE", &record, &[], None).problem(503, "clock");
    assert_eq!(office.get(&record).json()["name"], "Ana", "reads go on");
    let health = office.raw("GET", "/health", &[], None);
    assert_eq!((health.status, &health.json()["code"]), (200, &json!("clock")));
    let fields = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Eva")];
    assert_eq!(visitor.send("/customers/new", &fields).status, 503);
    let imported = run(office.folder(), &["import", "--apply", &file.display().to_string()]);
    assert!(streams(&imported).1.contains("clock is behind"), "{imported:?}");
    office.clock.set("2025-12-31T00:00:00Z".parse().unwrap());
    assert_eq!(office.put(&record, &name).status, 200);
    assert_eq!(office.raw("GET", "/health", &[], None).json()["status"], "ok");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
}

/// `pleito check` created the lock file in a folder that it was only to read.
#[test]
fn check_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    run_with(folder.path(), &["check"], &[("PLEITO_SERVER_LISTEN", "127.0.0.1:0")]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The OpenAPI description offered `If-Match` for resources without an ETag.
#[test]
fn if_match_is_described_exactly_for_resources_with_an_etag() {
    let paths = &crate::described::DESCRIPTION["paths"];
    for (path, methods) in paths.as_object().unwrap() {
        // A PUT to a collection finds its record by the body.
        let Some(put) = methods.get("put").filter(|_| path.contains("{id}")) else { continue };
        let offers = put["parameters"].as_array().unwrap().iter().any(|one| one["name"] == "If-Match");
        // A payment changes the transaction above it.
        let record = &paths[path.trim_end_matches("/payment")];
        let has_tag = record.pointer("/get/responses/200/headers/ETag").is_some();
        assert_eq!((offers, put["responses"].get("412").is_some()), (has_tag, has_tag), "{path}");
    }
}

/// A request that refused every coding, `identity` included, got 406, even if it was a write that had succeeded.
#[test]
fn an_unsatisfiable_accept_encoding_does_not_change_the_response() {
    let office = Office::new();
    for accept in ["identity;q=0", "*;q=0", "gzip;q=0, br;q=0, identity;q=0"] {
        let headers = [("accept-encoding", accept)];
        let body =
            json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string().into_bytes();
        assert_eq!(office.send("POST", "/customers", &headers, Some(&body)).status, 201, "{accept}");
        let long = office.send("GET", "/settings", &headers, None);
        assert_eq!((long.status, long.json()), (200, office.get("/settings").json()), "{accept}");
    }
}

/// Parts of the end-to-end tests read `E2E_ROUNDS` and `E2E_PHOTOS`, which never reached them. A part gets only the
/// variables that `run` passes on.
#[test]
fn every_variable_that_a_part_reads_is_passed_on() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e");
    let run = std::fs::read_to_string(folder.join("run")).unwrap();
    let mut read = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for variable in text.split("os.environ").skip(1).filter_map(|rest| rest.split('"').nth(1)) {
            if variable.starts_with("E2E_") {
                assert!(run.contains(&format!("\"{variable}=")), "{}: {variable}", path.display());
                read += 1;
            }
        }
    }
    assert!(read >= 5, "{read}");
}

/// The error for a backup into a missing folder named an internal file, `x.db.zst.pleito-part`.
#[test]
fn the_error_for_a_backup_into_a_missing_folder_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    new_token(folder.path());
    let gone = folder.path().join("gone");
    let refused = run(folder.path(), &["backup", gone.join("x.db.zst").to_str().unwrap()]);
    let (result, sentence) = streams(&refused);
    assert_eq!((refused.status.code(), result.as_str()), (Some(1), ""));
    assert!(
        sentence.starts_with(&format!("pleito: the folder {} does not exist", gone.display())),
        "{sentence}"
    );
}

/// Erasing customer 1 for good also erased the stored responses to the requests that had created customers 10 to 19
/// in the same second. A repeated request then created one of them again.
#[test]
fn erasing_a_record_keeps_the_stored_responses_of_others() {
    let office = Office::new();
    let create = |id: u64| {
        let body =
            json!({ "users_id": 1, "customers_origins_id": 1, "name": format!("Ana {id}") }).to_string();
        let key = format!("customer-{id}");
        office.send("POST", "/customers", &[("idempotency-key", &key)], Some(body.as_bytes()))
    };
    let first: Vec<_> = (1..=10).map(create).collect();
    assert_eq!(office.send("DELETE", "/customers/1", &[], None).status, 200);
    office.store().erase_deleted(i64::MAX, None).unwrap();
    let again = create(10);
    assert_eq!((again.text(), again.header("idempotency-replayed")), (first[9].text(), "true"));
    assert_eq!(create(1).header("idempotency-replayed"), "", "the response for the erased customer is gone");
}

/// The import of an export dropped a `completed` that was not an object and a `file` that was not a text.
#[test]
fn an_export_with_a_member_of_the_wrong_type_is_refused() {
    let away = tempfile::tempdir().unwrap();
    let path = export(&whole_office(), &away.path().join("out"));
    let lines = fs::read_to_string(&path).unwrap();
    for (member, from, to) in [("completed", "\"completed\":{", '}'), ("file", "\"file\":\"", '"')] {
        let begin = lines.find(from).unwrap() + from.len();
        let end = begin + lines[begin..].find(to).unwrap() + 1;
        fs::write(&path, [&lines[..begin - 1], "7", &lines[end..]].concat()).unwrap();
        let target = tempfile::tempdir().unwrap();
        let output = run(target.path(), &["import", "--new", "--apply", &path.display().to_string()]);
        let err = streams(&output).1;
        assert!(output.status.code() == Some(1) && err.contains(&format!(", {member}: ")), "{err}");
    }
}

/// The command for repeating an import lacked `--refused`, and with the same file it would have failed.
#[test]
fn the_command_for_repeating_an_import_also_writes_the_refused_rows() {
    let desk = Desk::new();
    let file = desk.file("pessoas.csv", b"Nome;Origem;CPF\nAna;2;\nBia;2;111.111.111-12\n");
    let [refused, next] = ["fora.csv", "fora-2.csv"].map(|name| desk.files.path().join(name));
    let arguments = ["import", &file.display().to_string(), "--refused", &refused.display().to_string()];
    let tried = run(desk.office.folder(), &arguments);
    let (out, err) = streams(&tried);
    assert!(refused.exists() && out.contains(&format!(" --refused {} ", next.display())), "{out}{err}");
}

/// A download that was answered with 429 was requested again after a second, and given up after three.
#[test]
fn a_download_is_retried_after_the_time_in_retry_after() {
    let clock = noon();
    let live = Live::start(&clock, office(10));
    live.data.lock().busy = 4;
    let start = clock.monotonic();
    let report = Target::new(&clock).report(&from(&live));
    assert_eq!(totals(&report)["documents"], (2, 1, 1), "only the document without a file is missing");
    assert!((clock.monotonic() - start).as_secs() >= 4 * 90);
    assert_eq!(live.data.lock().busy, 0);
}

/// 1,048,575 bytes were shown as `1024,0 KB`.
#[test]
fn a_size_is_never_shown_as_1024_of_a_unit() {
    assert_eq!(byte_size(1_048_575, Lang::Pt), "1,0 MB");
    assert_eq!(byte_size(1_048_524, Lang::Pt), "1023,9 KB");
    assert_eq!(byte_size((1 << 30) - 1, Lang::En), "1.0 GB");
}

/// In the trash, a record was found by its owner's values only if the owner was deleted too.
#[test]
fn a_deleted_record_is_found_by_the_values_of_a_live_owner() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({ "cellphone": "48988880000" }));
    let [deleted, live] = [(); 2].map(|()| office.lawsuit(&[customer], json!({})));
    assert_eq!(office.send("DELETE", &format!("/lawsuits/{deleted}"), &[], None).status, 200);
    let app = office.app().clone();
    let found = office.store().read(move |db| {
        let of = |of_deleted: bool| {
            let filter = Filter::default().of_deleted(of_deleted).with_text(SearchText::parse("48988880000"));
            app.index().find(db, Lawsuit::TABLE, &filter, Page::all()).map(|found| found.ids)
        };
        Ok::<_, pleito::store::Error>([of(true)?, of(false)?])
    });
    assert_eq!(
        found.unwrap().map(|ids| ids.into_iter().map(u64::from).collect::<Vec<_>>()),
        [[deleted], [live]]
    );
}

/// An import created clients from a line of totals and from headings that were repeated in the middle, and refused
/// `5/4/1941`, `masc.` and `Santa Catarina`. If two columns had the same heading (`Nº` and `nº`), neither could be
/// chosen alone.
#[test]
fn an_import_reads_informal_values_and_skips_totals_and_repeated_headings() {
    let desk = Desk::new();
    let headings = "Nº;Cliente;C.P.F.;Nasc.;Endereço;nº;Est. Civil;UF;Sexo;\"Obs\ndo balcão\"";
    let text = format!(
        "CADASTRO DE CLIENTES;;;;;;;;;\n{headings}\n\
         1;Ana;52998224725;5/4/1941;Rua A;10;casada;Santa Catarina;Fem;Liga cedo\n{headings}\n\
         2;Bia;não tem;05.04.1941;Rua B;s/n;;sc;masc.;\n;;;;;;;;;\nTOTAL;2;;;;;;;;\n"
    );
    let (report, _) = desk.import(
        &desk.file("clientes.csv", text.as_bytes()),
        &["--set", "Origem=Site", "--to-notes", "--apply"],
    );
    let file = &report["files"][0];
    let counts = ["created", "skipped", "refused"].map(|member| &file[member]);
    assert_eq!(counts, [&json!(2), &json!(1), &json!(0)], "{report}");
    let total = file["rows"].as_array().unwrap().iter().find(|row| row["outcome"] == "skipped").unwrap();
    assert!(total["why"].as_str().unwrap().contains("line of totals"), "{report}");
    let ana = desk.office.get("/customers/1").json();
    let read = ["identification", "birthdate", "street", "civil_status", "state", "gender", "notes"];
    let read = read.map(|member| ana[member].as_str().unwrap());
    assert_eq!(
        read,
        ["529.982.247-25", "05/04/1941", "Rua A, 10", "casada", "SC", "F", "Nº: 1\nObs do balcão: Liga cedo"]
    );
    let bia = desk.office.get("/customers/2").json();
    assert_eq!((&bia["birthdate"], &bia["gender"]), (&json!("05/04/1941"), &json!("M")));
}

/// With `--to-notes`, the refusal of a row also named cells that would have been moved to the notes.
#[test]
fn with_to_notes_a_refusal_names_only_the_cells_that_cause_it() {
    let desk = Desk::new();
    let file = desk.file("a.csv", "Nome;CPF;Nasc.\n;52998224725;31/02/1980\n".as_bytes());
    let refusals = desk.refusals(&file, &["--set", "Origem=Site", "--to-notes"]);
    assert_eq!(refusals, [(2, "Nome: is required".to_owned())]);
}

/// The refusal of a row for an existing record named the cell that had been moved to the notes, and not the cause of
/// the refusal.
#[test]
fn the_refusal_of_a_row_for_an_existing_record_names_its_cause() {
    let desk = Desk::new();
    let customer = desk.office.customer("Ana", json!({}));
    let lawsuit = desk.office.lawsuit(&[customer], json!({}));
    let task = json!({
        "from": 1, "guests": [1], "tasks_id": 1, "lawsuits_id": lawsuit, "start_date": "17/06/2026",
        "comments": "x".repeat(19_990), "external_ids": ["crm:1"],
    });
    let made = desk.office.post("/posts", &task);
    assert_eq!(made.status, 201, "{}", made.text());
    let file = desk.file("tarefas.csv", b"external_ids;end_date\ncrm:1;16/06/2026\n");
    let refusals = desk.refusals(&file, &["--resource", "posts", "--update", "--to-notes"]);
    assert_eq!(refusals, [(2, "comments: must have at most 20000 characters".to_owned())]);
}

/// A hidden sheet, such as one with drop-down lists, was imported like any other.
#[test]
fn a_hidden_sheet_is_reported_and_not_imported() {
    let desk = Desk::new();
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, is_hidden) in [("Clientes", false), ("Listas", true)] {
        let sheet = book.add_worksheet().set_name(name).unwrap().set_hidden(is_hidden);
        sheet.write_row(0, 0, ["Nome", "E-mail"]).unwrap();
        sheet.write_row(1, 0, [name, ""]).unwrap();
    }
    let file = desk.file("a.xlsx", &book.save_to_buffer().unwrap());
    let (report, code) = desk.import(&file, &["--set", "Origem=Site", "--apply"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(desk.total("/customers"), 1);
    assert_eq!(report["passed_over"][0]["sheet"], "Listas", "{report}");
}

/// With `--fill` and `--to-notes`, the differing values of a client in another file were lost.
#[test]
fn differing_values_of_a_client_in_another_file_are_added_to_the_notes() {
    let desk = Desk::new();
    let flags = ["--set", "Origem=Site", "--to-notes", "--fill", "--apply"];
    let one =
        desk.file("a.csv", "Nome;CPF;Telefone;Obs\nAna;52998224725;(48) 3333-0001;Liga cedo\n".as_bytes());
    assert_eq!(desk.counts(&one, &flags), [1, 0, 0, 0]);
    let other = "NOME;CPF;TELEFONE;CIDADE;OBS\nANA;52998224725;(48) 3333-0002;Içara;Tem pressa\n".as_bytes();
    let other = desk.file("b.csv", other);
    assert_eq!(desk.counts(&other, &flags), [0, 0, 1, 0]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!((&ana["phone"], &ana["city"]), (&json!("(48) 3333-0001"), &json!("Içara")));
    let notes = ana["notes"].as_str().unwrap();
    for line in ["Liga cedo", "TELEFONE: (48) 3333-0002", "OBS: Tem pressa"] {
        assert!(notes.lines().any(|own| own == line), "{notes}");
    }
    for file in [&one, &other] {
        assert_eq!(desk.counts(file, &flags), [0, 1, 0, 0], "nothing has changed");
    }
}

/// A customer or lawsuit with an external id of another record was answered with 500.
#[test]
fn an_external_id_of_another_record_is_refused() {
    let office = Office::new();
    let id = json!(["crm:4711"]);
    let first = office.customer("Ana", json!({ "external_ids": id }));
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Bia", "external_ids": id });
    let refused = office.post("/customers", &body).problem(422, "duplicate");
    assert_eq!(refused["customer_id"], first, "{refused}");
    let first = office.lawsuit(&[first], json!({ "external_ids": id }));
    let body = json!({
        "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1, "external_ids": id,
    });
    let refused = office.post("/lawsuits", &body).problem(422, "duplicate");
    assert_eq!(refused["lawsuit_id"], first, "{refused}");
}

/// A token or key that ended while the body was on its way still wrote.
#[test]
fn a_body_that_outlives_its_token_stores_nothing() {
    let office = Office::new();
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string();
    let (begin, end) = body.split_at(20);
    let mut paths = ["/api/v1/customers", "/mcp"].map(|path| {
        let mut wire = Wire::to(office.address());
        wire.send(format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            office.address(),
            office.token,
            body.len(),
        ));
        // The server asks for the body after it has checked the token.
        assert_eq!(wire.head().0, 100);
        wire.send(begin);
        wire
    });
    let token = office.rotate();
    for wire in &mut paths {
        wire.send(end).answer().problem(401, "unauthenticated");
    }
    let mut office = office;
    office.token = token.expose().to_owned();
    assert!(office.ids("/customers").is_empty());
}

/// The history showed the moment of a treatment as a number of seconds.
#[test]
fn the_history_shows_moments_as_such() {
    let office = Office::new();
    let id = publication(
        &office,
        json!({ "lawsuit_id": office.lawsuit(&[office.customer("Ana", json!({}))], json!({})) }),
    );
    assert_eq!(office.put(&format!("/lawsuits/publication/{id}"), &json!({ "treated": true })).status, 200);
    let page = Visitor::new(&office).look(&format!("/publications/{id}")).text();
    let history = page.split_once("<ol>").map_or("", |(_, history)| history);
    let is_named = history.contains("Treated at") || history.contains("Tratada em");
    assert!(is_named && !history.contains("17816"), "{page}");
}

/// Initials on both sides of a particle were compared as one word, but not found as one.
#[test]
fn initials_around_a_particle_are_found_as_one_word() {
    let office = Office::new();
    let registered = office.customer("J. da B. Ltda", json!({}));
    let found = office.get("/customers/similar?name=JB%20Ltda").json();
    assert_eq!(
        (&found["data"][0]["customer_id"], &found["data"][0]["score"]),
        (&json!(registered), &json!(1.0))
    );
}

/// A merge left a gap in the positions of a case's customers, and a further one got a position that was taken.
#[test]
fn a_customer_is_added_to_a_case_after_a_merge() {
    let office = Office::new();
    let [ana, bia, caio, davi] = ["Ana", "Bia", "Caio", "Davi"].map(|name| office.customer(name, json!({})));
    let lawsuit = office.lawsuit(&[ana, bia, caio], json!({}));
    let merged = office.post(&format!("/customers/{bia}/merge"), &json!({ "from": ana }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    let [lawsuit, davi] = [lawsuit, davi].map(|id| u32::try_from(id).unwrap());
    let added = office.store().write(move |tx| add_links(tx, Lawsuit::TABLE, "customers", lawsuit, &[davi]));
    added.unwrap();
    let customers = office.get(&format!("/lawsuits/{lawsuit}")).json()["customers"].as_array().unwrap().len();
    assert_eq!(customers, 3);
}

/// SQLite removed the log, with the last changes, beside a store that a failing disk had emptied.
#[test]
fn the_log_beside_an_empty_store_is_kept() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("pleito.db-wal");
    fs::copy(office.folder().join("pleito.db-wal"), &log).unwrap();
    fs::write(folder.path().join("pleito.db"), "").unwrap();
    let before = fs::read(&log).unwrap();
    assert!(!before.is_empty());
    for words in [
        &["check"][..],
        &["token", "status"],
        &["key", "list"],
        &["trash", "list"],
        &["backup"],
        &["export", "all"],
        &["restore", "--latest"],
        &["serve"],
    ] {
        run(folder.path(), words);
        assert!(fs::read(&log).is_ok_and(|log| log == before), "{words:?}");
    }
}

/// A restore of a backup that was made before the replica began left a server that refused every write.
#[test]
fn a_backup_from_before_the_replica_is_restored_under_a_server() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let backup = backup(office.folder());
    let litestream = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    let tables = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
        CREATE TABLE _litestream_lock (id INTEGER); INSERT INTO _litestream_seq VALUES (1, 1)";
    litestream.execute_batch(tables).unwrap();
    drop(litestream);
    assert_eq!(office.customer("Bia", json!({})), 2);
    answer(office.folder(), &["restore", &backup, "--json"]);
    assert_eq!(office.customer("Caio", json!({})), 3);
}
