//! Rules for every route of the table, regardless of its resource (contract 1, 2, 7 and 8).

use std::sync::{Arc, LazyLock};

use pleito::http::Route;
use regex::Regex;
use serde_json::json;

use crate::office::{Reply, UNLIMITED};
use crate::samples::{examples, may_be_empty, office, with_act, with_unpaid};
use crate::webhooks::with_dead_letter;

/// New secrets, which differ between any two responses.
static NEW_SECRET: LazyLock<Regex> = LazyLock::new(|| Regex::new("whsec_[^\"]+").unwrap());

fn routes() -> Vec<Arc<Route>> {
    pleito::api::routes().into_iter().map(|row| row.route).collect()
}

fn path(route: &Route) -> String {
    crate::samples::path(route.path)
}

fn paths() -> Vec<(String, Vec<String>)> {
    let mut paths: Vec<(String, Vec<String>)> = Vec::new();
    for route in routes() {
        match paths.iter_mut().find(|(known, _)| *known == path(&route)) {
            Some((_, methods)) => methods.push(route.method.to_string()),
            None => paths.push((path(&route), vec![route.method.to_string()])),
        }
    }
    paths
}

/// Returns the value of the `Allow` header for these methods.
fn allow(methods: &[String]) -> String {
    let named = methods.iter().map(|method| match method.as_str() {
        "GET" => "GET, HEAD",
        "PUT" => "PUT, PATCH",
        other => other,
    });
    named.chain(["OPTIONS"]).collect::<Vec<_>>().join(", ")
}

/// Returns the headers of a response without those that differ for each response.
fn lasting(reply: &Reply) -> Vec<(String, String)> {
    let own = ["date", "x-request-id", "x-ratelimit-remaining"];
    let headers = reply.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
}

fn assert_unauthenticated(reply: &Reply, sentence: &str, what: &str) {
    let body = reply.problem(401, "unauthenticated");
    assert_eq!(body, json!({ "error": sentence, "message": sentence, "code": "unauthenticated" }), "{what}");
    assert_eq!(reply.header("www-authenticate"), "Bearer", "{what}");
    assert_eq!(reply.header("x-ratelimit-limit"), "", "{what}");
}

