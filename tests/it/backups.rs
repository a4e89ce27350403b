//! Making, keeping and restoring backups, with and without a running server (product 7).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use pleito::backup::schedule::Schedule;
use pleito::backup::{BackupFile, BackupReason, Backups, Failed};
use pleito::clock::Clock;
use pleito::config::settings;
use pleito::domain::Lang;
use pleito::progress::{Progress, ProgressSink, ProgressState};
use pleito::supervisor::{Owner, OwnerRequest};
use serde_json::{Value, json};

use crate::office::{NOON, Office, UNLIMITED, uses_key};
use crate::program::{Program, new_token, run, run_with, streams};

/// Runs a command and returns its JSON output.
pub fn answer(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn backup(folder: &Path) -> String {
    answer(folder, &["backup", "--json"])["file"].as_str().unwrap().to_owned()
}

/// Returns the finding of `check` for a point.
pub fn point(folder: &Path, point: &str) -> Value {
    let output = run_with(folder, &["check", "--json"], &[("PLEITO_SERVER_LISTEN", "127.0.0.1:0")]);
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = all["findings"].as_array().unwrap().iter().find(|one| one["point"] == point).cloned();
    found.unwrap_or_else(|| panic!("no {point}: {all}"))
}

/// Sets the server's clock to the system's time, which commands use.
pub fn now(office: &Office) {
    office.clock.set(Timestamp::now());
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Returns an office with a customer, and the backup of it that was made while the server ran.
fn office_with_backup() -> (Office, String) {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({ "city": "Criciúma" }));
    let file = backup(office.folder());
    (office, file)
}

#[test]
fn a_backup_is_a_compressed_database_with_metadata() {
    let (office, file) = office_with_backup();
    let other = office.folder().join("elsewhere.db.zst");
    let made = answer(office.folder(), &["backup", other.to_str().unwrap(), "--json"]);
    assert_eq!(made["file"], other.to_str().unwrap());
    for path in [Path::new(&file), &other] {
        let bytes = fs::read(path).unwrap();
        let about: Value = serde_json::from_slice(&bytes[8..1024]).unwrap();
        assert_eq!((&about["customers"], &about["lawsuits"]), (&json!(1), &json!(0)), "{about}");
        assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(about["packed_bytes"], bytes.len());
        // Unpacks the file as `zstd -d` does.
        let plain = tempfile::tempdir().unwrap();
        let database = plain.path().join("store.db");
        fs::write(&database, zstd::decode_all(&bytes[..]).unwrap()).unwrap();
        let open = rusqlite::Connection::open(&database).unwrap();
        let city: String = open.query_row("SELECT city FROM customers", [], |row| row.get(0)).unwrap();
        assert_eq!(city, "Criciúma");
        assert_eq!(files(plain.path()).len(), 1, "the database is one file without a WAL");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
    }
    assert!(file.contains("-c1-p0-"), "{file}");
    // No partial file remains, and an existing file is not overwritten.
    let left = |folder: &Path| files(folder).iter().any(|path| path.to_string_lossy().contains("part"));
    assert!(!left(office.folder()) && !left(&office.folder().join("backups")));
    let again = run(office.folder(), &["backup", other.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(streams(&again).1.contains("there is a file of that name already"), "{again:?}");
    let refused = |to: &Path| streams(&run(office.folder(), &["backup", to.to_str().unwrap()])).1;
    let folder = refused(other.parent().unwrap());
    assert!(folder.contains("is a folder. Add a file name"), "{folder}");
    let missing = refused(&other.join("none/x.db.zst"));
    assert!(missing.contains("does not exist. Create it"), "{missing}");
    assert_eq!(point(office.folder(), "backups")["ok"], true);
}

#[test]
fn a_restore_takes_effect_in_the_running_server_and_can_be_undone() {
    let office = Office::with("[limits]\npost_per_day = 5\nget_per_minute = 0\n");
    office.customer("Ana Souza", json!({}));
    let file = backup(office.folder());
    office.customer("Bruno Lima", json!({}));
    let list = office.get("/customers");
    assert_eq!(list.json()["totalCount"], 2);
    let restored = answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(restored["now"], json!({ "customers": 1, "lawsuits": 0 }));
    // The token and the day's rate-limit counts are those from before the restore. The records are those of
    // the backup.
    let known = [("if-none-match", list.header("etag"))];
    let after = office.send("GET", "/customers", &known, None);
    assert_eq!((after.status, after.json()["totalCount"].clone()), (200, json!(1)));
    assert_eq!(office.get("/customers/2").status, 404);
    assert_eq!(office.ids("/customers?name=bruno"), Vec::<u64>::new());
    assert_eq!(office.customer("Carla Reis", json!({})), 3, "no id is given twice");
    let posts = office.post("/customers", &json!({}));
    assert_eq!(posts.header("x-ratelimit-remaining"), "1");
    // The replaced store is kept as a backup.
    let kept = restored["kept"].as_str().unwrap();
    answer(office.folder(), &["restore", kept, "--json"]);
    assert_eq!(office.ids("/customers?name=bruno"), [2]);
    let mut office = office;
    office.restart();
    assert_eq!(office.ids("/customers"), [1, 2]);
    let posts = office.post("/customers", &json!({}));
    assert_eq!(posts.header("x-ratelimit-remaining"), "0", "the counts survive a restore and a restart");
}

#[test]
fn a_restore_keeps_the_current_token_unless_with_token_is_given() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let (mut office, file) = office_with_backup();
    let old = office.token.clone();
    office.token = new_token(office.folder());
    answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(office.get("/customers").status, 200);
    answer(office.folder(), &["restore", &file, "--with-token", "--json"]);
    assert_eq!(office.get("/customers").status, 401);
    office.token = old;
    assert_eq!(office.get("/customers").status, 200);
    // A revoked token stays revoked after a restore.
    assert!(run(office.folder(), &["token", "revoke"]).status.success());
    answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(office.get("/customers").status, 401);
}

#[test]
fn a_backup_is_restored_on_a_new_machine_with_its_token() {
    let (office, file) = office_with_backup();
    for is_started in [false, true] {
        restore_on_a_new_machine(&office, &file, is_started);
    }
}

fn restore_on_a_new_machine(office: &Office, file: &str, is_started: bool) {
    let folder = tempfile::tempdir().unwrap();
    if is_started {
        drop(Program::serve(folder.path(), &[]));
    }
    let restored = answer(folder.path(), &["restore", file, "--json"]);
    assert_eq!(restored["kept"].is_null(), !is_started);
    let program = Program::serve(folder.path(), &[]);
    let list = program.ask(&office.token, "GET", "/customers", None).unwrap().json();
    assert_eq!(list["data"][0]["name"], "Ana Souza");
    let made = list["data"][0].clone();
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Bia Nunes" });
    let created = program.ask(&office.token, "POST", "/customers", Some(&body)).unwrap();
    assert_eq!(created.status, 201, "{made}");
    let id = created.header("location").rsplit('/').next().unwrap().parse::<u64>().unwrap();
    assert!(id > 100_000, "the other machine may have given ids since");
}

type Damage = fn(&mut Vec<u8>);

/// Ways to damage the file of a store.
fn damages() -> Vec<(&'static str, Damage)> {
    vec![
        ("the header", |bytes| bytes[..100].fill(0xa5)),
        ("a page", |bytes| bytes[3 * 4096..4 * 4096].fill(0xa5)),
        ("everything", |bytes| bytes.fill(b'x')),
        ("cut off", |bytes| bytes.truncate(bytes.len() / 2)),
        ("cut inside a page", |bytes| bytes.truncate(bytes.len() - 1000)),
        ("emptied", Vec::clear),
    ]
}

/// The damage that `restore` can only repair while the server is stopped: SQLite itself discards the WAL of
/// an empty file.
const ONLY_STOPPED: &str = "emptied";

#[test]
fn a_damaged_store_is_not_served_but_kept_and_a_restore_is_suggested() {
    let (office, file) = office_with_backup();
    let token = office.token.clone();
    let folder = office.stopped();
    let folder = folder.path();
    let store = folder.join("pleito.db");
    let sound = fs::read(&store).unwrap();
    for (what, damage) in damages() {
        let mut bytes = sound.clone();
        damage(&mut bytes);
        for companion in ["pleito.db-wal", "pleito.db-shm"] {
            let _ = fs::remove_file(folder.join(companion));
        }
        fs::write(&store, &bytes).unwrap();
        for (lang, words) in [("en", "is damaged"), ("pt-BR", "está danificado")] {
            let started = run_with(folder, &["serve", "--listen", "127.0.0.1:0"], &[("PLEITO_LANG", lang)]);
            let (out, err) = streams(&started);
            assert_eq!((started.status.code(), out.as_str()), (Some(1), ""), "{what}: {err}");
            assert!(err.contains(words) && err.contains("pleito.db"), "{err}");
            let back = format!("pleito restore --latest --data-dir {}.", folder.display());
            assert!(err.contains(&back), "another office would be replaced: {err}");
            assert_eq!(err.lines().count(), 1, "{err}");
        }
        assert!(fs::read(&store).unwrap() == bytes, "{what}: the damaged store was changed");
        // A backup that fails leaves the existing ones alone.
        let refused = run(folder, &["backup"]);
        assert_eq!(refused.status.code(), Some(1), "{what}: {refused:?}");
        assert!(Path::new(&file).exists());

        let restored = answer(folder, &["restore", "--latest", "--json"]);
        assert_eq!(restored["restored"], file.as_str(), "{what}");
        let kept = restored["kept"].as_str().unwrap();
        assert!(fs::read(kept).unwrap() == bytes, "{what}: {kept} is not the damaged store");
        let program = Program::serve(folder, &[]);
        assert_eq!(program.ask(&token, "GET", "/customers/1", None).unwrap().status, 200, "{what}");
        drop(program);
        fs::remove_file(kept).unwrap();
    }
}

#[test]
fn a_store_damaged_under_the_running_server_is_restored_while_it_runs() {
    for (what, damage) in damages().into_iter().filter(|(what, _)| *what != ONLY_STOPPED) {
        let folder = tempfile::tempdir().unwrap();
        let program = Program::serve(folder.path(), &[]);
        let token = new_token(folder.path());
        let add = |name: &str| {
            let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
            program.ask(&token, "POST", "/customers", Some(&body)).unwrap().status
        };
        assert_eq!(add("Ana Souza"), 201);
        let file = backup(folder.path());
        assert_eq!(add("Bruno Lima"), 201);
        let store = folder.path().join("pleito.db");
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        rusqlite::Connection::open(&store).unwrap().query_row(checkpoint, [], |_| Ok(())).unwrap();
        assert_eq!(add("Carla Reis"), 201);
        // Damages the file below SQLite, as a failing disk does. The newest pages are still in the WAL.
        let mut bytes = fs::read(&store).unwrap();
        damage(&mut bytes);
        fs::write(&store, &bytes).unwrap();
        let restored = answer(folder.path(), &["restore", "--latest", "--json"]);
        assert_eq!(restored["restored"], file.as_str());
        assert!(Path::new(restored["kept"].as_str().unwrap()).exists(), "{what}");
        let token = new_token(folder.path());
        let list = program.ask(&token, "GET", "/customers", None).unwrap();
        assert_eq!(list.json()["totalCount"], 1, "{what}: {}", list.text());
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Davi Melo" });
        assert_eq!(program.ask(&token, "POST", "/customers", Some(&body)).unwrap().status, 201, "{what}");
        let found = program.ask(&token, "GET", "/customers?name=melo", None).unwrap();
        assert_eq!(found.json()["totalCount"], 1, "{what}");
        drop(program);
        assert_eq!(point(folder.path(), "store")["ok"], true, "{what}");
        let program = Program::serve(folder.path(), &[]);
        let list = program.ask(&token, "GET", "/customers", None).unwrap();
        assert_eq!(list.json()["totalCount"], 2, "{what}");
    }
}

#[test]
fn an_invalid_backup_is_refused_with_a_reason_and_changes_nothing() {
    let (office, file) = office_with_backup();
    let folder = office.folder();
    let sound = fs::read(&file).unwrap();
    let at = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let database = |name: &str, sql: &str| {
        let path = folder.join(name);
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut changed = sound.clone();
    let middle = 1024 + (changed.len() - 1024) / 2;
    changed[middle] ^= 1;
    for (path, english, portuguese) in [
        (at("changed.db.zst", &changed), "is damaged", "está danificado"),
        (at("cut.db.zst", &sound[..sound.len() - 7]), "is damaged", "está danificado"),
        (at("letter.db.zst", b"Dear Ana, here is the backup."), "is not a Pleito backup", "não é um backup"),
        (at("empty.db.zst", b""), "is not a Pleito backup", "não é um backup"),
        (folder.join("missing.db.zst").to_str().unwrap().to_owned(), "does not exist", "não existe"),
        (database("recipes.db", "CREATE TABLE recipes (name TEXT)"), "belongs to another", "outro programa"),
        (
            database(
                "newer.db",
                "PRAGMA application_id = 0x506c6569; PRAGMA user_version = 99; CREATE TABLE a (b)",
            ),
            "from a newer Pleito",
            "Pleito mais novo",
        ),
    ] {
        for (lang, words) in [("en", english), ("pt-BR", portuguese)] {
            let output = run_with(folder, &["restore", &path], &[("PLEITO_LANG", lang)]);
            let (out, err) = streams(&output);
            assert_eq!((output.status.code(), out.as_str()), (Some(1), ""), "{path}: {err}");
            assert!(err.contains(words) && err.lines().count() == 1, "{path}: {err}");
        }
    }
    assert_eq!(office.ids("/customers"), [1]);
    assert_eq!(files(&folder.join("backups")).len(), 2, "the one backup and the lock");
    // `--latest` passes over no newer backup: it says which is damaged, and how to restore the older one.
    office.customer("Bruno Lima", json!({}));
    let newer = backup(folder);
    fs::write(&newer, &changed).unwrap();
    let passed = run(folder, &["restore", "--latest"]);
    let older = format!("in place of --latest: {file}");
    assert_eq!(passed.status.code(), Some(1), "{passed:?}");
    assert!([newer.as_str(), &older].iter().all(|words| streams(&passed).1.contains(words)), "{passed:?}");
    assert_eq!(office.ids("/customers"), [1, 2]);
    assert_eq!(answer(folder, &["restore", &file, "--json"])["restored"], file.as_str());
    assert_eq!(office.ids("/customers"), [1]);
    fs::remove_file(&file).unwrap();
    let none = run(folder, &["restore", "--latest"]);
    assert!(streams(&none).1.contains("there is no sound backup"), "{none:?}");
    for wrong in [&["restore"][..], &["restore", "a", "--latest"], &["backup", "a", "b"]] {
        assert_eq!(run(folder, wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_failed_backup_is_reported_until_the_next_one_succeeds() {
    let office = Office::new();
    now(&office);
    let folder = office.folder();
    fs::write(folder.join("backups"), "a file where the folder should be").unwrap();
    assert_eq!(run(folder, &["backup"]).status.code(), Some(1));
    let health = office.raw("GET", "/health", &[], None);
    assert_eq!(
        (health.status, health.json()),
        (200, json!({ "status": "degraded", "code": "backup-failed" }))
    );
    let found = point(folder, "backups");
    assert_eq!(found["ok"], false, "{found}");
    fs::remove_file(folder.join("backups")).unwrap();
    backup(folder);
    assert_eq!(office.raw("GET", "/health", &[], None).json(), json!({ "status": "ok" }));
    assert_eq!(point(folder, "backups")["ok"], true);
}

/// Returns the backups of a folder as a server manages them, with a clock that the test sets.
pub fn keeper(folder: &Path, clock: &Clock, keep: (u16, u16)) -> Backups {
    let keep = settings::Retention { daily: keep.0, monthly: keep.1 };
    with_settings(folder, clock, settings::Backup { keep, ..settings::Backup::default() })
}

/// Returns the backups of an office with another backup folder.
pub fn keeper_in(folder: &Path, clock: &Clock, dir: &str) -> Backups {
    with_settings(folder, clock, settings::Backup { dir: dir.to_owned(), ..settings::Backup::default() })
}

fn with_settings(folder: &Path, clock: &Clock, settings: settings::Backup) -> Backups {
    let zone = TimeZone::get("America/Sao_Paulo").unwrap();
    Backups::new(folder.to_owned(), zone, clock.clone(), move || settings.clone())
}

#[test]
fn backups_are_made_on_schedule_and_old_ones_are_removed() {
    let office = Office::with(UNLIMITED);
    let folder = office.stopped();
    let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
    let backups = keeper(folder.path(), &clock, (3, 2));
    let mut schedule = Schedule::new(backups.moment());
    let days = || {
        let all = backups.list().unwrap();
        all.iter()
            .map(|one| one.about.as_ref().unwrap().made_at.to_string()[..10].to_owned())
            .collect::<Vec<_>>()
    };
    backups.make_if_due(&mut schedule);
    assert_eq!(days().len(), 0, "no backup is due right after the start");
    for _ in 0..40 {
        clock.advance(Duration::from_secs(24 * 60 * 60));
        backups.make_if_due(&mut schedule);
        backups.make_if_due(&mut schedule);
    }
    assert_eq!(days(), ["2026-07-27", "2026-07-26", "2026-07-25", "2026-06-30"]);
    // A clock set to 2001 removes no backup. The backup that is made then is kept too, as the newest one.
    clock.set("2001-01-01T12:00:00Z".parse().unwrap());
    clock.advance(Duration::from_secs(24 * 60 * 60));
    backups.make_if_due(&mut schedule);
    assert_eq!(days(), ["2001-01-02", "2026-07-27", "2026-07-26", "2026-07-25", "2026-06-30"]);
    // A requested backup is kept for its day, even if another one is made on that day.
    backups.make(BackupReason::Requested).unwrap();
    clock.set("2026-07-28T12:00:00Z".parse().unwrap());
    let requested = backups.make(BackupReason::Requested).unwrap();
    clock.advance(Duration::from_secs(60));
    backups.make(BackupReason::Schedule).unwrap();
    assert!(requested.path.exists());
    assert_eq!(backups.verify(&requested.path).unwrap(), requested.about);
}

#[test]
fn a_failed_backup_removes_no_sound_one() {
    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let folder = office.stopped();
    let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
    let backups = keeper(folder.path(), &clock, (1, 0));
    let good = backups.make(BackupReason::Schedule).unwrap();
    let store = folder.path().join("pleito.db");
    let mut bytes = fs::read(&store).unwrap();
    bytes[8 * 4096..12 * 4096].fill(0x5a);
    fs::write(&store, &bytes).unwrap();
    clock.advance(Duration::from_secs(30 * 24 * 60 * 60));
    let failed = backups.make(BackupReason::Schedule).unwrap_err();
    assert_eq!(failed.code(), "store-damaged", "{failed:?}");
    assert!(good.path.exists() && backups.last().unwrap().problem.is_some());
    assert_eq!(backups.newest_sound(), good.about);
    // If there is no store, the backup fails because of the file.
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(
        keeper(empty.path(), &clock, (1, 0)).make(BackupReason::Requested),
        Err(Failed::File(..))
    ));
}

#[test]
fn no_backup_is_made_on_the_system_s_disk_if_that_of_the_folder_is_missing() {
    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let folder = office.stopped();
    let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    let dir = elsewhere.path().join("disk");
    let backups = keeper_in(folder.path(), &clock, dir.to_str().unwrap());
    backups.make(BackupReason::Schedule).unwrap();
    // As a backup on another disk notes it.
    let state = folder.path().join("backup.state");
    let mut noted: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    noted["newest"]["mount"] = json!(dir);
    fs::write(&state, noted.to_string()).unwrap();
    fs::rename(&dir, elsewhere.path().join("unplugged")).unwrap();

    // It stays missing after the first failure.
    for _ in 0..2 {
        assert_eq!(backups.make(BackupReason::Schedule).unwrap_err().code(), "backup-disk-missing");
        assert_eq!(backups.last().unwrap().problem.unwrap().code, "backup-disk-missing");
    }
    assert_eq!(backups.list().unwrap_err().code(), "backup-disk-missing");
    assert_eq!(backups.test().unwrap_err().code(), "backup-disk-missing");
    let newest = backups.restore(None, |_| unreachable!()).unwrap_err();
    assert_eq!(newest.code(), "backup-disk-missing");
    assert!(!dir.exists());
    // Files elsewhere are made and restored all the same.
    let file = elsewhere.path().join("before-the-visit.db.zst");
    backups.make_at(&file).unwrap();
    let restored = backups.restore(Some(&file), |unpacked| backups.replace(unpacked, false, None)).unwrap();
    assert!(restored.kept.unwrap().starts_with(folder.path().join("backups")));
    assert!(!dir.exists());
    // Another folder is used.
    let other = elsewhere.path().join("other");
    keeper_in(folder.path(), &clock, other.to_str().unwrap()).make(BackupReason::Requested).unwrap();
    // The person has decided for another one meanwhile.
    backups.make(BackupReason::Schedule).unwrap();
}

#[test]
fn the_newest_backup_is_not_looked_for_in_another_folder_than_that_of_the_server() {
    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let folder = office.stopped();
    let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
    let command = keeper(folder.path(), &clock, (30, 12));
    command.make(BackupReason::Requested).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let server = keeper_in(folder.path(), &clock, elsewhere.path().to_str().unwrap());
    clock.advance(Duration::from_secs(24 * 60 * 60));
    let newest = server.make(BackupReason::Schedule).unwrap().path;

    let refused = command.restore(None, |_| unreachable!()).unwrap_err();
    assert_eq!(refused.code(), "newest-backup-elsewhere");
    let message = refused.message(Lang::En);
    assert!(message.contains(newest.to_str().unwrap()), "{message}");
    assert_eq!(command.test().unwrap_err().code(), "newest-backup-elsewhere");
    assert_eq!(command.last_test(), None);
    let found = point(folder.path(), "backups");
    assert!(found["text"].as_str().unwrap().contains(newest.to_str().unwrap()), "{found}");
    server.test().unwrap();
    command.restore(Some(&newest), |unpacked| command.replace(unpacked, false, None)).unwrap();
    // The folder of the backups was moved, with its settings.
    let moved = folder.path().join("backups").join(newest.file_name().unwrap());
    fs::rename(&newest, &moved).unwrap();
    command.restore(None, |unpacked| command.replace(unpacked, false, None)).unwrap();
}

#[test]
fn a_requested_backup_reports_its_progress() {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let received = Arc::new(Mutex::new(Vec::<Progress>::new()));
    let sink = received.clone();
    let on_progress: ProgressSink = Arc::new(move |progress| {
        sink.lock().push(progress);
        true
    });
    // Requests a backup from the server over the local channel, which forwards progress from time to time.
    let owner = Owner::running(office.folder()).unwrap();
    let made: BackupFile =
        owner.ask_with_progress(OwnerRequest::Backup, Lang::En, &on_progress).ok().unwrap();
    assert!(!received.lock().is_empty());

    received.lock().clear();
    let length = made.about.unwrap().bytes;
    let to = office.folder().join("own.db.zst");
    office.app().backups().with_progress(on_progress).make_at(&to).unwrap();
    let received = received.lock();
    let whole: Vec<_> = received.iter().filter(|one| one.all() > 0 && one.done() == one.all()).collect();
    let message =
        |one: &Progress| ProgressState::new(one.clone(), Duration::ZERO).message(Duration::ZERO, Lang::Pt);
    assert!(whole.iter().all(|one| one.all() == length), "{whole:?}");
    for step in ["compactando", "relendo o backup"] {
        assert!(whole.iter().any(|one| message(one).starts_with(step)), "{step}: {whole:?}");
    }
    assert!(received.iter().any(|one| message(one) == "verificando a cópia · há 0 s"), "{received:?}");
}

/// Opens, upgrades and restores the stores in `tests/golden/stores`, which holds a small office's backup for every schema.
/// A new schema gets its file with PLEITO_WRITE_GOLDEN=1. Existing files are never rewritten.
#[test]
fn a_store_of_every_schema_is_upgraded() {
    let office = Office::new();
    let customer = office.customer("João da Conceição", json!({ "identification": "52998224725" }));
    office.lawsuit(&[customer], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    let made = answer(office.folder(), &["backup", "--json"]);
    let newest = made["about"]["schema"].as_u64().unwrap();
    let golden = |schema: u64| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/stores/schema-{schema}.db.zst"))
    };
    if std::env::var_os("PLEITO_WRITE_GOLDEN").is_some() && !golden(newest).exists() {
        fs::copy(made["file"].as_str().unwrap(), golden(newest)).unwrap();
    }
    for schema in 1..=newest {
        let packed =
            fs::read(golden(schema)).unwrap_or_else(|cause| panic!("{}: {cause}", golden(schema).display()));
        let updated = tempfile::tempdir().unwrap();
        let plain = zstd::decode_all(&packed[..]).unwrap();
        fs::write(updated.path().join("pleito.db"), &plain).unwrap();
        let restored = tempfile::tempdir().unwrap();
        answer(restored.path(), &["restore", golden(schema).to_str().unwrap(), "--json"]);
        if schema < newest {
            let store = point(updated.path(), "store");
            assert!(
                store["ok"] == true && store["text"].as_str().unwrap().contains("earlier version"),
                "{store}"
            );
        }
        for folder in [updated.path(), restored.path()] {
            let program = Program::serve(folder, &[]);
            let token = new_token(folder);
            let list = program.ask(&token, "GET", "/lawsuits?name=conceicao", None).unwrap().json();
            assert_eq!(
                list["data"][0]["customers"][0]["name"], "João da Conceição",
                "schema {schema}: {list}"
            );
            let again = answer(folder, &["backup", "--json"]);
            assert_eq!(again["about"]["schema"], newest);
        }
        let before = updated.path().join(format!("pleito-before-schema.{schema}"));
        assert_eq!(before.exists(), schema < newest, "an upgrade keeps the old store");
    }
}
