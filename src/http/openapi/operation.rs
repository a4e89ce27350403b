//! One route in the making: what its handler's types write into the description.

use std::collections::BTreeMap;

use http::StatusCode;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{add_limits, component, reference, set};
use crate::config::settings::Compatibility;
use crate::http::answer::Made;
use crate::http::input::{Described, Members, Need, Purpose};
use crate::http::route::Route;
use crate::http::wire::FromText;

/// One route in the making.
pub struct Operation<'r, 'g> {
    route: &'r Route,
    generator: &'g mut SchemaGenerator,
    compatibility: Compatibility,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: BTreeMap<u16, Value>,
    /// Where the id of what it makes stands in its answer.
    made: Option<&'static str>,
}

impl<'r, 'g> Operation<'r, 'g> {
    pub(super) fn new(
        route: &'r Route,
        generator: &'g mut SchemaGenerator,
        compatibility: Compatibility,
    ) -> Operation<'r, 'g> {
        let (parameters, responses) = (Vec::new(), BTreeMap::new());
        Operation { route, generator, compatibility, parameters, body: None, responses, made: None }
    }

    /// The id in the path.
    pub fn path_id(&mut self, about: &str) {
        let schema = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
        self.parameters.push(json!({
            "name": "id", "in": "path", "required": true, "description": about, "schema": schema, "example": 1,
        }));
        self.problem(StatusCode::NOT_FOUND);
    }

    /// A query parameter.
    pub fn query<T: FromText>(&mut self, name: &str, about: &str, example: impl Into<Value>) {
        self.parameter("query", name, about, T::schema(), Some(example.into()));
    }

