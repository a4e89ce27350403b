//! Parameters that no rule names are reported or refused, and no filter finds everything by mistake (contract 1 and 3).

use std::collections::BTreeSet;

use pleito::api::routes;
use serde_json::json;

use crate::described::DESCRIPTION;
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
fn every_other_route_of_the_cloud_names_ignored_parameters_too() {
    let office = crate::one_of_each::office(UNLIMITED);
    let records = ["/customers/1", "/lawsuits/1", "/transactions/1"];
    let others = ["/settings", "/users/rewards", "/documents/1/download"];
    for path in records.iter().copied().chain(others) {
        let named = |query: &str| {
            let reply = office.get(&format!("{path}?{query}"));
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            reply.header(HEADER).to_owned()
        };
        assert_eq!((named(""), named("search=")), (String::new(), String::new()), "{path}");
        assert_eq!(named("search=x&q=1&search=y"), "search, q", "{path}");
    }
    // The record was read before and is cached. Ignored parameters are reported for each request.
    assert_eq!(office.get("/customers/1").header(HEADER), "");
    assert_eq!(office.get("/customers/1?fields=name").header(HEADER), "fields");
    office.set(&refusing());
    office.pass(2);
    for path in records.into_iter().chain(["/settings"]) {
        let reply = office.get(&format!("{path}?search=x&q=1"));
        assert_eq!(reply.wrong_fields(), ["search", "q"], "{path}");
        assert_eq!(reply.json()["reasons"]["q"], json!(["unknown-parameter"]), "{path}");
    }
}

/// Routes that the cloud service does not have refuse unknown parameters whatever the settings, because no client of it
/// can depend on their silence.
#[test]
fn every_route_of_our_own_refuses_unknown_parameters() {
    let office = crate::samples::office(UNLIMITED);
    for row in routes() {
        let route = &row.route;
        let path = crate::samples::path(route.path);
        let example = crate::samples::examples(route.method.as_str(), route.path).next();
        let body = example.map(|(_, body)| body.to_string().into_bytes());
        let send = |query: &str| {
            let headers = if route.takes_file { &[("content-type", "image/png")][..] } else { &[] };
            office.send(route.method.as_str(), &format!("{path}?{query}"), headers, body.as_deref())
        };
        if route.is_in_cloud {
            assert!(send("lawsuit=1&id=").json()["reasons"]["lawsuit"].is_null(), "{}", route.key());
            continue;
        }
        let refused = send("name=Ana&lawsuit=1&threshold=");
        assert_eq!(refused.status, 422, "{}: {}", route.key(), refused.text());
        assert_eq!(refused.json()["reasons"]["lawsuit"], json!(["unknown-parameter"]), "{}", refused.text());
    }
    let gone = office.send("DELETE", "/documents/1?why=y", &[], None);
    assert_eq!(gone.wrong_fields(), ["why"]);
    assert_eq!(office.get("/documents/1").status, 200);
    // The address of a content has parameters of its own.
    let address = office.get("/documents/1/download").json()["data"].as_str().unwrap().to_owned();
    let signed = address.split("/api/v1").nth(1).unwrap();
    assert_eq!(office.get(signed).status, 200);
    assert_eq!(office.get(&format!("{signed}&inline=1")).wrong_fields(), ["inline"]);
}

/// The routes that the design calls our own, apart from those that a table names in passing.
#[test]
fn the_routes_of_the_cloud_are_those_of_the_contract() {
    let routes = routes();
    let of_cloud = routes.iter().filter(|row| row.route.is_in_cloud).map(|row| row.route.key());
    let expected = [
        "GET /customers",
        "POST /customers",
        "GET /customers/birthdays",
        "GET /customers/{id}",
        "PUT /customers/{id}",
        "GET /lawsuits",
        "POST /lawsuits",
        "GET /lawsuits/{id}",
        "PUT /lawsuits/{id}",
        "GET /processos",
        "GET /posts",
        "POST /posts",
        "GET /history/{id}",
        "GET /users/rewards",
        "GET /movements/{id}",
        "GET /last_movements",
        "POST /lawsuits/movement",
        "GET /publications/{id}",
        "GET /transactions",
        "POST /transactions",
        "GET /transactions/{id}",
        "PUT /transactions/{id}",
        "GET /documents",
        "GET /documents/{id}/download",
        "GET /settings",
    ];
    assert_eq!(of_cloud.collect::<BTreeSet<_>>(), expected.into_iter().collect());
}

