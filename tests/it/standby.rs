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
use pleito::store::{self, Db, Store, journal};
use pleito::supervisor::ReplicaWatch;
use pleito::supervisor::promotion::{Promoted, promote};
use serde_json::{Value, json};

use crate::backups::{answer, point};
use crate::console::visitor::Visitor;
use crate::office::Office;
use crate::program::{Program, pleito, run, run_with};
use crate::replica::replicated;
use crate::wait::{MAX_WAIT, wait_until};

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

    /// Replicates the state of now, as Litestream would, with the heartbeat of now.
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
    // What an assistant is shown has to be recorded.
    for arguments in [json!({ "name": "Ninguém" }), json!({ "id": 1 })] {
        let params = json!({ "name": "people", "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let reply = standby.ask_outside_the_api(token, "POST", "/mcp", Some(&call)).unwrap().json();
        assert_eq!(reply["result"]["structuredContent"]["code"], "standby", "{reply}");
        let text = reply["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("não pode registrar"), "{reply}");
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
    let (folder, mut standby, store) = replicated.standby();
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
        let max_restore_time = if mode == "hang" { Duration::from_millis(300) } else { MAX_WAIT };
        standby = standby.with_max_restore_time(max_restore_time);
        let before = standby.followed();
        assert_eq!(standby.follow(&store, now).unwrap_err().code(), code);
        assert_eq!((customers(folder.path()), standby.followed()), (2, before), "{mode}");
    }
    replicated.mode("");
    standby.with_max_restore_time(MAX_WAIT).follow(&store, now).unwrap();
    assert_eq!(customers(folder.path()), 3);
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0, "no copy is left behind");
}

#[test]
fn a_target_without_replica_or_with_an_office_here_is_refused() {
    let Some(replicated) = Replicated::new() else { return };
    let empty = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let target = empty.path().to_str().unwrap();
    let path = replicated.path();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--follow", target];
    let refused = replicated.run(folder.path(), &arguments);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no replica in"), "{refused:?}");
    assert!(!folder.path().join("pleito.standby").exists() && !folder.path().join("pleito.db").exists());
    let office = replicated.office.stopped();
    let refused = pleito(office.path(), &arguments, &[]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has an office"), "{refused:?}");
    // The id of the office stays there with its backups, among which those of the other one would count.
    for file in ["pleito.db", "pleito.db-wal", "pleito.db-shm"] {
        let _ = fs::remove_file(office.path().join(file));
    }
    let target = replicated.target.to_str().unwrap();
    for words in [&["promote", target, "--yes", "--json"][..], &["serve", "--follow", target]] {
        let refused = pleito(office.path(), words, &[]).env("PATH", &path).output().unwrap();
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && text.contains("pleito.db is missing"), "{refused:?}");
        assert!(!office.path().join("pleito.standby").exists());
    }
}

#[test]
fn a_setting_that_contradicts_the_folder_is_named_and_no_command_begins_an_office_there() {
    let Some(replicated) = Replicated::new() else { return };
    let target = replicated.target.to_str().unwrap();
    let variable = [("PLEITO_REPLICA_TARGET", target)];
    let point = |folder: &Path, name: &str| {
        let checked = pleito(folder, &["check", "--json"], &variable).output().unwrap();
        let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
        let findings = checked["findings"].as_array().unwrap().clone();
        findings.into_iter().find(|finding| finding["point"] == name).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["token", "new", "--json"][..],
        &["token", "new", "--new", "--json"],
        &["key", "new", "x", "--read", "--json"],
        &["restore", "--latest", "--json"],
        &["backup", "test", "--json"],
        &["replica", "off", "--json"],
    ] {
        let refused = pleito(folder.path(), words, &variable).output().unwrap();
        assert_eq!(error(&refused)["code"], "becomes-standby", "{words:?}");
    }
    assert!(!folder.path().join("pleito.db").exists());
    assert_eq!(point(folder.path(), "standby")["ok"], false);
    let not_yet = point(&folder.path().join("not-yet"), "folder");
    assert_eq!(not_yet["ok"], true, "{not_yet}");
    let status = pleito(folder.path(), &["replica", "status"], &variable).output().unwrap();
    assert_eq!(status.status.code(), Some(1), "{status:?}");
    let (followed, _standby, _store) = replicated.standby();
    let other = [("PLEITO_REPLICA_TARGET", "/mnt/another")];
    let status = pleito(followed.path(), &["replica", "status", "--json"], &other).output().unwrap();
    assert_eq!(error(&status)["code"], "follows-another");
    let office = replicated.office.stopped();
    let settings = point(office.path(), "settings");
    assert_eq!(settings["ok"], false);
    assert!(settings["text"].as_str().unwrap().contains("PLEITO_REPLICA_TARGET"), "{settings}");
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
    assert!(!folder.path().join("pleito.standby").exists() && !folder.path().join("pleito.db").exists());
    let done = replicated.run(folder.path(), &["promote", &target, "--yes", "--json"]);
    assert!(done.status.success(), "{done:?}");
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&done["epoch"], &done["is_running"]), (&json!(2), &json!(false)), "{done}");
    assert_eq!(done["target"], replicated.target.join("epoch-2").to_str().unwrap());
    assert!(Replica::of(folder.path()).unwrap().is_some());
    let again = error(&replicated.run(folder.path(), &["promote", &target, "--yes", "--json"]));
    assert_eq!(again["code"], "already-promoted");

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
    let shared = Store::read_once(replicated.office.folder(), journal::latest).unwrap() - 1;
    let written = |db: Db<'_>| journal::affected_records::count_after(db, shared);
    assert_eq!(Store::read_once(folder.path(), written).unwrap(), 1, "what the feed repeats is no write");

    // It looks each minute, and ends.
    let mut restarting = replicated.office.app().restarting();
    restarting.borrow_and_update();
    ReplicaWatch::default().run_once(replicated.office.app());
    assert!(restarting.has_changed().unwrap() && replicated.office.app().must_end());
    for target in [&target, "/srv/replica"] {
        let arguments = ["replica", "set", target, "--json"];
        let refused = error(&replicated.run(replicated.office.folder(), &arguments));
        assert_eq!(refused["code"], "superseded", "{target}");
    }
    let first = replicated.office.stopped();
    let refused = run(first.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    let with_wrong_settings =
        run_with(first.path(), &["serve", "--listen", "127.0.0.1:0"], &[("PLEITO_LOG_LEVEL", "loud")]);
    assert_eq!(with_wrong_settings.status.code(), Some(3), "{with_wrong_settings:?}");
    for unit in ["office", "system", "user"] {
        let file = format!("{}/installer/linux/{unit}.service", env!("CARGO_MANIFEST_DIR"));
        let unit = std::fs::read_to_string(file).unwrap();
        assert!(unit.contains("RestartPreventExitStatus=3\n"), "it would be started again for ever: {unit}");
    }
    assert!(text.contains("epoch 2") && text.contains("It lacks 1 change that this one has"), "{text}");
    // What it has seen counts while the folder is out of reach, until a person removes the note.
    fs::rename(&replicated.target, replicated.target.with_extension("unplugged")).unwrap();
    let refused = run(first.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("epoch 2"), "{refused:?}");
    assert!(run(first.path(), &["replica", "off"]).status.success());
    fs::remove_file(first.path().join("pleito.superseded")).unwrap();
    drop(Program::serve(first.path(), &[]));
}

