//! The description of one route, from the parts of its request and responses.

use std::collections::BTreeMap;

use http::StatusCode;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::domain::lang::Word;
use crate::http::openapi::describe::{
    BodyDescription, MemberDescription, Need, Parameter, Purpose, RoutePart, Sentence, about,
};
use crate::http::openapi::schema::{id, set};
use crate::http::requests::route::Route;

/// The description of a route, in progress.
pub(super) struct Operation<'r, 'g> {
    pub(super) route: &'r Route,
    generator: &'g mut SchemaGenerator,
    compatibility: Compatibility,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: BTreeMap<u16, Value>,
    /// JSON Pointer to the new record's id in the response.
    made: Option<String>,
}

impl<'r, 'g> Operation<'r, 'g> {
    /// Describes a route by its parts, with the `problems` that any route may return.
    pub fn new(
        route: &'r Route,
        problems: &[StatusCode],
        generator: &'g mut SchemaGenerator,
        compatibility: Compatibility,
    ) -> Operation<'r, 'g> {
        let parameters = Vec::new();
        let responses = BTreeMap::new();
        let mut operation =
            Operation { route, generator, compatibility, parameters, body: None, responses, made: None };
        (route.parts)().into_iter().for_each(|part| operation.add(part));
        if route.is_once {
            operation.add(RoutePart::Replayed(StatusCode::OK));
            operation.problem(StatusCode::CONFLICT);
        }
        if route.is_list() {
            operation.add(RoutePart::Version((
                "Nada mudou desde a página indicada em `If-None-Match`.",
                "Nothing has changed since the page in `If-None-Match`.",
            )));
        }
        if route.has_unknown_parameters() {
            if route.is_in_cloud {
                operation.sends(StatusCode::OK, "x-ignored-parameters", "IgnoredParameters");
            }
            operation.problem(StatusCode::UNPROCESSABLE_ENTITY);
        }
        if operation.body.is_some() {
            for status in [StatusCode::OK, StatusCode::CREATED] {
                operation.sends(status, "x-ignored-members", "IgnoredMembers");
            }
        }
        // An alias links to its original.
        if route.canonical.is_some() {
            operation.sends(StatusCode::OK, "Link", "Canonical");
        }
        problems.iter().for_each(|status| operation.problem(*status));
        operation
    }

    fn add(&mut self, part: RoutePart) {
        match part {
            RoutePart::PathId(Word(pt, en)) => {
                let about = about!("Id de {pt}.", "The id of the {en}.");
                self.parameters.push(json!({
                    "name": "id", "in": "path", "required": true, "description": about,
                    "schema": id(), "example": 1,
                }));
                self.problem(StatusCode::NOT_FOUND);
            }
            RoutePart::PathText(Parameter { name, about, schema, example, .. }) => {
                self.parameters.push(json!({
                    "name": name, "in": "path", "required": true, "description": about, "schema": schema,
                    "example": example,
                }));
            }
            RoutePart::Parameter(Parameter { name, about, schema, example, is_required }) => {
                self.parameter("query", &name, about, schema, Some(example));
                if let Some(parameter) = self.parameters.last_mut().filter(|_| is_required) {
                    set(parameter, "required", true);
                }
                self.problem(StatusCode::UNPROCESSABLE_ENTITY);
            }
            RoutePart::Page { by_id } => {
                if self.route.is_list() {
                    self.page(by_id);
                }
                self.problem(StatusCode::UNPROCESSABLE_ENTITY);
            }
            RoutePart::Body(body) => self.body(body),
            RoutePart::Batch(many, most, item) => self.batch(many, most, item),
            RoutePart::OneOrMany(many, most, item) => self.one_or_many(many, most, item),
            RoutePart::Problem(status) => self.problem(status),
            RoutePart::Upload(body) => self.upload(body),
            RoutePart::Signature => self.takes_signature(),
            RoutePart::Content => self.sends_content(),
            RoutePart::Events => self.sends_events(),
            RoutePart::OtherFormats => self.sends_other_formats(),
            RoutePart::IfMatch => {
                let about = (
                    "O `ETag` do registro como você o leu: a resposta é 412 se ele foi alterado desde então.",
                    "The `ETag` of the record as you read it. If the record has changed since then, the \
                     response is 412.",
                );
                self.parameter("header", "If-Match", about, json!({ "type": "string" }), None);
                self.problem(StatusCode::PRECONDITION_FAILED);
            }
            RoutePart::Answer { about, schema } => {
                let schema = schema(self.generator);
                self.respond(StatusCode::OK, about, Some(schema));
            }
            RoutePart::Version(not_modified) => {
                self.respond(StatusCode::NOT_MODIFIED, not_modified, None);
                let version = if self.route.is_list() { "PageETag" } else { "ETag" };
                self.sends(StatusCode::OK, "ETag", version);
                self.sends(StatusCode::NOT_MODIFIED, "ETag", "ETag");
                let about = (
                    "O `ETag` do que você já tem: a resposta é 304 se ainda vale.",
                    "The `ETag` of your copy. If it is current, the response is 304.",
                );
                self.parameter("header", "If-None-Match", about, json!({ "type": "string" }), None);
            }
            RoutePart::NewVersion(status) => self.sends(status, "ETag", "NewVersion"),
            RoutePart::Created { schema, id } => {
                let schema = schema(self.generator, self.compatibility);
                self.respond(
                    StatusCode::CREATED,
                    ("Criado e gravado em disco.", "Created, and stored on disk."),
                    Some(schema),
                );
                self.made = Some(id(self.compatibility));
                self.sends(StatusCode::CREATED, "Location", "Location");
                self.add(RoutePart::Replayed(StatusCode::CREATED));
            }
            RoutePart::Replayed(status) => {
                self.sends(status, "Idempotency-Replayed", "Replayed");
                self.takes_key();
            }
        }
    }

