//! Encrypted backups, the documents beside them, and the test restore (always 44).

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use jiff::tz::TimeZone;
use pleito::backup::{BackupReason, Backups, KeyPair};
use pleito::config::settings;
use serde_json::{Value, json};

use crate::backups::{answer, backup, now, point};
use crate::documents::document;
use crate::office::Office;
use crate::program::{pleito, run, streams};

/// Runs a command with a secret on standard input.
fn run_with_secret(folder: &Path, arguments: &[&str], secret: &str) -> Output {
    let mut command = pleito(folder, arguments, &[]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The command may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(format!("{secret}\n").as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns a new pair: the public and the private key.
fn pair(folder: &Path) -> (String, String) {
    let made = answer(folder, &["backup", "key", "new", "--json"]);
    let key = |name: &str| made[name].as_str().unwrap().to_owned();
    (key("public"), key("private"))
}

fn encrypt_to(office: &Office, keys: &[&str]) {
    let list = keys.iter().map(|key| format!("{key:?}")).collect::<Vec<_>>().join(", ");
    let text = format!("[backup]\nencrypt_to = [{list}]\n[limits]\npost_per_day = 0\nget_per_minute = 0\n");
    fs::write(office.folder().join("pleito.toml"), text).unwrap();
}

/// Makes a backup in a file of its own, by the command, with the settings of the file.
fn backup_at(office: &Office, name: &str) -> PathBuf {
    let path = office.folder().join(name);
    answer(office.folder(), &["backup", path.to_str().unwrap(), "--json"]);
    path
}

/// Returns the sentence of a failed command.
fn sentence(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error: Value = serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{output:?}"));
    error["error"].as_str().unwrap().to_owned()
}

const PASSPHRASE: &str = "brave zebras whistle at dusk";

/// Makes a backup that is encrypted to [`PASSPHRASE`]. Returns its path.
fn with_passphrase(office: &Office) -> String {
    let made = run_with_secret(office.folder(), &["backup", "--passphrase", "--json"], PASSPHRASE);
    assert!(made.status.success(), "{made:?}");
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    made["file"].as_str().unwrap().to_owned()
}

fn restore(office: &Office, file: &Path, secret: &str) -> Output {
    run_with_secret(office.folder(), &["restore", file.to_str().unwrap(), "--json"], secret)
}

#[test]
fn each_of_two_keys_opens_a_backup_and_a_third_one_is_told_from_damage() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    let (public, private) = pair(office.folder());
    let (second_public, second_private) = pair(office.folder());
    let (_, foreign) = pair(office.folder());
    encrypt_to(&office, &[&public, &second_public]);
    let file = backup_at(&office, "copy.db.zst.age");
    let sound = fs::read(&file).unwrap();
    assert!(!sound.windows(3).skip(1024).any(|window| window == b"Ana"));
    let about: Value = serde_json::from_slice(&sound[8..1024]).unwrap();
    assert_eq!(about["encryption"], "key");
    for hidden in ["customers", "lawsuits", "documents_key"] {
        assert!(about.get(hidden).is_none(), "{about}");
    }

    // As people copy it from paper.
    let lines = second_private.to_lowercase().replace("key-1", "key-1\r\n  ");
    let spaced: String = private.chars().flat_map(|character| [character, ' ']).collect();
    for secret in [&private, &second_private, &lines, &spaced] {
        office.customer("Bruno Lima", json!({}));
        let restored = restore(&office, &file, secret);
        assert!(restored.status.success(), "{restored:?}");
        assert!(!streams(&restored).0.contains("documents_key"));
        assert_eq!(office.get("/customers").json()["totalCount"], 1);
    }
    let mistyped = private.replacen(&private[30..31], if &private[30..31] == "Q" { "P" } else { "Q" }, 1);
    for (wrong, reason) in [
        (foreign.as_str(), "that was typed does not open it"),
        (&mistyped, "is not a private key"),
        (&private[..73], "is not a private key"),
        ("a passphrase", "is not a private key"),
        ("", "is encrypted"),
    ] {
        let text = sentence(&restore(&office, &file, wrong));
        assert!(text.contains(reason), "{text}");
    }
    for at in [1100, sound.len() / 2, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&file, &bytes).unwrap();
        assert!(sentence(&restore(&office, &file, &private)).contains("damaged"));
    }
    for length in [sound.len() - 1, 1200, 1024] {
        fs::write(&file, &sound[..length]).unwrap();
        assert!(sentence(&restore(&office, &file, &private)).contains("damaged"));
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
}

#[test]
fn a_passphrase_opens_a_backup_and_a_wrong_one_does_not() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    let file = PathBuf::from(with_passphrase(&office));
    assert!(file.to_str().unwrap().ends_with(".db.zst.age") && !file.to_str().unwrap().contains("-c1-"));
    office.customer("Bruno Lima", json!({}));
    assert!(sentence(&restore(&office, &file, "brave zebras walk")).contains("is intact, but"));
    let restored = restore(&office, &file, PASSPHRASE);
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    for weak in ["", "short", "souza souza"] {
        let refused = run_with_secret(office.folder(), &["backup", "--passphrase", "--json"], weak);
        assert!(sentence(&refused).starts_with("the passphrase "), "{refused:?}");
    }
}

#[test]
fn the_latest_backup_is_never_replaced_by_an_older_plain_one() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    backup(office.folder());
    office.customer("Bruno Lima", json!({}));
    let file = &with_passphrase(&office);
    let refused = run_with_secret(office.folder(), &["restore", "--latest"], "another");
    assert!(streams(&refused).1.contains(file), "{refused:?}");
    assert_eq!(office.get("/customers").json()["totalCount"], 2);
    // Without a secret, the test says that it verified the checksum only.
    let tested = run_with_secret(office.folder(), &["backup", "test", "--json"], "");
    let tested: Value = serde_json::from_slice(&tested.stdout).unwrap();
    assert_eq!(tested["opened"], false);
    let text = || point(office.folder(), "backups")["text"].as_str().unwrap().to_owned();
    assert!(text().contains("only the checksum") && text().contains("never opened"), "{}", text());
    let tested = run_with_secret(office.folder(), &["backup", "test", "--json"], PASSPHRASE);
    let tested: Value = serde_json::from_slice(&tested.stdout).unwrap();
    assert_eq!((&tested["opened"], &tested["counts"]["customers"]), (&json!(true), &json!(2)));
    assert!(text().contains("(opened)"), "{}", text());
    run_with_secret(office.folder(), &["backup", "test", "--json"], "");
    assert!(text().contains("only the checksum") && text().contains("opened 0 days ago"), "{}", text());
    let restored = run_with_secret(office.folder(), &["restore", "--latest", "--json"], PASSPHRASE);
    assert!(restored.status.success(), "{restored:?}");
}

