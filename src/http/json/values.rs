//! Values of the domain in query parameters and in responses, with their JSON Schemas.

mod response_values;

use std::borrow::Cow;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

pub use response_values::{BornOn, Canonical, Shown, Stored, in_answer, moment, write_value};

use crate::domain::id::Id;
use crate::domain::text::fold;
use crate::domain::{
    Day, ExternalId, Line, Moment, Order, PaymentStatus, PhoneTerm, ProcessNumberTerm, Reason, TaskStatus,
    Threshold, Whole, YearMonth, compact,
};
use crate::http::openapi::schema;
use crate::records::{FieldType, Input, Type};

/// The largest integer that every JSON client can represent exactly.
pub const MAX_JSON_INTEGER: u64 = (1 << 53) - 1;

/// A value that can be a query parameter or a path segment.
pub trait FromText: Sized {
    fn from_text(text: &str) -> Result<Self, Reason>;

    /// Like [`FromText::from_text`], with a day and time converted to the office's time zone, `zone`.
    fn from_text_in(text: &str, _zone: &TimeZone) -> Result<Self, Reason> {
        Self::from_text(text)
    }

    /// Returns the JSON Schema (2020-12).
    fn schema() -> Value;
}

/// Implements [`FromText`] by the own `parse` of a type, with this schema.
macro_rules! parsed_text {
    ($($type:ty => $schema:expr;)+) => {$(
        impl $crate::http::json::values::FromText for $type {
            fn from_text(text: &str) -> Result<$type, $crate::domain::Reason> {
                <$type>::parse(text)
            }

            fn schema() -> serde_json::Value {
                $schema
            }
        }
    )+};
}

pub(crate) use parsed_text;

parsed_text! {
    ExternalId => schema::external_id();
    PaymentStatus => json!({ "type": "string", "enum": PaymentStatus::WORDS });
    PhoneTerm => json!({ "type": "string", "minLength": 4, "pattern": schema::FOUR_DIGITS });
    ProcessNumberTerm => json!({ "type": "string", "minLength": 4, "pattern": schema::FOUR_DIGITS });
    Threshold => json!({ "type": "number", "minimum": 0.5, "maximum": 1, "default": 0.8 });
}

impl<K> FromText for Id<K> {
    fn from_text(text: &str) -> Result<Id<K>, Reason> {
        Id::parse(text)
    }

    fn schema() -> Value {
        schema::id()
    }
}

/// Converts the day and time of a query to the office's time zone.
pub fn local<'t>(ty: Type, text: &'t str, zone: &TimeZone) -> Cow<'t, str> {
    match text.rsplit_once(' ') {
        // In a query, an unescaped plus arrives as a space.
        Some((moment, offset)) if Moment::parse(moment).is_ok() => {
            let escaped = [moment, "+", offset].concat();
            Cow::Owned(ty.local(&escaped, zone).into_owned())
        }
        _ => ty.local(text, zone),
    }
}

impl FromText for Day {
    fn from_text(text: &str) -> Result<Day, Reason> {
        Day::parse(text)
    }

    fn from_text_in(text: &str, zone: &TimeZone) -> Result<Day, Reason> {
        Day::from_text(&local(Type::Day, text, zone))
    }

    fn schema() -> Value {
        json!({ "type": "string", "format": "date" })
    }
}

/// Folded words to search for. Without a letter or digit, they find nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Words(pub String);

impl FromText for Words {
    fn from_text(text: &str) -> Result<Words, Reason> {
        Ok(Words(fold(text)))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// A number to search for, reduced to letters and digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Compact(pub String);

impl FromText for Compact {
    fn from_text(text: &str) -> Result<Compact, Reason> {
        Ok(Compact(compact(text)))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// A reference to a list entry: its id, its name or a part of the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdOrName(pub String);

impl FromText for IdOrName {
    fn from_text(text: &str) -> Result<IdOrName, Reason> {
        Ok(IdOrName(text.to_owned()))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl<const MAX: usize> FromText for Line<MAX> {
    fn from_text(text: &str) -> Result<Line<MAX>, Reason> {
        Line::parse(text)
    }

    fn schema() -> Value {
        json!({ "type": "string", "maxLength": MAX })
    }
}

impl FromText for YearMonth {
    fn from_text(text: &str) -> Result<YearMonth, Reason> {
        YearMonth::parse(text)
    }

    fn from_text_in(text: &str, zone: &TimeZone) -> Result<YearMonth, Reason> {
        YearMonth::parse(&local(Type::YearMonth, text, zone))
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": schema::YEAR_MONTH })
    }
}

impl FromText for Order {
    fn from_text(text: &str) -> Result<Order, Reason> {
        Order::parse(text.trim())
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": ["asc", "desc"] })
    }
}

impl FromText for TaskStatus {
    fn from_text(text: &str) -> Result<TaskStatus, Reason> {
        TaskStatus::parse(text.trim())
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": ["pending", "completed", "all"] })
    }
}

impl FromText for bool {
    fn from_text(text: &str) -> Result<bool, Reason> {
        <bool as FieldType>::read(&Input::Text(text))
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

impl<const MIN: u32, const MAX: u32> FromText for Whole<MIN, MAX> {
    fn from_text(text: &str) -> Result<Whole<MIN, MAX>, Reason> {
        Whole::parse(text)
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// A value that is typed as in a body.
pub struct Entered<T>(pub T);

impl<T: FieldType> FromText for Entered<T> {
    fn from_text(text: &str) -> Result<Entered<T>, Reason> {
        T::read(&Input::Text(text)).map(Entered)
    }

    fn from_text_in(text: &str, zone: &TimeZone) -> Result<Entered<T>, Reason> {
        Entered::from_text(&local(T::TYPE, text, zone))
    }

    fn schema() -> Value {
        schema::in_body(T::TYPE)
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
