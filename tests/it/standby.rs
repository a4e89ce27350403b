//! A standby that follows a replica and takes the office's place (always 43). Litestream is a script that copies a file; the
//! real one runs in `tests/e2e/86-standby`.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pleito::clock::Clock;
use pleito::domain::Lang;
use pleito::replica::{Litestream, Replica, ReplicaTarget, Secrets, Standby};
use pleito::store::engine::copy;
use pleito::store::{self, Store};
use pleito::supervisor::ReplicaWatch;
use pleito::supervisor::standby::{Promoted, promote};
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::office::Office;
use crate::program::{Program, pleito, run};
use crate::replica::replicated;

/// Copies the file that stands for the replica, or does what Litestream has been seen to do instead.
const LITESTREAM: &str = r#"#!/bin/sh
here=$(dirname "$0")
case $1 in
version) echo 0.5.17 ;;
ltx) echo '[]' ;;
restore)
    while [ $# -gt 1 ]; do
        case $1 in -config) config=$2 ;; -o) to=$2 ;; esac
        shift
    done
    path=$(sed 's/.*"replica":{[^}]*"path":"\([^"]*\)".*/\1/' "$config")
    case $(cat "$here/mode" 2>/dev/null) in
    fail) echo 'no snapshots available' >&2; exit 1 ;;
    half) head -c 20000 "$path/store.db" >"$to" ;;
    old) cp "$path/old.db" "$to" ;;
    nothing) ;;
    hang) exec sleep 1000 ;;
    *) cp "$path/store.db" "$to" ;;
    esac ;;
esac
"#;

/// An office with a replica in a folder, and a program `litestream`.
struct Replicated {
    office: Office,
    _disk: tempfile::TempDir,
    target: PathBuf,
    programs: tempfile::TempDir,
}

impl Replicated {
    /// `None` if systemd runs, which would start the real thing.
    fn new() -> Option<Replicated> {
        let (office, disk, target) = replicated()?;
        let programs = tempfile::tempdir().unwrap();
        let program = programs.path().join("litestream");
        fs::write(&program, LITESTREAM).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let replicated = Replicated { office, _disk: disk, target, programs };
        replicated.office.customer("Ana Souza", json!({}));
        replicated.replicate("store.db");
        Some(replicated)
    }

    /// Replicates the state of now, as Litestream would, with the sign of life of now.
    fn replicate(&self, name: &str) {
        replicate(self.office.folder(), &self.target, name);
        ReplicaWatch::default().run_once(self.office.app());
    }

    fn mode(&self, mode: &str) {
        fs::write(self.programs.path().join("mode"), mode).unwrap();
    }

    fn path(&self) -> OsString {
        format!("{}:/usr/bin:/bin", self.programs.path().display()).into()
    }

    fn litestream(&self) -> Litestream {
        Litestream::of(self.programs.path().join("litestream")).unwrap_or_else(|error| panic!("{error:?}"))
    }

    fn target(&self) -> ReplicaTarget {
        ReplicaTarget::parse(self.target.to_str().unwrap()).unwrap()
    }

    /// Creates a standby of the office in a new folder, and its open store.
    fn standby(&self) -> (tempfile::TempDir, Standby, Store) {
        let folder = tempfile::tempdir().unwrap();
        let standby = Standby::new(folder.path(), self.target(), Secrets::default(), self.litestream());
        standby.begin(now).unwrap();
        let store = Store::open_standby(folder.path()).unwrap();
        (folder, standby, store)
    }

    fn promote(&self, standby: &Standby, store: &Store) -> Promoted {
        promote(standby, store, true, &Clock::system(), &TimeZone::UTC)
            .unwrap_or_else(|fatal| panic!("{}", fatal.message(Lang::En)))
    }

    fn run(&self, folder: &Path, arguments: &[&str]) -> Output {
        pleito(folder, arguments, &[]).env("PATH", self.path()).output().unwrap()
    }
}

fn now() -> Timestamp {
    Timestamp::now()
}

fn replicate(office: &Path, target: &Path, name: &str) {
    let folder = target.join("pleito-replica");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    let _ = fs::remove_file(&file);
    copy::copy::<store::Error>(office, &file, |_, _| Ok(())).unwrap();
}

fn customers(folder: &Path) -> u64 {
    let scratch = tempfile::tempdir().unwrap();
    let copied = scratch.path().join("copy.db");
    copy::copy::<store::Error>(folder, &copied, |_, _| Ok(())).unwrap().customers
}

fn error(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{output:?}"))
}

