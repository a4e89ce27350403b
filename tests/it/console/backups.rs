//! Backups in the console: creating, verifying, downloading and restoring them.

use std::fs;
use std::path::PathBuf;

use pleito::backup::KeyPair;
use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::office::{Office, Reply};
use crate::wait::{MAX_WAIT, wait_until};

/// Lists the backups in their folder, by name.
fn files(office: &Office) -> Vec<PathBuf> {
    let entries = fs::read_dir(office.folder().join("backups")).into_iter().flatten();
    let mut all: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.to_string_lossy().ends_with(".db.zst"));
    all.sort();
    all
}

/// Starts an action and returns the page with its result.
fn done(visitor: &Visitor, fields: &[(&str, &str)]) -> Page {
    let begun = visitor.send("/backups", fields);
    assert_eq!((begun.status, begun.header("location")), (303, "/console/backups"));
    wait_until(MAX_WAIT, "the action ends", || {
        let page = visitor.look("/backups");
        page.header("refresh").is_empty().then(|| page.page())
    })
}

fn make(visitor: &Visitor) -> String {
    let before = files(visitor.office);
    let page = done(visitor, &[("do", "make")]);
    assert!(page.contains("The backup was made and verified."), "{page}");
    let new = files(visitor.office).into_iter().find(|path| !before.contains(path)).unwrap();
    new.file_name().unwrap().to_str().unwrap().to_owned()
}

fn download(visitor: &Visitor, name: &str) -> Reply {
    let name = form_urlencoded::Serializer::new(String::new()).append_pair("name", name).finish();
    visitor.look(&format!("/backups/file?{name}"))
}

#[test]
fn a_backup_is_created_listed_and_downloaded_unchanged() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/backups").contains("There is no backup yet"));
    assert!(visitor.page("").contains("none yet"));

    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    let page = visitor.page("/backups");
    assert!(!page.contains("The backup was made and verified."), "the message is shown once: {page}");
    assert_eq!(page.control("file").value(), name);
    assert!(page.contains("1 customer · 0 lawsuits · ") && page.contains("manual"), "{page}");
    assert!(!visitor.page("").contains("none yet"));

    let got = download(&visitor, &name);
    assert_eq!((got.status, got.header("content-disposition")), (200, "attachment"));
    assert_eq!(got.bytes, fs::read(office.folder().join("backups").join(&name)).unwrap());
    for other in ["", "../pleito.db", "..", "pleito.db", "backups.lock", "/etc/passwd"] {
        assert_eq!(download(&visitor, other).status, 404, "{other}");
    }
}

#[test]
fn the_overview_begins_with_a_failed_backup() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let folder = office.folder().join("backups");
    fs::write(&folder, "a file where the folder should be").unwrap();
    done(&visitor, &[("do", "make")]);
    let page = visitor.page("");
    assert!(page.is_in_order(&["The last backup failed: ", "See the backups", "Today"]), "{page}");
    fs::remove_file(&folder).unwrap();
    make(&visitor);
    assert!(!visitor.page("").contains("The last backup failed"));
}

#[test]
fn restoring_a_backup_keeps_the_data_it_replaces() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    office.customer("Bruno Lima", json!({}));
    let page = visitor.page("/backups");
    assert!(page.contains("there are now 2 customers · 0 lawsuits"), "{page}");

    let page = done(&visitor, &[("do", "restore"), ("file", &name)]);
    assert!(page.contains("The replaced data was kept:"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    // The session and the token stay valid, and the list offers the way back to the replaced store.
    assert!(page.contains("replaced by a restore") && page.contains("2 customers · 0 lawsuits"), "{page}");
    let kept = files(&office).into_iter().find(|path| path.to_string_lossy().contains("-replaced")).unwrap();
    let kept = kept.file_name().unwrap().to_str().unwrap().to_owned();
    done(&visitor, &[("do", "restore"), ("file", &kept)]);
    assert_eq!(office.get("/customers").json()["totalCount"], 2);
}

#[test]
fn a_damaged_backup_is_reported_and_changes_nothing() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    let sound = done(&visitor, &[("do", "verify"), ("file", &name)]);
    assert!(sound.contains(&format!("{name}: is sound.")), "{sound}");

    let path = office.folder().join("backups").join(&name);
    let mut bytes = fs::read(&path).unwrap();
    let middle = 1024 + (bytes.len() - 1024) / 2;
    bytes[middle] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    office.customer("Bruno Lima", json!({}));
    for action in ["verify", "restore"] {
        let page = done(&visitor, &[("do", action), ("file", &name)]);
        assert!(page.alert().contains("damaged"), "{action}: {page}");
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 2);

    // A truncated backup has no metadata and cannot be restored. A file that is not in the list is not found.
    fs::write(&path, b"").unwrap();
    let page = visitor.page("/backups");
    assert!(
        page.contains("incomplete, or not a backup") && !page.contains("Go back to this backup"),
        "{page}"
    );
    for fields in [[("do", "verify"), ("file", "../pleito.db")], [("do", "remove"), ("file", &name)]] {
        assert_eq!(visitor.send("/backups", &fields).status, 404, "{fields:?}");
    }
}

