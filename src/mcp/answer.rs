//! The answer of a tool: structured for the program, and as text for the person who reads along. Both are bounded, and say how
//! to go on.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::quoted::{quote, quote_record};
use super::read::Findings;
use super::text;
use crate::domain::{Day, Lang};

/// Maximum number of characters of an answer's text, and of its structured form.
pub const MAX_CHARACTERS: usize = 25_000;

/// Maximum number of characters of a text in a list, and in a record that was read alone.
pub const LISTED_CHARACTERS: usize = 400;
pub const WHOLE_CHARACTERS: usize = 12_000;

/// Returns the schema of all answers.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "today": { "type": "string", "format": "date" },
            "total": { "type": "integer" },
            "next_offset": { "type": "integer" },
            "items": { "type": "array", "items": { "type": "object" } },
            "related": { "type": "object" },
        },
        "required": ["today", "items"],
    })
}

/// Builds the answer. Shows fewer items, or less of a single one, until it is short enough.
pub fn answer(found: &Findings, today: Day, lang: Lang) -> CallToolResult {
    let mut most = if found.is_whole { WHOLE_CHARACTERS } else { LISTED_CHARACTERS };
    let mut count = found.items.len();
    loop {
        let structured = structured(found, today, count, most);
        let text = text::answer(found, &structured, lang);
        let length = structured.to_string().chars().count().max(text.chars().count());
        if length <= MAX_CHARACTERS || most == 0 {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            return result;
        }
        match count {
            0 | 1 => most /= 2,
            _ => count -= 1,
        }
    }
}

/// Builds the structured form of the first `count` items, with at most `most` characters of each text.
fn structured(found: &Findings, today: Day, count: usize, most: usize) -> Value {
    let mut answer = Map::from_iter([("today".to_owned(), json!(today.iso()))]);
    answer.extend(page(found, count, most));
    if !found.related.is_empty() {
        let listed = most.min(LISTED_CHARACTERS);
        let each = |(name, found): &(&'static str, Findings)| {
            ((*name).to_owned(), Value::Object(page(found, found.items.len(), listed)))
        };
        answer.insert("related".to_owned(), Value::Object(found.related.iter().map(each).collect()));
    }
    Value::Object(answer)
}

fn page(found: &Findings, count: usize, most: usize) -> Map<String, Value> {
    let mut page = Map::new();
    let end = found.offset + count;
    if let Some(total) = found.total {
        page.insert("total".to_owned(), json!(total));
        if (end as u64) < total && count > 0 {
            page.insert("next_offset".to_owned(), json!(end));
        }
    }
    let more = found.more.iter().map(|(name, value)| (name.clone(), quote(value.clone(), most)));
    page.extend(more);
    if let (None, true, Some(last)) =
        (found.total, count < found.items.len(), found.items.get(count.max(1) - 1))
    {
        // A feed goes on after the last change that is shown.
        page.insert("next".to_owned(), last.get("seq").cloned().unwrap_or_default());
        page.insert("more".to_owned(), json!(true));
    }
    let items = found.items.iter().take(count);
    let items = items.map(|item| quote_record(without_empty(item), found.table, most));
    page.insert("items".to_owned(), items.collect());
    page
}

/// Returns a record without empty members, which say nothing to an assistant.
fn without_empty(item: &Value) -> Value {
    let Value::Object(members) = item else { return item.clone() };
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(entries) => entries.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let filled = members.iter().filter(|(_, value)| !is_empty(value));
    Value::Object(filled.map(|(name, value)| (name.clone(), value.clone())).collect())
}
