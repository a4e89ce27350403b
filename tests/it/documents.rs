//! Documents from upload to download (resources 17).

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::office::{Office, Reply, UNLIMITED};
use crate::wait::{MAX_WAIT, wait_until};

const BOUNDARY: &str = "----pleito";

/// Builds a multipart form with these members and a file.
fn form(name: &str, media_type: &str, content: &[u8], members: &[(&str, &str)]) -> Vec<u8> {
    let mut form = Vec::new();
    for (member, value) in members {
        let part =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{member}\"\r\n\r\n{value}\r\n");
        form.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: {media_type}\r\n\r\n"
    );
    form.extend_from_slice(head.as_bytes());
    form.extend_from_slice(content);
    form.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    form
}

pub fn upload(
    office: &Office,
    name: &str,
    media_type: &str,
    content: &[u8],
    members: &[(&str, &str)],
) -> Reply {
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let form = form(name, media_type, content, members);
    office.send("POST", "/documents", &[("content-type", &declared)], Some(&form))
}

fn upload_raw(office: &Office, query: &str, media_type: &str, content: &[u8]) -> Reply {
    office.send("POST", &format!("/documents?{query}"), &[("content-type", media_type)], Some(content))
}

/// Returns an office with a customer and a lawsuit, both with the id 1.
fn office(settings: &str) -> Office {
    let office = Office::with(settings);
    let customer = office.customer("Maria da Conceição", json!({}));
    office.lawsuit(&[customer], json!({}));
    office
}

