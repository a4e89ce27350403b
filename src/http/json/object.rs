//! The JSON object of a request body.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::http::answers::problem::Problem;

/// The members in the order received. Handlers look up about twenty names at most, so a linear search is
/// faster than hashing all names.
pub(in crate::http) struct Object(Vec<Entry>);

struct Entry {
    name: String,
    value: Value,
    /// `true` after [`Object::get`] has returned the member.
    is_known: Cell<bool>,
}

impl Object {
    /// Parses a body. Fails if it is invalid JSON or not an object.
    pub fn parse(bytes: &[u8]) -> Result<Object, Problem> {
        Ok(Object::read(bytes, None)?.0)
    }

    /// Like [`Object::parse`], but returns the member `items` by itself, without adding it to the object.
    pub fn parse_with_items(bytes: &[u8], items: &str) -> Result<(Object, Option<Nested>), Problem> {
        Object::read(bytes, Some(items))
    }

    fn read(bytes: &[u8], items: Option<&str>) -> Result<(Object, Option<Nested>), Problem> {
        let malformed = |cause: serde_json::Error| match is_unencoded_object(bytes) {
            true => Problem::unencoded_object(),
            false => Problem::malformed_json(&cause.to_string()),
        };
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let read = json.deserialize_map(Members { items }).and_then(|read| json.end().map(|()| read));
        read.map_err(|cause| match cause.is_data() {
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

impl Entry {
    fn new(name: String, value: Value) -> Entry {
        Entry { name, value, is_known: Cell::new(false) }
    }
}

/// Returns `true` for the texts that programs make of an object without encoding it as JSON: `[object Object]` and
/// `{name: "Ana"}` (JavaScript), `{name=Ana}` (Java, and with it Google Apps Script), `name=Ana&city=Torres` (a form).
fn is_unencoded_object(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let members = text.strip_prefix(b"{").map_or(text, <[u8]>::trim_ascii_start);
    let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$.-%[]".contains(byte);
    let name = members.iter().take_while(is_in_name).count();
    let is_member = match members.get(name..).map(<[u8]>::trim_ascii_start).and_then(<[u8]>::first) {
        Some(b'=') => true,
        Some(b':') => members.len() < text.len(),
        _ => false,
    };
    text.starts_with(b"[object ") || name > 0 && is_member
}

/// A value with objects in it. These are read without the hash table that each object of a [`Value`] has.
pub(in crate::http) enum Nested {
    Null,
    Object(Object),
    Array(Vec<Nested>),
    /// A value that is none of these.
    Other,
}

/// Reads an object, and its member `items` by itself.
struct Members<'n> {
    items: Option<&'n str>,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = (Object, Option<Nested>);

    fn expecting(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(Object, Option<Nested>), A::Error> {
        let mut members = Vec::with_capacity(24);
        let mut items = None;
        while let Some(name) = map.next_key::<String>()? {
            if self.items == Some(name.as_str()) {
                items = Some(map.next_value()?);
            } else {
                members.push(Entry::new(name, map.next_value()?));
            }
        }
        Ok((Object(members), items))
    }
}

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Nested, D::Error> {
        from.deserialize_any(NestedVisitor)
    }
}

struct NestedVisitor;

impl<'de> Visitor<'de> for NestedVisitor {
    type Value = Nested;

    fn expecting(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Nested, A::Error> {
        // No room in advance: a body may have very many empty objects.
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry()? {
            members.push(Entry::new(name, value));
        }
        Ok(Nested::Object(Object(members)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Nested, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = all.next_element()? {
            items.push(item);
        }
        Ok(Nested::Array(items))
    }

    fn visit_unit<E>(self) -> Result<Nested, E> {
        Ok(Nested::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Nested, E> {
        Ok(Nested::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Nested, E> {
        Ok(Nested::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Nested, E> {
        Ok(Nested::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Nested, E> {
        Ok(Nested::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Nested, E> {
        Ok(Nested::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> (Object, Option<Nested>) {
        Object::parse_with_items(json.as_bytes(), "posts").unwrap()
    }

    #[test]
    fn items_are_parsed_separately_and_the_last_of_repeated_members_counts() {
        let json = r#"{"a": 1, "posts": 5, "": 2, "posts": [{"b": 1, "b": {"c": [2]}}, 3, [{}], null, {}, "d"], "e": 3}"#;
        let (object, items) = read(json);
        assert_eq!(object.unknown(), ["a", "", "e"]);
        let Some(Nested::Array(items)) = items else { panic!("no array") };
        let [
            Nested::Object(one),
            Nested::Other,
            Nested::Array(inner),
            Nested::Null,
            Nested::Object(empty),
            Nested::Other,
        ] = &items[..]
        else {
            panic!("other items")
        };
        assert_eq!(one.get("b"), Some(&serde_json::json!({"c": [2]})));
        assert!(one.unknown().is_empty() && empty.unknown().is_empty() && inner.len() == 1);
        assert!(read(r#"{"a": 1}"#).1.is_none());
        for (value, is_null) in
            [("null", true), ("true", false), ("-1", false), ("1.5", false), ("\"a\"", false)]
        {
            let (_, items) = read(&format!(r#"{{"posts": {value}}}"#));
            assert_eq!(matches!(items, Some(Nested::Null)), is_null, "{value}");
        }
        for json in [r#"{"posts": [{]}"#, r#"{"posts": []} {}"#, "[]", r#"{"posts": [{"a": "\ud800"}]}"#] {
            assert!(Object::parse_with_items(json.as_bytes(), "posts").is_err(), "{json}");
        }
    }
}
