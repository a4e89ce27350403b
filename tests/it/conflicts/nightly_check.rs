//! The nightly check, which checks the open cases again (events 23.5).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pleito::api::conflicts::nightly_check;
use pleito::store::conflicts::conflict_findings::{self, ConflictRun, Passed};
use pleito::store::journal::{self, CONFLICTS, JournalFilter};
use pleito::store::{Error, Store};
use serde_json::{Value, json};

use super::{CNPJ, CPF, CPF_OF_CAIO, OTHER_CPF, check, opposing_origin};
use crate::console::visitor::Visitor;
use crate::imports::Desk;
use crate::office::Office;
use crate::program::Program;
use crate::wait::{MAX_WAIT, wait_until};
use crate::webhooks::receiver::Receiver;

/// Returns the events of the change feed about conflicts after `since`, each as the lawsuit's id.
pub fn events(office: &Office, since: u64) -> Vec<u64> {
    let path = format!("/changes?resource=conflicts&include=record,values&since={since}");
    let changes = office.get(&path).json();
    let each = changes["data"].as_array().unwrap().iter().filter(|change| change["resource"] == "conflicts");
    let each = each.map(|change| {
        assert_eq!((&change["op"], &change["via"]), (&json!("created"), &json!("command")));
        assert_eq!((change.get("record"), change.get("values")), (Some(&Value::Null), Some(&json!({}))));
        let id = change["id"].as_u64().unwrap();
        assert_eq!(change["path"], format!("/api/v1/conflicts?lawsuit_id={id}"));
        assert_eq!(office.get(change["path"].as_str().unwrap().trim_start_matches("/api/v1")).status, 200);
        id
    });
    each.collect()
}

/// Returns the conflicts that were not let pass, as pairs of customer and lawsuit.
pub fn unresolved(office: &Office) -> Vec<(u64, u64)> {
    let unresolved = office.store().read(|db| conflict_findings::undecided(db, 1000, 0)).unwrap();
    let mut pairs = unresolved
        .iter()
        .map(|one| (u64::from(one.customer.get()), u64::from(one.lawsuit.get())))
        .collect::<Vec<_>>();
    pairs.sort_unstable();
    pairs
}

pub fn pass(office: &Office, customer: u64, lawsuit: u64) {
    let passed =
        Passed { at: office.app().now(), by: "Ana Souza".to_owned(), why: "outra pessoa".to_owned() };
    let [customer, lawsuit] = [customer, lawsuit].map(|id| u32::try_from(id).unwrap());
    let done = office.store().write(move |tx| conflict_findings::let_pass(tx, customer, lawsuit, &passed));
    assert!(done.unwrap());
}

