//! What kinds of values there are.

use super::{Kind, List};
use crate::domain::EntryType;

/// What kind of values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One line of at most so many characters.
    Line(usize),
    /// A name.
    Name,
    /// Text of several lines, of at most so many characters.
    Text(usize),
    /// CPF or CNPJ.
    TaxId,
    /// The number of a lawsuit at the court.
    ProcessNumber,
    /// A telephone number.
    Phone,
    /// CEP.
    PostalCode,
    /// An e-mail address.
    Email,
    /// An address of the web.
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
    /// A day and a time of the office's clock.
    DayTime,
    /// `TRIBUNAL` or `MANUAL`.
    MovementOrigin,
    /// A moment.
    Moment,
    /// An amount in reais.
    Money,
    /// `income` or `expense`.
    EntryType,
    /// A month of a year, shown as `MM/YYYY`.
    YearMonth,
    /// Yes or no.
    Flag,
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// An entry of a reference list.
    Reference(List),
    /// Another record.
    Record(Kind),
    /// An id of something that the context says.
    Id,
    /// Records that this one is linked to, each once.
    Links(Kind),
    /// What other systems call a record; the store has a JSON array.
    ExternalIds,
    /// The other side of a lawsuit; the store has a JSON array.
    OpposingParties,
    /// Whatever the declared type is.
    Own,
}

impl Type {
    /// The words that values of it are, where those are a few.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Type::MovementOrigin => &["TRIBUNAL", "MANUAL"],
            Type::EntryType => &EntryType::WORDS,
            _ => &[],
        }
    }

    /// Whether values of it are long as a rule.
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
