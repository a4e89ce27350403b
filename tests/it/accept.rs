//! Content negotiation of media types and languages (RFC 9110, section 12.5).

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::office::{Office, Reply, UNLIMITED};
use crate::wait::MAX_WAIT;

fn ask(office: &Office, path: &str, accept: &str) -> Reply {
    office.send("GET", path, &[("accept", accept)], None)
}

/// Returns the content type of a response that may be an endless stream.
fn type_of_stream(office: &Office, accept: &str) -> String {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
    let (host, token) = (office.address(), &office.token);
    let head = format!(
        "GET /api/v1/changes HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\naccept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let lines = BufReader::new(stream).lines().map(Result::unwrap).take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.strip_prefix("content-type: ").map(str::to_owned)).next().unwrap()
}

#[test]
fn changes_are_a_stream_only_for_clients_that_prefer_one() {
    let office = Office::new();
    for accept in [
        "application/json;q=1.0, text/event-stream;q=0.9",
        "text/event-stream;q=0.9, application/json",
        "text/event-stream, application/json",
        "application/json, text/event-stream",
        "text/event-stream;q=0",
        "text/event-stream;q=0, */*;q=0.1",
        "text/html, application/xhtml+xml",
        "*/*",
        "",
    ] {
        let page = ask(&office, "/changes", accept);
        assert_eq!((page.status, page.header("content-type")), (200, "application/json"), "{accept}");
        // A long poll is distinguished from a stream by the same rules.
        assert_eq!(ask(&office, "/changes?wait=1&limit=1", accept).status, 200, "{accept}");
    }
    for accept in [
        "text/event-stream",
        "TEXT/Event-Stream",
        "text/event-stream, */*;q=0.1",
        "application/json;q=0.5, text/event-stream;q=0.6",
        "text/event-stream, application/json;q=0",
    ] {
        assert_eq!(type_of_stream(&office, accept), "text/event-stream", "{accept}");
    }
}

#[test]
fn refusing_every_representation_lists_the_available_ones() {
    let office = Office::with(UNLIMITED);
    let [json, all] = ["application/json;q=0", "*/*;q=0"];
    let each = "application/json;q=0, text/csv;q=0.0, application/x-ndjson;q=0.000, text/event-stream;q=0, text/vcard;q=0";
    let forms = [
        ("/customers", "application/json, text/csv, application/x-ndjson, text/vcard"),
        ("/processos", "application/json, text/csv, application/x-ndjson"),
        ("/changes", "application/json, text/event-stream"),
    ];
    for (path, forms) in forms {
        for accept in [json, all, each] {
            let problem = ask(&office, path, accept).problem(406, "not-acceptable");
            let sentence = format!("The header Accept refuses everything that this route answers: {forms}.");
            assert_eq!(problem["error"], sentence, "{path} {accept}");
        }
        let portuguese = [("accept", all), ("accept-language", "pt-BR")];
        let problem = office.send("GET", path, &portuguese, None).problem(406, "not-acceptable");
        assert!(problem["error"].as_str().unwrap().starts_with("O cabeçalho Accept recusa"), "{problem}");
    }
    // A resource with a single representation is not negotiated, so a write is never refused after it has been done.
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string();
    let made = office.send("POST", "/customers", &[("accept", all)], Some(body.as_bytes()));
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(ask(&office, "/settings", all).status, 200);
    let refused = ask(&office, "/customers/1", all).problem(406, "not-acceptable");
    assert!(refused["error"].as_str().unwrap().ends_with("application/json, text/vcard."), "{refused}");
}

#[test]
fn the_language_with_the_highest_weight_of_twenty_is_used() {
    let office = Office::new();
    let others = [
        "de", "fr", "es", "it", "nl", "sv", "da", "fi", "nb", "pl", "cs", "sk", "hu", "ro", "bg", "el", "tr",
        "ru",
    ];
    let weighed = |pt: &str, en: &str| {
        let each = others.iter().enumerate().map(|(at, tag)| format!("{tag};q=0.{}", 99 - at));
        each.chain([format!("pt-BR;q={pt}"), format!("en-GB;q={en}")]).collect::<Vec<_>>().join(", ")
    };
    for (accept, sentence) in [
        (weighed("0.2", "0.1"), "Não encontrado: cliente"),
        (weighed("0.1", "0.2"), "Customer not found"),
        (weighed("0.001", "0"), "Não encontrado: cliente"),
        (weighed("0", "0"), "Customer not found"),
    ] {
        let reply = office.send("GET", "/customers/99", &[("accept-language", &accept)], None);
        assert_eq!(reply.problem(404, "not-found")["error"], sentence, "{accept}");
    }
}
