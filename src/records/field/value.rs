//! Field values independent of their field: as input, and as the store keeps them.

use std::borrow::Cow;

use jiff::tz::TimeZone;

use crate::domain::id::Id;
use crate::domain::{
    Amount, CalendarEffect, CalendarScope, ContentHash, Day, DayTime, DoubledParty, Email, EntryType,
    FileName, Flow, Gender, Line, Moment, Money, MovementOrigin, Name, Phone, PostalCode, ProcessNumber,
    Reason, Situation, State, TaxId, Text, TimeOfDay, WebAddress, Whole, Wording, YearMonth, whole,
};
use crate::records::{Record, Refers, Type};

/// A value as a client sent it or a user typed it, before validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A JSON string, or the text of a form field or a spreadsheet cell.
    Text(&'a str),
    /// A number in its original notation.
    Number(String),
    Flag(bool),
    List(Vec<Input<'a>>),
    /// The members of an object, with their names. Members without a value are left out.
    Members(Vec<(&'a str, Input<'a>)>),
    /// A value that no field accepts.
    Other,
}

/// A value as the store keeps it. Days are `YYYY-MM-DD`, amounts are centavos, flags are 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    Null,
    Text(Cow<'a, str>),
    Integer(i64),
    /// Ids of linked records, in the order given.
    Ids(Vec<u32>),
}

impl Value<'_> {
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Integer(number) => Value::Integer(number),
            Value::Ids(ids) => Value::Ids(ids),
        }
    }

    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// Returns `true` for null and for a list without elements.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Text(text) => *text == "[]",
            Value::Ids(ids) => ids.is_empty(),
            Value::Integer(_) => false,
        }
    }

    /// Returns the integer as an id, if it fits.
    pub fn id(&self) -> Option<u32> {
        if let Value::Integer(id) = self { u32::try_from(*id).ok() } else { None }
    }

    /// Returns the linked ids, or the single id of an integer.
    pub fn ids(&self) -> Vec<u32> {
        if let Value::Ids(ids) = self { ids.clone() } else { self.id().into_iter().collect() }
    }

    pub fn day(&self) -> Option<Day> {
        self.text().and_then(|text| Day::parse(text).ok())
    }
}

/// A type of fields: how its values are parsed and stored.
pub trait FieldType: Sized {
    /// The type as data, for code that handles all fields alike.
    const TYPE: Type;
    /// `true` if a value may be absent.
    const OPTIONAL: bool = false;

    fn read(input: &Input<'_>) -> Result<Self, Reason>;

    /// Like [`FieldType::read`], with a day and time converted to the office's time zone, `zone`.
    fn read_in(input: &Input<'_>, zone: &TimeZone) -> Result<Self, Reason> {
        match input {
            Input::Text(text) => Self::read(&Input::Text(&Self::TYPE.local(text, zone))),
            _ => Self::read(input),
        }
    }

    /// Converts the value to its stored form.
    fn to_value(&self) -> Value<'_>;

    /// Converts a stored value back. Returns `None` if it is no value of this type.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

/// Returns the text of an input. A whole number counts as the text of its digits, because spreadsheets send
/// texts of digits as numbers (contract 1).
fn text<'a>(input: &'a Input<'_>) -> Result<Cow<'a, str>, Reason> {
    match input {
        Input::Text(text) => Ok(Cow::Borrowed(text)),
        Input::Number(number) => digits(number).ok_or(Reason::NotText),
        _ => Err(Reason::NotText),
    }
}

/// Returns the digits of a whole number that is not negative. Many spreadsheet libraries treat every number
/// as a fraction, so `48988880000.0` is accepted. A number that is too large to be exact has already lost
/// digits and is refused.
fn digits(number: &str) -> Option<Cow<'_, str>> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    if number.parse::<u64>().is_ok() {
        return Some(Cow::Borrowed(number));
    }
    let whole = number.parse::<f64>().ok()?;
    (whole.fract() == 0.0 && (0.0..EXACT).contains(&whole)).then(|| Cow::Owned(whole.to_string()))
}

