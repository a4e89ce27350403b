//! How records are found by one member: the index of it, and what that holds of a record.

use jiff::tz::TimeZone;

use super::buckets::Buckets;
use super::days::Days;
use super::keys::Keys;
use super::nested::Nested;
use super::words::Words;
use crate::domain::{Day, compact, fold};
use crate::records::{Field, Find, Source, Table, Value};
use crate::store;
use crate::store::records::Row;

/// How records are found by a member.
pub(super) enum FieldIndex {
    /// By words of its text.
    Words(Box<Words>),
    /// By how it begins; of a telephone number that is its end, the digits being reversed.
    Keys(Keys),
    /// By the entry that it is, and by what that belongs to.
    Entries(Nested),
    /// By ranges of days.
    Days(Days),
    /// By month and day.
    Birthdays(Buckets),
}

/// What the index holds of one member of a record.
pub(super) enum Held {
    Text(String),
    Keys(Vec<String>),
    Key(Option<u32>),
    Day(Option<i32>),
}

impl FieldIndex {
    /// That of a field, ready to take in many records at once.
    pub(super) fn loading(field: &Field) -> Option<FieldIndex> {
        Some(match field.find? {
            Find::Words | Find::WordsOr(_) | Find::Code => FieldIndex::Words(Box::new(Words::loading())),
            Find::Start | Find::Ending => FieldIndex::Keys(Keys::loading()),
            Find::Entry(_) | Find::EntryOrParent(_) => FieldIndex::Entries(Nested::default()),
            Find::Days(_) => FieldIndex::Days(Days::default()),
            Find::Birthday => FieldIndex::Birthdays(Buckets::default()),
            Find::Linked(..) => return None,
        })
    }

    pub(super) fn set(&mut self, id: u32, held: &Held) {
        match (self, held) {
            (FieldIndex::Words(words), Held::Text(text)) => words.set(id, text),
            (FieldIndex::Keys(keys), Held::Keys(held)) => {
                keys.set(id, &held.iter().map(String::as_str).collect::<Vec<_>>());
            }
            (FieldIndex::Entries(entries), Held::Key(key)) => entries.set(id, *key),
            (FieldIndex::Birthdays(days), Held::Key(key)) => days.set(id, *key),
            (FieldIndex::Days(days), Held::Day(day)) => days.set(id, *day),
            _ => {}
        }
    }

    pub(super) fn clear(&mut self, id: u32) {
        match self {
            FieldIndex::Words(words) => words.set(id, ""),
            FieldIndex::Keys(keys) => keys.set(id, &[]),
            FieldIndex::Entries(entries) => entries.set(id, None),
            FieldIndex::Birthdays(days) => days.set(id, None),
            FieldIndex::Days(days) => days.set(id, None),
        }
    }

    pub(super) fn settle(&mut self) {
        match self {
            FieldIndex::Words(words) => words.settle(),
            FieldIndex::Keys(keys) => keys.settle(),
            FieldIndex::Entries(_) | FieldIndex::Days(_) | FieldIndex::Birthdays(_) => {}
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            FieldIndex::Words(words) => words.heap_bytes(),
            FieldIndex::Keys(keys) => keys.heap_bytes(),
            FieldIndex::Entries(entries) => entries.heap_bytes(),
            FieldIndex::Birthdays(days) => days.heap_bytes(),
            FieldIndex::Days(days) => days.heap_bytes(),
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
        Some(Find::Start) => Held::Keys(text.map(compact).into_iter().collect()),
        Some(Find::Ending) => {
            let mut keys = Vec::new();
            for (at, _) in table.fields.iter().enumerate().filter(|(_, other)| other.find == field.find) {
                keys.extend(row.value(at)?.text().map(reversed_digits));
            }
            Held::Keys(keys)
        }
        Some(Find::Days(_)) => Held::Day(day_of(&value, zone)),
        Some(Find::Birthday) => Held::Key(value.day().map(|day| birthday(day.month(), day.day()))),
        Some(Find::Entry(_) | Find::EntryOrParent(_) | Find::Linked(..)) | None => Held::Key(value.id()),
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

pub(super) fn reversed(digits: &str) -> String {
    digits.chars().rev().collect()
}

fn reversed_digits(phone: &str) -> String {
    phone.chars().rev().filter(char::is_ascii_digit).collect()
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
