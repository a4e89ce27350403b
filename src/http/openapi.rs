//! The description of the API as OpenAPI 3.1, generated from the route table and the types that its handlers take and
//! give: nothing about a route is written twice.

use std::collections::BTreeMap;

use http::{Method, StatusCode};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::input::{Members, Need, Purpose};
use super::problem::ProblemOut;
use super::route::{Route, Table};
use super::wire::FromText;
use crate::config::settings::Compatibility;

/// What the API is for, at the top of the description.
const ABOUT: &str = "\
The office's own server for customers and lawsuits.

Every request carries `Authorization: Bearer TOKEN`; the token is made in the tray menu or by `pleito token new`. \
Answers are JSON. Every error has the same shape, with a stable `code`, and names every wrong field at once.

A member that is `null` or blank is the same as an absent one on POST, and empties the field on PUT. Members and \
parameters that are not described here are ignored. Every request counts against the limits named in the \
`x-ratelimit-*` headers.";

/// One route in the making.
pub struct Operation<'g> {
    generator: &'g mut SchemaGenerator,
    largest_page: u32,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: BTreeMap<u16, Value>,
}

impl Operation<'_> {
    /// The id in the path.
    pub fn path_id(&mut self, about: &str) {
        let schema = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
        self.parameter("path", "id", about, schema, json!(1), true);
        self.problem(StatusCode::NOT_FOUND);
    }

    /// A query parameter.
    pub fn query<T: FromText>(&mut self, name: &str, about: &str, example: impl Into<Value>) {
        self.parameter("query", name, about, T::schema(), example.into(), false);
    }

    /// The page of a list.
    pub fn page(&mut self) {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": self.largest_page, "default": self.largest_page });
        self.parameter(
            "query",
            "limit",
            "How many records the page has at the most.",
            limit,
            json!(50),
            false,
        );
        let offset =
            json!({ "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64, "default": 0 });
        self.parameter("query", "offset", "How many records come before the page.", offset, json!(0), false);
        self.problem(StatusCode::UNPROCESSABLE_ENTITY);
    }

    /// The body.
    pub fn body<T: Members>(&mut self, purpose: Purpose) {
        let mut properties = Map::new();
        let mut example = Map::new();
        let mut required = Vec::new();
        for member in T::members() {
            if member.need == Need::Changeable && purpose == Purpose::Create {
                continue;
            }
            let mut schema = member.schema;
            match (member.need, purpose) {
                (Need::Required, Purpose::Create) => required.push(member.name),
                (Need::Required, Purpose::Change) => {}
                (Need::Optional | Need::Changeable, _) => allow_null(&mut schema),
            }
            if let Value::Object(schema) = &mut schema {
                schema.insert("description".to_owned(), json!(lines(member.about)));
                schema.insert("examples".to_owned(), json!([member.example]));
            }
            properties.insert(member.name.to_owned(), schema);
            example.insert(member.name.to_owned(), member.example);
        }
        let name = match purpose {
            Purpose::Create => format!("{}New", T::NAME.trim_end_matches("In")),
            Purpose::Change => format!("{}Change", T::NAME.trim_end_matches("In")),
        };
        let mut schema = json!({ "type": "object", "properties": properties, "examples": [example] });
        if let (false, Value::Object(schema)) = (required.is_empty(), &mut schema) {
            schema.insert("required".to_owned(), json!(required));
        }
        if let (Purpose::Change, Value::Object(schema)) = (purpose, &mut schema) {
            schema.insert("minProperties".to_owned(), json!(1));
        }
        self.generator.definitions_mut().insert(name.clone(), schema);
        let media = json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } });
        self.body = Some(json!({ "required": true, "content": { "application/json": media } }));
        for status in [
            StatusCode::BAD_REQUEST,
            StatusCode::REQUEST_TIMEOUT,
            StatusCode::PAYLOAD_TOO_LARGE,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            StatusCode::UNPROCESSABLE_ENTITY,
        ] {
            self.problem(status);
        }
    }

    /// An answer with a body.
    pub fn answers<T: JsonSchema>(&mut self, status: StatusCode, about: &str) {
        let schema = self.generator.subschema_for::<T>();
        self.respond(status, about, Some(schema.to_value()));
    }

    /// An answer without a body.
    pub fn says(&mut self, status: StatusCode, about: &str) {
        self.respond(status, about, None);
    }

    /// A header of an answer.
    pub fn sends_header(&mut self, status: StatusCode, name: &str, about: &str) {
        if let Some(headers) =
            self.responses.get_mut(&status.as_u16()).and_then(|answer| answer.get_mut("headers"))
        {
            headers[name] = json!({ "description": about, "schema": { "type": "string" } });
        }
    }

    /// A header of the request.
    pub fn takes_header(&mut self, name: &str, about: &str) {
        let schema = match name {
            "Idempotency-Key" => {
                json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" })
            }
            _ => json!({ "type": "string" }),
        };
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false, "description": about, "schema": schema,
        }));
    }

    /// An error of the one shape.
    pub fn problem(&mut self, status: StatusCode) {
        let schema = self.generator.subschema_for::<ProblemOut>().to_value();
        self.respond(status, problem_text(status), Some(schema));
        match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                self.sends_header(status, "Retry-After", "When to send again, in whole seconds.");
            }
            StatusCode::UNAUTHORIZED => self.sends_header(status, "WWW-Authenticate", "`Bearer`."),
            _ => {}
        }
    }

    fn respond(&mut self, status: StatusCode, about: &str, schema: Option<Value>) {
        let mut answer = json!({ "description": about, "headers": {
            "x-request-id": { "$ref": "#/components/headers/RequestId" },
        }});
        if status != StatusCode::UNAUTHORIZED && status != StatusCode::MISDIRECTED_REQUEST {
            for (name, header) in [("limit", "Limit"), ("remaining", "Remaining"), ("reset", "Reset")] {
                answer["headers"][format!("x-ratelimit-{name}")] =
                    json!({ "$ref": format!("#/components/headers/RateLimit{header}") });
            }
        }
        if let Some(schema) = schema {
            answer["content"] = json!({ "application/json": { "schema": schema } });
        }
        self.responses.insert(status.as_u16(), answer);
    }

    fn parameter(
        &mut self,
        place: &str,
        name: &str,
        about: &str,
        schema: Value,
        example: Value,
        required: bool,
    ) {
        self.parameters.push(json!({
            "name": name, "in": place, "required": required, "description": lines(about), "schema": schema,
            "example": example,
        }));
    }
}