pub fn document(office: &Office, name: &str, content: &[u8]) -> u64 {
    let reply = upload(office, name, "application/pdf", content, &[("customer_id", "1")]);
    assert!([200, 201].contains(&reply.status), "{}", reply.text());
    reply.json()["documents_id"].as_u64().unwrap()
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn files(office: &Office) -> Vec<String> {
    let entries = std::fs::read_dir(office.folder().join("documents")).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_upload_by_curl_on_windows_keeps_the_accents_of_its_name() {
    let office = office(UNLIMITED);
    let latin = |form: Vec<u8>| {
        let text = String::from_utf8(form).unwrap();
        text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect::<Vec<_>>()
    };
    let form = latin(form(
        "Petição ção.pdf",
        "application/pdf",
        b"%PDF",
        &[("customer_id", "1"), ("notes", "São José")],
    ));
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let reply = office.send("POST", "/documents", &[("content-type", &declared)], Some(&form));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let document = office.get("/documents/1").json();
    assert_eq!((&document["name"], &document["notes"]), (&json!("Petição ção.pdf"), &json!("São José")));
}

#[test]
fn a_compressed_body_is_415_and_the_answer_says_so() {
    let office = office(UNLIMITED);
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let form = form("a.pdf", "application/pdf", b"%PDF", &[("customer_id", "1")]);
    let customer = br#"{"users_id":1,"customers_origins_id":1,"name":"Ana"}"#;
    for (path, media_type, body) in [
        ("/documents", declared.as_str(), form.as_slice()),
        ("/documents?name=a.pdf&customer_id=1", "application/pdf", b"%PDF"),
        ("/customers", "application/json", customer),
        ("/movements", "application/json", br#"{"movements":[{"lawsuit_id":1,"description":"Ato"}]}"#),
    ] {
        for coding in ["gzip", "br", "identity, deflate", "zstd"] {
            let headers = [("content-type", media_type), ("content-encoding", coding)];
            let refused = office.send("POST", path, &headers, Some(body));
            let problem = refused.problem(415, "unsupported-media-type");
            assert!(problem["error"].as_str().unwrap().contains("Content-Encoding"), "{problem}");
            assert_eq!(refused.header("accept-encoding"), "identity", "{path}");
        }
        let headers = [("content-type", media_type), ("content-encoding", "Identity")];
        let taken = office.send("POST", path, &headers, Some(body));
        assert!(taken.status < 300, "{path}: {}", taken.text());
    }
}

#[test]
fn responses_match_the_examples_of_the_contract() {
    let office = office(UNLIMITED);
    let content = b"%PDF-1.7 procura\xc3\xa7\xc3\xa3o";
    let members = [("customer_id", "1"), ("lawsuit_id", "1"), ("users_id", "1")];
    let reply = upload(&office, "procuração.pdf", "application/pdf", content, &members);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let expected = r#"{"success":true,"documents_id":1,"document_id":1,"existing":false}"#;
    assert_eq!(reply.text(), expected);

    let hash = sha256(content);
    let record = json!({
        "id": 1, "name": "procuração.pdf",
        "links": { "download": "/api/v1/documents/1/download", "content": "/api/v1/documents/1/content" },
        "size": content.len(), "media_type": "application/pdf", "sha256": hash, "customer_id": 1, "lawsuit_id": 1,
        "transaction_id": null, "post_id": null, "publication_id": null, "notes": null, "users_id": 1,
        "external_ids": [], "created_at": "2026-06-17 12:00:00", "updated_at": "2026-06-17 12:00:00",
    });
    let list = office.get("/documents?customer_id=1");
    let expected = json!({
        "data": [record], "limit": 1000, "offset": 0, "totalCount": 1, "query": { "customer_id": "1" },
    });
    assert_eq!((list.status, list.json()), (200, expected));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&list.json()["data"][0]), keys(&record), "in the order of the contract");
    let one = office.get("/documents/1");
    assert_eq!((one.status, one.json()), (200, record));
    assert!(one.header("etag").starts_with('"'));

    let changed =
        office.put("/documents/1", &json!({ "name": "procuração assinada.pdf", "notes": "Em cartório." }));
    assert_eq!(changed.text(), r#"{"success":true,"documents_id":1,"document_id":1}"#);
    assert_eq!(office.get("/documents/1").json()["name"], "procuração assinada.pdf");

    let content_of = office.get("/documents/1/content");
    assert_eq!((content_of.status, content_of.bytes.as_slice()), (200, &content[..]));
    assert_eq!(content_of.header("content-type"), "application/pdf");
    assert_eq!(
        content_of.header("content-disposition"),
        "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o%20assinada.pdf"
    );
    for (header, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("cache-control", "private, no-store"),
        ("accept-ranges", "bytes"),
        ("content-encoding", ""),
    ] {
        assert_eq!(content_of.header(header), value, "{header}");
    }
    assert_eq!(content_of.header("etag"), format!("\"{hash}\""));
    assert_eq!(files(&office), [hash]);
}

#[test]
fn a_raw_file_is_uploaded_with_its_members_in_the_query() {
    let office = office(UNLIMITED);
    let reply =
        upload_raw(&office, "name=foto.jpg&customers_id=1&external_ids=drive:1", "image/jpeg", b"\xff\xd8x");
    assert_eq!(reply.status, 201, "{}", reply.text());
    let record = office.get("/documents/1").json();
    assert_eq!(
        (&record["name"], &record["media_type"], &record["size"]),
        (&json!("foto.jpg"), &json!("image/jpeg"), &json!(3))
    );
    assert_eq!(record["external_ids"], json!(["drive:1"]));
    assert_eq!(upload_raw(&office, "customer_id=1", "image/jpeg", b"x").wrong_fields(), ["name"]);
    for declared in ["application/json", "application/json; charset=utf-8"] {
        upload_raw(&office, "name=x&customer_id=1", declared, b"{}").problem(415, "unsupported-media-type");
    }
}

#[test]
fn members_missing_in_a_form_may_be_in_the_query() {
    let office = office(UNLIMITED);
    let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
    let send = |query: &str, name: &str, members: &[(&str, &str)]| {
        let body = form(name, "application/pdf", name.as_bytes(), members);
        office.send("POST", &format!("/documents?{query}"), &[("content-type", &content_type)], Some(&body))
    };
    // The query has all members, some, one that is blank in the form, or members that the form has too. The
    // form's values take precedence (contract 1).
    for (query, name, members, notes) in [
        ("customer_id=1&lawsuit_id=1&notes=da%20consulta&name=outro.pdf", "a.pdf", &[][..], "da consulta"),
        ("customer_id=1&notes=da%20consulta", "b.pdf", &[("lawsuit_id", "1")], "da consulta"),
        ("customer_id=1&notes=da%20consulta", "c.pdf", &[("lawsuit_id", "1"), ("notes", " ")], "da consulta"),
        (
            "customer_id=99&lawsuit_id=x&notes=da%20consulta",
            "d.pdf",
            &[("customer_id", "1"), ("lawsuit_id", "1"), ("notes", "do formulário")],
            "do formulário",
        ),
    ] {
        let made = send(query, name, members);
        assert_eq!(made.status, 201, "{name}: {}", made.text());
        let record = office.get(&format!("/documents/{}", made.json()["document_id"])).json();
        let shown = json!([record["name"], record["customer_id"], record["lawsuit_id"], record["notes"]]);
        assert_eq!(shown, json!([name, 1, 1, notes]));
    }
    let twice = "customer_id=1&external_ids=crm:1&external_ids=crm:2";
    let made = send(twice, "e.pdf", &[]).json()["document_id"].clone();
    assert_eq!(office.get(&format!("/documents/{made}")).json()["external_ids"], json!(["crm:1", "crm:2"]));
    let wrong = send("customer_id=99&lawsuit_id=1&users_id=x", "f.pdf", &[]);
    assert_eq!(
        (wrong.status, wrong.wrong_fields()),
        (422, vec!["users_id".to_owned(), "customer_id".to_owned()])
    );
    let refused = send("customer_id=1&nota=x", "g.pdf", &[]);
    assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["nota".to_owned()]));
    let ignored = send("customer_id=1", "g.pdf", &[("nota", "x")]);
    assert_eq!((ignored.status, ignored.header("x-ignored-members")), (201, "nota"));
}

