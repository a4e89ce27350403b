//! `pleito replica`, and what the server tells of a replica (always 42). Litestream itself runs in `tests/e2e/84-replica`.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::thread;

use jiff::Timestamp;
use pleito::supervisor::ReplicaWatch;
use pleito::supervisor::systemd_units;
use serde_json::{Value, json};

use crate::backups::{answer, now, point};
use crate::console::visitor::Visitor;
use crate::documents::document;
use crate::office::Office;
use crate::program::{pleito, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

const SECRET: &str = "mangabeira-37";

/// A folder with a program `litestream`. It tells its version, and lists what is at the target by this script.
pub fn litestream(version: &str, ltx: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("litestream");
    let script = format!("#!/bin/sh\ncase $1 in version) echo '{version}' ;; ltx) {ltx} ;; esac\n");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Runs `pleito replica set` with a Litestream, and a line of standard input.
fn set(office: &Path, target: &str, litestream: &Path, input: &str, variables: &[(&str, &str)]) -> Output {
    let path = format!("{}:/usr/bin:/bin", litestream.display());
    let mut command = pleito(office, &["replica", "set", target, "--json"], variables);
    command.env("PATH", path).env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
    command.envs(variables.iter().copied());
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    // The command may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the code of the error of a failed command.
fn code(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error: Value = serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{output:?}"));
    error["code"].as_str().unwrap().to_owned()
}

/// Returns the codes of the warnings of a command that succeeded.
fn warnings(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    let state: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(state["warnings"].clone()).unwrap()
}

fn configuration(office: &Path) -> Option<Value> {
    let file = fs::read(office.join("litestream.json")).ok()?;
    Some(serde_json::from_slice(&file).unwrap())
}

/// Answers on the control socket that the last sync was at `at`, until the socket is bound again.
fn answer_as_litestream(office: &Path, at: Timestamp) {
    let socket = office.join("litestream.socket");
    let _ = fs::remove_file(&socket);
    let listener = UnixListener::bind(socket).unwrap();
    let store = fs::canonicalize(office).unwrap().join("pleito.db");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 512];
            let length = stream.read(&mut request).unwrap();
            let body = match request[..length].starts_with(b"GET /info ") {
                true => json!({ "version": "0.5.17", "pid": 7, "started_at": at }),
                false => {
                    json!({ "databases": [{ "path": store, "status": "replicating", "last_sync_at": at }] })
                }
            };
            let _ = write!(stream, "HTTP/1.0 200 OK\r\n\r\n{body}");
        }
    });
}

/// An office with a replica in a folder, and that folder. Systemd would run the real thing.
pub fn replicated() -> Option<(Office, tempfile::TempDir, PathBuf)> {
    if systemd_units::is_live() {
        return None;
    }
    let office = Office::new();
    now(&office);
    let disk = tempfile::tempdir().unwrap();
    let target = disk.path().join("réplica");
    let litestream = litestream("0.5.17", "echo '[]'");
    let done = set(office.folder(), target.to_str().unwrap(), litestream.path(), "", &[]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(done["target"], target.to_str().unwrap());
    assert!(done["command"].as_str().unwrap().contains("flock --nonblock"), "{done}");
    Some((office, disk, target))
}

#[test]
fn a_replica_that_stands_still_is_reported_until_it_follows() {
    let Some((office, _disk, target)) = replicated() else { return };
    let folder = office.folder();
    let mut watch = ReplicaWatch::default();
    let mut code = || {
        watch.run_once(office.app());
        office.raw("GET", "/health", &[], None).json()["code"].clone()
    };
    assert_eq!(code(), Value::Null, "Litestream may start after the server");
    assert_eq!(code(), "replica-gone");
    office.customer("Ana Souza", json!({}));
    let real = Timestamp::now();
    answer_as_litestream(folder, real.saturating_sub(jiff::SignedDuration::from_hours(1)).unwrap());
    assert_eq!(code(), "replica-standing-still");
    let found = point(folder, "replica");
    assert_eq!(found["ok"], false, "{found}");
    let visitor = Visitor::new(&office);
    let page = visitor.page("");
    assert!(
        page.is_in_order(&["The replica stands still: nothing has arrived there since ", "Today"]),
        "{page}"
    );
    let status = run(folder, &["replica", "status", "--json"]);
    assert_eq!(status.status.code(), Some(1), "{status:?}");
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        (&status["state"], &status["litestream"]),
        (&json!("replica-standing-still"), &json!("0.5.17"))
    );
    assert_eq!(status["target"], target.to_str().unwrap());

    answer_as_litestream(folder, real.saturating_add(jiff::SignedDuration::from_hours(1)).unwrap());
    assert_eq!(code(), Value::Null);
    assert_eq!(point(folder, "replica")["ok"], true);
    assert!(!visitor.page("").contains("The replica stands still"));
    let (text, _) = streams(&run(folder, &["replica", "status"]));
    assert!(text.starts_with("The replica follows.\n") && text.contains("Documents: all copied"), "{text}");

    fs::rename(target.join("pleito-owner.json"), target.join("other")).unwrap();
    assert_eq!(code(), "replica-target-gone");
    let off = answer(folder, &["replica", "off", "--json"]);
    assert_eq!((&off["left"], &off["running"]), (&json!(target), &json!(7)), "{off}");
    assert_eq!(configuration(folder), None);
    assert_eq!(code(), Value::Null);
    assert_eq!(answer(folder, &["replica", "status", "--json"]), json!({ "target": null }));
    assert!(target.exists(), "what is there stays");
}

