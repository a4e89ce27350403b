//! Types of field values.

use std::borrow::Cow;

use jiff::tz::TimeZone;

use crate::domain::time::moment::{local, local_day};
use crate::domain::{
    Bilingual, CalendarEffect, DoubledParty, EntryType, Flow, Gender, MovementOrigin, Situation,
};
use crate::records::{Kind, List};

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One line with at most this number of characters.
    Line(usize),
    Name,
    /// Text of several lines, with at most this number of characters.
    Text(usize),
    /// CPF or CNPJ.
    TaxId,
    ProcessNumber,
    Phone,
    /// CEP.
    PostalCode,
    Email,
    WebAddress,
    /// One of the 27 states.
    State,
    /// `M`, `F` or `O`.
    Gender,
    /// `CRÉDITO` or `DÉBITO`.
    Flow,
    /// A day, shown as `YYYY-MM-DD`.
    Day,
    /// A day, shown as `DD/MM/YYYY`.
    SlashedDay,
    /// A time of day, shown as `HH:MM:SS`.
    Time,
    /// A day and a time in the office's time zone.
    DayTime,
    /// `TRIBUNAL` or `MANUAL`.
    MovementOrigin,
    /// A point in time, stored as seconds since 1970.
    Moment,
    /// An amount in reais, stored as centavos.
    Money,
    /// `income` or `expense`.
    EntryType,
    /// `active`, `inactive` or `deceased`.
    Situation,
    /// `fazenda`, `mp` or `defensoria`.
    DoubledParty,
    /// Where a day of a calendar holds: `br`, `SP`, `Criciúma/SC` or `TJSP`.
    CalendarScope,
    /// `closed`, `partial` or `open`.
    CalendarEffect,
    /// A month of a year, shown as `MM/YYYY`.
    YearMonth,
    Flag,
    /// A whole number within these bounds, inclusive.
    Whole(u32, u32),
    /// The id of an entry of a reference list.
    Reference(List),
    /// The id of another record.
    Record(Kind),
    /// An id of which the type does not determine the kind.
    Id,
    /// Ids of linked records, each once.
    Links(Kind),
    /// Ids in other systems, stored as a JSON array.
    ExternalIds,
    /// Opposing parties of a lawsuit, stored as a JSON array.
    OpposingParties,
    /// The type of a row before its declared type is known, and of rows without one.
    Own,
}

impl Type {
    /// Converts a day with a time, in a text for a value of this type, to the office's time zone (contract 1).
    pub fn local<'t>(self, text: &'t str, zone: &TimeZone) -> Cow<'t, str> {
        match self {
            Type::Day | Type::SlashedDay | Type::YearMonth => local_day(text, zone),
            Type::DayTime => local(text, zone),
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns the accepted words, for enumerations that lists filter by value. Empty for all other types.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Type::MovementOrigin => &["TRIBUNAL", "MANUAL"],
            Type::EntryType => &EntryType::WORDS,
            Type::Situation => &Situation::WORDS,
            Type::DoubledParty => &DoubledParty::WORDS,
            Type::CalendarEffect => &CalendarEffect::WORDS,
            _ => &[],
        }
    }

    /// Returns the words of an enumeration, each with its name for users. Empty for all other types.
    pub const fn names(self) -> &'static [(&'static str, Bilingual)] {
        match self {
            Type::Gender => &Gender::NAMES,
            Type::Flow => &Flow::NAMES,
            Type::MovementOrigin => &MovementOrigin::NAMES,
            Type::EntryType => &EntryType::NAMES,
            Type::Situation => &Situation::NAMES,
            Type::DoubledParty => &DoubledParty::NAMES,
            Type::CalendarEffect => &CalendarEffect::NAMES,
            _ => &[],
        }
    }

    /// Returns `true` if values are numbers that identify something, stored as text.
    pub const fn is_number(self) -> bool {
        matches!(self, Type::TaxId | Type::ProcessNumber | Type::Phone | Type::PostalCode)
    }

    /// Returns `true` if values are usually long.
    pub(in crate::records) const fn is_long(self) -> bool {
        matches!(
            self,
            Type::Name
                | Type::OpposingParties
                | Type::Text(_)
                | Type::Email
                | Type::WebAddress
                | Type::ProcessNumber
                | Type::Links(_)
                | Type::Record(_)
        )
    }
}
