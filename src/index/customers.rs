//! What lists of customers look at.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::buckets::Buckets;
use super::day_of;
use super::days::Days;
use super::follow::Follow;
use super::keys::Keys;
use super::reference::{Named, Reference};
use super::stop::Stop;
use super::words::Words;
use crate::domain::compact;
use crate::domain::date::Day;
use crate::domain::tax_id::TaxId;
use crate::domain::text::fold;
use crate::store::changes::{Change, Kind, runs};
use crate::store::settings::List;
use crate::store::{self, Db, customers};

/// Which customers a list shows: all of these hold (contract 4.2). Texts are folded; nothing asked shows everybody.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Words of the name.
    pub name: Option<String>,
    /// How either phone number ends, digits only.
    pub phone: Option<String>,
    /// The same for a second one.
    pub cellphone: Option<String>,
    /// A CPF or CNPJ without punctuation, or how it begins.
    pub identification: Option<String>,
    /// Words of the e-mail address.
    pub email: Option<String>,
    /// Words of the city.
    pub city: Option<String>,
    /// The state, or a part of it.
    pub state: Option<String>,
    /// Words of the occupation.
    pub occupation: Option<String>,
    /// Words of the document.
    pub document: Option<String>,
    /// The origin.
    pub origin: Option<Named>,
    /// The month of birth, 1 to 12.
    pub birth_month: Option<u8>,
    /// The first and the last day of creation.
    pub created: (Option<Day>, Option<Day>),
}

#[derive(Default)]
pub(super) struct Customers {
    reference: Reference,
    all: RoaringBitmap,
    names: Words,
    phones: Keys,
    tax_ids: Keys,
    emails: Words,
    cities: Words,
    states: Words,
    occupations: Words,
    documents: Words,
    origins: Buckets,
    births: Buckets,
    created: Days,
}

impl Follow for Customers {
    const NAME: &'static str = "customers";
    type Row = Row;

    fn build(db: Db<'_>, zone: &TimeZone, stop: &Stop) -> Result<Customers, store::Error> {
        let mut customers = Customers { reference: Reference::read(db)?, ..Customers::default() };
        customers.texts().into_iter().for_each(|words| *words = Words::loading());
        customers.keys().into_iter().for_each(|keys| *keys = Keys::loading());
        customers::searchable(db, 0..=u32::MAX, |row| {
            customers.set(row.id, &Row::of(&row, zone));
            stop.check()
        })?;
        for words in customers.texts() {
            stop.check()?;
            words.settle();
        }
        customers.keys().into_iter().for_each(Keys::settle);
        Ok(customers)
    }

    fn read(
        db: Db<'_>,
        zone: &TimeZone,
        changes: &[Change],
    ) -> Result<BTreeMap<u32, Option<Row>>, store::Error> {
        let touched = changes.iter().filter(|(kind, _)| *kind == Kind::Customer).map(|(_, id)| *id);
        let touched: BTreeSet<u32> = touched.collect();
        let mut rows: BTreeMap<u32, Option<Row>> = touched.iter().map(|id| (*id, None)).collect();
        for run in runs(touched) {
            customers::searchable(db, run, |row| {
                rows.insert(row.id, Some(Row::of(&row, zone)));
                Ok(())
            })?;
        }
        Ok(rows)
    }

    fn put(&mut self, id: u32, row: Option<Row>) {
        match row {
            Some(row) => self.set(id, &row),
            None => self.clear(id),
        }
    }

    fn refer(&mut self, reference: Reference) {
        self.reference = reference;
    }

    fn records(&self) -> u64 {
        self.all.len()
    }

    fn heap_bytes(&self) -> usize {
        let texts =
            [&self.names, &self.emails, &self.cities, &self.states, &self.occupations, &self.documents];
        let keys = self.phones.heap_bytes() + self.tax_ids.heap_bytes();
        let rest = self.origins.heap_bytes() + self.births.heap_bytes() + self.created.heap_bytes();
        texts.into_iter().map(Words::heap_bytes).sum::<usize>() + keys + rest
    }
}

/// What the index holds of a customer.
pub(super) struct Row {
    name: String,
    phones: Vec<String>,
    tax_id: Option<String>,
    email: String,
    city: String,
    state: String,
    occupation: String,
    document: String,
    origin: u32,
    birthday: Option<u32>,
    created: Option<i32>,
}

