//! The order of backups regardless of their clocks, and the files that a restore refuses (product 7).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use pleito::backup::{BackupFile, BackupReason, Backups, Failed, Restored};
use pleito::clock::Clock;
use pleito::domain::Lang;
use pleito::store::{Error, Store};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::backups::{answer, backup, keeper, keeper_in, point};
use crate::console::visitor::Visitor;
use crate::office::{NOON, Office, UNLIMITED};
use crate::program::{run, run_with, streams};

/// Length of the header in front of the packed data, and of the non-JSON part at its start (docs/backups.md).
const HEAD: usize = 1024;
const FRAME: usize = 8;

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns the folder of a stopped office, a clock, and its backups.
fn closed() -> (std::sync::Arc<tempfile::TempDir>, Clock, Backups) {
    let folder = Office::with(UNLIMITED).stopped();
    let clock = Clock::set_to(at(NOON));
    let backups = keeper(folder.path(), &clock, (14, 12));
    (folder, clock, backups)
}

/// Changes the store of the stopped office by adding an origin.
fn add(folder: &Path, name: &str) {
    let open = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    open.execute("INSERT INTO origins (name, name_key) VALUES (?1, ?1)", [name]).unwrap();
}

fn has(folder: &Path, name: &str) -> bool {
    let open = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    let count = "SELECT count(*) FROM origins WHERE name = ?1";
    open.query_row(count, [name], |row| row.get::<_, u32>(0)).unwrap() == 1
}

pub fn damage(folder: &Path) {
    fs::write(folder.join("pleito.db"), [b'x'; 8192]).unwrap();
}

fn paths(backups: &Backups) -> Vec<PathBuf> {
    backups.list().unwrap().into_iter().map(|one| one.path).collect()
}

/// Restores a backup while no server runs.
pub fn restore(backups: &Backups, file: Option<&Path>) -> Result<Restored, Failed> {
    backups.restore(file, |from| backups.replace(from, false, None))
}

/// Changes the metadata in a backup's header.
pub fn rewrite(backup: &BackupFile, change: impl FnOnce(&mut serde_json::Map<String, Value>)) {
    let mut bytes = fs::read(&backup.path).unwrap();
    let mut about: Value = serde_json::from_slice(&bytes[FRAME..HEAD]).unwrap();
    change(about.as_object_mut().unwrap());
    // As an earlier version made it.
    about.as_object_mut().unwrap().remove("sum");
    let mut head = about.to_string().into_bytes();
    head.resize(HEAD - FRAME, b' ');
    bytes[FRAME..HEAD].copy_from_slice(&head);
    fs::write(&backup.path, bytes).unwrap();
}

/// Changes the database in a backup and updates the metadata to match.
fn change(backup: &BackupFile, sql: &str) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("store.db");
    fs::write(&path, zstd::decode_all(&fs::read(&backup.path).unwrap()[..]).unwrap()).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let plain = fs::read(&path).unwrap();
    let packed = zstd::encode_all(&plain[..], 1).unwrap();
    let head = fs::read(&backup.path).unwrap()[..HEAD].to_vec();
    fs::write(&backup.path, [head, packed].concat()).unwrap();
    rewrite(backup, |about| {
        about["bytes"] = json!(plain.len());
        let sum: String = Sha256::digest(&plain).iter().map(|byte| format!("{byte:02x}")).collect();
        about["sha256"] = json!(sum);
        about["packed_bytes"] = json!(fs::metadata(&backup.path).unwrap().len());
    });
}

/// A backup made while the clock was wrongly in 2031 counted as the newest for five years, and a restore lost
/// all later data.
#[test]
fn the_newest_backup_is_the_one_made_last_and_not_the_one_with_the_latest_date() {
    let (folder, clock, backups) = closed();
    clock.set(at("2031-01-01T12:00:00Z"));
    let future = backups.make(BackupReason::Schedule).unwrap();
    clock.set(at("2026-06-18T12:00:00Z"));
    add(folder.path(), "Revista");
    let normal = backups.make(BackupReason::Schedule).unwrap();
    assert_eq!(paths(&backups), [normal.path.clone(), future.path.clone()]);
    assert_eq!(backups.newest_sound(), normal.about);
    damage(folder.path());
    // The command line reports and restores the backup of 2026-06-18.
    let started = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(streams(&started).1.contains("the backup of 2026-06-18"), "{started:?}");
    let restored = answer(folder.path(), &["restore", "--latest", "--json"]);
    assert_eq!(restored["restored"], normal.path.to_str().unwrap());
    assert!(has(folder.path(), "Revista"));
    // A backup made while the clock is behind still counts as the last one.
    clock.set(at("2001-01-01T12:00:00Z"));
    add(folder.path(), "Jornal");
    backups.make(BackupReason::Schedule).unwrap();
    clock.set(at("2026-06-19T12:00:00Z"));
    damage(folder.path());
    restore(&backups, None).unwrap();
    assert!(has(folder.path(), "Jornal"));
}