/// The office said that nothing of it was lost, as it compared the changes of two offices.
#[test]
fn a_promotion_in_the_place_of_another_office_is_told() {
    let (Some(replicated), Some(other)) = (Replicated::new(), Replicated::new()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let target = other.target.to_str().unwrap();
    assert!(other.run(folder.path(), &["promote", target, "--yes"]).status.success());
    let names_other = |office: &Replicated| {
        let later = Replica::of(office.office.folder()).unwrap().unwrap().superseded();
        later.unwrap().unwrap().is_of_other
    };
    assert!(!names_other(&other), "its own");
    let epoch = replicated.target.join("epoch-2");
    fs::create_dir(&epoch).unwrap();
    for file in fs::read_dir(other.target.join("epoch-2")).unwrap().flatten() {
        fs::copy(file.path(), epoch.join(file.file_name())).unwrap();
    }
    assert!(names_other(&replicated), "an epoch of the other office");
    let refused = error(&replicated.run(replicated.office.folder(), &["replica", "set", target, "--json"]));
    let text = refused["error"].as_str().unwrap();
    assert!(text.contains("names another office") && !text.contains("all that this one has"), "{text}");
    fs::rename(&replicated.target, replicated.target.with_extension("own")).unwrap();
    fs::rename(&other.target, &replicated.target).unwrap();
    assert!(names_other(&replicated), "the disk of the other office");
    // A promotion that was seen before is not forgotten with it.
    let noted = |is_of_other: bool| {
        let own = json!({ "epoch": 2, "folder": "/srv/pleito", "change": 1, "is_of_other": is_of_other });
        fs::write(replicated.office.folder().join("pleito.superseded"), own.to_string()).unwrap();
        names_other(&replicated)
    };
    assert!(!noted(false) && noted(true));
}

/// The office said that nothing of it was lost, and kept saying so with its own disk.
#[test]
fn a_promoted_office_is_told_of_another_promotion_in_the_place_of_its_own() {
    let offices = [(); 2].map(|()| (Replicated::new(), tempfile::tempdir().unwrap()));
    let [(Some(replicated), folder), (Some(other), other_folder)] = &offices else { return };
    for (office, data) in [(replicated, folder), (other, other_folder)] {
        assert!(
            office.run(data.path(), &["promote", office.target.to_str().unwrap(), "--yes"]).status.success()
        );
    }
    let epoch = |office: &Replicated, file: &str| office.target.join("epoch-2").join(file);
    let replica = Replica::of(folder.path()).unwrap().unwrap();
    let own = fs::read(epoch(replicated, "pleito-promotion.json")).unwrap();
    fs::copy(epoch(other, "pleito-promotion.json"), epoch(replicated, "pleito-promotion.json")).unwrap();
    assert!(replica.superseded().unwrap().unwrap().is_of_other);
    fs::remove_file(folder.path().join("pleito.superseded")).unwrap();
    // The id of the first office was lost and made anew, in the place of a removed promotion.
    fs::remove_file(epoch(replicated, "pleito-promotion.json")).unwrap();
    let record = replicated.target.join("pleito-owner.json");
    let mut owner: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    owner["id"] = json!("00112233445566778899aabbccddeeff");
    fs::write(&record, owner.to_string()).unwrap();
    assert!(replica.superseded().unwrap().is_none());
    assert_eq!(fs::read(epoch(replicated, "pleito-promotion.json")).unwrap(), own, "it is not put back");
}

#[test]
fn a_promoted_office_knows_the_backups_of_the_one_before_it() {
    let Some(replicated) = Replicated::new() else { return };
    let backup = answer(replicated.office.folder(), &["backup", "--json"]);
    let backup = backup["file"].as_str().unwrap();
    let target = replicated.target.to_str().unwrap();
    let [second, third] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert!(replicated.run(second.path(), &["promote", target, "--yes"]).status.success());
    assert_eq!(answer(second.path(), &["restore", backup, "--json"])["other_office"], false);
    fs::create_dir_all(replicated.target.join("epoch-2/pleito-replica")).unwrap();
    replicate(second.path(), &replicated.target.join("epoch-2"), "store.db");
    assert!(replicated.run(third.path(), &["promote", target, "--yes"]).status.success());
    assert_eq!(answer(third.path(), &["restore", backup, "--json"])["other_office"], false);
    let other = Office::new();
    let other = answer(other.folder(), &["backup", "--json"]);
    let foreign = other["file"].as_str().unwrap();
    assert_eq!(answer(third.path(), &["restore", foreign, "--json"])["other_office"], true);
}

/// Litestream goes on with the configuration that it has read, and so does the server.
#[test]
fn a_server_whose_configuration_is_damaged_still_learns_of_a_promotion() {
    let Some(replicated) = Replicated::new() else { return };
    let office = &replicated.office;
    let mut watch = ReplicaWatch::default();
    watch.run_once(office.app());
    let sign = || fs::read(replicated.target.join("pleito-alive.json")).unwrap();
    let before = sign();
    fs::write(office.folder().join("litestream.json"), "").unwrap();
    office.pass(60);
    watch.run_once(office.app());
    assert_ne!(sign(), before, "a promotion must ask whether the office runs");
    assert_eq!(office.raw("GET", "/health", &[], None).json()["code"], "replica-unreadable");
    let folder = tempfile::tempdir().unwrap();
    let target = replicated.target.to_str().unwrap();
    assert!(replicated.run(folder.path(), &["promote", target, "--yes"]).status.success());
    watch.run_once(office.app());
    assert!(office.app().must_end());
}

/// Its configuration does not tell where to look.
#[test]
fn a_server_ends_if_a_command_has_found_a_later_office() {
    let Some(replicated) = Replicated::new() else { return };
    let folder = tempfile::tempdir().unwrap();
    let target = replicated.target.to_str().unwrap();
    assert!(replicated.run(folder.path(), &["promote", target, "--yes"]).status.success());
    let office = &replicated.office;
    fs::write(office.folder().join("litestream.json"), "{").unwrap();
    ReplicaWatch::default().run_once(office.app());
    assert!(!office.app().must_end());
    let refused = error(&replicated.run(office.folder(), &["replica", "set", target, "--json"]));
    assert_eq!(refused["code"], "superseded");
    ReplicaWatch::default().run_once(office.app());
    assert!(office.app().must_end());
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
        let claimed = (steps > 1).then(|| standby.claim(&fetched, change).unwrap());
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
        assert_eq!(promoted.epoch, epoch, "the number of an own claim is used: {steps}");
        drop((standby, store));
        assert!(Standby::of(folder.path(), || Ok(replicated.litestream())).unwrap().is_none());
        assert_eq!(customers(folder.path()), 1);
        // The next one follows the promoted office.
        let target = replicated.target.join(format!("epoch-{epoch}"));
        replicate(folder.path(), &target, "store.db");
    }
}

