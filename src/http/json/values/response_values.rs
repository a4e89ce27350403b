//! Values of the domain in responses: each in its only format, with its JSON Schema.

use std::borrow::Cow;
use std::marker::PhantomData;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::domain::{Day, Money, Score, Sum};
use crate::http::openapi::schema;
use crate::records::{FieldType, Type, Value};

/// A value in a response.
#[derive(Clone, Debug)]
pub struct Shown<T>(pub T);

/// A value with a single format in responses.
pub trait Canonical {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Returns the JSON Schema (2020-12), without `null`.
    fn schema() -> Schema;
}

impl<T: Canonical> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.show(serializer)
    }
}

impl<T: Canonical> JsonSchema for Shown<T> {
    fn schema_name() -> Cow<'static, str> {
        "Shown".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        T::schema()
    }
}

/// A stored text that responses show unchanged, so that it is neither parsed nor copied.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'r, T>(&'r str, PhantomData<T>);

impl<'r, T> Stored<'r, T> {
    pub fn new(text: &'r str) -> Stored<'r, T> {
        Stored(text, PhantomData)
    }
}

impl<T> Serialize for Stored<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<T: Canonical> JsonSchema for Stored<'_, T> {
    fn schema_name() -> Cow<'static, str> {
        "Stored".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        T::schema()
    }
}

/// Returns the JSON of a value, as responses show it.
pub fn in_answer(ty: Type, value: &Value<'_>) -> serde_json::Value {
    let mut json = Vec::new();
    write_value(ty, value, &TimeZone::UTC, &mut json);
    serde_json::from_slice(&json).unwrap_or_default()
}

impl<T: FieldType> Canonical for T {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = Vec::new();
        write_value(T::TYPE, &self.to_value(), &TimeZone::UTC, &mut json);
        let json = String::from_utf8(json).map_err(Error::custom)?;
        RawValue::from_string(json).map_err(Error::custom)?.serialize(serializer)
    }

    fn schema() -> Schema {
        Schema::try_from(schema::in_answer(T::TYPE)).unwrap_or_default()
    }
}

impl Canonical for Score {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(Error::custom)?.serialize(serializer)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// A day of birth, which responses show as `DD/MM/YYYY`.
#[derive(Clone, Copy, Debug)]
pub struct BornOn(pub Day);

impl Canonical for BornOn {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.br())
    }

    fn schema() -> Schema {
        Schema::try_from(schema::in_answer(Type::SlashedDay)).unwrap_or_default()
    }
}

impl Canonical for Sum {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(Error::custom)?.serialize(serializer)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

/// Writes a value in the format that responses have for its type.
pub fn write_value(ty: Type, value: &Value<'_>, zone: &TimeZone, json: &mut Vec<u8>) {
    match (ty, value) {
        (_, Value::Null | Value::Ids(_)) => json.extend_from_slice(b"null"),
        (Type::Flag, Value::Integer(flag)) => {
            json.extend_from_slice(if *flag == 0 { b"false" } else { b"true" });
        }
        (Type::Money, Value::Integer(centavos)) => {
            // Keeps both decimals, which a float would drop (contract 5.1).
            let amount = Money::from_centavos(*centavos).map(|amount| amount.to_string());
            json.extend_from_slice(amount.unwrap_or_default().as_bytes());
        }
        (Type::Moment, Value::Integer(seconds)) => write_text(&moment(*seconds, zone), json),
        (_, Value::Integer(number)) => json.extend_from_slice(number.to_string().as_bytes()),
        (Type::SlashedDay, Value::Text(day)) => {
            let mut parts = day.split('-');
            let [year, month, day] = [(); 3].map(|()| parts.next().unwrap_or_default());
            write_text(&[day, "/", month, "/", year].concat(), json);
        }
        (Type::YearMonth, Value::Text(month)) => {
            let (year, month) = month.split_once('-').unwrap_or_default();
            write_text(&[month, "/", year].concat(), json);
        }
        // The store has it as JSON.
        (Type::ExternalIds | Type::OpposingParties, Value::Text(array)) => {
            json.extend_from_slice(array.as_bytes())
        }
        (_, Value::Text(text)) => write_text(text, json),
    }
}

fn write_text(text: &str, json: &mut Vec<u8>) {
    // Writing a string to a vector cannot fail.
    let _ = serde_json::to_writer(json, text);
}

/// Formats a moment, in seconds since 1970, as `YYYY-MM-DD HH:MM:SS` in a time zone (contract 4.1).
pub fn moment(seconds: i64, zone: &TimeZone) -> String {
    let moment = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let seen = zone.to_datetime(moment);
    // Without a format string: it would be parsed for each moment, and a page of a thousand records has two thousand.
    let mut text = String::with_capacity("2026-11-21 14:30:00".len());
    let parts = [seen.month(), seen.day(), seen.hour(), seen.minute(), seen.second()];
    push_digits(&mut text, seen.year(), 1000);
    for (mark, part) in ['-', '-', ' ', ':', ':'].into_iter().zip(parts) {
        text.push(mark);
        push_digits(&mut text, part.into(), 10);
    }
    text
}

/// Writes a non-negative number. `place` is the place value of its first digit.
fn push_digits(text: &mut String, number: i16, mut place: i16) {
    while place > 0 {
        let digit = u32::try_from(number / place % 10).ok().and_then(|digit| char::from_digit(digit, 10));
        text.push(digit.unwrap_or('0'));
        place /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Day;
    use crate::records::CustomerId;

    #[test]
    fn a_single_value_is_serialized_as_in_a_record() {
        fn json(value: impl Canonical) -> String {
            serde_json::to_string(&Shown(value)).unwrap()
        }
        assert_eq!(json(Money::from_centavos(150_050).unwrap()), "1500.50");
        assert_eq!((json(true), json(CustomerId::from_stored(17))), ("true".to_owned(), "17".to_owned()));
        assert_eq!(json(Day::from_ymd(2026, 2, 1).unwrap()), "\"2026-02-01\"");
    }
}