macro_rules! texts {
    ($([$($bound:tt)*] $type:ty => $kind:expr,)+) => {$(
        impl $($bound)* FieldType for $type {
            const TYPE: Type = $kind;

            fn read(input: &Input<'_>) -> Result<Self, Reason> {
                let text = text(input)?;
                <$type>::parse(if Self::TYPE.is_number() { whole(&text) } else { &text })
            }

            fn to_value(&self) -> Value<'_> {
                Value::Text(Cow::Borrowed(self.as_str()))
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Text(text) => Some(<$type>::from_stored(text.into_owned())),
                    _ => None,
                }
            }
        }
    )+};
}

texts! {
    [] CalendarEffect => Type::CalendarEffect,
    [] CalendarScope => Type::CalendarScope,
    [] ContentHash => Type::Line(64),
    [] DayTime => Type::DayTime,
    [] DoubledParty => Type::DoubledParty,
    [] Email => Type::Email,
    [] EntryType => Type::EntryType,
    [] FileName => Type::Line(255),
    [] Flow => Type::Flow,
    [] Gender => Type::Gender,
    [<const MAX: usize>] Line<MAX> => Type::Line(MAX),
    [] Name => Type::Name,
    [<const MAX: usize>] Text<MAX> => Type::Text(MAX),
    [] MovementOrigin => Type::MovementOrigin,
    [] Wording => Type::Text(20_000),
    [] Phone => Type::Phone,
    [] PostalCode => Type::PostalCode,
    [] ProcessNumber => Type::ProcessNumber,
    [] Situation => Type::Situation,
    [] State => Type::State,
    [] TaxId => Type::TaxId,
    [] TimeOfDay => Type::Time,
    [] WebAddress => Type::WebAddress,
}

impl FieldType for Day {
    const TYPE: Type = Type::Day;

    fn read(input: &Input<'_>) -> Result<Day, Reason> {
        Day::parse(&text(input)?)
    }

    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Owned(self.iso()))
    }

    fn from_value(value: Value<'_>) -> Option<Day> {
        value.day()
    }
}

/// A point in time that requests cannot set, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub i64);

impl FieldType for Seconds {
    const TYPE: Type = Type::Moment;

    /// Parses a moment. A moment without an offset is in UTC.
    fn read(input: &Input<'_>) -> Result<Seconds, Reason> {
        Moment::parse(&text(input)?).map(|moment| Seconds(moment.seconds(&TimeZone::UTC)))
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(self.0)
    }

    fn from_value(value: Value<'_>) -> Option<Seconds> {
        if let Value::Integer(seconds) = value { Some(Seconds(seconds)) } else { None }
    }
}

impl FieldType for Money {
    const TYPE: Type = Type::Money;

    fn read(input: &Input<'_>) -> Result<Money, Reason> {
        match input {
            Input::Number(number) => Money::from_json_number(number),
            Input::Text(text) => Money::parse(text),
            _ => Err(Reason::NotAmountInJson),
        }
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(self.centavos())
    }

    fn from_value(value: Value<'_>) -> Option<Money> {
        if let Value::Integer(centavos) = value { Money::from_centavos(centavos) } else { None }
    }
}

impl FieldType for Amount {
    const TYPE: Type = Type::Money;

    fn read(input: &Input<'_>) -> Result<Amount, Reason> {
        Money::read(input).and_then(Amount::new)
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(self.money().centavos())
    }

    fn from_value(value: Value<'_>) -> Option<Amount> {
        Money::from_value(value).and_then(|money| Amount::new(money).ok())
    }
}

impl FieldType for YearMonth {
    const TYPE: Type = Type::YearMonth;

    fn read(input: &Input<'_>) -> Result<YearMonth, Reason> {
        YearMonth::parse(&text(input)?)
    }

    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Owned(self.iso()))
    }

    fn from_value(value: Value<'_>) -> Option<YearMonth> {
        value.text().and_then(|text| YearMonth::parse(text).ok())
    }
}

