//! How records are found by one member: the index of it, and what that holds of a record.

use jiff::tz::TimeZone;

use super::amounts::Amounts;
use super::buckets::Buckets;
use super::days::Days;
use super::guests::{Guests, HeldGuest};
use super::nested::Nested;
use super::newest::NewestOfEach;
use super::words::WordIndex;
use crate::domain::{Day, YearMonth, compact, fold};
use crate::records::{Field, Find, Source, Table, Type, Value};
use crate::store::records::Row;
use crate::store::{self, tasks};

/// How many nanoseconds a search for a letter or two may take.
const PATIENCE: u64 = 200_000;

/// How records are found by a member.
pub(super) enum FieldIndex {
    /// By words of its text, or digits that stand together.
    Words(WordIndex),
    /// By the entry that it is, and by what that belongs to.
    Entries(Nested),
    /// By ranges of days.
    Days(Box<Days>),
    /// By month and day.
    Birthdays(Buckets),
    /// By a value of a few.
    Values(Buckets),
    /// The newest of each record that it refers to.
    Newest(Box<NewestOfEach>),
    /// Not at all; what it comes to is told.
    Amounts(Amounts),
    /// By who has done it, and when.
    Guests(Box<Guests>),
}

/// What the index holds of one member of a record.
pub(super) enum Held {
    Text(String),
    Key(Option<u32>),
    Day(Option<i32>),
    /// What it refers to, and the day.
    Dated(Option<(u32, i32)>),
    Amount(Option<u64>),
    Guests(Vec<HeldGuest>),
}

impl FieldIndex {
    /// That of a field, ready to take in many records at once.
    pub(super) fn loading(field: &Field) -> Option<FieldIndex> {
        Some(match field.find? {
            Find::Words | Find::WordsOr(_) | Find::Code => {
                FieldIndex::Words(WordIndex::loading(Some(PATIENCE)))
            }
            // Nobody asks for a digit or two.
            Find::Digits => FieldIndex::Words(WordIndex::loading(Some(u64::MAX))),
            Find::Start => FieldIndex::Words(WordIndex::loading(None)),
            Find::Entry(_) | Find::EntryOrParent(_) => FieldIndex::Entries(Nested::default()),
            Find::Days(_) | Find::DaysOrNone(..) | Find::Months(_) | Find::Paid(..) => {
                FieldIndex::Days(Box::default())
            }
            Find::Birthday => FieldIndex::Birthdays(Buckets::default()),
            Find::Value => FieldIndex::Values(Buckets::default()),
            Find::Newest(_) => FieldIndex::Newest(Box::default()),
            Find::Sum(_) => FieldIndex::Amounts(Amounts::default()),
            Find::Guests => FieldIndex::Guests(Box::default()),
            Find::Linked(..) | Find::Record | Find::RecordOrLinked(..) | Find::ExternalId => return None,
        })
    }

    pub(super) fn set(&mut self, id: u32, held: &Held) {
        match (self, held) {
            (FieldIndex::Words(words), Held::Text(text)) => words.set(id, text),
            (FieldIndex::Entries(entries), Held::Key(key)) => entries.set(id, *key),
            (FieldIndex::Birthdays(keys) | FieldIndex::Values(keys), Held::Key(key)) => keys.set(id, *key),
            (FieldIndex::Newest(newest), Held::Dated(dated)) => newest.set(id, *dated),
            (FieldIndex::Amounts(amounts), Held::Amount(centavos)) => amounts.set(id, *centavos),
            (FieldIndex::Days(days), Held::Day(day)) => days.set(id, *day),
            (FieldIndex::Guests(guests), Held::Guests(held)) => guests.set(id, held),
            _ => {}
        }
    }

    pub(super) fn clear(&mut self, id: u32) {
        match self {
            FieldIndex::Words(words) => words.set(id, ""),
            FieldIndex::Entries(entries) => entries.set(id, None),
            FieldIndex::Birthdays(keys) | FieldIndex::Values(keys) => keys.set(id, None),
            FieldIndex::Amounts(amounts) => amounts.set(id, None),
            FieldIndex::Days(days) => days.set(id, None),
            FieldIndex::Newest(newest) => newest.set(id, None),
            FieldIndex::Guests(guests) => guests.set(id, &[]),
        }
    }

