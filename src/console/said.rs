//! What the API says to the console: pages of lists, and what is wrong, in the visitor's language.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Console;
use super::visit::Visit;
use crate::http::{Inside, Problem};

/// What the API answers to what it does.
#[derive(Default)]
pub(super) struct Said {
    body: Value,
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
        Ok(Said { body: serde_json::from_slice(&answer.body).unwrap_or_default() })
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
