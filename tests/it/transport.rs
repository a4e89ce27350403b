//! Transport of requests and responses: contract 1, the order of its checks, and contract 9.

use std::io::Read;

use serde_json::{Value, json};

use crate::office::{Office, Reply};
use crate::wire::Wire;

/// The largest body (1 MiB) and the longest head, in bytes (contract 1).
const MIB: usize = 1 << 20;
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// A request head with the token, without the final empty line.
fn head(office: &Office, start: &str) -> String {
    format!("{start}\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n", office.token)
}

fn customer() -> Value {
    json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Souza" })
}

/// A customer's body, padded with spaces to this number of bytes.
fn filled(length: usize) -> Vec<u8> {
    let mut body = customer().to_string().into_bytes();
    body.resize(length, b' ');
    body
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    for piece in body.chunks(100_000) {
        coded.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        coded.extend_from_slice(piece);
        coded.extend_from_slice(b"\r\n");
    }
    coded.extend_from_slice(b"0\r\n\r\n");
    coded
}

#[test]
fn checks_run_in_their_documented_order() {
    let office = Office::with("[limits]\nget_per_minute = 1\npost_per_day = 1\n");
    office.customer("Ana Souza", json!({}));
    assert_eq!(office.get("/settings").status, 200);
    let too_long = filled(MIB + 1);
    let send = |method: &str, path: &str, token: bool| {
        let mut headers = vec![("content-type", "text/plain")];
        headers.extend((!token).then_some(("authorization", "Bearer x")));
        office.send(method, path, &headers, Some(&too_long))
    };
    // The token is checked first, so that a stranger learns nothing.
    for (method, path) in
        [("GET", "/none"), ("DELETE", "/customers"), ("POST", "/customers"), ("GET", "/settings")]
    {
        send(method, path, false).problem(401, "unauthenticated");
    }
    // The route and its methods come before the limits, since such a request is not counted.
    send("GET", "/none", true).problem(404, "not-found");
    send("POST", "/none", true).problem(404, "not-found");
    send("DELETE", "/customers", true).problem(405, "method-not-allowed");
    // The limits come before the body.
    send("POST", "/customers", true).problem(429, "rate-limited");
    send("GET", "/customers?limit=0", true).problem(429, "rate-limited");
    send("GET", "/customers/0", true).problem(429, "rate-limited");
    // The body comes before the store.
    send("PUT", "/customers/1", true).problem(415, "unsupported-media-type");
    send("PUT", "/customers/999", true).problem(415, "unsupported-media-type");
    assert_eq!(office.send("PUT", "/customers/999", &[], Some(&too_long)).status, 413);
    assert_eq!(office.send("PUT", "/customers/999", &[], Some(b"{")).status, 400);
    assert_eq!(office.send("PUT", "/customers/999", &[], Some(b"{\"name\": \"B\"}")).status, 404);
}

#[test]
fn a_body_of_one_mib_is_accepted_and_one_byte_more_is_refused() {
    let office = Office::new();
    let send = |body: &[u8]| office.send("POST", "/customers", &[], Some(body));
    assert_eq!(send(&filled(MIB)).status, 201);
    send(&filled(MIB + 1)).problem(413, "too-large");
    send(&filled(5 * MIB)).problem(413, "too-large");

    let mut wire = Wire::to(office.address());
    for (length, status) in [(MIB, 201), (MIB + 1, 413), (3 * MIB, 413), (1000, 201)] {
        wire.send(head(&office, "POST /api/v1/customers HTTP/1.1"));
        wire.send("Transfer-Encoding: chunked\r\n\r\n").send(chunked(&filled(length)));
        assert_eq!(wire.answer().status, status, "{length} bytes in chunks");
    }
    assert_eq!(office.ids("/customers").len(), 3);
}

