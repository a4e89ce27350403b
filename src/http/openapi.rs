//! The OpenAPI 3.1 description of the API, generated from the route table and the parts of its routes.
//! Nothing about a route is defined twice, and nothing here depends on how requests are handled.

pub mod describe;
pub mod schema;
pub mod sentence;

mod common;
mod files;
mod find_or_create;
mod messages;
mod operation;

use std::sync::OnceLock;

use http::Method;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use operation::Operation;

use super::answers::compression::Encodings;
use super::answers::problem::Problem;
use super::requests::route::table::RouteTable;
use super::requests::route::{BASE, Route};
use crate::config::settings::Compatibility;
use crate::domain::{Bilingual, Lang};
use crate::records::TABLES;
use describe::{Messages, about};
use schema::{EXTERNAL_IDS, external_ids_in_body, set};

/// Introduction of the description: the purpose of the API, and the rules for all routes.
const ABOUT: Bilingual = (
    "\
O servidor do próprio escritório para clientes, processos e o que pertence a eles. Requisições e respostas são JSON em UTF-8, \
menos os arquivos dos documentos.

- **Token ou chave**: toda requisição leva `Authorization: Bearer TOKEN`. O escritório tem um só token, gerado por `pleito \
token new`, que pode tudo; um novo encerra o anterior na hora. Uma chave, de `pleito key new`, é de um programa só e tem \
apenas os direitos de que ele precisa.
- **Erros** têm um só formato. `code` não muda e é o que um programa testa; `errors` indica todos os campos errados de uma vez.
- **Listas** vêm em páginas: `limit` registros depois do id `after`, ou dos primeiros `offset`, com o `totalCount` exato. Filtros se \
somam (E); em textos, maiúsculas, acentos e pontuação não importam.
- **Ids** são enviados como números ou como seus dígitos em texto, **datas** como `DD/MM/AAAA`, `AAAA-MM-DD` ou data e hora \
ISO, da qual vale o dia; nos corpos, de 1900 a 2199.
- Registros **excluídos** não estão em nenhuma lista e respondem 404 com `deleted_at`; listas com `deleted=true` os mostram, e \
PUT com `{\"deleted\": false}` traz um de volta.
- Campos **vazios**, `null` ou em branco, são o mesmo que ausentes no POST, e esvaziam o campo no PUT. Campos e parâmetros \
que não existem são ignorados e indicados em `x-ignored-members` e `x-ignored-parameters`; se o escritório definiu \
`api.unknown_parameters` como `refuse`, são erros, e em rotas que só este servidor tem os parâmetros sempre são. O que um registro mostra pode ser enviado de volta com o mesmo nome.
- **Limites**, se o escritório não definiu outros: 30 GET por minuto em todas as rotas juntas, 100 POST, 500 PUT e 100 DELETE \
por dia em cada rota. Os cabeçalhos `x-ratelimit-*` dizem quantos restam.

HEAD é respondido como GET sem o corpo, PATCH como PUT, OPTIONS com os métodos de um caminho. `/health` diz, sem token, se o \
servidor está bem.",
    "\
The office's own server for customers, lawsuits and related records. Requests and responses are JSON in UTF-8, except \
the files of documents.

- **Token or key**: every request has the header `Authorization: Bearer TOKEN`. The office has one token, created by \
`pleito token new`, which allows everything. A new token replaces the old one immediately. A key, created by `pleito key \
new`, is for one program and has only the rights that it needs.
- **Errors** have one format. `code` is stable and meant for programs. `errors` lists all wrong fields at once, and \
`reasons` has the stable codes of its sentences.
- **Lists** are paged: `limit` records after the id `after`, or after the first `offset` records, with the exact \
`totalCount`. Filters are combined with AND. In text, letter case, accents and punctuation do not matter.
- **Ids** are sent as numbers or as text with their digits. **Dates** are sent as `DD/MM/YYYY`, `YYYY-MM-DD` or an ISO \
date-time, of which only the day counts. Dates in bodies range from 1900 to 2199.
- **Deleted** records are in no list and respond with 404 and `deleted_at`. Lists with `deleted=true` show them, and PUT \
with `{\"deleted\": false}` restores one.
- **Empty** members, `null` or blank, count as absent on POST and clear the field on PUT. Unknown members and parameters \
are ignored, and listed in `x-ignored-members` and `x-ignored-parameters`. If the office has set \
`api.unknown_parameters` to `refuse`, they are errors. On routes that only this server has, unknown parameters always are. What a record shows can be sent back under the same name.
- **Limits**, unless the office has set others: 30 GET requests a minute over all routes, and 100 POST, 500 PUT and 100 \
DELETE requests a day for each route. The `x-ratelimit-*` headers have the number of requests that are left.

HEAD works like GET without the body, PATCH works like PUT, and OPTIONS returns the methods of a path. `/health` needs no \
token and reports whether the server is healthy.",
);

/// A tag of the description, which groups routes. A noun without one gets it from its table.
#[derive(Debug)]
pub struct Resource {
    /// First path segment of its routes.
    pub segment: &'static str,
    pub name: Bilingual,
    pub about: Bilingual,
}

/// The description as it is served, in every coding.
pub(super) struct Description {
    resources: &'static [Resource],
    messages: Messages,
    /// By compatibility, then by language: Portuguese, English.
    made: [[OnceLock<Encodings>; 2]; 2],
}

