//! The description of the API as OpenAPI 3.1, generated from the route table and the parts that its routes say they take
//! and answer: nothing about a route is written twice. How a request is answered is not known here.

mod files;
mod operation;

use std::sync::OnceLock;

use http::{Method, StatusCode};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use operation::{Operation, add_limits, component, reference};

use super::coding::Encodings;
use super::etag;
use super::problem::{Problem, ProblemOut};
use super::route::{BASE, Route};
use super::schema::set;
use super::table::RouteTable;
use crate::config::settings::Compatibility;

/// What the API is for and what holds for all of its routes, at the top of the description.
const ABOUT: &str = "\
The office's own server for customers, lawsuits and what belongs to them. Requests and answers are JSON in UTF-8, but for \
the files of documents.

- **Token**: every request carries `Authorization: Bearer TOKEN`. The account has one token, made by \
`pleito token new`; a new one ends the old one at once.
- **Errors** have one shape. `code` is stable and is what a program tests; `errors` names every wrong field at once.
- **Lists** come in pages: `limit` records after the first `offset`, by id, with the exact `totalCount`. Filters combine \
with AND; in text, letter case, accents and punctuation do not matter.
- **Ids** are sent as numbers or as their digits in text, **dates** as `DD/MM/YYYY`, `YYYY-MM-DD` or an ISO date-time, \
whose day counts.
- **Deleted** records are in no list and answer 404 with `deleted_at`; lists with `deleted=true` show them, and PUT with \
`{\"deleted\": false}` brings one back.
- **Empty** members, `null` or blank, are the same as absent ones on POST, and empty the field on PUT. Members \
that are not described here are ignored. So are parameters: a list then names them in `x-ignored-parameters`; where the \
office has set `api.unknown_parameters` to `refuse` they are wrong.
- **Limits**, unless the office set others: 30 GET a minute over all routes, 100 POST, 500 PUT and 100 DELETE a day for each \
route. The `x-ratelimit-*` headers tell how many are left.

HEAD is answered as GET without the body, PATCH as PUT, OPTIONS with the methods of a path. `/health` tells without a token \
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

/// The description as it is served, in every coding.
pub(super) struct Description {
    resources: &'static [Resource],
    document: OnceLock<Encodings>,
    live: OnceLock<Encodings>,
}

impl Description {
    /// That of routes which belong to these resources.
    pub fn new(resources: &'static [Resource]) -> Description {
        Description { resources, document: OnceLock::new(), live: OnceLock::new() }
    }

    /// Makes it where it was not asked for before.
    pub fn of(&self, table: &RouteTable, compatibility: Compatibility) -> &Encodings {
        let encodings = match compatibility {
            Compatibility::Document => &self.document,
            Compatibility::Live => &self.live,
        };
        encodings.get_or_init(|| {
            let document = document(table, self.resources, compatibility);
            Encodings::of(document.to_string().into())
        })
    }
}

fn document(table: &RouteTable, resources: &[Resource], compatibility: Compatibility) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for route in table.routes() {
        let described = describe(route, table, resources, &mut generator, compatibility);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        set(path, &route.method.as_str().to_lowercase(), described.clone());
        if route.method == Method::PUT {
            let mut patch = described;
            set(&mut patch, "operationId", route.name_by(&Method::PATCH));
            set(&mut patch, "summary", [route.about, ", by another name"].concat());
            set(&mut patch, "description", "Another name for PUT, with which it is counted.");
            set(path, "patch", patch);
        }
    }
    let responses = responses(&mut generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pleito",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Customers, lawsuits and what belongs to them in a law office.",
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": BASE, "description": "This server." }],
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
    let operation = Operation::new(route, Problem::ANY, generator, compatibility);
    let segment = route.canonical.unwrap_or(route.path).trim_start_matches(BASE).split('/').nth(1);
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
            "example": etag::tag(b"a record"),
        })),
        "Replayed": {
            "description": "On an answer that was given before to the same `Idempotency-Key`.",
            "schema": { "type": "string", "const": "true" },
        },
        "Disposition": always(json!({
            "description": "That the content is to be saved, and under which name (RFC 8187).",
            "schema": { "type": "string" },
            "example": "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf",
        })),
        "IgnoredParameters": {
            "description": "On an answer to a request with parameters that no rule names: their names, percent-encoded, \
                            ten at the most.",
            "schema": { "type": "string" },
            "example": "search, page",
        },
        "Canonical": always(json!({
            "description": "The path of which this one is another name.",
            "schema": { "type": "string" },
        })),
    })
}

fn problem_text(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "The body cannot be read, or a PUT names no field.",
        401 => "No token, or none that is in force.",
        404 => "No record has this id.",
        410 => "The document's file is missing or was altered.",
        416 => "The range begins behind the end of the content.",
        408 => "The body took too long to arrive.",
        412 => "The record was changed since: `If-Match` does not hold.",
        413 => "The body is over 1 MiB, or a file over the largest size.",
        415 => "The body is not declared as what the route takes.",
        421 => "Another host is meant than this server.",
        422 => {
            "Wrong fields, each named in `errors`; a duplicate; or a record that others need, named by resource."
        }
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
