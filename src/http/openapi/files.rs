//! The description of routes that receive or send files, whole lists and events.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::operation::{Operation, reference};
use crate::domain::Bilingual;
use crate::http::answers::negotiation::ListFormat;
use crate::http::answers::streams::EVENTS;
use crate::http::file_formats::calendar;
use crate::http::openapi::describe::{BodyDescription, Need, about};
use crate::http::openapi::schema::forbid_null;

fn binary(about: Bilingual) -> Value {
    json!({ "type": "string", "format": "binary", "description": about })
}

/// Returns the description of a schema, in Portuguese and in English.
fn both(schema: &Value) -> [&str; 2] {
    ["/description/0", "/description/1"]
        .map(|text| schema.pointer(text).and_then(Value::as_str).unwrap_or_default())
}

impl Operation<'_, '_> {
    /// Adds an event stream as an alternative to a page (WHATWG HTML, server-sent events).
    pub fn sends_events(&mut self) {
        let about = (
            "Com `Accept: text/event-stream`: um evento por alteração, em que `data` é o objeto da página.",
            "With `Accept: text/event-stream`: one event for each change, with the same object in `data` as in \
             a page.",
        );
        let schema = json!({ "type": "string", "description": about });
        self.add_content(StatusCode::OK, EVENTS, json!({ "schema": schema }));
        self.problem(StatusCode::NOT_ACCEPTABLE);
        let about = (
            "O número do último evento recebido: o fluxo continua depois dele.",
            "The number of the last event received. The stream continues after it.",
        );
        self.parameter("header", "Last-Event-ID", about, json!({ "type": "string" }), None);
    }

    /// Adds the whole list, or the record in other formats, as an alternative to JSON.
    pub fn sends_other_formats(&mut self) {
        let formats = ListFormat::others(self.route);
        if !formats.is_empty() {
            self.problem(StatusCode::NOT_ACCEPTABLE);
        }
        for format in formats {
            let about = match format {
                ListFormat::Json => continue,
                ListFormat::Csv => (
                    "Com `Accept: text/csv`: tudo o que foi encontrado, qualquer que seja a página; cada campo de uma \
                     resposta é uma coluna com o nome dele e o valor que tem em JSON.",
                    "With `Accept: text/csv`: all matching records, whatever the page. Each member is a column \
                     with the member's name, with the same values as in JSON.",
                ),
                ListFormat::Ndjson => (
                    "Com `Accept: application/x-ndjson`: tudo o que foi encontrado, qualquer que seja a página; cada linha \
                     é um registro como os de `data`.",
                    "With `Accept: application/x-ndjson`: all matching records, whatever the page. Each line \
                     is a record as in `data`.",
                ),
                ListFormat::Contacts if self.route.record.is_some() => (
                    "Com `Accept: text/vcard`: o cliente como contato (vCard 4.0, RFC 6350).",
                    "With `Accept: text/vcard`: the customer as a contact (vCard 4.0, RFC 6350).",
                ),
                ListFormat::Contacts => (
                    "Com `Accept: text/vcard`: tudo o que foi encontrado, qualquer que seja a página, como contatos (vCard 4.0, \
                     RFC 6350).",
                    "With `Accept: text/vcard`: all matching records, whatever the page, as contacts (vCard 4.0, RFC 6350).",
                ),
                ListFormat::Calendar if self.route.record.is_some() => (
                    "Com `Accept: text/calendar`: um calendário (RFC 5545) com a tarefa e o seu prazo, sem nomes.",
                    "With `Accept: text/calendar`: a calendar (RFC 5545) of the task and its deadline, without names.",
                ),
                ListFormat::Calendar => {
                    self.takes_names();
                    (
                        "Com `Accept: text/calendar`: um calendário (RFC 5545) do que foi encontrado, de 30 dias atrás a um \
                         ano à frente, qualquer que seja a página.",
                        "With `Accept: text/calendar`: a calendar (RFC 5545) of the matching records from 30 days ago to a \
                         year ahead, whatever the page.",
                    )
                }
            };
            let schema = json!({ "type": "string", "description": about });
            self.add_content(StatusCode::OK, format.media_type(), json!({ "schema": schema }));
        }
    }

