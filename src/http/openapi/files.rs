//! What routes that take and give files write into the description.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::operation::{Operation, reference};
use crate::http::accept::ListFormat;
use crate::http::describe::{BodyDescription, Need};

/// Bytes of any kind.
fn binary(about: &str) -> Value {
    json!({ "type": "string", "format": "binary", "description": about })
}

impl Operation<'_, '_> {
    /// Events in the place of a page (WHATWG HTML, server-sent events).
    pub fn sends_events(&mut self) {
        let about =
            "With `Accept: text/event-stream`: one event a change, `data` being the object of the page.";
        let schema = json!({ "type": "string", "description": about });
        self.add_content(StatusCode::OK, "text/event-stream", json!({ "schema": schema }));
        let about = "The number of the last event that came: the stream goes on behind it.";
        self.parameter("header", "Last-Event-ID", about, json!({ "type": "string" }), None);
    }

    /// A whole list in the place of a page.
    pub fn sends_whole(&mut self) {
        for (format, about) in [
            (
                ListFormat::Csv,
                "With `Accept: text/csv`: everything that matches, whatever the page, as a Brazilian spreadsheet has it; \
                 headings in English, or in Portuguese with `Accept-Language: pt-BR`.",
            ),
            (
                ListFormat::Ndjson,
                "With `Accept: application/x-ndjson`: everything that matches, whatever the page; each line is a record \
                 as `data` has it.",
            ),
        ] {
            let schema = json!({ "type": "string", "description": about });
            self.add_content(StatusCode::OK, format.media_type(), json!({ "schema": schema }));
        }
    }

    /// A body that is a file with members around it: a form, or the file itself with the members in the query.
    pub fn upload(&mut self, body: BodyDescription) {
        let BodyDescription { name, about: of, members, .. } = body;
        let members: Vec<_> = members.into_iter().filter(|member| member.need != Need::Changeable).collect();
        let mut properties = Map::new();
        properties.insert(
            "file".to_owned(),
            binary("The file: the one part that has a file name, whatever it is called."),
        );
        let about = "With the file itself as the body: ";
        for member in members {
            let said = member.schema.get("description").and_then(Value::as_str).unwrap_or_default();
            self.parameter("query", member.name, &[about, said].concat(), member.schema.clone(), None);
            properties.insert(member.name.to_owned(), member.schema);
        }
        let name = format!("{name}Upload");
        let form = json!({
            "type": "object", "description": of, "required": ["file"], "properties": properties,
        });
        self.insert_definition(&name, form);
        let form = reference("schemas", &name);
        let any = binary("The file itself, with its own `Content-Type`, which is anything but JSON.");
        self.takes(json!({
            "multipart/form-data": { "schema": form },
            "application/octet-stream": { "schema": any },
        }));
    }

    /// The bytes of a file, or a part of them.
    pub fn sends_content(&mut self) {
        let bytes = json!({ "*/*": { "schema": binary("The bytes.") } });
        for (status, about) in [
            (StatusCode::OK, "The bytes, to be saved and not shown."),
            (StatusCode::PARTIAL_CONTENT, "The bytes that `Range` asks for."),
        ] {
            self.respond(status, about, None);
            self.set_content(status, bytes.clone());
            for header in ["ETag", "Content-Disposition"] {
                self.sends(status, header, if header == "ETag" { header } else { "Disposition" });
            }
        }
        self.respond(StatusCode::NOT_MODIFIED, "The content is the one named in `If-None-Match`.", None);
        self.sends(StatusCode::NOT_MODIFIED, "ETag", "ETag");
        let range = "The bytes that are wanted, such as `bytes=0-1023`; one range.";
        self.parameter("header", "Range", range, json!({ "type": "string" }), None);
        self.problem(StatusCode::GONE);
        self.problem(StatusCode::RANGE_NOT_SATISFIABLE);
    }

    /// That a signed address opens the route without a token.
    pub fn takes_signature(&mut self) {
        let integer = json!({ "type": "integer", "minimum": 0 });
        self.parameter("query", "expires", "Of a signed address: until when it works.", integer, None);
        let text = json!({ "type": "string" });
        self.parameter("query", "signature", "Of a signed address: what stands for the token.", text, None);
    }
}
