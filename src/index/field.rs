//! The index of one field, and the values it holds of a record.

use jiff::tz::TimeZone;

use super::names::NameIndex;
use super::names::parties::PartyIndex;
use super::sets::buckets::Buckets;
use super::sets::owners::Owners;
use super::values::amounts::Amounts;
use super::values::days::Days;
use super::values::guests::{Guests, HeldGuest};
use super::values::newest::NewestOfEach;
use super::words::WordIndex;
use super::words::terms::MatchMode;
use crate::domain::parties::similar_names::words::with_spellings;
use crate::domain::text::fold;
use crate::domain::{Day, OpposingParties, YearMonth, compact};
use crate::records::{Field, Find, Source, Table, Type, Value};
use crate::store;
use crate::store::nouns::tasks;
use crate::store::records::Row;

/// The index of one field, by kind of search.
pub(super) enum FieldIndex {
    /// Words of a text, or sequences of digits.
    Words(Box<WordIndex>),
    /// Words of the records' own names.
    Names(Box<NameIndex>),
    /// Names of the opposing parties of lawsuits, and the customers among them.
    Parties(Box<PartyIndex>),
    Days(Box<Days>),
    /// One of some hundred values: a list entry, an enum value, or a month and day.
    Keys(Buckets),
    /// The records that a record belongs to.
    Owners(Box<Owners>),
    /// The owner of each record, and the newest record of each owner.
    Newest(Box<NewestOfEach>),
    /// Amounts, which are summed and sorted but not searched.
    Amounts(Amounts),
    /// Guests of tasks, and the days on which they completed their part.
    Guests(Box<Guests>),
}

/// A field that has an index of its own.
pub(super) struct IndexedField {
    pub(super) field: &'static Field,
    /// The position in the table.
    pub(super) at: usize,
    /// The other fields whose values the index also holds, each with its position.
    others: Vec<(usize, &'static Field)>,
}

/// The indexed values of one field of a record. Only those that the field's index uses are filled.
#[derive(Default)]
pub(super) struct IndexedValues {
    pub(super) text: String,
    /// The value as a number, or the id that it refers to.
    key: Option<u32>,
    /// The ids of the records that it belongs to.
    pub(super) owners: Vec<u32>,
    day: Option<i32>,
    centavos: Option<u64>,
    guests: Vec<HeldGuest>,
    /// The folded names of a lawsuit's opposing parties.
    parties: Vec<String>,
    /// The customers among a lawsuit's opposing parties.
    party_customers: Vec<u32>,
}

impl IndexedField {
    /// Returns the fields of a table that have an index. The parent of an entry is found through the field that refers to
    /// the entry. The telephone numbers of all fields share one index, and so do the texts that only the console's search
    /// uses.
    pub(super) fn all(table: &'static Table) -> Vec<IndexedField> {
        let mut fields: Vec<IndexedField> = Vec::new();
        for (at, field) in table.fields.iter().enumerate() {
            let first = fields.iter_mut().find(|first| match field.find {
                None => field.searched && first.field.searched,
                Some(Find::Digits) => first.field.find == Some(Find::Digits),
                Some(_) => false,
            });
            match (first, field.find, field.source) {
                (Some(first), ..) => first.others.push((at, field)),
                (None, None, _) if !field.searched => {}
                (None, Some(Find::ExternalId), _) | (None, _, Source::ParentOf(_)) => {}
                (None, Some(Find::Newest(day)), _) => {
                    let days = table.fields.iter().enumerate().filter(|(_, other)| other.column == day);
                    fields.push(IndexedField { field, at, others: days.collect() });
                }
                _ => fields.push(IndexedField { field, at, others: Vec::new() }),
            }
        }
        fields
    }

    /// Returns the fields whose values the index holds, each with its position in the table.
    pub(super) fn sources(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        std::iter::once((self.at, self.field)).chain(self.others.iter().copied())
    }
}

impl FieldIndex {
    /// Creates the empty index of a field, or `None` if the field has no index.
    pub(super) fn of(field: &Field) -> Option<FieldIndex> {
        if field.searched {
            return Some(FieldIndex::Words(Box::new(WordIndex::of_words())));
        }
        Some(match field.find? {
            Find::Words if field.ty == Type::Name && field.source == Source::Column => {
                FieldIndex::Names(Box::default())
            }
            Find::Words | Find::WordsOr(_) => FieldIndex::Words(Box::new(WordIndex::of_words())),
            Find::Code | Find::Digits | Find::Start => FieldIndex::Words(Box::new(WordIndex::of_numbers())),
            Find::Days(_) | Find::DaysOrNone(..) | Find::Months(_) | Find::Paid(..) => {
                FieldIndex::Days(Box::default())
            }
            Find::Entry(_) | Find::EntryOrParent(_) | Find::Birthday | Find::Value => {
                FieldIndex::Keys(Buckets::default())
            }
            Find::Newest(_) => FieldIndex::Newest(Box::default()),
            Find::Sum(_) => FieldIndex::Amounts(Amounts::default()),
            Find::Guests => FieldIndex::Guests(Box::default()),
            Find::Linked(..) | Find::Record | Find::RecordOrThrough(..) => FieldIndex::Owners(Box::default()),
            Find::ExternalId => return None,
        })
    }

