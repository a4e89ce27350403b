//! The OpenAPI description: consistent, complete for every route, and equal to the last reviewed version.
//! `described` checks the responses of all tests against it.

use std::collections::HashSet;

use pleito::api::routes;
use serde_json::{Value, json};

use crate::described::{DESCRIPTION, followed, misfits, resolve};
use crate::office::{Office, Reply, UNLIMITED};
use crate::samples;
use crate::webhooks::with_dead_letter;

/// Calls `visit` with every nested value and its path.
fn walk<'v>(value: &'v Value, path: &str, visit: &mut impl FnMut(&str, &'v Value)) {
    visit(path, value);
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| walk(member, &format!("{path}/{name}"), visit));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| walk(item, &format!("{path}/{at}"), visit));
        }
        _ => {}
    }
}

/// Returns every operation: path, method and description.
fn operations() -> impl Iterator<Item = (&'static str, &'static str, &'static Value)> {
    let paths = DESCRIPTION["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        methods.iter().map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

#[test]
fn the_served_description_equals_the_generated_one() {
    let office = Office::new();
    for path in ["/openapi.json", "/api/v1/openapi.json"] {
        assert_eq!(office.raw("GET", path, &[], None).json(), *DESCRIPTION, "{path}");
    }
    assert_eq!(DESCRIPTION["openapi"], "3.1.0");
    assert_eq!(DESCRIPTION["servers"][0]["url"], "/api/v1");
    assert_eq!(DESCRIPTION["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn exactly_the_existing_routes_are_described() {
    let described = operations().map(|(path, method, _)| format!("{} {path}", method.to_uppercase()));
    let routes = routes();
    let there = routes.iter().flat_map(|row| {
        let route = &row.route;
        let patch = (route.method == "PUT").then(|| format!("PATCH {}", route.path));
        [Some(route.key().to_owned()), patch].into_iter().flatten()
    });
    assert_eq!(described.collect::<HashSet<_>>(), there.collect::<HashSet<_>>());
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let mut used = HashSet::new();
    walk(&DESCRIPTION, "", &mut |path, value| {
        if path.ends_with("/$ref") {
            resolve(&DESCRIPTION, value.as_str().unwrap());
            used.insert(value.as_str().unwrap().to_owned());
        }
    });
    for part in ["schemas", "responses", "headers"] {
        for name in DESCRIPTION["components"][part].as_object().unwrap().keys() {
            assert!(used.contains(&format!("#/components/{part}/{name}")), "nothing refers to {part}/{name}");
        }
    }
}

#[test]
fn every_operation_is_complete() {
    let mut ids = HashSet::new();
    let tags = DESCRIPTION["tags"].as_array().unwrap();
    for (path, method, operation) in operations() {
        let place = format!("{method} {path}");
        let text = |name: &str| {
            operation[name]
                .as_str()
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| panic!("{place}: {name}"))
        };
        assert!(ids.insert(text("operationId")), "{place}: its operationId is not unique");
        text("summary");
        for tag in operation["tags"].as_array().unwrap() {
            assert!(tags.iter().any(|known| known["name"] == *tag), "{place}: {tag}");
        }
        let mut names = HashSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(names.insert((&parameter["in"], &parameter["name"])), "{place}: {parameter}");
            assert!(["path", "query", "header"].contains(&parameter["in"].as_str().unwrap()), "{place}");
            assert!(parameter["schema"].is_object(), "{place}: {parameter}");
            assert_ne!(parameter["description"], "", "{place}: {parameter}");
            if parameter["in"] != "query" {
                assert_eq!(parameter["required"], parameter["in"] == "path", "{place}: {parameter}");
            }
        }
        let in_path = path.matches('{').count();
        assert_eq!(names.iter().filter(|(place, _)| *place == "path").count(), in_path, "{place}");
        assert_eq!(
            operation.get("requestBody").is_some(),
            ["post", "put", "patch"].contains(&method),
            "{place}"
        );
        let responses = operation["responses"].as_object().unwrap();
        for status in ["401", "421", "429", "500", "503"] {
            assert!(responses.contains_key(status), "{place}: {status}");
        }
        assert!(responses.keys().any(|status| status.starts_with('2')), "{place}");
        for (status, response) in responses {
            assert_eq!(status.len(), 3, "{place}");
            assert!(
                followed(&DESCRIPTION, response)["description"].as_str().is_some_and(|text| !text.is_empty()),
                "{place}: {status}"
            );
        }
    }
}

/// People read these texts while they choose a field, so each needs a sentence.
#[test]
fn every_schema_member_and_parameter_is_explained() {
    let explained = |value: &Value| value["description"].as_str().is_some_and(|text| text.ends_with('.'));
    for (name, schema) in DESCRIPTION["components"]["schemas"].as_object().unwrap() {
        assert!(explained(schema), "{name}");
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            assert!(explained(schema), "{name}.{member}");
        }
    }
    for (path, method, operation) in operations() {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(explained(parameter), "{method} {path}: {}", parameter["name"]);
        }
    }
}

