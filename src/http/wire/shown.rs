//! How the values of the domain stand in answers: each in its one form, and described as JSON Schema.

use std::borrow::Cow;
use std::marker::PhantomData;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::domain::{
    CustomerId, Day, Email, Gender, GroupId, LawsuitId, Line, Money, Name, Notes, OriginId, Phone,
    PostalCode, ProcessNumber, STATES, StageId, State, StepId, TaxId, TypeId, UserId,
};

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

macro_rules! texts {
    ($($type:ty => $schema:tt,)+) => {$(
        impl Canonical for $type {
            fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }

            fn schema() -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

texts! {
    Name => { "type": "string", "minLength": 1, "maxLength": 200 },
    Notes => { "type": "string", "minLength": 1, "maxLength": 20_000 },
    TaxId => { "type": "string", "pattern": TAX_ID, "examples": ["529.982.247-25"] },
    ProcessNumber => { "type": "string", "minLength": 1, "maxLength": 50, "examples": ["0000002-65.2005.4.05.8100"] },
    Phone => { "type": "string", "pattern": PHONE, "examples": ["(48) 98888-0000"] },
    PostalCode => { "type": "string", "pattern": "^[0-9]{5}-[0-9]{3}$", "examples": ["88800-000"] },
    // Addresses may have letters of any script, which `email` does not allow.
    Email => { "type": "string", "format": "idn-email", "maxLength": 200, "examples": ["maria@exemplo.com.br"] },
    State => { "type": "string", "enum": STATES, "examples": ["SC"] },
    Gender => { "type": "string", "enum": ["M", "F", "O"], "examples": ["F"] },
}

const TAX_ID: &str = "^[0-9A-Z./-]{14,18}$";
const PHONE: &str = r"^(\([1-9]{2}\) [0-9]{4,5}-[0-9]{4}|\+[1-9][0-9]{7,14})$";

impl<const MAX: usize> Canonical for Line<MAX> {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": MAX })
    }
}

macro_rules! ids {
    ($($type:ty),+) => {$(
        impl Canonical for $type {
            fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u32(self.get())
            }

            fn schema() -> Schema {
                json_schema!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
            }
        }
    )+};
}

ids!(CustomerId, GroupId, LawsuitId, OriginId, StageId, StepId, TypeId, UserId);

/// `YYYY-MM-DD`, as lawsuits have it (contract 5.1).
impl Canonical for Day {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.iso())
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "format": "date", "examples": ["2026-11-21"] })
    }
}

/// A day that is stored as `YYYY-MM-DD`, shown as `DD/MM/YYYY`, as customers have it (contract 4.1).
#[derive(Clone, Copy, Debug)]
pub struct Slashed<'r>(pub &'r str);

impl Canonical for Slashed<'_> {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = self.0.split('-');
        let [year, month, day] = [(); 3].map(|()| parts.next().unwrap_or_default());
        serializer.serialize_str(&[day, "/", month, "/", year].concat())
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{2}/[0-9]{2}/[0-9]{4}$", "examples": ["29/02/1980"] })
    }
}

/// Reais with their two decimals, which a binary fraction would drop (contract 5.1).
impl Canonical for Money {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(Error::custom)?.serialize(serializer)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 999_999_999_999.99, "examples": [1500.5] })
    }
}

/// A moment as `YYYY-MM-DD HH:MM:SS` in the office's time zone (contract 4.1).
#[derive(Clone, Debug)]
pub struct Moment(String);

impl Moment {
    /// The moment of that many seconds since 1970, seen in a time zone.
    pub fn new(seconds: i64, zone: &TimeZone) -> Shown<Moment> {
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
        Shown(Moment(text))
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

impl Canonical for Moment {
    fn show<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }

    fn schema() -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
            "examples": ["2026-11-21 14:30:00"],
        })
    }
}