#[test]
fn expect_100_continue_is_answered_before_the_body_is_sent() {
    let office = Office::new();
    let ask = |start: &str, more: &str| {
        let mut wire = Wire::to(office.address());
        wire.send(head(&office, start)).send(format!("Expect: 100-continue\r\n{more}\r\n"));
        wire
    };
    let start = "POST /api/v1/customers HTTP/1.1";
    let body = customer().to_string();
    let mut wire = ask(start, &format!("Content-Length: {}\r\n", body.len()));
    assert_eq!(wire.head().0, 100);
    assert_eq!(wire.send(&body).answer().status, 201);

    let much = format!("Content-Length: {}\r\n", 1_u64 << 40);
    ask(start, &much).answer().problem(413, "too-large");
    ask(start, &format!("Content-Type: text/plain\r\n{much}"))
        .answer()
        .problem(415, "unsupported-media-type");
    ask("POST /api/v1/none HTTP/1.1", &much).answer().problem(404, "not-found");
    let mut wire = Wire::to(office.address());
    wire.send(format!("{start}\r\nHost: localhost\r\nExpect: 100-continue\r\n{much}\r\n"));
    wire.answer().problem(401, "unauthenticated");
}

#[test]
fn the_content_type_of_a_body_is_json_or_absent() {
    let office = Office::new();
    let body = customer().to_string();
    let mut with_mark = b"\xef\xbb\xbf".to_vec();
    with_mark.extend_from_slice(body.as_bytes());
    for declared in
        ["", "application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\""]
    {
        for body in [body.as_bytes(), &with_mark] {
            let reply = office.send("POST", "/customers", &[("content-type", declared)], Some(body));
            assert_eq!(reply.status, 201, "{declared}: {}", reply.text());
        }
    }
    for declared in [
        "text/json",
        "application/json-patch+json",
        "application/xml",
        "json",
        "application/json; charset=utf-16",
    ] {
        let reply = office.send("POST", "/customers", &[("content-type", declared)], Some(body.as_bytes()));
        reply.problem(415, "unsupported-media-type");
    }
    let encoded = "JSON.stringify(data)";
    for (declared, body) in [
        ("application/x-www-form-urlencoded", "name=Ana&users_id=1"),
        ("application/x-www-form-urlencoded; charset=utf-8", body.as_str()),
    ] {
        let reply = office.send("POST", "/customers", &[("content-type", declared)], Some(body.as_bytes()));
        let sentence = reply.problem(415, "unsupported-media-type")["error"].clone();
        let sentence = sentence.as_str().unwrap();
        assert!(sentence.contains("contentType") && sentence.contains(encoded), "{sentence}");
    }
    for (body, is_object) in [
        ("[object Object]", true),
        (" {name=Ana, customers=[Ljava.lang.Object;@1b2c}", true),
        ("{ users_id=1.0 }", true),
        ("name=Ana&users_id=1", true),
        ("{name: 'Ana'}", true),
        ("{ guests[0] : 1 }", true),
        ("{\"name\": Ana}", false),
        ("{\"name\": \"a=b\",}", false),
        ("{\"a\"=1}", false),
        ("Ana", false),
        ("name: Ana", false),
        ("[object", false),
        ("{", false),
    ] {
        for path in ["/customers", "/movements"] {
            let reply = office.send("POST", path, &[], Some(body.as_bytes()));
            let sentence = reply.problem(400, "malformed-json")["error"].clone();
            let sentence = sentence.as_str().unwrap();
            assert_eq!(
                sentence.contains("contentType") && sentence.contains(encoded),
                is_object,
                "{body}: {sentence}"
            );
            assert!(!sentence.contains("Ana"), "{sentence}");
        }
    }
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("accept-language", "pt-BR")];
    let reply = office.send("PUT", "/customers/1", &headers, Some(b"name=Ana"));
    assert!(
        reply.problem(415, "unsupported-media-type")["error"].to_string().contains("JSON.stringify(dados)")
    );
    // The content type of a body that is not read does not matter.
    assert_eq!(office.send("GET", "/settings", &[("content-type", "text/plain")], None).status, 200);
}

#[test]
fn an_unexpected_body_does_not_disturb_later_requests() {
    let office = Office::new();
    let mut wire = Wire::to(office.address());
    for _ in 0..2 {
        wire.send(head(&office, "GET /api/v1/settings HTTP/1.1")).send("Content-Length: 5\r\n\r\nhello");
        assert_eq!(wire.answer().status, 200);
    }
    wire.send(head(&office, "DELETE /api/v1/customers HTTP/1.1")).send("Content-Length: 5\r\n\r\nhello");
    assert_eq!(wire.answer().status, 405);
    // Pipelined requests are answered in order.
    let get = |path: &str| head(&office, &format!("GET /api/v1{path} HTTP/1.1")) + "\r\n";
    wire.send(get("/customers/7") + &get("/settings") + &get("/none"));
    assert_eq!([wire.answer().status, wire.answer().status, wire.answer().status], [404, 200, 404]);
}