#[test]
fn what_a_heartbeat_tells_is_asked_about() {
    let Some(replicated) = Replicated::new() else { return };
    let file = replicated.target.join("pleito-alive.json");
    let hours = |count| jiff::SignedDuration::from_hours(count);
    // `age` is that of the file, by the disk; `at` is what the clock of the office's machine said.
    let sign = |age: jiff::SignedDuration, at: Timestamp, change: u64, is_last: bool| {
        let sign =
            json!({ "at": at, "change": change, "office": "https://office.example", "is_last": is_last });
        fs::write(&file, sign.to_string()).unwrap();
        let written = now().saturating_sub(age).unwrap();
        fs::File::options().append(true).open(&file).unwrap().set_modified(written.into()).unwrap();
    };
    let (_folder, standby, store) = replicated.standby();
    let here = standby.change(&store).unwrap();
    let doubts = || {
        let doubts = standby.doubts(&standby.fetch(now).unwrap(), here, now(), &TimeZone::UTC);
        doubts.iter().map(|doubt| doubt.message(Lang::En)).collect::<Vec<_>>().join("; ")
    };
    let old = now().saturating_sub(hours(2)).unwrap();
    sign(hours(2), old, here, false);
    assert_eq!(doubts(), "", "an office that died two hours ago");
    sign(hours(0), now(), here, false);
    assert!(doubts().starts_with("the office at https://office.example is running"), "{}", doubts());
    // The clocks of both machines differ by hours.
    for at in [old, now().saturating_add(hours(2)).unwrap()] {
        sign(hours(0), at, here, false);
        assert!(doubts().contains("is running"), "{at}: {}", doubts());
    }
    sign(hours(3), now().saturating_add(hours(2)).unwrap(), here, false);
    assert_eq!(doubts(), "", "it died three hours ago, and its clock was ahead");
    // Litestream has stood still for ten minutes before the last sign.
    sign(hours(0), now().saturating_add(jiff::SignedDuration::from_mins(10)).unwrap(), here + 3, false);
    assert!(doubts().contains("with more changes than this copy"), "{}", doubts());
    sign(hours(2), old, here, true);
    assert!(doubts().starts_with("the office left this replica"), "{}", doubts());
    fs::remove_file(&file).unwrap();
    assert!(doubts().contains("tells whether the office is running"), "{}", doubts());
}

