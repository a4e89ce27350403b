//! The definitions of tools, as assistants list them.

use std::sync::Arc;

use rmcp::model::{self, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::Tool;
use crate::domain::Lang;
use crate::http::RouteTable;
use crate::mcp::answer;
use crate::mcp::arguments::{arguments_of, required_of};
use crate::mcp::write::written;
use crate::records::Rights;

/// Returns the definition of a tool, with the arguments that the caller may use.
pub fn define(tool: &Tool, rights: Rights, routes: &RouteTable, lang: Lang) -> model::Tool {
    let arguments = arguments_of(tool, rights, routes, lang);
    let properties: Map<_, _> =
        arguments.into_iter().map(|argument| (argument.name.to_owned(), argument.schema)).collect();
    // A route may need a member that the caller may not see.
    let mut required = required_of(tool, rights, routes);
    required.retain(|name| properties.contains_key(*name));
    let mut input = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
        ("additionalProperties".to_owned(), json!(false)),
    ]);
    if !required.is_empty() {
        input.insert("required".to_owned(), json!(required));
    }
    let annotations = ToolAnnotations::new().read_only(tool.writing.is_none()).open_world(false);
    let (annotations, output) = match &tool.writing {
        None => (annotations, answer::schema()),
        Some(writing) => {
            let annotations =
                annotations.destructive(writing.is_destructive).idempotent(writing.is_idempotent);
            (annotations, written::schema())
        }
    };
    model::Tool::new(tool.name, lang.pick(tool.about.0, tool.about.1), Arc::new(input))
        .with_title(lang.pick(tool.title.0, tool.title.1))
        .with_raw_output_schema(object(output))
        .with_annotations(annotations)
}

fn object(schema: Value) -> Arc<Map<String, Value>> {
    match schema {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
