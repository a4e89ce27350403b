//! Uploads without a server: forms and files in pieces, with pauses that the test sets.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use http::HeaderValue;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use tokio::time::sleep;

use super::*;

const FORM: &str = "multipart/form-data; boundary=XX";

/// Returns a body that arrives in these pieces, each after a pause.
fn body(pieces: Vec<(Duration, Result<Bytes, &'static str>)>) -> Incoming {
    let pieces = stream::iter(pieces).then(|(pause, piece)| async move {
        if !pause.is_zero() {
            sleep(pause).await;
        }
        piece
    });
    BodyExt::boxed(StreamBody::new(pieces.map_ok(Frame::data).map_err(Into::into)))
}

fn at_once(bytes: &[u8], length: usize) -> Incoming {
    let pieces = bytes.chunks(length).map(|piece| (Duration::ZERO, Ok(Bytes::copy_from_slice(piece))));
    body(pieces.collect())
}

/// Receives a body into a temporary folder, which is deleted before the return.
async fn receive(
    mut incoming: Incoming,
    declared: &str,
    query: &[(&str, &str)],
    most: u64,
) -> Result<Received, Problem> {
    let folder = tempfile::tempdir().unwrap();
    let uploads = Uploads::of(ContentStore::of(folder.path()));
    let mut headers = HeaderMap::new();
    if !declared.is_empty() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(declared).unwrap());
    }
    let query: Vec<_> = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let head = UploadHead { headers: &headers, query: &query, most };
    uploads.receive(&mut incoming, head).await
}

fn members(received: &Received) -> Value {
    serde_json::from_slice(&received.to_json()).unwrap()
}

/// Returns the reasons against `file`.
fn wrong(received: &Received) -> Vec<Reason> {
    let wrong = received.file.wrong.iter();
    wrong.filter(|(field, _)| *field == "file").map(|(_, reason)| *reason).collect()
}

