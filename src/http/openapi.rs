//! The description of the API as OpenAPI 3.1, generated from the route table and the types that its handlers take and
//! give: nothing about a route is written twice.

mod operation;

use http::StatusCode;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub use operation::Operation;
pub(super) use operation::allow_null;

use super::problem::{Problem, ProblemOut};
use super::route::{Route, RouteTable};
use super::version;
use crate::config::settings::Compatibility;

/// What the API is for and what holds for all of its routes, at the top of the description.
const ABOUT: &str = "\
The office's own server for customers and lawsuits. Requests and answers are JSON in UTF-8.

- **Token**: every request carries `Authorization: Bearer TOKEN`. The account has one token, made by \
`pleito token new`; a new one ends the old one at once.
- **Errors** have one shape. `code` is stable and is what a program tests; `errors` names every wrong field at once.
- **Lists** come in pages: `limit` records after the first `offset`, by id, with the exact `totalCount`. Filters combine \
with AND; in text, letter case, accents and punctuation do not matter.
- **Ids** are sent as numbers or as their digits in text, **dates** as `DD/MM/YYYY`, `YYYY-MM-DD` or an ISO date-time, \
whose day counts.
- **Empty** members, `null` or blank, are the same as absent ones on POST, and empty the field on PUT. Members and \
parameters that are not described here are ignored.
- **Limits**, unless the office set others: 30 GET a minute over all routes, 100 POST and 500 PUT a day for each route. \
The `x-ratelimit-*` headers tell how many are left.

HEAD is answered as GET without the body, OPTIONS with the methods of a path. `/health` tells without a token \
whether the server is well.";

/// What several routes are about: a tag of the description.
#[derive(Debug)]
pub struct Resource {
    /// The first segment of its routes' paths.
    pub segment: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// The whole description.
pub fn document(table: &RouteTable, resources: &[Resource], compatibility: Compatibility) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for route in table.routes() {
        let described = describe(route, table, resources, &mut generator, compatibility);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        set(path, &route.method.as_str().to_lowercase(), described);
    }
    let responses = responses(&mut generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pleito",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Customers and lawsuits of a law office.",
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": super::BASE, "description": "This server." }],
        "security": [{ "token": [] }],
        "tags": resources.iter().map(|resource| json!({ "name": resource.name, "description": resource.about }))
            .collect::<Value>(),
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": responses,
            "headers": headers(),
            "securitySchemes": { "token": {
                "type": "http", "scheme": "bearer", "bearerFormat": "plt_…",
                "description": "The one token of the account: `plt_` and 49 letters and digits.",
            }},
        },
    })
}

fn describe(
    route: &Route,
    table: &RouteTable,
    resources: &[Resource],
    generator: &mut SchemaGenerator,
    compatibility: Compatibility,
) -> Value {
    let mut operation = Operation::new(route, generator, compatibility);
    route.describe(&mut operation);
    for status in Problem::ANY {
        operation.problem(*status);
    }
    let segment = route.canonical.unwrap_or(route.path).trim_start_matches(super::BASE).split('/').nth(1);
    let tag = resources.iter().find(|resource| Some(resource.segment) == segment);
    // What was made is read and changed below the path that made it.
    let below = format!("{}/{{id}}", route.path);
    let links = table.routes().filter(|other| other.path == below);
    operation.finish(tag.map(|resource| resource.name), links.map(|other| other.name()))
}

/// The answers that many routes have in common: the problems, with a sample of each.
fn responses(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let schema = generator.subschema_for::<ProblemOut>();
    let mut responses = Map::new();
    for sample in Problem::samples() {
        let (status, code) = (sample.status(), sample.code());
        let response = responses.entry(component(status)).or_insert_with(|| {
            json!({
                "description": problem_text(status),
                "headers": problem_headers(status),
                "content": { "application/json": { "schema": schema, "examples": {} } },
            })
        });
        if let Some(examples) = response.pointer_mut("/content/application~1json/examples") {
            set(examples, code, json!({ "value": sample.body() }));
        }
    }
    responses
}

