//! Types of field values.

use super::{Kind, List};
use crate::domain::EntryType;

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
    /// Returns the accepted words, for enumerations that lists filter by value. Empty for all other types.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Type::MovementOrigin => &["TRIBUNAL", "MANUAL"],
            Type::EntryType => &EntryType::WORDS,
            _ => &[],
        }
    }

    /// Returns `true` if values are usually long.
    pub(super) const fn is_long(self) -> bool {
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