#[test]
fn all_errors_of_an_upload_are_reported_at_once() {
    let office = office(UNLIMITED);
    let wrong = |name: &str, content: &[u8], members: &[(&str, &str)]| {
        upload(&office, name, "text/plain", content, members).wrong_fields()
    };
    let of = [("customer_id", "1")];
    assert_eq!(wrong("x.txt", b"x", &[]), ["customer_id"]);
    assert_eq!(wrong("x.txt", b"", &of), ["file"]);
    assert_eq!(wrong("../..", b"x", &of), ["name"]);
    assert_eq!(wrong(&"x".repeat(256), b"x", &of), ["name"]);
    assert_eq!(wrong("x.txt", b"x", &[("customer_id", "2")]), ["customer_id"]);
    assert_eq!(wrong("x.txt", b"x", &[("customer_id", "1"), ("customers_id", "2")]), ["customer_id"]);
    let all = [
        ("customer_id", "x"),
        ("lawsuit_id", "9"),
        ("transaction_id", "1"),
        ("post_id", "1"),
        ("publication_id", "1"),
        ("users_id", "9"),
        ("external_ids", "none"),
    ];
    let expected = [
        "customer_id",
        "external_ids",
        "file",
        "lawsuit_id",
        "name",
        "post_id",
        "publication_id",
        "transaction_id",
        "users_id",
    ];
    let mut found = wrong("..", b"", &all);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(files(&office), [""; 0]);
    assert_eq!(office.ids("/documents"), [0; 0]);
}

#[test]
fn programs_are_refused_unless_the_settings_allow_them() {
    let office = office(UNLIMITED);
    let of = [("customer_id", "1")];
    let wrong = |name: &str, content: &[u8]| upload(&office, name, "text/plain", content, &of).wrong_fields();
    for ending in [
        "exe", "com", "scr", "bat", "cmd", "ps1", "vbs", "js", "jse", "wsf", "hta", "msi", "lnk", "jar",
        "reg", "dll", "cpl", "pif",
    ] {
        assert_eq!(wrong(&format!("nota.pdf.{}", ending.to_uppercase()), b"x"), ["file"], "{ending}");
    }
    assert_eq!(wrong("nota.pdf", b"MZ\x90\0"), ["file"]);
    let id = document(&office, "nota.pdf", b"x");
    assert_eq!(
        office.put(&format!("/documents/{id}"), &json!({ "name": "nota.exe" })).wrong_fields(),
        ["file"]
    );
    assert_eq!(files(&office), [sha256(b"x")]);

    office.set(&format!("{UNLIMITED}[documents]\nrefuse_programs = false\n"));
    office.pass(2);
    let stored =
        || (upload(&office, "setup.exe", "text/plain", b"MZ\x90\0", &of).status == 201).then_some(());
    wait_until(MAX_WAIT, "the setting takes effect", stored);
}

#[test]
fn malicious_file_names_do_no_harm() {
    let office = office(UNLIMITED);
    for (name, kept) in [
        ("../../x", "x"),
        ("..\\..\\pleito.db", "pleito.db"),
        ("/etc/passwd", "passwd"),
        ("CON", "CON"),
        ("nul.txt", "nul.txt"),
        ("x.pdf. . .", "x.pdf"),
        (&"é".repeat(255), &"é".repeat(255)),
    ] {
        let id = document(&office, name, name.as_bytes());
        let record = office.get(&format!("/documents/{id}")).json();
        assert_eq!(record["name"], kept);
        assert_eq!(office.get(&format!("/documents/{id}/content")).bytes, name.as_bytes());
    }
    let names = files(&office);
    assert!(names.iter().all(|name| name.len() == 64), "{names:?}");
    assert!(!office.folder().join("x").exists());
}