impl Row {
    fn of(row: &customers::Searchable<'_>, zone: &TimeZone) -> Row {
        let folded = |text: Option<&str>| text.map(fold).unwrap_or_default();
        Row {
            name: row.name_key.to_owned(),
            phones: [row.phone, row.cellphone].into_iter().flatten().map(reversed_digits).collect(),
            tax_id: row.identification.map(compact),
            email: folded(row.email),
            city: folded(row.city),
            state: folded(row.state),
            occupation: folded(row.occupation),
            document: row.document.map(with_joined).unwrap_or_default(),
            origin: row.origin,
            birthday: born(row.birthdate),
            created: day_of(row.created_at, zone),
        }
    }
}

impl Customers {
    pub(super) fn all(&self) -> &RoaringBitmap {
        &self.all
    }

    fn texts(&mut self) -> [&mut Words; 6] {
        let Customers { names, emails, cities, states, occupations, documents, .. } = self;
        [names, emails, cities, states, occupations, documents]
    }

    fn keys(&mut self) -> [&mut Keys; 2] {
        [&mut self.phones, &mut self.tax_ids]
    }

    /// The customer with that whole tax id.
    pub(super) fn with_tax_id(&self, compact: &str) -> Option<u32> {
        self.tax_ids.exact(compact).min()
    }

    /// How many were born on each day of the month, whatever the year.
    pub(super) fn births_by_day(&self, month: u8) -> Vec<(u8, u64)> {
        (1..=31).map(|day| (day, self.births.len_of(birthday(month, day)))).collect()
    }

    pub(super) fn find(&self, filter: &Filter) -> Vec<Cow<'_, RoaringBitmap>> {
        let mut found = Vec::new();
        let texts = [
            (&self.names, &filter.name),
            (&self.emails, &filter.email),
            (&self.cities, &filter.city),
            (&self.states, &filter.state),
            (&self.occupations, &filter.occupation),
            (&self.documents, &filter.document),
        ];
        for (words, term) in texts {
            found.extend(term.as_ref().map(|term| words.find(term)));
        }
        for ending in [&filter.phone, &filter.cellphone].into_iter().flatten() {
            found.push(Cow::Owned(self.phones.starting_with(&reversed(ending))));
        }
        if let Some(tax_id) = &filter.identification {
            // A whole number matches exactly (contract 4.2); eleven characters that are no CPF may begin a CNPJ.
            let whole = tax_id.len() == 14 || TaxId::parse(tax_id).is_ok();
            let matching =
                if whole { self.tax_ids.exact(tax_id) } else { self.tax_ids.starting_with(tax_id) };
            found.push(Cow::Owned(matching));
        }
        if let Some(origin) = &filter.origin {
            found.push(self.origins.any_of(self.reference.meant(List::Origins, origin)));
        }
        if let Some(month) = filter.birth_month {
            found.push(self.births.any_of((1..=31).map(|day| birthday(month, day))));
        }
        found.extend(self.created.within(filter.created));
        found
    }

    fn set(&mut self, id: u32, row: &Row) {
        self.all.insert(id);
        self.names.set(id, &row.name);
        self.phones.set(id, &row.phones.iter().map(String::as_str).collect::<Vec<_>>());
        self.tax_ids.set(id, row.tax_id.as_deref().as_slice());
        self.emails.set(id, &row.email);
        self.cities.set(id, &row.city);
        self.states.set(id, &row.state);
        self.occupations.set(id, &row.occupation);
        self.documents.set(id, &row.document);
        self.origins.set(id, Some(row.origin));
        self.births.set(id, row.birthday);
        self.created.set(id, row.created);
    }

    fn clear(&mut self, id: u32) {
        self.all.remove(id);
        self.texts().into_iter().for_each(|words| words.set(id, ""));
        self.keys().into_iter().for_each(|keys| keys.set(id, &[]));
        self.origins.set(id, None);
        self.births.set(id, None);
        self.created.set(id, None);
    }
}

/// The words of a number-like text and, behind them, all of it as one word: `12.345.678-9` is found by `45678` too.
pub(super) fn with_joined(text: &str) -> String {
    let words = fold(text);
    match words.contains(' ') {
        true => format!("{words} {}", words.replace(' ', "")),
        false => words,
    }
}

fn reversed(digits: &str) -> String {
    digits.chars().rev().collect()
}

fn reversed_digits(phone: &str) -> String {
    phone.chars().rev().filter(char::is_ascii_digit).collect()
}

fn birthday(month: u8, day: u8) -> u32 {
    u32::from(month) * 32 + u32::from(day)
}

fn born(birthdate: Option<&str>) -> Option<u32> {
    let day = Day::parse(birthdate?).ok()?;
    Some(birthday(day.month(), day.day()))
}