#[test]
fn open_cases_are_checked_again_and_each_conflict_is_reported_once() {
    let office = Office::new();
    let run = || nightly_check::run(office.app()).unwrap();
    let origin = opposing_origin(&office);
    let ana = office.customer("Ana Lima Prates", json!({ "identification": CPF }));
    let bia = office.customer("Bia Reis", json!({}));
    let against_ana = office
        .lawsuit(&[bia], json!({ "opposing_parties": [{ "name": "A. Prates", "identification": CPF }] }));
    office.lawsuit(&[ana], json!({ "opposing_parties": "Zilda Abrantes" }));
    assert_eq!((run(), unresolved(&office)), (1, vec![(ana, against_ana)]));
    assert_eq!(events(&office, 0), [against_ana]);
    assert_eq!(run(), 0, "no conflict is reported twice");
    // Changes of other members report nothing new.
    office.put(&format!("/customers/{ana}"), &json!({ "city": "Criciúma" }));
    office.put(&format!("/lawsuits/{against_ana}"), &json!({ "folder": "A-1" }));
    assert_eq!(run(), 0);
    // A person lets the conflict pass. It is reported again when a record that it is based on changes.
    pass(&office, ana, against_ana);
    office.put(&format!("/customers/{ana}"), &json!({ "city": "" }));
    assert_eq!((run(), unresolved(&office)), (0, vec![]));
    office.put(&format!("/customers/{ana}"), &json!({ "name": "Ana Prates" }));
    assert_eq!((run(), unresolved(&office)), (1, vec![(ana, against_ana)]));
    assert_eq!(events(&office, 0), [against_ana, against_ana]);

    // A new client has the name of an opposing party, who is a customer of an opposing origin.
    let caio = office.customer("Caio Luz", json!({ "customers_origins_id": origin }));
    let against_caio = office.lawsuit(&[bia, caio], json!({}));
    assert_eq!(run(), 0);
    let other = office.customer("Luz, Caio", json!({}));
    assert_eq!((run(), unresolved(&office)), (1, vec![(ana, against_ana), (other, against_caio)]));
    // Different CPFs distinguish the two.
    office.put(&format!("/customers/{caio}"), &json!({ "identification": CPF_OF_CAIO }));
    office.put(&format!("/customers/{other}"), &json!({ "identification": OTHER_CPF }));
    assert_eq!((run(), unresolved(&office)), (0, vec![(ana, against_ana)]));
    // The conflict ends when both cases are closed. If one is reopened, it is reported again.
    let close = |lawsuit: u64, day: Value| {
        office.put(&format!("/lawsuits/{lawsuit}"), &json!({ "status_closure": day }))
    };
    let of_ana = office.ids(&format!("/lawsuits?customer_id={ana}"))[0];
    close(against_ana, json!("2026-06-01"));
    assert_eq!((run(), unresolved(&office)), (0, vec![(ana, against_ana)]));
    close(of_ana, json!("2026-06-01"));
    assert_eq!((run(), unresolved(&office)), (0, vec![]));
    close(of_ana, Value::Null);
    assert_eq!((run(), unresolved(&office)), (1, vec![(ana, against_ana)]));
    // The case is moved to the trash and restored.
    office.send("DELETE", &format!("/lawsuits/{against_ana}"), &[], None);
    assert_eq!((run(), unresolved(&office)), (0, vec![]));
    office.put(&format!("/lawsuits/{against_ana}"), &json!({ "deleted": false }));
    assert_eq!((run(), unresolved(&office)), (1, vec![(ana, against_ana)]));
    // The origin changes sides, together with all its customers.
    office.put(&format!("/settings/origins/{origin}"), &json!({ "opposing": false }));
    assert_eq!(run(), 0);
}

#[test]
fn a_client_on_both_sides_of_a_lawsuit_is_reported_but_a_relative_is_not() {
    let office = Office::new();
    let ana = office.customer("Ana Lima Prates", json!({ "identification": CPF }));
    let both = office.lawsuit(
        &[ana],
        json!({ "opposing_parties": [
        { "name": "Ana Lima Prates", "identification": CPF }, { "name": "Anna Lima Prates" },
    ] }),
    );
    office.lawsuit(&[ana], json!({ "opposing_parties": "Anna Lima Prates" }));
    // A party that the office never represented is not a client.
    let bank = office.customer("Banco Exemplo", json!({ "identification": CNPJ }));
    office.lawsuit(&[ana], json!({ "opposing_parties": [{ "customer_id": bank }] }));
    assert_eq!(nightly_check::run(office.app()).unwrap(), 1);
    assert_eq!(unresolved(&office), [(ana, both)]);
}

/// Regression: without points, `SA` was a word of the name, so the company was no party of its own case.
#[test]
fn every_way_to_write_a_company_is_the_same_company() {
    let office = Office::new();
    let rui = office.customer("Rui Prado", json!({}));
    for (client, party) in [
        ("Petrobras SA", "Petrobras S.A."),
        ("Vale S/A", "VALE SA"),
        ("Oi Sa", "Oi"),
        ("Banco Exemplo Sociedade Anônima", "Banco Exemplo SA"),
        ("Ana Clara de Sá", "ANA CLARA SA"),
    ] {
        let client = office.customer(client, json!({}));
        let case = office.lawsuit(&[rui], json!({ "opposing_parties": party }));
        nightly_check::run(office.app()).unwrap();
        assert!(unresolved(&office).contains(&(client, case)), "{party}");
        let answer = office.get(&format!("/conflicts?name={}", party.replace(' ', "%20"))).json();
        assert_ne!(answer["outcome"], "none", "{party}: {answer}");
    }
}