#[test]
fn every_route_refuses_requests_without_a_valid_token() {
    let mut office = office(UNLIMITED);
    let replaced = std::mem::take(&mut office.token);
    let token = office.rotate().expose().to_owned();
    let last = if token.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &token[..token.len() - 1]);
    let usual = "Unauthenticated.";
    // Only the form of the header is told, whether the value is right or wrong.
    let of_form = "Unauthenticated: the header must be Authorization: Bearer, a space, and the token or key.";
    let wrong = [
        (String::new(), usual),
        ("Bearer x".to_owned(), usual),
        (format!("Bearer {mistyped}"), usual),
        (format!("Bearer {token}x"), usual),
        (format!("Bearer {}", token.to_uppercase()), usual),
        (format!("Bearer {replaced}"), usual),
        ("Bearer".to_owned(), of_form),
        ("x".to_owned(), of_form),
        (token.clone(), of_form),
        (mistyped.clone(), of_form),
        (format!("Basic {token}"), of_form),
        (format!("Token {mistyped}"), of_form),
        (format!("Bearer \"{token}\""), of_form),
        (format!("Bearer {token} {token}"), of_form),
        (format!("Bearer Bearer {token}"), of_form),
        ("Bearer $PLEITO_TOKEN".to_owned(), of_form),
    ];
    for route in routes() {
        for (authorization, sentence) in &wrong {
            // After nine failures within a minute further attempts have to wait, so a minute passes between them.
            office.pass(60);
            let headers = [("authorization", authorization.as_str())];
            let reply = office.send(route.method.as_str(), &path(&route), &headers, Some(b"{"));
            assert_unauthenticated(&reply, sentence, &format!("{} with {authorization:?}", route.key()));
        }
    }
    for scheme in ["Bearer ", "bearer ", "BEARER   "] {
        let headers = [("authorization", format!("{scheme}{token}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(office.send("GET", "/settings", &headers, None).status, 200, "{scheme}");
    }

    office.store().revoke_token().unwrap();
    for route in routes() {
        office.pass(60);
        let headers = [("authorization", format!("Bearer {token}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let reply = office.send(route.method.as_str(), &path(&route), &headers, None);
        assert_unauthenticated(&reply, usual, route.key());
    }
}

#[test]
fn other_methods_are_refused_with_the_allowed_ones() {
    let office = office("");
    for (path, methods) in paths() {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"] {
            let meant = if method == "PATCH" { "PUT" } else { method };
            if methods.iter().any(|known| known == meant) {
                continue;
            }
            let reply = office.send(method, &path, &[], Some(b"{\"name\": \"X\"}"));
            reply.problem(405, "method-not-allowed");
            assert_eq!(reply.header("allow"), allow(&methods), "{method} {path}");
            assert_ne!(reply.header("x-ratelimit-limit"), "", "{method} {path}");
        }
        if !methods.iter().any(|known| known == "GET") {
            let reply = office.send("HEAD", &path, &[], None);
            assert_eq!((reply.status, reply.header("allow")), (405, allow(&methods).as_str()), "{path}");
        }
    }
}

#[test]
fn options_lists_the_methods() {
    let office = office("");
    for (path, methods) in paths() {
        let reply = office.send("OPTIONS", &path, &[], None);
        assert_eq!((reply.status, reply.text().as_str()), (204, ""), "{path}");
        assert_eq!(reply.header("allow"), allow(&methods), "{path}");
        assert_ne!(reply.header("x-request-id"), "", "{path}");
    }
}

#[test]
fn head_is_get_without_its_body() {
    let office = office(UNLIMITED);
    let there = routes().into_iter().filter(|route| route.method == "GET").map(|route| path(&route));
    for path in there.chain(["/customers/9", "/lawsuits?limit=0", "/none"].map(str::to_owned)) {
        let (get, head) = (office.get(&path), office.send("HEAD", &path, &[], None));
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        assert_eq!(lasting(&head), lasting(&get), "{path}");
        assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
    }
}

#[test]
fn patch_is_an_alias_of_put_and_shares_its_limit() {
    let office = office("");
    let (of_records, of_collections): (Vec<_>, Vec<_>) = routes()
        .into_iter()
        .filter(|route| route.method == "PUT")
        .partition(|route| route.path.contains('{'));
    for route in of_records.iter().chain(&of_collections) {
        let send = |method: &str, body: &str| {
            with_unpaid(&office, route);
            let reply = office.send(method, &path(route), &[], Some(body.as_bytes()));
            let left = reply.header("x-ratelimit-remaining").parse::<u32>().unwrap();
            (reply.status, reply.text(), left)
        };
        let (_, change) = examples("PUT", route.path).next().unwrap();
        let change = change.to_string();
        if !route.path.contains('{') {
            // The first one may create a record.
            send("PUT", &change);
        }
        for body in ["{", "[]", "{}", r#"{"users_id": "x", "active": 7}"#, &change] {
            let (put, patch) = (send("PUT", body), send("PATCH", body));
            assert_eq!((&patch.0, &patch.1), (&put.0, &put.1), "{} {body}", route.key());
            assert_eq!(patch.2, put.2 - 1, "{} {body}: one count for both", route.key());
        }
        assert_eq!(send("PATCH", &change).0, 200, "{}", route.key());
    }
    let (_, change) = examples("PUT", "/customers/{id}").next().unwrap();
    assert_eq!(office.get("/customers/1").json()["notes"], change["notes"]);
    let kept = office.send("PATCH", "/customers/1", &[("if-match", "\"x\"")], Some(b"{\"city\": \"Y\"}"));
    kept.problem(412, "changed-meanwhile");
}

#[test]
fn a_trailing_slash_is_the_same_route() {
    let office = office(UNLIMITED);
    for route in routes() {
        let send = |path: &str| {
            // Restores the dead letter, which can be resent only once.
            with_dead_letter(&office);
            with_unpaid(&office, &route);
            office.send(route.method.as_str(), path, &[], Some(b"{}"))
        };
        let (without, with) = (send(&path(&route)), send(&format!("{}/", path(&route))));
        let texts = |reply: &Reply| NEW_SECRET.replace_all(&reply.text(), "").into_owned();
        assert_eq!((with.status, texts(&with)), (without.status, texts(&without)), "{}", route.key());
        assert_ne!(with.status, 404, "{}", route.key());
        assert_eq!(lasting(&with), lasting(&without), "{}", route.key());
        if route.method == "DELETE" {
            office.put(&path(&route), &json!({ "deleted": false }));
        }
    }
}

#[test]
fn every_authorised_response_has_the_rate_limit_headers() {
    let office = office("");
    for (method, path) in routes().iter().map(|route| (route.method.to_string(), path(route))).chain([
        ("GET".to_owned(), "/none".to_owned()),
        ("POST".to_owned(), "/none".to_owned()),
        ("PUT".to_owned(), "/none".to_owned()),
        ("PATCH".to_owned(), "/none".to_owned()),
        ("PATCH".to_owned(), "/customers/1".to_owned()),
        ("DELETE".to_owned(), "/customers".to_owned()),
        ("OPTIONS".to_owned(), "/customers".to_owned()),
        ("GET".to_owned(), "/customers?limit=0".to_owned()),
    ]) {
        let reply = office.send(&method, &path, &[], Some(b"{}"));
        let number = |name: &str| reply.header(name).parse::<u32>().unwrap();
        let limit = match method.as_str() {
            "POST" | "DELETE" => 100,
            "PUT" | "PATCH" => 500,
            _ => 30,
        };
        assert_eq!(number("x-ratelimit-limit"), limit, "{method} {path}");
        assert!(number("x-ratelimit-remaining") <= limit, "{method} {path}");
        let longest = if limit == 30 { 60 } else { 24 * 60 * 60 };
        assert!(number("x-ratelimit-reset") <= longest, "{method} {path}");
        assert!(reply.header("cache-control").ends_with("no-store"), "{method} {path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{method} {path}");
    }
    let unlimited = self::office(UNLIMITED);
    for route in routes() {
        let reply = unlimited.send(route.method.as_str(), &path(&route), &[], Some(b"{}"));
        assert_eq!(reply.header("x-ratelimit-limit"), "", "{}: there is no limit", route.key());
    }
}

#[test]
fn every_route_refuses_an_unreadable_body_the_same_way() {
    let office = office(UNLIMITED);
    let deep = "[".repeat(100_000);
    let deep_member = format!("{{\"name\": {}{}}}", "[".repeat(500), "]".repeat(500));
    let takes_json =
        |route: &&Arc<Route>| ["POST", "PUT"].contains(&route.method.as_str()) && !route.takes_file;
    for route in routes().iter().filter(takes_json) {
        let send = |body: &[u8]| office.send(route.method.as_str(), &path(route), &[], Some(body));
        let may_be_empty = may_be_empty(route);
        for body in ["", " \r\n\t ", "\u{feff}"] {
            with_dead_letter(&office);
            with_unpaid(&office, route);
            with_act(&office, &path(route));
            match may_be_empty {
                true => assert_eq!(send(body.as_bytes()).status, 200),
                false => _ = send(body.as_bytes()).problem(400, "empty-body"),
            }
        }
        for body in [
            b"{".as_slice(),
            b"{\"name\": \"a\" \"b\"}",
            b"{\"name\": \"a\"} x",
            b"{'name': 'a'}",
            b"{\"name\": \"\xff\"}",
            b"{\"name\": \"\\ud800\"}",
            b"{\"name\": \"a\nb\"}",
            b"{\"name\": 1e999}",
            b"{\"name\": NaN}",
            b"name=a",
            b"\xfe\xff\x00{\x00}",
            b"\x00",
            deep.as_bytes(),
            deep_member.as_bytes(),
        ] {
            send(body).problem(400, "malformed-json");
        }
        for body in ["[]", "[{\"name\": \"a\"}]", "\"a\"", "17", "null", "true"] {
            send(body.as_bytes()).problem(400, "not-an-object");
        }
        send(&vec![b' '; route.largest_body + 1]).problem(413, "too-large");
        for declared in
            ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"]
        {
            let headers = [("content-type", declared)];
            let reply = office.send(route.method.as_str(), &path(route), &headers, Some(b"{}"));
            reply.problem(415, "unsupported-media-type");
        }
        if route.method == "PUT" && !may_be_empty {
            for body in ["{}", "{\"nothing_of_ours\": 1}"] {
                send(body.as_bytes()).problem(400, "empty-body");
            }
        }
    }
    assert_eq!(office.ids("/customers"), [1, 2], "nothing was stored");
}

#[test]
fn every_response_has_a_request_id_and_keeps_a_valid_given_one() {
    let office = office(UNLIMITED);
    let longest = "x".repeat(128);
    for given in ["1", "abc-1_2.3:4", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", &longest] {
        for (path, authorization) in [("/settings", None), ("/none", None), ("/settings", Some("none"))] {
            office.pass(60);
            let headers = [("x-request-id", given), ("authorization", authorization.unwrap_or("unused"))];
            let headers = if authorization.is_some() { &headers[..] } else { &headers[..1] };
            assert_eq!(office.send("GET", path, headers, None).header("x-request-id"), given);
        }
    }
    let mut seen = std::collections::HashSet::new();
    let too_long = "x".repeat(129);
    for given in ["a b", "a;b", "<script>", "a/b", "a,b", &too_long, ""] {
        let reply = office.send("GET", "/settings", &[("x-request-id", given)], None);
        let id = reply.header("x-request-id").to_owned();
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{given}: {id}");
        assert!(seen.insert(id), "{given}: request ids are unique");
    }
}