#[test]
fn a_promoted_office_without_a_replica_is_asked_about() {
    let Some(replicated) = Replicated::new() else { return };
    let replicated_at = now();
    let target = replicated.target.to_str().unwrap().to_owned();
    let [second, third] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert!(replicated.run(second.path(), &["promote", &target, "--yes"]).status.success());
    let office = Program::serve(second.path(), &[]);
    let body = json!({ "name": "Eva Lima", "users_id": 1, "customers_origins_id": 1 });
    assert_eq!(office.ask(&replicated.office.token, "POST", "/customers", Some(&body)).unwrap().status, 201);
    drop(office);
    let replica = point(second.path(), "replica");
    assert!(replica["text"].as_str().unwrap().contains("has no replica yet"), "{replica}");
    assert_eq!(replica["ok"], false);

    let refused = error(&replicated.run(third.path(), &["promote", &target, "--json"]));
    let sentence = refused["error"].as_str().unwrap();
    assert!(sentence.contains("was promoted before (epoch 2) and has no replica"), "{sentence}");
    let (_folder, standby, store) = replicated.standby();
    let as_of = standby.followed().unwrap().as_of;
    assert!(as_of <= replicated_at, "what the second office wrote is not in it: {as_of}");
    assert_eq!(replicated.promote(&standby, &store).epoch, 3);
}

