//! Signing in: links, sessions, and requests that are refused.

use super::visitor::{Visitor, cookie_of, open, path_of, redirect_of};
use crate::office::{Office, uses_key};

const HOUR: u64 = 60 * 60;

#[test]
fn a_link_works_once_and_for_one_minute() {
    let office = Office::new();
    let link = path_of(&office.link());
    let opened = open(&office, &link, &[]);
    assert_eq!((opened.status, opened.header("location")), (303, "/console"));
    let set = opened.header("set-cookie");
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/console"] {
        assert!(set.contains(part), "{set}");
    }
    let again = open(&office, &link, &[]);
    assert_eq!((again.status, again.header("set-cookie")), (403, ""));
    assert!(again.page().contains("pleito console"), "{}", again.text());

    let late = path_of(&office.link());
    office.pass(61);
    assert_eq!(open(&office, &late, &[]).status, 403);
    assert_eq!(open(&office, &format!("/console/in/{}", "0".repeat(64)), &[]).status, 403);
    for wrong in ["", "0", "../..", "0/enter", &"0".repeat(63), &"é".repeat(32)] {
        let reply = office.raw("GET", &format!("/console/in/{}", wrong.escape_default()), &[], None);
        assert!([403, 404].contains(&reply.status) && reply.header("set-cookie").is_empty(), "{wrong}");
    }
}

#[test]
fn prefetching_does_not_use_up_a_link() {
    let office = Office::new();
    let link = path_of(&office.link());
    let on = redirect_of(&office.raw("GET", &link, &[], None));
    for path in [&link, &on] {
        assert_eq!(office.raw("HEAD", path, &[], None).status, 503);
        assert_eq!(office.raw("POST", path, &[], Some(b"")).status, 503);
        assert_eq!(office.raw("GET", path, &[("sec-purpose", "prefetch;prerender")], None).status, 503);
    }
    assert_eq!(open(&office, &link, &[]).status, 303);
}

#[test]
fn a_session_ends_after_twelve_idle_hours_or_when_signed_out() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.pass(11 * HOUR);
    visitor.page("");
    office.pass(11 * HOUR);
    visitor.page("");
    office.pass(12 * HOUR);
    assert_eq!(visitor.look("").status, 403);

    let (one, other) = (Visitor::new(&office), Visitor::new(&office));
    let left = one.send("/leave", &[]);
    assert_eq!(left.status, 200);
    assert!(left.header("set-cookie").contains("=; Path=/console"), "the cookie is cleared");
    assert_eq!((one.look("").status, other.look("").status), (403, 200));
    let third = Visitor::new(&office);
    other.send("/leave", &[("all", "yes")]);
    assert_eq!((other.look("").status, third.look("").status), (403, 403));
}

#[test]
fn signing_in_again_ends_the_earlier_session() {
    let office = Office::new();
    let before = Visitor::new(&office);
    let opened = open(&office, &path_of(&office.link()), &before.headers());
    assert_ne!(cookie_of(&opened), before.cookie);
    assert_eq!(before.look("").status, 403);
}

#[test]
fn without_a_session_only_the_sign_in_page_is_shown() {
    let office = Office::new();
    office.customer("Ana Souza", serde_json::json!({}));
    let port = office.address().port();
    let own = format!("pleito_console_{port}=");
    let cookies = [
        String::new(),
        own.clone(),
        format!("{own}{}", "0".repeat(64)),
        format!("pleito_console_1={}", Visitor::new(&office).cookie.split_once('=').unwrap().1),
    ];
    for cookie in &cookies {
        for path in ["", "/", "/token", "/customers", "/customers/1", "/none"] {
            let reply = office.raw("GET", &format!("/console{path}"), &[("cookie", cookie)], None);
            assert_eq!(reply.status, 403, "{path}");
            let has_ended = reply.text().contains("Sua sessão terminou; abra pelo ícone");
            assert_eq!(has_ended, cookie.starts_with(&own), "{path} with {cookie:?}");
            let tokens = reply.page().sent_as("csrf-token");
            assert!(
                !reply.text().contains("Ana Souza") && tokens.iter().all(|token| token.value().is_empty())
            );
        }
    }
    // The API's token gives no access to the console.
    let authorization = format!("Bearer {}", office.token);
    assert_eq!(office.raw("GET", "/console", &[("authorization", &authorization)], None).status, 403);
}