/// After a restore over damage, and in a new store, the store's own sequence numbers are lower than those of
/// earlier backups.
#[test]
fn a_backup_made_after_a_restore_or_in_a_new_store_is_newer_than_all_earlier_ones() {
    let (folder, _clock, backups) = closed();
    let folder = folder.path();
    let first = backups.make(BackupReason::Schedule).unwrap();
    add(folder, "Revista");
    backups.make(BackupReason::Schedule).unwrap();
    for round in 0..3 {
        // The first restore replaces a sound store, whose sequence number is far ahead. The second replaces a
        // damaged one, whose number is unknown.
        restore(&backups, Some(&first.path)).unwrap();
        let over_sound = backups.make(BackupReason::Schedule).unwrap();
        assert_eq!(paths(&backups)[0], over_sound.path, "{round}");
        damage(folder);
        restore(&backups, Some(&first.path)).unwrap();
        add(folder, "Jornal");
        let over_damage = backups.make(BackupReason::Schedule).unwrap();
        assert_eq!(paths(&backups)[0], over_damage.path, "{round}");
    }
    fs::remove_file(folder.join("pleito.db")).unwrap();
    drop(Store::open(folder).unwrap());
    add(folder, "Cartaz");
    let anew = backups.make(BackupReason::Schedule).unwrap();
    assert_eq!(paths(&backups)[0], anew.path);
    damage(folder);
    assert_eq!(restore(&backups, None).unwrap().path, anew.path);
    assert!(has(folder, "Cartaz"));
}

/// Backups of versions without sequence numbers have only their dates.
#[test]
fn backups_without_a_number_are_ordered_by_date_with_future_dates_last() {
    let (folder, clock, backups) = closed();
    let made = |day: &str| {
        clock.set(at(day));
        add(folder.path(), day);
        backups.make(BackupReason::Schedule).unwrap()
    };
    let days =
        ["2026-06-16T12:00:00Z", "2031-01-01T12:00:00Z", "2026-06-18T12:00:00Z", "2030-01-01T12:00:00Z"];
    let all = days.map(made);
    for one in &all {
        rewrite(one, |about| _ = about.remove("sequence").unwrap());
    }
    let order = |of: [usize; 4]| of.map(|place| all[place].path.clone()).to_vec();
    clock.set(at("2026-06-19T12:00:00Z"));
    assert_eq!(paths(&backups), order([2, 0, 1, 3]));
    assert_eq!(backups.newest_sound().unwrap().made_at, at(days[2]));
    clock.set(at("2030-06-19T12:00:00Z"));
    assert_eq!(paths(&backups), order([3, 2, 0, 1]));
    // A backup with a sequence number is newer than every backup without one.
    clock.set(at("2026-06-17T12:00:00Z"));
    let numbered = backups.make(BackupReason::Schedule).unwrap();
    assert_eq!(paths(&backups)[0], numbered.path);
    damage(folder.path());
    assert_eq!(restore(&backups, None).unwrap().path, numbered.path);
}

/// A backup with a future date counted as the backup of a day and of a month until that date came.
#[test]
fn a_backup_with_a_future_date_displaces_no_other_and_is_deleted_in_time() {
    let (folder, clock, _) = closed();
    let backups = keeper(folder.path(), &clock, (3, 2));
    let make = |day: &str| {
        clock.set(at(&format!("{day}T12:00:00Z")));
        backups.make(BackupReason::Schedule).unwrap();
        let days = backups.list().unwrap().into_iter().map(|one| one.about.unwrap().made_at.to_string());
        days.map(|day| day[..10].to_owned()).collect::<Vec<_>>()
    };
    for day in ["2026-05-30", "2026-05-31", "2026-06-01", "2031-01-01", "2031-01-02"] {
        make(day);
    }
    assert_eq!(make("2026-06-02"), ["2026-06-02", "2031-01-02", "2031-01-01", "2026-06-01"]);
    make("2026-06-03");
    make("2026-06-04");
    assert_eq!(make("2026-07-01"), ["2026-07-01", "2026-06-04", "2026-06-03"]);
}

