//! How the values of the domain stand in answers: each in its one form, and described as JSON Schema.

use std::borrow::Cow;
use std::marker::PhantomData;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::http::schema;
use crate::records::{FieldType, Value};

/// A value in an answer.
#[derive(Clone, Debug)]
pub struct Shown<T>(pub T);

/// A value that has one form in answers.
pub trait Canonical {
    /// Writes it.
    ///
    /// # Errors
    /// What the serializer refuses.
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Its JSON Schema (2020-12), without `null`.
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

/// A value as the store has it, where that is its one form in answers: shown without reading or copying it.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'r, T>(&'r str, PhantomData<T>);

impl<'r, T> Stored<'r, T> {
    /// The value of that text.
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

impl<T: FieldType> Canonical for T {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_value() {
            Value::Text(text) => serializer.serialize_str(&text),
            Value::Integer(number) => serializer.serialize_i64(number),
            Value::Null | Value::Ids(_) => serializer.serialize_unit(),
        }
    }

    fn schema() -> Schema {
        Schema::try_from(schema::in_answer(T::TYPE)).unwrap_or_default()
    }
}

/// A moment as `YYYY-MM-DD HH:MM:SS` in the office's time zone (contract 4.1).
pub struct Moment;

impl Moment {
    /// The moment of that many seconds since 1970, seen in a time zone.
    pub fn text(seconds: i64, zone: &TimeZone) -> String {
        let moment = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let seen = zone.to_datetime(moment);
        // By hand: a page of a thousand records has two thousand of them, and a format is read anew for each.
        let mut text = String::with_capacity("2026-11-21 14:30:00".len());
        let parts = [seen.month(), seen.day(), seen.hour(), seen.minute(), seen.second()];
        push_digits(&mut text, seen.year(), 1000);
        for (mark, part) in ['-', '-', ' ', ':', ':'].into_iter().zip(parts) {
            text.push(mark);
            push_digits(&mut text, part.into(), 10);
        }
        text
    }
}

/// Writes a number that is not negative; `place` is what its first digit counts.
fn push_digits(text: &mut String, number: i16, mut place: i16) {
    while place > 0 {
        let digit = u32::try_from(number / place % 10).ok().and_then(|digit| char::from_digit(digit, 10));
        text.push(digit.unwrap_or('0'));
        place /= 10;
    }
}
