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
use super::describe::about;
use super::etag;
use super::problem::Problem;
use super::problem::out::ProblemOut;
use super::route::{BASE, Route};
use super::schema::set;
use super::table::RouteTable;
use crate::config::settings::Compatibility;
use crate::domain::{Bilingual, Lang};

/// What the API is for and what holds for all of its routes, at the top of the description.
const ABOUT: Bilingual = (
    "\
O servidor do próprio escritório para clientes, processos e o que pertence a eles. Requisições e respostas são JSON em UTF-8, \
menos os arquivos dos documentos.

- **Token**: toda requisição leva `Authorization: Bearer TOKEN`. A conta tem um só token, gerado por `pleito token new`; um \
novo encerra o anterior na hora.
- **Erros** têm um só formato. `code` não muda e é o que um programa testa; `errors` indica todos os campos errados de uma vez.
- **Listas** vêm em páginas: `limit` registros depois do id `after`, ou dos primeiros `offset`, com o `totalCount` exato. Filtros se \
somam (E); em textos, maiúsculas, acentos e pontuação não importam.
- **Ids** são enviados como números ou como seus dígitos em texto, **datas** como `DD/MM/AAAA`, `AAAA-MM-DD` ou data e hora \
ISO, da qual vale o dia.
- Registros **excluídos** não estão em nenhuma lista e respondem 404 com `deleted_at`; listas com `deleted=true` os mostram, e \
PUT com `{\"deleted\": false}` traz um de volta.
- Campos **vazios**, `null` ou em branco, são o mesmo que ausentes no POST, e esvaziam o campo no PUT. Campos e parâmetros \
que não existem são ignorados e indicados em `x-ignored-members` e `x-ignored-parameters`; se o escritório definiu \
`api.unknown_parameters` como `refuse`, são erros. O que um registro mostra pode ser enviado de volta com o mesmo nome.
- **Limites**, se o escritório não definiu outros: 30 GET por minuto em todas as rotas juntas, 100 POST, 500 PUT e 100 DELETE \
por dia em cada rota. Os cabeçalhos `x-ratelimit-*` dizem quantos restam.

HEAD é respondido como GET sem o corpo, PATCH como PUT, OPTIONS com os métodos de um caminho. `/health` diz, sem token, se o \
servidor está bem.",
    "\
The office's own server for customers, lawsuits and what belongs to them. Requests and answers are JSON in UTF-8, but for \
the files of documents.

- **Token**: every request carries `Authorization: Bearer TOKEN`. The account has one token, made by \
`pleito token new`; a new one ends the old one at once.
- **Errors** have one shape. `code` is stable and is what a program tests; `errors` names every wrong field at once, and \
`reasons` has the stable codes of its sentences.
- **Lists** come in pages: `limit` records behind the id `after`, or after the first `offset`, with the exact `totalCount`. Filters combine \
with AND; in text, letter case, accents and punctuation do not matter.
- **Ids** are sent as numbers or as their digits in text, **dates** as `DD/MM/YYYY`, `YYYY-MM-DD` or an ISO date-time, \
whose day counts.
- **Deleted** records are in no list and answer 404 with `deleted_at`; lists with `deleted=true` show them, and PUT with \
`{\"deleted\": false}` brings one back.
- **Empty** members, `null` or blank, are the same as absent ones on POST, and empty the field on PUT. Members \
and parameters that no rule names are ignored, and named in `x-ignored-members` and `x-ignored-parameters`; where the office \
has set `api.unknown_parameters` to `refuse` they are wrong. What a record shows can be sent back under the same name.
- **Limits**, unless the office set others: 30 GET a minute over all routes, 100 POST, 500 PUT and 100 DELETE a day for each \
route. The `x-ratelimit-*` headers tell how many are left.

HEAD is answered as GET without the body, PATCH as PUT, OPTIONS with the methods of a path. `/health` tells without a token \
whether the server is well.",
);

/// What several routes are about: a tag of the description.
#[derive(Debug)]
pub struct Resource {
    /// The first segment of its routes' paths.
    pub segment: &'static str,
    /// What it is called.
    pub name: Bilingual,
    /// What it is.
    pub about: Bilingual,
}

/// The description as it is served, in every coding.
pub(super) struct Description {
    resources: &'static [Resource],
    /// For each compatibility, in each language: Portuguese, then English.
    made: [[OnceLock<Encodings>; 2]; 2],
}

impl Description {
    /// That of routes which belong to these resources.
    pub fn new(resources: &'static [Resource]) -> Description {
        Description { resources, made: Default::default() }
    }

    /// Makes it where it was not asked for before.
    pub fn of(&self, table: &RouteTable, compatibility: Compatibility, lang: Lang) -> &Encodings {
        let [document, live] = &self.made;
        let [pt, en] = match compatibility {
            Compatibility::Document => document,
            Compatibility::Live => live,
        };
        lang.pick(pt, en).get_or_init(|| {
            let mut whole = whole(table, self.resources, compatibility, lang);
            keep_language(&mut whole, lang);
            Encodings::of(whole.to_string().into())
        })
    }
}