/// Texts that are the same in both languages.
const SHARED: [&str; 2] = ["Pleito", "Webhooks"];

/// Asserts that every sentence differs between the languages and that everything else is equal.
fn translated(path: &str, en: &Value, pt: &Value) {
    match (en, pt) {
        (Value::Object(en), Value::Object(pt)) => {
            assert!(en.keys().eq(pt.keys()), "{path}: the members differ");
            for (name, en) in en {
                let (inside, pt) = (format!("{path}/{name}"), &pt[name]);
                match (name.as_str(), en.as_str(), pt.as_str()) {
                    ("summary" | "description", Some(en), Some(pt)) => {
                        assert!(!pt.trim().is_empty() && pt.trim() == pt, "{inside}: {pt:?}");
                        assert!(en != pt, "{inside} is not in Portuguese: {en}");
                    }
                    ("tags", ..) => {}
                    ("value", ..) => assert_eq!(en, pt, "{inside}"),
                    _ => translated(&inside, en, pt),
                }
            }
        }
        (Value::Array(en), Value::Array(pt)) => {
            assert_eq!(en.len(), pt.len(), "{path}");
            en.iter()
                .zip(pt)
                .enumerate()
                .for_each(|(at, (en, pt))| translated(&format!("{path}/{at}"), en, pt));
        }
        _ => assert_eq!(en, pt, "{path}"),
    }
}