#[test]
fn an_office_that_cannot_read_of_promotions_serves_on_and_says_so() {
    let Some((office, _disk, _)) = replicated() else { return };
    let mut watch = ReplicaWatch::default();
    let mut code = || {
        watch.run_once(office.app());
        office.raw("GET", "/health", &[], None).json()["code"].clone()
    };
    assert_eq!(code(), Value::Null, "a folder that can be read");
    let litestream = litestream("0.5.17", "echo '[]'");
    // Nothing listens there.
    let target = "sftp://ana@127.0.0.1:1/office";
    let done = set(office.folder(), target, litestream.path(), &format!("{SECRET}\n"), &[]);
    assert!(done.status.success(), "{done:?}");
    let future = Timestamp::now().saturating_add(jiff::SignedDuration::from_hours(1)).unwrap();
    answer_as_litestream(office.folder(), future);
    assert_eq!(code(), Value::Null, "one look may fail by a passing fault");
    assert_eq!(code(), "replica-promotion-unknown");
    assert!(!office.app().must_end());
    let found = point(office.folder(), "replica");
    assert_eq!(found["ok"], false, "{found}");
    assert!(found["text"].as_str().unwrap().contains("whether a standby was promoted"), "{found}");
    let page = Visitor::new(&office).page("");
    assert!(
        page.is_in_order(&["Whether a standby was promoted in place of this office cannot be read"]),
        "{page}"
    );
}

#[test]
fn another_target_waits_for_the_end_of_litestream_and_begins_anew() {
    let Some((office, disk, target)) = replicated() else { return };
    let folder = office.folder();
    let kept = folder.join(".pleito.db-litestream");
    fs::create_dir(&kept).unwrap();
    answer_as_litestream(folder, Timestamp::now());
    let good = litestream("0.5.17", "echo '[]'");
    let other = disk.path().join("other");
    let set = |target: &Path| set(folder, target.to_str().unwrap(), good.path(), "", &[]);
    assert_eq!(code(&set(&other)), "replica-running");
    assert!(!other.exists() && kept.exists(), "nothing has changed");
    assert!(answer(folder, &["replica", "off", "--json"])["running"] == 7);
    assert_eq!(code(&set(&other)), "replica-running", "off ends no Litestream");

    fs::remove_file(folder.join("litestream.socket")).unwrap();
    assert!(set(&target).status.success(), "the earlier target is this office's");
    let state = kept.join("ltx");
    fs::write(&state, "").unwrap();
    assert!(set(&target).status.success());
    assert!(state.exists(), "the same target goes on");
    assert_eq!(warnings(&set(&other)), ["same-disk"]);
    assert!(!state.exists() && kept.exists(), "it tells that the store was replicated");

    fs::rename(&other, disk.path().join("away")).unwrap();
    let warned = warnings(&set(&target));
    assert_eq!(warned, ["former-target-unreadable", "former-target-not-told", "same-disk"]);

    let damage = || fs::write(folder.join("litestream.json"), "{").unwrap();
    damage();
    assert_eq!(warnings(&set(&target)), ["same-disk"], "the own folder is the former target");
    damage();
    assert_eq!(warnings(&set(&disk.path().join("third"))), warned);
}