impl FieldType for bool {
    const TYPE: Type = Type::Flag;

    /// Accepts `true`, `false`, 0, 1, or one of them as text in any case (contract 1).
    fn read(input: &Input<'_>) -> Result<bool, Reason> {
        let word = match input {
            Input::Flag(flag) => return Ok(*flag),
            Input::Text(text) => whole(text.trim()).to_ascii_lowercase(),
            Input::Number(number) => digits(number).unwrap_or_default().into_owned(),
            _ => String::new(),
        };
        match word.as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Reason::NotBoolean),
        }
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }

    fn from_value(value: Value<'_>) -> Option<bool> {
        if let Value::Integer(flag) = value { Some(flag != 0) } else { None }
    }
}

impl<const MIN: u32, const MAX: u32> FieldType for Whole<MIN, MAX> {
    const TYPE: Type = Type::Whole(MIN, MAX);

    fn read(input: &Input<'_>) -> Result<Whole<MIN, MAX>, Reason> {
        let wrong = Reason::NotWhole { least: MIN, most: MAX };
        Whole::parse(whole(&text(input).map_err(|_| wrong)?))
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::from(self.get()))
    }

    fn from_value(value: Value<'_>) -> Option<Whole<MIN, MAX>> {
        if let Value::Integer(number) = value {
            u64::try_from(number).ok().and_then(Whole::new)
        } else {
            None
        }
    }
}

impl<K: Refers> FieldType for Id<K> {
    const TYPE: Type = K::TYPE;

    fn read(input: &Input<'_>) -> Result<Id<K>, Reason> {
        read_id(input)
    }

    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::from(self.get()))
    }

    fn from_value(value: Value<'_>) -> Option<Id<K>> {
        value.id().and_then(|id| Id::new(u64::from(id)))
    }
}

pub(in crate::records) fn read_id<K>(input: &Input<'_>) -> Result<Id<K>, Reason> {
    match input {
        // Exponents are refused, because an id consists of digits only.
        Input::Number(number) => Id::parse(whole(number)),
        Input::Text(text) => Id::parse(whole(text.trim())),
        _ => Err(Reason::NotIdInJson),
    }
}

/// One or more distinct ids: an array, a single id, or text such as `1,2` or `[1,2]` (contract 1, resources 10).
impl<R: Record> FieldType for Vec<Id<R>> {
    const TYPE: Type = Type::Links(R::KIND);

    fn read(input: &Input<'_>) -> Result<Vec<Id<R>>, Reason> {
        let ids = match input {
            Input::List(values) => values.iter().map(read_id).collect::<Result<Vec<Id<R>>, _>>()?,
            Input::Text(text) => {
                let text = text.trim();
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                inner
                    .unwrap_or(text)
                    .split(',')
                    .map(|id| Id::parse(whole(id.trim())))
                    .collect::<Result<_, _>>()?
            }
            one => vec![read_id(one)?],
        };
        let mut once = std::collections::HashSet::new();
        match ids.iter().find(|id| !once.insert(id.get())) {
            Some(twice) => Err(Reason::NamedTwice { noun: R::WORD, id: twice.get() }),
            None if ids.is_empty() => Err(Reason::NoneNamed { noun: R::WORD }),
            None => Ok(ids),
        }
    }

    fn to_value(&self) -> Value<'_> {
        Value::Ids(self.iter().map(|id| id.get()).collect())
    }

    fn from_value(value: Value<'_>) -> Option<Vec<Id<R>>> {
        match value {
            Value::Ids(ids) => ids.into_iter().map(|id| Id::new(u64::from(id))).collect(),
            _ => None,
        }
    }
}

impl<T: FieldType> FieldType for Option<T> {
    const TYPE: Type = T::TYPE;
    const OPTIONAL: bool = true;

    fn read(input: &Input<'_>) -> Result<Option<T>, Reason> {
        T::read(input).map(Some)
    }

    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::to_value)
    }

    fn from_value(value: Value<'_>) -> Option<Option<T>> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