    /// Adds the parameters of a page.
    fn page(&mut self, by_id: bool) {
        let most = self.route.largest_page(self.compatibility);
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": most, "default": most });
        let about = ("Quantos registros a página tem, no máximo.", "Maximum number of records in the page.");
        self.parameter("query", "limit", about, limit, Some(json!(50)));
        // No default, because generated clients would send it even together with `after`.
        let offset = json!({ "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64 });
        self.parameter(
            "query",
            "offset",
            (
                "Quantos registros vêm antes da página; se nada é informado, nenhum.",
                "Number of records before the page. Default: 0.",
            ),
            offset,
            Some(json!(0)),
        );
        if by_id {
            let about = (
                "O id depois do qual a página começa, na ordem da lista; no lugar de `offset`. Assim cada registro é \
                 encontrado uma vez, também enquanto outros são excluídos.",
                "The id after which the page begins, in the order of the list. Replaces `offset`. In this way, \
                 you get each record once, even if others are deleted meanwhile.",
            );
            self.parameter("query", "after", about, id(), Some(json!(17)));
        }
    }

    fn body(&mut self, body: BodyDescription) {
        let may_be_empty = body.may_be_empty;
        let (reference, examples) = self.object(body);
        self.takes(json!({ "application/json": { "schema": reference, "examples": examples } }));
        if let Some(body) = &mut self.body {
            set(body, "required", !may_be_empty);
        }
    }

    /// Sets a body with 1 to `most` items.
    fn batch(&mut self, many: &str, most: usize, item: BodyDescription) {
        let (item, examples) = self.object(item);
        let items = json!({ "type": "array", "items": item, "minItems": 1, "maxItems": most });
        let schema = json!({ "type": "object", "required": [many], "properties": { many: items } });
        // Only the complete example: an item may need one of two members, which the required ones alone do not show.
        let all = examples.as_object().into_iter().flatten().filter(|(name, _)| *name == "everything");
        let of_items = all.map(|(name, one)| {
            let value = json!({ many: [one.get("value")] });
            (name.clone(), json!({ "summary": one.get("summary"), "value": value }))
        });
        let examples = of_items.collect::<Map<_, _>>();
        self.takes(json!({ "application/json": { "schema": schema, "examples": examples } }));
    }

    /// Adds the schema of a body. Returns a reference to it, and examples.
    fn object(&mut self, body: BodyDescription) -> (Value, Value) {
        let BodyDescription { purpose, may_be_empty, name, about, members } = body;
        let members = members.into_iter().filter(|member| member.need.is_known(purpose)).collect::<Vec<_>>();
        let name = match purpose {
            Purpose::Create => format!("{name}New"),
            Purpose::Change => format!("{name}Change"),
        };
        let examples = examples(&members, purpose);
        let mut schema = json!({ "type": "object", "description": about });
        match purpose {
            Purpose::Create => {
                let names = members.iter().filter(required).map(|member| member.name);
                set(&mut schema, "required", names.collect::<Vec<_>>());
            }
            Purpose::Change if !may_be_empty => set(&mut schema, "minProperties", 1),
            Purpose::Change => {}
        }
        set(
            &mut schema,
            "properties",
            members.into_iter().map(|member| (member.name.to_owned(), member.schema)).collect::<Map<_, _>>(),
        );
        let reference = reference("schemas", &name);
        self.insert_definition(&name, schema);
        (reference, examples)
    }

    /// Sets the media types of the body, and adds the problems of bodies.
    pub(super) fn takes(&mut self, content: Value) {
        self.body = Some(json!({ "required": true, "content": content }));
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

    /// Adds the shared response for a problem.
    pub(super) fn problem(&mut self, status: StatusCode) {
        self.responses.insert(status.as_u16(), reference("responses", &component(status)));
    }

    /// Returns the complete description, with links to the operations `linked` that take the new record's id.
    pub fn finish(mut self, tag: Option<&str>, linked: impl Iterator<Item = &'static str>) -> Value {
        if let (Some(id), Some(made)) = (self.made, self.responses.get_mut(&StatusCode::CREATED.as_u16())) {
            let link = |operation: &str| {
                let parameters = json!({ "id": format!("$response.body#{id}") });
                (operation.to_owned(), json!({ "operationId": operation, "parameters": parameters }))
            };
            set(made, "links", linked.map(link).collect::<Map<_, _>>());
        }
        let mut whole = json!({
            "operationId": self.route.id, "summary": self.route.about, "tags": tag.as_slice(),
        });
        let alias = |path| about!("O mesmo que `{path}`.", "The same as `{path}`.");
        let alias = self.route.canonical.map(alias);
        if let Some(more) = self.route.explanation.map(Sentence::from).or(alias) {
            set(&mut whole, "description", json!(more));
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

    pub(super) fn respond(&mut self, status: StatusCode, about: Bilingual, schema: Option<Schema>) {
        let mut headers = json!({ "x-request-id": reference("headers", "RequestId") });
        add_limits(&mut headers);
        let mut answer = json!({ "description": about, "headers": headers });
        if let Some(schema) = schema {
            set(&mut answer, "content", json!({ "application/json": { "schema": schema.to_value() } }));
        }
        self.responses.insert(status.as_u16(), answer);
    }

    /// Adds a schema that others refer to.
    pub(super) fn insert_definition(&mut self, name: &str, schema: Value) {
        self.generator.definitions_mut().insert(name.to_owned(), schema);
    }

    pub(super) fn add_content(&mut self, status: StatusCode, media_type: &str, content: Value) {
        let answer = self.responses.get_mut(&status.as_u16());
        if let Some(all) = answer.and_then(|answer| answer.get_mut("content")) {
            set(all, media_type, content);
        }
    }

    /// Sets the media types of a response.
    pub(super) fn set_content(&mut self, status: StatusCode, content: Value) {
        if let Some(answer) = self.responses.get_mut(&status.as_u16()) {
            set(answer, "content", content);
        }
    }

    pub(super) fn sends(&mut self, status: StatusCode, name: &str, header: &str) {
        let answer = self.responses.get_mut(&status.as_u16());
        if let Some(headers) = answer.and_then(|answer| answer.get_mut("headers")) {
            set(headers, name, reference("headers", header));
        }
    }

    pub(super) fn has_parameter(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter["name"] == name)
    }

    /// Adds an optional parameter. `place` is `query` or `header`.
    pub(super) fn parameter(
        &mut self,
        place: &str,
        name: &str,
        about: impl Into<Sentence>,
        schema: Value,
        example: Option<Value>,
    ) {
        let about = about.into();
        let mut parameter = json!({
            "name": name, "in": place, "required": false, "description": about, "schema": schema,
        });
        if let Some(example) = example {
            set(&mut parameter, "example", example);
        }
        self.parameters.push(parameter);
    }
}

fn required(member: &&MemberDescription) -> bool {
    matches!(member.need, Need::Required | Need::Initial)
}

/// Returns example bodies: for POST one with the required and one with all members, and for PUT one with a
/// single member.
fn examples(members: &[MemberDescription], purpose: Purpose) -> Value {
    let of = |summary: Bilingual, members: &mut dyn Iterator<Item = &MemberDescription>| {
        let value =
            members.map(|member| (member.name.to_owned(), member.example.clone())).collect::<Map<_, _>>();
        json!({ "summary": summary, "value": value })
    };
    match purpose {
        Purpose::Create => json!({
            "required": of(("Campos obrigatórios", "Required members"), &mut members.iter().filter(required)),
            "everything": of(("Todos os campos", "All members"), &mut members.iter()),
        }),
        Purpose::Change => {
            json!({ "change": of(("Um campo", "One member"), &mut members.last().into_iter()) })
        }
    }
}

pub(super) fn add_limits(headers: &mut Value) {
    for (name, header) in [
        ("x-ratelimit-limit", "RateLimitLimit"),
        ("x-ratelimit-remaining", "RateLimitRemaining"),
        ("x-ratelimit-reset", "RateLimitReset"),
    ] {
        set(headers, name, reference("headers", header));
    }
}

/// Returns the name of a status among the shared responses, such as `NotFound`.
pub(super) fn component(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or_default().replace(' ', "")
}

pub(super) fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}