#[test]
fn names_match_if_their_words_are_equal_or_sound_alike() {
    let office = Office::new();
    let luiz = office.customer("Luiz de Souza Jr.", json!({}));
    let wanda = office.customer("Wanda Kelly Reis", json!({}));
    let rui = office.customer("Rui Prado", json!({}));
    let cases =
        ["Sousa Júnior, Luís", "Luísa Sousa Júnior", "Luís Sousa", "Reis, Vanda Selli", "Vanda Celly Reis"];
    let cases = cases.map(|party| office.lawsuit(&[rui], json!({ "opposing_parties": party })));
    let found = [(luiz, cases[0]), (wanda, cases[4])];
    assert_eq!((nightly_check::run(office.app()).unwrap(), unresolved(&office)), (2, found.to_vec()));
    // From the client's side: a lawsuit is checked because a client has the name of its party.
    office.put(&format!("/customers/{luiz}"), &json!({ "name": "Luís Souza" }));
    assert_eq!(
        (nightly_check::run(office.app()).unwrap(), unresolved(&office)),
        (1, vec![(luiz, cases[2]), found[1]])
    );
}

#[test]
fn a_very_common_name_reports_few_conflicts() {
    let office = Office::new();
    let many = 4_000;
    let people = |from: u64, to: u64| {
        let customers = (from..to).map(|at| {
            json!({ "users_id": 1, "customers_origins_id": 1, "name": "João da Silva", "external_ids": format!("t:{at}") })
        });
        let reply = office.put("/customers", &json!({ "customers": customers.collect::<Vec<_>>() }));
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    (0..many / 1000).for_each(|at| people(at * 1000, (at + 1) * 1000));
    let client = office.customer("Zilda Abrantes", json!({}));
    let case = office.lawsuit(&[client], json!({ "opposing_parties": "Joao Silva" }));
    assert_eq!(nightly_check::run(office.app()).unwrap(), 20);
    assert_eq!(events(&office, 0), [case]);
    // The check lists all of them, page by page.
    let answer =
        check(&office, &[("name", "Silva, João"), ("as", "opposing"), ("limit", "3"), ("offset", "3998")]);
    assert_eq!((&answer["totalCount"], answer["data"].as_array().unwrap().len()), (&json!(many), 2));
}

/// 5,200 conflicts were one transaction, during which nobody else could write.
#[test]
fn many_conflicts_are_written_in_slices_and_a_run_keeps_a_bounded_number() {
    let office = Office::new();
    let names = (0..100).map(|at| format!("Nome{} Comum{}", word(at), word(at + 7))).collect::<Vec<_>>();
    let clients = names.iter().map(|name| json!({ "users_id": 1, "customers_origins_id": 1, "name": name }));
    let clients = clients.zip(0..).map(|(mut client, at): (Value, u32)| {
        client["external_ids"] = json!(format!("t:{at}"));
        client
    });
    let made = office.put("/customers", &json!({ "customers": clients.collect::<Vec<_>>() }));
    assert_eq!(made.json()["created"], 100, "{}", made.text());
    let other = office.customer("Zilda Abrantes", json!({}));
    let parties = names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>();
    let cases = (0..52).map(|at| {
        json!({
            "users_id": 1, "customers_id": [other], "stages_id": 12, "type_lawsuits_id": 1,
            "external_ids": format!("t:{at}"), "opposing_parties": parties,
        })
    });
    let cases = json!({ "lawsuits": cases.collect::<Vec<_>>() });
    assert_eq!(office.put("/lawsuits", &cases).json()["created"], 52);
    let commits = Arc::new(AtomicU32::default());
    let counted = commits.clone();
    office.store().after_commit(Box::new(move |_, _| _ = counted.fetch_add(1, Ordering::Relaxed)));
    let new = nightly_check::run(office.app()).unwrap();
    assert_eq!(new, nightly_check::MAX_NEW_CONFLICTS);
    assert!(commits.load(Ordering::Relaxed) >= 10, "{commits:?}");
    let page = || Visitor::new(&office).page("/conflicts").text();
    assert!(page().contains("The last check stopped at 5,000 new conflicts"), "{}", page());
    office.pass(86_400);
    assert_eq!(
        (nightly_check::run(office.app()).unwrap(), nightly_check::run(office.app()).unwrap()),
        (200, 0)
    );
    assert!(!page().contains("The last check stopped"));
}

/// Returns a word of letters that differs for each number.
fn word(number: u8) -> String {
    [number / 10, number % 10].map(|digit| char::from(b'a' + digit)).iter().collect()
}

#[test]
fn an_interrupted_run_repeats_no_conflict() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    office.customer("Ana Lima", json!({ "identification": CPF }));
    let cases = (0..3).map(|_| {
        office.lawsuit(&[client], json!({ "opposing_parties": [{ "name": "A", "identification": CPF }] }))
    });
    let cases = cases.collect::<Vec<_>>();
    // Simulates a program that ended between a chunk and the end of the run. The conflicts are stored, the run is not.
    assert_eq!(nightly_check::run(office.app()).unwrap(), 3);
    let before = ConflictRun { day: 0, is_cut: false };
    office.store().write(move |tx| conflict_findings::end_run(tx, before)).unwrap();
    assert_eq!(nightly_check::run(office.app()).unwrap(), 0);
    assert_eq!(events(&office, 0), cases);
}