#[test]
fn a_backup_with_a_future_date_is_reported_as_such_everywhere() {
    let office = Office::new();
    let folder = office.folder();
    let backups = keeper(folder, &office.clock, (14, 12));
    office.clock.set(at("2931-01-01T12:00:00Z"));
    let future = backups.make(BackupReason::Requested).unwrap();
    office.clock.set(at(NOON));
    let (english, portuguese) = ("a date in the future", "data no futuro");
    let page = Visitor::new(&office).page("/backups");
    assert!(page.contains(english), "{page}");
    let found = point(folder, "backups");
    assert_eq!(found["ok"], false, "the age of the last backup is unknown: {found}");
    assert!(found["text"].as_str().unwrap().contains(english), "{found}");
    for (lang, words) in [("en", english), ("pt-BR", portuguese)] {
        let restored =
            run_with(folder, &["restore", future.path.to_str().unwrap()], &[("PLEITO_LANG", lang)]);
        assert!(streams(&restored).0.contains(words), "{restored:?}");
    }
    // Without a server, the command makes the backup itself, and uses the system's clock.
    let folder = office.stopped();
    let folder = folder.path();
    answer(folder, &["backup", "--json"]);
    let found = point(folder, "backups");
    assert_eq!(found["ok"], true, "{found}");
    assert!(found["text"].as_str().unwrap().contains("1 with a date in the future"), "{found}");
    for entry in fs::read_dir(folder.join("backups")).unwrap() {
        let path = entry.unwrap().path();
        if path != future.path {
            fs::remove_file(path).unwrap();
        }
    }
    damage(folder);
    for (lang, words) in [("en", english), ("pt-BR", portuguese)] {
        let started = run_with(folder, &["serve", "--listen", "127.0.0.1:0"], &[("PLEITO_LANG", lang)]);
        assert!(streams(&started).1.contains(words), "{started:?}");
    }
}

/// A restore accepted a database without a version, with a table missing, or with a foreign trigger, in place
/// of a store in service. Afterwards no server could start over it, or every write failed.
#[test]
fn a_restore_refuses_an_unusable_database_and_names_the_deviation() {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let folder = office.folder();
    let made = answer(folder, &["backup", "--json"]);
    let plain = zstd::decode_all(&fs::read(made["file"].as_str().unwrap()).unwrap()[..]).unwrap();
    let database = |name: &str, sql: &str| {
        let path = folder.join(name);
        fs::write(&path, &plain).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (sql, english, portuguese) in [
        ("PRAGMA user_version = 0", "has no schema version", "falta a versão do esquema"),
        ("DROP TABLE counters", "the table counters is missing", "falta a tabela counters"),
        (
            "DROP TABLE lawsuit_customers; DROP TABLE customers",
            "the table customers is missing",
            "falta a tabela",
        ),
        ("ALTER TABLE users DROP COLUMN cellphone", "the table users is not as", "a tabela users não está"),
        (
            "CREATE TRIGGER no_more BEFORE INSERT ON customers BEGIN SELECT RAISE(ABORT, 'no'); END",
            "the trigger no_more is not Pleito's",
            "o gatilho (trigger) no_more não é do Pleito",
        ),
        ("CREATE VIEW crowd AS SELECT name FROM customers", "the view crowd", "a visão (view) crowd"),
        ("CREATE TABLE recipes (name TEXT)", "the table recipes", "a tabela recipes"),
    ] {
        let path = database("odd.db", sql);
        for (lang, words) in [("en", english), ("pt-BR", portuguese)] {
            let refused = run_with(folder, &["restore", &path], &[("PLEITO_LANG", lang)]);
            let (out, err) = streams(&refused);
            assert_eq!((refused.status.code(), out.as_str()), (Some(1), ""), "{sql}: {err}");
            assert!(
                err.contains(words) && err.contains("odd.db") && err.lines().count() == 1,
                "{sql}: {err}"
            );
        }
    }
    assert_eq!(office.ids("/customers"), [1]);
    assert_eq!(office.customer("Bruno Lima", json!({})), 2);
    // Tables that SQLite keeps for itself and that Litestream adds do not stop a server from starting.
    let litestream = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
        CREATE TABLE _litestream_lock (id INTEGER); ANALYZE";
    answer(folder, &["restore", &database("fine.db", litestream), "--json"]);
    assert_eq!(office.ids("/customers"), [1]);
    assert_eq!(office.customer("Carla Reis", json!({})), 3, "no id is given twice");
    answer(folder, &["backup", "--json"]);
}

/// A backup that no restore would accept is useless, so making one fails with the deviation, and `check`
/// reports it. A restore over such a store keeps it as a file.
#[test]
fn a_store_with_a_changed_schema_is_reported_and_not_backed_up() {
    let (folder, _clock, backups) = closed();
    let folder = folder.path();
    let good = backups.make(BackupReason::Requested).unwrap();
    let open = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    open.execute_batch("CREATE VIEW crowd AS SELECT name FROM customers").unwrap();
    drop(open);
    let failed = backups.make(BackupReason::Schedule).unwrap_err();
    assert_eq!(failed.code(), "store-schema", "{failed:?}");
    let refused = run(folder, &["backup"]);
    let text = streams(&refused).1;
    assert!(text.contains("the view crowd is not Pleito's; nothing was changed. Remove it"), "{text}");
    assert!(!text.contains("restore"), "the data are sound: {text}");
    for part in ["store", "backups"] {
        let found = point(folder, part);
        assert_eq!(found["ok"], false, "{found}");
        assert!(found["text"].as_str().unwrap().contains("the view crowd is not Pleito's"), "{found}");
    }
    let restored = restore(&backups, None).unwrap();
    assert_eq!(restored.path, good.path);
    let kept = rusqlite::Connection::open(restored.kept.unwrap()).unwrap();
    kept.query_row("SELECT count(*) FROM crowd", [], |_| Ok(())).unwrap();
    assert_eq!(point(folder, "store")["ok"], true);
    // A backup with a foreign view is passed over only if the older one is named.
    let odd = backups.make(BackupReason::Requested).unwrap();
    change(&odd, "CREATE VIEW crowd AS SELECT name FROM customers");
    assert!(matches!(backups.verify(&odd.path), Err(Failed::Unusable(_, Error::Schema(_)))));
    let failed = restore(&backups, None).unwrap_err();
    assert!(
        matches!(&failed, Failed::PassedOver(sound, faults) if *sound == good.path && faults.len() == 1),
        "{failed:?}"
    );
    let sentence = failed.message(Lang::En);
    assert!(sentence.contains(odd.path.to_str().unwrap()) && sentence.contains("crowd"), "{sentence}");
    assert!(sentence.ends_with(&format!("in place of --latest: {}.", good.path.display())), "{sentence}");
    assert_eq!(restore(&backups, Some(&good.path)).unwrap().path, good.path);
}

#[test]
fn a_newer_file_that_is_cut_off_is_not_passed_over_silently() {
    let (folder, _, backups) = closed();
    let good = backups.make(BackupReason::Requested).unwrap();
    let cut = good.path.with_file_name("pleito-cut.db.zst");
    let bytes = fs::read(&good.path).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 9]).unwrap();
    let failed = restore(&backups, None).unwrap_err();
    assert_eq!(failed.code(), "newer-backup-unusable", "{failed:?}");
    assert!(failed.message(Lang::Pt).contains("pleito-cut.db.zst"), "{failed:?}");
    assert!(point(folder.path(), "backups")["text"].as_str().unwrap().contains("remove it"));
    // A file that is older than the sound one is nothing that a restore passes over.
    let before = std::time::SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&cut).unwrap().set_modified(before).unwrap();
    assert_eq!(restore(&backups, None).unwrap().path, good.path);
    // What cannot be read may be whole, so nothing advises removing it. A folder fails for the superuser too.
    fs::remove_file(&cut).unwrap();
    fs::create_dir(&cut).unwrap();
    let found = point(folder.path(), "backups");
    assert_eq!(found["ok"], false, "{found}");
    assert!(!found["text"].as_str().unwrap().contains("remove"), "{found}");
}

