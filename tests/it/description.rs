//! The description of the API: whole, without loose ends, and its own examples work.

use serde_json::{Value, json};

use crate::office::Office;

fn description(office: &Office) -> Value {
    office.raw("GET", "/openapi.json", &[], None).json()
}

/// Calls `see` with every value inside, and the path that leads to it.
fn walk(value: &Value, path: &str, see: &mut dyn FnMut(&str, &Value)) {
    see(path, value);
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| walk(value, &format!("{path}/{name}"), see));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| walk(value, &format!("{path}/{at}"), see));
        }
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_everything_is_explained() {
    let whole = description(&Office::new());
    walk(&whole, "", &mut |path, value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            assert!(whole.pointer(&reference[1..]).is_some(), "{path} refers to {reference}");
        }
    });
    let explained = |value: &Value| value["description"].as_str().is_some_and(|text| text.ends_with('.'));
    for (name, schema) in whole["components"]["schemas"].as_object().unwrap() {
        assert!(explained(schema), "{name}");
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            assert!(explained(schema), "{name}.{member}");
        }
    }
    for (path, item) in whole["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["tags"][0].is_string(), "{method} {path}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(explained(parameter), "{method} {path}: {}", parameter["name"]);
            }
        }
    }
}

#[test]
fn the_examples_of_bodies_are_accepted() {
    let whole = description(&Office::new());
    let mut tried = 0;
    for (path, item) in whole["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let media = &operation["requestBody"]["content"]["application/json"];
            for (name, example) in media["examples"].as_object().into_iter().flatten() {
                let office = Office::new();
                let customer = office.customer("Ana Lúcia", json!({}));
                office.lawsuit(&[customer], json!({}));
                let body = example["value"].to_string();
                let path = path.replace("{id}", "1");
                let reply = office.send(&method.to_uppercase(), &path, &[], Some(body.as_bytes()));
                assert!(matches!(reply.status, 200 | 201), "{method} {path}, {name}: {}", reply.text());
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 24);
}

#[test]
fn what_was_made_is_found_where_the_links_say() {
    let office = Office::new();
    let whole = description(&office);
    for (path, body) in [
        ("/customers", json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana Lúcia" })),
        ("/lawsuits", json!({ "users_id": 1, "customers_id": [1], "stages_id": 12, "type_lawsuits_id": 1 })),
    ] {
        let reply = office.post(path, &body);
        let made = &whole["paths"][path]["post"]["responses"]["201"];
        let links = made["links"].as_object().unwrap();
        assert_eq!(links.len(), 2, "{path}");
        for link in links.values() {
            let pointer = link["parameters"]["id"].as_str().unwrap().strip_prefix("$response.body#").unwrap();
            let id = reply.json().pointer(pointer).and_then(Value::as_u64).unwrap();
            assert_eq!(office.get(&format!("{path}/{id}")).status, 200);
        }
    }
}

/// The reader of a description expects members in the order of the contract, not of the alphabet.
#[test]
fn members_keep_their_order() {
    let whole = description(&Office::new());
    let members = whole["components"]["schemas"]["Customer"]["properties"].as_object().unwrap();
    let names = members.keys().map(String::as_str).take(4).collect::<Vec<_>>();
    assert_eq!(names, ["id", "name", "identification", "document"]);
}
