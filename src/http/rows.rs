//! Lists whose rows are no records.

use http::StatusCode;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::answer::{Answer, to_json};
use super::call::Call;
use super::describe::RoutePart;
use super::ignored;
use super::problem::Problem;
use super::query::PageRequest;
use super::reply::{Reply, Work};

/// A list as a whole document of its own shape, and what was asked for.
pub struct Rows<T> {
    /// The document.
    pub document: T,
    /// What was asked for.
    pub request: PageRequest,
}

impl<T: Serialize + JsonSchema> Reply for Rows<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        let answer = Answer::json(StatusCode::OK, to_json(&self.document)?);
        Ok(Work::Done(ignored::told(answer, &self.request.ignored)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que foi pedido.", "What was asked for."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}
