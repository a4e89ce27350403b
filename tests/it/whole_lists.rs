//! Lists as a whole: everything that matches in CSV or in lines of JSON, by one request, whatever the page.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use pleito::records::{Customer, Record, TABLES, Table, Value as Stored};
use pleito::store::records::insert;
use pleito::store::{Error, Tx};
use serde_json::Value;

use crate::described::DESCRIPTION;
use crate::office::{Office, Reply};
use crate::program::run;
use crate::transfer::whole_office;
use crate::wait::LONG;

const CSV: &str = "text/csv";
const NDJSON: &str = "application/x-ndjson";

fn list(office: &Office, path: &str, accept: &str) -> Reply {
    let reply = office.send("GET", path, &[("accept", accept)], None);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply
}

/// The paths of lists that are answered as a whole.
fn paths() -> Vec<String> {
    let routes = DESCRIPTION["paths"].as_object().unwrap().iter();
    let forms = |route: &Value| route["get"]["responses"]["200"]["content"].clone();
    let lists = routes.filter(|(_, route)| forms(route).get(CSV).is_some());
    let lists = lists.map(|(path, route)| {
        assert!(forms(route).get(NDJSON).is_some(), "{path}");
        path.replace("{id}", "1")
    });
    lists.collect()
}

/// Everything that a list has, page by page.
fn walked(office: &Office, path: &str) -> Vec<Value> {
    let mark = if path.contains('?') { '&' } else { '?' };
    let mut all = Vec::new();
    loop {
        let page = office.get(&format!("{path}{mark}limit=7&offset={}", all.len())).json();
        let rows = page["data"].as_array().unwrap().clone();
        if rows.is_empty() {
            assert_eq!(page["totalCount"], all.len(), "{path}");
            return all;
        }
        all.extend(rows);
    }
}

fn lines(reply: &Reply) -> Vec<Value> {
    reply.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The ids that stand in the first column of a CSV.
fn ids(reply: &Reply) -> Vec<u64> {
    let text = reply.text();
    let csv = text.strip_prefix("\u{feff}Id;").unwrap_or_else(|| panic!("{text}"));
    let mut reader = csv_cells(csv);
    reader.remove(0);
    reader.iter().map(|row| row[0].parse().unwrap()).collect()
}

/// The rows of a CSV of semicolons.
fn csv_cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    rows
}

#[test]
fn every_list_of_records_is_answered_as_a_whole() {
    let office = whole_office();
    let paths = paths();
    for table in TABLES {
        let path = format!("/{}", table.path);
        assert!(paths.contains(&path), "{path} is not among {paths:?}");
    }
    for path in paths {
        let expected = walked(&office, &path);
        // The page is another matter; what is wrong with it is told all the same.
        let reply = list(&office, &format!("{path}?limit=1&offset=3"), NDJSON);
        assert_eq!(lines(&reply), expected, "{path}");
        assert_eq!(reply.header("content-type"), NDJSON);
        assert!(reply.header("content-disposition").ends_with(".ndjson\""), "{path}");
        let reply = list(&office, &path, CSV);
        let meant: Vec<u64> = expected.iter().map(|row| row["id"].as_u64().unwrap()).collect();
        assert_eq!(ids(&reply), meant, "{path}");
        assert_eq!(reply.header("content-type"), "text/csv; charset=utf-8; header=present");
        assert!(reply.header("content-disposition").ends_with(".csv\""), "{path}");
        assert!(reply.header("vary").contains("accept"), "{path}");
        let wrong = office.send("GET", &format!("{path}?limit=0"), &[("accept", CSV)], None);
        assert_eq!(wrong.wrong_fields(), ["limit"], "{path}");
        let head = office.send("HEAD", &path, &[("accept", CSV)], None);
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
    }
}

#[test]
fn a_list_in_csv_is_what_an_export_has() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let folder = away.path().join("out");
    assert!(run(office.folder(), &["export", &folder.display().to_string()]).status.success());
    for table in TABLES {
        let exported = fs::read_to_string(folder.join(format!("{}.csv", table.many.1))).unwrap();
        let all = if table.path == "posts" { "&status=all" } else { "" };
        let path = format!("/{}?order=asc{all}", table.path);
        assert_eq!(list(&office, &path, CSV).text(), exported, "{}", table.path);
    }
}

#[test]
fn filters_order_and_the_trash_count_as_for_a_page() {
    let office = whole_office();
    for path in [
        "/customers?order=desc",
        "/customers?name=a&created_start=2020-01-01",
        "/customers?name=nobody%20has%20this",
        "/customers?deleted=true",
        "/lawsuits?open=true&order=desc",
        "/posts?status=all&user_id=1",
        "/transactions?status=unpaid&sums=true",
        "/transactions?deleted=true",
        "/documents?deleted=true",
    ] {
        let expected = walked(&office, path);
        assert_eq!(lines(&list(&office, path, NDJSON)), expected, "{path}");
        let meant: Vec<u64> = expected.iter().map(|row| row["id"].as_u64().unwrap()).collect();
        assert_eq!(ids(&list(&office, path, CSV)), meant, "{path}");
    }
    let reply = list(&office, "/customers?search=x", CSV);
    assert_eq!(reply.header("x-ignored-parameters"), "search");
    let wrong = office.send("GET", "/customers?created_start=31/02/2026", &[("accept", CSV)], None);
    assert_eq!(wrong.wrong_fields(), ["created_start"]);
    // Rows that are no records have one form.
    assert!(list(&office, "/users/rewards?month=06/2026", CSV).json().is_object());
    assert!(list(&office, "/customers/1", CSV).json().is_object());
}

