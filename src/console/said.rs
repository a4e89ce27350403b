//! What the API says to the console: read once, with the reasons in the visitor's language.

use std::collections::BTreeMap;

use http::header;
use serde_json::Value;

use super::Console;
use super::visit::Visit;
use crate::http::{Inside, Problem};

/// What the API answers to what it does.
#[derive(Default)]
pub(super) struct Said {
    pub tag: String,
    pub body: Value,
}

/// What is wrong with each field of a form.
pub(super) type Wrong = BTreeMap<String, Vec<String>>;

impl Said {
    /// A list's records and how many there are in all.
    pub fn list(&self) -> (&[Value], u64) {
        let data = self.body.get("data").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        (data, self.body.get("totalCount").and_then(Value::as_u64).unwrap_or_default())
    }
}

impl Console {
    /// Asks the API as the console does: see [`Inside`].
    pub(super) async fn ask(&self, inside: Inside, visit: &Visit) -> Result<Said, Problem> {
        let answer = self.api.answer_inside(inside, &visit.id).await?;
        let tag = answer.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        Ok(Said { tag: tag.to_owned(), body: serde_json::from_slice(&answer.body).unwrap_or_default() })
    }
}

/// What is wrong with each field, in the visitor's language.
pub(super) fn wrong(problem: &Problem, visit: &Visit) -> Wrong {
    let mut wrong = Wrong::new();
    for (field, reason) in problem.wrong().iter() {
        wrong.entry(field.to_owned()).or_default().push(reason.say(visit.lang).into_owned());
    }
    wrong
}

/// A text member of a record; empty where it has none.
pub(super) fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// A number of a record; 0 where it has none.
pub(super) fn number(record: &Value, member: &str) -> u64 {
    record.get(member).and_then(Value::as_u64).unwrap_or_default()
}
