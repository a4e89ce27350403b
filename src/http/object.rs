//! The JSON object of a body.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::problem::Problem;

/// The members in the order in which they came. There are some twenty at the most that anybody asks for: looking through
/// them costs less than a map that has to hash their names.
pub(super) struct Object(Vec<(String, Value)>);

impl Object {
    /// Reads it.
    ///
    /// # Errors
    /// Where this is no JSON, or JSON but no object.
    pub fn parse(bytes: &[u8]) -> Result<Object, Problem> {
        let malformed = |cause: serde_json::Error| Problem::malformed_json(&cause.to_string());
        serde_json::from_slice(bytes).map_err(|cause| match cause.is_data() {
            true => {
                serde_json::from_slice::<Value>(bytes).map_or_else(malformed, |_| Problem::not_an_object())
            }
            false => malformed(cause),
        })
    }

    /// The value of a member; of one that came twice the last.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

impl From<&Map<String, Value>> for Object {
    fn from(members: &Map<String, Value>) -> Object {
        Object(members.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Object, D::Error> {
        from.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Object;

    fn expecting(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut members = Vec::with_capacity(24);
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Object(members))
    }
}
