//! Refused calls, in sentences that an assistant can act on.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use serde_json::{Map, Value, json};

use crate::config::setting_names::nearest;
use crate::domain::Lang;
use crate::http::Problem;

/// Maximum number of characters of an unknown name in a sentence.
const MAX_NAME_CHARACTERS: usize = 60;

/// Returns the beginning of an unknown name.
pub fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARACTERS).collect()
}

/// Why a call was refused.
#[derive(Debug)]
pub struct ToolRefusal(Map<String, Value>);

impl ToolRefusal {
    pub fn new(code: &str, sentence: String) -> ToolRefusal {
        ToolRefusal(Map::from_iter([("error".into(), sentence.into()), ("code".into(), code.into())]))
    }

    /// Adds the valid words in place of a wrong one, and the one that was probably meant.
    #[must_use]
    pub fn with_options<'o>(
        mut self,
        wrong: &str,
        options: impl IntoIterator<Item = &'o str>,
    ) -> ToolRefusal {
        let options: Vec<_> = options.into_iter().collect();
        if let Some(meant) = nearest(wrong, options.iter().copied()) {
            self.0.insert("did_you_mean".to_owned(), json!(meant));
        }
        self.0.insert("valid_options".to_owned(), json!(options));
        self
    }

    /// Gives the wrong fields other names.
    #[must_use]
    pub fn renamed(mut self, name_of: impl Fn(&str) -> String) -> ToolRefusal {
        for member in ["errors", "reasons"] {
            if let Some(Value::Object(fields)) = self.0.get_mut(member) {
                let renamed = std::mem::take(fields).into_iter().map(|(name, texts)| (name_of(&name), texts));
                *fields = renamed.collect();
            }
        }
        self
    }

    /// Returns the refusal of a route, in the words of the API.
    pub fn of(problem: &Problem, lang: Lang) -> ToolRefusal {
        let Value::Object(mut body) = problem.body(lang) else { return ToolRefusal(Map::new()) };
        // The same sentence as `error`.
        body.shift_remove("message");
        body.extend(problem.retry_after().map(|seconds| ("retry_after".to_owned(), json!(seconds))));
        ToolRefusal(body)
    }

    /// Changes everything but the code.
    pub fn change(&mut self, change: impl FnOnce(&mut Map<String, Value>)) {
        let code = self.0.get("code").cloned();
        change(&mut self.0);
        self.0.extend(code.map(|code| ("code".to_owned(), code)));
    }

    fn sentence(&self) -> &str {
        self.0.get("error").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the refusal as the result of a tool: the sentence, and below it what else is known.
    pub fn into_result(self) -> CallToolResult {
        let more = self.0.iter().filter(|(name, _)| !["error", "code", "reasons"].contains(&name.as_str()));
        let lines = more.map(|(name, value)| format!("\n{name}: {value}"));
        let text = [self.sentence().to_owned(), lines.collect()].concat();
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = Some(Value::Object(self.0));
        result
    }

    /// Returns the refusal of a resource, which is missing or hidden.
    pub fn into_missing(mut self, uri: &str) -> ErrorData {
        let uri = shortened(uri);
        let sentence = format!("{uri}: {}", self.sentence());
        self.0.insert("uri".to_owned(), json!(uri));
        ErrorData::resource_not_found(sentence, Some(Value::Object(self.0)))
    }

    /// Returns the refusal as an error of the protocol: the request names nothing that exists.
    pub fn into_error(self) -> ErrorData {
        ErrorData::invalid_params(self.sentence().to_owned(), Some(Value::Object(self.0)))
    }
}