#[test]
fn an_invalid_id_is_not_found() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({}));
    office.lawsuit(&[ana], json!({}));
    for (same, as_path) in [
        ("/customers/%31", "/customers/1"),
        ("/c%75stomers/1", "/customers/1"),
        ("/%6cawsuits/%31/", "/lawsuits/1"),
    ] {
        assert_eq!(office.get(same).text(), office.get(as_path).text(), "{same}");
        assert_eq!(office.get(same).status, 200, "{same}");
    }
    let ids = [
        "0",
        "-1",
        "+1",
        "1.0",
        "1e0",
        "abc",
        "2",
        "00000000000000000000",
        "4294967295",
        "4294967296",
        "4294967297",
        "12345678901234567890",
        "99999999999999999999",
        "%00",
        "1%00",
        "%2F",
        "1%2F",
        "%31%2f1",
        "%zz",
        "%",
        "%3",
        "1%20",
        "%201",
        "%2e%2e",
        "..",
        ".",
        "%D9%A1",
        "%EF%BC%91",
        "1;a=b",
        "1,2",
        "null",
        "%22",
        "{id}",
    ];
    for id in ids {
        for (list, noun) in [("customers", "Customer"), ("lawsuits", "Lawsuit")] {
            for method in ["GET", "PUT"] {
                // The client library would change some of these paths.
                let mut wire = Wire::to(office.address());
                let start = format!("{method} /api/v1/{list}/{id} HTTP/1.1");
                wire.send(head(&office, &start)).send("Content-Length: 13\r\n\r\n{\"notes\":\"a\"}");
                let body = wire.answer().problem(404, "not-found");
                assert_eq!(body["error"], format!("{noun} not found"), "{start}");
            }
        }
    }
    for path in [
        "",
        "/",
        "/customer",
        "/Customers",
        "/customers/1/2",
        "//customers",
        "/customers/1/lawsuits",
        "/customers/%ff",
        "/settings/users",
        "/v1/customers",
        "/%2fcustomers",
    ] {
        let mut wire = Wire::to(office.address());
        let reply = wire.send(head(&office, &format!("GET /api/v1{path} HTTP/1.1")) + "\r\n").answer();
        assert!([404, 405].contains(&reply.status), "{path}: {}", reply.status);
    }
    for path in [
        "/api",
        "/api/v2/customers",
        "/API/v1/customers",
        "/customers",
        "/api/v1customers",
        "/docs/../api/v1/customers",
    ] {
        let mut wire = Wire::to(office.address());
        let reply = wire.send(head(&office, &format!("GET {path} HTTP/1.1")) + "\r\n").answer();
        assert_eq!(reply.problem(404, "not-found")["error"], "Route not found", "{path}");
    }
}

