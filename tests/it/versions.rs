//! `ETag`, `If-None-Match` and `If-Match` (contract 4.4, 4.5, 5.4).

use serde_json::{Value, json};

use crate::office::{Office, Reply};

/// Starts an office with a customer and a lawsuit, and returns their paths with a change of each.
fn office() -> (Office, [(&'static str, Value); 2]) {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "notes": "a" }));
    office.lawsuit(&[ana], json!({ "notes": "a" }));
    (office, ["/customers/1", "/lawsuits/1"].map(|path| (path, json!({ "notes": "b" }))))
}

fn tag(office: &Office, path: &str) -> String {
    let tag = office.get(path).header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "not a strong ETag: {tag}");
    tag
}

fn put(office: &Office, path: &str, if_match: &str, body: &Value) -> Reply {
    office.send("PUT", path, &[("if-match", if_match)], Some(body.to_string().as_bytes()))
}

#[test]
fn a_request_with_the_current_etag_gets_304() {
    let (office, records) = office();
    for (path, change) in records {
        let known = tag(&office, path);
        assert_eq!(tag(&office, path), known, "the record has not changed");
        let not_modified = [known.clone(), format!("W/{known}"), format!("\"x\", {known}"), "*".to_owned()];
        for method in ["GET", "HEAD"] {
            for named in &not_modified {
                let reply = office.send(method, path, &[("if-none-match", named)], None);
                assert_eq!((reply.status, reply.text().as_str()), (304, ""), "{path} {named}");
                assert_eq!(reply.header("etag"), known, "{path} {named}");
            }
            for named in ["\"x\"", "W/\"x\", \"y\"", &known[..known.len() - 2], "\"\""] {
                let reply = office.send(method, path, &[("if-none-match", named)], None);
                assert_eq!((reply.status, reply.header("etag")), (200, known.as_str()), "{path} {named}");
            }
        }
        assert_eq!(office.put(path, &change).status, 200);
        let reply = office.send("GET", path, &[("if-none-match", &known)], None);
        assert_eq!(reply.status, 200, "{path} has changed");
        assert_ne!(reply.header("etag"), known);
    }
    let missing = office.send("GET", "/customers/9", &[("if-none-match", "*")], None);
    missing.problem(404, "not-found");
}

#[test]
fn a_change_with_a_stale_etag_is_refused_and_changes_nothing() {
    let (office, records) = office();
    for (path, change) in records {
        let before = office.get(path);
        let known = before.header("etag").to_owned();
        for stale in ["\"x\"", "\"x\", \"y\"", &format!("{}x\"", &known[..known.len() - 1]), "W/\"x\""] {
            put(&office, path, stale, &change).problem(412, "changed-meanwhile");
            assert_eq!(office.get(path).bytes, before.bytes, "{path} {stale}");
        }
        for named in [&known, "*"] {
            assert_eq!(put(&office, path, named, &change).status, 200, "{path} {named}");
        }
        put(&office, path, &known, &json!({ "notes": "c" })).problem(412, "changed-meanwhile");
        assert_eq!(office.get(path).json()["notes"], "b");
        let listed = format!("\"x\" , {}", tag(&office, path));
        assert_eq!(put(&office, path, &listed, &json!({ "notes": "d" })).status, 200);
        assert_eq!(office.get(path).json()["notes"], "d");
        // Invalid members are reported first. A missing record cannot have changed.
        assert_eq!(put(&office, path, "\"x\"", &json!({ "notes": true })).status, 422);
    }
    put(&office, "/customers/9", "*", &json!({ "notes": "b" })).problem(404, "not-found");
}

#[test]
fn the_etag_of_a_compressed_response_is_valid_in_if_match() {
    let office = Office::new();
    office.customer("Ana Souza", json!({ "notes": "a".repeat(3000) }));
    let packed = office.send("GET", "/customers/1", &[("accept-encoding", "gzip")], None);
    assert_eq!(packed.header("content-encoding"), "gzip");
    let tag = packed.header("etag");
    let notes = "b".repeat(3000);
    assert_eq!(put(&office, "/customers/1", tag, &json!({ "notes": notes })).status, 200);
    put(&office, "/customers/1", tag, &json!({ "notes": "b" })).problem(412, "changed-meanwhile");
}

#[test]
fn of_several_clients_with_the_same_etag_only_one_can_change_the_record() {
    let (office, _) = office();
    let known = tag(&office, "/customers/1");
    let statuses = std::thread::scope(|scope| {
        let office = &office;
        let known = &known;
        let all = (0..8).map(|number| {
            scope.spawn(move || {
                put(office, "/customers/1", known, &json!({ "notes": number.to_string() })).status
            })
        });
        all.collect::<Vec<_>>().into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 7, "{statuses:?}");
}

#[test]
fn the_etag_of_a_record_changes_with_everything_that_it_shows() {
    let (office, _) = office();
    let mut known = tag(&office, "/customers/1");
    let mut has_changed = |what: &str| {
        let now = tag(&office, "/customers/1");
        assert_ne!(now, known, "{what}");
        put(&office, "/customers/1", &known, &json!({ "notes": "z" })).problem(412, "changed-meanwhile");
        known = now;
    };
    office.lawsuit(&[1], json!({}));
    has_changed("one more lawsuit");
    assert_eq!(office.put("/lawsuits/1", &json!({ "protocol_number": "77" })).status, 200);
    has_changed("a lawsuit's number");
    assert_eq!(office.put("/settings/origins/1", &json!({ "origin": "Rádio" })).status, 200);
    has_changed("the origin's name");
    let other = office.customer("Bruno Lima", json!({}));
    assert_eq!(office.put("/lawsuits/1", &json!({ "customers_id": [other] })).status, 200);
    has_changed("a lawsuit less");

    let lawsuit = tag(&office, "/lawsuits/2");
    assert_eq!(office.put("/customers/1", &json!({ "name": "Ana Lima" })).status, 200);
    assert_ne!(tag(&office, "/lawsuits/2"), lawsuit, "a linked customer's name");
}

#[test]
fn polling_an_unchanged_list_gets_304() {
    let (office, _) = office();
    let again = |path: &str, tag: &str| office.send("GET", path, &[("if-none-match", tag)], None);
    let lists = ["/customers?name=ana", "/customers/birthdays", "/lawsuits?limit=1", "/processos"];
    let tags = lists.map(|path| {
        let tag = office.get(path).header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{path}: {tag}");
        let reply = again(path, &tag);
        assert_eq!(
            (reply.status, reply.text().as_str(), reply.header("etag")),
            (304, "", tag.as_str()),
            "{path}"
        );
        tag
    });
    assert_eq!(again("/customers?name=anas", &tags[0]).status, 200, "another query");
    assert_eq!(again("/lawsuits?limit=2", &tags[2]).status, 200);
    office.pass(24 * 60 * 60);
    assert_eq!(again("/customers/birthdays", &tags[1]).status, 200, "another day");
    let tag = office.get("/customers?name=ana").header("etag").to_owned();
    office.customer("Ana Lima", json!({}));
    let changed = again("/customers?name=ana", &tag);
    assert_eq!((changed.status, &changed.json()["totalCount"]), (200, &json!(2)));
    assert_ne!(changed.header("etag"), tag);
    again("/customers?limit=0", "*").problem(422, "invalid");
}