#[test]
fn the_form_and_the_language_are_chosen_and_each_has_its_version() {
    let office = whole_office();
    let ask = |headers: &[(&str, &str)]| office.send("GET", "/lawsuits?limit=5", headers, None);
    let json = ask(&[("accept", "text/html, */*;q=0.1")]);
    assert_eq!(json.json()["limit"], 5);
    assert!(json.header("vary").contains("accept"));
    assert_eq!(ask(&[("accept", "image/png")]).status, 200, "never 406");
    let portuguese =
        ask(&[("accept", "text/csv;q=0.9, application/json;q=0.5"), ("accept-language", "pt-BR")]);
    assert!(portuguese.text().contains(";Responsável;"), "{}", portuguese.text());
    let english = ask(&[("accept", CSV)]);
    assert!(english.text().contains(";Responsible;"), "{}", english.text());
    let tags = [json.header("etag"), portuguese.header("etag"), english.header("etag")];
    assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2], "{tags:?}");
    let known = ask(&[("accept", CSV), ("if-none-match", tags[2])]);
    assert_eq!((known.status, known.bytes.len()), (304, 0));
    assert!(known.header("vary").contains("accept"));
    assert_eq!(ask(&[("accept", NDJSON), ("if-none-match", tags[2])]).status, 200);
}

#[test]
fn a_whole_list_is_one_request() {
    let office = Office::with("[limits]\nget_per_minute = 3\n");
    for left in [2, 1, 0] {
        assert_eq!(list(&office, "/customers", CSV).header("x-ratelimit-remaining"), left.to_string());
    }
    let refused = office.send("GET", "/customers", &[("accept", CSV)], None);
    refused.problem(429, "rate-limited");
}

/// Many customers of long notes.
fn fill(office: &Office, count: usize) {
    let notes = "x".repeat(20_000);
    let made = office.store().write(move |tx: Tx<'_>| {
        for at in 0..count {
            let name = format!("Pessoa {at}");
            let given = [
                ("name", Stored::Text(name.into())),
                ("user_id", Stored::Integer(1)),
                ("origin_id", Stored::Integer(1)),
                ("notes", Stored::Text(notes.as_str().into())),
            ];
            insert(tx, &Customer::with(&given).unwrap(), 0)?;
        }
        Ok::<_, Error>(())
    });
    made.unwrap();
}

/// A whole list that somebody has begun to read: its answer's first bytes are there.
fn begun(office: &Office) -> TcpStream {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let (host, token) = (office.address(), &office.token);
    let head = format!(
        "GET /api/v1/customers HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
         accept: {NDJSON}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream
}

/// What is left of it, and whether it came to its end.
fn rest(mut stream: TcpStream) -> (usize, bool) {
    let (mut bytes, mut room) = (Vec::new(), vec![0; 64 * 1024]);
    // A reset is an end as well.
    while let Ok(read @ 1..) = stream.read(&mut room) {
        bytes.extend_from_slice(&room[..read]);
    }
    (bytes.len(), bytes.ends_with(b"\r\n0\r\n\r\n"))
}

#[test]
fn who_reads_slowly_holds_nobody_up_and_ends_with_the_token() {
    let office = Office::new();
    // More than the buffers between two processes hold.
    fill(&office, 1500);
    let whole = 1500 * 20_000;
    let slow: Vec<TcpStream> = (0..8).map(|_| begun(&office)).collect();
    // Two threads answer lists, and neither waits for one of the eight.
    assert_eq!(office.get("/customers?limit=1").json()["totalCount"], 1500);
    office.customer("Ana", serde_json::json!({}));
    assert_eq!(office.get("/customers?name=ana").json()["totalCount"], 1);
    let mut slow = slow.into_iter();
    let (length, is_whole) = rest(slow.next().unwrap());
    assert!(is_whole && length > whole, "{length} bytes");
    office.rotate();
    let (length, is_whole) = rest(slow.next().unwrap());
    assert!(!is_whole && length < whole, "{length} bytes went on without a token");
}

#[test]
fn a_stop_does_not_wait_for_who_reads_slowly() {
    let mut office = Office::new();
    fill(&office, 1500);
    let slow = begun(&office);
    office.restart();
    let (length, is_whole) = rest(slow);
    assert!(!is_whole && length < 1500 * 20_000, "{length} bytes");
}

#[test]
fn documents_are_listed_without_their_contents() {
    let office = whole_office();
    let table: &Table = pleito::records::Document::TABLE;
    let text = list(&office, &format!("/{}", table.path), CSV).text();
    assert!(text.contains("procuração.pdf") && !text.contains("%PDF"), "{text}");
}