#[test]
fn the_maximum_file_size_is_a_setting_and_excludes_the_form() {
    let office = office(&format!("{UNLIMITED}[documents]\nmax_mib = 1\n"));
    let most = vec![b'x'; 1024 * 1024];
    let of = [("customer_id", "1")];
    assert_eq!(upload(&office, "most.txt", "text/plain", &most, &of).status, 201);
    assert_eq!(upload_raw(&office, "name=most.txt&lawsuit_id=1", "text/plain", &most).status, 201);
    let more = [most.as_slice(), b"x"].concat();
    upload(&office, "more.txt", "text/plain", &more, &of).problem(413, "too-large");
    upload_raw(&office, "name=more.txt&customer_id=1", "text/plain", &more).problem(413, "too-large");
    // Other bodies have their own limit.
    office.put("/documents/1", &json!({ "notes": "x".repeat(2 * 1024 * 1024) })).problem(413, "too-large");
    assert_eq!(files(&office), [sha256(&most)]);
}

#[test]
fn the_same_content_name_and_records_are_the_same_document() {
    let office = office(UNLIMITED);
    let of = [("customer_id", "1"), ("lawsuit_id", "1")];
    let first = upload(&office, "x.pdf", "application/pdf", b"abc", &of);
    let again = upload(&office, "x.pdf", "application/pdf", b"abc", &of);
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(again.text(), r#"{"success":true,"documents_id":1,"document_id":1,"existing":true}"#);
    for (name, content, members) in [
        ("y.pdf", &b"abc"[..], &of[..]),
        ("x.pdf", b"abd", &of),
        ("x.pdf", b"abc", &of[..1]),
        ("x.pdf", b"abc", &of[1..]),
    ] {
        assert_eq!(upload(&office, name, "application/pdf", content, members).status, 201);
    }
    assert_eq!(files(&office).len(), 2, "one file per content");

    // If the file of known bytes is missing, uploading them again restores it.
    let file = office.folder().join("documents").join(sha256(b"abc"));
    std::fs::remove_file(&file).unwrap();
    office.get("/documents/1/content").problem(410, "content-missing");
    assert_eq!(upload(&office, "x.pdf", "application/pdf", b"abc", &of).status, 200);
    assert_eq!(office.get("/documents/1/content").bytes, b"abc");
    std::fs::write(&file, b"abcd").unwrap();
    office.get("/documents/1/content").problem(410, "content-missing");
}

#[test]
fn an_idempotency_key_uploads_once() {
    let office = office(UNLIMITED);
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let send = |content: &[u8], notes: &str| {
        let form = form("x.pdf", "application/pdf", content, &[("customer_id", "1"), ("notes", notes)]);
        office.send(
            "POST",
            "/documents",
            &[("content-type", &declared), ("idempotency-key", "k")],
            Some(&form),
        )
    };
    let (first, again) = (send(b"abc", "n"), send(b"abc", "n"));
    assert_eq!((first.status, again.status, again.text()), (201, 201, first.text()));
    assert_eq!(again.header("idempotency-replayed"), "true");
    send(b"abd", "n").problem(422, "idempotency-key-reused");
    send(b"abc", "m").problem(422, "idempotency-key-reused");
    assert_eq!(files(&office), [sha256(b"abc")]);
}

#[test]
fn a_document_always_belongs_to_a_record() {
    let office = office(UNLIMITED);
    let id = document(&office, "x.pdf", b"abc");
    let put = |body: &Value| office.put(&format!("/documents/{id}"), body);
    assert_eq!(put(&json!({ "customer_id": null })).wrong_fields(), ["customer_id"]);
    assert_eq!(put(&json!({ "customer_id": null, "lawsuit_id": 1 })).status, 200);
    assert_eq!(put(&json!({ "lawsuits_id": "" })).wrong_fields(), ["customer_id"]);
    assert_eq!(
        put(&json!({ "lawsuit_id": 7, "customers_id": 8, "post_id": 9 })).wrong_fields(),
        ["customer_id", "lawsuit_id", "post_id"]
    );
    assert_eq!(put(&json!({ "name": "" })).wrong_fields(), ["name"]);
    put(&json!({ "size": 3, "sha256": "x", "media_type": "x" })).problem(400, "empty-body");
    let tag = office.get(&format!("/documents/{id}")).header("etag").to_owned();
    assert_eq!(put(&json!({ "name": "y.pdf" })).status, 200);
    let path = format!("/documents/{id}");
    office
        .send("PUT", &path, &[("if-match", &tag)], Some(b"{\"notes\": \"n\"}"))
        .problem(412, "changed-meanwhile");
    office.put("/documents/9", &json!({ "name": "x" })).problem(404, "not-found");
    assert_eq!(office.get("/documents/9").problem(404, "not-found")["error"], "Document not found");
}

#[test]
fn lists_filter_documents_by_the_parameters_of_the_contract() {
    let mut office = office(UNLIMITED);
    office.customer("João Batista", json!({}));
    office.task(1, json!({}));
    for (name, media_type, members) in [
        ("Procuração João.pdf", "application/pdf", &[("customer_id", "1")][..]),
        ("foto.png", "image/png", &[("customer_id", "2"), ("lawsuit_id", "1"), ("external_ids", "drive:1")]),
        ("contrato.pdf", "application/pdf", &[("lawsuit_id", "1"), ("posts_id", "1")]),
    ] {
        assert_eq!(upload(&office, name, media_type, name.as_bytes(), members).status, 201);
    }
    for _ in 0..2 {
        for (query, ids) in [
            ("", &[1, 2, 3][..]),
            ("?name=procuracao", &[1]),
            ("?name=.pdf", &[1, 3]),
            ("?name=o", &[1, 2, 3]),
            ("?customer_id=1", &[1]),
            ("?customers_id=2", &[2]),
            ("?customer_id=3", &[]),
            ("?lawsuit_id=1", &[2, 3]),
            ("?lawsuit_id=1&customer_id=2", &[2]),
            ("?post_id=1", &[3]),
            ("?posts_id=2", &[]),
            ("?transaction_id=1", &[]),
            ("?publication_id=1", &[]),
            ("?media_type=image/png", &[2]),
            ("?media_type=pdf", &[1, 3]),
            ("?external_id=drive:1", &[2]),
            ("?external_id=drive:2", &[]),
            ("?created_start=2026-06-17&created_end=2026-06-17", &[1, 2, 3]),
            ("?created_start=2026-06-18", &[]),
        ] {
            assert_eq!(office.ids(&format!("/documents{query}")), ids, "{query}");
        }
        office.restart();
    }
    assert_eq!(office.get("/documents?customer_id=1&customers_id=2").wrong_fields(), ["customer_id"]);
    assert_eq!(office.get("/documents?customer_id=x").wrong_fields(), ["customer_id"]);
    assert_eq!(office.get("/documents?limit=1001").wrong_fields(), ["limit"]);
}

#[test]
fn an_external_id_belongs_to_one_document() {
    let office = office(UNLIMITED);
    let send = |name: &str, ids: &[&str]| {
        let members: Vec<_> =
            [("customer_id", "1")].into_iter().chain(ids.iter().map(|id| ("external_ids", *id))).collect();
        upload(&office, name, "text/plain", name.as_bytes(), &members)
    };
    assert_eq!(send("a", &["s:1", "s:2"]).status, 201);
    let taken = send("b", &["s:3", "s:2"]);
    assert_eq!(taken.problem(422, "duplicate")["document_id"], 1);
    assert_eq!(send("b", &["s:3"]).status, 201);
    assert_eq!(
        office.put("/documents/2", &json!({ "external_ids": "s:1" })).problem(422, "duplicate")["document_id"],
        1
    );
    assert_eq!(office.put("/documents/1", &json!({ "external_ids": ["s:2"] })).status, 200);
    assert_eq!(office.put("/documents/2", &json!({ "external_ids": ["s:1", "s:3"] })).status, 200);
    assert_eq!(office.ids("/documents?external_id=s:1"), [2]);
    assert_eq!(office.put("/documents/1", &json!({ "external_ids": [] })).status, 200);
    assert_eq!(office.get("/documents/1").json()["external_ids"], json!([]));
    assert_eq!(office.put("/documents/2", &json!({ "external_ids": null })).status, 200);
    assert_eq!(office.ids("/documents?external_id=s:3"), [0; 0]);
    let many: Vec<_> = (0..21).map(|n| format!("s:{n}")).collect();
    assert_eq!(office.put("/documents/1", &json!({ "external_ids": many })).wrong_fields(), ["external_ids"]);
    assert_eq!(office.put("/documents/1", &json!({ "external_ids": many[..20] })).status, 200);
    assert_eq!(
        office.put("/documents/1", &json!({ "external_ids": ["s:1", "s:1"] })).wrong_fields(),
        ["external_ids"]
    );
}

#[test]
fn range_requests_return_parts_of_a_content() {
    let office = office(UNLIMITED);
    let content: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    let id = document(&office, "x.bin", &content);
    let path = format!("/documents/{id}/content");
    let get = |headers: &[(&str, &str)]| office.send("GET", &path, headers, None);
    let part = |range: &str| {
        let reply = get(&[("range", range)]);
        (reply.status, reply.header("content-range").to_owned(), reply.bytes)
    };
    assert_eq!(part("bytes=0-0"), (206, "bytes 0-0/300000".to_owned(), content[..1].to_vec()));
    assert_eq!(
        part("bytes=1000-299998"),
        (206, "bytes 1000-299998/300000".to_owned(), content[1000..299_999].to_vec())
    );
    assert_eq!(part("bytes=-5"), (206, "bytes 299995-299999/300000".to_owned(), content[299_995..].to_vec()));
    assert_eq!(
        part("bytes=299999-"),
        (206, "bytes 299999-299999/300000".to_owned(), content[299_999..].to_vec())
    );
    let behind = get(&[("range", "bytes=300000-")]);
    behind.problem(416, "range-not-satisfiable");
    assert_eq!(behind.header("content-range"), "bytes */300000");
    assert_eq!(part("bytes=0-1,5-6"), (200, String::new(), content.clone()));

    let tag = get(&[]).header("etag").to_owned();
    assert_eq!(get(&[("if-none-match", &tag)]).status, 304);
    assert_eq!(get(&[("range", "bytes=0-9"), ("if-range", &tag)]).status, 206);
    assert_eq!(get(&[("range", "bytes=0-9"), ("if-range", "\"other\"")]).status, 200);
    let head = office.send("HEAD", &path, &[], None);
    assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (200, 0, "300000"));
    let head = office.send("HEAD", &path, &[("range", "bytes=0-9")], None);
    assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (206, 0, "10"));
}

