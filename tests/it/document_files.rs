//! The files of documents: stored beside backups, restored with them, and verified by `check` (resources 17.3).

use std::fs;
use std::path::{Path, PathBuf};

use pleito::backup::{BackupFile, BackupReason, Backups};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::backups::{answer, keeper, point};
use crate::documents::document;
use crate::office::Office;
use crate::program::run;

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
    assert!(String::from_utf8_lossy(&output.stdout).contains("pleito check"), "{output:?}");
}

#[test]
fn a_backup_is_made_even_if_a_content_is_missing() {
    let (office, backups) = office(&[b"one", b"two"]);
    fs::remove_file(office.folder().join("documents").join(sha256(b"one"))).unwrap();
    make(&backups);
    assert_eq!(names(&beside(office.folder())), [sha256(b"two")]);
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