    /// Adds the parameter that adds names to a calendar.
    fn takes_names(&mut self) {
        let about = (
            "Só para `text/calendar`. `true`: nomes dos clientes, números inteiros e locais; senão, o tipo da tarefa e os \
             últimos dígitos do processo.",
            "For `text/calendar` only. `true` adds customers' names, whole numbers and places. Otherwise events have the \
             type of the task and the last digits of the lawsuit.",
        );
        self.parameter("query", calendar::NAMES, about, json!({ "type": "boolean" }), Some(json!(true)));
    }

    /// Sets a body that is a form with a file, or the file itself. Members may be in the query.
    pub fn upload(&mut self, body: BodyDescription) {
        let BodyDescription { name, about: of, members, .. } = body;
        let members: Vec<_> = members.into_iter().filter(|member| member.need != Need::Changeable).collect();
        let mut properties = Map::new();
        properties.insert(
            "file".to_owned(),
            binary((
                "O arquivo: a única parte que tem nome de arquivo, seja qual for o nome da parte.",
                "The file: the only part that has a file name, whatever the part is called.",
            )),
        );
        for mut member in members {
            forbid_null(&mut member.schema);
            let [pt, en] = both(&member.schema);
            let about = about!(
                "Se o próprio arquivo é o corpo, ou o formulário não tem este campo: {pt}",
                "For requests whose body is the file itself, or whose form lacks this member. {en}"
            );
            self.parameter("query", member.name, about, member.schema.clone(), None);
            properties.insert(member.name.to_owned(), member.schema);
        }
        let name = format!("{name}Upload");
        let form = json!({
            "type": "object", "description": of, "required": ["file"], "properties": properties,
        });
        self.insert_definition(&name, form);
        let form = reference("schemas", &name);
        let any = binary((
            "O próprio arquivo, com seu `Content-Type`, que pode ser tudo menos JSON.",
            "The file itself, with its own `Content-Type`, which can be anything except JSON.",
        ));
        self.takes(json!({
            "multipart/form-data": { "schema": form },
            "application/octet-stream": { "schema": any },
        }));
    }

    /// Adds responses with the bytes of a file, or a part of them.
    pub fn sends_content(&mut self) {
        let any = json!({ "schema": binary(("Os bytes.", "The bytes.")) });
        // The first type is the one that every generated client supports.
        let bytes = json!({ "application/octet-stream": any, "*/*": any });
        for (status, about) in [
            (
                StatusCode::OK,
                ("Os bytes, para salvar e não para abrir.", "The bytes, sent to be saved and not displayed."),
            ),
            (
                StatusCode::PARTIAL_CONTENT,
                ("Os bytes que `Range` pede.", "The bytes that `Range` requested."),
            ),
        ] {
            self.respond(status, about, None);
            self.set_content(status, bytes.clone());
            for header in ["ETag", "Content-Disposition"] {
                self.sends(status, header, if header == "ETag" { header } else { "Disposition" });
            }
        }
        self.respond(
            StatusCode::NOT_MODIFIED,
            (
                "O conteúdo é o indicado em `If-None-Match`.",
                "The content is the one named in `If-None-Match`.",
            ),
            None,
        );
        self.sends(StatusCode::NOT_MODIFIED, "ETag", "ETag");
        let range = (
            "Os bytes desejados, como `bytes=0-1023`; um só intervalo.",
            "The requested bytes, such as `bytes=0-1023`. Only one range.",
        );
        self.parameter("header", "Range", range, json!({ "type": "string" }), None);
        self.problem(StatusCode::GONE);
        self.problem(StatusCode::RANGE_NOT_SATISFIABLE);
    }

    /// Adds the parameters of a signed URL.
    pub fn takes_signature(&mut self) {
        let integer = json!({ "type": "integer", "minimum": 0 });
        self.parameter(
            "query",
            "expires",
            ("De um endereço assinado: até quando funciona.", "The end of validity of a signed address."),
            integer,
            None,
        );
        let text = json!({ "type": "string" });
        self.parameter(
            "query",
            "signature",
            (
                "De um endereço assinado: o que vale pelo token.",
                "The signature of a signed address, which replaces the token.",
            ),
            text,
            None,
        );
    }
}
