//! Value types that are valid by construction: a value is parsed once, at the boundary, and stays valid.
//!
//! This module does no I/O, does not depend on HTTP or SQL, and never reads the clock.

#![warn(missing_docs)]

use std::borrow::Cow;

/// Implements the accessors and conversions of a newtype over `String`.
macro_rules! text_value {
    ($name:ident $(<const $max:ident: usize>)?) => {
        impl $(<const $max: usize>)? $name $(<$max>)? {
            /// Returns the text as it is stored and shown.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Wraps a text that the store wrote, without checking it.
            pub fn from_stored(text: String) -> Self {
                $name(text)
            }
        }

        impl $(<const $max: usize>)? std::fmt::Display for $name $(<$max>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl $(<const $max: usize>)? From<$name $(<$max>)?> for String {
            fn from(value: $name $(<$max>)?) -> String {
                value.0
            }
        }
    };
}

pub mod choices;
pub mod files;
pub mod id;
pub mod lang;
pub mod money;
pub mod numbers;
pub mod page;
pub mod parties;
pub mod reason;
pub mod stored_json;
pub mod text;
pub mod time;
pub mod token;
pub mod whole;

pub use choices::calendar_effect::CalendarEffect;
pub use choices::calendar_scope::{CalendarPlace, CalendarScope, CourtCity};
pub use choices::choice::Choice;
pub use choices::doubled_party::DoubledParty;
pub use choices::gender::Gender;
pub use choices::movement_origin::MovementOrigin;
pub use choices::situation::Situation;
pub use choices::state::{STATES, State};
pub use choices::task_status::TaskStatus;
pub use files::byte_size::byte_size;
pub use files::content_hash::ContentHash;
pub use files::file_name::FileName;
pub use files::viewable::{OPENING_BYTES, viewable};
pub use id::external_id::{ExternalId, ExternalIds};
pub use lang::{Bilingual, Lang};
pub use money::flow::{EntryType, Flow};
pub use money::in_words::in_words;
pub use money::installment::{Installment, PaymentPlan, Remainder, repetition};
pub use money::payment_status::PaymentStatus;
pub use money::{Amount, Money, Sum};
pub use numbers::cnpj::Cnpj;
pub use numbers::court::{Court, Justice, UncountedCourt, court_of};
pub use numbers::cpf::Cpf;
pub use numbers::phone::{Phone, PhoneTerm, phone_key};
pub use numbers::postal_code::PostalCode;
pub use numbers::process_number::{ProcessNumber, ProcessNumberTerm};
pub use numbers::punctuation::{compact, is_digits, whole};
pub use numbers::tax_id::TaxId;
pub use page::{Order, Page};
pub use parties::conflict::{ConflictOutcome, MatchedBy, Side};
pub use parties::opposing_party::{OpposingParties, OpposingParty};
pub use parties::similar_names::score::Score;
pub use parties::similar_names::threshold::Threshold;
pub use parties::similar_names::{NameWord, NameWords};
pub use reason::Reason;
pub use reason::deadlines::DeadlineReason;
pub use text::decode;
pub use text::email::Email;
pub use text::fold::single_consonants;
pub use text::ignorable::is_default_ignorable;
pub use text::web_address::WebAddress;
pub use text::{Folder, Line, Name, Notes, ProtocolNumber, Short, Text, Wording, blank, fold, folded_words};
pub use time::date::Day;
pub use time::date::relative::DayOf;
pub use time::day_time::DayTime;
pub use time::moment::Moment;
pub use time::time_of_day::TimeOfDay;
pub use time::year_month::YearMonth;
pub use token::webhook_secret::WebhookSecret;
pub use token::{Token, TokenHash, TokenKind};
pub use whole::Whole;

/// The errors of one input, in the order in which they were found. All wrong fields are reported at once
/// (contract 2), and one field may have several reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invalid(Vec<(Cow<'static, str>, Reason)>);

impl Invalid {
    /// Creates an empty list of errors.
    pub fn new() -> Invalid {
        Invalid::default()
    }

    /// Creates a list with one error.
    pub fn one(field: impl Into<Cow<'static, str>>, reason: Reason) -> Invalid {
        Invalid(vec![(field.into(), reason)])
    }

    /// Adds an error for a field.
    pub fn add(&mut self, field: impl Into<Cow<'static, str>>, reason: Reason) {
        self.0.push((field.into(), reason));
    }

    /// Returns the value of `result`. If `result` is an error, adds it for the field and returns `None`.
    pub fn check<T>(&mut self, field: impl Into<Cow<'static, str>>, result: Result<T, Reason>) -> Option<T> {
        result.map_err(|reason| self.add(field, reason)).ok()
    }

    /// Appends the errors of another part of the same input.
    pub fn merge(&mut self, other: Invalid) {
        self.0.extend(other.0);
    }

    /// Returns `true` if no error was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the fields and their reasons, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Reason)> {
        self.0.iter().map(|(field, reason)| (field.as_ref(), reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_reason_in_order() {
        let mut invalid = Invalid::new();
        assert!(invalid.is_empty());
        assert_eq!(invalid.check("name", Ok::<_, Reason>(1)), Some(1));
        assert!(invalid.is_empty());

        assert_eq!(invalid.check("name", Err::<u8, _>(Reason::Blank)), None);
        invalid.add("email", Reason::NotEmail);
        let mut other = Invalid::one(format!("customers_id[{}]", 0), Reason::NotId);
        other.add("name", Reason::Required);
        invalid.merge(other);

        let all: Vec<_> = invalid.iter().map(|(field, reason)| (field, *reason)).collect();
        assert_eq!(
            all,
            [
                ("name", Reason::Blank),
                ("email", Reason::NotEmail),
                ("customers_id[0]", Reason::NotId),
                ("name", Reason::Required),
            ]
        );
    }
}
