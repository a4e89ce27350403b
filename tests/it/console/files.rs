//! Documents in the console: uploaded by a form, attached, and downloaded as nothing that runs.

use serde_json::json;

use super::visitor::{Visitor, carried, with};
use crate::office::{Office, Reply};

pub const BOUNDARY: &str = "----pleito";

/// A form with a file, as a browser sends it.
pub fn form(fields: &[(&str, &str)], file: (&str, &str, &[u8])) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let part =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    let (name, media_type, content) = file;
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {media_type}\r\n\r\n"
    );
    body.extend(head.into_bytes());
    body.extend(content);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
    body
}

fn upload(
    visitor: &Visitor,
    fields: &[(&str, &str)],
    file: (&str, &str, &[u8]),
    more: &[(&str, &str)],
) -> Reply {
    let declared = format!("multipart/form-data; boundary={BOUNDARY}");
    let mut headers = visitor.headers();
    headers.push(("content-type", &declared));
    headers.extend(more);
    visitor.follow_refusal(visitor.office.raw(
        "POST",
        "/console/documents/new",
        &headers,
        Some(&form(fields, file)),
    ))
}

fn office() -> Office {
    let office = Office::new();
    let customer = office.customer("Ana", json!({}));
    office.lawsuit(&[customer], json!({}));
    office
}