#[test]
fn an_office_that_leaves_its_replica_says_so_there() {
    let Some(replicated) = Replicated::new() else { return };
    let office = replicated.office.folder();
    let is_last = || {
        let sign = fs::read(replicated.target.join("pleito-alive.json")).unwrap();
        serde_json::from_slice::<Value>(&sign).unwrap()["is_last"] == true
    };
    assert!(!is_last());
    let other = replicated.target.with_extension("other");
    assert!(replicated.run(office, &["replica", "set", other.to_str().unwrap()]).status.success());
    assert!(is_last(), "to another target");
    assert!(replicated.run(office, &["replica", "off"]).status.success());
    assert!(other.join("pleito-alive.json").exists(), "without a sign before");
}

#[test]
fn the_replica_of_another_office_in_the_place_of_the_followed_one_is_refused() {
    let Some(replicated) = Replicated::new() else { return };
    let (folder, standby, store) = replicated.standby();
    let before = standby.followed();
    let here = standby.change(&store).unwrap();
    // Their journals tell offices apart by the second in which they began.
    let began = now().as_second();
    wait_until(MAX_WAIT, "the next second begins", || (now().as_second() > began).then_some(()));
    // With as many, fewer and more changes.
    for count in [1, 0, 5] {
        let other = Office::new();
        other.pass(3600);
        (0..count).for_each(|number| _ = other.customer(&format!("Rui Costa {number}"), json!({})));
        replicate(other.folder(), &replicated.target, "store.db");
        let refused = standby.follow(&store, now).unwrap_err();
        assert_eq!(refused.code(), "replica-of-another-office", "{count} customers");
        let refused = promote(&standby, &store, true, &Clock::system(), &TimeZone::UTC).unwrap_err();
        assert_eq!(refused.code(), "replica-of-another-office", "{count} customers");
        assert_eq!((standby.change(&store).unwrap(), standby.followed()), (here, before.clone()));
    }
    assert_eq!(customers(folder.path()), 1);
    assert!(!replicated.target.join("epoch-2").exists());
    // The office's own, also after a backup has been restored there.
    let backup =
        answer(replicated.office.folder(), &["backup", "--json"])["file"].as_str().unwrap().to_owned();
    replicated.office.customer("Eva Lima", json!({}));
    replicated.replicate("store.db");
    standby.follow(&store, now).unwrap();
    assert_eq!(customers(folder.path()), 2);
    assert!(run(replicated.office.folder(), &["restore", &backup]).status.success());
    replicated.replicate("store.db");
    standby.follow(&store, now).unwrap();
    assert_eq!(customers(folder.path()), 1);
}

#[test]
fn a_superseded_office_takes_no_command_even_without_its_replica() {
    let Some(replicated) = Replicated::new() else { return };
    let target = replicated.target.to_str().unwrap().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("clientes.csv");
    fs::write(&sheet, "nome\nRui Costa\n").unwrap();
    assert!(replicated.run(&folder.path().join("data"), &["promote", &target, "--yes"]).status.success());
    let path = replicated.path();
    let Replicated { office, _disk, programs: _programs, .. } = replicated;
    let first = office.stopped();
    let first = first.path();
    let run = |arguments: &[&str]| pleito(first, arguments, &[]).env("PATH", &path).output().unwrap();
    let before = fs::read(first.join("pleito.db")).unwrap();
    let commands: [&[&str]; 10] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["token", "new"],
        &["key", "new", "--read", "Robô"],
        &["import", "--apply", sheet.to_str().unwrap()],
        &["restore", "--latest"],
        &["demo", "--customers", "1", "--lawsuits", "1", "--data-dir", first.to_str().unwrap()],
        &["trash", "empty", "--yes"],
        &["webhooks", "resume"],
        &["replica", "status"],
        &["promote", &target],
    ];
    for _ in 0..2 {
        for command in commands {
            let refused = run(command);
            let code = if command[0] == "serve" { 3 } else { 1 };
            assert_eq!(refused.status.code(), Some(code), "{command:?}: {refused:?}");
            assert!(String::from_utf8_lossy(&refused.stderr).contains("epoch 2"), "{command:?}: {refused:?}");
        }
        let off = run(&["replica", "off"]);
        assert!(off.status.success(), "{off:?}");
    }
    assert_eq!(fs::read(first.join("pleito.db")).unwrap(), before);
}

