//! Moves from another server of the contract: from a double of the live service, and from another Pleito.

pub mod live;
mod news;
mod odd_values;
mod rehearsal;
mod reports;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use pleito::api;
use pleito::app::App;
use pleito::auth::Caller;
use pleito::clock::Clock;
use pleito::config::{Config, Environment, Flags, LiveSettings};
use pleito::domain::Lang;
use pleito::http::Api;
use pleito::progress::{Progress, ProgressSink};
use pleito::store::Store;
use pleito::store::records::full_records::{FullTable, tables};
use pleito::supervisor::{Owner, OwnerRequest};
use pleito::transfer::{
    Move, MoveCount, MoveError, MoveReport, Moved, MovedResource, SourceToken, TransferError,
};
use serde_json::{Value, json};

use crate::network;
use crate::office::{NOON, Office};
use crate::program::{pleito, run, run_with, streams};
use crate::transfer::whole_office;
use crate::wait::{MAX_WAIT, wait_until};
use live::{Fault, Live, TOKEN, office};

/// A limit, in requests a minute, that no test reaches. If the source had no limit, a move would keep to 30 a minute.
pub const UNREACHED_LIMIT: usize = 1_000_000;
const ZONE: &str = "[office]\ntime_zone = \"America/Sao_Paulo\"\n[lan]\nenabled = false\n";

pub fn noon() -> Clock {
    Clock::set_to(NOON.parse::<Timestamp>().unwrap())
}

/// A data folder without a running server.
pub struct Target {
    folder: tempfile::TempDir,
    clock: Clock,
}

impl Target {
    pub fn new(clock: &Clock) -> Target {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("pleito.toml"), ZONE).unwrap();
        Target { folder, clock: clock.clone() }
    }

    fn with<T>(&self, work: impl FnOnce(&Arc<Api>) -> T) -> T {
        let flags = Flags { data_dir: Some(self.folder.path().to_owned()), ..Flags::default() };
        let config = Config::load(flags, Environment::default()).unwrap();
        let store = Arc::new(Store::open(self.folder.path()).unwrap());
        let clock = self.clock.clone();
        let watched = LiveSettings::new(config, move || clock.monotonic());
        let app = App::new(store, self.clock.clone(), watched).unwrap();
        work(&Api::new(Arc::new(app), api::routes(), api::RESOURCES, api::webhooks::messages))
    }

    /// Runs a move into this folder. `on_progress` receives each progress report and stops the move by returning `false`.
    fn moved(
        &self,
        request: &Move,
        on_progress: impl Fn(Progress) -> bool + Send + Sync + 'static,
    ) -> Result<Moved, TransferError> {
        self.with(|api| request.run(api, &Caller::OWNER, &self.clock, &(Arc::new(on_progress) as _)))
    }

    pub fn report(&self, request: &Move) -> MoveReport {
        match self.moved(request, |_| true) {
            Ok(Moved::Whole(report)) => report,
            Ok(other) => panic!("{other:?}"),
            Err(error) => panic!("{}", error.message(Lang::En)),
        }
    }

    /// Returns the debug text of every stored record, by table.
    fn everything(&self) -> BTreeMap<&'static str, Vec<String>> {
        self.with(|api| {
            let store = api.app().store();
            tables()
                .map(|table| {
                    let all = store.read(move |db| {
                        let mut all = Vec::new();
                        FullTable::of(table).each(db, |record| {
                            all.push(format!("{record:?}"));
                            Ok::<_, pleito::store::Error>(())
                        })?;
                        Ok::<_, pleito::store::Error>(all)
                    });
                    (table.name, all.unwrap())
                })
                .collect()
        })
    }
}

pub fn from(live: &Live) -> Move {
    Move { source: live.base(), token: SourceToken::new(TOKEN), ..Move::default() }
}

/// Runs a move into a running office, through its owner process.
pub fn moved_into(running: &Office, request: &Move) -> MoveReport {
    let owner = Owner::running(running.folder()).unwrap();
    match owner.ask::<Moved>(OwnerRequest::Move(request.clone()), Lang::En) {
        Ok(Moved::Whole(report)) => report,
        Ok(other) => panic!("{other:?}"),
        Err(fatal) => panic!("{}", fatal.message(Lang::En)),
    }
}

pub fn totals(report: &MoveReport) -> BTreeMap<&str, (u64, u64, u64)> {
    let of = |of: &MovedResource| (of.there, of.here, of.stayed);
    report.resources.iter().map(|resource| (&*resource.resource, of(resource))).collect()
}