#[test]
fn a_failed_test_is_reported_and_a_good_one_ends_it() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    let file = backup(office.folder());
    let sound = fs::read(&file).unwrap();
    let mut bytes = sound.clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let damaged = sentence(&run(office.folder(), &["backup", "test", "--json"]));
    assert!(damaged.contains("is damaged. Make a new one: "), "the command takes no other one: {damaged}");
    assert_eq!(office.raw("GET", "/health", &[], None).json()["code"], "backup-test-failed");
    assert_eq!(point(office.folder(), "backups")["ok"], false);
    fs::write(&file, &sound).unwrap();
    assert_eq!(answer(office.folder(), &["backup", "test", "--json"])["counts"]["customers"], 1);
    assert_eq!(office.raw("GET", "/health", &[], None).json()["status"], "ok");
    assert_eq!(point(office.folder(), "backups")["ok"], true);
}

#[test]
fn the_test_does_not_pass_on_an_older_backup_if_the_newest_one_is_damaged() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    let older = backup(office.folder());
    office.customer("Bruno Lima", json!({}));
    let newest = backup(office.folder());
    let sound = fs::read(&newest).unwrap();
    for damaged in [&sound[..sound.len() / 2], &vec![0; sound.len()][..], b""] {
        fs::write(&newest, damaged).unwrap();
        let tested = run(office.folder(), &["backup", "test", "--json"]);
        let text = sentence(&tested);
        assert!(text.contains(&newest) && text.contains(&older), "{text}");
        let error: Value = serde_json::from_slice(&tested.stderr).unwrap();
        assert_eq!(error["code"], "newer-backup-unusable");
        assert_eq!(office.raw("GET", "/health", &[], None).json()["code"], "backup-test-failed");
    }
    fs::write(&newest, &sound).unwrap();
    assert_eq!(answer(office.folder(), &["backup", "test", "--json"])["counts"]["customers"], 2);
}

