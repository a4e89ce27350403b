//! The files of documents: stored beside backups, restored with them, and verified by `check` (resources 17.3).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pleito::backup::{BackupFile, BackupReason, Backups, Failed, KeyPair};
use pleito::clock::Clock;
use pleito::config::settings;
use pleito::domain::Lang;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::backups::{answer, keeper, point};
use crate::documents::document;
use crate::office::Office;
use crate::program::{run, streams};

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "unneeded.json");
    names.sort();
    names
}

/// Returns the folder for contents beside the backups.
fn beside(folder: &Path) -> PathBuf {
    folder.join("backups").join("pleito-documents")
}

/// Returns an office with a customer and these documents, and its backups, which keep one daily backup.
fn office(contents: &[&[u8]]) -> (Office, Backups) {
    let office = Office::new();
    office.customer("Ana Souza", json!({}));
    for content in contents {
        document(&office, "x.pdf", content);
    }
    let backups = keeper(office.folder(), &office.clock, (1, 0));
    (office, backups)
}

fn make(backups: &Backups) -> BackupFile {
    backups.make(BackupReason::Requested).unwrap()
}

fn restore(office: &Office, backups: &Backups, backup: &BackupFile) -> u64 {
    let replaced =
        backups.restore(Some(&backup.path), |from| backups.replace(from, false, Some(office.store())));
    replaced.unwrap().missing
}

/// Deletes a document permanently, as emptying the trash does.
fn forget(office: &Office, id: u64, content: &[u8]) {
    let open = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
    open.execute("DELETE FROM documents WHERE id = ?1", [id]).unwrap();
    fs::remove_file(office.folder().join("documents").join(sha256(content))).unwrap();
}

#[test]
fn each_content_is_copied_once_and_removed_with_the_last_backup_that_needs_it() {
    let (office, backups) = office(&[b"one", b"two"]);
    let (one, two) = (sha256(b"one"), sha256(b"two"));
    make(&backups);
    let mut both = vec![one.clone(), two.clone()];
    both.sort();
    assert_eq!(names(&beside(office.folder())), both);
    let written = || fs::metadata(beside(office.folder()).join(&one)).unwrap().modified().unwrap();
    let first = written();
    make(&backups);
    assert_eq!(written(), first);

    forget(&office, 2, b"two");
    make(&backups);
    assert_eq!(names(&beside(office.folder())), both, "all backups of the current day are kept");
    office.pass(2 * 24 * 60 * 60);
    make(&backups);
    assert_eq!(backups.list().unwrap().len(), 1);
    assert_eq!(names(&beside(office.folder())), [one]);
}

#[test]
fn a_replaced_store_keeps_its_contents() {
    let (office, backups) = office(&[b"one"]);
    let first = make(&backups);
    document(&office, "y.pdf", b"two");
    assert_eq!(restore(&office, &backups, &first), 0);
    assert_eq!(office.ids("/documents"), [1]);
    for _ in 0..2 {
        office.pass(3 * 24 * 60 * 60);
        make(&backups);
    }
    let replaced = backups.list().unwrap().into_iter().find(|one| !one.is_regular()).unwrap();
    fs::remove_dir_all(office.folder().join("documents")).unwrap();
    assert_eq!(restore(&office, &backups, &replaced), 0);
    assert_eq!(office.ids("/documents"), [1, 2]);
    for (id, content) in [(1, b"one"), (2, b"two")] {
        assert_eq!(office.get(&format!("/documents/{id}/content")).bytes, content);
    }
}

#[test]
fn a_restore_repairs_missing_and_altered_contents_and_counts_the_rest() {
    let (office, backups) = office(&[b"one", b"two", b"three"]);
    let backup = make(&backups);
    let here = |content: &[u8]| office.folder().join("documents").join(sha256(content));
    fs::remove_file(here(b"one")).unwrap();
    fs::write(here(b"two"), b"owt").unwrap();
    fs::remove_file(here(b"three")).unwrap();
    fs::remove_file(beside(office.folder()).join(sha256(b"three"))).unwrap();
    assert_eq!(restore(&office, &backups, &backup), 1);
    for (id, content) in [(1, &b"one"[..]), (2, b"two")] {
        assert_eq!(office.get(&format!("/documents/{id}/content")).bytes, content);
    }
    office.get("/documents/3/content").problem(410, "content-missing");

    // An altered content in the backup is not restored.
    fs::remove_file(here(b"one")).unwrap();
    fs::write(beside(office.folder()).join(sha256(b"one")), b"eno").unwrap();
    assert_eq!(restore(&office, &backups, &backup), 2);
    assert_eq!(names(&office.folder().join("documents")), [sha256(b"two")]);
}