#[test]
fn an_older_copy_of_an_office_does_not_take_its_replica() {
    let Some((office, _disk, target)) = replicated() else { return };
    let folder = office.folder();
    let litestream = litestream("0.5.17", "echo '[]'");
    let set = || set(folder, target.to_str().unwrap(), litestream.path(), "", &[]);
    office.customer("Ana Souza", json!({}));
    ReplicaWatch::default().run_once(office.app());
    assert!(answer(folder, &["replica", "off", "--json"])["told"] == true);
    assert!(set().status.success(), "as new as the replica");
    let sign = target.join("pleito-alive.json");
    let mut newer: Value = serde_json::from_slice(&fs::read(&sign).unwrap()).unwrap();
    newer["change"] = json!(newer["change"].as_u64().unwrap() + 1);
    fs::write(&sign, newer.to_string()).unwrap();
    assert_eq!(code(&set()), "replica-newer-than-office", "also if it is configured");
    assert!(run(folder, &["replica", "off"]).status.success());
    assert_eq!(code(&set()), "replica-newer-than-office");
}

/// Otherwise an older copy would be as new as the last heartbeat.
#[test]
fn a_server_that_stops_leaves_its_last_change_at_the_target() {
    let Some((office, _disk, target)) = replicated() else { return };
    let sign =
        || serde_json::from_slice::<Value>(&fs::read(target.join("pleito-alive.json")).unwrap()).unwrap();
    ReplicaWatch::default().run_once(office.app());
    let before = sign()["change"].as_u64().unwrap();
    office.customer("Ana Souza", json!({}));
    let change = *office.app().store().newest_change().borrow();
    assert!(change > before);
    drop(office.stopped());
    assert_eq!(sign()["change"], change);
}

/// Litestream would replace the replica by the empty office.
#[test]
fn a_folder_with_a_replica_and_without_its_store_begins_no_new_office() {
    let Some((office, _disk, target)) = replicated() else { return };
    let lost = tempfile::tempdir().unwrap();
    for name in ["litestream.json", "pleito.office-id"] {
        fs::copy(office.folder().join(name), lost.path().join(name)).unwrap();
    }
    assert_eq!(code(&run(lost.path(), &["token", "new", "--json"])), "store-lost");
    let (_, served) = streams(&run(lost.path(), &["serve", "--listen", "127.0.0.1:0"]));
    assert!(served.contains("pleito.db is missing"), "{served}");
    assert_eq!(point(lost.path(), "store")["ok"], false);
    assert!(!lost.path().join("pleito.db").exists());
    fs::remove_file(lost.path().join("litestream.json")).unwrap();
    assert!(run(lost.path(), &["token", "new"]).status.success());
    assert!(!lost.path().join("pleito.office-id").exists(), "a new office is another one");
    let litestream = litestream("0.5.17", "echo '[]'");
    let taken = set(lost.path(), target.to_str().unwrap(), litestream.path(), "", &[]);
    assert_eq!(code(&taken), "replica-of-another-office");
}

#[test]
fn an_id_that_cannot_be_read_is_not_replaced() {
    let Some((office, disk, _)) = replicated() else { return };
    let id = office.folder().join("pleito.office-id");
    fs::write(&id, "half").unwrap();
    let litestream = litestream("0.5.17", "echo '[]'");
    let other = disk.path().join("other");
    let refused = set(office.folder(), other.to_str().unwrap(), litestream.path(), "", &[]);
    assert_eq!(code(&refused), "office-id-unreadable");
    assert_eq!(fs::read(&id).unwrap(), b"half");
    let (text, _) = streams(&run(office.folder(), &["replica", "off"]));
    assert!(text.contains("could not be told") && !text.contains("another office"), "{text}");
}

#[test]
fn documents_are_copied_after_their_commit() {
    let Some((office, _disk, target)) = replicated() else { return };
    office.customer("Ana Souza", json!({}));
    let id = document(&office, "contrato.pdf", b"%PDF-1.4 contrato");
    let copies = target.join("pleito-replica-documents");
    let is_copied = |copy: &fs::DirEntry| copy.file_name().len() == 64;
    wait_until(MAX_WAIT, "a copy", || fs::read_dir(&copies).ok()?.flatten().find(is_copied));
    office.send("DELETE", &format!("/documents/{id}"), &[], None);
    let emptied = answer(office.folder(), &["trash", "empty", "--yes", "--json"]);
    assert_eq!(emptied["in_replica"], false, "Litestream has never run: {emptied}");
    let mut watch = ReplicaWatch::default();
    watch.run_once(office.app());
    watch.run_once(office.app());
    let names = fs::read_dir(&copies).unwrap().map(|copy| copy.unwrap().file_name().into_string().unwrap());
    let names = names.collect::<Vec<_>>();
    assert!(names.iter().all(|name| name.ends_with(".erased")) && names.len() == 1, "{names:?}");
}