#[test]
fn a_passphrase_may_be_typed_on_another_keyboard_and_a_key_come_from_a_file() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    // With separate accents, as macOS types them, and composed.
    let separate = "quatro corac\u{327}o\u{303}es na va\u{301}rzea";
    let composed = "quatro cora\u{e7}\u{f5}es na v\u{e1}rzea";
    let made = run_with_secret(office.folder(), &["backup", "--passphrase", "--json"], separate);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let file = PathBuf::from(made["file"].as_str().unwrap());
    let spaced = format!("\n\u{feff}{}", separate.replace(' ', "\u{a0} "));
    for secret in [separate, composed, &spaced] {
        let restored = restore(&office, &file, secret);
        assert!(restored.status.success(), "{secret}: {restored:?}");
    }
    let refused = restore(&office, &file, "quatro coracoes na varzea");
    let error: Value = serde_json::from_slice(&refused.stderr).unwrap();
    assert_eq!(error["code"], "backup-secret-wrong");

    let (public, private) = pair(office.folder());
    encrypt_to(&office, &[&public]);
    let file = backup_at(&office, "copy.db.zst.age");
    for secret in [
        format!("\n# created: 2026-06-17T12:00:00Z\n# public key: {public}\n{private}"),
        format!("\u{feff}Chave privada: {private}\n    Escreva-a ou imprima-a."),
        format!("{}-\r\n{}", &private[..40], &private[40..]).replace("KEY-", "KEY\u{2013}"),
    ] {
        let restored = restore(&office, &file, &secret);
        assert!(restored.status.success(), "{secret}: {restored:?}");
    }
    let text = sentence(&restore(&office, &file, &format!("{}é{}", &private[..20], &private[21..])));
    assert!(text.contains("character 21 is \"é\""), "{text}");
}

/// Returns the backups of an office, encrypted to these keys, of which one day is kept.
fn backups(office: &Office, encrypt_to: &[&str]) -> Backups {
    let settings = settings::Backup {
        encrypt_to: encrypt_to.iter().map(|key| (*key).to_owned()).collect(),
        keep: settings::Retention { daily: 1, monthly: 0 },
        ..settings::Backup::default()
    };
    Backups::new(office.folder().to_owned(), TimeZone::UTC, office.clock.clone(), move || settings.clone())
}

/// Returns the names of the files of documents beside the backups.
fn contents(office: &Office) -> Vec<String> {
    let entries = fs::read_dir(office.folder().join("backups/pleito-documents")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "unneeded.json");
    names.sort();
    names
}

#[test]
fn documents_are_encrypted_once_under_names_that_tell_nothing() {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let long = vec![7; 200_000];
    document(&office, "x.pdf", b"one");
    document(&office, "x.pdf", &long);
    let pair = KeyPair::generate();
    let encrypted = backups(&office, &[&pair.public]);
    encrypted.make(BackupReason::Requested).unwrap();
    let names = contents(&office);
    assert!(names.len() == 2 && names.iter().all(|name| name.ends_with(".age")), "{names:?}");
    let stored = fs::read_dir(office.folder().join("documents")).unwrap();
    let stored: Vec<_> = stored.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(stored.iter().all(|hash| names.iter().all(|name| !name.contains(hash.as_str()))), "{stored:?}");
    let bytes = || {
        let folder = office.folder().join("backups/pleito-documents");
        names.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>()
    };
    let written = bytes();
    // Encryption is random, so equal bytes were not written again. Neither another recipient changes that.
    let part = office.folder().join("backups/pleito-documents/x.pleito-part");
    fs::write(&part, "interrupted").unwrap();
    let other = KeyPair::generate();
    let made = backups(&office, &[&other.public]).make(BackupReason::Requested).unwrap();
    assert!(bytes() == written && contents(&office) == names && !part.exists());

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let key = fs::metadata(office.folder().join("backup-documents.key")).unwrap();
        assert_eq!(key.permissions().mode() & 0o777, 0o600);
    }

    fs::remove_dir_all(office.folder().join("documents")).unwrap();
    let opener = encrypted.with_secret(other.private);
    let counts = opener.test().unwrap().counts.unwrap();
    assert_eq!(counts.documents, 2);
    let replaced =
        opener.restore(Some(&made.path), |from| encrypted.replace(from, false, Some(office.store())));
    assert_eq!(replaced.unwrap().missing, 0);
    let restored = fs::read_dir(office.folder().join("documents")).unwrap();
    let restored = restored.map(|entry| fs::metadata(entry.unwrap().path()).unwrap().len());
    assert_eq!(restored.filter(|length| [3, 200_000].contains(length)).count(), 2);
}