#[test]
fn every_text_has_a_portuguese_translation() {
    let office = Office::new();
    let ask = |path: &str, headers: &[(&str, &str)]| office.raw("GET", path, headers, None).json();
    let pt = ask("/openapi.json?lang=pt", &[]);
    translated("", &DESCRIPTION, &pt);
    let names = |whole: &Value| -> Vec<String> {
        whole["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap().to_owned()).collect()
    };
    for ((en, pt), whole) in names(&DESCRIPTION).iter().zip(&names(&pt)).zip(pt["tags"].as_array().unwrap()) {
        assert!(en != pt || SHARED.contains(&en.as_str()), "{en}");
        assert!(whole["description"].as_str().unwrap().ends_with('.'), "{pt}");
    }
    let known = names(&pt);
    for operation in
        pt["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let tag = operation["tags"][0].as_str().unwrap();
        assert!(known.iter().any(|name| name == tag), "{tag}");
    }
    for (path, accept, lang) in [
        ("/openapi.json", "pt-BR,pt;q=0.9,en;q=0.8", &pt),
        ("/openapi.json?lang=pt-BR", "en", &pt),
        ("/openapi.json", "en-US,pt;q=0.9", &*DESCRIPTION),
        ("/openapi.json", "fr", &*DESCRIPTION),
        ("/openapi.json?lang=en", "pt-BR", &*DESCRIPTION),
        ("/openapi.json?lang=", "pt-BR", &pt),
    ] {
        assert!(ask(path, &[("accept-language", accept)]) == *lang, "{path} {accept}");
    }
}

/// Readers expect members in the contract's order, not in alphabetical order.
#[test]
fn members_keep_their_order() {
    let members = DESCRIPTION["components"]["schemas"]["Customer"]["properties"].as_object().unwrap();
    let names = members.keys().map(String::as_str).take(4).collect::<Vec<_>>();
    assert_eq!(names, ["id", "name", "identification", "document"]);
}

#[test]
fn links_of_a_response_lead_to_the_created_record() {
    let office = Office::new();
    for (path, body) in [
        ("/customers", json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Souza" })),
        ("/lawsuits", json!({ "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1 })),
        (
            "/posts",
            json!({ "from": 1, "guests": 1, "tasks_id": 1, "lawsuits_id": 1, "start_date": "2026-12-24" }),
        ),
    ] {
        let made = office.post(path, &body).json();
        let links = &DESCRIPTION["paths"][path]["post"]["responses"]["201"]["links"];
        let links = links.as_object().unwrap();
        assert_eq!(links.len(), 3, "{path}");
        for link in links.values() {
            let pointer = link["parameters"]["id"].as_str().unwrap().strip_prefix("$response.body#").unwrap();
            let id = made.pointer(pointer).and_then(Value::as_u64).unwrap();
            assert_eq!(office.get(&format!("{path}/{id}")).status, 200);
        }
    }
}

#[test]
fn the_server_accepts_the_examples_of_bodies() {
    let mut all = Vec::new();
    for (path, method, operation) in operations() {
        // A PUT to a collection creates records, or finds those of an earlier example.
        let creates = operation["responses"].get("201").is_some() && method == "post";
        let made = if creates { 201 } else { 200 };
        let examples: Vec<_> = samples::examples(method, path).collect();
        let takes_json = operation["requestBody"]["content"].get("application/json").is_some();
        assert_eq!(takes_json, !examples.is_empty(), "{method} {path} has no example");
        all.extend(examples.into_iter().map(|(name, body)| (name, method, path, body, made)));
    }
    // Examples with the same name rarely conflict.
    all.sort_by_key(|(name, ..)| *name);
    let mut office = samples::office(UNLIMITED);
    for (name, method, path, body, made) in &all {
        if *method == "post" && samples::is_in_office(path, name) {
            continue;
        }
        let path = samples::path(path);
        let send = |office: &Office| {
            with_dead_letter(office);
            samples::with_act(office, &path);
            office.send(&method.to_uppercase(), &path, &[], Some(body.to_string().as_bytes()))
        };
        let mut reply = send(&office);
        let finds = |reply: &Reply| *method == "put" && reply.status == 201;
        if reply.status != *made && !finds(&reply) {
            // A record of an earlier example may conflict with this one.
            office = samples::office(UNLIMITED);
            reply = send(&office);
        }
        assert!(reply.status == *made || finds(&reply), "{method} {path} {name}: {}", reply.text());
    }
}

#[test]
fn the_server_accepts_the_examples_of_parameters() {
    let office = Office::new();
    office.lawsuit(&[office.customer("Ana Souza", json!({}))], json!({}));
    with_dead_letter(&office);
    // `/content` is left out: no fixed example of its signature parameter can be valid.
    let reading = |path: &str, method: &str| method == "get" && !path.ends_with("/content");
    for (path, method, operation) in operations().filter(|(path, method, _)| reading(path, method)) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["in"] != "query" {
                continue;
            }
            let example_of = |parameter: &Value| match &parameter["example"] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let example = example_of(parameter);
            let name = parameter["name"].as_str().unwrap();
            // `/changes` accepts `id` only together with a resource, and a check for conflicts needs a name.
            let of = match (path, name) {
                ("/changes", "id") => Some(("resource", "lawsuits")),
                ("/deadlines", "opened") => Some(("notice", "portal")),
                ("/deadlines", "custody") => Some(("rule", "cpp")),
                ("/conflicts", "as" | "threshold" | "open" | "limit" | "offset") => Some(("name", "ana")),
                _ => None,
            };
            let needed = operation["parameters"].as_array().into_iter().flatten().filter(|other| {
                other["in"] == "query" && other["required"] == true && other["name"] != parameter["name"]
            });
            let needed = needed.map(|other| (other["name"].as_str().unwrap(), example_of(other)));
            let query = [(name, example.as_str())].into_iter().chain(of);
            let query = query.map(|(name, value)| (name, value.to_owned())).chain(needed);
            let query = query.map(|(name, value)| format!("{name}={}&", escaped(&value))).collect::<String>();
            let reply = office.get(&format!("{}?{query}", path.replace("{id}", "1")));
            assert_eq!(reply.status, 200, "{method} {path}?{query}: {}", reply.text());
            assert_eq!(reply.json()["query"][name], example, "{method} {path}");
        }
    }
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn responses_that_differ_from_their_schema_are_detected() {
    let customer = resolve(&DESCRIPTION, "#/components/schemas/Customer");
    let office = Office::new();
    office.customer("Ana Souza", serde_json::json!({}));
    let mut record = office.get("/customers/1").json();
    assert_eq!(misfits(&DESCRIPTION, customer, &record), Vec::<String>::new());
    record["id"] = "1".into();
    record["novelty"] = 1.into();
    record.as_object_mut().unwrap().remove("name");
    assert_eq!(misfits(&DESCRIPTION, customer, &record).len(), 3);
}

#[test]
fn the_description_equals_the_golden_file() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/openapi.json");
    let now = format!("{:#}\n", *DESCRIPTION);
    if std::env::var_os("PLEITO_WRITE_GOLDEN").is_some() {
        std::fs::write(golden, &now).unwrap();
    }
    let known = std::fs::read_to_string(golden).unwrap().replace("\r\n", "\n");
    let first = now.lines().zip(known.lines()).find(|(now, known)| now != known);
    assert!(
        now == known,
        "the description has changed, first difference: {first:?}; PLEITO_WRITE_GOLDEN=1 accepts the change"
    );
}