/// The whole description.
pub fn document(table: &Table, base: &str, compatibility: Compatibility) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for route in table.routes() {
        let has_version = table.routes().any(|other| other.method == Method::GET && other.path == route.path);
        let described = describe(route, has_version, &mut generator, compatibility);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = described;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pleito",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Customers and lawsuits of a law office.",
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": base }],
        "security": [{ "token": [] }],
        "tags": tags(table),
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "token": {
                "type": "http", "scheme": "bearer",
                "description": "The one token of the account: `plt_` and 49 letters and digits.",
            }},
            "headers": {
                "RequestId": header("The id of this request, also in the server's log.", json!({ "type": "string" })),
                "RateLimitLimit": header("How many requests there may be; absent where there is no limit.", count()),
                "RateLimitRemaining": header("How many are left.", count()),
                "RateLimitReset": header("Seconds until there is room again.", count()),
            },
        },
    })
}

/// Only what can be read by itself `has_version`: the ETag that a change of it may name.
fn describe(
    route: &Route,
    has_version: bool,
    generator: &mut SchemaGenerator,
    compatibility: Compatibility,
) -> Value {
    let mut operation = Operation {
        generator,
        largest_page: route.largest_page(compatibility),
        parameters: Vec::new(),
        body: None,
        responses: BTreeMap::new(),
    };
    route.describe(&mut operation);
    for status in [
        StatusCode::UNAUTHORIZED,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ] {
        operation.problem(status);
    }
    if route.method == Method::PUT && has_version {
        operation
            .takes_header("If-Match", "The ETag of the record as it was read; 412 if it has changed since.");
        operation.problem(StatusCode::PRECONDITION_FAILED);
    }
    let mut described = json!({
        "operationId": route.name(),
        "summary": route.about,
        "tags": [tag(route)],
        "responses": operation.responses.into_iter().map(|(status, answer)| (status.to_string(), answer))
            .collect::<Map<_, _>>(),
    });
    if !operation.parameters.is_empty() {
        described["parameters"] = json!(operation.parameters);
    }
    if let Some(body) = operation.body {
        described["requestBody"] = body;
    }
    if let Some(canonical) = route.canonical {
        described["description"] = json!(format!("The same as `{canonical}`."));
    }
    described
}

fn tag(route: &Route) -> &'static str {
    let path = route.canonical.unwrap_or(route.path);
    path.trim_start_matches("/api/v1").split('/').nth(1).unwrap_or_default()
}

fn tags(table: &Table) -> Vec<Value> {
    let mut names = Vec::new();
    for route in table.routes() {
        if !names.contains(&tag(route)) {
            names.push(tag(route));
        }
    }
    names.into_iter().map(|name| json!({ "name": name })).collect()
}

fn header(about: &str, schema: Value) -> Value {
    json!({ "description": about, "schema": schema })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

/// A docstring's lines without the space that begins each.
fn lines(doc: &str) -> String {
    doc.trim().to_owned()
}

fn allow_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(kind) = members.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
    if let Some(Value::Array(of)) = members.get_mut("anyOf") {
        of.push(json!({ "type": "null" }));
    }
    if let Some(Value::Array(of)) = members.get_mut("enum") {
        of.push(Value::Null);
    }
}

fn problem_text(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => {
            "`malformed-json`, `not-an-object` or `empty-body`: the body cannot be read, or names no field."
        }
        401 => "`unauthenticated`: no token, or none that is in force.",
        404 => "`not-found`.",
        408 => "`request-timeout`: the body took too long to arrive.",
        412 => "`changed-meanwhile`: If-Match does not hold.",
        413 => "`too-large`: the body is over 1 MiB.",
        415 => "`unsupported-media-type`: the body is not declared as JSON.",
        421 => "`misdirected-request`: another host is meant.",
        422 => "`invalid`, `duplicate` or `idempotency-key-reused`: every wrong field is named in `errors`.",
        429 => "`rate-limited`: too many requests.",
        503 => "`storage-full`, `storage-unavailable` or `stopping`: nothing was stored; safe to send again.",
        _ => "`internal`: a defect; the log has its cause under the request's id.",
    }
}