/// An id filters under both of its names, also with the brackets that clients add to lists.
#[test]
fn a_filter_by_an_id_never_finds_everything() {
    let office = crate::one_of_each::office(UNLIMITED);
    let mut aliases = 0;
    for (path, methods) in DESCRIPTION["paths"].as_object().unwrap() {
        for parameter in methods["get"]["parameters"].as_array().into_iter().flatten() {
            let (name, about) =
                (parameter["name"].as_str().unwrap(), parameter["description"].as_str().unwrap());
            let Some(original) =
                about.strip_prefix("Another name of `").and_then(|rest| rest.strip_suffix("`."))
            else {
                continue;
            };
            aliases += 1;
            let list = path.replace("{id}", "1");
            for name in [name, original, &format!("{name}[]"), &format!("{original}[0]")] {
                let reply = office.get(&format!("{list}?{name}=4294967295"));
                // A check for conflicts refuses an unknown id, because an empty list would read as no conflict.
                let is_found = reply.status == 200 && reply.json()["totalCount"] != 0;
                assert!([200, 422].contains(&reply.status) && !is_found, "{list}?{name}: {}", reply.text());
                assert_eq!(reply.header(HEADER), "", "{list}?{name}");
            }
            let both = office.get(&format!("{list}?{name}=1&{original}=2"));
            assert_eq!(both.status, 422, "{list}: {name} and {original}: {}", both.text());
        }
    }
    assert!(aliases > 40, "{aliases}");
    let other = office.customer("Rui Prado", json!({}));
    let case = office.lawsuit(&[other], json!({ "stages_id": 1 }));
    for query in [
        format!("customers_id={other}"),
        format!("customer_id%5B%5D={other}"),
        format!("customer_id[0]={other}&customers_id={other}"),
        format!("customer_id=&customer_id={other}&customer_id=%20"),
        "stage_id=1".to_owned(),
        "stages_id=1".to_owned(),
    ] {
        assert_eq!(office.ids(&format!("/lawsuits?{query}")), [case], "{query}");
    }
    for query in ["user_id=1", "users_id=1", "responsible_id=1", "type_lawsuits_id=1", "groups_id=1"] {
        assert_eq!(office.ids(&format!("/lawsuits?{query}")), [1, case], "{query}");
        assert_eq!(office.ids(&format!("/lawsuits?{}", query.replace("=1", "=99"))), [0; 0], "{query}");
    }
}

#[test]
fn a_parameter_that_is_repeated_with_another_value_is_refused() {
    let office = crate::one_of_each::office(UNLIMITED);
    for (list, name) in [
        ("/lawsuits", "customer_id"),
        ("/customers", "name"),
        ("/posts", "status"),
        ("/changes", "since"),
        ("/customers/similar", "name"),
        ("/conflicts", "name"),
        ("/webhooks/1/deliveries", "limit"),
    ] {
        for query in ["{name}=1&{name}=5", "{name}=1&{name}[]=5", "{name}[]=1&{name}[]=5&{name}[]=7"] {
            let query = query.replace("{name}", name);
            let refused = office.get(&format!("{list}?{query}"));
            let problem = refused.problem(422, "invalid");
            assert_eq!(problem["reasons"][name][0], "two-values", "{list}?{query}: {problem}");
            assert_eq!(problem["errors"][name][0], "must have one value, not several");
        }
    }
    // The value that counts is not in doubt.
    assert_eq!(office.ids("/lawsuits?customer_id=1&customer_id=1&customer_id=%201"), [1]);
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
    let conditional = || office.send("GET", list, &[("if-none-match", ignored.header("etag"))], None).status;
    assert_eq!((ignored.status, conditional()), (200, 304));
    office.set(&refusing());
    office.pass(2);
    assert_eq!((office.get(list).status, conditional()), (422, 422));
    office.set(UNLIMITED);
    office.pass(2);
    assert_eq!((office.get(list).status, conditional()), (200, 304));
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
