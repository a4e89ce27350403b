//! Parameters of lists that no rule names are reported or refused (contract 3).

use serde_json::json;

use crate::office::{Office, Reply, UNLIMITED};

const HEADER: &str = "x-ignored-parameters";
const LISTS: [&str; 4] = ["/customers", "/customers/birthdays", "/lawsuits", "/processos"];

fn refusing() -> String {
    format!("{UNLIMITED}[api]\nunknown_parameters = \"refuse\"\n")
}

fn errors(reply: &Reply) -> serde_json::Value {
    reply.problem(422, "invalid")["errors"].clone()
}

#[test]
fn a_list_names_the_parameters_that_it_ignored() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "birthdate": "17/06/1980" }));
    office.lawsuit(&[ana], json!({}));
    for list in LISTS {
        let named = |query: &str| {
            let reply = office.get(&format!("{list}?{query}"));
            assert_eq!((reply.status, &reply.json()["totalCount"]), (200, &json!(1)), "{list}?{query}");
            reply.headers.get(HEADER).map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(named("search=Bruno").as_deref(), Some("search"), "{list}");
        assert_eq!(named("q=a&limit=1&page=2&q=b").as_deref(), Some("q, page"), "{list}");
        assert_eq!(
            named("Limit=0&nome%20%C3%A9=x&a%2Cb=1").as_deref(),
            Some("Limit, nome%20%C3%A9, a%2Cb"),
            "{list}"
        );
        for known in ["", "limit=1&offset=0", "search=", "search", "search=%20"] {
            assert_eq!(named(known), None, "{list}?{known}");
        }
        let wrong = office.get(&format!("{list}?search=Bruno&limit=0"));
        assert_eq!(
            (wrong.wrong_fields(), wrong.header(HEADER)),
            (vec!["limit".to_owned()], "search"),
            "{list}"
        );
    }
    assert_eq!(office.get("/customers?order=desc").header(HEADER), "");
    assert_eq!(
        office.get("/customers/birthdays?order=desc").header(HEADER),
        "order",
        "birthdays have an order of their own"
    );
    assert_eq!(office.get("/lawsuits?city=x").header(HEADER), "city", "a filter of the other list");
}

#[test]
fn every_other_route_names_ignored_parameters_too() {
    let office = crate::one_of_each::office(UNLIMITED);
    let records = crate::one_of_each::records();
    let others = [
        "/settings",
        "/changes",
        "/webhooks",
        "/users/rewards",
        "/documents/1/download",
        "/documents/1/content",
    ];
    for path in records.iter().copied().chain(others) {
        let named = |query: &str| {
            let reply = office.get(&format!("{path}?{query}"));
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            reply.header(HEADER).to_owned()
        };
        assert_eq!((named(""), named("search=")), (String::new(), String::new()), "{path}");
        if path != "/documents/1/content" {
            assert_eq!(named("search=x&q=1&search=y"), "search, q", "{path}");
        }
    }
    // The record was read before and is cached. Ignored parameters are reported for each request.
    assert_eq!(office.get("/customers/1").header(HEADER), "");
    assert_eq!(office.get("/customers/1?fields=name").header(HEADER), "fields");
    let gone = office.send("DELETE", "/transactions/1?reason=x&why=y", &[], None);
    assert_eq!((gone.status, gone.header(HEADER)), (200, "why"));
    office.set(&refusing());
    office.pass(2);
    for path in records
        .into_iter()
        .chain(["/settings", "/changes", "/webhooks"])
        .filter(|path| !path.ends_with("ons/1"))
    {
        let reply = office.get(&format!("{path}?search=x&q=1"));
        assert_eq!(reply.wrong_fields(), ["search", "q"], "{path}");
        assert_eq!(reply.json()["reasons"]["q"], json!(["unknown-parameter"]), "{path}");
    }
    let gone = office.send("DELETE", "/documents/1?why=y", &[], None);
    assert_eq!(gone.wrong_fields(), ["why"]);
    assert_eq!(office.get("/documents/1").status, 200);
}

#[test]
fn an_office_can_refuse_unknown_parameters_together_with_other_errors() {
    let office = Office::with(&refusing());
    office.customer("Ana Souza", json!({}));
    let reason = json!(["is not a parameter of this route"]);
    for list in LISTS {
        let reply = office.get(&format!("{list}?search=Bruno"));
        assert_eq!(errors(&reply), json!({ "search": reason }), "{list}");
        assert_eq!(reply.json()["error"], "search is not a parameter of this route", "{list}");
        let both = office.get(&format!("{list}?search=a&limit=0&page=2&search=b"));
        let more = json!({ "limit": errors(&both)["limit"], "search": reason, "page": reason });
        assert_eq!(errors(&both), more, "{list}");
        assert_eq!(
            both.json()["error"].as_str().unwrap().split(" (").nth(1),
            Some("and 2 more errors)"),
            "{list}"
        );
        for known in ["", "limit=1&offset=0", "search=", "search"] {
            assert_eq!(office.get(&format!("{list}?{known}")).status, 200, "{list}?{known}");
        }
    }
    assert_eq!(office.get("/customers?name=ana&order=desc&birthdays=false").status, 200);
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Bruno" });
    assert_eq!(
        office.post("/customers?name=Bruno&search=x", &body).status,
        201,
        "a POST may repeat members of its body as parameters"
    );
}

#[test]
fn refusing_begins_and_ends_without_a_restart_also_for_conditional_requests() {
    let office = Office::new();
    let list = "/customers?search=Bruno";
    let ignored = office.get(list);
    let asked = || office.send("GET", list, &[("if-none-match", ignored.header("etag"))], None).status;
    assert_eq!((ignored.status, asked()), (200, 304));
    office.set(&refusing());
    office.pass(2);
    assert_eq!((office.get(list).status, asked()), (422, 422));
    office.set(UNLIMITED);
    office.pass(2);
    assert_eq!((office.get(list).status, asked()), (200, 304));
}

#[cfg(unix)]
#[test]
fn the_log_warns_of_unknown_parameters_once_and_without_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = crate::program::Program::serve(folder.path(), &[]);
    let token = crate::program::new_token(folder.path());
    for query in ["Quixote=1", "Quixote=2", "limit=1"] {
        let reply = program.ask(&token, "GET", &format!("/customers?{query}"), None).unwrap();
        assert_eq!(reply.status, 200);
    }
    crate::stop::terminate(&program);
    assert_eq!(program.exit_code(), Some(0));
    let logs = std::fs::read_dir(folder.path().join("logs")).unwrap();
    let log = logs.map(|log| std::fs::read_to_string(log.unwrap().path()).unwrap()).collect::<String>();
    let warned =
        log.lines().filter(|line| line.contains("WARN") && line.contains(HEADER)).collect::<Vec<_>>();
    assert_eq!(warned.len(), 1, "{log}");
    assert!(warned[0].contains("route=\"/customers\"") && !log.contains("Quixote"), "{log}");
}