#[test]
fn content_that_a_browser_could_run_is_sent_as_octet_stream() {
    let office = office(UNLIMITED);
    for (number, (name, media_type)) in [
        ("a.html", "text/html"),
        ("a.svg", "image/svg+xml"),
        ("a.xml", "application/xml"),
        ("a.xht", "application/xhtml+xml"),
    ]
    .into_iter()
    .enumerate()
    {
        let content = format!("<script>alert({number})</script>");
        let reply = upload(&office, name, media_type, content.as_bytes(), &[("customer_id", "1")]);
        let id = reply.json()["document_id"].as_u64().unwrap();
        assert_eq!(
            office.get(&format!("/documents/{id}")).json()["media_type"],
            media_type,
            "the declared type is kept"
        );
        let sent = office.get(&format!("/documents/{id}/content"));
        assert_eq!(sent.header("content-type"), "application/octet-stream");
        assert!(sent.header("content-disposition").starts_with("attachment;"));
    }
}

#[test]
fn a_signed_address_opens_one_content_for_five_minutes() {
    let mut office = office("[limits]\nget_per_minute = 5\n");
    let (one, two) = (document(&office, "a.pdf", b"one"), document(&office, "b.pdf", b"two"));
    let signed = |office: &Office, id: u64| {
        let reply = office.get(&format!("/documents/{id}/download"));
        assert_eq!((reply.status, &reply.json()["expires_in"]), (200, &json!(300)), "{}", reply.text());
        let address = reply.json()["data"].as_str().unwrap().to_owned();
        let origin = format!("http://{}", office.address());
        address.strip_prefix(&origin).unwrap_or_else(|| panic!("{address} is not of {origin}")).to_owned()
    };
    let address = signed(&office, one);
    let open = |path: &str| office.raw("GET", path, &[], None);
    for _ in 0..20 {
        assert_eq!(open(&address).bytes, b"one", "the download is not counted");
    }
    assert_eq!(open(&address).header("x-ratelimit-limit"), "");
    assert_eq!(office.raw("GET", &address, &[("range", "bytes=1-")], None).bytes, b"ne");
    let of = |id: u64| format!("/documents/{id}/");
    let last = if address.ends_with('0') { "1" } else { "0" };
    let (path, _) = address.split_once('?').unwrap();
    for wrong in [
        address.replace(&of(one), &of(two)),
        address.replace(&of(one), &of(99)),
        address.replace("expires=1", "expires=2"),
        format!("{}{last}", &address[..address.len() - 1]),
        format!("{path}?signature="),
        format!("{path}?signature=x&expires=9"),
        path.to_owned(),
        address.replace("/content?", "?"),
    ] {
        office.pass(60);
        open(&wrong).problem(401, "unauthenticated");
    }
    let address = signed(&office, one);
    office.pass(300);
    assert_eq!(open(&address).status, 200);
    office.pass(1);
    open(&address).problem(401, "unauthenticated");

    office.pass(60);
    let address = signed(&office, one);
    office.restart();
    let open = |office: &Office, address: &str| office.raw("GET", address, &[], None).status;
    let moved = |address: &str| address.to_owned();
    assert_eq!(open(&office, &moved(&address)), 200, "the key survives a restart");
    office.token = office.rotate().expose().to_owned();
    assert_eq!(open(&office, &address), 401, "a new token invalidates all signed addresses");
    let address = signed(&office, two);
    office.store().revoke_token().unwrap();
    assert_eq!(open(&office, &address), 401);
    assert_eq!(office.get("/documents/1/download").status, 401);
}

