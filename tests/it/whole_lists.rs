//! Complete lists: every match in CSV or NDJSON by one request, regardless of pages.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use pleito::records::{Customer, Record, TABLES, Table, Value as Stored};
use pleito::store::records::insert;
use pleito::store::{Error, Tx};
use serde_json::{Value, json};

use crate::described::DESCRIPTION;
use crate::office::{Office, Reply};
use crate::transfer::whole_office;
use crate::wait::MAX_WAIT;

const CSV: &str = "text/csv";
const NDJSON: &str = "application/x-ndjson";

fn list(office: &Office, path: &str, accept: &str) -> Reply {
    let reply = office.send("GET", path, &[("accept", accept)], None);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply
}

/// Returns the paths of lists that can be requested as a whole.
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

/// Returns all records of a list, read page by page.
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

/// Returns the rows of a CSV, headings first.
fn cells(csv: &str) -> Vec<Vec<String>> {
    let csv = csv.strip_prefix("\u{feff}").unwrap_or_else(|| panic!("no byte order mark: {csv}"));
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').has_headers(false).from_reader(csv.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Returns the ids in the first column of a CSV.
fn ids(reply: &Reply) -> Vec<u64> {
    let rows = cells(&reply.text());
    assert_eq!(rows[0][0], "id");
    rows[1..].iter().map(|row| row[0].parse().unwrap()).collect()
}

#[test]
fn every_list_of_records_can_be_requested_as_a_whole() {
    let office = whole_office();
    let paths = paths();
    for table in TABLES {
        let path = format!("/{}", table.path);
        assert!(paths.contains(&path), "{path} is not among {paths:?}");
    }
    for path in paths {
        let expected = walked(&office, &path);
        // Page parameters do not apply to a complete list, but invalid ones are still refused.
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
fn a_list_in_csv_has_the_members_of_responses_and_their_values() {
    let office = whole_office();
    office.customer(
        "=Maria",
        json!({ "occupation": "1/2", "notes": "a;\"b\"\n'c", "cellphone": "+1 202 555 0123" }),
    );
    let deleted = office.customer("João", json!({}));
    assert_eq!(office.send("DELETE", &format!("/customers/{deleted}"), &[], None).status, 200);
    for path in TABLES
        .iter()
        .map(|table| format!("/{}?order=asc", table.path))
        .chain(["/customers?deleted=true".to_owned()])
    {
        let path = if path.contains("/posts") { format!("{path}&status=all") } else { path };
        let records = lines(&list(&office, &path, NDJSON));
        let csv = list(&office, &path, CSV).text();
        let rows = cells(&csv);
        let headings: HashSet<&String> = rows[0].iter().collect();
        assert_eq!(headings.len(), rows[0].len(), "{path}: {:?}", rows[0]);
        assert_eq!(rows.len(), records.len() + 1, "{path}");
        for (row, record) in rows[1..].iter().zip(records) {
            let members = record.as_object().unwrap();
            assert!(members.keys().all(|member| headings.contains(member)), "{path}: {members:?}");
            for (member, cell) in rows[0].iter().zip(row) {
                let expected = match members.get(member) {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) if text.starts_with(['=', '+', '-', '@', '\'']) => {
                        format!("'{text}")
                    }
                    Some(Value::String(text)) => text.clone(),
                    Some(Value::Number(number)) => {
                        assert_eq!(cell.parse().ok(), number.as_f64(), "{path}: {member}");
                        continue;
                    }
                    Some(other) => other.to_string(),
                };
                assert_eq!(*cell, expected, "{path}: {member}");
            }
        }
        // Every cell is quoted, headings included.
        let all = csv.trim_start_matches('\u{feff}').trim_end();
        assert!(all.starts_with("\"id\";\"") && all.ends_with('"'), "{path}: {csv}");
        let portuguese = office.send("GET", &path, &[("accept", CSV), ("accept-language", "pt-BR")], None);
        assert_eq!(portuguese.text(), csv, "{path}: nothing is translated");
    }
}

#[test]
fn filters_order_and_the_trash_work_as_for_a_page() {
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
    // Rows that are not records come in JSON only.
    assert!(list(&office, "/users/rewards?month=06/2026", CSV).json().is_object());
    assert!(list(&office, "/customers/1", CSV).json().is_object());
}

#[test]
fn the_format_is_negotiated_and_each_format_has_its_own_etag() {
    let office = whole_office();
    let ask = |headers: &[(&str, &str)]| office.send("GET", "/lawsuits?limit=5", headers, None);
    let json = ask(&[("accept", "text/html, */*;q=0.1")]);
    assert_eq!(json.json()["limit"], 5);
    assert!(json.header("vary").contains("accept"));
    assert_eq!(ask(&[("accept", "image/png")]).status, 200, "the response is never 406");
    let csv = ask(&[("accept", "text/csv;q=0.9, application/json;q=0.5"), ("accept-language", "pt-BR")]);
    assert!(csv.text().contains(";\"responsible_id\";\"responsible\";"), "{}", csv.text());
    let tags = [json.header("etag"), csv.header("etag")];
    assert_ne!(tags[0], tags[1]);
    let known = ask(&[("accept", CSV), ("if-none-match", tags[1])]);
    assert_eq!((known.status, known.bytes.len()), (304, 0));
    assert!(known.header("vary").contains("accept"));
    assert_eq!(ask(&[("accept", NDJSON), ("if-none-match", tags[1])]).status, 200);
}

#[test]
fn a_whole_list_counts_as_one_request() {
    let office = Office::with("[limits]\nget_per_minute = 3\n");
    for left in [2, 1, 0] {
        assert_eq!(list(&office, "/customers", CSV).header("x-ratelimit-remaining"), left.to_string());
    }
    let refused = office.send("GET", "/customers", &[("accept", CSV)], None);
    refused.problem(429, "rate-limited");
}

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

/// Requests a complete list and reads only the first bytes of the response.
fn start_list(office: &Office) -> TcpStream {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
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

/// Reads the rest of the response. Returns its length, and `true` if it was complete.
fn rest(mut stream: TcpStream) -> (usize, bool) {
    let (mut bytes, mut room) = (Vec::new(), vec![0; 64 * 1024]);
    // A reset also counts as an end.
    while let Ok(read @ 1..) = stream.read(&mut room) {
        bytes.extend_from_slice(&room[..read]);
    }
    (bytes.len(), bytes.ends_with(b"\r\n0\r\n\r\n"))
}

#[test]
fn slow_readers_do_not_delay_others_and_are_cut_off_when_the_token_changes() {
    let office = Office::new();
    // More than the socket buffers between two processes hold.
    fill(&office, 1500);
    let whole = 1500 * 20_000;
    let slow: Vec<TcpStream> = (0..8).map(|_| start_list(&office)).collect();
    // Only two threads serve lists, and neither is blocked by the eight slow clients.
    assert_eq!(office.get("/customers?limit=1").json()["totalCount"], 1500);
    office.customer("Ana", serde_json::json!({}));
    assert_eq!(office.get("/customers?name=ana").json()["totalCount"], 1);
    let mut slow = slow.into_iter();
    let (length, is_whole) = rest(slow.next().unwrap());
    assert!(is_whole && length > whole, "{length} bytes");
    office.rotate();
    let (length, is_whole) = rest(slow.next().unwrap());
    assert!(!is_whole && length < whole, "{length} bytes were sent without a valid token");
}

#[test]
fn a_stop_does_not_wait_for_slow_readers() {
    let mut office = Office::new();
    fill(&office, 1500);
    let slow = start_list(&office);
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
