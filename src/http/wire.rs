//! How the values of the domain stand in JSON bodies and in query parameters: read, and described as JSON Schema.

mod shown;

use std::borrow::Cow;

use serde_json::{Number, Value, json};

pub use shown::{Canonical, Moment, Shown, Slashed, Stored};

use crate::domain::{
    CustomerId, Day, Email, Gender, GroupId, LawsuitId, Line, Money, Name, Notes, OriginId, Phone, PhoneTerm,
    PostalCode, ProcessNumber, Reason, STATES, StageId, State, StepId, TaxId, TypeId, UserId, compact, fold,
};

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

// The schemas describe how to write a value so that it is accepted; what is accepted beyond that (other punctuation,
// lower case, surrounding spaces) is kindness to people who type, and nothing that a program should build on.
const DAY: &str = "^([0-9]{2}/[0-9]{2}/[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})$";
const ID: &str = "^[1-9][0-9]{0,9}$";
const IDS: &str = "^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*$";
const AMOUNT: &str = r"^([0-9]+([.,][0-9]{1,2})?|[0-9]{1,3}(\.[0-9]{3})+,[0-9]{1,2})$";

/// The text; of a whole number its digits (contract 1).
fn text(value: &Value) -> Result<Cow<'_, str>, Reason> {
    let text = match value {
        Value::String(text) => Some(Cow::Borrowed(text.as_str())),
        Value::Number(number) => digits(number).map(Cow::Owned),
        _ => None,
    };
    text.ok_or(Reason::NotText)
}

/// The digits of a whole number that is not negative. To many spreadsheet libraries every number is a fraction, so
/// `48988880000.0` counts as well; what is too large to be exact has lost digits by now and does not.
fn digits(number: &Number) -> Option<String> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let whole = |number: &f64| number.fract() == 0.0 && (0.0..EXACT).contains(number);
    match number.is_u64() {
        true => Some(number.to_string()),
        false => number.as_f64().filter(whole).map(|number| number.to_string()),
    }
}

macro_rules! texts {
    ($($type:ty => $schema:tt,)+) => {$(
        impl FromJson for $type {
            fn from_json(value: &Value) -> Result<$type, Reason> {
                <$type>::parse(&text(value)?)
            }

            fn schema() -> Value {
                json!($schema)
            }
        }
    )+};
}

texts! {
    Name => { "type": "string", "minLength": 1, "maxLength": 200 },
    Notes => { "type": "string", "maxLength": 20_000 },
    TaxId => { "type": "string", "pattern": "^[0-9A-Za-z./-]{11,18}$" },
    ProcessNumber => { "type": "string", "maxLength": 50 },
    Phone => { "type": "string", "pattern": "^[0-9 ()+-]{9,20}$" },
    PostalCode => { "type": "string", "pattern": "^[0-9]{5}-?[0-9]{3}$" },
    Email => { "type": "string", "format": "email", "maxLength": 200 },
    State => { "type": "string", "enum": STATES },
    Gender => { "type": "string", "enum": ["M", "F", "O"] },
    Day => { "type": "string", "pattern": DAY },
}

impl<const MAX: usize> FromJson for Line<MAX> {
    fn from_json(value: &Value) -> Result<Line<MAX>, Reason> {
        Line::parse(&text(value)?)
    }

    fn schema() -> Value {
        json!({ "type": "string", "maxLength": MAX })
    }
}

macro_rules! ids {
    ($($type:ty),+) => {$(
        impl FromJson for $type {
            fn from_json(value: &Value) -> Result<$type, Reason> {
                match value {
                    // A fraction or an exponent is no run of digits, so parsing refuses it.
                    Value::Number(number) => <$type>::parse(&number.to_string()),
                    Value::String(text) => <$type>::parse(text.trim()),
                    _ => Err(Reason::NotIdInJson),
                }
            }

            fn schema() -> Value {
                id_schema()
            }
        }

        impl FromText for $type {
            fn from_text(text: &str) -> Result<$type, Reason> {
                <$type>::parse(text)
            }

            fn schema() -> Value {
                json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
            }
        }
    )+};
}

ids!(CustomerId, GroupId, LawsuitId, OriginId, StageId, StepId, TypeId, UserId);

fn id_schema() -> Value {
    json!({ "anyOf": [
        { "type": "integer", "minimum": 1, "maximum": u32::MAX },
        { "type": "string", "pattern": ID },
    ]})
}

/// One or more ids, each once: an array, a lone one, or text such as `1,2` (contract 1).
impl FromJson for Vec<CustomerId> {
    fn from_json(value: &Value) -> Result<Vec<CustomerId>, Reason> {
        let ids = match value {
            Value::Array(values) => {
                values.iter().map(CustomerId::from_json).collect::<Result<Vec<_>, _>>()?
            }
            Value::String(text) => {
                text.split(',').map(|id| CustomerId::parse(id.trim())).collect::<Result<_, _>>()?
            }
            _ => vec![CustomerId::from_json(value)?],
        };
        let mut once = std::collections::HashSet::new();
        match ids.iter().find(|id| !once.insert(id.get())) {
            Some(twice) => Err(Reason::CustomerTwice { id: *twice }),
            None if ids.is_empty() => Err(Reason::NoCustomer),
            None => Ok(ids),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "array", "items": id_schema(), "minItems": 1, "uniqueItems": true },
            { "type": "integer", "minimum": 1, "maximum": u32::MAX },
            { "type": "string", "pattern": IDS },
        ]})
    }
}

impl FromJson for Money {
    fn from_json(value: &Value) -> Result<Money, Reason> {
        match value {
            Value::Number(number) => Money::from_json_number(&number.to_string()),
            Value::String(text) => Money::parse(text.trim()),
            _ => Err(Reason::NotAmountInJson),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "number", "minimum": 0, "maximum": 999_999_999_999.99 },
            { "type": "string", "pattern": AMOUNT },
        ]})
    }
}

/// A place in a list: 1 is the first.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub u32);

impl FromJson for Place {
    fn from_json(value: &Value) -> Result<Place, Reason> {
        let place = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        let place = place.and_then(|place| u32::try_from(place).ok()).filter(|place| *place > 0);
        place.map(Place).ok_or(Reason::NotPlace)
    }

    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": u32::MAX },
            { "type": "string", "pattern": ID },
        ]})
    }
}

impl FromJson for bool {
    fn from_json(value: &Value) -> Result<bool, Reason> {
        value.as_bool().ok_or(Reason::NotBoolean)
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

impl FromText for Day {
    fn from_text(text: &str) -> Result<Day, Reason> {
        Day::parse(text.trim())
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": DAY })
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
