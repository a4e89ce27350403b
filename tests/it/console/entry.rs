//! Coming in: links, sessions, and everybody who is kept out.

use super::visitor::{Visitor, cookie_of, hidden, open, path_of, redirect_of};
use crate::office::Office;

const HOUR: u64 = 60 * 60;

#[test]
fn a_link_opens_once_and_within_a_minute() {
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
    assert!(again.text().contains("pleito console"), "{}", again.text());

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
fn looking_ahead_does_not_use_a_link_up() {
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
fn a_session_lasts_twelve_hours_without_a_request_and_until_it_is_ended() {
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
    assert!(left.header("set-cookie").contains("Max-Age=0"));
    assert_eq!((one.look("").status, other.look("").status), (403, 200));
    let third = Visitor::new(&office);
    other.send("/leave", &[("all", "yes")]);
    assert_eq!((other.look("").status, third.look("").status), (403, 403));
}

#[test]
fn who_comes_in_again_leaves_the_session_before() {
    let office = Office::new();
    let before = Visitor::new(&office);
    let opened = open(&office, &path_of(&office.link()), &before.headers());
    assert_ne!(cookie_of(&opened), before.cookie);
    assert_eq!(before.look("").status, 403);
}

#[test]
fn without_a_session_there_is_nothing_but_the_way_in() {
    let office = Office::new();
    office.customer("Ana Souza", serde_json::json!({}));
    let port = office.address().port();
    let cookies = [
        String::new(),
        format!("pleito_console_{port}="),
        format!("pleito_console_{port}={}", "0".repeat(64)),
        format!("pleito_console_1={}", Visitor::new(&office).cookie.split_once('=').unwrap().1),
    ];
    for cookie in &cookies {
        for path in ["", "/", "/token", "/customers", "/customers/1", "/none"] {
            let reply = office.raw("GET", &format!("/console{path}"), &[("cookie", cookie)], None);
            assert_eq!(reply.status, 403, "{path}");
            assert!(!reply.text().contains("Ana Souza") && !reply.text().contains("csrf-token\" value=\"0"));
        }
    }
    // The token of the API opens no page.
    let authorization = format!("Bearer {}", office.token);
    assert_eq!(office.raw("GET", "/console", &[("authorization", &authorization)], None).status, 403);
}

#[test]
fn only_the_sessions_own_pages_change_anything() {
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

    // Without the form's secret, with another session's, and from other pages even with the right one.
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
fn what_was_typed_before_a_session_ended_can_be_sent_again() {
    let office = Office::new();
    let (visitor, typed) = (Visitor::new(&office), "Ana & <b> \"ção\"\nfim");
    let old = visitor.csrf_token();
    let fields = [("csrf-token", old.as_str()), ("notes", typed)];
    office.pass(13 * HOUR);
    let shown = "Ana &amp; &lt;b&gt; &quot;ção&quot;\nfim";
    let closed = visitor.send_raw("/none", &fields, &[]);
    assert_eq!(closed.status, 403);
    assert!(closed.text().contains(shown) && !closed.text().contains(&old), "{}", closed.text());
    // The person comes in again in another tab; this page's form is still of the session before.
    let back = Visitor::new(&office);
    let confirm = back.send_raw("/none", &fields, &[]);
    assert!(confirm.status == 403 && confirm.text().contains(shown));
    assert_eq!(hidden(&confirm.text(), "csrf-token"), back.csrf_token());
}

#[test]
fn other_names_methods_and_paths_are_refused() {
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
fn every_answer_keeps_pages_to_themselves() {
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
fn language_and_colours_are_the_browsers_or_the_chosen_ones() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    assert!(visitor.page("").contains("<html lang=\"en\">"));
    visitor.language = "pt-BR,pt;q=0.9,en;q=0.8";
    assert!(visitor.page("").contains("<html lang=\"pt-BR\">"));
    let session = visitor.cookie.clone();
    for (field, value, shows) in
        [("lang", "en", "<html lang=\"en\">"), ("theme", "dark", "data-theme=\"dark\"")]
    {
        let chosen = visitor.send("/look", &[(field, value), ("back", "/console/token")]);
        assert_eq!((chosen.status, chosen.header("location")), (303, "/console/token"));
        visitor.cookie = format!("{session}; {}", cookie_of(&chosen));
        assert!(visitor.page("").contains(shows), "{field}");
        visitor.cookie.clone_from(&session);
    }
    for elsewhere in ["https://evil.example", "//evil.example", "/docs", "/console\r\nx: y", ""] {
        let reply = visitor.send("/look", &[("lang", "pt"), ("back", elsewhere)]);
        assert_eq!(reply.header("location"), "/console", "{elsewhere:?}");
    }
}

#[test]
fn a_new_token_is_shown_once_and_the_one_before_is_dead() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.send("/token", &[]).header("location"), "/console/token");
    let token = regex::Regex::new("plt_[0-9A-Za-z]{49}").unwrap();
    let page = visitor.page("/token");
    let new = token.find(&page).unwrap_or_else(|| panic!("{page}")).as_str();
    for path in ["/token", ""] {
        assert!(token.find(&visitor.page(path)).is_none(), "{path}: shown again");
    }
    let status = |token: &str| {
        let authorization = format!("Bearer {token}");
        office.raw("GET", "/api/v1/settings", &[("authorization", &authorization)], None).status
    };
    assert_eq!((status(new), status(&office.token)), (200, 401));

    // Nobody came to look at it in time.
    visitor.send("/token", &[]);
    office.pass(601);
    assert!(token.find(&visitor.page("/token")).is_none());
}

#[test]
fn pages_cost_nothing_of_the_limits_and_tell_how_they_stand() {
    let office = Office::with("[limits]\nget_per_minute = 3\npost_per_day = 2\n");
    office.customer("Ana Souza", serde_json::json!({}));
    let visitor = Visitor::new(&office);
    for _ in 0..5 {
        visitor.page("");
    }
    assert_eq!(office.get("/customers/1").header("x-ratelimit-remaining"), "2");
    let page = visitor.page("/api");
    assert!(page.contains("POST /customers") && page.contains("of 2"), "{page}");
    assert!(page.contains("GET</code> <code>") || page.contains("GET /customers/{id}"), "{page}");
    assert!(!page.contains("Ana Souza"), "no personal data on the page of the API");
}

/// Cookies know no ports: under 127.0.0.1 the session's went to every program of the machine, also to another user's.
#[test]
fn the_console_goes_by_a_name_of_its_own_that_no_other_office_answers_to() {
    let mut office = Office::new();
    let visitor = Visitor::new(&office);
    let (name, port) = visitor.host.split_once(':').unwrap();
    assert!(name.starts_with("pleito-") && name.ends_with(".localhost"), "{name}");
    assert_eq!(port, office.address().port().to_string());
    let set =
        open(&office, &path_of(&office.link()), &[("host", &visitor.host)]).header("set-cookie").to_owned();
    assert!(!set.to_ascii_lowercase().contains("domain"), "for that host only: {set}");

    let other = Office::new();
    let theirs = Visitor::new(&other).host;
    assert_ne!(theirs.split(':').next(), Some(name));
    for host in [theirs.as_str(), "pleito-0123456789abcdef.localhost", &format!("x.{name}")] {
        let reply = office.raw("GET", "/console", &[("host", host), ("cookie", &visitor.cookie)], None);
        assert_eq!(reply.status, 421, "{host}");
    }
    let name = name.to_owned();
    office.restart();
    assert!(Visitor::new(&office).host.starts_with(&name), "what was typed before can still be sent");
}