/// Restarts the program and waits for the day's run, which the start makes.
fn restart_and_run(office: &mut Office) {
    office.restart();
    wait_until(MAX_WAIT, "the run ends", || (!nightly_check::is_due(office.app()).unwrap()).then_some(()));
}

#[test]
fn each_new_day_has_its_own_run_even_if_the_clock_is_set() {
    let mut office = Office::new();
    wait_until(MAX_WAIT, "the first day's run ends", || {
        (!nightly_check::is_due(office.app()).unwrap()).then_some(())
    });
    let bia = office.customer("Bia Reis", json!({}));
    office.customer("Ana Lima", json!({ "identification": CPF }));
    let is_due = |office: &Office| nightly_check::is_due(office.app()).unwrap();
    let mut cases = Vec::new();
    // The clock goes back by a day, forward by one and by several, and back again.
    for (moment, due) in [
        ("2026-06-16T23:00:00-03:00", true),
        ("2026-06-16T23:59:59-03:00", false),
        ("2026-06-17T00:00:00-03:00", true),
        ("2026-06-22T12:00:00-03:00", true),
        ("2026-06-22T00:00:00-03:00", false),
        ("2026-06-17T12:00:00-03:00", true),
    ] {
        office.clock.set(moment.parse().unwrap());
        assert_eq!(is_due(&office), due, "{moment}");
        if due {
            let party = json!([{ "name": "A", "identification": CPF }]);
            cases.push(office.lawsuit(&[bia], json!({ "opposing_parties": party })));
            restart_and_run(&mut office);
        }
        assert_eq!((is_due(&office), events(&office, 0)), (false, cases.clone()), "{moment}");
    }
}