fn stopped(error: Result<Moved, TransferError>) -> MoveError {
    match error {
        Err(TransferError::Move(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_move_copies_the_whole_office_and_notes_every_value_that_breaks_a_rule() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(1003));
    let owner = Owner::running(running.folder()).unwrap();
    let reports = Arc::new(Mutex::new(Vec::<Progress>::new()));
    let sink = reports.clone();
    let on_progress: ProgressSink = Arc::new(move |progress| {
        sink.lock().push(progress);
        true
    });
    let moved: Moved = owner
        .ask_with_progress(OwnerRequest::Move(from(&live)), Lang::En, &on_progress)
        .unwrap_or_else(|fatal| panic!("{}", fatal.message(Lang::En)));
    let Moved::Whole(report) = moved else { panic!("{moved:?}") };
    assert!(!reports.lock().is_empty(), "the caller receives progress reports");
    assert_eq!(live.data.lock().refused, 0, "the move keeps to 30 requests a minute by itself");

    let totals = totals(&report);
    assert_eq!(totals["customers"], (1003, 1003, 0));
    assert_eq!(totals["lawsuits"], (101, 101, 0));
    // Task 5 names a lawsuit that does not exist at the source. Task 4 is in the lists of open and of completed
    // tasks, since only one of its two users has completed it.
    assert_eq!(totals["posts"], (20, 19, 1));
    assert_eq!(totals["transactions"], (6, 5, 1));
    assert_eq!(totals["movements"], (4, 4, 0));
    assert_eq!(totals["publications"], (2, 2, 0));
    assert_eq!(totals["documents"], (2, 1, 1));
    assert_eq!(totals["users"].0, 2);
    assert!(!report.is_whole(), "three records were not moved, and the report names them");
    let stayed: Vec<_> = report.notes.iter().filter(|note| note.stayed).collect();
    let stayed: BTreeMap<_, _> = stayed.iter().map(|note| ((&*note.resource, note.id), &note.said)).collect();
    assert_eq!(
        stayed.keys().copied().collect::<Vec<_>>(),
        [("documents", 9), ("posts", 5), ("transactions", 3)]
    );
    assert!(stayed[&("posts", 5)].contains("888888"), "the note has the whole record");
    assert_eq!(report.sample.different, []);
    assert_eq!(report.sample.changed_since, 0);
    assert!(report.sample.compared > 190, "{}", report.sample.compared);

    let get = |path: &str| running.get(path).json();
    let customer = |id: u64| get(&format!("/customers/{id}"));
    let third = customer(3);
    assert_eq!(third["name"], "MARIA DA SILVA 3");
    assert_eq!(third["identification"], Value::Null);
    assert_eq!(third["notes"], "CLIENTE ANTIGA\nCPF or CNPJ: 529.982.247-26");
    assert_eq!(
        (&third["created_at"], &third["updated_at"]),
        (&json!("2020-01-02 03:04:05"), &json!("2021-01-02 03:04:05"))
    );
    assert_eq!(customer(4)["notes"], "Phone: ERROR");
    assert_eq!(customer(5)["origin"], "Not told");
    assert_eq!(customer(5)["notes"], "Origin: not told by the source");
    assert_eq!(customer(6)["identification"], "529.982.247-25");
    assert_eq!(customer(7)["notes"], "CPF or CNPJ: 529.982.247-25");
    assert_eq!(customer(8)["notes"], "E-mail: sem e-mail\nDate of birth: 31/02/1990");
    assert_eq!(
        (&customer(9)["name"], &customer(9)["notes"]),
        (&json!("Without a name"), &json!("Name: ..."))
    );
    assert_eq!(customer(10)["origin"], "PANFLETO ANTIGO");
    assert_eq!(customer(10)["notes"], Value::Null);
    assert_eq!(customer(11)["birthdate"], "29/02/1980");
    let names = get("/settings").to_string();
    assert!(
        !names.contains("PANFLETO ANTIGO") && !names.contains("Panfleto"),
        "the origin cannot be chosen: {names}"
    );
    assert!(names.contains("AÇÃO DE COBRANÇA (TRABALHISTA)"), "names are unique in each list: {names}");
    assert!(report.made.contains(&("origins".to_owned(), "PANFLETO ANTIGO".to_owned())));

    let lawsuit = |id: u64| get(&format!("/lawsuits/{id}"));
    let second = lawsuit(2);
    assert_eq!((&second["stages_id"], &second["stage"]), (&json!(99), &json!("FASE ANTIGA")));
    assert_eq!((&second["responsible_id"], &second["responsible"]), (&json!(77), &json!("EX SÓCIO")));
    assert_eq!(lawsuit(3)["notes"], "Case number: 0000002-66.2005.4.05.8100");
    assert_eq!(lawsuit(1)["fees_expec"], 1500.5);
    assert_eq!(
        (&lawsuit(5)["customers"], &lawsuit(5)["notes"]),
        (&json!([]), &json!("Customers: not told by the source"))
    );
    assert_eq!(lawsuit(6)["notes"], "Customers: SUMIU (999999)");
    let customers = |id: u64| {
        let all = lawsuit(id)["customers"].as_array().unwrap().clone();
        all.iter().map(|one| one["customer_id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(customers(1), [1, 5], "customer 5 is in no list");
    assert_eq!(customers(3), [6], "found by its tax id");
    assert_eq!(customers(4), [4], "found by the customer's own list of lawsuits");
    assert_eq!(lawsuit(4)["notes"], Value::Null);
    assert_eq!((&lawsuit(7)["stage"], &lawsuit(7)["responsible"]), (&json!("Not told"), &json!("Not told")));
    let task = get("/posts/2");
    assert_eq!(
        (&task["status"], &task["completed_at"]),
        (&json!("completed"), &json!("2026-03-04 16:05:00"))
    );
    assert_eq!(task["users"][0]["important"], 1);
    assert_eq!(get("/posts/4")["date"], "2026-03-04 14:30:00");
    assert_eq!(task["author"], "RUI PRADO", "the author is in the history of its lawsuit");
    assert_eq!(get("/posts/4")["status"], "pending");
    assert_eq!(get("/posts/3")["users"][0]["name"], "SAIU DAQUI");
    let transaction = get("/transactions/1");
    assert_eq!(
        (&transaction["category"], &transaction["customers_id"]),
        (&json!("CUSTAS ANTIGAS"), &json!(6))
    );
    assert_eq!(transaction["amount"], 100.25);
    let titles = get("/movements/4");
    assert_eq!(titles["totalCount"], 3, "equal movements are kept apart: {titles}");
    let publications = get("/publications/4");
    let of = |member: &str| {
        publications["data"].as_array().unwrap().iter().map(|one| one[member].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("author"), ["RUI PRADO", "DJEN"]);
    assert_eq!(of("start"), ["2026-01-03 00:00:00", "2026-01-03 00:00:00"]);
    assert_eq!(running.get("/documents/8/content").bytes, b"%PDF-1.7 procuracao");
    let document = get("/documents/8");
    assert_eq!((&document["customer_id"], &document["post_id"]), (&json!(1), &json!(2)));

    // A new record gets an id above those of the source.
    assert_eq!(running.customer("Nova", json!({ "customers_origins_id": 4 })), 1004);
}

#[test]
fn the_duration_is_estimated_within_a_minute_and_the_rate_limit_is_kept() {
    let clock = noon();
    let live = Live::start(&clock, office(600));
    let target = Target::new(&clock);
    let (start, estimates) = (clock.monotonic(), Arc::new(Mutex::new(Vec::new())));
    let (sink, time) = (estimates.clone(), clock.clone());
    let moved = target.moved(&from(&live), move |progress| {
        sink.lock().push((time.monotonic(), progress.seconds_left().unwrap()));
        true
    });
    assert!(matches!(moved, Ok(Moved::Whole(_))), "{moved:?}");
    let whole = (clock.monotonic() - start).as_secs_f64();
    assert!(whole > 1200.0, "{whole}");
    let estimates = estimates.lock();
    let first = estimates.iter().find(|(at, _)| *at - start >= Duration::from_secs(60)).unwrap();
    let expected = (first.0 - start).as_secs_f64() + first.1 as f64;
    assert!((expected / whole - 1.0).abs() < 0.05, "{expected} s were estimated, and it took {whole} s");
    let live = live.data.lock();
    assert_eq!(live.refused, 0);
    let per_minute = live.requests.len() as f64 / (whole / 60.0);
    assert!(per_minute > 27.0, "the move uses most of the limit: {per_minute}");
}

#[test]
fn a_move_interrupted_anywhere_resumes_and_has_the_same_result() {
    let clock = noon();
    let live = Live::start(&clock, office(120));
    live.data.lock().per_minute = 0;
    let (whole, often) = (Target::new(&noon()), Target::new(&noon()));
    let report = whole.report(&from(&live));
    let in_one_go = live.requests();
    // Each attempt stops after 3 to 33 progress reports and must get some requests further than the one before.
    let mut interrupted = 0;
    let again = loop {
        let (left, reports) = (AtomicU64::new(3 + interrupted % 31), AtomicU64::new(0));
        let moved = often.moved(&from(&live), move |_| {
            reports.fetch_add(1, Ordering::Relaxed);
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
        });
        match moved {
            Ok(Moved::Whole(report)) => break report,
            Err(TransferError::Move(MoveError::Stopped)) => interrupted += 1,
            other => panic!("{other:?}"),
        }
        assert!(interrupted < 1000, "the move makes no progress");
    };
    assert!(interrupted > 10, "{interrupted}");
    assert_eq!(often.everything(), whole.everything());
    assert_eq!((again.resources, again.changed, again.made), (report.resources, report.changed, report.made));
    assert!(live.requests() < in_one_go * 4, "records that were moved are not requested again");
}

#[test]
fn a_killed_move_resumes() {
    let live = Live::start(&Clock::system(), office(300));
    live.data.lock().per_minute = UNREACHED_LIMIT;
    let (whole, killed) = (Target::new(&noon()), Target::new(&noon()));
    let report = whole.report(&from(&live));
    let folder = killed.folder.path();
    for requests in [9_usize, 15, 40, 80] {
        let before = live.requests();
        let arguments = ["import", "--from-api", &live.base()];
        let mut child = pleito(folder, &arguments, &[("PLEITO_SOURCE_TOKEN", TOKEN)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until(MAX_WAIT, "some requests have been answered", || {
            let ended = child.try_wait().unwrap().is_some();
            (ended || live.requests() >= before + requests).then_some(())
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run_with(
        folder,
        &["import", "--json", "--from-api", &live.base()],
        &[("PLEITO_SOURCE_TOKEN", TOKEN)],
    );
    let (out, err) = streams(&output);
    assert_eq!(output.status.code(), Some(1), "some records stay at the source: {out}{err}");
    let printed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(printed["whole"], false);
    let resources = printed["move"]["whole"]["resources"].clone();
    assert_eq!(resources, serde_json::to_value(&report.resources).unwrap());
    let ids = |target: &Target| {
        let everything = target.everything();
        everything.iter().map(|(name, all)| (*name, all.len())).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(ids(&killed), ids(&whole));
}

#[test]
fn failed_requests_are_retried_and_no_record_is_lost_or_doubled() {
    let clock = noon();
    let live = Live::start(&clock, office(120));
    let (smooth, rough) = (Target::new(&clock), Target::new(&clock));
    smooth.report(&from(&live));
    clock.set(NOON.parse::<Timestamp>().unwrap());
    live.faults(|number, _| match number % 7 {
        2 => Some(Fault::Cut),
        4 => Some(Fault::Status(500)),
        5 => Some(Fault::Closed),
        6 => Some(Fault::Status(503)),
        _ => None,
    });
    rough.report(&from(&live));
    let names = |target: &Target| target.everything()["customers"].len();
    assert_eq!(names(&rough), names(&smooth));
    assert_eq!(rough.everything()["movements"].len(), 4);
}

#[test]
fn a_permanent_error_is_reported_and_the_move_resumes_later() {
    let clock = noon();
    let live = Live::start(&clock, office(120));
    let target = Target::new(&clock);
    let request = from(&live);
    let moved = || stopped(target.moved(&request, |_| true));

    // Failures at the first request.
    live.faults(|_, _| Some(Fault::Page));
    assert_eq!(moved(), MoveError::Page("/settings".to_owned()));
    live.faults(|_, _| Some(Fault::Redirect));
    assert_eq!(moved(), MoveError::Redirect("https://nuvem.exemplo.com.br/".to_owned()));
    live.faults(|_, _| Some(Fault::Status(401)));
    assert_eq!(moved(), MoveError::Token(false));
    live.faults(|_, _| Some(Fault::Status(500)));
    assert!(matches!(moved(), MoveError::Failed(_, 500, text) if text == "Server Error"));
    assert!(target.everything()["customers"].is_empty(), "nothing was stored");
    let wrong = Move { token: SourceToken::new("wrong"), ..request.clone() };
    assert_eq!(stopped(target.moved(&wrong, |_| true)), MoveError::Token(false));

    // Failures in the middle of the move.
    let answered = live.requests() as u64;
    live.faults(move |number, _| (number > answered + 20).then_some(Fault::Status(401)));
    assert_eq!(moved(), MoveError::Token(true));
    let answered = live.requests() as u64;
    live.faults(move |number, _| (number > answered + 12).then_some(Fault::Closed));
    let before = clock.monotonic();
    assert!(matches!(moved(), MoveError::Unreachable(_)));
    let tried = clock.monotonic() - before;
    assert!(tried > Duration::from_secs(60) && tried < Duration::from_secs(600), "{tried:?}");
    let answered = live.requests() as u64;
    live.faults(move |number, _| (number > answered + 8).then_some(Fault::Page));
    assert!(matches!(moved(), MoveError::Page(_)));

    live.faults(|_, path| path.starts_with("/customers").then_some(Fault::Counts(7)));
    let report = target.report(&request);
    assert_eq!(
        totals(&report)["customers"],
        (120, 120, 0),
        "all customers had been moved before the count was wrong"
    );
    let other = Target::new(&clock);
    let counted = other.report(&request);
    assert_eq!(totals(&counted)["customers"], (125, 120, 0), "the source counts more customers than it has");
    assert!(!counted.is_whole());

    // Sources that cannot be connected to.
    let gone = Move { source: "http://127.0.0.1:1".to_owned(), ..request.clone() };
    let fresh = Target::new(&clock);
    assert!(matches!(stopped(fresh.moved(&gone, |_| true)), MoveError::Unreachable(_)));
    let tls = Move { source: live.base().replace("http:", "https:"), ..request.clone() };
    let error = stopped(fresh.moved(&tls, |_| true));
    assert!(error.message(Lang::En).contains("no safe connection"), "{}", error.message(Lang::En));
    for text in ["", "ftp://example.com", "https://user@example.com", "https://example.com/?token=1", "a b"] {
        let none = Move { source: text.to_owned(), ..request.clone() };
        assert!(matches!(stopped(fresh.moved(&none, |_| true)), MoveError::NotAddress(_)), "{text}");
    }
}

#[test]
fn a_request_that_always_fails_is_skipped_and_reported() {
    let clock = noon();
    let live = Live::start(&clock, office(10));
    live.faults(|_, path| (path == "/publications/4").then_some(Fault::Status(500)));
    let target = Target::new(&clock);
    let report = target.report(&from(&live));
    assert_eq!(totals(&report)["publications"], (0, 0, 1));
    let note_of = |resource: &str| {
        let note = report.notes.iter().find(|note| note.resource == resource).unwrap();
        (note.id, note.member.clone(), note.why.clone())
    };
    assert_eq!(note_of("publications"), (0, "/publications/4".to_owned(), "500 Server Error".to_owned()));
    assert_eq!(note_of("documents"), (9, "/documents/9/download".to_owned(), "500 Server Error".to_owned()));
    assert_eq!(totals(&report)["movements"], (4, 4, 0));
    // Three attempts within seconds, and three more at the end of the move.
    let requests = live.data.lock().requests.clone();
    let of = |path: &str| (0..requests.len()).filter(|at| requests[*at] == path).collect::<Vec<_>>();
    for path in ["/publications/4", "/documents/9/download"] {
        let of = of(path);
        assert_eq!(of.len(), 6, "{path}: {requests:?}");
        assert!(of[2] - of[0] == 2 && of[5] - of[3] == 2 && of[3] - of[2] > 3, "{path}: {of:?}");
    }

    // Records that can be read again by the end of the move are fetched then, and the links to them are restored.
    let running = Office::new();
    let live = Live::start(&running.clock, office(80));
    let left = Arc::new(Mutex::new(BTreeMap::<String, u32>::new()));
    let failing = ["/publications/4", "/customers/5", "/documents/8/download"];
    live.faults(move |_, path| {
        let mut left = left.lock();
        let times = left.entry(path.to_owned()).or_default();
        *times += 1;
        (failing.contains(&path) && *times <= 3).then_some(Fault::Status(500))
    });
    let owner = Owner::running(running.folder()).unwrap();
    let moved: Moved = owner.ask(OwnerRequest::Move(from(&live)), Lang::En).unwrap();
    let Moved::Whole(report) = moved else { panic!("{moved:?}") };
    let totals = totals(&report);
    assert_eq!((totals["publications"], totals["customers"]), ((2, 2, 0), (80, 80, 0)));
    assert_eq!(totals["documents"], (2, 1, 1));
    assert_eq!(running.get("/lawsuits/1").json()["customers"][1]["customer_id"], 5);
    assert!(!report.notes.iter().any(|note| note.resource == "lawsuits" && note.id == 1), "{report:?}");
    assert_eq!(running.get("/documents/8/content").bytes, b"%PDF-1.7 procuracao");
}

#[test]
fn active_entries_of_the_source_can_be_chosen_with_every_lawsuit_type() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(30));
    let owner = Owner::running(running.folder()).unwrap();
    let moved: Moved = owner.ask(OwnerRequest::Move(from(&live)), Lang::En).unwrap();
    let Moved::Whole(report) = moved else { panic!("{moved:?}") };
    let settings = running.get("/settings").json();
    let of = |list: &str, members: [&str; 2]| {
        let all = settings[list].as_array().unwrap().iter();
        all.map(|entry| members.map(|member| entry[member].to_string())).collect::<Vec<_>>()
    };
    let entry = |id: &str, name: &str| [id.to_owned(), format!("\"{name}\"")];
    assert_eq!(of("users", ["id", "name"]), [entry("1", "ANA SOUZA"), entry("2", "RUI PRADO")]);
    assert_eq!(
        of("type_lawsuits", ["id", "type"]),
        [
            entry("1", "AÇÃO DE COBRANÇA"),
            entry("2", "AÇÃO DE COBRANÇA (TRABALHISTA)"),
            entry("3", "MANDADO DE SEGURANÇA")
        ]
    );
    assert_eq!(of("stages", ["id", "stage"]), [entry("1", "PETIÇÃO INICIAL"), entry("2", "APELAÇÃO")]);
    // A group or step id is known only if a lawsuit names it, and is then kept. All others get new ids.
    let groups = of("groups", ["id", "group"]);
    assert_eq!(groups[..2], [entry("21", "CÍVEL"), entry("22", "TRABALHISTA")]);
    assert_eq!(groups[2][1], "\"TRIBUTÁRIO\"");
    let steps = of("steps", ["id", "step"]);
    assert_eq!((&steps[0], &*steps[1][1]), (&entry("31", "JUDICIAL"), "\"RECURSAL\""));
    assert!(!report.made.iter().any(|(list, _)| ["groups", "steps", "type_lawsuits"].contains(&&**list)));
    assert_eq!(running.get("/lawsuits/6").json()["type_lawsuit_id"], 2);

    let there = live.data.lock().settings.clone();
    for (number, one) in there["lawsuit_types"].as_array().unwrap().iter().enumerate() {
        let (stage, user) = (1 + number % 2, 1 + number % 2);
        let body = json!({ "users_id": user, "customers_id": [1], "stages_id": stage,
                           "type_lawsuits_id": one["id"] });
        let made = running.post("/lawsuits", &body);
        assert_eq!(made.status, 201, "{one}: {}", made.text());
        let changed = running.put("/lawsuits/1", &json!({ "type_lawsuits_id": one["id"] }));
        assert_eq!(changed.status, 200, "{one}: {}", changed.text());
        assert_eq!(running.get("/lawsuits/1").json()["group"], one["group"]);
    }
}

#[test]
fn a_missing_route_is_not_reported_as_a_bad_token() {
    let clock = noon();
    let live = Live::start(&clock, office(120));
    let without = |path: &str| {
        ["/publications/", "/transactions", "/history/"].iter().any(|route| path.starts_with(route))
    };
    live.faults(move |_, path| without(path).then_some(Fault::Status(401)));
    let target = Target::new(&clock);
    let report = target.report(&from(&live));
    assert_eq!(totals(&report)["customers"], (120, 120, 0));
    assert_eq!(totals(&report)["movements"], (4, 4, 0));
    let routes = report.notes.iter().filter(|note| note.member.starts_with("GET "));
    let routes = routes.map(|note| (&*note.resource, &*note.member, &*note.why)).collect::<Vec<_>>();
    let why = "the source does not have this route";
    assert_eq!(
        routes,
        [("publications", "GET /publications/", why), ("transactions", "GET /transactions", why)]
    );
    let requests = live.data.lock().requests.clone();
    let of = |route: &str| requests.iter().filter(|path| path.starts_with(route)).count();
    assert_eq!((of("/publications/"), of("/history/")), (3, 3), "not requested for every lawsuit");

    // If a list fails that worked before, the move stops, since it may not skip records. It resumes when the list
    // works again.
    let fresh = Target::new(&clock);
    live.faults(|_, path| path.starts_with("/posts?completed").then_some(Fault::Status(401)));
    let stop = stopped(fresh.moved(&from(&live), |_| true));
    assert!(matches!(&stop, MoveError::Failed(path, 401, _) if path == "/posts"), "{stop:?}");
    live.faults(|_, _| None);
    assert_eq!(totals(&fresh.report(&from(&live)))["posts"], (20, 19, 1));

    // The message must not advise making a new token, which would cut off the account's other programs.
    for is_known in [true, false] {
        let sentence = MoveError::Token(is_known).message(Lang::En);
        assert!(!sentence.contains("Make a new one") && sentence.contains("every"), "{sentence}");
    }
}

#[test]
fn a_customer_missed_between_two_pages_is_requested_by_id() {
    let clock = noon();
    let mut there = office(60);
    there.page = 20;
    there.lists.get_mut("lawsuits").unwrap()[4]["customers"] =
        json!([{ "customer_id": 22, "name": "MARIA DA SILVA 22", "identification": null }]);
    let live = Live::start(&clock, there);
    let target = Target::new(&clock);
    // Between two pages, customer 11 disappears and customer 61 is added: customer 22 is on neither page, and
    // the total is unchanged.
    let mut is_done = false;
    let data = live.data.clone();
    let change = Mutex::new(move || {
        let mut data = data.lock();
        if !is_done && data.requests.iter().filter(|path| path.starts_with("/customers?")).count() == 3 {
            let customers = data.lists.get_mut("customers").unwrap();
            let mut new = customers.remove(10);
            new["id"] = json!(61);
            customers.push(new);
            is_done = true;
        }
    });
    let moved = target.moved(&from(&live), move |_| {
        change.lock()();
        true
    });
    let Ok(Moved::Whole(report)) = moved else { panic!("{moved:?}") };
    assert!(
        live.data.lock().requests.contains(&"/customers/22".to_owned()),
        "{:?}",
        live.data.lock().requests
    );
    assert_eq!(totals(&report)["customers"].1, 61, "the customer that disappeared had been moved before");
    let lawsuits = &target.everything()["lawsuits"];
    assert!(lawsuits[4].contains("Ids([22])"), "{}", lawsuits[4]);
}

#[test]
fn moving_again_adds_missing_links_and_keeps_the_offices_changes() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(30));
    let owner = Owner::running(running.folder()).unwrap();
    let moved = |again: bool| -> MoveReport {
        let request = OwnerRequest::Move(Move { again, ..from(&live) });
        match owner.ask(request, Lang::En).unwrap_or_else(|fatal| panic!("{}", fatal.message(Lang::En))) {
            Moved::Whole(report) => report,
            other => panic!("{other:?}"),
        }
    };
    moved(false);
    let linked = |lawsuit: u64| running.get(&format!("/lawsuits/{lawsuit}")).json()["customers"].clone();
    assert_eq!((&linked(1)[1]["customer_id"], linked(6)), (&json!(5), json!([])));

    assert_eq!(running.put("/lawsuits/1", &json!({ "customers_id": [1] })).status, 200);
    let mut new = live.data.lock().lists["customers"][0].clone();
    (new["id"], new["name"], new["origin"]) = (json!(999_999), json!("SUMIU"), Value::Null);
    live.data.lock().lists.get_mut("customers").unwrap().push(new);
    // The first move created a stage that no list contained. The source's list has the stage now.
    let stages = || running.get("/settings").json()["stages"].to_string();
    assert!(!stages().contains("FASE ANTIGA"), "{}", stages());
    let stage = json!({ "id": 99, "stage": "FASE ANTIGA", "step": "JUDICIAL" });
    live.data.lock().settings["stages"].as_array_mut().unwrap().push(stage);
    let report = moved(true);
    assert!(stages().contains("FASE ANTIGA"), "{}", stages());
    assert!(!report.made.iter().any(|(_, name)| name == "FASE ANTIGA"), "{:?}", report.made);
    assert_eq!(linked(6)[0]["customer_id"], 999_999);
    assert_eq!(linked(1).as_array().unwrap().len(), 1);
    assert!(
        !report.notes.iter().any(|note| note.resource == "lawsuits" && note.id == 6),
        "{:?}",
        report.notes
    );
    assert_eq!(
        running.get("/lawsuits?customer_id=999999").json()["totalCount"],
        1,
        "lists show the link too"
    );
    assert_eq!(totals(&report)["customers"], (31, 31, 0));
}

#[test]
fn a_client_that_disconnects_stops_the_move_and_can_start_it_again() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(40));
    let owner = Owner::running(running.folder()).unwrap();
    let disconnected: ProgressSink = Arc::new(|_| false);
    let gone = owner.ask_with_progress::<Moved>(OwnerRequest::Move(from(&live)), Lang::En, &disconnected);
    assert!(gone.is_err());
    let again: Moved = owner
        .ask(OwnerRequest::Move(Move { again: true, ..from(&live) }), Lang::En)
        .unwrap_or_else(|fatal| panic!("{}", fatal.message(Lang::En)));
    let Moved::Whole(report) = again else { panic!("{again:?}") };
    assert_eq!(totals(&report)["customers"], (40, 40, 0));
}

#[test]
fn a_list_that_shrinks_while_it_is_read_is_read_again() {
    let clock = noon();
    let live = Live::start(&clock, office(60));
    live.data.lock().page = 20;
    let target = Target::new(&clock);
    // After the second page of customers has been read, a customer of the first page is deleted, so that later
    // customers move up.
    let data = live.data.clone();
    let mut is_removed = false;
    let remove = Arc::new(Mutex::new(move || {
        let mut data = data.lock();
        if !is_removed && data.requests.iter().any(|path| path == "/customers?limit=1000&offset=20") {
            data.lists.get_mut("customers").unwrap().remove(3);
            is_removed = true;
        }
    }));
    let moved = target.moved(&from(&live), move |_| {
        remove.lock()();
        true
    });
    let Ok(Moved::Whole(report)) = moved else { panic!("{moved:?}") };
    let totals = totals(&report)["customers"];
    assert_eq!(totals, (59, 60, 0), "no customer was missed, and the deleted one had been moved before");
}

#[test]
fn moving_again_adds_new_records_and_leaves_existing_ones_unchanged() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(30));
    let owner = Owner::running(running.folder()).unwrap();
    let moved = |again: bool| -> Result<Moved, _> {
        owner.ask(OwnerRequest::Move(Move { again, ..from(&live) }), Lang::En)
    };
    moved(true).unwrap_or_else(|fatal| panic!("{}", fatal.message(Lang::En)));
    let finished = moved(false).err().map(|fatal| fatal.message(Lang::En)).unwrap_or_default();
    assert!(finished.contains("--again"), "{finished}");

    let own = running.customer("Nova daqui", json!({ "customers_origins_id": 4 }));
    assert_eq!(own, 31);
    assert_eq!(running.put("/customers/2", &json!({ "name": "Maria corrigida" })).status, 200);
    {
        let mut data = live.data.lock();
        let mut new = data.lists["customers"][0].clone();
        for id in [31, 32] {
            new["id"] = json!(id);
            new["name"] = json!(format!("NOVA DE LÁ {id}"));
            data.lists.get_mut("customers").unwrap().push(new.clone());
        }
        let mut movement = data.of_lawsuit[&("movements", 4)][0].clone();
        movement["customers"] = json!("OUTRO NOME");
        for (title, all) in [("CONCLUSOS", 2), ("ARQUIVADO", 1)] {
            let own = data.of_lawsuit.get_mut(&("movements", 4)).unwrap();
            movement["title"] = json!(title);
            (0..all - usize::from(title == "CONCLUSOS")).for_each(|_| own.push(movement.clone()));
        }
    }
    let Ok(Moved::Whole(report)) = moved(true) else { panic!("the move is not complete") };
    let totals = totals(&report);
    assert_eq!(totals["customers"], (32, 31, 1), "id 31 belongs to another customer here");
    let taken = report.notes.iter().find(|note| note.stayed && note.resource == "customers").unwrap();
    assert!(taken.id == 31 && taken.why.contains("empty folder"), "{taken:?}");
    assert_eq!(running.get("/customers/32").json()["name"], "NOVA DE LÁ 32");
    assert_eq!(running.get("/customers/31").json()["name"], "Nova daqui");
    assert_eq!(running.get("/customers/2").json()["name"], "Maria corrigida");
    assert_eq!(running.get("/movements/4").json()["totalCount"], 5, "a third equal movement, and a new one");
    assert!(report.sample.changed_since >= 1 && report.sample.different.is_empty(), "{:?}", report.sample);
}

#[test]
fn a_move_into_an_office_with_records_is_refused_with_a_way_out() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(10));
    let owner = Owner::running(running.folder()).unwrap();
    running.customer("Já estava", json!({}));
    let refused =
        owner.ask::<Moved>(OwnerRequest::Move(from(&live)), Lang::En).unwrap_err().message(Lang::En);
    assert!(refused.contains("--data-dir"), "{refused}");
    assert_eq!(live.requests(), 0);

    let (target, other) = (Target::new(&running.clock), Live::start(&running.clock, office(10)));
    target.report(&from(&live));
    assert_eq!(
        stopped(target.moved(&from(&other), |_| true)),
        MoveError::Elsewhere(format!("{}/api/v1", live.base()))
    );
}

#[test]
fn a_dry_run_only_counts() {
    let clock = noon();
    let live = Live::start(&clock, office(1003));
    let target = Target::new(&clock);
    let dry = Move { dry_run: true, source: format!("{}/api/v1/", live.base()), ..from(&live) };
    let Ok(Moved::Counted(count)) = target.moved(&dry, |_| true) else { panic!("a dry run counts") };
    let MoveCount { resources, of_each, requests, seconds, .. } = count;
    assert!(resources.contains(&("customers".to_owned(), 989)), "customers without an origin are in no list");
    assert_eq!(of_each, ["movements", "publications", "documents"]);
    assert!(requests > 1003 + 2 * 101 && seconds > requests * 60 / 30 - 120, "{requests} {seconds}");
    assert!(target.everything()["customers"].is_empty());
}

fn token_of(office: &Office) -> [(&'static str, &str); 1] {
    [("PLEITO_SOURCE_TOKEN", &office.token)]
}

fn done(output: &Output) -> String {
    let (out, err) = streams(output);
    assert!(output.status.success(), "{out}{err}");
    assert!(!out.contains("PLEITO_SOURCE_TOKEN") && !err.contains("panicked"), "{out}{err}");
    out
}

#[test]
fn a_move_from_another_pleito_copies_everything_including_the_trash() {
    let source = whole_office();
    let running = Office::new();
    let address = format!("http://{}", source.address());
    let counted = done(&run_with(
        running.folder(),
        &["import", "--dry-run", "--from-api", &address],
        &token_of(&source),
    ));
    assert!(counted.contains("customers: 60\n") && counted.contains("Nothing was stored."), "{counted}");
    // The clock moves past the source's payment dates, because a payment date must not be in the future.
    running.pass(400 * 86_400);
    let output = run_with(running.folder(), &["import", "--from-api", &address], &token_of(&source));
    let (out, err) = streams(&output);
    assert!(out.contains("customers: there 60, here 60\n") && out.contains("different: 0;"), "{out}{err}");
    // The source does not serve the content of a deleted document.
    assert!(
        output.status.code() == Some(1)
            && out.contains("Document no. 2 · Termo: it is in the source's trash"),
        "{out}"
    );
    for path in [
        "/customers?limit=100",
        "/customers?name=maria",
        "/lawsuits?limit=100",
        "/posts?status=all&limit=100",
        "/transactions?limit=100&sums=true",
        "/movements",
        "/publications",
        "/documents",
        "/transactions?deleted=true",
        "/customers?deleted=true",
        "/settings",
    ] {
        assert_eq!(running.get(path).json(), source.get(path).json(), "{path}");
    }
    let deleted = |path: &str| running.get(path).json()["data"][0].clone();
    assert_eq!(deleted("/transactions?deleted=true")["deleted_reason"], "entered twice");
    assert_eq!(deleted("/customers?deleted=true")["merged_into"], 5);
    assert_eq!(running.get("/customers/6").json()["merged_into"], 5);
    assert_eq!(running.get("/documents/1/content").bytes, b"%PDF-1.7 one");
    assert_eq!(running.customer("Nova", json!({})), 61);
    let history = running.get("/changes?limit=1").json();
    assert_eq!(history["data"][0]["via"], "import", "{history}");
}

#[test]
fn another_pleito_is_reached_by_https_if_its_authority_is_given() {
    let source = network::shared();
    source.customer("Maria", json!({}));
    // The command checks the certificate against this machine's real clock.
    let now = u64::try_from(Timestamp::now().as_second()).unwrap();
    source.pass(now.saturating_sub(network::now(&source)));
    let target = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = target.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let import = |more: &[&str]| {
        let address = wait_until(MAX_WAIT, "the LAN listener is open", || network::port(&source)).to_string();
        let arguments = [&["import", "--dry-run", "--from-api", &address][..], more].concat();
        run_with(target.path(), &arguments, &token_of(&source))
    };
    // The certificate was issued half a year ago and is replaced by one of today.
    let stranger = wait_until(MAX_WAIT, "the certificate has been renewed", || {
        Some(import(&[])).filter(|output| !streams(output).1.contains("expired"))
    });
    let (out, err) = streams(&stranger);
    assert!(stranger.status.code() == Some(1) && out.is_empty(), "{out}{err}");
    assert!(
        err.contains("an authority that this machine does not know") && err.contains("--authority ca.pem"),
        "{err}"
    );
    let authority = file("ca.pem", &source.raw("GET", "/ca.pem", &[], None).bytes);
    let counted = import(&["--authority", &authority]);
    assert!(streams(&counted).0.contains("customers: 1\n"), "{counted:?}");
    // Another office's authority does not help, and a file without a certificate is reported.
    let other = network::shared().raw("GET", "/ca.pem", &[], None).bytes;
    let (_, err) = streams(&import(&["--authority", &file("other.pem", &other)]));
    assert!(err.contains("--authority ca.pem"), "{err}");
    let (_, err) = streams(&import(&["--authority", &file("key.pem", b"-----BEGIN PRIVATE KEY-----\n")]));
    assert!(err.contains("key.pem is no certificate in PEM"), "{err}");
    let (_, err) = streams(&import(&["--authority", "/nowhere/ca.pem"]));
    assert!(err.contains("/nowhere/ca.pem: ") && err.contains("does not exist"), "{err}");
    let alone = run(target.path(), &["import", "--authority", &authority, "a.csv"]);
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn a_move_keeps_to_the_sources_limits_and_reads_its_token_from_standard_input() {
    let source = Office::with("[limits]\nget_per_minute = 7\npost_per_day = 0\nput_per_day = 0\n");
    source.lawsuit(&[source.customer("Maria", json!({}))], json!({}));
    let target = Target::new(&source.clock);
    let request = Move {
        source: source.address().to_string(),
        token: SourceToken::new(&source.token),
        lang: Lang::Pt,
        ..Move::default()
    };
    let request = Move { source: format!("http://{}/api/v1", request.source), ..request };
    let start = source.clock.monotonic();
    let report = target.report(&request);
    assert!(report.is_whole(), "{report:?}");
    let minutes = (source.clock.monotonic() - start).as_secs() / 60;
    assert!(minutes.abs_diff(report.requests / 7) <= 1, "{minutes} min for {} requests", report.requests);

    source.set("[limits]\nget_per_minute = 0\n");
    source.pass(120);
    let folder = tempfile::tempdir().unwrap();
    let mut child = pleito(folder.path(), &["import", "--from-api", &request.source], &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{}\n", source.token).as_bytes())
        .unwrap();
    let out = done(&child.wait_with_output().unwrap());
    assert!(out.ends_with("Everything has come.\n"), "{out}");

    let empty =
        run_with(folder.path(), &["import", "--from-api", &request.source], &[("PLEITO_SOURCE_TOKEN", " ")]);
    assert!(empty.status.code() == Some(1) && streams(&empty).1.contains("token"), "{empty:?}");
    let both = run(folder.path(), &["import", "--from-api", &request.source, "file.csv"]);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
    assert_eq!(run(folder.path(), &["import", "--dry-run", "file.csv"]).status.code(), Some(2));
}

#[test]
fn the_sources_token_is_written_to_no_file() {
    let token = SourceToken::new(" secret-1 \n");
    assert_eq!(format!("{token:?}"), "SourceToken(..)");
    let live = Live::start(&Clock::system(), office(10));
    live.data.lock().per_minute = UNREACHED_LIMIT;
    let folder = tempfile::tempdir().unwrap();
    let output =
        run_with(folder.path(), &["import", "--from-api", &live.base()], &[("PLEITO_SOURCE_TOKEN", TOKEN)]);
    let (out, err) = streams(&output);
    assert!(!out.contains(TOKEN) && !err.contains(TOKEN), "{out}{err}");
    written_nowhere(folder.path(), TOKEN);
}

/// Asserts that no file below the folder contains the text.
pub fn written_nowhere(folder: &Path, text: &str) {
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let bytes = fs::read(&path).unwrap_or_default();
                    let found = bytes.windows(text.len()).any(|part| part == text.as_bytes());
                    assert!(!found, "{}", path.display());
                }
            }
        }
    }
}
