//! An office with so many customers that what searches need is kept in a file beside the database.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::time::{Duration, Instant};

use pleito::demo::{Plan, fill};
use pleito::store::Store;
use serde_json::json;

use crate::office::Office;
use crate::program::{run_with, said};
#[cfg(unix)]
use crate::{program::Program, stop::terminate, wire::Wire};

const PLAN: Plan = Plan { customers: 20_000, lawsuits: 0, seed: 7 };

#[test]
fn searches_are_right_with_the_file_without_it_and_with_a_damaged_one() {
    let mut office = Office::new();
    // As another program's import does it, while the server runs.
    fill(&Store::open(office.folder()).unwrap(), PLAN, |_| {}).unwrap();
    let total = |office: &Office, query: &str| {
        let list = office.get(&format!("/customers?limit=1{query}")).json();
        list["totalCount"].as_u64().unwrap()
    };
    assert_eq!(total(&office, ""), 20_000, "the next list has all of it");
    let silvas = total(&office, "&name=silva");
    assert!(silvas > 500, "{silvas}");

    let file = office.folder().join("customers.index");
    let began = Instant::now();
    while !file.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no file is written");
        total(&office, "&name=ana");
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "what it is made of is the office's secret");
    }
    let check = |zone, lang| {
        let variables = [("PLEITO_OFFICE_TIME_ZONE", zone), ("PLEITO_LANG", lang)];
        said(&run_with(file.parent().unwrap(), &["check"], &variables)).0
    };
    let (here, elsewhere) = ("America/Sao_Paulo", "UTC");
    for (zone, lang, line) in [
        (here, "en", "customers.index: sound; lawsuits.index: none; what is missing is made again"),
        (here, "pt-BR", "customers.index: íntegro; lawsuits.index: não há; o que falta é refeito"),
        (elsewhere, "en", "customers.index: of another version or another time zone; "),
    ] {
        let said = check(zone, lang);
        assert!(said.contains(line), "{said}");
    }

    office.customer("Mais um Silva", json!({}));
    office.restart();
    assert_eq!((total(&office, ""), total(&office, "&name=silva")), (20_001, silvas + 1));

    let whole = fs::read(&file).unwrap();
    for bytes in [&whole[..whole.len() / 2], b"", &[&whole[1..], b"x"].concat()] {
        fs::write(&file, bytes).unwrap();
        office.restart();
        assert_eq!((total(&office, ""), total(&office, "&name=silva")), (20_001, silvas + 1));
    }
    // A disk that takes no file. What the server has just built is in its place before long.
    let taken = file.with_extension("index.new");
    let began = Instant::now();
    while fs::create_dir(&taken).is_err() {
        assert!(began.elapsed() < Duration::from_secs(60), "what was built is not put in its place");
        total(&office, "&name=ana");
    }
    fs::write(&file, b"").unwrap();
    office.restart();
    assert_eq!((total(&office, ""), total(&office, "&name=silva")), (20_001, silvas + 1));
    fs::remove_dir(&taken).unwrap();

    fs::write(&file, &whole).unwrap();
    office.customer("E outro Silva", json!({}));
    office.restart();
    assert_eq!((total(&office, ""), total(&office, "&name=silva")), (20_002, silvas + 2));

    #[cfg(unix)]
    let token = office.token.clone();
    let folder = office.stopped();
    let store = rusqlite::Connection::open(folder.path().join("pleito.db")).unwrap();
    store.execute("UPDATE seals SET seal = zeroblob(16)", []).unwrap();
    drop(store);
    for (bytes, line) in [
        (&whole[..whole.len() / 2], "customers.index: damaged; "),
        (&whole, "customers.index: of another store; "),
    ] {
        fs::write(&file, bytes).unwrap();
        let said = check(here, "en");
        assert!(said.contains(line), "{said}");
    }
    #[cfg(unix)]
    {
        fs::remove_file(&file).unwrap();
        a_stop_waits_for_no_build(folder.path(), &token);
    }
}

/// Over an office whose index has to be built.
#[cfg(unix)]
fn a_stop_waits_for_no_build(folder: &Path, token: &str) {
    let mut program = Program::serve(folder, &[("PLEITO_LIMITS_GET_PER_MINUTE", "100000")]);
    let counted = || {
        let reply = program.ask(token, "GET", "/customers/1", None).unwrap();
        100_000 - reply.header("x-ratelimit-remaining").parse::<u32>().unwrap()
    };
    let mut wire = Wire::to(program.address);
    wire.send(format!(
        "GET /api/v1/customers?name=silva HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    ));
    let mut own = 1;
    while counted() == own {
        own += 1;
    }
    assert!(wire.is_silent(), "the list waits for the index");
    terminate(&program);
    wire.answer().problem(503, "stopping");
    assert_eq!(program.exit_code(), Some(0));
}