#[test]
fn a_conflict_is_published_once_by_webhook_and_feed() {
    let mut desk = Desk::new();
    let office = &desk.office;
    let receiver = Receiver::new();
    let body = json!({ "url": receiver.url(), "types": ["conflict.found", "settings.changed"] });
    assert_eq!(office.post("/webhooks", &body).status, 201);
    let client = office.customer("Bia Reis", json!({}));
    office.customer("Ana Lima", json!({ "identification": CPF }));
    let case = office
        .lawsuit(&[client], json!({ "opposing_parties": [{ "name": "A. Lima", "identification": CPF }] }));
    // Nights pass, and each start makes the run. The first run finds the conflict.
    for _ in 0..3 {
        desk.office.pass(24 * 3600);
        restart_and_run(&mut desk.office);
    }
    let office = &desk.office;
    assert_eq!(events(office, 0), [case]);
    // An import brings a client who is an opposing party.
    let party = json!([{ "name": "Caio Luz", "identification": OTHER_CPF }]);
    let other = office.lawsuit(&[client], json!({ "opposing_parties": party }));
    let rows = format!("Nome;CPF;Origem;Cadastrado por\nCaio Luz;{OTHER_CPF};1;1\n");
    let file = desk.file("novos.csv", rows.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 0]);
    wait_until(MAX_WAIT, "the conflict is in the feed", || {
        (events(office, 0) == [case, other]).then_some(())
    });
    desk.office.pass(24 * 3600);
    restart_and_run(&mut desk.office);
    // The last change marks the end: no other message arrived before it.
    assert_eq!(desk.office.post("/settings/origins", &json!({ "origin": "Fim" })).status, 201);
    let all = receiver.wait(3);
    let messages = all.iter().map(|one| one.json()).collect::<Vec<_>>();
    for (message, lawsuit) in messages.iter().zip([case, other]) {
        let seq = message["data"]["seq"].as_u64().unwrap();
        assert_eq!(message["type"], "conflict.found");
        let data =
            json!({ "seq": seq, "resource": "conflicts", "id": lawsuit, "op": "created", "changed": [] });
        assert_eq!(message["data"], data);
        assert_eq!(events(&desk.office, seq - 1)[0], lawsuit, "the feed has the same number");
    }
    assert_eq!(messages[2]["type"], "settings.changed");
}

#[test]
fn a_kill_during_a_run_neither_repeats_nor_loses_a_conflict() {
    const CASES: u32 = 1_000;
    let office = Office::new();
    let bia = office.customer("Bia Reis", json!({}));
    let ana = office.customer("Ana Lima", json!({ "identification": CPF }));
    let party = json!([{ "name": "A", "identification": CPF }]);
    let case = || office.lawsuit(&[bia], json!({ "opposing_parties": party }));
    let passed = case();
    assert_eq!(nightly_check::run(office.app()).unwrap(), 1);
    pass(&office, ana, passed);
    for _ in 0..CASES {
        case();
    }
    let before = office.store().read(conflict_findings::last_run).unwrap().unwrap();
    let folder = office.stopped();
    let folder = folder.path();
    let found = || {
        Store::read_once(folder, |db| {
            let unresolved = conflict_findings::undecided(db, 2 * u64::from(CASES), 0)?;
            Ok::<_, Error>(unresolved.iter().map(|one| one.lawsuit.get()).collect::<Vec<_>>())
        })
        .unwrap()
    };
    let last_run = || Store::read_once(folder, conflict_findings::last_run).unwrap().unwrap();
    // The real server uses the system's clock, so its start makes the run.
    for part in [1, CASES / 4, CASES / 2] {
        let mut program = Program::serve(folder, &[]);
        wait_until(MAX_WAIT, "a part of the run is stored", || {
            (found().len() >= part as usize).then_some(())
        });
        program.kill();
        assert_eq!(last_run(), before, "the run was interrupted after {} conflicts", found().len());
    }
    // A conflict that an interrupted run found is let pass too.
    let also_passed = found()[0];
    let store = Store::open(folder).unwrap();
    let let_pass = Passed { at: 0, by: "Ana Souza".to_owned(), why: "outra pessoa".to_owned() };
    let customer = u32::try_from(ana).unwrap();
    let done = store.write(move |tx| conflict_findings::let_pass(tx, customer, also_passed, &let_pass));
    assert!(done.unwrap());
    drop(store);
    let program = Program::serve(folder, &[]);
    wait_until(MAX_WAIT, "the run ends", || (last_run() != before).then_some(()));
    let mut cases = found();
    cases.sort_unstable();
    let all = 1..=CASES + 1;
    let left = all.clone().filter(|id| u64::from(*id) != passed && *id != also_passed);
    assert_eq!(cases, left.collect::<Vec<_>>());
    drop(program);
    let filter = JournalFilter { kinds: Some([CONFLICTS].into()), ..JournalFilter::default() };
    let entries = Store::read_once(folder, |db| journal::page(db, 0, &filter, 2 * CASES)).unwrap();
    let ids = entries.iter().map(|entry| entry.id);
    let mut ids = ids.collect::<Vec<_>>();
    ids.sort_unstable();
    assert_eq!(ids, all.collect::<Vec<_>>());
}
