//! Records as resources, such as `pleito://customers/17`: for the programs in which a person picks what the assistant reads.

use rmcp::model::{CallToolResult, ReadResourceResult, ResourceContents, ResourceTemplate};

use crate::domain::Lang;
use crate::http::RouteTable;
use crate::mcp::tools::{Tool, ToolRecord};

const SCHEME: &str = "pleito://";

/// The records that are resources: those of the tools that read one with all that belongs to it.
fn records<'t>(
    tools: impl Iterator<Item = &'static Tool> + 't,
    routes: &'t RouteTable,
) -> impl Iterator<Item = (&'static str, &'static Tool, &'static ToolRecord)> + 't {
    tools.filter_map(|tool| {
        let record = tool.record.as_ref()?;
        let table = routes.by_id(record.route)?.route.table()?;
        Some((table.path, tool, record))
    })
}

/// Returns the templates of the addresses.
pub fn templates(
    tools: impl Iterator<Item = &'static Tool>,
    routes: &RouteTable,
    lang: Lang,
) -> Vec<ResourceTemplate> {
    let template = |(path, tool, _): (&str, &Tool, _)| {
        ResourceTemplate::new(format!("{SCHEME}{path}/{{id}}"), path)
            .with_title(lang.pick(tool.title.0, tool.title.1))
            .with_mime_type("text/plain")
    };
    records(tools, routes).map(template).collect()
}

/// Returns the record that an address names, and its id.
pub fn record_of<'u>(
    uri: &'u str,
    tools: impl Iterator<Item = &'static Tool>,
    routes: &RouteTable,
) -> Option<(&'static ToolRecord, &'u str)> {
    let (path, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    records(tools, routes).find(|(own, ..)| *own == path).map(|(_, _, record)| (record, id))
}

/// Returns the contents of a resource: the text that a tool answers.
pub fn contents(uri: &str, answer: &CallToolResult) -> ReadResourceResult {
    let text = answer.content.first().and_then(|block| block.as_text());
    let text = text.map(|text| text.text.clone()).unwrap_or_default();
    ReadResourceResult::new(vec![ResourceContents::text(text, uri)])
}