#[test]
fn a_new_machine_needs_the_files_and_the_paper_only() {
    let office = Office::new();
    now(&office);
    office.customer("Ana Souza", json!({}));
    document(&office, "x.pdf", b"one");
    let (public, private) = pair(office.folder());
    encrypt_to(&office, &[&public]);
    let file = backup_at(&office, "copy.db.zst.age");
    let machine = tempfile::tempdir().unwrap();
    let stick = tempfile::tempdir().unwrap();
    let contents = stick.path().join("pleito-documents");
    fs::create_dir(&contents).unwrap();
    for one in fs::read_dir(office.folder().join("pleito-documents")).unwrap() {
        let one = one.unwrap();
        fs::copy(one.path(), contents.join(one.file_name())).unwrap();
    }
    let copy = stick.path().join("copy.db.zst.age");
    fs::copy(&file, &copy).unwrap();
    drop(office);

    let arguments = ["restore", copy.to_str().unwrap(), "--json"];
    let restored = run_with_secret(machine.path(), &arguments, &private);
    assert!(restored.status.success(), "{restored:?}");
    let restored: Value = serde_json::from_slice(&restored.stdout).unwrap();
    assert_eq!((&restored["now"]["customers"], &restored["missing"]), (&json!(1), &json!(0)));
    let stored = fs::read_dir(machine.path().join("documents")).unwrap();
    let stored: Vec<_> = stored.map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    assert_eq!(stored, [b"one"]);
}

#[test]
fn the_server_tests_the_newest_backup_once_a_month() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    let pair = KeyPair::generate();
    let backups = backups(&office, &[&pair.public]);
    let tested_after = |passed: Duration| {
        office.clock.advance(passed);
        backups.make(BackupReason::Schedule).unwrap();
        backups.test_if_due();
        backups.last_test().unwrap()
    };
    let first = tested_after(Duration::from_secs(180));
    assert_eq!((first.problem, first.last_good, first.last_opened), (None, Some(office.clock.now()), None));
    assert_eq!(tested_after(29 * DAY).at, first.at);
    assert_eq!(tested_after(2 * DAY).at, office.clock.now());
}

#[test]
fn retention_counts_plain_and_encrypted_backups_together() {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    document(&office, "x.pdf", b"one");
    let pair = KeyPair::generate();
    let plain = backups(&office, &[]);
    let encrypted = backups(&office, &[&pair.public]);
    plain.make(BackupReason::Schedule).unwrap();
    let made = encrypted.make(BackupReason::Schedule).unwrap();
    assert_eq!((encrypted.list().unwrap().len(), contents(&office).len()), (2, 2));
    assert_eq!(encrypted.list().unwrap()[0].path, made.path);
    office.clock.advance(Duration::from_secs(24 * 60 * 60));
    encrypted.make(BackupReason::Schedule).unwrap();
    assert_eq!(encrypted.list().unwrap().len(), 1);
    assert!(contents(&office).iter().all(|name| name.ends_with(".age")), "the plain content is gone");
    office.clock.advance(Duration::from_secs(24 * 60 * 60));
    plain.make(BackupReason::Schedule).unwrap();
    assert_eq!(plain.list().unwrap().len(), 1);
    assert!(contents(&office).iter().all(|name| !name.ends_with(".age")));
}
