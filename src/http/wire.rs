//! How the values of the domain stand in JSON bodies and in query parameters: read, and described as JSON Schema.

mod shown;

use serde_json::{Value, json};

pub(super) use shown::write_value;
pub use shown::{Canonical, Shown, Stored};

use super::schema;
use crate::domain::id::{Id, Noun};
use crate::domain::{Day, PhoneTerm, Reason, compact, fold};
use crate::records::FieldType;

/// A value that can be a member of a body.
pub trait FromJson: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What would be right.
    fn from_json(value: &Value) -> Result<Self, Reason>;

    /// Its JSON Schema (2020-12), without `null`.
    fn schema() -> Value;
}

/// A value that can be a query parameter or a segment of a path.
pub trait FromText: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What would be right.
    fn from_text(text: &str) -> Result<Self, Reason>;

    /// Its JSON Schema (2020-12).
    fn schema() -> Value;
}

impl<T: FieldType> FromJson for T {
    fn from_json(value: &Value) -> Result<T, Reason> {
        T::read(&schema::input(value))
    }

    fn schema() -> Value {
        schema::in_body(T::TYPE)
    }
}

impl<K: Noun> FromText for Id<K> {
    fn from_text(text: &str) -> Result<Id<K>, Reason> {
        Id::parse(text)
    }

    fn schema() -> Value {
        schema::id_out()
    }
}

/// A place in a list: 1 is the first.
#[derive(Clone, Copy, Debug)]
pub struct Position(pub u32);

impl FromJson for Position {
    fn from_json(value: &Value) -> Result<Position, Reason> {
        let place = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        let place = place.and_then(|place| u32::try_from(place).ok()).filter(|place| *place > 0);
        place.map(Position).ok_or(Reason::NotPlace)
    }

    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": u32::MAX },
            { "type": "string", "pattern": schema::ID },
        ]})
    }
}

impl FromText for Day {
    fn from_text(text: &str) -> Result<Day, Reason> {
        Day::parse(text.trim())
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": schema::DAY })
    }
}

/// Words to find, folded; without any letter or digit it finds nothing.
#[derive(Clone, Debug)]
pub struct Words(pub String);

impl FromText for Words {
    fn from_text(text: &str) -> Result<Words, Reason> {
        Ok(Words(fold(text)))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// A number to find, whatever its punctuation: letters and digits only.
#[derive(Clone, Debug)]
pub struct Compact(pub String);

impl FromText for Compact {
    fn from_text(text: &str) -> Result<Compact, Reason> {
        Ok(Compact(compact(text)))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// An entry of a reference list: its id, its name, or a part of it.
#[derive(Clone, Debug)]
pub struct IdOrName(pub String);

impl FromText for IdOrName {
    fn from_text(text: &str) -> Result<IdOrName, Reason> {
        Ok(IdOrName(text.to_owned()))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl FromText for PhoneTerm {
    fn from_text(text: &str) -> Result<PhoneTerm, Reason> {
        PhoneTerm::parse(text)
    }

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 4 })
    }
}

impl FromText for bool {
    fn from_text(text: &str) -> Result<bool, Reason> {
        match text.trim() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Reason::NotBoolean),
        }
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

/// A month, 1 to 12.
#[derive(Clone, Copy, Debug)]
pub struct Month(pub u8);

impl FromText for Month {
    fn from_text(text: &str) -> Result<Month, Reason> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(month @ 1..=12) if digits => Ok(Month(month)),
            _ => Err(Reason::NotMonth),
        }
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 1, "maximum": 12 })
    }
}