    /// How many words there are while many records are taken in: what settling them costs.
    pub(super) fn loaded(&self) -> u64 {
        if let FieldIndex::Words(words) = self { words.loaded() } else { 0 }
    }

    pub(super) fn settle(&mut self) {
        if let FieldIndex::Words(words) = self {
            words.settle();
        }
    }
}

/// What the index holds of a member of a row; none where that is made of other records' names.
pub(super) fn held(
    table: &Table,
    field: &Field,
    at: usize,
    row: &Row<'_>,
    zone: &TimeZone,
) -> Result<Option<Held>, store::Error> {
    if matches!(field.source, Source::NamesOf(_)) {
        return Ok(None);
    }
    let value = row.value(at)?;
    let text = value.text();
    Ok(Some(match field.find {
        // The folded form is stored.
        Some(Find::Words | Find::WordsOr(_)) if field.key.is_some() => {
            Held::Text(text.unwrap_or_default().to_owned())
        }
        Some(Find::Words | Find::WordsOr(_)) => Held::Text(text.map(fold).unwrap_or_default()),
        Some(Find::Code) => Held::Text(text.map(with_joined).unwrap_or_default()),
        Some(Find::Start) => Held::Text(text.map(compact).unwrap_or_default()),
        Some(Find::Digits) => {
            let mut numbers = String::new();
            for (at, _) in table.fields.iter().enumerate().filter(|(_, other)| other.find == field.find) {
                numbers.extend(row.value(at)?.text().map(compact));
                numbers.push(' ');
            }
            Held::Text(numbers)
        }
        Some(Find::Days(_) | Find::DaysOrNone(..) | Find::Paid(..)) => Held::Day(day_of(&value, zone)),
        Some(Find::Months(_)) => {
            let month = text.and_then(|text| YearMonth::parse(text).ok());
            Held::Day(month.map(|month| month.first_day().number()))
        }
        Some(Find::Value) => Held::Key(key_of(field.ty, &value)),
        Some(Find::Sum(_)) => Held::Amount(match value {
            Value::Integer(centavos) => u64::try_from(centavos).ok(),
            _ => None,
        }),
        Some(Find::Newest(by)) => {
            let at = table.fields.iter().position(|other| other.column == by).unwrap_or_default();
            Held::Dated(value.id().zip(row.value(at)?.day().map(Day::number)))
        }
        Some(Find::Guests) => {
            let day = |moment| day_of(&Value::Integer(moment), zone);
            let guests = tasks::guests_of(text.unwrap_or_default());
            Held::Guests(guests.map(|(user, moment)| (user, moment.and_then(day))).collect())
        }
        Some(Find::Birthday) => Held::Key(value.day().map(|day| birthday(day.month(), day.day()))),
        Some(
            Find::Entry(_)
            | Find::EntryOrParent(_)
            | Find::Linked(..)
            | Find::Record
            | Find::RecordOrLinked(..)
            | Find::ExternalId,
        )
        | None => Held::Key(value.id()),
    }))
}

/// The words of a number-like text and, behind them, all of it as one word: `12.345.678-9` is found by `45678` too.
fn with_joined(text: &str) -> String {
    let words = fold(text);
    match words.contains(' ') {
        true => format!("{words} {}", words.replace(' ', "")),
        false => words,
    }
}

/// The number of one of a few values.
pub(super) fn key_of(ty: Type, value: &Value<'_>) -> Option<u32> {
    match value {
        Value::Text(text) => {
            ty.words().iter().position(|word| word == text).and_then(|at| u32::try_from(at).ok())
        }
        value => value.id(),
    }
}

pub(super) fn birthday(month: u8, day: u8) -> u32 {
    u32::from(month) * 32 + u32::from(day)
}

/// The day that a value is, or on which the moment falls in the office's time zone, as days since 1970.
fn day_of(value: &Value<'_>, zone: &TimeZone) -> Option<i32> {
    if let Value::Integer(moment) = value {
        let moment = jiff::Timestamp::from_second(*moment).ok()?;
        return Some(Day::on_calendar(zone.to_datetime(moment).date()).number());
    }
    value.day().map(Day::number)
}