/// As `litestream restore` or a copy by hand does it, while the server is stopped.
#[test]
fn a_store_that_came_back_by_other_means_gives_no_number_twice_and_tells_followers() {
    let mut office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let elsewhere = tempfile::tempdir().unwrap();
    let replica = elsewhere.path().join("pleito.db");
    let copy = format!("VACUUM INTO '{}'", replica.display());
    rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap().execute_batch(&copy).unwrap();
    office.customer("Bruno Lima", json!({}));
    let latest = office.get("/changes?limit=1").json()["latest"].as_u64().unwrap();
    office.restart_after(|folder| _ = fs::copy(&replica, folder.join("pleito.db")).unwrap());
    let message = office.get(&format!("/changes?since={latest}&limit=1000")).json();
    assert_eq!(message["data"][0]["op"], "replaced", "{message}");
    assert_eq!(office.customer("Carla Reis", json!({})), 3);
    assert_eq!(office.ids("/customers"), [1, 3]);
}

/// A program that reads an old state for ever, as Litestream does when it hangs, beside Litestream's tables.
#[test]
fn erased_data_in_the_log_and_in_a_replica_is_reported() {
    let office = Office::with(UNLIMITED);
    let engine = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    let tables = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
        CREATE TABLE _litestream_lock (id INTEGER); INSERT INTO _litestream_seq VALUES (1, 1)";
    engine.execute_batch(tables).unwrap();
    let ana = office.customer("Ana Souza", json!({}));
    office.customer("Bruno Lima", json!({}));
    office.send("DELETE", &format!("/customers/{ana}"), &[], None);
    engine.execute_batch("BEGIN").unwrap();
    engine.query_row("SELECT count(*) FROM _litestream_seq", [], |_| Ok(())).unwrap();
    let emptied = answer(office.folder(), &["trash", "empty", "--yes", "--json"]);
    assert_eq!((&emptied["in_log"], &emptied["in_replica"]), (&json!(true), &json!(true)), "{emptied}");
    engine.execute_batch("COMMIT").unwrap();
    let caio = office.customer("Caio Nunes", json!({}));
    office.send("DELETE", &format!("/customers/{caio}"), &[], None);
    office.customer("Dora Lima", json!({}));
    let emptied = answer(office.folder(), &["trash", "empty", "--yes", "--json"]);
    assert_eq!((&emptied["in_log"], &emptied["in_replica"]), (&json!(false), &json!(true)), "{emptied}");
}