fn problem_headers(status: StatusCode) -> Value {
    let mut headers = json!({ "x-request-id": reference("headers", "RequestId") });
    if !Problem::BEFORE_LIMITS.contains(&status) {
        add_limits(&mut headers);
    }
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            set(&mut headers, "Retry-After", reference("headers", "RetryAfter"));
        }
        StatusCode::UNAUTHORIZED => {
            set(&mut headers, "WWW-Authenticate", reference("headers", "Authenticate"));
        }
        _ => {}
    }
    headers
}

fn add_limits(headers: &mut Value) {
    for (name, header) in [
        ("x-ratelimit-limit", "RateLimitLimit"),
        ("x-ratelimit-remaining", "RateLimitRemaining"),
        ("x-ratelimit-reset", "RateLimitReset"),
    ] {
        set(headers, name, reference("headers", header));
    }
}

fn headers() -> Value {
    let count = |least: u32, about: &str, example: u32| json!({ "description": about, "schema": { "type": "integer", "minimum": least }, "example": example });
    let always = |mut header: Value| {
        set(&mut header, "required", true);
        header
    };
    json!({
        "RequestId": always(json!({
            "description": "The id of this request, also in the server's log: the request's own `x-request-id` where it \
                            has a usable one.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$" },
            "example": "6f1d2c3b4a596877",
        })),
        "RateLimitLimit": count(1, "How many requests there may be; absent where there is no limit.", 100),
        "RateLimitRemaining": count(0, "How many are left.", 99),
        "RateLimitReset": count(0, "Seconds until there is room again.", 43_200),
        "RetryAfter": always(count(1, "When to send again, in whole seconds.", 5)),
        "Authenticate": always(json!({
            "description": "How to authenticate.", "schema": { "type": "string", "const": "Bearer" },
        })),
        "ETag": always(json!({
            "description": "The version of what is read, for `If-None-Match` and, of a record, `If-Match`.",
            "schema": { "type": "string", "pattern": "^(W/)?\"[!#-~]+\"$" },
            "example": version::tag(b"a record"),
        })),
        "Replayed": {
            "description": "On an answer that was given before to the same `Idempotency-Key`.",
            "schema": { "type": "string", "const": "true" },
        },
        "Canonical": always(json!({
            "description": "The path of which this one is another name.",
            "schema": { "type": "string" },
        })),
    })
}

/// The name that a status has among the common answers, such as `NotFound`.
fn component(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or_default().replace(' ', "")
}

fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// Sets a member of an object.
pub(super) fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value.into());
    }
}

fn problem_text(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "The body cannot be read, or a PUT names no field.",
        401 => "No token, or none that is in force.",
        404 => "No record has this id.",
        408 => "The body took too long to arrive.",
        412 => "The record was changed since: `If-Match` does not hold.",
        413 => "The body is over 1 MiB.",
        415 => "The body is not declared as JSON.",
        421 => "Another host is meant than this server.",
        422 => "Wrong fields, each named in `errors`; or a duplicate.",
        429 => "Too many requests.",
        431 => "The request line and the headers are over 32 KiB.",
        503 => "Nothing was stored; safe to send again.",
        _ => "A defect of the server; the log has its cause under the request's id.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_that_is_described_has_its_own_words_and_a_sample() {
        let samples = Problem::samples();
        for status in Problem::ANY {
            assert!(samples.iter().any(|sample| sample.status() == *status), "{status}");
        }
        let mut texts = samples.iter().map(|sample| sample.status()).collect::<Vec<_>>();
        texts.dedup();
        let mut said = texts.iter().map(|status| problem_text(*status)).collect::<Vec<_>>();
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), texts.len(), "two statuses share their words, or samples are not by status");
    }
}