#[test]
fn an_aborted_upload_leaves_nothing() {
    let office = office(UNLIMITED);
    let head = |length: usize, declared: &str| {
        format!(
            "POST /api/v1/documents?name=x.txt&customer_id=1 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: {declared}\r\nContent-Length: {length}\r\n\r\n",
            office.address(),
            office.token
        )
    };
    let form = form("x.txt", "text/plain", &vec![b'x'; 600_000], &[("customer_id", "1")]);
    let multipart = format!("multipart/form-data; boundary={BOUNDARY}");
    for (declared, body) in [("text/plain", vec![b'x'; 600_000]), (multipart.as_str(), form)] {
        let mut stream = TcpStream::connect(office.address()).unwrap();
        stream.write_all(head(body.len(), declared).as_bytes()).unwrap();
        stream.write_all(&body[..body.len() - 20]).unwrap();
        let is_there = || files(&office).iter().any(|name| name.ends_with(".part")).then_some(());
        wait_until(MAX_WAIT, "part of the upload is on the disk", is_there);
        drop(stream);
        wait_until(MAX_WAIT, "nothing is left", || files(&office).is_empty().then_some(()));
    }
    // The client closes its sending side after fewer bytes than it announced.
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.write_all(head(100, "text/plain").as_bytes()).unwrap();
    stream.write_all(b"half").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    wait_until(MAX_WAIT, "nothing is left", || files(&office).is_empty().then_some(()));
    assert_eq!(office.ids("/documents"), [0; 0]);
}