fn form(parts: &[(&str, &str)]) -> Vec<u8> {
    let part = |(head, body): &(&str, &str)| {
        format!("--XX\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
    };
    [parts.iter().map(part).collect::<String>(), "--XX--\r\n".to_owned()].concat().into_bytes()
}

#[tokio::test]
async fn a_form_is_parsed_regardless_of_how_it_is_split_into_pieces() {
    let form = form(&[
        ("name=\"customer_id\"", "17"),
        (
            "name=\"anything\"; filename=\"procuração.pdf\"\r\nContent-Type: application/pdf",
            "\r\n--X is no end\r\n--",
        ),
        ("name=\"external_ids\"", "a:1"),
        ("name=\"external_ids\"", "b:2"),
        ("name=\"name\"", "other"),
        ("name=\"notes\"", "um\r\ndois"),
    ]);
    for length in [1, 2, 7, 64, form.len()] {
        // The query adds members that the form lacks. If both have a member, the form's counts.
        let query = [("lawsuit_id", "5"), ("customer_id", "18")];
        let received = receive(at_once(&form, length), FORM, &query, 100).await.unwrap();
        let file = received.file.content.as_ref().unwrap();
        assert_eq!((file.size(), received.file.media_type.as_str()), (19, "application/pdf"), "{length}");
        let expected = json!({
            "customer_id": "17", "external_ids": ["a:1", "b:2"], "name": "procuração.pdf", "notes": "um\r\ndois",
            "lawsuit_id": "5", "file": { "sha256": file.hash().as_str(), "media_type": "application/pdf" },
        });
        assert_eq!(members(&received), expected, "{length}");
        assert!(received.file.wrong.is_empty());
    }
}

#[tokio::test]
async fn a_file_sent_as_the_body_takes_its_members_from_the_query() {
    let query = [("name", "foto.jpg"), ("customer_id", "17")];
    let received = receive(at_once(b"abc", 2), "image/jpeg", &query, 3).await.unwrap();
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let expected = json!({
        "name": "foto.jpg", "customer_id": "17", "file": { "sha256": hash, "media_type": "image/jpeg" },
    });
    assert_eq!(members(&received), expected);
}

#[tokio::test]
async fn errors_are_reported_for_the_file_or_its_member() {
    let file = "name=\"f\"; filename=\"x\"";
    for (parts, reasons) in [
        (&[(file, "x")][..], &[][..]),
        (&[(file, "")], &[Reason::EmptyFile]),
        (&[("name=\"customer_id\"", "17")], &[Reason::Required]),
        (&[(file, "x"), (file, "y")], &[Reason::SecondFile]),
    ] {
        let received = receive(at_once(&form(parts), 9), FORM, &[], 100).await.unwrap();
        assert_eq!(wrong(&received), reasons);
        assert_eq!(received.file.content.is_some(), reasons.is_empty());
    }
    let received = receive(at_once(b"", 1), "image/png", &[], 100).await.unwrap();
    assert_eq!(wrong(&received), [Reason::EmptyFile]);
}

/// curl on Windows sends its arguments in Windows-1252.
#[tokio::test]
async fn names_and_members_in_windows_1252_are_read() {
    for (name, read) in [
        (&b"procura\xe7\xe3o.pdf"[..], "procuração.pdf"),
        (b"\xc7\xd5ES \x96 a\\\"b\\\".pdf", "ÇÕES – a\"b\".pdf"),
        ("petição.pdf".as_bytes(), "petição.pdf"),
    ] {
        let form = [
            &b"--XX\r\nContent-Disposition: form-data; name=\"notes\"\r\n\r\nPeti\xe7\xe3o\r\n\
               --XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\""[..],
            name,
            b"\"\r\nContent-Type: application/pdf\r\n\r\nx\r\n--XX--\r\n",
        ]
        .concat();
        let received = receive(at_once(&form, 9), FORM, &[], 100).await.unwrap();
        let members = members(&received);
        assert_eq!((&members["name"], &members["notes"]), (&json!(read), &json!("Petição")), "{read}");
        assert_eq!(wrong(&received), []);
    }
}

#[tokio::test]
async fn the_size_limit_applies_to_the_file_without_the_form_around_it() {
    let file = "name=\"f\"; filename=\"x\"";
    let status = async |body: Vec<u8>, declared: &str| {
        let received = receive(at_once(&body, 100), declared, &[], 1000).await;
        received.map_or_else(|problem| (problem.status().as_u16(), problem.code()), |_| (200, ""))
    };
    let too_large = (413, "too-large");
    assert_eq!(status(vec![b'x'; 1000], "text/plain").await, (200, ""));
    assert_eq!(status(vec![b'x'; 1001], "text/plain").await, too_large);
    assert_eq!(status(form(&[(file, &"x".repeat(1000))]), FORM).await, (200, ""));
    assert_eq!(status(form(&[(file, &"x".repeat(1001))]), FORM).await, too_large);
    let wrapping = usize::try_from(WRAPPING).unwrap();
    let notes = |length| form(&[("name=\"notes\"", &"x".repeat(length)), (file, "x")]);
    assert_eq!(status(notes(wrapping - 1000), FORM).await, (200, ""));
    assert_eq!(status(notes(wrapping + 1), FORM).await, too_large);
    // Too many parts, although each is small.
    assert_eq!(status(form(&vec![("name=\"a\"", ""); 30_000]), FORM).await, too_large);
}

#[tokio::test]
async fn bodies_that_are_no_file_or_valid_form_are_refused() {
    let status = async |body: &[u8], declared: &str| {
        let received = receive(at_once(body, 100), declared, &[], 1000).await;
        received.map_or_else(|problem| problem.status().as_u16(), |_| 200)
    };
    for declared in ["", "application/json", "Application/JSON; charset=utf-8", " ; x"] {
        assert_eq!(status(b"{}", declared).await, 415, "{declared}");
    }
    assert_eq!(status(b"{}", "application/jsonl").await, 200);
    assert_eq!(status(b"x", "multipart/form-data").await, 400);
    for body in [
        &b""[..],
        b"x",
        b"--XX",
        b"--XX\r\n",
        b"--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\nhalf",
    ] {
        assert_eq!(status(body, FORM).await, 400, "{body:?}");
    }
    let broken =
        body(vec![(Duration::ZERO, Ok(Bytes::from_static(b"half"))), (Duration::ZERO, Err("broken"))]);
    let problem = receive(broken, "text/plain", &[], 1000).await.map(|_| ()).unwrap_err();
    assert_eq!(problem.status().as_u16(), 400);
}

#[tokio::test]
async fn file_names_are_read_in_all_notations_of_clients() {
    for (head, name) in [
        ("filename=\"a b.pdf\"", "a b.pdf"),
        ("filename=\"a\\\"b.pdf\"", "a\"b.pdf"),
        ("filename*=UTF-8''procura%C3%A7%C3%A3o.pdf", "procuração.pdf"),
        ("filename*=utf-8'pt'x.pdf", "x.pdf"),
        ("filename=\"../../x\"", "../../x"),
    ] {
        let form = form(&[(&format!("name=\"f\"; {head}"), "x")]);
        let received = receive(at_once(&form, 99), FORM, &[], 100).await.unwrap();
        assert_eq!(members(&received)["name"], name, "{head}");
    }
}

#[test]
fn a_declared_media_type_is_kept_if_it_is_a_valid_header_value() {
    for (declared, expected) in [
        ("application/pdf", "application/pdf"),
        (" text/plain; charset=utf-8 ", "text/plain; charset=utf-8"),
        ("", ANY_TYPE),
        ("pdf", ANY_TYPE),
        ("/", ANY_TYPE),
        ("a/b\u{e9}", ANY_TYPE),
        ("a/b\r\nx: y", ANY_TYPE),
    ] {
        assert_eq!(media_type(declared), expected, "{declared:?}");
    }
    assert_eq!(media_type(&format!("a/{}", "b".repeat(198))).len(), 200);
    assert_eq!(media_type(&format!("a/{}", "b".repeat(199))), ANY_TYPE);
}

/// Returns the status for a body in pieces, each given by its pause in seconds and its length in bytes.
async fn status_after(pauses: &[(u64, usize)]) -> u16 {
    let pieces = pauses
        .iter()
        .map(|(seconds, length)| (Duration::from_secs(*seconds), Ok(Bytes::from(vec![b'x'; *length]))));
    let received = receive(body(pieces.collect()), "text/plain", &[], u64::MAX / 2).await;
    received.map_or_else(|problem| problem.status().as_u16(), |_| 200)
}

#[tokio::test(start_paused = true)]
async fn a_body_may_take_any_time_but_not_be_silent_for_longer_than_thirty_seconds() {
    assert_eq!(status_after(&[(29, 1)]).await, 200);
    assert_eq!(status_after(&[(31, 1)]).await, 408);
    assert_eq!(status_after(&[(0, 1_000_000), (31, 1)]).await, 408);
    assert_eq!(status_after(&[(29, 1); 124]).await, 200, "an hour");
}
