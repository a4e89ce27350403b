//! Lists whose rows are no records.

use http::StatusCode;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::answer::{Answer, to_json};
use super::call::Call;
use super::describe::RoutePart;
use super::problem::Problem;
use super::reply::{Reply, Work};

/// A list as a whole document of its own shape.
pub struct Rows<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for Rows<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, to_json(&self.0)?)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que foi pedido.", "What was asked for."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}