#[test]
fn a_document_is_uploaded_attached_and_downloaded() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/documents/new?lawsuit_id=1");
    assert!(
        page.contains(r#"enctype="multipart/form-data""#) && page.contains(r#"type="file" name="file""#),
        "{page}"
    );
    assert!(!page.contains(r#"name="name""#), "a file has a name: {page}");
    let (token, key) = (visitor.csrf_token(), super::visitor::hidden(&page, "version"));
    let fields =
        [("csrf-token", token.as_str()), ("version", &key), ("lawsuit_id", "1"), ("notes", "Assinada.")];
    let file = ("procuração.pdf", "application/pdf", &b"%PDF-1.7"[..]);
    for _ in 0..2 {
        let sent = upload(&visitor, &fields, file, &[]);
        assert_eq!(sent.header("location"), "/console/documents/1?done=created", "{}", sent.text());
    }
    let stored = office.get("/documents/1").json();
    assert_eq!(
        (&stored["name"], &stored["lawsuit_id"], &stored["notes"]),
        (&json!("procuração.pdf"), &json!(1), &json!("Assinada."))
    );
    let shown = visitor.page("/documents/1");
    for text in
        ["procuração.pdf", "8 B", "application/pdf", "/console/lawsuits/1", "/console/documents/1/content"]
    {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(
        visitor.page("/documents").contains("procuração.pdf")
            && visitor.page("/lawsuits/1").contains("procuração.pdf")
    );
    let content = visitor.look("/documents/1/content");
    assert_eq!((content.status, content.bytes.as_slice()), (200, &b"%PDF-1.7"[..]));
    assert_eq!(
        content.header("content-disposition"),
        "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf"
    );
    // The same key with another file is another request, which nobody loses.
    let other = upload(&visitor, &fields, ("outra.pdf", "application/pdf", b"%PDF-1.6"), &[]);
    assert_eq!(other.status, 422, "{}", other.text());
    assert_eq!(office.get("/documents").json()["totalCount"], 1);
    let form = carried(&visitor.page("/documents/1/edit"));
    let renamed = visitor.send("/documents/1/edit", &with(&form, &[("name", "procuração assinada.pdf")]));
    assert_eq!(renamed.status, 303, "{}", renamed.text());
}

#[test]
fn whatever_was_uploaded_is_downloaded_with_the_guards_of_the_api() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    let fields = [("csrf-token", token.as_str()), ("customer_id", "1")];
    let evil = b"<script>document.title='ran'</script>";
    for (at, (name, media_type)) in [
        ("a.html", "text/html"),
        ("a.svg", "image/svg+xml"),
        ("a.xhtml", "application/xhtml+xml"),
        ("a.pdf", "text/html"),
    ]
    .into_iter()
    .enumerate()
    {
        let sent = upload(&visitor, &fields, (name, media_type, evil), &[]);
        assert_eq!(sent.status, 303, "{name}: {}", sent.text());
        let ours = visitor.look(&format!("/documents/{}/content", at + 1));
        let theirs = office.get(&format!("/documents/{}/content", at + 1));
        for header in [
            "content-type",
            "content-disposition",
            "content-security-policy",
            "x-content-type-options",
            "etag",
        ] {
            assert_eq!(ours.header(header), theirs.header(header), "{name}: {header}");
        }
        assert_eq!(ours.header("content-type"), "application/octet-stream", "{name}");
        assert_eq!(ours.header("content-security-policy"), "sandbox; default-src 'none'", "{name}");
        assert!(ours.header("cache-control").contains("no-store"), "{name}");
    }
    let part = [&visitor.headers()[..], &[("range", "bytes=1-6")]].concat();
    let part = office.raw("GET", "/console/documents/1/content", &part, None);
    assert_eq!((part.status, part.bytes.as_slice()), (206, &b"script"[..]));
    for path in ["/documents/9/content", "/documents/x/content", "/customers/1/content"] {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
    // The pages keep their own policy.
    assert!(visitor.look("/documents/1").header("content-security-policy").contains("script-src 'self'"));
}

/// A picture of one point.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// What runs in a browser is only downloaded, whatever its name and its sender say.
#[test]
fn pictures_and_pdf_are_looked_at_without_any_rights() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    let fields = [("csrf-token", token.as_str()), ("customer_id", "1")];
    let pdf = &b"%PDF-1.7 <script>alert(1)</script>"[..];
    let evil = &b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"[..];
    for (at, (name, declared, content, shown)) in [
        ("a.pdf", "text/html", pdf, Some("application/pdf")),
        ("b.html", "text/html", PNG, Some("image/png")),
        ("c.svg", "image/svg+xml", evil, None),
        ("d.pdf", "application/pdf", evil, None),
        ("e.png", "image/png", b"<!doctype html><script>alert(1)</script>", None),
    ]
    .into_iter()
    .enumerate()
    {
        let sent = upload(&visitor, &fields, (name, declared, content), &[]);
        assert_eq!(sent.status, 303, "{name}: {}", sent.text());
        let path = format!("/documents/{}", at + 1);
        let (page, viewed) = (visitor.look(&path), visitor.look(&format!("{path}/view")));
        assert_eq!(page.text().contains(&format!("/console{path}/view")), shown.is_some(), "{name}");
        let policy = page.header("content-security-policy").to_owned();
        assert_eq!(policy.contains("frame-src 'self'"), shown.is_some(), "{name}: {policy}");
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"),
            "{policy}"
        );
        let Some(media_type) = shown else {
            assert_eq!(viewed.status, 404, "{name}");
            continue;
        };
        assert_eq!((viewed.status, viewed.bytes.as_slice()), (200, content), "{name}");
        let own = |header| viewed.header(header).to_owned();
        assert_eq!(own("content-type"), media_type, "{name}");
        assert_eq!(own("content-security-policy"), "sandbox; default-src 'none'; frame-ancestors 'self'");
        assert_eq!(own("x-content-type-options"), "nosniff");
        assert!(
            own("content-disposition").starts_with("inline; filename*=UTF-8''"),
            "{}",
            own("content-disposition")
        );
        assert!(own("cache-control").contains("no-store"));
        // The download stays what it is.
        let saved = visitor.look(&format!("{path}/content"));
        assert!(saved.header("content-disposition").starts_with("attachment"), "{name}");
        assert_eq!(saved.header("content-security-policy"), "sandbox; default-src 'none'");
    }
    let part = [&visitor.headers()[..], &[("range", "bytes=0-3")]].concat();
    let part = office.raw("GET", "/console/documents/1/view", &part, None);
    assert_eq!((part.status, part.bytes.as_slice()), (206, &b"%PDF"[..]));
    assert_eq!(part.header("content-type"), "application/pdf");
    for path in ["/documents/9/view", "/customers/1/view"] {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
    let stranger = Visitor { cookie: String::new(), host: visitor.host.clone(), ..visitor };
    assert_eq!(stranger.look("/documents/1/view").status, 403);
    assert_eq!(office.get("/documents/1/view").status, 404, "the API has no such route");
}

#[test]
fn what_is_there_already_is_said() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    let of_lawsuit = [("csrf-token", token.as_str()), ("lawsuit_id", "1")];
    let file = ("nota.pdf", "application/pdf", &b"%PDF-1.7"[..]);
    assert_eq!(
        upload(&visitor, &of_lawsuit, file, &[]).header("location"),
        "/console/documents/1?done=created"
    );
    let again = upload(&visitor, &of_lawsuit, file, &[]);
    assert_eq!(again.header("location"), "/console/documents/1?done=existing", "{}", again.text());
    assert!(visitor.page("/documents/1?done=existing").contains("This file was here already"));
    // Under another name it is another document, and both say so.
    let other = upload(&visitor, &of_lawsuit, ("recibo.pdf", "application/pdf", b"%PDF-1.7"), &[]);
    assert_eq!(other.header("location"), "/console/documents/2?done=created");
    for (own, same) in [(1, 2), (2, 1)] {
        let page = visitor.page(&format!("/documents/{own}"));
        assert!(
            page.contains("data-same") && page.contains(&format!(r#"href="/console/documents/{same}""#)),
            "{page}"
        );
    }
    // Where files can be dropped, and how large each may be; the form for one says so as well.
    let page = visitor.page("/lawsuits/1");
    for shown in [
        r#"class="drop""#,
        r#"name="lawsuit_id" value="1""#,
        r#"data-most="104857600""#,
        "larger than 100.0 MB",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(visitor.page("/documents/new").contains(r#"data-most="104857600""#));
    assert!(!visitor.page("/documents/1").contains(r#"class="drop""#));
}

#[test]
fn an_upload_says_what_is_wrong_beside_the_file() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    for (file, fields, says) in [
        (("", "application/octet-stream", &b""[..]), vec![("lawsuit_id", "1")], "e-file"),
        (("a.txt", "text/plain", b""), vec![("lawsuit_id", "1")], "e-file"),
        (("virus.exe", "text/plain", b"x"), vec![("lawsuit_id", "1")], "e-file"),
        (("a.txt", "text/plain", b"x"), vec![("notes", "de ninguém")], "e-customer_id"),
        (("a.txt", "text/plain", b"x"), vec![("lawsuit_id", "77")], "e-lawsuit_id"),
    ] {
        let fields = [&[("csrf-token", token.as_str())][..], &fields].concat();
        let refused = upload(&visitor, &fields, file, &[]);
        let page = refused.text();
        assert_eq!(refused.status, 422, "{file:?}: {page}");
        assert!(page.contains(&format!(r#"id="{says}""#)), "{says}: {page}");
        assert!(page.contains(r#"enctype="multipart/form-data""#), "{page}");
    }
    // Where only something else is wrong, the file has to be chosen again: browsers do not keep it.
    let refused = upload(&visitor, &[("csrf-token", &token)], ("a.txt", "text/plain", b"x"), &[]);
    assert!(refused.text().contains("Choose the file again."), "{}", refused.text());
    // A form without a file, as somebody sends it again whose session had ended.
    let bare = visitor.send("/documents/new", &[("lawsuit_id", "1")]);
    assert!(bare.status == 422 && bare.text().contains(r#"id="e-file""#), "{}", bare.text());
    assert_eq!(office.get("/documents").json()["totalCount"], 0);
}

#[test]
fn nobody_else_uploads_or_downloads() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    let (fields, file) =
        ([("csrf-token", token.as_str()), ("lawsuit_id", "1")], ("a.txt", "text/plain", &b"x"[..]));
    assert_eq!(
        upload(&visitor, &[("lawsuit_id", "1")], file, &[]).status,
        403,
        "without the session's secret"
    );
    assert_eq!(upload(&visitor, &fields, file, &[("origin", "http://evil.example")]).status, 403);
    let stranger = Visitor { cookie: String::new(), host: visitor.host.clone(), ..visitor };
    assert_eq!(upload(&stranger, &fields, file, &[]).status, 403);
    assert_eq!(office.get("/documents").json()["totalCount"], 0);
    let left = walk(&office.folder().join("documents"));
    assert!(left.is_empty(), "nothing of what was refused stays on the disk: {left:?}");
    assert_eq!(stranger.look("/documents/1/content").status, 403);
}

/// The files below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