/// Leaves every text in that language alone. What our own tables say of a thing is the pair of both; where the documentation
/// of a type is its English, `x-pt` beside it is its Portuguese.
fn keep_language(value: &mut Value, lang: Lang) {
    match value {
        Value::Object(members) => {
            let own = members.shift_remove("x-pt").filter(|_| lang == Lang::Pt);
            if let (Some(own), Some(Value::String(description))) = (own, members.get_mut("description")) {
                *description = own.as_str().unwrap_or_default().to_owned();
            }
            for name in ["summary", "description"] {
                if let Some(text) = members.get_mut(name)
                    && let Value::Array(both) = text
                {
                    *text = lang.pick(both.first(), both.last()).cloned().unwrap_or_default();
                }
            }
            members.values_mut().for_each(|member| keep_language(member, lang));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| keep_language(item, lang)),
        _ => {}
    }
}

/// The whole description; but for the tags, its texts are in both languages.
fn whole(table: &RouteTable, resources: &[Resource], compatibility: Compatibility, lang: Lang) -> Value {
    let name = |resource: &Resource| lang.pick(resource.name.0, resource.name.1);
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for route in table.routes() {
        let tag = resources.iter().find(|resource| Some(resource.segment) == segment(route)).map(name);
        let described = describe(route, tag, table, &mut generator, compatibility);
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        set(path, &route.method.as_str().to_lowercase(), described.clone());
        if route.method == Method::PUT {
            let mut patch = described;
            set(&mut patch, "operationId", route.name_by(&Method::PATCH));
            let (pt, en) = route.about;
            let about = about!("{pt}, por outro método", "{en}, by another name");
            let same = (
                "Outro nome de PUT, com o qual é contado.",
                "Another name for PUT, with which it is counted.",
            );
            set(&mut patch, "summary", json!(about));
            set(&mut patch, "description", json!(same));
            set(path, "patch", patch);
        }
    }
    let responses = responses(&mut generator);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pleito",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": (
                "Clientes, processos e o que pertence a eles em um escritório de advocacia.",
                "Customers, lawsuits and what belongs to them in a law office.",
            ),
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": BASE, "description": ("Este servidor.", "This server.") }],
        "security": [{ "token": [] }],
        "tags": resources.iter().map(|resource| json!({ "name": name(resource), "description": resource.about }))
            .collect::<Value>(),
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": responses,
            "headers": headers(),
            "securitySchemes": { "token": {
                "type": "http", "scheme": "bearer", "bearerFormat": "plt_…",
                "description": (
                    "O único token da conta: `plt_` e 49 letras e dígitos.",
                    "The one token of the account: `plt_` and 49 letters and digits.",
                ),
            }},
        },
    })
}

fn describe(
    route: &Route,
    tag: Option<&str>,
    table: &RouteTable,
    generator: &mut SchemaGenerator,
    compatibility: Compatibility,
) -> Value {
    let operation = Operation::new(route, Problem::ANY, generator, compatibility);
    // What was made is read and changed below the path that made it.
    let below = format!("{}/{{id}}", route.path);
    let links = table.routes().filter(|other| other.path == below);
    operation.finish(tag, links.map(|other| other.name()))
}

