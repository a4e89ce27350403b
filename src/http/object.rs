//! The JSON object of a body.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::problem::Problem;

/// The members in the order in which they came. There are some twenty at the most that anybody asks for: looking through
/// them costs less than a map that has to hash their names.
pub(super) struct Object(Vec<Entry>);

struct Entry {
    name: String,
    value: Value,
    /// Whether [`Object::get`] was asked for it.
    is_known: Cell<bool>,
}

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
        let entry = self.find(name)?;
        entry.is_known.set(true);
        Some(&entry.value)
    }

    /// The same, but the member becomes no known one by that.
    pub fn peek(&self, name: &str) -> Option<&Value> {
        self.find(name).map(|entry| &entry.value)
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.0.iter().rev().find(|entry| entry.name == name)
    }

    /// The names of the members that [`Object::get`] was not asked for, each once.
    pub fn unknown(&self) -> Vec<String> {
        if self.0.iter().all(|entry| entry.is_known.get()) {
            return Vec::new();
        }
        let (known, unknown): (Vec<_>, Vec<_>) = self.0.iter().partition(|entry| entry.is_known.get());
        // Of one that came twice, the last was asked for.
        let mut seen = known.iter().map(|entry| entry.name.as_str()).collect::<HashSet<_>>();
        let new = unknown.iter().filter(|entry| seen.insert(&entry.name));
        new.map(|entry| entry.name.clone()).collect()
    }

    /// Removes the members for which `is_unchanged`, and forgets which ones are known. Returns `true` if there were any.
    pub fn remove(&mut self, is_unchanged: impl Fn(&str, &Value) -> bool) -> bool {
        let before = self.0.len();
        self.0.retain(|entry| !is_unchanged(&entry.name, &entry.value));
        self.0.iter().for_each(|entry| entry.is_known.set(false));
        self.0.len() < before
    }
}

impl From<&Map<String, Value>> for Object {
    fn from(members: &Map<String, Value>) -> Object {
        Object(members.iter().map(|(name, value)| Entry::new(name.clone(), value.clone())).collect())
    }
}

impl Entry {
    fn new(name: String, value: Value) -> Entry {
        Entry { name, value, is_known: Cell::new(false) }
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
        while let Some((name, value)) = map.next_entry()? {
            members.push(Entry::new(name, value));
        }
        Ok(Object(members))
    }
}