#[test]
fn a_standby_says_in_a_terminal_what_it_is_and_whether_it_follows() {
    let Some(replicated) = Replicated::new() else { return };
    let (folder, standby, _store) = replicated.standby();
    let state = || {
        let status = replicated.run(folder.path(), &["replica", "status", "--json"]);
        let code = serde_json::from_slice::<Value>(&status.stdout).unwrap()["state"].clone();
        (code, status.status.code(), point(folder.path(), "standby")["ok"].clone())
    };
    assert_eq!(state(), (json!("standby-following"), Some(0), json!(true)));
    assert_eq!(error(&replicated.run(folder.path(), &["replica", "off", "--json"]))["code"], "standby");
    // Three minutes ago, and in three minutes: the clock was set back.
    for minutes in [-3, 3] {
        let as_of = now().saturating_add(jiff::SignedDuration::from_mins(minutes)).unwrap();
        let followed = json!({ "as_of": as_of, "office": null }).to_string();
        fs::write(folder.path().join("pleito.followed"), followed).unwrap();
        assert_eq!(state(), (json!("standby-behind"), Some(1), json!(false)), "{minutes}");
    }
    drop(standby);
    let mode = fs::metadata(folder.path().join("pleito.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "Litestream leaves it readable for every user");
}

#[test]
fn a_standby_whose_settings_are_refused_is_not_promoted() {
    let Some(replicated) = Replicated::new() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("other.toml");
    fs::write(&settings, "").unwrap();
    let path = replicated.path().into_string().unwrap();
    let target = replicated.target.to_str().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let variables = [
        ("PATH", path.as_str()),
        ("PLEITO_REPLICA_TARGET", target),
        ("PLEITO_CONFIG", settings.to_str().unwrap()),
    ];
    let _standby = Program::serve(&data, &variables);
    fs::write(&settings, "no settings").unwrap();
    // The command itself has other settings.
    let promoted = || replicated.run(&data, &["promote", "--yes", "--json"]);
    assert_eq!(error(&promoted())["code"], "settings-refused");
    assert!(!replicated.target.join("epoch-2").exists() && data.join("pleito.standby").exists());
    fs::write(&settings, "").unwrap();
    assert!(promoted().status.success());
    wait_until(MAX_WAIT, "the office is served", || {
        run(&data, &["key", "list"]).status.success().then_some(())
    });
}

#[test]
fn a_clone_that_replicates_to_the_same_folder_is_noticed() {
    let Some(replicated) = Replicated::new() else { return };
    let office = &replicated.office;
    let code = || office.raw("GET", "/health", &[], None).json()["code"].clone();
    let [mut own, mut clone] = [ReplicaWatch::default(), ReplicaWatch::default()];
    let minute = |watch: &mut ReplicaWatch| {
        office.pass(60);
        watch.run_once(office.app());
        code()
    };
    for _ in 0..3 {
        assert_ne!(minute(&mut own), "replica-shared", "alone");
    }
    minute(&mut clone);
    assert_eq!(minute(&mut own), "replica-shared");
    assert_eq!(minute(&mut clone), "replica-shared");
    minute(&mut own);
    assert_ne!(minute(&mut own), "replica-shared", "alone again");
    // While the folder is out of reach, and after it.
    let unplugged = replicated.target.with_extension("unplugged");
    fs::rename(&replicated.target, &unplugged).unwrap();
    minute(&mut own);
    fs::rename(&unplugged, &replicated.target).unwrap();
    assert_ne!(minute(&mut own), "replica-shared", "plugged in again");
}