#[test]
fn a_target_is_refused_with_what_to_do() {
    if systemd_units::is_live() {
        return;
    }
    let [office, other] = [(); 2].map(|()| Office::new());
    let disk = tempfile::tempdir().unwrap();
    let target = disk.path().join("replica");
    let target = target.to_str().unwrap();
    let good = litestream("0.5.17", "echo '[]'");
    let folder = office.folder();
    let refused = |litestream: &Path, target: &str| code(&set(folder, target, litestream, "", &[]));
    assert_eq!(refused(disk.path(), target), "litestream-missing");
    assert_eq!(refused(litestream("v0.5.16", "").path(), target), "litestream-too-old");
    assert_eq!(refused(litestream("(development build)", "").path(), target), "litestream-too-old");
    assert_eq!(refused(good.path(), folder.to_str().unwrap()), "replica-inside-data");
    assert_eq!(refused(good.path(), "ftp://host/folder"), "replica-target-form");
    assert_eq!(refused(good.path(), "sftp://ana@host/folder"), "secret-missing");
    let missing = tempfile::tempdir().unwrap();
    assert_eq!(code(&set(missing.path(), target, good.path(), "", &[])), "no-office");
    assert_eq!(configuration(folder), None, "nothing was configured");
    assert!(set(other.folder(), target, good.path(), "", &[]).status.success());
    assert_eq!(refused(good.path(), target), "replica-of-another-office");
}

#[test]
fn secrets_are_in_no_output_and_only_in_the_private_configuration() {
    if systemd_units::is_live() {
        return;
    }
    let office = Office::new();
    let folder = office.folder();
    let silent = |output: &Output| assert!(!format!("{output:?}").contains(SECRET), "{output:?}");
    let sftp = "sftp://ana@nas.example/office";
    // Litestream repeats what it was given.
    let failing = litestream("0.5.17", &format!("echo 'Error: dial ana:{SECRET}@nas.example' >&2; exit 1"));
    let failed = set(folder, sftp, failing.path(), &format!("{SECRET}\n"), &[]);
    assert_eq!(code(&failed), "replica-target-unusable");
    silent(&failed);
    assert_eq!(configuration(folder), None);

    let empty = litestream("0.5.17", "echo '[]'");
    let done = set(folder, sftp, empty.path(), &format!("{SECRET}\n"), &[]);
    assert!(done.status.success(), "{done:?}");
    silent(&done);
    let file = folder.join("litestream.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(configuration(folder).unwrap()["dbs"][0]["replica"]["password"], SECRET);
    for arguments in
        [&["replica", "status", "--json"][..], &["replica", "status"], &["check", "--json"], &["config"]]
    {
        silent(&run(folder, arguments));
    }
    let (text, _) = streams(&run(folder, &["replica", "status"]));
    assert!(text.contains("Documents: are NOT in the replica"), "{text}");

    // Another place that has a replica is refused, and the same one is not: its secret may have changed.
    let full = litestream("0.5.17", "echo '[{\"level\":0}]'");
    let keys = [("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE"), ("AWS_SECRET_ACCESS_KEY", SECRET)];
    let bucket = "s3://bucket/office?endpoint=http://127.0.0.1:9";
    let occupied = set(folder, bucket, full.path(), "", &keys);
    assert_eq!(code(&occupied), "replica-target-occupied");
    silent(&occupied);
    let password = [("PLEITO_REPLICA_PASSWORD", "outra")];
    assert!(set(folder, sftp, full.path(), "", &password).status.success());
    assert_eq!(configuration(folder).unwrap()["dbs"][0]["replica"]["password"], "outra");
    let done = set(folder, bucket, empty.path(), &format!("AKIAEXAMPLE\n{SECRET}\n"), &[]);
    assert!(done.status.success(), "{done:?}");
    let replica = &configuration(folder).unwrap()["dbs"][0]["replica"];
    assert_eq!(
        (&replica["access-key-id"], &replica["secret-access-key"]),
        (&json!("AKIAEXAMPLE"), &json!(SECRET))
    );
    fs::write(&file, format!("{{\"password\": \"{SECRET}\"")).unwrap();
    let unreadable = run(folder, &["replica", "status", "--json"]);
    assert_eq!(code(&unreadable), "replica-configuration");
    silent(&unreadable);
    assert!(run(folder, &["replica", "off"]).status.success());
    assert!(!file.exists());
}