/// The first segment of its path, or of the one that it is an alias of.
fn segment(route: &Route) -> Option<&'static str> {
    route.canonical.unwrap_or(route.path).trim_start_matches(BASE).split('/').nth(1)
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
            set(examples, code, json!({ "value": sample.body(Lang::En) }));
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
    let count = |least: u32, about: Bilingual, example: u32| json!({ "description": about, "schema": { "type": "integer", "minimum": least }, "example": example });
    let always = |mut header: Value| {
        set(&mut header, "required", true);
        header
    };
    json!({
        "RequestId": always(json!({
            "description": ("O id desta requisição, também no log do servidor: o `x-request-id` da própria requisição, se \
                             ela traz um que sirva.",
                            "The id of this request, also in the server's log: the request's own `x-request-id` where it \
                            has a usable one."),
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$" },
            "example": "6f1d2c3b4a596877",
        })),
        "RateLimitLimit": count(1, (
            "Quantas requisições pode haver; ausente se não há limite.",
            "How many requests there may be; absent where there is no limit.",
        ), 100),
        "RateLimitRemaining": count(0, ("Quantas restam.", "How many are left."), 99),
        "RateLimitReset": count(0, ("Segundos até o limite se renovar.", "Seconds until there is room again."), 43_200),
        "RetryAfter": always(count(1, (
            "Em quantos segundos enviar de novo, em número inteiro.",
            "When to send again, in whole seconds.",
        ), 5)),
        "Authenticate": always(json!({
            "description": ("Como se autenticar.", "How to authenticate."), "schema": { "type": "string", "const": "Bearer" },
        })),
        "ETag": always(json!({
            "description": (
                "A versão do que foi lido, para `If-None-Match` e, de um registro, `If-Match`.",
                "The version of what is read, for `If-None-Match` and, of a record, `If-Match`.",
            ),
            "schema": { "type": "string", "pattern": "^(W/)?\"[!#-~]+\"$" },
            "example": etag::tag(b"a record"),
        })),
        "Replayed": {
            "description": (
                "Em uma resposta que já foi dada antes à mesma `Idempotency-Key`.",
                "On an answer that was given before to the same `Idempotency-Key`.",
            ),
            "schema": { "type": "string", "const": "true" },
        },
        "Disposition": always(json!({
            "description": (
                "Que o conteúdo é para salvar, e com que nome (RFC 8187).",
                "That the content is to be saved, and under which name (RFC 8187).",
            ),
            "schema": { "type": "string" },
            "example": "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf",
        })),
        "NewVersion": always(json!({
            "description": (
                "A versão do que foi gravado, como um GET a responderia agora, para `If-Match`.",
                "The version of what was written, as a GET would answer it now, for `If-Match`.",
            ),
            "schema": { "type": "string", "pattern": "^\"[!#-~]+\"$" },
            "example": etag::tag(b"a record"),
        })),
        "Location": always(json!({
            "description": ("O caminho do que foi criado.", "The path of what was made."),
            "schema": { "type": "string" },
            "example": "/api/v1/customers/17",
        })),
        "IgnoredMembers": {
            "description": ("Na resposta a um corpo com campos que não existem, ou que não podem ser gravados: os nomes \
                             deles, em percent-encoding, no máximo dez.",
                            "On an answer to a body with members that no rule names, or that cannot be written: their \
                            names, percent-encoded, ten at the most."),
            "schema": { "type": "string" },
            "example": "nome, created_at",
        },
        "IgnoredParameters": {
            "description": ("Na resposta a uma requisição com parâmetros que não existem: os nomes deles, em \
                             percent-encoding, no máximo dez.",
                            "On an answer to a request with parameters that no rule names: their names, percent-encoded, \
                            ten at the most."),
            "schema": { "type": "string" },
            "example": "search, page",
        },
        "Canonical": always(json!({
            "description": ("O caminho do qual este é outro nome.", "The path of which this one is another name."),
            "schema": { "type": "string" },
        })),
    })
}

fn problem_text(status: StatusCode) -> Bilingual {
    match status.as_u16() {
        400 => (
            "O corpo não pode ser lido, ou um PUT não informa nenhum campo.",
            "The body cannot be read, or a PUT names no field.",
        ),
        401 => ("Sem token, ou com um que não está em vigor.", "No token, or none that is in force."),
        404 => ("Nenhum registro tem este id.", "No record has this id."),
        410 => (
            "O arquivo do documento falta ou foi alterado.",
            "The document's file is missing or was altered.",
        ),
        416 => (
            "O intervalo começa depois do fim do conteúdo.",
            "The range begins behind the end of the content.",
        ),
        408 => ("O corpo demorou demais a chegar.", "The body took too long to arrive."),
        412 => (
            "O registro foi alterado desde então: `If-Match` não vale mais.",
            "The record was changed since: `If-Match` does not hold.",
        ),
        413 => (
            "O corpo passa de 1 MiB, ou um arquivo passa do maior tamanho permitido.",
            "The body is over 1 MiB, or a file over the largest size.",
        ),
        415 => (
            "O corpo não está declarado como o que a rota recebe.",
            "The body is not declared as what the route takes.",
        ),
        421 => {
            ("A requisição é para outro servidor, não para este.", "Another host is meant than this server.")
        }
        422 => (
            "Campos errados, cada um indicado em `errors`; um duplicado; ou um registro de que outros precisam, indicados \
             por recurso.",
            "Wrong fields, each named in `errors`; a duplicate; or a record that others need, named by resource.",
        ),
        429 => ("Requisições demais.", "Too many requests."),
        431 => (
            "A linha da requisição e os cabeçalhos passam de 32 KiB.",
            "The request line and the headers are over 32 KiB.",
        ),
        503 => ("Nada foi gravado; pode enviar de novo.", "Nothing was stored; safe to send again."),
        _ => (
            "Um defeito do servidor; o log tem a causa, com o id da requisição.",
            "A defect of the server; the log has its cause under the request's id.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_status_that_is_described_has_its_own_words_and_a_sample() {
        let samples = Problem::samples();
        for status in Problem::ANY {
            assert!(samples.iter().any(|sample| sample.status() == *status), "{status}");
        }
        let mut texts = samples.iter().map(|sample| sample.status()).collect::<Vec<_>>();
        texts.dedup();
        for lang in [Lang::Pt, Lang::En] {
            let text = |status: &StatusCode| lang.pick(problem_text(*status).0, problem_text(*status).1);
            let said = texts.iter().map(text).collect::<HashSet<_>>();
            assert_eq!(
                said.len(),
                texts.len(),
                "two statuses share their words, or samples are not by status"
            );
        }
    }
}