#[test]
fn uploads_count_against_their_limit_and_need_a_token() {
    let office = office("[limits]\nget_per_minute = 0\npost_per_day = 2\n");
    let of = [("customer_id", "1")];
    assert_eq!(upload(&office, "a", "text/plain", b"a", &of).status, 201);
    assert_eq!(upload(&office, "b", "text/plain", b"", &of).status, 422);
    upload(&office, "c", "text/plain", b"c", &of).problem(429, "rate-limited");
    let form = form("x", "text/plain", b"x", &of);
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let headers = [("content-type", declared.as_str()), ("authorization", "Bearer x")];
    office.send("POST", "/documents", &headers, Some(&form)).problem(401, "unauthenticated");
    assert_eq!(files(&office), [sha256(b"a")]);
}

/// Flips a bit of a content as a failing disk does. Length and time stamp stay the same.
fn corrupt(office: &Office, content: &[u8], at: usize) {
    let path = office.folder().join("documents").join(sha256(content));
    let written = std::fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = content.to_vec();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
}

/// Requests a content and returns all bytes until the connection ends.
fn read_all(office: &Office, path: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    let (address, token) = (office.address(), &office.token);
    let head = format!(
        "GET /api/v1{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut came = Vec::new();
    // A connection that the server cuts may be an error on this side.
    let _ = stream.read_to_end(&mut came);
    came
}

#[test]
fn a_corrupted_content_is_never_sent_as_complete() {
    let office = office(UNLIMITED);
    let large: Vec<u8> = (0..900_000_u32).map(|n| (n % 251) as u8).collect();
    for (content, at) in [(&large[..], 3), (&large[1..], 899_998), (b"small", 0)] {
        let id = document(&office, "x.bin", content);
        let path = format!("/documents/{id}/content");
        assert_eq!(office.get(&path).bytes, content, "the content is sound at first");
        corrupt(&office, content, at);
        let came = read_all(&office, &path);
        let body = came.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |end| came.len() - end - 4);
        let is_refused = came.starts_with(b"HTTP/1.1 410");
        assert!(is_refused || body < content.len(), "{body} of {} bytes arrived", content.len());
        // The damage is remembered for later requests.
        office.get(&path).problem(410, "content-missing");
        office.send("GET", &path, &[("range", "bytes=1-2")], None).problem(410, "content-missing");
        assert_eq!(office.send("HEAD", &path, &[], None).status, 410);
        document(&office, "x.bin", content);
        assert_eq!(office.get(&path).bytes, content, "uploading the same file again repairs it");
    }
}