/// A program that reads an old state for ever, as Litestream does when it hangs.
#[test]
fn a_program_that_holds_the_log_up_is_named_while_writes_go_on() {
    let office = Office::with(UNLIMITED);
    let path = office.folder().join("pleito.db");
    let [reader, writer] = [(); 2].map(|()| rusqlite::Connection::open(&path).unwrap());
    office.customer("Ana Souza", json!({}));
    reader.execute_batch("BEGIN").unwrap();
    reader.query_row("SELECT count(*) FROM customers", [], |_| Ok(())).unwrap();
    let much = "CREATE TABLE much (x); INSERT INTO much VALUES (zeroblob(70000000)); DROP TABLE much";
    writer.execute_batch(much).unwrap();
    office.store().maintain().unwrap();
    let held = json!({ "status": "degraded", "code": "log-held-up" });
    assert_eq!(office.get("/health").json(), held);
    let check = point(office.folder(), "server");
    assert_eq!(check["ok"], false);
    assert!(check["text"].as_str().unwrap().contains("holds the store's log up"), "{check}");
    office.customer("Bruno Lima", json!({}));
    reader.execute_batch("COMMIT").unwrap();
    office.store().maintain().unwrap();
    assert_eq!(office.get("/health").json(), json!({ "status": "ok" }));
    assert_eq!(point(office.folder(), "server")["ok"], true);
}

/// Returns the database in a backup, in a file of its own.
fn unpacked(backup: &str) -> (tempfile::TempDir, rusqlite::Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs::write(&path, zstd::decode_all(&fs::read(backup).unwrap()[..]).unwrap()).unwrap();
    let database = rusqlite::Connection::open(&path).unwrap();
    (folder, database)
}

pub fn names(database: &rusqlite::Connection) -> Vec<String> {
    let mut names = database.prepare("SELECT name FROM customers").unwrap();
    names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Those between the kept backup and the exchange of the data were in neither.
#[test]
fn what_is_written_during_a_restore_is_in_the_data_or_in_the_kept_backup() {
    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let file = answer(office.folder(), &["backup", "--json"])["file"].as_str().unwrap().to_owned();
    let (mut created, mut kept) = (vec!["Ana Souza".to_owned()], Vec::new());
    for round in 0..3 {
        let is_restored = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut created = Vec::new();
                for number in 0.. {
                    let name = format!("Bia {round} {number}");
                    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
                    if office.post("/customers", &body).status == 201 {
                        created.push(name);
                    }
                    if is_restored.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                }
                created
            });
            let restored = answer(office.folder(), &["restore", &file, "--json"]);
            is_restored.store(true, std::sync::atomic::Ordering::Relaxed);
            created.extend(writer.join().unwrap());
            let (_folder, database) = unpacked(restored["kept"].as_str().unwrap());
            kept.extend(names(&database));
        });
    }
    let store = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    let here = names(&store);
    let lost: Vec<_> = created.iter().filter(|name| !here.contains(name) && !kept.contains(name)).collect();
    assert!(lost.is_empty(), "{lost:?} of {}", created.len());
    assert!(created.len() > 10, "{}", created.len());
}

#[test]
fn a_database_is_restored_with_what_is_in_the_log_beside_it() {
    let (from, _, _) = closed();
    let disk = tempfile::tempdir().unwrap();
    let open = rusqlite::Connection::open(from.path().join("pleito.db")).unwrap();
    open.execute("INSERT INTO origins (name, name_key) VALUES ('Jornal', 'jornal')", []).unwrap();
    for companion in ["", "-wal"] {
        let name = format!("pleito.db{companion}");
        fs::copy(from.path().join(&name), disk.path().join(format!("old.db{companion}"))).unwrap();
    }
    assert!(fs::metadata(disk.path().join("old.db-wal")).unwrap().len() > 0);
    let (to, _, backups) = closed();
    restore(&backups, Some(&disk.path().join("old.db"))).unwrap();
    assert!(has(to.path(), "Jornal"));
    // Of a server that runs.
    restore(&backups, Some(&from.path().join("pleito.db"))).unwrap();
    assert!(has(to.path(), "Jornal"));
    drop(open);
}

#[test]
fn a_backup_with_a_name_that_people_gave_is_not_removed() {
    let (folder, clock, backups) = closed();
    let own = ["antes-da-mudança.db.zst", "fim-do-ano"].map(|name| folder.path().join("backups").join(name));
    for path in &own {
        backups.make_at(path).unwrap();
    }
    let first = backups.make(BackupReason::Requested).unwrap().path;
    let renamed = |from: &str, to: &str| {
        let renamed = first.with_file_name(first.file_name().unwrap().to_string_lossy().replace(from, to));
        fs::copy(&first, &renamed).unwrap();
        renamed
    };
    let copies = [renamed(".db", " (1).db"), renamed("pleito-", "pleito-GUARDAR-")];
    for _ in 0..40 {
        clock.advance(Duration::from_secs(24 * 60 * 60));
        backups.make(BackupReason::Schedule).unwrap();
    }
    assert!(!first.exists());
    let listed = paths(&backups);
    for path in own.iter().chain(&copies) {
        assert!(path.exists() && listed.contains(path), "{}", path.display());
    }
}