#[test]
fn a_head_that_is_too_long_is_refused_in_json() {
    let office = Office::new();
    let send = |path: &str, headers: &str| {
        let mut wire = Wire::to(office.address());
        wire.send(head(&office, &format!("GET /api/v1{path} HTTP/1.1")))
            .send(format!("{headers}\r\n"))
            .answer()
    };
    let long = |length: usize| "x".repeat(length);
    assert_eq!(send("/settings", &format!("Cookie: {}\r\n", long(MAX_HEAD_BYTES - 1000))).status, 200);
    assert_eq!(send(&format!("/customers?name={}", long(MAX_HEAD_BYTES - 1000)), "").status, 200);
    for length in [MAX_HEAD_BYTES, MAX_HEAD_BYTES + 1, 60_000] {
        send("/settings", &format!("Cookie: {}\r\n", long(length))).problem(431, "head-too-large");
        send(&format!("/customers?name={}", long(length)), "").problem(431, "head-too-large");
        send(&format!("/customers/{}", long(length)), "").problem(431, "head-too-large");
    }
    let many = (0..60).map(|number| format!("X-{number}: {}\r\n", long(1000))).collect::<String>();
    send("/settings", &many).problem(431, "head-too-large");
    // A malformed request, or one far beyond the bounds, is answered before the API sees it, with a bare status
    // and no body.
    let headers = (0..101).map(|number| format!("X-{number}: x\r\n")).collect::<String>();
    for (bytes, status) in [
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"), 431),
        ("rubbish\r\n\r\n".to_owned(), 400),
        ("GET /a b HTTP/1.1\r\n\r\n".to_owned(), 400),
        (format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", long(70_000)), 414),
    ] {
        assert_eq!(Wire::to(office.address()).send(bytes).answer().status, status);
    }
    assert_eq!(office.get("/settings").status, 200);
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let office =
        Office::with(&format!("{}[server]\nhosts = [\"pleito.example\"]\n", crate::office::UNLIMITED));
    let send = |start: &str, host: &str| {
        let head = format!("{start}\r\n{host}Authorization: Bearer {}\r\n\r\n", office.token);
        Wire::to(office.address()).send(head).answer()
    };
    let port = office.address().port();
    let start = "GET /api/v1/settings HTTP/1.1";
    for host in [
        "localhost",
        "LocalHost:1",
        "127.0.0.1",
        "[::1]:8743",
        "pleito.example",
        "PLEITO.example:80",
        "a.localhost",
    ] {
        assert_eq!(send(start, &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    assert_eq!(send(start, &format!("Host: 127.0.0.1:{port}\r\n")).status, 200);
    for host in [
        "evil.example",
        "localhost.evil.example",
        "192.0.2.1",
        "pleito.example.evil",
        "localhost:x",
        "",
        "\u{ff}",
    ] {
        for path in ["/api/v1/settings", "/health", "/docs", "/", "/openapi.json", "/none"] {
            let reply = send(&format!("GET {path} HTTP/1.1"), &format!("Host: {host}\r\n"));
            reply.problem(421, "misdirected-request");
            assert_eq!(reply.header("access-control-allow-origin"), "");
        }
    }
    send(start, "").problem(421, "misdirected-request");
    send("GET /api/v1/settings HTTP/1.0", "").problem(421, "misdirected-request");
    assert_eq!(send("GET /api/v1/settings HTTP/1.0", "Host: localhost\r\n").status, 200);
    // The host of an absolute-form request overrides the header (RFC 9112, 3.2.2).
    let absolute = |host: &str| format!("GET http://{host}/api/v1/settings HTTP/1.1");
    assert_eq!(send(&absolute(&format!("localhost:{port}")), "Host: localhost\r\n").status, 200);
    assert_eq!(send(&absolute("localhost"), "Host: evil.example\r\n").status, 200);
    send(&absolute("evil.example"), "Host: localhost\r\n").problem(421, "misdirected-request");
    // Neither a tunnel nor `OPTIONS *` is available.
    for start in ["CONNECT localhost:80 HTTP/1.1", "OPTIONS * HTTP/1.1"] {
        let reply = send(start, "Host: localhost\r\n");
        assert!([404, 405, 421].contains(&reply.status), "{start}: {}", reply.status);
    }
}

#[test]
fn long_responses_are_compressed_on_request() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "notes": "a".repeat(5000) }));
    let plain = office.get("/settings");
    assert!(plain.bytes.len() > 1024);
    assert_eq!(plain.header("content-encoding"), "");
    let get = |path: &str, accept: &str| office.send("GET", path, &[("accept-encoding", accept)], None);
    for (accept, coding) in [
        ("gzip", "gzip"),
        ("gzip, deflate, br", "gzip"),
        ("br", ""),
        ("identity", ""),
        ("deflate, zstd", ""),
        ("gzip;q=0", ""),
    ] {
        let reply = get("/settings", accept);
        assert_eq!((reply.status, reply.header("content-encoding")), (200, coding), "{accept}");
        assert_eq!(unpacked(&reply), plain.bytes, "{accept}");
        assert!(coding.is_empty() || reply.bytes.len() < plain.bytes.len(), "{accept}");
        assert_eq!(reply.header("vary"), "accept-encoding", "{accept}");
        assert_eq!(get("/lawsuits", accept).header("content-encoding"), "", "{accept}: a short response");
    }
    // Files that never change are compressed once.
    for (path, vary) in [
        ("/openapi.json", &["accept-language", "accept-encoding"][..]),
        ("/docs", &["cookie, accept-language", "accept-encoding"]),
        ("/docs/docs.js", &["accept-encoding"]),
    ] {
        let plain = office.raw("GET", path, &[], None);
        for (accept, coding) in [("gzip", "gzip"), ("br", "")].repeat(2) {
            let reply = office.raw("GET", path, &[("accept-encoding", accept)], None);
            let varies = reply.headers.get_all("vary").iter().map(|value| value.to_str().unwrap());
            assert_eq!(reply.header("content-encoding"), coding, "{path}");
            assert_eq!(varies.collect::<Vec<_>>(), vary, "{path}");
            assert_eq!(unpacked(&reply), plain.bytes, "{path}");
        }
    }
    // A strong ETag identifies bytes, so a compressed response has another one. Both are accepted in `If-None-Match`.
    let path = format!("/customers/{ana}");
    let tag = office.get(&path).header("etag").to_owned();
    let packed = get(&path, "gzip");
    assert_ne!(packed.header("etag"), tag);
    for known in [tag.as_str(), packed.header("etag")] {
        for accept in ["identity", "gzip"] {
            let headers = [("accept-encoding", accept), ("if-none-match", known)];
            let reply = office.send("GET", &path, &headers, None);
            assert_eq!((reply.status, reply.bytes.len()), (304, 0), "{known} {accept}");
        }
    }
}

