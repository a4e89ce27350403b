//! The JSON object of a request body.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::problem::Problem;

/// The members in the order received. Handlers look up about twenty names at most, so a linear search is
/// faster than hashing all names.
pub(super) struct Object(Vec<Entry>);

struct Entry {
    name: String,
    value: Value,
    /// `true` after [`Object::get`] has returned the member.
    is_known: Cell<bool>,
}

impl Object {
    /// Parses a body. Fails if it is invalid JSON or not an object.
    pub fn parse(bytes: &[u8]) -> Result<Object, Problem> {
        let malformed = |cause: serde_json::Error| Problem::malformed_json(&cause.to_string());
        serde_json::from_slice(bytes).map_err(|cause| match cause.is_data() {
            true => {
                serde_json::from_slice::<Value>(bytes).map_or_else(malformed, |_| Problem::not_an_object())
            }
            false => malformed(cause),
        })
    }

    /// Returns the value of a member, and marks the member as known. If the member is repeated, the last
    /// value counts.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let entry = self.find(name)?;
        entry.is_known.set(true);
        Some(&entry.value)
    }

    /// Like [`Object::get`], but does not mark the member as known.
    pub fn peek(&self, name: &str) -> Option<&Value> {
        self.find(name).map(|entry| &entry.value)
    }

    /// Like [`Object::get`], but takes the value out of the object and leaves `null`.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let entry = self.0.iter_mut().rev().find(|entry| entry.name == name)?;
        entry.is_known.set(true);
        Some(entry.value.take())
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.0.iter().rev().find(|entry| entry.name == name)
    }

    /// Returns the names of the members that [`Object::get`] has not returned, each once.
    pub fn unknown(&self) -> Vec<String> {
        if self.0.iter().all(|entry| entry.is_known.get()) {
            return Vec::new();
        }
        let (known, unknown): (Vec<_>, Vec<_>) = self.0.iter().partition(|entry| entry.is_known.get());
        // `get` marks only the last one of a repeated member.
        let mut seen = known.iter().map(|entry| entry.name.as_str()).collect::<HashSet<_>>();
        let new = unknown.iter().filter(|entry| seen.insert(&entry.name));
        new.map(|entry| entry.name.clone()).collect()
    }

    /// Removes the members that `is_unchanged` selects, and marks the others as unknown. Returns `true` if it
    /// removed any.
    pub fn remove(&mut self, is_unchanged: impl Fn(&str, &Value) -> bool) -> bool {
        let before = self.0.len();
        self.0.retain(|entry| !is_unchanged(&entry.name, &entry.value));
        self.0.iter().for_each(|entry| entry.is_known.set(false));
        self.0.len() < before
    }
}

impl From<Map<String, Value>> for Object {
    fn from(members: Map<String, Value>) -> Object {
        Object(members.into_iter().map(|(name, value)| Entry::new(name, value)).collect())
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