#[test]
fn a_folder_that_the_server_empties_is_no_folder_for_backups() {
    let (folder, clock, _) = closed();
    for made in ["imports", "documents"] {
        fs::create_dir_all(folder.path().join(made)).unwrap();
    }
    for dir in ["imports", "scratch", "imports/backups", "Imports", "documents/../imports"] {
        let failed = keeper_in(folder.path(), &clock, dir).make(BackupReason::Requested).unwrap_err();
        assert_eq!(failed.code(), "backup-folder-unusable", "{dir}");
    }
    // Also the data folder itself, which is locked once.
    for dir in ["copias", "."] {
        let backups = keeper_in(folder.path(), &clock, dir);
        let made = backups.make(BackupReason::Requested).unwrap();
        assert_eq!(backups.verify(&made.path).unwrap(), made.about);
    }
}

#[test]
fn a_changed_head_is_a_damaged_backup() {
    let (_folder, _, backups) = closed();
    let made = backups.make(BackupReason::Requested).unwrap();
    let mut bytes = fs::read(&made.path).unwrap();
    let at = bytes.windows(11).position(|bytes| bytes == b"\"sequence\":").unwrap() + 11;
    bytes[at] = if bytes[at] == b'9' { b'8' } else { b'9' };
    fs::write(&made.path, bytes).unwrap();
    assert_eq!(backups.list().unwrap()[0].about, None);
    assert_eq!(restore(&backups, Some(&made.path)).unwrap_err().code(), "backup-damaged");
}

/// The backup folder may be a disk that is not there, or cannot be written.
#[test]
fn a_backup_is_restored_if_the_backup_folder_cannot_be_used() {
    let (folder, clock, backups) = closed();
    add(folder.path(), "Jornal");
    let made = backups.make(BackupReason::Requested).unwrap().path;
    add(folder.path(), "Cartaz");
    fs::write(folder.path().join("disk"), "").unwrap();
    let away = keeper_in(folder.path(), &clock, "disk/backups");
    let emptied = keeper_in(folder.path(), &clock, "imports");
    for unusable in [away, emptied] {
        let restored = restore(&unusable, Some(&made)).unwrap();
        assert!(has(folder.path(), "Jornal") && !has(folder.path(), "Cartaz"));
        assert_eq!(restored.undo().unwrap().parent(), Some(&*folder.path().join("backups")));
        add(folder.path(), "Cartaz");
    }
}

#[test]
fn a_damaged_store_stays_in_place_if_its_replacement_fails() {
    let (folder, _, backups) = closed();
    let made = backups.make(BackupReason::Requested).unwrap().path;
    damage(folder.path());
    let store = || fs::read(folder.path().join("pleito.db")).unwrap();
    let damaged = store();
    let missing = folder.path().join("missing.db");
    backups.restore(Some(&made), |_| backups.replace(&missing, false, None)).unwrap_err();
    assert!(store() == damaged, "it is as it was");
    let restored = restore(&backups, Some(&made)).unwrap();
    assert_eq!(restored.undo(), None, "a restore refuses the damaged file");
    assert!(fs::read(restored.kept.unwrap()).unwrap() == damaged);
    Store::check(folder.path()).unwrap();
}

/// Sets the office's folder to what it is after `pleito.db` was lost. Returns the backups, the only one, and the last four
/// characters of the token in it.
fn lost(
    office: Office,
    names: &[&str],
) -> (std::sync::Arc<tempfile::TempDir>, Clock, Backups, PathBuf, String) {
    office.customer("Ana Souza", json!({}));
    let folder = office.stopped();
    let clock = Clock::set_to(at(NOON));
    let backups = keeper(folder.path(), &clock, (14, 12));
    let made = backups.make(BackupReason::Schedule).unwrap().path;
    let token = last_four(folder.path());
    for name in ["pleito.db", "pleito.db-wal", "pleito.db-shm"].iter().chain(names) {
        let _ = fs::remove_file(folder.path().join(name));
    }
    (folder, clock, backups, made, token)
}

fn last_four(folder: &Path) -> String {
    let store = rusqlite::Connection::open(folder.join("pleito.db")).unwrap();
    store.query_row("SELECT last_four FROM token", [], |row| row.get(0)).unwrap()
}