fn unpacked(reply: &Reply) -> Vec<u8> {
    let mut bytes = Vec::new();
    match reply.header("content-encoding") {
        "gzip" => _ = flate2::read::GzDecoder::new(reply.bytes.as_slice()).read_to_end(&mut bytes).unwrap(),
        _ => bytes.clone_from(&reply.bytes),
    }
    bytes
}

#[test]
fn public_pages_need_no_token_and_load_nothing_from_other_sites() {
    let office = Office::with("");
    for (path, media_type) in [
        ("/health", "application/json"),
        ("/api/v1/health", "application/json"),
        ("/openapi.json", "application/json"),
        ("/api/v1/openapi.json", "application/json"),
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/", "text/html; charset=utf-8"),
        ("/api/v1/docs", "text/html; charset=utf-8"),
        ("/docs/docs.css", "text/css; charset=utf-8"),
        ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ("/docs/guide.js", "text/javascript; charset=utf-8"),
        ("/docs/automations", "text/html; charset=utf-8"),
        ("/favicon.svg", "image/svg+xml"),
    ] {
        // More requests than any limit allows, without a token and with an invalid one.
        for headers in [&[][..], &[("authorization", "Bearer x")]].repeat(20) {
            let reply = office.raw("GET", path, headers, None);
            assert_eq!((reply.status, reply.header("content-type")), (200, media_type), "{path}");
            assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(reply.header("x-ratelimit-limit"), "", "{path}");
            assert_ne!(reply.header("x-request-id"), "", "{path}");
            if !media_type.ends_with("json") {
                let policy = reply.header("content-security-policy");
                assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
                assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
                assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
            }
        }
        let (get, head) = (office.raw("GET", path, &[], None), office.raw("HEAD", path, &[], None));
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
        let options = office.raw("OPTIONS", path, &[], None);
        assert_eq!((options.status, options.header("allow")), (204, "GET, HEAD, OPTIONS"), "{path}");
        for method in ["POST", "PUT", "DELETE"] {
            let reply = office.raw(method, path, &[], Some(b"{}"));
            assert_eq!((reply.status, reply.header("allow")), (405, "GET, HEAD, OPTIONS"), "{path}");
        }
    }
    assert_eq!(office.raw("GET", "/health", &[], None).text(), "{\"status\":\"ok\"}");
    let start = office.raw("GET", "/", &[], None);
    assert_eq!((start.status, start.header("location")), (303, "/docs"));
    let page = office.raw("GET", "/docs", &[], None).text();
    for outside in ["http://", "https://", "//cdn"] {
        assert!(!page.contains(outside), "the page contains {outside}");
    }
    for path in [
        "/docs/none",
        "/docs/automations.md",
        "/docs/settings",
        "/docs/docs.js/x",
        "/favicon.ico",
        "/docs%2fdocs.js",
        "/docs//docs.js",
    ] {
        office.raw("GET", path, &[], None).problem(404, "not-found");
    }
}

#[test]
fn requests_of_any_user_agent_are_accepted() {
    let office = Office::new();
    for agent in ["", "curl/8.0", "Mozilla/5.0 (Windows NT 10.0)", "n8n", "-"] {
        let headers = [("user-agent", agent), ("x-agent", "planilha"), ("accept", "application/xml")];
        assert_eq!(office.send("GET", "/settings", &headers, None).status, 200, "{agent}");
    }
}
