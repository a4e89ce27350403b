//! What the API says to the console: read once, with the reasons in the visitor's language.

use std::collections::BTreeMap;

use http::{StatusCode, header};
use serde_json::Value;

use super::visit::Visit;
use super::words::reason;
use super::{Console, enter};
use crate::http::{Answer, Inside};

/// An answer of the API.
pub(super) struct Said {
    pub status: StatusCode,
    pub tag: String,
    pub body: Value,
    answer: Answer,
}

/// What is wrong with each field of a form.
pub(super) type Wrong = BTreeMap<String, Vec<String>>;

impl Said {
    pub fn is_done(&self) -> bool {
        self.status.is_success()
    }

    /// The code of the problem; empty where there is none.
    pub fn code(&self) -> &str {
        self.body.get("code").and_then(Value::as_str).unwrap_or_default()
    }

    /// What is wrong with each field.
    pub fn wrong(&self, visit: &Visit) -> Wrong {
        let Some(errors) = self.body.get("errors").and_then(Value::as_object) else { return Wrong::new() };
        let reasons = |all: &Value| {
            let all = all.as_array().into_iter().flatten().filter_map(Value::as_str);
            all.map(|one| reason(one, visit.lang)).collect()
        };
        errors.iter().map(|(field, all)| (field.clone(), reasons(all))).collect()
    }

    /// The page of a problem that no form explains.
    pub fn page(&self, visit: &Visit) -> Answer {
        if self.status == StatusCode::NOT_FOUND {
            enter::not_found(visit)
        } else {
            enter::failed(visit, &self.answer)
        }
    }

    /// A list's records and how many there are in all.
    pub fn list(&self) -> (&[Value], u64) {
        let data = self.body.get("data").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        (data, self.body.get("totalCount").and_then(Value::as_u64).unwrap_or_default())
    }
}

impl Console {
    /// Asks the API as the console does: see [`Inside`].
    pub(super) async fn ask(&self, inside: Inside, visit: &Visit) -> Said {
        let answer = self.api.answer_inside(inside, &visit.id).await;
        let tag = answer.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        Said {
            status: answer.status,
            tag: tag.to_owned(),
            body: serde_json::from_slice(&answer.body).unwrap_or_default(),
            answer,
        }
    }
}

/// A text member of a record; empty where it has none.
pub(super) fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// A number of a record; 0 where it has none.
pub(super) fn number(record: &Value, member: &str) -> u64 {
    record.get(member).and_then(Value::as_u64).unwrap_or_default()
}