#[test]
fn no_empty_office_begins_in_the_place_of_a_lost_one() {
    let (folder, _, backups, made, token) = lost(Office::with(UNLIMITED), &[]);
    for arguments in [&["token", "new"][..], &["serve"], &["backup"], &["check"]] {
        let output = run(folder.path(), arguments);
        let (text, trouble) = streams(&output);
        assert!(
            !output.status.success() && !folder.path().join("pleito.db").exists(),
            "{arguments:?}: {text}"
        );
        assert!([text, trouble].concat().contains("pleito"), "{arguments:?}");
    }
    let refused = run(folder.path(), &["token", "new", "--json"]);
    let refused: Value = serde_json::from_slice(&refused.stderr).unwrap();
    assert_eq!(refused["code"], "store-lost");
    assert_eq!(restore(&backups, None).unwrap().path, made);
    assert_eq!(last_four(folder.path()), token);
}

/// The file may come back, and the log has its last changes.
#[test]
fn the_log_of_a_lost_store_is_kept() {
    let (folder, _, backups, _, _) = lost(Office::with(UNLIMITED), &[]);
    fs::write(folder.path().join("pleito.db-wal"), "the last changes").unwrap();
    let restored = restore(&backups, None).unwrap();
    assert_eq!(restored.undo(), None);
    let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let logs = entries.filter(|path| path.to_string_lossy().contains("pleito-replaced-"));
    let logs = logs.inspect(|path| assert_eq!(restored.kept.as_ref(), Some(path)));
    let kept: Vec<_> = logs.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(kept, ["the last changes"]);
}