    /// Returns about how long it takes to fill the index, compared with the others.
    pub(super) fn work(&self) -> u32 {
        match self {
            FieldIndex::Names(_) | FieldIndex::Parties(_) => 8,
            FieldIndex::Words(_) => 2,
            _ => 1,
        }
    }

    /// Returns the words if the index has some.
    pub(super) fn words(&self) -> Option<&WordIndex> {
        match self {
            FieldIndex::Words(words) => Some(words),
            FieldIndex::Names(names) => Some(names.words()),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, id: u32, held: &IndexedValues) {
        match self {
            FieldIndex::Words(words) => words.set(id, &held.text),
            FieldIndex::Names(names) => names.set(id, &held.text),
            FieldIndex::Parties(parties) => parties.set(id, &held.parties, &held.party_customers),
            FieldIndex::Days(days) => days.set(id, held.day),
            FieldIndex::Keys(keys) => keys.set(id, held.key),
            FieldIndex::Owners(owners) => owners.set(id, &held.owners),
            FieldIndex::Newest(newest) => newest.set(id, held.key.zip(held.day)),
            FieldIndex::Amounts(amounts) => amounts.set(id, held.centavos),
            FieldIndex::Guests(guests) => guests.set(id, &held.guests),
        }
    }

    /// Ends the build: releases spare memory, and sorts records by owner.
    pub(super) fn finish(&mut self) {
        match self {
            FieldIndex::Words(words) => words.shrink(),
            FieldIndex::Names(names) => names.shrink(),
            FieldIndex::Parties(parties) => parties.finish(),
            FieldIndex::Owners(owners) => owners.sort(),
            FieldIndex::Newest(newest) => newest.finish(),
            _ => {}
        }
    }
}

/// Extracts the indexed values of a field from a row. Empty if the field is made of other records' names.
pub(super) fn held(
    indexed: &IndexedField,
    row: &Row<'_>,
    zone: &TimeZone,
) -> Result<IndexedValues, store::Error> {
    let field = indexed.field;
    let value = row.value(indexed.at)?;
    let text = value.text().unwrap_or_default();
    let mut held = IndexedValues::default();
    match field.find {
        _ if field.searched => {
            for (at, other) in indexed.sources() {
                let value = row.value(at)?;
                held.text.extend(value.text().map(|text| MatchMode::Words.text(other, text)));
                held.text.push(' ');
            }
            if field.ty == Type::OpposingParties {
                let parties = OpposingParties::from_json(text);
                held.parties =
                    parties.iter().filter_map(|party| Some(fold(party.name.as_ref()?.as_str()))).collect();
                held.party_customers = parties.iter().filter_map(|party| party.customer).collect();
            }
        }
        // The columns already hold the folded form. The index of the records' own names adds the other spellings.
        Some(Find::Words) if field.key.is_some() && field.source == Source::Column => {
            text.clone_into(&mut held.text);
        }
        Some(Find::Words | Find::WordsOr(_)) if field.key.is_some() => {
            held.text = with_spellings(text).into_owned()
        }
        Some(Find::Words | Find::WordsOr(_)) => held.text = fold(text),
        // Joins the words into one: a part of any word is also a part of the joined word.
        Some(Find::Code) => held.text = fold(text).replace(' ', ""),
        Some(Find::Start) => held.text = compact(text),
        Some(Find::Digits) => {
            for (at, other) in indexed.sources() {
                held.text.extend(row.value(at)?.text().map(|text| MatchMode::Digits.text(other, text)));
                held.text.push(' ');
            }
        }
        Some(Find::Days(_) | Find::DaysOrNone(..) | Find::Paid(..)) => held.day = day_of(&value, zone),
        Some(Find::Months(_)) => {
            held.day = YearMonth::parse(text).ok().map(|month| month.first_day().number());
        }
        Some(Find::Value) => held.key = key_of(field.ty, &value),
        Some(Find::Birthday) => held.key = value.day().map(|day| birthday(day.month(), day.day())),
        Some(Find::Sum(_)) => {
            let Value::Integer(centavos) = value else { return Ok(held) };
            held.centavos = u64::try_from(centavos).ok();
        }
        Some(Find::Newest(_)) => {
            held.key = value.id();
            for (at, _) in &indexed.others {
                held.day = row.value(*at)?.day().map(Day::number);
            }
        }
        Some(Find::Record | Find::RecordOrThrough(..)) => held.owners.extend(value.id()),
        Some(Find::Guests) => {
            let day = |moment| day_of(&Value::Integer(moment), zone);
            let guests = tasks::guests_of(text);
            held.guests = guests.map(|(user, moment)| (user, moment.and_then(day))).collect();
        }
        _ => held.key = value.id(),
    }
    Ok(held)
}

/// Returns the number of an enum value, or the value's id.
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

/// Returns the value as days since 1970. A moment is converted to a day in the office's time zone.
fn day_of(value: &Value<'_>, zone: &TimeZone) -> Option<i32> {
    if let Value::Integer(moment) = value {
        let moment = jiff::Timestamp::from_second(*moment).ok()?;
        return Some(Day::on_calendar(zone.to_datetime(moment).date()).number());
    }
    value.day().map(Day::number)
}
