//! Checks every response that any test receives against the OpenAPI description. Its status must be described, and
//! its body must fit the schema. This keeps the description correct for all that the tests cover.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use pleito::http::{BASE, RouteTable, Target};
use regex::Regex;
use serde_json::Value;
use ureq::http::Method;

use crate::office::{Office, Reply};

static TABLE: LazyLock<RouteTable> = LazyLock::new(|| RouteTable::new(pleito::api::routes()));

/// The description of a server with the default `api.compatibility`, which is `document`.
pub static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| served(""));

/// The description of a server for the clients of the live service (contract 8).
static LIVE: LazyLock<Value> = LazyLock::new(|| served("[api]\ncompatibility = \"live\"\n"));

fn served(settings: &str) -> Value {
    Office::with(settings).raw("GET", "/openapi.json", &[], None).json()
}

/// Panics if a route's response is not described. Paths without a route are not checked.
pub fn check(method: &str, path: &str, reply: &Reply) {
    let path = path.split('?').next().unwrap();
    let Some(below) = path.strip_prefix(BASE) else { return };
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let Target::Route(row, _) = TABLE.find(&method, below) else { return };
    let route = &row.route;
    let mismatch = |whole: &Value| {
        let described = if method == Method::HEAD { &Method::GET } else { &method };
        let operation = &whole["paths"][route.path][described.as_str().to_lowercase()];
        mismatch(whole, operation, method == Method::HEAD, reply)
    };
    // Only the server's settings tell which of the two descriptions applies, so a response must fit one of them.
    if let Some(why) = mismatch(&DESCRIPTION).filter(|_| mismatch(&LIVE).is_some()) {
        panic!("{method} {path}: {}: {why}\n{}", reply.status, reply.text());
    }
}

fn mismatch(whole: &Value, operation: &Value, is_head: bool, reply: &Reply) -> Option<String> {
    let Some(answer) = operation["responses"].get(reply.status.to_string()) else {
        return Some("is not described".to_owned());
    };
    let answer = followed(whole, answer);
    for (name, header) in answer["headers"].as_object().into_iter().flatten() {
        // The version of a page is only for callers who see everything.
        let optional = name == "ETag" && followed(whole, header)["required"] != true
            || name.starts_with("x-ratelimit")
            || ["Idempotency-Replayed", "x-ignored-members", "x-ignored-parameters"].contains(&name.as_str());
        if !optional && !reply.headers.contains_key(name) {
            return Some(format!("the header {name} is missing"));
        }
    }
    let Some(content) = answer.get("content") else {
        return (!reply.bytes.is_empty()).then(|| "has a body".to_owned());
    };
    if is_head || reply.headers.contains_key("content-encoding") {
        return None;
    }
    // A document's content may have any bytes.
    let schema = content.get("application/json")?;
    let media_type = reply.header("content-type").split(';').next().unwrap_or_default().trim();
    if media_type != "application/json" {
        return content.get(media_type).is_none().then(|| format!("is {media_type}"));
    }
    let wrong = misfits(whole, &schema["schema"], &reply.json());
    (!wrong.is_empty()).then(|| format!("{wrong:?}"))
}

/// Lists the places where a value does not fit a schema. Supports the keywords that the description uses, and
/// panics for any other.
pub fn misfits(whole: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    fit(whole, schema, value, "", &mut wrong);
    wrong
}

fn fit(whole: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            wrong.push(format!("{at}: no value is allowed"));
        }
        return;
    };
    for (keyword, rule) in keywords {
        let fits = match keyword.as_str() {
            "$ref" => {
                fit(whole, resolve(whole, rule.as_str().unwrap()), value, at, wrong);
                true
            }
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                kind => is_of(kind, value),
            },
            "anyOf" | "oneOf" => {
                rule.as_array().unwrap().iter().any(|one| misfits(whole, one, value).is_empty())
            }
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|all| all.len() as u64 <= rule.as_u64().unwrap()),
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap())
            }
            "maxLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().unwrap())
            }
            "pattern" => value.as_str().is_none_or(|text| pattern(rule.as_str().unwrap()).is_match(text)),
            "uniqueItems" => value
                .as_array()
                .is_none_or(|items| items.iter().enumerate().all(|(at, item)| !items[..at].contains(item))),
            "minProperties" => {
                value.as_object().is_none_or(|members| members.len() as u64 >= rule.as_u64().unwrap())
            }
            "required" => value.as_object().is_none_or(|members| {
                rule.as_array().unwrap().iter().all(|name| members.contains_key(name.as_str().unwrap()))
            }),
            "properties" => {
                for (name, inner) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        fit(whole, inner, member, &format!("{at}/{name}"), wrong);
                    }
                }
                // An undescribed member is an error here, although the schema would allow it.
                let known = rule.as_object().unwrap();
                let described =
                    |name| known.contains_key(name) || keywords.contains_key("additionalProperties");
                value.as_object().is_none_or(|members| members.keys().all(described))
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                for (name, member) in value.as_object().into_iter().flatten() {
                    if !known.is_some_and(|known| known.contains_key(name)) {
                        fit(whole, rule, member, &format!("{at}/{name}"), wrong);
                    }
                }
                true
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    fit(whole, rule, item, &format!("{at}/{place}"), wrong);
                }
                true
            }
            "format" => value
                .as_str()
                .is_none_or(|text| format(rule.as_str().unwrap()).is_none_or(|form| form.is_match(text))),
            "description" | "title" | "examples" | "default" => true,
            other => panic!("the schema keyword {other} is not supported"),
        };
        if !fits {
            wrong.push(format!("{at}: {keyword} is {rule}"));
        }
    }
}

/// Returns the pattern that a format stands for, or `None` for formats of numbers and those that no regular
/// expression covers.
fn format(name: &str) -> Option<&'static Regex> {
    match name {
        "date" => Some(pattern("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")),
        "date-time" => {
            Some(pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$"))
        }
        _ => None,
    }
}

/// Validates a webhook message against the description of its type.
pub fn check_message(message: &Value) {
    let described = &DESCRIPTION["webhooks"][message["type"].as_str().unwrap()]["post"];
    let schema = &described["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(misfits(&DESCRIPTION, schema, message), Vec::<String>::new(), "{message}");
}

/// Compiles each pattern of the description once. There are few patterns, and every record of every page is matched
/// against them. A clone would allocate its own memory for each match.
fn pattern(text: &str) -> &'static Regex {
    static MADE: LazyLock<Mutex<HashMap<String, &'static Regex>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap();
    made.entry(text.to_owned()).or_insert_with(|| Box::leak(Box::new(Regex::new(text).unwrap())))
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
        other => panic!("unknown type {other}"),
    }
}

/// Resolves the value if it is a reference.
pub fn followed<'w>(whole: &'w Value, value: &'w Value) -> &'w Value {
    value.get("$ref").map_or(value, |reference| resolve(whole, reference.as_str().unwrap()))
}

pub fn resolve<'w>(whole: &'w Value, reference: &str) -> &'w Value {
    whole.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} cannot be resolved"))
}