/// Ended keys stay ended, and the token in force stays, if the damage leaves them readable.
#[test]
fn a_restore_over_a_damaged_store_keeps_its_token() {
    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let folder = office.stopped();
    let clock = Clock::set_to(at(NOON));
    let backups = keeper(folder.path(), &clock, (14, 12));
    backups.make(BackupReason::Schedule).unwrap();
    assert!(run(folder.path(), &["token", "new"]).status.success());
    let token = last_four(folder.path());
    let store = rusqlite::Connection::open(folder.path().join("pleito.db")).unwrap();
    store.execute_batch("CREATE TABLE extra (a); PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(store);
    restore(&backups, None).unwrap();
    assert_eq!(last_four(folder.path()), token);
    damage(folder.path());
    let restored = answer(folder.path(), &["restore", "--latest", "--json"]);
    assert_eq!(restored["over_damage"], true, "{restored}");
    assert_ne!(last_four(folder.path()), token, "it could not be read");
}

fn two_offices() -> [Arc<tempfile::TempDir>; 2] {
    [(); 2].map(|()| {
        let office = Office::with(UNLIMITED);
        office.customer("Ana Souza", json!({}));
        office.stopped()
    })
}

#[test]
fn a_backup_of_another_office_over_one_is_reported() {
    let folders = two_offices();
    let [one, other] = folders.each_ref().map(|folder| folder.path());
    let [own, foreign] = [one, other].map(backup);
    for (file, is_of_other) in [(own.clone(), false), (foreign, true)] {
        assert_eq!(answer(one, &["restore", &file, "--json"])["other_office"], is_of_other);
    }
    let office = Office::with(UNLIMITED);
    office.customer("Rui Sá", json!({}));
    let without_id = office.stopped();
    assert!(!without_id.path().join("pleito.office-id").exists(), "it has made no backup");
    let id = |folder: &Path| fs::read_to_string(folder.join("pleito.office-id")).unwrap();
    let restored = answer(without_id.path(), &["restore", &own, "--json"]);
    assert_eq!(restored["other_office"], true);
    let new_id = id(without_id.path());
    assert_ne!(new_id, id(one));
    let undone = answer(without_id.path(), &["restore", restored["kept"].as_str().unwrap(), "--json"]);
    assert_eq!(undone["other_office"], false);
    assert_eq!(id(without_id.path()), new_id);
}

/// A later office in the folder of an earlier one took its id, and its backups by the retention.
#[test]
fn backups_that_were_made_in_a_folder_give_no_id_to_the_office_that_is_there() {
    let [folder, other] = two_offices();
    let [earlier, foreign] = [folder.path(), other.path()].map(backup);
    let id_file = folder.path().join("pleito.office-id");
    let id = || fs::read_to_string(&id_file).ok();
    let earlier_id = id();
    fs::remove_file(&id_file).unwrap();
    let restored = answer(folder.path(), &["restore", &earlier, "--json"]);
    assert_eq!(restored["other_office"], false, "it may be the same office, whose id is lost");
    let new_id = id();
    assert!(new_id.is_some() && new_id != earlier_id);
    let undone = answer(folder.path(), &["restore", restored["kept"].as_str().unwrap(), "--json"]);
    assert_eq!((&undone["other_office"], id()), (&json!(false), new_id));
    for (file, is_of_other) in [(&foreign, true), (&earlier, false)] {
        for lost in ["pleito.db", "pleito.db-wal", "pleito.db-shm", "pleito.office-id"] {
            _ = fs::remove_file(folder.path().join(lost));
        }
        let restored = answer(folder.path(), &["restore", file, "--json"]);
        assert_eq!(restored["over_damage"], true);
        assert_eq!(restored["other_office"], is_of_other, "{restored}");
        assert_eq!(id(), earlier_id.clone().filter(|_| !is_of_other));
    }
}

/// The token of the other office stayed in force.
#[test]
fn the_line_that_undoes_a_restore_takes_the_token_back_too() {
    let [folder, other] = two_offices();
    let foreign = backup(other.path());
    let before = last_four(folder.path());
    let (text, _) = streams(&run(folder.path(), &["restore", &foreign, "--with-token"]));
    assert!(text.contains("The token is that of the backup now"), "{text}");
    assert_ne!(last_four(folder.path()), before);
    let undo = text.lines().find_map(|line| line.strip_prefix("To undo: ")).unwrap();
    let words: Vec<&str> = undo.split(' ').skip(1).take_while(|word| *word != "--data-dir").collect();
    assert!(run(folder.path(), &words).status.success(), "{undo}");
    assert_eq!(last_four(folder.path()), before);
}

#[test]
fn a_restore_in_the_place_of_a_lost_store_tells_that_its_access_is_unknown() {
    let office = Office::with(UNLIMITED);
    let folder = office.stopped();
    let file = backup(folder.path());
    assert_eq!(answer(folder.path(), &["restore", &file, "--json"])["over_damage"], false);
    for name in ["pleito.db", "pleito.db-wal", "pleito.db-shm"] {
        _ = fs::remove_file(folder.path().join(name));
    }
    let (text, _) = streams(&run(folder.path(), &["restore", &file]));
    assert!(text.contains("WARNING: the data that were here are lost or damaged."), "{text}");
    assert!(!text.contains("of another office"), "{text}");
    let other = Office::with(UNLIMITED).stopped();
    let foreign = backup(other.path());
    for lost in ["pleito.db", "pleito.db-wal", "pleito.db-shm", "pleito.epoch"] {
        _ = fs::remove_file(folder.path().join(lost));
    }
    let id = fs::read_to_string(folder.path().join("pleito.office-id")).unwrap();
    let report = answer(folder.path(), &["restore", &foreign, "--json"]);
    assert_eq!((&report["over_damage"], &report["other_office"]), (&json!(true), &json!(true)), "{report}");
    assert_eq!(fs::read_to_string(folder.path().join("pleito.office-id")).unwrap(), id);
}

/// Not even the note of the earlier store is left, and an earlier version began the empty one.
#[test]
fn an_empty_office_in_the_place_of_a_lost_one_is_no_newer_backup() {
    let (folder, clock, backups, made, token) = lost(Office::with(UNLIMITED), &["pleito.epoch"]);
    assert!(!run(folder.path(), &["token", "new"]).status.success(), "the backups tell of an office");
    let hidden = folder.path().join("hidden");
    fs::rename(folder.path().join("backups"), &hidden).unwrap();
    assert!(!run(folder.path(), &["token", "new"]).status.success(), "so does the note of the last one");
    fs::remove_file(folder.path().join("backup.state")).unwrap();
    assert!(run(folder.path(), &["token", "new"]).status.success());
    fs::rename(&hidden, folder.path().join("backups")).unwrap();
    assert_ne!(last_four(folder.path()), token);
    clock.advance(Duration::from_secs(3 * 24 * 60 * 60));
    let mut schedule = pleito::backup::schedule::Schedule::new(backups.moment());
    clock.advance(Duration::from_secs(600));
    backups.make_if_due(&mut schedule);
    assert_eq!(paths(&backups), std::slice::from_ref(&made));
    assert_eq!(restore(&backups, None).unwrap().path, made);
    // It is no later state of the office, and tells nothing about its token.
    assert_eq!(last_four(folder.path()), token);
}

/// Closing a file of the store outside SQLite would release all locks on it.
#[cfg(target_os = "linux")]
#[test]
fn a_list_of_backups_opens_no_file_of_the_store() {
    use std::os::unix::fs::{MetadataExt, symlink};

    let office = Office::with(UNLIMITED);
    office.customer("Ana Souza", json!({}));
    let folder = office.folder();
    fs::create_dir_all(folder.join("backups")).unwrap();
    symlink(folder.join("pleito.db"), folder.join("backups/copia")).unwrap();
    let locks = || {
        let locks = fs::read_to_string("/proc/locks").unwrap();
        let of = |name: &str| format!(":{} ", folder.join(name).metadata().unwrap().ino());
        let [store, index] = ["pleito.db", "pleito.db-shm"].map(of);
        locks.lines().filter(|line| line.contains(&store) || line.contains(&index)).count()
    };
    let before = locks();
    assert!(before > 0, "SQLite holds locks");
    for dir in ["backups", "."] {
        keeper_in(folder, &Clock::set_to(at(NOON)), dir).list().unwrap();
        assert_eq!(locks(), before, "{dir}");
    }
}
