//! Constructors of rows whose values follow from other columns and records.

use super::row;
use crate::records::field::Field;
use crate::records::field::value::FieldType;
use crate::records::{Source, Type};

/// The day in `day` at the time in `time`. If only the time is set, the day is the one in `or_day`.
pub const fn moment_of(day: &'static str, time: &'static str, or_day: &'static str) -> Field {
    row(Source::MomentOf(day, time, or_day), ("", ""), Type::Moment)
}

/// The member `member` of the record in `column`.
pub const fn member_of<T: FieldType>(column: &'static str, member: &'static str) -> Field {
    Field { required: false, ..row(Source::MemberOf(column, member), ("", ""), Type::Own).typed::<T>() }
}

/// The value of the first source that has one.
pub const fn coalesce<T: FieldType>(sources: &'static [Source]) -> Field {
    Field { required: false, ..row(Source::Coalesce(sources), ("", ""), Type::Own).typed::<T>() }
}

/// The joined names of the records that the member `links` links to, in the record in `column`.
pub const fn names_through(column: &'static str, links: &'static str) -> Field {
    row(Source::NamesThrough(column, links), ("", ""), Type::Own)
}

/// A value that the store generates from other columns of the record.
pub const fn generated<T: FieldType>(pt: &'static str, en: &'static str) -> Field {
    Field { required: false, ..row(Source::Generated, (pt, en), Type::Own).typed::<T>() }
}

/// The time at which each guest completed the task. Only pages show it.
pub const fn completions() -> Field {
    row(Source::Completions, ("", ""), Type::Own).hidden()
}

/// The parties on each side of the lawsuit in `column`. Only pages show them.
pub const fn sides(column: &'static str) -> Field {
    row(Source::Sides(column), ("", ""), Type::Own).hidden()
}

/// The last month of the repetition of a transaction, or `open`. Only pages show it.
pub const fn repeats() -> Field {
    row(Source::Repeats, ("Repete", "Repeats"), Type::Own).hidden()
}