#[test]
fn a_standby_answers_reads_says_its_age_and_writes_nothing() {
    let Some(replicated) = Replicated::new() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = replicated.path().into_string().unwrap();
    let target = replicated.target.to_str().unwrap();
    let settings = [("PATH", path.as_str()), ("PLEITO_REPLICA_TARGET", target)];
    let standby = Program::serve(folder.path(), &settings);
    let token = &replicated.office.token;
    let read = standby.ask(token, "GET", "/customers", None).unwrap();
    assert_eq!((read.status, read.json()["data"].as_array().unwrap().len()), (200, 1));
    let age = read.headers.get("pleito-standby-age").unwrap().to_str().unwrap().parse::<u64>().unwrap();
    assert!(age < 60, "{age}");
    let body = json!({ "name": "Rui Costa", "users_id": 1, "customers_origins_id": 1 });
    for (method, path) in [("POST", "/customers"), ("PUT", "/customers/1"), ("DELETE", "/customers/1")] {
        let written = standby.ask(token, method, path, Some(&body)).unwrap();
        assert_eq!((written.status, written.json()["code"].clone()), (503, json!("standby")), "{method}");
    }
    for command in [&["token", "new"][..], &["backup"], &["trash", "empty", "--yes"]] {
        let arguments = command.iter().copied().chain(["--json"]).collect::<Vec<_>>();
        assert_eq!(error(&run(folder.path(), &arguments))["code"], "standby", "{command:?}");
    }
    assert!(!folder.path().join("backups").exists() && !folder.path().join("pleito.epoch").exists());
    drop(standby);
    for command in [&["token", "new"][..], &["replica", "set", "/srv/replica"]] {
        let arguments = command.iter().copied().chain(["--json"]).collect::<Vec<_>>();
        assert_eq!(
            error(&run(folder.path(), &arguments))["code"],
            "standby",
            "without a server: {command:?}"
        );
    }
}

#[test]
fn a_form_on_a_page_of_a_standby_stores_nothing_and_says_why() {
    let Some(replicated) = Replicated::new() else { return };
    let (_folder, standby, _store) = replicated.standby();
    let mut visitor = Visitor::new(&replicated.office);
    replicated.office.app().set_standby(Arc::new(standby));
    for (language, sentence) in
        [("en", "This is a standby, which only"), ("pt-BR", "Esta é uma reserva, que só")]
    {
        visitor.language = language;
        let refused = visitor.send("/customers/new", &[("name", "Rui Costa")]);
        assert_eq!(refused.status, 503);
        assert!(refused.text().contains(sentence), "{}", refused.text());
    }
}

#[test]
fn whatever_a_restore_brings_the_standby_never_gets_worse() {
    let Some(replicated) = Replicated::new() else { return };
    replicated.replicate("old.db");
    replicated.office.customer("Rui Costa", json!({}));
    replicated.replicate("store.db");
    let (folder, standby, store) = replicated.standby();
    let standby = standby.with_patience(Duration::from_millis(300));
    assert_eq!(customers(folder.path()), 2);
    replicated.office.customer("Eva Lima", json!({}));
    replicated.replicate("store.db");
    for (mode, code) in [
        ("fail", "replica-target-unusable"),
        ("half", "replica-copy-unusable"),
        ("nothing", "replica-copy-unusable"),
        ("old", "replica-copy-older"),
        ("hang", "replica-restore-hung"),
    ] {
        replicated.mode(mode);
        let before = standby.followed();
        assert_eq!(standby.follow(&store, now).unwrap_err().code(), code);
        assert_eq!((customers(folder.path()), standby.followed()), (2, before), "{mode}");
    }
    replicated.mode("");
    standby.follow(&store, now).unwrap();
    assert_eq!(customers(folder.path()), 3);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0, "no copy is left behind");
}

