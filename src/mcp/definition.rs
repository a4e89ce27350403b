//! The definitions of tools, as assistants list them.

use std::sync::Arc;

use rmcp::model::{self, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::answer;
use super::arguments::arguments_of;
use super::tools::Tool;
use crate::domain::Lang;
use crate::http::RouteTable;
use crate::records::Rights;

/// Returns the definition of a tool, with the arguments that the caller may use.
pub fn define(tool: &Tool, rights: Rights, routes: &RouteTable, lang: Lang) -> model::Tool {
    let arguments = arguments_of(tool, rights, routes, lang);
    let properties: Map<_, _> =
        arguments.into_iter().map(|argument| (argument.name.to_owned(), argument.schema)).collect();
    let input = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    model::Tool::new(tool.name, lang.pick(tool.about.0, tool.about.1), object(input))
        .with_title(lang.pick(tool.title.0, tool.title.1))
        .with_raw_output_schema(object(answer::schema()))
        .with_annotations(annotations)
}

fn object(schema: Value) -> Arc<Map<String, Value>> {
    match schema {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
