//! Offices behind a reverse proxy on their machine (always 45.1). The unit tests of `http/requests/forwarded.rs` have the
//! oddities of the headers.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::network::{on_network, shared};
use crate::office::{Office, Reply, UNLIMITED};
use crate::people;
use crate::wire::Wire;

const NAME: &str = "ana.example";
const HTTPS: &[(&str, &str)] =
    &[("host", NAME), ("x-forwarded-proto", "https"), ("x-forwarded-for", "203.0.113.7")];

/// An office without a listener for the network, which a proxy makes reachable by name.
fn hosted() -> Office {
    Office::with(&format!("[server]\nhosts = [\"{NAME}\"]\n[lan]\nenabled = false\n{UNLIMITED}"))
}

fn with<'a>(headers: &[(&'a str, &'a str)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    headers.iter().chain(more).copied().collect()
}

/// Uploads a document. Returns its id.
fn document(office: &Office) -> u64 {
    let customer = office.customer("Ana Souza", json!({}));
    let path = format!("/documents?customer_id={customer}&name=a.txt");
    let made = office.send("POST", &path, &[("content-type", "text/plain")], Some(b"a document"));
    assert_eq!(made.status, 201, "{}", made.text());
    office.ids("/documents")[0]
}

#[test]
fn addresses_of_downloads_are_those_of_the_proxy() {
    let office = hosted();
    let id = document(&office);
    let url = |headers: &[(&str, &str)]| {
        let reply = office.send("GET", &format!("/documents/{id}/download"), headers, None);
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json().to_string()
    };
    assert!(url(HTTPS).contains("\"https://ana.example/"), "{}", url(HTTPS));
    let standard = [("host", "ana.example:8443"), ("forwarded", "for=\"[2001:db8::7]:1\";proto=https")];
    assert!(url(&standard).contains("\"https://ana.example:8443/"), "{}", url(&standard));
    assert!(url(&[("host", NAME), ("x-forwarded-proto", "http")]).contains("\"http://ana.example/"));
    assert!(url(&[("host", "localhost")]).contains("\"http://localhost/"));
}

#[test]
fn the_name_of_another_office_is_421() {
    let office = hosted();
    let health = |headers: &[(&str, &str)]| office.raw("GET", "/health", headers, None);
    assert_eq!(health(HTTPS).status, 200);
    // Also a proxy that replaces the name with its own address of the office, or with that of the machine.
    for host in ["rui.example", "localhost", "127.0.0.1:8743", "pleito.local", "x.localhost"] {
        for sign in [
            HTTPS[1],
            HTTPS[2],
            ("forwarded", "for=_hidden"),
            ("via", "1.1 proxy"),
            ("x-forwarded-host", NAME),
        ] {
            health(&[("host", host), sign]).problem(421, "misdirected-request");
        }
    }
    let page = office.raw(
        "GET",
        "/console",
        &with(&HTTPS[1..], &[("host", "rui.example"), ("accept", "text/html")]),
        None,
    );
    assert_eq!(page.status, 421, "{}", page.text());
}

#[test]
fn the_owners_console_is_never_behind_a_proxy() {
    let office = hosted();
    let link = office.link();
    let path = format!("/{}", link.splitn(4, '/').nth(3).unwrap());
    let host = link.split('/').nth(2).unwrap();
    let open = |headers: &[(&str, &str)]| office.raw("GET", &path, headers, None).status;
    assert_eq!(open(&with(&HTTPS[1..], &[("host", host)])), 421);
    assert_eq!(open(&[("host", host), ("x-forwarded-proto", "http")]), 403);
    assert_eq!(open(&[("host", host)]), 200);
}

#[test]
fn a_person_is_invited_to_the_proxys_name_and_signs_in_with_a_secure_cookie() {
    let office = hosted();
    let owner = Visitor::new(&office);
    let ana = people::user(&owner, "Ana Souza");
    let link = people::invite(&owner, ana, "ana@souza.example");
    let path = link.strip_prefix("https://ana.example").unwrap_or_else(|| panic!("{link}"));
    let encoded = people::PASSWORD.replace(' ', "+").replace('â', "%C3%A2").replace('ã', "%C3%A3");
    let form = format!("password={encoded}&again={encoded}");
    let join = |origin: &str| {
        let more = [("origin", origin), ("content-type", "application/x-www-form-urlencoded")];
        office.raw("POST", path, &with(HTTPS, &more), Some(form.as_bytes()))
    };
    assert_eq!(join("http://ana.example").status, 403, "another origin");
    let joined = join("https://ana.example");
    assert_eq!((joined.status, joined.header("location")), (303, "/console"), "{}", joined.text());
    let cookie = joined.header("set-cookie");
    assert!(cookie.starts_with("__Host-pleito_443=") && cookie.contains("; Secure;"), "{cookie}");
    let cookie = ("cookie", cookie.split(';').next().unwrap());
    assert_eq!(office.raw("GET", "/console", &with(HTTPS, &[cookie]), None).status, 200);
    // Without encryption on the client's side, nobody signs in, and the owner's listener is not reached.
    let plain = [("host", NAME), ("x-forwarded-proto", "http"), cookie];
    assert_eq!(office.raw("GET", "/console", &plain, None).status, 403);
}

#[test]
fn the_network_is_not_believed() {
    let office = shared();
    let request = |headers: &str| on_network(&office, "GET /trust", headers);
    // The page repeats the origin by which it was reached.
    let spoofed = "X-Forwarded-Proto: http\r\nX-Forwarded-For: 127.0.0.1\r\nForwarded: proto=http\r\n";
    let page = request(spoofed);
    assert!(page.0 == 200 && page.1.contains("https://"), "{page:?}");
}

#[test]
fn a_stranger_who_guesses_keeps_nobody_else_waiting() {
    let office = hosted();
    let guess = |address: &str| -> Reply {
        let mut wire = Wire::to(office.address());
        wire.send(format!(
            "GET /api/v1/customers HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer x\r\nX-Forwarded-Proto: https\r\n\
             X-Forwarded-For: 127.0.0.1, {address}\r\n\r\n"
        ));
        wire.answer()
    };
    let timed = |address: &str| {
        let began = Instant::now();
        guess(address).problem(401, "unauthenticated");
        began.elapsed()
    };
    (0..9).for_each(|_| _ = timed("203.0.113.7"));
    let slowed = timed("203.0.113.7");
    let other = timed("203.0.113.8");
    assert!(slowed > other + Duration::from_millis(100), "{slowed:?} {other:?}");
}

#[test]
fn streams_are_not_buffered() {
    let office = hosted();
    office.customer("Ana Souza", json!({}));
    let events = office.send("HEAD", "/changes", &[("accept", "text/event-stream")], None);
    assert_eq!((events.status, events.header("x-accel-buffering")), (200, "no"));
    let list = office.send("GET", "/customers", &[("accept", "text/csv")], None);
    assert_eq!(list.header("x-accel-buffering"), "no");
    assert!(!office.get("/customers").headers.contains_key("x-accel-buffering"));
}
