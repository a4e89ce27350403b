//! Backups from the console: made, verified, downloaded, put back.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::visitor::{Visitor, hidden};
use crate::office::{Office, Reply};

/// The backups in their folder, by name.
fn files(office: &Office) -> Vec<PathBuf> {
    let entries = fs::read_dir(office.folder().join("backups")).into_iter().flatten();
    let mut all: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.to_string_lossy().ends_with(".db.zst"));
    all.sort();
    all
}

/// Makes one, and answers its name.
fn make(visitor: &Visitor) -> String {
    let before = files(visitor.office);
    let made = visitor.send("/backups", &[("do", "make")]);
    assert_eq!((made.status, made.header("location")), (303, "/console/backups?done=made"));
    let new = files(visitor.office).into_iter().find(|path| !before.contains(path)).unwrap();
    new.file_name().unwrap().to_str().unwrap().to_owned()
}

fn download(visitor: &Visitor, name: &str) -> Reply {
    let name = form_urlencoded::Serializer::new(String::new()).append_pair("name", name).finish();
    visitor.look(&format!("/backups/file?{name}"))
}

#[test]
fn a_backup_is_made_listed_and_handed_out_as_it_is() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/backups").contains("There is no backup yet"));
    assert!(visitor.page("").contains("none yet"));

    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    let page = visitor.page("/backups?done=made");
    assert!(page.contains("The backup was made and verified."), "{page}");
    assert_eq!(hidden(&page, "file"), name);
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
fn a_backup_is_put_back_and_what_it_replaces_is_kept() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    office.customer("Bruno Lima", json!({}));
    let page = visitor.page("/backups");
    assert!(page.contains("there are now 2 customers · 0 lawsuits"), "{page}");

    let back = visitor.send("/backups", &[("do", "restore"), ("file", &name)]);
    assert_eq!((back.status, back.header("location")), (303, "/console/backups?done=restored"));
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    // The session and the token hold, and the way forth again is in the list.
    let page = visitor.page("/backups?done=restored");
    assert!(page.contains("what a restore replaced") && page.contains("2 customers · 0 lawsuits"), "{page}");
    let kept = files(&office).into_iter().find(|path| path.to_string_lossy().contains("-replaced")).unwrap();
    let kept = kept.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(visitor.send("/backups", &[("do", "restore"), ("file", &kept)]).status, 303);
    assert_eq!(office.get("/customers").json()["totalCount"], 2);
}

#[test]
fn a_damaged_backup_is_said_to_be_and_changes_nothing() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({}));
    let name = make(&visitor);
    let sound = visitor.send("/backups", &[("do", "verify"), ("file", &name)]);
    assert_eq!(sound.status, 200);
    assert!(sound.text().contains(&format!("{name}: is sound.")), "{}", sound.text());

    let path = office.folder().join("backups").join(&name);
    let mut bytes = fs::read(&path).unwrap();
    let middle = 1024 + (bytes.len() - 1024) / 2;
    bytes[middle] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    office.customer("Bruno Lima", json!({}));
    for deed in ["verify", "restore"] {
        let refused = visitor.send("/backups", &[("do", deed), ("file", &name)]);
        assert_eq!(refused.status, 409, "{deed}");
        let text = refused.text();
        assert!(text.contains(r#"role="alert""#) && text.contains("damaged"), "{deed}: {text}");
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 2);

    // Cut off, it says nothing of itself and cannot be gone back to; named of nowhere, it is not found.
    fs::write(&path, b"").unwrap();
    let page = visitor.page("/backups");
    assert!(page.contains("cut off, or no backup") && !page.contains("Go back to this backup"), "{page}");
    for fields in [[("do", "verify"), ("file", "../pleito.db")], [("do", "remove"), ("file", &name)]] {
        assert_eq!(visitor.send("/backups", &fields).status, 404, "{fields:?}");
    }
}

#[test]
fn nobody_else_makes_restores_or_downloads() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let name = make(&visitor);
    let csrf_token = visitor.csrf_token();
    for deed in ["make", "verify", "restore"] {
        let fields = [("do", deed), ("file", name.as_str())];
        assert_eq!(visitor.send_raw("/backups", &fields, &[]).status, 403, "{deed}");
        let fields = [&[("csrf-token", csrf_token.as_str())], &fields[..]].concat();
        let foreign = [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")];
        assert_eq!(visitor.send_raw("/backups", &fields, &foreign).status, 403, "{deed}");
    }
    assert_eq!(files(&office).len(), 1);
    let path = format!("/console/backups/file?name={name}");
    assert_eq!(office.raw("GET", &path, &[], None).status, 403);
}