#[test]
fn a_target_without_replica_or_with_an_office_here_is_refused() {
    let Some(replicated) = Replicated::new() else { return };
    let empty = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let target = empty.path().to_str().unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--follow", target];
    let refused = replicated.run(folder.path(), &arguments);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no replica in"), "{refused:?}");
    assert!(!folder.path().join("pleito.standby").exists() && !folder.path().join("pleito.db").exists());
    let office = replicated.office.stopped();
    let refused = pleito(office.path(), &arguments, &[]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has an office"), "{refused:?}");
}

#[test]
fn a_promoted_standby_is_the_office_and_the_first_machine_does_not_serve() {
    let Some(replicated) = Replicated::new() else { return };
    let folder = tempfile::tempdir().unwrap();
    let target = replicated.target.to_str().unwrap().to_owned();
    // Written after the last state that was replicated.
    let lost = replicated.office.customer("Rui Costa", json!({}));
    let arguments = ["promote", &target, "--json"];
    let doubtful = error(&replicated.run(folder.path(), &arguments));
    assert_eq!(doubtful["code"], "promotion-doubtful", "the office runs: {doubtful}");
    let done = replicated.run(folder.path(), &["promote", &target, "--yes", "--json"]);
    assert!(done.status.success(), "{done:?}");
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&done["epoch"], &done["is_running"]), (&json!(2), &json!(false)), "{done}");
    assert_eq!(done["target"], replicated.target.join("epoch-2").to_str().unwrap());
    assert!(Replica::of(folder.path()).unwrap().is_some());

    let token = replicated.office.token.clone();
    let office = Program::serve(folder.path(), &[]);
    let body = json!({ "name": "Eva Lima", "users_id": 1, "customers_origins_id": 1 });
    let created = office.ask(&token, "POST", "/customers", Some(&body)).unwrap();
    let created = created.json();
    let id = created[0]["customer_id"].as_u64().unwrap_or_else(|| panic!("{created}"));
    assert!(id > 100_000, "ids go on with a gap: {id}");
    let feed = office.ask(&token, "GET", "/changes?limit=1000", None).unwrap().json();
    assert!(feed["data"].as_array().unwrap().iter().any(|change| change["op"] == "replaced"), "{feed}");
    assert_eq!(office.ask(&token, "GET", &format!("/customers/{lost}"), None).unwrap().status, 404);

    // It looks each minute, and ends.
    let mut restarting = replicated.office.app().restarting();
    restarting.borrow_and_update();
    ReplicaWatch::default().run_once(replicated.office.app());
    assert!(restarting.has_changed().unwrap() && replicated.office.app().is_superseded());
    for target in [&target, "/srv/replica"] {
        let arguments = ["replica", "set", target, "--json"];
        let refused = error(&replicated.run(replicated.office.folder(), &arguments));
        assert_eq!(refused["code"], "superseded", "{target}");
    }
    let first = replicated.office.stopped();
    let refused = run(first.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(text.contains("epoch 2") && text.contains("It lacks 1 change that this one has"), "{text}");
    // What it has seen counts while the folder is out of reach, until its replica is given up.
    fs::rename(&replicated.target, replicated.target.with_extension("unplugged")).unwrap();
    let refused = run(first.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("epoch 2"), "{refused:?}");
    assert!(run(first.path(), &["replica", "off"]).status.success());
    drop(Program::serve(first.path(), &[]));
}

#[test]
fn a_promotion_that_ends_anywhere_can_be_repeated_and_loses_nothing() {
    let Some(replicated) = Replicated::new() else { return };
    let mut epoch = 1;
    for steps in 0..=3 {
        let (folder, standby, store) = replicated.standby();
        let fetched = standby.fetch(now).unwrap();
        let change = standby.change(&store).unwrap();
        if steps > 0 {
            standby.take(&fetched, &store).unwrap();
        }
        let claimed = (steps > 1).then(|| standby.claim(&fetched, change).unwrap().unwrap());
        if let Some((_, replica)) = claimed.as_ref().filter(|_| steps > 2) {
            replica.write(&Secrets::default()).unwrap();
        }
        // The power is gone here.
        drop((standby, store));
        assert_eq!(error(&run(folder.path(), &["token", "new", "--json"]))["code"], "standby", "{steps}");
        let standby = Standby::of(folder.path(), || Ok(replicated.litestream())).unwrap().unwrap();
        let store = Store::open_standby(folder.path()).unwrap();
        let promoted = replicated.promote(&standby, &store);
        epoch += 1;
        assert_eq!(promoted.epoch, Some(epoch), "the number of an own claim is used: {steps}");
        drop((standby, store));
        assert!(Standby::of(folder.path(), || Ok(replicated.litestream())).unwrap().is_none());
        assert_eq!(customers(folder.path()), 1);
        // The next one follows the promoted office.
        let target = replicated.target.join(format!("epoch-{epoch}"));
        replicate(folder.path(), &target, "store.db");
    }
}

#[test]
fn a_copy_that_lacks_what_the_office_told_is_asked_about() {
    let Some(replicated) = Replicated::new() else { return };
    let old = now().saturating_sub(jiff::SignedDuration::from_hours(2)).unwrap();
    let sign = |at: Timestamp, change: u64| {
        let sign = json!({ "at": at, "change": change, "office": "https://office.example" });
        fs::write(replicated.target.join("pleito-alive.json"), sign.to_string()).unwrap();
    };
    let (_folder, standby, store) = replicated.standby();
    let here = standby.change(&store).unwrap();
    let codes = |fetched: &pleito::replica::Fetched| {
        let doubts = standby.doubts(fetched, here, now(), &TimeZone::UTC);
        doubts.iter().map(|doubt| doubt.message(Lang::En)).collect::<Vec<_>>()
    };
    sign(old, here);
    assert_eq!(
        codes(&standby.fetch(now).unwrap()),
        Vec::<String>::new(),
        "an office that died two hours ago"
    );
    sign(now(), here);
    let doubts = codes(&standby.fetch(now).unwrap());
    assert!(doubts[0].contains("https://office.example is running"), "{doubts:?}");
    // Litestream has stood still for ten minutes before the last sign.
    sign(now().saturating_add(jiff::SignedDuration::from_mins(10)).unwrap(), here + 3);
    let doubts = codes(&standby.fetch(now).unwrap());
    assert!(doubts[0].contains("with more changes than this copy"), "{doubts:?}");
}