#[test]
fn requests_without_session_or_csrf_token_cannot_use_backups() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let name = make(&visitor);
    let csrf_token = visitor.csrf_token();
    for action in ["make", "verify", "restore"] {
        let fields = [("do", action), ("file", name.as_str())];
        assert_eq!(visitor.send_raw("/backups", &fields, &[]).status, 403, "{action}");
        let fields = [&[("csrf-token", csrf_token.as_str())], &fields[..]].concat();
        let foreign = [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")];
        assert_eq!(visitor.send_raw("/backups", &fields, &foreign).status, 403, "{action}");
    }
    assert_eq!(files(&office).len(), 1);
    let path = format!("/console/backups/file?name={name}");
    assert_eq!(office.raw("GET", &path, &[], None).status, 403);
}

#[test]
fn a_long_action_shows_its_progress_and_then_its_result() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    make(&visitor);
    office.customer("Ana Souza", json!({}));
    // While another process holds the lock on the backups, no second backup can be made.
    let lock = fs::File::open(office.folder().join("backups/backups.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(visitor.send("/backups", &[("do", "make")]).status, 303);
    let waiting = visitor.look("/backups");
    assert_eq!((waiting.status, waiting.header("refresh")), (200, "1"));
    let page = waiting.page();
    assert!(page.contains("In progress:") && page.has_progress(), "{page}");
    assert!(!page.has_button("Back up now"), "only one action runs at a time: {page}");
    assert_eq!(
        visitor.send("/backups", &[("do", "make")]).status,
        303,
        "a second request joins the running action"
    );
    lock.unlock().unwrap();
    let page = wait_until(MAX_WAIT, "the backup ends", || {
        let page = visitor.look("/backups");
        page.header("refresh").is_empty().then(|| page.page())
    });
    assert!(page.contains("The backup was made and verified."), "{page}");
    assert_eq!(files(&office).len(), 2);
}

#[test]
fn an_encrypted_backup_is_listed_and_restored_in_a_terminal_with_what_the_sheet_says() {
    let pair = KeyPair::generate();
    let office = Office::with(&format!("[backup]\nencrypt_to = [{:?}]\n", pair.public));
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    assert!(done(&visitor, &[("do", "make")]).contains("The backup was made and verified."));
    let page = visitor.page("/backups");
    assert!(page.contains("encrypted") && page.contains("pleito restore"), "{page}");
    assert!(!page.contains("1 customer") && !page.contains("Go back to this backup"), "{page}");
    let name = page.control("file").value();
    let verified = done(&visitor, &[("do", "verify"), ("file", &name)]);
    assert!(verified.contains("the file is intact; it was not opened, as it is encrypted."), "{verified}");
    let refused = done(&visitor, &[("do", "restore"), ("file", &name)]);
    assert!(refused.contains("is encrypted. Restore it in a terminal"), "{refused}");

    let sheet = visitor.page("/backups/sheet");
    assert!(
        sheet.contains(&pair.public) && visitor.look("/backups/sheet").text().contains("class=\"qr\""),
        "{sheet}"
    );
    assert!(sheet.contains("AGE-SECRET-KEY-1 and") && !sheet.contains(pair.private.text()), "{sheet}");
}
