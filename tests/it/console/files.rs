//! Documents in the console: uploaded with a form, linked to records, and downloaded without being executable.

use serde_json::json;

use super::page::Page;
use super::visitor::{Visitor, carried, with};
use crate::office::{Office, Reply};

pub const BOUNDARY: &str = "----pleito";

/// Builds a multipart form with a file, as a browser sends it.
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
    assert!(page.takes_file("file") && page.has_field("File on this device"), "{page}");
    assert!(!page.has_field("Name"), "the file name is used: {page}");
    let (token, key) = (visitor.csrf_token(), page.control("version").value());
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
    for text in ["procuração.pdf", "8 B", "application/pdf"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(shown.leads_to("/console/lawsuits/1"), "{shown}");
    assert_eq!(shown.link("Download"), "/console/documents/1/content");
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
    // The same idempotency key with another file is a different request, and is refused instead of losing the file.
    let other = upload(&visitor, &fields, ("outra.pdf", "application/pdf", b"%PDF-1.6"), &[]);
    assert_eq!(other.status, 422, "{}", other.text());
    assert_eq!(office.get("/documents").json()["totalCount"], 1);
    let form = carried(&visitor.page("/documents/1/edit"));
    let renamed = visitor.send("/documents/1/edit", &with(&form, &[("name", "procuração assinada.pdf")]));
    assert_eq!(renamed.status, 303, "{}", renamed.text());
}

#[test]
fn any_uploaded_file_is_downloaded_with_the_security_headers_of_the_api() {
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
    // The console's pages keep their own policy.
    assert!(visitor.look("/documents/1").header("content-security-policy").contains("script-src 'self'"));
}

/// A PNG of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// Content that a browser could run is only offered as a download, regardless of its name and declared type.
#[test]
fn pictures_and_pdfs_are_viewed_in_a_sandbox() {
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
        let view = format!("/console{path}/view");
        assert_eq!(page.page().shows(&view), shown.is_some(), "{name}");
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
        // The download keeps its own headers.
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
fn uploading_an_existing_file_is_reported() {
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
    assert!(visitor.page("/documents/1?done=existing").contains("This file was already here"));
    // The same file under another name is another document, and their pages link to each other.
    let other = upload(&visitor, &of_lawsuit, ("recibo.pdf", "application/pdf", b"%PDF-1.7"), &[]);
    assert_eq!(other.header("location"), "/console/documents/2?done=created");
    for (own, same) in [(1, 2), (2, 1)] {
        let page = visitor.page(&format!("/documents/{own}"));
        assert!(page.leads_to(&format!("/console/documents/{same}")), "{page}");
    }
    // The page has a drop area and the maximum file size. The upload form shows the size too.
    let most = |page: &Page| page.for_script("most")[0].script("most");
    let page = visitor.page("/lawsuits/1");
    assert!(page.takes_file("file"), "{page}");
    assert_eq!(page.form_with("file").control("lawsuit_id").value(), "1");
    assert_eq!(most(&page).as_deref(), Some("104857600"));
    assert!(page.for_script("large")[0].script("large").unwrap().contains("larger than 100.0 MB"), "{page}");
    assert_eq!(most(&visitor.page("/documents/new")).as_deref(), Some("104857600"));
    assert!(!visitor.page("/documents/1").takes_file("file"));
}

#[test]
fn upload_errors_are_shown_beside_the_file_field() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    for (file, fields, wrong) in [
        (("", "application/octet-stream", &b""[..]), vec![("lawsuit_id", "1")], "file"),
        (("a.txt", "text/plain", b""), vec![("lawsuit_id", "1")], "file"),
        (("virus.exe", "text/plain", b"x"), vec![("lawsuit_id", "1")], "file"),
        (("a.txt", "text/plain", b"x"), vec![("notes", "de ninguém")], "customer_id"),
        (("a.txt", "text/plain", b"x"), vec![("lawsuit_id", "77")], "lawsuit_id"),
    ] {
        let fields = [&[("csrf-token", token.as_str())][..], &fields].concat();
        let refused = upload(&visitor, &fields, file, &[]);
        let page = refused.page();
        assert_eq!(refused.status, 422, "{file:?}: {page}");
        assert_ne!(page.control(wrong).error(), "", "{wrong}: {page}");
        assert!(page.takes_file("file"), "{page}");
    }
    // If only another field is wrong, the file has to be chosen again, because browsers do not keep it.
    let refused = upload(&visitor, &[("csrf-token", &token)], ("a.txt", "text/plain", b"x"), &[]);
    assert!(refused.page().contains("Choose the file again: a.txt."), "{}", refused.text());
    // A form without a file, as a browser resends it after the session has ended.
    let bare = visitor.send("/documents/new", &[("lawsuit_id", "1")]);
    assert!(bare.status == 422 && bare.page().control("file").is_wrong(), "{}", bare.text());
    assert_eq!(bare.page().alert(), "Nothing was saved. Correct: File", "the name is taken from the file");
    let bare = visitor.send("/documents/new", &[]).page();
    assert_eq!(bare.alert(), "Nothing was saved. Correct: File Customer");
    assert_eq!(office.get("/documents").json()["totalCount"], 0);
}

#[test]
fn requests_without_session_or_csrf_token_cannot_upload_or_download() {
    let office = office();
    let visitor = Visitor::new(&office);
    let token = visitor.csrf_token();
    let (fields, file) =
        ([("csrf-token", token.as_str()), ("lawsuit_id", "1")], ("a.txt", "text/plain", &b"x"[..]));
    assert_eq!(upload(&visitor, &[("lawsuit_id", "1")], file, &[]).status, 403, "without the CSRF token");
    assert_eq!(upload(&visitor, &fields, file, &[("origin", "http://evil.example")]).status, 403);
    let stranger = Visitor { cookie: String::new(), host: visitor.host.clone(), ..visitor };
    assert_eq!(upload(&stranger, &fields, file, &[]).status, 403);
    assert_eq!(office.get("/documents").json()["totalCount"], 0);
    let left = walk(&office.folder().join("documents"));
    assert!(left.is_empty(), "a refused upload was left on the disk: {left:?}");
    assert_eq!(stranger.look("/documents/1/content").status, 403);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
