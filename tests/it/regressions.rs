//! One test for each defect that was found and mended.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::json;

use crate::forms::Form;
use crate::office::Office;
use crate::program::{new_token, run, run_with, said};
use crate::wire::Wire;

/// The member and the parameter `type` were read, and described, as `r#type`: no lawsuit type could be added, and a list
/// asked for one type showed all.
#[test]
fn the_type_is_called_type() {
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

/// A PUT took an inactive step for a lawsuit that was elsewhere, and refused a lawsuit's own step once its stages were
/// inactive.
#[test]
fn an_inactive_step_is_refused_but_to_a_lawsuit_that_stands_in_it() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let step = |step: u64| form.put(form.standing, &json!({ "steps_id": step }));
    let activate = |path: &str, active: bool| {
        assert_eq!(office.put(path, &json!({ "active": active })).status, 200, "{path}");
    };
    let stages = [1, 2, 3, 4].map(|id| format!("/settings/stages/{id}"));
    assert_eq!(step(1).status, 200);
    stages.iter().for_each(|stage| activate(stage, false));
    assert_eq!(step(1).status, 200, "its stages are inactive, but it is there already");
    stages.iter().for_each(|stage| activate(stage, true));
    activate("/settings/steps/1", false);
    assert_eq!(step(1).status, 200, "the step is inactive, but it is there already");
    assert_eq!(step(4).status, 200);
    assert_eq!(step(1).wrong_fields(), ["steps_id"], "the step is inactive");
}

/// Eleven digits that are a whole CPF also found a CNPJ that begins with them.
#[test]
fn a_whole_cpf_means_its_holder_only() {
    let office = Office::new();
    let person = office.customer("Ana", json!({ "identification": "529.982.247-25" }));
    let company = office.customer("Ana Ltda", json!({ "identification": "52.998.224/7250-27" }));
    assert_eq!(office.ids("/customers?identification=52998224725"), [person]);
    assert_eq!(office.ids("/customers?identification=5299822472"), [person, company]);
    assert_eq!(office.ids("/customers?identification=529982247250"), [company]);
}

/// `+1` was read as the id 1.
#[test]
fn an_id_among_names_is_digits_only() {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    assert_eq!(office.ids("/customers?origin=1"), [customer]);
    assert_eq!(office.ids("/customers?origin=%2B1"), Vec::<u64>::new());
}

/// `null` for whether an entry is active was answered with success and changed nothing.
#[test]
fn an_entry_whose_activity_is_emptied_is_active() {
    let office = Office::new();
    let origins = || office.get("/settings").json()["origins"].as_array().unwrap().len();
    let before = origins();
    for (active, there) in [(json!(false), before - 1), (json!(null), before)] {
        assert_eq!(office.put("/settings/origins/1", &json!({ "active": active })).status, 200);
        assert_eq!(origins(), there, "{active}");
    }
}

/// The first start over a taken port made the first token and showed it to nobody.
#[test]
fn a_start_that_fails_makes_no_token() {
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
    assert_eq!(pleito::store::Store::check(folder.path()).unwrap().token, None);
    drop(taken);
    let mut started = start().ok().unwrap();
    assert!(started.first_token().is_some(), "the next start makes it");
    started.stop();
}