#[test]
fn a_backup_elsewhere_has_its_contents_beside_it() {
    let (office, _) = office(&[b"one"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("copy.db.zst");
    answer(office.folder(), &["backup", file.to_str().unwrap(), "--json"]);
    assert_eq!(names(elsewhere.path()), ["copy.db.zst", "pleito-documents"]);
    let empty = tempfile::tempdir().unwrap();
    let restored = answer(empty.path(), &["restore", file.to_str().unwrap(), "--json"]);
    assert_eq!(restored["missing"], 0);
    assert_eq!(fs::read(empty.path().join("documents").join(sha256(b"one"))).unwrap(), b"one");
    // If the contents beside a backup are missing, `restore` warns.
    fs::remove_dir_all(elsewhere.path().join("pleito-documents")).unwrap();
    let bare = tempfile::tempdir().unwrap();
    let output = run(bare.path(), &["restore", file.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Put the folder pleito-documents beside it and repeat"), "{text}");
    assert!(text.contains("pleito check --data-dir "), "{text}");
}

#[test]
fn a_backup_is_made_even_if_a_content_is_missing() {
    let (office, backups) = office(&[b"one", b"two"]);
    fs::remove_file(office.folder().join("documents").join(sha256(b"one"))).unwrap();
    assert_eq!(make(&backups).missing, Some(1));
    assert_eq!(names(&beside(office.folder())), [sha256(b"two")]);
    // The command says so too. A copy from an earlier backup serves the next ones.
    assert_eq!(answer(office.folder(), &["backup", "--json"])["missing"], 1);
    let (text, _) = streams(&run(office.folder(), &["backup"]));
    assert!(text.contains("verified\nWARNING: ") && text.contains("in the backup: 1 (see: "), "{text}");
    assert!(text.contains("pleito check --data-dir "), "{text}");
    fs::remove_file(office.folder().join("documents").join(sha256(b"two"))).unwrap();
    assert_eq!(make(&backups).missing, Some(1));
}

/// Flips a bit and keeps the length, as a failing disk does.
fn alter(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn the_test_reads_the_contents_and_the_next_backup_replaces_altered_ones() {
    let (office, plain) = office(&[b"one", b"two", b"three"]);
    let pair = KeyPair::generate();
    let encrypted = {
        let settings =
            settings::Backup { encrypt_to: vec![pair.public.clone()], ..settings::Backup::default() };
        Backups::new(office.folder().to_owned(), TimeZone::UTC, office.clock.clone(), move || {
            settings.clone()
        })
    };
    for (backups, is_encrypted) in
        [(plain, false), (encrypted.with_secret(pair.private), true), (encrypted, true)]
    {
        make(&backups);
        let of_kind = || {
            let mut all = names(&beside(office.folder()));
            all.retain(|name| name.ends_with(".age") == is_encrypted && !name.ends_with(".altered"));
            all.into_iter().map(|name| beside(office.folder()).join(name)).collect::<Vec<_>>()
        };
        backups.test().unwrap();
        let files = of_kind();
        assert_eq!(files.len(), 3);
        alter(&files[1]);
        let failed = backups.test().unwrap_err();
        assert!(matches!(failed, Failed::DocumentsMissing(_, 1)), "{failed:?}");
        let text = failed.message(Lang::En);
        assert!(text.contains("pleito backup") && text.contains("pleito check"), "{text}");
        assert_eq!(of_kind().len(), 2, "the altered file is set aside");
        assert_eq!(make(&backups).missing, Some(0));
        backups.test().unwrap();
        assert_eq!(of_kind(), files);
        assert!(names(&beside(office.folder())).iter().all(|name| !name.ends_with(".altered")));
        // A folder in its place is no file, whatever its length.
        fs::remove_file(&files[0]).unwrap();
        fs::create_dir(&files[0]).unwrap();
        assert_eq!(make(&backups).missing, Some(0));
        backups.test().unwrap();
        fs::remove_dir(
            beside(office.folder())
                .join([files[0].file_name().unwrap().to_str().unwrap(), ".altered"].concat()),
        )
        .unwrap();
    }
}

/// Without the secret of the backup, its documents are known by those of the office.
#[test]
fn the_test_of_an_encrypted_backup_misses_documents_that_are_older_than_it() {
    let (office, _) = office(&[b"one", b"two"]);
    let clock = Clock::set_to(Timestamp::now());
    clock.advance(Duration::from_secs(24 * 60 * 60));
    let settings =
        settings::Backup { encrypt_to: vec![KeyPair::generate().public], ..settings::Backup::default() };
    let backups = Backups::new(office.folder().to_owned(), TimeZone::UTC, clock, move || settings.clone());
    make(&backups);
    backups.test().unwrap();
    fs::remove_dir_all(beside(office.folder())).unwrap();
    let failed = backups.test().unwrap_err();
    assert!(matches!(failed, Failed::DocumentsMissing(_, 2)), "{failed:?}");
}

/// Backups with a name of people's own, and the data that a restore replaced, are never removed.
#[test]
fn a_content_stays_for_a_kept_backup_that_needs_it_again() {
    let (office, _) = office(&[b"one"]);
    let backups = keeper(office.folder(), &office.clock, (2, 0));
    let next_day = || office.clock.advance(Duration::from_secs(24 * 60 * 60));
    let first = make(&backups);
    forget(&office, 1, b"one");
    next_day();
    let without = make(&backups);
    assert_eq!(restore(&office, &backups, &first), 0);
    let own = backups.make_at(&office.folder().join("backups/antes.db.zst")).unwrap();
    assert_eq!(restore(&office, &backups, &without), 0);
    for _ in 0..3 {
        next_day();
        make(&backups);
    }
    assert!(own.path.exists() && !first.path.exists());
    assert_eq!(names(&beside(office.folder())), [sha256(b"one")]);
}

/// The disk that failed in the test may read the file again.
#[test]
fn a_restore_takes_a_file_that_was_set_aside() {
    let (office, backups) = office(&[b"one"]);
    let backup = make(&backups);
    fs::remove_file(office.folder().join("documents").join(sha256(b"one"))).unwrap();
    let beside = beside(office.folder());
    fs::rename(beside.join(sha256(b"one")), beside.join([&sha256(b"one"), ".altered"].concat())).unwrap();
    assert_eq!(restore(&office, &backups, &backup), 0);
    assert_eq!(office.get("/documents/1/content").bytes, b"one");
}

#[test]
fn an_altered_copy_without_a_sound_original_counts_as_missing() {
    let (office, backups) = office(&[b"one"]);
    make(&backups);
    alter(&beside(office.folder()).join(sha256(b"one")));
    let here = office.folder().join("documents").join(sha256(b"one"));
    fs::write(&here, b"eno").unwrap();
    assert!(matches!(backups.test(), Err(Failed::DocumentsMissing(_, 1))));
    assert_eq!(make(&backups).missing, Some(1));
    // When it is uploaded again, the next backup has it.
    fs::write(&here, b"one").unwrap();
    assert_eq!(make(&backups).missing, Some(0));
    backups.test().unwrap();
}

#[test]
fn one_unreadable_file_of_a_document_stops_neither_a_backup_nor_a_restore() {
    let (office, backups) = office(&[b"one", b"two"]);
    let backup = make(&backups);
    let here = |content: &[u8]| office.folder().join("documents").join(sha256(content));
    let there = |content: &[u8]| beside(office.folder()).join(sha256(content));
    // Reading a folder fails, also for the superuser.
    let block = |path: &Path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    fs::remove_file(here(b"one")).unwrap();
    fs::remove_file(here(b"two")).unwrap();
    block(&there(b"one"));
    assert_eq!(restore(&office, &backups, &backup), 1);
    assert_eq!(office.get("/documents/2/content").bytes, b"two");
    // The same in the data folder.
    block(&here(b"two"));
    assert_eq!(make(&backups).missing, Some(1), "only the first one is in no backup");
    assert_eq!(restore(&office, &backups, &backup), 2);
    fs::remove_file(there(b"two")).unwrap();
    assert_eq!(make(&backups).missing, Some(2));
    let found = point(office.folder(), "documents");
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("1 (x.pdf): file missing; 2 (x.pdf): file altered"), "{text}");
}

#[test]
fn leftovers_of_a_killed_backup_to_a_file_are_removed_by_the_next_one() {
    let (office, _) = office(&[b"one"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let contents = elsewhere.path().join("pleito-documents");
    fs::create_dir(&contents).unwrap();
    let part = format!("{}.pleito-part", sha256(b"one"));
    let leave = |path: &Path| {
        fs::write(path, "half").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(2 * 3600);
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    };
    for left in [".tmpAb3xYz.pleito-part", "mine.pleito-part", ".tmp-notes.pleito-part"] {
        leave(&elsewhere.path().join(left));
    }
    leave(&contents.join(&part));
    // Another office makes a backup there too.
    fs::write(elsewhere.path().join(".tmpCd4xYz.pleito-part"), "half").unwrap();
    let file = elsewhere.path().join("copy.db.zst");
    answer(office.folder(), &["backup", file.to_str().unwrap(), "--json"]);
    assert_eq!(
        names(elsewhere.path()),
        [
            ".tmp-notes.pleito-part",
            ".tmpCd4xYz.pleito-part",
            "copy.db.zst",
            "mine.pleito-part",
            "pleito-documents"
        ]
    );
    assert_eq!(names(&contents), [sha256(b"one")]);
    // Those of another office that makes a backup there now are its own.
    let lock = fs::File::create(elsewhere.path().join("backups.lock")).unwrap();
    lock.lock().unwrap();
    let left = elsewhere.path().join(".tmpAb3xYz.pleito-part");
    leave(&left);
    answer(office.folder(), &["backup", elsewhere.path().join("second.db.zst").to_str().unwrap(), "--json"]);
    assert!(left.exists());
}

#[cfg(unix)]
#[test]
fn check_names_a_document_whose_file_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let (office, backups) = office(&[b"one"]);
    let file = office.folder().join("documents").join(sha256(b"one"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may.
    if fs::File::open(&file).is_ok() {
        return;
    }
    assert_eq!(make(&backups).missing, Some(1));
    let text = point(office.folder(), "documents")["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("1 (x.pdf): file unreadable"), "{text}");
}

#[test]
fn check_names_missing_files_and_with_deep_also_altered_ones() {
    let (office, _) = office(&[b"one", b"two"]);
    let folder = office.folder().to_owned();
    let finding = |deep: bool| {
        let arguments: &[&str] = if deep { &["check", "--deep", "--json"] } else { &["check", "--json"] };
        let output = run(&folder, arguments);
        let all: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = all["findings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["point"] == "documents")
            .cloned()
            .unwrap();
        (found["ok"].as_bool().unwrap(), found["text"].as_str().unwrap().to_owned())
    };
    assert!(point(&folder, "documents")["ok"].as_bool().unwrap());
    assert_eq!(finding(true), (true, "2; each with its file, sound".to_owned()));
    let file = folder.join("documents").join(sha256(b"two"));
    fs::write(&file, b"owt").unwrap();
    assert!(finding(false).0);
    let (ok, text) = finding(true);
    assert!(!ok && text.starts_with("2 (x.pdf): file altered"), "{text}");
    fs::remove_file(file).unwrap();
    let (ok, text) = finding(false);
    assert!(!ok && text.starts_with("2 (x.pdf): file missing"), "{text}");
}

#[test]
fn a_restore_removes_the_signing_key() {
    let (office, backups) = office(&[b"one"]);
    let backup = make(&backups);
    let key = || {
        let open = rusqlite::Connection::open(office.folder().join("pleito.db")).unwrap();
        let key: Option<Vec<u8>> =
            open.query_row("SELECT max(key) FROM signing_key", [], |row| row.get(0)).unwrap();
        key
    };
    assert!(key().is_some());
    restore(&office, &backups, &backup);
    assert_eq!(key(), None, "the next start creates a key");
}