#[test]
fn only_pages_of_the_session_can_change_anything() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let csrf_token = visitor.csrf_token();
    let own = [("csrf-token", csrf_token.as_str())];
    let authorization = format!("Bearer {}", office.token);
    let token_holds = || {
        let headers = [("authorization", authorization.as_str())];
        office.raw("GET", "/api/v1/settings", &headers, None).status == 200
    };
    let here = format!("http://{}", visitor.host);

    // Requests without a CSRF token, with another session's token, or from other origins even with the right
    // token are refused.
    let other = Visitor::new(&office).csrf_token();
    assert_eq!(visitor.send_raw("/token", &[], &[]).status, 403);
    assert_eq!(visitor.send_raw("/token", &[("csrf-token", &other)], &[]).status, 403);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", &here.replace("http", "https")] {
        assert_eq!(visitor.send_raw("/token", &own, &[("origin", origin)]).status, 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "none"] {
        assert_eq!(visitor.send_raw("/token", &own, &[("sec-fetch-site", site)]).status, 403, "{site}");
    }
    let json = [("content-type", "application/json"), ("cookie", visitor.cookie.as_str())];
    assert_eq!(office.raw("POST", "/console/token", &json, Some(b"{}")).status, 415);
    assert!(token_holds());

    let headers = [("origin", here.as_str()), ("sec-fetch-site", "same-origin")];
    assert_eq!(visitor.send_raw("/token", &own, &headers).status, 303);
    assert!(!token_holds());
}

#[test]
fn values_typed_before_a_session_ended_can_be_sent_again() {
    let office = Office::new();
    let (visitor, typed) = (Visitor::new(&office), "Ana & <b> \"ção\"\nfim");
    let old = visitor.csrf_token();
    let fields = [("csrf-token", old.as_str()), ("notes", typed)];
    office.pass(13 * HOUR);
    let closed = visitor.send_raw("/none", &fields, &[]);
    assert_eq!(closed.status, 403);
    assert_eq!(closed.page().control("notes").value(), typed);
    assert!(!closed.text().contains(&old), "{}", closed.text());
    // The person signs in again in another tab, but this page's form still belongs to the earlier session.
    let back = Visitor::new(&office);
    let confirm = back.send_raw("/none", &fields, &[]);
    let page = confirm.page();
    assert_eq!((confirm.status, page.control("notes").value().as_str()), (403, typed));
    assert_eq!(page.control("csrf-token").value(), back.csrf_token());
}

#[test]
fn other_hosts_methods_and_paths_are_refused() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let others =
        ["evil.example", "pleito.local", "192.0.2.7:8743", "localhost.evil.example", "app.localhost", ""];
    for host in others {
        let headers = [("host", host), ("cookie", visitor.cookie.as_str())];
        let reply = office.raw("GET", "/console", &headers, None);
        assert!([400, 421].contains(&reply.status), "{host}: {}", reply.status);
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        let reply = office.raw(method, "/console", &visitor.headers(), None);
        assert_eq!((reply.status, reply.header("allow")), (405, "GET, HEAD, POST"), "{method}");
    }
    for path in ["/none", "/token/x", "/look", "/leave", "/in", "/..", "/%2e%2e/docs", "//"] {
        let status = visitor.look(path).status;
        assert!(status == 404 || (path == "//" && status == 200), "{path}: {status}");
    }
    assert_eq!(office.raw("GET", "/consoles", &visitor.headers(), None).status, 404);
}

#[test]
fn every_response_has_the_security_headers() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for path in ["", "/token", "/none"] {
        for reply in [visitor.look(path), office.raw("GET", &format!("/console{path}"), &[], None)] {
            let policy = reply.header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
            assert!(!policy.contains("unsafe") && !policy.contains("http:"), "{policy}");
            assert_eq!(reply.header("cache-control"), "no-store");
            assert_eq!(reply.header("x-content-type-options"), "nosniff");
            assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
            assert_eq!(reply.header("x-ratelimit-limit"), "");
            let page = reply.text();
            for inside in ["<script>", "style=", "onclick", "javascript:", "https://"] {
                assert!(!page.contains(inside), "{path}: {inside}");
            }
        }
    }
}

