//! Holds every answer that any test sees against the description of the API: its status has to be described, and its
//! body to fit the schema. What the description says is thereby what the server does, wherever the tests go.

use std::sync::LazyLock;

use pleito::config::settings::Compatibility;
use pleito::http::route::Target;
use pleito::http::{BASE, Table, openapi};
use serde_json::Value;
use ureq::http::Method;

use crate::office::Reply;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(pleito::api::routes()));

/// The description, by the user's document.
pub static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| openapi::document(&TABLE, BASE, Compatibility::Document));

/// Panics where an answer of a route is not described; paths without a route have no description.
pub fn check(method: &str, path: &str, reply: &Reply) {
    let path = path.split('?').next().unwrap();
    let Some(below) = path.strip_prefix(BASE) else { return };
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let Target::Route(route, _) = TABLE.find(&method, below) else { return };
    let operation = &DESCRIPTION["paths"][route.path][route.method.as_str().to_lowercase()];
    let answer = &operation["responses"][reply.status.to_string()];
    let place = format!("{method} {path}: {}", reply.status);
    assert!(answer.is_object(), "{place} is not described");
    for name in answer["headers"].as_object().unwrap().keys() {
        let optional = name.starts_with("x-ratelimit") || name == "Idempotency-Replayed";
        assert!(optional || reply.headers.contains_key(name), "{place}: the header {name} is missing");
    }
    let Some(content) = answer.get("content") else {
        assert_eq!(reply.bytes, b"", "{place} has no body");
        return;
    };
    if method != Method::HEAD && !reply.headers.contains_key("content-encoding") {
        let wrong = misfits(&content["application/json"]["schema"], &reply.json());
        assert!(wrong.is_empty(), "{place}: {wrong:?}\n{}", reply.text());
    }
}

/// Where a value does not fit a schema. Knows the keywords that the description uses, and refuses to pass over others.
pub fn misfits(schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    fit(schema, value, "", &mut wrong);
    wrong
}

fn fit(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            wrong.push(format!("{at}: nothing may be here"));
        }
        return;
    };
    for (keyword, rule) in keywords {
        let fits = match keyword.as_str() {
            "$ref" => {
                fit(resolve(rule.as_str().unwrap()), value, at, wrong);
                true
            }
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                kind => is_of(kind, value),
            },
            "anyOf" | "oneOf" => rule.as_array().unwrap().iter().any(|one| misfits(one, value).is_empty()),
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|all| all.len() as u64 <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|members| {
                rule.as_array().unwrap().iter().all(|name| members.contains_key(name.as_str().unwrap()))
            }),
            "properties" => {
                for (name, inner) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        fit(inner, member, &format!("{at}/{name}"), wrong);
                    }
                }
                // A member that nobody described is a surprise, although a schema would let it pass.
                let known = rule.as_object().unwrap();
                let described =
                    |name| known.contains_key(name) || keywords.contains_key("additionalProperties");
                value.as_object().is_none_or(|members| members.keys().all(described))
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                for (name, member) in value.as_object().into_iter().flatten() {
                    if !known.is_some_and(|known| known.contains_key(name)) {
                        fit(rule, member, &format!("{at}/{name}"), wrong);
                    }
                }
                true
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    fit(rule, item, &format!("{at}/{place}"), wrong);
                }
                true
            }
            "description" | "title" | "format" | "examples" | "default" => true,
            other => panic!("the schema keyword {other} is unknown here"),
        };
        if !fits {
            wrong.push(format!("{at}: {keyword} is {rule}"));
        }
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the type {other} is none"),
    }
}

/// What a reference inside the description leads to.
pub fn resolve(reference: &str) -> &'static Value {
    let pointer = reference.strip_prefix('#').unwrap();
    DESCRIPTION.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
}