    /// The page of a list.
    pub fn page(&mut self) {
        let most = self.route.largest_page(self.compatibility);
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": most, "default": most });
        let about = "How many records the page has at the most.";
        self.parameter("query", "limit", about, limit, Some(json!(50)));
        let offset =
            json!({ "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64, "default": 0 });
        self.parameter("query", "offset", "How many records come before the page.", offset, Some(json!(0)));
        self.problem(StatusCode::UNPROCESSABLE_ENTITY);
    }

    /// The body.
    pub fn body<T: Members>(&mut self, purpose: Purpose) {
        let members = T::members()
            .into_iter()
            .filter(|member| member.need != Need::Changeable || purpose == Purpose::Change)
            .collect::<Vec<_>>();
        let name = match purpose {
            Purpose::Create => format!("{}New", T::name()),
            Purpose::Change => format!("{}Change", T::name()),
        };
        let examples = examples(&members, purpose);
        let mut schema = json!({ "type": "object", "description": T::about() });
        match purpose {
            Purpose::Create => {
                let names = members.iter().filter(required).map(|member| member.name);
                set(&mut schema, "required", names.collect::<Vec<_>>());
            }
            Purpose::Change => set(&mut schema, "minProperties", 1),
        }
        set(
            &mut schema,
            "properties",
            members.into_iter().map(|member| (member.name.to_owned(), member.schema)).collect::<Map<_, _>>(),
        );
        let reference = reference("schemas", &name);
        self.generator.definitions_mut().insert(name, schema);
        let media = json!({ "schema": reference, "examples": examples });
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

    /// The answer to who made something; the same `Idempotency-Key` gives it again.
    pub fn makes<T: Made>(&mut self) {
        let schema = T::schema(self.generator, self.compatibility);
        self.respond(StatusCode::CREATED, "Made, and on disk.", Some(schema.to_value()));
        self.made = Some(T::id(self.compatibility));
        self.sends(StatusCode::CREATED, "Idempotency-Replayed", "Replayed");
        self.parameter(
            "header",
            "Idempotency-Key",
            "A key of your own, so that sending again after a broken connection makes nothing twice: within 24 hours the \
             same key with the same body gives the first answer again.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" }),
            None,
        );
    }

    /// That what is read comes with its version, and may be asked for by it.
    pub fn sends_version(&mut self) {
        self.sends(StatusCode::OK, "ETag", "ETag");
        self.sends(StatusCode::NOT_MODIFIED, "ETag", "ETag");
        let about = "The `ETag` of what you have: answered 304 if it still holds.";
        self.parameter("header", "If-None-Match", about, json!({ "type": "string" }), None);
    }

    /// That the change may be bound to a version of the record.
    pub fn takes_if_match(&mut self) {
        let about = "The `ETag` of the record as you read it: answered 412 if it was changed since.";
        self.parameter("header", "If-Match", about, json!({ "type": "string" }), None);
        self.problem(StatusCode::PRECONDITION_FAILED);
    }

    /// That an alias names the path it stands for.
    pub fn sends_canonical_link(&mut self) {
        if self.route.canonical.is_some() {
            self.sends(StatusCode::OK, "Link", "Canonical");
        }
    }

    /// An error of the one shape.
    pub fn problem(&mut self, status: StatusCode) {
        self.responses.insert(status.as_u16(), reference("responses", &component(status)));
    }

    /// The whole, with the operations that take the id of what this one makes.
    pub(super) fn finish(mut self, tag: Option<&str>, linked: impl Iterator<Item = String>) -> Value {
        if let (Some(id), Some(made)) = (self.made, self.responses.get_mut(&StatusCode::CREATED.as_u16())) {
            let link = |operation: String| {
                let parameters = json!({ "id": format!("$response.body#{id}") });
                (operation.clone(), json!({ "operationId": operation, "parameters": parameters }))
            };
            set(made, "links", linked.map(link).collect::<Map<_, _>>());
        }
        let mut whole = json!({
            "operationId": self.route.name(), "summary": self.route.about, "tags": tag.as_slice(),
        });
        let alias = self.route.canonical.map(|path| format!("The same as `{}`.", path));
        if let Some(more) = self.route.explanation.map(str::to_owned).or(alias) {
            set(&mut whole, "description", more);
        }
        if !self.parameters.is_empty() {
            set(&mut whole, "parameters", self.parameters);
        }
        if let Some(body) = self.body {
            set(&mut whole, "requestBody", body);
        }
        let responses = self.responses.into_iter().map(|(status, answer)| (status.to_string(), answer));
        set(&mut whole, "responses", responses.collect::<Map<_, _>>());
        whole
    }

    fn respond(&mut self, status: StatusCode, about: &str, schema: Option<Value>) {
        let mut headers = json!({ "x-request-id": reference("headers", "RequestId") });
        add_limits(&mut headers);
        let mut answer = json!({ "description": about, "headers": headers });
        if let Some(schema) = schema {
            set(&mut answer, "content", json!({ "application/json": { "schema": schema } }));
        }
        self.responses.insert(status.as_u16(), answer);
    }

    fn sends(&mut self, status: StatusCode, name: &str, header: &str) {
        let answer = self.responses.get_mut(&status.as_u16());
        if let Some(headers) = answer.and_then(|answer| answer.get_mut("headers")) {
            set(headers, name, reference("headers", header));
        }
    }

    /// A parameter of any place.
    pub(in crate::http) fn parameter(
        &mut self,
        place: &str,
        name: &str,
        about: &str,
        schema: Value,
        example: Option<Value>,
    ) {
        let mut parameter = json!({
            "name": name, "in": place, "required": false, "description": about.trim(), "schema": schema,
        });
        if let Some(example) = example {
            set(&mut parameter, "example", example);
        }
        self.parameters.push(parameter);
    }
}

fn required(member: &&Described) -> bool {
    member.need == Need::Required
}

/// Bodies to begin with: on POST what there must be and everything there can be, on PUT one member.
fn examples(members: &[Described], purpose: Purpose) -> Value {
    let of = |summary: &str, members: &mut dyn Iterator<Item = &Described>| {
        let value =
            members.map(|member| (member.name.to_owned(), member.example.clone())).collect::<Map<_, _>>();
        json!({ "summary": summary, "value": value })
    };
    match purpose {
        Purpose::Create => json!({
            "required": of("Required members", &mut members.iter().filter(required)),
            "everything": of("Every member", &mut members.iter()),
        }),
        Purpose::Change => json!({ "change": of("One member", &mut members.last().into_iter()) }),
    }
}

/// Lets what the schema describes be absent as `null`.
pub(in crate::http) fn allow_null(schema: &mut Value) {
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
