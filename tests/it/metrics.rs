//! `GET /metrics` (always 45.2).

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::network::{SHARED, on_network};
use crate::office::{Office, UNLIMITED};

const HERE: &[(&str, &str)] = &[("host", "localhost")];

fn measured() -> Office {
    Office::with(&format!("[server]\nmetrics = true\nhosts = [\"ana.example\"]\n{SHARED}{UNLIMITED}"))
}

fn metrics(office: &Office) -> String {
    let reply = office.raw("GET", "/metrics", HERE, None);
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    reply.text()
}

/// Returns the value of the series that begins with this text.
fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {series} in\n{text}")).parse().unwrap()
}

#[test]
fn only_programs_on_this_machine_see_metrics_and_only_if_the_setting_says_so() {
    let off = Office::new();
    off.raw("GET", "/metrics", HERE, None).problem(404, "not-found");
    let office = measured();
    for host in ["localhost", "127.0.0.1:8743", "[::1]"] {
        assert_eq!(office.raw("GET", "/metrics", &[("host", host)], None).status, 200, "{host}");
    }
    // DNS rebinding and proxies.
    for host in ["ana.example", "app.localhost"] {
        office.raw("GET", "/metrics", &[("host", host)], None).problem(404, "not-found");
    }
    for sign in ["x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "x-real-ip"] {
        let headers = [("host", "ana.example"), (sign, "https")];
        office.raw("GET", "/metrics", &headers, None).problem(404, "not-found");
        let headers = [("host", "localhost"), (sign, "")];
        office.raw("GET", "/metrics", &headers, None).problem(421, "misdirected-request");
    }
    assert_eq!(on_network(&office, "GET /metrics", "").0, 404);
    office.raw("POST", "/metrics", HERE, None).problem(405, "method-not-allowed");
}

#[test]
fn metrics_count_routes_and_name_nobody() {
    let office = measured();
    let before = value(&metrics(&office), "pleito_commits_total");
    let id = office.customer("Zulmira Quitéria", json!({ "identification": "529.982.247-25" }));
    assert_eq!(office.get(&format!("/customers/{id}")).status, 200);
    assert_eq!(office.get("/customers?name=zulmira").status, 200);
    office.get("/customers/4711").problem(404, "not-found");
    for path in ["/api/v1/zulmira", "/zulmira", "/console/zulmira", "/console/customers/4711/zulmira"] {
        office.raw("GET", path, HERE, None);
    }
    let visitor = Visitor::new(&office);
    visitor.page(&format!("/customers/{id}"));
    let text = metrics(&office);
    let requests = |method: &str, route: &str, status: u16| {
        let labels = format!("{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}}");
        value(&text, &format!("pleito_requests_total{labels}"))
    };
    assert_eq!(requests("POST", "/customers", 201), 1.0);
    assert_eq!(requests("GET", "/customers/{id}", 200), 1.0);
    assert_eq!(requests("GET", "/customers/{id}", 404), 1.0);
    assert_eq!(requests("GET", "/customers", 200), 1.0);
    assert_eq!(requests("GET", "/console/customers/{…}", 200), 1.0);
    assert!(requests("-", "-", 401) >= 1.0 && requests("-", "-", 404) >= 1.0);
    assert_eq!(value(&text, "pleito_request_duration_seconds_count{route=\"/customers/{id}\"}"), 2.0);
    assert!(value(&text, "pleito_commits_total") > before);
    let lower = text.to_lowercase();
    for secret in ["zulmira", "quitéria", "529", "4711", &office.token[..8]] {
        assert!(!lower.contains(&secret.to_lowercase()), "{secret} in\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn metrics_tell_the_state_of_the_office() {
    let office = measured();
    let customer = office.customer("Ana Souza", json!({}));
    let upload = |name: &str, content: &[u8]| {
        let path = format!("/documents?customer_id={customer}&name={name}");
        assert_eq!(office.send("POST", &path, &[("content-type", "text/plain")], Some(content)).status, 201);
    };
    upload("a.txt", b"0123456789");
    upload("b.txt", b"01234");
    // An equal content is stored once.
    upload("c.txt", b"01234");
    let text = metrics(&office);
    assert_eq!(value(&text, "pleito_documents_size_bytes"), 15.0);
    assert!(value(&text, "pleito_store_size_bytes") > 4096.0);
    assert!(value(&text, "pleito_log_size_bytes") > 0.0);
    assert_eq!(value(&text, "pleito_queued_writes"), 0.0);
    assert!(!text.contains("pleito_backup_age"), "{text}");

    office.app().backups().make(pleito::backup::BackupReason::Requested).unwrap();
    office.pass(90);
    let text = metrics(&office);
    assert!((90.0..100.0).contains(&value(&text, "pleito_backup_age_seconds")), "{text}");
    assert_eq!((value(&text, "pleito_backup_failed"), value(&text, "pleito_write_failed")), (0.0, 0.0));

    let hold = office.hold_writer();
    for _ in 0..3 {
        office.app().store().submit(|_| Ok::<_, pleito::store::Error>(()), |_| ());
    }
    assert!(value(&metrics(&office), "pleito_queued_writes") >= 3.0);
    drop(hold);
}
