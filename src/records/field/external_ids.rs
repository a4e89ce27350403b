//! External ids as a field value: an array or a text (resources 10).

use std::borrow::Cow;

use super::types::Type;
use super::value::{FieldType, Input, Value};
use crate::domain::{ExternalId, ExternalIds, Reason};

/// Accepts an array of texts, or one text with one or several ids (resources 10).
impl FieldType for ExternalIds {
    const TYPE: Type = Type::ExternalIds;

    fn read(input: &Input<'_>) -> Result<ExternalIds, Reason> {
        let one = |input: &Input<'_>| match input {
            Input::Text(text) => ExternalId::parse(text),
            _ => Err(Reason::NotExternalId),
        };
        match input {
            Input::List(all) => ExternalIds::of(all.iter().map(one).collect::<Result<_, _>>()?),
            Input::Text(several) => ExternalIds::parse(several),
            _ => Err(Reason::NotExternalId),
        }
    }

    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Owned(self.to_json()))
    }

    fn from_value(value: Value<'_>) -> Option<ExternalIds> {
        if let Value::Text(json) = value { Some(ExternalIds::from_json(&json)) } else { None }
    }
}
