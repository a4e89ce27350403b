//! What masking takes away of the values of each field, so that answers to assistants do not tell who a person is
//! (assistants 50).

use super::types::Type;
use super::{DayRule, Field};
use crate::records::{Kind, List, Source, Table};

/// What an answer with masks has in place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// The value: it tells nothing about who someone is.
    Kept,
    /// The text, without the names and numbers of people in it.
    Searched,
    /// The initials of a name.
    Name,
    /// The initials of each of several joined names.
    Names,
    /// Parties, of which each has a name and perhaps a lawyer.
    Parties,
    /// The word CPF or CNPJ.
    TaxId,
    /// The year of a day.
    Year,
    /// Nothing of the value.
    Hidden,
}

impl Type {
    /// Returns what masking takes away of values of this type.
    const fn masking(self) -> Masking {
        match self {
            Type::Name => Masking::Name,
            Type::TaxId => Masking::TaxId,
            Type::ProcessNumber | Type::Phone | Type::PostalCode | Type::Email | Type::WebAddress => {
                Masking::Hidden
            }
            Type::OpposingParties => Masking::Parties,
            Type::Line(_)
            | Type::Text(_)
            | Type::CalendarScope
            | Type::Links(_)
            | Type::ExternalIds
            | Type::Own => Masking::Searched,
            Type::State
            | Type::Gender
            | Type::Flow
            | Type::Day
            | Type::SlashedDay
            | Type::Time
            | Type::DayTime
            | Type::MovementOrigin
            | Type::Moment
            | Type::Money
            | Type::EntryType
            | Type::Situation
            | Type::DoubledParty
            | Type::CalendarEffect
            | Type::YearMonth
            | Type::Flag
            | Type::Whole(..)
            | Type::Reference(_)
            | Type::Record(_)
            | Type::Id => Masking::Kept,
        }
    }

    /// Returns `true` if values can be text that came from outside the office, alone or in their members. An answer to an
    /// assistant quotes it (assistants 49).
    pub const fn is_foreign_text(self) -> bool {
        // Of what masking takes away, the form of these leaves no room for text.
        let is_digits = matches!(self, Type::TaxId | Type::Phone | Type::PostalCode);
        !matches!(self.masking(), Masking::Kept) && !is_digits
    }
}

impl Field {
    /// Returns what masking takes away of values of this field of `table`. Of a person's record, it hides every line that
    /// does not say [`common`](Field::common).
    pub fn masking(&self, table: &Table) -> Masking {
        let is_of_users =
            |column: &str| table.field(column).is_some_and(|field| field.ty == Type::Reference(List::Users));
        match (self.ty.masking(), self.source) {
            (_, Source::NamesOf(_) | Source::NamesThrough(..)) => Masking::Names,
            (Masking::Name, Source::NameOf(column)) if is_of_users(column) => Masking::Name,
            (Masking::Name, Source::NameOf(_) | Source::ParentNameOf(_) | Source::Coalesce(_)) => {
                Masking::Searched
            }
            (Masking::Name, _) if !is_person(table.kind) && matches!(table.kind, Kind::List(_)) => {
                Masking::Searched
            }
            (Masking::Searched, Source::Column)
                if matches!(self.ty, Type::Line(_)) && is_person(table.kind) && !self.is_common =>
            {
                Masking::Hidden
            }
            (Masking::Kept, _) if self.days == DayRule::OfBirth => Masking::Year,
            (masking, _) => masking,
        }
    }
}

fn is_person(kind: Kind) -> bool {
    matches!(kind, Kind::Customer | Kind::List(List::Users))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Customer, Record, TABLES};

    #[test]
    fn masking_leaves_of_a_customer_only_what_many_have() {
        let fields = Customer::TABLE.fields.iter().filter(|field| field.is_shown);
        let kept = fields.filter(|field| {
            let is_left = matches!(field.masking(Customer::TABLE), Masking::Kept | Masking::Searched);
            is_left && matches!(field.source, Source::Column)
        });
        let kept: Vec<_> = kept.map(|field| field.shown).collect();
        let expected = [
            "gender",
            "civil_status",
            "occupation",
            "city",
            "state",
            "country",
            "nationality",
            "number_cid",
            "external_ids",
            "situation",
            "double_deadlines",
            "notes",
            "users_id",
            "customers_origins_id",
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn names_of_people_are_masked_and_those_of_lists_are_searched() {
        let masking = |name: &str, member: &str| {
            let table = TABLES.iter().find(|table| table.name == name).unwrap();
            table.fields.iter().find(|field| field.shown == member).unwrap().masking(table)
        };
        for (table, member, expected) in [
            ("lawsuits", "name", Masking::Names),
            ("lawsuits", "responsible", Masking::Name),
            ("lawsuits", "stage", Masking::Searched),
            ("transactions", "name", Masking::Name),
            ("transactions", "identification", Masking::TaxId),
            ("documents", "name", Masking::Searched),
            ("customers", "birthdate", Masking::Year),
        ] {
            assert_eq!(masking(table, member), expected, "{table}: {member}");
        }
    }
}