impl Description {
    pub fn new(resources: &'static [Resource], messages: Messages) -> Description {
        Description { resources, messages, made: Default::default() }
    }

    /// Returns the description, which is generated on first use.
    pub fn of(&self, table: &RouteTable, compatibility: Compatibility, lang: Lang) -> &Encodings {
        let [document, live] = &self.made;
        let [pt, en] = match compatibility {
            Compatibility::Document => document,
            Compatibility::Live => live,
        };
        lang.pick(pt, en).get_or_init(|| {
            let mut whole = self.whole(table, compatibility, lang);
            keep_language(&mut whole, lang);
            name_formats(&mut whole);
            Encodings::of(whole.to_string().into())
        })
    }

    /// Generates the description. All its texts except the tags are in both languages.
    fn whole(&self, table: &RouteTable, compatibility: Compatibility, lang: Lang) -> Value {
        let resources = self.resources;
        let mut tags: Vec<(&str, String, Bilingual)> = Vec::new();
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let mut generator = settings.for_serialize().into_generator();
        let mut paths = Map::new();
        for route in table.routes() {
            let segment = segment(route).unwrap_or_default();
            if !tags.iter().any(|(own, ..)| *own == segment) {
                let own = resources.iter().find(|own| own.segment == segment);
                let own = own.map(|own| (lang.pick(own.name.0, own.name.1).to_owned(), own.about));
                let of_table = || TABLES.iter().find(|table| table.path == segment);
                let tag = own.or_else(|| of_table().map(|table| (table.many.title(lang), table.about)));
                tags.extend(tag.map(|(name, about)| (segment, name, about)));
            }
            let tag = tags.iter().find(|(own, ..)| *own == segment).map(|(_, name, _)| name.as_str());
            let described = describe(route, tag, table, &mut generator, compatibility);
            let path = paths.entry(route.path).or_insert_with(|| json!({}));
            set(path, &route.method.as_str().to_lowercase(), described.clone());
            if route.method == Method::PUT {
                let mut patch = described;
                set(&mut patch, "operationId", [route.id, "ByPatch"].concat());
                let (pt, en) = route.about;
                let about = about!("{pt}, por outro método", "{en} (alias of PUT)");
                let same = (
                    "Outro nome de PUT, com o qual é contado.",
                    "An alias of PUT. Both are counted together.",
                );
                set(&mut patch, "summary", json!(about));
                set(&mut patch, "description", json!(same));
                set(path, "patch", patch);
            }
        }
        let responses = common::responses(&mut generator);
        let tags = tags.iter().map(|(_, name, about)| json!({ "name": name, "description": about }));
        let messages = (self.messages)(&mut generator);
        let webhooks = messages::webhooks(messages, &mut generator, lang);
        generator.definitions_mut().insert(EXTERNAL_IDS.to_owned(), external_ids_in_body());
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Pleito",
                "version": env!("CARGO_PKG_VERSION"),
                "summary": (
                    "Clientes, processos e o que pertence a eles em um escritório de advocacia.",
                    "Customers, lawsuits and related records of a law office.",
                ),
                "description": ABOUT,
                "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            },
            "servers": [{ "url": BASE, "description": ("Este servidor.", "This server.") }],
            "security": [{ "token": [] }],
            "tags": tags.chain([messages::tag(lang)]).collect::<Value>(),
            "paths": paths,
            "webhooks": webhooks,
            "components": {
                "schemas": generator.take_definitions(true),
                "responses": responses,
                "headers": common::headers(),
                "securitySchemes": { "token": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "plt_…",
                    "description": (
                        "O único token da conta: `plt_` e 49 letras e dígitos.",
                        "The only token of the account: `plt_` and 49 letters and digits.",
                    ),
                }},
            },
        })
    }
}

/// Keeps the texts of one language. Texts from our own tables are pairs of both. A text from a Rust doc
/// comment is English, and the member `x-pt` beside it has the Portuguese.
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

/// Adds a format to every number. Without one, generated clients use 32 bits, which is too small for ids and amounts.
fn name_formats(value: &mut Value) {
    if let Value::Object(members) = value {
        let is = |kind: &str| match members.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
            other => other.is_some_and(|one| one == kind),
        };
        let is_integer = is("integer");
        let is_number = is("number");
        let most = members.get("maximum").and_then(Value::as_u64);
        if is_number || is_integer && most.is_none_or(|most| most > i32::MAX.unsigned_abs().into()) {
            members.insert("format".to_owned(), if is_number { "double" } else { "int64" }.into());
        } else if is_integer {
            members.insert("format".to_owned(), "int32".into());
        }
        members.values_mut().for_each(name_formats);
    } else if let Value::Array(items) = value {
        items.iter_mut().for_each(name_formats);
    }
}

fn describe(
    route: &Route,
    tag: Option<&str>,
    table: &RouteTable,
    generator: &mut SchemaGenerator,
    compatibility: Compatibility,
) -> Value {
    let operation = Operation::new(route, Problem::ANY, generator, compatibility);
    // Links the new record to the routes that read and change it.
    let below = format!("{}/{{id}}", route.path);
    let links = table.routes().filter(|other| other.path == below);
    operation.finish(tag, links.map(|other| other.id))
}

/// Returns the first segment of the route's path, or of the path that it is an alias of.
fn segment(route: &Route) -> Option<&'static str> {
    route.canonical.unwrap_or(route.path).trim_start_matches(BASE).split('/').nth(1)
}