/// Sends bytes, closes the sending direction, and reads the answer to its end.
fn said_and_closed(office: &Office, request: &str) -> String {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Who closed the sending direction behind a request, as `nc -N` does, was taken for gone and got no answer.
#[test]
fn who_has_said_everything_is_still_answered() {
    let office = Office::new();
    let answer = said_and_closed(&office, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let cut = "POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
    let request = cut.replace("Content", &format!("Authorization: Bearer {}\r\nContent", office.token));
    let answer = said_and_closed(&office, &request);
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("malformed-json"), "{answer}");
}

/// Of two `Host` headers the first was believed.
#[test]
fn a_request_for_two_hosts_is_for_none() {
    let two = "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n";
    let answer = said_and_closed(&Office::new(), two);
    assert!(answer.starts_with("HTTP/1.1 421 "), "{answer}");
}

/// A request without a path made warp panic, and the connection was cut.
#[test]
fn connect_is_answered() {
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

/// A database of another program was put into WAL mode before it was looked at.
#[test]
fn a_foreign_database_is_not_even_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleito.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(pleito::store::Store::open(folder.path()).is_err());
    assert!(std::fs::read(&path).unwrap() == before);
}

/// Refused requests took a count along to an earlier day in memory, but not in the store: after the next midnight the
/// two differed, and a restart brought back what had ended.
#[test]
fn a_clock_moved_back_at_the_limit_leaves_memory_and_store_alike() {
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

/// `pleito check` made the lock file in a folder that it was only to look at.
#[test]
fn check_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    run_with(folder.path(), &["check"], &[("PLEITO_SERVER_LISTEN", "127.0.0.1:0")]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The description offered `If-Match` where there is no version to name.
#[test]
fn if_match_is_offered_where_there_is_an_etag() {
    let paths = &crate::described::DESCRIPTION["paths"];
    for (path, methods) in paths.as_object().unwrap() {
        let Some(put) = methods.get("put") else { continue };
        let offers = put["parameters"].as_array().unwrap().iter().any(|one| one["name"] == "If-Match");
        let has_tag = methods.pointer("/get/responses/200/headers/ETag").is_some();
        assert_eq!((offers, put["responses"].get("412").is_some()), (has_tag, has_tag), "{path}");
    }
}

/// Who refused every coding, `identity` too, was told 406: also by the answer of a write that was done.
#[test]
fn no_wish_for_a_coding_changes_what_an_answer_says() {
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

/// `E2E_ROUNDS` and `E2E_PHOTOS` were read by parts of the end-to-end tests, and never reached them: a part sees only those
/// variables that `run` hands on.
#[test]
fn every_variable_that_a_part_reads_is_handed_on() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e");
    let run = std::fs::read_to_string(folder.join("run")).unwrap();
    let mut read = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for asked in text.split("os.environ").skip(1).filter_map(|rest| rest.split('"').nth(1)) {
            if asked.starts_with("E2E_") {
                assert!(run.contains(&format!("\"{asked}=")), "{}: {asked}", path.display());
                read += 1;
            }
        }
    }
    assert!(read >= 5, "{read}");
}

/// A backup into a folder that is not there was refused with the name of an internal file, `x.db.zst.pleito-part`.
#[test]
fn a_backup_into_a_folder_that_is_not_there_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    new_token(folder.path());
    let gone = folder.path().join("gone");
    let refused = run(folder.path(), &["backup", gone.join("x.db.zst").to_str().unwrap()]);
    let (result, sentence) = said(&refused);
    assert_eq!((refused.status.code(), result.as_str()), (Some(1), ""));
    assert!(sentence.starts_with(&format!("pleito: {}: ", gone.display())), "{sentence}");
}

/// `pleito export` of a store that an earlier version had left was refused because of "a defect: no such column".
#[test]
fn an_export_of_an_earlier_store_is_whole_and_leaves_it_as_it_was() {
    for schema in [3, 21] {
        let golden = format!("{}/tests/golden/stores/schema-{schema}.db.zst", env!("CARGO_MANIFEST_DIR"));
        let before = zstd::decode_all(&*std::fs::read(golden).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (store, to) = (folder.path().join("pleito.db"), folder.path().join("export"));
        std::fs::write(&store, &before).unwrap();
        let exported = run(folder.path(), &["export", to.to_str().unwrap()]);
        assert!(exported.status.success(), "schema {schema}: {}", said(&exported).1);
        let customers = std::fs::read_to_string(to.join("customers.csv")).unwrap();
        assert!(customers.contains("João da Conceição"), "schema {schema}: {customers}");
        let mut files = std::fs::read_dir(&to).unwrap().map(|file| file.unwrap().file_name());
        assert!(files.all(|name| !name.to_string_lossy().starts_with('.')), "the copy is removed");
        assert_eq!(before, std::fs::read(&store).unwrap(), "schema {schema}");
    }
}