#[test]
fn language_and_theme_follow_the_browser_unless_chosen() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let look = |visitor: &Visitor| (visitor.page("").language(), visitor.page("").theme());
    assert_eq!(look(&visitor), ("en".into(), None));
    visitor.language = "pt-BR,pt;q=0.9,en;q=0.8";
    assert_eq!(look(&visitor), ("pt-BR".into(), None));
    let session = visitor.cookie.clone();
    for (field, value, shows) in [
        ("lang", "en", ("en".to_owned(), None)),
        ("theme", "dark", ("pt-BR".to_owned(), Some("dark".to_owned()))),
    ] {
        let chosen = visitor.send("/look", &[(field, value), ("back", "/console/token")]);
        assert_eq!((chosen.status, chosen.header("location")), (303, "/console/token"));
        visitor.cookie = format!("{session}; {}", cookie_of(&chosen));
        assert_eq!(look(&visitor), shows, "{field}");
        visitor.cookie.clone_from(&session);
    }
    for elsewhere in ["https://evil.example", "//evil.example", "/docs", "/console\r\nx: y", ""] {
        let reply = visitor.send("/look", &[("lang", "pt"), ("back", elsewhere)]);
        assert_eq!(reply.header("location"), "/console", "{elsewhere:?}");
    }
}

#[test]
fn a_new_token_is_shown_once_and_revokes_the_previous_one() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.send("/token", &[]).header("location"), "/console/token");
    let token = regex::Regex::new("plt_[0-9A-Za-z]{49}").unwrap();
    let shown = |path: &str| token.find(&visitor.look(path).text()).map(|token| token.as_str().to_owned());
    let new = shown("/token").expect("the new token");
    for path in ["/token", ""] {
        assert_eq!(shown(path), None, "{path}: the token is shown again");
    }
    let status = |token: &str| {
        let authorization = format!("Bearer {token}");
        office.raw("GET", "/api/v1/settings", &[("authorization", &authorization)], None).status
    };
    assert_eq!((status(&new), status(&office.token)), (200, 401));

    // A new token that is not viewed within ten minutes is no longer shown.
    visitor.send("/token", &[]);
    office.pass(601);
    assert_eq!(shown("/token"), None);
}

#[test]
fn console_pages_do_not_count_against_the_limits_and_show_their_usage() {
    let office = Office::with("[limits]\nget_per_minute = 3\npost_per_day = 2\n");
    office.customer("Ana Souza", serde_json::json!({}));
    let visitor = Visitor::new(&office);
    for _ in 0..5 {
        visitor.page("");
    }
    assert_eq!(office.get("/customers/1").header("x-ratelimit-remaining"), "2");
    let page = visitor.page("/api");
    assert!(page.contains("POST /customers") && page.contains("of 2"), "{page}");
    assert!(page.contains("GET /customers/{id}"), "{page}");
    assert!(!page.contains("Ana Souza"), "the API page shows no personal data");
}

/// Regression: cookies ignore ports, so with the host 127.0.0.1 the session's cookie was sent to every program on the
/// machine, including those of other users.
#[test]
fn the_console_has_a_host_name_that_no_other_office_accepts() {
    let mut office = Office::new();
    let visitor = Visitor::new(&office);
    let (name, port) = visitor.host.split_once(':').unwrap();
    assert!(name.starts_with("pleito-") && name.ends_with(".localhost"), "{name}");
    assert_eq!(port, office.address().port().to_string());
    let set =
        open(&office, &path_of(&office.link()), &[("host", &visitor.host)]).header("set-cookie").to_owned();
    assert!(!set.to_ascii_lowercase().contains("domain"), "the cookie is for that host only: {set}");

    let other = Office::new();
    let theirs = Visitor::new(&other).host;
    assert_ne!(theirs.split(':').next(), Some(name));
    for host in [theirs.as_str(), "pleito-0123456789abcdef.localhost", &format!("x.{name}")] {
        let reply = office.raw("GET", "/console", &[("host", host), ("cookie", &visitor.cookie)], None);
        assert_eq!(reply.status, 421, "{host}");
    }
    let name = name.to_owned();
    office.restart();
    assert!(
        Visitor::new(&office).host.starts_with(&name),
        "the host name stays the same, so earlier forms can still be sent"
    );
}