#[test]
fn each_content_is_verified_once_a_day_for_any_request() {
    let office = office(UNLIMITED);
    let id = document(&office, "x.bin", b"0123456789");
    let path = format!("/documents/{id}/content");
    let part = || office.send("GET", &path, &[("range", "bytes=1-2")], None);
    assert_eq!(part().bytes, b"12");
    corrupt(&office, b"0123456789", 9);
    office.pass(24 * 60 * 60);
    part().problem(410, "content-missing");
    assert_eq!(office.send("HEAD", &path, &[], None).status, 410);

    // Setting the clock back does not make the last check more recent.
    document(&office, "x.bin", b"0123456789");
    assert_eq!(part().bytes, b"12");
    corrupt(&office, b"0123456789", 9);
    office.clock.set("2026-06-10T12:00:00-03:00".parse().unwrap());
    part().problem(410, "content-missing");
}

#[test]
fn a_signed_address_never_outlives_its_expiry() {
    let mut office = office(UNLIMITED);
    let id = document(&office, "a.pdf", b"one");
    let sign = |office: &Office| {
        let address =
            office.get(&format!("/documents/{id}/download")).json()["data"].as_str().unwrap().to_owned();
        address.split_once("/api/v1").map(|(_, path)| format!("/api/v1{path}")).unwrap()
    };
    let open = |office: &Office, path: &str| office.raw("GET", path, &[], None).status;
    let earlier = |office: &Office, seconds: i64| {
        let now = office.clock.now().as_second() - seconds;
        office.clock.set(jiff::Timestamp::from_second(now).unwrap());
    };

    let address = sign(&office);
    earlier(&office, 3600);
    office.pass(300);
    assert_eq!(open(&office, &address), 200, "the clock was set back, and the expiry is not reached");
    office.pass(1);
    assert_eq!(open(&office, &address), 401);

    let address = sign(&office);
    office.clock.set(jiff::Timestamp::from_second(office.clock.now().as_second() + 301).unwrap());
    assert_eq!(open(&office, &address), 401, "setting the clock forward ends it too");

    // The expiry survives a restart.
    let address = sign(&office);
    office.pass(100);
    office.restart();
    assert_eq!(open(&office, &address), 200);
    earlier(&office, 90);
    office.pass(201);
    assert_eq!(open(&office, &address), 401);
    let address = sign(&office);
    earlier(&office, 3600);
    office.restart();
    assert_eq!(open(&office, &address), 401);
    office.pass(3600);
    assert_eq!(open(&office, &address), 401, "it stays invalid when the clock reaches the old time");
}

/// Regression: a file of a hidden lawsuit alone was listed and opened for callers who may not see lawsuits.
#[test]
fn a_file_that_belongs_only_to_hidden_records_is_nowhere() {
    let office = office(UNLIMITED);
    let sent = |name: &str, members: &[(&str, &str)]| {
        let reply = upload(&office, name, "application/pdf", name.as_bytes(), members);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["documents_id"].as_u64().unwrap()
    };
    let of_lawsuit = sent("sigilo.pdf", &[("lawsuit_id", "1")]);
    let of_both = sent("contrato.pdf", &[("lawsuit_id", "1"), ("customer_id", "1")]);
    let of_customer = sent("rg.pdf", &[("customer_id", "1")]);
    let seen_by = |nouns: &[&str]| {
        let key = crate::appointments::key(&office, nouns);
        let get = |path: &str| crate::appointments::by_key(&office, &key, "GET", path, None);
        let list = get("/documents").json();
        let ids = list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_u64().unwrap())
            .collect::<Vec<_>>();
        assert_eq!(list["totalCount"], ids.len(), "{list}");
        for id in [of_lawsuit, of_both, of_customer] {
            let status = if ids.contains(&id) { 200 } else { 404 };
            for path in [format!("/documents/{id}"), format!("/documents/{id}/content")] {
                assert_eq!(get(&path).status, status, "{path} with {nouns:?}");
            }
        }
        let feed = get("/changes?resource=documents&include=record,values&limit=1000").json();
        assert_eq!(feed.to_string().contains("sigilo"), ids.contains(&of_lawsuit), "{feed}");
        ids
    };
    assert_eq!(seen_by(&["documents", "customers", "lawsuits"]), [of_lawsuit, of_both, of_customer]);
    assert_eq!(seen_by(&["documents", "customers"]), [of_both, of_customer]);
    assert_eq!(seen_by(&["documents"]), [0; 0]);
}
